"""The events by which Systems Manager tells EventBridge of commands; they carry no output.

https://docs.aws.amazon.com/systems-manager/latest/userguide/monitoring-systems-manager-event-examples.html
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from moto.moto_api._internal import mock_random

from localaws.account import ACCOUNT_ID, REGION
from localaws.ssm.command import Command, CommandInvocation

ON_AN_INSTANCE = "EC2 Command Invocation Status-change Notification"
AS_A_WHOLE = "EC2 Command Status-change Notification"

type Event = dict[str, Any]


def due(command: Command, now: datetime) -> Iterator[Event]:
    """The events of a command that have not been given out yet; giving them out is this."""
    for invocation in command.invocations:
        for status, time in _changes(invocation, now):
            if status not in invocation.announced:
                invocation.announced.add(status)
                yield _of_instance(command, invocation, status, time)
    standing = command.standing(now)
    if standing.is_final and standing.status not in command.announced:
        command.announced.add(standing.status)
        yield _of_command(command, standing.status, max(_ends(command), default=command.requested))


def _changes(invocation: CommandInvocation, now: datetime) -> Iterator[tuple[str, datetime]]:
    if invocation.started is not None:
        yield "InProgress", invocation.started
    standing = invocation.standing(now)
    if standing.is_final and invocation.ended is not None:
        yield standing.status, invocation.ended


def _ends(command: Command) -> list[datetime]:
    return [invocation.ended for invocation in command.invocations if invocation.ended is not None]


def _of_instance(command: Command, invocation: CommandInvocation, status: str, time: datetime) -> Event:
    detail = {
        "command-id": command.id,
        "document-name": command.document_name,
        "instance-id": invocation.instance_id,
        "requested-date-time": _second(command.requested),
        "status": status,
    }
    arn = f"arn:aws:ec2:{REGION}:{ACCOUNT_ID}:instance/{invocation.instance_id}"
    return _event(ON_AN_INSTANCE, time, [arn], detail)


def _of_command(command: Command, status: str, time: datetime) -> Event:
    detail = {
        "command-id": command.id,
        "document-name": command.document_name,
        "expire-after": _second(command.expires),
        "parameters": {name: [value] for name, value in command.parameters.items()},
        "requested-date-time": _second(command.requested),
        "status": status,
    }
    arns = [
        f"arn:aws:ec2:{REGION}:{ACCOUNT_ID}:instance/{invocation.instance_id}" for invocation in command.invocations
    ]
    return _event(AS_A_WHOLE, time, arns, detail)


def _event(kind: str, time: datetime, resources: list[str], detail: dict[str, Any]) -> Event:
    return {
        "version": "0",
        "id": str(mock_random.uuid4()),
        "detail-type": kind,
        "source": "aws.ssm",
        "account": ACCOUNT_ID,
        "time": _second(time),
        "region": REGION,
        "resources": resources,
        "detail": detail,
    }


def _second(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"
