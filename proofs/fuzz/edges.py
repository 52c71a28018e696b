"""AWS as the fuzzed handlers see it: every call is noted and answered with something plausible, without a network."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from botocore.client import BaseClient
from botocore.httpsession import URLLib3Session
from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.alarm_definition import definition
from efs_monitor.aws import calls, cloudwatch_metrics, custom_resource, parameter_store
from efs_monitor.benchmarks.plan import encode
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.efs.credits import GIB, MIB

from stage.benchmark_hosts import output_of
from stage.home import Names
from stage.invocation.answer_desk import AnswerDesk

INSTANCE_ID = "i-0123456789abcdef0"
NAMES = Names("efs-monitor-home", "fs-0123456789abcdef0")


@dataclass
class Edges:
    """What was asked of AWS, whom the answers to CloudFormation were to reach, and what arrived at the desk."""

    desk_port: int
    calls: list[str] = field(default_factory=list)
    looked_up: list[tuple[str, int]] = field(default_factory=list)
    desk: list[bytes] = field(default_factory=list)

    @property
    def desk_url(self) -> str:
        """Where answers are taken."""
        return f"http://127.0.0.1:{self.desk_port}/answer?signature=x"

    def forget(self) -> None:
        """Note from here."""
        for noted in (self.calls, self.looked_up, self.desk):
            noted.clear()


@contextmanager
def edges() -> Iterator[Edges]:
    """Replace AWS, and let nothing out of this machine: only the desk can be reached."""
    with ExitStack() as closing:
        desk = closing.enter_context(AnswerDesk())
        made = Edges(desk.port, desk=desk.bodies)
        look_up = socket.getaddrinfo

        def call(_: Any, operation: str, request: dict[str, Any]) -> dict[str, Any]:
            made.calls.append(operation)
            return _answer(operation, request)

        def looked_up(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
            made.looked_up.append((str(host), int(port)))
            if port != made.desk_port:
                raise socket.gaierror(f"no way to {host}:{port} from a proof")
            return look_up(host, port, *rest, **more)

        def sent(*_: Any) -> None:
            raise AssertionError("something got past the replaced AWS")

        closing.enter_context(patch.object(BaseClient, "_make_api_call", call))
        closing.enter_context(patch.object(URLLib3Session, "send", sent))
        closing.enter_context(patch.object(socket, "getaddrinfo", looked_up))
        for waiting in (calls, cloudwatch_metrics, custom_resource, parameter_store):
            closing.enter_context(patch.object(waiting, "sleep", lambda _: None))
        yield made


def _answer(operation: str, request: dict[str, Any]) -> dict[str, Any]:  # noqa: PLR0911, PLR0912 - a table
    match operation:
        case "DescribeFileSystems":
            size = {"Value": 100 * GIB, "ValueInStandard": 100 * GIB}
            found = {
                "FileSystemId": NAMES.file_system_id,
                "LifeCycleState": "available",
                "ThroughputMode": "bursting",
                "SizeInBytes": size,
            }
            return {"FileSystems": [found]}
        case "DescribeAlarms" | "DescribeAlarmsForMetric":
            return {"MetricAlarms": [_alarm(kind) for kind in AlarmKind]}
        case "DescribeStacks":
            return {"Stacks": [{"StackStatus": "UPDATE_COMPLETE"}]}
        case "GetMetricData":
            return {"MetricDataResults": [_series(query["Id"]) for query in request["MetricDataQueries"]]}
        case "GetParameter":
            return {"Parameter": {"Value": "{}", "Version": 1}}
        case "GetParameters":
            return {"Parameters": [{"Name": name, "Value": "{}"} for name in request["Names"]]}
        case "PutParameter":
            return {"Version": 2}
        case "ListSubscriptionsByTopic":
            return {"Subscriptions": [{"Protocol": "email", "Endpoint": "a@b.example", "SubscriptionArn": "arn"}]}
        case "GetTopicAttributes":
            return {"Attributes": {"Policy": json.dumps({"Statement": [_anybody_publishes(request["TopicArn"])]})}}
        case "GetKeyPolicy":
            return {"Policy": json.dumps({"Statement": []})}
        case "DescribeAlarmHistory":
            return {"AlarmHistoryItems": []}
        case "DescribeInstanceInformation":
            return {"InstanceInformationList": [{"InstanceId": INSTANCE_ID, "PingStatus": "Online"}]}
        case "SendCommand":
            return {"Command": _command(request["Parameters"], "Pending")}
        case "ListCommands":
            parameters = {"RunId": ["run-20261117t030000z-1a2b3c4d"], "Plan": [encode(workloads_of("quick"))]}
            return {"Commands": [_command(parameters, "Success")]}
        case "ListCommandInvocations":
            return {"CommandInvocations": [{"InstanceId": INSTANCE_ID, "Status": "Success"}]}
        case "GetCommandInvocation":
            began = datetime.now(UTC).isoformat()
            times = {"ExecutionStartDateTime": began, "ExecutionEndDateTime": began}
            said = output_of(INSTANCE_ID, workloads_of("quick"))
            return {"Status": "Success", "StatusDetails": "Success", "StandardOutputContent": said, **times}
        case _:
            return {}


def _anybody_publishes(topic_arn: str) -> dict[str, Any]:
    return {"Effect": "Allow", "Principal": "*", "Action": "sns:Publish", "Resource": topic_arn}


def _command(parameters: dict[str, Any], status: str) -> dict[str, Any]:
    now = datetime.now(UTC)
    return {
        "CommandId": "e8d3c0e4-71f7-4491-898f-c9b35bee5f3b",
        "DocumentName": NAMES.document_name,
        "Parameters": parameters,
        "InstanceIds": [INSTANCE_ID],
        "Status": status,
        "RequestedDateTime": now,
        "ExpiresAfter": now,
    }


def _alarm(kind: AlarmKind) -> dict[str, Any]:
    return {
        **definition(kind, NAMES.wiring),
        "AlarmName": alarm_name(NAMES.stack_name, kind),
        "Threshold": 1.0,
        "AlarmDescription": "older",
        "ActionsEnabled": True,
        "StateValue": "OK",
        "StateReason": "",
        "StateTransitionedTimestamp": datetime.now(UTC),
    }


def _series(name: str) -> dict[str, Any]:
    newest = datetime.now(UTC).replace(second=0, microsecond=0)
    return {
        "Id": name,
        "Timestamps": [newest - timedelta(minutes=2), newest - timedelta(minutes=1)],
        "Values": [100.0 * MIB, 99.0 * MIB],
    }
