"""Reasons in CloudWatch's words. Sentences are those of AWS's sample events and of published alarm mails."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from simulation.alarm_evaluation import AlarmRule, ComparisonOperator, Point, State, TreatMissingData, evaluate
from simulation.alarm_reason import INITIAL_REASON, java_double, state_reason, state_reason_data

AT_MOST = ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD
ABOVE = ComparisonOperator.GREATER_THAN_THRESHOLD
MINUTE = timedelta(minutes=1)


def newest_first(newest: datetime, values: list[float | None], step: timedelta = MINUTE) -> list[Point]:
    """Points as the samples list them, newest first, turned into a range."""
    return [Point(newest - i * step, value, 1.0 if value is not None else None) for i, value in enumerate(values)][::-1]


def reason(rule: AlarmRule, points: list[Point], current: State = State.OK) -> str:
    return state_reason(evaluate(rule, points, current), rule)


def data(rule: AlarmRule, points: list[Point], current: State = State.OK, query_date: datetime | None = None) -> str:
    return state_reason_data(
        evaluate(rule, points, current),
        rule,
        query_date=query_date or points[-1].timestamp + MINUTE,
        statistic="Average",
        period_seconds=60,
    )


def test_one_of_fifteen_on_a_balance() -> None:
    rule = AlarmRule(AT_MOST, 1.1324e12, 15, 1, TreatMissingData.IGNORE)
    points = newest_first(datetime(2030, 1, 7, 2, 13, tzinfo=UTC), [3.2e11, *[2e12] * 16])
    assert reason(rule, points) == (
        "Threshold Crossed: 1 out of the last 15 datapoints [3.2E11 (07/01/30 02:13:00)] was less than or equal to the "
        "threshold (1.1324E12) (minimum 1 datapoint for OK -> ALARM transition)."
    )


def test_the_guides_sample_event_of_an_alarm() -> None:
    rule = AlarmRule(ABOVE, 50, 1, 1)
    points = newest_first(datetime(2019, 10, 2, 16, 59, tzinfo=UTC), [99.50160229693434])
    assert reason(rule, points) == (
        "Threshold Crossed: 1 out of the last 1 datapoints [99.50160229693434 (02/10/19 16:59:00)] was greater than "
        "the threshold (50.0) (minimum 1 datapoint for OK -> ALARM transition)."
    )


def test_the_guides_sample_event_of_a_recovery() -> None:
    rule = AlarmRule(ABOVE, 50, 1, 1)
    points = newest_first(datetime(2019, 10, 1, 13, 46, tzinfo=UTC), [0.0666851903306472])
    assert reason(rule, points, State.ALARM) == (
        "Threshold Crossed: 1 out of the last 1 datapoints [0.0666851903306472 (01/10/19 13:46:00)] was not greater "
        "than the threshold (50.0) (minimum 1 datapoint for ALARM -> OK transition)."
    )


def test_a_recovery_lists_only_the_points_that_did_not_cross_and_names_how_many_it_takes() -> None:
    rule = AlarmRule(ABOVE, 0, 5, 3)
    points = newest_first(datetime(2021, 12, 21, 6, 45, tzinfo=UTC), [0.0, 0.0, 3.0, 0.0, 2.0])
    assert reason(rule, points, State.ALARM) == (
        "Threshold Crossed: 3 out of the last 5 datapoints [0.0 (21/12/21 06:45:00), 0.0 (21/12/21 06:44:00), "
        "0.0 (21/12/21 06:42:00)] were not greater than the threshold (0.0) "
        "(minimum 3 datapoints for ALARM -> OK transition)."
    )


def test_five_and_more_points_are_shortened_to_the_five_most_recent() -> None:
    rule = AlarmRule(ABOVE, 20, 30, 30)
    points = newest_first(datetime(2024, 12, 6, 5, 34, tzinfo=UTC), [60.0, 60.0, *[59.0] * 28])
    assert reason(rule, points) == (
        "Threshold Crossed: 30 out of the last 30 datapoints were greater than the threshold (20.0). The most recent "
        "datapoints which crossed the threshold: [60.0 (06/12/24 05:34:00), 60.0 (06/12/24 05:33:00), "
        "59.0 (06/12/24 05:32:00), 59.0 (06/12/24 05:31:00), 59.0 (06/12/24 05:30:00)] "
        "(minimum 30 datapoints for OK -> ALARM transition)."
    )


def test_an_alarm_without_datapoints_to_alarm_is_worded_without_the_minimum() -> None:
    points = newest_first(datetime(2025, 5, 15, 15, 29, tzinfo=UTC), [1.0])
    assert reason(AlarmRule(ABOVE, 0, 1), points) == (
        "Threshold Crossed: 1 datapoint [1.0 (15/05/25 15:29:00)] was greater than the threshold (0.0)."
    )


def test_missing_points_that_were_filled_are_named_beside_the_real_one() -> None:
    at_least = ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
    rule = AlarmRule(at_least, 1, 20, 1, TreatMissingData.NOT_BREACHING)
    points = newest_first(datetime(2024, 3, 16, 12, 15, tzinfo=UTC), [613.0, *[None] * 21])
    assert reason(rule, points) == (
        "Threshold Crossed: 1 out of the last 20 datapoints [613.0 (16/03/24 12:15:00)] was greater than or equal to "
        "the threshold (1.0) and 19 missing datapoints were treated as [NonBreaching] "
        "(minimum 1 datapoint for OK -> ALARM transition)."
    )


def test_one_missing_point_is_worded_in_the_singular() -> None:
    rule = AlarmRule(ComparisonOperator.LESS_THAN_THRESHOLD, 1, 2, None, TreatMissingData.BREACHING)
    points = newest_first(datetime(2026, 4, 20, 18, 45, tzinfo=UTC), [0.0, None, None, None])
    assert reason(rule, points) == (
        "Threshold Crossed: 1 datapoint [0.0 (20/04/26 18:45:00)] was less than the threshold (1.0) and 1 missing "
        "datapoint was treated as [Breaching]."
    )


def test_no_point_at_all_under_breaching() -> None:
    rule = AlarmRule(ABOVE, 0, 3, 3, TreatMissingData.BREACHING)
    points = newest_first(datetime(2030, 1, 7, tzinfo=UTC), [None] * 5)
    assert reason(rule, points) == (
        "Threshold Crossed: no datapoints were received for 3 periods and 3 missing datapoints were treated as "
        "[Breaching]."
    )


def test_no_point_in_a_single_period_under_not_breaching() -> None:
    rule = AlarmRule(ABOVE, 0, 1, None, TreatMissingData.NOT_BREACHING)
    points = newest_first(datetime(2030, 1, 7, tzinfo=UTC), [None] * 3)
    assert reason(rule, points) == (
        "Threshold Crossed: no datapoints were received for 1 period and 1 missing datapoint was treated as "
        "[NonBreaching]."
    )


def test_real_points_that_did_not_decide_are_only_counted() -> None:
    rule = AlarmRule(ABOVE, 0, 3, 2, TreatMissingData.BREACHING)
    points = newest_first(datetime(2030, 1, 7, tzinfo=UTC), [0.0, *[None] * 4])
    assert reason(rule, points) == (
        "Threshold Crossed: 1 datapoint was received for 3 periods and 2 missing datapoints were treated as "
        "[Breaching]."
    )


def test_a_premature_alarm_says_one_out_of_three_although_three_are_the_minimum() -> None:
    rule = AlarmRule(ComparisonOperator.LESS_THAN_THRESHOLD, 1, 3, 3)
    points = newest_first(datetime(2026, 8, 1, 10, 2, tzinfo=UTC), [None, None, 0.0, None, None])
    assert reason(rule, points) == (
        "Threshold Crossed: 1 out of the last 3 datapoints [0.0 (01/08/26 10:00:00)] was less than the threshold (1.0) "
        "(minimum 3 datapoints for OK -> ALARM transition)."
    )


@pytest.mark.parametrize(("periods", "sentence"), [(5, "5 datapoints were unknown."), (1, "1 datapoint was unknown.")])
def test_insufficient_data_counts_the_unknown_points(periods: int, sentence: str) -> None:
    rule = AlarmRule(ABOVE, 5, periods)
    points = newest_first(datetime(2023, 8, 4, 12, 30, tzinfo=UTC), [None] * (periods + 2))
    assert reason(rule, points) == f"Insufficient Data: {sentence}"


def test_a_kept_state_has_no_reason_of_its_own() -> None:
    rule = AlarmRule(ABOVE, 5, 1, 1, TreatMissingData.IGNORE)
    points = newest_first(datetime(2030, 1, 7, tzinfo=UTC), [None] * 3)
    for words in (reason, data):
        with pytest.raises(ValueError, match="ALARM was kept while data is missing"):
            words(rule, points, State.ALARM)


def test_the_json_of_an_alarm_is_byte_for_byte_a_published_one() -> None:
    rule = AlarmRule(AT_MOST, 20, 1, 1)
    points = [Point(datetime(2024, 4, 23, 20, 44, tzinfo=UTC), 3.4666088898518357, 5.0)]
    text = state_reason_data(
        evaluate(rule, points, State.OK),
        rule,
        query_date=datetime(2024, 4, 23, 20, 50, 27, 367_000, tzinfo=UTC),
        statistic="Maximum",
        period_seconds=300,
    )
    assert text == (
        '{"version":"1.0","queryDate":"2024-04-23T20:50:27.367+0000","startDate":"2024-04-23T20:44:00.000+0000",'
        '"statistic":"Maximum","period":300,"recentDatapoints":[3.4666088898518357],"threshold":20.0,'
        '"evaluatedDatapoints":[{"timestamp":"2024-04-23T20:44:00.000+0000","sampleCount":5.0,'
        '"value":3.4666088898518357}]}'
    )


def test_the_json_of_insufficient_data_is_byte_for_byte_a_published_one() -> None:
    rule = AlarmRule(ABOVE, 5, 5)
    points = newest_first(datetime(2023, 8, 4, 12, 30, tzinfo=UTC), [None] * 7)
    assert data(rule, points, query_date=datetime(2023, 8, 4, 12, 31, 29, 591_000, tzinfo=UTC)) == (
        '{"version":"1.0","queryDate":"2023-08-04T12:31:29.591+0000","statistic":"Average","period":60,'
        '"recentDatapoints":[],"threshold":5.0,"evaluatedDatapoints":['
        '{"timestamp":"2023-08-04T12:30:00.000+0000"},{"timestamp":"2023-08-04T12:29:00.000+0000"},'
        '{"timestamp":"2023-08-04T12:28:00.000+0000"},{"timestamp":"2023-08-04T12:27:00.000+0000"},'
        '{"timestamp":"2023-08-04T12:26:00.000+0000"}]}'
    )


def test_recent_datapoints_are_all_oldest_first_and_evaluated_ones_only_as_many_as_it_takes() -> None:
    rule = AlarmRule(ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD, 80, 3, 3)
    points = newest_first(datetime(2022, 1, 26, 13, 24, tzinfo=UTC), [38.5, 38.4, 38.3])
    parsed = json.loads(data(rule, points, State.ALARM))
    assert parsed["recentDatapoints"] == [38.3, 38.4, 38.5]
    assert parsed["startDate"] == "2022-01-26T13:22:00.000+0000"
    assert [point["value"] for point in parsed["evaluatedDatapoints"]] == [38.5]


def test_missing_points_that_speak_for_the_state_are_evaluated_without_a_value() -> None:
    rule = AlarmRule(ABOVE, 5, 3, 2, TreatMissingData.BREACHING)
    points = newest_first(datetime(2030, 1, 7, 0, 4, tzinfo=UTC), [None, 9.0, None, None, None])
    parsed = json.loads(data(rule, points))
    assert parsed["evaluatedDatapoints"] == [
        {"timestamp": "2030-01-07T00:04:00.000+0000"},
        {"timestamp": "2030-01-07T00:03:00.000+0000", "sampleCount": 1.0, "value": 9.0},
    ]


def test_a_new_alarm_says_that_nothing_was_evaluated_yet() -> None:
    assert INITIAL_REASON == "Unchecked: Initial alarm creation"


def test_from_five_datapoints_on_only_the_most_recent_are_listed() -> None:
    newest = datetime(2030, 1, 7, 0, 4, tzinfo=UTC)
    four = reason(AlarmRule(ABOVE, 5, 4, 4), newest_first(newest, [9.0] * 4))
    assert four.startswith("Threshold Crossed: 4 out of the last 4 datapoints [9.0 (07/01/30 00:04:00), 9.0 (")
    five = reason(AlarmRule(ABOVE, 5, 5, 5), newest_first(newest, [9.0] * 5))
    assert five.startswith("Threshold Crossed: 5 out of the last 5 datapoints were greater than the threshold (5.0). ")


def test_a_datapoint_of_zero_is_told_as_zero() -> None:
    points = newest_first(datetime(2030, 1, 7, tzinfo=UTC), [0.0])
    rule = AlarmRule(AT_MOST, 5, 1, 1)
    assert "[0.0 (07/01/30 00:00:00)]" in reason(rule, points)
    assert json.loads(data(rule, points))["recentDatapoints"] == [0.0]


def test_the_threshold_is_in_the_json_as_a_number_that_parses_back() -> None:
    rule = AlarmRule(AT_MOST, 1132462080000.0, 15, 1)
    points = newest_first(datetime(2030, 1, 7, tzinfo=UTC), [3.2e11, *[2e12] * 16])
    text = data(rule, points)
    assert '"threshold":1.13246208E12' in text
    assert json.loads(text)["threshold"] == 1132462080000.0


def test_times_are_given_in_utc_whatever_zone_the_points_have() -> None:
    rule = AlarmRule(ABOVE, 5, 1, 1)
    points = [Point(datetime(2030, 1, 7, 1, 0, tzinfo=timezone(timedelta(hours=1))), 9.0)]
    assert "(07/01/30 00:00:00)" in reason(rule, points)
    assert json.loads(data(rule, points))["startDate"] == "2030-01-07T00:00:00.000+0000"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (50, "50.0"),
        (0.001, "0.001"),
        (0.00055, "5.5E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (104857600.0, "1.048576E8"),
        (2308974418330.0, "2.30897441833E12"),
        (-3.2e11, "-3.2E11"),
    ],
)
def test_numbers_are_written_as_java_writes_a_double(value: float, text: str) -> None:
    assert java_double(value) == text
