"""The loop between the kernel and the model: every request is done at once and answered when its time has come.

One thread is enough, since nobody ever sleeps for a request: replies wait in a heap, in the order they are due.
"""

import errno
import heapq
import os
import select
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from stage.mount.file_operations import OperationResult, Operations
from stage.mount.model import Efs
from stage.mount.protocol import OUT_HEADER, UNSIGNED_64, FuseRequest, Opcode
from stage.mount.replies import WRITE_BYTES

REQUEST_BYTES = WRITE_BYTES + 2**16


@dataclass(order=True, slots=True)
class Reply:
    due: float
    unique: int
    payload: bytes | memoryview = field(compare=False)
    error: int = field(compare=False)


class FuseServer:
    """Serves the requests read from `device`, and calls `on_control` when `control` has something to read."""

    def __init__(self, device: int, efs: Efs, control: int, on_control: Callable[[], bool]) -> None:
        self._device = device
        self._efs = efs
        self._control = control
        self._on_control = on_control
        self._operations = Operations()
        self._waiting: list[Reply] = []
        self._buffer = memoryview(bytearray(REQUEST_BYTES))
        os.set_blocking(device, False)

    def serve(self) -> None:
        """Until the file system is unmounted, or `on_control` returns False."""
        while True:
            left_seconds = max(0.0, self._waiting[0].due - time.monotonic()) if self._waiting else None
            readable, _, _ = select.select([self._device, self._control], [], [], left_seconds)
            self._send_due(time.monotonic())
            if self._device in readable and not self._receive():
                return
            if self._control in readable and not self._on_control():
                return

    def _receive(self) -> bool:
        try:
            length = os.readv(self._device, [self._buffer])
        except OSError as error:
            # ENOENT: the request was taken back before it was read. ENODEV: unmounted.
            if error.errno in (errno.EAGAIN, errno.EINTR, errno.ENOENT):
                return True
            if error.errno == errno.ENODEV:
                return False
            raise
        now = time.monotonic()
        request = FuseRequest.parse(self._buffer[:length])
        if request.opcode == Opcode.INTERRUPT:
            self._interrupt(request)
            return True
        answer = self._operations.answer(request, now)
        if answer is None:
            return True
        self._answer(now, request, answer)
        return True

    def _answer(self, now: float, request: FuseRequest, answer: OperationResult) -> None:
        reply = Reply(self._efs.due(now, answer.cost), request.unique, answer.payload, answer.error)
        if reply.due <= now:
            self._send(reply)
        else:
            heapq.heappush(self._waiting, reply)

    def _interrupt(self, request: FuseRequest) -> None:
        """Whoever was to wait has been killed: the answer comes at once, and is that it was interrupted."""
        [unique] = UNSIGNED_64.unpack_from(request.body)
        for reply in self._waiting:
            if reply.unique == unique:
                self._waiting.remove(reply)
                heapq.heapify(self._waiting)
                self._send(Reply(reply.due, unique, b"", errno.EINTR))
                return

    def _send_due(self, now: float) -> None:
        while self._waiting and self._waiting[0].due <= now:
            self._send(heapq.heappop(self._waiting))

    def _send(self, reply: Reply) -> None:
        payload = b"" if reply.error else reply.payload
        header = OUT_HEADER.pack(OUT_HEADER.size + len(payload), -reply.error, reply.unique)
        try:
            os.writev(self._device, [header, payload])
        except OSError as error:
            # The request, or the whole mount, is gone by now.
            if error.errno not in (errno.ENOENT, errno.ENODEV):
                raise
