"""What the options of a monitor stack add to its costs."""

import pytest
from efs_monitor.mail.monthly_costs import added_dollars, fleet_dollars


@pytest.mark.parametrize(
    ("parameters", "dollars"),
    [
        ({}, 0),
        ({"Dashboard": "off", "UtilizationAlarm": "off", "BenchmarkPath": ""}, 0),
        ({"Dashboard": "on"}, 3.30),
        ({"UtilizationAlarm": "on"}, 0.20),
        ({"IoLimitAlarm": "on"}, 0.10),
        ({"BenchmarkPath": "/mnt/efs"}, 0.21),
        ({"BenchmarkPath": "/mnt/efs", "BenchmarkFailuresAlarm": "on", "RegressionsAlarm": "on"}, 0.41),
        ({"Dashboard": "on", "UtilizationAlarm": "on", "BenchmarkPath": "/mnt/efs"}, 3.71),
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
