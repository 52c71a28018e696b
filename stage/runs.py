"""Runs of a scenario in a sandbox: played to its end with the real deployments, or kept alive for whoever deploys."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from localaws.clock import MINUTE, START
from localaws.sandbox import Sandbox
from operate.template_files import FLEET_TEMPLATE
from stage import direct_deployment
from stage.observed import Observed, observe
from stage.player import Player
from stage.sam_deployment import CommandFailed, Deployer
from stage.scenario import Scenario
from stage.scenario_instances.machines import Machines
from stage.scenario_tables import Deployment

STACK_NAME = "efs-monitor-home"
GIVEN_TOPIC = "storage-critical"
"""A topic that was there before the stack; events/topics-create.json names it."""
FLEET_NAME = "efs-fleet"
"""A fleet of all file systems in the same account; events/fleet-schedule.json names it."""
OF_A_STACK = "Failed to create/update the stack"
"""How `sam deploy` begins to say that a stack was made, or changed, and went back."""
HISTORY = timedelta(hours=3)
"""What the functions read at most of a small file system is the last hour; two more give the hour a past."""
DESCRIBE_ALARMS = (
    *("aws", "cloudwatch", "describe-alarms", "--alarm-name-prefix", STACK_NAME, "--output", "table"),
    *("--query", "MetricAlarms[].{Alarm:AlarmName,State:StateValue,Threshold:Threshold}"),
)


@dataclass(frozen=True, kw_only=True)
class FailedDeployment:
    """A deployment that came to nothing, and why, in CloudFormation's words or those of `sam`."""

    deployment: Deployment
    reason: str


@dataclass(frozen=True, kw_only=True)
class Played:
    """A scenario while its sandbox still answers; `failures` are those of its deployments that came to nothing."""

    sandbox: Sandbox
    player: Player
    deployer: Deployer
    observed: Observed
    failures: tuple[FailedDeployment, ...]


def _unseen(command: Sequence[str]) -> None:
    del command


@contextmanager
def played(
    scenario: Scenario,
    work_dir: Path,
    *,
    show: Callable[[Sequence[str]], None] = _unseen,
    minutes: Callable[[Iterable[int]], Iterable[int]] = iter,
    deployer_of: type[Deployer] = Deployer,
) -> Iterator[Played]:
    """Play all of it, with what `.aws-sam/build` holds, or until no deployment is left of which one could give it a
    stack. `minutes` may wrap the minutes, as a progress bar does.

    Deployments are the real `sam deploy`, unless another Deployer is given.
    """
    failures: list[FailedDeployment] = []
    # A minute early, because the player begins with the next full minute.
    with (
        Machines(scenario.machines, scenario.file_system_id, scenario.mount_model) as machines,
        Sandbox(work_dir, start=START - MINUTE) as sandbox,
    ):
        deployer = deployer_of(sandbox.endpoint_url, work_dir, show)
        player = Player(sandbox, scenario, machines=machines)

        def deploy(deployment: Deployment) -> None:
            parameters = {"FileSystemId": scenario.file_system_id, **machines.filled(deployment.parameters)}
            template = None
            if deployment.new_code or deployment.breaks:
                template = deployer.changed_build(
                    f"build-{deployment.minute}", new_code=deployment.new_code, breaks=deployment.breaks
                )
            try:
                deployer.deploy(STACK_NAME, parameters, template)
            except CommandFailed as failure:
                failures.append(FailedDeployment(deployment=deployment, reason=_reason(sandbox, failure)))
            # The end of an update sets off a recalculation: it sees the minute of the deployment and not the next.
            sandbox.events.wait_for_background()

        for _ in minutes(player.play(deploy)):
            if len(failures) == len(scenario.deployments) > 0:
                break
        yield Played(
            sandbox=sandbox,
            player=player,
            deployer=deployer,
            observed=observe(player, STACK_NAME),
            failures=tuple(failures),
        )


def _reason(sandbox: Sandbox, failure: CommandFailed) -> str:
    """Why a deployment failed. `sam` says no more of a stack that went back than its status: its events say why."""
    if isinstance(failure, direct_deployment.DeploymentRefused):
        return failure.reason
    said = failure.printed.rpartition("Error: ")[2].strip() or str(failure)
    if not said.startswith(OF_A_STACK):
        return said
    return direct_deployment.first_failure(sandbox.client("cloudformation"), STACK_NAME)


@contextmanager
def living(
    work_dir: Path, scenario: Scenario, *, port: int = 0, start: datetime | None = None, has_machines: bool = False
) -> Iterator[Player]:
    """A scenario whose file system is three hours old, in real time unless a simulated `start` is given.

    Nobody has deployed anything. Time passes for it with each `minute_passes`. Without machines its instances are off,
    and no benchmark runs on this machine.
    """
    wanted = scenario.machines if has_machines else ()
    with (
        Machines(wanted, scenario.file_system_id, scenario.mount_model) as machines,
        Sandbox(work_dir, port=port, start=start) as sandbox,
    ):
        began = sandbox.clock.now().replace(second=0, microsecond=0) - HISTORY
        player = Player(sandbox, scenario, began, machines)
        player.catch_up()
        yield player


def minute_passes(player: Player) -> None:
    """Everything that is due by the sandbox's clock; a simulated clock goes on to its next full minute first."""
    clock = player.sandbox.clock
    if clock.is_simulated:
        clock.move_to(clock.next_minute())
    player.catch_up()
    player.sandbox.step()


def first_parameters(player: Player) -> dict[str, str]:
    """The parameters that the first deployment of its scenario has."""
    scenario = player.scenario
    given = scenario.deployments[0].parameters if scenario.deployments else {}
    return {"FileSystemId": scenario.file_system_id, **player.machines.filled(given)}


def with_every_function(player: Player) -> dict[str, str]:
    """The parameters of the first deployment, benchmarks that start on demand and a topic that was there before: every
    function is deployed, and every custom resource.
    """
    given = player.sandbox.client("sns").create_topic(Name=GIVEN_TOPIC)["TopicArn"]
    benchmarks = {"BenchmarkPath": "/mnt/efs", "BenchmarkSchedule": ""}
    return {**first_parameters(player), **benchmarks, "CriticalTopicArn": given}


def deploy_fleet(sandbox: Sandbox) -> None:
    """A fleet beside the stack that was deployed by hand, and so in its way: it makes none of its own."""
    release = {"ReleaseBucket": "releases", "ReleaseTemplate": "template.yaml"}
    given = {"FleetName": FLEET_NAME, "DigestHour": "0", **release}
    s3, cloudformation = sandbox.client("s3"), sandbox.client("cloudformation")
    direct_deployment.create_bucket(s3, release["ReleaseBucket"])
    # Of what is in it no stack is made: the deployment asks whether it can be read.
    s3.put_object(Bucket=release["ReleaseBucket"], Key=release["ReleaseTemplate"], Body=b"{}")
    direct_deployment.deploy(s3, cloudformation, FLEET_NAME, given, FLEET_TEMPLATE)


def without_an_instance(player: Player) -> dict[str, str]:
    """The parameters of the first deployment and benchmarks on an instance that there is not.

    So the functions of benchmarks run, and nothing is measured.
    """
    return {**with_every_function(player), "BenchmarkInstanceIds": "i-0fedcba9876543210"}
