"""What `make prove PROOF=nfs` tries, and how its table is written; the proof itself needs QEMU and hours."""

import re
from collections import Counter
from pathlib import Path
from typing import cast

import pytest
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.results import parse

from proofs.nfs import script_times
from proofs.nfs.__main__ import KINDS, breadth_first, main
from proofs.nfs.fleets import FENCED, unfounded
from proofs.nfs.image import ImageMissing, image
from proofs.nfs.kills import KILLS
from proofs.nfs.nfs_table import PAGE, SENT, SENT_HEAD, TRIED, TRIED_HEAD, NfsOutcome, written
from proofs.nfs.script_runs import EndedRun
from proofs.nfs.script_times import Share, share
from proofs.nfs.sent_for_files import BY_HAND
from proofs.nfs.shapes import small
from proofs.nfs.trials import CaseFinding, MountedFileSystem, NfsCase, lived
from proofs.nfs.virtual_machine import MachineFailed
from proofs.nfs.workload_cases import COPIES, WORKLOADS
from tests.unit.benchmarks.script_output import MACHINE, lines, ok

CASES = [case for kind in KINDS for case in kind.cases()]


def test_a_hundred_kills_and_fifty_fencings_are_tried() -> None:
    rows = Counter(case.row for case in CASES)
    assert (rows[KILLS], rows[FENCED]) == (100, 50)


def test_two_of_five_kills_are_in_the_middle_of_a_copy_with_each_of_the_tools() -> None:
    names = [case.name for case in CASES if case.row == KILLS and " of a copy: " in case.name]
    assert len(names) == 40
    assert Counter(name.rpartition(" ")[2] for name in names) == dict.fromkeys(COPIES, 8)


HELD_UP = "/mnt/client1/.efs-monitor-benchmark: the mount held this instance up for 43 s while it took the lock"


@pytest.mark.parametrize(
    "refusal",
    [
        HELD_UP,
        f"{HELD_UP}, and others may have taken it meanwhile",
        "/mnt/client1 gave no answer in 60 s: is the mount target reachable?",
        "run-1-a is running on fs-0123456789abcdef0 (1 of its instances live): one run at a time",
    ],
)
def test_who_was_cut_off_in_the_gate_may_be_refused_with_what_happened(refusal: str) -> None:
    assert unfounded(_ended(refused=refusal), _ended((100.0, 112.0))) == []


@pytest.mark.parametrize(
    "refusal", ["/mnt/x: no space left on device", "/mnt/x: is the file system full?", "/mnt/x: Stale file handle"]
)
def test_other_words_for_it_are_no_refusal_that_holds(refusal: str) -> None:
    assert unfounded(_ended(refused=refusal), _ended((100.0, 112.0))) == [f"It says of having been cut off: {refusal}"]


def test_who_was_not_refused_has_measured_before_or_after_the_other() -> None:
    assert unfounded(_ended((112.0, 124.0)), _ended((100.0, 112.0))) == []
    assert unfounded(_ended((111.0, 124.0)), _ended((100.0, 112.0))) == [
        "dd-write-1m-end was measured beside dd-write-1m-end of the other run"
    ]
    (said,) = unfounded(_ended(), _ended((100.0, 112.0)))
    assert said.startswith("dd-write-1m-end is failed: ")


def _ended(span: tuple[float, float] | None = None, *, refused: str = "") -> EndedRun:
    """A run of one workload, measured from and to a moment or not at all."""
    workload = CATALOGUE["dd-write-1m-end"]
    output = lines(MACHINE | ({"refused": refused} if refused else {}))
    if span:
        output += lines(ok(workload, started=span[0], seconds=span[1] - span[0]))
    status = 2 if refused else 0 if span else 1
    return EndedRun(status=status, output=output, errors="", report=parse(output, (workload,)))


def test_a_share_is_the_median_of_pairs_with_the_ranks_between_which_it_lies() -> None:
    """Of thirty the tenth and the twenty-first, as in any table of the sign test."""
    assert share([(float(each), 1.0) for each in range(1, 31)]) == Share(middle=15.5, least=10.0, most=21.0)
    assert share([(2.0, 4.0)]) == Share(middle=0.5, least=0.5, most=0.5)


def test_what_is_timed_is_what_is_compared_on_the_wire() -> None:
    assert set(script_times.WORKLOADS) < set(BY_HAND)


def test_every_workload_of_the_catalogue_is_tried() -> None:
    assert {case.name.split(": ")[1] for case in CASES if case.row == WORKLOADS} == set(CATALOGUE)


def test_no_two_cases_are_called_the_same() -> None:
    assert max(Counter((case.row, case.name) for case in CASES).values()) == 1


def test_a_workload_made_small_is_the_same_command() -> None:
    for workload in CATALOGUE.values():
        less = small(workload)
        assert (less.threads, less.block_bytes, less.sync) == (workload.threads, workload.block_bytes, workload.sync)
        assert less.bytes <= workload.bytes
        assert less.files >= min(less.threads, workload.files)


def test_only_the_rows_that_were_tried_are_written_anew() -> None:
    page = _page("| Cut | 3 | 3 | ok |", "| Kills | 9 | 9 | ok |")
    found = [_outcome("Kills", "killed"), _outcome("Kills", "killed"), _outcome("Kills", "late", "1 thing is left")]
    assert written(page, found, {"Kills": 3}) == page.replace(
        "| Kills | 9 | 9 | ok |", "| Kills | 3 | 2 | killed (2); late |"
    )


def test_a_row_that_was_broken_off_says_how_much_of_it_was_tried() -> None:
    assert "| Kills | 1 of 100 | 1 | killed |" in written(_page(), [_outcome("Kills", "killed")], {"Kills": 100})


def test_what_is_broken_off_has_tried_something_of_everything() -> None:
    cases = [_outcome(row, "").case for row in ("Kills", "Kills", "Cut", "Cut")]
    assert [case.row for case in breadth_first(cases)] == ["Kills", "Cut", "Kills", "Cut"]


class Gone:
    """A file system whose machine does not answer any more."""

    def heal(self) -> None:
        raise MachineFailed("it did not answer")


def test_a_case_that_cannot_be_looked_at_ends_no_other() -> None:
    case = NfsCase(row="row", name="case", trial=lambda _: CaseFinding(told="measured"))
    found = lived(case, cast("MountedFileSystem", Gone()))
    assert (found.told, found.broken) == ("measured", ("MachineFailed: it did not answer",))


def test_names_that_differ_from_run_to_run_are_not_written() -> None:
    found = [_outcome("Rivals", f"run-2030-{each} is running on /mnt/client{each}") for each in range(2)]
    assert "| RUN is running on /mnt/efs (2) |" in written(_page(), found, {"Rivals": 2})
    held_up = [_outcome("Rivals", f"held up for {each} s, no answer in {each} s") for each in (6, 60)]
    assert "| held up for N s, no answer in N s (2) |" in written(_page(), held_up, {"Rivals": 2})
    steps = [_outcome("Rivals", f"the clock was set by {each} ms") for each in (-600_556, 3_599_311)]
    assert "| the clock was set by N ms (2) |" in written(_page(), steps, {"Rivals": 2})


def test_each_row_of_the_page_is_one_that_is_tried() -> None:
    table = PAGE.read_text().split(TRIED[0])[1].split(TRIED[1])[0]
    rows = Counter(case.row for case in CASES)
    for row, tried, of, held in re.findall(r"^\| (.+?) \| (\d+)( of \d+)? \| (\d+) \|", table, re.MULTILINE):
        assert int(of.removeprefix(" of ") or tried) == rows[row]
        assert int(held) <= int(tried) <= rows[row]


def test_without_qemu_one_sentence_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ImageMissing, match="apt-get install mmdebstrap e2fsprogs qemu-system-x86"):
        image()
    assert main([]) == 2
    said = capsys.readouterr().err.strip()
    assert " ".join(said.split()) == (
        "A machine with NFS needs QEMU and an image: apt-get install mmdebstrap e2fsprogs qemu-system-x86"
    )


def _page(*rows: str) -> str:
    tables = ((TRIED, TRIED_HEAD, rows), (SENT, SENT_HEAD, ("| `touch-serial` | 0 / 0 | 0 / 0 | 1 / 1 | 0 / 0 |",)))
    return "\n".join(f"Text.\n{begin}\n\n{'\n'.join([*head, *of])}\n\n{end}" for (begin, end), head, of in tables)


def _outcome(row: str, told: str, *broken: str) -> NfsOutcome:
    case = NfsCase(row=row, name="1", trial=lambda mounted: CaseFinding(told=str(mounted)))
    return NfsOutcome(case=case, finding=CaseFinding(told=told, broken=broken))
