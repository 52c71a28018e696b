"""A deployed stack with a healthy file system, for those who operate one."""

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import pytest

from localaws.clock import START
from operate.described_stack import Account, DescribedStack, find_stack
from operate.drill import Waiting
from operate.environment import Environment, environment
from operate.smoke.smoke_run import Run
from stage.direct_deployment import DirectDeployer, deploy
from stage.player import Player
from stage.runs import living, minute_passes
from stage.sam_deployment import BUILD, CommandFailed, Deployer
from stage.scenario import Scenario, read

STACK_NAME = "efs-monitor-example"
EMAIL = "storage-team@example.com"
HEALTHY: Scenario = read(
    "healthy", 'about = "A file system nobody troubles."\ndays = 1\n[file_system]\nname = "home"\nsize_gib = 100\n'
)

CONFIGURATION_TEXT = """
version = 0.1
[example.deploy.parameters]
stack_name = "efs-monitor-example"
region = "us-east-1"
resolve_s3 = true
capabilities = "CAPABILITY_IAM"
tags = "team=storage"
parameter_overrides = ["FileSystemId={file_system_id}", "AlertEmail={email}", "LogRetentionDays=7"{more}]
"""


@dataclass(frozen=True)
class Operated:
    """The stack, and who plays the scenario around it."""

    player: Player
    account: Account
    deployer: Deployer

    @property
    def stack(self) -> DescribedStack:
        return find_stack(self.account, STACK_NAME)

    def subjects(self) -> list[str]:
        """Every mail so far, in the words `topic: subject`."""
        mails = self.player.sandbox.mailbox.mails
        return [f"{mail.topic_name.removeprefix(f'{STACK_NAME}-')}: {mail.subject}" for mail in mails]

    def set_alarm(self, end: str, state: str, reason: str = "test") -> None:
        self.account.client("cloudwatch").set_alarm_state(
            AlarmName=f"{STACK_NAME}-{end}", StateValue=state, StateReason=reason
        )
        self.player.sandbox.events.wait_for_background()

    def minute_passes(self) -> None:
        minute_passes(self.player)


@pytest.fixture(scope="module")
def shell() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def player(built: Path, tmp_path_factory: pytest.TempPathFactory, shell: pytest.MonkeyPatch) -> Iterator[Player]:
    """A local AWS that this process's own boto3 reaches, as a shell's would after `make sandbox`."""
    with living(tmp_path_factory.mktemp("operated"), HEALTHY, start=START) as player:
        for name, value in Deployer(player.sandbox.endpoint_url, built.parent, str).environment().items():
            shell.setenv(name, value)
        yield player


@pytest.fixture(scope="module")
def account(player: Player) -> Iterator[Account]:
    account = Account("us-east-1")
    yield account
    account.close()


@pytest.fixture(scope="module")
def deployer_of() -> type[Deployer]:
    """How the stack is deployed; a file that is about what `sam` leaves says otherwise."""
    return DirectDeployer


@pytest.fixture(scope="module")
def operated(
    player: Player, account: Account, deployer_of: type[Deployer], tmp_path_factory: pytest.TempPathFactory
) -> Operated:
    """The stack, deployed once for all tests of a file, with both alarms armed."""
    deployer = deployer_of(player.sandbox.endpoint_url, tmp_path_factory.mktemp("deployed"), str)
    deployer.deploy(STACK_NAME, {"FileSystemId": HEALTHY.file_system_id, "AlertEmail": EMAIL})
    minute_passes(player)
    return Operated(player, account, deployer)


@pytest.fixture
def impatient() -> Waiting:
    """Little patience: in a sandbox everything is there in a moment, or never."""
    return Waiting(attempts=20)


def written(folder: Path, *more: str) -> Path:
    """A samconfig.toml with an environment `example`."""
    path = folder / "samconfig.toml"
    overrides = "".join(f", {json.dumps(one)}" for one in more)
    path.write_text(CONFIGURATION_TEXT.format(file_system_id=HEALTHY.file_system_id, email=EMAIL, more=overrides))
    return path


@pytest.fixture
def example(tmp_path: Path) -> Environment:
    return environment("example", written(tmp_path))


@pytest.fixture
def sam(player: Player, account: Account) -> Run:
    """Does itself what a command line asks of `sam`, and lets a minute pass; the real one is asked further below."""
    cloudformation, s3 = account.client("cloudformation"), account.client("s3")

    def asked(words: Sequence[str], option: str) -> list[str]:
        """The values of an option, up to the next one."""
        after = words[words.index(option) + 1 :] if option in words else []
        return [*takewhile(lambda word: not word.startswith("--"), after)]

    def run(command: Sequence[str]) -> bool:
        (name,) = asked(command, "--stack-name")
        if command[1] == "delete":
            cloudformation.delete_stack(StackName=name)
            cloudformation.get_waiter("stack_delete_complete").wait(StackName=name, WaiterConfig={"Delay": 0.05})
            return True
        (configuration,), (chosen,) = asked(command, "--config-file"), asked(command, "--config-env")
        written = tomllib.loads(Path(configuration).read_text())[chosen]["deploy"]["parameters"]
        parameters = dict(one.split("=", 1) for one in written["parameter_overrides"])
        tags = dict(one.split("=", 1) for one in asked(command, "--tags") or written["tags"].split())
        template = Path(*asked(command, "--template-file") or [str(BUILD / "template.yaml")])
        try:
            deploy(s3, cloudformation, name, parameters, template, tags=tags)
        except CommandFailed:
            return False
        finally:
            minute_passes(player)
        return True

    return run
