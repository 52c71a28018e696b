"""No picture of the pages is larger than who looks for it waits for."""

from pathlib import Path

import pytest

from tools import pictures
from tools.browser import BrowserFailed


def test_a_picture_that_is_too_large_is_refused_and_the_one_before_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "FOLDER", tmp_path / "pictures")
    pictures.keep("report", b"x" * pictures.MOST_BYTES)
    with pytest.raises(BrowserFailed, match=r"report has 160,001 bytes, and may have 160,000"):
        pictures.keep("report", b"x" * (pictures.MOST_BYTES + 1))
    assert (tmp_path / "pictures" / "report.png").stat().st_size == pictures.MOST_BYTES


def test_those_of_the_pages_are_not() -> None:
    sizes = {path.name: path.stat().st_size for path in pictures.FOLDER.iterdir()}
    assert sizes
    assert [name for name, size in sizes.items() if size > pictures.MOST_BYTES] == []
