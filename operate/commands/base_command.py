"""What every command is: its options are refused in a sentence, and it ends with a status that says how."""

import re
import sys
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, NoReturn

import typer
from rich.console import Console, RenderableType
from typer.core import TyperCommand

from operate.answer import REFUSED, answered
from operate.history.export import shown
from operate.interruption import interruptible
from operate.terminal import WIDTH, wrapped

# What typer itself says of them names the bounds at most.
WANTED = {
    "--days": "a whole number from 1 to 63",
    "--warning": "a whole number of minutes",
    "--critical": "a whole number of minutes",
    "--grace-hours": "a whole number of hours, 0 or more",
    "--out": "a file to write the page to, such as page.html",
    "--workloads": "quick, tutorial, sweep or copy (with make: PROFILE)",
    "--size-mib": "a whole number of MiB from 16 to 20480, or 0 (with make: SIZE_MIB)",
    "--instances": "ids such as i-0123456789abcdef0, separated by commas (with make: INSTANCES)",
    "--accept-gib": "a number of GiB above zero (with make: ACCEPT_GIB)",
}
# What would only fill a line up.
FILLED_UP = re.compile(" +$", re.MULTILINE)

WholeAsJson = Annotated[
    bool, typer.Option("--json", help="Write the whole result as JSON, with what the text leaves out.")
]


class BaseCommand(TyperCommand):
    """A command whose options that are numbers are refused in a sentence, as all else that it refuses."""

    wanted: ClassVar[Mapping[str, str]] = WANTED

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; a sentence on standard error and exit status 2 where a number is none."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as wrong:
            option = wrong.param.opts[0] if wrong.param is not None else ""
            if wrong.param is None or option not in self.wanted:
                raise
            values, _, _ = self.make_parser(ctx).parse_args(args=given)
            value = str(values[str(wrong.param.name)])
            print(wrapped(f"{option} is {shown(value)}: give {self.wanted[option]}"), file=sys.stderr)
            raise typer.Exit(REFUSED) from wrong


def end(run: Callable[[], int]) -> NoReturn:
    """End the command with the status of `run`: 2 and a sentence where something stood in its way."""
    raise typer.Exit(interruptible(lambda: answered(run)))


def show(found: RenderableType) -> None:
    """Write it 80 columns wide, in colours on a terminal only.

    A narrower terminal breaks lines by itself: then no figure is shortened, and a command is still one when it is
    copied. What would only fill a line up is left out.
    """
    console = Console(highlight=False, markup=False, emoji=False, width=WIDTH)
    with console.capture() as captured:
        console.print(found)
    sys.stdout.write(FILLED_UP.sub("", captured.get()))
