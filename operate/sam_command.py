"""A command of `sam`, shown and run for a person."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from typing import TextIO

from operate.terminal import narrowed, show_command


def run_command(command: Sequence[str], output: TextIO | None = None) -> bool:
    """Show a command line and run it, with what it prints here or elsewhere; whether it went well.

    The tables of `sam` are 100 columns wide, however narrow the terminal is.
    """
    show_command(command)
    # `sam` leaves an empty folder behind for each zip that it made.
    with tempfile.TemporaryDirectory(prefix="efs-monitor-sam-") as own:
        variables = {**os.environ, "TMPDIR": own}
        with subprocess.Popen(
            command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        ) as child:
            try:
                for line in child.stdout or ():
                    print(narrowed(line.rstrip("\n")), file=output, flush=True)
            except BaseException:
                # Smoke deletes its stack next, which nobody else may deploy then.
                child.kill()
                raise
        return child.returncode == 0
