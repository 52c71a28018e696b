"""The content of a document as CloudFormation sends it to Systems Manager, whose bytes count."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from moto.ssm.models import ssm_backends

from localaws.account import ACCOUNT_ID, REGION

if TYPE_CHECKING:
    from tests.localaws.cloudformation.conftest import EmulatedStack

STEP = {"action": "aws:runShellScript", "name": "say", "inputs": {"runCommand": ["echo 'é'\n", "true"], "on": {}}}
DOCUMENT = {"schemaVersion": "2.2", "parameters": {"Who": {"type": "String"}}, "mainSteps": [STEP], "files": []}


def sent(stack: EmulatedStack, content: Any) -> str:
    properties = {"Name": stack.name, "DocumentType": "Command", "Content": content}
    template = {"Resources": {"Say": {"Type": "AWS::SSM::Document", "Properties": properties}}}
    assert stack.create(template) == "CREATE_COMPLETE", stack.reasons("Say")
    stored = ssm_backends[ACCOUNT_ID][REGION]._get_documents(stack.name).get_latest_version()
    return str(stored.content)


def test_of_an_object_an_entry_has_a_line_and_a_list_has_one(stack: EmulatedStack) -> None:
    """As Jackson's INDENT_OUTPUT has it, which AWS's handler asks for."""
    assert sent(stack, DOCUMENT) == "\n".join(
        [
            "{",
            '  "schemaVersion" : "2.2",',
            '  "parameters" : {',
            '    "Who" : {',
            '      "type" : "String"',
            "    }",
            "  },",
            '  "mainSteps" : [ {',
            '    "action" : "aws:runShellScript",',
            '    "name" : "say",',
            '    "inputs" : {',
            '      "runCommand" : [ "echo \'é\'\\n", "true" ],',
            '      "on" : { }',
            "    }",
            "  } ],",
            '  "files" : [ ]',
            "}",
        ]
    )


@pytest.mark.parametrize("text", [json.dumps(DOCUMENT), json.dumps(DOCUMENT, separators=(",", ":"))])
def test_a_text_is_sent_as_it_is_written(stack: EmulatedStack, text: str) -> None:
    assert sent(stack, text) == text
