"""Somebody who subscribes to a topic by https: a server on this machine that keeps what it gets."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(kw_only=True)
class Receiver:
    """Where it listens, what it answers, and the headers and bodies of what it got."""

    address: str
    answers: int = 200
    headers: list[Message] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)

    @property
    def messages(self) -> list[str]:
        """The messages themselves, out of their envelopes."""
        return [json.loads(body)["Message"] for body in self.bodies]

    @property
    def notifications(self) -> list[dict[str, Any]]:
        """Those of them that are JSON, as a chat reads them."""
        return [json.loads(message) for message in self.messages]


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver that listens while the block lasts."""

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            got.headers.append(self.headers)
            self.send_response(got.answers)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - theirs
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Taking) as server:
        got = Receiver(address=f"http://127.0.0.1:{server.server_port}/sns")
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield got
        finally:
            server.shutdown()
            thread.join()
