"""What a backtest of a life in the local AWS tells, beside what the deployed stack has told in it.

A backtest takes the hourly runs to start at one minute of each hour, and a scheduler draws it from a window: here both
have the moments that the local scheduler drew. It takes datapoints to come two minutes after theirs: here it is told
how late they were. Then alarms and mails are the same to the minute and to the word.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import Settings

from operate.history.cache import Cache
from operate.history.file_system_history import history_of
from operate.history.reading import read_live
from operate.replay.replay import Starts, replay
from operate.replay.replayed_account import ReplayedStack
from operate.template_defaults import CRITICAL_MINUTES, RISE_TOLERANCE_PERCENT, WARNING_MINUTES
from stage.runs import STACK_NAME, Played
from stage.scenario import Scenario

# What SNS adds to a mail.
FOOTER = "--\nIf you wish to stop receiving"
SCHEDULED = b'"efs-monitor.schedule"'
DAYS = 14

type Told = tuple[int, str, str]
"""A minute of the life, and what changed to what, or a subject with its text."""


@dataclass(frozen=True, kw_only=True)
class Heard:
    """Everything that operators hear of a life: changes of its alarms, and readable mails."""

    changes: tuple[Told, ...]
    mails: tuple[Told, ...]


def deployed(life: Played) -> Heard:
    """What the deployed stack told; nobody is told of the Rise alarm itself."""
    minute_at = life.player.minute_at
    return Heard(
        changes=_of_alarms(
            (minute_at(one.time), one.alarm.removeprefix(f"{STACK_NAME}-"), str(one.new))
            for one in life.sandbox.transitions
        ),
        mails=tuple(
            (minute_at(one.time), one.subject or "", one.body.partition(FOOTER)[0].strip())
            for one in life.sandbox.mailbox.mails
            if one.topic_name.endswith("advice")
        ),
    )


def replayed(scenario: Scenario, life: Played) -> Heard:
    """What a backtest tells of the metrics that the local CloudWatch recorded meanwhile."""
    sandbox, deployment = life.sandbox, scenario.deployments[0]
    now = sandbox.clock.now()
    efs, cloudwatch = sandbox.client("efs"), sandbox.client("cloudwatch")
    history = history_of(read_live(efs, cloudwatch, scenario.file_system_id, DAYS, now, Cache(folder=None)), DAYS, now)
    parameters = deployment.parameters
    stack = ReplayedStack(
        name=STACK_NAME,
        region="us-east-1",
        settings=Settings(
            warning_minutes=int(parameters.get("WarningMinutes", WARNING_MINUTES)),
            critical_minutes=int(parameters.get("CriticalMinutes", CRITICAL_MINUTES)),
            rise_tolerance_percent=RISE_TOLERANCE_PERCENT,
        ),
        runbook_url="",
        alert_email=parameters["AlertEmail"],
    )
    begun = life.player.minute_at(history.metrics.start)
    found = replay(
        history.metrics,
        list(history.file_systems),
        stack,
        deployed_at=deployment.minute - begun,
        starts=starts_of(life, begun),
        late_minutes=scenario.metrics_late_minutes + 1,
    )
    if found.failed:
        raise AssertionError(f"runs of the replayed stack failed: {found.failed}")
    return Heard(
        changes=_of_alarms((begun + minute, kind, state) for minute, kind, _, state in found.changes),
        mails=tuple(
            (begun + one.minute, one.subject, one.body.strip()) for one in found.mails if not one.by_cloudwatch
        ),
    )


def starts_of(life: Played, begun: int) -> Starts:
    """When the local scheduler started the runs of a life, by the minutes of a history that begins then."""
    return Starts(
        recalculates=_started(life, "RecalculateThresholds", begun),
        reports=_started(life, "ReportSilence", begun),
        looks=_started(life, "SetLateAlarms", begun),
        before_alarms=True,
    )


def _started(life: Played, function: str, begun: int) -> dict[int, datetime]:
    """The minutes of the history in which a scheduler started a function, and when that was by its own clock."""
    return {
        life.player.minute_at(one.time) - begun: one.began
        for one in life.sandbox.functions.invocations
        if f"-{function}-" in one.function_name and SCHEDULED in one.payload
    }


def differences(mine: Heard, theirs: Heard) -> Iterator[str]:
    """A sentence for each thing that a backtest tells otherwise than the stack did."""
    if [one[1:] for one in mine.changes] != [one[1:] for one in theirs.changes]:
        yield f"alarms: {list(mine.changes)} instead of {list(theirs.changes)}"
    else:
        for one, other in zip(mine.changes, theirs.changes, strict=True):
            if one[0] != other[0]:
                yield f"alarm: {one} instead of minute {other[0]}"
    some, others = set(mine.mails), set(theirs.mails)
    yield from (_told_apart("too many", one, others) for one in sorted(some - others))
    yield from (_told_apart("missing", one, some) for one in sorted(others - some))
    if len(mine.mails) != len(theirs.mails):
        yield f"{len(mine.mails)} mails instead of {len(theirs.mails)}"


def _told_apart(what: str, mail: Told, others: Iterable[Told]) -> str:
    """With the first line that another mail of the same minute and subject has not."""
    minute, subject, text = mail
    theirs = next((other for *head, other in others if head == [minute, subject]), text).splitlines()
    unlike = next((f": {line}" for line in text.splitlines() if line not in theirs), "")
    return f"mail {what}: minute {minute}, {subject}{unlike}"


def _of_alarms(changes: Iterator[Told]) -> tuple[Told, ...]:
    """Alarm by alarm, each in its order."""
    return tuple(sorted((one for one in changes if one[1] != AlarmKind.RISE), key=lambda one: (one[1], one[0])))
