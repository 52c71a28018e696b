"""Inside the machine: runs the commands that come through a port, each in a process group of its own, many at a time.

A line is a JSON object. One that comes asks for a command: `number`, `command`, `environment`. Two go back: the number
with the process id, and later with `status` and what was said. Python 3.11 runs it, that of the machine.
"""

import json
import subprocess
import threading
from pathlib import Path
from typing import IO, Any

PORT = Path("/dev/virtio-ports/efs-monitor")
# As the SSM agent's own: packaging/linux/amazon-ssm-agent.service, and systemd's umask.
WORKING_DIRECTORY = "/usr/bin"
UMASK = 0o022


def main() -> None:
    """Serve until the machine ends."""
    with PORT.open("r+b", buffering=0) as port:
        lock = threading.Lock()
        tell(port, lock, {"number": 0, "ready": True})
        rest = b""
        while True:
            *lines, rest = (rest + port.read(65_536)).split(b"\n")
            for line in lines:
                threading.Thread(target=run, args=(port, lock, json.loads(line)), daemon=True).start()


def run(port: IO[bytes], lock: threading.Lock, request: dict[str, Any]) -> None:
    """Run one command to its end, that of whoever holds its outputs included."""
    process = subprocess.Popen(
        request["command"],
        cwd=WORKING_DIRECTORY,
        env=request["environment"],
        umask=UMASK,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        process_group=0,
    )
    tell(port, lock, {"number": request["number"], "process_id": process.pid})
    output, errors = process.communicate()
    said = {"output": output.decode(errors="replace"), "errors": errors.decode(errors="replace")}
    tell(port, lock, {"number": request["number"], "status": process.returncode, **said})


def tell(port: IO[bytes], lock: threading.Lock, values: dict[str, Any]) -> None:
    """Send one line, whole."""
    rest = memoryview(json.dumps(values).encode() + b"\n")
    with lock:
        while rest:
            rest = rest[port.write(rest) :]


if __name__ == "__main__":
    main()
