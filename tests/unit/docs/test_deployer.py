"""What the pages ask for the deployer, and of a key's policy, is what the template creates."""

import re
from collections import Counter

from operate.template_files import FLEET_TEMPLATE, as_written, template
from tests.unit.docs.pages import PROJECT, prose

NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}
RESOURCES = template()["Resources"].values()
ALWAYS = Counter(one["Type"] for one in RESOURCES if "Condition" not in one)
WITH_BENCHMARKS = Counter(one["Type"] for one in RESOURCES if "Benchmark" in one.get("Condition", ""))
DEPLOYMENT, INTEGRATIONS = (" ".join(prose(f"docs/{name}.md").split()) for name in ("deployment", "integrations"))


def test_the_resources_of_every_stack_are_counted_right() -> None:
    assert f"the {NUMBERS[ALWAYS['AWS::IAM::Role']]} IAM roles of the stack" in DEPLOYMENT
    assert f"{NUMBERS[ALWAYS['AWS::Scheduler::Schedule']]} EventBridge schedules" in DEPLOYMENT
    assert f"{NUMBERS[ALWAYS['AWS::Events::Rule']]} EventBridge rule;" in DEPLOYMENT
    assert f"{NUMBERS[ALWAYS['AWS::SSM::Parameter']]} SSM parameter |" in DEPLOYMENT


def test_the_resources_of_benchmarks_are_counted_right() -> None:
    roles, schedules, parameters = (
        NUMBERS[WITH_BENCHMARKS[kind]] for kind in ("AWS::IAM::Role", "AWS::Scheduler::Schedule", "AWS::SSM::Parameter")
    )

    assert f"| {roles} more roles, {schedules} more schedules, {parameters} more parameter," in DEPLOYMENT
    single = ("AWS::SSM::Document", "AWS::Events::Rule", "AWS::SQS::Queue", "AWS::Logs::QueryDefinition")
    assert [WITH_BENCHMARKS[kind] for kind in single] == [1, 1, 1, 1]
    assert "an SSM document, an EventBridge rule, an SQS queue and a saved query" in DEPLOYMENT


def test_every_function_that_publishes_with_a_key_is_named() -> None:
    roles = {
        name.removesuffix("Role")
        for name, one in (template()["Resources"] | as_written(FLEET_TEMPLATE)["Resources"]).items()
        if one["Type"] == "AWS::IAM::Role" and "UseTopicKey" in str(one)
    }
    (sentence,) = re.findall(r"allow the same two actions to the roles of ([^.]+) by name", INTEGRATIONS)

    assert set(re.findall(r"`(\w+)`", sentence)) == roles


def test_every_transform_that_a_change_set_is_allowed_for_is_named() -> None:
    """CloudFormation asks for CreateChangeSet on each, by an ARN with `aws` for the account."""
    written = (PROJECT / "template.yaml").read_text()
    transforms = set(re.findall(r"\bAWS::(Include|Serverless-\S+)$", written, re.MULTILINE))

    assert transforms == {"Serverless-2016-10-31", "Include"}
    for transform in transforms:
        assert f"`arn:PARTITION:cloudformation:REGION:aws:transform/{transform}`" in DEPLOYMENT
