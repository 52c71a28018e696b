"""What happens in a scenario, and when: loads, what somebody does, deployments, instances. Read from tables of TOML."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from localaws import throughput_limits
from localaws.throughput_lock import LOCK, Throughput
from simulation.burst_credits import GIB, MIB
from stage.scenario_instances.machines import ScenarioInstance

MINUTES_PER_DAY = 1440
MINUTE = timedelta(minutes=1)


class ScenarioError(ValueError):
    """A scenario file that cannot be played; says which, where and why."""


@dataclass(frozen=True, kw_only=True)
class ScenarioLoad:
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

    Alarms and topics are named by the end of their name: `critical`, `advice`; instances by their id. A `mode` that AWS
    would refuse, within 24 hours of the last change, says `despite_mode_lock`.
    """

    minute: int
    size_bytes: int | None = None
    over_minutes: int = 0
    mode: str | None = None
    provisioned_mebibytes_per_second: float | None = None
    despite_mode_lock: bool = False
    delete: bool = False
    metrics_stop_for_minutes: int = 0
    metrics_late_minutes: int | None = None
    delete_alarm: str | None = None
    restore_alarm: str | None = None
    unsubscribe: str | None = None
    subscribe: str | None = None
    unmount: str | None = None
    mount: str | None = None
    disconnect: str | None = None
    connect: str | None = None
    terminate: str | None = None
    command_events_are_lost: bool | None = None
    schedules_are_delivered_twice: bool | None = None
    answers_to_schedules_are_lost: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """A `sam deploy`: the first one, or a later one with other parameters, new code, or something that breaks."""

    minute: int
    parameters: Mapping[str, str] = field(default_factory=dict)
    new_code: bool = False
    breaks: bool = False


def minute_of(text: str) -> int:
    """`1d 04:30` or `04:30` as minutes from the start of the scenario."""
    match = re.fullmatch(r"(?:(\d+)d )?(\d\d):(\d\d)", text)
    if match is None:
        raise ScenarioError(f"{text!r} is not a time such as '1d 04:30' or '04:30'")
    days, hours, minutes = (int(part or 0) for part in match.groups())
    return days * MINUTES_PER_DAY + hours * 60 + minutes


def at(minute: int) -> str:
    """A minute of the scenario as `1d 04:30`."""
    day, of_day = divmod(minute, MINUTES_PER_DAY)
    return f"{day}d {of_day // 60:02}:{of_day % 60:02}"


def load(entry: dict[str, Any]) -> ScenarioLoad:
    """A `[[load]]`; each reader raises ScenarioError for a key that nobody knows, KeyError for one that is missing."""
    read = ScenarioLoad(
        start_minute=minute_of(entry.pop("from")),
        end_minute=minute_of(entry.pop("to")),
        daily=entry.pop("daily", False),
        read_bytes_per_second=amount_of(entry, "read_mib_per_second") * MIB,
        write_bytes_per_second=amount_of(entry, "write_mib_per_second") * MIB,
        metadata_operations_per_second=amount_of(entry, "metadata_operations_per_second"),
    )
    nothing_left(entry)
    return read


def change(entry: dict[str, Any]) -> Change:
    """A `[[change]]`."""
    read = Change(
        minute=minute_of(entry.pop("at")),
        size_bytes=round(amount_of(entry, "size_gib", None) * GIB) if "size_gib" in entry else None,
        over_minutes=round(entry.pop("over_hours", 0) * 60),
        mode=entry.pop("mode", None),
        provisioned_mebibytes_per_second=entry.pop("provisioned_mib_per_second", None),
        despite_mode_lock=entry.pop("despite_mode_lock", False),
        delete=entry.pop("delete", False),
        metrics_stop_for_minutes=entry.pop("metrics_stop_for_minutes", 0),
        metrics_late_minutes=entry.pop("metrics_late_minutes", None),
        delete_alarm=entry.pop("delete_alarm", None),
        restore_alarm=entry.pop("restore_alarm", None),
        unsubscribe=entry.pop("unsubscribe", None),
        subscribe=entry.pop("subscribe", None),
        unmount=entry.pop("unmount", None),
        mount=entry.pop("mount", None),
        disconnect=entry.pop("disconnect", None),
        connect=entry.pop("connect", None),
        terminate=entry.pop("terminate", None),
        command_events_are_lost=entry.pop("command_events_are_lost", None),
        schedules_are_delivered_twice=entry.pop("schedules_are_delivered_twice", None),
        answers_to_schedules_are_lost=entry.pop("answers_to_schedules_are_lost", None),
    )
    nothing_left(entry)
    return read


def refuse_locked_modes(changes: Sequence[Change], first: Throughput) -> None:
    """ScenarioError for a change of throughput mode, or a decrease, that AWS would refuse and that does not say so."""
    driven, locked_since = first, None
    for one in sorted(changes, key=lambda change: change.minute):
        if one.mode is None:
            continue
        wanted = Throughput(one.mode, one.provisioned_mebibytes_per_second)
        before, driven = driven, wanted
        if one.despite_mode_lock:
            continue
        waits = wanted.waits_for_the_lock(before)
        if waits and locked_since is not None and one.minute < locked_since + LOCK // MINUTE:
            raise ScenarioError(
                f"the [[change]] of throughput at {at(one.minute)} comes within 24 hours of that at "
                f"{at(locked_since)}, and AWS would refuse it: move it to {at(locked_since + LOCK // MINUTE)}, "
                "or say despite_mode_lock = true"
            )
        if wanted.begins_the_lock(before):
            locked_since = one.minute


def refuse_impossible_modes(
    changes: Sequence[Change], first: Throughput, *, performance_mode: str, is_one_zone: bool
) -> None:
    """ScenarioError for a throughput mode, or a rate, that no file system like this one can have."""
    later = {at(one.minute): Throughput(one.mode, one.provisioned_mebibytes_per_second) for one in changes if one.mode}
    for when, wanted in {"its beginning": first, **later}.items():
        if refused := throughput_limits.refusal(wanted, performance_mode=performance_mode, is_one_zone=is_one_zone):
            raise ScenarioError(f"the throughput at {when} is refused by AWS: {refused.sentence}")


def deployment(entry: dict[str, Any]) -> Deployment:
    """A `[[deploy]]`."""
    read = Deployment(
        minute=minute_of(entry.pop("at", "00:00")),
        parameters={name: str(value) for name, value in entry.pop("parameters", {}).items()},
        new_code=entry.pop("new_code", False),
        breaks=entry.pop("breaks", False),
    )
    nothing_left(entry)
    return read


def machine(entry: dict[str, Any]) -> ScenarioInstance:
    """An `[[instance]]`."""
    read = ScenarioInstance(
        id=entry.pop("id"),
        type=entry.pop("type", "m5.large"),
        agent_version=entry.pop("agent", "3.3.3572.0"),
        tagged=entry.pop("tagged", True),
    )
    nothing_left(entry)
    return read


def amount_of(entry: dict[str, Any], key: str, default: float | None = 0) -> float:
    """What a table has under the key: a number and not below zero; KeyError where it is missing and has no default."""
    amount = entry.pop(key) if default is None else entry.pop(key, default)
    if isinstance(amount, bool) or not isinstance(amount, int | float) or not 0 <= amount < float("inf"):
        raise ScenarioError(f"{key} is {amount!r}: give a number that is not below zero")
    return amount


def tables(document: dict[str, Any], name: str, default: Sequence[dict[str, Any]] = ()) -> Sequence[dict[str, Any]]:
    """The tables of this name."""
    found = document.pop(name, default)
    if not isinstance(found, Sequence) or not all(isinstance(entry, dict) for entry in found):
        raise ScenarioError(f"{name} must be headed [[{name}]], once for each")
    return found


def nothing_left(entry: Mapping[str, Any]) -> None:
    """ScenarioError names the keys of a table that nobody has read."""
    if entry:
        raise ScenarioError(f"nobody knows what {', '.join(map(repr, entry))} means")
