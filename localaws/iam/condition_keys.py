"""What a request tells policies of itself, besides action and resource, by condition keys of its service."""

from collections.abc import Mapping
from typing import Any

from localaws.iam.policy import KeyValue


def metric_namespace(parameters: Mapping[str, Any]) -> Mapping[str, KeyValue]:
    """Into which namespace metrics are put."""
    return {"cloudwatch:namespace": str(parameters["Namespace"])}


def alarm_actions(parameters: Mapping[str, Any]) -> Mapping[str, KeyValue]:
    """What an alarm starts in whatever state: the parameters are those of PutMetricAlarm, or of the resource type.

    https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/iam-cw-condition-keys-alarm-actions.html
    """
    of_states = (parameters.get(name) or () for name in ("AlarmActions", "OKActions", "InsufficientDataActions"))
    return {"cloudwatch:alarmactions": tuple(str(action) for actions in of_states for action in actions)}
