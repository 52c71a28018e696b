"""A demo that somebody breaks off: it says so in one line, and whatever it was at, no file, process or mount stays."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stage.mount.mounted import ModelledMount
from stage.sam_deployment import PROJECT
from tests.stage.commands.test_interrupted import AS_A_PERSON_RUNS_IT, WITHOUT_SAM

PATIENCE_SECONDS = 240
# A demo that begins to measure soon.
MEASURED = """
about = "A file system that is measured in its first hour."
days = 0.1
[file_system]
name = "home"
size_gib = 100
[[instance]]
id = "i-0123456789abcdef0"
[[deploy]]
[deploy.parameters]
BenchmarkPath = "$MOUNT"
BenchmarkSchedule = "cron(20 0 * * ? *)"
"""


@pytest.fixture
def demo(built: Path, tmp_path: Path, moment: Callable[[Path], bool]) -> Iterator["subprocess.Popen[bytes]"]:
    """A demo of a copy of the project, for it writes: in a session of its own, as under a terminal, TMPDIR its own."""
    project = tmp_path / "project"
    project.mkdir()
    for name in ("localaws", "operate", "scenarios", "simulation", "src", "stage", "tools"):
        shutil.copytree(PROJECT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("template.yaml", "samconfig.toml"):
        shutil.copy(PROJECT / name, project / name)
    for name in (".venv", ".venv-sam"):
        (project / name).symlink_to(PROJECT / name)
    shutil.copytree(built, project / ".aws-sam" / "build")
    (tmp_path / "measured.toml").write_text(MEASURED)
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp").chmod(0o755)
    source = AS_A_PERSON_RUNS_IT if moment is sam_deploys else WITHOUT_SAM
    with (tmp_path / "output").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", source, "stage.demo", str(tmp_path / "measured.toml")],
            cwd=project,
            env={
                **os.environ,
                "TMPDIR": str(tmp_path / "tmp"),
                "PYTHONPATH": f"{project}:{project}/src/layers/efs_monitor",
            },
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def sam_deploys(tmp_path: Path) -> bool:
    return any("sam deploy" in one for one in running(tmp_path))


def a_benchmark_runs(tmp_path: Path) -> bool:
    return any("efs-monitor-benchmark" in one for one in running(tmp_path))


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param(sam_deploys, marks=pytest.mark.days),
        pytest.param(a_benchmark_runs, marks=[pytest.mark.typed, pytest.mark.more]),
    ],
    ids=lambda moment: moment.__name__,
)
def test_nothing_is_left_of_a_demo_that_is_interrupted(
    demo: "subprocess.Popen[bytes]", tmp_path: Path, moment: Callable[[Path], bool]
) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not moment(tmp_path):
        assert demo.poll() is None, (tmp_path / "output").read_text()
        assert time.monotonic() < deadline, (tmp_path / "output").read_text()
        time.sleep(0.1)
    if moment is a_benchmark_runs and ModelledMount.why_not() is None:
        assert str(tmp_path) in Path("/proc/self/mounts").read_text()
    os.killpg(demo.pid, signal.SIGINT)
    assert demo.wait(timeout=PATIENCE_SECONDS) == 128 + signal.SIGINT
    printed = (tmp_path / "output").read_text()
    assert "Traceback" not in printed
    assert printed.splitlines()[-1] == "Interrupted: the local AWS is gone, and everything in it."
    assert running(tmp_path) == []
    assert list((tmp_path / "tmp").iterdir()) == []
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()


def running(tmp_path: Path) -> list[str]:
    """The command lines of processes that are in this folder, were told of it, or have it in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, environment = (
                (folder / name).read_bytes().replace(b"\0", b" ").decode(errors="replace")
                for name in ("cmdline", "environ")
            )
            known = (command, environment, str((folder / "cwd").readlink()))
        except OSError:
            continue
        if folder.name != str(os.getpid()) and any(str(tmp_path) in one for one in known):
            found.append(command)
    return found
