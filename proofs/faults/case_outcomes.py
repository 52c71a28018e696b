"""Lives through the cases of a starting point, or a share of them, and counts what came of each."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from operate.template_files import template
from proofs.faults.cases import TOGETHER, TWICE, FaultCase, cases
from proofs.faults.invariants import Allowance, mixed, repeated, violations
from proofs.faults.starting_points import STARTING_POINTS, StartingPoint
from proofs.faults.trial import End, Trial, lived
from proofs.faults.world import World, world

type Choice = Callable[[Sequence[FaultCase]], Sequence[FaultCase]]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of one case; `broken` is a sentence for each invariant that did not hold."""

    case: str
    start: str
    function: str
    row: str
    column: str
    end: str
    broken: tuple[str, ...]


class CaseMissing(Exception):
    """A function of the template that no starting point is about."""


class UndisturbedFailed(Exception):
    """A starting point in which the function fails by itself: its trials would prove nothing."""


def every_function_has_starting_points() -> None:
    """Raise CaseMissing naming a function that was added to the template and not to the proofs."""
    functions = {
        Path(resource["Properties"]["CodeUri"]).name
        for resource in template()["Resources"].values()
        if resource["Type"] == "AWS::Serverless::Function"
    }
    if missing := functions - {start.function for start in STARTING_POINTS}:
        raise CaseMissing(
            f"No starting point of proofs/faults/starting_points.py is about {', '.join(sorted(missing))}: "
            "give the function one for every path through it"
        )


def proven(index: int, choose: Choice = lambda found: found) -> list[Outcome]:
    """The outcomes of the chosen cases of a starting point, in a sandbox of their own."""
    with tempfile.TemporaryDirectory() as folder, world(Path(folder)) as made:
        return list(outcomes(made, STARTING_POINTS[index], choose, lived(made, STARTING_POINTS[index])))


def outcomes(made: World, start: StartingPoint, choose: Choice, healthy: Trial) -> Iterator[Outcome]:
    """Live through the chosen cases of a starting point; `healthy` is the trial of it in which nothing goes wrong."""
    if any(run.end is not End.SUCCEEDED for run in healthy.runs):
        raise UndisturbedFailed(f"{start}: nothing went wrong, and yet {healthy.runs}")
    if broken := violations(healthy, healthy, Allowance()):
        raise UndisturbedFailed(f"{start}: nothing went wrong, and yet {broken}")
    in_order: dict[str, Trial] = {}
    for case in choose(list(cases(start, healthy))):
        expected = healthy
        if case.like is not None:
            if case.column not in in_order:
                in_order[case.column] = lived(made, start, case.like(made))
            expected = in_order[case.column]
        trial = case.lived(made)
        yield Outcome(
            case=str(case),
            start=str(start),
            function=start.function,
            row=case.row,
            column=case.column,
            end=_end(trial, expected, case),
            broken=violations(trial, expected, case.allowance),
        )


def _end(trial: Trial, healthy: Trial, case: FaultCase) -> str:
    """What came of it, in the words of the report."""
    if case.row in {TWICE, TOGETHER}:
        return "repeated" if repeated(trial, healthy) else "even"
    if trial.run.end is End.KILLED or mixed(trial, healthy):
        return "halfway" if mixed(trial, healthy) else "killed"
    if trial.run.end is End.REFUSED:
        return "refused"
    if trial.heard.advice != healthy.heard.advice or trial.answers[0] != healthy.answers[0]:
        return "told"
    return "unnoticed"
