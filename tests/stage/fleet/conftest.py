"""A fleet of its own for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from localaws.sandbox import Sandbox
from proofs.fleet.fleet_account import FleetAccount, in_sandbox, small_monitor


@pytest.fixture
def fleet(built: Path, tmp_path: Path) -> Iterator[FleetAccount]:
    """A fleet of every file system in an account that has none, and that this process reaches, too."""
    assert built.is_dir()
    with Sandbox(tmp_path) as sandbox, in_sandbox(sandbox):
        account = FleetAccount(sandbox)
        account.release(small_monitor())
        account.deploy()
        yield account
