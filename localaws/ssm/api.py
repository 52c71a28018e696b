"""Run Command of Systems Manager: ours in the place of moto's, which validates nothing and always succeeds."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from moto.core.responses import ActionResult, EmptyResult
from moto.ssm.responses import SimpleSystemManagerResponse

from localaws.pagination import page
from localaws.service_error import ServiceError
from localaws.ssm import command_creation
from localaws.ssm.agents import Agents
from localaws.ssm.command import Command, CommandInvocation
from localaws.ssm.command_shapes import described_command, described_instance, described_invocation, detailed
from localaws.ssm.document import ACTION
from localaws.ssm.instances import Instance, instances

type Answer = Callable[[SimpleSystemManagerResponse], ActionResult]

MOST_A_PAGE = 50
TAG = "tag:"


def actions(agents: Agents) -> dict[str, Answer]:
    """The six actions, by the names of moto's methods."""
    now = agents.now

    def send_command(response: SimpleSystemManagerResponse) -> ActionResult:
        command = command_creation.command(response.ssm_backend, _request(response), now())
        agents.send(command)
        return ActionResult({"Command": described_command(command, now())})

    def cancel_command(response: SimpleSystemManagerResponse) -> ActionResult:
        request = _request(response)
        agents.cancel(_command(agents, request["CommandId"]), request.get("InstanceIds") or [])
        return EmptyResult()

    def list_commands(response: SimpleSystemManagerResponse) -> ActionResult:
        request = _request(response)
        found = [
            described_command(command, now())
            for command in _newest_first(agents, request)
            if _is_asked_for(command, request, command.standing(now()).status)
            and (not request.get("InstanceId") or _invocation(command, request["InstanceId"]))
        ]
        return _page("Commands", found, request)

    def list_command_invocations(response: SimpleSystemManagerResponse) -> ActionResult:
        request = _request(response)
        found = [
            described_invocation(command, invocation, now(), with_plugins=bool(request.get("Details")))
            for command in _newest_first(agents, request)
            for invocation in command.invocations
            if _is_asked_for(command, request, invocation.standing(now()).status)
            and request.get("InstanceId") in (None, invocation.instance_id)
        ]
        return _page("CommandInvocations", found, request)

    def get_command_invocation(response: SimpleSystemManagerResponse) -> ActionResult:
        request = _request(response)
        command = _command(agents, request["CommandId"])
        invocation = _invocation(command, request["InstanceId"])
        if invocation is None:
            raise ServiceError("InvocationDoesNotExist", "")
        if request.get("PluginName") not in (None, ACTION, command.document.step):
            raise ServiceError("InvalidPluginName", f"The command has no plugin {request['PluginName']}.")
        return ActionResult(detailed(command, invocation, now()))

    def describe_instance_information(response: SimpleSystemManagerResponse) -> ActionResult:
        request = _request(response)
        wanted = [(one["Key"], one["Values"]) for one in request.get("Filters") or ()]
        wanted += [(one["key"], one["valueSet"]) for one in request.get("InstanceInformationFilterList") or ()]
        if len(wanted) > 1 and any(key.startswith(TAG) for key, _ in wanted):
            raise ServiceError("InvalidFilterKey", "Tag filters can't be combined with other filter types.")
        found = [
            described_instance(instance, now())
            for instance in instances().values()
            if all(_is_like(instance, key, values) for key, values in wanted)
        ]
        return _page("InstanceInformationList", found, request)

    made = (
        send_command,
        cancel_command,
        list_commands,
        list_command_invocations,
        get_command_invocation,
        describe_instance_information,
    )
    return {action.__name__: action for action in made}


def _request(response: SimpleSystemManagerResponse) -> dict[str, Any]:
    response.parse_parameters(response.normalized_request)
    request: dict[str, Any] = response.params
    return request


def _command(agents: Agents, command_id: str) -> Command:
    for command in agents.commands:
        if command.id == command_id:
            return command
    raise ServiceError("InvalidCommandId", f"There is no command {command_id}.")


def _invocation(command: Command, instance_id: str) -> CommandInvocation | None:
    return next((invocation for invocation in command.invocations if invocation.instance_id == instance_id), None)


def _newest_first(agents: Agents, request: dict[str, Any]) -> Sequence[Command]:
    if command_id := request.get("CommandId"):
        return [_command(agents, command_id)]
    return list(reversed(agents.commands))


def _is_asked_for(command: Command, request: dict[str, Any], status: str) -> bool:
    return all(_holds(command, status, one["key"], one["value"]) for one in request.get("Filters") or ())


def _holds(command: Command, status: str, key: str, value: str) -> bool:
    match key:
        case "DocumentName":
            return command.document_name == value
        case "Status":
            return status == value
        case "InvokedAfter":
            return command.requested >= _time(value)
        case "InvokedBefore":
            return command.requested <= _time(value)
    raise ServiceError("InvalidFilterKey", f"The sandbox does not filter commands by {key!r}.")


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise ServiceError("ValidationException", f"{text!r} is not a time such as 2030-01-07T00:00:00Z.") from error


def _is_like(instance: Instance, key: str, values: list[str]) -> bool:
    if key.startswith(TAG):
        return instance.has_tag(key.removeprefix(TAG), values)
    match key:
        case "InstanceIds":
            return instance.id in values
        case "PingStatus":
            return instance.presence in values
        case "AgentVersion":
            return instance.host.agent_version in values
        case "PlatformTypes":
            return instance.host.platform.type in values
        case "tag-key":
            return bool(instance.tags.keys() & set(values))
    raise ServiceError("InvalidFilterKey", f"The sandbox does not filter instances by {key!r}.")


def _page(name: str, found: list[dict[str, Any]], request: dict[str, Any]) -> ActionResult:
    items, token = page(found, int(request.get("MaxResults") or MOST_A_PAGE), request.get("NextToken"))
    return ActionResult({name: items, "NextToken": token})
