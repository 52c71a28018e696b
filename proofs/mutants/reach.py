"""Which tests call which functions of the changed files, seen once while all of them pass."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType

# A tool number of its own, beside those of debuggers, coverage and profilers.
TOOL = 4
type Function = tuple[str, str]


@dataclass(kw_only=True)
class Reach:
    """For each test its seconds, oldest first, and the functions (file, qualified name) that it called.

    `at_import` are those that were called while the tests were being imported.
    """

    at_import: set[Function] = field(default_factory=set)
    called: dict[str, set[Function]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def tests_of(self, function: Function) -> list[str]:
        """The tests that call a function, those that take least first."""
        return self._quickest_first(test for test, functions in self.called.items() if function in functions)

    def tests_of_files(self, paths: set[str]) -> list[str]:
        """The tests that call anything in these files."""
        return self._quickest_first(
            test for test, functions in self.called.items() if any(path in paths for path, _ in functions)
        )

    def _quickest_first(self, tests: Iterator[str]) -> list[str]:
        return sorted(tests, key=lambda test: self.seconds[test])


@contextmanager
def calls_of(paths: frozenset[str]) -> Iterator[set[Function]]:
    """The functions of these files that are called meanwhile."""
    seen: set[Function] = set()

    def started(code: CodeType, _offset: int) -> object:
        if code.co_filename in paths:
            # A nested function belongs to the outermost: that is what a test can reach.
            seen.add((code.co_filename, code.co_qualname.partition(".<locals>")[0]))
        return sys.monitoring.DISABLE

    sys.monitoring.use_tool_id(TOOL, "mutants")
    sys.monitoring.register_callback(TOOL, sys.monitoring.events.PY_START, started)
    sys.monitoring.restart_events()
    sys.monitoring.set_events(TOOL, sys.monitoring.events.PY_START)
    try:
        yield seen
    finally:
        sys.monitoring.set_events(TOOL, 0)
        sys.monitoring.free_tool_id(TOOL)


@contextmanager
def timed(reach: Reach, test: str) -> Iterator[None]:
    """Note the processor time of a test."""
    started = time.process_time()
    yield
    reach.seconds[test] = time.process_time() - started
