"""`efs-monitor fleet` asks EFS and CloudFormation over HTTP what there is, and shows what a fleet would do."""

import json
import re
from collections.abc import Iterator
from contextlib import closing

import boto3
import pytest
from typer.testing import CliRunner, Result

from localaws.file_systems import Size
from localaws.iam.sessions import LAMBDA
from localaws.sandbox import Sandbox
from operate.cli import app
from operate.commands.on_fleet import fleet as command
from operate.fleet_plan import FLEET_NAME, FLEET_TAG, release_url
from operate.template_files import FLEET_TEMPLATE, as_written
from tests.localaws.roles import role
from tests.unit.docs.pages import prose

MONITOR = {
    "Description": "EFS burst-credit monitor, one stack per file system. As another release says it.",
    "Parameters": {"FileSystemId": {"Type": "String"}},
    "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
}
URL = "https://bucket.s3.us-east-1.amazonaws.com/efs-monitor-1/template.yaml"
NEW, TAGGED_WRONG, BY_HAND = (f"fs-{number:017x}" for number in range(3))


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """Three file systems of which somebody watches one with a stack by hand, and a stack of something else."""
    with Sandbox(tmp_path_factory.mktemp("sandbox")) as running, pytest.MonkeyPatch.context() as shell:
        for file_system_id in (NEW, TAGGED_WRONG, BY_HAND):
            running.file_systems.create(file_system_id, Size(standard_bytes=2**30))
        for name, value in {
            "AWS_ENDPOINT_URL": running.endpoint_url,
            "AWS_ACCESS_KEY_ID": "operator",
            "AWS_SECRET_ACCESS_KEY": "sandbox",
            "AWS_REGION": "us-east-1",
        }.items():
            shell.setenv(name, value)
        with closing(boto3.client("efs")) as efs, closing(boto3.client("cloudformation")) as cloudformation:
            efs.tag_resource(ResourceId=TAGGED_WRONG, Tags=[{"Key": "efs-monitor:WarningMinutes", "Value": "9"}])
            cloudformation.create_stack(
                StackName="mine",
                TemplateBody=json.dumps(MONITOR),
                Parameters=[{"ParameterKey": "FileSystemId", "ParameterValue": BY_HAND}],
            )
            cloudformation.create_stack(StackName="other", TemplateBody=json.dumps({"Resources": MONITOR["Resources"]}))
        yield running


def fleet(*words: str) -> Result:
    return CliRunner().invoke(app, ["fleet", "home", "--template-url", URL, *words])


@pytest.mark.usefixtures("sandbox")
def test_what_would_be_done_is_shown_with_its_reasons_and_within_80_columns() -> None:
    found = fleet()
    assert (found.exit_code, found.stderr) == (1, "")
    assert max(map(len, found.stdout.splitlines())) <= 80
    said = " ".join(found.stdout.split())
    assert said.startswith(
        "Fleet home, every file system: create 1, refuse 2 Which grace or pause has begun is not known: "
        "there is no parameter /efs-monitor/home/fleet-notes create "
    )
    assert f"create {NEW} has no stack" in said
    assert f"refuse {TAGGED_WRONG} Its tag efs-monitor:WarningMinutes is '9': WarningMinutes must be" in said
    assert f"refuse {BY_HAND} mine, which was deployed by hand, watches it already: it is left alone" in said


@pytest.mark.usefixtures("sandbox")
def test_without_a_url_and_without_a_fleet_the_sentence_says_what_to_give() -> None:
    found = CliRunner().invoke(app, ["fleet", "home"])
    assert (found.exit_code, found.stdout) == (2, "")
    assert " ".join(found.stderr.split()) == (
        "No stack in us-east-1 is the fleet home, which would say of which release its stacks are: give another "
        "--region, or with --template-url the address of the packaged template.yaml of a release in S3, such as "
        "https://BUCKET.s3.us-east-1.amazonaws.com/efs-monitor-VERSION/template.yaml"
    )


TOPIC = "arn:aws:sns:us-east-1:123456789012:ours-warning"
GIVEN = dict.fromkeys(("WarningTopicArn", "CriticalTopicArn", "AdviceTopicArn"), TOPIC) | {
    "PermissionsBoundaryArn": "arn:aws:iam::123456789012:policy/ours-MonitorBoundary"
}


@pytest.fixture
def deployed(sandbox: Sandbox) -> Iterator[None]:
    """The stack of a fleet of two file systems by their tag, under the long name that StackSets give it."""
    given = {
        "FleetName": "ours",
        "FleetTag": "team=storage",
        "MonitorParameters": "WarningMinutes=240",
        "GraceHours": "48",
        "ReleaseBucket": "bucket",
        "ReleaseTemplate": "efs-monitor-1/template.yaml",
    }
    own = as_written(FLEET_TEMPLATE)
    resources = MONITOR["Resources"]
    outputs = {"GivenToStacks": {"Value": ";".join(f"{name}={value}" for name, value in GIVEN.items())}}
    small = {
        "Description": own["Description"],
        "Parameters": own["Parameters"],
        "Resources": resources,
        "Outputs": outputs,
    }
    cloudformation = sandbox.client("cloudformation")
    cloudformation.create_stack(
        StackName="StackSet-ours-0123",
        TemplateBody=json.dumps(small),
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in given.items()],
    )
    tags = [{"Key": "team", "Value": "storage"}]
    sandbox.client("efs").tag_resource(ResourceId=NEW, Tags=tags)
    yield
    sandbox.client("efs").untag_resource(ResourceId=NEW, TagKeys=["team"])
    cloudformation.delete_stack(StackName="StackSet-ours-0123")


@pytest.mark.usefixtures("deployed")
def test_a_deployed_fleet_is_asked_by_its_name_alone_as_its_digest_says() -> None:
    found = CliRunner().invoke(app, ["fleet", "ours", "--json"])
    (step,) = json.loads(found.stdout)["steps"]
    assert (step["step"], step["file_system_id"], step["parameters"]["WarningMinutes"]) == ("create", NEW, "240")
    assert " ".join(CliRunner().invoke(app, ["fleet", "ours"]).stdout.split()).startswith(
        "Fleet ours, the tag team=storage: create 1"
    )


@pytest.mark.usefixtures("deployed")
def test_an_option_goes_before_what_the_deployed_fleet_has() -> None:
    words = ["fleet", "ours", "--json", "--tag", "", "--parameters", "CriticalMinutes=30"]
    steps = json.loads(CliRunner().invoke(app, words).stdout)["steps"]
    (created,) = [one for one in steps if one["step"] == "create"]
    assert len(steps) == 3
    assert created["parameters"] == GIVEN | {"Dashboard": "off", "CriticalMinutes": "30", "FileSystemId": NEW}


@pytest.mark.usefixtures("deployed")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            f"PermissionsBoundaryArn={GIVEN['PermissionsBoundaryArn']}",
            "the fleet's own PermissionsBoundaryPolicy gives",
        ),
        ("AlertEmail=storage-team@example.com", "but all three topics are given, and a stack subscribes nobody"),
        ("WarningTopicArn=arn:aws:sns:eu-west-1:123456789012:pager", "a topic in eu-west-1, but alarms reach only"),
        ("WarningMinutes=240;CriticalMinutes=230", "CriticalMinutes"),
    ],
)
def test_what_the_deployed_fleet_would_refuse_beside_what_it_gives_by_itself_is_refused_too(
    given: str, said: str
) -> None:
    found = CliRunner().invoke(app, ["fleet", "ours", "--parameters", given])
    assert (found.exit_code, found.stdout) == (2, "")
    assert said in " ".join(found.stderr.split())


@pytest.mark.parametrize(("region", "suffix"), [("eu-central-1", "amazonaws.com"), ("cn-north-1", "amazonaws.com.cn")])
def test_the_address_of_the_release_is_the_one_that_the_fleets_function_is_given(region: str, suffix: str) -> None:
    own = {"ReleaseBucket": "bucket", "ReleaseTemplate": "a/template.yaml"}
    written = as_written(FLEET_TEMPLATE)["Resources"]["ReconcileFleet"]["Properties"]["Environment"]["Variables"]
    substituted = {"AWS::Region": region, "AWS::URLSuffix": suffix} | own
    expected = re.sub(r"\$\{([\w:]+)\}", lambda found: substituted[found[1]], written["TEMPLATE_URL"]["Fn::Sub"])
    assert release_url(own, "ours", region) == expected


@pytest.mark.usefixtures("sandbox")
def test_as_data_it_has_the_parameters_too() -> None:
    steps = json.loads(fleet("--parameters", "WarningMinutes=240", "--json").stdout)["steps"]
    (created,) = [one for one in steps if one["step"] == "create"]
    assert created["parameters"] == {"Dashboard": "off", "WarningMinutes": "240", "FileSystemId": NEW}
    assert created["stack_name"] == f"home-{NEW}"


@pytest.mark.usefixtures("sandbox")
def test_where_nothing_would_be_changed_it_ends_with_0() -> None:
    found = fleet("--tag", "team=none")
    assert found.exit_code == 0
    assert found.stdout.startswith("Fleet home, the tag team=none: there are none\n")


def test_what_the_page_and_the_command_say_that_it_needs_is_enough(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    (page,) = re.findall(r"It reads \((.*?)\)", " ".join(prose("docs/fleet.md").split()))
    actions = re.findall(r"`(\w+:\w+)`", page)
    assert {*actions, "ssm:GetParameters"} == set(re.findall(r"\b[a-z]+:[A-Z]\w+", command.__doc__ or ""))
    arn = role(sandbox, "reader", [{"Effect": "Allow", "Action": actions, "Resource": "*"}])
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", sandbox.sessions.assume(arn, "reader", LAMBDA, "").access_key_id)
    found = fleet()
    assert (found.exit_code, found.stderr) == (1, "")
    assert "is not known. Not allowed to call ssm:GetParameters on /efs-monitor/home/" in " ".join(found.stdout.split())


def test_a_parameter_that_is_wrong_is_refused_before_anything_is_read() -> None:
    found = fleet("--parameters", "WarningMinutes=1")
    assert found.exit_code == 2
    assert "WarningMinutes must be a whole number from 40 to 360" in " ".join(found.stderr.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["fleet", "Fleet of ours", "--template-url", URL],
            "NAME is 'Fleet of ours', but a FleetName is at most 16 of",
        ),
        (["fleet", "efs-fs", "--template-url", URL], "NAME is 'efs-fs', but a FleetName is at most 16 of"),
        (["fleet", "a-name-that-is-too-long", "--template-url", URL], "NAME is 'a-name-that-is-too-long', but"),
        (["fleet", "home", "--template-url", URL, "--tag", "=yes"], "--tag is '=yes', but must be a tag in ASCII: KEY"),
        (
            ["fleet", "home", "--template-url", "template.yaml"],
            "--template-url is 'template.yaml', but must",
        ),
    ],
)
def test_what_no_fleet_can_have_is_refused_and_not_planned_for_every_file_system(words: list[str], said: str) -> None:
    found = CliRunner().invoke(app, [*words, "--region", "us-east-1"])
    assert (found.exit_code, found.stdout) == (2, "")
    assert said in " ".join(found.stderr.split())


def test_the_command_takes_the_names_and_tags_that_the_template_takes() -> None:
    parameters = as_written(FLEET_TEMPLATE)["Parameters"]
    name, tag = parameters["FleetName"], parameters["FleetTag"]
    assert f"^(?=.{{1,{name['MaxLength']}}}$){name['AllowedPattern'].strip('^$')}$" == f"^{FLEET_NAME}$"
    assert tag["AllowedPattern"] == "^$|^" + FLEET_TAG.removeprefix("|") + "$"
