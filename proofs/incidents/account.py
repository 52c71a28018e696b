"""The account a month is lived in: what the functions' own code sees of AWS, and what it does there, in memory.

The handlers are those that are deployed; only their clients and their clock are replaced.
"""

import functools
import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from botocore.session import get_session
from efs_monitor.errors import MonitorError

from localaws.account import ACCOUNT_ID, REGION
from proofs.home import ALERT_EMAIL, RUNBOOK_URL, SETTINGS, Context, Names, load
from proofs.incidents.metrics import MINUTE, Metrics
from proofs.incidents.months import DAY_MINUTES, HOUR_MINUTES
from proofs.incidents.watched import WatchedAlarm, stack_alarms, template
from simulation.alarm_evaluation import State
from simulation.burst_credits import MIB
from simulation.file_system import Bursting, Elastic, Provisioned, ThroughputMode

NAMES = Names("home", "fs-0123456789abcdef0")
START = datetime(2030, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
RETRIES_AFTER_MINUTES = (1, 2)
TREND_MINUTES, RECENT_MINUTES = 6 * DAY_MINUTES, 4 * HOUR_MINUTES


@dataclass(frozen=True, slots=True)
class Mail:
    """What a topic's subscribers got, and when: `topic` is the end of its name. `minute` since the month began.

    CloudWatch's own have the alarm's name as the subject and its new state as the body.
    """

    minute: int
    topic: str
    subject: str
    body: str
    by_cloudwatch: bool


@functools.cache
def _module(name: str) -> ModuleType:
    return load(name)


@functools.cache
def _time(minute: int) -> datetime:
    return START + minute * MINUTE


@functools.cache
def _service_model() -> Any:
    return get_session().get_service_model("cloudwatch")


class _Pages:
    """A paginator whose answer is one page."""

    def __init__(self, ask: Any) -> None:
        self._ask = ask

    def paginate(self, **request: Any) -> list[Any]:
        return [self._ask(**request)]


@dataclass
class Account:
    """One file system, its metrics, the stack's alarms, its memory, and everybody who was told something."""

    metrics: Metrics
    size_bytes: int
    mode: ThroughputMode = field(default_factory=Bursting)
    minute: int = 0
    alarms: dict[str, WatchedAlarm] = field(default_factory=dict)
    mails: list[Mail] = field(default_factory=list)
    changes: list[tuple[int, str, str, str]] = field(default_factory=list)
    memory: list[str] = field(default_factory=lambda: ["{}"])
    retries: list[tuple[int, str, object, tuple[int, ...]]] = field(default_factory=list)
    failed: list[tuple[int, str]] = field(default_factory=list)

    @property
    def now(self) -> datetime:
        """A few seconds after the minute began, as a function is there."""
        return START + self.minute * MINUTE

    @property
    def is_low(self) -> bool:
        """Whether Warning or Critical is on."""
        return any(self.alarms[end].state is State.ALARM for end in ("warning", "critical") if end in self.alarms)

    # The clients that a function has.

    @property
    def efs(self) -> Any:
        """Amazon EFS."""
        return SimpleNamespace(describe_file_systems=self._describe_file_systems)

    @property
    def cloudwatch(self) -> Any:
        """Amazon CloudWatch."""
        asks = {
            "get_metric_data": self._get_metric_data,
            "describe_alarms": self._describe_alarms,
            "describe_alarm_history": lambda **_: {"AlarmHistoryItems": []},
        }
        return SimpleNamespace(
            meta=SimpleNamespace(service_model=_service_model()),
            get_paginator=lambda name: _Pages(asks[name]),
            describe_alarms_for_metric=lambda **_: {"MetricAlarms": []},
            put_metric_alarm=self._put_metric_alarm,
            set_alarm_state=self._set_alarm_state,
        )

    @property
    def cloudformation(self) -> Any:
        """AWS CloudFormation: no deployment is under way."""
        return SimpleNamespace(describe_stacks=lambda **_: {"Stacks": [{"StackStatus": "UPDATE_COMPLETE"}]})

    @property
    def sns(self) -> Any:
        """Amazon SNS: somebody is subscribed to each topic."""
        subscription = {"Protocol": "email", "Endpoint": ALERT_EMAIL, "SubscriptionArn": "arn:aws:sns:of:somebody"}
        return SimpleNamespace(
            get_paginator=lambda _: _Pages(lambda **_: {"Subscriptions": [subscription]}), publish=self._publish
        )

    @property
    def ssm(self) -> Any:
        """AWS Systems Manager: the one memory, with its versions."""
        return SimpleNamespace(get_parameter=self._get_parameter, put_parameter=self._put_parameter)

    # What happens in the account.

    def deploy(self) -> None:
        """The alarms as CloudFormation creates them, with what the custom resource answers."""
        given = dict[str, str]()
        module: Any = _module("apply_on_deploy")
        with patch.object(module, "answering", lambda request, _, answer: given.update(answer(request).data)):
            self.call("apply_on_deploy", CREATION)
        self.alarms = stack_alarms(lambda asked: _given(asked, given))

    def evaluate(self) -> None:
        """CloudWatch judges every alarm, once a minute."""
        for one in self.alarms.values():
            state = one.judged(self.metrics, self.minute)
            if state is not one.state:
                self._change(one, str(state), "Threshold Crossed")

    def call(self, function: str, event: object) -> Any:
        """A function's handler, as Lambda would."""
        module: Any = _module(function)
        module.clients, module.now = self, lambda: self.now
        return module.handler(event, Context())

    def retry(self) -> None:
        """What failed some minutes ago is run again."""
        due = [one for one in self.retries if one[0] <= self.minute]
        self.retries = [one for one in self.retries if one[0] > self.minute]
        for _, function, event, pauses in due:
            self.invoke(function, event, pauses)

    def invoke(self, function: str, event: object, pauses: tuple[int, ...] = RETRIES_AFTER_MINUTES) -> None:
        """As Lambda does what nobody waits for: again after each of the pauses, and then no more."""
        try:
            self.call(function, event)
        except MonitorError:
            if pauses:
                self.retries.append((self.minute + pauses[0], function, event, pauses[1:]))
            else:
                self.failed.append((self.minute, function))

    def _change(self, one: WatchedAlarm, state: str, reason: str) -> None:
        before, one.previous_reason = str(one.state), one.reason
        one.state, one.reason, one.transitioned = type(one.state)(state), reason, self.now
        end = one.name.removeprefix(f"{NAMES.stack_name}-")
        self.changes.append((self.minute, end, before, state))
        if one.definition.get("ActionsEnabled", True) is not True:
            return
        for target in one.definition.get({"ALARM": "AlarmActions", "OK": "OKActions"}.get(state, ""), []):
            _, _, service, *_, name = target.split(":")
            if service == "sns":
                topic = name.removeprefix(f"{NAMES.stack_name}-")
                self.mails.append(Mail(self.minute, topic, end, state, by_cloudwatch=True))
            else:
                self.invoke(FUNCTIONS[name], _event(one, before, self.now))

    # What the functions ask.

    def _describe_file_systems(self, **_: Any) -> Any:
        mode = {Elastic: "elastic", Provisioned: "provisioned"}.get(type(self.mode), "bursting")
        one: dict[str, Any] = {
            "FileSystemId": NAMES.file_system_id,
            "Name": "",
            "LifeCycleState": "available",
            "PerformanceMode": "generalPurpose",
            "ThroughputMode": mode,
            "SizeInBytes": {"Value": self.size_bytes, "ValueInStandard": self.size_bytes, "ValueInIA": 0},
        }
        if isinstance(self.mode, Provisioned):
            one["ProvisionedThroughputInMibps"] = self.mode.bytes_per_second / MIB
        return {"FileSystems": [one]}

    def _get_metric_data(self, MetricDataQueries: Any, StartTime: datetime, EndTime: datetime, **_: Any) -> Any:  # noqa: N803
        found = []
        for query in MetricDataQueries:
            stat = query["MetricStat"]
            if stat["Metric"]["Namespace"] == "AWS/EFS":
                first, end = self.metrics.index(StartTime), -((START - EndTime) // MINUTE)
                if end - first > TREND_MINUTES and stat["Metric"]["MetricName"] == "BurstCreditBalance" and self.is_low:
                    # A week is read for its trend, which nobody asks for now; that metrics come, its end tells.
                    first = end // HOUR_MINUTES * HOUR_MINUTES - RECENT_MINUTES
                points = self.metrics.read(stat["Metric"]["MetricName"], stat["Stat"], stat["Period"] // 60, first, end)
                times, values = [_time(index) for index, _ in points], [one for _, one in points]
            else:
                # Every function has just run, and none failed.
                times = [(EndTime - HOUR).replace(minute=0, second=0, microsecond=0)]
                values = [float(stat["Metric"]["MetricName"] == "Invocations")]
            found.append({"Id": query["Id"], "Timestamps": times, "Values": values})
        return {"MetricDataResults": found}

    def _describe_alarms(self, AlarmNames: Any = None, **_: Any) -> Any:  # noqa: N803
        return {
            "MetricAlarms": [
                {
                    **one.definition,
                    "StateValue": str(one.state),
                    "StateReason": one.reason,
                    "StateTransitionedTimestamp": one.transitioned,
                }
                for one in self.alarms.values()
                if AlarmNames is None or one.name in AlarmNames
            ]
        }

    def _put_metric_alarm(self, **request: Any) -> None:
        one = self._alarm(request["AlarmName"])
        one.definition, one.judged_rule = request, None

    def _set_alarm_state(self, AlarmName: str, StateValue: str, StateReason: str, **_: Any) -> None:  # noqa: N803
        one = self._alarm(AlarmName)
        if str(one.state) != StateValue:
            self._change(one, StateValue, StateReason)

    def _alarm(self, name: str) -> WatchedAlarm:
        return self.alarms[name.removeprefix(f"{NAMES.stack_name}-")]

    def _publish(self, TopicArn: str, Subject: str, Message: str, **_: Any) -> None:  # noqa: N803
        topic = TopicArn.rpartition(":")[2].removeprefix(f"{NAMES.stack_name}-")
        self.mails.append(Mail(self.minute, topic, Subject, json.loads(Message)["email"], by_cloudwatch=False))

    def _get_parameter(self, Name: str) -> Any:  # noqa: N803
        _, _, version = Name.partition(":")
        number = int(version) if version else len(self.memory)
        return {"Parameter": {"Value": self.memory[number - 1], "Version": number}}

    def _put_parameter(self, Value: str, **_: Any) -> Any:  # noqa: N803
        self.memory.append(Value)
        return {"Version": len(self.memory)}


# Whose ARN ends with what in the template, and the folder of its code.
FUNCTIONS = {
    f"{NAMES.stack_name}-{name}": re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    for name, one in template()["Resources"].items()
    if one["Type"] == "AWS::Serverless::Function"
}
PARAMETERS = {
    "AWS::StackName": NAMES.stack_name,
    "AWS::Region": REGION,
    "AWS::AccountId": ACCOUNT_ID,
    "FileSystemId": NAMES.file_system_id,
    "WarningMinutes": SETTINGS.warning_minutes,
    "CriticalMinutes": SETTINGS.critical_minutes,
}

CREATION = {
    "RequestType": "Create",
    "ResponseURL": "https://nowhere.invalid/",
    "StackId": f"arn:aws:cloudformation:{REGION}:{ACCOUNT_ID}:stack/{NAMES.stack_name}/of-the-proofs",
    "RequestId": "of-the-proofs",
    "LogicalResourceId": "Thresholds",
    "ResourceProperties": {
        "FileSystemId": NAMES.file_system_id,
        "WarningMinutes": str(SETTINGS.warning_minutes),
        "CriticalMinutes": str(SETTINGS.critical_minutes),
        "RiseTolerancePercent": str(SETTINGS.rise_tolerance_percent),
        "RunbookUrl": RUNBOOK_URL,
    },
}


def _given(asked: Any, answered: dict[str, str]) -> Any:
    """What Ref, GetAtt and Sub come to in this stack; LookupError for one that nobody gives."""
    match asked:
        case {"Ref": name} if name in PARAMETERS:
            return PARAMETERS[name]
        case {"Ref": str(name)} if name.endswith("Topic"):
            return NAMES.topic_arn(name.removesuffix("Topic").lower())
        case {"Fn::GetAtt": ["Thresholds", name]}:
            return answered[name] == "true" if name == "ActionsEnabled" else answered[name]
        case {"Fn::GetAtt": [name, "Arn"]}:
            return NAMES.function_arn(name)
        case {"Fn::Sub": str(text)}:
            return re.sub(r"\$\{([^}]+)\}", lambda found: str(PARAMETERS.get(found[1], found[1])), text)
    raise LookupError(f"the template asks for {asked}, which nobody gives here")


def _event(one: WatchedAlarm, before: str, time: datetime) -> dict[str, Any]:
    """What an alarm hands a function."""
    moment = f"{time:%Y-%m-%dT%H:%M:%S.000+0000}"
    return {
        "source": "aws.cloudwatch",
        "alarmArn": f"arn:aws:cloudwatch:{REGION}:{ACCOUNT_ID}:alarm:{one.name}",
        "accountId": ACCOUNT_ID,
        "time": moment,
        "region": REGION,
        "alarmData": {
            "alarmName": one.name,
            "state": {"value": str(one.state), "reason": one.reason, "timestamp": moment},
            "previousState": {"value": before, "reason": one.previous_reason, "timestamp": moment},
            "configuration": {"metrics": [], "description": one.definition.get("AlarmDescription", "")},
        },
    }
