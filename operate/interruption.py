"""How a command ends that somebody breaks off: tidily, with one sentence and no traceback."""

import contextlib
import signal
import sys
from collections.abc import Callable

from operate.terminal import wrapped

INTERRUPTED = "Interrupted."


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with a sentence about what came of it."""


def interruptible(run: Callable[[], int], sentence: str = INTERRUPTED) -> int:
    """The exit status of `run`, or of the signal that ended it; every `with` and `finally` in it is gone through.

    A second Ctrl-C is ignored, here and in what is started to tidy up: it would break that off. Python itself does
    not listen for Ctrl-C where the command was started in the background of a script.
    """
    received = []

    def end(number: int, frame: object) -> None:
        del frame
        received.append(number)
        for one in (signal.SIGINT, signal.SIGTERM):
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt

    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, end)
    try:
        return run()
    except KeyboardInterrupt as interrupt:
        said = str(interrupt) if isinstance(interrupt, Interrupted) else sentence
        # Into one file, what was printed before comes before it. Whoever read it may have been broken off as well.
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        print(f"\n{wrapped(said)}", file=sys.stderr, flush=True)
        return 128 + (received or [signal.SIGINT])[0]
