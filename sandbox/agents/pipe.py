"""One output of a script, as the agent reads it."""

import os
import threading
from typing import IO

PIECE_BYTES = 65_536


class Pipe:
    """Reads an output until its last writer is gone; what comes after `close` is dropped."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._pieces = bytearray()
        self._is_closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def text(self) -> str:
        """What was written so far."""
        with self._lock:
            return self._pieces.decode(errors="replace")

    def wait(self) -> None:
        """Until nobody can write any more."""
        self._thread.join()

    def close(self) -> None:
        """Take no more."""
        with self._lock:
            self._is_closed = True

    def _read(self) -> None:
        with self._stream:
            while piece := os.read(self._stream.fileno(), PIECE_BYTES):
                with self._lock:
                    if not self._is_closed:
                        self._pieces += piece
