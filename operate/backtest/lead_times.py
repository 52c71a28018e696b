"""Which WarningMinutes and CriticalMinutes to choose: what each would have warned of, and how often it had mailed.

Every minute is tried, and none is judged by itself: at each minute of the history one number says which of their alarms
are on, those from so many minutes up.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.alarms.thresholds import LONGEST_LEAD_MINUTES, NEWS_MINUTES, Settings
from efs_monitor.efs.credits import threshold_bytes

from operate.backtest.spells import Spell
from operate.backtest.warnings import Record, on_times, record
from operate.replay.replay import DEPLOYED_AT, LATE_MINUTES
from operate.replay.replayed_metrics import Values
from simulation.alarm_evaluation import State

# Of all that are tried, so many are enough for a person to see.
SHOWN_EVERY_MINUTES = 20
# Time enough to stop a batch or change the throughput mode; for Critical as much as a mail may take to be there.
USEFUL_MINUTES = {"warning": 60, "critical": NEWS_MINUTES}
CANDIDATES = range(NEWS_MINUTES, LONGEST_LEAD_MINUTES + 1)


@dataclass(frozen=True, kw_only=True)
class LeadTime:
    """What an alarm with so many minutes would have been worth."""

    minutes: int
    record: Record

    def warned(self, useful_minutes: int) -> int:
        """How many spells it told of at least so many minutes before they began."""
        return sum(1 for lead in self.record.leads if lead is not None and lead >= useful_minutes)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A pair of lead times: how many spells each of the two warned of in useful time, and messages of both."""

    warning: LeadTime
    critical: LeadTime

    @property
    def messages(self) -> int:
        """How many messages both alarms would have sent."""
        return self.warning.record.messages + self.critical.record.messages

    @property
    def warned(self) -> tuple[int, int]:
        """Spells told of in useful time, by Warning and by Critical."""
        return self.warning.warned(USEFUL_MINUTES["warning"]), self.critical.warned(USEFUL_MINUTES["critical"])


def lead_times(
    balances: Values, references: Sequence[tuple[int, float]], spells: Sequence[Spell]
) -> tuple[LeadTime, ...]:
    """An alarm on the `balances` for each number of minutes that can be chosen, from the least on."""
    return tuple(
        LeadTime(minutes=minutes, record=record(on_times(changes), spells, len(changes)))
        for minutes, changes in changes_by_minutes(balances, references).items()
    )


def changes_by_minutes(balances: Values, references: Sequence[tuple[int, float]]) -> dict[int, list[tuple[int, State]]]:
    """When each alarm goes on and off, the first state included: CloudWatch tells of that, too.

    Its threshold follows the reference, in bytes per second from a minute on, as the monitor's do.
    """
    found: dict[int, list[tuple[int, State]]] = {minutes: [] for minutes in CANDIDATES}
    before: int | None = None
    for minute, least in _least_that_is_on(balances, references):
        if before is None:
            for minutes in CANDIDATES:
                found[minutes].append((minute, State.ALARM if minutes >= least else State.OK))
        else:
            for minutes in range(least, before):
                found[minutes].append((minute, State.ALARM))
            for minutes in range(before, least):
                found[minutes].append((minute, State.OK))
        before = least
    return found


def _least_that_is_on(balances: Values, references: Sequence[tuple[int, float]]) -> Iterator[tuple[int, int]]:
    """For each minute the fewest lead minutes whose alarm is on: all alarms go by the lowest datapoint in sight.

    Where none is in sight, each alarm stays as it was. One past the candidates where no alarm is on.
    """
    ends = [since for since, _ in references[1:]] + [len(balances) + 1]
    for (since, reference), end in zip(references, ends, strict=True):
        worth_a_minute = threshold_bytes(1, round(reference))
        for minute in range(max(since, DEPLOYED_AT), min(end, len(balances) + 1)):
            # CloudWatch looks two periods further back than it evaluates, and two have not come yet.
            seen = balances[max(minute - EVALUATION_MINUTES - LATE_MINUTES + 1, 0) : minute - LATE_MINUTES + 1]
            there = [one for one in seen if one is not None]
            if there:
                lowest = min(there)
                lasts = int(lowest // worth_a_minute) if worth_a_minute else LONGEST_LEAD_MINUTES
                yield minute, min(max(lasts + 1, CANDIDATES.start), CANDIDATES.stop)


def recommended(tried: Sequence[LeadTime], now: Settings) -> Choice:
    """The pair of all that warns of the most spells in useful time, and of those the one with the fewest messages.

    Where several do as well, the one nearest to what is chosen `now`: nobody changes settings for nothing. `tried` is
    in order. What a pair is worth is the sum of what its two are, so each Warning is tried with the best Critical of
    those that may go with it.
    """
    merit_of_warning = partial(_merit, useful_minutes=USEFUL_MINUTES["warning"], now_minutes=now.warning_minutes)
    merit_of_critical = partial(_merit, useful_minutes=USEFUL_MINUTES["critical"], now_minutes=now.critical_minutes)
    best_up_to = list(accumulate(tried, partial(min, key=merit_of_critical)))
    pairs = [
        Choice(warning=warning, critical=best_up_to[number - 1])
        for warning in tried
        if (number := bisect_right(tried, warning.minutes - NEWS_MINUTES, key=lambda one: one.minutes))
    ]

    def merit(pair: Choice) -> tuple[int, ...]:
        both = zip(merit_of_warning(pair.warning), merit_of_critical(pair.critical), strict=True)
        return (*(one + other for one, other in both), pair.warning.minutes)

    return min(pairs, key=merit)


def _merit(one: LeadTime, *, useful_minutes: int, now_minutes: int) -> tuple[int, int, int]:
    """The less, the better."""
    return -one.warned(useful_minutes), one.record.messages, abs(one.minutes - now_minutes)
