"""What ends on an instance is told to the rules of EventBridge, and by them to functions that let them in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from localaws.sandbox import Sandbox
from localaws.ssm.host import Host
from localaws.ssm.instances import Instance, instances
from tests.localaws.conftest import Deploy
from tests.localaws.ssm.conftest import content

INSTANCE_ID = "i-00000000000000001"
PATTERN = {
    "source": ["aws.ssm"],
    "detail-type": ["EC2 Command Invocation Status-change Notification"],
    "detail": {"document-name": ["say"], "status": ["Success", "Failed"]},
}
HANDLER = "def handler(event, context):\n    return None\n"


@pytest.fixture(autouse=True)
def document(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.advance()
    instances()[INSTANCE_ID] = Instance(host=Host(instance_id=INSTANCE_ID, folder=tmp_path / "instance"))
    sandbox.client("ssm").create_document(
        Name="say", Content=json.dumps(content("true")), DocumentType="Command", DocumentFormat="JSON"
    )


def send_and_end(sandbox: Sandbox) -> str:
    answer = sandbox.client("ssm").send_command(DocumentName="say", InstanceIds=[INSTANCE_ID])
    sandbox.advance()
    return str(answer["Command"]["CommandId"])


def told(sandbox: Sandbox) -> list[dict[str, Any]]:
    return [json.loads(one.payload) for one in sandbox.functions.invocations]


@pytest.fixture
def rule(sandbox: Sandbox, deploy: Deploy) -> Callable[..., None]:
    def put(*, permitted: bool = True, pattern: dict[str, Any] = PATTERN, state: str = "ENABLED") -> None:
        arn = deploy("collect", HANDLER)
        events = sandbox.client("events")
        made = events.put_rule(Name="finished", EventPattern=json.dumps(pattern), State=state)
        events.put_targets(Rule="finished", Targets=[{"Id": "collect", "Arn": arn}])
        if permitted:
            sandbox.client("lambda").add_permission(
                FunctionName="collect",
                StatementId="rule",
                Action="lambda:InvokeFunction",
                Principal="events.amazonaws.com",
                SourceArn=made["RuleArn"],
            )

    return put


def test_the_end_of_an_invocation_reaches_the_function_once(sandbox: Sandbox, rule: Callable[..., None]) -> None:
    rule()
    command_id = send_and_end(sandbox)
    sandbox.advance()
    (event,) = told(sandbox)
    assert event["detail"] == {
        "command-id": command_id,
        "document-name": "say",
        "instance-id": INSTANCE_ID,
        "requested-date-time": event["time"],
        "status": "Success",
    }
    assert event["resources"] == [f"arn:aws:ec2:us-east-1:123456789012:instance/{INSTANCE_ID}"]


def test_the_command_as_a_whole_is_told_apart_by_its_detail_type(sandbox: Sandbox, rule: Callable[..., None]) -> None:
    rule(pattern={"detail-type": ["EC2 Command Status-change Notification"]})
    command_id = send_and_end(sandbox)
    (event,) = told(sandbox)
    assert (event["detail"]["command-id"], event["detail"]["status"]) == (command_id, "Success")


@pytest.mark.parametrize(
    "settings",
    [
        {"permitted": False},
        {"state": "DISABLED"},
        {"pattern": {**PATTERN, "detail": {"document-name": ["other"]}}},
        {"pattern": {**PATTERN, "detail": {"status": ["Failed"]}}},
    ],
)
def test_a_rule_that_may_not_is_off_or_means_something_else_invokes_nothing(
    sandbox: Sandbox, rule: Callable[..., None], settings: dict[str, Any]
) -> None:
    rule(**settings)
    send_and_end(sandbox)
    assert told(sandbox) == []


def test_events_are_best_effort_and_can_be_lost(sandbox: Sandbox, rule: Callable[..., None]) -> None:
    rule()
    sandbox.agents.loses_events = True
    send_and_end(sandbox)
    sandbox.agents.loses_events = False
    sandbox.advance()
    assert told(sandbox) == []


def test_what_somebody_puts_onto_the_bus_goes_the_same_way(sandbox: Sandbox, rule: Callable[..., None]) -> None:
    rule(pattern={"source": ["home"]})
    entry = {"Source": "home", "DetailType": "bell", "Detail": json.dumps({"door": "front"})}
    sandbox.client("events").put_events(Entries=[entry])
    sandbox.events.wait_for_background()
    (event,) = told(sandbox)
    assert (event["detail-type"], event["detail"]) == ("bell", {"door": "front"})
