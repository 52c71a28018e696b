"""The entry of efs-monitor: Ctrl-C is answered from its first moment on, and what it imports then takes a second."""

import sys

from operate.interruption import interruptible


def main() -> int:
    """The exit status of the command line."""
    return interruptible(_command_line)


def _command_line() -> int:
    from operate.cli import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(interruptible(_command_line))
