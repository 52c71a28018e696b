"""The notification state: what people were already told, so that nothing is said twice and nothing is left out.

Two functions write it, each its own part: the recalculation what it told of thresholds and alarms, the report of
silence what it told of everything around them. Neither ever changes the other's part.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.incidents.identity import EndedByMode

if TYPE_CHECKING:
    from efs_monitor.notify.other_mode import OtherMode

FORMAT_VERSION = 1


class Part(Enum):
    """The two parts of the state, each owned by one function."""

    THRESHOLDS = auto()
    HEALTH = auto()


@dataclass(frozen=True, kw_only=True)
class HealthNotifications:
    """Which conditions were told and have not ended since, when the last mail of each recurring kind went out, and the
    mode in which credits mean nothing, if it is in one.
    """

    conditions: frozenset[str] = frozenset()
    mailed: Mapping[str, datetime] = field(default_factory=dict)
    other_mode: "OtherMode | None" = None


class Untold(NamedTuple):
    """A reference that no mail has told yet, and `since` when the thresholds stand for about that."""

    reference_bytes_per_second: int
    since: datetime


class Driven(NamedTuple):
    """How a file system is driven, with what is provisioned, and `since` when the monitor has seen it so, where it had
    seen it otherwise before; None where it never was.
    """

    mode: ThroughputMode
    provisioned_bytes_per_second: int
    since: datetime | None

    def is_of(self, file_system: FileSystem) -> bool:
        """Whether the file system is still driven like that: AWS locks its mode from any change of this on."""
        now = (file_system.mode, file_system.provisioned_bytes_per_second)
        return now == (self.mode, self.provisioned_bytes_per_second)


@dataclass(frozen=True, kw_only=True)
class NotificationState:
    """The reference the last mail (or the deployment) named, whether a suspension was, and which conditions.

    `moved` is when a mail last told that the thresholds have moved, and `untold` what they moved to since.
    `silent_since` is when the alarms of the present suspension fell silent: the mode was another one by then.
    `ended` is the incident that a change of the throughput mode has ended, as long as nobody is told of it: its alarms
    do not show it any more.
    `resumed` is when the alarms last began to act again after another throughput mode: the mode was changed by then.
    `driven` is how the file system was driven at the last look.
    `version` is the parameter's when it was read, 0 where there was none; it is no part of what was told.
    """

    reference_bytes_per_second: int | None = None
    moved: datetime | None = None
    untold: Untold | None = None
    suspended: bool = False
    silent_since: datetime | None = None
    conditions: frozenset[str] = frozenset()
    ended: EndedByMode | None = None
    resumed: datetime | None = None
    driven: Driven | None = None
    health: HealthNotifications = field(default_factory=HealthNotifications)
    version: int = field(default=0, compare=False)

    @property
    def changed_seen(self) -> datetime | None:
        """When the monitor last saw that the throughput was changed, its mode or its rate: it was by then."""
        seen = (self.resumed, None if self.driven is None else self.driven.since)
        return max((one for one in seen if one is not None), default=None)

    def with_part_of(self, other: "NotificationState", part: Part) -> "NotificationState":
        """This state with one part taken over from `other`."""
        if part is Part.HEALTH:
            return replace(self, health=other.health)
        # A run that began before a reference was known, or the alarms were resumed, does not make it forgotten.
        reference = other.reference_bytes_per_second or self.reference_bytes_per_second
        resumed = max((one for one in (self.resumed, other.resumed) if one is not None), default=None)
        return replace(other, reference_bytes_per_second=reference, resumed=resumed, health=self.health)

    def to_json(self, file_system_id: str) -> str:
        """The value as it is stored, with the file system it is about; the same for equal values."""
        return json.dumps(
            {
                "version": FORMAT_VERSION,
                "file_system_id": file_system_id,
                "reference_bytes_per_second": self.reference_bytes_per_second,
                "suspended": self.suspended,
                "conditions": sorted(self.conditions),
                **({"moved": self.moved.isoformat()} if self.moved else {}),
                **({"untold": _untold_as_stored(self.untold)} if self.untold else {}),
                **({"silent_since": self.silent_since.isoformat()} if self.silent_since else {}),
                **({"ended": _ended_as_stored(self.ended)} if self.ended else {}),
                **({"resumed": self.resumed.isoformat()} if self.resumed else {}),
                **({"driven": _driven_as_stored(self.driven)} if self.driven else {}),
                "silence": {
                    "conditions": sorted(self.health.conditions),
                    "mailed": {what: time.isoformat() for what, time in sorted(self.health.mailed.items())},
                    **({"other_mode": _as_stored(self.health.other_mode)} if self.health.other_mode else {}),
                },
            }
        )


def notification_state_from_json(text: str, file_system_id: str) -> NotificationState:
    """Read a stored value back. A lost or corrupt one counts as nothing told, at worst a mail is repeated; and so does
    one about another file system, which the stack watched before.
    """
    try:
        stored = json.loads(text)
        if stored.get("file_system_id") != file_system_id:
            return NotificationState()
        reference = stored.get("reference_bytes_per_second")
        # Older versions of the monitor knew nothing of silence.
        health = stored.get("silence", {})
        return NotificationState(
            reference_bytes_per_second=int(reference) if reference else None,
            moved=_time(stored["moved"]) if stored.get("moved") else None,
            untold=_untold(stored["untold"]) if stored.get("untold") else None,
            suspended=stored.get("suspended", False) is True,
            silent_since=_time(stored["silent_since"]) if stored.get("silent_since") else None,
            conditions=frozenset(str(condition) for condition in stored.get("conditions", [])),
            ended=_ended(stored["ended"]) if stored.get("ended") else None,
            resumed=_time(stored["resumed"]) if stored.get("resumed") else None,
            driven=_driven(stored["driven"]) if stored.get("driven") else None,
            health=HealthNotifications(
                conditions=frozenset(str(condition) for condition in health.get("conditions", [])),
                mailed={str(what): _time(when) for what, when in health.get("mailed", {}).items()},
                other_mode=_other_mode(health["other_mode"]) if health.get("other_mode") else None,
            ),
        )
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        return NotificationState()


def _untold_as_stored(untold: Untold) -> dict[str, str | int]:
    return {"reference_bytes_per_second": untold.reference_bytes_per_second, "since": untold.since.isoformat()}


def _untold(stored: Mapping[str, Any]) -> Untold:
    return Untold(reference_bytes_per_second=int(stored["reference_bytes_per_second"]), since=_time(stored["since"]))


def _driven_as_stored(driven: Driven) -> dict[str, str | int | None]:
    return {
        "mode": driven.mode,
        "provisioned_bytes_per_second": driven.provisioned_bytes_per_second,
        "since": driven.since.isoformat() if driven.since else None,
    }


def _driven(stored: Mapping[str, Any]) -> Driven:
    since = stored.get("since")
    return Driven(
        mode=ThroughputMode(stored["mode"]),
        provisioned_bytes_per_second=int(stored["provisioned_bytes_per_second"]),
        since=_time(since) if since else None,
    )


def _ended_as_stored(ended: EndedByMode) -> dict[str, str | list[str] | None]:
    return {
        "alarms": list(ended.alarms),
        "began": ended.began.isoformat() if ended.began else None,
        "time": ended.time.isoformat(),
    }


def _ended(stored: Mapping[str, Any]) -> EndedByMode:
    began = stored.get("began")
    return EndedByMode(
        alarms=tuple(AlarmKind(kind) for kind in stored["alarms"]),
        began=_time(began) if began else None,
        time=_time(stored["time"]),
    )


def _as_stored(other: "OtherMode") -> dict[str, str | float | bool | None]:
    return {
        "mode": other.mode,
        "provisioned_bytes_per_second": other.provisioned_bytes_per_second,
        "since": other.since.isoformat(),
        "locked_since": other.locked_since.isoformat(),
        "balance_bytes": other.balance_bytes,
        "told": other.told.isoformat() if other.told else None,
        "told_enough": other.told_enough,
    }


def _other_mode(stored: Mapping[str, Any]) -> "OtherMode":
    from efs_monitor.notify.other_mode import OtherMode  # noqa: PLC0415 - a cold start on credits does not pay for it

    balance_bytes, told = stored.get("balance_bytes"), stored.get("told")
    return OtherMode(
        mode=ThroughputMode(stored["mode"]),
        provisioned_bytes_per_second=int(stored["provisioned_bytes_per_second"]),
        since=_time(stored["since"]),
        # Older versions of the monitor did not know that a raise of what is provisioned begins the lock anew.
        locked_since=_time(stored.get("locked_since", stored["since"])),
        balance_bytes=float(balance_bytes) if balance_bytes is not None else None,
        told=_time(told) if told else None,
        # Older versions of the monitor told once a week at most, whatever they had told.
        told_enough=stored.get("told_enough") is not False,
    )


def _time(text: str) -> datetime:
    """A time without a zone would not compare with one that has it."""
    return datetime.fromisoformat(text).astimezone(UTC)
