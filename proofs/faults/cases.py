"""Every case of a starting point, found by watching an undisturbed run: each call with each fault, kill and overlap."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from proofs.faults.invariants import Allowance
from proofs.faults.kinds import (
    NOT_NUMBERS,
    OF_EVERY_CALL,
    PAGED,
    garbled,
    killed_after,
    killed_before,
    number_places,
    paged,
    pages_that_end,
)
from proofs.faults.starting_points import StartingPoint
from proofs.faults.trial import End, FunctionRun, Trial, lived, undisturbed
from proofs.faults.wire import ANSWER, WRITES, Ask, Asked, Call, Fault, Wire, WireResponse, for_good, passing
from proofs.faults.world import World
from stage.home import Home

PAGES, NUMBERS, KILLED, TWICE, TOGETHER = (
    "truncated pages",
    "malformed numbers",
    "killed",
    "run twice",
    "run at the same time",
)
FAULTS = (*OF_EVERY_CALL, PAGES, NUMBERS, KILLED)
# What botocore tries again, so that one failure in passing must not be noticed.
RETRIED = frozenset({"throttled", "500", "connection time-out", "answer lost"})
ATTEMPTS = 4
LIKEST = {"Infinity": NOT_NUMBERS["Infinity"]}


@dataclass(frozen=True, kw_only=True)
class FaultCase:
    """One thing that goes wrong in one starting point; `row` and `column` are where the report counts it."""

    start: StartingPoint
    row: str
    column: str
    detail: str
    allowance: Allowance
    disturb: Callable[[World], Callable[[Home, Any], FunctionRun]]
    # What it must end like; without it, like the starting point with nothing going wrong.
    like: Callable[[World], Callable[[Home, Any], FunctionRun]] | None = None

    def __str__(self) -> str:
        return f"{self.start}: {self.row}, {self.column}{', ' * bool(self.detail)}{self.detail}"

    def lived(self, world: World) -> Trial:
        """Live through it."""
        return lived(world, self.start, self.disturb(world))


def cases(start: StartingPoint, healthy: Trial) -> Iterator[FaultCase]:
    """All cases of a starting point, in a fixed order, from its undisturbed trial."""
    calls = list(zip(healthy.wire.calls, healthy.wire.answers, strict=True))
    for call, answered in calls:
        for column, fault in OF_EVERY_CALL.items():
            yield from _both(start, call, column, fault)
        if call.action in PAGED:
            yield _hit(start, call, PAGES, "that follow", paged, passing(call), recovers=True)
            yield _hit(start, call, PAGES, "that never come", pages_that_end, for_good(call))
        for place in number_places(answered.body) if answered and call.action != ANSWER else ():
            # All of them the first time that the action is asked for; later the one that is most like a number.
            for name, value in NOT_NUMBERS.items() if call.occurrence == 0 else LIKEST.items():
                if name == "null" and place.startswith("MetricAlarms[]"):
                    # Not malformed: so does CloudWatch show an alarm that was made without it.
                    continue
                yield _hit(start, call, NUMBERS, f"{place} is {name}", garbled(place, value), passing(call))
            yield _hit(start, call, NUMBERS, f"{place} is text for good", garbled(place, "a few"), for_good(call))
        yield _hit(start, call, KILLED, "before", killed_before, passing(call), killed=True)
        if call.action in WRITES:
            yield _hit(start, call, KILLED, "after", killed_after, passing(call), killed=True)
    yield FaultCase(
        start=start,
        row=TWICE,
        column="",
        detail="",
        allowance=Allowance(),
        disturb=partial(_twice, start),
    )
    for call, _ in calls:
        for other in _others(start):
            yield FaultCase(
                start=start,
                row=TOGETHER,
                column=other,
                detail=f"before {call}",
                allowance=Allowance(halves=True),
                disturb=partial(_together, start, call, other),
                like=partial(_one_after_the_other, start, other) if other != start.function else None,
            )


def _others(start: StartingPoint) -> tuple[str, ...]:
    """What may run while the function does: itself, and the other function that writes the same memory."""
    pairs = (("recalculate_thresholds", "report_silence"), ("run_benchmark", "collect_benchmark"))
    return next((pair for pair in pairs if start.function in pair), (start.function,))


def _event_for(other: str, home: Home) -> Any:
    """What starts the other function: of a benchmark it is another one."""
    return home.names.daily_after(days=1) if other == "run_benchmark" else home.names.hourly


def _both(start: StartingPoint, call: Call, column: str, fault: Fault) -> Iterator[FaultCase]:
    # A command is never sent again by itself: its first answer may just be lost.
    recovers = column in RETRIED and call.action != "SendCommand"
    yield _hit(start, call, column, "passing", fault, passing(call), recovers=recovers)
    yield _hit(start, call, column, "for good", fault, for_good(call))


def _hit(
    start: StartingPoint,
    call: Call,
    column: str,
    detail: str,
    fault: Fault,
    hits: Callable[[Call], bool],
    *,
    recovers: bool = False,
    killed: bool = False,
) -> FaultCase:
    lasting = detail == "for good"
    return FaultCase(
        start=start,
        row=call.action,
        column=column,
        detail=f"{call}, {detail}",
        allowance=Allowance(
            halves=killed or (lasting and call.action == "PutMetricAlarm"),
            # Each attempt of a publication whose answer was lost has published.
            repeats=ATTEMPTS if column == "answer lost" and call.action == "Publish" else 1,
            silence=killed or call.action == ANSWER,
            killed=killed,
            recovers=recovers,
            instead=start.instead,
            unread=column == "access denied" and call.action in {"GetTopicAttributes", "GetKeyPolicy"},
        ),
        disturb=partial(_hurt, start, fault, hits),
    )


def _hurt(
    start: StartingPoint, fault: Fault, hits: Callable[[Call], bool], world: World
) -> Callable[[Home, Any], FunctionRun]:
    def run(home: Home, event: Any) -> FunctionRun:
        with world.wired(Wire(fault=fault, hits=hits)):
            return undisturbed(lambda: home.call(start.function, event))

    return run


def _twice(start: StartingPoint, world: World) -> Callable[[Home, Any], FunctionRun]:
    def run(home: Home, event: Any) -> FunctionRun:
        first = undisturbed(lambda: home.call(start.function, event))
        world.desk.clear()
        second = undisturbed(lambda: home.call(start.function, event))
        return first if first.end is not End.SUCCEEDED else second

    return run


def _one_after_the_other(start: StartingPoint, other: str, world: World) -> Callable[[Home, Any], FunctionRun]:
    def run(home: Home, event: Any) -> FunctionRun:
        first = undisturbed(lambda: home.call(start.function, event))
        undisturbed(lambda: world.elsewhere(home).call(other, _event_for(other, home)))
        return first

    return run


def _together(start: StartingPoint, call: Call, other: str, world: World) -> Callable[[Home, Any], FunctionRun]:
    """A second environment runs the other function from its first call to its last, just before that call of ours."""

    def run(home: Home, event: Any) -> FunctionRun:
        overlapping: list[FunctionRun] = []

        def overlapped(ask: Ask, asked: Asked) -> WireResponse:
            elsewhere = world.elsewhere(home)
            with world.wired(Wire()):
                its_event = event if other == start.function else _event_for(other, home)
                overlapping.append(undisturbed(lambda: elsewhere.call(other, its_event)))
            return ask(asked)

        with world.wired(Wire(fault=overlapped, hits=passing(call))):
            ours = undisturbed(lambda: home.call(start.function, event))
        return next((one for one in overlapping if one.end is not End.SUCCEEDED), ours)

    return run
