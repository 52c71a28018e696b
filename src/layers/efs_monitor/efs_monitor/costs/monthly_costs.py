"""What a fleet's monitor stack costs a month, what options add, and what the fleet has once, at list prices."""

from collections.abc import Mapping

from efs_monitor.benchmarks.profiles import PROFILES
from efs_monitor.benchmarks.schedule import runs_a_month
from efs_monitor.costs.prices import ALARM_METRIC, CUSTOM_METRIC_HOUR, DASHBOARD, GET_METRIC_DATA
from efs_monitor.fleet.monitor_parameters import with_defaults

# What a fleet's monitor stack costs without options; docs/cost.md works it out, and a test holds that it is not more.
STACK_DOLLARS_A_MONTH = 0.80
# docs/cost.md counts a month of 30 days; what EFS bills is counted by the average month (prices.py).
HOURS_OF_30_DAYS = 720
# With a dashboard ReferenceThroughput is published, which only it draws.
DASHBOARD_DOLLARS = DASHBOARD.dollars + HOURS_OF_30_DAYS * CUSTOM_METRIC_HOUR.dollars
# How many metrics each optional alarm is about.
ALARM_METRICS = {"UtilizationAlarm": 2, "IoLimitAlarm": 1, "BenchmarkFailuresAlarm": 1, "RegressionsAlarm": 1}
# What a month of benchmarks costs without the metrics of its runs, and what each run costs without those; docs/cost.md
# works the sum of daily ones out, and a test holds that it is not more. In elastic mode EFS bills besides what a run
# reads and writes.
BENCHMARKS_DOLLARS, RUN_DOLLARS = 0.05, 0.0001
# The metrics that a run has beside the rates of its workloads.
METRICS_OF_A_RUN = 4
# What a stack's functions, those of benchmarks with them, cost more on x86_64 than on arm64.
X86_DOLLARS = 0.02

# A fleet's function with its calls and its log, and its own alarms; docs/cost.md works them out.
FLEET_FUNCTION_DOLLARS = 0.20
FLEET_ALARMS = 2
# Where its dashboard has several tables, each run reads which alarms are on, and writes it anew.
LARGE_FLEET_DOLLARS = 0.17


def fleet_dollars(*, dashboard: bool, tables: int) -> float:
    """What a fleet costs besides its monitor stacks, with a dashboard of so many tables that is none of an account's
    free ones, or without one.
    """
    drawn = DASHBOARD.dollars + (LARGE_FLEET_DOLLARS if tables > 1 else 0) if dashboard else 0
    return FLEET_FUNCTION_DOLLARS + FLEET_ALARMS * ALARM_METRIC.dollars + drawn


def added_dollars(parameters: Mapping[str, str]) -> float:
    """What a stack with these parameters costs more than one on arm64 without a dashboard, optional alarms and
    benchmarks.
    """
    metrics = sum(count for name, count in ALARM_METRICS.items() if parameters.get(name) == "on")
    dashboard = DASHBOARD_DOLLARS if parameters.get("Dashboard") == "on" else 0
    x86 = X86_DOLLARS if parameters.get("Architecture") == "x86_64" else 0
    return metrics * ALARM_METRIC.dollars + dashboard + x86 + _benchmarks_dollars(with_defaults(parameters))


def _benchmarks_dollars(parameters: Mapping[str, str]) -> float:
    """What benchmarks add: each workload has a rate, another on a local path, and another of instances together."""
    if not parameters["BenchmarkPath"]:
        return 0
    # A stack of a later release may have a profile that is not known here yet.
    profile = PROFILES.get(parameters["BenchmarkProfile"], PROFILES["quick"])
    workloads = len(profile.workload_ids)
    series = 1 + bool(parameters["BenchmarkLocalPath"]) + ("," in parameters["BenchmarkInstanceIds"])
    rates = workloads * series
    # A metric is paid for in each hour in which it gets a value, and its past is read to find what became slow.
    run = (rates + METRICS_OF_A_RUN) * CUSTOM_METRIC_HOUR.dollars + rates * GET_METRIC_DATA.dollars + RUN_DOLLARS
    return BENCHMARKS_DOLLARS + runs_a_month(parameters["BenchmarkSchedule"]) * run
