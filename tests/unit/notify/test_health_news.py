"""Each condition is told once, its end once, and to somebody."""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.mail.chat import chat
from efs_monitor.mail.layout import compose
from efs_monitor.notify.alarm_health import balance_again
from efs_monitor.notify.health import judge_health
from efs_monitor.notify.health_finding import Condition
from efs_monitor.notify.health_news import Reports, health_news, somebody_missed_mails, untold
from efs_monitor.notify.health_observations import AlarmAction, Deliveries, HealthObservations, Runs, Subscription
from efs_monitor.notify.other_mode import OtherMode
from efs_monitor.notify.state import HealthNotifications, NotificationState, notification_state_from_json
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.mail.mail_cases import FILE_SYSTEM_ID, HERE
from tests.unit.notify.seen_health import (
    EMAIL,
    SUBSCRIBED,
    TOPIC_ARNS,
    TOPICS,
    WAITING,
    an_alarm,
    balances,
    observed,
    watch,
)
from tests.unit.strategies import NOW

NOTHING = HealthNotifications()
A_MAIL = compose(
    subject="STILL CRITICAL",
    about="",
    paragraphs=["It lasts."],
    short="It lasts.",
    chat=chat(HERE, FILE_SYSTEM_ID, "critical", ["It lasts."]),
)
OTHER = dataclasses.replace(SUBSCRIBED, endpoint="other@example.com")
OTHER_WAITING = dataclasses.replace(WAITING, endpoint="other@example.com")
SILENT = observed(balances=balances(timedelta(hours=5)))
HALF_SUBSCRIBED = observed(subscriptions={"advice": (SUBSCRIBED,), "warning": (), "critical": ()})


def told_of(seen: HealthObservations, told: HealthNotifications = NOTHING) -> Reports:
    verdict = judge_health(seen, watch(), NOW)
    return health_news(verdict, told, seen.subscriptions, FILE_SYSTEM_ID, HERE, balance_again(seen, NOW))


def subjects(found: Reports) -> list[str]:
    return [message.subject.replace(f", {FILE_SYSTEM_ID}", "") for message in found.messages]


def test_where_nothing_is_wrong_nothing_is_said_or_remembered() -> None:
    assert told_of(observed()) == Reports(messages=(), topic="advice", state_when_told=NOTHING)


def test_a_condition_is_told_once_and_its_end_once() -> None:
    first = told_of(SILENT)
    assert subjects(first) == ["ACTION: metrics stopped, nobody is warned"]
    assert subjects(told_of(SILENT, first.state_when_told)) == []
    over = told_of(observed(), first.state_when_told)
    assert subjects(over) == ["INFO: metrics are back"]
    assert over.state_when_told == NOTHING
    assert subjects(told_of(SILENT, over.state_when_told)) == subjects(first)


def test_what_cannot_be_judged_stays_told_and_is_not_said_to_be_over() -> None:
    first = told_of(SILENT)
    elastic = told_of(observed(credits_matter=False), first.state_when_told)
    assert (subjects(elastic), elastic.state_when_told) == ([], first.state_when_told)


def test_one_mail_tells_of_every_topic_with_the_same_trouble() -> None:
    found = told_of(HALF_SUBSCRIBED)
    assert subjects(found) == ["ACTION: mail address not subscribed (warning, critical)"]


def test_only_what_is_new_is_told_of_a_trouble_that_grows() -> None:
    one_lost = observed(subscriptions={"advice": (SUBSCRIBED,), "warning": (), "critical": (SUBSCRIBED,)})
    found = told_of(HALF_SUBSCRIBED, told_of(one_lost).state_when_told)
    assert subjects(found) == ["ACTION: mail address not subscribed (critical)"]
    back = told_of(one_lost, found.state_when_told)
    assert subjects(back) == ["INFO: mail address subscribed again (critical)"]
    assert back.state_when_told.conditions == {"unsubscribed:warning"}


def test_a_confirmed_subscription_ends_what_was_told_of_it() -> None:
    waiting = observed(subscriptions={"advice": (SUBSCRIBED,), "warning": (WAITING,), "critical": (SUBSCRIBED,)})
    first = told_of(waiting)
    assert subjects(first) == ["ACTION: subscription not confirmed (warning)"]
    assert subjects(told_of(observed(), first.state_when_told)) == [
        "INFO: no subscription waits to be confirmed any more (warning)"
    ]


def test_an_address_is_the_same_whatever_its_capitals_are() -> None:
    capitals = dataclasses.replace(SUBSCRIBED, endpoint=SUBSCRIBED.endpoint.title())
    assert (
        subjects(told_of(observed(subscriptions=dict.fromkeys(("advice", "warning", "critical"), (capitals,))))) == []
    )


def interleaved() -> HealthObservations:
    """Two topics, each with the same two troubles: their findings come topic by topic."""
    return observed(subscriptions={"advice": (SUBSCRIBED,), "warning": (OTHER_WAITING,), "critical": (OTHER_WAITING,)})


def test_troubles_found_topic_by_topic_are_told_in_one_mail_each() -> None:
    found = told_of(interleaved())
    assert [one.condition for one in judge_health(interleaved(), watch(), NOW).found] == [
        Condition.UNCONFIRMED,
        Condition.UNSUBSCRIBED,
        Condition.UNCONFIRMED,
        Condition.UNSUBSCRIBED,
    ]
    assert subjects(found) == [
        "ACTION: mail address not subscribed (warning, critical)",
        "ACTION: subscription not confirmed (warning, critical)",
    ]


def test_the_end_of_a_failed_action_names_the_alarm_alone() -> None:
    arn = "arn:aws:sns:us-east-1:123456789012:home-critical"
    action = AlarmAction(alarm="critical", target_arn=arn, time=NOW, error="not authorized")
    failed = told_of(observed(actions=(action,)))
    assert subjects(failed) == ["ACTION: alarm action failed (critical)"]
    worked = told_of(observed(actions=(dataclasses.replace(action, error=""),)), failed.state_when_told)
    assert subjects(worked) == ["INFO: alarm actions work again (critical)"]


def test_what_is_not_about_subscriptions_waits_until_somebody_gets_the_mails_of_advice() -> None:
    lost = {"advice": (), "warning": (SUBSCRIBED,), "critical": (SUBSCRIBED,)}
    failing = {"advice": Deliveries(published=3, failed=3)}
    found = told_of(observed(subscriptions=lost, deliveries=failing))
    assert subjects(found) == ["ACTION: mail address not subscribed (advice)"]
    assert found.state_when_told.conditions == {"unsubscribed:advice"}
    back = told_of(observed(deliveries=failing), found.state_when_told)
    assert subjects(back) == [
        "INFO: mail address subscribed again (advice)",
        "ACTION: messages not delivered (advice)",
    ]


def test_that_the_topic_of_advice_is_gone_is_told_on_another_and_its_return_on_advice() -> None:
    lost = {"advice": (), "warning": (SUBSCRIBED,), "critical": (SUBSCRIBED,)}
    found = told_of(observed(subscriptions=lost, gone_topics=frozenset({"advice"})))
    assert (subjects(found), found.topic) == (["ACTION: topic deleted, nobody is told on it (advice)"], "warning")
    assert f"advice: there is no topic {TOPIC_ARNS['advice']} any more" in " ".join(found.messages[0].body.split())
    back = told_of(observed(), found.state_when_told)
    assert (subjects(back), back.topic) == (["INFO: the topic is there again (advice)"], "advice")


def test_while_nobody_gets_the_mails_of_advice_nothing_else_is_told_or_remembered() -> None:
    nobody = observed(subscriptions=dict.fromkeys(TOPICS, (WAITING,)), balances=balances(timedelta(hours=5)))
    found = told_of(nobody)
    assert (found.messages, found.topic, found.state_when_told) == ((), None, NOTHING)
    assert "ACTION: metrics stopped, nobody is warned" in subjects(told_of(SILENT, found.state_when_told))


@pytest.mark.parametrize(
    ("warning", "critical", "topic"),
    [((SUBSCRIBED,), (SUBSCRIBED,), "warning"), ((WAITING,), (SUBSCRIBED,), "critical")],
)
def test_that_nobody_gets_the_mails_of_advice_is_told_where_somebody_does(
    warning: tuple[Subscription, ...], critical: tuple[Subscription, ...], topic: str
) -> None:
    lost = observed(
        subscriptions={"advice": (), "warning": warning, "critical": critical}, balances=balances(timedelta(hours=5))
    )
    found = told_of(lost)
    assert (subjects(found), found.topic) == (["ACTION: mail address not subscribed (advice)"], topic)
    assert told_of(lost, found.state_when_told).messages == ()
    back = told_of(SILENT, found.state_when_told)
    assert subjects(back) == [
        "INFO: mail address subscribed again (advice)",
        "ACTION: metrics stopped, nobody is warned",
    ]


GIVEN_ARN = "arn:aws:sns:us-east-1:123456789012:storage-critical"
ANOTHER_ARN = "arn:aws:sns:us-east-1:123456789012:pager-critical"


def given_topic(arn: str, *, gone: bool = False, waiting: bool = False) -> HealthObservations:
    """The stack was given this topic for Critical."""
    return observed(
        topic_arns={**TOPIC_ARNS, "critical": arn},
        subscriptions={**dict.fromkeys(TOPICS, (SUBSCRIBED,)), "critical": (OTHER_WAITING,) if waiting else ()},
        deliveries=dict.fromkeys(("advice", "warning"), Deliveries(published=2, failed=0)),
        gone_topics=frozenset({"critical"} if gone else ()),
    )


def told_with_given_topic(seen: HealthObservations, told: HealthNotifications = NOTHING) -> Reports:
    verdict = judge_health(seen, watch(own_topics=("advice", "warning")), NOW)
    return health_news(verdict, told, seen.subscriptions, FILE_SYSTEM_ID, HERE)


@pytest.mark.parametrize(
    ("trouble", "found", "over"),
    [
        ({"gone": True}, "ACTION: topic deleted, nobody is told on it", "INFO: the topic is there again"),
        (
            {"waiting": True},
            "ACTION: subscription not confirmed",
            "INFO: no subscription waits to be confirmed any more",
        ),
    ],
)
def test_another_given_topic_is_another_subject(trouble: dict[str, bool], found: str, over: str) -> None:
    first = told_with_given_topic(given_topic(GIVEN_ARN, **trouble))
    assert subjects(first) == [f"{found} (critical)"]
    same = told_with_given_topic(given_topic(GIVEN_ARN), first.state_when_told)
    assert (subjects(same), same.state_when_told) == ([f"{over} (critical)"], NOTHING)
    other = told_with_given_topic(given_topic(ANOTHER_ARN), first.state_when_told)
    assert (subjects(other), other.state_when_told) == ([], NOTHING)
    both = told_with_given_topic(given_topic(ANOTHER_ARN, **trouble), first.state_when_told)
    assert subjects(both) == [f"{found} (critical)"]
    assert len(both.state_when_told.conditions) == 1


@pytest.mark.parametrize(("trouble", "key"), [("gone", "topic-gone:critical"), ("waiting", "unconfirmed:critical")])
def test_what_a_version_before_told_of_a_given_topic_is_not_told_again(trouble: str, key: str) -> None:
    """It remembered the name of the severity alone."""
    told = HealthNotifications(conditions=frozenset({key}))
    lasting = told_with_given_topic(given_topic(GIVEN_ARN, **{trouble: True}), told)
    assert subjects(lasting) == []
    assert [one.startswith(f"{key}:") for one in lasting.state_when_told.conditions] == [True]
    elsewhere = told_with_given_topic(given_topic(GIVEN_ARN), told)
    assert (subjects(elsewhere), elsewhere.state_when_told) == ([], NOTHING)


WITHOUT_BENCHMARKS = observed(left_behind=None)
GIVEN = given_topic(GIVEN_ARN)


@pytest.mark.parametrize(
    ("key", "seen", "own_topics", "email"),
    [
        ("unsubscribed:critical", observed(), TOPICS, ""),
        ("unsubscribed:critical", GIVEN, ("advice", "warning"), EMAIL),
        ("unconfirmed:critical", GIVEN, ("advice", "warning"), EMAIL),
        ("undelivered:critical", GIVEN, ("advice", "warning"), EMAIL),
        ("topic-gone:critical", GIVEN, ("advice", "warning"), EMAIL),
        ("action-failed:critical:000000000000", observed(), TOPICS, EMAIL),
        ("not-started:CollectBenchmark", WITHOUT_BENCHMARKS, TOPICS, EMAIL),
        ("function-fails:RunBenchmark", WITHOUT_BENCHMARKS, TOPICS, EMAIL),
        ("left-behind:i-0123456789abcdef0", WITHOUT_BENCHMARKS, TOPICS, EMAIL),
    ],
)
def test_what_a_stack_has_not_to_look_after_any_more_ends_without_a_word(
    key: str, seen: HealthObservations, own_topics: tuple[str, ...], email: str
) -> None:
    verdict = judge_health(seen, watch(email=email, own_topics=own_topics), NOW)
    found = health_news(
        verdict, HealthNotifications(conditions=frozenset({key})), seen.subscriptions, FILE_SYSTEM_ID, HERE
    )
    assert (subjects(found), found.state_when_told) == ([], NOTHING)


def test_a_condition_of_an_older_version_is_forgotten_without_a_word() -> None:
    found = told_of(observed(), HealthNotifications(conditions=frozenset({"renamed:critical"})))
    assert (found.messages, found.state_when_told) == ((), NOTHING)


def test_metrics_that_were_late_and_then_stopped_are_only_said_to_be_back() -> None:
    told = HealthNotifications(conditions=frozenset({"metrics-late", "metrics-stopped"}))
    found = told_of(observed(), told)
    assert (subjects(found), found.state_when_told.conditions) == (["INFO: metrics are back"], frozenset())


def test_late_metrics_that_come_in_time_again_are_told_once_however_they_were_told() -> None:
    told = HealthNotifications(conditions=frozenset({"metrics-late", "metrics-unseen"}))
    found = told_of(observed(), told)
    assert (subjects(found), found.state_when_told) == (["INFO: metrics come in time again"], NOTHING)


@pytest.mark.parametrize("condition", ["metrics-late", "metrics-unseen", "metrics-stopped", "metrics-never-came"])
@pytest.mark.parametrize(
    ("gib", "asks"), [((100, 106, 112, 118), False), ((118, 112, 106, 100), True), ((0.05, 0.06, 0.07, 0.08), True)]
)
def test_metrics_that_are_there_again_ask_for_nothing_where_the_credits_recover(
    condition: str, gib: tuple[float, ...], *, asks: bool
) -> None:
    """What lasts no second is nothing."""
    points = tuple(
        BalancePoint(time=NOW - timedelta(minutes=18 - 5 * at), balance_bytes=one * GIB) for at, one in enumerate(gib)
    )
    exhausted = an_alarm()._replace(threshold=6.0 * GIB)
    seen = observed(balances=points, alarms={**observed().alarms, AlarmKind.EXHAUSTED: exhausted})
    over = told_of(seen, HealthNotifications(conditions=frozenset({condition})))
    assert ["asked for still is to be done" in " ".join(one.body.split()) for one in over.messages] == [asks]


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize(
    ("subscribers", "line"),
    [
        ((), ": nobody is subscribed"),
        ((OTHER,), f": {EMAIL} is not subscribed"),
        ((SUBSCRIBED, OTHER_WAITING), ": email other@example.com has not confirmed"),
        ((SUBSCRIBED,), None),
        (None, None),
    ],
)
def test_each_topic_of_a_fleet_that_does_not_reach_whom_it_should_has_its_line(
    topic: str, subscribers: tuple[Subscription, ...] | None, line: str | None
) -> None:
    found = untold(dict.fromkeys(TOPICS, (SUBSCRIBED,)) | {topic: subscribers}, EMAIL)
    assert found == ((topic + line,) if line else ())


def test_without_an_address_a_fleet_misses_subscribers_only_where_there_are_none() -> None:
    assert untold({"advice": (OTHER,), "warning": (), "critical": (OTHER_WAITING,)}, "") == (
        "warning: nobody is subscribed",
        "critical: email other@example.com has not confirmed",
    )


def test_ends_are_told_in_the_order_of_their_names() -> None:
    told = {
        "unsubscribed:warning",
        "unconfirmed:critical",
        "undelivered:advice",
        "metrics-stopped",
        "function-fails:RunBenchmark",
        "function-fails:CollectBenchmark",
    }
    everything_works = observed(
        functions=dict(observed().functions)
        | {name: Runs(invocations=1, errors=0, hours=1) for name in ("RunBenchmark", "CollectBenchmark")}
    )
    assert subjects(told_of(everything_works, HealthNotifications(conditions=frozenset(told)))) == [
        "INFO: functions of the monitor work again (CollectBenchmark, RunBenchmark)",
        "INFO: metrics are back",
        "INFO: no subscription waits to be confirmed any more (critical)",
        "INFO: messages are delivered again (advice)",
        "INFO: mail address subscribed again (warning)",
    ]


def test_a_recurring_mail_comes_after_the_others_and_is_noted_beside_the_conditions() -> None:
    (stopped,) = told_of(SILENT).messages
    earlier = dataclasses.replace(NOTHING, mailed={"trend": NOW - timedelta(days=1)})
    found = told_of(SILENT, earlier).with_mail(A_MAIL, NOW, "critical")
    assert found.messages == (stopped, A_MAIL)
    assert found.state_when_told.mailed == {"trend": NOW - timedelta(days=1), "critical": NOW}
    assert found.state_when_told.conditions == {"metrics-stopped"}


def test_a_mail_that_does_not_recur_is_not_noted() -> None:
    assert told_of(observed()).with_mail(A_MAIL, NOW) == Reports(
        messages=(A_MAIL,), topic="advice", state_when_told=NOTHING
    )


@pytest.mark.parametrize(
    ("before", "over", "is_missed"),
    [
        ({"unsubscribed:advice"}, {"unsubscribed:advice"}, True),
        ({"unconfirmed:advice", "metrics-late"}, {"unconfirmed:advice"}, True),
        ({"topic-gone:advice:0123"}, {"topic-gone:advice:0123"}, True),
        ({"unsubscribed:advice"}, set(), False),
        ({"unsubscribed:critical", "metrics-late"}, {"unsubscribed:critical", "metrics-late"}, False),
    ],
)
def test_who_gets_the_mails_of_advice_again_has_missed_those_before(
    before: set[str], over: set[str], is_missed: bool
) -> None:
    told = dataclasses.replace(NOTHING, conditions=frozenset(before))
    now = dataclasses.replace(NOTHING, conditions=frozenset(before - over))
    assert somebody_missed_mails(told, now) is is_missed


def test_another_mode_is_remembered_beside_what_is_told() -> None:
    other = OtherMode(
        mode=ThroughputMode.ELASTIC, provisioned_bytes_per_second=0, since=NOW, locked_since=NOW, balance_bytes=1.0
    )
    found = told_of(SILENT)
    assert found.with_other_mode(other) == dataclasses.replace(
        found, state_when_told=dataclasses.replace(found.state_when_told, other_mode=other)
    )
    assert found.with_other_mode(other).with_other_mode(None) == found


@given(
    st.frozensets(
        st.sampled_from([f"{condition}:{about}" for condition in Condition for about in (*TOPICS, "Explain")])
    ),
    st.booleans(),
    st.sampled_from(["", EMAIL]),
)
def test_telling_the_same_thing_twice_says_nothing_the_second_time(
    conditions: frozenset[str], fails: bool, email: str
) -> None:
    seen = observed(
        deliveries=dict.fromkeys(TOPICS, Deliveries(published=3, failed=int(fails))),
        functions=dict(observed().functions) | {"Explain": Runs(invocations=3, errors=3 * fails, hours=3)},
    )
    verdict = judge_health(seen, watch(email=email), NOW)
    once = health_news(verdict, HealthNotifications(conditions=conditions), seen.subscriptions, FILE_SYSTEM_ID, HERE)
    again = health_news(verdict, once.state_when_told, seen.subscriptions, FILE_SYSTEM_ID, HERE)
    assert (again.messages, again.state_when_told) == ((), once.state_when_told)


def test_everything_at_once_fits_the_memory() -> None:
    """SSM's standard parameters hold 4,096 characters; an alarm has at most five actions a state."""
    kinds = ("warning", "critical", "permitted-throughput-rise")
    actions = {f"action-failed:{kind}:{number:012x}" for kind in kinds for number in range(10)}
    others = {f"{condition}:{topic}" for condition in Condition for topic in (*TOPICS, "RecalculateThresholds")}
    given = {f"{one}:{topic}:{0:012x}" for one in (Condition.UNCONFIRMED, Condition.TOPIC_GONE) for topic in TOPICS}
    recalculation = {f"edited:{kind}:{0:012x}" for kind in kinds} | {f"missing:{kind}" for kind in kinds}
    told = NotificationState(
        reference_bytes_per_second=2**50,
        suspended=True,
        conditions=frozenset(recalculation | {"file-system-gone"}),
        health=HealthNotifications(
            conditions=frozenset(actions | others | given), mailed=dict.fromkeys(("warning", "critical", "trend"), NOW)
        ),
    )
    stored = told.to_json(FILE_SYSTEM_ID)
    assert len(stored) <= 4096
    assert notification_state_from_json(stored, FILE_SYSTEM_ID) == told
