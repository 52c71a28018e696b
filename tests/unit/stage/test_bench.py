"""`make bench`, where something cannot be measured."""

from pathlib import Path

import pytest

from stage import bench
from stage.measuring.promise import NotMeasured, PromisedValue
from stage.out_folder import emptied


def test_what_could_not_be_measured_is_said_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def demo() -> PromisedValue:
        raise NotMeasured("make demo failed:\nAnother sandbox writes to out/demo")

    monkeypatch.setattr(bench, "WORK_DIR", tmp_path / "bench")
    monkeypatch.setattr(bench, "demo", demo)
    assert bench.main() == 2
    assert capsys.readouterr().err == "make demo failed:\nAnother sandbox writes to out/demo\n"


def test_a_second_bench_at_once_takes_nothing_away_from_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def demo() -> PromisedValue:
        raise NotMeasured("It went on")

    monkeypatch.setattr(bench, "WORK_DIR", tmp_path / "bench")
    monkeypatch.setattr(bench, "demo", demo)
    with emptied(tmp_path / "bench", "it is the first") as out:
        (out / "sandbox").mkdir()
        assert bench.main() == 2
        assert (out / "sandbox").exists()
    told = " ".join(capsys.readouterr().err.split())
    assert told == f"Another sandbox writes to {tmp_path}/bench: every bench writes there, one at a time"
