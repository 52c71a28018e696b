"""What the documents say about money adds up."""

import re
from decimal import ROUND_HALF_UP, Decimal
from math import prod

import pytest
from efs_monitor.messages import remedies
from efs_monitor.messages.figures import money

from tests.unit.docs.pages import PROJECT, prose, table
from tools.fingerprint import template

*ITEMS, SUM = table("README.md", "What")
OPTIONS = table("README.md", "Option")
RESOURCES = template()["Resources"]
CONDITIONS = template()["Conditions"]
TEN_THOUSANDTH = Decimal("0.0001")
HOURS = 720


def _number(text: str) -> Decimal:
    return Decimal(text.replace(",", "").strip("$* "))


def _price(text: str) -> Decimal:
    """`$0.10 each` or `$0.20 per 1,000,000`, as dollars for one."""
    match = re.fullmatch(r"\$([\d.]+) (?:each|per ([\d,]+))", text)
    assert match, text
    return Decimal(match[1]) / _number(match[2] or "1")


def _worked_out(what: str) -> Decimal:
    """The amount from its own words: terms behind the colon are added, numbers in a term multiplied."""
    terms = what.partition(": ")[2].split(", ")
    return Decimal(sum(prod(map(Decimal, re.findall(r"\d+(?:\.\d+)?", term))) for term in terms))


def _item(start: str) -> list[str]:
    (found,) = [item for item in ITEMS if item[0].startswith(start)]
    return found


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item[0])
def test_the_amount_follows_from_its_own_words(item: list[str]) -> None:
    assert _worked_out(item[0]) == _number(item[1])


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item[0])
def test_a_line_costs_its_amount_times_its_price(item: list[str]) -> None:
    cost = (_number(item[1]) * _price(item[2])).quantize(TEN_THOUSANDTH, ROUND_HALF_UP)

    assert _number(item[3]) == cost


def test_the_lines_add_up_to_the_sum() -> None:
    assert _number(SUM[3]) == sum(_number(item[3]) for item in ITEMS)


def test_every_alarm_of_the_stack_is_paid_for() -> None:
    alarms = [resource for resource in RESOURCES.values() if resource["Type"] == "AWS::CloudWatch::Alarm"]

    assert _number(_item("Alarms")[1]) == len([alarm for alarm in alarms if "Condition" not in alarm])


def test_every_dashboard_of_the_stack_is_paid_for() -> None:
    dashboards = [resource for resource in RESOURCES.values() if resource["Type"] == "AWS::CloudWatch::Dashboard"]

    assert _number(_item("Dashboards")[1]) == len(dashboards)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option[0])
def test_an_optional_alarm_costs_its_metrics(option: list[str]) -> None:
    parameter = option[0].split("`")[1]
    (condition,) = [name for name, one in CONDITIONS.items() if one == {"Fn::Equals": [{"Ref": parameter}, "on"]}]
    (alarm,) = [one["Properties"] for one in RESOURCES.values() if one.get("Condition") == condition]
    metrics = [one for one in alarm["Metrics"] if "MetricStat" in one] if "Metrics" in alarm else [alarm["MetricName"]]

    assert _worked_out(option[0]) == _number(option[1]) == len(metrics)
    assert _number(option[3]) == _number(option[1]) * _price(option[2])


def test_everything_that_is_off_by_default_has_its_price() -> None:
    off = {name for name, parameter in template()["Parameters"].items() if parameter.get("Default") == "off"}

    assert {option[0].split("`")[1] for option in OPTIONS} == off


def test_every_metric_that_is_published_is_paid_for() -> None:
    sources = [file.read_text() for file in PROJECT.glob("src/**/*.py")]
    published = {name for source in sources for name in re.findall(r'add_metric\("(\w+)"', source)}

    assert set(re.findall(r"`(\w+)`", _item("Custom metrics")[0])) == published


def test_the_runs_are_those_of_the_schedule_and_the_memory_that_of_the_functions() -> None:
    memory_megabytes = template()["Globals"]["Function"]["MemorySize"]

    schedules = [one for one in RESOURCES.values() if one["Type"] == "AWS::Scheduler::Schedule"]
    hourly = {"rate(1 hour)", "cron(20 * * * ? *)"}

    assert {one["Properties"]["ScheduleExpression"] for one in schedules} == hourly
    assert _number(_item("EventBridge Scheduler")[1]) == HOURS * len(schedules)
    assert f"{memory_megabytes / 1024:g} GB" in _item("Lambda arm64, GB-seconds")[0]


def test_the_runbook_asks_the_same_prices_as_the_mails() -> None:
    runbook = " ".join(prose("docs/runbook.md").split())

    assert f"{money(remedies.ELASTIC_DOLLARS_PER_GIB_READ)} per GB read" in runbook
    assert f"{money(remedies.ELASTIC_DOLLARS_PER_GIB_WRITTEN)} per GB written" in runbook
    assert f"{money(remedies.PROVISIONED_DOLLARS_PER_MIB_PER_SECOND_MONTH)} per MiB/s-month" in runbook
    assert f"{money(remedies.STORAGE_DOLLARS_PER_GIB_MONTH)} per GB-month" in runbook


def test_the_examples_in_the_runbook_are_worked_out_right() -> None:
    runbook = " ".join(prose("docs/runbook.md").split())
    hourly = 100 * (remedies.ELASTIC_DOLLARS_PER_GIB_READ + remedies.ELASTIC_DOLLARS_PER_GIB_WRITTEN)
    earned_mib_per_second = 100 * 50 / 1024
    monthly = (100 - earned_mib_per_second) * remedies.PROVISIONED_DOLLARS_PER_MIB_PER_SECOND_MONTH

    assert f"100 GB read and 100 GB written an hour are ${hourly:.0f} an hour" in runbook
    assert f"are about {money(monthly)} a month, {money(monthly / remedies.HOURS_PER_MONTH)} an hour" in runbook
