"""Whether whoever should be told is: subscriptions, topics that are gone, and messages that did not arrive."""

from collections.abc import Mapping, Set
from dataclasses import replace

from efs_monitor.notify.health_finding import Condition, Finding, Verdict, all_but, digest, times_of
from efs_monitor.notify.health_observations import Deliveries, HealthObservations, Subscription


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
        # Whether SNS keeps the capitals of an address AWS does not say.
        if topic in unsubscribed and alert_email.lower() not in {one.endpoint.lower() for one in subscribers}:
            found.append(unsubscribed[topic])
    judged = {one.key: one.about for one in (*unconfirmed.values(), *unsubscribed.values())}
    unread = {key for key, topic in judged.items() if subscriptions[topic] is None}
    return Verdict(
        found=tuple(found),
        undecided=unread.__contains__,
        forgotten=all_but(judged, Condition.UNCONFIRMED, Condition.UNSUBSCRIBED),
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
        forgotten=all_but({one.key for one in judged.values()}, Condition.TOPIC_GONE),
    )


def about_deliveries(deliveries: Mapping[str, Deliveries]) -> Verdict:
    """Topics whose messages did not reach somebody. It is over when messages went out and none failed, not when
    nothing was sent.
    """
    judged = {
        topic: Finding(
            condition=Condition.UNDELIVERED,
            about=topic,
            detail=f"{topic}: {times_of(one.failed, 'delivery', 'deliveries')} given up in the last day, of "
            f"{times_of(one.published, 'message', 'messages')} published",
        )
        for topic, one in deliveries.items()
    }
    unused = {judged[topic].key for topic, one in deliveries.items() if one.published == 0}
    return Verdict(
        found=tuple(judged[topic] for topic, one in deliveries.items() if one.failed > 0),
        undecided=unused.__contains__,
        forgotten=all_but({one.key for one in judged.values()}, Condition.UNDELIVERED),
    )


def topics_to_judge(seen: HealthObservations) -> Mapping[str, tuple[Subscription, ...] | None]:
    """Who is subscribed; as if unknown where a topic is gone, since nobody could be subscribed to it anew, and of those
    of a fleet, of which each of its stacks would say the same.
    """
    left_out = seen.gone_topics | seen.fleet_topics
    return {topic: None if topic in left_out else found for topic, found in seen.subscriptions.items()}


def _if_given(topic: str, topic_arns: Mapping[str, str], own_topics: Set[str]) -> str:
    """What keeps a topic that was given apart from another that is given later; the stack's own is always the same."""
    return "" if topic in own_topics else digest(topic_arns[topic])
