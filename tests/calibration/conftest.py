"""Where the document's own script can be held against a mount; skips with the reason where there can be none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.measuring.script import passable_folder
from sandbox.mount.mounted import Mount


@pytest.fixture
def folder() -> Iterator[Path]:
    if reason := Mount.why_not():
        pytest.skip(reason)
    with passable_folder() as folder:
        yield folder
