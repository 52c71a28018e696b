"""A command whose output nobody reads, or that finds no room for it, ends without a traceback, whatever it was at."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stage.sam_deployment import PROJECT
from tests.quick import first_of

# Stands for a library that a command imports: it is at work, and prints.
PRINTING = "print('at work', flush=True)\n"
# Its last words stay with Python, which writes them when it ends.
NOT_FLUSHED = "import sys\nprint('done')\nsys.exit(0)\n"
FULL_FILE = "import os\nraise OSError(28, os.strerror(28), 'sam.log')\n"
BROKEN_CONNECTION = "raise BrokenPipeError(32, 'Broken pipe')\n"
ENTRIES = first_of(
    ["stage.demo", "tools.run stage", "tools.run stage.invoke Explain events/warning-alarm.json"], in_ci=1
)


def ended(entry: str, source: str, tmp_path: Path, output: int) -> subprocess.CompletedProcess[str]:
    (tmp_path / "boto3.py").write_text(source)
    path = os.pathsep.join([str(tmp_path), str(PROJECT), str(PROJECT / "src" / "layers" / "efs_monitor")])
    return subprocess.run(
        [sys.executable, "-m", *entry.split()],
        cwd=PROJECT,
        stdout=output,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path},
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def unread() -> Iterator[int]:
    """The end of a pipe that is written to, whose reader is gone."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize(
    "source", first_of([pytest.param(PRINTING, id="at work"), pytest.param(NOT_FLUSHED, id="at its end")], in_ci=1)
)
def test_whoever_has_read_enough_gets_no_traceback(entry: str, source: str, tmp_path: Path, unread: int) -> None:
    found = ended(entry, source, tmp_path, unread)
    assert (found.returncode, found.stderr) == (128 + signal.SIGPIPE, "")


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize(
    ("source", "what"),
    first_of(
        [
            pytest.param(NOT_FLUSHED, "What is found", id="at its end"),
            pytest.param(PRINTING, "What is found", id="at work"),
            pytest.param(FULL_FILE, "sam.log", id="a file"),
        ],
        in_ci=1,
    ),
)
def test_a_full_disk_is_a_sentence(entry: str, source: str, what: str, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        found = ended(entry, source, tmp_path, full.fileno())
    assert (found.returncode, found.stderr) == (2, f"{what} cannot be written: No space left on device\n")


@pytest.mark.whole
def test_a_connection_that_breaks_while_the_output_is_read_stays_an_error(tmp_path: Path) -> None:
    found = ended("tools.run stage", BROKEN_CONNECTION, tmp_path, subprocess.PIPE)
    assert found.returncode == 1
    assert "BrokenPipeError" in found.stderr
