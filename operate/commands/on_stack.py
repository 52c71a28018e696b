"""The commands that work on a deployed stack: drill, benchmark and smoke."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from efs_monitor.errors import SettingsRefused

from operate.answer import as_data
from operate.checklist import Checklist
from operate.commands.base_command import end
from operate.described_stack import Account, find_stack
from operate.environment import CONFIGURATION, Refused, chosen_stack, environment
from operate.terminal import wrapped

EnvironmentName = Annotated[
    str, typer.Option("--environment", metavar="NAME", help="The stack of this environment in ./samconfig.toml.")
]
StackName = Annotated[str, typer.Option("--stack", metavar="NAME", help="The stack with this name.")]
Region = Annotated[
    str,
    typer.Option(
        help="AWS Region of the stack. Default: that of the environment, else AWS_REGION, AWS_DEFAULT_REGION or the "
        "profile's."
    ),
]
Profile = Annotated[str, typer.Option(help="AWS CLI profile. Default: that of the environment, else AWS_PROFILE.")]
AsData = Annotated[bool, typer.Option("--json", help="Write the result as JSON; progress goes to standard error.")]


def drill(
    environment_name: EnvironmentName = "",
    stack: StackName = "",
    region: Region = "",
    profile: Profile = "",
    force: Annotated[bool, typer.Option("--force", help="Run even while an alarm is really on.")] = False,
    as_json: AsData = False,
) -> None:
    """Set each credit alarm of a deployed stack to ALARM, then to OK, and check that every message was published.

    The mails say that it is a drill. Nothing is written to the stack: CloudWatch
    evaluates the alarms again at the next datapoint, which restores their states.

    Exit status: 0 if every message was seen; 1 if one was not; 2 if the drill
    was refused, with the reason.
    """
    # Here and below, so that no other command waits for what this one imports.
    from operate.drill import drill as drill_alarms

    def run() -> int:
        chosen = chosen_stack(environment_name, stack, region, profile)
        checklist = Checklist()
        with as_data(as_json) as write, Account(chosen.region, chosen.profile) as account:
            drill_alarms(find_stack(account, chosen.name), checklist, force=force)
            print(wrapped(checklist.verdict()))
            print(wrapped("Now ask the people on the other end whether they got it: that is what no record shows."))
            write(checklist.as_json())
        return 0 if checklist.ok else 1

    end(run)


# What the stack's function would refuse in the words of its event is refused here by the name of its option.
def _profile_name(text: str) -> str:
    from efs_monitor.benchmarks.profiles import PROFILES

    if text and text not in PROFILES:
        raise ValueError(text)
    return text


def _size_mib(text: str) -> int:
    from efs_monitor.benchmarks.workloads import check_size

    try:
        check_size(mebibytes := int(text))
    except SettingsRefused as refused:
        raise ValueError(text) from refused
    return mebibytes


def _instance_ids(text: str) -> str:
    from efs_monitor.benchmarks.requests import INSTANCE_ID

    if not all(INSTANCE_ID.fullmatch(one.strip()) for one in text.split(",") if one.strip()):
        raise ValueError(text)
    return text


def _gib(text: str) -> float:
    gib = float(text)
    if not 0 < gib < float("inf"):
        raise ValueError(text)
    return gib


def benchmark(
    environment_name: EnvironmentName = "",
    stack: StackName = "",
    region: Region = "",
    profile: Profile = "",
    workloads: Annotated[
        str,
        typer.Option(
            parser=_profile_name, metavar="PROFILE", help="Run those of this BenchmarkProfile. Default: the stack's."
        ),
    ] = "",
    size_mib: Annotated[
        int | None,
        typer.Option(
            parser=_size_mib,
            metavar="MIB",
            help="MiB that each workload moves; 0: as its profile has it. Default: the stack's.",
        ),
    ] = None,
    instances: Annotated[
        str,
        typer.Option(
            parser=_instance_ids, metavar="IDS", help="Instance ids, separated by commas. Default: the stack's."
        ),
    ] = "",
    accept_gib: Annotated[
        float | None,
        typer.Option(parser=_gib, metavar="GIB", help="Run what would be skipped, for so many GiB at most."),
    ] = None,
    as_json: AsData = False,
) -> None:
    """Run a deployed stack's benchmark now, on its instances, and print what it measured.

    The stack's own function decides whether a run would do harm, and starts it.
    The metrics follow a moment later, as those of a scheduled run do.

    Exit status: 0 if everything was measured; 1 if something failed; 2 if
    nothing was run, with the reason.
    """
    from operate.benchmark.on_demand_request import Wish
    from operate.benchmark.on_demand_run import benchmark as run_benchmark

    def run() -> int:
        wish = Wish(
            profile=workloads or None,
            size_mib=size_mib,
            instance_ids=tuple(one.strip() for one in instances.split(",") if one.strip()),
            accept_gib=accept_gib,
        )
        chosen = chosen_stack(environment_name, stack, region, profile)
        with as_data(as_json) as write, Account(chosen.region, chosen.profile) as account:
            return 0 if run_benchmark(find_stack(account, chosen.name), wish, write=write) else 1

    end(run)


def smoke(
    environment_name: Annotated[
        str,
        typer.Argument(
            metavar="ENVIRONMENT",
            help="Environment of ./samconfig.toml: its parameters are used, its stack is not touched.",
        ),
    ],
    region: Annotated[str, typer.Option(help="AWS Region to deploy in. Default: that of the environment.")] = "",
    profile: Profile = "",
    configuration: Annotated[Path, typer.Option(metavar="FILE", help="File of the environment.")] = CONFIGURATION,
    build: Annotated[
        bool, typer.Option("--build", help="Run `sam build` first, once the environment is found.")
    ] = False,
    as_json: AsData = False,
) -> None:
    """Try the template on a real account: deploy a second stack beside an environment's, check, drill and delete it.

    It compares every resource with the template, tries what only an account can
    show, and looks for leftovers. Run it in the project's folder, after
    `make build` or with --build.

    Exit status: 0 if all of it holds; 1 if something does not; 2 if it was
    refused, with the reason.
    """
    from operate.sam_command import run_command
    from operate.smoke.smoke_run import smoke as try_template

    def run() -> int:
        if not environment_name:
            raise Refused(
                f"It is not said beside which stack: add ENV=home for that of an environment of {configuration.name}"
            )
        found = environment(environment_name, configuration)
        chosen = replace(found, region=region or found.region, profile=profile or found.profile)
        run_sam = partial(run_command, output=sys.stderr) if as_json else run_command
        checklist = Checklist()
        with as_data(as_json) as write, Account(chosen.region, chosen.profile) as account:
            if build:
                # Without credentials nobody need wait for it.
                account.client("sts").get_caller_identity()
                if not run_sam(["sam", "build"]):
                    raise Refused("What would be deployed cannot be built: what `sam build` printed is above")
            try_template(chosen, account, run_sam, checklist)
            print(wrapped(checklist.verdict()))
            write(checklist.as_json())
        return 0 if checklist.ok else 1

    end(run)
