"""Whatever keeps people from being told, or has them told twice, judged from what was seen around the alarms.

Silence looks like calm: a subscription nobody confirmed, an alarm action that failed, metrics that stopped, a function
that no longer runs. Each rule here answers with what it found, and with what it cannot judge at the moment: of that,
what was told stays told. And with what it does not judge any more, which ends without a word: nobody saw it repaired.
"""

import hashlib
from collections.abc import Callable, Container, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import Work

if TYPE_CHECKING:
    from efs_monitor.benchmarks.ledger import LeftBehind
    from efs_monitor.config import Watch

RECALCULATION = "RecalculateThresholds"
LATE_ALARMS = "SetLateAlarms"
# What nobody does, or notices, while its schedule does not start a function.
UNDONE = {
    LATE_ALARMS: "while metrics come late, nobody sets the alarms that CloudWatch leaves as they are",
    "CollectBenchmark": "a benchmark whose event is lost is not collected",
}
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
# Long enough for three hourly runs, and for the retries of one that failed. No schedule that is judged starts its
# function less often than once an hour.
RUNS_SEEN = timedelta(hours=3)
# How many runs of the report show that schedules have had the time to start what they start.
RUNS_THAT_SHOW_TIME_PASSED = 2
# In how many of the last hours a function is started again and again, and not by a benchmark's event or by hand.
HOURS_THAT_SHOW_A_SCHEDULE = 3


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

    @property
    def older_key(self) -> str:
        """What versions remembered that kept one given topic and another apart by the name of the severity alone."""
        return ":".join(part for part in (self.condition, self.about) if part)


# What CloudWatch says of an alarm that it does not evaluate, as it calls it.
NOT_EVALUATED = {
    "EVALUATION_ERROR": Condition.EVALUATION_ERROR,
    "EVALUATION_FAILURE": Condition.EVALUATION_FAILURE,
}
METRICS_NEVER_CAME = Finding(condition=Condition.METRICS_NEVER_CAME)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What is wrong now is `found`. `undecided(key)` is True where a told condition that is not in `found` cannot be
    judged, so it is not over. `forgotten(key)` is True where it is about something that is not judged any more, such as
    a topic in whose place another was given: nobody will see it end.
    """

    found: tuple[Finding, ...] = ()
    undecided: Callable[[str], bool] = field(default=lambda key: False)  # noqa: ARG005 - nothing is undecided
    forgotten: Callable[[str], bool] = field(default=lambda key: False)  # noqa: ARG005 - nothing is forgotten

    def __add__(self, other: "Verdict") -> "Verdict":
        return Verdict(
            found=self.found + other.found,
            undecided=lambda key: self.undecided(key) or other.undecided(key),
            forgotten=lambda key: self.forgotten(key) or other.forgotten(key),
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
    """How often a function was invoked in the last hours, in how many of these hours, and how often it failed."""

    invocations: float
    errors: float
    hours: int


@dataclass(frozen=True, kw_only=True)
class HealthObservations:
    """Everything seen around the alarms in one run.

    Of a topic whose `subscriptions` may not be read, such as another account's, there are None: somebody may be
    there. `topic_arns` has the ARN of each; `gone_topics` are not there any more. `deliveries` are known of topics that
    the stack makes: SNS counts those of all publishers together. `balances` are those of the last week in steps
    of five minutes, oldest first, each with the time at which its step begins; `waiting_since` is when an alarm began
    to wait for its first datapoint, None once it had one. `actions` holds each current action of each alarm that was
    run in the last day, `alarms` those of the stack that exist, `functions` the report of silence itself under
    `REPORT`. `other_stacks` watch the same file system. `work` and what was `permitted` at most are those of the last
    week where credits mean nothing, in steps of five minutes. `fleet_topics` are those of the fleet that made the
    stack, whose digest says who has not confirmed. What benchmarks have `left_behind` is None where that cannot be
    known. When the stack was last `deployed` is None where that is not known, or no question.
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
    work: tuple[Work, ...] = ()
    permitted: tuple[tuple[datetime, float], ...] = ()
    gone_topics: Set[str] = frozenset()
    fleet_topics: Set[str] = frozenset()
    left_behind: "tuple[LeftBehind, ...] | None" = None
    deployed: datetime | None = None


def find_faults(seen: HealthObservations, watch: "Watch", now: datetime) -> Verdict:
    """Everything that keeps people from being told."""
    return (
        about_subscriptions(_of_topics_to_judge(seen), seen.topic_arns, watch.alert_email, watch.own_topics)
        + about_gone_topics(seen, watch.own_topics)
        + about_deliveries(seen.deliveries)
        + about_actions(seen.actions, seen.alarms)
        + about_evaluation(seen.alarms)
        + about_metrics(seen, watch.silent_metrics_hours, now)
        + about_functions(seen, now)
        + about_other_stacks(seen.other_stacks)
        + about_left_behind(seen.left_behind, watch.benchmark_path)
    )


def about_subscriptions(
    subscriptions: Mapping[str, tuple[Subscription, ...] | None],
    topic_arns: Mapping[str, str],
    alert_email: str,
    own_topics: Set[str],
) -> Verdict:
    """Subscribers that never confirmed, and topics of the stack's own that the configured address is not subscribed to
    any more.
    """
    unconfirmed = {
        topic: Finding(condition=Condition.UNCONFIRMED, about=topic, further=_if_given(topic, topic_arns, own_topics))
        for topic in subscriptions
    }
    unsubscribed = {
        topic: Finding(condition=Condition.UNSUBSCRIBED, about=topic, detail=f"{topic}: {alert_email}")
        for topic in subscriptions
        if alert_email and topic in own_topics
    }
    found = []
    for topic, subscribers in subscriptions.items():
        if subscribers is None:
            continue
        waiting = [one for one in subscribers if not one.confirmed]
        if waiting:
            names = ", ".join(f"{one.protocol} {one.endpoint}" for one in waiting)
            found.append(replace(unconfirmed[topic], detail=f"{topic}: {names}"))
        if topic in unsubscribed and alert_email not in {one.endpoint for one in subscribers}:
            found.append(unsubscribed[topic])
    judged = {one.key: one.about for one in (*unconfirmed.values(), *unsubscribed.values())}
    unread = {key for key, topic in judged.items() if subscriptions[topic] is None}
    return Verdict(
        found=tuple(found),
        undecided=unread.__contains__,
        forgotten=_all_but(judged, Condition.UNCONFIRMED, Condition.UNSUBSCRIBED),
    )


def about_gone_topics(seen: HealthObservations, own_topics: Set[str]) -> Verdict:
    """Topics that are not there any more: whatever is told to them reaches nobody. Where another one was given, that
    one is judged, and of the one before nothing is said.
    """
    judged = {
        topic: Finding(
            condition=Condition.TOPIC_GONE,
            about=topic,
            further=_if_given(topic, seen.topic_arns, own_topics),
            detail=f"{topic}: there is no topic {seen.topic_arns[topic]} any more",
        )
        for topic in seen.subscriptions
    }
    unread = {judged[topic].key for topic, found in seen.subscriptions.items() if found is None}
    return Verdict(
        found=tuple(judged[topic] for topic in seen.subscriptions if topic in seen.gone_topics),
        undecided=unread.__contains__,
        forgotten=_all_but({one.key for one in judged.values()}, Condition.TOPIC_GONE),
    )


def about_deliveries(deliveries: Mapping[str, Deliveries]) -> Verdict:
    """Topics whose messages did not reach somebody. It is over when messages went out and none failed, not when
    nothing was sent.
    """
    judged = {
        topic: Finding(
            condition=Condition.UNDELIVERED,
            about=topic,
            detail=f"{topic}: {_times(one.failed, 'delivery', 'deliveries')} given up in the last day, of "
            f"{_times(one.published, 'message', 'messages')} published",
        )
        for topic, one in deliveries.items()
    }
    unused = {judged[topic].key for topic, one in deliveries.items() if one.published == 0}
    return Verdict(
        found=tuple(judged[topic] for topic, one in deliveries.items() if one.failed > 0),
        undecided=unused.__contains__,
        forgotten=_all_but({one.key for one in judged.values()}, Condition.UNDELIVERED),
    )


def about_actions(actions: tuple[AlarmAction, ...], alarms: Mapping[AlarmKind, LiveAlarm]) -> Verdict:
    """Alarm actions whose newest run failed; CloudWatch does not try again. An action that was not run since says
    nothing new, one of an alarm that is missing may come back with it, and one that its alarm has no more is over with.
    """
    ran = {_key_of(one.alarm, one.target_arn) for one in actions}
    judged = {_key_of(kind, target_arn) for kind, alarm in alarms.items() for target_arn in alarm.targets}

    def is_of_a_missing_alarm(key: str) -> bool:
        condition, _, rest = key.partition(":")
        return condition == Condition.ACTION_FAILED and rest.partition(":")[0] not in alarms

    is_dropped = _all_but(judged, Condition.ACTION_FAILED)
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
        undecided=lambda key: is_of_a_missing_alarm(key) or key in judged - ran,
        forgotten=lambda key: is_dropped(key) and not is_of_a_missing_alarm(key),
    )


def about_evaluation(alarms: Mapping[AlarmKind, LiveAlarm]) -> Verdict:
    """Alarms that CloudWatch does not evaluate. It does again when it says nothing of that any more: any other word,
    such as that it has a part of the data, is neither.
    """

    def undecided(key: str) -> bool:
        condition, _, kind = key.partition(":")
        is_evaluated = any(alarm == kind and not found.evaluation_state for alarm, found in alarms.items())
        return condition in NOT_EVALUATED.values() and not is_evaluated

    return Verdict(
        found=tuple(
            Finding(
                condition=NOT_EVALUATED[alarm.evaluation_state],
                about=kind,
                detail=f"{kind}, shown as {alarm.state}: {alarm.state_reason or 'no reason given'}",
            )
            for kind, alarm in alarms.items()
            if alarm.evaluation_state in NOT_EVALUATED
        ),
        undecided=undecided,
    )


def about_metrics(seen: HealthObservations, silent_hours: int, now: datetime) -> Verdict:
    """Whether the balance still reaches CloudWatch, and in time: missing data leaves an alarm as it is, like calm.

    Where credits mean nothing the balance may not be published, so nothing is judged there. Metrics that stopped may
    have been late before: that this is over is not said until they are back, and in time. For late ones the monitor
    sets the alarms itself, unless its function for that does not work.
    """
    if not seen.credits_matter or silent_hours == 0:
        return Verdict(undecided=_about_metrics)
    # The step may hold its last minute: of no later one there is anything.
    newest = seen.balances[-1].time + BALANCE_STEP if seen.balances else None
    if newest is None and seen.waiting_since is not None:
        found = () if now - seen.waiting_since < timedelta(hours=silent_hours) else (METRICS_NEVER_CAME,)
        # What came before an alarm was made anew, and stopped, is not back.
        return Verdict(found=found, undecided=_about_metrics)
    if newest is not None and now - newest < LATE:
        return Verdict() if now - newest < IN_TIME else Verdict(undecided=_LATE.__contains__)
    since = f"since {newest:%H:%M} UTC on {newest:%a} {newest.day} {newest:%b}" if newest else "for more than a week"
    if newest is not None and now - newest < timedelta(hours=silent_hours):
        condition = Condition.METRICS_LATE if _makes_up_for_late_metrics(seen, now) else Condition.METRICS_UNSEEN
        found = (Finding(condition=condition, detail=f"no datapoint {since} yet"),)
        return Verdict(found=found, undecided=_LATE.__contains__)
    return Verdict(
        found=(Finding(condition=Condition.METRICS_STOPPED, detail=f"no datapoint {since}"),),
        # Without any the first have not come either, whatever an alarm was set to.
        undecided=_about_metrics if newest is None else _LATE.__contains__,
    )


def about_functions(seen: HealthObservations, now: datetime) -> Verdict:
    """The monitor's own functions: one that fails again and again, and one that its schedule does not start at all."""
    functions, idle = seen.functions, _not_started(seen, now)
    found = [
        Finding(
            condition=Condition.FUNCTION_FAILS,
            about=name,
            detail=f"{name}: {one.errors:.0f} of {_times(one.invocations, 'run', 'runs')} failed in the last hours",
        )
        for name, one in functions.items()
        if one.errors >= FAILURES_WORTH_TELLING
    ]
    if RECALCULATION in idle:
        found.append(Finding(condition=Condition.NOT_RECALCULATED))
    found += [
        Finding(condition=Condition.NOT_STARTED, about=name, detail=f"{name}: {what}")
        for name, what in UNDONE.items()
        if name in idle
    ]
    still_failing = {
        f"{Condition.FUNCTION_FAILS}:{name}"
        for name, one in functions.items()
        # Not run, or failed now and then: neither shows that it works.
        if one.invocations == 0 or one.errors > 0
    }
    not_run = {Condition.NOT_RECALCULATED} if functions[RECALCULATION].invocations == 0 else set()
    not_started_for_long = {
        f"{Condition.NOT_STARTED}:{name}" for name, one in functions.items() if one.hours < HOURS_THAT_SHOW_A_SCHEDULE
    }
    judged = {f"{one}:{name}" for one in (Condition.FUNCTION_FAILS, Condition.NOT_STARTED) for name in functions}
    return Verdict(
        found=tuple(found),
        undecided=(still_failing | not_run | not_started_for_long).__contains__,
        forgotten=_all_but(judged, Condition.FUNCTION_FAILS, Condition.NOT_STARTED),
    )


def _not_started(seen: HealthObservations, now: datetime) -> frozenset[str]:
    """The functions that have a schedule which did not start them once in the last hours.

    That the report itself ran meanwhile, and that no deployment made them only now, shows that there was time for it.
    """
    was_deployed = seen.deployed is not None and now - seen.deployed < RUNS_SEEN
    if was_deployed or seen.functions[REPORT].invocations < RUNS_THAT_SHOW_TIME_PASSED:
        return frozenset()
    return frozenset(name for name in (RECALCULATION, *UNDONE) if is_idle(seen.functions, name))


def is_idle(functions: Mapping[str, Runs], name: str) -> bool:
    """Whether the stack has this function, and it was not invoked in the last hours."""
    return name in functions and functions[name].invocations == 0


def _makes_up_for_late_metrics(seen: HealthObservations, now: datetime) -> bool:
    """Whether alarms are set by what came late: the function for it is started, and not each of its runs failed."""
    runs = seen.functions[LATE_ALARMS]
    return LATE_ALARMS not in _not_started(seen, now) and (runs.invocations == 0 or runs.errors < runs.invocations)


def about_other_stacks(stacks: tuple[str, ...]) -> Verdict:
    """Further stacks for the same file system; each of them finds the others, and tells its own people."""
    return Verdict(
        found=tuple(
            Finding(condition=Condition.WATCHED_TWICE, about=stack, detail=f"stack {stack}") for stack in stacks
        )
    )


def about_left_behind(left: "tuple[LeftBehind, ...] | None", path: str) -> Verdict:
    """What benchmarks on the file system mounted at `path` could not remove. It is over once a later one has, and not
    judged any more where there are none.
    """
    if not path:
        return Verdict(forgotten=_all_but((), Condition.LEFT_BEHIND))
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
    left_out = seen.gone_topics | seen.fleet_topics
    return {topic: None if topic in left_out else found for topic, found in seen.subscriptions.items()}


_LATE = frozenset({Condition.METRICS_LATE, Condition.METRICS_UNSEEN})


def _about_metrics(key: str) -> bool:
    return key in _LATE | {Condition.METRICS_STOPPED, Condition.METRICS_NEVER_CAME}


def _all_but(judged: Container[str], *conditions: Condition) -> Callable[[str], bool]:
    """Which keys of these conditions are of something that is not judged any more."""
    return lambda key: key.partition(":")[0] in conditions and key not in judged


def _if_given(topic: str, topic_arns: Mapping[str, str], own_topics: Set[str]) -> str:
    """What keeps a topic that was given apart from another that is given later; the stack's own is always the same."""
    return "" if topic in own_topics else _digest(topic_arns[topic])


def _key_of(alarm: str, target_arn: str) -> str:
    return f"{Condition.ACTION_FAILED}:{alarm}:{_digest(target_arn)}"


def _digest(text: str) -> str:
    """A short name for a long one: a parameter holds 4,096 characters."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _times(number: float, one: str, many: str) -> str:
    return f"{number:.0f} {one if round(number) == 1 else many}"
