"""The fleet's dashboard: the minutes of credits that each file system has left, those with the fewest first.

CloudWatch divides no array of metrics by another, so every file system is named, and the function that knows them all
writes it: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html

Nor does a widget know another: what is sorted together must be in one, and one takes 500 metrics and expressions. Of a
fleet that needs several, those in an incident are in the first: whatever has fewer minutes than its Warning alarm asks
for is there, and there the fewest are first.
"""

import json
from collections.abc import Collection, Sequence
from itertools import batched
from typing import Any

# Three lines each, balance, rate and minutes, and one that sorts them: a widget takes 500.
A_TABLE = 166
# Two metrics each: a dashboard takes 2,500.
MOST = 1_250
# Metrics come some minutes late, and what is older is not how it stands.
LOOKS_BACK = "-PT30M"
PERIOD_SECONDS = 300
TITLE = "Minutes left at the permitted rate, the fewest first"
HIGHEST_TABLE = 40


def dashboard_body(
    region: str, file_system_ids: Sequence[str], in_an_incident: Collection[str], *, warning_minutes: int
) -> str:
    """In CloudWatch's format: tables of up to 166 file systems each, with a row for each, the fewest minutes first.

    `in_an_incident` are in the first; what has fewer than `warning_minutes` is coloured.
    """
    ordered = sorted(file_system_ids, key=lambda one: (one not in in_an_incident, one))
    parts = [*batched(ordered[:MOST], A_TABLE, strict=False)]
    widgets = [
        _table(region, ids, TITLE if len(parts) == 1 else f"{TITLE} ({_place(number, len(parts))})", warning_minutes)
        for number, ids in enumerate(parts, start=1)
    ]
    return json.dumps({"widgets": widgets}, separators=(",", ":"))


def _place(number: int, count: int) -> str:
    return f"{number} of {count}" + (", with whatever is in ALARM" if number == 1 else "")


def _table(region: str, file_system_ids: Sequence[str], title: str, warning_minutes: int) -> dict[str, Any]:
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
                    # A value that is missing where it is chosen counts as 0: of a file system without a balance, in
                    # elastic mode for one, that would be no minute left.
                    "expression": f"IF((balance{number} >= 0) AND (rate{number} > 0), "
                    f"balance{number} / rate{number} / 60)",
                    "id": f"left{number}",
                    "label": file_system_id,
                }
                | hidden
            ],
        ]
    every = ", ".join(f"left{number}" for number in range(len(file_system_ids)))
    # Without a label of its own each row is called after its file system, behind the number that SORT may give it.
    fewest_first = {"expression": f"SORT([{every}], MIN, ASC)", "id": "lowest", "label": ""}
    return {
        "type": "metric",
        "width": 24,
        "height": min(len(file_system_ids) + 3, HIGHEST_TABLE),
        "properties": {
            "title": title,
            "region": region,
            "view": "table",
            "start": LOOKS_BACK,
            "period": PERIOD_SECONDS,
            "table": {"layout": "horizontal", "summaryColumns": ["MIN"], "stickySummary": True},
            "metrics": [[fewest_first], *metrics],
            "annotations": {
                "horizontal": [{"label": "Warning", "value": warning_minutes, "fill": "below", "color": "#d13212"}]
            },
            "yAxis": {"left": {"label": "minutes", "showUnits": False}},
        },
    }
