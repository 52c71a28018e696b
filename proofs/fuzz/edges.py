"""AWS as the fuzzed handlers see it: every call is noted and answered with something plausible, without a network."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest.mock import patch

from botocore.client import BaseClient
from botocore.httpsession import URLLib3Session
from efs_monitor.alarms import AlarmKind, alarm_name, definition
from efs_monitor.aws import deployment
from efs_monitor.credits import GIB, MIB

from proofs.home import Names

NAMES = Names("efs-monitor-home", "fs-0123456789abcdef0")


@dataclass
class Edges:
    """What was asked of AWS, whom the answers to CloudFormation were to reach, and what arrived at the desk."""

    desk_port: int
    calls: list[str] = field(default_factory=list)
    looked_up: list[tuple[str, int]] = field(default_factory=list)
    desk: list[bytes] = field(default_factory=list)

    @property
    def desk_url(self) -> str:
        """Where answers are taken."""
        return f"http://127.0.0.1:{self.desk_port}/answer?signature=x"

    def forget(self) -> None:
        """Note from here."""
        for noted in (self.calls, self.looked_up, self.desk):
            noted.clear()


@contextmanager
def edges() -> Iterator[Edges]:
    """Replace AWS, and let nothing out of this machine: only the desk can be reached."""
    with ExitStack() as closing:
        taken: list[bytes] = []
        made = Edges(closing.enter_context(_desk(taken)), desk=taken)
        look_up = socket.getaddrinfo

        def call(_: Any, operation: str, request: dict[str, Any]) -> dict[str, Any]:
            made.calls.append(operation)
            return _answer(operation, request)

        def looked_up(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
            made.looked_up.append((str(host), int(port)))
            if port != made.desk_port:
                raise socket.gaierror(f"no way to {host}:{port} from a proof")
            return look_up(host, port, *rest, **more)

        def sent(*_: Any) -> None:
            raise AssertionError("something got past the replaced AWS")

        closing.enter_context(patch.object(BaseClient, "_make_api_call", call))
        closing.enter_context(patch.object(URLLib3Session, "send", sent))
        closing.enter_context(patch.object(socket, "getaddrinfo", looked_up))
        closing.enter_context(patch.object(deployment, "sleep", lambda _: None))
        yield made


@contextmanager
def _desk(taken: list[bytes]) -> Iterator[int]:
    class Taking(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            taken.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - theirs
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Taking) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def _answer(operation: str, request: dict[str, Any]) -> dict[str, Any]:  # noqa: PLR0911 - a table
    match operation:
        case "DescribeFileSystems":
            size = {"Value": 100 * GIB, "ValueInStandard": 100 * GIB}
            found = {"LifeCycleState": "available", "ThroughputMode": "bursting", "SizeInBytes": size}
            return {"FileSystems": [found]}
        case "DescribeAlarms":
            return {"MetricAlarms": [_alarm(kind) for kind in AlarmKind]}
        case "GetMetricData":
            return {"MetricDataResults": [_series(query["Id"]) for query in request["MetricDataQueries"]]}
        case "GetParameter":
            return {"Parameter": {"Value": "{}", "Version": 1}}
        case "PutParameter":
            return {"Version": 2}
        case "ListSubscriptionsByTopic":
            return {"Subscriptions": [{"Protocol": "email", "Endpoint": "a@b.example", "SubscriptionArn": "arn"}]}
        case "DescribeAlarmHistory":
            return {"AlarmHistoryItems": []}
        case _:
            return {}


def _alarm(kind: AlarmKind) -> dict[str, Any]:
    return {
        **definition(kind, NAMES.wiring),
        "AlarmName": alarm_name(NAMES.stack_name, kind),
        "Threshold": 1.0,
        "AlarmDescription": "older",
        "ActionsEnabled": True,
        "StateValue": "OK",
        "StateReason": "",
        "StateTransitionedTimestamp": datetime.now(UTC),
    }


def _series(name: str) -> dict[str, Any]:
    newest = datetime.now(UTC).replace(second=0, microsecond=0)
    return {
        "Id": name,
        "Timestamps": [newest - timedelta(minutes=2), newest - timedelta(minutes=1)],
        "Values": [100.0 * MIB, 99.0 * MIB],
    }
