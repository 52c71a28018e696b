"""`make help`: the verbs of a Makefile with what each is for, in 80 columns, on whatever Python 3 a machine has."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS = 80


def lines(makefile: str) -> Iterator[str]:
    """A line or more for each verb that says after ## what it is for."""
    verbs = re.findall(r"^([a-z-]+):.*?## (.*)$", makefile, re.MULTILINE)
    width = max(len(verb) for verb, _ in verbs) + 2
    for verb, purpose in verbs:
        yield textwrap.fill(verb.ljust(width) + purpose, COLUMNS, subsequent_indent=" " * width)


if __name__ == "__main__":
    try:
        for path in sys.argv[1:]:
            with open(path, encoding="utf-8") as file:
                print("\n".join(lines(file.read())), flush=True)
    except BrokenPipeError:
        # Whoever read it has seen enough. Nothing is left to be written when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
