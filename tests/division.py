"""How `make test` divides the tests among processes: a file is one piece, for its tests share what they set up."""

import signal
from collections.abc import Generator, Mapping

import pytest
from xdist.remote import Producer
from xdist.scheduler.loadscope import LoadScopeScheduling
from xdist.workermanage import WorkerController

from operate.interruption import SIGNALS

ONE_BY_ONE = ("tests/stage/test_scenarios.py",)
"""Files whose tests share nothing, and take long."""

WAITING = "tests/benchmark_script/"
"""Whose tests wait more than they work: all at once they would leave the processors idle."""


class ByFile(LoadScopeScheduling):  # type: ignore[misc] # xdist has no types
    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return nodeid if file in ONE_BY_ONE else file

    def _pending_of(self, workload: Mapping[str, Mapping[str, bool]]) -> int:
        """How many tests a process has left: of the pieces it got last, for it works in their order. xdist counts all
        that it ever got, after each test.
        """
        left = 0
        for piece in reversed(list(workload.values())):
            of_piece = sum(not is_done for is_done in piece.values())
            if not of_piece:
                break
            left += of_piece
        return left

    def _assign_work_unit(self, node: WorkerController) -> None:
        """One process begins with what waits, while the others work; all help where nothing else is left."""
        begins_with_what_waits = node is self.nodes[0]
        for piece in self.workqueue:
            if piece.startswith(WAITING) is begins_with_what_waits:
                self.workqueue.move_to_end(piece, last=False)
                break
        super()._assign_work_unit(node)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionstart() -> Generator[None]:
    """Ctrl-C waits until the processes are there and can answer: before, each would do so with a traceback. They begin
    as deaf as the one that starts them is meanwhile.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        return (yield)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first: last, it would leave all processors but one without work."""
    items.sort(key=lambda item: not item.nodeid.startswith(ONE_BY_ONE))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    return ByFile(config, log)
