"""A scenario: a file system, what clients and operators do to it, and what must then be seen. Read from TOML."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.burst_credits import GIB, MIB

FOLDER = Path(__file__).parent.parent / "scenarios"
MINUTES_PER_DAY = 1440


class ScenarioError(ValueError):
    """A scenario file that cannot be played; says which, where and why."""


@dataclass(frozen=True, kw_only=True)
class Load:
    """What clients drive from one minute to another; `daily` repeats the same hours every day."""

    start_minute: int
    end_minute: int
    daily: bool = False
    read_bytes_per_second: float = 0
    write_bytes_per_second: float = 0
    metadata_operations_per_second: float = 0

    def holds_at(self, minute: int) -> bool:
        """Whether it goes on in this minute of the scenario; daily hours may cross midnight."""
        if not self.daily:
            return self.start_minute <= minute < self.end_minute
        of_day = minute % MINUTES_PER_DAY
        if self.start_minute <= self.end_minute:
            return self.start_minute <= of_day < self.end_minute
        return of_day >= self.start_minute or of_day < self.end_minute


@dataclass(frozen=True, kw_only=True)
class Change:
    """What somebody does to the file system, its metrics or the stack at a minute, all at once.

    Alarms and topics are named by the end of their name: `critical`, `advice`.
    """

    minute: int
    size_bytes: int | None = None
    over_minutes: int = 0
    mode: str | None = None
    provisioned_mebibytes_per_second: float | None = None
    delete: bool = False
    metrics_stop_for_minutes: int = 0
    metrics_late_minutes: int | None = None
    delete_alarm: str | None = None
    restore_alarm: str | None = None
    unsubscribe: str | None = None
    subscribe: str | None = None


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """A `sam deploy`: the first one, or a later one with other parameters, new code, or something that breaks."""

    minute: int
    parameters: Mapping[str, str] = field(default_factory=dict)
    new_code: bool = False
    breaks: bool = False


@dataclass(frozen=True, kw_only=True)
class Expectations:
    """What must be seen, line by line and complete, in the words of `sandbox.story`."""

    alarms: tuple[str, ...]
    transitions: tuple[str, ...]
    mails: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A whole scenario; minutes count from its start, a Monday at 00:00 UTC."""

    name: str
    about: str
    minutes: int
    file_system_id: str
    file_system_name: str
    size_bytes: int
    balance_share: float
    mode: str
    provisioned_mebibytes_per_second: float | None
    regional_cap_bytes_per_second: float
    elastic_bytes_per_second: float
    metrics_late_minutes: int
    loads: tuple[Load, ...]
    changes: tuple[Change, ...]
    deployments: tuple[Deployment, ...]
    expected: Expectations

    @classmethod
    def named(cls, name: str) -> "Scenario":
        """The scenario of that name, or in that file."""
        path = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
        if not path.is_file():
            known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.toml")))
            raise ScenarioError(f"There is no scenario {name!r}; there are {known}, or give the path of a .toml file")
        try:
            return read(path.stem, path.read_text())
        except UnicodeDecodeError as error:
            raise ScenarioError(f"{path} is not a text in UTF-8") from error


def read(name: str, text: str) -> Scenario:
    """Read a scenario; ScenarioError names a key that is missing, misspelt or of the wrong kind."""
    try:
        document = tomllib.loads(text)
        system = document.pop("file_system")
        expected = document.pop("expect", {})
        scenario = Scenario(
            name=name,
            about=document.pop("about"),
            minutes=round(document.pop("days") * MINUTES_PER_DAY),
            file_system_id=system.pop("id", "fs-0123456789abcdef0"),
            file_system_name=system.pop("name", ""),
            size_bytes=_bytes(system.pop("size_gib"), GIB),
            balance_share=system.pop("balance_percent", 100) / 100,
            mode=system.pop("mode", "bursting"),
            provisioned_mebibytes_per_second=system.pop("provisioned_mib_per_second", None),
            regional_cap_bytes_per_second=_bytes(system.pop("regional_cap_mib_per_second", 1024), MIB),
            elastic_bytes_per_second=_bytes(system.pop("elastic_mib_per_second", 1024), MIB),
            metrics_late_minutes=system.pop("metrics_late_minutes", 2),
            loads=tuple(_load(entry) for entry in document.pop("load", [])),
            changes=tuple(_change(entry) for entry in document.pop("change", [])),
            deployments=tuple(_deployment(entry) for entry in document.pop("deploy", [{}])),
            expected=Expectations(
                alarms=tuple(expected.pop("alarms", ())),
                transitions=tuple(expected.pop("transitions", ())),
                mails=tuple(expected.pop("mails", ())),
            ),
        )
        for left in (document, system, expected):
            _nothing_left(left)
    except KeyError as error:
        raise ScenarioError(f"Scenario {name}: {error} is missing") from error
    except (ScenarioError, TypeError, ValueError) as error:
        raise ScenarioError(f"Scenario {name}: {error}") from error
    return scenario


def minute_of(text: str) -> int:
    """`1d 04:30` or `04:30` as minutes from the start of the scenario."""
    match = re.fullmatch(r"(?:(\d+)d )?(\d\d):(\d\d)", text)
    if match is None:
        raise ScenarioError(f"{text!r} is not a time such as '1d 04:30' or '04:30'")
    days, hours, minutes = (int(part or 0) for part in match.groups())
    return days * MINUTES_PER_DAY + hours * 60 + minutes


def _load(entry: dict[str, Any]) -> Load:
    load = Load(
        start_minute=minute_of(entry.pop("from")),
        end_minute=minute_of(entry.pop("to")),
        daily=entry.pop("daily", False),
        read_bytes_per_second=entry.pop("read_mib_per_second", 0) * MIB,
        write_bytes_per_second=entry.pop("write_mib_per_second", 0) * MIB,
        metadata_operations_per_second=entry.pop("metadata_operations_per_second", 0),
    )
    _nothing_left(entry)
    return load


def _change(entry: dict[str, Any]) -> Change:
    size_gib = entry.pop("size_gib", None)
    change = Change(
        minute=minute_of(entry.pop("at")),
        size_bytes=None if size_gib is None else _bytes(size_gib, GIB),
        over_minutes=round(entry.pop("over_hours", 0) * 60),
        mode=entry.pop("mode", None),
        provisioned_mebibytes_per_second=entry.pop("provisioned_mib_per_second", None),
        delete=entry.pop("delete", False),
        metrics_stop_for_minutes=entry.pop("metrics_stop_for_minutes", 0),
        metrics_late_minutes=entry.pop("metrics_late_minutes", None),
        delete_alarm=entry.pop("delete_alarm", None),
        restore_alarm=entry.pop("restore_alarm", None),
        unsubscribe=entry.pop("unsubscribe", None),
        subscribe=entry.pop("subscribe", None),
    )
    _nothing_left(entry)
    return change


def _deployment(entry: dict[str, Any]) -> Deployment:
    deployment = Deployment(
        minute=minute_of(entry.pop("at", "00:00")),
        parameters={name: str(value) for name, value in entry.pop("parameters", {}).items()},
        new_code=entry.pop("new_code", False),
        breaks=entry.pop("breaks", False),
    )
    _nothing_left(entry)
    return deployment


def _bytes(amount: object, unit: int) -> int:
    if not isinstance(amount, int | float) or amount < 0:
        raise ScenarioError(f"{amount!r} is not a size or rate, which is a number and not below zero")
    return round(amount * unit)


def _nothing_left(entry: Mapping[str, Any]) -> None:
    if entry:
        raise ScenarioError(f"nobody knows what {', '.join(map(repr, entry))} means")
