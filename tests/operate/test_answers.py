"""What stands in the way of an operator's command is a sentence, for every command alike, and never a traceback."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoRegionError,
    ReadTimeoutError,
)
from efs_monitor.errors import AwsRefused, AwsThrottled
from typer.testing import CliRunner

from operate import environment, sam_command
from operate.answer import answered, explained
from operate.cli import app
from operate.terminal import one_line
from tests.printed import too_wide

FILE_SYSTEM = "fs-0123456789abcdef0"
READING = {
    "backtest": ["backtest", FILE_SYSTEM],
    "advise": ["advise", FILE_SYSTEM],
    "report": ["report", FILE_SYSTEM],
    "fleet": ["fleet", "home", "--template-url", "https://example.com/template.yaml"],
}


ON_STACK = {
    "drill": ["drill", "--stack", "efs-monitor-home"],
    "benchmark": ["benchmark", "--stack", "efs-monitor-home"],
    "smoke": ["smoke", "example"],
}
OF_A_NAMED_STACK = [command for command in ON_STACK if command != "smoke"]
ALL = ON_STACK | READING


def ended(*words: str) -> int:
    """The exit status of a command line."""
    with pytest.raises(SystemExit) as ended:
        app(list(words))
    assert isinstance(ended.value.code, int)
    return ended.value.code


type Said = Callable[..., str]


def refusal(code: str, message: str) -> bytes:
    return f"<ErrorResponse><Error><Code>{code}</Code><Message>{message}</Message></Error></ErrorResponse>".encode()


@contextmanager
def answering(body: bytes, status: int, signed: list[str] | None = None) -> Iterator[str]:
    """The address of an AWS that answers every request alike; `signed` gets by what each was signed."""

    class FixedAnswer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if signed is not None:
                signed.append(self.headers["Authorization"])
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = HTTPServer(("127.0.0.1", 0), FixedAnswer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Said:
    """Runs a command in a shell that has these variables only; the sentence that it ends with, on one line."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in {
        "HOME": str(tmp_path),
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_MAX_ATTEMPTS": "1",
    }.items():
        monkeypatch.setenv(name, value)

    def run(command: str, **environment: str) -> str:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        assert ended(*ALL[command]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert too_wide(printed.err) == []
        return " ".join(printed.err.split())

    return run


KEYS = {"AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "example"}


@pytest.mark.parametrize("command", ALL)
def test_without_credentials(command: str, said: Said) -> None:
    assert said(command).startswith(
        "There are no credentials for AWS (Unable to locate credentials): set AWS_PROFILE to a profile that works"
    )


NO_PROFILE = (
    "There is no profile '{0}' here, which --profile, AWS_PROFILE or the environment in samconfig.toml names: make it "
    "(aws configure --profile {0}), or name another"
)


@pytest.mark.parametrize("command", ALL)
def test_with_a_profile_that_there_is_not(command: str, said: Said) -> None:
    assert said(command, AWS_PROFILE="nobody") == NO_PROFILE.format("nobody")


@pytest.mark.parametrize("command", [*READING, "drill"])
@pytest.mark.usefixtures("said")
def test_with_a_profile_as_an_option_that_there_is_not(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(*ALL[command], "--profile", "nobody") == 2
    assert " ".join(capsys.readouterr().err.split()) == NO_PROFILE.format("nobody")


@pytest.mark.parametrize("command", ["advise", "drill"])
def test_with_a_profile_that_builds_on_one_that_there_is_not(command: str, said: Said, tmp_path: Path) -> None:
    configuration = tmp_path / "config"
    configuration.write_text("[profile storage]\nrole_arn = arn:aws:iam::111122223333:role/x\nsource_profile = none\n")
    assert said(command, AWS_CONFIG_FILE=str(configuration), AWS_PROFILE="storage") == (
        'There are no credentials for AWS (The source_profile "none" referenced in the profile "storage" does not '
        "exist): set AWS_PROFILE to a profile that works, or log in again (aws sso login)"
    )


@pytest.mark.whole
@pytest.mark.parametrize(
    ("command", "code", "expected"),
    [
        ("fleet", "ExpiredToken", "The credentials have expired (of the test): set AWS_PROFILE"),
        ("drill", "ExpiredToken", "The credentials have expired (of the test): set AWS_PROFILE"),
        ("benchmark", "InvalidClientTokenId", "AWS does not know these credentials (of the test): set AWS_PROFILE"),
        ("smoke", "AccessDenied", "These credentials may not call DescribeStacks (of the test): use others"),
        (
            "drill",
            "KMSAccessDeniedException",
            "These credentials may not call DescribeStacks (of the test): use others",
        ),
        ("benchmark", "Throttling", "AWS refused DescribeStacks: of the test (Throttling)"),
    ],
)
def test_refused_by_aws(command: str, code: str, expected: str, said: Said) -> None:
    with answering(refusal(code, "of the test"), status=400) as endpoint_url:
        assert said(command, AWS_ENDPOINT_URL=endpoint_url, **KEYS).startswith(expected)


@pytest.mark.parametrize("command", ON_STACK)
def test_where_no_aws_answers(command: str, said: Said) -> None:
    sentence = said(command, AWS_ENDPOINT_URL="http://127.0.0.1:9", **KEYS)
    assert sentence == (
        "Nothing answers at AWS_ENDPOINT_URL (http://127.0.0.1:9): start it, or for AWS itself: unset AWS_ENDPOINT_URL"
    )


@pytest.mark.parametrize("command", [*READING, "drill", "benchmark"])
def test_in_a_region_whose_name_can_be_none(command: str, said: Said) -> None:
    assert said(command, AWS_DEFAULT_REGION="moon base", **KEYS) == (
        "There is no Region 'moon base': give one such as eu-west-1 (--region, AWS_REGION, or where the profile or "
        "samconfig.toml names it)"
    )


def test_a_region_for_which_no_credential_is_is_named_with_what_to_do() -> None:
    """As an address of one's own answers, where any Region is found at the same one."""
    message = "Credential should be scoped to a valid region, not 'mars-1'."
    refused = ClientError({"Error": {"Code": "SignatureDoesNotMatch", "Message": message}}, "DescribeStacks")
    assert explained(refused).startswith("There is no Region 'mars-1': give one such as eu-west-1 ")


@pytest.mark.parametrize(
    ("endpoint_url", "region"),
    [
        ("https://monitoring.mars-1.amazonaws.com/", "mars-1"),
        ("https://elasticfilesystem.cn-north-9.amazonaws.com.cn/2015-02-01/file-systems", "cn-north-9"),
        ("https://portal.sso.eu-west-1.amazonaws.com/federation/credentials", "eu-west-1"),
        ("https://monitoring.us-east-9.api.aws", "us-east-9"),
    ],
)
def test_a_region_that_does_not_answer_is_named_with_what_to_do(endpoint_url: str, region: str) -> None:
    assert explained(EndpointConnectionError(endpoint_url=endpoint_url)) == (
        f'AWS cannot be reached in the Region {region} (Could not connect to the endpoint URL: "{endpoint_url}"): give '
        "a Region that there is, such as eu-west-1 (--region, AWS_REGION, or where the profile or samconfig.toml names "
        "it), or see to the network"
    )


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (EndpointConnectionError(endpoint_url="http://127.0.0.1:9/"), "Could not connect to the endpoint URL: "),
        (EndpointConnectionError(endpoint_url="https://sts.amazonaws.com/"), "Could not connect to the endpoint URL: "),
        (ConnectTimeoutError(endpoint_url="https://monitoring.eu-west-1.amazonaws.com/"), "Connect timeout on "),
    ],
    ids=["an address of one's own", "of all Regions", "an address that there is"],
)
def test_where_no_region_can_be_wrong_only_the_network_is_to_be_seen_to(error: BotoCoreError, fault: str) -> None:
    sentence = explained(error)
    assert sentence.startswith(f"AWS cannot be reached ({fault}")
    assert sentence.endswith("): see to the network")


def test_an_own_address_at_which_nothing_answers_is_named_as_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the local AWS of this shell has ended."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://localhost:4711")
    assert explained(EndpointConnectionError(endpoint_url="http://localhost:4711/")) == (
        "Nothing answers at AWS_ENDPOINT_URL (http://localhost:4711): start it, or for AWS itself: unset "
        "AWS_ENDPOINT_URL"
    )


@pytest.mark.parametrize("error", [ConnectionClosedError, ReadTimeoutError])
def test_an_own_address_that_broke_off_is_not_called_silent(
    error: type[BotoCoreError], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs, and starting it is no remedy."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://localhost:4711")
    broken_off = error(endpoint_url="http://localhost:4711/")
    assert explained(broken_off) == (
        f"AWS_ENDPOINT_URL (http://localhost:4711) did not answer to the end ({one_line(broken_off)}): see what it "
        "logged, or for AWS itself: unset AWS_ENDPOINT_URL"
    )


def test_without_any_region_it_is_said_where_to_name_one() -> None:
    assert explained(NoRegionError()) == (
        "No Region is set: give one such as eu-west-1 (--region, AWS_REGION, or where the profile or samconfig.toml "
        "names it)"
    )


def test_a_region_that_does_not_answer_is_named_whatever_was_called(capsys: pytest.CaptureFixture[str]) -> None:
    def run() -> int:
        lost = EndpointConnectionError(endpoint_url="https://monitoring.mars-1.amazonaws.com/")
        raise AwsRefused("cloudwatch:GetMetricData on fs-0123456789abcdef0 failed") from lost

    assert answered(run) == 2
    printed = capsys.readouterr()
    assert " ".join(printed.err.split()).startswith("AWS cannot be reached in the Region mars-1 (")
    assert too_wide(printed.err) == []


@pytest.mark.parametrize("command", OF_A_NAMED_STACK)
def test_the_region_is_the_shells_and_then_that_of_the_profile(
    command: str, said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    configuration = tmp_path / "config"
    configuration.write_text("[profile storage]\nregion = of the profile\n")
    given = {"AWS_CONFIG_FILE": str(configuration), "AWS_PROFILE": "storage", **KEYS}
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.setenv(name, f"of {name}")
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        assert f"no Region 'of {name}'" in said(command, **given)
        monkeypatch.delenv(name)
    assert "no Region 'of the profile'" in said(command, **given)


NAMES_A_PROFILE = """
[home.global.parameters]
profile = "storage"
[home.deploy.parameters]
stack_name = "efs-monitor-home"
region = "eu-west-1"
"""
PROFILES = "\n".join(
    f"[profile {name}]\naws_access_key_id = AKIA{name.upper()}\naws_secret_access_key = of-the-profile"
    for name in ("storage", "other")
)
ABSENT = refusal("ValidationError", "Stack with id efs-monitor-home does not exist")


@pytest.mark.parametrize("command", OF_A_NAMED_STACK)
def test_a_region_that_is_named_goes_before_that_of_the_shell_and_of_the_environment(
    command: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    del home
    monkeypatch.setenv("AWS_REGION", "of the shell")
    for which in (["--stack", "efs-monitor-home"], ["--environment", "home"]):
        assert ended(command, *which, "--region", "that is named") == 2
        assert "no Region 'that is named'" in " ".join(capsys.readouterr().err.split())


def test_a_profile_that_is_named_says_in_which_account_a_stack_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del home
    signed: list[str] = []
    with answering(ABSENT, status=400, signed=signed) as endpoint_url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint_url)
        for command in ("drill", "benchmark"):
            assert ended(command, "--stack", "efs-monitor-home", "--profile", "storage") == 2
    assert len(signed) == 2
    assert all("AKIASTORAGE" in one for one in signed)


@pytest.mark.parametrize("command", ON_STACK)
def test_outside_of_the_folder_of_the_project_its_configuration_is_missed_where_one_stands(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What pip installs lies in site-packages, and nobody's samconfig.toml beside it."""
    monkeypatch.chdir(tmp_path)
    words = ["home"] if command == "smoke" else ["--environment", "home"]
    assert ended(command, *words) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert said.startswith(f"There is no samconfig.toml in {tmp_path}, and it names the stacks to deploy: go to")
    assert ("--stack" in said) is (command != "smoke")
    (tmp_path / "samconfig.toml").write_text(NAMES_A_PROFILE)
    assert environment.environment("home").stack_name == "efs-monitor-home"


@pytest.mark.parametrize("command", OF_A_NAMED_STACK)
def test_without_a_region(command: str, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    assert said(command, **KEYS) == (
        "It is not said which Region the stack efs-monitor-home is in: set AWS_REGION to it, or "
        "AWS_PROFILE to a profile with a Region; efs-monitor also takes --region"
    )


@pytest.mark.whole
@pytest.mark.parametrize("command", OF_A_NAMED_STACK)
def test_at_a_stack_that_was_never_whole(command: str, said: Said) -> None:
    described = """<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
        <StackName>efs-monitor-home</StackName><StackStatus>ROLLBACK_COMPLETE</StackStatus>
        <CreationTime>2030-01-07T00:00:00Z</CreationTime>
        </member></Stacks></DescribeStacksResult></DescribeStacksResponse>"""
    with answering(described.encode(), status=200) as endpoint_url:
        assert said(command, AWS_ENDPOINT_URL=endpoint_url, **KEYS) == (
            "The stack efs-monitor-home is ROLLBACK_COMPLETE: its deployment failed, delete it (sam delete) and deploy "
            "again"
        )


@pytest.fixture
def home(said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A samconfig.toml whose environment `home` names a profile, in a shell with credentials of another account."""
    del said
    configuration = tmp_path / "samconfig.toml"
    configuration.write_text(NAMES_A_PROFILE)
    found = environment.environment("home", configuration)
    monkeypatch.setattr(environment, "environment", {"home": found}.__getitem__)
    (tmp_path / "config").write_text(PROFILES)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    return configuration


@pytest.mark.whole
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("command", OF_A_NAMED_STACK)
def test_an_environments_profile_says_in_which_account_its_stack_is(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed: list[str] = []
    with answering(ABSENT, status=400, signed=signed) as endpoint_url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint_url)
        assert ended(command, "--environment", "home") == 2
        assert ended(command, "--stack", "efs-monitor-home") == 2
    assert ["AKIASTORAGE" in one for one in signed] == [True, False]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("given", "region", "profile", "key"),
    [
        ((), "eu-west-1", "storage", "AKIASTORAGE"),
        (("--region", "eu-central-1", "--profile", "other"), "eu-central-1", "other", "AKIAOTHER"),
    ],
)
def test_smoke_looks_and_deletes_in_the_account_that_it_deploys_to(
    home: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], region: str, profile: str, key: str
) -> None:
    signed: list[str] = []
    commands: list[list[str]] = []

    def fails(command: list[str]) -> bool:
        commands.append(command)
        return False

    monkeypatch.setattr(sam_command, "run_command", fails)
    with answering(ABSENT, status=400, signed=signed) as endpoint_url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint_url)
        assert ended("smoke", "home", "--configuration", str(home), *given) == 1
    assert signed
    assert all(key in one and region in one for one in signed)
    of_the_stack = ["--config-file", str(home), "--config-env", "home", "--stack-name", "efs-monitor-home-smoke"]
    deployed, deleted = commands
    assert (deployed[:2], deleted[:2]) == (["sam", "deploy"], ["sam", "delete"])
    assert deployed[2:8] == deleted[2:8] == of_the_stack
    assert deployed[10:14] == deleted[10:14] == ["--region", region, "--profile", profile]
    assert deleted[14:] == ["--no-prompts"]


@pytest.mark.parametrize("command", ON_STACK)
def test_with_an_environments_profile_that_there_is_not(
    command: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AWS_CONFIG_FILE", str(home.parent / "none"))
    words = ["home", "--configuration", str(home)] if command == "smoke" else ["--environment", "home"]
    assert ended(command, *words) == 2
    printed = capsys.readouterr()
    assert " ".join((printed.out + printed.err).split()) == NO_PROFILE.format("storage")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("ExpiredTokenException", "The credentials have expired (of the test): set AWS_PROFILE"),
        ("UnrecognizedClientException", "AWS does not know these credentials (of the test): set AWS_PROFILE"),
        ("Throttling", "what was called failed"),
    ],
)
def test_credentials_of_no_use_say_what_to_do_whatever_was_called(
    code: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def run() -> int:
        answer = ClientError({"Error": {"Code": code, "Message": "of the test"}}, "GetMetricData")
        raise AwsRefused("what was called failed") from answer

    assert answered(run) == 2
    assert " ".join(capsys.readouterr().err.split()).startswith(expected)


def test_what_was_throttled_to_the_end_says_when_to_come_again(capsys: pytest.CaptureFixture[str]) -> None:
    def run() -> int:
        raise AwsThrottled("cloudwatch:GetMetricData on fs-1 failed with Throttling: Rate exceeded")

    assert answered(run) == 2
    assert " ".join(capsys.readouterr().err.split()).endswith(
        "Rate exceeded; this account and Region ask for too much at the moment: run it again in a minute"
    )


def test_an_endpoint_without_its_scheme_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "localhost:4566")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    found = CliRunner().invoke(app, ["backtest", "fs-0123456789abcdef0"])
    assert found.exit_code == 2
    assert "Invalid endpoint: localhost:4566: AWS_ENDPOINT_URL" in " ".join(found.stderr.split())


@pytest.mark.parametrize("text", ['[home]\ndeploy = "x"', "home = 3", "[home.deploy]\nparameters = 3"])
def test_an_environment_that_is_no_table_is_a_sentence(text: str, tmp_path: Path) -> None:
    configuration = tmp_path / "samconfig.toml"
    configuration.write_text(text)
    with pytest.raises(environment.Refused, match=r"samconfig.toml (has no environment|does not set stack_name)"):
        environment.environment("home", configuration)


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        ('["FileSystemId=fs-0123456789abcdef0", "WarnigMinutes=120"]', "WarnigMinutes"),
        ('"FileSystemId=fs-0123456789abcdef0 WarnigMinutes=120"', "WarnigMinutes"),
        ('"ParameterKey=WarnigMinutes,ParameterValue=120"', "WarnigMinutes"),
    ],
)
def test_a_parameter_that_sam_would_leave_out_without_a_word_is_named(
    overrides: str, named: str, tmp_path: Path
) -> None:
    configuration = tmp_path / "samconfig.toml"
    deploys = (
        f'[home.deploy.parameters]\nstack_name = "home"\nregion = "us-east-1"\nparameter_overrides = {overrides}\n'
    )
    configuration.write_text(deploys)
    with pytest.raises(environment.Refused) as refused:
        environment.environment("home", configuration)
    assert str(refused.value) == (
        f"parameter_overrides of [home.deploy.parameters] in samconfig.toml has '{named}': there is no such parameter; "
        "the nearest is WarningMinutes. `sam deploy` leaves it out without a word"
    )
    # Of another template nobody knows what it has.
    configuration.write_text(f'{deploys}template_file = "fleet.yaml"\n')
    assert environment.environment("home", configuration).stack_name == "home"
    configuration.write_text(deploys.replace("Warnig", "Warning"))
    assert environment.environment("home", configuration).stack_name == "home"


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ("3", "is 3: write a list of texts, such as ["),
        ("'A=\"b'", "is 'A=\"b', which cannot be read (No closing quotation): write a list of texts"),
    ],
)
def test_parameters_that_cannot_be_read_are_a_sentence(overrides: str, says: str, tmp_path: Path) -> None:
    configuration = tmp_path / "samconfig.toml"
    configuration.write_text(
        f'[home.deploy.parameters]\nstack_name = "home"\nregion = "us-east-1"\nparameter_overrides = {overrides}\n'
    )
    with pytest.raises(environment.Refused) as refused:
        environment.environment("home", configuration)
    assert says in str(refused.value)


@pytest.mark.parametrize("command", ON_STACK)
def test_where_there_is_no_such_environment_a_stack_is_offered_to_those_that_take_one(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who deployed a release has none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samconfig.toml").write_text("[example.deploy.parameters]\n")
    words = ["nope"] if command == "smoke" else ["--environment", "nope"]
    assert ended(command, *words) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert said.startswith("samconfig.toml has no environment 'nope' to deploy, only example: say which")
    assert ("STACK=NAME" in said) is (command != "smoke")


def test_smoke_takes_no_stack_and_offers_none(capsys: pytest.CaptureFixture[str]) -> None:
    """As `make smoke` calls it without ENV."""
    assert ended("smoke", "") == 2
    said = " ".join(capsys.readouterr().err.split())
    assert said == "It is not said beside which stack: add ENV=home for that of an environment of samconfig.toml"
