"""What every kind of test may need: the stack as the real `sam build` leaves it."""

from pathlib import Path

import pytest
from sandbox.deployment import BUILD, Deployer


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of built functions and layer, made afresh from the sources of this very run."""
    Deployer("", tmp_path_factory.mktemp("build"), str).build()
    return BUILD
