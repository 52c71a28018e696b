"""A command of ours that another one runs: Ctrl-C ends both, with one sentence."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stage.sam_deployment import PROJECT

# Says nothing itself, as its child does.
PARENT = """
import os, sys
from pathlib import Path
from tools import child_process
from operate.interruption import Interrupted, interruptible

def run():
    os.environ["IS_CHILD"] = "yes"
    try:
        return child_process.run([sys.executable, "-m", "tools.run", "slow"], cwd=Path.cwd()).returncode
    except KeyboardInterrupt as interrupt:
        raise Interrupted("") from interrupt

sys.exit(interruptible(run))
"""
# What Python imports of its own accord, before it runs anything of ours.
INTERRUPTED_WHEN_IT_BEGINS = """
import os, signal
if "IS_CHILD" in os.environ:
    {}
"""


@pytest.mark.whole
@pytest.mark.parametrize(
    "interrupt",
    ["os.killpg(0, signal.SIGINT)", "os.kill(os.getppid(), signal.SIGINT)"],
    ids=["it reaches both", "it came before there was a child"],
)
def test_ctrl_c_while_python_itself_begins_ends_both_with_one_sentence(interrupt: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED_WHEN_IT_BEGINS.format(interrupt))
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(600)\n")
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        cwd=PROJECT,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(PROJECT)])},
        text=True,
        start_new_session=True,
    )
    try:
        _, said = parent.communicate(timeout=60)
    finally:
        if parent.poll() is None:
            os.killpg(parent.pid, signal.SIGKILL)
            parent.communicate()
    assert (parent.returncode, said) == (128 + signal.SIGINT, "\nInterrupted.\n")
