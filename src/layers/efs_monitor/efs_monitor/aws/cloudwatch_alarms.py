"""CloudWatch alarms: read the whole alarm, write the whole alarm, and what became of its actions.

PutMetricAlarm overwrites every setting it is not given. So what is written back is what was read, field by
field as botocore's model of the API names them. Two things are not:

- What the model itself would refuse: the answer may hold a default of the service that nobody may ask for.
- A field that the model does not have, because AWS added it after the runtime's botocore was made: botocore drops it
  from the answer, and would not send it. What somebody set there is lost with the next write. The field cannot be
  carried along past botocore, because only a model tells which fields of an answer may be asked for.
"""

import functools
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import botocore
from botocore.validate import ParamValidator

from efs_monitor.alarms.alarm import SUSPENDED_MARK, AlarmKind, LiveAlarm, alarm_name, warning_stack
from efs_monitor.alarms.drift import JUDGED_FIELDS
from efs_monitor.aws.calls import named, number
from efs_monitor.aws.runtime import logger

if TYPE_CHECKING:
    from botocore.model import Shape
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_cloudwatch.literals import StateValueType

    from efs_monitor.notify.health_observations import AlarmAction

# The API model's words for them.
NUMBERS = frozenset({"integer", "double"})
OWNED_FIELDS = frozenset({"AlarmName", "Threshold", "AlarmDescription", "ActionsEnabled"})
# What AWS added to an alarm when python3.13 was in Lambda already, and a function's botocore may not know. A query, too
# (EvaluationCriteria, EvaluationInterval), but an alarm with a query is not written here.
LATER_FIELDS = frozenset({"ActionConfiguration", "EvaluationWindow", "WarmUpConfiguration"})
# In the data of a reason, which CloudWatch keeps beside its words.
JUDGED_UNTIL = "newestDatapoint"
# What an alarm is judged by that has no threshold: a band of expected values, or a query with its own comparison.
WITHOUT_THRESHOLD = frozenset({"ThresholdMetricId", "EvaluationCriteria"})


def read(cloudwatch: "CloudWatchClient", stack_name: str) -> dict[AlarmKind, LiveAlarm]:
    """The stack's alarms that exist, by kind."""
    kinds = {alarm_name(stack_name, kind): kind for kind in AlarmKind}
    put_fields = _put_fields(cloudwatch)
    with named("cloudwatch:DescribeAlarms", f"{stack_name}-*"):
        # One page in all likelihood; an alarm on a page not read would count as deleted.
        pages = cloudwatch.get_paginator("describe_alarms").paginate(AlarmNames=list(kinds), AlarmTypes=["MetricAlarm"])
        return {
            kinds[found["AlarmName"]]: LiveAlarm(
                name=found["AlarmName"],
                threshold=_threshold(found, put_fields),
                description=found.get("AlarmDescription", ""),
                actions_enabled=found.get("ActionsEnabled", True),
                state=found["StateValue"],
                settings={
                    field: _read(value, put_fields[field])
                    for field, value in found.items()
                    if field in put_fields and field not in OWNED_FIELDS and _carried(field, found, put_fields[field])
                },
                state_reason=found.get("StateReason", ""),
                transitioned=found.get("StateTransitionedTimestamp"),
                configured=found.get("AlarmConfigurationUpdatedTimestamp"),
                evaluation_state=found.get("EvaluationState", ""),
                judged_until=_judged_until(found.get("StateReasonData", "")),
            )
            for page in pages
            for found in map(_set, page["MetricAlarms"])
        }


def names_in_alarm(cloudwatch: "CloudWatchClient", prefix: str) -> tuple[str, ...]:
    """Every alarm whose name begins so and that is in ALARM, but for those that are suspended: amid an update of their
    stack they may be, which means nothing.
    """
    with named("cloudwatch:DescribeAlarms", f"{prefix}*"):
        pages = cloudwatch.get_paginator("describe_alarms").paginate(
            AlarmNamePrefix=prefix, StateValue="ALARM", AlarmTypes=["MetricAlarm"]
        )
        return tuple(
            found["AlarmName"]
            for page in pages
            for found in page["MetricAlarms"]
            if not found.get("AlarmDescription", "").startswith(SUSPENDED_MARK)
        )


def write(cloudwatch: "CloudWatchClient", alarm: LiveAlarm) -> None:
    """Write the alarm as it is given; its state value stays what it is."""
    if alarm.threshold is None:
        raise ValueError(f"{alarm.name} has no threshold of its own to write")
    _tell_what_is_not_kept(frozenset(LATER_FIELDS - _put_fields(cloudwatch).keys()))
    request: dict[str, Any] = dict(alarm.settings)
    with named("cloudwatch:PutMetricAlarm", alarm.name):
        cloudwatch.put_metric_alarm(
            **request,
            AlarmName=alarm.name,
            Threshold=alarm.threshold,
            AlarmDescription=alarm.description,
            ActionsEnabled=alarm.actions_enabled,
        )


def state_of(cloudwatch: "CloudWatchClient", name: str) -> str | None:
    """The state that an alarm is in now; None where there is none of that name."""
    with named("cloudwatch:DescribeAlarms", name):
        found = cloudwatch.describe_alarms(AlarmNames=[name], AlarmTypes=["MetricAlarm"])["MetricAlarms"]
    return found[0]["StateValue"] if found else None


def forget_state(cloudwatch: "CloudWatchClient", alarm: LiveAlarm, reason: str) -> None:
    """Make the next evaluation a transition, so that an alarm that is already low acts again.

    INSUFFICIENT_DATA rather than OK: no action hangs on it, so nobody gets a false all-clear.
    """
    set_state(cloudwatch, alarm.name, "INSUFFICIENT_DATA", reason)


def set_state(
    cloudwatch: "CloudWatchClient",
    alarm_name: str,
    state: "StateValueType",
    reason: str,
    judged_until: datetime | None = None,
) -> None:
    """Put an alarm into a state, for at most 1,023 characters of reason, and for the datapoints up to a moment, if for
    any. Its actions are run where that is a change; CloudWatch judges it again within the minute, and leaves it so
    where it has no datapoint to judge by.
    """
    data = {} if judged_until is None else {"StateReasonData": json.dumps({JUDGED_UNTIL: judged_until.isoformat()})}
    with named("cloudwatch:SetAlarmState", alarm_name):
        cloudwatch.set_alarm_state(AlarmName=alarm_name, StateValue=state, StateReason=reason, **data)


def _judged_until(reason_data: str) -> datetime | None:
    """The newest datapoint by which the monitor set a state. CloudWatch's own data has none, nor has anybody else's."""
    try:
        return datetime.fromisoformat(json.loads(reason_data)[JUDGED_UNTIL]).astimezone(UTC)
    except (ValueError, TypeError, KeyError, OverflowError):
        return None


def newest_actions(
    cloudwatch: "CloudWatchClient", kind: AlarmKind, alarm: LiveAlarm, since: datetime
) -> "tuple[AlarmAction, ...]":
    """The newest run since then of each action that the alarm has now: CloudWatch tells it in the alarm's history and
    nowhere else.
    """
    from efs_monitor.notify.health_observations import AlarmAction  # noqa: PLC0415 - a cold start of the other functions does not pay for what judges actions

    newest: dict[str, AlarmAction] = {}
    with named("cloudwatch:DescribeAlarmHistory", alarm.name):
        pages = cloudwatch.get_paginator("describe_alarm_history").paginate(
            AlarmName=alarm.name, HistoryItemType="Action", StartDate=since, ScanBy="TimestampAscending"
        )
        for page in pages:
            for item in page["AlarmHistoryItems"]:
                entry = history_data(item)
                if entry is None:
                    logger.warning(
                        "left out an entry of an alarm's history that is no JSON object",
                        extra={"alarm": alarm.name, "time": item["Timestamp"].isoformat()},
                    )
                    continue
                target_arn = entry.get("notificationResource")
                if target_arn in alarm.targets:
                    failed = entry.get("actionState") == "Failed"
                    newest[target_arn] = AlarmAction(
                        alarm=kind,
                        target_arn=target_arn,
                        time=item["Timestamp"],
                        error=str(entry.get("error") or "no reason given") if failed else "",
                    )
    return tuple(newest.values())


def history_data(item: Mapping[str, Any]) -> dict[str, Any] | None:
    """What an entry of an alarm's history says; None where it is no JSON object."""
    try:
        data = json.loads(item.get("HistoryData", ""))
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def other_stacks(cloudwatch: "CloudWatchClient", file_system_id: str, stack_name: str) -> tuple[str, ...]:
    """The other stacks of this monitor in the account and Region that watch the same file system, by name and in order:
    whoever has a Warning alarm on its balance, but for `stack_name`.
    """
    with named("cloudwatch:DescribeAlarmsForMetric", file_system_id):
        found = cloudwatch.describe_alarms_for_metric(
            Namespace="AWS/EFS",
            MetricName="BurstCreditBalance",
            Dimensions=[{"Name": "FileSystemId", "Value": file_system_id}],
        )["MetricAlarms"]
        stacks = {warning_stack(alarm["AlarmName"], alarm.get("AlarmActions", [])) for alarm in found}
    return tuple(sorted(stack for stack in stacks if stack is not None and stack != stack_name))


def _set(alarm: Mapping[str, Any]) -> dict[str, Any]:
    """What an alarm has set: a field that is told as empty says no more than a missing one, and may be refused."""
    return {field: value for field, value in alarm.items() if value not in ("", [], {})}


def _read(value: Any, shape: "Shape") -> Any:
    """A setting as it was answered, with its numbers checked: those of metric math lie two levels down."""
    if shape.type_name in NUMBERS:
        return number(value)
    if shape.name == "MetricDataQueries":
        for one in value:
            for period in (one.get("Period", 0), one.get("MetricStat", {}).get("Period", 0)):
                number(period)
    return value


def _threshold(alarm: Mapping[str, Any], put_fields: Mapping[str, "Shape"]) -> float | None:
    """An alarm's threshold; None where it has none, or watches a query. Of such a one a botocore that knows no queries
    answers neither query nor threshold, and its other fields tell that it is another alarm.
    """
    is_on_a_query = "Threshold" not in alarm and "EvaluationCriteria" not in put_fields
    return None if is_on_a_query or alarm.keys() & WITHOUT_THRESHOLD else number(alarm["Threshold"])


def _put_fields(cloudwatch: "CloudWatchClient") -> dict[str, "Shape"]:
    """What PutMetricAlarm takes, and how the model describes each."""
    shape = cloudwatch.meta.service_model.operation_model("PutMetricAlarm").input_shape
    return dict(shape.members) if shape is not None else {}


@functools.lru_cache(maxsize=1)
def _tell_what_is_not_kept(not_known: frozenset[str]) -> None:
    """Log which settings of an alarm a write does not keep, if any: once in a runtime, so once in each log stream."""
    if not_known:
        logger.info(
            "what somebody set in these fields of an alarm is not kept when it is written: this runtime's botocore "
            "does not know them",
            extra={"fields": sorted(not_known), "botocore": botocore.__version__},
        )


def _carried(field: str, alarm: Mapping[str, Any], shape: "Shape") -> bool:
    """Whether a field of an alarm is written back.

    What the alarm is judged by is never left out: without it, it would be another alarm. How often it is judged may be
    asked for with a query only, whatever is told of others.
    """
    if field == "EvaluationInterval" and "EvaluationCriteria" not in alarm:
        return False
    return field in JUDGED_FIELDS or not ParamValidator().validate(alarm[field], shape).has_errors()
