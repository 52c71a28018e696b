"""The virtual machine: its start, commands in it, and its end."""

import itertools
import json
import queue
import shlex
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs.nfs.image import Image

ACCELERATORS = {"kvm": 20, "tcg,thread=multi": 120}
"""The best first, with the seconds after which a kernel under it must have said its first word. Some virtual machines
have a /dev/kvm under which no kernel starts that is not made for it."""
BOOT_SECONDS = 300
"""Where every instruction is translated it takes a minute or two."""
# Whatever else a kernel does at each call costs most where every instruction is translated, reading a clock above all.
QUICK = "mitigations=off nopti nosmap nosmep audit=0 apparmor=0 clocksource=tsc tsc=reliable nowatchdog no5lvl"
FIRST_WORD = "Linux version"
SHELL_SECONDS = 300
DATA_DISK_BYTES = 8 * 1024**3
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class MachineFailed(Exception):
    """The machine did not start, ended by itself, or did not do what it was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """How a command ended, as subprocess has it, and what it said."""

    status: int
    output: str
    errors: str


class GuestCommand:
    """A command under way in the machine, leader of a process group of its own."""

    def __init__(self, words: tuple[str, ...], answers: "queue.SimpleQueue[dict[str, Any]]") -> None:
        self._words = words
        self._answers = answers
        self._said: Said | None = None
        self.process_id = int(self._answer(within_seconds=60)["process_id"])

    def ended(self, within_seconds: float = 120) -> Said:
        """Wait for its end, that of whoever holds its outputs included; MachineFailed when it takes longer."""
        if self._said is None:
            answer = self._answer(within_seconds)
            self._said = Said(status=answer["status"], output=answer["output"], errors=answer["errors"])
        return self._said

    def has_ended(self) -> bool:
        """Whether it has."""
        return self._said is not None or not self._answers.empty()

    def _answer(self, within_seconds: float) -> dict[str, Any]:
        try:
            answer = self._answers.get(timeout=within_seconds)
        except queue.Empty:
            raise MachineFailed(f"No answer in {within_seconds:.0f} s: {shlex.join(self._words)[:300]}") from None
        if "gone" in answer:
            raise MachineFailed("The machine ended in the middle of a command")
        return answer


class VirtualMachine:
    """A started machine; commands go to it over a socket that only this user can reach."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._ready: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._answers = {0: self._ready}
        threading.Thread(target=self._listen, daemon=True).start()

    def start(self, *words: str, environment: Mapping[str, str] | None = None) -> GuestCommand:
        """Start a command."""
        number = next(self._numbers)
        answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        given = {"PATH": PATH, "LANG": "C.UTF-8", **(environment or {})}
        line = json.dumps({"number": number, "command": words, "environment": given}).encode() + b"\n"
        with self._lock:
            self._answers[number] = answers
            self._connection.sendall(line)
        return GuestCommand(words, answers)

    def ask(self, *words: str, within_seconds: float = 120) -> Said:
        """Run a command to its end, however it ends."""
        return self.start(*words).ended(within_seconds)

    def shell(self, commands: str, **values: str) -> str:
        """What a shell prints that runs the commands, with values as variables; MachineFailed where any of it fails."""
        said = self.start("bash", "-euc", commands, environment=values).ended(SHELL_SECONDS)
        if said.status:
            raise MachineFailed(f"{commands.strip()[:300]!r} ended with {said.status}: {said.errors.strip()[-500:]}")
        return said.output

    def write(self, path: str, text: str, mode: int = 0o700) -> None:
        """Make a file."""
        self.shell('printf %s "$text" >"$path" && chmod "$mode" "$path"', path=path, text=text, mode=f"{mode:o}")

    def wait_until_ready(self, process: "subprocess.Popen[bytes]", within_seconds: float) -> None:
        """Until it takes commands; MachineFailed where it does not in time."""
        limit = time.monotonic() + within_seconds
        while time.monotonic() < limit:
            try:
                self._ready.get(timeout=1)
            except queue.Empty:
                if process.poll() is not None:
                    raise MachineFailed(f"QEMU ended with {process.returncode} while the machine started") from None
            else:
                return
        raise MachineFailed(f"The machine has not started in {within_seconds:.0f} s")

    def _listen(self) -> None:
        with suppress(OSError), self._connection.makefile("r", encoding="utf-8") as lines:
            for line in lines:
                answer = json.loads(line)
                self._answers[answer["number"]].put(answer)
        for answers in self._answers.values():
            answers.put({"gone": True})


@contextmanager
def started(image: Image) -> Iterator[VirtualMachine]:
    """A machine that has started; the image stays as it is, and with the machine its disks are gone."""
    failure = MachineFailed("No accelerator was tried")
    for accelerator, seconds in ACCELERATORS.items():
        with tempfile.TemporaryDirectory(prefix="efs-monitor-nfs-", dir="/var/tmp") as name:
            folder = Path(name)
            with (folder / "data").open("wb") as data:
                data.truncate(DATA_DISK_BYTES)
            words = _command_line(image, folder, accelerator)
            with (folder / "errors").open("wb") as errors:
                process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=errors)
            try:
                try:
                    _wait_for_kernel(folder, process, seconds)
                except MachineFailed as failed:
                    failure = failed
                    continue
                with _connected(folder / "agent", process) as connection:
                    machine = VirtualMachine(connection)
                    machine.wait_until_ready(process, BOOT_SECONDS)
                    print(f"The machine has started, with the accelerator {accelerator.partition(',')[0]}", flush=True)
                    yield machine
                    return
            finally:
                # It is QEMU that is asked, not the machine: a kernel that waits for NFS shuts nothing down.
                process.terminate()
                process.wait(timeout=30)
    raise failure


def _wait_for_kernel(folder: Path, process: "subprocess.Popen[bytes]", within_seconds: float) -> None:
    """Until the kernel has said something; MachineFailed where it does not."""
    limit = time.monotonic() + within_seconds
    console = folder / "console"
    while not (console.exists() and FIRST_WORD in console.read_text(errors="replace", encoding="utf-8")):
        if process.poll() is not None:
            said = (folder / "errors").read_text(errors="replace", encoding="utf-8").strip()
            raise MachineFailed(f"QEMU ended with {process.returncode} before the machine started: {said}")
        if time.monotonic() > limit:
            raise MachineFailed(f"No kernel said a word in {within_seconds:.0f} s")
        time.sleep(0.2)


def _command_line(image: Image, folder: Path, accelerator: str) -> list[str]:
    return [
        # It ends with whoever started it, however that ends.
        *("setpriv", "--pdeathsig", "TERM", "qemu-system-x86_64"),
        # What a nested KVM may not set, no machine here needs.
        *("-accel", accelerator, "-cpu", "max,arch-capabilities=off", "-smp", "2", "-m", "3G"),
        *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"),
        *("-serial", f"file:{folder / 'console'}"),
        *("-kernel", str(image.kernel), "-initrd", str(image.initial_ramdisk)),
        *("-append", f"root=/dev/vda rw console=ttyS0 net.ifnames=0 panic=-1 {QUICK}"),
        *("-drive", f"file={image.disk},if=virtio,format=raw,cache=unsafe,snapshot=on"),
        *("-drive", f"file={folder / 'data'},if=virtio,format=raw,cache=unsafe"),
        *("-device", "virtio-rng-pci", "-device", "virtio-serial-pci"),
        *("-chardev", f"socket,id=agent,path={folder / 'agent'},server=on,wait=off"),
        *("-device", "virtserialport,chardev=agent,name=efs-monitor"),
    ]


def _connected(path: Path, process: "subprocess.Popen[bytes]") -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    while True:
        try:
            connection.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            if process.poll() is not None:
                connection.close()
                raise MachineFailed(f"QEMU ended with {process.returncode} while the machine started") from None
            time.sleep(0.05)
        else:
            return connection
