"""A client keeps its connection, as functions and `sam` do: one answer after the other, until either goes."""

import http.client
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from localaws.account import OPERATOR_KEY_ID, OPERATOR_SECRET
from localaws.connection import Connections
from localaws.sandbox import Sandbox

ASK = "Action=ListTopics&Version=2010-03-31"
SIGNED = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Authorization": "AWS4-HMAC-SHA256 Credential=AKIASANDBOXOPERATOR0/20261101/us-east-1/sns/aws4_request",
}


def connection_to(sandbox: Sandbox) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(sandbox.endpoint_url).netloc, timeout=30)


def topics(connection: http.client.HTTPConnection) -> tuple[int, bool]:
    """The status of a question for topics, and whether that was what is answered."""
    connection.request("POST", "/", ASK, SIGNED)
    answer = connection.getresponse()
    return answer.status, b"<ListTopicsResult>" in answer.read()


def test_many_requests_are_answered_on_one_connection(sandbox: Sandbox) -> None:
    connection = connection_to(sandbox)
    assert topics(connection) == (200, True)
    kept = connection.sock
    assert kept is not None
    connection.request("HEAD", "/nowhere/nothing")
    assert connection.getresponse().read() == b""
    assert topics(connection) == (200, True)
    assert connection.sock is kept
    connection.close()


def test_what_does_not_fit_one_piece_waits_for_no_acknowledgement(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[socket.socket] = []
    take = Connections.process_request

    def noted(connections: Connections, request: socket.socket, address: object) -> None:
        taken.append(request)
        take(connections, request, address)

    monkeypatch.setattr(Connections, "process_request", noted)
    connection = connection_to(sandbox)
    assert topics(connection) == (200, True)
    assert [bool(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)) for one in taken] == [True]
    connection.close()


def test_a_body_that_nobody_wanted_is_not_taken_for_the_next_request(sandbox: Sandbox) -> None:
    connection = connection_to(sandbox)
    connection.request("PUT", "/moto-api/nothing", b"POST / HTTP/1.1\r\n\r\n" * 1000)
    refused = connection.getresponse()
    refused.read()
    assert refused.status == 404
    assert topics(connection) == (200, True)
    connection.close()


def test_a_body_in_pieces_arrives_whole(sandbox: Sandbox) -> None:
    sandbox.client("s3").create_bucket(Bucket="pieces")
    connection = connection_to(sandbox)
    connection.request("PUT", "/pieces/key", iter([b"one ", b"two"]), encode_chunked=True)
    connection.getresponse().read()
    assert sandbox.client("s3").get_object(Bucket="pieces", Key="key")["Body"].read() == b"one two"
    connection.close()


def test_an_error_of_the_sandbox_is_told_and_the_client_hears_of_it(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(environ: object, start_response: object) -> None:
        raise ValueError("of the test")

    connection = connection_to(sandbox)
    working = sandbox._server._server.app
    sandbox._server._server.app = broken  # type: ignore[assignment] # it fails at whatever it is asked
    assert topics(connection) == (500, False)
    assert "ValueError: of the test" in caplog.text
    sandbox._server._server.app = working
    assert topics(connection) == (200, True)
    connection.close()


def test_a_connection_ends_with_its_sandbox(tmp_path: Path) -> None:
    with Sandbox(tmp_path) as sandbox:
        connection = connection_to(sandbox)
        assert topics(connection) == (200, True)
    # What the next sandbox holds is not for clients of this one.
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        topics(connection)
    connection.close()


def over_http(sandbox: Sandbox, service: str) -> Any:
    """A client that knows the address alone."""
    keys = {"aws_access_key_id": OPERATOR_KEY_ID, "aws_secret_access_key": OPERATOR_SECRET}
    return boto3.client(service, endpoint_url=sandbox.endpoint_url, region_name="us-east-1", **keys)  # type: ignore[call-overload] # any service


def told(ask: Callable[[], dict[str, Any]]) -> tuple[int, Any]:
    """Status and contents of an answer, or of a refusal."""
    try:
        answer = ask()
    except ClientError as refused:
        answer = {**refused.response}
    if "Body" in answer:
        answer["Body"] = answer["Body"].read()
    status = answer.pop("ResponseMetadata")["HTTPStatusCode"]
    return status, answer


def test_calls_of_the_sandboxs_own_process_are_answered_like_those_over_http(sandbox: Sandbox) -> None:
    sandbox.client("s3").create_bucket(Bucket="things")
    sandbox.client("s3").put_object(Bucket="things", Key="a key/with signs? & ü", Body=b"\x00\xff" * 1000)
    sandbox.client("ssm").put_parameter(Name="/a", Value="ü 'x' &", Type="String")
    asks: list[tuple[str, Callable[[Any], dict[str, Any]]]] = [
        ("s3", lambda s3: s3.get_object(Bucket="things", Key="a key/with signs? & ü")),
        ("s3", lambda s3: s3.head_object(Bucket="things", Key="a key/with signs? & ü")),
        ("s3", lambda s3: s3.list_objects_v2(Bucket="things", Prefix="a key")),
        ("s3", lambda s3: s3.get_object(Bucket="things", Key="none")),
        ("ssm", lambda ssm: ssm.get_parameter(Name="/a")),
        ("ssm", lambda ssm: ssm.get_parameter(Name="/none")),
        ("cloudwatch", lambda cloudwatch: cloudwatch.describe_alarms(AlarmNamePrefix="ü")),
        ("efs", lambda efs: efs.describe_file_systems(FileSystemId="fs-00000000")),
        ("lambda", lambda functions: functions.get_function(FunctionName="none")),
        ("sns", lambda sns: sns.list_subscriptions_by_topic(TopicArn="arn:aws:sns:us-east-1:123456789012:none")),
    ]
    for service, ask in asks:
        another = over_http(sandbox, service)
        assert told(lambda ask=ask, service=service: ask(sandbox.client(service))) == told(  # type: ignore[misc] # mypy types no default of a lambda
            lambda ask=ask, another=another: ask(another)  # type: ignore[misc] # mypy types no default of a lambda
        )
        another.close()


def test_calls_of_its_own_process_end_with_a_sandbox(tmp_path: Path) -> None:
    with Sandbox(tmp_path) as sandbox:
        topics_of = sandbox.client("sns")
        assert topics_of.list_topics()["Topics"] == []
    with pytest.raises(EndpointConnectionError):
        topics_of.list_topics()


def test_a_client_that_goes_in_the_middle_of_a_request_is_no_error(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    connection = connection_to(sandbox)
    connection.connect()
    assert connection.sock is not None
    head = "".join(f"{name}: {value}\r\n" for name, value in SIGNED.items())
    connection.sock.sendall(f"POST / HTTP/1.1\r\nHost: localhost\r\n{head}Content-Length: 100\r\n\r\nAction=".encode())
    connection.sock.shutdown(socket.SHUT_WR)
    # The server closes the connection, and answers nothing.
    assert connection.sock.recv(1) == b""
    connection.close()
    another = connection_to(sandbox)
    assert topics(another) == (200, True)
    another.close()
    assert caplog.text == ""
    assert "Traceback" not in capfd.readouterr().err


def test_a_server_that_is_closed_while_it_answers_says_nothing_of_it(capfd: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C comes at any moment; what is left of an answer then is nobody's."""
    asked, closed = threading.Event(), threading.Event()

    def answers_late(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        asked.set()
        closed.wait(30)
        start_response("200 OK", [])
        return [b"too late"]

    before = set(threading.enumerate())
    server = Connections("127.0.0.1", 0, answers_late)
    threading.Thread(target=server.serve_forever).start()
    client = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    client.request("GET", "/")
    assert asked.wait(30)
    server.shutdown()
    server.server_close()
    closed.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
    client.close()
    assert capfd.readouterr().err == ""
