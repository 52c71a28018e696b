"""The one place that decides what becomes of each stack of a fleet: create, update, delete, keep or refuse."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypedDict

from efs_monitor.alarms.alarm_topics import Topic, require_key_within_reach, require_topics_within_reach
from efs_monitor.benchmarks.schedule import comes_no_more
from efs_monitor.errors import KeyRefused, SettingsRefused, TopicRefused
from efs_monitor.fleet.membership import Membership, TaggedFileSystem
from efs_monitor.fleet.monitor_parameters import parameters_for, with_defaults
from efs_monitor.fleet.monitor_stack import NOT_WHOLE_YET, REVIEWED, UPDATABLE, MonitorStack
from efs_monitor.fleet.notes import Note, Notes, times

# So many stacks are under way at the same time: CloudFormation's own calls to Lambda and IAM, which an account may make
# some ten of a second, are shared by everybody in it.
AT_A_TIME = 10
# What is wanted of the stack of a file system that is gone.
DELETED = "-"


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """`name` is that of the fleet's own stack, in `region`; `parameters` are those that every monitor stack gets."""

    name: str
    region: str
    template: str
    membership: Membership
    parameters: Mapping[str, str]
    grace: timedelta

    def stack_name(self, file_system_id: str) -> str:
        """The name of the one stack that this fleet makes for a file system: nothing can be made twice."""
        return f"{self.name}-{file_system_id}"

    def owns(self, stack: MonitorStack) -> bool:
        """Whether this fleet made the stack; no other is ever touched."""
        return stack.fleet == self.name and stack.name == self.stack_name(stack.file_system_id)


@dataclass(frozen=True, kw_only=True)
class Step:
    """What becomes of the stack of one file system, and why; whether that `leaves` the fleet, or left it."""

    file_system_id: str
    stack_name: str
    reason: str
    leaves: bool

    @property
    def kind(self) -> str:
        """The step in one lower-case word."""
        return type(self).__name__.lower()


@dataclass(frozen=True, kw_only=True)
class Create(Step):
    """There is no stack, and there should be one."""

    parameters: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Update(Step):
    """The stack is another than it should be."""

    parameters: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Delete(Step):
    """The file system left the fleet, or the stack can be nothing but deleted."""


@dataclass(frozen=True, kw_only=True)
class Keep(Step):
    """The stack is as it should be, `is_right`, or it is not the time to change it."""

    is_right: bool = False


@dataclass(frozen=True, kw_only=True)
class Refuse(Step):
    """Only a person can change what is in the way; `reason` says what that is."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """One step for each file system of the fleet, and for each that left it; what must be remembered before any; of
    which file systems that left the stack was deleted, which stays noted until people are told; and what must be
    remembered of a deletion that counts as a try only where it is refused.
    """

    steps: tuple[Step, ...]
    notes: Notes = field(default_factory=dict)
    deleted: tuple[str, ...] = ()
    if_refused: Notes = field(default_factory=dict)

    @property
    def changes(self) -> tuple[Create | Update | Delete, ...]:
        """What CloudFormation is asked for, most urgent first."""
        return tuple(one for one in self.steps if isinstance(one, Create | Update | Delete))

    @property
    def leaving(self) -> tuple[Step, ...]:
        """The steps for stacks whose file system left: each stack is deleted, or will be."""
        return tuple(one for one in self.steps if one.leaves)


def plan(
    fleet: Fleet,
    file_systems: Iterable[TaggedFileSystem],
    stacks: Iterable[MonitorStack],
    notes: Notes,
    now: datetime,
) -> Plan:
    """What becomes of every stack, from what is true now.

    The same whenever it is asked for: what was done already shows in the stacks, so a run that broke off or comes twice
    makes nothing twice.
    """
    stacks = tuple(stacks)
    members = {one.file_system_id: one for one in file_systems if fleet.membership.includes(one)}
    own = {one.file_system_id: one for one in stacks if fleet.owns(one)}
    others = tuple(one for one in stacks if not fleet.owns(one))
    there = members.keys() | own.keys()
    wishes = [
        _of_member(fleet, members[file_system_id], own.get(file_system_id), others, notes, now)
        if file_system_id in members
        else _of_gone(fleet, own[file_system_id], notes, now)
        for file_system_id in there
    ]
    room = AT_A_TIME - sum(one.in_progress and not one.hangs(now) for one in own.values())
    granted = [_granted(wish, place < room) for place, wish in enumerate(sorted(wishes, key=_urgency))]
    gone = {one: Note(wanted=DELETED) for one, note in notes.items() if note.wanted == DELETED and one not in there}
    return Plan(
        steps=tuple(one.step for one in granted),
        notes={one.step.file_system_id: one.note for one in granted if one.note != Note()} | gone,
        deleted=tuple(sorted(gone)),
        if_refused={one.step.file_system_id: one.if_refused for one in granted if one.if_refused},
    )


class _Names(TypedDict):
    """What every step names."""

    file_system_id: str
    stack_name: str
    leaves: bool


@dataclass(frozen=True, kw_only=True)
class _Wish:
    """A step, the note that goes with it, the one that stays where there is no room for it, and that of a deletion
    which is refused, where it is another.
    """

    step: Step
    note: Note
    before: Note
    if_refused: Note | None = None


def _urgency(wish: _Wish) -> tuple[bool, int, int, str]:
    """What was never tried first, so that no stack that fails again and again keeps others waiting."""
    order = (Delete, Create, Update)
    kind = order.index(type(wish.step)) if isinstance(wish.step, order) else len(order)
    return kind == len(order), wish.before.tries, kind, wish.step.file_system_id


def _granted(wish: _Wish, has_room: bool) -> _Wish:
    if has_room or not isinstance(wish.step, Create | Update | Delete):
        return wish
    step = Keep(
        file_system_id=wish.step.file_system_id,
        stack_name=wish.step.stack_name,
        reason=f"waits for its turn to {wish.step.kind}: {AT_A_TIME} stacks are changed at a time",
        leaves=wish.step.leaves,
    )
    return _Wish(step=step, note=wish.before, before=wish.before)


def _of_member(
    fleet: Fleet,
    file_system: TaggedFileSystem,
    stack: MonitorStack | None,
    others: tuple[MonitorStack, ...],
    notes: Notes,
    now: datetime,
) -> _Wish:
    file_system_id = file_system.file_system_id
    names = _Names(file_system_id=file_system_id, stack_name=fleet.stack_name(file_system_id), leaves=False)
    before = _of_one_that_is_there(notes.get(file_system_id, Note()))

    def kept(step: Step, note: Note = before) -> _Wish:
        return _Wish(step=step, note=note, before=note)

    obstacle = _foreign(fleet, file_system_id, stack, others) or _stuck(stack, fleet.region, now)
    if obstacle:
        return kept(Refuse(**names, reason=obstacle), _of_one_that_is_refused(before, stack))
    try:
        parameters = _given(fleet, file_system, stack, now)
    except (SettingsRefused, TopicRefused, KeyRefused) as refused:
        return kept(Refuse(**names, reason=_refused(str(refused), stack)), _of_one_that_is_refused(before, stack))
    if stack and stack.in_progress:
        return kept(Keep(**names, reason=f"CloudFormation is at work on it: {stack.status}"))
    wanted = fingerprint(fleet.template, parameters)
    if stack and not stack.never_whole:
        differs = bool(_difference(fleet, parameters, stack)) or _went_back(stack, before, wanted)
        if not differs or (before.unchanged and before.wanted == wanted):
            return kept(Keep(**names, reason="as it should be", is_right=True), before if differs else Note())
    again = before.next_try(wanted)
    if again and now < again:
        return kept(Keep(**names, reason=_paused(before, again, stack)))
    step = _change(fleet, names, parameters, stack, before)
    tried = before.after_a_try(wanted, now)
    # Going is no try of making it; only where it does not go, or may not, is that tried with pauses, too.
    only_goes = isinstance(step, Delete) and stack is not None and stack.status != "DELETE_FAILED"
    return _Wish(step=step, note=before if only_goes else tried, before=before, if_refused=tried if only_goes else None)


def _given(fleet: Fleet, file_system: TaggedFileSystem, stack: MonitorStack | None, now: datetime) -> dict[str, str]:
    """All that the stack of a file system is given; SettingsRefused, TopicRefused or KeyRefused for what no stack in
    this Region may be.
    """
    parameters = parameters_for(file_system.file_system_id, fleet.parameters, file_system.tags)
    topics = {one.parameter: arn for one in Topic if (arn := parameters.get(one.parameter))}
    require_topics_within_reach(topics, fleet.region)
    require_key_within_reach(parameters.get("EncryptionKeyArn", ""), fleet.region)
    if comes_no_more(parameters.get("BenchmarkSchedule", ""), now):
        # A stack that is made would be refused with it, and nobody would watch the file system. One that is there keeps
        # what it has: its last benchmark may start a quarter of an hour after its time.
        known = stack.parameters if stack is not None and not stack.never_whole else {}
        parameters["BenchmarkSchedule"] = known.get("BenchmarkSchedule", "")
    return parameters


def _refused(why: str, stack: MonitorStack | None) -> str:
    """Why nothing is done, as it is said of a file system that has a stack, or none."""
    return why if stack is None else f"{why.removesuffix('.')}. Its stack stays as it is."


def _change(
    fleet: Fleet, names: _Names, parameters: Mapping[str, str], stack: MonitorStack | None, before: Note
) -> Step:
    """What brings the stack of a file system nearer to what it should be."""
    if stack is None:
        reason = f"has no stack, and was tried {times(before.tries)}" if before.tries else "has no stack"
        return Create(**names, reason=reason, parameters=parameters)
    if stack.never_whole:
        return Delete(**names, reason=f"it is {stack.status} and can only be deleted; then it is made again")
    differs = _difference(fleet, parameters, stack) or f"its last update is {stack.status}"
    return Update(**names, reason=differs, parameters=parameters)


def _of_gone(fleet: Fleet, stack: MonitorStack, notes: Notes, now: datetime) -> _Wish:
    names = _Names(file_system_id=stack.file_system_id, stack_name=stack.name, leaves=True)
    before = notes.get(stack.file_system_id, Note())
    gone = before.gone or now
    before = before if before.wanted == DELETED else Note(gone=gone, announced=before.announced)
    until = gone + fleet.grace
    without = f", or without {fleet.membership}" if fleet.membership.key else ""
    why = f"gone{without}, since {gone:%Y-%m-%d %H:%M} UTC"

    def kept(reason: str) -> _Wish:
        return _Wish(step=Keep(**names, reason=reason), note=before, before=before)

    if stack.in_progress:
        return kept(_stuck(stack, fleet.region, now) or f"CloudFormation is at work on it: {stack.status}")
    if now < until:
        return kept(f"{why}: its stack is deleted after {until:%Y-%m-%d %H:%M} UTC")
    again = before.next_try(DELETED)
    if again and now < again:
        return kept(_paused(before, again, stack))
    return _Wish(step=Delete(**names, reason=why), note=before.after_a_try(DELETED, now), before=before)


def _of_one_that_is_there(note: Note) -> Note:
    """What is left of a note once the file system is there: tries of a deletion are over with it."""
    if note.wanted == DELETED:
        return Note()
    return replace(note, gone=None, announced=False)


def _of_one_that_is_refused(note: Note, stack: MonitorStack | None) -> Note:
    """What is left of a note where nothing is tried any more: the last try may have ended well, of which only a next
    one would tell. Of a stack that failed, or hangs, people are still to be told why.
    """
    return note if stack is not None and (stack.failed or stack.in_progress) else Note()


def _foreign(fleet: Fleet, file_system_id: str, stack: MonitorStack | None, others: tuple[MonitorStack, ...]) -> str:
    """Why a stack of somebody else is in the way; empty where none is."""
    name = fleet.stack_name(file_system_id)
    for other in others:
        if other.file_system_id == file_system_id and other.watches:
            whose = f"which belongs to the fleet {other.fleet}" if other.fleet else "which was deployed by hand"
            if stack is None or not stack.watches:
                return f"{other.name}, {whose}, watches it already: it is left alone"
            return f"{other.name}, {whose}, watches it as well as {name}: delete one of the two"
        if other.name == name and other.status == REVIEWED:
            return _only_reviewed(name, fleet.region)
        if other.name == name:
            return f"there is a stack {name} that is not this fleet's: delete or rename it"
    return ""


def _difference(fleet: Fleet, parameters: Mapping[str, str], stack: MonitorStack) -> str:
    """What the fleet's stack has and should not have, as a clause: parameters, or else an old template. Empty where the
    stack is as it is wanted, so that nothing is updated.
    """
    wanted = with_defaults(parameters)
    other = sorted(name for name, value in stack.parameters.items() if wanted.get(name, value) != value)
    other += sorted(name for name in parameters if name not in stack.parameters)
    if other:
        shown = ", ".join(f"{name} {stack.parameters.get(name, '')!r} -> {wanted[name]!r}" for name in other)
        return f"parameters differ: {shown}"
    return f"template {stack.template or 'unknown'} -> {fleet.template}" if stack.template != fleet.template else ""


def _went_back(stack: MonitorStack, note: Note, wanted: str) -> bool:
    """Whether a stack is updated again although nothing of it differs: its last update to the same failed. AWS does not
    document whether a rollback puts back the old tags, one of which says the release, so the stack's status is believed
    and not its tags.
    """
    return stack.failed and note.wanted == wanted


def fingerprint(template: str, parameters: Mapping[str, str]) -> str:
    """Stands for a stack as it is wanted: whatever is changed in that is tried at once, whatever failed before."""
    return hashlib.sha256(json.dumps([template, sorted(parameters.items())]).encode()).hexdigest()[:8]


def _paused(note: Note, again: datetime, stack: MonitorStack | None) -> str:
    why = note.why or (stack.reason if stack else "")
    said = f": {why}" if why else ""
    return f"failed {times(note.tries)}, and is tried again after {again:%Y-%m-%d %H:%M} UTC{said}"


def _stuck(stack: MonitorStack | None, region: str, now: datetime) -> str:
    """Why nothing can be done with the fleet's own stack; empty where something can, or soon can."""
    if stack is not None and stack.hangs(now):
        return _hanging(stack, region)
    if stack is None or stack.in_progress or stack.never_whole or stack.status in UPDATABLE:
        return ""
    if stack.status == REVIEWED:
        return _only_reviewed(stack.name, region)
    if stack.status == "UPDATE_ROLLBACK_FAILED":
        return (
            f"{stack.name} could not go back to what it was: "
            f"aws cloudformation continue-update-rollback --stack-name {stack.name} --region {region}"
        )
    return f"{stack.name} is {stack.status}, which only a person can end"


def _hanging(stack: MonitorStack, region: str) -> str:
    """What a person can do about it: only an update can be cancelled, and only what is being created be deleted."""
    named = f"--stack-name {stack.name} --region {region}"
    match stack.status:
        case "UPDATE_IN_PROGRESS":
            what_to_do = f"aws cloudformation cancel-update-stack {named}"
        case "CREATE_IN_PROGRESS":
            what_to_do = f"aws cloudformation delete-stack {named}, to have it made again"
        case _:
            # When it began to go back AWS does not say of the stack: it may have been told to some minutes ago.
            goes_back = "ROLLBACK" in stack.status and stack.status not in NOT_WHOLE_YET
            going_back = "it goes back to what it was; " if goes_back else ""
            what_to_do = (
                f"{going_back}aws cloudformation describe-stack-events {named} says since when it is at that and what "
                "it waits for; what takes three hours only AWS Support can end"
            )
    since = f"{stack.since:%Y-%m-%d %H:%M} UTC ({stack.status})"
    return f"CloudFormation is at work on {stack.name} since {since}: {what_to_do}"


def _only_reviewed(name: str, region: str) -> str:
    return (
        f"the name {name} is taken by a change set that nobody executed: "
        f"aws cloudformation delete-stack --stack-name {name} --region {region}"
    )
