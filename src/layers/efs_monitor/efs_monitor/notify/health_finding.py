"""What is wrong, as the rules of health find it, and what they cannot judge.

Each rule answers with what it found, and with what it cannot judge at the moment: of that, what was told stays told.
And with what it does not judge any more, which ends without a word: nobody saw it repaired.
"""

import hashlib
from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from efs_monitor.incidents.last_seen import LastSeen


class Condition(StrEnum):
    """What can be wrong; the value begins a key of the notification state, so it does not change."""

    UNSUBSCRIBED = "unsubscribed"
    UNCONFIRMED = "unconfirmed"
    UNDELIVERED = "undelivered"
    TOPIC_GONE = "topic-gone"
    ACTION_FAILED = "action-failed"
    EVALUATION_ERROR = "evaluation-error"
    EVALUATION_FAILURE = "evaluation-failure"
    METRICS_LATE = "metrics-late"
    METRICS_UNSEEN = "metrics-unseen"
    METRICS_STOPPED = "metrics-stopped"
    METRICS_NEVER_CAME = "metrics-never-came"
    FUNCTION_FAILS = "function-fails"
    NOT_RECALCULATED = "not-recalculated"
    NOT_STARTED = "not-started"
    WATCHED_TWICE = "watched-twice"
    LEFT_BEHIND = "left-behind"


OF_METRICS = frozenset(
    {
        Condition.METRICS_LATE,
        Condition.METRICS_UNSEEN,
        Condition.METRICS_STOPPED,
        Condition.METRICS_NEVER_CAME,
    }
)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong: `about` which topic, alarm, function or stack, and `detail` as a sentence of a mail.

    `last_seen` is of credits that had ended, or were about to, when metrics of them stopped coming.
    """

    condition: Condition
    about: str = ""
    detail: str = ""
    further: str = ""
    last_seen: "LastSeen | None" = None

    @property
    def key(self) -> str:
        """What stays the same while the very same finding lasts."""
        return ":".join(part for part in (self.condition, self.about, self.further) if part)

    @property
    def older_key(self) -> str:
        """What versions remembered that kept one given topic and another apart by the name of the severity alone."""
        return ":".join(part for part in (self.condition, self.about) if part)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What is wrong now is `found`. `undecided(key)` is True where a told condition that is not in `found` cannot be
    judged, so it is not over. `forgotten(key)` is True where it is about something that is not judged any more, such as
    a topic in whose place another was given: nobody will see it end.
    """

    found: tuple[Finding, ...] = ()
    undecided: Callable[[str], bool] = field(default=lambda key: False)  # noqa: ARG005 - nothing is undecided
    forgotten: Callable[[str], bool] = field(default=lambda key: False)  # noqa: ARG005 - nothing is forgotten

    def of_metrics_alone(self) -> "Verdict":
        """What is wrong, without what the credits did when their metrics were seen last."""
        return replace(self, found=tuple(replace(one, last_seen=None) for one in self.found))

    def __add__(self, other: "Verdict") -> "Verdict":
        return Verdict(
            found=self.found + other.found,
            undecided=lambda key: self.undecided(key) or other.undecided(key),
            forgotten=lambda key: self.forgotten(key) or other.forgotten(key),
        )


def all_but(judged: Container[str], *conditions: Condition) -> Callable[[str], bool]:
    """Which keys of these conditions are of something that is not judged any more."""
    return lambda key: key.partition(":")[0] in conditions and key not in judged


def digest(text: str) -> str:
    """A short name for a long one: a parameter holds 4,096 characters."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def times_of(number: float, one: str, many: str) -> str:
    return f"{number:.0f} {one if round(number) == 1 else many}"
