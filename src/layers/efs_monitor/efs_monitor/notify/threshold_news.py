"""What people are told after a recalculation: each thing once."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.decision import Decision, Lower, Raise, Resume
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Taken
from efs_monitor.incidents.identity import EndedByMode, incident_id
from efs_monitor.mail.file_system_mails import file_system_back, file_system_gone
from efs_monitor.mail.layout import Message, in_thread
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.mail.suspension_mails import resumed, suspended
from efs_monitor.mail.threshold_mails import thresholds_moved
from efs_monitor.notify.alarm_faults import faults_over
from efs_monitor.notify.state import Driven, NotificationState, Untold

# Smaller moves are the ordinary breathing of a file system; the numbers are in the log and on the metric.
WORTH_TELLING = 0.10
# A night of growth moves them hour after hour: after a first mail the rest is told a day later, unless it is so much.
WORTH_TELLING_AT_ONCE = 0.50
A_DAY = timedelta(days=1)
GONE = "file-system-gone"


def threshold_news(
    decision: Decision,
    findings: Mapping[str, Message],
    state: NotificationState,
    stack: StackContext,
    now: datetime,
    ending_unheard: tuple[AlarmKind, ...] = (),
    going_off: tuple[AlarmKind, ...] = (),
    *,
    on: tuple[AlarmKind, ...] = (),
    taken: Taken | None = None,
    newest_balance_bytes: float | None = None,
) -> tuple[tuple[Message, ...], NotificationState]:
    """The messages to send, and what is then told. A suspension tells of the incident that it has ended, and a resume
    of the alarms that went off during it and are `ending_unheard`; where it tells of nothing else, one that is
    `going_off` within the minute, or has, shows that they act again. Thresholds that move amid an incident, of
    which alarms are `on`, end none by themselves.

    What clients have `taken` is what a suspension tells of a provisioned rate, and the newest balance what a resume
    tells beside the thresholds, and by which those that moved amid an incident tell when it ends.

    `findings` are the conditions that hold now, by a key that stays the same while they last. One that was told
    is not told again; the end of it is told too, and then it is forgotten, so that it is told again should it come
    back.
    """
    file_system_id = decision.file_system.file_system_id
    mails = [file_system_back(file_system_id, stack)] if GONE in state.conditions else []
    state = since_deployment(decision, state)
    reference, moved = state.reference_bytes_per_second, state.moved
    untold = None if decision.suspended else _untold(decision.reference.bytes_per_second, state, now)
    if decision.suspended:
        if not state.suspended:
            mails.append(_suspended(decision, stack, state.ended, taken))
    elif state.suspended or isinstance(decision, Resume):
        if ending_unheard or not going_off:
            mails.append(resumed(decision, stack, ending_unheard, newest_balance_bytes))
        # Without that mail the one of an alarm that goes off has the threshold.
        reference = decision.reference.bytes_per_second
    elif reference is not None and _is_worth_telling(decision.reference.bytes_per_second, reference, moved, now):
        earlier = untold if untold and untold.since < now else None
        mails.append(
            thresholds_moved(
                decision,
                reference,
                stack,
                now=now,
                since=earlier.since if earlier else None,
                since_bytes_per_second=earlier.reference_bytes_per_second if earlier else None,
                low=going_off,
                on=on,
                newest_balance_bytes=newest_balance_bytes,
            )
        )
        reference, moved = decision.reference.bytes_per_second, now
    mails += faults_over(state.conditions, findings, file_system_id, stack)
    mails += [message for key, message in findings.items() if key not in state.conditions]
    return tuple(mails), replace(
        state,
        reference_bytes_per_second=reference,
        moved=moved,
        untold=untold if reference == state.reference_bytes_per_second else None,
        suspended=decision.suspended,
        silent_since=_silent_since(decision, state, now),
        ended=None,
        conditions=frozenset(findings),
    )


def _silent_since(decision: Decision, state: NotificationState, now: datetime) -> datetime | None:
    """Since when the alarms are suspended, None where they are not, or a version before did not remember it."""
    if not decision.suspended:
        return None
    return state.silent_since if state.suspended else now


def _is_worth_telling(reference: int, told: int, moved: datetime | None, now: datetime) -> bool:
    """Whether thresholds for another `reference` than was `told` are worth a mail; they had `moved` then last."""
    share = WORTH_TELLING if moved is None or now - moved >= A_DAY else WORTH_TELLING_AT_ONCE
    return abs(reference - told) >= share * told


def _untold(reference: int, state: NotificationState, now: datetime) -> Untold | None:
    """The `reference` of now, where it is worth a mail that has not been sent, and since when it is about that."""
    told, before = state.reference_bytes_per_second, state.untold
    if told is None or abs(reference - told) < WORTH_TELLING * told:
        return None
    if before and abs(reference - before.reference_bytes_per_second) < WORTH_TELLING * told:
        return before
    return Untold(reference_bytes_per_second=reference, since=now)


def until_told(
    decision: Decision, state: NotificationState, incident: EndedByMode | None, now: datetime
) -> NotificationState:
    """What must be remembered before the alarms are written, for they show it no more: the reference that they stood
    for, the `incident` that a suspension ends, and when they were resumed; and how the file system is driven.
    """
    known = _as_driven(decision.file_system, since_deployment(decision, state), now)
    # Else an update of the stack had brought back a suspension of before; and a size that grew may earn as much by now
    # as is provisioned, without a change of anything.
    is_bursting = decision.file_system.mode is ThroughputMode.BURSTING
    if isinstance(decision, Resume) and state.suspended and is_bursting:
        known = replace(known, resumed=now)
    if decision.suspended and not known.suspended and known.ended is None:
        return replace(known, ended=incident)
    return known


def _as_driven(file_system: FileSystem, state: NotificationState, now: datetime) -> NotificationState:
    """The state with how the file system is driven, and since when, where that is another than at the last look."""
    if state.driven is not None and state.driven.is_of(file_system):
        return state
    since = None if state.driven is None else now
    return replace(state, driven=Driven(file_system.mode, file_system.provisioned_bytes_per_second, since))


def _suspended(decision: Decision, stack: StackContext, incident: EndedByMode | None, taken: Taken | None) -> Message:
    """The mail that alarms are suspended; in a chat it is the end of the incident's thread."""
    message = suspended(decision, stack, incident, taken)
    if incident is None or incident.began is None:
        return message
    return in_thread(message, incident_id(decision.file_system.file_system_id, incident.began))


def since_deployment(decision: Decision, state: NotificationState) -> NotificationState:
    """What was told, the deployment included: where nothing is remembered yet, it named the reference that the alarms
    stood for. Only thresholds that are about to move need it remembered: the others still show it.
    """
    if state.reference_bytes_per_second is None and isinstance(decision, Raise | Lower):
        return replace(state, reference_bytes_per_second=decision.reference_before)
    return state


def announcement_of_gone(
    file_system_id: str, state: NotificationState, stack: StackContext
) -> tuple[tuple[Message, ...], NotificationState]:
    """The message that the file system is no more, once, and the state when it is told; the rest of it is kept."""
    if GONE in state.conditions:
        return (), state
    return (file_system_gone(file_system_id, stack),), replace(state, conditions=state.conditions | {GONE})
