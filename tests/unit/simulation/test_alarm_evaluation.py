"""CloudWatch's alarm evaluation: every row of the user guide's tables, then the rules between the rows."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.alarm_evaluation import (
    AlarmRule,
    ComparisonOperator,
    Evaluation,
    Point,
    State,
    TreatMissingData,
    evaluate,
    evaluation_range,
)

OK, ALARM, INSUFFICIENT_DATA = State.OK, State.ALARM, State.INSUFFICIENT_DATA
MISSING, IGNORE, BREACHING, NOT_BREACHING = TreatMissingData
KEEPS = None
START = datetime(2030, 1, 7, tzinfo=UTC)
VALUES = {"0": 1.0, "X": 9.0, "-": None}


def points(row: str) -> list[Point]:
    """The guide's own notation, newest on the right: 0 is good, X breaches, - is missing."""
    return [Point(START + timedelta(minutes=i), VALUES[mark]) for i, mark in enumerate(row.replace(" ", ""))]


def rule(to_alarm: int | None, periods: int, missing: TreatMissingData = MISSING) -> AlarmRule:
    return AlarmRule(ComparisonOperator.GREATER_THAN_THRESHOLD, 5, periods, to_alarm, missing)


def verdict(row: str, to_alarm: int, periods: int, missing: TreatMissingData, current: State = OK) -> State:
    return evaluate(rule(to_alarm, periods, missing), points(row), current).state


# Row, points to be filled, then the state under missing, ignore, breaching, notBreaching.
Row = tuple[str, int, State, State | None, State, State]

THREE_OF_THREE: list[Row] = [
    ("0 - X - X", 0, OK, OK, OK, OK),
    ("0 - - - -", 2, OK, OK, OK, OK),
    ("- - - - -", 3, INSUFFICIENT_DATA, KEEPS, ALARM, OK),
    ("0 X X - X", 0, ALARM, ALARM, ALARM, ALARM),
    ("- - X - -", 2, ALARM, KEEPS, ALARM, OK),
]
TWO_OF_THREE: list[Row] = [
    ("0 - X - X", 0, ALARM, ALARM, ALARM, ALARM),
    ("0 0 X 0 X", 0, ALARM, ALARM, ALARM, ALARM),
    ("0 - X - -", 1, OK, OK, ALARM, OK),
    ("- - - - 0", 2, OK, OK, ALARM, OK),
    ("- - - X -", 2, ALARM, KEEPS, ALARM, OK),
]
# Rows that the 2018 edition of the same tables had and today's has not; nothing in today's text contradicts them.
THREE_OF_THREE_2018: list[Row] = [
    ("- - - - X", 2, INSUFFICIENT_DATA, KEEPS, ALARM, OK),
    ("X - - - -", 2, ALARM, KEEPS, ALARM, OK),
]
TWO_OF_THREE_2018: list[Row] = [("- - - - X", 2, INSUFFICIENT_DATA, KEEPS, ALARM, OK)]

TABLES = [
    *[(3, row) for row in THREE_OF_THREE + THREE_OF_THREE_2018],
    *[(2, row) for row in TWO_OF_THREE + TWO_OF_THREE_2018],
]


@pytest.mark.parametrize("current", list(State))
@pytest.mark.parametrize(("to_alarm", "row"), TABLES, ids=lambda case: case if isinstance(case, int) else case[0])
def test_the_guides_tables_row_by_row_from_every_state(to_alarm: int, row: Row, current: State) -> None:
    marks, filled, *expected = row
    for setting, state in zip(TreatMissingData, expected, strict=True):
        evaluation = evaluate(rule(to_alarm, 3, setting), points(marks), current)
        assert evaluation.state == (current if state is KEEPS else state), setting
        assert evaluation.kept == (state is KEEPS), setting
        assert len(evaluation.missing) == filled
        assert len(evaluation.real) + filled == 3


@pytest.mark.parametrize("row", ["- - - - X", "- - - X -", "- - - X 0", "- - X - 0"])
def test_the_premature_alarm_the_guide_says_is_avoided_is_avoided(row: str) -> None:
    assert verdict(row, 3, 3, MISSING) is not ALARM


def test_a_good_point_after_the_avoided_alarm_is_ok() -> None:
    assert verdict("- - - X 0", 3, 3, MISSING) is OK
    assert verdict("- - X - 0", 3, 3, MISSING) is OK


def test_the_oldest_breaching_point_counts_for_the_premature_rule_not_the_newest() -> None:
    assert verdict("- - X - X", 3, 3, MISSING) is ALARM


def test_a_good_point_beyond_the_evaluation_periods_still_stops_the_premature_rule() -> None:
    assert verdict("0 - X - -", 3, 3, MISSING) is OK


def test_with_enough_real_points_gaps_do_not_count_however_old_a_breach_is() -> None:
    assert {verdict("0 X X - -", 3, 3, setting) for setting in TreatMissingData} == {OK}


def test_gaps_are_filled_as_seldom_as_possible() -> None:
    assert verdict("0 - X - -", 3, 3, BREACHING) is OK


def test_the_row_after_the_second_one_alarms_when_the_good_point_leaves_the_range() -> None:
    assert verdict("- - - - -", 3, 3, BREACHING) is ALARM


def test_real_points_that_reach_m_alarm_under_every_setting() -> None:
    assert {verdict("- X - X -", 2, 3, setting) for setting in TreatMissingData} == {ALARM}


@pytest.mark.parametrize("setting", list(TreatMissingData))
def test_one_of_fifteen_alarms_on_one_bad_point_and_holds_for_fourteen_good_ones(setting: TreatMissingData) -> None:
    assert verdict("0" * 16 + "X", 1, 15, setting) is ALARM
    assert verdict("0 0 X" + "0" * 14, 1, 15, setting, ALARM) is ALARM
    assert verdict("0 X" + "0" * 15, 1, 15, setting, ALARM) is OK


def test_with_ignore_a_gap_keeps_the_alarm_and_one_good_point_after_it_clears_it() -> None:
    assert verdict("-" * 17, 1, 15, IGNORE, ALARM) is ALARM
    assert verdict("-" * 16 + "0", 1, 15, IGNORE, ALARM) is OK


def test_a_range_without_a_gap_is_judged_by_its_newest_n_points_alone() -> None:
    evaluation = evaluate(rule(2, 3), points("X X 0 0 X"), OK)
    assert evaluation == Evaluation(OK, tuple(points("X X 0 0 X")[2:]))


def test_the_newest_missing_periods_are_those_that_stand_in() -> None:
    evaluation = evaluate(rule(2, 3), points("- - - X -"), OK)
    assert [point.timestamp.minute for point in evaluation.missing] == [2, 4]


@pytest.mark.parametrize(
    ("operator", "below", "at", "above"),
    [
        (ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD, OK, ALARM, ALARM),
        (ComparisonOperator.GREATER_THAN_THRESHOLD, OK, OK, ALARM),
        (ComparisonOperator.LESS_THAN_THRESHOLD, ALARM, OK, OK),
        (ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD, ALARM, ALARM, OK),
    ],
)
def test_every_static_operator_compares_the_value_with_the_threshold(
    operator: ComparisonOperator, below: State, at: State, above: State
) -> None:
    judged = AlarmRule(operator, 5, 1)
    states = [evaluate(judged, [Point(START, value)], INSUFFICIENT_DATA).state for value in (4.0, 5.0, 6.0)]
    assert states == [below, at, above]


def test_the_rule_takes_the_words_of_the_api() -> None:
    assert ComparisonOperator("LessThanOrEqualToThreshold") is ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD
    assert [TreatMissingData(word) for word in ("missing", "ignore", "breaching", "notBreaching")] == [
        MISSING,
        IGNORE,
        BREACHING,
        NOT_BREACHING,
    ]


def test_without_datapoints_to_alarm_all_periods_must_breach() -> None:
    assert evaluate(rule(None, 3), points("0 0 X X"), OK).state is OK
    assert evaluate(rule(None, 3), points("0 X X X"), OK).state is ALARM


def test_the_range_of_the_guides_examples_is_five_for_three_periods() -> None:
    assert evaluation_range(rule(3, 3)) == 5
    assert evaluation_range(rule(1, 15)) == 17
    assert evaluation_range(rule(1, 15), extra_periods=0) == 15


@pytest.mark.parametrize(
    ("to_alarm", "periods", "sentence"),
    [
        (1, 0, "evaluation_periods must be at least 1, got 0"),
        (2, 1, "datapoints_to_alarm must be 1 to 1, got 2"),
        (0, 3, "datapoints_to_alarm must be 1 to 3, got 0"),
        (4, 3, "datapoints_to_alarm must be 1 to 3, got 4"),
    ],
)
def test_an_impossible_rule_is_refused_with_its_values(to_alarm: int, periods: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        rule(to_alarm, periods)


def test_states_settings_and_operators_are_called_as_the_api_calls_them() -> None:
    assert list(State) == ["OK", "ALARM", "INSUFFICIENT_DATA"]
    assert list(TreatMissingData) == ["missing", "ignore", "breaching", "notBreaching"]
    assert list(ComparisonOperator) == [
        "GreaterThanOrEqualToThreshold",
        "GreaterThanThreshold",
        "LessThanThreshold",
        "LessThanOrEqualToThreshold",
    ]


def test_the_shortest_rule_is_one_of_one() -> None:
    assert (rule(1, 1).breaches_to_alarm, rule(None, 1).breaches_to_alarm) == (1, 1)


def test_a_range_shorter_than_the_evaluation_periods_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^3 evaluation periods need a range of at least 3 points, got 2$"):
        evaluate(rule(3, 3), points("0 X"), OK)


rows = st.lists(st.sampled_from("0X-"), min_size=17, max_size=17).map("".join)


@given(rows, st.integers(1, 15), st.sampled_from(State))
def test_no_setting_is_worse_than_breaching_nor_better_than_not_breaching(row: str, m: int, current: State) -> None:
    if verdict(row, m, 15, NOT_BREACHING) is ALARM:
        assert {verdict(row, m, 15, setting, current) for setting in TreatMissingData} == {ALARM}
    if verdict(row, m, 15, BREACHING) is OK:
        assert {verdict(row, m, 15, setting, current) for setting in TreatMissingData} == {OK}


@given(rows, st.integers(1, 15), st.sampled_from(State))
def test_missing_data_is_insufficient_only_under_missing_and_kept_only_under_ignore(
    row: str, m: int, current: State
) -> None:
    for setting in TreatMissingData:
        evaluation = evaluate(rule(m, 15, setting), points(row), current)
        assert not evaluation.kept or (setting is IGNORE and evaluation.state is current)
        assert evaluation.kept or evaluation.state is not INSUFFICIENT_DATA or setting is MISSING
