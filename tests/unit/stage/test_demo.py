"""The demo, where a terminal cannot show all that it says, and where another is on."""

import io
import sys
from pathlib import Path

import pytest

from stage.demo import walkthrough
from stage.out_folder import emptied
from stage.sam_deployment import CommandFailed, Deployer

ABOUT_AN_ARROW = 'about = "From here → to there."\ndays = 1\n[file_system]\nsize_gib = 100\n'


def not_built(deployer: Deployer) -> None:
    raise CommandFailed("Enough is seen")


def test_what_the_terminals_encoding_has_not_is_a_question_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "arrow.toml"
    path.write_text(ABOUT_AN_ARROW, encoding="utf-8")
    terminal = io.BytesIO()

    monkeypatch.setattr(walkthrough, "OUT", tmp_path / "out")
    monkeypatch.setattr(Deployer, "build", not_built)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(terminal, encoding="iso-8859-1", write_through=True))
    assert walkthrough.main([str(path)]) == 1
    assert terminal.getvalue() == b"arrow: From here ? to there.\n\n"


def test_a_second_demo_at_once_takes_nothing_away_from_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(walkthrough, "OUT", tmp_path / "demo")
    monkeypatch.setattr(Deployer, "build", not_built)
    with emptied(tmp_path / "demo", "it is the first") as out:
        (out / "functions").mkdir()
        assert walkthrough.main([]) == 2
        assert (out / "functions").exists()
    told = " ".join(capsys.readouterr().err.split())
    assert told == f"Another sandbox writes to {tmp_path}/demo: every demo writes there, one at a time"
