"""Stacks with the longest name and with names that services keep to themselves, with every option on."""

import re

import pytest

from localaws.cloudformation.names import RULES
from tests.stage.monitor.stack import Stack
from tests.template.test_template_names import schema_of
from tests.template.values import PARAMETERS

LONGEST_DESCRIPTION = 1_024
LARGEST_ENVIRONMENT_BYTES = 4_096
LONG = ("AlertEmail", "RunbookUrl", "BenchmarkPath", "BenchmarkLocalPath", "BenchmarkInstanceIds")
# Everything on, and each text as long as it may be.
EVERYTHING = {
    **{name: PARAMETERS[name].taken[-1] for name in LONG},
    **dict.fromkeys(("UtilizationAlarm", "IoLimitAlarm", "BenchmarkFailuresAlarm", "RegressionsAlarm"), "on"),
}


@pytest.mark.parametrize("name", ["a" * 128, "ssm", f"aws-{'x' * 124}", "AWSefs", "Amazon-efs"])
def test_a_stack_is_deployed_whatever_its_name(stack: Stack, name: str) -> None:
    stack.name = name
    stack.create_file_system()
    stack.deploy(**EVERYTHING)

    named = dict.fromkeys(RULES, 0)
    for resource in stack.sandbox.client("cloudformation").describe_stack_resources(StackName=name)["StackResources"]:
        kind, physical_id = resource["ResourceType"], resource["PhysicalResourceId"]
        # Some are known by their ARN or address, whose last part is the name.
        called = re.sub(r":[0-9]+$", "", physical_id) if kind == "AWS::Lambda::LayerVersion" else physical_id
        if physical_id.startswith(("arn:", "http")):
            called = re.split("[:/]", called)[-1]
        if kind in RULES and kind != "AWS::Logs::QueryDefinition":
            named[kind] += 1
            schema = schema_of(kind, RULES[kind].property)
            assert len(called) <= min(schema.get("maxLength", 10_000), RULES[kind].longest)
            assert re.search(schema.get("pattern", ""), called), called
    assert {kind for kind, count in named.items() if count} >= {
        *("AWS::CloudWatch::Alarm", "AWS::Events::Rule", "AWS::IAM::Role", "AWS::Lambda::Function", "AWS::SNS::Topic"),
        *("AWS::SSM::Document", "AWS::SSM::Parameter", "AWS::SQS::Queue", "AWS::Scheduler::Schedule"),
        *("AWS::Lambda::LayerVersion", "AWS::Logs::LogGroup", "AWS::CloudWatch::Dashboard"),
    }
    for alarm in stack.alarms().values():
        assert len(alarm["AlarmDescription"]) <= LONGEST_DESCRIPTION
    for function in stack.sandbox.client("lambda").list_functions()["Functions"]:
        variables = function["Environment"]["Variables"]
        assert sum(len(key) + len(value.encode()) for key, value in variables.items()) < LARGEST_ENVIRONMENT_BYTES
