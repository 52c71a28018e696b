"""The parameters of a monitor stack: the fleet's, and over them those that the tags of its file system give.

What each may be is read from template.yaml when `make generate` writes allowed_values.json: a value that CloudFormation
would refuse is refused here, before anything is asked of it.
"""

import difflib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.benchmarks.paths import require_paths_apart
from efs_monitor.benchmarks.schedule import require_cron_fields
from efs_monitor.errors import SettingsRefused
from efs_monitor.fleet.tag_values import NOT_BY_TAG, TAG_FORMS, value_of_tag

TAG_PREFIX = "efs-monitor:"
"""`efs-monitor:WarningMinutes` on a file system overrides the fleet's WarningMinutes."""
WATCHED = "FileSystemId"
ADDRESS = "AlertEmail"
BOUNDARY = "PermissionsBoundaryArn"
"""Stands first, by the fleet itself: its service role makes no role that has another."""
TOPICS = tuple(one.parameter for one in Topic)
# What fleet.yaml gives every stack; what MonitorParameters say stands after it, and over it.
OF_THE_FLEET = (*TOPICS, "EncryptionKeyArn", BOUNDARY, "LogRetentionDays", "Architecture")
# Of hundreds of dashboards nobody looks at more than a few, and the fleet has one of all.
FLEET_DEFAULTS = {"Dashboard": "off"}
# A semicolon may be part of an address; before the name of a parameter it ends the value before.
SEPARATOR = re.compile(r";\s*(?=[A-Z][A-Za-z]*=|$)")


@dataclass(frozen=True, kw_only=True)
class Need:
    """The parameter without which another means nothing, `unless` it has one of these values, and why it is refused."""

    parameter: str
    unless: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Allowed:
    """What a parameter's value may be, the one that it has unless given, and the sentence that says so."""

    default: str | None
    pattern: str
    values: tuple[str, ...]
    longest: int
    sentence: str
    need: Need | None

    def allows(self, value: str) -> bool:
        """Whether CloudFormation would take the value."""
        if self.values:
            return value in self.values
        return len(value) <= self.longest and re.fullmatch(self.pattern, value) is not None


@cache
def allowed_values() -> Mapping[str, Allowed]:
    """Every parameter of a monitor stack, by its name."""
    written = json.loads(resources.files(__package__).joinpath("allowed_values.json").read_text(encoding="utf-8"))
    return {
        name: Allowed(**{**fields, "values": tuple(fields["values"]), "need": _need(fields["need"])})
        for name, fields in written.items()
    }


def _need(fields: Mapping[str, Any] | None) -> Need | None:
    """What allowed_values.json says of a need; None for a parameter that needs no other."""
    return Need(**{**fields, "unless": tuple(fields["unless"])}) if fields else None


def fleet_parameters(text: str) -> dict[str, str]:
    """`Name=value; Name=value` as a mapping; SettingsRefused names what is no parameter, may not have that value, or is
    given twice: once after what the fleet gives by itself.
    """
    given, overridden = dict[str, str](), set[str]()
    for part in filter(None, SEPARATOR.split(text.strip())):
        name, equals, value = part.partition("=")
        if not equals:
            raise SettingsRefused(
                f"MonitorParameters has {part!r}, but must be Name=value; Name=value, such as WarningMinutes=120"
            )
        if name == BOUNDARY and name in given:
            raise SettingsRefused(
                f"MonitorParameters gives {BOUNDARY} as {value!r}: the fleet's own PermissionsBoundaryPolicy gives it"
            )
        if name in overridden or (name in given and name not in OF_THE_FLEET):
            raise SettingsRefused(
                f"MonitorParameters gives {name} twice, as {given[name]!r} and as {value!r}: leave one of them out"
            )
        _require(name, value, f"MonitorParameters gives {name} as {value!r}")
        overridden |= {name} & given.keys()
        given[name] = value
    _require_a_topic_for_the_address(given, f"MonitorParameters gives {ADDRESS} as {given.get(ADDRESS)!r}")
    return given


def parameters_for(file_system_id: str, fleet: Mapping[str, str], tags: Mapping[str, str]) -> dict[str, str]:
    """All that the stack of a file system is given; SettingsRefused names the tag that has a value it may not have.

    What the fleet says of benchmarks is for those file systems that have a BenchmarkPath: others are not given it.
    """
    tagged = _tagged(tags)
    given = FLEET_DEFAULTS | dict(fleet) | tagged
    for name, need in _unmet_needs(given).items():
        if name in tagged:
            raise SettingsRefused(f"{_tag_said(name, tags[TAG_PREFIX + name])}: {need.sentence}")
        del given[name]
    _require_a_topic_for_the_address(given, f"Its {ADDRESS} is {given.get(ADDRESS)!r}")
    require_together(given)
    return given | {WATCHED: file_system_id}


def _tagged(tags: Mapping[str, str]) -> dict[str, str]:
    given = dict[str, str]()
    for key, text in tags.items():
        _require_spelling(key)
        name = key.removeprefix(TAG_PREFIX)
        # A fleet's own tag may begin alike, such as efs-monitor:fleet; no parameter begins with a small letter.
        if key.startswith(TAG_PREFIX) and name[:1].isupper():
            if name in NOT_BY_TAG:
                raise SettingsRefused(f"{_tag_said(name, text)}: {NOT_BY_TAG[name]}")
            value, form = value_of_tag(name, text), TAG_FORMS.get(name)
            _require(name, value, _tag_said(name, text), form.sentence if form else "")
            given[name] = value
    return given


@cache
def _names_without_capitals() -> Mapping[str, str]:
    """The parameters that a tag may give, by their tags in small letters."""
    return {f"{TAG_PREFIX}{name}".lower(): name for name in allowed_values() if name != WATCHED}


def _require_spelling(key: str) -> None:
    """Refuse a tag that differs from a parameter's in capitals and spaces alone: whoever set it means the parameter."""
    name = _names_without_capitals().get("".join(key.split()).lower())
    if name is not None and key != TAG_PREFIX + name:
        raise SettingsRefused(
            f"Its tag {key!r} is called almost like a parameter: a tag for {name} is {TAG_PREFIX}{name}, with these "
            "capitals and without spaces"
        )


def _tag_said(name: str, text: str) -> str:
    return f"Its tag {TAG_PREFIX}{name} is {text!r}"


def _unmet_needs(given: Mapping[str, str]) -> dict[str, Need]:
    """The parameters that the template's rules refuse, because another one is empty."""
    whole = with_defaults(given)
    needs = {name: one.need for name, one in allowed_values().items() if one.need is not None}
    return {name: one for name, one in needs.items() if not whole[one.parameter] and whole[name] not in one.unless}


def with_defaults(given: Mapping[str, str]) -> dict[str, str]:
    """What the stack has for every parameter once it was given these."""
    return {name: one.default for name, one in allowed_values().items() if one.default is not None} | dict(given)


def is_parameter(name: str) -> bool:
    """Whether the template has a parameter of that name, the file system included."""
    return name == WATCHED or name in allowed_values()


def no_such_parameter(name: str) -> str:
    """That the template has no parameter of that name, and which it may be, without a full stop."""
    near = difflib.get_close_matches(name, allowed_values(), n=1)
    which = f"the nearest is {near[0]}" if near else "docs/parameters.md of the project lists them"
    return f"there is no such parameter; {which}"


def _require(name: str, value: str, said: str, sentence: str = "") -> None:
    """Refuse what no stack may be given, with the parameter's own sentence unless there is another."""
    known = allowed_values()
    if name == WATCHED:
        raise SettingsRefused(f"{said}: each stack watches the file system that it is made for; leave it out")
    if name not in known:
        raise SettingsRefused(f"{said}: {no_such_parameter(name)}")
    if not known[name].allows(value):
        raise SettingsRefused(f"{said}: {sentence or known[name].sentence}")
    if name == "BenchmarkSchedule":
        require_cron_fields(value)


def _require_a_topic_for_the_address(given: Mapping[str, str], said: str) -> None:
    """Refuse an address that nobody would subscribe: a stack subscribes it to the topics alone that it makes."""
    if given.get(ADDRESS) and all(given.get(name) for name in TOPICS):
        raise SettingsRefused(
            f"{said}, but all three topics are given, and a stack subscribes nobody to those: subscribe the address "
            f"to them yourself, or give {', '.join(TOPICS[:-1])} or {TOPICS[-1]} empty"
        )


def require_together(given: Mapping[str, str]) -> None:
    """Refuse lead times and paths of which only the two together are wrong, which otherwise the deployment of the stack
    would find.
    """
    whole = with_defaults(given)
    require_paths_apart(whole["BenchmarkPath"], whole["BenchmarkLocalPath"])
    Settings(
        warning_minutes=int(whole["WarningMinutes"]),
        critical_minutes=int(whole["CriticalMinutes"]),
        rise_tolerance_percent=int(whole["RiseTolerancePercent"]),
    )
