"""Where the document's own script can be held against a mount."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from stage.measuring.script import passable_folder


@pytest.fixture
def folder() -> Iterator[Path]:
    with passable_folder() as folder:
        yield folder
