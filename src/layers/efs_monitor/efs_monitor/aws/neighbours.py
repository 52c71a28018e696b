"""The other stacks of this monitor in the same account and Region that watch the same file system."""

from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import warning_stack
from efs_monitor.aws.calls import named

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient


def other_stacks(cloudwatch: "CloudWatchClient", file_system_id: str, stack_name: str) -> tuple[str, ...]:
    """Their names, in order: whoever has a Warning alarm on the balance of this file system, but for `stack_name`."""
    with named("cloudwatch:DescribeAlarmsForMetric", file_system_id):
        found = cloudwatch.describe_alarms_for_metric(
            Namespace="AWS/EFS",
            MetricName="BurstCreditBalance",
            Dimensions=[{"Name": "FileSystemId", "Value": file_system_id}],
        )["MetricAlarms"]
        stacks = {warning_stack(alarm["AlarmName"], alarm.get("AlarmActions", [])) for alarm in found}
    return tuple(sorted(stack for stack in stacks if stack is not None and stack != stack_name))
