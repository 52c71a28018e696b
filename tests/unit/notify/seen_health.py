"""Surroundings in which nothing is wrong, to be spoilt one thing at a time."""

import dataclasses
from datetime import datetime, timedelta
from typing import Any

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.notify.health_observations import Deliveries, HealthObservations, Runs, Subscription
from efs_monitor.notify.health_settings import HealthSettings, RepeatHours

from tests.unit.strategies import NOW

EMAIL = "storage-team@example.com"
SUBSCRIBED = Subscription(protocol="email", endpoint=EMAIL, confirmed=True)
WAITING = dataclasses.replace(SUBSCRIBED, confirmed=False)
TOPICS = ("advice", "warning", "critical")
TOPIC_ARNS = {topic: f"arn:aws:sns:us-east-1:123456789012:home-{topic}" for topic in TOPICS}
FUNCTION_ARN = "arn:aws:lambda:us-east-1:123456789012:function:home-Explain"


def balances(*ages: timedelta, gib: float = 1000) -> tuple[BalancePoint, ...]:
    """Points of these ages, oldest first."""
    return tuple(BalancePoint(time=NOW - age, balance_bytes=gib * GIB) for age in sorted(ages, reverse=True))


def an_alarm(*target_arns: str) -> LiveAlarm:
    """Critical, as it tells these of its changes."""
    return LiveAlarm(
        name="home-critical",
        threshold=1.0,
        description="",
        actions_enabled=True,
        state="OK",
        settings={"AlarmActions": list(target_arns), "OKActions": list(target_arns)},
    )


def observed(**changes: Any) -> HealthObservations:
    """Everybody subscribed, everything delivered, metrics fresh, every function running."""
    return dataclasses.replace(
        HealthObservations(
            subscriptions=dict.fromkeys(TOPICS, (SUBSCRIBED,)),
            topic_arns=TOPIC_ARNS,
            deliveries=dict.fromkeys(TOPICS, Deliveries(published=2, failed=0)),
            actions=(),
            alarms={AlarmKind.CRITICAL: an_alarm(TOPIC_ARNS["critical"], FUNCTION_ARN)},
            balances=balances(timedelta(minutes=5), timedelta(hours=1)),
            waiting_since=None,
            credits_matter=True,
            functions={
                "RecalculateThresholds": Runs(invocations=3, errors=0, hours=3),
                "Explain": Runs(invocations=0, errors=0, hours=0),
                "SetLateAlarms": Runs(invocations=15, errors=0, hours=3),
                "ReportSilence": Runs(invocations=3, errors=0, hours=3),
            },
            other_stacks=(),
            left_behind=(),
        ),
        **changes,
    )


def watch(*, email: str = EMAIL, hours: int = 3, own_topics: tuple[str, ...] = TOPICS) -> HealthSettings:
    """What an operator chose; by default the stack makes every topic, and subscribes the address to it."""
    return HealthSettings(
        alert_email=email,
        own_topics=frozenset(own_topics),
        silent_metrics_hours=hours,
        repeat_hours=RepeatHours(warning=24, critical=4),
        function_names={},
    )


def hours_ago(hours: float) -> datetime:
    return NOW - timedelta(hours=hours)
