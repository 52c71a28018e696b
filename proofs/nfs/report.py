"""What was tried on real NFS, as a table of docs/benchmarks.md: a row for each thing that was done."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from proofs.nfs.trials import Case, Finding

PAGE = Path(__file__).parent.parent.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- nfs: make prove PROOF=nfs -->", "<!-- end of nfs -->"
HEAD = ("| What was done | Cases | Held | What was told |", "|---|---:|---:|---|")
LONGEST_TOLD = 4


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A case with what came of it."""

    case: Case
    finding: Finding


def written(page: str, outcomes: Sequence[Outcome]) -> str:
    """The page with a new line for each row that was tried; those that were not stay as they are."""
    before, rest = page.split(BEGIN)
    table, after = rest.split(END)
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in table.strip().splitlines()[len(HEAD) :]}
    rows |= lines(outcomes)
    return "".join([before, BEGIN, "\n\n", "\n".join([*HEAD, *rows.values()]), "\n\n", END, after])


def lines(outcomes: Sequence[Outcome]) -> Mapping[str, str]:
    """A line for each row."""
    rows = dict.fromkeys(one.case.row for one in outcomes)
    return {row: _line(row, [one for one in outcomes if one.case.row == row]) for row in rows}


def _line(row: str, outcomes: Sequence[Outcome]) -> str:
    held = sum(not one.finding.broken for one in outcomes)
    told = Counter(_in_general(one.finding.told) for one in outcomes)
    most = [f"{words} ({count})" if count > 1 else words for words, count in told.most_common(LONGEST_TOLD)]
    if len(told) > LONGEST_TOLD:
        most.append(f"{len(told) - LONGEST_TOLD} others")
    return f"| {row} | {len(outcomes)} | {held} | {'; '.join(most)} |"


def _in_general(told: str) -> str:
    """Without what differs from run to run: names of runs, numbers of files, paths."""
    general = re.sub(r"run-[0-9a-z-]+", "RUN", told)
    general = re.sub(r"/mnt/client\d+", "/mnt/efs", general)
    return general.replace("|", "/")[:160]
