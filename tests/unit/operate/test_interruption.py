"""A command that somebody breaks off tidies up and says one sentence, whatever it was doing."""

import os
import re
import signal
import subprocess
import sys

import pytest

from stage.deployment import PROJECT

AT_ONCE = {"tools.generate", "tools.document", "pytest"}
# What is more than one process deep ends its children first.
OWN_WAY = {"stage", "tools.left_behind"}
COMMANDS = set(re.findall(r"\$\(PYTHON\) -m ([\w.]+)", (PROJECT / "Makefile").read_text())) - AT_ONCE - OWN_WAY
SLOW = """
import sys, time
from operate.interruption import Interrupted, interruptible

def run():
    try:
        print("running", flush=True)
        time.sleep(60)
    except KeyboardInterrupt as interrupt:
        raise Interrupted("Interrupted: it is tidied up.") from interrupt
    finally:
        print("tidying up", flush=True)
        sys.stdin.readline()
        print("tidied up", flush=True)

sys.exit(interruptible(run))
"""

PRINTED = """
import sys
from operate.interruption import Interrupted, interruptible

def run():
    print("tidied up")
    raise Interrupted("Interrupted: it is tidied up.")

sys.exit(interruptible(run))
"""


def test_the_sentence_comes_last_also_where_both_streams_go_into_one_file() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PRINTED],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        text=True,
        check=False,
    )
    assert ended.stdout == "tidied up\n\nInterrupted: it is tidied up.\n"


@pytest.mark.parametrize("module", sorted(COMMANDS))
def test_every_command_that_takes_its_time_ends_so(module: str) -> None:
    source = (PROJECT / f"{module.replace('.', '/')}.py").read_text()
    assert re.search(r'if __name__ == "__main__":\n    sys\.exit\(interruptible\(', source)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda one: one.name)
def test_a_second_signal_does_not_break_off_the_tidying_up(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLOW],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(number)
        assert process.stdout.readline() == "tidying up\n"
        process.send_signal(number)
        out, err = process.communicate("\n", timeout=60)
    assert out == "tidied up\n"
    assert err == "\nInterrupted: it is tidied up.\n"
    assert process.returncode == 128 + number
