"""Takes the answer that a custom resource's function sends to its ResponseURL."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from stage.invocation.threaded_server import ThreadedServer

LOOPBACK = "127.0.0.1"


class AnswerDesk(ThreadedServer):
    """An address on this machine that keeps what is put to it, while the `with` block lasts."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        super().__init__(ThreadingHTTPServer((LOOPBACK, 0), self._handler()))

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [json.loads(body) for body in self.bodies]

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/answer"

    def redirected(self, event: str, url: str = "") -> str:
        """The event with its ResponseURL, if it has one, leading here; `url` if a function reaches us by another."""
        document = json.loads(event)
        if not isinstance(document, dict) or "ResponseURL" not in document:
            return event
        return json.dumps(document | {"ResponseURL": url or self.url})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        bodies = self.bodies

        class PutHandler(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments: object) -> None:
                pass

        return PutHandler
