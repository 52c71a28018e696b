"""A child process that tidies up what it began before its parent goes on."""

import subprocess
from collections.abc import Sequence
from pathlib import Path


def run(command: Sequence[str | Path], *, cwd: Path, captured: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with what it printed where that is `captured`.

    Ctrl-C at a terminal reaches it, too, and is raised here once it is over: `subprocess.run` kills it after a quarter
    of a second, in the midst of its tidying up.
    """
    pipe = subprocess.PIPE if captured else None
    with subprocess.Popen(command, cwd=cwd, stdout=pipe, stderr=pipe, text=True) as child:
        try:
            out, err = child.communicate()
        except KeyboardInterrupt:
            child.communicate()
            raise
    return subprocess.CompletedProcess(command, child.returncode, out, err)
