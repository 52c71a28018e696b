"""Lives through each starting point with each thing that may go wrong in it, and through the runs that follow."""

import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

from efs_monitor.aws import runtime
from efs_monitor.fleet.notes import Note
from efs_monitor.fleet.reconciliation import DELETED

from localaws.sandbox import Sandbox
from proofs.faults.kinds import OF_EVERY_CALL, killed_after, killed_before
from proofs.faults.trial import End, FunctionRun, undisturbed
from proofs.faults.wire import Ask, Asked, Call, Fault, Wire, WireResponse, for_good, listening, passing
from proofs.fleet.fleet_account import HANDLER, FleetAccount, file_system_id, in_sandbox, small_monitor
from proofs.fleet.fleet_starting_points import STARTING_POINTS, TAKEN, FleetStartingPoint
from stage.home import FUNCTIONS_KEY_ID, close, load

KILLED, TOGETHER = "killed", "a second run before it"
COLUMNS = (*OF_EVERY_CALL, KILLED, TOGETHER)
# What botocore tries again, so that one failure in passing must not be noticed.
RETRIED = frozenset({"throttled", "500", "connection time-out", "answer lost"})
WRITES = frozenset({"CreateStack", "UpdateStack", "DeleteStack", "PutParameter", "PutDashboard", "Publish"})
# Longer than the first pause after a failure; so many, and what failed in one run is made good.
BETWEEN_RUNS, LATER_RUNS = timedelta(minutes=20), 4
# Each of botocore's four attempts may have sent a mail of which the answer was lost, and the next run sends its own.
MOST_DIGESTS = 5
HAND_MADE = "mine"
REQUEST_ID = re.compile(r"Request ID: \w+")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
WHOLE = frozenset({"CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"})


@dataclass(frozen=True, kw_only=True)
class FleetOutcome:
    """What came of one case; `broken` is a sentence for each thing that must not be so."""

    case: str
    start: str
    row: str
    column: str
    end: str
    broken: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class FleetTrial:
    """The run in which something went wrong, and what there was right after it and after the later ones."""

    run: FunctionRun
    done: dict[str, Any] | None
    later: tuple[FunctionRun, ...]
    right_after: dict[str, Any]
    final: dict[str, Any]
    foreign: tuple[str, str]
    notes: dict[str, Note]
    digests: tuple[str, ...]
    wire: Wire


@dataclass(kw_only=True)
class FleetWorld:
    """A fleet in a sandbox, and its function's own code, in two environments as Lambda may run two at once."""

    fleet: FleetAccount
    function: ModuleType = field(default_factory=lambda: load(HANDLER))
    other_function: ModuleType = field(default_factory=lambda: load(HANDLER))
    wire: Wire = field(default_factory=Wire)

    def new_account(self) -> None:
        """Neither a file system nor a stack of the fleet, and no memory; one stack that somebody deployed by hand."""
        client = self.fleet.sandbox.client
        for name in self.fleet.described():
            client("cloudformation").delete_stack(StackName=name)
        for one in client("efs").describe_file_systems()["FileSystems"]:
            # The local EFS keeps tags for the next file system of that name.
            if keys := [tag["Key"] for tag in one["Tags"]]:
                client("efs").untag_resource(ResourceId=one["FileSystemId"], TagKeys=keys)
            client("efs").delete_file_system(FileSystemId=one["FileSystemId"])
        for name in self.fleet.memory().texts:
            client("ssm").put_parameter(Name=name, Value="{}", Overwrite=True)
        self.fleet.settle()
        client("cloudformation").create_stack(
            StackName=HAND_MADE,
            TemplateBody=json.dumps(small_monitor()),
            Parameters=[{"ParameterKey": "FileSystemId", "ParameterValue": file_system_id(99)}],
        )
        self.fleet.settle()
        self.next_day()

    def next_day(self) -> None:
        """Half past midnight: the daily mail is due, and no later run of the trial sees another day."""
        clock = self.fleet.sandbox.clock
        clock.move_to(clock.now().replace(hour=0, minute=30, second=0, microsecond=0) + timedelta(days=1))

    def through(self, wire: Wire, function: ModuleType) -> tuple[FunctionRun, dict[str, Any] | None]:
        """One run whose calls go through this wire."""
        before, self.wire = self.wire, wire
        done: list[dict[str, Any]] = []
        try:
            return undisturbed(lambda: done.append(self.fleet.call(function))), next(iter(done), None)
        finally:
            self.wire = before


@contextmanager
def world(work_dir: Path) -> Iterator[FleetWorld]:
    """A deployed fleet, whose function runs in this process, silently."""
    with ExitStack() as closing:
        sandbox = closing.enter_context(Sandbox(work_dir))
        closing.enter_context(in_sandbox(sandbox, FUNCTIONS_KEY_ID))
        fleet = FleetAccount(sandbox)
        fleet.release(small_monitor())
        fleet.deploy(GraceHours="0")
        sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
        made = FleetWorld(fleet=fleet)
        closing.enter_context(listening(lambda: made.wire))
        closing.enter_context(runtime_silenced())
        try:
            yield made
        finally:
            for function in (made.function, made.other_function):
                close(function.clients)


@contextmanager
def runtime_silenced() -> Iterator[None]:
    """The functions' log goes nowhere."""
    disabled, runtime.logger.registered_handler.level = runtime.logger.registered_handler.level, 100
    try:
        yield
    finally:
        runtime.logger.registered_handler.level = disabled


def lived(made: FleetWorld, start: FleetStartingPoint, wire: Wire | None = None) -> FleetTrial:
    """Live through a starting point. Through `wire` go the calls of the run in which something goes wrong."""
    fleet = made.fleet
    made.new_account()
    start.prepare(fleet)
    made.next_day()
    foreign = _foreign(fleet)
    told = len(fleet.digests())
    wire = wire or Wire()
    run, done = made.through(wire, made.function)
    fleet.settle()
    right_after = _stacks(fleet)
    later = []
    for _ in range(LATER_RUNS):
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + BETWEEN_RUNS)
        later.append(made.through(Wire(), made.function)[0])
        fleet.settle()
    # When something was tried and how often differs with the trial, and which run tells of a deletion; everything else
    # is compared.
    return FleetTrial(
        run=run,
        done=done,
        later=tuple(later),
        right_after=right_after,
        final=_stacks(fleet),
        foreign=foreign if foreign == _foreign(fleet) else ("changed", ""),
        notes={
            one: replace(note, tries=0, tried=None)
            for one, note in fleet.memory().notes.items()
            if note.wanted != DELETED
        },
        digests=tuple(_comparable(one) for one in fleet.digests()[told:]),
        wire=wire,
    )


def _comparable(digest: str) -> str:
    """Without what differs with the trial: ids of requests, and when a file system was missed."""
    return MOMENT.sub("then", REQUEST_ID.sub("Request ID: x", " ".join(digest.split())))


def _stacks(fleet: FleetAccount) -> dict[str, Any]:
    """The fleet's stacks: whether each is whole, and its parameters."""
    return {
        name: (
            stack["StackStatus"] in WHOLE,
            {one["ParameterKey"]: one["ParameterValue"] for one in stack["Parameters"]},
        )
        for name, stack in fleet.described().items()
        if name != HAND_MADE
    }


def _foreign(fleet: FleetAccount) -> tuple[str, str]:
    stack = fleet.described()[HAND_MADE]
    return stack["StackId"], stack["StackStatus"]


@dataclass(frozen=True, kw_only=True)
class FleetCase:
    """One thing that goes wrong; `recovers` where botocore's retries make up for it."""

    row: str
    column: str
    detail: str
    fault: Fault
    hits: Callable[[Call], bool]
    recovers: bool = False


def cases(made: FleetWorld, healthy: FleetTrial) -> Iterator[FleetCase]:
    """Every case of a starting point, found by watching the run in which nothing goes wrong."""

    def beside(ask: Ask, asked: Asked) -> WireResponse:
        made.through(Wire(), made.other_function)
        return ask(asked)

    def case(call: Call, column: str, when: str, fault: Fault, hits: Callable[[Call], bool]) -> FleetCase:
        recovers = column in RETRIED and when == "passing"
        return FleetCase(
            row=call.action, column=column, detail=f"{call}, {when}", fault=fault, hits=hits, recovers=recovers
        )

    for call in healthy.wire.calls:
        for column, fault in OF_EVERY_CALL.items():
            yield case(call, column, "passing", fault, passing(call))
            yield case(call, column, "for good", fault, for_good(call))
        yield case(call, KILLED, "before it", killed_before, passing(call))
        if call.action in WRITES:
            yield case(call, KILLED, "after it", killed_after, passing(call))
        yield case(call, TOGETHER, "before it", beside, passing(call))


def proven(
    index: int, choose: Callable[[list[FleetCase]], list[FleetCase]] = lambda found: found
) -> list[FleetOutcome]:
    """The outcomes of the chosen cases of a starting point, in a sandbox of their own."""
    with tempfile.TemporaryDirectory() as folder, world(Path(folder)) as made:
        start = STARTING_POINTS[index]
        healthy = lived(made, start)
        wrong = list(violations(healthy, healthy, recovers=True))
        if wrong or healthy.run.end is not End.SUCCEEDED:
            raise AssertionError(f"{start}: nothing went wrong, and yet {healthy.run} {wrong}")
        return [_outcome(made, start, case, healthy) for case in choose(list(cases(made, healthy)))]


def _outcome(made: FleetWorld, start: FleetStartingPoint, case: FleetCase, healthy: FleetTrial) -> FleetOutcome:
    trial = lived(made, start, Wire(fault=case.fault, hits=case.hits))
    return FleetOutcome(
        case=f"{start}: {case.column}, {case.detail}",
        start=start.name,
        row=case.row,
        column=case.column,
        end=_end(trial, healthy),
        broken=tuple(violations(trial, healthy, recovers=case.recovers)),
    )


def _end(trial: FleetTrial, healthy: FleetTrial) -> str:
    if trial.run.end is not End.SUCCEEDED:
        return str(trial.run.end)
    if trial.right_after != healthy.right_after or set(trial.digests) != set(healthy.digests):
        return "later"
    return "unnoticed" if len(trial.digests) == len(healthy.digests) else "repeated"


def violations(trial: FleetTrial, healthy: FleetTrial, *, recovers: bool) -> Iterator[str]:
    """A sentence for each thing that must not be so."""
    for run in (trial.run, *trial.later):
        if run.end is End.CRASHED:
            yield f"a run crashed: {run.sentence}"
        if run.end is End.REFUSED and len(run.sentence) < 20:
            yield f"a run failed without a sentence: {run.sentence!r}"
    if any(run.end is not End.SUCCEEDED for run in trial.later):
        yield f"a later run failed: {trial.later}"
    if trial.done and any(len(why) < 20 for why in trial.done["refused"].values()):
        yield f"refused without a sentence: {trial.done['refused']}"
    if recovers and _end(trial, healthy) not in {"unnoticed", "repeated"}:
        yield f"what passes was not made up for: {trial.run}, {trial.done}"
    if trial.final != healthy.final:
        yield f"in the end there are {trial.final}, undisturbed {healthy.final}"
    if trial.notes != healthy.notes:
        yield f"in the end it remembers {trial.notes}, undisturbed {healthy.notes}"
    if trial.foreign != healthy.foreign and trial.foreign[0] == "changed":
        yield "a stack of somebody else was touched"
    if not 1 <= len(trial.digests) <= MOST_DIGESTS:
        yield f"{len(trial.digests)} daily mails"
