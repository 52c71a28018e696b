"""What a document must be, and what it accepts as parameters."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.sandbox import Sandbox
from localaws.ssm.document import InvalidContent, InvalidParameters, interpolated, read
from tests.localaws.ssm.conftest import content, written


def test_parameters_that_are_not_given_have_their_default() -> None:
    document = written("true", Size={"default": "1"}, Name={})
    assert document.checked({"Name": ["x"]}) == {"Size": "1", "Name": "x"}


def test_a_value_must_be_one_of_those_allowed() -> None:
    document = written("true", Colour={"allowedValues": ["red", "blue"]})
    with pytest.raises(InvalidParameters, match=r"Colour must be one of red, blue; it is 'green'"):
        document.checked({"Colour": ["green"]})


@pytest.mark.parametrize("value", ["/mnt/efs\n", "/mnt/efs ", "/mnt/../etc", "/mnt/$(id)", "/a;b", "/a'b", '/a"b', ""])
def test_a_pattern_refuses_what_a_shell_would_read(value: str) -> None:
    path = {"allowedPattern": "^(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$"}
    with pytest.raises(InvalidParameters, match="allowed pattern"):
        written("true", Path=path).checked({"Path": [value]})


def test_a_pattern_without_anchors_is_found_anywhere() -> None:
    document = written("true", Name={"allowedPattern": "[a-z]"})
    assert document.checked({"Name": ["1; a"]}) == {"Name": "1; a"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schemaVersion": "1.2"}, "schemaVersion is '1.2'"),
        ({"mainSteps": []}, "one step"),
        ({"mainSteps": [{"action": "aws:runPowerShellScript", "name": "x"}]}, "aws:runPowerShellScript"),
        ({"mainSteps": [{"action": "aws:runShellScript", "inputs": {"runCommand": []}}]}, "the step has no name"),
        ({"mainSteps": [{"action": "aws:runShellScript", "name": "x"}]}, "the step has no inputs"),
        ({"mainSteps": [{"action": "aws:runShellScript", "name": "x", "inputs": {}}]}, "inputs have no runCommand"),
        ({"parameters": {"Name": {"type": "StringList"}}}, "'StringList'"),
        ({"parameters": {"Name": {"type": "String", "interpolationType": "JSON"}}}, "'JSON'"),
        ({"parameters": {}}, "does not declare: Who"),
        (
            {"parameters": {"Who": {"type": "String", "default": "1", "allowedPattern": "^[a-z]+$"}}},
            "default of a parameter is refused: Parameter Who does not match",
        ),
    ],
)
def test_a_document_that_the_agent_cannot_run_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidContent, match=said):
        read({**content("echo {{ Who }}", Who={}), **change})


@pytest.mark.parametrize(
    "precondition",
    [
        {"StringEquals": ["Linux", "Linux"]},
        {"StringEquals": ["platformType", "platformType"]},
        {"StringEquals": ["platformType"]},
        {"StringLike": ["platformType", "Linux"]},
        {"StringEquals": ["platformType", "Linux"], "And": []},
    ],
)
def test_a_precondition_that_the_agent_does_not_know_is_refused(precondition: dict[str, list[str]]) -> None:
    with pytest.raises(InvalidContent, match="the sandbox knows StringEquals of platformType"):
        written("true", precondition=precondition)


def test_only_known_names_are_filled_in() -> None:
    assert interpolated("{{ A }} {{B}} ${#a} {{ C.D }}", {"A": "1"}) == "1 {{B}} ${#a} {{ C.D }}"


def test_a_step_without_a_name_is_refused_by_the_service(sandbox: Sandbox) -> None:
    step = {"action": "aws:runShellScript", "inputs": {"runCommand": ["true"]}}
    text = json.dumps({"schemaVersion": "2.2", "mainSteps": [step]})
    with pytest.raises(ClientError) as refused:
        sandbox.client("ssm").create_document(Name="nameless", Content=text, DocumentType="Command")
    assert refused.value.response["Error"]["Code"] == "InvalidDocumentContent"
