"""How a command ends that somebody breaks off: tidily, with one sentence and no traceback.

An entry imports this before all else, so it imports next to nothing: what it does not hear, Python answers.
"""

import contextlib
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

INTERRUPTED = "Interrupted."
SIGNALS = (signal.SIGINT, signal.SIGTERM)
AGAIN_AFTER_SECONDS = 0.05


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with a sentence about what came of it."""


def interruptible(run: Callable[[], int], sentence: str = INTERRUPTED) -> int:
    """The exit status of `run`, or of the signal that ended it; every `with` and `finally` in it is gone through.

    A second Ctrl-C is ignored, here and in what is started to tidy up: it would break that off. Python itself does
    not listen for Ctrl-C where the command was started in the background of a script.

    One may run within another: whoever is interrupted in the inner one hears the inner sentence, before and after it
    the outer one. A library that makes an exit or an error of Ctrl-C takes the sentence from nobody; the error is
    named after it. An empty sentence is for a command whose child has said it.
    """
    received: list[int] = []

    def end(number: int, frame: object) -> None:
        del frame
        received.append(number)
        for one in SIGNALS:
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt

    def hear_again(lost: "UnraisableHookArgs") -> None:
        # Python drops what is raised where nothing can catch it, as while the lock of an import goes.
        if not (received and isinstance(lost.exc_value, KeyboardInterrupt)):
            told(lost)
            return
        import threading  # noqa: PLC0415 - as this module says

        for one in SIGNALS:
            signal.signal(one, end)
        # Not at once, which would be from here.
        main_thread = threading.main_thread().ident or 0
        threading.Timer(AGAIN_AFTER_SECONDS, signal.pthread_kill, (main_thread, received[0])).start()

    told, sys.unraisablehook = sys.unraisablehook, hear_again
    before = {one: signal.signal(one, end) for one in SIGNALS}
    try:
        if sys.platform != "win32":
            # Whoever started this command may have held them back until they are answered.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        status = run()
    except KeyboardInterrupt as interrupt:
        said = str(interrupt) if isinstance(interrupt, Interrupted) else sentence
    except SystemExit:
        if not received:
            raise
        said = sentence
    except Exception as failure:
        if not received:
            raise
        # It came of breaking off, or of the tidying up: a traceback would say no more to whoever pressed Ctrl-C.
        said = f"{sentence} Not everything was tidied up: {failure!r}".strip()
    else:
        if not received:
            for one, handler in before.items():
                signal.signal(one, handler)
            return status
        # A library took it for an end like any other.
        said = sentence
    finally:
        sys.unraisablehook = told
    # Python notes an interrupt within a text that is executed, as a dataclass is made by one, and ends itself by the
    # signal for it, though it was answered; the next text takes the note away.
    exec("")  # noqa: S102 - an empty text
    if said:
        _say(said)
    return 128 + (received or [signal.SIGINT])[0]


def _say(sentence: str) -> None:
    from operate.terminal import wrapped  # noqa: PLC0415 - only now, when nothing more can break it off

    # Into one file, what was printed before comes before it. Whoever read it may have been broken off as well.
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    print(f"\n{wrapped(sentence)}", file=sys.stderr, flush=True)
