"""What a graph of the dashboard would draw: its metrics and expressions asked of CloudWatch as the console does."""

from datetime import datetime

from localaws.sandbox import Sandbox
from tests.template.template_documents import Document
from tools.graph_metrics import queries

type Line = dict[datetime, float]


def lines(
    sandbox: Sandbox, graph: Document, start: datetime, end: datetime, period_seconds: int = 60
) -> dict[str, Line]:
    """The points of every visible line, by its label."""
    results = sandbox.client("cloudwatch").get_metric_data(
        MetricDataQueries=list(queries(graph, period_seconds)),
        StartTime=start,
        EndTime=end,
        ScanBy="TimestampAscending",
    )["MetricDataResults"]
    return {one["Label"]: dict(zip(one["Timestamps"], one["Values"], strict=True)) for one in results}
