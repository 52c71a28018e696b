"""The drawing of a dashboard: what the format says is drawn, and what is not known is refused by name."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from efs_monitor.benchmarks.profiles import PROFILES

from localaws.clock import START
from tests.template.dashboards import CUT_OFF, dashboard
from tools.browser import browser
from tools.drawn_dashboard import COLUMN_PIXELS, COLUMNS, DRAWN, NotDrawn, WidgetData, height, kind_of, moment, page
from tools.drawn_graph import GraphLine, number
from tools.graph_metrics import queries

BEGIN = START.timestamp()


def answered(widget: dict[str, Any]) -> WidgetData:
    """Something of each kind, three hours long."""
    lines = (
        GraphLine(label="one", color="#123456", points=((BEGIN, 1.0), (BEGIN + 60, 2.0), (BEGIN + 3600, 3.0))),
        GraphLine(label="without points", color=None, points=()),
    )
    return {
        "alarm": WidgetData(states=(("home-warning", "ALARM"), ("home-critical", "INSUFFICIENT_DATA"))),
        "log": WidgetData(rows=(("@timestamp", "reason"), ("2030-01-07 01:00:00", "growth"))),
        "text": WidgetData(),
    }.get(widget["type"], WidgetData(begin=BEGIN, end=BEGIN + 3 * 3600, lines=lines))


def drawn(body: dict[str, Any]) -> str:
    return page(body, [answered(one) for one in body["widgets"]], "home")


def test_every_type_that_the_dashboard_has_is_drawn_and_no_other_is_known() -> None:
    assert {kind_of(one) for one in dashboard()["widgets"]} == set(DRAWN)


def test_every_widget_is_drawn_with_its_title_and_what_was_answered() -> None:
    body = dashboard()
    found = unescape(drawn(body))
    titles = [one["properties"]["title"] for one in body["widgets"] if "title" in one["properties"]]
    assert [one for one in titles if f"<h1>{one}</h1>" not in found] == []
    assert found.count("<section ") == len(body["widgets"])
    for words in ("In alarm</b>home-warning", "<td>growth</td>", "<b>How long?</b>", "Threshold of IoLimitAlarm"):
        assert words in found


def test_a_gap_is_left_open_and_a_lone_point_is_a_dot() -> None:
    (graph,) = [one for one in dashboard()["widgets"] if one["properties"].get("title") == "IOPS by type"]
    found = drawn({"periodOverride": "inherit", "widgets": [graph]})
    assert len(re.findall(r'<path d="[^"]*" fill="none" stroke="#123456"', found)) == 1
    assert len(re.findall(r'<circle [^>]*fill="#123456"', found)) == 1


def with_property(widget: dict[str, Any], **more: Any) -> None:
    widget["properties"] |= more


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda one: one.update(type="explorer"), "A widget of the type 'explorer' is 'explorer'; drawn are "),
        (lambda one: with_property(one, view="pie"), "A widget of the type 'metric' is 'pie'; drawn are "),
        (lambda one: with_property(one, liveData=True), "'IOPS by type' has 'liveData'; drawn are "),
        (lambda one: one.update(id="w"), "A widget has 'id'; drawn are "),
        (
            lambda one: one["properties"]["yAxis"].update(right={}),
            "yAxis of 'IOPS by type' has 'right'; drawn are left",
        ),
        (lambda one: one["properties"]["yAxis"]["left"].update(log=1), "yAxis.left of 'IOPS by type' has 'log'; "),
        (lambda one: with_property(one, annotations={"vertical": []}), "annotations of 'IOPS by type' has 'vertical'"),
        (
            lambda one: with_property(one, annotations={"horizontal": [{"fill": "above"}]}),
            "An annotation of 'IOPS by type' has 'fill'",
        ),
        (lambda one: one["properties"]["metrics"][0][-1].update(yAxis="right"), "A line of 'IOPS by type' has 'yAxis'"),
    ],
)
def test_what_is_not_known_is_refused_by_name(change: Callable[[dict[str, Any]], None], sentence: str) -> None:
    (graph,) = [one for one in dashboard()["widgets"] if one["properties"].get("title") == "IOPS by type"]
    change(graph)
    with pytest.raises(NotDrawn) as refusal:
        drawn({"periodOverride": "inherit", "widgets": [graph]})
    assert str(refusal.value).startswith(sentence)


def test_periods_that_the_console_would_choose_are_refused() -> None:
    with pytest.raises(NotDrawn, match="periodOverride is 'auto'; drawn is 'inherit'"):
        drawn({"periodOverride": "auto", "widgets": []})


def test_a_log_is_drawn_as_a_table_only() -> None:
    (log, *_) = [one for one in dashboard()["widgets"] if one["type"] == "log"]
    with_property(log, view="bar")
    with pytest.raises(NotDrawn, match="A log widget is drawn as a table only"):
        drawn({"periodOverride": "inherit", "widgets": [log]})


def test_times_are_hours_and_days_before_now() -> None:
    assert [START - moment(one, START) for one in ("-PT24H", "-P14D", "P0D")] == [
        timedelta(days=1),
        timedelta(days=14),
        timedelta(0),
    ]
    with pytest.raises(NotDrawn, match="A time '2030-01-01'; drawn are "):
        moment("2030-01-01", START)


def test_numbers_have_three_digits() -> None:
    assert [number(one) for one in (0, 1e-9, 4.1499, 999.4, 999.6, 1054.7, 2.5e6, 3e9)] == [
        *("0", "0", "4.15", "999", "1K", "1.05K", "2.5M", "3G"),
    ]


@pytest.mark.whole
@pytest.mark.needs("chromium")
def test_no_legend_of_any_profile_is_cut_off(tmp_path: Path) -> None:
    with browser() as window:
        for profile in PROFILES:
            body = dashboard(profile)
            named = [
                WidgetData(begin=BEGIN, end=BEGIN + 3600, lines=tuple(lines_of(one["properties"])))
                if one["type"] == "metric"
                else answered(one)
                for one in body["widgets"]
            ]
            (tmp_path / "dashboard.html").write_text(page(body, named, profile))
            window.look(COLUMNS * COLUMN_PIXELS, height(body))
            window.open(tmp_path / "dashboard.html")
            assert window.run(CUT_OFF) == [], profile


def lines_of(graph: dict[str, Any]) -> Iterator[GraphLine]:
    """A line with two points for each that is visible."""
    for one in queries(graph, 60):
        if one.get("ReturnData", True):
            yield GraphLine(label=one["Label"], color=None, points=((BEGIN, 1.0), (BEGIN + 60, 2.0)))


@pytest.mark.whole
@pytest.mark.needs("chromium")
def test_a_title_and_a_legend_that_are_too_long_are_noticed(tmp_path: Path) -> None:
    (graph,) = [one for one in dashboard()["widgets"] if one["properties"].get("title") == "IOPS by type"]
    with_property(graph, title="Operations " * 10)
    many = tuple(GraphLine(label=f"{number} of many", color=None, points=((BEGIN, 1.0),)) for number in range(80))
    path = tmp_path / "dashboard.html"
    body = {"periodOverride": "inherit", "widgets": [graph]}
    path.write_text(page(body, [WidgetData(begin=BEGIN, end=BEGIN + 3600, lines=many)], "home"))
    with browser() as window:
        window.look(COLUMNS * COLUMN_PIXELS, 1000)
        window.open(path)
        found = " ".join(window.run(CUT_OFF))
    assert "Operations Operations" in found
