"""What the fleet's dashboard shows, within what CloudWatch lets a dashboard have."""

import json
import re
from typing import Any

import pytest
from efs_monitor.fleet.fleet_dashboard import A_TABLE, MOST, dashboard_body

from tests.unit.fleet.fake_account import file_system_id
from tests.unit.simulation.metric_math.series_notation import value

ABOUT_ALL = [1, 100, A_TABLE, A_TABLE + 1, 1_000, 5_000]


def tables(number: int, *, in_an_incident: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
    body = dashboard_body("eu-central-1", [*map(file_system_id, range(number))], in_an_incident, warning_minutes=240)
    widgets: list[dict[str, Any]] = json.loads(body)["widgets"]
    return [one["properties"] for one in widgets]


def sorted_ids(table: dict[str, Any]) -> str:
    """What stands between the brackets of a table's one visible expression."""
    expression: str = table["metrics"][0][0]["expression"]
    assert expression.startswith("SORT([")
    assert expression.endswith("], MIN, ASC)")
    return expression.removeprefix("SORT([").removesuffix("], MIN, ASC)")


def rows(table: dict[str, Any]) -> list[str]:
    """Which file systems a table sorts: those whose minutes its expression names, by the labels of those."""
    labels = {line[0]["id"]: line[0]["label"] for line in table["metrics"][1:] if "expression" in line[0]}
    return [labels[one] for one in sorted_ids(table).split(", ")]


def test_a_file_system_has_its_minutes_from_balance_and_rate_and_only_the_sorted_ones_are_visible() -> None:
    (table,) = tables(2)
    (lowest,), *metrics = table["metrics"]
    assert lowest["label"] == ""
    assert "visible" not in lowest
    assert [line[0]["label"] for line in metrics[2::3]] == [file_system_id(0), file_system_id(1)]
    assert all(line[-1]["visible"] is False for line in metrics)


@pytest.mark.parametrize(
    ("balance", "rate", "left"),
    [("600", "2", "5"), ("0", "1", "0"), ("-", "100", "-"), ("600", "-", "-"), ("-", "-", "-"), ("600", "0", "-")],
)
def test_minutes_are_left_where_there_is_a_balance_and_a_rate_and_nothing_is_told_where_one_is_missing(
    balance: str, rate: str, left: str
) -> None:
    (table,) = tables(1)
    expression = table["metrics"][3][0]["expression"]
    assert value(expression, balance0=balance, rate0=rate) == left


def test_the_minutes_are_those_of_the_least_balance_at_the_highest_rate_of_each_file_system() -> None:
    (table,) = tables(2)
    drawn = {line[-1]["id"]: (*line[:-1], line[-1]["stat"]) for line in table["metrics"] if len(line) > 1}
    assert drawn == {
        "balance0": ("AWS/EFS", "BurstCreditBalance", "FileSystemId", file_system_id(0), "Minimum"),
        "rate0": ("AWS/EFS", "PermittedThroughput", "FileSystemId", file_system_id(0), "Maximum"),
        "balance1": ("AWS/EFS", "BurstCreditBalance", "FileSystemId", file_system_id(1), "Minimum"),
        "rate1": ("AWS/EFS", "PermittedThroughput", "FileSystemId", file_system_id(1), "Maximum"),
    }


def test_every_line_has_an_id_of_its_own_that_cloudwatch_takes() -> None:
    """https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDataQuery.html"""
    (table,) = tables(A_TABLE)
    names = [line[-1]["id"] for line in table["metrics"]]
    assert len(names) == len(set(names)) == 3 * A_TABLE + 1
    assert all(re.fullmatch("[a-z][a-zA-Z0-9_]{0,254}", one) for one in names)


def test_a_table_is_of_its_region_in_minutes_with_the_least_in_sight_and_red_below_the_warning() -> None:
    body = dashboard_body("eu-central-1", [file_system_id(1)], (), warning_minutes=240)
    (widget,) = json.loads(body)["widgets"]
    table = widget["properties"]
    assert (widget["type"], table["region"]) == ("metric", "eu-central-1")
    assert table["table"] == {"layout": "horizontal", "summaryColumns": ["MIN"], "stickySummary": True}
    assert table["yAxis"] == {"left": {"label": "minutes", "showUnits": False}}
    warning = {"label": "Warning", "value": 240, "fill": "below", "color": "#d13212"}
    assert table["annotations"] == {"horizontal": [warning]}


@pytest.mark.parametrize("number", ABOUT_ALL)
def test_every_file_system_has_one_row_and_every_table_has_its_worst_first_without_an_end(number: int) -> None:
    """A limit behind the order would leave out those that are not so bad: all were asked for."""
    shown = [one for table in tables(number) for one in rows(table)]
    assert sorted(shown) == [*map(file_system_id, range(min(number, MOST)))]


@pytest.mark.parametrize("number", ABOUT_ALL)
def test_it_shows_the_minutes_of_now_as_rows_whatever_time_is_looked_at(number: int) -> None:
    """By the least of a week one would be first that was gone on Monday and has been full since."""
    for table in tables(number):
        assert table["view"] == "table"
        assert (table["start"], table["period"]) == ("-PT30M", 300)
        assert table["table"]["layout"] == "horizontal"
        assert [(one["value"], one["fill"]) for one in table["annotations"]["horizontal"]] == [(240, "below")]


@pytest.mark.parametrize("number", [A_TABLE - 5, A_TABLE + 5, MOST + 300])
def test_those_in_an_incident_are_in_the_first_table_wherever_their_ids_are(number: int) -> None:
    low = frozenset(map(file_system_id, (number - 1, number - 2, 3)))
    first, *others = tables(number, in_an_incident=low)
    assert rows(first)[:3] == sorted(low)
    assert not low & {one for table in others for one in rows(table)}


@pytest.mark.parametrize(("number", "height"), [(1, 4), (37, 40), (38, 40), (A_TABLE, 40)])
def test_a_table_is_as_high_as_its_rows_up_to_what_a_screen_has(number: int, height: int) -> None:
    body = dashboard_body("eu-central-1", [*map(file_system_id, range(number))], (), warning_minutes=180)
    (widget,) = json.loads(body)["widgets"]
    assert (widget["width"], widget["height"]) == (24, height)


def test_each_of_several_tables_says_which_it_is_and_one_alone_does_not() -> None:
    (only,) = tables(A_TABLE)
    assert only["title"] == "Minutes left at the permitted rate, the fewest first"
    first, second = tables(A_TABLE + 1)
    assert first["title"] == "Minutes left at the permitted rate, the fewest first (1 of 2, with whatever is in ALARM)"
    assert second["title"] == "Minutes left at the permitted rate, the fewest first (2 of 2)"


@pytest.mark.whole
@pytest.mark.parametrize("number", [0, *ABOUT_ALL])
def test_no_table_and_no_dashboard_has_more_than_cloudwatch_takes(number: int) -> None:
    """https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html"""
    metrics = [sum(line[0] == "AWS/EFS" for line in table["metrics"]) for table in tables(number)]
    assert sum(metrics) == 2 * min(number, MOST) <= 2_500
    assert all(len(table["metrics"]) <= 500 for table in tables(number))
    # What GetMetricData takes for an expression.
    assert all(len(table["metrics"][0][0]["expression"]) <= 2_048 for table in tables(number))
    # A table as large as may be, and as many file systems as a dashboard may have.
    assert 500 - 3 < 3 * A_TABLE + 1 <= 500
    assert MOST == 2_500 // 2
