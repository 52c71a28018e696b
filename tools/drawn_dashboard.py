"""A dashboard as a page: each widget at its place on a grid of 24 columns, drawn from what CloudWatch answers.

It is our drawing of CloudWatch's format and not CloudWatch: the format says what is drawn, and where, and not with how
many pixels. What this does not know is refused by name, so that nothing of a dashboard is silently left out.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from math import ceil, floor
from typing import Any

from tools.drawn_graph import Box, GraphLine, colors_of, graph, number, sparkline

COLUMNS, COLUMN_PIXELS, ROW_PIXELS, GAP_PIXELS = 24, 50, 44, 5
# What the console calls the states, and their colours.
STATES = {
    "OK": ("OK", "#2e7d32"),
    "ALARM": ("In alarm", "#d13212"),
    "INSUFFICIENT_DATA": ("Insufficient data", "#687078"),
}
TITLE_PIXELS = 26
# What a number with its name below it needs at least.
VALUE_PIXELS = 125
BODY = {"start", "periodOverride", "widgets"}
WIDGET = {"type", "x", "y", "width", "height", "properties"}
GRAPH = {"title", "region", "view", "period", "stat", "start", "end", "metrics"}
PROPERTIES = {
    "text": {"markdown"},
    "alarm": {"title", "alarms"},
    "log": {"title", "region", "view", "query"},
    "timeSeries": GRAPH | {"stacked", "yAxis", "annotations"},
    "bar": GRAPH | {"yAxis"},
    "singleValue": GRAPH | {"sparkline"},
}
LINE_SETTINGS = {"id", "expression", "label", "color", "visible", "stat"}
AXIS = {"label", "min", "max", "showUnits"}
ANNOTATION = {"label", "value", "color"}

type Widget = Mapping[str, Any]


class NotDrawn(Exception):
    """A dashboard has something that this does not draw; the sentence says what."""


@dataclass(frozen=True, kw_only=True)
class WidgetData:
    """What CloudWatch answers about a widget: lines between two times, states of alarms by name, or rows of a table."""

    begin: float = 0.0
    end: float = 0.0
    lines: tuple[GraphLine, ...] = ()
    states: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def refuse_unknown(body: Mapping[str, Any]) -> None:
    """NotDrawn names the first thing in a dashboard that is not drawn."""
    _only("The dashboard", body, BODY)
    if body.get("periodOverride") != "inherit":
        raise NotDrawn(
            f"periodOverride is {body.get('periodOverride')!r}; drawn is 'inherit', each widget's own period"
        )
    for widget in body["widgets"]:
        _only("A widget", widget, WIDGET)
        kind, properties = kind_of(widget), widget["properties"]
        name = repr(properties.get("title", kind))
        _only(name, properties, PROPERTIES[kind])
        axes = properties.get("yAxis", {})
        _only(f"yAxis of {name}", axes, {"left"})
        _only(f"yAxis.left of {name}", axes.get("left", {}), AXIS)
        annotations = properties.get("annotations", {})
        _only(f"annotations of {name}", annotations, {"horizontal"})
        for one in annotations.get("horizontal", ()):
            _only(f"An annotation of {name}", one, ANNOTATION)
        for line in properties.get("metrics", ()):
            for settings in line:
                if isinstance(settings, dict):
                    _only(f"A line of {name}", settings, LINE_SETTINGS)


def kind_of(widget: Widget) -> str:
    """The type of a widget, the view where it shows metrics; NotDrawn where there is no such thing here."""
    kind = widget["properties"].get("view", "timeSeries") if widget["type"] == "metric" else widget["type"]
    if kind not in PROPERTIES:
        raise NotDrawn(f"A widget of the type {widget['type']!r} is {kind!r}; drawn are {', '.join(PROPERTIES)}")
    if kind == "log" and widget["properties"].get("view") != "table":
        raise NotDrawn("A log widget is drawn as a table only")
    return str(kind)


def _only(what: str, given: Collection[str], known: Collection[str]) -> None:
    for name in given:
        if name not in known:
            raise NotDrawn(f"{what} has {name!r}; drawn are {', '.join(sorted(known))}")


def page(body: Mapping[str, Any], answers: Sequence[WidgetData], name: str) -> str:
    """The whole dashboard as HTML; `answers` are those about its widgets, in their order."""
    refuse_unknown(body)
    drawn = "\n".join(_placed(widget, answer) for widget, answer in zip(body["widgets"], answers, strict=True))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(name)}</title>'
        f'<style>{STYLE}</style><div id="board" style="width:{COLUMNS * COLUMN_PIXELS}px;height:{height(body)}px">'
        f"\n{drawn}\n</div></html>\n"
    )


def height(body: Mapping[str, Any]) -> int:
    """How many pixels high the page is."""
    return int(max(one["y"] + one["height"] for one in body["widgets"]) * ROW_PIXELS)


def _placed(widget: Widget, answer: WidgetData) -> str:
    width, tall = widget["width"] * COLUMN_PIXELS - 2 * GAP_PIXELS, widget["height"] * ROW_PIXELS - 2 * GAP_PIXELS
    left, top = widget["x"] * COLUMN_PIXELS + GAP_PIXELS, widget["y"] * ROW_PIXELS + GAP_PIXELS
    properties, kind = widget["properties"], kind_of(widget)
    title = f"<h1>{escape(properties['title'])}</h1>" if "title" in properties else ""
    inside = DRAWN[kind](properties, answer, (width, tall - TITLE_PIXELS))
    return (
        f'<section class="{kind}" style="left:{left}px;top:{top}px;width:{width}px;height:{tall}px">{title}{inside}'
        "</section>"
    )


def _text(properties: Mapping[str, Any], answer: WidgetData, box: Box) -> str:
    """The part of Markdown that is used: a heading, paragraphs, a numbered list; strong, emphasis, code and links."""
    del answer, box
    return "".join(_block(block) for block in properties["markdown"].split("\n\n"))


def _block(block: str) -> str:
    if block.startswith("## "):
        return f"<h2>{_inline(block[3:])}</h2>"
    items = block.split("\n")
    if all(re.match(r"\d+\. ", item) for item in items):
        return f"<ol>{''.join(f'<li>{_inline(item.partition(". ")[2])}</li>' for item in items)}</ol>"
    return f"<p>{_inline(block)}</p>"


def _inline(text: str) -> str:
    text = escape(text, quote=False)
    for pattern, made in (
        (r"\*\*(.+?)\*\*", r"<b>\1</b>"),
        (r"\*(.+?)\*", r"<i>\1</i>"),
        (r"`(.+?)`", r"<code>\1</code>"),
        (r"\[(.+?)\]\((.+?)\)", r'<a href="\2">\1</a>'),
    ):
        text = re.sub(pattern, made, text)
    return text


def _alarms(properties: Mapping[str, Any], answer: WidgetData, box: Box) -> str:
    del properties, box
    return "".join(
        f'<p class="state"><b style="background:{STATES[state][1]}">{STATES[state][0]}</b>{escape(name)}</p>'
        for name, state in answer.states
    )


def _table(properties: Mapping[str, Any], answer: WidgetData, box: Box) -> str:
    """The rows that there is room for: in the console one scrolls."""
    del properties
    head, *rows = answer.rows
    shown = rows[: max(0, floor(box[1] / 22) - 2)]
    cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in shown)
    return f"<table><tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>{cells}</table>"


def _values(properties: Mapping[str, Any], answer: WidgetData, box: Box) -> str:
    """The newest value of each line, with the line itself below it where the widget wants it."""
    columns = min(len(answer.lines), floor(box[0] / VALUE_PIXELS))
    width, tall = (box[0] - 14) / columns, (box[1] - 6) / ceil(len(answer.lines) / columns)
    cells = []
    for line, color in zip(answer.lines, colors_of(answer.lines), strict=True):
        value, spark = "--", ""
        if line.points:
            value = number(line.points[-1][1])
            if properties.get("sparkline"):
                spark = sparkline(line, (answer.begin, answer.end), (width - 14, max(8.0, tall - 78)), color)
        cells.append(
            f'<div style="width:{width:.0f}px;height:{tall:.0f}px"><b>{value}</b>'
            f'<span style="border-color:{color}">{escape(line.label)}</span>{spark}</div>'
        )
    return "".join(cells)


def _graph(properties: Mapping[str, Any], answer: WidgetData, box: Box) -> str:
    return graph(properties, answer.lines, (answer.begin, answer.end), box)


def _bars(properties: Mapping[str, Any], answer: WidgetData, box: Box) -> str:
    """The newest value of each line as a bar."""
    colored = zip(answer.lines, colors_of(answer.lines), strict=True)
    newest = [(line.label, line.points[-1][1], color) for line, color in colored if line.points]
    most = max((value for _, value, _ in newest), default=1.0) or 1.0
    bars = "".join(
        f'<p><i style="width:{(box[0] - 20) * value / most:.0f}px;background:{color}"></i>{escape(label)}: '
        f"{number(value)}</p>"
        for label, value, color in newest
    )
    return f"<em>{escape(properties['yAxis']['left']['label'])}</em>{bars}"


DRAWN: Mapping[str, Callable[[Mapping[str, Any], WidgetData, Box], str]] = {
    "text": _text,
    "alarm": _alarms,
    "log": _table,
    "timeSeries": _graph,
    "bar": _bars,
    "singleValue": _values,
}


LENGTHS = {"PT": timedelta(hours=1), "P": timedelta(days=1)}


def moment(text: str, now: datetime) -> datetime:
    """A relative time such as -PT24H, -P14D or P0D, seen from `now`; NotDrawn for any other."""
    found = re.fullmatch(r"-?(PT(?=\d+H)|P(?=\d+D))(\d+)[HD]", text)
    if found is None:
        raise NotDrawn(f"A time {text!r}; drawn are hours and days before now, such as -PT24H and -P14D")
    return now - LENGTHS[found[1]] * int(found[2])


STYLE = """
body { margin: 0; background: #f2f3f3; font: 12px/1.35 "DejaVu Sans", Arial, sans-serif; color: #16191f }
#board { position: relative }
section { position: absolute; box-sizing: border-box; background: #fff; border: 1px solid #d5dbdb; overflow: hidden;
  padding: 0 6px }
h1 { font-size: 12.5px; margin: 0; height: 25px; line-height: 25px; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis }
h2 { font-size: 15px; margin: 8px 0 6px }
p { margin: 4px 0 }
ol { margin: 4px 0; padding-left: 20px }
li { margin: 3px 0 }
code { font: 11px "DejaVu Sans Mono", monospace; background: #f2f3f3 }
a { color: #0073bb }
svg { display: block }
text { font: 10px "DejaVu Sans", Arial, sans-serif }
.legend { font-size: 10px; line-height: 16px }
.legend span { display: inline-block; margin-right: 12px; white-space: nowrap }
.legend i { display: inline-block; width: 9px; height: 9px; margin-right: 4px }
.state { display: flex; gap: 8px; align-items: center }
.state b { color: #fff; font-size: 10px; padding: 3px 0; width: 100px; text-align: center; border-radius: 2px;
  flex: none }
.singleValue div { float: left; overflow: hidden }
.singleValue b { font-size: 24px; font-weight: normal; display: block; line-height: 32px }
.singleValue span { font-size: 10px; line-height: 13px; height: 39px; display: block; border-left: 8px solid;
  padding: 0 5px; box-sizing: border-box }
.bar em { color: #545b64 }
.bar p { position: relative; margin: 2px 0; line-height: 18px; padding-left: 4px; white-space: nowrap }
.bar p i { position: absolute; left: 0; top: 0; height: 18px; opacity: 0.35 }
table { border-collapse: collapse; width: 100%; font-size: 10.5px }
td, th { text-align: left; height: 21px; padding: 0 8px 0 0; border-bottom: 1px solid #eaeded; white-space: nowrap }
"""
