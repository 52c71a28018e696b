"""The folder that a sandbox writes to: its own while it lasts, and emptied only if a sandbox made it."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stage.sam_deployment import PROJECT

OUT = PROJECT / "out"
MARK = ".made-by-a-sandbox"


class OutFolderError(Exception):
    """Why a folder cannot be had, in a sentence for people."""


@contextmanager
def emptied(folder: Path, otherwise: str) -> Iterator[Path]:
    """The folder, empty, and nobody else's meanwhile. OutFolderError where another sandbox uses it, where it holds what
    no sandbox made, or where it cannot be had; `otherwise` says what to do then.
    """
    mark = folder / MARK
    try:
        _make(folder, mark, otherwise)
        held = mark.open("a", encoding="utf-8")
    except OSError as error:
        for path in (folder, *folder.parents):
            if os.path.isfile(path):
                why = f"{folder} cannot be had, because {path} is a file"
                raise OutFolderError(f"{why}: move or remove it ({otherwise})") from error
        raise OutFolderError(f"{folder} cannot be had ({error.strerror}): {otherwise}") from error
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise OutFolderError(f"Another sandbox writes to {folder}: {otherwise}") from error
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path != mark:
                path.unlink()
        yield folder


def _make(folder: Path, mark: Path, otherwise: str) -> None:
    is_ours = mark.exists() or folder.resolve().is_relative_to(OUT)
    if folder.exists() and not is_ours and any(folder.iterdir()):
        raise OutFolderError(f"{folder} would be emptied, and no sandbox made it: {otherwise}")
    folder.mkdir(parents=True, exist_ok=True)
