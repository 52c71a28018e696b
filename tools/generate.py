"""Writes every file that is made of others: what template.yaml includes, what a fleet knows of its parameters, and the
tables of docs/benchmarks.md.

CloudFormation includes mappings, in long forms, and no text: a string of JSON or a script must stand in YAML.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from operate.template_files import TEMPLATE
from tools import allowed_values, benchmark_document, benchmark_tables, dashboard, fingerprint

INCLUDED = TEMPLATE.parent / "src" / "included"


class _Dumper(yaml.SafeDumper):
    """Text of several lines is written as such, and in quotes what another reader may take for a number.

    PyYAML knows 12 for one, but not 12e34, which a digest may be.
    """


def _text(dumper: _Dumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else '"' if value[:1].isdigit() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def included(properties: Mapping[str, Any], made_of: str) -> str:
    """Properties of a resource as a file that the template includes."""
    written = yaml.dump(properties, Dumper=_Dumper, sort_keys=False, width=float("inf"))
    return f"# Made of {made_of} by `make generate`, and included by template.yaml.\n{written}"


GENERATED: Mapping[Path, Callable[[], str]] = {
    INCLUDED / "alarm_fingerprint.yaml": lambda: included(fingerprint.properties(), "the alarms in template.yaml"),
    INCLUDED / "benchmark_document.yaml": lambda: included(benchmark_document.properties(), "src/documents"),
    INCLUDED / "file_system_dashboard.yaml": lambda: included(dashboard.properties(), "src/dashboard"),
    allowed_values.FILE: allowed_values.written,
    benchmark_tables.PAGE: lambda: benchmark_tables.written_into(benchmark_tables.PAGE.read_text(encoding="utf-8")),
}


if __name__ == "__main__":
    for path, made in GENERATED.items():
        path.write_text(made(), encoding="utf-8")
