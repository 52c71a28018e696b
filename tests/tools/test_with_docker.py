"""A command that needs a Docker engine ends as itself, also where the engine that was started for it did not last."""

import os
import subprocess
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def test_an_engine_that_ends_by_itself_changes_no_status_and_leaves_no_log(tmp_path: Path) -> None:
    programs, left = tmp_path / "programs", tmp_path / "left"
    for folder in (programs, left):
        folder.mkdir()
    for name, line in (("docker", f'test -e "{tmp_path}/answers"'), ("dockerd", f'touch "{tmp_path}/answers"')):
        (programs / name).write_text(f"#!/bin/sh\n{line}\n")
        (programs / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "TMPDIR": str(left)}
    command = [str(PROJECT / ".ci" / "with-docker"), "sleep", "0.3"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, list(left.iterdir())) == (0, "", [])
