"""What the fleet's dashboard shows, within what CloudWatch lets a dashboard have."""

import json
from typing import Any

import pytest
from efs_monitor.fleet.fleet_dashboard import MOST, dashboard_body

from tests.unit.fleet.account import file_system_id


def graphs(number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(dashboard_body("eu-central-1", [*map(file_system_id, range(number))]))[
        "widgets"
    ]
    return [one["properties"] for one in found]


def test_each_file_system_has_a_line_of_its_own_and_the_lowest_are_drawn() -> None:
    (graph,) = graphs(2)
    (lowest,), *metrics = graph["metrics"]
    assert lowest["expression"] == "SORT([left0, left1], MIN, ASC, 20)"
    assert [line[0]["label"] for line in metrics if "expression" in line[0]] == [*map(file_system_id, range(2))]
    assert metrics[2][0]["expression"] == "IF(rate0 > 0, balance0 / rate0 / 60)"
    assert all(line[-1]["visible"] is False for line in metrics)


@pytest.mark.parametrize("number", [0, 1, 100, 101, 1_000, 5_000])
def test_no_graph_and_no_dashboard_has_more_than_cloudwatch_takes(number: int) -> None:
    """https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html"""
    metrics = [sum(line[0] == "AWS/EFS" for line in graph["metrics"]) for graph in graphs(number)]
    assert sum(metrics) == 2 * min(number, MOST) <= 2_500
    assert all(len(graph["metrics"]) <= 500 for graph in graphs(number))
    # What GetMetricData takes for an expression.
    assert all(len(graph["metrics"][0][0]["expression"]) <= 2_048 for graph in graphs(number))
