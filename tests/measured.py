"""Coverage is measured where tests run the product's own code in their own process and thread.

A sandbox's threads run moto, which takes three times as long while somebody counts its lines.
"""

import threading

import pytest
from coverage import Coverage

MEASURED = (
    "tests/unit/",
    "tests/sandbox/benchmark_functions/",
    "tests/sandbox/monitor/test_alarm_fields.py",
    "tests/sandbox/monitor/test_apply_on_deploy_handler.py",
    "tests/sandbox/monitor/test_edges.py",
    "tests/sandbox/monitor/test_explain_handler.py",
    "tests/sandbox/monitor/test_recalculate_handler.py",
    "tests/sandbox/monitor/test_silence_handler.py",
)
# They try hundreds of cases, or read pages, and run nothing that no other of these runs.
UNMEASURED = (
    "tests/unit/docs/",
    "tests/unit/mail/test_message_rules.py",
)


class Measured:
    """Pauses coverage, if there is any, in between."""

    def __init__(self) -> None:
        self._coverage: Coverage | None = None
        self._is_on = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._coverage = self._coverage or Coverage.current()
        if self._coverage is None:
            return
        is_on = item.nodeid.startswith(MEASURED) and not item.nodeid.startswith(UNMEASURED)
        if is_on is not self._is_on:
            (self._coverage.start if is_on else self._coverage.stop)()
            self._is_on = is_on
        threading.settrace(None)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Measured())
