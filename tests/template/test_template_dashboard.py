"""The dashboard: what is on it and where, and that it can be drawn."""

import re
from itertools import combinations
from typing import Any

import pytest

from sandbox.cloudformation.intrinsics import VARIABLE
from sim.metric_math import Evaluator, Series, Timeline, names, parse
from tests.template.dashboards import dashboard, expressions, graphs, metrics, widget
from tests.template.documents import FILE_SYSTEM_ID, STACK_NAME, alarm_arn, as_written, of_type, resolved, transformed
from tests.unit.docs.pages import anchors
from tools.dashboard import body, written_into
from tools.fingerprint import TEMPLATE

WIDGETS = dashboard()["widgets"]
GRAPHS = graphs()
GAUGES = {"BurstCreditBalance", "PermittedThroughput", "PercentIOLimit", "StorageBytes"}


def title(graph: dict[str, Any]) -> str:
    return str(graph["title"])


def test_the_template_has_the_dashboard_of_its_own_file() -> None:
    """`make dashboard` writes it."""
    assert written_into(TEMPLATE.read_text()) == TEMPLATE.read_text()


def test_a_template_without_a_place_for_it_is_refused() -> None:
    with pytest.raises(ValueError, match="must have one DashboardBody, with AlarmArns below it; found 0"):
        written_into("Resources: {}\n")


def test_nothing_is_filled_in_that_a_stack_does_not_know() -> None:
    known = as_written()["Parameters"].keys() | {"AWS::Region", "AWS::StackName", "AlarmArns"}
    assert {name.strip() for name in VARIABLE.findall(body())} <= known


def test_there_is_one_unless_it_is_turned_off() -> None:
    document = as_written()
    (found,) = of_type(document, "AWS::CloudWatch::Dashboard").values()
    assert document["Conditions"][found["Condition"]] == {"Fn::Equals": [{"Ref": "Dashboard"}, "on"]}
    assert document["Parameters"]["Dashboard"]["Default"] == "on"


def test_its_name_tells_stacks_of_one_name_in_two_regions_apart() -> None:
    """A dashboard belongs to the account, not to a Region: its ARN has none."""
    name = transformed()["Resources"]["FileSystemDashboard"]["Properties"]["DashboardName"]
    assert "${AWS::Region}" in name["Fn::Sub"]
    assert re.fullmatch(r"[A-Za-z0-9_-]+", resolved(name))


def test_every_widget_lies_within_the_24_columns() -> None:
    for one in WIDGETS:
        assert one["x"] >= 0
        assert one["y"] >= 0
        assert one["x"] + one["width"] <= 24


def test_no_widget_lies_on_another() -> None:
    for one, other in combinations(WIDGETS, 2):
        beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
        assert beside or above


def test_the_rows_are_full() -> None:
    bottom = max(one["y"] + one["height"] for one in WIDGETS)
    assert sum(one["width"] * one["height"] for one in WIDGETS) == 24 * bottom


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
        "Permitted throughput, and the reference of the thresholds",
        "Throughput utilization, and what is left",
        "PercentIOLimit (General Purpose)",
        "Throughput by type",
        "IOPS by type",
        "Average I/O size by type",
        "Share of throughput by type",
        "Share of IOPS by type",
        "Client connections",
        "Storage by class",
        "Alarms written by the recalculation",
        "Decisions",
    }


@pytest.mark.parametrize("graph", GRAPHS, ids=title)
def test_every_axis_says_its_unit_and_every_line_its_meaning(graph: dict[str, Any]) -> None:
    if graph["view"] == "timeSeries":
        axis = graph["yAxis"]["left"]
        assert axis["label"]
        assert axis["min"] == 0
        # CloudWatch's own unit would be that of the metric, not of what was computed from it.
        assert axis["showUnits"] is False
    else:
        assert all(re.search(r", (GiB|MiB/s)$", one.label) for one in expressions(graph))
    assert all(one.label for one in expressions(graph))
    assert all(one.label for one in metrics(graph) if one.visible)


@pytest.mark.parametrize("graph", GRAPHS, ids=title)
def test_every_graph_is_of_this_region_and_by_the_minute(graph: dict[str, Any]) -> None:
    assert (graph["region"], graph["period"]) == ("us-east-1", 60)


@pytest.mark.parametrize("graph", GRAPHS, ids=title)
def test_every_metric_is_of_this_file_system_with_a_statistic_it_has(graph: dict[str, Any]) -> None:
    for one in metrics(graph):
        assert one.dimensions["FileSystemId"] == FILE_SYSTEM_ID
        assert one.dimensions.keys() - {"FileSystemId"} == ({"StorageClass"} if one.name == "StorageBytes" else set())
        assert one.namespace == ("EFSMonitor" if one.name in {"ReferenceThroughput", "AlarmsWritten"} else "AWS/EFS")
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
    empty = {name: Series(name, (None, None)) for name in given}
    evaluator = Evaluator(Timeline(0, 60, 2), empty, computed)
    for name, text in computed.items():
        assert re.fullmatch(r"[a-z][a-zA-Z0-9_]*", name)
        assert len(evaluator.result(name)) == 1, text
    used = {name for text in computed.values() for name in names(parse(text))}
    assert {one.id for one in metrics(graph) if not one.visible} <= used


def test_the_states_are_those_of_all_alarms_that_there_are() -> None:
    every = {"HasUtilizationAlarm": False, "HasIoLimitAlarm": False}
    assert alarms_shown(**every) == of_the_stack("warning", "critical", "permitted-throughput-rise")
    assert alarms_shown(**every | {"HasIoLimitAlarm": True})[3:] == of_the_stack("percent-io-limit")
    assert alarms_shown(**every | {"HasUtilizationAlarm": True})[3:] == of_the_stack("throughput-utilization")
    names = {
        resolved(one["Properties"]["AlarmName"]) for one in of_type(transformed(), "AWS::CloudWatch::Alarm").values()
    }
    assert set(alarms_shown()) == {alarm_arn(name) for name in names}


def alarms_shown(**conditions: bool) -> list[str]:
    (found,) = [one for one in dashboard(**conditions)["widgets"] if one["type"] == "alarm"]
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
    assert {line["label"]: line["value"] for line in lines} == {"Warning": 180, "Critical": 60}


def test_decisions_are_read_where_the_recalculation_logs_them() -> None:
    query = widget("Decisions")["properties"]["query"]
    group = resolved(transformed()["Resources"]["RecalculateThresholdsLogs"]["Properties"]["LogGroupName"])
    source = (TEMPLATE.parent / "src" / "functions" / "recalculate_thresholds" / "app.py").read_text()
    assert query.startswith(f"SOURCE '{group}' | ")
    assert "filter message = 'decided'" in query
    assert 'logger.info("decided"' in source


def test_the_first_steps_lead_to_headings_of_the_runbook() -> None:
    (text,) = [one["properties"]["markdown"] for one in WIDGETS if one["type"] == "text"]
    linked = re.findall(r"\(https://[^)#]+#([^)]+)\)", text)
    assert {"critical", "warning", "remedies"} <= set(linked)
    assert set(linked) <= anchors("docs/runbook.md")
