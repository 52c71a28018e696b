"""The dashboard: what is on it and where, and that it can be drawn."""

import inspect
import re
from itertools import combinations
from typing import Any

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.aws.embedded_metrics import (
    CONSECUTIVE_FAILURES,
    FLEET_THROUGHPUT,
    REFERENCE_THROUGHPUT,
    REGRESSIONS,
    SKIPPED,
    SUCCESS,
)
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.profiles import PROFILES, workloads_of
from efs_monitor.benchmarks.published import comparison
from efs_monitor.benchmarks.workloads import RateKind, Workload
from efs_monitor.costs import prices
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.metering import SMALLEST_DATA_OPERATION_KIB, SMALLEST_METADATA_OPERATION_KIB
from efs_monitor.usecases import collect_benchmark, recalculate

from localaws.cloudformation.intrinsics import VARIABLE
from simulation.metric_math import Evaluator, Series, Timeline, names
from tests.template.dashboards import dashboard, graphs, widget
from tests.template.template_documents import (
    FILE_SYSTEM_ID,
    RUNBOOK_URL,
    STACK_NAME,
    alarm_arn,
    of_type,
    resolved,
    transformed,
    with_includes,
)
from tests.unit.docs.pages import anchors, prose
from tools.benchmark_lines import lines
from tools.dashboard import body, of_benchmarks
from tools.graph_metrics import Metric, expressions, metrics

WIDGETS = dashboard()["widgets"]
# All of a stack that measures the quick profile, and what any other profile adds.
OF_OTHERS = [one for name in ("tutorial", "sweep", "copy") for one in graphs(name) if one["title"].startswith("Bench")]
GRAPHS = [*graphs(), *OF_OTHERS]
# What the ids of a graph's workloads begin with.
RATES = {
    "Benchmarks: files made": "touch-",
    "Benchmarks: data written": "dd-write-",
    "Benchmarks: data read": "dd-read-",
    "Benchmarks: files written": "files-write-",
    "Benchmarks: files read": "files-read-",
    "Benchmarks: copies": "copy-",
}
FLEETS = {
    "Benchmarks: files made by several instances": "files/s",
    "Benchmarks: data of several instances": "MiB/s",
}
BESIDE = "Benchmarks: the newest beside published figures"
BENCHMARKS = {*RATES, *FLEETS, BESIDE, "Benchmarks: runs", "Benchmarks: results"}
# What the quick profile measures none of.
NOT_QUICK = {"Benchmarks: files written", "Benchmarks: files read", "Benchmarks: copies"}
WORKLOADS = tuple(CATALOGUE.values())
COMPARED = tuple(one for one in WORKLOADS if comparison(one) is not None)
OURS = {
    *(REFERENCE_THROUGHPUT, RateKind.THROUGHPUT, RateKind.OPERATIONS, FLEET_THROUGHPUT),
    *(SUCCESS, CONSECUTIVE_FAILURES, REGRESSIONS, SKIPPED),
}
FURTHER = {
    "StorageBytes": "StorageClass",
    **dict.fromkeys((RateKind.THROUGHPUT, RateKind.OPERATIONS, FLEET_THROUGHPUT), "Workload"),
}
GAUGES = {"BurstCreditBalance", "PermittedThroughput", "PercentIOLimit", "StorageBytes"}


def title(graph: dict[str, Any]) -> str:
    return str(graph["title"])


def test_nothing_is_filled_in_that_a_stack_does_not_know() -> None:
    known = with_includes()["Parameters"].keys() | {
        "AWS::Region",
        "AWS::StackName",
        "AlarmArns",
        "BenchmarkWidgets",
        "Runbook",
    }
    assert {name.strip() for name in VARIABLE.findall(body() + of_benchmarks("sweep", local_baselines=True))} <= known


def test_there_is_one_unless_it_is_turned_off() -> None:
    document = with_includes()
    (found,) = of_type(document, "AWS::CloudWatch::Dashboard").values()
    assert document["Conditions"][found["Condition"]] == {"Fn::Equals": [{"Ref": "Dashboard"}, "on"]}
    assert document["Parameters"]["Dashboard"]["Default"] == "on"


def test_its_name_tells_stacks_of_one_name_in_two_regions_apart() -> None:
    """A dashboard belongs to the account, not to a Region: its ARN has none."""
    name = transformed()["Resources"]["FileSystemDashboard"]["Properties"]["DashboardName"]
    assert "${AWS::Region}" in name["Fn::Sub"]
    assert re.fullmatch(r"[A-Za-z0-9_-]+", resolved(name))


@pytest.mark.parametrize("profile", PROFILES)
def test_every_widget_lies_within_the_24_columns(profile: str) -> None:
    for one in dashboard(profile)["widgets"]:
        assert one["x"] >= 0
        assert one["y"] >= 0
        assert one["x"] + one["width"] <= 24


@pytest.mark.parametrize("profile", PROFILES)
def test_no_widget_lies_on_another(profile: str) -> None:
    for one, other in combinations(dashboard(profile)["widgets"], 2):
        beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
        assert beside or above


@pytest.mark.parametrize("profile", PROFILES)
def test_the_rows_are_full(profile: str) -> None:
    widgets = dashboard(profile)["widgets"]
    bottom = max(one["y"] + one["height"] for one in widgets)
    assert sum(one["width"] * one["height"] for one in widgets) == 24 * bottom


def test_every_widget_but_the_text_has_a_title_of_its_own() -> None:
    titles = [one["properties"]["title"] for one in WIDGETS if one["type"] != "text"]
    assert len(set(titles)) == len(titles) == len(WIDGETS) - 1


def test_what_is_shown_is_what_an_operator_asks_for() -> None:
    assert {one["properties"].get("title", "") for one in WIDGETS} == {
        "",
        "States of the alarms",
        "File system facts",
        "Minutes left",
        "Credit balance, and where the alarms stood",
        "Phases of incidents",
        "The last 24 hours",
        "Permitted throughput, and the reference",
        "Throughput utilization, and what is left",
        "PercentIOLimit (General Purpose)",
        "Throughput by type",
        "IOPS by type",
        "Average I/O size by type",
        "Share of throughput by type",
        "Share of IOPS by type",
        "Client connections",
        "Storage by class",
        "Decisions",
        *BENCHMARKS - NOT_QUICK,
    }


def test_benchmarks_are_shown_only_where_there_are_any() -> None:
    without = {one["properties"].get("title", "") for one in dashboard(HasBenchmarks=False)["widgets"]}
    assert without.isdisjoint(BENCHMARKS)
    assert len(without) == len(WIDGETS) - len(BENCHMARKS - NOT_QUICK)


@pytest.mark.parametrize("graph", GRAPHS, ids=title)
def test_every_axis_says_its_unit_and_every_line_its_meaning(graph: dict[str, Any]) -> None:
    if graph["view"] in {"timeSeries", "bar"}:
        axis = graph["yAxis"]["left"]
        assert axis["label"]
        assert axis["min"] == 0
        # CloudWatch's own unit would be that of the metric, not of what was computed from it.
        assert axis["showUnits"] is False
    else:
        assert all(re.search(r", (GiB|MiB/s|minutes|hours|USD)$", one.label) for one in expressions(graph))
    assert all(one.label for one in expressions(graph))
    assert all(one.label for one in metrics(graph) if one.visible)


@pytest.mark.parametrize("graph", GRAPHS, ids=title)
def test_every_graph_is_of_this_region_and_by_the_minute(graph: dict[str, Any]) -> None:
    """A benchmark is run once a day or so: two weeks of them, by the hour. The last day is that in any range."""
    of_benchmarks = title(graph) in BENCHMARKS
    assert (graph["region"], graph["period"]) == ("us-east-1", 3600 if of_benchmarks else 60)
    start = "-P14D" if of_benchmarks else "-PT24H" if title(graph) == "The last 24 hours" else None
    assert (graph.get("start"), graph.get("end")) == (start, start and "P0D")


def test_no_period_is_lengthened_so_that_the_newest_is_a_whole_one() -> None:
    """Sums of a period that is not over yet would make every rate drop at the right edge."""
    assert dashboard()["periodOverride"] == "inherit"


def test_the_last_hour_takes_a_quarter_of_the_scale_of_minutes() -> None:
    graph = widget("Minutes left")["properties"]
    assert graph["yAxis"]["left"]["max"] == 4 * 60
    assert all("< 240" in one.expression for one in expressions(graph))


def test_a_kind_of_work_and_a_threshold_has_one_colour_everywhere() -> None:
    kinds = ("Total", "Read", "Write", "Metadata", "Warning", "Critical", "Exhausted")
    seen = {kind: set[str | None]() for kind in kinds}
    for graph in GRAPHS:
        lines_drawn = [(one.label, one.color) for one in expressions(graph)]
        notes = [(one["label"], one.get("color")) for one in graph.get("annotations", {}).get("horizontal", ())]
        for label, color in [*lines_drawn, *notes]:
            if (kind := re.split(r"\W", label)[0]) in seen:
                seen[kind].add(color)
    assert {kind: len(found) for kind, found in seen.items()} == dict.fromkeys(kinds, 1)


def test_the_last_day_in_elastic_throughput_has_the_prices_and_the_least_sizes_of_the_mails() -> None:
    (line,) = [one for one in expressions(widget("The last 24 hours")["properties"]) if one.id == "elastic_dollars"]
    read, written = prices.ELASTIC_READ.dollars, prices.ELASTIC_WRITTEN.dollars
    assert [float(one) for one in re.findall(r"\* (0\.\d+)", line.expression)] == [read, written, read]
    data, metadata = SMALLEST_DATA_OPERATION_KIB * 1024, SMALLEST_METADATA_OPERATION_KIB * 1024
    assert [int(one) for one in re.findall(r"s \* (\d+),", line.expression)] == [data, data, metadata]


def test_lines_of_no_graph_are_refused() -> None:
    with pytest.raises(ValueError, match="No lines are called 'dd'; there are touch, dd-write, dd-read, "):
        lines("dd", workloads_of("quick"))


def of_rates(profile: str, **conditions: bool) -> dict[str, list[Metric]]:
    """The metrics of the graphs of rates, by their titles."""
    widgets = dashboard(profile, **conditions)["widgets"]
    titled = {one["properties"].get("title", ""): one["properties"] for one in widgets}
    return {name: metrics(titled[name]) for name in RATES if name in titled}


@pytest.mark.parametrize("local", [True, False])
@pytest.mark.parametrize("profile", PROFILES)
def test_what_the_profile_measures_is_drawn_in_one_graph_and_nothing_else(profile: str, local: bool) -> None:
    found = of_rates(profile, HasLocalBaselines=local)
    drawn = [one.dimensions["Workload"] for graph in found.values() for one in graph]
    assert sorted(drawn) == sorted(one.id for one in workloads_of(profile, local_baselines=local))
    assert all(found.values())


@pytest.mark.parametrize("profile", PROFILES)
def test_a_graph_has_the_workloads_of_one_kind_by_the_metric_of_their_rate(profile: str) -> None:
    kinds = {one.id: str(one.rate_kind) for one in workloads_of(profile, local_baselines=True)}
    for name, graph in of_rates(profile).items():
        assert all(one.dimensions["Workload"].startswith(RATES[name]) for one in graph)
        assert {one.name for one in graph} == {kinds[one.dimensions["Workload"]] for one in graph}


@pytest.mark.parametrize(("name", "unit"), FLEETS.items())
@pytest.mark.parametrize("profile", PROFILES)
def test_the_sum_over_several_instances_is_drawn_of_every_workload_in_the_unit_of_its_rate(
    profile: str, name: str, unit: str
) -> None:
    kind = RateKind.OPERATIONS if unit == "files/s" else RateKind.THROUGHPUT
    measured = [one.id for one in workloads_of(profile) if one.rate_kind is kind]
    found = [one for one in graphs(profile) if one["title"] == name]
    assert len(found) == bool(measured)
    for graph in found:
        assert graph["yAxis"]["left"]["label"] == unit
        drawn = metrics(graph)
        assert {one.name for one in drawn} == {"FleetThroughput"}
        assert [one.dimensions["Workload"] for one in drawn] == measured


def test_a_line_says_what_was_published_and_what_is_a_local_baseline() -> None:
    labels = {one.label for graph in GRAPHS if graph["title"] in RATES for one in expressions(graph)}
    labels |= {one.label or "" for one in metrics(widget("Benchmarks: files made")["properties"])}
    assert labels >= {
        "touch-serial (published 63 files/s)",
        "touch-serial on the local disk",
        "dd-write-1m-end (published 191 MiB/s)",
        "dd-write-1m-end on the local disk (published 120 MiB/s)",
        "files-write-10kb-2 (published 1.5 MiB/s)",
        # Of a hundred megabytes nobody published anything.
        "files-write-100mb-1",
    }


@pytest.mark.parametrize("profile", PROFILES)
def test_every_workload_with_a_published_figure_is_shown_beside_it(profile: str) -> None:
    drawn = {one.dimensions["Workload"]: one.name for one in metrics(widget(BESIDE, profile)["properties"])}
    measured = {one.id for one in workloads_of(profile)}
    assert drawn == {one.id: str(one.rate_kind) for one in COMPARED if one.id in measured}


@pytest.mark.parametrize("workload", COMPARED, ids=lambda one: one.id)
def test_the_figure_beside_a_workload_is_the_one_that_was_published(workload: Workload) -> None:
    published = comparison(workload)
    assert published is not None
    profile = next(name for name, one in PROFILES.items() if workload.id in one.workload_ids)
    beside = widget(BESIDE, profile)["properties"]
    (line,) = [one for one in expressions(beside) if one.label.startswith(f"{workload.id}: ")]
    assert line.expression == f"100 * FILL({workload.id.replace('-', '_')}, REPEAT) / {published.rate:.0f}"
    if workload.rate_kind is RateKind.OPERATIONS:
        amount = f"{published.rate:,.0f} files/s"
    else:
        amount = f"{published.rate / MIB:.{0 if published.rate >= 10 * MIB else 1}f} MiB/s"
    assert line.label == f"{workload.id}: % of {amount} ({published.instance_type or published.source})"


def test_no_more_metrics_are_asked_for_than_cloudwatch_draws() -> None:
    """500 a widget and 2,500 a dashboard (CloudWatch service quotas); expressions are counted with them here."""
    for profile in PROFILES:
        asked = [len(graph["metrics"]) for graph in graphs(profile)]
        assert max(asked) <= 500
        assert sum(asked) <= 2500


def test_a_result_published_twice_is_drawn_once() -> None:
    """No statistic of a benchmark's metric adds up what the same run said twice."""
    for graph in GRAPHS:
        if graph["title"] in BENCHMARKS:
            assert {one.statistic for one in metrics(graph)} <= {"Average", "Maximum", "Minimum"}


def test_results_are_read_where_the_collection_logs_them() -> None:
    query = widget("Benchmarks: results")["properties"]["query"]
    group = resolved(transformed()["Resources"]["CollectBenchmarkLogs"]["Properties"]["LogGroupName"])
    source = inspect.getsource(collect_benchmark)
    assert query.startswith(f"SOURCE '{group}' | ")
    assert "filter message = 'measured'" in query
    assert 'logger.info("measured"' in source


def test_without_benchmarks_it_is_small_enough_to_be_one_of_the_free_ones() -> None:
    """Three with up to 50 metrics each (CloudWatch pricing)."""
    without = [one["properties"] for one in dashboard(HasBenchmarks=False)["widgets"] if one["type"] == "metric"]
    assert sum(len(metrics(graph)) for graph in without) <= 50


@pytest.mark.parametrize("graph", GRAPHS, ids=title)
def test_every_metric_is_of_this_file_system_with_a_statistic_it_has(graph: dict[str, Any]) -> None:
    for one in metrics(graph):
        assert one.dimensions["FileSystemId"] == FILE_SYSTEM_ID
        further = {FURTHER[one.name]} if one.name in FURTHER else set()
        assert one.dimensions.keys() - {"FileSystemId"} == further
        assert one.namespace == ("EFSMonitor" if one.name in OURS else "AWS/EFS")
        if one.name in GAUGES:
            assert one.statistic in {"Minimum", "Maximum", "Average"}
        if one.name == "ClientConnections":
            assert one.statistic == "Sum"
        assert one.statistic is not None


@pytest.mark.parametrize("graph", GRAPHS, ids=title)
def test_every_expression_is_metric_math_over_what_its_graph_has(graph: dict[str, Any]) -> None:
    given = [one.id for one in metrics(graph) if one.id is not None]
    computed = {one.id: one.expression for one in expressions(graph)}
    assert len({*given, *computed}) == len(given) + len(computed)
    empty = {name: Series((None, None)) for name in given}
    evaluator = Evaluator(Timeline(0, 60, 2), empty, computed)
    for name, text in computed.items():
        assert re.fullmatch(r"[a-z][a-zA-Z0-9_]*", name)
        assert evaluator.result(name), text
    used = {name for text in computed.values() for name in names(text)}
    assert {one.id for one in metrics(graph) if not one.visible} <= used


def test_the_states_are_those_of_all_alarms_that_there_are() -> None:
    every = {
        "HasUtilizationAlarm": False,
        "HasIoLimitAlarm": False,
        "HasBenchmarkFailuresAlarm": False,
        "HasRegressionsAlarm": False,
    }
    assert alarms_shown(**every) == of_the_stack(
        "warning", "critical", "exhausted", "draining", "permitted-throughput-rise"
    )
    assert alarms_shown(**every | {"HasIoLimitAlarm": True})[5:] == of_the_stack("percent-io-limit")
    assert alarms_shown(**every | {"HasUtilizationAlarm": True})[5:] == of_the_stack("throughput-utilization")
    assert alarms_shown(**every | {"HasBenchmarkFailuresAlarm": True})[5:] == of_the_stack("benchmark-failures")
    assert alarms_shown(**every | {"HasRegressionsAlarm": True})[5:] == of_the_stack("benchmark-regressions")
    names = {
        resolved(one["Properties"]["AlarmName"]) for one in of_type(transformed(), "AWS::CloudWatch::Alarm").values()
    }
    assert set(alarms_shown()) == {alarm_arn(name) for name in names}


def alarms_shown(**conditions: bool) -> list[str]:
    (found,) = [one for one in dashboard("quick", **conditions)["widgets"] if one["type"] == "alarm"]
    shown: list[str] = found["properties"]["alarms"]
    return shown


def of_the_stack(*endings: str) -> list[str]:
    return [alarm_arn(f"{STACK_NAME}-{ending}") for ending in endings]


def test_the_lines_of_the_optional_alarms_are_their_thresholds() -> None:
    for name, shown in {
        "ThroughputUtilizationAlarm": "Throughput utilization, and what is left",
        "PercentIoLimitAlarm": "PercentIOLimit (General Purpose)",
    }.items():
        (line,) = widget(shown)["properties"]["annotations"]["horizontal"]
        assert line["value"] == transformed()["Resources"][name]["Properties"]["Threshold"]


def test_utilization_is_computed_as_its_alarm_computes_it() -> None:
    (alarms,) = [
        one["Expression"]
        for one in transformed()["Resources"]["ThroughputUtilizationAlarm"]["Properties"]["Metrics"]
        if "Expression" in one
    ]
    shown = expressions(widget("Throughput utilization, and what is left")["properties"])
    assert alarms in {one.expression for one in shown}


def test_the_minutes_of_the_thresholds_are_numbers() -> None:
    lines = widget("Minutes left")["properties"]["annotations"]["horizontal"]
    assert {line["label"]: line["value"] for line in lines} == {
        "Warning": 180,
        "Critical, and Draining at the net rate": 60,
        "Exhausted": 1,
    }


def test_decisions_are_read_where_the_recalculation_logs_them() -> None:
    query = widget("Decisions")["properties"]["query"]
    group = resolved(transformed()["Resources"]["RecalculateThresholdsLogs"]["Properties"]["LogGroupName"])
    source = inspect.getsource(recalculate)
    assert query.startswith(f"SOURCE '{group}' | ")
    assert "filter message = 'decided'" in query
    assert 'headline="decided"' in source
    # CloudWatch Logs numbers what stands in a list; each of the alarms can be written.
    written = [f"replace(alarms_written.{number}, '{STACK_NAME}-', '')" for number in range(len(AlarmKind))]
    assert [one for one in written if one not in query] == []
    assert '"alarms_written": [' in source


@pytest.mark.parametrize("page", ["dashboard", "docs/parameters.md"])
def test_a_range_is_advised_that_the_hourly_reference_reaches_over(page: str) -> None:
    """CloudWatch repeats no datapoint of before the range: what needs the reference begins with the first one in it.
    The longest pause is from the beginning of one hour's window to the end of the next.
    """
    schedule = transformed()["Resources"]["HourlySchedule"]["Properties"]
    longest_minutes = 60 + schedule["FlexibleTimeWindow"]["MaximumWindowInMinutes"]
    (text,) = [one["properties"]["markdown"] for one in WIDGETS if one["type"] == "text"]
    said = text if page == "dashboard" else " ".join(prose(page).partition("## The dashboard")[2].split())
    (hours,) = re.findall(r"[Cc]hoose (\d+) hours or more", said)
    assert schedule["ScheduleExpression"] == "cron(0 * * * ? *)"
    assert 60 * int(hours) >= 2 * longest_minutes


def test_the_first_steps_lead_to_headings_of_a_runbook_where_there_is_one() -> None:
    (text,) = [one["properties"]["markdown"] for one in WIDGETS if one["type"] == "text"]
    linked = re.findall(rf"\({RUNBOOK_URL}#([^)]+)\)", text)
    assert {"critical", "warning", "remedies"} <= set(linked)
    assert set(linked) <= anchors("docs/runbook.md")
    (unlinked,) = [
        one["properties"]["markdown"] for one in dashboard(HasRunbook=False)["widgets"] if one["type"] == "text"
    ]
    assert text.startswith(unlinked)
    assert "](" not in unlinked
