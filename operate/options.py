"""What was wrong with the number of an option, in a sentence: which option, what was given, and what to give."""

import sys
from typing import Any

import typer
from typer.core import TyperCommand

from operate.answer import REFUSED
from operate.history.export import shown
from operate.terminal import wrapped

# What typer itself says of them names the bounds at most.
WANTED = {
    "--days": "a whole number from 1 to 63",
    "--warning": "a whole number of minutes",
    "--critical": "a whole number of minutes",
    "--grace-hours": "a whole number of hours, 0 or more",
}


class InSentences(TyperCommand):
    """A command whose options that are numbers are refused in a sentence, as all else that it refuses."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; a sentence on standard error and exit status 2 where a number is none."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as wrong:
            option = wrong.param.opts[0] if wrong.param is not None else ""
            if wrong.param is None or option not in WANTED:
                raise
            values, _, _ = self.make_parser(ctx).parse_args(args=given)
            value = str(values[str(wrong.param.name)])
            print(wrapped(f"{option} is {shown(value)}: give {WANTED[option]}"), file=sys.stderr)
            raise typer.Exit(REFUSED) from wrong
