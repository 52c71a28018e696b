"""Commands, invocations and instances in the shapes of the API, with what it leaves out of outputs."""

from datetime import datetime
from typing import Any

from localaws.ssm.command import NOT_ENDED_CODE, Command, CommandInvocation, Standing
from localaws.ssm.document import ACTION
from localaws.ssm.instances import Instance

LONGEST_STDOUT_CHARACTERS = 24_000
LONGEST_STDERR_CHARACTERS = 8_000
LONGEST_LISTED_CHARACTERS = 2_500
WITH_OUTPUT = {"Success", "Failed"}
"""The statuses of an invocation that has its standard output."""


def described_command(command: Command, now: datetime) -> dict[str, Any]:
    """A `Command`."""
    standings = [invocation.standing(now) for invocation in command.invocations]
    standing = command.standing(now)
    return {
        "CommandId": command.id,
        "DocumentName": command.document_name,
        "DocumentVersion": command.document_version,
        "Comment": command.comment,
        "ExpiresAfter": command.expires,
        "Parameters": {name: [value] for name, value in command.parameters.items()},
        "InstanceIds": [] if command.targets else [invocation.instance_id for invocation in command.invocations],
        "Targets": list(command.targets),
        "RequestedDateTime": command.requested,
        **_status(standing),
        "MaxConcurrency": command.maximum_concurrency,
        "MaxErrors": command.maximum_errors,
        "TargetCount": len(standings),
        "CompletedCount": sum(one.is_final for one in standings),
        "ErrorCount": sum(one.is_error for one in standings),
        "DeliveryTimedOutCount": sum(one.details == "Delivery Timed Out" for one in standings),
        "TimeoutSeconds": command.timeout_seconds,
    }


def described_invocation(
    command: Command, invocation: CommandInvocation, now: datetime, *, with_plugins: bool
) -> dict[str, Any]:
    """A `CommandInvocation`; its plugins only where details are asked for."""
    return {
        "CommandId": command.id,
        "InstanceId": invocation.instance_id,
        "Comment": command.comment,
        "DocumentName": command.document_name,
        "DocumentVersion": command.document_version,
        "RequestedDateTime": command.requested,
        **_status(invocation.standing(now)),
        "CommandPlugins": [_plugin(command, invocation, now)] if with_plugins else [],
    }


def detailed(command: Command, invocation: CommandInvocation, now: datetime) -> dict[str, Any]:
    """What GetCommandInvocation answers.

    Of a command that timed out or was cancelled it has no output, by its reference: "if ExecutionStatus is neither
    Succeeded nor Failed, then this string is empty". The error output it has as soon as the command has finished.
    https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetCommandInvocation.html
    """
    outcome, standing = invocation.outcome(now), invocation.standing(now)
    ended = invocation.ended if outcome else None
    stdout = outcome.stdout if outcome and standing.status in WITH_OUTPUT else ""
    return {
        "CommandId": command.id,
        "InstanceId": invocation.instance_id,
        "Comment": command.comment,
        "DocumentName": command.document_name,
        "DocumentVersion": command.document_version,
        "PluginName": command.document.step,
        "ResponseCode": outcome.response_code if outcome else NOT_ENDED_CODE,
        "ExecutionStartDateTime": _written(invocation.started),
        "ExecutionElapsedTime": f"PT{outcome.duration_seconds:.3f}S" if outcome else "",
        "ExecutionEndDateTime": _written(ended),
        **_status(standing),
        "StandardOutputContent": stdout[:LONGEST_STDOUT_CHARACTERS],
        "StandardErrorContent": outcome.stderr[:LONGEST_STDERR_CHARACTERS] if outcome else "",
    }


def described_instance(instance: Instance, now: datetime) -> dict[str, Any]:
    """An `InstanceInformation`."""
    return {
        "InstanceId": instance.id,
        "PingStatus": instance.presence,
        "LastPingDateTime": now,
        "AgentVersion": instance.host.agent_version,
        "IsLatestVersion": True,
        "PlatformType": instance.host.platform.type,
        "PlatformName": instance.host.platform.name,
        "PlatformVersion": instance.host.platform.version,
        "ResourceType": "EC2Instance",
    }


def _plugin(command: Command, invocation: CommandInvocation, now: datetime) -> dict[str, Any]:
    outcome = invocation.outcome(now)
    standing = invocation.standing(now)
    plugin = {
        "Name": command.document.step if outcome else ACTION,
        **_status(standing),
        "ResponseCode": outcome.response_code if outcome else NOT_ENDED_CODE,
        "ResponseStartDateTime": invocation.started,
        "ResponseFinishDateTime": invocation.ended if outcome else None,
        "Output": outcome.summary[:LONGEST_LISTED_CHARACTERS] if outcome else "",
    }
    return {name: value for name, value in plugin.items() if value is not None}


def _status(standing: Standing) -> dict[str, str]:
    return {"Status": standing.status, "StatusDetails": standing.details}


def _written(time: datetime | None) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%S}.{time.microsecond // 1000:03d}Z" if time else ""
