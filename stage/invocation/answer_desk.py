"""Takes the answer that a custom resource's function sends to its ResponseURL."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

LOOPBACK = "127.0.0.1"


class AnswerDesk:
    """An address on this machine that keeps what is put to it, while the `with` block lasts."""

    def __init__(self) -> None:
        self.answers: list[dict[str, Any]] = []
        self._server = ThreadingHTTPServer((LOOPBACK, 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self.port = self._server.server_port

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def redirected(self, event: str, url: str = "") -> str:
        """The event with its ResponseURL, if it has one, leading here; `url` if a function reaches us by another."""
        document = json.loads(event)
        if not isinstance(document, dict) or "ResponseURL" not in document:
            return event
        return json.dumps(document | {"ResponseURL": url or f"http://localhost:{self.port}/answer"})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answers = self.answers

        class Handler(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                answers.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments: object) -> None:
                pass

        return Handler
