"""What the page says a benchmark costs is what the code works out."""

import inspect
import re

import pytest
from efs_monitor.aws import embedded_metrics
from efs_monitor.aws.embedded_metrics import publish_run
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.costs import prices
from efs_monitor.efs.credits import GIB, earned_bytes_per_second
from efs_monitor.efs.metering import OPERATION_BYTES

from operate.template_files import template
from tests.unit.docs.pages import prose, table
from tests.unit.docs.sums import item, worked_out

RUNS = 30
SECONDS_PER_DAY = 86_400
COST_PAGE = " ".join(prose("docs/cost.md").split())
MONTH = table("docs/cost.md", "A daily benchmark")
PARAMETERS = template()["Parameters"]
WORKLOADS = workloads_of(PARAMETERS["BenchmarkProfile"]["Default"])
COST = run_cost(WORKLOADS, 1)
RESOURCES = template()["Resources"]
# What is published only where several instances ran, or where one was skipped, has its name elsewhere.
OF_THE_RUN = set(re.findall(r"add_metric\(([A-Z_]+),", inspect.getsource(publish_run))) - {"FLEET_THROUGHPUT"}


def test_the_credits_of_a_run_and_of_a_month_are_the_ones_worked_out() -> None:
    run, month = (f"{runs * COST.metered_bytes / GIB:.2f}" for runs in (1, RUNS))

    assert f"at most {run} GiB a run, {month} GiB a month" in COST_PAGE


@pytest.mark.parametrize("row", table("docs/cost.md", "Stored in Standard"), ids=lambda row: row[0])
def test_the_share_of_what_a_size_earns_is_right(row: list[str]) -> None:
    size_gib = int(row[0].removesuffix(" GiB").replace(",", ""))
    earned_bytes = earned_bytes_per_second(size_gib * GIB) * SECONDS_PER_DAY
    percent = 100 * COST.metered_bytes / earned_bytes

    assert row[1] == f"{earned_bytes / GIB:,.0f} GiB"
    assert row[2] == f"{percent:.{1 if percent >= 1 else 2}f} %"


def test_every_custom_metric_of_a_daily_run_is_paid_for() -> None:
    of_the_run = {getattr(embedded_metrics, name) for name in OF_THE_RUN}

    assert f"{RUNS} × {len(WORKLOADS)} rates, {RUNS} × {len(of_the_run)} of the run" in item(MONTH, "Custom metrics")[0]


def test_no_more_than_twelve_custom_metrics_are_made_by_default() -> None:
    assert worked_out(item(MONTH, "Custom metrics")[0]) / RUNS <= 12


def test_the_starts_are_those_of_the_schedules() -> None:
    sweep = RESOURCES["BenchmarkSweep"]["Properties"]["ScheduleExpression"]
    minutes = re.fullmatch(r"cron\(([\d,]+) \* \* \* \? \*\)", sweep)

    assert minutes
    assert PARAMETERS["BenchmarkSchedule"]["Default"] == "rate(1 day)"
    sweeps = 24 * RUNS * len(minutes[1].split(","))
    assert f"{RUNS} runs, {sweeps} sweeps" in item(MONTH, "EventBridge Scheduler")[0]
    assert f"{RUNS} runs, {RUNS} collected, {sweeps} sweeps" in item(MONTH, "Lambda requests")[0]


def test_elastic_throughput_is_priced_as_in_the_mails() -> None:
    read, written = prices.ELASTIC_READ.dollars, prices.ELASTIC_WRITTEN.dollars
    read_bytes = sum(workload.read_bytes for workload in WORKLOADS)
    # Names and attributes are read and written; at the higher price the figure is never too low.
    dollars = ((COST.billed_bytes - read_bytes) * written + read_bytes * read) / GIB

    assert f"${read:.2f} and ${written:.2f} a GB" in COST_PAGE
    assert f"at most {COST.billed_bytes / GIB:.2f} GiB, ${dollars:.2f}" in COST_PAGE


def test_the_runs_that_the_budget_lets_through_are_counted_right() -> None:
    budget_gib = int(PARAMETERS["MonthlyGiBBudget"]["Default"])
    runs = budget_gib * GIB // COST.billed_bytes

    assert f"`MonthlyGiBBudget` {budget_gib} lets {runs} of them through" in COST_PAGE


def test_a_metadata_operation_is_what_the_page_says() -> None:
    assert f"{OPERATION_BYTES // 1024} KiB for each of its metadata operations" in " ".join(
        prose("docs/benchmarks.md").split()
    )
