"""Which instances would measure."""

from typing import Any
from unittest.mock import patch

import pytest
from botocore.exceptions import ClientError
from efs_monitor.aws.systems_manager import online

from localaws.ssm.platforms import WINDOWS
from tests.stage.benchmark_functions.conftest import NAMES, Stage

HOST, OTHER, GONE = "i-0123456789abcdef0", "i-0123456789abcdef1", "i-0123456789abcdef9"


@pytest.fixture
def ssm(stage: Stage) -> Any:
    stage.hosts.add(OTHER)
    return stage.sandbox.client("ssm")


def test_all_that_are_tagged_and_answer_are_found_in_order(stage: Stage, ssm: Any) -> None:
    assert online(ssm, NAMES.file_system_id, ()) == (HOST, OTHER)
    stage.hosts.lose(HOST)
    assert online(ssm, NAMES.file_system_id, ()) == (OTHER,)


def test_of_those_named_the_ones_that_answer_are_found(stage: Stage, ssm: Any) -> None:
    assert online(ssm, NAMES.file_system_id, (OTHER, GONE)) == (OTHER,)
    stage.hosts.lose(OTHER)
    assert online(ssm, NAMES.file_system_id, (OTHER, GONE)) == ()


@pytest.mark.parametrize("named", [(), (HOST, OTHER)])
def test_a_host_that_is_no_linux_is_no_target(stage: Stage, ssm: Any, named: tuple[str, ...]) -> None:
    """It would answer Success, and have run nothing."""
    stage.hosts.runs_on(HOST, WINDOWS)
    assert online(ssm, NAMES.file_system_id, named) == (OTHER,)


def test_one_that_aws_refuses_to_speak_of_does_not_hide_the_others(ssm: Any) -> None:
    """InvalidInstanceId is what it says of nodes that are not registered, or in no valid state."""

    def refuse(params: dict[str, Any], **_: Any) -> None:
        if GONE in str(params):
            raise ClientError({"Error": {"Code": "InvalidInstanceId", "Message": ""}}, "DescribeInstanceInformation")

    ssm.meta.events.register("before-parameter-build.ssm.DescribeInstanceInformation", refuse)
    assert online(ssm, NAMES.file_system_id, (GONE, HOST)) == (HOST,)


def test_no_more_than_a_command_may_name_are_sent_to(stage: Stage) -> None:
    for number in range(60):
        stage.hosts.add(f"i-1{number:016d}")
    # Fifty scripts at once are of no interest here.
    with patch.object(stage.sandbox.agents, "send"):
        assert len(stage.by_hand(accept_cost_bytes=10**15)["instances"]) == 50
