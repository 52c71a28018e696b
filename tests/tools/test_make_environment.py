"""An environment is refused where nothing in it could be started."""

import shutil
import subprocess
from pathlib import Path

import pytest

from stage.deployment import PROJECT


def test_a_folder_with_a_space_in_its_path_is_refused_with_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "my project"
    folder.mkdir()
    command = [str(PROJECT / "tools" / "make-environment"), ".venv", "requirements/dev.txt"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"The path of this folder has a space in it ({folder}): move it to one without.\n"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("made_in", "is_made_anew"),
    [("where it was", True), ("where it is", False), ("by hand", False)],
)
def test_an_environment_that_was_moved_with_its_folder_is_made_anew(
    tmp_path: Path, made_in: str, is_made_anew: bool
) -> None:
    """Its commands begin with the path of a Python that is not there any more."""
    shutil.copy(PROJECT / "Makefile", tmp_path)
    shutil.copytree(PROJECT / "requirements", tmp_path / "requirements")
    for name in (".venv", ".venv-sam"):
        ready = tmp_path / name / "ready"
        ready.parent.mkdir()
        ready.write_text({"where it was": "/nowhere\n", "where it is": f"{tmp_path}\n", "by hand": ""}[made_in])
    told = ["make", "--dry-run", ".venv/ready", ".venv-sam/ready"]
    done = subprocess.run(told, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ("tools/make-environment .venv " in done.stdout) is is_made_anew
    assert ("tools/make-environment .venv-sam " in done.stdout) is is_made_anew
