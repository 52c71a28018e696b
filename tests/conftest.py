"""What every kind of test may need: the stack as the real `sam build` leaves it."""

import fcntl
import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.machine", "tests.division", "pytester"]

# How long one example takes says how busy the machine is, and nothing about the code. The examples are the same
# everywhere, so that what passes here does not fail elsewhere by chance; `make unit` tries a few of them, and
# `make prove PROOF=properties` draws others.
settings.register_profile("patient", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("few", deadline=None, derandomize=True, max_examples=4)
settings.register_profile("many", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_collection() -> None:
    """What is loaded stays: nothing of it is garbage."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What is there for the whole run is not looked through for garbage again and again, ten times at its end alone.

    What the tests leave is looked for a tenth as often as Python would: that took a tenth of their time.
    """
    gc.enable()
    gc.set_threshold(20_000)
    gc.freeze()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of built functions and layer, made from the sources of this very run: here, or by tools/whole-test."""
    # Not at the top: tests of values need not wait until a local AWS is imported.
    from stage.sam_deployment import BUILD, Deployer

    if os.environ.get("EFS_MONITOR_BUILT"):
        return BUILD
    # Above the folders of the processes that divide the tests among them: two that build at once disturb each other.
    with (tmp_path_factory.getbasetemp().parent / "built").open("a") as done:
        fcntl.flock(done, fcntl.LOCK_EX)
        if os.fstat(done.fileno()).st_size == 0 or "PYTEST_XDIST_WORKER" not in os.environ:
            Deployer("", tmp_path_factory.mktemp("build"), str).build()
            done.write("of this run")
    return BUILD
