"""The section of docs/reliability.md about the fleet's function: what was tried and what came of it, as counts."""

from collections import Counter
from collections.abc import Iterator, Sequence

from proofs.faults.faults_report import table_of_ends
from proofs.fleet.fleet_starting_points import STARTING_POINTS
from proofs.fleet.fleet_trials import COLUMNS, FleetOutcome
from proofs.incidents.incidents_section import HEADING as AFTER_IT

HEADING = "## A fleet"
# In the order in which a cell has them, with what they mean.
ENDS = {
    "unnoticed": "the run did all that it does when nothing fails",
    "repeated": "the same, and the daily mail came again",
    "later": "the run went on without what it could not do, or another run had done it; the next runs made it good",
    "refused": "the run failed with a sentence that names the call, and the next runs made it good",
    "killed": "the function was gone in the middle, and the next runs made it good",
}
INTRODUCTION = """\
`make prove PROOF=fleet` writes this section. `reconcile_fleet` meets CloudFormation's own API over HTTP, in the
starting points listed below: each of its calls with each fault, once in passing and from then on for good, killed
before each call and after each write, and with a whole second run before each call. Four runs follow, 20 minutes apart.

After every case:

- The stacks are those of a fleet in which nothing failed, with the same parameters, and nothing else is remembered.
- A stack that somebody deployed by hand was not touched.
- Whatever was refused, and whatever made a run fail, was said in a sentence.
- The daily mail came that day; more than once only where its answer was lost or nobody could remember that it was sent.

The dashboard is not among it: where it could not be drawn it is with the next change, or a day later, which
`tests/stage/fleet/test_pages_and_dashboard.py` shows, with answers of several pages.
"""


def section(found: Sequence[FleetOutcome]) -> str:
    """The section, with its heading."""
    return "\n".join([HEADING, "", INTRODUCTION, *_summary(found), *_starting_points(found), *_calls(found)]) + "\n"


def with_fleet_section(page: str, text: str) -> str:
    """The page with this section in place of the one it has, in front of the last."""
    before, heading, after = page.partition(AFTER_IT)
    before = before.partition(f"{HEADING}\n")[0]
    return f"{before.rstrip()}\n\n{text}" + (f"\n{heading}{after}" if heading else "")


def starting_point_row(name: str, cases: int) -> str:
    """A line of the list of starting points."""
    return f"| {name} | {cases} |"


def _summary(found: Sequence[FleetOutcome]) -> Iterator[str]:
    yield f"{len(found):,} cases of the fleet, {sum(not one.broken for one in found):,} of which held all of this."
    yield from table_of_ends(Counter(one.end for one in found), ENDS)


def _starting_points(found: Sequence[FleetOutcome]) -> Iterator[str]:
    yield "| starting point | cases |"
    yield "|---|---:|"
    numbers = Counter(one.start for one in found)
    yield from (starting_point_row(one.name, numbers[one.name]) for one in STARTING_POINTS)
    yield ""


def _calls(found: Sequence[FleetOutcome]) -> Iterator[str]:
    counts = Counter((one.row, one.column, one.end) for one in found)
    yield f"| call | {' | '.join(COLUMNS)} |"
    yield f"|---|{'---|' * len(COLUMNS)}"
    for row in dict.fromkeys(one.row for one in found):
        cells = (
            ", ".join(f"{counts[row, column, end]} {end}" for end in ENDS if counts[row, column, end]) or "–"
            for column in COLUMNS
        )
        yield f"| {row} | {' | '.join(cells)} |"
