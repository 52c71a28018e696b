"""What the options of a monitor stack add to its costs."""

import pytest
from efs_monitor.benchmarks.profiles import PROFILES
from efs_monitor.costs.monthly_costs import added_dollars, fleet_dollars

A_METRIC = 0.30 / 720
# Eight rates, each with its past, and four metrics of the run.
A_RUN = 12 * A_METRIC + 8 * 0.00001 + 0.0001
DAILY = 0.05 + 30 * A_RUN
COPIES = len(PROFILES["copy"].workload_ids)


@pytest.mark.parametrize(
    ("parameters", "dollars"),
    [
        ({}, 0),
        ({"Dashboard": "off", "UtilizationAlarm": "off", "BenchmarkPath": ""}, 0),
        ({"Dashboard": "on"}, 3.30),
        ({"UtilizationAlarm": "on"}, 0.20),
        ({"IoLimitAlarm": "on"}, 0.10),
        ({"BenchmarkPath": "/mnt/efs"}, DAILY),
        ({"BenchmarkPath": "/mnt/efs", "BenchmarkFailuresAlarm": "on", "RegressionsAlarm": "on"}, 0.20 + DAILY),
        ({"Dashboard": "on", "UtilizationAlarm": "on", "BenchmarkPath": "/mnt/efs"}, 3.50 + DAILY),
        ({"Architecture": "x86_64"}, 0.02),
        # By hand alone: what looks for commands that ended runs all the same.
        ({"BenchmarkPath": "/mnt/efs", "BenchmarkSchedule": ""}, 0.05),
        ({"BenchmarkPath": "/mnt/efs", "BenchmarkSchedule": "rate(1 hour)"}, 0.05 + 720 * A_RUN),
        ({"BenchmarkPath": "/mnt/efs", "BenchmarkSchedule": "cron(0 */6 * * ? *)"}, 0.05 + 120 * A_RUN),
        (
            {"BenchmarkPath": "/mnt/efs", "BenchmarkLocalPath": "/tmp", "BenchmarkInstanceIds": "i-1,i-2"},
            0.05 + 30 * (28 * A_METRIC + 24 * 0.00001 + 0.0001),
        ),
        # Of a later release.
        ({"BenchmarkPath": "/mnt/efs", "BenchmarkProfile": "deep"}, DAILY),
        ({"BenchmarkPath": "/mnt/efs", "BenchmarkSchedule": "at(2030-01-01T00:00:00)"}, 0.05),
        (
            {"BenchmarkPath": "/mnt/efs", "BenchmarkProfile": "copy"},
            0.05 + 30 * ((COPIES + 4) * A_METRIC + COPIES * 0.00001 + 0.0001),
        ),
    ],
)
def test_each_option_that_is_on_adds_its_own(parameters: dict[str, str], dollars: float) -> None:
    assert added_dollars(parameters) == pytest.approx(dollars)


@pytest.mark.parametrize(
    ("dashboard", "tables", "dollars"),
    [(False, 0, 0.40), (False, 2, 0.40), (True, 0, 3.40), (True, 1, 3.40), (True, 2, 3.57)],
)
def test_a_fleet_costs_its_function_and_alarms_and_what_it_draws(dashboard: bool, tables: int, dollars: float) -> None:
    assert fleet_dollars(dashboard=dashboard, tables=tables) == pytest.approx(dollars)
