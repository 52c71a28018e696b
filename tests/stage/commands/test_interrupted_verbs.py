"""Ctrl-C ends whatever a verb of make starts, at whichever moment it comes: with one line, and nothing is left."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from stage.sam_deployment import PROJECT
from tests.stage.commands.test_interrupted import left_of

WITHIN_SECONDS = 240
VERBS = {
    "build": "tools.run tools.sam_build",
    "package": "tools.run tools.package",
    "demo": "stage.demo",
    "sandbox": "tools.run stage --port 0",
    "invoke": "tools.run stage.invoke Explain events/warning-alarm.json",
    "local-invoke": "tools.run stage.local_invoke",
    "backtest": "operate backtest --from hungry",
    "advise": "operate advise --from hungry",
    "report": "operate report --from hungry --out report.html",
    "unit": f"tools.run tools.left_behind {sys.executable} -m tools.run pytest tests/unit -q --numprocesses auto",
    "drill": "operate drill --stack efs-monitor-home",
    "benchmark": "operate benchmark --stack efs-monitor-home",
    "smoke": "operate smoke home --build",
    "bench": "tools.run stage.bench",
    "generate": "tools.run tools.generate",
    "lint": "tools.run tools.linters lint",
    "security": "tools.run tools.linters security",
    "proof of tests": "tools.run tools.prove privileges",
    "proof of ours": "tools.run tools.prove figures",
    "examples": "tools.run tools.example_histories",
    "pictures of reports": "tools.run tools.report_pictures",
    "pictures of dashboards": "tools.run tools.dashboard_pictures",
}
INTERRUPTED_AS_A_PROCESS_BEGINS = """
import os, signal, sys
if any("readline" in word for word in sys.orig_argv):
    os.killpg(0, signal.SIGINT)
"""
"""What Python reads as it starts, where one of the processes that divide the tests does: each begins by a line of code
that it reads.
"""
# The real seconds between the moment from which a command can answer and Ctrl-C.
AFTER_SECONDS = (0, 0.3, 2)
OF_ITSELF = {0, 1, 2, -signal.SIGINT}
"""The statuses of a command that is over before Ctrl-C, or, where nothing answers, cannot do what it is for. By the
signal one ends that has said all it had to say, while Python itself goes.
"""


@pytest.fixture(scope="module")
def project(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project: some of them write to it."""
    copy = tmp_path_factory.mktemp("interrupted") / "project"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True)
    for name in filter(None, tracked.stdout.split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(PROJECT / name, copy / name)
    for name in (".venv", ".venv-sam", ".venv-lint"):
        if (PROJECT / name).exists():
            (copy / name).symlink_to(PROJECT / name)
    shutil.copytree(built, copy / ".aws-sam" / "build")
    return copy


def test_here_is_whatever_make_starts() -> None:
    begun = re.findall(r"\$\((?:RUN\)|PYTHON\) -m) ([\w.]+)", (PROJECT / "Makefile").read_text())
    # What is over at once, and the way in which the others are started.
    assert set(begun) - {"tools.benchmark_document", "tools.run"} == {
        module for words in VERBS.values() for module in re.findall(r"(?:^|tools\.run )(?!tools\.run)([\w.]+)", words)
    }


def test_nothing_of_make_runs_in_the_background() -> None:
    """A shell has such a command ignore Ctrl-C: it would go on when make has ended."""
    recipes = re.findall(r"^\t(.*(?:\\\n.*)*)", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert len(recipes) > 20
    assert [one for one in recipes if re.search(r"(?<![&>])&(?![&0-9])", one)] == []


def test_nothing_stands_between_make_and_what_it_starts() -> None:
    """A `kill` of make ends its child. A shell that waits for Python would be that child, and Python would go on."""
    recipes = re.findall(r"^\t(.*(?:\\\n.*)*)", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    started = [one for one in recipes if re.search(r"\$\((?:RUN|PYTHON)\)", one)]
    assert len(started) > 15
    assert [one for one in started if re.search(r"\|\||&&|;|\bif \[", one)] == []


@pytest.mark.days
@pytest.mark.parametrize("after_seconds", AFTER_SECONDS)
@pytest.mark.parametrize("words", VERBS.values(), ids=VERBS)
def test_one_line_is_said_and_nothing_is_left(words: str, after_seconds: float, project: Path, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp").chmod(0o755)
    nobody_answers = {"AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_ACCESS_KEY_ID": "none"}
    credentials = {"AWS_SECRET_ACCESS_KEY": "none", "AWS_EC2_METADATA_DISABLED": "true"}
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", *words.split()],
            cwd=project,
            env={
                **os.environ,
                **nobody_answers,
                **credentials,
                "TMPDIR": str(tmp_path / "tmp"),
                "PYTHONPATH": f"{project}:{project}/src/layers/efs_monitor",
            },
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
    try:
        while process.poll() is None and not answers(process):
            time.sleep(0.01)
        time.sleep(after_seconds)
        # One that is over by itself has no group any more.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        status = process.wait(WITHIN_SECONDS)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    said = (tmp_path / "err").read_text()
    assert "Traceback" not in said + (tmp_path / "out").read_text()
    if status == 128 + signal.SIGINT:
        assert len(said.split("\n\n")) <= 2, said
        assert said.count("Interrupted") <= 1
    else:
        assert status in OF_ITSELF, said
    assert left_of(process, tmp_path) == []
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.whole
def test_the_processes_that_divide_the_tests_begin_deaf_to_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED_AS_A_PROCESS_BEGINS)
    command = [
        "tools.run",
        "pytest",
        "tests/unit/test_events.py",
        "-q",
        "--numprocesses",
        "2",
        "-p",
        "no:cacheprovider",
    ]
    ended = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{PROJECT}:{PROJECT}/src/layers/efs_monitor"},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
        timeout=WITHIN_SECONDS,
    )
    assert (ended.returncode, ended.stderr) == (128 + signal.SIGINT, "\nInterrupted.\n")
    assert "Traceback" not in ended.stdout


def answers(process: subprocess.Popen[bytes]) -> bool:
    """Whether it hears SIGTERM: Python of itself does not, and what answers Ctrl-C does so with both."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    found = re.search(r"^SigCgt:\s*(\w+)$", status, re.MULTILINE)
    return found is not None and bool(int(found[1], 16) >> (signal.SIGTERM - 1) & 1)
