"""The Draining alarm: minutes of credits left at the pace of the last minutes, by metric math on the balance alone.

Warning and Critical say how much there is, and nothing while they are on. This one says that it falls, at each fall
anew. It needs no reference and no recalculation: its threshold is CriticalMinutes.
"""

from collections.abc import Mapping
from typing import Any

# One-minute points: so many falling fast among so many. Settings and expression were measured against the model of
# EFS, on loads that empty the bucket again and again (docs/design.md).
POINTS_TO_ALARM = 8
POINTS_EVALUATED = 20
# 20 s at 100 MiB/s, the least that any size is permitted: with less there is nothing left to warn of, and a balance
# that hovers at zero is no fall.
NOTHING_LEFT_BYTES = 2_097_152_000
# What a minute counts as in which the balance does not fall: a good point, so that the alarm ends.
NOT_FALLING_MINUTES = 1440
# Nested: the first point of RATE is missing, and only IF without one gives none; AND would take it for a good one.
MINUTES_LEFT = (
    f"IF(pace < 0, IF(balance > {NOTHING_LEFT_BYTES}, balance / ABS(pace) / 60, {NOT_FALLING_MINUTES}), "
    f"{NOT_FALLING_MINUTES})"
)
# What is judged of a metric: a label is nobody's business, and AWS may add fields.
JUDGED = ("Id", "Expression", "Period", "ReturnData", "AccountId", "MetricStat")
JUDGED_OF_STATISTIC = ("Period", "Stat", "Unit")
JUDGED_OF_METRIC = ("Namespace", "MetricName", "Dimensions")


def metrics(file_system_id: str) -> list[dict[str, Any]]:
    """The alarm's `Metrics`, in PutMetricAlarm's words."""
    return [
        {
            "Id": "left",
            "Label": "Minutes left at the pace of the minute",
            "Expression": MINUTES_LEFT,
            "Period": 60,
            "ReturnData": True,
        },
        {"Id": "pace", "Expression": "RATE(balance)", "Period": 60, "ReturnData": False},
        {
            "Id": "balance",
            "MetricStat": {
                "Metric": {
                    "Namespace": "AWS/EFS",
                    "MetricName": "BurstCreditBalance",
                    "Dimensions": [{"Name": "FileSystemId", "Value": file_system_id}],
                },
                "Period": 60,
                "Stat": "Minimum",
            },
            "ReturnData": False,
        },
    ]


def judged(one: Mapping[str, Any]) -> dict[str, Any]:
    """What an alarm judges by of one of its metrics, whatever order or further fields CloudWatch answers with."""
    found = {name: one[name] for name in JUDGED if name in one}
    # Both have defaults, so that an answer may leave them out: the result, and the period of its metrics.
    found.setdefault("ReturnData", True)
    if "Expression" in found:
        found.setdefault("Period", 60)
    if "MetricStat" in found:
        statistic = found["MetricStat"]
        found["MetricStat"] = {name: statistic[name] for name in JUDGED_OF_STATISTIC if name in statistic} | {
            name: statistic.get("Metric", {}).get(name) for name in JUDGED_OF_METRIC
        }
    return found
