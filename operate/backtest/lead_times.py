"""Which WarningMinutes and CriticalMinutes to choose: what each would have warned of, and how often it had mailed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from efs_monitor.alarms.thresholds import LONGEST_LEAD_MINUTES, NEWS_MINUTES, Settings
from efs_monitor.efs.credits import threshold_bytes
from efs_monitor.errors import SettingsRefused

from operate.backtest.alarm_states import state_changes
from operate.backtest.spells import Spell
from operate.backtest.warnings import Record, on_times, record
from simulation.alarm_evaluation import AlarmRule, ComparisonOperator, Point, TreatMissingData

STEP_MINUTES = 20
# Time enough to stop a batch or change the throughput mode; for Critical as much as a mail may take to be there.
USEFUL_MINUTES = {"warning": 60, "critical": NEWS_MINUTES}
CANDIDATES = range(NEWS_MINUTES, LONGEST_LEAD_MINUTES + 1, STEP_MINUTES)


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


def lead_time(
    minutes: int, balances: Sequence[Point], references: Sequence[tuple[int, float]], spells: Sequence[Spell]
) -> LeadTime:
    """An alarm on the `balances` at `minutes` of credits, whose threshold follows the reference as the monitor's do."""
    rules = [
        (
            since,
            AlarmRule(
                ComparisonOperator.LESS_THAN_THRESHOLD,
                threshold=threshold_bytes(minutes, round(reference)),
                evaluation_periods=15,
                datapoints_to_alarm=1,
                treat_missing_data=TreatMissingData.IGNORE,
            ),
        )
        for since, reference in references
    ]
    changes = [(minute, str(state)) for minute, state in state_changes(rules, balances)]
    messages = sum(1 for _, state in changes if state in {"ALARM", "OK"})
    return LeadTime(minutes=minutes, record=record(on_times(changes), spells, messages))


def choices(lead_times: Iterable[LeadTime], rise_tolerance_percent: int) -> Iterator[Choice]:
    """Every pair that the monitor's own settings take."""
    found = list(lead_times)
    for warning in found:
        for critical in found:
            try:
                Settings(
                    warning_minutes=warning.minutes,
                    critical_minutes=critical.minutes,
                    rise_tolerance_percent=rise_tolerance_percent,
                )
            except SettingsRefused:
                continue
            yield Choice(warning=warning, critical=critical)


def recommended(pairs: Iterable[Choice], now: Settings) -> Choice:
    """The pair that warns of the most spells in useful time, and of those the one with the fewest messages.

    Where several do as well, the one nearest to what is chosen `now`: nobody changes settings for nothing.
    """

    def merit(one: Choice) -> tuple[int, int, int, int]:
        far = abs(one.warning.minutes - now.warning_minutes) + abs(one.critical.minutes - now.critical_minutes)
        return (-sum(one.warned), one.messages, far, one.warning.minutes)

    return min(pairs, key=merit)
