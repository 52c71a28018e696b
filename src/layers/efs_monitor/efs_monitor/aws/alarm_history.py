"""What became of an alarm's actions: CloudWatch tells it in the alarm's history and nowhere else."""

import json
from datetime import datetime
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.aws.calls import named
from efs_monitor.notify.health import AlarmAction

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient


def newest_actions(
    cloudwatch: "CloudWatchClient", kind: AlarmKind, alarm: LiveAlarm, since: datetime
) -> tuple[AlarmAction, ...]:
    """The newest run since then of each action that the alarm has now."""
    current = {str(target) for field in ("AlarmActions", "OKActions") for target in _listed(alarm.settings.get(field))}
    newest: dict[str, AlarmAction] = {}
    with named("cloudwatch:DescribeAlarmHistory", alarm.name):
        pages = cloudwatch.get_paginator("describe_alarm_history").paginate(
            AlarmName=alarm.name, HistoryItemType="Action", StartDate=since, ScanBy="TimestampAscending"
        )
        for page in pages:
            for item in page["AlarmHistoryItems"]:
                told = json.loads(item["HistoryData"])
                target_arn = told.get("notificationResource")
                if target_arn in current:
                    failed = told.get("actionState") == "Failed"
                    newest[target_arn] = AlarmAction(
                        alarm=kind,
                        target_arn=target_arn,
                        time=item["Timestamp"],
                        error=str(told.get("error") or "no reason given") if failed else "",
                    )
    return tuple(newest.values())


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []
