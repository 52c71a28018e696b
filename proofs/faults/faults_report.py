"""docs/reliability.md: what was tried and what came of it, as counts; the same for the same code."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from proofs.faults.case_outcomes import Outcome
from proofs.faults.cases import FAULTS, TOGETHER, TWICE
from proofs.faults.starting_points import STARTING_POINTS
from stage.sam_deployment import PROJECT

REPORT = PROJECT / "docs" / "reliability.md"
# In the order in which the table has them, with what they mean.
ENDS = {
    "unnoticed": "the function succeeded, and nothing shows that anything was wrong",
    "told": "the function went on without what it could not have, and said so: the mail without figures, the "
    "deployment that fails with a sentence, a mail that was sent again",
    "refused": "the function failed with a sentence that names the call, and the next run put everything right",
    "killed": "the function was gone in the middle, and the next run put everything right",
    "halfway": "the same, but until the next run some thresholds were the old ones and some the new",
}
INTRODUCTION = """\
# Reliability

What happens to the alarms, the mails and the deployment when something fails. `make prove PROOF=faults` tries every
case and writes this page, but for the last two sections, which `PROOF=fleet` and `PROOF=incidents` write; nothing here
is written by hand.

Each function runs against the local AWS through botocore as it is in Lambda, in the starting points below. Each of
its calls, found by watching a run in which nothing fails, meets each fault, once in passing and from then on for good;
the function is killed before each call and after each write, is run twice, and is run at the same time as itself and as
the other function that writes the same memory, with the second one between any two calls of the first. Then the credits
end, the function runs again, the credits come back and end once more.

After every case:

- No alarm has lost an action or any other setting; only threshold, description and whether actions are enabled change.
- Each threshold is the old or the new one, and all are old or all are new, except where the function was killed between
  two writes or could not put back what it had written, and where a suspension broke off, which leaves silent and at
  zero what it has silenced; the next run makes them all new.
- Every transition of the alarms on credits that is told when nothing fails is told, each at most twice, and
  nothing else is told there but what CloudWatch judged.
- The function succeeded, or failed with a sentence that says which call failed, on what and why.
- After the next run alarms and memory are those of a stack in which nothing failed, and nobody missed a mail. A mail
  may have come twice; up to four more times where SNS sent it each time and its answer was lost each time. A mail that
  is left out because a graver alarm has told the same comes where that alarm cannot be read.
- Each benchmark was sent once, billed once, and is published and entered once it has ended; what was published twice is
  the same value at the same time.
- CloudFormation got exactly one answer of at most 4,096 bytes, unless the function was killed or the answer's own way
  was broken; then it got one from the retry. No deployment succeeded with other thresholds than the right ones, or with
  a given topic that is not there or keeps the stack out; where its policy may not be read, the answer says so.

"""


def report(found: Sequence[Outcome]) -> str:
    """The page."""
    return (
        INTRODUCTION
        + "\n".join([*_summary(found), *_starting_points(found), *_faults(found), *_overlaps(found)])
        + "\n"
    )


def numbers_of_cases(found: Iterable[Outcome]) -> Counter[str]:
    """How many cases each starting point has."""
    return Counter(one.start for one in found)


def _summary(found: Sequence[Outcome]) -> Iterator[str]:
    yield f"{len(found):,} cases, {sum(not one.broken for one in found):,} of which held all of this."
    yield from table_of_ends(Counter(one.end for one in found), ENDS)


def table_of_ends(ends: Counter[str], meanings: Mapping[str, str]) -> Iterator[str]:
    """How many cases ended in which way, and what that means; with an empty line before and behind."""
    yield ""
    yield "| outcome | cases | meaning |"
    yield "|---|---:|---|"
    yield from (f"| {end} | {ends[end]:,} | {meaning} |" for end, meaning in meanings.items())
    yield ""


def _starting_points(found: Sequence[Outcome]) -> Iterator[str]:
    yield "## Starting points"
    yield ""
    yield "| function | starting point | cases |"
    yield "|---|---|---:|"
    numbers = numbers_of_cases(found)
    yield from (starting_point_row(one.function, one.name, numbers[str(one)]) for one in STARTING_POINTS)
    yield ""


def starting_point_row(function: str, name: str, number: int) -> str:
    """A line of the list of starting points."""
    return f"| {function} | {name} | {number} |"


def _faults(found: Sequence[Outcome]) -> Iterator[str]:
    counts = Counter((one.function, one.row, one.column, one.end) for one in found)
    yield "## Faults"
    for function in dict.fromkeys(one.function for one in found):
        rows = dict.fromkeys(one.row for one in found if one.function == function and one.row not in {TWICE, TOGETHER})
        yield ""
        yield f"### {function}"
        yield ""
        yield f"| call | {' | '.join(FAULTS)} |"
        yield f"|---|{'---|' * len(FAULTS)}"
        for row in rows:
            cells = (
                ", ".join(
                    f"{counts[function, row, column, end]} {end}" for end in ENDS if counts[function, row, column, end]
                )
                for column in FAULTS
            )
            yield f"| {row} | {' | '.join(cell or '–' for cell in cells)} |"
    yield ""


def _overlaps(found: Sequence[Outcome]) -> Iterator[str]:
    yield "## Run twice, and run at the same time"
    yield ""
    yield "| function | with | cases | in which a mail came twice |"
    yield "|---|---|---:|---:|"
    counts = Counter((one.function, one.row, one.column, one.end) for one in found if one.row in {TWICE, TOGETHER})
    for function, row, column in dict.fromkeys(key[:3] for key in counts):
        with_what = "itself, one after the other" if row == TWICE else f"{column}, at the same time"
        again, even = counts[function, row, column, "repeated"], counts[function, row, column, "even"]
        yield f"| {function} | {with_what} | {again + even} | {again} |"
