"""`AWS::Include`: a template that has parts of it in files in S3."""

from __future__ import annotations

import json
import re
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError

from localaws.cloudformation.definition import Definition, Submission, prepare
from localaws.cloudformation.error_codes import RequestRefused
from tests.localaws.cloudformation.test_templates import PLACE, REGISTRY

if TYPE_CHECKING:
    from tests.localaws.cloudformation.conftest import EmulatedCloudFormation, EmulatedStack

INVALID = "Transform AWS::Include failed with: The specified S3 object's content should be valid Yaml/JSON"
ALONE = """
Resources:
  One:
    Type: AWS::SNS::Topic
    Properties:
      Fn::Transform: {Name: AWS::Include, Parameters: {Location: s3://bucket/one.yaml}}
"""


def define(text: str, **snippets: str) -> Definition:
    """A template whose includes are found, by the names of their files."""

    def read(location: str) -> str:
        return snippets[location.removeprefix("s3://bucket/").removesuffix(".yaml")]

    return prepare(Submission(text), PLACE, REGISTRY, snippets=read)


def properties(text: str, **snippets: str) -> Any:
    return define(text, **snippets).processed["Resources"]["One"]["Properties"]


def test_what_is_included_stands_where_it_is_named() -> None:
    assert properties(ALONE, one="DisplayName: hello") == {"DisplayName": "hello"}


def test_what_is_included_stands_beside_its_neighbours() -> None:
    beside = ALONE.replace("Properties:", "Properties:\n      TopicName: !Sub '${AWS::StackName}-x'")
    assert properties(beside, one="DisplayName: hello") == {
        "TopicName": {"Fn::Sub": "${AWS::StackName}-x"},
        "DisplayName": "hello",
    }


def test_yaml_and_json_may_be_mixed() -> None:
    assert properties(ALONE, one='{"DisplayName": "hello"}') == {"DisplayName": "hello"}


def test_long_forms_that_are_included_are_resolved_like_any_other() -> None:
    two = f"{ALONE}  Two: {{Type: AWS::SNS::Topic}}\n"
    assert define(two, one="DisplayName: {Fn::GetAtt: [Two, TopicName]}").resources["One"].needs == {"Two"}


def test_a_date_in_a_file_stays_a_text() -> None:
    assert properties(ALONE, one="DisplayName: 2012-10-17") == {"DisplayName": "2012-10-17"}


@pytest.mark.parametrize(
    "snippet",
    [
        "DisplayName: !Ref AWS::StackName",
        "DisplayName: !Sub hello",
        "DisplayName: {Fn::Transform: {Name: AWS::Include, Parameters: {Location: s3://bucket/two.yaml}}}",
        "DisplayName: [",
        '{"DisplayName": "hello"',
        "- DisplayName",
        "hello",
        "",
    ],
)
def test_short_forms_includes_of_includes_and_what_is_no_mapping_are_refused(snippet: str) -> None:
    with pytest.raises(RequestRefused) as refused:
        define(ALONE, one=snippet)
    assert refused.value.message == INVALID


def test_the_same_property_twice_is_refused() -> None:
    twice = ALONE.replace("Properties:", "Properties:\n      DisplayName: hello")
    with pytest.raises(
        RequestRefused, match="'DisplayName' is there already: the sandbox does not know which one AWS takes"
    ):
        define(twice, one="DisplayName: bye")


def test_another_macro_is_refused() -> None:
    with pytest.raises(RequestRefused, match="No transform named Upper found"):
        define(ALONE.replace("AWS::Include", "Upper"))


def test_a_location_that_only_a_parameter_knows_is_refused() -> None:
    text = ALONE.replace("s3://bucket/one.yaml", "!Ref Place")
    with pytest.raises(RequestRefused, match="the sandbox knows a Location only as a text"):
        define(f"Parameters: {{Place: {{Type: String, Default: x}}}}\n{text}")


def test_included_resources_of_sam_are_transformed() -> None:
    sam = """
Transform: AWS::Serverless-2016-10-31
Resources:
  One:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: python3.13
      Fn::Transform: {Name: AWS::Include, Parameters: {Location: s3://bucket/one.yaml}}
"""
    rest = 'Handler: a.b\nInlineCode: x\nRole: "arn:aws:iam::123456789012:role/x"\n'
    assert define(sam, one=rest).processed["Resources"]["One"]["Type"] == "AWS::Lambda::Function"


def including(location: str) -> dict[str, Any]:
    include = {"Name": "AWS::Include", "Parameters": {"Location": location}}
    return {"Resources": {"One": {"Type": "AWS::SNS::Topic", "Properties": {"Fn::Transform": include}}}}


@pytest.fixture
def bucket(sandbox: EmulatedCloudFormation) -> str:
    name = f"bucket-{uuid.uuid4().hex[:8]}"
    sandbox.client("s3").create_bucket(Bucket=name)
    return name


def proposed(stack: EmulatedStack, template: dict[str, Any], kind: str) -> dict[str, Any]:
    """A change set, with the capabilities that `sam deploy` sends."""
    made = stack.cfn.create_change_set(
        StackName=stack.name,
        ChangeSetName=f"change-{uuid.uuid4().hex[:8]}",
        ChangeSetType=kind,
        TemplateBody=json.dumps(template),
        Capabilities=["CAPABILITY_IAM"],
    )
    described: dict[str, Any] = stack.cfn.describe_change_set(ChangeSetName=made["Id"])
    return described


def test_a_change_set_needs_no_further_capability_and_a_new_file_is_a_change(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack, bucket: str
) -> None:
    s3 = sandbox.client("s3")
    for number, kind in enumerate(("CREATE", "UPDATE")):
        s3.put_object(Bucket=bucket, Key=f"{number}", Body=f"DisplayName: number {number}".encode())
        change_set = proposed(stack, including(f"s3://{bucket}/{number}"), kind)
        stack.cfn.execute_change_set(ChangeSetName=change_set["ChangeSetId"])
        assert stack.describe()["StackStatus"] == f"{kind}_COMPLETE"
        topic = sandbox.client("sns").get_topic_attributes(TopicArn=stack.physical_id("One"))
        assert topic["Attributes"]["DisplayName"] == f"number {number}"
    s3.put_object(Bucket=bucket, Key="same", Body=b'{"DisplayName": "number 1"}')
    assert proposed(stack, including(f"s3://{bucket}/same"), "UPDATE")["StatusReason"].startswith("The submitted info")


def test_the_original_names_the_file_and_the_processed_template_has_it(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack, bucket: str
) -> None:
    sandbox.client("s3").put_object(Bucket=bucket, Key="one", Body=b"DisplayName: hello")
    stack.create(including(f"s3://{bucket}/one"), Capabilities=["CAPABILITY_AUTO_EXPAND"])
    texts = {
        stage: json.dumps(stack.cfn.get_template(StackName=stack.name, TemplateStage=stage)["TemplateBody"])
        for stage in ("Original", "Processed")
    }
    assert f"s3://{bucket}/one" in texts["Original"]
    assert "hello" in texts["Processed"]
    assert "Fn::Transform" not in texts["Processed"]


def test_a_stack_made_directly_needs_the_capability_to_expand(stack: EmulatedStack) -> None:
    with pytest.raises(ClientError, match=r"Requires capabilities : \[CAPABILITY_AUTO_EXPAND\]"):
        stack.create(including("s3://bucket/one"))


def test_the_template_of_before_is_expanded_again_so_its_files_must_still_be_there(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack, bucket: str
) -> None:
    sandbox.client("s3").put_object(Bucket=bucket, Key="one", Body=b"DisplayName: hello")
    stack.create(including(f"s3://{bucket}/one"), Capabilities=["CAPABILITY_AUTO_EXPAND"])
    sandbox.client("s3").delete_object(Bucket=bucket, Key="one")
    stack.cfn.update_stack(
        StackName=stack.name,
        UsePreviousTemplate=True,
        Capabilities=["CAPABILITY_AUTO_EXPAND"],
        Tags=[{"Key": "a", "Value": "b"}],
    )
    assert stack.describe()["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    reasons = stack.reasons(stack.name)
    assert re.search(r"Transform AWS::Include failed with: .*specified key does not exist", reasons)


@pytest.mark.parametrize(
    ("location", "problem"),
    [
        ("src/included/one.yaml", "The location parameter is not a valid S3 uri."),
        ("https://bucket.s3.amazonaws.com/one.yaml", "The location parameter is not a valid S3 uri."),
        ("s3://bucket-of-nobody/one.yaml", "S3 bucket [bucket-of-nobody] does not exist."),
    ],
)
def test_a_file_that_is_not_in_s3_fails_the_change_set_and_not_the_request(
    stack: EmulatedStack, location: str, problem: str
) -> None:
    change_set = proposed(stack, including(location), "CREATE")
    assert change_set["Status"] == "FAILED"
    assert change_set["StatusReason"] == f"Transform AWS::Include failed with: {problem}"
    assert stack.describe()["StackStatus"] == "REVIEW_IN_PROGRESS"
