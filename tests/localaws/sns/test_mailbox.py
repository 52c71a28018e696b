"""What is published to topics, as the operator receives it."""

import email
import email.policy
import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.sandbox import Sandbox


def publish(sandbox: Sandbox, topic: str, **message: Any) -> None:
    sandbox.client("sns").publish(**{"TopicArn": topic, "Message": "The balance is low.", **message})


def test_a_message_becomes_a_file_that_mail_readers_open(sandbox: Sandbox, subscribed_topic: str) -> None:
    sandbox.clock.move_to(sandbox.clock.next_minute())
    publish(sandbox, subscribed_topic, Subject="[fs-1] Warning: 179 minutes left", Message="Zwölf GiB/s → zero")
    (mail,) = sandbox.mailbox.mails
    assert mail.path.name == "0001-20300107T000100Z-fs-1-Warning-179-minutes-left.eml"
    read = email.message_from_bytes(mail.path.read_bytes(), policy=email.policy.default)
    assert read["From"] == "AWS Notifications <no-reply@sns.amazonaws.com>"
    assert read["To"] == "ops@example.com"
    assert read["Subject"] == "[fs-1] Warning: 179 minutes left"
    assert read["Date"] == "Mon, 07 Jan 2030 00:01:00 +0000"
    assert "unsubscribe.html?SubscriptionArn=arn:aws:sns:us-east-1:123456789012:warning:" in read["List-Unsubscribe"]
    body = read.get_content().replace("\r\n", "\n")
    assert body == mail.body
    assert body.startswith("Zwölf GiB/s → zero\n\n--\nIf you wish to stop receiving notifications from this topic")


def test_a_message_without_a_subject_gets_that_of_sns(sandbox: Sandbox, subscribed_topic: str) -> None:
    publish(sandbox, subscribed_topic)
    assert sandbox.mailbox.mails[0].subject == "AWS Notification Message"


def test_the_sender_carries_the_display_name_of_the_topic(sandbox: Sandbox, subscribed_topic: str) -> None:
    sandbox.client("sns").set_topic_attributes(
        TopicArn=subscribed_topic, AttributeName="DisplayName", AttributeValue="EFS credits"
    )
    publish(sandbox, subscribed_topic)
    assert b"From: EFS credits <no-reply@sns.amazonaws.com>\r\n" in sandbox.mailbox.mails[0].path.read_bytes()


def test_mail_gets_its_own_text_and_machines_the_default(sandbox: Sandbox, subscribed_topic: str) -> None:
    texts = json.dumps({"default": "for machines", "email": "for people"})
    publish(sandbox, subscribed_topic, Message=texts, MessageStructure="json")
    assert sandbox.mailbox.mails[0].body.startswith("for people\n")
    assert sandbox.mailbox.publications[0].message == "for machines"


def test_what_is_no_text_for_mail_is_ignored(sandbox: Sandbox, subscribed_topic: str) -> None:
    texts = json.dumps({"default": "for machines", "email": {"for": "people"}})
    publish(sandbox, subscribed_topic, Message=texts, MessageStructure="json")
    assert sandbox.mailbox.mails[0].body.startswith("for machines\n")


def test_a_publication_without_subscribers_is_recorded(sandbox: Sandbox) -> None:
    arn = sandbox.client("sns").create_topic(Name="critical")["TopicArn"]
    publish(sandbox, arn, Subject="Critical")
    (publication,) = sandbox.mailbox.publications
    assert (publication.topic_name, publication.subject) == ("critical", "Critical")
    assert sandbox.mailbox.mails == []


def test_every_subscriber_of_the_topic_and_nobody_else_gets_a_mail(sandbox: Sandbox, subscribed_topic: str) -> None:
    sns = sandbox.client("sns")
    other = sns.create_topic(Name="other")["TopicArn"]
    sns.subscribe(TopicArn=subscribed_topic, Protocol="email", Endpoint="second@example.com")
    sns.subscribe(TopicArn=other, Protocol="email", Endpoint="third@example.com")
    publish(sandbox, subscribed_topic)
    assert [mail.to for mail in sandbox.mailbox.mails] == ["ops@example.com", "second@example.com"]


def test_a_subscription_is_confirmed_by_itself(sandbox: Sandbox, subscribed_topic: str) -> None:
    (subscription,) = sandbox.client("sns").list_subscriptions_by_topic(TopicArn=subscribed_topic)["Subscriptions"]
    assert subscription["SubscriptionArn"].startswith(subscribed_topic)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"Subject": "s" * 100}, "Subject .it has 100 characters; 1 to 99"),
        ({"Subject": "zwölf"}, "Subject .only printable ASCII"),
        ({"Subject": "two\nlines"}, "Subject .only printable ASCII"),
        ({"Message": "m" * 262_145}, "Message too long .262145 bytes; at most 262144"),
        ({"Message": "not json", "MessageStructure": "json"}, "JSON message body failed to parse"),
        ({"Message": '{"email": "x"}', "MessageStructure": "json"}, "No default entry in JSON message body"),
        ({"Message": '{"default": {"a": 1}}', "MessageStructure": "json"}, "No default entry in JSON message body"),
        ({"Message": '["default"]', "MessageStructure": "json"}, "JSON message body failed to parse"),
    ],
)
def test_what_sns_refuses_is_refused_and_nobody_hears_of_it(
    sandbox: Sandbox, subscribed_topic: str, message: dict[str, str], sentence: str
) -> None:
    with pytest.raises(ClientError, match=sentence) as refused:
        publish(sandbox, subscribed_topic, **message)
    assert refused.value.response["Error"]["Code"] == "InvalidParameter"
    assert sandbox.mailbox.publications == []


def test_a_subject_of_99_characters_is_allowed(sandbox: Sandbox, subscribed_topic: str) -> None:
    publish(sandbox, subscribed_topic, Subject="s" * 99)
    assert sandbox.mailbox.mails[0].subject == "s" * 99


def test_publishing_to_an_unknown_topic_fails_as_on_aws(sandbox: Sandbox) -> None:
    with pytest.raises(ClientError) as refused:
        publish(sandbox, "arn:aws:sns:us-east-1:123456789012:none")
    assert refused.value.response["Error"]["Code"] == "NotFound"
    assert sandbox.mailbox.publications == []
