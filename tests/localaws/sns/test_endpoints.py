"""What subscribes by http and https gets its messages over real HTTP."""

import json
from collections.abc import Iterator

import pytest

from localaws.sandbox import Sandbox
from tests.localaws.sns.receivers import Receiver, receiving

ENDPOINT = "https://chat.example.com/sns"
TEXTS = {"default": "for machines", "email": "for people", "https": "for a chat"}


@pytest.fixture
def receiver(sandbox: Sandbox, subscribed_topic: str) -> Iterator[Receiver]:
    with receiving() as listening:
        sandbox.subscribers.listening[ENDPOINT] = listening.address
        sandbox.client("sns").subscribe(TopicArn=subscribed_topic, Protocol="https", Endpoint=ENDPOINT)
        yield listening


def publish(sandbox: Sandbox, topic: str, **texts: str) -> None:
    sandbox.client("sns").publish(
        TopicArn=topic, Subject="Critical", MessageStructure="json", Message=json.dumps(texts or TEXTS)
    )


def test_a_subscriber_by_https_gets_the_text_of_its_protocol_in_an_envelope(
    sandbox: Sandbox, subscribed_topic: str, receiver: Receiver
) -> None:
    publish(sandbox, subscribed_topic)
    (body,) = receiver.bodies
    envelope = json.loads(body)
    assert (envelope["Type"], envelope["TopicArn"]) == ("Notification", subscribed_topic)
    assert (envelope["Subject"], envelope["Message"]) == ("Critical", "for a chat")
    assert receiver.headers[0]["x-amz-sns-message-type"] == "Notification"
    assert receiver.headers[0]["x-amz-sns-message-id"] == envelope["MessageId"]
    assert sandbox.mailbox.mails[0].body.startswith("for people\n")


def test_without_a_text_of_its_own_it_gets_the_default(
    sandbox: Sandbox, subscribed_topic: str, receiver: Receiver
) -> None:
    publish(sandbox, subscribed_topic, default="for machines", email="for people")
    assert receiver.messages == ["for machines"]


def test_one_by_http_gets_the_text_for_http(sandbox: Sandbox, subscribed_topic: str) -> None:
    with receiving() as receiver:
        sandbox.client("sns").subscribe(TopicArn=subscribed_topic, Protocol="http", Endpoint=receiver.address)
        publish(sandbox, subscribed_topic)
        assert receiver.messages == ["for machines"]


def test_who_asks_for_raw_messages_gets_no_envelope(sandbox: Sandbox, subscribed_topic: str) -> None:
    with receiving() as receiver:
        sandbox.subscribers.listening[ENDPOINT] = receiver.address
        sandbox.client("sns").subscribe(
            TopicArn=subscribed_topic,
            Protocol="https",
            Endpoint=ENDPOINT,
            Attributes={"RawMessageDelivery": "true"},
        )
        publish(sandbox, subscribed_topic)
        assert receiver.bodies == ["for a chat"]
        assert receiver.headers[0]["x-amz-sns-rawdelivery"] == "true"


def deliveries(sandbox: Sandbox, metric: str) -> float:
    sandbox.advance()
    answer = sandbox.client("cloudwatch").get_metric_statistics(
        Namespace="AWS/SNS",
        MetricName=metric,
        Dimensions=[{"Name": "TopicName", "Value": "warning"}],
        StartTime=sandbox.clock.now().replace(hour=0, minute=0),
        EndTime=sandbox.clock.now(),
        Period=86400,
        Statistics=["Sum"],
    )
    return float(sum(point["Sum"] for point in answer["Datapoints"]))


@pytest.mark.parametrize("status", [403, 500])
def test_a_subscriber_that_refuses_is_counted_as_one_who_was_not_reached(
    sandbox: Sandbox, subscribed_topic: str, receiver: Receiver, status: int
) -> None:
    receiver.answers = status
    publish(sandbox, subscribed_topic)
    assert deliveries(sandbox, "NumberOfNotificationsFailed") == 1


def test_nobody_there_is_counted_alike(sandbox: Sandbox, subscribed_topic: str) -> None:
    with receiving() as gone:
        pass
    sandbox.client("sns").subscribe(TopicArn=subscribed_topic, Protocol="http", Endpoint=gone.address)
    publish(sandbox, subscribed_topic)
    assert deliveries(sandbox, "NumberOfNotificationsFailed") == 1


def test_an_address_elsewhere_takes_every_message_and_is_never_called(sandbox: Sandbox, subscribed_topic: str) -> None:
    sandbox.client("sns").subscribe(
        TopicArn=subscribed_topic, Protocol="https", Endpoint="https://events.example.com/integration/KEY/enqueue"
    )
    publish(sandbox, subscribed_topic)
    assert deliveries(sandbox, "NumberOfNotificationsDelivered") == 2


def test_who_has_not_confirmed_gets_nothing(sandbox: Sandbox, subscribed_topic: str, receiver: Receiver) -> None:
    sandbox.subscribers.unconfirmed.add(ENDPOINT)
    publish(sandbox, subscribed_topic)
    assert receiver.bodies == []
