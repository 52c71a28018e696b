"""What the options of a monitor stack add to its costs a month, at list prices."""

from collections.abc import Mapping

from efs_monitor.mail.prices import ALARM_METRIC, CUSTOM_METRIC_HOUR, DASHBOARD

# As docs/cost.md counts them.
HOURS_A_MONTH = 720
# With a dashboard ReferenceThroughput is published, which only it draws.
DASHBOARD_DOLLARS = DASHBOARD.dollars + HOURS_A_MONTH * CUSTOM_METRIC_HOUR.dollars
# How many metrics each optional alarm is about.
ALARM_METRICS = {"UtilizationAlarm": 2, "IoLimitAlarm": 1, "BenchmarkFailuresAlarm": 1, "RegressionsAlarm": 1}
# Of one run a day; docs/cost.md works it out, and a test holds that it is not more. In elastic mode EFS bills besides
# what a run reads and writes.
BENCHMARKS_DOLLARS = 0.21


def added_dollars(parameters: Mapping[str, str]) -> float:
    """What a stack with these parameters costs more than one without a dashboard, optional alarms and benchmarks."""
    metrics = sum(count for name, count in ALARM_METRICS.items() if parameters.get(name) == "on")
    dashboard = DASHBOARD_DOLLARS if parameters.get("Dashboard") == "on" else 0
    benchmarks = BENCHMARKS_DOLLARS if parameters.get("BenchmarkPath") else 0
    return metrics * ALARM_METRIC.dollars + dashboard + benchmarks
