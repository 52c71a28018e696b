"""What people are told of silence: each condition once, and once more when it is over."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.mail.health_mails import silence_found, silence_over
from efs_monitor.mail.layout import Message
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.notify.health_finding import Condition, Finding, Verdict
from efs_monitor.notify.health_observations import Subscription
from efs_monitor.notify.other_mode import OtherMode
from efs_monitor.notify.state import HealthNotifications
from efs_monitor.notify.topic_health import about_subscriptions

if TYPE_CHECKING:
    from efs_monitor.incidents.seen_again import SeenAgain

# Where a mail goes that says that nobody gets the mails of Advice.
LAST_RESORTS = (Topic.WARNING, Topic.CRITICAL)
# What the digest of a fleet says of a subscriber.
LACKS = {Condition.UNSUBSCRIBED: "is not subscribed", Condition.UNCONFIRMED: "has not confirmed"}
LEAVES_NOBODY = frozenset({Condition.UNSUBSCRIBED, Condition.UNCONFIRMED, Condition.TOPIC_GONE})


@dataclass(frozen=True, kw_only=True)
class Reports:
    """The messages, the topic they go to, and what is then told; without a topic nothing is sent or remembered."""

    messages: tuple[Message, ...]
    topic: str | None
    state_when_told: HealthNotifications

    def with_mail(self, message: Message, time: datetime, what: str | None = None) -> "Reports":
        """These and another mail. Of a recurring kind, `what`, its `time` is remembered."""
        state = self.state_when_told
        if what is not None:
            state = replace(state, mailed={**state.mailed, what: time})
        return replace(self, messages=(*self.messages, message), state_when_told=state)

    def with_other_mode(self, other: OtherMode | None) -> "Reports":
        """These, with `other` to be remembered: a throughput mode in which credits mean nothing, or None."""
        return replace(self, state_when_told=replace(self.state_when_told, other_mode=other))


def health_news(
    verdict: Verdict,
    state: HealthNotifications,
    subscriptions: Mapping[str, tuple[Subscription, ...] | None],
    file_system_id: str,
    stack: StackContext,
    balance: "SeenAgain | None" = None,
) -> Reports:
    """What to say of a verdict, and where metrics are there again, of the `balance`.

    A mail that nobody gets tells nobody: without a confirmed subscriber on Advice, what is wrong waits to be told
    until there is one. Only that Advice has nobody, or is gone, is said at once, on the topic that has somebody.
    """
    topic = audience(subscriptions)
    if topic != Topic.ADVICE:
        found = tuple(one for one in verdict.found if one.about == Topic.ADVICE and one.condition in LEAVES_NOBODY)
        untold = tuple(one for one in found if topic is not None and not _is_told(one, state))
        state_when_told = replace(state, conditions=state.conditions | {one.key for one in untold})
        return Reports(messages=_found(untold, file_system_id, stack), topic=topic, state_when_told=state_when_told)
    keys = {one.key for one in verdict.found}
    forgotten = {key for key in state.conditions - keys if verdict.forgotten(key)}
    over = {key for key in state.conditions - keys - forgotten if not verdict.undecided(key)}
    new = tuple(one for one in verdict.found if not _is_told(one, state))
    return Reports(
        messages=(*_over(over, file_system_id, stack, balance), *_found(new, file_system_id, stack)),
        topic=Topic.ADVICE,
        state_when_told=replace(state, conditions=(state.conditions - forgotten - over) | keys),
    )


def audience(subscriptions: Mapping[str, tuple[Subscription, ...] | None]) -> str | None:
    """The topic whose mails reach somebody, or may: Advice, if it can be."""
    for topic in (Topic.ADVICE, *LAST_RESORTS):
        subscribers = subscriptions.get(topic, ())
        if subscribers is None or any(one.confirmed for one in subscribers):
            return topic
    return None


def somebody_missed_mails(before: HealthNotifications, now: HealthNotifications) -> bool:
    """Whether what kept somebody from the mails of Advice, or all, was told `before` and is over `now`: they know none
    of those that went out meanwhile.
    """
    ended = [key.split(":") for key in before.conditions - now.conditions]
    return any(condition in LEAVES_NOBODY and about[:1] == [Topic.ADVICE] for condition, *about in ended)


def untold(subscriptions: Mapping[str, tuple[Subscription, ...] | None], address: str) -> tuple[str, ...]:
    """A line for whatever keeps a topic of a fleet from reaching somebody: nobody is subscribed, or not the fleet's own
    `address`, or a subscriber has not confirmed. Of a topic that could not be read nothing is said.
    """
    verdict = about_subscriptions(subscriptions, {}, address, subscriptions.keys())
    return (
        *(f"{topic}: nobody is subscribed" for topic, subscribers in subscriptions.items() if subscribers == ()),
        *(f"{one.detail} {LACKS[one.condition]}" for one in verdict.found if subscriptions[one.about]),
    )


def _is_told(finding: Finding, state: HealthNotifications) -> bool:
    return not state.conditions.isdisjoint({finding.key, finding.older_key})


def _found(findings: Iterable[Finding], file_system_id: str, stack: StackContext) -> tuple[Message, ...]:
    """A mail for each condition, with all that was found of it."""
    by_condition = sorted(findings, key=lambda one: list(Condition).index(one.condition))
    return tuple(
        silence_found(tuple(group), file_system_id, stack)
        for _, group in groupby(by_condition, key=lambda one: one.condition)
    )


def _over(
    keys: Iterable[str], file_system_id: str, stack: StackContext, balance: "SeenAgain | None"
) -> tuple[Message, ...]:
    """A mail for each condition that ended; what an older version called otherwise is forgotten without a word."""
    ended: dict[Condition, list[str]] = {}
    for key in sorted(keys):
        condition, *about = key.split(":")
        if condition in Condition:
            ended.setdefault(Condition(condition), []).append(about[0] if about else "")
    if Condition.METRICS_STOPPED in ended:
        # Metrics that are back are neither late nor missing: one mail says all of it.
        for one in (Condition.METRICS_LATE, Condition.METRICS_UNSEEN, Condition.METRICS_NEVER_CAME):
            ended.pop(one, None)
    if Condition.METRICS_UNSEEN in ended:
        ended.pop(Condition.METRICS_LATE, None)
    return tuple(silence_over(condition, about, file_system_id, stack, balance) for condition, about in ended.items())
