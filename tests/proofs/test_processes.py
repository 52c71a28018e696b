"""The processes that answer a proof's questions."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from proofs.processes import NICENESS, processes
from stage.deployment import PROJECT

# Prints a line from a process that answers, which then waits.
ASKED = """
import time
from proofs.processes import processes
if __name__ == "__main__":
    with processes() as pool:
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
    assert proof.stdout.readline() == "asked\n"
    proof.kill()
    assert proof.communicate(timeout=60)[0] == ""
