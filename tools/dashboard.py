"""The dashboard of src/dashboard, as properties that the template includes: one string of JSON, a widget a line."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import batched
from pathlib import Path
from typing import Any

import yaml
from efs_monitor.aws import embedded_metrics
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.costs import prices

from tools.benchmark_lines import lines
from tools.graph_metrics import colors as visible_lines

FOLDER = Path(__file__).parent.parent / "src" / "dashboard"
PROPERTIES, SOURCE, BENCHMARKS = (FOLDER / name for name in ("properties.yaml", "dashboard.json", "benchmarks.json"))
# A GB, as AWS lists it.
PRICES = {"${ElasticReadDollars}": prices.ELASTIC_READ, "${ElasticWrittenDollars}": prices.ELASTIC_WRITTEN}
# Each metric of ours, by what the module that publishes it calls its name.
NAMES = {
    f"${{{constant}}}": name
    for constant, name in vars(embedded_metrics).items()
    if constant.isupper() and isinstance(name, str)
}
COLUMNS, GRAPH_ROWS, TABLE_ROWS = 24, 7, 14
# As many have room in the legend of a graph a third as wide as the dashboard.
MOST_LINES = 8
# In JSON these are text; what the template puts in their place is a number or a list.
NOT_TEXT = re.compile(r'"(\$\{(?:AlarmArns|WarningMinutes|CriticalMinutes)\})"')


def properties() -> dict[str, Any]:
    """All properties of the dashboard, in long forms, the body with both files in their places."""
    written: dict[str, Any] = yaml.safe_load(PROPERTIES.read_text(encoding="utf-8"))
    text = written["DashboardBody"]["Fn::Sub"]
    if text[0] != SOURCE.name:
        raise ValueError(f"{PROPERTIES.name} must name {SOURCE.name} where it belongs")
    text[0], text[1]["BenchmarkWidgets"] = body(), _of_every_profile(text[1]["BenchmarkWidgets"])
    return written


def _of_every_profile(value: Any) -> Any:
    """A choice between profiles, with the widgets of each where its name stands."""
    match value:
        case {"Fn::Sub": str(name)}:
            profile, _, with_local = name.partition(" and ")
            return {"Fn::Sub": of_benchmarks(profile, local_baselines=bool(with_local))}
        case {"Fn::If": [condition, *choices]}:
            return {"Fn::If": [condition, *map(_of_every_profile, choices)]}
    return value


def body() -> str:
    """The dashboard with prices and names of metrics in it, and `${...}` where Fn::Sub fills something in."""
    document: dict[str, Any] = json.loads(SOURCE.read_text(encoding="utf-8"))
    widgets = ",\n".join(_compact(widget) for widget in document.pop("widgets"))
    text = f'{_compact(document)[:-1]},"widgets":[\n{widgets}${{BenchmarkWidgets}}\n]}}\n'
    for name, price in PRICES.items():
        text = text.replace(name, price.listed)
    return NOT_TEXT.sub(r"\1", _named(text))


def of_benchmarks(profile: str, *, local_baselines: bool) -> str:
    """The widgets that go on after the last of those, each with the comma before it.

    Where a graph's `metrics` is a name, its lines are those of the profile's workloads; without any there is no graph.
    """
    graphs, others = list[dict[str, Any]](), list[dict[str, Any]]()
    measured = workloads_of(profile, local_baselines=local_baselines)
    for widget in json.loads(BENCHMARKS.read_text(encoding="utf-8"))["widgets"]:
        shown = widget["properties"]
        if isinstance(named := shown.get("metrics"), str):
            shown["metrics"] = lines(named, measured)
            if not shown["metrics"]:
                continue
        (graphs if shown["view"] == "timeSeries" else others).append(widget)
    top = max(one["y"] + one["height"] for one in json.loads(SOURCE.read_text(encoding="utf-8"))["widgets"])
    return _named("\n".join(f",{_compact(widget)}" for widget in _laid_out(graphs, others, top)))


def _named(text: str) -> str:
    for placeholder, name in NAMES.items():
        text = text.replace(placeholder, name)
    return text


def _laid_out(graphs: Iterable[dict[str, Any]], others: Sequence[dict[str, Any]], top: int) -> Iterator[dict[str, Any]]:
    """Graphs by threes, one with many lines in a row of its own, so that its legend has room; then the others side by
    side. Every row is full.
    """
    wide, narrow = list[dict[str, Any]](), list[dict[str, Any]]()
    for one in graphs:
        (wide if len(visible_lines(one["properties"])) > MOST_LINES else narrow).append(one)
    rows = [(list(row), GRAPH_ROWS) for row in batched(narrow, 3, strict=False)]
    rows += [([one], GRAPH_ROWS + 2) for one in wide]
    for row, rows_high in [*rows, (list(others), TABLE_ROWS)]:
        for column, one in enumerate(row):
            width = COLUMNS // len(row)
            place = {"x": column * width, "y": top, "width": width, "height": rows_high}
            yield {"type": one["type"], **place, "properties": one["properties"]}
        top += rows_high


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
