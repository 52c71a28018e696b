"""Copies of a process that has loaded what takes long, one for each worker; run by `worker.py`, never imported.

A function with layers is loaded once and copied, too, like a snapshot of Lambda's SnapStart: loading takes most of what
a worker costs, and each new stack starts every function anew.
"""

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

LONGEST_REQUEST_BYTES = 200_000
LOADED_WITHIN_SECONDS = 20
EVERYTHING = "*"

type Settings = dict[str, Any]


class CopyTask(NamedTuple):
    """What a copy is made for: where it reads invocations, where it answers, and the function where it is loaded."""

    requests: int
    answers: int
    loaded: Any


class Steps(NamedTuple):
    """What a copy does before it is one: take on all of the settings, or the environment alone; load the function."""

    become: Callable[[Settings], None]
    take_on_environment: Callable[[Settings], None]
    load: Callable[[], Any]


class ReadEnvironment(type(os.environ)):  # type: ignore[misc] # the class of os.environ has no public name
    """The environment, which notes what is read of it, and which variables are only asked for, whatever they are."""

    read: set[str]
    asked_for: set[str]

    def __contains__(self, name: object) -> bool:
        self.asked_for.add(str(name))
        try:
            super().__getitem__(str(name))
        except KeyError:
            return False
        return True

    def __getitem__(self, name: str) -> str:
        self.read.add(name)
        value: str = super().__getitem__(name)
        return value

    def __iter__(self) -> Iterator[str]:
        self.read.add(EVERYTHING)
        return iter(super().__iter__())


class Snapshot:
    """A process that has loaded a function, and what of its environment the function read meanwhile.

    It serves a worker of the same code for which those variables have the same values, and the same ones of those that
    were only asked for are there; all else of a worker's environment is its own. The function was loaded in real time.
    """

    def __init__(self, process: int, control: socket.socket, environment: dict[str, str]) -> None:
        self.control = control
        control.settimeout(LOADED_WITHIN_SECONDS)
        try:
            told = control.recv(LONGEST_REQUEST_BYTES)
        except TimeoutError:
            told = b""
        control.settimeout(None)
        self._is_usable = bool(told)
        read, asked_for = json.loads(told or "[[], []]")
        self._values = {name: environment.get(name) for name in read}
        self._is_there = {name: name in environment for name in asked_for}
        if not self._is_usable:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)

    def fits(self, environment: dict[str, str]) -> bool:
        """Whether the function would have been loaded in the same way."""
        return (
            self._is_usable
            and all(environment.get(name) == value for name, value in self._values.items())
            and all((name in environment) == is_there for name, is_there in self._is_there.items())
        )

    def fork(self, request: bytes, given: list[int]) -> int:
        """A copy of it for this request; what tells of its end."""
        socket.send_fds(self.control, [request], given)
        _, (watched,), *_ = socket.recv_fds(self.control, 16, 1)
        return int(watched)


class Copies:
    """Makes copies of its process for whoever asks, and tells how each ended."""

    def __init__(self, control: socket.socket, steps: Steps) -> None:
        self._control = control
        self._steps = steps
        self._ready = select.poll()
        self._ready.register(control, select.POLLIN)
        self._running: dict[int, tuple[int, int]] = {}
        self._snapshots: dict[tuple[str, ...], Snapshot] = {}

    def serve(self, loaded: Any = None) -> CopyTask:
        """Serve until whoever asks is gone. Returns in each copy only, with what it is for."""
        while True:
            for descriptor, _ in self._ready.poll():
                if descriptor in self._running:
                    self._tell_end(descriptor)
                    continue
                request, given, *_ = socket.recv_fds(self._control, LONGEST_REQUEST_BYTES, 4)
                if not request:
                    sys.exit()
                settings = json.loads(request)
                if loaded is None and has_layers(settings):
                    if code_of(settings) not in self._snapshots and (order := self._take_snapshot(settings, given)):
                        return order
                    snapshot = self._snapshots[code_of(settings)]
                    if snapshot.fits(settings["environment"]):
                        watched = snapshot.fork(request, given)
                        self._answer(watched, given)
                        os.close(watched)
                        continue
                requests, answers, log, status = given
                process = os.fork()
                if not process:
                    self._leave(status)
                    (self._steps.become if loaded is None else self._steps.take_on_environment)(settings)
                    write_to(log)
                    return CopyTask(requests, answers, loaded)
                watched = os.pidfd_open(process)
                self._running[watched] = process, status
                self._ready.register(watched, select.POLLIN)
                self._answer(watched, [requests, answers, log])

    def _answer(self, watched: int, given: list[int]) -> None:
        socket.send_fds(self._control, [b"forked"], [watched])
        for one in given:
            os.close(one)

    def _tell_end(self, descriptor: int) -> None:
        self._ready.unregister(descriptor)
        process, status = self._running.pop(descriptor)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        # Whoever asked may not want to know any more.
        with contextlib.suppress(BrokenPipeError):
            os.write(status, str(code).encode())
        os.close(status)
        os.close(descriptor)

    def _take_snapshot(self, settings: Settings, given: list[int]) -> CopyTask | None:
        """Have a process that has loaded the function. Returns a CopyTask in that one's copies only."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        process = os.fork()
        if not process:
            ours.close()
            self._leave(*given)
            return as_snapshot(theirs, settings, self._steps)
        theirs.close()
        self._snapshots[code_of(settings)] = Snapshot(process, ours, settings["environment"])
        return None

    def _leave(self, *given: int) -> None:
        """In a copy: close what is open here and no concern of it."""
        self._control.close()
        for snapshot in self._snapshots.values():
            snapshot.control.close()
        for watched, (_, status) in self._running.items():
            os.close(watched)
            os.close(status)
        for one in given:
            os.close(one)


def has_layers(settings: Settings) -> bool:
    """Whether a function brings more than its own folder and the runtime; else it is loaded in no time."""
    return len(settings["path"]) > 2


def code_of(settings: Settings) -> tuple[str, ...]:
    """What is loaded: folders are named by their contents."""
    return (*settings["path"], settings["environment"]["_HANDLER"])


def as_snapshot(control: socket.socket, settings: Settings, steps: Steps) -> CopyTask:
    """Load the function, say what was read of the environment, and serve. Returns in copies only.

    Ends without a word where a copy would differ from a process of its own: where loading failed, wrote something,
    started a thread or read the whole environment.
    """
    steps.become(settings)
    # Nobody asks it to stop but by going.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    written = os.memfd_create("log")
    write_to(written, close=False)
    own_class = type(os.environ)
    ReadEnvironment.read, ReadEnvironment.asked_for = set(), set()
    os.environ.__class__ = ReadEnvironment
    try:
        loaded = steps.load()
    except BaseException:
        os._exit(1)
    os.environ.__class__ = own_class
    sys.stdout.flush()
    if os.fstat(written).st_size or threading.active_count() > 1 or EVERYTHING in ReadEnvironment.read:
        os._exit(1)
    os.close(written)
    # Shared by all copies as long as nobody writes to it.
    gc.freeze()
    control.send(json.dumps([sorted(ReadEnvironment.read), sorted(ReadEnvironment.asked_for)]).encode())
    return Copies(control, steps).serve(loaded)


def write_to(log: int, *, close: bool = True) -> None:
    """Have what is printed in a log."""
    os.dup2(log, 1)
    os.dup2(log, 2)
    if close:
        os.close(log)
