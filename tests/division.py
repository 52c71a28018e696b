"""How `make test` divides the tests among processes: a file is one piece, for its tests share what they set up."""

import pytest
from xdist.remote import Producer
from xdist.scheduler.loadscope import LoadScopeScheduling

ONE_BY_ONE = ("tests/sandbox/test_scenarios.py",)
"""Files whose tests share nothing, and take long."""


class ByFile(LoadScopeScheduling):  # type: ignore[misc] # xdist has no types
    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return nodeid if file in ONE_BY_ONE else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    return ByFile(config, log)
