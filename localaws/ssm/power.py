"""Switching an instance off: everything that it runs ends at once, also what left its script's process group."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from localaws.ssm.host import Host

EXEC_SECONDS, EXEC_TRIES = 0.001, 100
"""How often to look again at a process that seems to have no environment."""


def power_off(host: Host) -> None:
    """End every process of the host, those that are started meanwhile too."""
    while found := list(_processes(host)):
        for process_id in found:
            with suppress(ProcessLookupError):
                os.kill(process_id, signal.SIGKILL)


def _processes(host: Host) -> Iterator[int]:
    """Known by their environment: its PATH begins in the host's own folder."""
    mark = f"PATH={host.folder / 'commands'}:".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        # Gone by now, or another user's.
        with suppress(OSError):
            if any(variable.startswith(mark) for variable in _environment(folder).split(b"\0")):
                yield int(folder.name)


def _environment(process: Path) -> bytes:
    """The variables of a process; OSError where it can have none, being a thread of the kernel or a zombie.

    Whoever becomes another program has none for a moment, and would be missed: the kernel sets them at the end of
    execve(2) (fs/binfmt_elf.c, create_elf_tables).
    """
    for _ in range(EXEC_TRIES):
        (process / "exe").readlink()
        if variables := (process / "environ").read_bytes():
            return variables
        time.sleep(EXEC_SECONDS)
    return b""
