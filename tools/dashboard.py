"""The dashboard of src/dashboard, as properties that the template includes: one string of JSON, a widget a line."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

from tools.benchmark_lines import lines

FOLDER = Path(__file__).parent.parent / "src" / "dashboard"
PROPERTIES, SOURCE, BENCHMARKS = (FOLDER / name for name in ("properties.yaml", "dashboard.json", "benchmarks.json"))
# In JSON these are text; what the template puts in their place is a number or a list.
NOT_TEXT = re.compile(r'"(\$\{(?:AlarmArns|WarningMinutes|CriticalMinutes)\})"')


def properties() -> dict[str, Any]:
    """All properties of the dashboard, in long forms, the body with both files in their places."""
    written: dict[str, Any] = yaml.safe_load(PROPERTIES.read_text())
    text = written["DashboardBody"]["Fn::Sub"]
    beside = text[1]["BenchmarkWidgets"]["Fn::If"][1]
    if (text[0], beside["Fn::Sub"]) != (SOURCE.name, BENCHMARKS.name):
        raise ValueError(f"{PROPERTIES.name} must name {SOURCE.name} and {BENCHMARKS.name} where they belong")
    text[0], beside["Fn::Sub"] = body(), of_benchmarks()
    return written


def body() -> str:
    """The dashboard, with `${...}` where Fn::Sub fills something in."""
    document: dict[str, Any] = json.loads(SOURCE.read_text())
    widgets = ",\n".join(_compact(widget) for widget in document.pop("widgets"))
    text = f'{_compact(document)[:-1]},"widgets":[\n{widgets}${{BenchmarkWidgets}}\n]}}\n'
    return NOT_TEXT.sub(r"\1", text)


def of_benchmarks() -> str:
    """The widgets that go on after the last of those, each with the comma before it.

    Where a graph's `metrics` is a name, its lines are made from the catalogue of benchmarks.
    """
    widgets = json.loads(BENCHMARKS.read_text())["widgets"]
    for widget in widgets:
        if isinstance(named := widget["properties"].get("metrics"), str):
            widget["properties"]["metrics"] = lines(named)
    return "\n".join(f",{_compact(widget)}" for widget in widgets)


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
