"""efs-monitor: the command line. What is typed of a command is in `commands`, what it does in a package of its own."""

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer
from typer import rich_utils

from operate.answer import REFUSED, answered
from operate.commands.base_command import BaseCommand
from operate.commands.on_fleet import fleet
from operate.commands.on_metrics import advise, backtest, report
from operate.commands.on_stack import benchmark, drill, smoke
from operate.terminal import WIDTH, columns, print_in_any_encoding, wrapped

# In fewer columns typer's tables cut words off, and its plain help does not.
NARROWEST_TABLE = 64

NAME = "efs-monitor"
app = typer.Typer(
    name=NAME,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
)
for command in (backtest, advise, report, fleet, drill, benchmark, smoke):
    app.command(cls=BaseCommand)(command)


def _show_version(wanted: bool) -> None:
    if not wanted:
        return
    try:
        found = version("efs-burst-credit-monitor")
    except PackageNotFoundError:
        found = f"in {Path(__file__).parent.parent}, not installed"
    print(f"efs-monitor {found}")
    raise typer.Exit


@app.callback()
def efs_monitor(
    _version: Annotated[
        bool, typer.Option("--version", help="Say which release this is.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """Operate the EFS burst-credit monitor, or see first what it would have told you of your own file system's past.

    Begin with: efs-monitor backtest --from hungry

    backtest, advise, report and fleet only read.
    drill, benchmark and smoke work on a deployed stack, each with its --help.
    A command that cannot do its work says why and ends with exit status 2.
    """


def main() -> int:
    """The exit status of what `operate.__main__` enters; 1 is for an answer alone, whatever stood in its way."""
    if sys.stdout is None:
        print(wrapped("Standard output is closed: leave it open, or write into a file"), file=sys.stderr)
        return REFUSED
    # Help would be as wide as the terminal, however wide that is.
    rich_utils.MAX_WIDTH = columns()
    if columns() < NARROWEST_TABLE:
        app.rich_markup_mode = None
    print_in_any_encoding()
    return answered(_command)


def _command() -> int:
    """The status with which a command, or its help, ends the process by itself."""
    try:
        app(prog_name=NAME)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):
            # typer makes 1 of a pipe that nobody reads any more, as if that were an answer.
            raise BrokenPipeError from ended
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return 0
