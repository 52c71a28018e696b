"""What a shell completes of a command that reads its own words: the options that its help lists."""

import re
from importlib import import_module
from typing import Any, NamedTuple

from typer.core import TyperCommand

LISTED = re.compile(r"^  (?:-\w, )?(--[a-z-]+)", re.MULTILINE)


class Completion(NamedTuple):
    """One word that a shell may put in place of what was begun, as typer hands it on."""

    value: str
    help: str = ""
    type: str = "plain"


class OwnWords(TyperCommand):
    """A command whose module, of the same name in `operate`, has a `parser` for all that stands behind it.

    The command line knows none of its options, so it could complete none.
    """

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:  # noqa: ARG002 - as typer calls it
        """The options that begin with what was begun; nothing where no option was."""
        listed = LISTED.findall(import_module(f"operate.{self.name}").parser().format_help())
        return [Completion(option) for option in listed if incomplete and option.startswith(incomplete)]
