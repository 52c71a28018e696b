"""Amazon Q Developer in chat applications: a message in its schema of custom notifications, which it shows in Slack and
Teams. The schema is AWS's (https://docs.aws.amazon.com/chatbot/latest/adminguide/custom-notifs.html).
"""

from collections.abc import Sequence
from typing import Protocol

# What custom actions of a channel are attached to, if somebody makes any.
EVENT_TYPE = "efs-burst-credits"


class ChatMessage(Protocol):
    """What a chat shows: a title, a text, a list of steps; `summary` stands for the whole thread."""

    @property
    def title(self) -> str:
        """The title of the message, on one line."""

    @property
    def text(self) -> str:
        """What happened, a few lines in the chat's markdown."""

    @property
    def steps(self) -> Sequence[str]:
        """What to do and where to look, each in the chat's markdown."""

    @property
    def keywords(self) -> Sequence[str]:
        """What it belongs to."""

    @property
    def summary(self) -> str:
        """All of it in one line."""

    @property
    def thread(self) -> str:
        """Messages of one thread are shown together; empty where it stands alone."""

    @property
    def file_system_id(self) -> str:
        """What it is about."""


def custom_notification(message: ChatMessage) -> dict[str, object]:
    """The message as Amazon Q expects it in a topic's message. What is empty is left out, as the schema wants it."""
    content = {
        "textType": "client-markdown",
        "title": message.title,
        "description": message.text,
        "nextSteps": list(message.steps),
        "keywords": list(message.keywords),
    }
    metadata = {
        "threadId": message.thread,
        "summary": message.summary,
        "eventType": EVENT_TYPE,
        "relatedResources": [message.file_system_id],
    }
    return {
        "version": "1.0",
        "source": "custom",
        "content": {name: value for name, value in content.items() if value},
        "metadata": {name: value for name, value in metadata.items() if value},
    }
