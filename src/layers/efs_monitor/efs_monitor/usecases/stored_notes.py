"""A fleet's memory where it lies: the day of the last digest in one parameter, and its notes in sixteen below it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efs_monitor.aws import parameter_store
from efs_monitor.fleet.notes import Notes
from efs_monitor.fleet.written_notes import PARTS, as_texts, from_texts

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient


# As the template makes each; one that is gone is not made anew to say so.
NOTHING = "{}"


@dataclass(frozen=True, kw_only=True)
class Memory:
    """The notes, the day of the last digest, and the texts that are stored, by the names of their parameters."""

    notes: Notes = field(default_factory=dict)
    told_on: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)


def recall(ssm: "SSMClient", parameter_name: str) -> Memory:
    """What was remembered last; nothing of a parameter that is gone or unreadable."""
    texts = parameter_store.read_all(ssm, [parameter_name, *(_name(parameter_name, part) for part in PARTS)])
    notes = from_texts({name: text for name, text in texts.items() if name != parameter_name})
    return Memory(notes=notes, told_on=_told_on(texts.get(parameter_name, "")), texts=texts)


def remember(ssm: "SSMClient", parameter_name: str, before: Memory, notes: Notes, told_on: str) -> Memory:
    """Store this in place of what was; nothing is written where a parameter says the same already.

    The day comes last: a run that breaks off before it tells once more.
    """
    texts = {_name(parameter_name, part): text for part, text in as_texts(notes).items()}
    texts[parameter_name] = json.dumps({"told": told_on}) if told_on else NOTHING
    for name, text in texts.items():
        if before.texts.get(name, NOTHING) != text:
            parameter_store.write(ssm, name, text)
    return Memory(notes=notes, told_on=told_on, texts=texts)


def _name(parameter_name: str, part: str) -> str:
    return f"{parameter_name}/{part}"


def _told_on(text: str) -> str:
    try:
        return str(json.loads(text)["told"])
    except (KeyError, TypeError, ValueError):
        return ""
