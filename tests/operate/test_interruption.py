"""A command that somebody breaks off tidies up and says one sentence, whatever it was doing."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stage.sam_deployment import PROJECT
from tests.quick import first_of

# One that is over at once, and what begins with next to no imports.
AT_ONCE = {"tools.benchmark_document"}
OWN_WAY = {"operate", "stage.demo", "tools.run"}
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

# Stands for a library that takes a second to import, and is imported when Ctrl-C comes.
INTERRUPTED_WHEN_IMPORTED = """
import os, signal, time
os.kill(os.getpid(), signal.SIGINT)
time.sleep(60)
"""

# What typer makes of Ctrl-C while it reads the options.
MADE_AN_EXIT = """
import os, signal, sys
from operate.interruption import interruptible

def run():
    interruptible(lambda: 0, "Interrupted: it is tidied up.")
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        sys.exit(130)

sys.exit(interruptible(run))
"""

# And the command that runs typer of that exit.
MADE_A_STATUS = MADE_AN_EXIT.replace("sys.exit(130)", "return 130")

# As the making of a dataclass or a named tuple.
WITHIN_A_TEXT = """
import sys
import operate.terminal
from operate.interruption import interruptible

def run():
    exec("import os, signal; os.kill(os.getpid(), signal.SIGINT)")

sys.exit(interruptible(run))
"""

# As Python does of what is raised while an object goes, or the lock of an import.
DROPPED = """
import os, signal, sys, time
from operate.interruption import interruptible

class Going:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)

def run():
    Going()
    time.sleep(60)

sys.exit(interruptible(run))
"""

# As pytest does of what it had begun when it was broken off.
MADE_AN_ERROR = """
import os, signal, sys
from operate.interruption import interruptible

def run():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        raise ExceptionGroup("still there", [ResourceWarning("file 14")])

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


@pytest.mark.whole
@pytest.mark.parametrize(
    ("module", "library", "said"),
    first_of(
        [
            ("operate", "boto3", "Interrupted."),
            ("stage.demo", "boto3", "Interrupted: the local AWS is gone, and everything in it."),
            ("tools.run stage", "boto3", "Interrupted."),
            ("operate", "typer", "Interrupted."),
            ("tools.run stage.bench", "boto3", "Interrupted."),
            ("tools.run proofs.incidents", "boto3", "Interrupted."),
        ],
        2,
        in_ci=2,
    ),
)
def test_ctrl_c_is_answered_while_a_command_imports_what_it_needs(
    module: str, library: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / f"{library}.py").write_text(INTERRUPTED_WHEN_IMPORTED)
    path = os.pathsep.join([str(tmp_path), str(PROJECT), str(PROJECT / "src" / "layers" / "efs_monitor")])
    ended = subprocess.run(
        [sys.executable, "-m", *module.split(), "backtest", "--from", "hungry"],
        cwd=PROJECT,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": path},
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + signal.SIGINT, "", f"\n{said}\n")


@pytest.mark.parametrize(
    "source",
    [MADE_AN_EXIT, MADE_A_STATUS, WITHIN_A_TEXT, DROPPED],
    ids=["an exit", "a status", "within a text", "nothing"],
)
def test_neither_a_library_nor_python_makes_another_end_of_ctrl_c(source: str, tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(source)
    ended = subprocess.run(
        [sys.executable, "-m", "interrupted"],
        cwd=PROJECT,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(PROJECT)])},
        text=True,
        check=False,
        timeout=50,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + signal.SIGINT, "", "\nInterrupted.\n")


def test_an_error_of_breaking_off_is_named_and_no_traceback() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", MADE_AN_ERROR], cwd=PROJECT, capture_output=True, text=True, check=False, timeout=50
    )
    assert (ended.returncode, ended.stdout) == (128 + signal.SIGINT, "")
    assert " ".join(ended.stderr.split()) == (
        "Interrupted. Not everything was tidied up: ExceptionGroup('still there', [ResourceWarning('file 14')])"
    )


def test_every_verb_of_make_answers_it_from_the_first_import_on() -> None:
    begun = set(re.findall(r"\$\(PYTHON\) -m ([\w.]+)", (PROJECT / "Makefile").read_text()))
    assert begun == AT_ONCE | OWN_WAY


def test_a_module_that_is_run_is_the_program_and_its_exit_is_the_commands(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text('import sys\nassert __name__ == "__main__"\nsys.exit(f"got {sys.argv[1:]}")\n')
    ended = subprocess.run(
        [sys.executable, "-m", "tools.run", "program", "one", "--two"],
        cwd=PROJECT,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(PROJECT)])},
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "got ['one', '--two']\n")


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
