"""Processes that answer questions of a proof, as many at once as there are processors; other work goes first.

They are made anew, as on every machine, and end with the proof: also when somebody kills it.
"""

import ctypes
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

# prctl(2): what a process is sent when its parent ends. Python has no name for it.
PR_SET_PDEATHSIG = 1
NICENESS = 10


def processes(*, one_for_each: bool = False) -> ProcessPoolExecutor:
    """To be used in a `with`; `one_for_each` question there is a process that answers no other."""
    return ProcessPoolExecutor(
        os.process_cpu_count(),
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(os.getpid(),),
        max_tasks_per_child=1 if one_for_each else None,
    )


def _begin(proof: int) -> None:
    os.nice(NICENESS)
    # Not on other systems than Linux: there a proof that is killed leaves them.
    if hasattr(libc := ctypes.CDLL(None), "prctl"):
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != proof:
        os.kill(os.getpid(), signal.SIGKILL)
