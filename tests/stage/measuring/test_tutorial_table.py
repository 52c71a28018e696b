"""The mount set to the tutorial's file system gives the tutorial's table."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.efs.credits import MIB

from stage.measuring import benchmarks
from stage.measuring.calibration import settled
from stage.measuring.tutorial_table import RATIO_LIMIT, Row, out_of_order, tutorial_table, tutorial_workloads


@pytest.mark.speed
@pytest.mark.needs("FUSE", "rsync")
def test_the_published_table_is_reproduced(folder: Path) -> None:
    # Every file of a touch and of a copy takes the same: fewer of them give the same rates sooner.
    workloads = tutorial_workloads(touched_files=256, copied_mib=32)
    rows = settled(lambda: tutorial_table(folder, workloads), lambda row: row.off > RATIO_LIMIT)
    assert [f"{row.workload.id}: {row.ratio:.2f} of what was published" for row in rows if row.off > RATIO_LIMIT] == []
    assert out_of_order(rows) == []


def test_everything_published_is_there_and_no_larger_than_128_mib() -> None:
    workloads = tutorial_workloads()
    # 12 of EFS, 2 of the 5 copies among them, and 6 of the disk; t2.micro and m4.large are other instances.
    assert len(workloads) == 18
    assert max(workload.bytes for workload in workloads) == 128 * MIB


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The workloads of the table, none of which is measured."""
    found: list[str] = []

    def nothing_measured(folder: Path, workloads: Sequence[Workload]) -> list[Row]:
        found.extend(one.id for one in workloads)
        return []

    monkeypatch.setattr(benchmarks, "tutorial_table", nothing_measured)
    return found


def test_a_copy_whose_tool_is_not_installed_is_left_out_and_said_to_be(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda command, **_: None if command == "rsync" else f"/bin/{command}")
    monkeypatch.setattr("stage.measuring.tutorial_table.has_place_to_copy", lambda: True)
    list(benchmarks._table(tmp_path))
    assert "copy-cp" in asked
    assert "copy-rsync" not in asked
    said = capsys.readouterr().out
    assert said == "skipped on the tutorial's file system: copy-rsync, since rsync is not installed\n"


def test_where_root_can_make_no_place_for_copies_all_are_left_out_and_the_rest_is_measured(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda command, **_: f"/bin/{command}")
    monkeypatch.setattr("stage.measuring.tutorial_table.has_place_to_copy", lambda: False)
    list(benchmarks._table(tmp_path))
    assert len(asked) == 16
    assert not [name for name in asked if name.startswith("copy-")]
    said = capsys.readouterr().out
    assert " ".join(said.split()) == (
        "skipped on the tutorial's file system: copy-cp and copy-rsync, since root can make no mount namespace here"
    )
    assert max(map(len, said.splitlines())) <= 80


def row(workload_id: str, measured: float, published: float) -> Row:
    return Row(workload=CATALOGUE[workload_id], measured=measured, published=published)


def test_a_pair_that_came_out_the_other_way_round_is_told() -> None:
    rows = [row("dd-write-1m-end", measured=90, published=126), row("dd-write-1m-each", measured=91, published=100)]
    assert out_of_order(rows) == ["dd-write-1m-each came out faster than dd-write-1m-end"]


def test_a_pair_that_published_nearly_the_same_may_come_out_either_way() -> None:
    assert out_of_order([row("dd-write-1m-end", 90, 124), row("dd-write-1m-each", 91, 100)]) == []


def test_files_and_bytes_are_not_compared() -> None:
    assert out_of_order([row("touch-serial", 100, 1), row("dd-write-1m-each", 1, 100)]) == []


@pytest.mark.parametrize(("measured", "off"), [(130, 0.30), (100, 0.0), (100 / 1.3, 0.30)])
def test_too_fast_is_as_far_off_as_too_slow(measured: float, off: float) -> None:
    assert replace(row("dd-write-1m-end", 0, 100), measured=measured).off == pytest.approx(off)
