"""A mount without latencies."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from stage.mount.mounted import ModelledMount


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a mount may be."""
    return tmp_path_factory.mktemp("mount")


@pytest.fixture(scope="module")
def mount(folder: Path) -> Iterator[ModelledMount]:
    with ModelledMount(folder / "plain") as mount:
        yield mount


@pytest.fixture
def place(mount: ModelledMount, request: pytest.FixtureRequest) -> Path:
    """A directory of the test's own on the mount."""
    place = mount.path / str(request.node.name)
    place.mkdir()
    return place
