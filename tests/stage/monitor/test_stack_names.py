"""Stacks with the longest name and with names that services keep to themselves, with every option on."""

import re

import pytest

from localaws.cloudformation.schemas import schema
from tests.quick import first_of
from tests.stage.monitor.stack_under_test import StackUnderTest
from tests.template.parameter_values import PARAMETERS
from tests.template.test_template_names import name_property

LONGEST_DESCRIPTION = 1_024
LONG = ("AlertEmail", "RunbookUrl", "BenchmarkPath", "BenchmarkLocalPath", "BenchmarkInstanceIds")
# Everything on, and each text as long as it may be.
EVERYTHING = {
    **{name: PARAMETERS[name].taken[-1] for name in LONG},
    **dict.fromkeys(("UtilizationAlarm", "IoLimitAlarm", "BenchmarkFailuresAlarm", "RegressionsAlarm"), "on"),
}


@pytest.mark.parametrize("name", first_of(["a" * 128, "ssm", f"aws-{'x' * 124}", "AWSefs", "Amazon-efs"], 2, in_ci=2))
def test_a_stack_is_deployed_whatever_its_name(stack: StackUnderTest, name: str) -> None:
    stack.name = name
    stack.create_file_system()
    stack.deploy(**EVERYTHING)

    named = set()
    for resource in stack.sandbox.client("cloudformation").describe_stack_resources(StackName=name)["StackResources"]:
        kind, physical_id = resource["ResourceType"], resource["PhysicalResourceId"]
        # Some are known by their ARN or address, whose last part is the name.
        called = re.sub(r":[0-9]+$", "", physical_id) if kind == "AWS::Lambda::LayerVersion" else physical_id
        if physical_id.startswith(("arn:", "http")):
            called = re.split("[:/]", called)[-1]
        if (name := name_property(kind)) and kind != "AWS::Logs::QueryDefinition":
            named.add(kind)
            limits = schema(kind).properties[name]
            assert len(called) <= limits["maxLength"]
            assert re.search(limits.get("pattern", ""), called), called
    assert named >= {
        *("AWS::CloudWatch::Alarm", "AWS::Events::Rule", "AWS::IAM::Role", "AWS::Lambda::Function", "AWS::SNS::Topic"),
        *("AWS::SSM::Document", "AWS::SSM::Parameter", "AWS::SQS::Queue", "AWS::Scheduler::Schedule"),
        *("AWS::Lambda::LayerVersion", "AWS::Logs::LogGroup", "AWS::CloudWatch::Dashboard"),
    }
    for alarm in stack.alarms().values():
        assert len(alarm["AlarmDescription"]) <= LONGEST_DESCRIPTION
