"""Every number in a mail and in what a chat shows of it, to hold the second against the first."""

import re

from efs_monitor.mail.layout import Message

FIGURE = re.compile(r"\d(?:[\d,.:]*\d)?")
ADDRESS = re.compile(r"https?://\S+")


def figures_of_mail(message: Message) -> set[str]:
    """In whatever part of it."""
    return set(FIGURE.findall(f"{message.subject}\n{message.body}\n{message.short}"))


def figures_of_chat(message: Message) -> set[str]:
    """In all that a chat may show but addresses."""
    chat = message.chat
    text = "\n".join((chat.title, chat.text, chat.summary, *chat.steps, *chat.keywords))
    return set(FIGURE.findall(ADDRESS.sub("", text)))
