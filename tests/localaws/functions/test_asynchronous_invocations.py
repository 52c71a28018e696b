"""Asynchronous invocations: tried at once, retried in simulated time, given up to a destination."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from localaws.sandbox import Sandbox

Deploy = Callable[..., str]
FAILS = "def handler(event, context):\n    raise RuntimeError('no')\n"
FAILS_ONCE = """
CALLS = []

def handler(event, context):
    CALLS.append(event)
    if len(CALLS) == 1:
        raise RuntimeError('no')
"""


def send(sandbox: Sandbox, name: str, event: Any = None) -> None:
    answer = sandbox.client("lambda").invoke(
        FunctionName=name, InvocationType="Event", Payload=json.dumps(event).encode()
    )
    assert answer["StatusCode"] == 202
    sandbox.events.wait_for_background()


def attempts_after(sandbox: Sandbox, minutes: int) -> list[int]:
    """How many attempts there have been after each of the next minutes."""
    counts = []
    for _ in range(minutes):
        sandbox.advance()
        counts.append(len(sandbox.functions.invocations))
    return counts


def give_up_to(sandbox: Sandbox, name: str, topic: str, **settings: Any) -> None:
    sandbox.client("lambda").put_function_event_invoke_config(
        FunctionName=name, DestinationConfig={"OnFailure": {"Destination": topic}}, **settings
    )


def test_an_event_is_tried_at_once_while_no_simulated_time_passes(sandbox: Sandbox, deploy: Deploy) -> None:
    deploy("works", "handler = lambda e, c: e")
    send(sandbox, "works", {"n": 1})
    (invocation,) = sandbox.functions.invocations
    assert json.loads(invocation.response) == {"n": 1}


def test_a_failed_event_is_retried_after_one_and_two_more_minutes(sandbox: Sandbox, deploy: Deploy) -> None:
    deploy("fails", FAILS)
    sandbox.clock.move_to(sandbox.clock.next_minute())
    send(sandbox, "fails")
    assert len(sandbox.functions.invocations) == 1
    assert attempts_after(sandbox, 6) == [2, 2, 3, 3, 3, 3]
    assert len({invocation.request_id for invocation in sandbox.functions.invocations}) == 1


def test_a_retry_that_succeeds_is_the_last(sandbox: Sandbox, deploy: Deploy) -> None:
    deploy("recovers", FAILS_ONCE)
    sandbox.clock.move_to(sandbox.clock.next_minute())
    send(sandbox, "recovers")
    assert attempts_after(sandbox, 4) == [2, 2, 2, 2]
    assert [invocation.failed for invocation in sandbox.functions.invocations] == [True, False]


def test_after_the_last_retry_the_destination_gets_the_record(
    sandbox: Sandbox, deploy: Deploy, subscribed_topic: str
) -> None:
    arn = deploy("fails", FAILS)
    give_up_to(sandbox, "fails", subscribed_topic)
    sandbox.clock.move_to(sandbox.clock.next_minute())
    send(sandbox, "fails", {"n": 1})
    attempts_after(sandbox, 3)
    (publication,) = sandbox.mailbox.publications
    record = json.loads(publication.message)
    payload = record.pop("responsePayload")
    assert record == {
        "version": "1.0",
        "timestamp": "2030-01-07T00:04:00.000Z",
        "requestContext": {
            "requestId": sandbox.functions.invocations[0].request_id,
            "functionArn": f"{arn}:$LATEST",
            "condition": "RetriesExhausted",
            "approximateInvokeCount": 3,
        },
        "requestPayload": {"n": 1},
        "responseContext": {"statusCode": 200, "executedVersion": "$LATEST", "functionError": "Unhandled"},
    }
    assert payload["errorMessage"] == "no"


def test_without_retries_the_destination_is_told_at_once(
    sandbox: Sandbox, deploy: Deploy, subscribed_topic: str
) -> None:
    deploy("fails", FAILS)
    give_up_to(sandbox, "fails", subscribed_topic, MaximumRetryAttempts=0)
    send(sandbox, "fails")
    (publication,) = sandbox.mailbox.publications
    assert json.loads(publication.message)["requestContext"]["approximateInvokeCount"] == 1


def test_a_destination_that_is_gone_is_no_reason_to_stop(
    sandbox: Sandbox, deploy: Deploy, subscribed_topic: str
) -> None:
    deploy("fails", FAILS)
    give_up_to(sandbox, "fails", subscribed_topic)
    sandbox.client("sns").delete_topic(TopicArn=subscribed_topic)
    send(sandbox, "fails")
    assert attempts_after(sandbox, 5)[-1] == 3


def test_two_events_at_a_time_run_side_by_side(sandbox: Sandbox, deploy: Deploy, tmp_path: Path) -> None:
    deploy(
        "meets",
        f"""
        import time
        from pathlib import Path

        def handler(event, context):
            here, there = (Path({str(tmp_path)!r}) / name for name in event)
            here.touch()
            while not there.exists():
                time.sleep(0.01)
        """,
        Timeout=60,
    )
    for names in (["one", "other"], ["other", "one"]):
        sandbox.client("lambda").invoke(
            FunctionName="meets", InvocationType="Event", Payload=json.dumps(names).encode()
        )
    sandbox.events.wait_for_background()
    assert [invocation.failed for invocation in sandbox.functions.invocations] == [False, False]


def test_whoever_waits_for_an_event_may_come_before_it_begins(
    sandbox: Sandbox, deploy: Deploy, monkeypatch: pytest.MonkeyPatch
) -> None:
    deploy("works", "handler = lambda e, c: e")
    start, failed = threading.Thread.start, []

    def wait() -> None:
        try:
            sandbox.events.wait_for_background()
        except RuntimeError as error:
            failed.append(error)

    def overtaken(begun: threading.Thread) -> None:
        if begun.name.endswith("(_run_in_background)"):
            waiting = threading.Thread(target=wait)
            start(waiting)
            waiting.join(timeout=0.2)
        start(begun)

    monkeypatch.setattr(threading.Thread, "start", overtaken)
    send(sandbox, "works")
    assert failed == []
    assert len(sandbox.functions.invocations) == 1


def test_an_event_that_would_be_too_old_is_given_up(sandbox: Sandbox, deploy: Deploy, subscribed_topic: str) -> None:
    deploy("fails", FAILS)
    give_up_to(sandbox, "fails", subscribed_topic, MaximumEventAgeInSeconds=100)
    sandbox.clock.move_to(sandbox.clock.next_minute())
    send(sandbox, "fails")
    assert attempts_after(sandbox, 3) == [2, 2, 2]
    (publication,) = sandbox.mailbox.publications
    assert json.loads(publication.message)["requestContext"]["condition"] == "EventAgeExceeded"


def test_events_for_a_function_without_concurrency_go_to_the_destination_untried(
    sandbox: Sandbox, deploy: Deploy, subscribed_topic: str
) -> None:
    deploy("stopped", FAILS)
    give_up_to(sandbox, "stopped", subscribed_topic)
    sandbox.client("lambda").put_function_concurrency(FunctionName="stopped", ReservedConcurrentExecutions=0)
    send(sandbox, "stopped")
    assert sandbox.functions.invocations == []
    (publication,) = sandbox.mailbox.publications
    assert json.loads(publication.message)["requestContext"]["condition"] == "ZeroReservedConcurrency"


def test_a_function_deleted_before_its_retry_is_forgotten(sandbox: Sandbox, deploy: Deploy) -> None:
    deploy("fails", FAILS)
    send(sandbox, "fails")
    sandbox.client("lambda").delete_function(FunctionName="fails")
    assert attempts_after(sandbox, 5) == [1, 1, 1, 1, 1]


def test_events_that_a_function_sends_during_a_step_are_done_when_the_step_is(sandbox: Sandbox, deploy: Deploy) -> None:
    deploy("second", "handler = lambda e, c: e")
    first = deploy(
        "first",
        """
        import boto3

        def handler(event, context):
            for payload in (b"1", b"2", b"3"):
                boto3.client("lambda").invoke(FunctionName="second", InvocationType="Event", Payload=payload)
        """,
    )
    sandbox.client("scheduler").create_schedule(
        Name="go",
        ScheduleExpression="cron(0/1 * * * ? *)",
        FlexibleTimeWindow={"Mode": "OFF"},
        Target={"Arn": first, "RoleArn": "arn:aws:iam::123456789012:role/functions"},
    )
    sandbox.advance()
    told = [(invocation.function_name, invocation.response) for invocation in sandbox.functions.invocations]
    assert told == [("first", b"null"), ("second", b"1"), ("second", b"2"), ("second", b"3")]


@pytest.mark.parametrize("subscribed", [True, False])
def test_a_function_subscribed_to_a_topic_is_invoked(
    sandbox: Sandbox, deploy: Deploy, subscribed_topic: str, subscribed: bool
) -> None:
    arn = deploy("listens", "handler = lambda e, c: e['Records'][0]['Sns']['Message']")
    if subscribed:
        sandbox.client("sns").subscribe(TopicArn=subscribed_topic, Protocol="lambda", Endpoint=arn)
    sandbox.client("sns").publish(TopicArn=subscribed_topic, Message="hello")
    sandbox.events.wait_for_background()
    assert [one.response for one in sandbox.functions.invocations] == ([b'"hello"'] if subscribed else [])
