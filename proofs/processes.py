"""Processes that answer questions of a proof, as many at once as there are processors; other work goes first.

They are made anew, as on every machine, and end with the proof: also when somebody kills it or breaks it off.
"""

import ctypes
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from multiprocessing.context import SpawnContext, SpawnProcess

# prctl(2): what a process is sent when its parent ends. Python has no name for it.
PR_SET_PDEATHSIG = 1
NICENESS = 10


class Answering(SpawnProcess):
    """A process that Ctrl-C does not reach while it imports what a proof needs: it would print a traceback."""

    def start(self) -> None:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class ProcessContext(SpawnContext):
    """Makes processes anew, each of which is one that answers."""

    Process = Answering


@contextmanager
def processes(*, one_for_each: bool = False) -> Iterator[ProcessPoolExecutor]:
    """The processes of a proof; `one_for_each` question there is a process that answers no other."""
    pool = ProcessPoolExecutor(
        os.process_cpu_count(),
        mp_context=ProcessContext(),
        initializer=_begin,
        initargs=(os.getpid(),),
        max_tasks_per_child=1 if one_for_each else None,
    )
    try:
        yield pool
    except BaseException:
        # Nobody waits for the answers any more, and some take minutes.
        for one in active_children():
            one.kill()
        # Ctrl-C may come before the thread that waits for them is started, which cannot be waited for then.
        with suppress(RuntimeError):
            pool.shutdown()
        raise
    pool.shutdown()


def _begin(proof: int) -> None:
    os.nice(NICENESS)
    # The proof hears Ctrl-C and ends this process; what this process has started, hears it itself.
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # Not on other systems than Linux: there a proof that is killed leaves them.
    if hasattr(libc := ctypes.CDLL(None), "prctl"):
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != proof:
        os.kill(os.getpid(), signal.SIGKILL)
