"""The dashboard as CloudWatch receives it, its metrics written out in full."""

import json
from dataclasses import dataclass
from typing import Any

from tests.template.documents import Document, resolved, transformed


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric of a widget, with every setting that it has of its own or from its widget."""

    id: str | None
    namespace: str
    name: str
    dimensions: dict[str, str]
    statistic: str | None
    label: str | None
    visible: bool


@dataclass(frozen=True, kw_only=True)
class Expression:
    """An expression of a widget; its label is what the legend shows."""

    id: str
    expression: str
    label: str


def dashboard(**conditions: bool) -> Document:
    """The body that a stack with everything optional in it gives CloudWatch, but for what is conditioned away."""
    properties = transformed()["Resources"]["FileSystemDashboard"]["Properties"]
    body: Document = json.loads(resolved(properties["DashboardBody"], **conditions))
    return body


def widget(title: str) -> Document:
    """The widget of this title."""
    (found,) = [one for one in dashboard()["widgets"] if one["properties"].get("title") == title]
    return dict(found)


def graphs() -> list[Document]:
    """The properties of every widget that shows metrics."""
    return [one["properties"] for one in dashboard()["widgets"] if one["type"] == "metric"]


def expressions(graph: Document) -> list[Expression]:
    """Every expression of a graph."""
    found = [line[0] for line in graph["metrics"] if isinstance(line[0], dict)]
    return [Expression(id=one["id"], expression=one["expression"], label=one["label"]) for one in found]


def metrics(graph: Document) -> list[Metric]:
    """Every metric of a graph, its shorthand written out.

    `.` is what stands at the same place of the metric before; a leading `...` is as much of it as the rest leaves over
    (CloudWatch API reference, "Dashboard Body Structure and Syntax").
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
                visible=settings.get("visible", True),
            )
        )
    return found
