"""`make help` on a machine that has make, Python, and nothing of the project's yet."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from stage.sam_deployment import PROJECT

COLUMNS = 80


def test_it_lists_every_verb_in_80_columns_before_there_is_an_environment(tmp_path: Path) -> None:
    project, commands = tmp_path / "project", tmp_path / "bin"
    (project / "tools").mkdir(parents=True)
    commands.mkdir()
    for name in ("Makefile", "tools/verbs.py"):
        shutil.copy(PROJECT / name, project / name)
    make = shutil.which("make")
    assert make is not None
    (commands / "make").symlink_to(make)
    (commands / "python3").symlink_to(os.path.realpath(sys.executable))
    done = subprocess.run(
        [commands / "make", "help"],
        cwd=project,
        env={"PATH": str(commands)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    listed = re.findall(r"^([a-z-]+)  ", done.stdout, re.MULTILINE)
    assert listed == re.findall(r"^([a-z-]+):.*##", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert {"demo", "test"} <= set(listed)
    assert max(map(len, done.stdout.splitlines())) <= COLUMNS


def test_who_reads_only_its_beginning_gets_no_stack_trace() -> None:
    command = f"{sys.executable} tools/verbs.py Makefile | true"
    done = subprocess.run(["bash", "-c", command], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stderr == ""
