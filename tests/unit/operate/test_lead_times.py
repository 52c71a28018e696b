"""Every minute that can be chosen is tried, and what each had told is what its alarm, judged alone, would have."""

from itertools import product

import pytest
from efs_monitor.alarms.thresholds import LONGEST_LEAD_MINUTES, NEWS_MINUTES
from efs_monitor.efs.credits import threshold_bytes
from hypothesis import given
from hypothesis import strategies as st

from operate.backtest.alarm_states import points_of, state_changes
from operate.backtest.lead_times import (
    SHOWN_EVERY_MINUTES,
    USEFUL_MINUTES,
    LeadTime,
    changes_by_minutes,
    lead_times,
    recommended,
)
from operate.backtest.spells import Spell
from operate.replay.replayed_metrics import Values
from simulation.alarm_evaluation import AlarmRule, ComparisonOperator, TreatMissingData
from tests.unit.operate.histories import MINUTE_BYTES, SETTINGS

balances = st.lists(
    st.tuples(st.integers(1, 40), st.none() | st.floats(0, 400 * MINUTE_BYTES)), min_size=2, max_size=12
).map(lambda runs: [value for minutes, value in runs for _ in range(minutes)])
rates = st.sampled_from([0.4, 1.0, MINUTE_BYTES / 60, MINUTE_BYTES / 120])


def judged_alone(minutes: int, values: Values, references: list[tuple[int, float]]) -> list[tuple[int, str]]:
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
    return [(minute, str(state)) for minute, state in state_changes(rules, points_of(values))]


@given(balances, rates, rates, st.integers(32, 200), st.sampled_from([20, 21, 37, 199, 359, 360]))
def test_each_alarm_of_all_changes_when_it_would_alone(
    values: list[float | None], first: float, second: float, changed: int, minutes: int
) -> None:
    references = [(31, first), (changed, second)]
    assert changes_by_minutes(values, references)[minutes] == judged_alone(minutes, values, references)


def test_a_balance_at_a_threshold_is_not_below_it() -> None:
    values: list[float | None] = [float(threshold_bytes(57, 7))] * 60
    found = changes_by_minutes(values, [(31, 7.0)])
    assert [found[minutes][0][1] for minutes in (56, 57, 58)] == ["OK", "OK", "ALARM"]


def lives_of_half_an_hour() -> tuple[list[float | None], list[Spell]]:
    """Credits that come back to the worth of 37 minutes, and no further, before each of three falls."""
    values: list[float | None] = [100 * MINUTE_BYTES] * 60
    spells = []
    for _ in range(3):
        values += [37.5 * MINUTE_BYTES] * 90
        values += [number * MINUTE_BYTES for number in reversed(range(37))]
        values += [0.0] * 60
        spells.append(Spell(begin=len(values) - 61, end=len(values), limited_minutes=0))
    return values, spells


def test_minutes_between_the_round_ones_are_recommended_where_they_alone_tell_of_every_fall() -> None:
    values, spells = lives_of_half_an_hour()
    tried = lead_times(values, [(31, MINUTE_BYTES / 60)], spells)
    assert [one.minutes for one in tried] == list(range(NEWS_MINUTES, LONGEST_LEAD_MINUTES + 1))
    assert recommended(tried, SETTINGS).warned[1] == 3
    round_ones = [one for one in tried if one.minutes % SHOWN_EVERY_MINUTES == 0]
    assert recommended(round_ones, SETTINGS).warned[1] < 3


def worth(warning: LeadTime, critical: LeadTime) -> tuple[int, int]:
    told = warning.warned(USEFUL_MINUTES["warning"]) + critical.warned(USEFUL_MINUTES["critical"])
    return told, -(warning.record.messages + critical.record.messages)


@pytest.mark.whole
@given(balances, st.sampled_from([MINUTE_BYTES / 60, MINUTE_BYTES / 600]))
def test_no_pair_of_minutes_tells_of_more_or_of_as_much_in_fewer_messages(
    values: list[float | None], reference: float
) -> None:
    spells = [Spell(begin=minute, end=minute + 5, limited_minutes=0) for minute in range(100, len(values), 90)]
    tried = lead_times(values, [(31, reference)], spells)
    best = recommended(tried, SETTINGS)
    values_of = {
        (warning.minutes, critical.minutes): worth(warning, critical)
        for warning, critical in product(tried[::7], tried[::7])
        if critical.minutes <= warning.minutes - NEWS_MINUTES
    }
    assert worth(best.warning, best.critical) >= max(values_of.values())
    assert best.critical.minutes <= best.warning.minutes - NEWS_MINUTES
