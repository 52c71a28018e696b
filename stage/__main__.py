"""`make sandbox`: a local AWS that stays, with a file system that lives, for `sam` and `aws` in another shell."""

import logging
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer
from typer import rich_utils

from localaws.account import REGION
from localaws.clock import START
from operate.commands.base_command import BaseCommand
from operate.terminal import WIDTH, columns, command_line, print_in_any_encoding, wrapped
from stage.out_folder import OUT, OutFolderError, emptied
from stage.player import Player
from stage.runs import DESCRIBE_ALARMS, STACK_NAME, first_parameters, living, minute_passes
from stage.sam_deployment import PROJECT, sam_deploy
from stage.scenario import Scenario
from stage.scenario_tables import ScenarioError

log = logging.getLogger(__name__)

MINUTE_SECONDS = 60
HIGHEST_PORT = 65_535
PORT = 4566
"""Where local AWS emulators are commonly looked for."""

HANGING = " " * len("01 Jan 00:00 ")


class PortError(Exception):
    """Why nothing can listen there, in a sentence for people."""


class SandboxCommand(BaseCommand):
    """What is typed behind `make sandbox ARGS=`."""

    wanted = MappingProxyType(
        {
            "--port": f"a port, which is a number up to {HIGHEST_PORT}; 0 is any that is free",
            "--speed": f"a whole number from 1 to {MINUTE_SECONDS * 100}",
        }
    )


app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
)


@app.command(cls=SandboxCommand)
def sandbox(
    port: Annotated[int, typer.Option(min=0, max=HIGHEST_PORT, help="Where to listen on localhost.")] = PORT,
    scenario: Annotated[str, typer.Option(help="Whose file system lives here, by name or file.")] = "nightly-batch",
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for mails and logs, emptied first; one a port if not given.", show_default=False),
    ] = None,
    speed: Annotated[
        int,
        typer.Option(
            min=1,
            max=MINUTE_SECONDS * 100,
            help="Simulated minutes a minute, from a day in 2030 on; 1 is real time.",
        ),
    ] = 1,
) -> None:
    """Keep a local AWS running, with a file system that lives in it, and print its endpoint."""
    try:
        lived = Scenario.named(scenario)
        _check(port)
        folder = out or OUT / ("sandbox" if port == PORT else f"sandbox-{port}")
        with emptied(folder, "choose another with --out") as emptied_folder:
            _answer(lived, emptied_folder, port=port, speed=speed)
    except (ScenarioError, PortError, OutFolderError) as error:
        print(wrapped(str(error)), file=sys.stderr)
        raise typer.Exit(2) from error


def main(arguments: list[str]) -> int:
    """Answer until Ctrl-C or SIGTERM; 0 when ended by one of them."""
    print_in_any_encoding()
    # Help would be as wide as the terminal, however wide that is.
    rich_utils.MAX_WIDTH = columns()
    try:
        app(args=arguments, prog_name="make sandbox")
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):
            raise BrokenPipeError from ended
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0


def _check(port: int) -> None:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        another = f'such as make sandbox ARGS="--port {port + 1 if port < HIGHEST_PORT else PORT}"'
        why = os.strerror(error.errno) if error.errno else error.strerror
        raise PortError(f"Port {port} cannot be had ({why}): choose another, {another}") from error


def _answer(scenario: Scenario, out: Path, *, port: int, speed: int) -> None:
    stop = threading.Event()
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, lambda *_: stop.set())
    start = None if speed == 1 else START
    with living(out, scenario, port=port, start=start, has_machines=True) as player:
        print(_introduction(player), flush=True)
        _live(player, speed, stop)
    print("The local AWS is gone, and everything in it.")


def _introduction(player: Player) -> str:
    scenario, endpoint_url = player.scenario, player.sandbox.endpoint_url
    about = wrapped(
        f"A local AWS answers at {endpoint_url} (account and credentials mean nothing), until Ctrl-C. In it lives "
        f"{scenario.file_system_id}, the file system of the scenario {scenario.name}, since {player.start:%H:%M} UTC. "
        f"Mails arrive in {os.path.relpath(player.sandbox.mailbox.folder, PROJECT)}/. In another shell, in this folder:"
    )
    return f"""\
{about}

  export AWS_ENDPOINT_URL={endpoint_url}
  export AWS_ACCESS_KEY_ID=sandbox AWS_SECRET_ACCESS_KEY=sandbox
  export AWS_REGION={REGION} AWS_DEFAULT_REGION={REGION}
  export SANDBOX_REGION={REGION} SAM_CLI_TELEMETRY=0
  export PATH="$PWD/.venv/bin:$PWD/.venv-sam/bin:$PATH"

  sam build
{command_line(sam_deploy(STACK_NAME, first_parameters(player)), indent="  ")}
{command_line(DESCRIBE_ALARMS, indent="  ")}
  make invoke FN=RecalculateThresholds EVENT=events/hourly-schedule.json
{_about_benchmarks(player)}"""


def _about_benchmarks(player: Player) -> str:
    machines = player.machines
    if not player.scenario.machines:
        return ""
    place = f"a plain directory ({machines.why_plain})" if machines.why_plain else "a mount of the sandbox"
    about = wrapped(f"Benchmarks run on this machine, in {place}: {machines.mount_path}.")
    refused = wrapped(
        "While an alarm is on, a benchmark is refused, and the refusal says what it costs. It runs all the same where "
        "that cost is accepted, here up to 1 GiB of credits:"
    )
    return f"""  make benchmark STACK={STACK_NAME}

{about}

{refused}

  make benchmark STACK={STACK_NAME} ACCEPT_GIB=1
"""


def _live(player: Player, speed: int, stop: threading.Event) -> None:
    """A step a minute, each transition and mail told when it happens, and an error of its own where it did not."""
    sandbox = player.sandbox
    told_transitions = told_mails = 0
    while True:
        left_seconds = (sandbox.clock.next_minute() - sandbox.clock.now()).total_seconds()
        if stop.wait(left_seconds if speed == 1 else MINUTE_SECONDS / speed):
            return
        try:
            minute_passes(player)
        except Exception:
            # Somebody works in it: what they deployed is worth more than the rest of a minute.
            log.exception("The local AWS failed in this minute, and goes on with the next one")
        for one in sandbox.transitions[told_transitions:]:
            print(wrapped(f"{one.time:%d %b %H:%M} {one.alarm} {one.old} → {one.new}", then=HANGING), flush=True)
        for mail in sandbox.mailbox.mails[told_mails:]:
            print(wrapped(f"{mail.time:%d %b %H:%M} mail to {mail.to}: {mail.subject}", then=HANGING), flush=True)
        told_transitions, told_mails = len(sandbox.transitions), len(sandbox.mailbox.mails)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
