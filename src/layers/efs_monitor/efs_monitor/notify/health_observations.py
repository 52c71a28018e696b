"""What was seen around the alarms, by which the rules of health judge."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import Work

if TYPE_CHECKING:
    from efs_monitor.benchmarks.ledger import LeftBehind


@dataclass(frozen=True, kw_only=True)
class Subscription:
    """One subscriber of a topic, confirmed or not yet."""

    protocol: str
    endpoint: str
    confirmed: bool


@dataclass(frozen=True, kw_only=True)
class Deliveries:
    """What became of a topic's messages in the last day: messages published, deliveries given up."""

    published: float
    failed: float


@dataclass(frozen=True, kw_only=True)
class AlarmAction:
    """The newest run of one of an alarm's actions; `error` is empty for one that worked."""

    alarm: str
    target_arn: str
    time: datetime
    error: str


@dataclass(frozen=True, kw_only=True)
class Runs:
    """How often a function was invoked in the last hours, in how many of these hours, and how often it failed."""

    invocations: float
    errors: float
    hours: int


@dataclass(frozen=True, kw_only=True)
class HealthObservations:
    """Everything seen around the alarms in one run.

    Of a topic whose `subscriptions` may not be read, such as another account's, there are None: somebody may be there.
    `topic_arns` has the ARN of each; `gone_topics` are not there any more. `deliveries` are known of topics that the
    stack makes: SNS counts those of all publishers together. `balances` are those of the last week in steps of five
    minutes, oldest first, each with the time at which its step begins, and `newest_minutes` those of the last hours
    minute by minute, read where they are late; `waiting_since` is when an alarm began to wait for its first datapoint,
    None once it had one. `actions` holds each current action of each alarm that was run in the last day, `alarms` those
    of the stack that exist, `functions` the report of silence itself under `ReportSilence`. `other_stacks` watch the
    same file system. `work` and what was `permitted` at most are those of the last week where credits mean nothing, in
    steps of five minutes. `fleet_topics` are those of the fleet that made the stack, whose digest says who has not
    confirmed. What benchmarks have `left_behind` is None where that cannot be known. When the stack was last `deployed`
    is None where that is not known, or no question. `changed_seen` is when the monitor last saw that the throughput was
    changed.
    """

    subscriptions: Mapping[str, tuple[Subscription, ...] | None]
    topic_arns: Mapping[str, str]
    deliveries: Mapping[str, Deliveries]
    actions: tuple[AlarmAction, ...]
    alarms: Mapping[AlarmKind, LiveAlarm]
    balances: tuple[BalancePoint, ...]
    waiting_since: datetime | None
    credits_matter: bool
    functions: Mapping[str, Runs]
    other_stacks: tuple[str, ...]
    changed_seen: datetime | None = None
    newest_minutes: tuple[BalancePoint, ...] = ()
    work: tuple[Work, ...] = ()
    permitted: tuple[tuple[datetime, float], ...] = ()
    gone_topics: Set[str] = frozenset()
    fleet_topics: Set[str] = frozenset()
    left_behind: "tuple[LeftBehind, ...] | None" = None
    deployed: datetime | None = None
