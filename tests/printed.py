"""What commands print, as a person takes it: whether it fits a terminal, and the commands in it, copied as they are."""

from collections.abc import Iterator

from operate.terminal import WIDTH

CONTINUED = "\\"


def too_wide(printed: str) -> list[str]:
    """The lines that do not fit, though they could be broken between two words."""
    return [line for line in printed.splitlines() if len(line) > WIDTH and " " in line.strip()]


def indented(printed: str) -> Iterator[str]:
    """Each command that stands indented below an introduction, continued lines with it."""
    return _commands(line.removeprefix("  ") for line in printed.splitlines() if line.startswith("  "))


def prompted(printed: str) -> Iterator[str]:
    """Each command behind a prompt, continued lines with it."""
    lines = iter(printed.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = [line.removeprefix("$ ")]
            while command[-1].endswith(CONTINUED):
                command.append(next(lines))
            yield "\n".join(command)


def _commands(lines: Iterator[str]) -> Iterator[str]:
    command: list[str] = []
    for line in lines:
        command.append(line)
        if not line.endswith(CONTINUED):
            yield "\n".join(command)
            command = []
