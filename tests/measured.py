"""Coverage is measured where tests run the product's own code in their own process and thread.

A sandbox's threads run moto, which takes three times as long while somebody counts its lines, and so does reading the
tests.
"""

import importlib
import pkgutil
import threading
from collections.abc import Iterator

import pytest
from coverage import Coverage

MEASURED = (
    "tests/unit/",
    "tests/stage/benchmark_functions/",
    "tests/stage/fleet/test_reconcile_fleet.py",
    "tests/stage/monitor/test_alarm_fields.py",
    "tests/stage/monitor/test_apply_on_deploy_handler.py",
    "tests/stage/monitor/test_edges.py",
    "tests/stage/monitor/test_explain_handler.py",
    "tests/stage/monitor/test_recalculate_handler.py",
    "tests/stage/monitor/test_silence_handler.py",
)
# They try hundreds of cases, read pages or are about what is not measured, and run nothing that no other of these runs.
UNMEASURED = (
    "tests/unit/docs/",
    "tests/unit/judges/",
    "tests/unit/localaws/",
    "tests/unit/mail/test_chat.py::test_a_chat_is_short_enough_",
    "tests/unit/mail/test_chat.py::test_every_mail_is_",
    "tests/unit/mail/test_chat.py::test_the_figures_of_",
    "tests/unit/mail/test_message_rules.py",
    "tests/unit/operate/",
    "tests/unit/stage/",
    "tests/stage/monitor/test_recalculate_handler.py::test_a_read_that_fails_",
    "tests/stage/monitor/test_recalculate_handler.py::test_what_cannot_be_read_",
    "tests/stage/monitor/test_silence_handler.py::test_a_read_that_fails_",
)
LOADED = ("efs_monitor", "simulation")
"""What is measured and imported by tests; whatever else is measured, tests run from its file."""


class Measured:
    """Pauses coverage, if there is any, in between."""

    def __init__(self) -> None:
        self._coverage: Coverage | None = None
        self._is_on = True

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Iterator[None]:
        """The lines that loading a module runs are counted here, so that they are whoever loads it first."""
        self._coverage = Coverage.current()
        if self._coverage is not None:
            for name in LOADED:
                for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
                    importlib.import_module(module.name)
            self._switch(is_on=False)
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._switch(is_on=item.nodeid.startswith(MEASURED) and not item.nodeid.startswith(UNMEASURED))

    def _switch(self, *, is_on: bool) -> None:
        if self._coverage is None:
            return
        if is_on is not self._is_on:
            (self._coverage.start if is_on else self._coverage.stop)()
            self._is_on = is_on
        threading.settrace(None)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Measured())
