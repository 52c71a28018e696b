"""How many metrics and how often for alarms a run asks CloudWatch, each of which costs: docs/cost.md counts them."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from stage.sam_deployment import PROJECT
from tests.stage.monitor.conftest import HOURLY, WatchedHome
from tests.stage.monitor.test_explain_handler import change, low

PAGE = (PROJECT / "docs" / "cost.md").read_text(encoding="utf-8")
# A line of the stack, and one of what benchmarks add: the stack of these tests has them.
COUNTED = " ".join(re.findall(r"GetMetricData, metrics: (.*?) \|", PAGE))
COUNTED_CALLS = " ".join(re.findall(r"DescribeAlarms.*?, calls: (.*?) \|", PAGE))


def metrics_asked_for(home: WatchedHome) -> int:
    """In all calls of the functions so far."""
    asked = [json.loads(call.body) for call in home.faults.calls if call.action == "GetMetricData" and call.by_function]
    return sum("MetricStat" in query for one in asked for query in one["MetricDataQueries"])


RISE = "permitted-throughput-rise"
RUNS: dict[str, Callable[[WatchedHome], Any]] = {
    "hourly runs": lambda home: home.recalculate(),
    "reports": lambda home: home.call("report_silence", HOURLY),
    "looks": lambda home: home.call("set_late_alarms", HOURLY),
    "explained alarms": lambda home: home.call("explain", change(end="critical")),
}
"""What the page counts, by its words there."""


def second_run(home: WatchedHome, words: str) -> None:
    """With what only the first run asks for out of the way."""
    low(home)
    RUNS[words](home)
    home.faults.forget()
    RUNS[words](home)


@pytest.mark.parametrize("words", RUNS)
def test_a_run_asks_for_as_many_as_the_page_counts(home: WatchedHome, words: str) -> None:
    second_run(home, words)
    assert metrics_asked_for(home) == sum(map(int, re.findall(rf"{words} × (\d+)", COUNTED)))


@pytest.mark.whole
@pytest.mark.parametrize("words", RUNS)
def test_a_run_asks_no_more_often_for_alarms_than_the_page_counts(home: WatchedHome, words: str) -> None:
    """Every alarm of these tests has changed within the day, and its credits are few; the one on growth, whose history
    the page counts for days of growth alone, was armed.
    """
    second_run(home, words)
    asked = [call for call in home.faults.calls if call.action.startswith("DescribeAlarm") and call.by_function]
    of_growth = [one for one in asked if one.action == "DescribeAlarmHistory" and RISE in one.body]
    assert len(of_growth) <= sum(map(int, re.findall(rf"\b{words} in days of growth × (\d+)", COUNTED_CALLS)))
    assert len(asked) - len(of_growth) <= sum(map(int, re.findall(rf"\b{words} × (\d+)", COUNTED_CALLS)))
