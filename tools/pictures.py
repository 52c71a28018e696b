"""The pictures that the pages show: where they lie, and how large one may be."""

from pathlib import Path

from tools.browser import BrowserFailed

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
# Whoever looks for the page waits for each of them.
MOST_BYTES = 160_000


def keep(name: str, picture: bytes) -> None:
    """Write a picture as PNG; BrowserFailed where it is too large, and the one before stays."""
    if len(picture) > MOST_BYTES:
        raise BrowserFailed(f"{name} has {len(picture):,} bytes, and may have {MOST_BYTES:,}")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.png").write_bytes(picture)
