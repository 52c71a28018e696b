"""Whatever keeps people from being told, or has them told twice, judged from what was seen around the alarms.

Silence looks like calm: a subscription nobody confirmed, an alarm action that failed, metrics that stopped, a function
that no longer runs. Each rule here answers with what it found, and with what it cannot judge at the moment: of that,
what was told stays told.
"""

import hashlib
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import Work

if TYPE_CHECKING:
    from efs_monitor.benchmarks.ledger import LeftBehind
    from efs_monitor.config import Watch

ADVICE = "advice"
RECALCULATION = "RecalculateThresholds"
# The function that runs all this.
REPORT = "ReportSilence"
# The balances of a week are the lowest of so many minutes each: hours would not tell when a balance stopped coming, and
# minutes are 10,080 points.
BALANCE_STEP = timedelta(minutes=5)
# An alarm looks back 15 minutes and a few more; the newest step may hold only its first minute.
LATE = timedelta(minutes=20)
# What is newer than this reaches an alarm, wherever in its step it lies; in between nobody knows.
IN_TIME = timedelta(minutes=11)
# Lambda tries an event three times: after fewer failures it was seen to by one of the retries.
FAILURES_WORTH_TELLING = 3
# How many runs of the report show that the stack has been there long enough for the recalculation to have run.
RUNS_THAT_SHOW_TIME_PASSED = 2


class Condition(StrEnum):
    """What can be wrong; the value begins a key of the notification state, so it does not change."""

    UNSUBSCRIBED = "unsubscribed"
    UNCONFIRMED = "unconfirmed"
    UNDELIVERED = "undelivered"
    TOPIC_GONE = "topic-gone"
    ACTION_FAILED = "action-failed"
    METRICS_LATE = "metrics-late"
    METRICS_STOPPED = "metrics-stopped"
    METRICS_NEVER_CAME = "metrics-never-came"
    FUNCTION_FAILS = "function-fails"
    NOT_RECALCULATED = "not-recalculated"
    WATCHED_TWICE = "watched-twice"
    LEFT_BEHIND = "left-behind"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong: `about` which topic, alarm, function or stack, and `detail` as a sentence of a mail."""

    condition: Condition
    about: str = ""
    detail: str = ""
    further: str = ""

    @property
    def key(self) -> str:
        """What stays the same while the very same finding lasts."""
        return ":".join(part for part in (self.condition, self.about, self.further) if part)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What is wrong now is `found`. `undecided(key)` is True where a told condition that is not in `found` cannot be
    judged, so it is not over.
    """

    found: tuple[Finding, ...] = ()
    undecided: Callable[[str], bool] = field(default=lambda key: False)  # noqa: ARG005 - nothing is undecided

    def __add__(self, other: "Verdict") -> "Verdict":
        return Verdict(
            found=self.found + other.found,
            undecided=lambda key: self.undecided(key) or other.undecided(key),
        )


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
    """How often a function was invoked in the last hours, and how often it failed."""

    invocations: float
    errors: float


@dataclass(frozen=True, kw_only=True)
class HealthObservations:
    """Everything seen around the alarms in one run.

    Of a topic whose `subscriptions` may not be read, such as another account's, there are None: somebody may be
    there. `gone_topics` has the ARN of each that is not there any more. `deliveries` are known of topics that the stack
    makes: SNS counts those of all publishers together. `balances` are those of the last week in steps
    of five minutes, oldest first, each with the time at which its step begins; `waiting_since` is when an alarm began
    to wait for its first datapoint, None once it had one. `actions` holds each current action of each alarm that was
    run in the last day, `functions` the report of silence itself under `REPORT`. `other_stacks` watch the same file
    system. `work` and what was `permitted` at most are those of the last week where credits mean nothing, in steps of
    five minutes. `fleet_topics` are those of the fleet that made the stack, whose digest says who has not confirmed.
    What benchmarks have `left_behind` is None where that cannot be known.
    """

    subscriptions: Mapping[str, tuple[Subscription, ...] | None]
    deliveries: Mapping[str, Deliveries]
    actions: tuple[AlarmAction, ...]
    balances: tuple[BalancePoint, ...]
    waiting_since: datetime | None
    credits_matter: bool
    functions: Mapping[str, Runs]
    other_stacks: tuple[str, ...]
    work: tuple[Work, ...] = ()
    permitted: tuple[tuple[datetime, float], ...] = ()
    gone_topics: Mapping[str, str] = field(default_factory=dict)
    fleet_topics: Set[str] = frozenset()
    left_behind: "tuple[LeftBehind, ...] | None" = None


def find_faults(seen: HealthObservations, watch: "Watch", now: datetime) -> Verdict:
    """Everything that keeps people from being told."""
    return (
        about_subscriptions(_of_topics_to_judge(seen), watch.alert_email, watch.own_topics)
        + about_gone_topics(seen)
        + about_deliveries(seen.deliveries)
        + about_actions(seen.actions)
        + about_metrics(seen, watch.silent_metrics_hours, now)
        + about_functions(seen.functions)
        + about_other_stacks(seen.other_stacks)
        + about_left_behind(seen.left_behind, watch.benchmark_path)
    )


def about_subscriptions(
    subscriptions: Mapping[str, tuple[Subscription, ...] | None], alert_email: str, own_topics: Set[str]
) -> Verdict:
    """Subscribers that never confirmed, and topics of the stack's own that the configured address is not subscribed to
    any more.
    """
    found = []
    for topic, subscribers in subscriptions.items():
        if subscribers is None:
            continue
        waiting = [one for one in subscribers if not one.confirmed]
        if waiting:
            names = ", ".join(f"{one.protocol} {one.endpoint}" for one in waiting)
            found.append(Finding(condition=Condition.UNCONFIRMED, about=topic, detail=f"{topic}: {names}"))
        if alert_email and topic in own_topics and alert_email not in {one.endpoint for one in subscribers}:
            found.append(Finding(condition=Condition.UNSUBSCRIBED, about=topic, detail=f"{topic}: {alert_email}"))
    unread = {
        f"{condition}:{topic}"
        for topic, subscribers in subscriptions.items()
        if subscribers is None
        for condition in (Condition.UNCONFIRMED, Condition.UNSUBSCRIBED)
    }
    return Verdict(found=tuple(found), undecided=unread.__contains__)


def about_gone_topics(seen: HealthObservations) -> Verdict:
    """Topics that are not there any more: whatever is told to them reaches nobody."""
    unread = {f"{Condition.TOPIC_GONE}:{topic}" for topic, found in seen.subscriptions.items() if found is None}
    return Verdict(
        found=tuple(
            Finding(condition=Condition.TOPIC_GONE, about=topic, detail=f"{topic}: there is no topic {arn} any more")
            for topic, arn in seen.gone_topics.items()
        ),
        undecided=unread.__contains__,
    )


def about_deliveries(deliveries: Mapping[str, Deliveries]) -> Verdict:
    """Topics whose messages did not reach somebody. It is over when messages went out and none failed, not when
    nothing was sent.
    """
    found = tuple(
        Finding(
            condition=Condition.UNDELIVERED,
            about=topic,
            detail=f"{topic}: {_times(one.failed, 'delivery', 'deliveries')} given up in the last day, of "
            f"{_times(one.published, 'message', 'messages')} published",
        )
        for topic, one in deliveries.items()
        if one.failed > 0
    )
    unused = {f"{Condition.UNDELIVERED}:{topic}" for topic, one in deliveries.items() if one.published == 0}
    return Verdict(found=found, undecided=unused.__contains__)


def about_actions(actions: tuple[AlarmAction, ...]) -> Verdict:
    """Alarm actions whose newest run failed; CloudWatch does not try again. An action that was not run since says
    nothing new.
    """
    decided = {_key_of(one) for one in actions}
    return Verdict(
        found=tuple(
            Finding(
                condition=Condition.ACTION_FAILED,
                about=one.alarm,
                further=_digest(one.target_arn),
                detail=f"{one.alarm}, at {one.time:%H:%M} UTC on {one.time:%a} {one.time.day} {one.time:%b}, to "
                f"{one.target_arn}: {one.error}",
            )
            for one in actions
            if one.error
        ),
        undecided=lambda key: key.startswith(f"{Condition.ACTION_FAILED}:") and key not in decided,
    )


def about_metrics(seen: HealthObservations, silent_hours: int, now: datetime) -> Verdict:
    """Whether the balance still reaches CloudWatch, and in time: missing data leaves an alarm as it is, like calm.

    Where credits mean nothing the balance may not be published, so nothing is judged there. Metrics that stopped may
    have been late before: that this is over is not said until they are back, and in time.
    """
    if not seen.credits_matter or silent_hours == 0:
        return Verdict(undecided=_about_metrics)
    # The step may hold its last minute: of no later one there is anything.
    newest = seen.balances[-1].time + BALANCE_STEP if seen.balances else None
    if newest is None and seen.waiting_since is not None:
        if now - seen.waiting_since < timedelta(hours=silent_hours):
            return Verdict(undecided=_about_metrics)
        return Verdict(found=(Finding(condition=Condition.METRICS_NEVER_CAME),))
    if newest is not None and now - newest < LATE:
        return Verdict() if now - newest < IN_TIME else Verdict(undecided=Condition.METRICS_LATE.__eq__)
    since = f"since {newest:%H:%M} UTC on {newest:%a} {newest.day} {newest:%b}" if newest else "for more than a week"
    if newest is not None and now - newest < timedelta(hours=silent_hours):
        return Verdict(found=(Finding(condition=Condition.METRICS_LATE, detail=f"no datapoint {since} yet"),))
    return Verdict(
        found=(Finding(condition=Condition.METRICS_STOPPED, detail=f"no datapoint {since}"),),
        undecided=Condition.METRICS_LATE.__eq__,
    )


def about_functions(functions: Mapping[str, Runs]) -> Verdict:
    """The monitor's own functions: one that fails again and again, and a recalculation that is not run at all.

    That the report itself ran meanwhile shows that the stack is not just being deployed.
    """
    found = [
        Finding(
            condition=Condition.FUNCTION_FAILS,
            about=name,
            detail=f"{name}: {one.errors:.0f} of {_times(one.invocations, 'run', 'runs')} failed in the last hours",
        )
        for name, one in functions.items()
        if one.errors >= FAILURES_WORTH_TELLING
    ]
    time_passed = functions[REPORT].invocations >= RUNS_THAT_SHOW_TIME_PASSED
    if time_passed and functions[RECALCULATION].invocations == 0:
        found.append(Finding(condition=Condition.NOT_RECALCULATED))
    still_failing = {
        f"{Condition.FUNCTION_FAILS}:{name}"
        for name, one in functions.items()
        # Not run, or failed now and then: neither shows that it works.
        if one.invocations == 0 or one.errors > 0
    }
    return Verdict(found=tuple(found), undecided=still_failing.__contains__)


def about_other_stacks(stacks: tuple[str, ...]) -> Verdict:
    """Further stacks for the same file system; each of them finds the others, and tells its own people."""
    return Verdict(
        found=tuple(
            Finding(condition=Condition.WATCHED_TWICE, about=stack, detail=f"stack {stack}") for stack in stacks
        )
    )


def about_left_behind(left: "tuple[LeftBehind, ...] | None", path: str) -> Verdict:
    """What benchmarks on the file system mounted at `path` could not remove. It is over once a later one has."""
    if left is None:
        return Verdict(undecided=lambda key: key.startswith(f"{Condition.LEFT_BEHIND}:"))
    return Verdict(
        found=tuple(
            Finding(
                condition=Condition.LEFT_BEHIND,
                about=one.instance_id,
                detail=f"{one.instance_id} at {path}, at {one.began:%H:%M} UTC on {one.began:%a} {one.began.day} "
                f"{one.began:%b}: {one.what}",
            )
            for one in left
        )
    )


def _of_topics_to_judge(seen: HealthObservations) -> Mapping[str, tuple[Subscription, ...] | None]:
    """Who is subscribed; as if unknown where a topic is gone, since nobody could be subscribed to it anew, and of those
    of a fleet, of which each of its stacks would say the same.
    """
    left_out = seen.gone_topics.keys() | seen.fleet_topics
    return {topic: None if topic in left_out else found for topic, found in seen.subscriptions.items()}


def _about_metrics(key: str) -> bool:
    return key in {Condition.METRICS_LATE, Condition.METRICS_STOPPED, Condition.METRICS_NEVER_CAME}


def _key_of(action: AlarmAction) -> str:
    return f"{Condition.ACTION_FAILED}:{action.alarm}:{_digest(action.target_arn)}"


def _digest(text: str) -> str:
    """A short name for a long one: a parameter holds 4,096 characters."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _times(number: float, one: str, many: str) -> str:
    return f"{number:.0f} {one if round(number) == 1 else many}"
