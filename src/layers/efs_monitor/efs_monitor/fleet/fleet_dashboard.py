"""The fleet's dashboard: the minutes of credits that each file system has left, those with the fewest first.

CloudWatch divides no array of metrics by another, so every file system is named, and the function that knows them all
writes it: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
"""

import json
from collections.abc import Sequence
from itertools import batched
from typing import Any

# A graph takes 500 metrics, with those that only expressions use, and a dashboard 2,500.
A_GRAPH = 100
MOST = 1_200
# So many lines a person tells apart.
SHOWN = 20


def dashboard_body(region: str, file_system_ids: Sequence[str]) -> str:
    """In CloudWatch's format: a graph for each hundred file systems, which draws the lines of the twenty lowest."""
    widgets = [_graph(region, ids) for ids in batched(file_system_ids[:MOST], A_GRAPH, strict=False)]
    return json.dumps({"widgets": widgets}, separators=(",", ":"))


def _graph(region: str, file_system_ids: Sequence[str]) -> dict[str, Any]:
    metrics: list[list[Any]] = []
    for number, file_system_id in enumerate(file_system_ids):
        of_it = ["FileSystemId", file_system_id]
        hidden = {"visible": False}
        metrics += [
            ["AWS/EFS", "BurstCreditBalance", *of_it, {"id": f"balance{number}", "stat": "Minimum"} | hidden],
            # At zero it falls to the baseline; the balance is nothing then, whatever it is divided by.
            ["AWS/EFS", "PermittedThroughput", *of_it, {"id": f"rate{number}", "stat": "Maximum"} | hidden],
            [
                {
                    "expression": f"IF(rate{number} > 0, balance{number} / rate{number} / 60)",
                    "id": f"left{number}",
                    "label": file_system_id,
                }
                | hidden
            ],
        ]
    every = ", ".join(f"left{number}" for number in range(len(file_system_ids)))
    lowest = {"expression": f"SORT([{every}], MIN, ASC, {SHOWN})", "id": "lowest", "label": "Minutes"}
    first, last = file_system_ids[0], file_system_ids[-1]
    return {
        "type": "metric",
        "width": 24,
        "height": 9,
        "properties": {
            "title": f"Minutes left at the permitted rate, the {SHOWN} lowest of {first} to {last}",
            "region": region,
            "view": "timeSeries",
            "period": 300,
            "metrics": [[lowest], *metrics],
            "yAxis": {"left": {"label": "minutes", "min": 0, "max": 720, "showUnits": False}},
        },
    }
