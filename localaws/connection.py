"""One client's connection to the server: requests are answered one after the other, until the client goes.

werkzeug's own closes it after each request, as it cannot know whether all of a body was read. Connecting anew, and a
thread for each, took as long as what most requests ask for.
"""

import logging
import socket
from contextlib import suppress
from io import BytesIO
from typing import Any

from moto.moto_server.werkzeug_app import MotoRequestHandler
from werkzeug.serving import ThreadedWSGIServer

from localaws.application import answer_of

WITHOUT_BODY = {204, 304}


class Connection(MotoRequestHandler):  # type: ignore[misc] # moto has no types
    """A connection without werkzeug's line for every request; errors are still told."""

    protocol_version = "HTTP/1.1"
    # What is written goes out as one piece, or as two where the buffer's 8 KiB do not hold it: of these the second
    # would wait 40 ms for the client's delayed acknowledgement of the first (Nagle's algorithm, RFC 896).
    wbufsize = -1
    disable_nagle_algorithm = True

    def run_wsgi(self) -> None:
        """Answer one request, whose head was read."""
        if self.headers.get("Expect", "").lower() == "100-continue":
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.wfile.flush()
        environ = self.make_environ()
        self._read_body(environ)
        code, reason, headers, body = answer_of(self.server.app, environ)
        self.send_response(code, reason)
        for name, value in headers:
            self.send_header(name, value)
        has_body = self.command != "HEAD" and code not in WITHOUT_BODY
        if has_body and not any(name.lower() == "content-length" for name, _ in headers):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if has_body:
            self.wfile.write(body)

    def finish(self) -> None:
        """Where the client went, or the server closed, amid an answer: closing its file writes what is left of it once
        more, and nobody is there any more.
        """
        with suppress(ConnectionError):
            super().finish()

    def _read_body(self, environ: dict[str, Any]) -> None:
        """All of it, so that the next request begins where this one ends."""
        if environ.get("wsgi.input_terminated"):
            body = environ["wsgi.input"].read()
        else:
            length = int(self.headers.get("Content-Length", 0))
            body = self.rfile.read(length)
            if len(body) < length:
                # Whoever is interrupted goes in the middle of a request: nobody is there to be answered.
                raise ConnectionAbortedError("the client went before all of its request was there")
        environ["wsgi.input"] = BytesIO(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        del code, size

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - werkzeug's name
        if type != "info":
            logging.getLogger("localaws.server").error(message, *args)


class Connections(ThreadedWSGIServer):
    """A server that takes leave of its clients when it closes: what it answered from is then somebody else's."""

    def __init__(self, host: str, port: int, application: Any) -> None:
        super().__init__(host, port, application, handler=Connection)
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        for request in tuple(self._open):
            # A thread may be gone in the same moment.
            try:
                request.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        super().server_close()
