"""What a backtest of a life in the local AWS tells, beside what the deployed stack has told in it.

Alarms and the mails that they set off are the same to the minute and to the word. What an hourly run tells comes within
the window in which a scheduler may start it, and says how things stood then.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import Settings

from operate.history.cache import Cache
from operate.history.history import history_of
from operate.history.reading import read_live
from operate.replay.account import ReplayedStack
from operate.replay.replay import replay
from stage.runs import STACK_NAME, Played
from stage.scenario import Scenario

# What SNS adds to a mail.
FOOTER = "--\nIf you wish to stop receiving"
HOURLY = ("STILL", "INFO", "RECOVERED: over by")
WINDOW_MINUTES = 15
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
            warning_minutes=int(parameters.get("WarningMinutes", 180)),
            critical_minutes=int(parameters.get("CriticalMinutes", 60)),
            rise_tolerance_percent=10,
        ),
        runbook_url="",
        alert_email=parameters["AlertEmail"],
    )
    begun = life.player.minute_at(history.metrics.start)
    found = replay(history.metrics, list(history.file_systems), stack, deployed_at=deployment.minute - begun)
    if found.failed:
        raise AssertionError(f"runs of the replayed stack failed: {found.failed}")
    return Heard(
        changes=_of_alarms((begun + minute, kind, state) for minute, kind, _, state in found.changes),
        mails=tuple(
            (begun + one.minute, one.subject, one.body.strip()) for one in found.mails if not one.by_cloudwatch
        ),
    )


def differences(mine: Heard, theirs: Heard, *, tolerance_minutes: int = 0) -> Iterator[str]:
    """A sentence for each thing that a backtest tells otherwise than the stack did; alarms may change so much earlier
    or later.
    """
    yield from _apart("alarm", mine.changes, theirs.changes, tolerance_minutes)
    yield from _not_in_both(_at_once(mine.mails), _at_once(theirs.mails))
    yield from _apart("hourly mail", _kinds_of(_hourly(mine.mails)), _kinds_of(_hourly(theirs.mails)), WINDOW_MINUTES)


def _of_alarms(changes: Iterator[Told]) -> tuple[Told, ...]:
    """Alarm by alarm, each in its order."""
    return tuple(sorted((one for one in changes if one[1] != AlarmKind.RISE), key=lambda one: (one[1], one[0])))


def _apart(what: str, mine: Sequence[Told], theirs: Sequence[Told], tolerance_minutes: int) -> Iterator[str]:
    if [one[1:] for one in mine] != [one[1:] for one in theirs]:
        yield f"{what}: {list(mine)} instead of {list(theirs)}"
        return
    for one, other in zip(mine, theirs, strict=True):
        if abs(one[0] - other[0]) > tolerance_minutes:
            yield f"{what}: {one} instead of minute {other[0]}"


def _not_in_both(mine: Sequence[Told], theirs: Sequence[Told]) -> Iterator[str]:
    for name, some, others in (("too many", mine, theirs), ("missing", theirs, mine)):
        for one in some:
            if one not in others:
                yield f"mail {name}: minute {one[0]}, {one[1]}"


def _at_once(mails: Sequence[Told]) -> list[Told]:
    return sorted(one for one in mails if not one[1].startswith(HOURLY))


def _hourly(mails: Sequence[Told]) -> list[Told]:
    return sorted(one for one in mails if one[1].startswith(HOURLY))


def _kinds_of(mails: Sequence[Told]) -> list[Told]:
    """By the first word of the subject: the rest has figures of the minute."""
    return [(minute, subject.split(maxsplit=1)[0], "") for minute, subject, _ in mails]
