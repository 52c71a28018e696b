"""AWS Systems Manager: which instances can measure, sending them a benchmark, and reading what became of it."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import error_code, moment, named
from efs_monitor.benchmarks.sent_commands import Command, Invocation

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient
    from mypy_boto3_ssm.type_defs import CommandFilterTypeDef, InstanceInformationStringFilterTypeDef

# Seconds within which an instance must take the command: one that is online does so at once.
DELIVERY_SECONDS = 120
# What Systems Manager gives a step that says nothing of it.
DEFAULT_EXECUTION_SECONDS = 3600
# As many instances as a command may name.
MOST_INSTANCES = 50
# Fixed, so that the role can name it: a key in a policy cannot be a parameter.
TAG = "efs-monitor"


def online(ssm: "SSMClient", file_system_id: str, instance_ids: tuple[str, ...]) -> tuple[str, ...]:
    """The ids, in order, of those of the instances named that are online and run Linux; where none is named, of all
    those tagged `efs-monitor` = the file system's id.
    """
    if not instance_ids:
        found = _online(ssm, {"Key": f"tag:{TAG}", "Values": [file_system_id]})
    else:
        # One by one: an instance that is gone may make AWS refuse the question about all of them.
        found = set().union(*(_online(ssm, {"Key": "InstanceIds", "Values": [one]}) for one in instance_ids))
    # A machine outside EC2 may have the tag too, and the role reaches none of those.
    return tuple(sorted(one for one in found if one.startswith("i-")))


def send(
    ssm: "SSMClient", document_name: str, instance_ids: tuple[str, ...], parameters: Mapping[str, str], comment: str
) -> Command:
    """Send the document to these instances at once.

    On all of them however many fail: they wait for each other, and each result counts. `ssm` must not repeat a call by
    itself: Systems Manager knows no token to tell a second command from a repetition of the first.
    """
    with named("ssm:SendCommand", f"{document_name} to {', '.join(instance_ids)}"):
        answer = ssm.send_command(
            DocumentName=document_name,
            # The script that was deployed last, whatever somebody has made the default.
            DocumentVersion="$LATEST",
            InstanceIds=list(instance_ids),
            Parameters={name: [value] for name, value in parameters.items()},
            Comment=comment,
            TimeoutSeconds=DELIVERY_SECONDS,
            MaxConcurrency="100%",
            MaxErrors="100%",
        )
        return _command(answer["Command"])


def sent_since(ssm: "SSMClient", document_name: str, since: datetime) -> tuple[Command, ...]:
    """Every command of the document since then, oldest first."""
    after: CommandFilterTypeDef = {"key": "InvokedAfter", "value": f"{since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"}
    document: CommandFilterTypeDef = {"key": "DocumentName", "value": document_name}
    with named("ssm:ListCommands", document_name):
        pages = ssm.get_paginator("list_commands").paginate(Filters=[after, document])
        found = [_command(one) for page in pages for one in page["Commands"] if one["DocumentName"] == document_name]
    return tuple(sorted(found, key=lambda one: (one.requested, one.command_id)))


def find(ssm: "SSMClient", document_name: str, command_id: str) -> Command | None:
    """The command of this id, where there is one and it is the document's."""
    with named("ssm:ListCommands", command_id):
        try:
            found = ssm.list_commands(CommandId=command_id)["Commands"]
        except ClientError as error:
            if error_code(error) == "InvalidCommandId":
                return None
            raise
        return next((_command(one) for one in found if one["DocumentName"] == document_name), None)


def invocations(ssm: "SSMClient", command_id: str) -> tuple[Invocation, ...]:
    """What became of a command on each of its instances, with the output of those that have ended.

    An instance whose own record cannot be read yet, which follows the list by some moments, counts as running.
    """
    with named("ssm:ListCommandInvocations", command_id):
        pages = ssm.get_paginator("list_command_invocations").paginate(CommandId=command_id)
        listed = [
            Invocation(instance_id=one["InstanceId"], status=one["Status"], detail=one.get("StatusDetails", ""))
            for page in pages
            for one in page["CommandInvocations"]
        ]
    return tuple(one if one.running else _whole(ssm, command_id, one) for one in _in_order(listed))


def _whole(ssm: "SSMClient", command_id: str, listed: Invocation) -> Invocation:
    with named("ssm:GetCommandInvocation", f"{command_id} on {listed.instance_id}"):
        try:
            found = ssm.get_command_invocation(CommandId=command_id, InstanceId=listed.instance_id)
        except ClientError as error:
            if error_code(error) == "InvocationDoesNotExist":
                # Some moments later it will.
                return Invocation(instance_id=listed.instance_id, status="InProgress", detail="not to be read yet")
            raise
        return invocation_from(found)


def invocation_from(found: Mapping[str, Any]) -> Invocation:
    """What GetCommandInvocation answers."""
    return Invocation(
        instance_id=found["InstanceId"],
        status=found["Status"],
        detail=found.get("StatusDetails", ""),
        started=_time(found.get("ExecutionStartDateTime", "")),
        ended=_time(found.get("ExecutionEndDateTime", "")),
        response_code=found.get("ResponseCode"),
        output=found.get("StandardOutputContent", ""),
        error_output=found.get("StandardErrorContent", ""),
    )


def _in_order(found: list[Invocation]) -> Iterator[Invocation]:
    yield from sorted(found, key=lambda one: one.instance_id)


def _command(found: Any) -> Command:
    parameters = {name: values[0] for name, values in found.get("Parameters", {}).items() if values}
    requested = moment(found["RequestedDateTime"])
    longest = timedelta(seconds=DELIVERY_SECONDS + int(parameters.get("ExecutionTimeout", DEFAULT_EXECUTION_SECONDS)))
    return Command(
        command_id=found["CommandId"],
        run_id=parameters.get("RunId", ""),
        plan=parameters.get("Plan", ""),
        status=found["Status"],
        requested=requested,
        # AWS has told the end of the delivery here, and the end of all.
        expires=max(requested + longest, moment(found["ExpiresAfter"])),
        instance_ids=tuple(found.get("InstanceIds", [])),
    )


def _time(text: str) -> datetime | None:
    """`2026-11-17T14:00:03.120Z`; empty for what did not happen."""
    return datetime.fromisoformat(text).astimezone(UTC) if text else None


def _online(ssm: "SSMClient", chosen: "InstanceInformationStringFilterTypeDef") -> set[str]:
    with named("ssm:DescribeInstanceInformation", ", ".join(chosen["Values"])):
        try:
            # A filter by tag stands alone: AWS takes no other beside it.
            pages = ssm.get_paginator("describe_instance_information").paginate(Filters=[chosen])
            found = [one for page in pages for one in page["InstanceInformationList"]]
            # The agent of another platform would skip the document, and call that a success.
            return {
                str(one["InstanceId"])
                for one in found
                if one["PingStatus"] == "Online" and one.get("PlatformType") == "Linux"
            }
        except ClientError as error:
            if error_code(error) == "InvalidInstanceId":
                return set()
            raise
