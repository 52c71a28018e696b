"""Where everything published to topics ends: publications in process, and mails as files a mail reader opens."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from urllib.parse import quote

from localaws.account import REGION

SENDER_ADDRESS = "no-reply@sns.amazonaws.com"

# RFC 5322 allows lines of 998 characters; folded subjects and links are hard to read and to search for.
MAIL_POLICY = SMTP.clone(max_line_length=998)


@dataclass(frozen=True, slots=True)
class Publication:
    """A message that reached a topic, whoever subscribes to it; `message` is what a machine would receive."""

    time: datetime
    topic_arn: str
    topic_name: str
    subject: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Mail:
    """A message as one e-mail subscriber received it."""

    time: datetime
    topic_arn: str
    topic_name: str
    to: str
    subject: str
    body: str
    path: Path


class Mailbox:
    def __init__(self, folder: Path, now: Callable[[], datetime]) -> None:
        self.now = now
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.publications: list[Publication] = []
        self.mails: list[Mail] = []

    def published(self, topic_arn: str, subject: str | None, message: str) -> None:
        name = topic_arn.rpartition(":")[2]
        self.publications.append(Publication(self.now(), topic_arn, name, subject, message))

    def receive(
        self,
        *,
        topic_arn: str,
        subscription_arn: str,
        sender_name: str,
        to: str,
        subject: str | None,
        text: str,
    ) -> Mail:
        """Write one mail the way SNS sends it, with its footer, and return it."""
        now = self.now()
        topic_name = topic_arn.rpartition(":")[2]
        subject = subject or "AWS Notification Message"
        unsubscribe = (
            f"https://sns.{REGION}.amazonaws.com/unsubscribe.html"
            f"?SubscriptionArn={subscription_arn}&Endpoint={quote(to, safe='@')}"
        )
        body = f"{text.rstrip('\n')}\n\n{_footer(unsubscribe)}"
        number = len(self.mails) + 1
        path = self.folder / f"{number:04d}-{now:%Y%m%dT%H%M%SZ}-{_slug(subject)}.eml"
        message = EmailMessage(policy=MAIL_POLICY)
        message["From"] = f"{sender_name} <{SENDER_ADDRESS}>"
        message["To"] = to
        message["Date"] = format_datetime(now)
        message["Subject"] = subject
        message["Message-ID"] = f"<{number:012d}@sandbox.sns.{REGION}.amazonaws.com>"
        message["List-Unsubscribe"] = f"<{unsubscribe}>"
        message.set_content(body, cte="8bit")
        path.write_bytes(message.as_bytes())
        mail = Mail(now, topic_arn, topic_name, to, subject, body, path)
        self.mails.append(mail)
        return mail


def _footer(unsubscribe: str) -> str:
    return (
        "--\n"
        "If you wish to stop receiving notifications from this topic, please click or visit the link below to "
        f"unsubscribe:\n{unsubscribe}\n\n"
        "Please do not reply directly to this email. If you have any questions or comments regarding this email, "
        "please contact us at https://aws.amazon.com/support\n"
    )


def _slug(subject: str) -> str:
    """The subject as the part of a file name: letters, digits and single dashes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", subject).strip("-")[:80]
