"""What a command takes for a parameter that nobody gave is what the template would give the stack."""

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest
from efs_monitor.alarms.alarm import AlarmKind

from operate.commands.on_metrics import backtest, report
from operate.fleet_plan import GRACE_HOURS
from operate.replay.replayed_account import ReplayedStack
from operate.template_defaults import RISE_TOLERANCE_PERCENT, SETTINGS
from operate.template_files import FLEET_TEMPLATE, TEMPLATE, as_written


def written_default(name: str, template: Path = TEMPLATE) -> int:
    return int(as_written(template)["Parameters"][name]["Default"])


def default_of_option(command: Callable[..., None], option: str) -> object:
    return inspect.signature(command).parameters[option].default


@pytest.mark.whole
@pytest.mark.parametrize("command", [backtest, report], ids=lambda command: command.__name__)
@pytest.mark.parametrize(("option", "parameter"), [("warning", "WarningMinutes"), ("critical", "CriticalMinutes")])
def test_a_command_has_the_lead_times_of_the_template(
    command: Callable[..., None], option: str, parameter: str
) -> None:
    assert default_of_option(command, option) == written_default(parameter)


def test_a_rise_counts_from_where_the_template_has_it_count() -> None:
    assert written_default("RiseTolerancePercent") == RISE_TOLERANCE_PERCENT


@pytest.mark.whole
def test_a_replayed_stack_says_again_what_lasts_when_a_deployed_one_would() -> None:
    stack = ReplayedStack(name="home", region="us-east-1", settings=SETTINGS, runbook_url="")
    assert stack.settings.lead_minutes(AlarmKind.WARNING) == written_default("WarningMinutes")
    assert stack.repeat_hours.warning == written_default("RepeatWarningHours")
    assert stack.repeat_hours.critical == written_default("RepeatCriticalHours")
    assert stack.silent_metrics_hours == written_default("SilentMetricsHours")


def test_a_planned_fleet_waits_as_long_as_a_deployed_one() -> None:
    assert written_default("GraceHours", FLEET_TEMPLATE) == GRACE_HOURS
