"""The real `sam deploy` and `sam delete` against the sandbox."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import time_machine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.localaws.cloudformation.conftest import EmulatedCloudFormation

PROGRAMS = Path(__file__).parents[3] / ".venv-sam" / "bin"

ROLE_OF_A_FUNCTION = """\
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: 2012-10-17
        Statement:
          - {Effect: Allow, Principal: {Service: lambda.amazonaws.com}, Action: "sts:AssumeRole"}
"""
TEMPLATE = (
    """
AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
Parameters:
  Greeting: {Type: String, Default: hello, AllowedPattern: "[a-z]+"}
Resources:
  Topic: {Type: AWS::SNS::Topic}
  Library:
    Type: AWS::Serverless::LayerVersion
    Properties: {ContentUri: library, CompatibleRuntimes: [python3.13]}
  GreeterRole:
"""
    + ROLE_OF_A_FUNCTION
    + """\
  Greeter:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: python3.13
      Handler: index.handler
      Role: !GetAtt GreeterRole.Arn
      InlineCode: "def handler(event, context): return 'hello'"
      Layers: [!Ref Library]
      Environment: {Variables: {GREETING: !Ref Greeting, TOPIC: !Ref Topic}}
  Stored:
    Type: AWS::SSM::Parameter
    Properties: {Name: !Sub "${Greeting}-stored", Type: String, Value: !Sub "${Greeting} ${Greeter.Arn}"}
Outputs:
  Function: {Value: !Ref Greeter}
  Stored: {Value: !Ref Stored}
"""
)


@pytest.fixture(autouse=True)
def _standing_clock() -> Iterator[None]:
    """The sandbox's time is simulated: far from sam's own, and still between two steps."""
    with time_machine.travel("2030-01-07T00:00:00Z", tick=False):
        yield


@pytest.mark.more
def test_sam_deploys_again_with_another_parameter_and_deletes_everything(
    sandbox: EmulatedCloudFormation, tmp_path: Path
) -> None:
    (tmp_path / "library" / "python").mkdir(parents=True)
    (tmp_path / "library" / "python" / "library.py").write_text("VALUE = 1\n")
    (tmp_path / "template.yaml").write_text(TEMPLATE)

    first = _sam(sandbox, tmp_path, "deploy")
    assert "Successfully created/updated stack" in first
    cfn, ssm = sandbox.client("cloudformation"), sandbox.client("ssm")
    outputs = {item["OutputKey"]: item["OutputValue"] for item in _stack(sandbox)["Outputs"]}
    configuration = sandbox.client("lambda").get_function_configuration(FunctionName=outputs["Function"])
    (layer,) = (one["Arn"].rpartition(":")[0] for one in configuration["Layers"])
    assert ssm.get_parameter(Name=outputs["Stored"])["Parameter"]["Value"].startswith("hello arn:aws:lambda")

    _sam(sandbox, tmp_path, "deploy", "--parameter-overrides", "Greeting=bye")
    assert _stack(sandbox)["StackStatus"] == "UPDATE_COMPLETE"
    assert ssm.get_parameter(Name="bye-stored")["Parameter"]["Value"].startswith("bye ")

    refused = _sam(sandbox, tmp_path, "deploy", "--parameter-overrides", "Greeting=NO", fails=True)
    assert "Parameter 'Greeting' must match pattern [a-z]+" in _last_line(refused)

    # What fails later is in the events, in a narrow column, and nowhere else: sam ends with what its waiter saw.
    refused = _sam(sandbox, tmp_path, "deploy", "--parameter-overrides", "Greeting=aws", fails=True)
    assert "begins with aws, which is" in " ".join(refused.split())
    assert _last_line(refused).endswith('we matched expected path: "UPDATE_ROLLBACK_COMPLETE" at least once')

    _sam(sandbox, tmp_path, "delete", "--no-prompts")
    with pytest.raises(cfn.exceptions.ClientError, match="does not exist"):
        _stack(sandbox)
    # SAM retains its layer versions; others' layers may be there as well.
    assert layer in {one["LayerArn"] for one in sandbox.client("lambda").list_layers()["Layers"]}


SHARING = (
    """
AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
Parameters:
  Greeting: {Type: String, Default: hello}
Resources:
  Role:
"""
    + ROLE_OF_A_FUNCTION
    + """\
  Greeter:
    Type: AWS::Serverless::Function
    Properties:
      {Runtime: python3.13, Handler: app.handler, CodeUri: greeter, Role: !GetAtt Role.Arn,
       Environment: {Variables: {GREETING: !Ref Greeting}}}
  Last:
    Type: AWS::SSM::Parameter
    DependsOn: Greeter
    # Names that begin with aws are SSM's own: creating one always fails.
    Properties:
      Type: String
      Name: !If [Breaks, aws-never, !Sub "/${AWS::StackName}/last"]
      Fn::Transform: {Name: AWS::Include, Parameters: {Location: last.yaml}}
Conditions:
  Breaks: !Equals [!Ref Greeting, breaks]
"""
)


@pytest.mark.typed
@pytest.mark.parametrize("own_folder", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_stack_keeps_its_code_when_another_is_deleted_only_if_each_has_a_folder_of_its_own(
    sandbox: EmulatedCloudFormation, tmp_path: Path, own_folder: bool
) -> None:
    def sam(verb: str, name: str, *arguments: str, fails: bool = False) -> None:
        where = ["--s3-prefix", name] if own_folder and verb == "deploy" else []
        _sam(sandbox, tmp_path, verb, *where, *arguments, stack_name=name, fails=fails)

    def keys() -> list[str]:
        s3 = sandbox.client("s3")
        (bucket,) = [one["Name"] for one in s3.list_buckets()["Buckets"] if "aws-sam-cli-managed" in one["Name"]]
        return [one["Key"] for one in s3.list_objects_v2(Bucket=bucket).get("Contents", [])]

    code = tmp_path / "greeter" / "app.py"
    code.parent.mkdir()
    code.write_text("def handler(event, context): return 'one'\n")
    (tmp_path / "template.yaml").write_text(SHARING)
    (tmp_path / "last.yaml").write_text("Value: x\n")
    stays, goes = (f"{name}-{'own' if own_folder else 'shared'}" for name in ("stays", "goes"))
    for name in (stays, goes):
        sam("deploy", name)
    (function,) = _functions(sandbox, stays)
    uploaded = {key for key in keys() if key.startswith(f"{stays}/")}
    # The code, what the template includes, and the template.
    assert len(uploaded) == (3 if own_folder else 0)
    sam("delete", goes, "--no-prompts")
    assert uploaded <= set(keys())
    assert not [key for key in keys() if key.startswith(f"{goes}/")]
    # The new code is rolled back, for which the old one must still be there.
    code.write_text("def handler(event, context): return 'two'\n")
    sam("deploy", stays, "--parameter-overrides", "Greeting=breaks", fails=True)
    status = sandbox.client("cloudformation").describe_stacks(StackName=stays)["Stacks"][0]["StackStatus"]
    assert status == ("UPDATE_ROLLBACK_COMPLETE" if own_folder else "UPDATE_ROLLBACK_FAILED")
    assert _functions(sandbox, stays) == [function]


INCLUDING = """
AWSTemplateFormatVersion: "2010-09-09"
Transform: AWS::Serverless-2016-10-31
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      Fn::Transform: {Name: AWS::Include, Parameters: {Location: parts/topic.yaml}}
  Stored:
    Type: AWS::SSM::Parameter
    Properties:
      Type: String
      Fn::Transform: {Name: AWS::Include, Parameters: {Location: parts/stored.yaml}}
"""


@pytest.mark.parametrize(
    "way", [pytest.param("sam build, sam deploy", marks=pytest.mark.more), "aws cloudformation package, deploy"]
)
def test_files_that_a_template_includes_are_uploaded_and_in_their_places(
    sandbox: EmulatedCloudFormation, tmp_path: Path, way: str
) -> None:
    name = f"including-{len(way)}"
    parts = tmp_path / "parts"
    parts.mkdir()
    (tmp_path / "template.yaml").write_text(INCLUDING)
    (parts / "topic.yaml").write_text("# Above.\nDisplayName: {Fn::Sub: '${AWS::StackName} tells'}\n")
    (parts / "stored.yaml").write_text("Name: {Fn::Sub: '/${AWS::StackName}/stored'}\nValue: |\n  one\n    two ${x}\n")
    if way.startswith("aws"):
        sandbox.client("s3").create_bucket(Bucket=name)
        package = ["--s3-bucket", name, "--template-file", "template.yaml", "--output-template-file", "packaged.yaml"]
        _run(sandbox, tmp_path, "aws", "cloudformation", "package", *package)
        assert "parts/" not in (tmp_path / "packaged.yaml").read_text()
        _run(
            sandbox,
            tmp_path,
            "aws",
            "cloudformation",
            "deploy",
            "--stack-name",
            name,
            "--template-file",
            "packaged.yaml",
        )
    else:
        _run(sandbox, tmp_path, "sam", "build")
        assert "../../parts/topic.yaml" in (tmp_path / ".aws-sam" / "build" / "template.yaml").read_text()
        _sam(sandbox, tmp_path, "deploy", stack_name=name)
    resources = sandbox.client("cloudformation").describe_stack_resources(StackName=name)["StackResources"]
    topic = next(one["PhysicalResourceId"] for one in resources if one["ResourceType"] == "AWS::SNS::Topic")
    attributes = sandbox.client("sns").get_topic_attributes(TopicArn=topic)["Attributes"]
    assert attributes["DisplayName"] == f"{name} tells"
    stored = sandbox.client("ssm").get_parameter(Name=f"/{name}/stored")["Parameter"]["Value"]
    assert stored == "one\n  two ${x}\n"


@pytest.mark.more
def test_a_file_that_is_not_there_is_named_before_anything_is_uploaded(
    sandbox: EmulatedCloudFormation, tmp_path: Path
) -> None:
    (tmp_path / "template.yaml").write_text(INCLUDING)
    refused = _sam(sandbox, tmp_path, "deploy", stack_name="including-nothing", fails=True)
    assert "parts/topic.yaml" in refused


def _functions(sandbox: EmulatedCloudFormation, stack_name: str) -> list[str]:
    found = sandbox.client("cloudformation").describe_stack_resources(StackName=stack_name)["StackResources"]
    return [one["PhysicalResourceId"] for one in found if one["ResourceType"] == "AWS::Lambda::Function"]


def _last_line(printed: str) -> str:
    return printed.strip().splitlines()[-1]


def _stack(sandbox: EmulatedCloudFormation) -> dict[str, Any]:
    found: dict[str, Any] = sandbox.client("cloudformation").describe_stacks(StackName="tiny")["Stacks"][0]
    return found


def _sam(
    sandbox: EmulatedCloudFormation,
    folder: Path,
    verb: str,
    *arguments: str,
    stack_name: str = "tiny",
    fails: bool = False,
) -> str:
    extra = ["--resolve-s3", "--no-confirm-changeset", "--capabilities", "CAPABILITY_IAM"] if verb == "deploy" else []
    command = ("sam", verb, "--stack-name", stack_name, "--region", "us-east-1", *extra, *arguments)
    return _run(sandbox, folder, *command, fails=fails)


def _run(sandbox: EmulatedCloudFormation, folder: Path, program: str, *arguments: str, fails: bool = False) -> str:
    finished = subprocess.run(
        [str(PROGRAMS / program), *arguments],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "SAM_CLI_POLL_DELAY": "0.2",
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": sandbox.endpoint,
            "SAM_CLI_TELEMETRY": "0",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    output = finished.stdout + finished.stderr
    assert (finished.returncode != 0) == fails, output
    return output
