"""What answers the requests for a service: moto's own handler, without Flask around it wherever there is only one.

Flask would find the handler, and put contexts, headers for browsers and signals around it: that takes as long as what
most requests ask for, and a service with one handler finds the operation by itself.
"""

import logging
from collections.abc import Callable, Iterable
from functools import cache
from http import HTTPStatus
from typing import Any, NamedTuple

from botocore.exceptions import ClientError
from moto.backends import get_backend
from moto.core.base_backend import BackendDict
from moto.core.request import Request
from moto.moto_server.werkzeug_app import create_backend_app
from werkzeug.debug.tbtools import DebugTraceback
from werkzeug.exceptions import InternalServerError

from localaws.account import ACCOUNT_ID, REGION

log = logging.getLogger(__name__)

OURS = ("cloudformation", "cloudwatch")
"""Services whose every route is ours, and leads to what one server answers from."""
GLOBAL = "aws"

type Handler = Callable[[Request, str, dict[str, str]], Any]
type Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def app_of(service: Any) -> Application:
    """What answers a service's requests. moto's own is the same for each server, and takes long to make."""
    return _app(service) if service in OURS else _theirs(service)


@cache
def _theirs(service: Any) -> Application:
    return _app(service)


def _app(service: Any) -> Application:
    handlers = _handlers(service)
    if len(set(handlers.values())) == 1:
        return by_one(next(iter(handlers.values())))
    flask: Application = create_backend_app(service)
    at_root = handlers.get("/")
    finds_the_operation = getattr(at_root, "__name__", "") == "dispatch"
    return by_one(at_root, elsewhere=flask) if at_root is not None and finds_the_operation else flask


def _handlers(service: Any) -> dict[str, Handler]:
    """The handlers of each path; none for what moto answers by itself and no service of AWS."""
    accounts = get_backend(service)
    if not isinstance(accounts, BackendDict):
        return {}
    in_regions = accounts[ACCOUNT_ID]
    found: dict[str, Handler] = in_regions[REGION if REGION in in_regions else GLOBAL].flask_paths
    return found


class _Received(Request):  # type: ignore[misc] # moto has no types
    from_wsgi_server = True


def by_one(handler: Handler, elsewhere: Application | None = None) -> Application:
    """An application that asks one handler, whatever the path; where there is an `elsewhere`, only at the root."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if elsewhere is not None and environ["PATH_INFO"] != "/":
            return elsewhere(environ, start_response)
        request = _Received(environ)
        try:
            code, headers, body = handler(request, request.raw_url, dict(request.headers))
        except ClientError as refused:
            code, headers, body = HTTPStatus.BAD_REQUEST, {}, refused.response["Error"]["Message"]
        status = HTTPStatus(int(code))
        start_response(f"{status.value} {status.phrase}", [(name, str(value)) for name, value in headers.items()])
        return [body.encode() if isinstance(body, str) else body]

    return answer


class HttpAnswer(NamedTuple):
    """An HTTP answer as a whole, before it is sent."""

    code: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes


def answer_of(application: Application, environ: dict[str, Any]) -> HttpAnswer:
    """What an application answers to one request; an error of its own is logged, and the client hears of it."""
    try:
        return _answer_of(application, environ)
    except Exception as error:
        log.error("Error on request:\n%s", DebugTraceback(error).render_traceback_text())
        return _answer_of(InternalServerError(), environ)


def _answer_of(application: Application, environ: dict[str, Any]) -> HttpAnswer:
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
        del exc_info
        started.append((status, headers))

    pieces = application(environ, start_response)
    try:
        body = b"".join(pieces)
    finally:
        close = getattr(pieces, "close", None)
        if close is not None:
            close()
    status, headers = started[-1]
    code, _, reason = status.partition(" ")
    return HttpAnswer(int(code), reason, headers, body)
