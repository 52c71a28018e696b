"""Runs the script of the document as an agent would: `sh -c FILE` in a process group of its own."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from localaws.ssm.host import Host, Mount
from tools.benchmark_document import script

FILE_SYSTEM_ID = "fs-0123456789abcdef0"
RUN_ID = "run-20261120t140000z-01234567"
OWN = ".efs-monitor-benchmark"
MIB = 1_048_576

WRITE = f"id=write,on=efs,do=write,threads=1,block={MIB},sync=end,files=1,bytes={2 * MIB}"
TOUCH = "id=touch,on=efs,do=touch,threads=4,files=8,directories=1"


def writers(count: int, each_bytes: int) -> str:
    """Many writers that sync every block."""
    return f"id=writers,on=efs,do=write,threads={count},block={MIB},sync=each,files={count},bytes={each_bytes}"


@dataclass(frozen=True)
class Ended:
    """What a run printed, and its exit status."""

    status: int
    output: str
    errors: str

    @property
    def machine(self) -> dict[str, Any]:
        first: dict[str, Any] = json.loads(self.output.splitlines()[0])
        return first

    @property
    def workloads(self) -> list[dict[str, Any]]:
        return [one for one in self._rest if one["type"] != "left"]

    @property
    def left(self) -> str:
        """What it left behind and why, in its own words; empty where nothing."""
        return "".join(one["reason"] for one in self._rest if one["type"] == "left")

    @property
    def _rest(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output.splitlines()[1:]]

    @property
    def refusal(self) -> str:
        """The sentence of a run that was refused, which is on the error output, too, and all there is."""
        assert (self.status, self.workloads) == (2, []), self
        sentence = self.machine["refused"]
        assert sentence in self.errors
        return str(sentence)


@dataclass(frozen=True)
class Process:
    """A process of this machine."""

    id: int
    command: str


@dataclass
class Running:
    """A run under way."""

    process: "subprocess.Popen[str]"

    def ended(self, within_seconds: float = 60) -> Ended:
        output, errors = self.process.communicate(timeout=within_seconds)
        return Ended(self.process.returncode, output, errors)

    def kill_group(self) -> None:
        """What the agent does at its time-out."""
        os.killpg(self.process.pid, signal.SIGKILL)
        # Until nobody holds the outputs any more.
        self.process.communicate(timeout=20)


@dataclass
class BenchmarkInstance:
    """A host, its mount, and the parameters of a run on it."""

    host: Host
    mount: Path
    parameters: dict[str, str]
    script: Path
    started: list[Running] = field(default_factory=list)

    @classmethod
    def with_mount(cls, folder: Path, mount: Path, instance_id: str = "i-0123456789abcdef0") -> Self:
        """A host on which FILE_SYSTEM_ID is mounted at a folder; its own files lie in another."""
        host = Host(instance_id=instance_id, folder=folder, mounts=(Mount(path=mount, file_system_id=FILE_SYSTEM_ID),))
        host.prepare()
        file = folder / "_script.sh"
        file.write_text(script())
        # The agent's own files are nobody else's.
        file.chmod(0o700)
        parameters = {
            "RunId": RUN_ID,
            "FileSystemId": FILE_SYSTEM_ID,
            "MountPath": str(mount),
            "LocalPath": "",
            "Plan": WRITE,
            "DeadlineSeconds": "60",
            "Instances": "1",
        }
        return cls(host, mount, parameters, file)

    def mounted(self, **changes: str) -> Self:
        """The same instance, its mount with another kind or other options."""
        (mount,) = self.host.mounts
        host = replace(self.host, mounts=(replace(mount, **changes),))  # type: ignore[arg-type] # fields by name
        host.prepare()
        self.host = host
        return self

    def command(self, name: str, text: str) -> None:
        """Another command of the host, in front of this machine's own."""
        path = self.host.folder / "commands" / name
        path.write_text(text)
        path.chmod(0o755)

    def mounted_from(
        self,
        source: str,
        kind: str = "nfs4",
        options: str = "rw,vers=4.1,addr=10.0.1.10",
        point: str | Path | None = None,
    ) -> None:
        """The mount is of another source, and perhaps somewhere above the path."""
        device = os.stat(self.mount).st_dev
        line = f"{point or self.mount} {source} {kind} {os.major(device)}:{os.minor(device)} {options}"
        self.command("findmnt", f"#!/bin/sh\necho '{line}'\n")

    def constant(self, name: str, value: int | Path) -> None:
        """Another value for a constant of the script, where a test cannot have or wait for its real one."""
        text, places = re.subn(
            rf"(?<=^readonly {name}=)[A-Za-z0-9/]+$", str(value), self.script.read_text(), flags=re.MULTILINE
        )
        assert places == 1
        self.script.write_text(text)

    def slow_dd(self) -> None:
        """A dd that writes its first block, and then takes its time: nobody has to wait for a disk."""
        self.command(
            "dd",
            "#!/bin/bash\n[[ $* != *--version* ]] || exec /usr/bin/dd --version\n"
            '/usr/bin/dd "${@/#count=*/count=1048576}"\nexec sleep 1000\n',
        )

    def waiting_dd(self, until: Path) -> None:
        """A dd that does what it should, and has not ended before there is a file."""
        self.command(
            "dd",
            "#!/bin/bash\n[[ $* != *--version* ]] || exec /usr/bin/dd --version\n"
            f'/usr/bin/dd "$@" || exit\nuntil [[ -e {until} ]]; do sleep 0.05; done\n',
        )

    def start(self, **changes: str | None) -> Running:
        """Start a run with some parameters changed, None for one that the agent does not pass."""
        given = {f"SSM_{name}": value for name, value in {**self.parameters, **changes}.items() if value is not None}
        process = subprocess.Popen(
            ["/bin/sh", "-c", str(self.script)],
            env={**self.host.environment(), **given},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        self.started.append(Running(process))
        return self.started[-1]

    def run(self, **changes: str | None) -> Ended:
        return self.start(**changes).ended()

    @property
    def own(self) -> Path:
        """The directory on the file system that the script makes."""
        return self.mount / OWN

    def leftovers(self) -> list[str]:
        return sorted(str(path.relative_to(self.mount)) for path in self.mount.rglob("*"))

    def processes(self) -> list[Process]:
        """Everything that still runs of this instance's script."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                belongs = f"SSM_MountPath={self.mount}".encode() in (path / "environ").read_bytes()
                command = (path / "cmdline").read_bytes()
            except OSError:
                continue
            if belongs and command:
                found.append(Process(int(path.name), command.replace(b"\0", b" ").decode().strip()))
        return found

    def kill(self, chosen: "Callable[[Process], bool]" = lambda _: True) -> None:
        """SIGKILL to all those chosen at one moment: none sees another end, and none that just began is missed."""
        stopped: set[int] = set()
        while new := {one.id for one in self.processes() if chosen(one)} - stopped:
            for number in new:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGSTOP)
            stopped |= new
        for number in stopped:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def close(self) -> None:
        for running in self.started:
            if running.process.returncode is None:
                running.kill_group()
        eventually(lambda: not self.processes(), within_seconds=30)


def eventually(true: Callable[[], bool], within_seconds: float) -> bool:
    """Whether something comes true in time."""
    limit = time.monotonic() + within_seconds
    while not true():
        if time.monotonic() > limit:
            return False
        time.sleep(0.05)
    return True
