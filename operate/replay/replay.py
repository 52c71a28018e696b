"""Lives through a history minute by minute: CloudWatch's alarms, the stack's schedules, and what they set off."""

import io
import logging
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from aws_lambda_powertools.warnings import PowertoolsUserWarning
from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.alarms.decision import CurrentThresholds, reference_of
from efs_monitor.aws.runtime import logger
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.stack_functions import StackFunction

from operate.replay.replayed_account import (
    DAY_MINUTES,
    HOUR_MINUTES,
    Recalculation,
    ReplayedAccount,
    ReplayedMail,
    ReplayedStack,
)
from operate.replay.replayed_metrics import Metrics

# When there are datapoints to deploy with.
DEPLOYED_AT = 30
# From the beginning of a minute until its datapoints can be seen: two minutes after it is over. CloudWatch's history
# does not tell when they came.
LATE_MINUTES = 3
# Schedulers start a run within a window; here at one minute of it. The windows are those of the template.
RECALCULATES_AT, REPORTS_AT = 7, 27
# Every twelve minutes, in a window of five, for metrics that are later than an alarm can bear.
LOOKS_EVERY, LOOKS_WITHIN = 12, 5
# An alarm that was written is judged by its new threshold at once. Alarms and functions that keep changing each other
# go on in the next minute.
MOST_ROUNDS = 5


@dataclass(frozen=True, kw_only=True)
class Starts:
    """The minutes in which a scheduler starts the hourly runs, and the looks for late metrics, each with the moment
    that the function's own clock shows then, where somebody has seen them: it draws each of them.

    None is the first moment of the minutes that a replay takes. `before_alarms` where alarms of a minute come after
    them.
    """

    recalculates: Mapping[int, datetime] | None = None
    reports: Mapping[int, datetime] | None = None
    looks: Mapping[int, datetime] | None = None
    before_alarms: bool = False

    def recalculates_at(self, minute: int, first_moment: datetime) -> datetime | None:
        """When RecalculateThresholds starts in this minute, if it does."""
        return _starts(minute, first_moment, self.recalculates, RECALCULATES_AT)

    def reports_at(self, minute: int, first_moment: datetime) -> datetime | None:
        """When ReportSilence starts in this minute, if it does."""
        return _starts(minute, first_moment, self.reports, REPORTS_AT)

    def looks_at(self, minute: int, first_moment: datetime) -> datetime | None:
        """When SetLateAlarms starts in this minute, if it does."""
        if self.looks is not None:
            return self.looks.get(minute)
        return first_moment if minute % LOOKS_EVERY == (minute // LOOKS_EVERY * 7) % (LOOKS_WITHIN + 1) else None


def _starts(
    minute: int, first_moment: datetime, seen: Mapping[int, datetime] | None, minute_of_hour: int
) -> datetime | None:
    if seen is not None:
        return seen.get(minute)
    return first_moment if minute % HOUR_MINUTES == minute_of_hour else None


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """What the stack would have sent and done: mails, changes of alarms by minute, alarm and both states, what failed,
    and what each recalculation decided.

    `references` are what the thresholds stood for, in bytes per second, each from a minute on; `suspended` is whether
    the alarms on credits were silent.
    """

    mails: tuple[ReplayedMail, ...]
    changes: tuple[tuple[int, str, str, str], ...]
    failed: tuple[tuple[int, str], ...]
    references: tuple[tuple[int, float], ...]
    suspended: tuple[tuple[int, bool], ...]
    decisions: tuple[Recalculation, ...]


def replay(
    metrics: Metrics,
    file_systems: list[tuple[int, FileSystem]],
    stack: ReplayedStack,
    *,
    deployed_at: int = DEPLOYED_AT,
    starts: Starts = Starts(),
    late_minutes: int = LATE_MINUTES,
    told: Callable[[int], None] = lambda _: None,
) -> Replayed:
    """The stack deployed at a minute of the metrics, until the last of them was seen.

    `file_systems` is the file system from a minute on, the first from minute 0. `late_minutes` is from the beginning of
    a minute until its datapoints can be seen, where somebody knows. `told` hears of each day that has passed.
    """
    end = len(metrics.values["BurstCreditBalance", "Minimum"]) + late_minutes
    account = ReplayedAccount(stack, metrics, file_systems[0][1])
    coming = iter(file_systems[1:])
    next_minute, next_one = next(coming, (end, account.file_system))
    references: list[tuple[int, float]] = []
    suspended: list[tuple[int, bool]] = []
    standing: CurrentThresholds | None = None
    with quietly():
        for now in range(end):
            while now >= next_minute:
                account.file_system = next_one
                next_minute, next_one = next(coming, (end, next_one))
            account.minute, metrics.newest = now, max(now - late_minutes, -1)
            if now == deployed_at:
                account.deploy()
            if now <= deployed_at:
                # CloudWatch judges a new alarm within the next minute.
                continue
            live_minute(account, starts)
            # The same until an alarm is written, which is some times a day.
            if account.standing is not standing:
                standing = account.standing
                reference = float(reference_of(standing, stack.settings) or 0)
                if not references or references[-1][1] != reference:
                    references.append((now, reference))
                # All alarms on credits fall silent in the same run, and wake in one.
                is_suspended = standing.suspended
                if not suspended or suspended[-1][1] is not is_suspended:
                    suspended.append((now, is_suspended))
            if now % DAY_MINUTES == 0:
                told(now // DAY_MINUTES)
    return Replayed(
        mails=tuple(account.mails),
        changes=tuple(account.changes),
        failed=tuple(account.failed),
        references=tuple(references),
        suspended=tuple(suspended),
        decisions=tuple(account.decisions),
    )


def live_minute(account: ReplayedAccount, starts: Starts = Starts()) -> None:
    """CloudWatch and the schedules at the beginning of the account's minute."""
    now, moment = account.minute, account.now
    if not starts.before_alarms:
        account.evaluate()
        account.retry()
    if (began := starts.recalculates_at(now, moment)) is not None:
        account.invoke(StackFunction.RECALCULATE_THRESHOLDS, partial(account.recalculate, began=began))
    if (began := starts.looks_at(now, moment)) is not None:
        # What arrived between two looks may be late although the newest is not.
        was_late, account.metrics_are_late = account.metrics_are_late, _newest_balance_is_late(account)
        if was_late or account.metrics_are_late:
            account.invoke("SetLateAlarms", partial(account.set_late_alarms, began))
    if (began := starts.reports_at(now, moment)) is not None:
        account.invoke(StackFunction.REPORT_SILENCE, partial(account.report_silence, began))
    if starts.before_alarms:
        account.evaluate()
        account.retry()
    for _ in range(MOST_ROUNDS):
        if not account.rewritten:
            break
        account.evaluate()


@contextmanager
def quietly() -> Iterator[None]:
    """Silence about what the use cases log and publish as log lines: nobody's log is written here.

    An export need not say of which file system it is, and a metric without that dimension is warned of.
    """
    level = logger.log_level
    logger.setLevel(logging.CRITICAL)
    try:
        with redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore", PowertoolsUserWarning)
            yield
    finally:
        logger.setLevel(level)


def _newest_balance_is_late(account: ReplayedAccount) -> bool:
    """Whose metrics are in time is looked at in vain."""
    metrics, now = account.metrics, account.minute
    balances = metrics.values["BurstCreditBalance", "Minimum"]
    newest = min(metrics.newest, len(balances) - 1)
    return all(one is None for one in balances[max(now - EVALUATION_MINUTES - 1, 0) : newest + 1])
