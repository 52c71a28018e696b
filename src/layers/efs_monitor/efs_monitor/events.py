"""The events the functions are sent, checked before anything is read or written for them."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from efs_monitor.alarms.alarm import AlarmKind, alarm_name, is_drill, is_ended_by_mode, is_ended_unseen, is_held
from efs_monitor.errors import EventRefused

SCHEDULE_SOURCE = "efs-monitor.schedule"
STACK_SOURCE = "aws.cloudformation"
STACK_CHANGE = "CloudFormation Stack Status Change"
# However an update ends, CloudFormation may have written the alarms with what it had stored.
ENDS_OF_UPDATES = ("UPDATE_COMPLETE", "UPDATE_FAILED", "UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED")
# However an update begins, it is about to.
BEGINNINGS_OF_UPDATES = ("UPDATE_IN_PROGRESS", "UPDATE_ROLLBACK_IN_PROGRESS")
STATES = ("ALARM", "INSUFFICIENT_DATA", "OK")


@dataclass(frozen=True, kw_only=True)
class AlarmChange:
    """One of the stack's alarms went from one state to another; in a `drill` because somebody set it by hand.

    It is so since `time`, and had been in the state before `since` then, as far as the event tells. `ended_unseen`
    where it is, or was until now, in ALARM for credits that were back before CloudWatch could look at them; `unheard`
    where it was in ALARM until now, and nobody was told. `threshold_bytes` is the one by which CloudWatch set it off;
    None where it was not CloudWatch. One that has gone off was OK `off_since` then, likewise by a threshold of
    `off_above_bytes`; None where it was suspended until now, for then OK said nothing of the credits.
    """

    kind: AlarmKind
    state: str
    previous_state: str
    reason: str
    drill: bool = False
    ended_unseen: bool = False
    unheard: bool = False
    time: datetime | None = None
    since: datetime | None = None
    threshold_bytes: float | None = None
    off_since: datetime | None = None
    off_above_bytes: float | None = None

    @property
    def went_off(self) -> datetime | None:
        """When the alarm went off that is on or has just ended, as far as the event tells."""
        return self.time if self.state == "ALARM" else self.since


# How the cause of a recalculation begins that an update of the stack set off.
UPDATE = "stack "


def begins_update(cause: str) -> bool:
    """Whether an update of the stack, or its rollback, has just begun."""
    return cause.removeprefix(UPDATE) in BEGINNINGS_OF_UPDATES


def trigger(event: object, stack_name: str) -> str:
    """What set off a recalculation: `schedule`, the state of the Rise alarm, or how an update of the stack began or
    ended; EventRefused for anything else.
    """
    if isinstance(event, Mapping) and event.get("source") == SCHEDULE_SOURCE:
        require_schedule(event, stack_name)
        return "schedule"
    if isinstance(event, Mapping) and event.get("source") == STACK_SOURCE:
        return f"{UPDATE}{_status_of_update(event, stack_name)}"
    change = alarm_change(event, stack_name)
    if change.kind is not AlarmKind.RISE:
        raise EventRefused(
            f"The alarm {alarm_name(stack_name, change.kind)} does not start a recalculation, "
            f"only {alarm_name(stack_name, AlarmKind.RISE)}, the hourly schedule and a stack update do"
        )
    return f"{change.kind} {change.state}"


def require_schedule(event: object, stack_name: str) -> None:
    """Raise EventRefused for anything but the event of this stack's own schedules."""
    if not isinstance(event, Mapping):
        raise EventRefused(f"The event is a {type(event).__name__}, not the JSON object the schedule sends")
    if event.get("source") != SCHEDULE_SOURCE:
        raise EventRefused(f"The event's source is {event.get('source')!r}, not {SCHEDULE_SOURCE!r}")
    if event.get("stack") != stack_name:
        raise EventRefused(f"The schedule is that of stack {event.get('stack')!r}, not of {stack_name}")


def _status_of_update(event: Mapping[Any, Any], stack_name: str) -> str:
    """The status with which an update of this stack began or ended."""
    if event.get("detail-type") != STACK_CHANGE:
        raise EventRefused(f"The event's detail-type is {event.get('detail-type')!r}, not {STACK_CHANGE!r}")
    try:
        detail = event["detail"]
        stack_id, status = detail["stack-id"], detail["status-details"]["status"]
    except KeyError as error:
        raise EventRefused(f"The event of CloudFormation lacks {error}") from error
    except (IndexError, TypeError) as error:
        raise EventRefused(f"The event is not shaped like CloudFormation's: {error}") from error
    # arn:aws:cloudformation:REGION:ACCOUNT:stack/NAME/ID
    if not isinstance(stack_id, str) or stack_id.split("/")[1:2] != [stack_name]:
        raise EventRefused(f"The event is one of stack {stack_id!r}, not of {stack_name}")
    statuses = (*BEGINNINGS_OF_UPDATES, *ENDS_OF_UPDATES)
    if not isinstance(status, str) or status not in statuses:
        raise EventRefused(f"The stack {stack_name} has the status {status!r}, not one of {', '.join(statuses)}")
    return status


def alarm_change(event: object, stack_name: str) -> AlarmChange:
    """The change an alarm's own invocation tells of; EventRefused names what is malformed or foreign in it."""
    if not isinstance(event, Mapping):
        raise EventRefused(f"The event is a {type(event).__name__}, not the JSON object an alarm sends")
    if event.get("source") != "aws.cloudwatch":
        raise EventRefused(f"The event's source is {event.get('source')!r}, not 'aws.cloudwatch'")
    try:
        alarm = event["alarmData"]
        name, is_now, was_before = alarm["alarmName"], alarm["state"], alarm["previousState"]
        state, previous_state = is_now["value"], was_before["value"]
        reason = str(is_now["reason"])
        # An alarm that comes back from a drill by itself belongs to it; one that goes off after a drill does not.
        previous_reason = str(was_before["reason"]) if (previous_state, state) == ("ALARM", "OK") else ""
        drill = is_drill(reason) or is_drill(previous_reason)
    except KeyError as error:
        raise EventRefused(f"The alarm event lacks {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise EventRefused(f"The alarm event is not shaped like CloudWatch's: {error}") from error
    kinds = {alarm_name(stack_name, kind): kind for kind in AlarmKind}
    if not isinstance(name, str) or name not in kinds:
        raise EventRefused(f"The alarm {name!r} is not one of this stack's: {', '.join(kinds)}")
    for value in (state, previous_state):
        if not isinstance(value, str) or value not in STATES:
            raise EventRefused(f"The alarm {name} has the state {value!r}, not one of {', '.join(STATES)}")
    since = _moment(was_before.get("timestamp"))
    was_off = (previous_state, state) == ("OK", "ALARM") and not _was_suspended(was_before)
    return AlarmChange(
        kind=kinds[name],
        state=state,
        previous_state=previous_state,
        reason=reason,
        drill=drill,
        ended_unseen=is_ended_unseen(reason) or is_ended_unseen(previous_reason),
        unheard=is_held(previous_reason),
        time=_moment(is_now.get("timestamp")),
        since=since,
        threshold_bytes=_threshold(is_now if state == "ALARM" else was_before),
        off_since=since if was_off else None,
        off_above_bytes=_threshold(was_before) if was_off else None,
    )


def _was_suspended(state: Mapping[str, Any]) -> bool:
    """Whether an alarm was OK because it was suspended: it was ended by the mode, or judged by a threshold of zero."""
    return is_ended_by_mode(str(state.get("reason"))) or _threshold(state) == 0


def _threshold(state: Mapping[str, Any]) -> float | None:
    """The threshold by which CloudWatch judged; None where somebody set the state, and nobody judged.

    Whoever sets a state may give anything: of a long number or a deep nesting Python raises errors of other kinds, and
    by a threshold without end nothing would be low, so that nobody would be told.
    """
    try:
        threshold = json.loads(str(state.get("reasonData")))["threshold"]
        found = math.nan if isinstance(threshold, str | bool) else float(threshold)
    except (LookupError, TypeError, ValueError, OverflowError, RecursionError):
        return None
    return found if math.isfinite(found) else None


def _moment(value: object) -> datetime | None:
    """A time as CloudWatch writes it; None for anything else, for a mail does not depend on it."""
    try:
        return datetime.strptime(str(value), "%Y-%m-%dT%H:%M:%S.%f%z").astimezone(UTC)
    except (ValueError, OverflowError):
        return None
