"""Ctrl-C ends a command with one line, and nothing of it is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stage.sam_deployment import PROJECT

WITHIN_SECONDS = 240
# What was built lies there already; and a build would be in the way of other tests.
AS_A_PERSON_RUNS_IT = """
import runpy, sys
from stage.sam_deployment import Deployer
Deployer.build = lambda deployer: None
module, *sys.argv[1:] = sys.argv[1:]
runpy.run_module(module, run_name="__main__")
"""
WITHOUT_SAM = f"""
import stage.sam_deployment, stage.direct_deployment
stage.sam_deployment.Deployer = stage.direct_deployment.DirectDeployer
{AS_A_PERSON_RUNS_IT}"""
"""Where `sam deploy` is over by the interrupt and left nothing that could stay."""
GONE = "The local AWS is gone, and everything in it."


@contextmanager
def started(
    module: str, arguments: list[str], folder: Path, source: str = AS_A_PERSON_RUNS_IT
) -> Iterator[subprocess.Popen[bytes]]:
    """A command as a terminal starts it: at the head of a group of processes that all get its Ctrl-C."""
    (folder / "tmp").mkdir()
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", source, module, *arguments],
            cwd=PROJECT,
            env={**os.environ, "TMPDIR": str(folder / "tmp")},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def await_line(folder: Path, text: str) -> None:
    limit = time.monotonic() + WITHIN_SECONDS
    while text not in (printed := (folder / "output").read_text()):
        assert time.monotonic() < limit, printed
        time.sleep(0.05)


def left_of(process: subprocess.Popen[bytes], folder: Path) -> list[str]:
    """The processes of its session or with its TMPDIR, and the mounts in that."""
    mark = f"TMPDIR={folder / 'tmp'}".encode()
    found = [line for line in Path("/proc/mounts").read_text().splitlines() if str(folder) in line]
    for one in Path("/proc").glob("[0-9]*"):
        try:
            session = int((one / "stat").read_text().rpartition(")")[2].split()[3])
            environment = (one / "environ").read_bytes()
        except OSError:
            continue
        if session == process.pid or mark in environment.split(b"\0"):
            found.append((one / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def interrupted(process: subprocess.Popen[bytes], folder: Path) -> str:
    """What was printed from Ctrl-C on, once the command is over and nothing of it is left."""
    before = (folder / "output").read_text()
    os.killpg(process.pid, signal.SIGINT)
    process.wait(timeout=WITHIN_SECONDS)
    assert left_of(process, folder) == []
    said = (folder / "output").read_text()
    assert "Traceback" not in said, said
    return said.removeprefix(before)


@pytest.mark.more
def test_a_sandbox_that_is_interrupted(tmp_path: Path) -> None:
    with started("stage", ["--port", "0", "--out", str(tmp_path / "out")], tmp_path) as process:
        await_line(tmp_path, "Benchmarks run on this machine")
        await_line(tmp_path, "/efs.\n")
        said = interrupted(process, tmp_path)
    assert process.returncode == 0
    assert said.strip() == GONE


@pytest.mark.days
@pytest.mark.usefixtures("built")
def test_trials_that_are_interrupted(tmp_path: Path) -> None:
    with started("stage.local_invoke", [], tmp_path, WITHOUT_SAM) as process:
        await_line(tmp_path, "ok\n")
        said = interrupted(process, tmp_path)
    assert process.returncode == 128 + signal.SIGINT
    assert said.strip().splitlines()[-1] == "Interrupted: the local AWS and all containers are gone."
