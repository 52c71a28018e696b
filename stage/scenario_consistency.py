"""What the tables of a scenario must be together: a life that AWS would let a file system have, with what is there."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta

from localaws import throughput_limits
from localaws.throughput_lock import LOCK, Throughput
from stage.scenario_tables import Change, ScenarioError, ScenarioFile, at

MINUTE = timedelta(minutes=1)


def require_consistent(tables: ScenarioFile) -> None:
    """ScenarioError for what no file system can be, what AWS would refuse, and for what is not there by then."""
    system = tables.file_system
    first = Throughput(system.mode, system.provisioned_mebibytes_per_second)
    _refuse_impossible_modes(
        tables.change,
        first,
        performance_mode=system.performance_mode,
        is_one_zone=system.availability_zone is not None,
    )
    _refuse_locked_modes(tables.change, first)
    _refuse_instances_of_one_id(tables)
    _refuse_unknown_instances(tables)
    _refuse_alarms_that_nobody_deleted(tables.change)


def never_played(tables: ScenarioFile, minutes: int) -> Iterator[str]:
    """What begins only when the scenario is over, a sentence each: `make sandbox` goes on, `make demo` ends before."""
    begins = [
        *((f"The [[load]] from {at(load.start_minute)}", load.start_minute) for load in tables.load if not load.daily),
        *((f"The [[change]] at {at(change.minute)}", change.minute) for change in tables.change),
        *((f"The [[deploy]] at {at(deployment.minute)}", deployment.minute) for deployment in tables.deploy),
    ]
    for what, minute in begins:
        if minute >= minutes:
            yield f"{what} never comes: the scenario is over at {at(minutes)}"


def _refuse_locked_modes(changes: Sequence[Change], first: Throughput) -> None:
    """ScenarioError for a change of throughput mode, or a decrease, that AWS would refuse and that does not say so."""
    driven, locked_since = first, None
    for one in sorted(changes, key=lambda change: change.minute):
        if one.mode is None:
            continue
        wanted = Throughput(one.mode, one.provisioned_mebibytes_per_second)
        before, driven = driven, wanted
        if one.despite_mode_lock:
            continue
        waits = wanted.waits_for_the_lock(before)
        if waits and locked_since is not None and one.minute < locked_since + LOCK // MINUTE:
            raise ScenarioError(
                f"the [[change]] of throughput at {at(one.minute)} comes within 24 hours of that at "
                f"{at(locked_since)}, and AWS would refuse it: move it to {at(locked_since + LOCK // MINUTE)}, "
                "or say despite_mode_lock = true"
            )
        if wanted.begins_the_lock(before):
            locked_since = one.minute


def _refuse_impossible_modes(
    changes: Sequence[Change], first: Throughput, *, performance_mode: str, is_one_zone: bool
) -> None:
    """ScenarioError for a throughput mode, or a rate, that no file system like this one can have."""
    later = {at(one.minute): Throughput(one.mode, one.provisioned_mebibytes_per_second) for one in changes if one.mode}
    for when, wanted in {"its beginning": first, **later}.items():
        if refused := throughput_limits.refusal(wanted, performance_mode=performance_mode, is_one_zone=is_one_zone):
            raise ScenarioError(f"the throughput at {when} is refused by AWS: {refused.sentence}")


def _refuse_instances_of_one_id(tables: ScenarioFile) -> None:
    """ScenarioError for a second instance with the id of another."""
    for one, times in Counter(one.id for one in tables.instance).items():
        if times > 1:
            raise ScenarioError(f"there are {times} [[instance]] with the id {one!r}: give each its own")


def _refuse_unknown_instances(tables: ScenarioFile) -> None:
    """ScenarioError for a change of an instance that the file does not have."""
    known = {one.id for one in tables.instance}
    for change in tables.change:
        for unknown in sorted(change.instance_ids - known):
            raise ScenarioError(
                f"the [[change]] at {at(change.minute)} is of the instance {unknown!r}: give an [[instance]] with this "
                f"id, or one of {', '.join(sorted(known)) or 'those that there are, which are none'}"
            )


def _refuse_alarms_that_nobody_deleted(changes: Sequence[Change]) -> None:
    """ScenarioError for an alarm that is put back, and was not deleted before."""
    deleted = set[str]()
    for change in sorted(changes, key=lambda change: change.minute):
        if change.delete_alarm is not None:
            deleted.add(change.delete_alarm)
        if change.restore_alarm is not None and change.restore_alarm not in deleted:
            raise ScenarioError(
                f"the [[change]] at {at(change.minute)} puts the alarm {change.restore_alarm!r} back: delete it "
                "before, with delete_alarm"
            )
