"""What the documents say about money adds up."""

import inspect
import json
import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

import pytest
from efs_monitor.aws import embedded_metrics
from efs_monitor.aws.embedded_metrics import publish_run, publish_skip
from efs_monitor.costs import prices
from efs_monitor.costs.monthly_costs import STACK_DOLLARS_A_MONTH, added_dollars, fleet_dollars
from efs_monitor.fleet.fleet_dashboard import dashboard_body
from efs_monitor.fleet.monitor_parameters import with_defaults
from efs_monitor.mail.numbers import money

from operate.template_files import FLEET_TEMPLATE, as_written, template
from tests.unit.docs.pages import PROJECT, prose, table
from tests.unit.docs.sums import item, number, price, worked_out

TABLES = [table("docs/cost.md", "What"), table("docs/cost.md", "A daily benchmark")]
ITEMS = TABLES[0][:-1]
EVERY_ITEM = [line for lines in TABLES for line in lines[:-1]]
OPTIONS = table("docs/cost.md", "Option")
RESOURCES = template()["Resources"]
CONDITIONS = template()["Conditions"]
TEN_THOUSANDTH = Decimal("0.0001")
HOURS = 720
# What they publish costs whoever has benchmarks, and is in their table.
OF_BENCHMARKS = [inspect.getsource(one) for one in (publish_skip, publish_run)]
LISTED = {
    "Alarms": prices.ALARM_METRIC,
    "Custom metrics": prices.CUSTOM_METRIC_HOUR,
    "Dashboards": prices.DASHBOARD,
    "GetMetricData": prices.GET_METRIC_DATA,
    "DescribeAlarms": prices.CLOUDWATCH_CALL,
    "Lambda requests": prices.LAMBDA_REQUEST,
    "Lambda arm64": prices.LAMBDA_ARM_GB_SECOND,
    "EventBridge Scheduler": prices.SCHEDULER_START,
    "Logs": prices.LOGS,
    "SNS mails": prices.MAIL,
}
PAGE = " ".join(prose("docs/cost.md").split())


@pytest.mark.parametrize("line", EVERY_ITEM, ids=lambda line: line[0])
def test_the_amount_follows_from_its_own_words(line: list[str]) -> None:
    assert worked_out(line[0]) == number(line[1])


@pytest.mark.parametrize("line", EVERY_ITEM, ids=lambda line: line[0])
def test_a_line_has_the_listed_price(line: list[str]) -> None:
    (listed,) = [one for start, one in LISTED.items() if line[0].startswith(start)]

    assert line[2] == str(listed)


def test_the_prices_are_those_of_the_region_and_date_that_the_page_names() -> None:
    assert f"at {prices.REGION} list prices of {prices.AS_OF}, free tiers left out" in PAGE
    assert all(one[2] == str(prices.ALARM_METRIC) for one in OPTIONS)
    assert f"${prices.KMS_KEY.listed} for a KMS key" in PAGE
    assert f"${prices.CONFIGURATION_ITEM.listed} for each configuration item" in PAGE
    assert f"one more GetMetricData metric an hour (${HOURS * prices.GET_METRIC_DATA.dollars:.4f})" in PAGE


def test_every_price_has_a_page_of_aws_as_its_source() -> None:
    listed = [one for one in vars(prices).values() if isinstance(one, prices.Price)]

    assert listed
    assert all(one.source.startswith("https://aws.amazon.com/") for one in listed)


@pytest.mark.parametrize("line", EVERY_ITEM, ids=lambda line: line[0])
def test_a_line_costs_its_amount_times_its_price(line: list[str]) -> None:
    cost = (number(line[1]) * price(line[2])).quantize(TEN_THOUSANDTH, ROUND_HALF_UP)

    assert number(line[3]) == cost


@pytest.mark.parametrize("lines", TABLES, ids=["monitor", "benchmarks"])
def test_the_lines_add_up_to_the_sum(lines: list[list[str]]) -> None:
    assert number(lines[-1][3]) == sum(number(line[3]) for line in lines[:-1])


def test_the_readme_says_what_it_comes_to() -> None:
    month, benchmark = (number(lines[-1][3]) for lines in TABLES)
    (dashboard,) = [number(line[3]) for line in ITEMS if line[0].startswith("Dashboards")]
    readme = " ".join(prose("README.md").split())

    assert f"A month costs [about ${month:.2f}](docs/cost.md) at {prices.REGION} list prices" in readme
    assert f"${month - dashboard:.2f} where the dashboard is one of an account's three free ones" in readme
    assert f"a daily benchmark adds ${benchmark:.2f}" in readme


def test_every_alarm_of_the_stack_is_paid_for() -> None:
    alarms = [resource for resource in RESOURCES.values() if resource["Type"] == "AWS::CloudWatch::Alarm"]

    assert number(item(ITEMS, "Alarms")[1]) == len([alarm for alarm in alarms if "Condition" not in alarm])


def test_a_stack_of_a_fleet_costs_no_more_than_its_digest_says() -> None:
    month = number(TABLES[0][-1][3])
    left_out = [number(item(ITEMS, start)[3]) for start in ("Dashboards", "Custom metrics")]
    each = month - sum(left_out)

    longest = sum(cost_of_31_days(one) for one in ITEMS if not one[0].startswith(("Dashboards", "Custom metrics")))

    assert f"${left_out[0]:.4f} and ${left_out[1]:.4f} less, so ${each:.4f} a month each, and ${longest:.4f} in" in PAGE
    assert each < longest <= Decimal(str(STACK_DOLLARS_A_MONTH)) == Decimal("0.8")


def test_the_page_says_what_a_month_of_low_credits_costs_a_stack_of_a_fleet() -> None:
    lines = [one for one in ITEMS if not one[0].startswith(("Dashboards", "Custom metrics"))]
    words = [(one[0].replace("500 looks", "3600 looks").replace("20 repeats", "180 repeats"), one[2]) for one in lines]
    # Alarms are not worked out: they are what they are.
    worst = sum(
        number(line[3]) if text == line[0] else (worked_out(text) * price(listed)).quantize(TEN_THOUSANDTH)
        for line, (text, listed) in zip(lines, words, strict=True)
    )
    assert f"180 mails repeat Critical, it is ${worst:.4f}" in PAGE


def cost_of_31_days(line: list[str]) -> Decimal:
    """What comes each hour comes as much more often; alarms that change do not."""
    each_hour = r"\b(\d+)(?= (?:hourly runs|reports|looks|hours|runs)\b)"
    words = re.sub(each_hour, lambda found: str(round(int(found[1]) * 744 / HOURS)), line[0])
    return worked_out(words) * price(line[2])


def test_what_options_add_in_the_digest_of_a_fleet_is_what_this_page_has() -> None:
    listed = {option[0].split("`")[1]: number(option[3]) for option in OPTIONS}
    with_a_dashboard = sum(number(item(ITEMS, start)[3]) for start in ("Dashboards", "Custom metrics"))
    daily = number(TABLES[1][-1][3])

    assert {name: added_dollars({name: "on"}) for name in listed} == pytest.approx(
        {name: float(dollars) for name, dollars in listed.items()}
    )
    assert added_dollars({"Dashboard": "on"}) == pytest.approx(float(with_a_dashboard))
    assert 0 <= added_dollars({"BenchmarkPath": "/mnt/efs"}) - float(daily) < 0.01
    assert added_dollars(with_defaults({"Dashboard": "off"})) == 0
    both = added_dollars({"Dashboard": "on", "IoLimitAlarm": "on", "BenchmarkPath": "/a"})
    assert both == pytest.approx(3.40 + added_dollars({"BenchmarkPath": "/a"}))


def test_other_processors_add_what_this_page_has() -> None:
    seconds = sum(number(item(lines, "Lambda arm64")[1]) for lines in TABLES)
    dearer = seconds * Decimal(str(prices.LAMBDA_X86_GB_SECOND.dollars - prices.LAMBDA_ARM_GB_SECOND.dollars))

    assert f"x86_64 adds ${dearer:.4f}" in PAGE
    assert 0 <= Decimal(str(added_dollars({"Architecture": "x86_64"}))) - dearer < Decimal("0.01")


def test_every_alarm_of_a_fleet_itself_is_paid_for() -> None:
    resources = as_written(FLEET_TEMPLATE)["Resources"].values()
    alarms = sum(one["Type"] == "AWS::CloudWatch::Alarm" for one in resources)

    assert f"; its {alarms} alarms, ${alarms * prices.ALARM_METRIC.dollars:.2f}; and its dashboard" in PAGE


def test_what_a_fleet_adds_in_its_digest_is_what_this_page_has() -> None:
    function, alarms, dashboard, large = map(
        Decimal,
        re.findall(
            r"some \$([\d.]+) with its calls.*alarms, \$([\d.]+); .*dashboard, \$([\d.]+),.*calls, \$([\d.]+)\.", PAGE
        )[0],
    )
    assert fleet_dollars(dashboard=False, tables=2) == pytest.approx(float(function + alarms))
    assert fleet_dollars(dashboard=True, tables=1) == pytest.approx(float(function + alarms + dashboard))
    assert fleet_dollars(dashboard=True, tables=2) == pytest.approx(float(function + alarms + dashboard + large))


def test_every_dashboard_of_the_stack_is_paid_for() -> None:
    dashboards = [resource for resource in RESOURCES.values() if resource["Type"] == "AWS::CloudWatch::Dashboard"]

    assert number(item(ITEMS, "Dashboards")[1]) == len(dashboards)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option[0])
def test_an_optional_alarm_costs_its_metrics(option: list[str]) -> None:
    parameter = option[0].split("`")[1]
    on = json.dumps({"Fn::Equals": [{"Ref": parameter}, "on"]})
    (condition,) = [name for name, one in CONDITIONS.items() if on in json.dumps(one)]
    (alarm,) = [one["Properties"] for one in RESOURCES.values() if one.get("Condition") == condition]
    metrics = [one for one in alarm["Metrics"] if "MetricStat" in one] if "Metrics" in alarm else [alarm["MetricName"]]

    assert worked_out(option[0]) == number(option[1]) == len(metrics)
    assert number(option[3]) == number(option[1]) * price(option[2])


def test_every_alarm_that_is_off_by_default_has_its_price() -> None:
    parameters = template()["Parameters"].items()
    off = {name for name, one in parameters if name.endswith("Alarm") and one.get("Default") == "off"}

    assert {option[0].split("`")[1] for option in OPTIONS} == off


def test_every_metric_that_is_published_is_paid_for() -> None:
    def names(sources: Iterable[str]) -> set[str]:
        found = {name for source in sources for name in re.findall(r'add_metric\("?(\w+)"?,', source)}
        return {getattr(embedded_metrics, name, name) for name in found}

    published = names(file.read_text() for file in PROJECT.glob("src/**/*.py")) - names(OF_BENCHMARKS)

    assert set(re.findall(r"`(\w+)`", item(ITEMS, "Custom metrics")[0])) == published


def test_the_runs_are_those_of_the_schedule_and_the_memory_that_of_the_functions() -> None:
    memory_megabytes = template()["Globals"]["Function"]["MemorySize"]
    schedules = [
        one for one in RESOURCES.values() if one["Type"] == "AWS::Scheduler::Schedule" and "Condition" not in one
    ]
    an_hour = {"cron(0 * * * ? *)": 1, "cron(20 * * * ? *)": 1, "cron(0/12 * * * ? *)": 5}
    found = [one["Properties"]["ScheduleExpression"] for one in schedules]

    assert sorted(found) == sorted(an_hour)
    assert number(item(ITEMS, "EventBridge Scheduler")[1]) == HOURS * sum(an_hour[one] for one in found)
    for lines in TABLES:
        assert f"{memory_megabytes / 1024:g} GB" in item(lines, "Lambda arm64, GB-seconds")[0]


def test_the_runbook_asks_the_same_prices_as_the_mails() -> None:
    runbook = " ".join(prose("docs/runbook.md").split())

    assert f"{money(prices.ELASTIC_READ.dollars)} per GB read" in runbook
    assert f"{money(prices.ELASTIC_WRITTEN.dollars)} per GB written" in runbook
    assert f"{money(prices.PROVISIONED.dollars)} per MiB/s-month" in runbook
    assert f"{money(prices.STANDARD_STORAGE.dollars)} per GB-month" in runbook


def test_the_examples_in_the_runbook_are_worked_out_right() -> None:
    runbook = " ".join(prose("docs/runbook.md").split())
    hourly = 100 * (prices.ELASTIC_READ.dollars + prices.ELASTIC_WRITTEN.dollars)
    earned_mib_per_second = 100 * 50 / 1024
    monthly = (100 - earned_mib_per_second) * prices.PROVISIONED.dollars

    assert f"100 GB read and 100 GB written an hour are ${hourly:.0f} an hour" in runbook
    assert f"are about {money(monthly)} a month, {money(monthly / prices.HOURS_PER_MONTH)} an hour" in runbook


@pytest.mark.parametrize("page", ["template.yaml", "fleet.yaml", "docs/fleet.md"])
def test_what_a_dashboard_costs_is_said_alike_everywhere(page: str) -> None:
    written = (PROJECT / page).read_text()
    said = re.findall(r"\$([0-9.]+) a month (?:after the first three|for each file system)", written)
    assert [Decimal(one) for one in said] == [Decimal(prices.DASHBOARD.listed)]


def test_from_which_size_on_the_dashboard_of_a_fleet_is_never_free_is_said() -> None:
    """Free are three with up to 50 metrics each (CloudWatch pricing)."""

    def metrics(number: int) -> int:
        ids = [f"fs-{one:017x}" for one in range(number)]
        return dashboard_body("eu-central-1", ids, (), warning_minutes=180).count('"AWS/EFS"')

    largest = max(number for number in range(100) if metrics(number) <= 50)
    assert f"or with more than {largest} file systems" in (PROJECT / "fleet.yaml").read_text()
    assert f"with at most {largest} file systems" in PAGE
