"""After `sam delete` nothing of a stack is left but what the README names, and nothing late brings it back."""

import json
from typing import Any

import pytest

from localaws.functions.destinations import stored_function
from localaws.functions.function_deployment import deployment_of
from operate.smoke.inventory import exists
from stage.player import Player
from stage.sam_deployment import Deployer
from tests.operate.conftest import STACK_NAME, Operated

SCHEDULED = {"source": "efs-monitor.schedule", "stack": STACK_NAME, "time": "2030-01-07T01:00:00Z"}


@pytest.fixture(scope="module")
def deployer_of() -> type[Deployer]:
    return Deployer


def everything(player: Player) -> dict[str, set[str]]:
    """What the account holds, whoever made it, by kind."""
    client = player.sandbox.client

    def names(found: list[dict[str, Any]], key: str) -> set[str]:
        return {one[key] for one in found}

    return {
        "topics": names(client("sns").list_topics()["Topics"], "TopicArn"),
        "subscriptions": names(client("sns").list_subscriptions()["Subscriptions"], "Endpoint"),
        "log groups": names(client("logs").describe_log_groups()["logGroups"], "logGroupName"),
        "parameters": names(client("ssm").describe_parameters()["Parameters"], "Name"),
        "functions": names(client("lambda").list_functions()["Functions"], "FunctionName"),
        "layers": names(client("lambda").list_layers()["Layers"], "LayerName"),
        "roles": names(client("iam").list_roles()["Roles"], "RoleName"),
        "alarms": names(client("cloudwatch").describe_alarms()["MetricAlarms"], "AlarmName"),
        "dashboards": names(client("cloudwatch").list_dashboards()["DashboardEntries"], "DashboardName"),
        "schedules": names(client("scheduler").list_schedules()["Schedules"], "Name"),
    }


@pytest.mark.days
def test_nothing_is_left_and_nothing_late_brings_it_back(operated: Operated) -> None:
    sandbox, stack = operated.player.sandbox, operated.stack
    # The state of an invocation that began before the deletion: loaded, and with its credentials.
    late = {
        name: sandbox.functions._take(deployment_of(stored_function(stack.physical_id(name))))
        for name in ("RecalculateThresholds", "ReportSilence", "SetLateAlarms")
    }
    alarm_event = json.dumps({"source": "aws.cloudwatch"}).encode()
    explain = stack.physical_id("Explain")

    operated.deployer.delete(STACK_NAME)

    assert {one.logical_id for one in stack.resources.values() if exists(operated.account, one)} == set()
    nothing: dict[str, set[str]] = {kind: set() for kind in everything(operated.player)}
    assert everything(operated.player) == nothing
    # SAM's own bucket is shared by all stacks of a Region. Of what was uploaded for this one `sam delete` takes all: it
    # lies in the folder of the stack's own prefix, with what the template includes.
    s3 = sandbox.client("s3")
    (bucket,) = s3.list_buckets()["Buckets"]
    assert s3.list_objects_v2(Bucket=bucket["Name"]).get("Contents", []) == []

    for name, worker in late.items():
        answer = worker.invoke("late", json.dumps(SCHEDULED).encode(), sandbox.clock.now().timestamp())
        assert "error" in answer, f"{name} said {answer}"
        worker.end()
    sandbox.events.accept(explain, alarm_event)
    sandbox.events.wait_for_background()
    operated.minute_passes()
    assert everything(operated.player) == nothing
