"""What a person reads in a terminal: text wrapped by words to 80 columns, and command lines that a shell takes back."""

import io
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Sequence

WIDTH = 80
CONTINUED = "    "


def columns() -> int:
    """How wide help is: as wide as the terminal, and no wider than what is read at ease."""
    return min(WIDTH, shutil.get_terminal_size().columns)


def print_in_any_encoding() -> None:
    """From now on, what the terminal's encoding does not have is a question mark there, and no error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def one_line(error: Exception) -> str:
    """What an error says, to be put into a sentence of ours."""
    return " ".join(str(error).split()).rstrip(".")


def so_many(number: int, what: str) -> str:
    """A number of something, in words: "1 cell", "1,200 cells"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def wrapped(text: str, *, first: str = "", then: str = "") -> str:
    """Each line of the text, wrapped by words; `first` stands before it, `then` before what goes on below.

    A word that is longer than a line stands whole: broken, an ARN or a file name could not be copied.
    """
    return "\n".join(
        textwrap.fill(
            line,
            WIDTH,
            initial_indent=first,
            subsequent_indent=then,
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
        )
        or first.rstrip()
        for line in text.splitlines() or [""]
    )


def narrowed(line: str) -> str:
    """A line that another program has printed: a wide row of a table closes up and is wrapped by words, a wide rule is
    cut.
    """
    if len(line) <= WIDTH:
        return line
    if not line.strip("-=+ "):
        return line[:WIDTH]
    return wrapped(re.sub(r"(?<=\S) {2,}", "  ", line).rstrip(), then=CONTINUED)


def command_line(words: Sequence[str], *, indent: str = "", prompt: str = "") -> str:
    """The words quoted as a shell needs them, continued by backslashes: pasted, it is the same command."""
    lines = [f"{indent}{prompt}"]
    is_empty = True
    for word in map(shlex.quote, words):
        # Two columns for the space and the backslash that may follow.
        if not is_empty and len(lines[-1]) + 1 + len(word) > WIDTH - 2:
            lines.append(f"{indent}{CONTINUED}")
            is_empty = True
        lines[-1] += word if is_empty else f" {word}"
        is_empty = False
    return " \\\n".join(lines)


def show_command(words: Sequence[str]) -> None:
    """Print a command before it is run."""
    print(command_line(words, prompt="$ "), flush=True)
