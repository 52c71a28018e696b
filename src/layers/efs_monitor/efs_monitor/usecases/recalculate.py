"""Recalculate the thresholds: read the file system and its alarms, decide, write what must change, tell what is new."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.alarms.alarm_definition import Wiring
from efs_monitor.alarms.changes import current_thresholds, ending_unheard, going_off, held_for_update, updates
from efs_monitor.alarms.decision import Decision, decide
from efs_monitor.alarms.thresholds import Settings, Thresholds
from efs_monitor.aws import cloudformation, cloudwatch_alarms, efs, efs_metrics, embedded_metrics, sns
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.config import Config
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Taken
from efs_monitor.errors import FileSystemNotFound, MonitorError
from efs_monitor.events import UPDATE, begins_update
from efs_monitor.incidents.identity import alarms_on, ended_by_mode
from efs_monitor.mail.descriptions import alarm_description
from efs_monitor.mail.layout import Message
from efs_monitor.mail.stack_context import stack_context_of
from efs_monitor.notify.alarm_faults import faults_told
from efs_monitor.notify.state import NotificationState, Part
from efs_monitor.notify.threshold_news import announcement_of_gone, threshold_news, until_told
from efs_monitor.usecases.alarm_updates import apply
from efs_monitor.usecases.stored_state import read_state, save_state


@dataclass(frozen=True, kw_only=True)
class MonitoredStack:
    """The stack that is recalculated: its settings, its alarms, and the parameter that holds its notification state."""

    config: Config
    settings: Settings
    wiring: Wiring
    state_parameter: str


@dataclass(frozen=True, kw_only=True)
class Recalculated:
    """What a recalculation came to, in the words and fields of its log line, and what is to be told of it.

    `state` is the notification state as it is stored, `state_when_told` as it shall be once `messages` are sent.
    """

    headline: str
    outcome: dict[str, object]
    messages: tuple[Message, ...]
    state: NotificationState
    state_when_told: NotificationState


def recalculate(clients: Clients, monitored: MonitoredStack, cause: str, now: datetime) -> Recalculated:
    """Read, decide and write the alarms that must change. Nothing is told yet: `tell` does that.

    Where there is news or a change in the middle of a deployment, nothing is written: what is half-way is no news, and
    what CloudFormation has written meanwhile would be as it was before. The end of an update starts a run of its own.
    So does its beginning: what CloudFormation is about to write must set off no alarm that is suspended, nor end one
    unheard that is on and is to be.
    """
    config = monitored.config
    outcome: dict[str, object] = {"cause": cause, "file_system_id": config.file_system_id}
    state = read_state(clients.ssm, monitored.state_parameter, config.file_system_id)
    try:
        file_system = efs.describe(clients.efs, config.file_system_id)
    except FileSystemNotFound as gone:
        messages, state_when_told = announcement_of_gone(config.file_system_id, state, stack_context_of(config))
        return Recalculated(
            headline="decided",
            outcome=outcome | {"decision": "none", "reason": str(gone)},
            messages=messages,
            state=state,
            state_when_told=state_when_told,
        )
    return _recalculated(clients, monitored, file_system, state, outcome, now)


def tell(clients: Clients, monitored: MonitoredStack, done: Recalculated) -> None:
    """Send the messages of a recalculation, and store that they were sent."""
    config = monitored.config
    for message in done.messages:
        sns.publish(clients.sns, config.advice_topic_arn, message, to_chat=config.chat_messages)
    if done.state_when_told != done.state:
        save_state(clients.ssm, monitored.state_parameter, config.file_system_id, done.state_when_told, Part.THRESHOLDS)


def _recalculated(
    clients: Clients,
    monitored: MonitoredStack,
    file_system: FileSystem,
    state: NotificationState,
    outcome: dict[str, object],
    now: datetime,
) -> Recalculated:
    config = monitored.config
    stack, cause = stack_context_of(config), str(outcome["cause"])
    # None also where the event of an update comes when that is over: then it is one more of its end.
    outputs = None
    if begins_update(cause):
        outputs = cloudformation.outputs_before_update(clients.cloudformation, config.stack_id)
    observations = efs_metrics.observe(clients.cloudwatch, file_system, now)
    # Last, since they are written back as they were read.
    alarms = cloudwatch_alarms.read(clients.cloudwatch, config.stack_name)
    decision = decide(file_system, observations, monitored.settings, current_thresholds(alarms))

    def describe(kind: AlarmKind) -> str:
        return alarm_description(kind, decision, stack)

    if outputs is not None:
        held = held_for_update(
            decision,
            alarms,
            describe,
            _stored(outputs, decision.thresholds),
            observations.lowest_balance_bytes,
            was_suspended=state.suspended,
        )
        if held:
            state = _remembered(clients, monitored, decision, state, alarms, now)
        # In haste: what waits for a quota may overwrite what CloudFormation has written by then.
        apply(Clients().cloudwatch, held)
        written = [change.after.name for change in held]
        return _untold("made ready for the update", outcome | {"alarms_written": written}, state)
    changes = updates(
        decision,
        alarms,
        describe,
        observations.newest_balance_bytes,
        observations.lowest_balance_bytes,
        was_suspended=state.suspended,
    )
    faults = faults_told(alarms, monitored.wiring, stack)
    news, _ = threshold_news(decision, faults, state, stack, now)
    # What the end of an update is to put right must not wait until CloudFormation says so everywhere.
    is_after_update = cause.startswith(UPDATE)
    # Alarms that are suspended, or made ready for it, have no threshold to follow: for them an update may take as long
    # as it does.
    is_prepared = state.suspended or state.ended is not None
    quiet = timedelta.max if is_prepared and decision.suspended else cloudformation.QUIET
    if (news or (changes and not is_after_update)) and cloudformation.in_deployment(
        clients.cloudformation, config.stack_id, now, quiet
    ):
        withheld = [message.subject for message in news]
        return _untold("left to the end of the deployment", outcome | {"withheld": withheld}, state)
    state = _remembered(clients, monitored, decision, state, alarms, now)
    apply(clients.cloudwatch, changes)
    low = going_off(alarms, changes, observations.newest_balance_bytes)
    # Without a balance nobody knows which of them go on.
    on = [kind for kind, _ in alarms_on(alarms)] if observations.newest_balance_bytes is not None else []
    taken = None if state.suspended else _taken(clients, file_system, now)
    messages, state_when_told = threshold_news(
        *(decision, faults, state, stack, now, ending_unheard(changes), low),
        on=tuple(on),
        taken=taken,
        newest_balance_bytes=observations.newest_balance_bytes,
    )
    if config.dashboard:
        embedded_metrics.publish_decision(config.file_system_id, decision)
    return Recalculated(
        headline="decided",
        outcome=outcome | decision.as_log() | {"alarms_written": [change.after.name for change in changes]},
        messages=messages,
        state=state,
        state_when_told=state_when_told,
    )


def _remembered(
    clients: Clients,
    monitored: MonitoredStack,
    decision: Decision,
    state: NotificationState,
    alarms: Mapping[AlarmKind, LiveAlarm],
    now: datetime,
) -> NotificationState:
    """The state with what the alarms show no more once they are written. It is stored before that: a run that breaks
    off in between must not lose the mail about them, nor must one that leaves it to the end of an update.
    """
    known = until_told(decision, state, ended_by_mode(alarms, now), now)
    if known == state:
        return state
    config = monitored.config
    return save_state(clients.ssm, monitored.state_parameter, config.file_system_id, known, Part.THRESHOLDS)


def _stored(outputs: Mapping[str, str], thresholds: Thresholds) -> Thresholds:
    """The thresholds of the last deployment, as its outputs have them; those of now where they do not."""
    return replace(
        thresholds,
        warning_bytes=int(outputs.get("WarningThresholdBytes", thresholds.warning_bytes)),
        critical_bytes=int(outputs.get("CriticalThresholdBytes", thresholds.critical_bytes)),
        exhausted_bytes=int(outputs.get("ExhaustedThresholdBytes", thresholds.exhausted_bytes)),
    )


def _untold(headline: str, outcome: dict[str, object], state: NotificationState) -> Recalculated:
    """A run amid a deployment, which decides and tells nothing."""
    return Recalculated(
        headline=headline,
        outcome=outcome | {"decision": "none"},
        messages=(),
        state=state,
        state_when_told=state,
    )


def _taken(clients: Clients, file_system: FileSystem, now: datetime) -> Taken | None:
    """What clients took before a provisioned rate that is above what the size earns: None where it is not, or where it
    cannot be read, for the mail is worth more now than with it.
    """
    if file_system.mode is not ThroughputMode.PROVISIONED or file_system.lives_on_credits:
        return None
    try:
        return efs_metrics.taken_of_the_day(clients.cloudwatch, file_system.file_system_id, now)
    except MonitorError as problem:
        logger.warning(str(problem))
        return None
