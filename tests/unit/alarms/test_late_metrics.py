"""Metrics later than an alarm looks back: the states that CloudWatch would have set, had they come in time."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import SUSPENDED_MARK, AlarmKind, LiveAlarm
from efs_monitor.alarms.alarm_definition import Wiring, definition
from efs_monitor.alarms.late_metrics import are_late, late_states, may_be_unseen
from efs_monitor.efs.credits import GIB, HIGHEST_REGIONAL_CAP_BYTES_PER_SECOND
from efs_monitor.efs.observations import BalancePoint
from hypothesis import given
from hypothesis import strategies as st

from simulation.alarm_evaluation import AlarmRule, ComparisonOperator, Point, State, TreatMissingData, evaluate
from tests.unit.strategies import NOW

WIRING = Wiring(file_system_id="fs-0123456789abcdef0", warning_topic_arn="", critical_topic_arn="", explain_arn="")
THRESHOLDS_GIB = {AlarmKind.WARNING: 1055, AlarmKind.CRITICAL: 352}
LATE_MINUTES = 30


def alarm(kind: AlarmKind, state: str = "OK") -> LiveAlarm:
    return LiveAlarm(
        name=f"home-{kind}",
        threshold=THRESHOLDS_GIB[kind] * GIB,
        description="",
        actions_enabled=True,
        state=state,
        settings=definition(kind, WIRING),
    )


def both(state: str = "OK") -> dict[AlarmKind, LiveAlarm]:
    return {kind: alarm(kind, state) for kind in THRESHOLDS_GIB}


def balances(*gib: float | None, late_minutes: int = LATE_MINUTES) -> tuple[BalancePoint, ...]:
    """One a minute, the newest that many minutes ago; None is a minute that CloudWatch does not have."""
    newest = NOW - timedelta(minutes=late_minutes)
    points = [(newest - timedelta(minutes=age), one) for age, one in enumerate(reversed(gib))]
    return tuple(BalancePoint(time=time, balance_bytes=one * GIB) for time, one in reversed(points) if one is not None)


def states(alarms: dict[AlarmKind, LiveAlarm], seen: Sequence[BalancePoint]) -> dict[str, str]:
    return {one.kind: one.state for one in late_states(alarms, seen, NOW)}


def test_a_late_balance_below_a_threshold_sets_its_alarm_and_no_other() -> None:
    assert states(both(), balances(*[2000] * 14, 1000)) == {"warning": "ALARM"}


def test_minutes_below_that_cloudwatch_was_done_with_when_it_ended_the_alarm_set_it_no_more() -> None:
    """Metrics became late just after a Warning was over: its last minutes are among the newest fifteen for good."""
    seen = balances(*[1054] * 10, *[1056] * 5)
    last_below = seen[9].time
    by_cloudwatch = alarm(AlarmKind.WARNING)._replace(
        state_reason="Threshold Crossed: 15 datapoints were not less than"
    )
    ended = by_cloudwatch._replace(transitioned=last_below + timedelta(minutes=17))
    assert states({AlarmKind.WARNING: ended}, seen) == {}
    # Had CloudWatch looked at it, it would not have ended the alarm: so it came later.
    unseen = ended._replace(transitioned=last_below + timedelta(minutes=16))
    assert states({AlarmKind.WARNING: unseen}, seen) == {"warning": "ALARM"}
    # What anybody else sets has a time that says nothing of datapoints.
    set_late = ended._replace(state_reason="LATE METRICS: For 15 minutes the balance was not below the threshold.")
    assert states({AlarmKind.WARNING: set_late}, seen) == {"warning": "ALARM"}


EXHAUSTED_GIB = 6


def exhausted(*, state: str = "OK", ok_since_minutes: int = 300, written_minutes_ago: int = 300) -> LiveAlarm:
    return alarm(AlarmKind.WARNING, state)._replace(
        name="home-exhausted",
        threshold=EXHAUSTED_GIB * GIB,
        transitioned=NOW - timedelta(minutes=ok_since_minutes),
        configured=NOW - timedelta(minutes=written_minutes_ago),
    )


BACK_IN_TIME = balances(*[100] * 10, *[0] * 5, *range(10, 50), late_minutes=2)


def test_credits_that_ended_and_came_back_unseen_are_told_once_metrics_are_in_time() -> None:
    """They were gone until 41 minutes ago, and CloudWatch got to know it within the last fifteen."""
    assert may_be_unseen(BACK_IN_TIME, NOW)
    (found,) = late_states({AlarmKind.EXHAUSTED: exhausted()}, BACK_IN_TIME, NOW)
    assert (found.state, found.decisive.time) == ("ALARM", NOW - timedelta(minutes=42))
    assert found.newest == BACK_IN_TIME[-1]


@pytest.mark.parametrize(
    "known",
    [
        exhausted(ok_since_minutes=26),
        exhausted(written_minutes_ago=20),
        exhausted(state="ALARM"),
        exhausted(state="INSUFFICIENT_DATA"),
        exhausted()._replace(transitioned=None),
        exhausted()._replace(description=f"{SUSPENDED_MARK} elastic"),
        exhausted()._replace(threshold=None),
        exhausted()._replace(threshold=0.0),
    ],
    ids=["it went off", "written since", "on", "no data", "no time", "suspended", "anomaly detection", "never below"],
)
def test_an_end_that_the_alarm_saw_or_cannot_be_held_to_is_not_told_again(known: LiveAlarm) -> None:
    assert late_states({AlarmKind.EXHAUSTED: known}, BACK_IN_TIME, NOW) == ()


@pytest.mark.parametrize(("judged_minutes_ago", "told"), [(60, True), (43, True), (42, False), (20, False)])
def test_an_end_after_the_datapoints_by_which_the_monitor_had_ended_the_alarm_is_told(
    judged_minutes_ago: int, *, told: bool
) -> None:
    """It was ended an hour late: what came until then was no datapoint of that hour."""
    ended = exhausted(ok_since_minutes=20)._replace(judged_until=NOW - timedelta(minutes=judged_minutes_ago))
    assert bool(late_states({AlarmKind.EXHAUSTED: ended}, BACK_IN_TIME, NOW)) is told


def test_an_end_that_cloudwatch_still_looks_at_is_left_to_it() -> None:
    relapsed = balances(*[0] * 5, *[100] * 30, 0, late_minutes=2)
    assert late_states({AlarmKind.EXHAUSTED: exhausted()}, relapsed, NOW) == ()


def test_a_warning_that_is_over_unseen_asks_for_nothing() -> None:
    seen = balances(*[100] * 10, *[2000] * 40, late_minutes=2)
    on_time = {kind: one._replace(transitioned=NOW - timedelta(hours=5)) for kind, one in both().items()}
    assert late_states(on_time, seen, NOW) == ()


@pytest.mark.parametrize(
    "seen", [[100] * 40, [*range(40, 0, -1)], [7] * 10, []], ids=["steady", "falling", "new", "none"]
)
def test_where_nothing_older_lies_lower_the_alarms_need_not_be_asked(seen: list[int]) -> None:
    assert not may_be_unseen(balances(*seen, late_minutes=2), NOW)


@given(lowest_gib=st.integers(0, 400), gib_a_minute=st.integers(1, 10))
def test_of_credits_that_come_back_the_alarms_are_asked_only_where_some_alarm_may_have_held_them_for_gone(
    lowest_gib: int, gib_a_minute: int
) -> None:
    """A balance rises in most hours: each look would ask in vain, and in a month cost more than all mails and logs."""
    highest_gib = 60 * HIGHEST_REGIONAL_CAP_BYTES_PER_SECOND // GIB
    rising = balances(*range(lowest_gib, lowest_gib + 180 * gib_a_minute, gib_a_minute), late_minutes=2)
    assert may_be_unseen(rising, NOW) == (lowest_gib < highest_gib)


def test_an_alarm_that_is_on_already_is_not_set_again() -> None:
    assert states(both("ALARM"), balances(*[100] * 15)) == {}


def test_fifteen_late_minutes_above_the_threshold_end_an_alarm() -> None:
    assert states(both("ALARM"), balances(*[500] * 15)) == {"critical": "OK"}


@pytest.mark.parametrize("gap", [0, 7])
def test_with_a_minute_missing_nothing_ends(gap: int) -> None:
    seen: list[float | None] = [2000] * 15
    seen[gap] = None
    assert states(both("ALARM"), balances(*seen)) == {}


def test_one_low_minute_among_fifteen_is_an_alarm_although_the_newest_is_high() -> None:
    (found,) = late_states({AlarmKind.WARNING: alarm(AlarmKind.WARNING)}, balances(1000, *[2000] * 14), NOW)
    assert found.decisive.balance_bytes == 1000 * GIB
    assert found.newest.balance_bytes == 2000 * GIB


def test_what_was_low_more_than_fifteen_minutes_before_the_newest_is_over() -> None:
    assert states(both(), balances(1000, *[2000] * 15)) == {}


def test_an_alarm_without_data_is_armed_by_late_balances() -> None:
    assert states(both("INSUFFICIENT_DATA"), balances(*[500] * 15)) == {"warning": "ALARM", "critical": "OK"}


@pytest.mark.parametrize(("late_minutes", "late"), [(16, False), (17, True)])
def test_what_an_alarm_still_sees_is_left_to_it(late_minutes: int, *, late: bool) -> None:
    """Fifteen minutes back, and the newest minute is only over at its end."""
    seen = balances(*[1] * 15, late_minutes=late_minutes)
    assert are_late(seen, NOW) is late
    assert bool(late_states(both(), seen, NOW)) is late


def test_metrics_that_are_not_there_at_all_are_not_late() -> None:
    assert not are_late((), NOW)
    assert late_states(both(), (), NOW) == ()


@pytest.mark.parametrize(
    "other",
    [
        lambda one: one._replace(description=f"{SUSPENDED_MARK} elastic"),
        lambda one: one._replace(threshold=None),
        lambda one: one._replace(settings={**one.settings, "MetricName": "PermittedThroughput"}),
        lambda one: one._replace(settings={**one.settings, "ComparisonOperator": "GreaterThanThreshold"}),
        lambda one: one._replace(settings={**one.settings, "Statistic": "Maximum"}),
    ],
    ids=["suspended", "anomaly detection", "another metric", "another comparison", "another statistic"],
)
def test_an_alarm_that_judges_something_else_is_left_alone(other: Callable[[LiveAlarm], LiveAlarm]) -> None:
    changed = {AlarmKind.WARNING: other(alarm(AlarmKind.WARNING))}
    assert late_states(changed, balances(*[1] * 15), NOW) == ()


def test_and_the_others_are_set_all_the_same() -> None:
    alarms = both() | {AlarmKind.WARNING: alarm(AlarmKind.WARNING)._replace(threshold=None)}
    assert states(alarms, balances(*[1] * 15)) == {"critical": "ALARM"}


def test_a_balance_of_the_very_moment_in_which_the_alarm_ended_was_seen() -> None:
    ok_since = [exhausted(ok_since_minutes=minutes) for minutes in (42, 43)]
    assert [len(late_states({AlarmKind.EXHAUSTED: one}, BACK_IN_TIME, NOW)) for one in ok_since] == [0, 1]


@given(
    st.lists(st.integers(0, 2000), min_size=15, max_size=40),
    st.sampled_from(["OK", "ALARM", "INSUFFICIENT_DATA"]),
)
def test_without_gaps_the_state_is_the_one_that_cloudwatch_would_have_set(seen: list[int], before: str) -> None:
    """CloudWatch's own evaluation of the same minutes, as if they had come in time."""
    kind = AlarmKind.WARNING
    rule = AlarmRule(
        comparison_operator=ComparisonOperator.LESS_THAN_THRESHOLD,
        threshold=THRESHOLDS_GIB[kind] * GIB,
        evaluation_periods=15,
        datapoints_to_alarm=1,
        treat_missing_data=TreatMissingData.IGNORE,
    )
    points = balances(*seen)
    in_time = evaluate(rule, [Point(one.time, one.balance_bytes) for one in points[-15:]], State(before)).state
    found = states({kind: alarm(kind, before)}, points)
    assert found.get(kind, before) == in_time
