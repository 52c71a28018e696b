"""Calls of this process to its own server, which need no connection: half of what a call takes is to send it.

botocore makes and signs each request and reads its answer as ever, and the same application answers. Functions, `sam`
and whoever has the address alone ask over HTTP.
"""

import sys
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import EndpointConnectionError

from localaws.application import Application, answer_of


class OwnCalls:
    """Answers the clients that it is given, as long as it `is_open`; then they meet what a closed port gives."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self.is_open = False

    def take_over[Client](self, client: Client) -> Client:
        """From now on the client's requests come here; returns it."""
        events: Any = client.meta.events  # type: ignore[attr-defined] # every client of botocore has them
        events.register("before-send", self._send)
        return client

    def _send(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        if not self.is_open:
            raise EndpointConnectionError(endpoint_url=request.url)
        answer = answer_of(self._application, _environ(request))
        body = b"" if request.method == "HEAD" else answer.body
        headers: Any = dict(answer.headers)
        return AWSResponse(request.url, answer.code, headers, _Body(body))


class _Body(BytesIO):
    """The answer as urllib3 hands it over."""

    def stream(self, **_: Any) -> list[bytes]:
        return [self.read()]


def _environ(request: AWSPreparedRequest) -> dict[str, Any]:
    """A request as a server would have read it."""
    url = urlsplit(request.url)
    body = _bytes(request.body)
    path = f"{url.path or '/'}?{url.query}" if url.query else url.path or "/"
    environ = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        # WSGI has bytes as latin-1.
        "PATH_INFO": unquote_to_bytes(url.path or "/").decode("latin-1"),
        "QUERY_STRING": url.query,
        "REQUEST_URI": path,
        "RAW_URI": path,
        "REMOTE_ADDR": "127.0.0.1",
        "SERVER_NAME": url.hostname,
        "SERVER_PORT": str(url.port),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": url.netloc,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": url.scheme,
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in request.headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value.decode() if isinstance(value, bytes) else value
    return environ | {"CONTENT_LENGTH": str(len(body))}


def _bytes(body: Any) -> bytes:
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, bytes | bytearray):
        return bytes(body)
    read: bytes = body.read()
    return read
