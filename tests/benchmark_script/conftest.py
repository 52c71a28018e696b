"""One instance with a file system, on which the real script runs in real time."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmark_script.instance import BenchmarkInstance


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may enter: pytest's own are closed to the unprivileged user of the script."""
    with tempfile.TemporaryDirectory(prefix="efs-monitor-", ignore_cleanup_errors=True) as path:
        os.chmod(path, 0o755)  # noqa: S103 - the script's user must get in
        yield Path(path)


@pytest.fixture
def file_system(folder: Path) -> Path:
    """What the instance takes for its mount: a folder of this machine."""
    path = folder / "efs"
    path.mkdir()
    return path


@pytest.fixture
def instance(folder: Path, file_system: Path) -> Iterator[BenchmarkInstance]:
    """An instance that has the file system mounted. Whatever a test leaves running ends with it."""
    one = BenchmarkInstance.with_mount(folder / "agent", file_system)
    yield one
    one.close()


@pytest.fixture
def disk(folder: Path, instance: BenchmarkInstance) -> Iterator[Path]:
    """A folder on a disk of the instance: on another device than the file system."""
    path = Path("/dev/shm") / folder.name
    path.mkdir()
    path.chmod(0o777)
    instance.parameters["LocalPath"] = str(path)
    yield path
    shutil.rmtree(path)
