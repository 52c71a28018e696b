"""A command of ours as a child process: it tidies up what it began before its parent goes on."""

import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from operate.interruption import SIGNALS


def run(
    command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str] | None = None, captured: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run an interruptible command to its end, with what it printed where that is `captured`.

    Ctrl-C at a terminal reaches it, too, and is raised here once it is over: `subprocess.run` kills it after a quarter
    of a second, in the midst of its tidying up. The child hears Ctrl-C once it can answer: before, Python would do so
    with a traceback.
    """
    pipe = subprocess.PIPE if captured else None
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        with subprocess.Popen(command, cwd=cwd, env=env, stdout=pipe, stderr=pipe, text=True) as child:
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, heard)
                out, err = child.communicate()
            except KeyboardInterrupt:
                # It may have come before there was a child; whoever got it already ignores a second one.
                child.send_signal(signal.SIGINT)
                child.communicate()
                raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)
    return subprocess.CompletedProcess(command, child.returncode, out, err)
