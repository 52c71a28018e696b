"""What a graph of the dashboard asks CloudWatch for: its metrics and expressions, every shorthand written out.

The format: CloudWatch API reference, "Dashboard Body Structure and Syntax".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

type Graph = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric of a widget, with every setting that it has of its own or from its widget."""

    id: str | None
    namespace: str
    name: str
    dimensions: dict[str, str]
    statistic: str | None
    label: str | None
    color: str | None
    visible: bool


@dataclass(frozen=True, kw_only=True)
class Expression:
    """An expression of a widget; its label is what the legend shows."""

    id: str
    expression: str
    label: str
    color: str | None


def expressions(graph: Graph) -> list[Expression]:
    """Every expression of a graph."""
    found = [line[0] for line in graph["metrics"] if isinstance(line[0], dict)]
    return [
        Expression(id=one["id"], expression=one["expression"], label=one["label"], color=one.get("color"))
        for one in found
    ]


def metrics(graph: Graph) -> list[Metric]:
    """Every metric of a graph.

    `.` is what stands at the same place of the metric before; a leading `...` is as much of it as the rest leaves over.
    """
    found, before = list[Metric](), list[str]()
    for line in graph["metrics"]:
        if isinstance(line[0], dict):
            continue
        settings: dict[str, Any] = line[-1] if isinstance(line[-1], dict) else {}
        words = [word for word in line if isinstance(word, str)]
        if words[0] == "...":
            words = [*before[: len(before) - len(words) + 1], *words[1:]]
        words = [before[place] if word == "." else word for place, word in enumerate(words)]
        namespace, name, *dimensions = before = words
        found.append(
            Metric(
                id=settings.get("id"),
                namespace=namespace,
                name=name,
                dimensions=dict(zip(dimensions[::2], dimensions[1::2], strict=True)),
                statistic=settings.get("stat", graph.get("stat")),
                label=settings.get("label"),
                color=settings.get("color"),
                visible=settings.get("visible", True),
            )
        )
    return found


def queries(graph: Graph, period_seconds: int) -> Iterator[dict[str, Any]]:
    """The MetricDataQueries that the console sends for it, those of its visible lines in their order."""
    for number, one in enumerate(metrics(graph)):
        yield {
            "Id": one.id or f"unnamed{number}",
            "MetricStat": {
                "Metric": {
                    "Namespace": one.namespace,
                    "MetricName": one.name,
                    "Dimensions": [{"Name": name, "Value": value} for name, value in one.dimensions.items()],
                },
                "Period": period_seconds,
                "Stat": one.statistic,
            },
            "Label": one.label or one.name,
            "ReturnData": one.visible,
        }
    for other in expressions(graph):
        yield {"Id": other.id, "Expression": other.expression, "Label": other.label}


def colors(graph: Graph) -> list[str | None]:
    """The colour that each visible line was given, in the order of `queries`."""
    return [one.color for one in metrics(graph) if one.visible] + [one.color for one in expressions(graph)]
