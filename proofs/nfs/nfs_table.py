"""What was tried on real NFS, as a table of docs/benchmarks.md: a row for each thing that was done."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from proofs.nfs.sent_for_files import COUNTED
from proofs.nfs.trials import CaseFinding, NfsCase

PAGE = Path(__file__).parent.parent.parent / "docs" / "benchmarks.md"
TRIED = ("<!-- nfs: make prove PROOF=nfs -->", "<!-- end of nfs -->")
TRIED_HEAD = ("| What was done | Cases | Held | What was told |", "|---|---:|---:|---|")
SENT = ("<!-- sent: make prove PROOF=nfs -->", "<!-- end of sent -->")
SENT_HEAD = (f"| For each file | {' | '.join(COUNTED)} |", f"|---|{'---:|' * len(COUNTED)}")
LONGEST_TOLD = 4


@dataclass(frozen=True, kw_only=True)
class NfsOutcome:
    """A case with what came of it."""

    case: NfsCase
    finding: CaseFinding


def written(page: str, outcomes: Sequence[NfsOutcome], numbers: Mapping[str, int]) -> str:
    """The page with a new line for each row that was tried, of so many cases; those that were not stay as they are."""
    page = _with_lines(page, TRIED, TRIED_HEAD, lines(outcomes, numbers))
    counts = [one.finding.counts for one in outcomes if one.finding.counts]
    return _with_lines(page, SENT, SENT_HEAD, {first: f"| {first} | {' | '.join(rest)} |" for first, *rest in counts})


def _with_lines(page: str, marks: tuple[str, str], head: Sequence[str], new: Mapping[str, str]) -> str:
    begin, end = marks
    before, rest = page.split(begin)
    table, after = rest.split(end)
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in table.strip().splitlines()[len(head) :]}
    return "".join([before, begin, "\n\n", "\n".join([*head, *{**rows, **new}.values()]), "\n\n", end, after])


def numbers_of_cases(cases: Iterable[NfsCase]) -> Counter[str]:
    """How many cases each row has."""
    return Counter(case.row for case in cases)


def lines(outcomes: Sequence[NfsOutcome], numbers: Mapping[str, int]) -> Mapping[str, str]:
    """A line for each row."""
    rows = dict.fromkeys(one.case.row for one in outcomes)
    return {row: _line(row, [one for one in outcomes if one.case.row == row], numbers[row]) for row in rows}


def _line(row: str, outcomes: Sequence[NfsOutcome], number: int) -> str:
    held = sum(one.finding.held() for one in outcomes)
    told = Counter(_in_general(one.finding.told) for one in outcomes)
    most = [f"{words} ({count})" if count > 1 else words for words, count in told.most_common(LONGEST_TOLD)]
    if len(told) > LONGEST_TOLD:
        more = len(told) - LONGEST_TOLD
        most.append(f"{more} {'other' if more == 1 else 'others'}")
    tried = f"{len(outcomes)} of {number}" if len(outcomes) < number else str(number)
    return f"| {row} | {tried} | {held} | {'; '.join(most)} |"


def _in_general(told: str) -> str:
    """Without what differs from run to run: names of runs, milliseconds, paths."""
    general = re.sub(r"run-[0-9a-z-]+", "RUN", told)
    general = re.sub(r"-?\d+ ms", "N ms", general)
    general = re.sub(r"(up for|answer in) \d+ s", r"\1 N s", general)
    general = re.sub(r"/mnt/client\d+", "/mnt/efs", general)
    return general.replace("|", "/")[:160]
