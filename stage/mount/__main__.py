"""`python -m stage.mount FOLDER [PROFILE [SOCKET]]`: the process that serves one mount, until Ctrl-C or its caller is
gone.

PROFILE is a name of stage/mount/tutorial.py, or the fields of one as JSON; SOCKET the number of a socket of the
caller's: asked there, answered there.
"""

import json
import os
import signal
import socket
import sys
from pathlib import Path

from stage.mount import kernel
from stage.mount.fuse_server import FuseServer
from stage.mount.model import Efs
from stage.mount.profile import EfsProfile, ProfileError
from stage.mount.tutorial import NAMED


def main(arguments: list[str]) -> int:
    """0 when ended as it was asked to, 2 when nothing could be mounted."""
    if not 1 <= len(arguments) <= 3:
        print(__doc__, file=sys.stderr)
        return 2
    path, given, control = [*arguments, *["{}", ""][len(arguments) - 1 :]]
    folder = Path(path).absolute()
    try:
        profile = NAMED[given] if given in NAMED else EfsProfile.from_json(given)
        device = os.open(kernel.FUSE_DEVICE, os.O_RDWR | os.O_CLOEXEC)
        kernel.mount(folder, device, "efs")
    except (OSError, ProfileError) as error:
        print(f"nothing was mounted: {error}", file=sys.stderr)
        return 2
    try:
        _serve(device, Efs(profile), int(control) if control else None)
    finally:
        if kernel.is_mounted(folder):
            kernel.detach(folder)
    return 0


def _serve(device: int, efs: Efs, control: int | None) -> None:
    kernel.wake_on_time()
    if control is None:
        # Ctrl-C ends the loop by way of the same descriptor that a caller's end would be seen at.
        ours, theirs = socket.socketpair()
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(signal_number, lambda *_: theirs.close())
        print("mounted; Ctrl-C ends it", flush=True)
    else:
        ours = socket.socket(fileno=control)
        ours.sendall(b"{}\n")
    FuseServer(device, efs, ours.fileno(), lambda: _obey(ours, efs)).serve()


def _obey(control: socket.socket, efs: Efs) -> bool:
    """Answer each line that the caller has sent; False once there is no caller any more."""
    asked = control.recv(4096)
    if not asked:
        return False
    for line in asked.splitlines():
        request = json.loads(line)
        if "permit" in request:
            efs.permitted_bytes_per_second = request["permit"]
        metered = efs.metered
        answer = [metered.read_bytes, metered.written_bytes, metered.metadata_operations]
        control.sendall(json.dumps(answer).encode() + b"\n")
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
