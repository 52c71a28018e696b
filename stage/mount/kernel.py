"""mount(2), umount2(2) and prctl(2), which Python has no names for."""

import contextlib
import ctypes
import os
from pathlib import Path

from stage.mount.replies import WRITE_BYTES

FUSE_DEVICE = "/dev/fuse"
MS_NOSUID, MS_NODEV, MS_NOATIME = 2, 4, 1024
MNT_DETACH = 2
PR_SET_TIMERSLACK = 29
CAP_SYS_ADMIN = 21

_libc = ctypes.CDLL(None, use_errno=True)


def why_not() -> str | None:
    """Why nothing can be mounted here; None where it can."""
    if os.geteuid() != 0:
        return "mounting needs root"
    if not os.access(FUSE_DEVICE, os.R_OK | os.W_OK):
        return f"there is no {FUSE_DEVICE} to be opened"
    status = dict(
        line.split(":\t", 1)
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        if ":\t" in line
    )
    if not int(status["CapEff"], 16) >> CAP_SYS_ADMIN & 1:
        return "mounting needs the capability CAP_SYS_ADMIN"
    return None


def mount(folder: Path, device: int, name: str) -> None:
    """Put a FUSE file system, whose requests are read from `device`, over a folder; OSError where it is refused."""
    # Also for the unprivileged user whom a benchmark drops to; the kernel checks modes and owners itself.
    options = f"fd={device},rootmode=40755,user_id=0,group_id=0,allow_other,default_permissions,max_read={WRITE_BYTES}"
    flags = MS_NOSUID | MS_NODEV | MS_NOATIME
    arguments = (name.encode(), os.fsencode(folder), b"fuse.efs", ctypes.c_ulong(flags), options.encode())
    _checked(_libc.mount(*arguments), folder)


def detach(folder: Path) -> None:
    """Take a file system away at once, in use or not; who has a file open there gets errors from then on."""
    _checked(_libc.umount2(os.fsencode(folder), MNT_DETACH), folder)


def is_mounted(folder: Path) -> bool:
    """Whether one of our file systems is over the folder, served or orphaned."""
    quoted = os.fspath(folder.absolute()).replace("\\", "\\134").replace(" ", "\\040")
    mounts = (line.split() for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines())
    return any(fields[1] == quoted and fields[2] == "fuse.efs" for fields in mounts)


def wake_on_time() -> None:
    """The calling process wakes when its sleep is over: no 50 µs later, and before whoever else wants a processor."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    _checked(_libc.prctl(PR_SET_TIMERSLACK, ctypes.c_ulong(1), 0, 0, 0), FUSE_DEVICE)


def _checked(result: int, what: Path | str) -> None:
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), str(what))
