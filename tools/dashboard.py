"""Writes src/dashboard/dashboard.json into template.yaml, one widget a line; beside it what only benchmarks add.

CloudFormation takes a dashboard as one string, and can include a file only with a transform that reads it from S3.
"""

import json
import re
from pathlib import Path
from typing import Any

from tools.benchmark_lines import lines
from tools.fingerprint import TEMPLATE

FOLDER = Path(__file__).parent.parent / "src" / "dashboard"
SOURCE, BENCHMARKS = FOLDER / "dashboard.json", FOLDER / "benchmarks.json"
BLOCK = re.compile(r"(?<=DashboardBody: !Sub\n        - \|\n).*?(?=        - AlarmArns:)", re.DOTALL)
OF_BENCHMARKS = re.compile(
    r"(?<=BenchmarkWidgets: !If\n            - HasBenchmarks\n            - !Sub \|-\n).*?(?=            - \"\")",
    re.DOTALL,
)
# In JSON these are text; what the template puts in their place is a number or a list.
NOT_TEXT = re.compile(r'"(\$\{(?:AlarmArns|WarningMinutes|CriticalMinutes)\})"')


def body() -> str:
    """The dashboard as it stands in the template, with `${...}` where Fn::Sub fills something in."""
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
    return "".join(f",{_compact(widget)}\n" for widget in widgets)


def written_into(template: str) -> str:
    """The text of the template with this dashboard in it; ValueError where it has no place for one."""
    written, places = BLOCK.subn(lambda _: _indented(body(), 10), template)
    if places != 1:
        raise ValueError(f"{TEMPLATE.name} must have one DashboardBody, with AlarmArns below it; found {places}")
    written, places = OF_BENCHMARKS.subn(lambda _: _indented(of_benchmarks(), 14), written)
    if places != 1:
        raise ValueError(f"{TEMPLATE.name} must have one BenchmarkWidgets, for HasBenchmarks; found {places}")
    return written


def _indented(text: str, columns: int) -> str:
    return "".join(f"{' ' * columns}{line}\n" for line in text.splitlines())


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


if __name__ == "__main__":
    TEMPLATE.write_text(written_into(TEMPLATE.read_text()))
