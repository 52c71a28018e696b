"""What SNS refuses to subscribe to a topic, in its own words."""

import pytest
from botocore.exceptions import ClientError

from localaws.sandbox import Sandbox


@pytest.mark.parametrize(
    ("protocol", "endpoint", "words"),
    [
        ("email", "nope", "Invalid parameter: Email address"),
        ("email", "a@b", "Invalid parameter: Email address"),
        ("email", "a@b..example.com", "Invalid parameter: Email address"),
        ("email-json", "a b@example.com", "Invalid parameter: Email address"),
        ("mail", "a@example.com", "Amazon SNS does not support this protocol string: mail"),
    ],
)
def test_what_is_no_address_or_no_protocol_is_refused(
    sandbox: Sandbox, protocol: str, endpoint: str, words: str
) -> None:
    sns = sandbox.client("sns")
    topic = sns.create_topic(Name="it")["TopicArn"]
    with pytest.raises(ClientError, match=words):
        sns.subscribe(TopicArn=topic, Protocol=protocol, Endpoint=endpoint)
    sns.subscribe(TopicArn=topic, Protocol="email", Endpoint="a@example.com")
    assert len(sns.list_subscriptions_by_topic(TopicArn=topic)["Subscriptions"]) == 1
