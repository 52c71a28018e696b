"""Draining, judged by late datapoints: as CloudWatch would have judged it, had they come in time."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import pytest
from efs_monitor.alarms import draining
from efs_monitor.alarms.alarm import SUSPENDED_MARK, AlarmKind, LiveAlarm
from efs_monitor.alarms.alarm_definition import Wiring, definition
from efs_monitor.alarms.late_metrics import are_late, late_states
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.observations import BalancePoint
from hypothesis import given
from hypothesis import strategies as st

from simulation.alarm_evaluation import AlarmRule, ComparisonOperator, Point, State, TreatMissingData, evaluate
from simulation.metric_math import Evaluator, Series, Timeline
from tests.unit.strategies import NOW

WIRING = Wiring(file_system_id="fs-0123456789abcdef0", warning_topic_arn="", critical_topic_arn="", explain_arn="")
CRITICAL_MINUTES = 60
RULE = AlarmRule(
    comparison_operator=ComparisonOperator.LESS_THAN_THRESHOLD,
    threshold=CRITICAL_MINUTES,
    evaluation_periods=draining.POINTS_EVALUATED,
    datapoints_to_alarm=draining.POINTS_TO_ALARM,
    treat_missing_data=TreatMissingData.IGNORE,
)
LATE = 30
CALM, FALLING = [300.0] * 30, [300.0 - 6 * number for number in range(1, 13)]


def alarm(state: str = "OK", **changes: object) -> LiveAlarm:
    one = LiveAlarm(
        name="home-draining",
        threshold=float(CRITICAL_MINUTES),
        description="",
        actions_enabled=True,
        state=state,
        settings=definition(AlarmKind.DRAINING, WIRING),
        state_reason="Threshold Crossed: no datapoints",
        transitioned=NOW - timedelta(days=3),
    )
    return one._replace(**changes)  # type: ignore[arg-type] # fields by name


def balances(gib: Sequence[float | None], *, late_minutes: int = LATE) -> tuple[BalancePoint, ...]:
    """One a minute, the newest that many minutes ago; None is a minute that CloudWatch does not have."""
    newest = NOW - timedelta(minutes=late_minutes)
    found = [(newest - timedelta(minutes=len(gib) - 1 - index), one) for index, one in enumerate(gib)]
    return tuple(BalancePoint(time=time, balance_bytes=one * GIB) for time, one in found if one is not None)


def state(one: LiveAlarm, gib: Sequence[float | None], *, late_minutes: int = LATE) -> str | None:
    """What the alarm is set to; None where it is left as it is."""
    found = late_states({AlarmKind.DRAINING: one}, balances(gib, late_minutes=late_minutes), NOW)
    return found[0].state if found else None


def test_five_minutes_that_fall_fast_set_it_off() -> None:
    assert state(alarm(), [*CALM, *FALLING[:5]]) == "ALARM"
    assert state(alarm(), [*CALM, *FALLING[:4]]) is None


def test_five_of_half_an_hour_are_enough_whatever_rests_are_between() -> None:
    """A minute of every six."""
    pulses = [300.0 - 6 * (number // 6) for number in range(1, 31)]
    assert state(alarm(), [*CALM, *pulses, pulses[-1] - 6]) == "ALARM"
    assert state(alarm(), [*CALM, *pulses[:24], pulses[23] - 6]) == "ALARM"
    assert state(alarm(), [*CALM, *pulses[:18], pulses[17] - 6]) is None


def test_it_is_left_to_cloudwatch_as_long_as_the_others_are_which_look_back_for_less() -> None:
    assert state(alarm(), [*CALM, *FALLING], late_minutes=16) is None
    assert state(alarm(), [*CALM, *FALLING], late_minutes=17) == "ALARM"
    assert not are_late((), NOW)
    assert late_states({AlarmKind.DRAINING: alarm()}, (), NOW) == ()


def test_it_does_not_go_off_in_a_rest_nor_while_the_balance_rises() -> None:
    assert state(alarm(), [*CALM, *FALLING, *[FALLING[-1]] * 3]) is None
    assert state(alarm(), [*CALM, *FALLING, *[FALLING[-1] + number for number in range(1, 4)]]) is None


def test_a_minute_or_two_of_an_uneven_load_are_no_rest() -> None:
    assert state(alarm(), [*CALM, *FALLING, *[FALLING[-1]] * 2]) == "ALARM"


def test_nor_at_zero_nor_for_what_little_comes_back_there() -> None:
    assert state(alarm(), [*[60.0 - 6 * number for number in range(11)], 0]) is None
    assert state(alarm(), [*CALM, *[1.9 - number / 100 for number in range(20)]]) is None


def test_it_ends_by_half_an_hour_of_which_fewer_than_five_minutes_fall() -> None:
    rests = [*FALLING, *[FALLING[-1]] * 26]
    assert state(alarm("ALARM"), [*CALM, *rests]) == "OK"
    assert state(alarm("ALARM"), [*CALM, *rests[:-1]]) is None


def test_with_a_minute_missing_among_those_it_does_not_end() -> None:
    gaps: list[float | None] = [*CALM, *CALM]
    gaps[-5] = None
    assert state(alarm("ALARM"), gaps) is None
    assert state(alarm("ALARM"), CALM) is None


def test_a_pace_over_a_missing_minute_counts_as_one_bad_minute() -> None:
    known = [balances([*CALM, *FALLING[:3], None, *FALLING[4:until]]) for until in (6, 5)]
    assert [draining.went_off(one, CRITICAL_MINUTES) is not None for one in known] == [True, False]


def ended_by_cloudwatch(minutes_ago: int) -> LiveAlarm:
    return alarm(transitioned=NOW - timedelta(minutes=minutes_ago))


def test_a_fall_that_cloudwatch_has_told_and_ended_by_one_of_the_few_minutes_that_it_saw_is_told_no_more() -> None:
    """The fifth minute is 27 old: it was there 20 minutes after it began, as it is now."""
    falls = [*CALM, *FALLING]
    assert state(ended_by_cloudwatch(7), falls, late_minutes=20) is None
    assert state(ended_by_cloudwatch(8), falls, late_minutes=20) == "ALARM"
    by_somebody = ended_by_cloudwatch(7)._replace(state_reason="LATE METRICS: In fewer than 5 of 30 minutes")
    assert state(by_somebody, falls, late_minutes=20) == "ALARM"


def test_of_metrics_that_got_later_since_cloudwatch_saw_no_more_than_it_looks_back() -> None:
    assert state(ended_by_cloudwatch(37), [*CALM, *FALLING], late_minutes=60) is None
    assert state(ended_by_cloudwatch(38), [*CALM, *FALLING], late_minutes=60) == "ALARM"


FULL, SLOWER = [333.0] * 30, [333.0 - 3 * number for number in range(1, 13)]
"""At the end 297 GiB, of which 3 go a minute: 99 minutes."""


@pytest.mark.parametrize(("late_minutes", "told"), [(39, None), (40, "ALARM"), (90, "ALARM"), (150, "ALARM")])
def test_a_fall_that_goes_on_unseen_sets_it_off_when_less_than_its_minutes_are_left_by_now(
    late_minutes: int, told: str | None
) -> None:
    assert state(alarm(), [*FULL, *SLOWER], late_minutes=late_minutes) == told


def test_an_unseen_fall_waits_until_cloudwatch_looks_at_no_minute_of_it_that_would_end_the_alarm() -> None:
    soon = [one - 70 for one in [*FULL, *SLOWER]]
    assert [state(alarm(), soon, late_minutes=minutes) for minutes in (35, 36)] == [None, "ALARM"]


def test_the_pace_of_what_is_unseen_is_that_since_the_fall_began_within_ten_minutes_if_five_are_known() -> None:
    begun = [*FULL, *SLOWER[:5]]
    assert [state(alarm(), begun, late_minutes=minutes) for minutes in (46, 47)] == [None, "ALARM"]
    assert state(alarm(), begun[-6:], late_minutes=47) == "ALARM"
    assert state(alarm(), begun[-5:], late_minutes=47) is None
    # Of 588 GiB 4.5 a minute, though the newest five minutes fell by 6 each.
    faster = [one + 300 for one in [*begun, *(begun[-1] - 6 * number for number in range(1, 6))]]
    assert [state(alarm(), faster, late_minutes=minutes) for minutes in (70, 71)] == [None, "ALARM"]


def test_a_fall_that_had_ended_when_its_metrics_stopped_sets_nothing_off() -> None:
    assert state(alarm(), [*FULL, *SLOWER, *[SLOWER[-1]] * 3], late_minutes=90) is None
    assert state(alarm(), [*FULL, *SLOWER, *[SLOWER[-1]] * 2], late_minutes=90) == "ALARM"
    assert state(alarm(), [one - 296 for one in [*FULL, *SLOWER]], late_minutes=90) is None


def test_what_went_off_unseen_stays_on_while_half_an_hour_has_as_fast_a_fall_and_ends_with_it() -> None:
    """At the pace of each of its last five minutes fewer than 104 were left, which had to last for 44 more."""
    rests = [*FULL, *SLOWER, *[SLOWER[-1]] * 25]
    assert state(alarm(), rests, late_minutes=44) is None
    assert state(alarm("ALARM"), rests, late_minutes=44) is None
    assert state(alarm("ALARM"), [*rests, SLOWER[-1]], late_minutes=44) == "OK"
    assert state(alarm("ALARM"), rests, late_minutes=43) == "OK"


def test_a_fall_that_nobody_saw_is_forgotten_and_ends_what_it_set_off() -> None:
    falls = [*FULL, *SLOWER]
    by_pace = alarm("ALARM", state_reason="LATE METRICS: In 5 or more of 30 minutes")
    unseen = alarm("ALARM", state_reason="LATE METRICS, UNSEEN: The newest datapoint")
    assert [state(alarm(), falls, late_minutes=minutes) for minutes in (160, 161)] == ["ALARM", None]
    assert [state(unseen, falls, late_minutes=minutes) for minutes in (160, 161)] == [None, "OK"]
    assert state(by_pace, falls, late_minutes=161) is None


def test_an_alarm_that_cloudwatch_ended_though_it_was_to_see_nothing_more_is_not_set_again() -> None:
    falls = [one - 70 for one in [*FULL, *SLOWER]]
    assert state(ended_by_cloudwatch(5), falls, late_minutes=40) == "ALARM"
    assert state(ended_by_cloudwatch(4), falls, late_minutes=40) is None
    by_us = ended_by_cloudwatch(4)._replace(state_reason="LATE METRICS: In fewer than 5 of 30 minutes")
    assert state(by_us, falls, late_minutes=40) == "ALARM"


def test_where_metrics_may_stop_no_fall_goes_on_unseen() -> None:
    found = balances([*FULL, *SLOWER], late_minutes=90)
    assert [
        len(late_states({AlarmKind.DRAINING: alarm()}, found, NOW, falls_unseen=goes_on)) for goes_on in (False, True)
    ] == [0, 1]


@pytest.mark.parametrize(
    "other",
    [
        alarm(description=f"{SUSPENDED_MARK} elastic"),
        alarm(threshold=None),
        alarm(settings={**alarm().settings, "DatapointsToAlarm": 4}),
        alarm(settings={**alarm().settings, "EvaluationPeriods": 40}),
        alarm(settings={**alarm().settings, "ComparisonOperator": "GreaterThanThreshold"}),
        alarm(settings={**alarm().settings, "Metrics": None}),
        alarm(settings={**alarm().settings, "Metrics": draining.metrics("fs-0123456789abcdef0")[:2]}),
        alarm("ALARM"),
    ],
    ids=["suspended", "anomaly", "fewer", "longer", "comparison", "one metric", "another expression", "on already"],
)
def test_an_alarm_that_judges_something_else_or_is_on_already_is_left_alone(other: LiveAlarm) -> None:
    assert state(other, [*CALM, *FALLING]) is None


def went_off_by_the_book(points: Sequence[BalancePoint]) -> datetime | None:
    """By metric math and CloudWatch's evaluation, minute by minute, with every datapoint in time."""
    series = Series(tuple(one.balance_bytes for one in points))
    expressions = {one["Id"]: one["Expression"] for one in draining.metrics("") if "Expression" in one}
    left = Evaluator(Timeline(0, 60, len(points)), {"balance": series}, expressions).result("left").points
    now, since = State.OK, None
    for index in range(draining.POINTS_EVALUATED, len(points)):
        window = [Point(points[at].time, left[at]) for at in range(index - draining.POINTS_EVALUATED + 1, index + 1)]
        now = evaluate(RULE, window, now).state
        since = None if now is State.OK else since or points[index].time
    return since


def minutes_of(left: Sequence[float | None]) -> list[BalancePoint]:
    """One a minute, in bytes; None is a minute that CloudWatch does not have."""
    return [
        BalancePoint(time=NOW + timedelta(minutes=index), balance_bytes=one)
        for index, one in enumerate(left)
        if one is not None
    ]


def minute(*indexes: int) -> list[datetime]:
    return [NOW + timedelta(minutes=index) for index in indexes]


def test_a_minute_is_a_bad_one_below_the_threshold_while_something_is_left() -> None:
    nothing = draining.NOTHING_LEFT_BYTES

    def is_bad(left: float, lost: float, minutes: int = 1) -> bool:
        before, *_, point = minutes_of([left + lost, *[None] * (minutes - 1), left])
        return draining.falls_fast(before, point, CRITICAL_MINUTES)

    assert [is_bad(nothing + 60, nothing), is_bad(nothing, nothing)] == [True, False]
    assert [is_bad(600 * GIB, 10 * GIB), is_bad(600 * GIB - 1, 10 * GIB)] == [False, True]
    assert [is_bad(600 * GIB, 20 * GIB, 2), is_bad(600 * GIB - 1, 20 * GIB, 2)] == [False, True]
    assert [is_bad(600 * GIB, 0), is_bad(600 * GIB, -10 * GIB)] == [False, False]


def test_each_time_that_it_goes_off_is_told_and_the_last_one_is_since_when_it_is_on() -> None:
    """The minute that is missing in the second rest lets nobody know that it was over."""
    fall = [300.0 - 6 * number for number in range(1, 6)]
    rest = [fall[-1]] * 30
    again: list[float | None] = [CALM[0], *fall, *rest, *(one - 30 for one in fall)]
    gaps: list[float | None] = [*again, *[again[-1]] * 5, None, *[again[-1]] * 23, *(one - 60 for one in fall)]
    found = [minutes_of([None if one is None else one * GIB for one in life]) for life in (again, gaps)]
    assert [draining.goings_off(one, CRITICAL_MINUTES) for one in found] == [minute(5, 40)] * 2
    assert [draining.went_off(one, CRITICAL_MINUTES) for one in found] == minute(40, 40)
    # The half hour is over with the 26th minute of rest. With one fewer it is still the same time.
    for rests, times in ((25, minute(5)), (26, minute(5, 36))):
        shorter = [None if one is None else one * GIB for one in [*again[:6], *rest[:rests], *again[36:]]]
        assert draining.goings_off(minutes_of(shorter), CRITICAL_MINUTES) == times
    assert draining.went_off((), CRITICAL_MINUTES) is None
    assert draining.goings_off((), CRITICAL_MINUTES) == []


def test_what_fell_over_half_an_hour_without_datapoints_is_one_bad_minute_and_over_more_is_none() -> None:
    def went_off(missing: int) -> datetime | None:
        falls = [2000.0 - 6 * 30 - 40 * number for number in range(5)]
        left = [2000.0, *[None] * (missing - 1), *(one * 0.3 for one in falls)]
        return draining.went_off(minutes_of([None if one is None else one * GIB for one in left]), CRITICAL_MINUTES)

    assert [went_off(30), went_off(31)] == [*minute(34), None]


def test_it_falls_no_more_where_nothing_is_left_by_the_newest_minute() -> None:
    nothing = draining.NOTHING_LEFT_BYTES
    falls = [100 * nothing, 90 * nothing, 10 * nothing]
    falling = [draining.still_falls(minutes_of([*falls, last]), CRITICAL_MINUTES) for last in (nothing, nothing + 1)]
    assert falling == [False, True]


def test_it_is_as_made_with_the_counts_and_the_sources_of_the_template_alone() -> None:
    made = definition(AlarmKind.DRAINING, WIRING)
    left, pace, balance = draining.metrics("fs-other")
    reads = {**balance, "MetricStat": {**balance["MetricStat"], "Metric": {"MetricName": "DataReadIOBytes"}}}
    average = {**balance, "MetricStat": {**balance["MetricStat"], "Stat": "Average"}}
    assert draining.is_as_made({**made, "Metrics": [balance, left, pace]})
    assert not draining.is_as_made({**made, "Metrics": [left, pace, reads]})
    assert not draining.is_as_made({**made, "Metrics": [left, pace, average]})


def test_what_is_judged_of_a_metric_is_told_whatever_else_an_answer_has() -> None:
    left, _, balance = draining.metrics("fs-other")
    answered = {**balance, "Label": "Balance", "MetricStat": {**balance["MetricStat"], "Further": 1}}
    judged = {"Period": 60, "Stat": "Minimum", **balance["MetricStat"]["Metric"]}
    assert draining.judged(answered) == {"Id": "balance", "MetricStat": judged, "ReturnData": False}
    statistic = {"Stat": "Minimum", "Unit": "Bytes"}
    nameless = dict.fromkeys(("Namespace", "MetricName", "Dimensions"))
    assert draining.judged({"Id": "balance", "MetricStat": statistic}) == {
        "Id": "balance",
        "MetricStat": statistic | nameless,
        "ReturnData": True,
    }
    expression = {"Id": "left", "Expression": left["Expression"]}
    assert draining.judged(expression) == {**expression, "Period": 60, "ReturnData": True}


steps = st.sampled_from([-40.0, -6.0, -6.0, -6.0, -0.5, 0.0, 0.5, 30.0])


def lives(draw: Callable[[st.SearchStrategy[list[float]]], list[float]]) -> list[float]:
    balance, found = 200.0, [200.0] * 31
    for step in draw(st.lists(steps, min_size=1, max_size=60)):
        balance = max(balance + step, 0.0)
        found.append(balance)
    return found


@given(st.composite(lives)())
def test_without_gaps_it_goes_off_and_ends_as_cloudwatchs_evaluation_of_the_same_minutes(gib: list[float]) -> None:
    points = balances(gib)
    assert draining.went_off(points, CRITICAL_MINUTES) == went_off_by_the_book(points)
