"""Switching an instance off: everything that it runs ends at once, also what left its script's process group."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sandbox.agents.host import Host


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
        # Gone by now, another user's, or a zombie, whose environment is empty.
        with suppress(OSError):
            if any(variable.startswith(mark) for variable in (folder / "environ").read_bytes().split(b"\0")):
                yield int(folder.name)
