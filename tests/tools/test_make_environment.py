"""An environment is refused where nothing in it could be started."""

import subprocess
from pathlib import Path

from stage.deployment import PROJECT


def test_a_folder_with_a_space_in_its_path_is_refused_with_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "my project"
    folder.mkdir()
    command = [str(PROJECT / "tools" / "make-environment"), ".venv", "requirements/dev.txt"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"The path of this folder has a space in it ({folder}): move it to one without.\n"
    assert list(folder.iterdir()) == []
