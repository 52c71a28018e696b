"""The processes that answer a proof's questions."""

import os
import signal
import subprocess
import sys
from concurrent.futures import process
from pathlib import Path
from threading import Thread

import pytest

from proofs.processes import NICENESS, processes
from stage.sam_deployment import PROJECT

# Prints a line from a process that answers, which then waits.
ASKED = """
import time
from proofs.processes import processes
if __name__ == "__main__":
    with processes() as pool:
        print("asking", flush=True)
        pool.submit(print, "asked", flush=True).result()
        pool.submit(time.sleep, 600).result()
"""


def test_they_let_other_work_go_first() -> None:
    with processes() as pool:
        assert pool.submit(os.nice, 0).result() == min(19, os.nice(0) + NICENESS)


def test_one_for_each_question_answers_no_other() -> None:
    with processes(one_for_each=True) as pool:
        answered = [pool.submit(os.getpid).result() for _ in range(3)]
    assert len(set(answered)) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends them")
def test_they_end_with_a_proof_that_is_killed(tmp_path: Path) -> None:
    """What they print into stays open as long as one of them lives."""
    script = tmp_path / "proof.py"
    script.write_text(ASKED)
    proof = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(PROJECT)}
    )
    assert proof.stdout is not None
    assert [proof.stdout.readline() for _ in range(2)] == ["asking\n", "asked\n"]
    proof.kill()
    assert proof.communicate(timeout=60)[0] == ""


def test_an_interrupt_that_comes_while_they_are_started_is_all_that_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that waits for them is there by then, and not started: it cannot be joined."""

    def interrupted(_: Thread) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(process._ExecutorManagerThread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt), processes() as pool:
        pool.submit(print)


@pytest.mark.parametrize("after", ["asking", "asked"])
def test_they_end_at_once_and_without_a_word_with_a_proof_that_is_broken_off(after: str, tmp_path: Path) -> None:
    (tmp_path / "proof.py").write_text(ASKED)
    proof = subprocess.Popen(
        [sys.executable, "-m", "tools.run", "proof"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(PROJECT)])},
        start_new_session=True,
    )
    assert proof.stdout is not None
    while proof.stdout.readline() != f"{after}\n":
        pass
    # As a terminal does: all of them get it.
    os.killpg(proof.pid, signal.SIGINT)
    _, said = proof.communicate(timeout=60)
    assert (proof.returncode, said) == (128 + signal.SIGINT, "\nInterrupted.\n")
