"""A server in a thread of its own."""

import socketserver
import threading
from types import TracebackType
from typing import Self


class ThreadedServer:
    """Answers on `port` while the `with` block lasts; what it answers is the server's own."""

    def __init__(self, server: socketserver.TCPServer) -> None:
        self._server = server
        self._thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        self.port: int = server.server_address[1]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
