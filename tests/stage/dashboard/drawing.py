"""What a graph of the dashboard would draw: its metrics and expressions asked of CloudWatch as the console does."""

from datetime import datetime
from typing import Any

from localaws.sandbox import Sandbox
from tests.template.dashboards import expressions, metrics
from tests.template.documents import Document

type Line = dict[datetime, float]


def lines(
    sandbox: Sandbox, graph: Document, start: datetime, end: datetime, period_seconds: int = 60
) -> dict[str, Line]:
    """The points of every visible line, by its label."""
    queries = [*_metric_queries(graph, period_seconds), *_expression_queries(graph)]
    results = sandbox.client("cloudwatch").get_metric_data(
        MetricDataQueries=queries, StartTime=start, EndTime=end, ScanBy="TimestampAscending"
    )["MetricDataResults"]
    return {one["Label"]: dict(zip(one["Timestamps"], one["Values"], strict=True)) for one in results}


def _metric_queries(graph: Document, period_seconds: int) -> list[dict[str, Any]]:
    return [
        {
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
        for number, one in enumerate(metrics(graph))
    ]


def _expression_queries(graph: Document) -> list[dict[str, Any]]:
    return [{"Id": one.id, "Expression": one.expression, "Label": one.label} for one in expressions(graph)]
