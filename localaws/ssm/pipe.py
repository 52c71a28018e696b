"""One output of a script, as the agent reads it."""

import os
import threading
from typing import IO

PIECE_BYTES = 65_536


class Pipe:
    """Keeps what is written, of one process after another; what comes after `close` is dropped."""

    def __init__(self) -> None:
        self._written = bytearray()
        self._is_closed = False
        self._is_hung_up = False
        self._lock = threading.Lock()
        self._reader = threading.Thread()

    def follow(self, stream: IO[bytes]) -> None:
        """Read an output until its last writer is gone."""
        self._reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._reader.start()

    def written(self) -> bytes:
        """What was written so far."""
        with self._lock:
            return bytes(self._written)

    def wait(self) -> None:
        """Until nobody can write any more."""
        self._reader.join()

    def close(self) -> None:
        """Take no more."""
        with self._lock:
            self._is_closed = True

    def hang_up(self) -> None:
        """Read no more: whoever goes on writing is killed for it (SIGPIPE)."""
        self.close()
        self._is_hung_up = True

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            while not self._is_hung_up and (piece := os.read(stream.fileno(), PIECE_BYTES)):
                with self._lock:
                    if not self._is_closed:
                        self._written += piece
