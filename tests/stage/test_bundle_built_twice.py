"""The bundle built twice, by the real `sam build`, in two folders and at two times: the same bytes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stage.sam_deployment import PROJECT

LISTED = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")


def built(folder: Path, time: float) -> bytes:
    """The bundle of a copy of all sources in which every file has this time."""
    listed = subprocess.run(LISTED, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, folder / name)
    for path in folder.rglob("*"):
        os.utime(path, (time, time))
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{folder / 'src' / 'layers' / 'efs_monitor'}"}
    for command in (["sam", "build", "--no-cached"], [sys.executable, "-m", "tools.package"]):
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    (bundle,) = (folder / "dist").glob("*.zip")
    assert done.stdout.splitlines()[-1] == f"dist/{bundle.name}"
    return bundle.read_bytes()


@pytest.mark.long
def test_two_builds_in_two_folders_at_two_times_are_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "another-folder").mkdir()
    assert built(tmp_path / "a", 1_000_000_000) == built(tmp_path / "another-folder", 1_700_000_000)
