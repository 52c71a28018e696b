"""Whatever a command leaves behind is told, taken away, and a failure."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from stage.sam_deployment import PROJECT

PATIENCE_SECONDS = 60
# Whatever is run this way hears Ctrl-C only once it wants to.
HEARING = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
os.execvp(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture
def start(tmp_path: Path) -> Callable[[str], "subprocess.Popen[str]"]:
    """Starts lines of shell under the tool, whose own folder is then made in `tmp_path`."""

    left_behind = [sys.executable, "-m", "tools.left_behind"]

    def started(*lines: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*left_behind, sys.executable, "-c", HEARING, "bash", "-c", "\n".join(lines)],
            cwd=PROJECT,
            env={**os.environ, "TMPDIR": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return started


type Start = Callable[..., "subprocess.Popen[str]"]


def test_a_command_that_leaves_nothing_ends_as_it_would_alone(start: Start, tmp_path: Path) -> None:
    process = start("touch $TMPDIR/file; rm $TMPDIR/file; echo $TMPDIR; exit 3")
    output, errors = process.communicate()
    assert (process.returncode, errors) == (3, "")
    assert output.startswith(f"{tmp_path}/")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_left_fails_a_command_that_succeeded(start: Start, tmp_path: Path) -> None:
    process = start("mkdir $TMPDIR/full; touch $TMPDIR/full/file $TMPDIR/file")
    _, errors = process.communicate()
    assert (process.returncode, errors) == (1, "Left behind: file file\nLeft behind: folder full with file\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.more
def test_a_process_that_is_left_is_told_and_ended_whatever_it_did_to_hide(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start("setsid env -i sleep 1234 >/dev/null 2>&1 & echo $!")
    output, errors = process.communicate()
    assert process.returncode == 1
    assert errors == f"Left behind: process {output.strip()}: sleep 1234\n"
    assert not Path(f"/proc/{output.strip()}").exists()


@pytest.mark.needs("root")
def test_a_mount_that_is_left_is_told_and_taken_away(start: Start, tmp_path: Path) -> None:
    process = start("mkdir $TMPDIR/on; mount -t tmpfs none $TMPDIR/on; echo $TMPDIR/on")
    output, errors = process.communicate()
    assert process.returncode == 1
    assert f"Left behind: mount {output}" in errors
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()
    assert list(tmp_path.iterdir()) == []


INTERRUPTED_ONCE_ITS_COMMAND_HAS_ENDED = """
import os, signal, sys
from tools import left_behind

wait = os.wait

def wait_and_be_asked():
    ended = wait()
    os.kill(os.getpid(), signal.SIGINT)
    return ended

os.wait = wait_and_be_asked
sys.exit(left_behind.main(["true"]))
"""


def test_an_interrupt_in_the_moment_in_which_the_command_ends_of_it_is_one_like_any_other() -> None:
    command = [sys.executable, "-c", INTERRUPTED_ONCE_ITS_COMMAND_HAS_ENDED]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM], ids=lambda one: one.name)
def test_an_interrupt_takes_everything_away_without_a_word(
    start: Start, tmp_path: Path, signal_number: signal.Signals
) -> None:
    process = start("setsid sleep 1234 >/dev/null 2>&1 & touch $TMPDIR/file; echo $! $$; exec sleep 1234")
    assert process.stdout is not None
    left, command = map(int, process.stdout.readline().split())
    # An interrupt that comes while bash is becoming another program is lost.
    deadline = time.monotonic() + PATIENCE_SECONDS
    while Path(f"/proc/{command}/comm").read_text() != "sleep\n":
        assert time.monotonic() < deadline
        time.sleep(0.01)
    if signal_number == signal.SIGINT:
        # As a terminal does.
        os.killpg(process.pid, signal_number)
    else:
        process.send_signal(signal_number)
    assert process.wait(timeout=PATIENCE_SECONDS) == 130
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stdout.close()
    process.stderr.close()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while Path(f"/proc/{left}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{left}").exists()
    assert list(tmp_path.iterdir()) == []
