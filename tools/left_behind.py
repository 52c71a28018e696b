"""`python -m tools.left_behind COMMAND...`: runs a command in a TMPDIR of its own; fails when it left something behind.

The command begins deaf to Ctrl-C and hears it once it can answer, as tools.run does.

Left behind is a file in that folder, a mount below it, or a process. It is told, and taken away; after an interrupt it
is only taken away, for then many processes end without a word. Ends with the command's exit status, else 1.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from operate.interruption import SIGNALS

PR_SET_CHILD_SUBREAPER = 36
MNT_DETACH = 2
INTERRUPTED = 130
PATIENCE_SECONDS = 20
"""What cleans up after a command may take a moment longer than the command."""
MOST_TOLD = 20


def main(command: Sequence[str]) -> int:
    """The command's exit status; 1 where it succeeded and left something."""
    folder = Path(tempfile.mkdtemp(prefix="efs-monitor-run-"))
    # Whoever a benchmark's script becomes must get through to the folders that tests make here.
    folder.chmod(0o755)
    try:
        status, is_interrupted = _run(command, folder)
        left = [*_processes_left(0 if is_interrupted else PATIENCE_SECONDS), *_mounts_below(folder), *_files_in(folder)]
    finally:
        _take_away(folder)
    if is_interrupted:
        return INTERRUPTED
    for one in left:
        print(f"Left behind: {one}", file=sys.stderr)
    return status or (1 if left else 0)


def _run(command: Sequence[str], folder: Path) -> tuple[int, bool]:
    """Run a command; its exit status, and whether this run was asked to end."""
    # Orphans become children of this process, not of init: so they are found whatever environment they have.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    asked: list[int] = []

    def ask(number: int, _: object) -> None:
        asked.append(number)
        # A terminal interrupts the command, too, if it has begun by then, and it ignores a second time: or it has ended
        # of the first, and is buried by now.
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(process.pid, number)

    # Held back until there is a command. This process hears them until it ends: who is impatient and asks again must
    # not break off the taking away.
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    for one in SIGNALS:
        signal.signal(one, ask)
    process = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(folder)})
    signal.pthread_sigmask(signal.SIG_SETMASK, heard)
    ended = 0
    while ended != process.pid:
        # Of whichever child: as init would, for orphans that are not buried seem to run on.
        ended, status = os.wait()
    process.returncode = os.waitstatus_to_exitcode(status)
    return (process.returncode if process.returncode >= 0 else 128 - process.returncode), bool(asked)


def _processes_left(patience_seconds: float) -> Iterator[str]:
    """Each child that is still there after a while, and is ended now."""
    deadline = time.monotonic() + patience_seconds
    while (found := list(_children())) and time.monotonic() < deadline:
        time.sleep(0.1)
    for process_id in found:
        yield f"process {process_id}: {_command_of(process_id)}"
    while found:
        for process_id in found:
            os.kill(process_id, signal.SIGKILL)
            os.waitpid(process_id, 0)
        # Their own children are ours now.
        found = list(_children())


def _children() -> Iterator[int]:
    """Children of this process that still run; those that have ended are buried."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, rest = path.read_text(encoding="utf-8").rpartition(") ")
        except OSError:
            continue
        state, parent = rest.split()[:2]
        if int(parent) != os.getpid():
            continue
        process_id = int(path.parent.name)
        if state == "Z":
            os.waitpid(process_id, 0)
        else:
            yield process_id


def _command_of(process_id: int) -> str:
    try:
        return Path(f"/proc/{process_id}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return "gone by now"


def _mounts_below(folder: Path) -> Iterator[str]:
    for path in _mounted(folder):
        yield f"mount {path}"


def _mounted(folder: Path) -> list[str]:
    paths = (line.split()[1] for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines())
    return [path for path in paths if path.startswith(f"{folder}/")]


def _files_in(folder: Path) -> Iterator[str]:
    """What lies in the folder, but for pytest's own, of which it keeps what it is told to."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.name.startswith("pytest-of-"):
            within = sorted(str(one.relative_to(path)) for one in path.rglob("*"))
            yield f"folder {path.name} with {', '.join(within[:MOST_TOLD]) or 'nothing'}"
        elif not path.is_dir():
            yield f"file {path.name}"


def _take_away(folder: Path) -> None:
    for path in reversed(_mounted(folder)):
        ctypes.CDLL(None).umount2(os.fsencode(path), MNT_DETACH)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if sys.platform != "linux":
        sys.exit(subprocess.run(sys.argv[1:], check=False).returncode)
    sys.exit(main(sys.argv[1:]))
