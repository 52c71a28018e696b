"""What is seen around the alarms: subscriptions, deliveries, actions, metrics, functions and other stacks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import CREDIT_ALARMS, AlarmKind, LiveAlarm
from efs_monitor.aws import cloudformation, cloudwatch_alarms, cloudwatch_metrics, sns
from efs_monitor.aws.cloudwatch_metrics import Series, Wanted
from efs_monitor.aws.efs_metrics import late_balances, points
from efs_monitor.aws.past_days import WORK, works
from efs_monitor.aws.runtime import Clients
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.errors import AwsDenied, TopicGone
from efs_monitor.incidents.situation import Work
from efs_monitor.notify.alarm_health import BALANCE_STEP, LATE_AFTER
from efs_monitor.notify.function_health import RUNS_SEEN, UNDONE, is_idle
from efs_monitor.notify.health_observations import AlarmAction, Deliveries, HealthObservations, Runs, Subscription
from efs_monitor.notify.health_settings import HealthSettings
from efs_monitor.stack_functions import StackFunction
from efs_monitor.stack_identity import others_that_stay

if TYPE_CHECKING:
    from efs_monitor.benchmarks.ledger import LeftBehind

WEEK = timedelta(days=7)
A_DAY = timedelta(days=1)
HOUR_SECONDS = 3600
PERMITTED = ("PermittedThroughput", "Maximum")


@dataclass(frozen=True, kw_only=True)
class HealthSources:
    """What is looked at, in which stack: the topics by name, the functions, and the alarms as they were just read."""

    stack_name: str
    stack_id: str
    topic_arns: Mapping[str, str]
    watch: HealthSettings
    alarms: Mapping[AlarmKind, LiveAlarm]

    @property
    def own_topic_arns(self) -> Mapping[str, str]:
        """The topics that the stack makes itself."""
        return {name: arn for name, arn in self.topic_arns.items() if name in self.watch.own_topics}


def read_health(
    clients: Clients, sources: HealthSources, file_system_id: str, file_system: FileSystem | None, now: datetime
) -> HealthObservations:
    """Everything at `now`; `file_system` is None where it is gone."""
    without_credits = file_system is not None and not file_system.lives_on_credits
    others = cloudwatch_alarms.other_stacks(clients.cloudwatch, file_system_id, sources.stack_name)
    health = _read_metrics(clients, sources, file_system_id, now, with_work=without_credits)
    # One topic may be given for several severities.
    by_arn = {arn: _subscribed(clients, sources, arn) for arn in sorted(set(sources.topic_arns.values()))}
    credits_matter = (
        file_system is not None
        and file_system.lives_on_credits
        and not any(alarm.suspended for alarm in sources.alarms.values())
    )
    are_late = bool(health.balances) and now - health.balances[-1].time - BALANCE_STEP >= LATE_AFTER
    return HealthObservations(
        subscriptions={name: by_arn[arn].subscriptions for name, arn in sources.topic_arns.items()},
        topic_arns=sources.topic_arns,
        gone_topics=frozenset(name for name, arn in sources.topic_arns.items() if by_arn[arn].gone),
        deliveries=health.deliveries,
        actions=_actions(clients, sources.alarms, now),
        alarms=sources.alarms,
        balances=health.balances,
        waiting_since=_waiting_since(sources.alarms),
        newest_minutes=late_balances(clients.cloudwatch, file_system_id, now) if credits_matter and are_late else (),
        credits_matter=credits_matter,
        functions=health.functions,
        other_stacks=others_that_stay(sources.stack_name, others),
        work=health.work,
        permitted=health.permitted,
        left_behind=_left_behind(clients, sources.watch.benchmarks_parameter, file_system_id),
        deployed=_deployed(clients, sources.stack_id, health.functions),
    )


def _left_behind(clients: Clients, parameter_name: str, file_system_id: str) -> "tuple[LeftBehind, ...] | None":
    """What benchmarks could not remove; None where there are none, or it cannot be known."""
    if not parameter_name:
        return None
    from efs_monitor.usecases.stored_ledger import (  # noqa: PLC0415 - a cold start without benchmarks does not pay for it
        StoredLedger,
    )

    ledger = StoredLedger(clients.ssm, parameter_name, file_system_id).read()
    return ledger.left if ledger.known else None


def _deployed(clients: Clients, stack_id: str, functions: Mapping[str, Runs]) -> datetime | None:
    """When the stack was last deployed, asked only where a schedule has started nothing: it may be new."""
    if not any(is_idle(functions, name) for name in (StackFunction.RECALCULATE_THRESHOLDS, *UNDONE)):
        return None
    return cloudformation.last_deployed(clients.cloudformation, stack_id)


@dataclass(frozen=True, kw_only=True)
class _Subscribed:
    subscriptions: tuple[Subscription, ...] | None = None
    gone: bool = False


def _subscribed(clients: Clients, sources: HealthSources, topic_arn: str) -> _Subscribed:
    """A topic's subscribers; unknown where somebody else's may not be read, none where it is gone."""
    try:
        return _Subscribed(subscriptions=sns.subscriptions(clients.sns, topic_arn))
    except TopicGone:
        return _Subscribed(subscriptions=(), gone=True)
    except AwsDenied:
        if topic_arn in sources.own_topic_arns.values():
            raise
        return _Subscribed()


@dataclass(frozen=True, kw_only=True)
class _Health:
    balances: tuple[BalancePoint, ...]
    deliveries: Mapping[str, Deliveries]
    functions: Mapping[str, Runs]
    work: tuple[Work, ...]
    permitted: tuple[tuple[datetime, float], ...]


def _read_metrics(
    clients: Clients, sources: HealthSources, file_system_id: str, now: datetime, *, with_work: bool
) -> _Health:
    """A week of balances, a day of deliveries and some hours of runs, in one call; a week of what clients did as well
    where credits mean nothing.
    """
    topic_names = {topic: arn.rpartition(":")[2] for topic, arn in sources.own_topic_arns.items()}
    balance = _of_file_system(file_system_id, "BurstCreditBalance", "Minimum")
    of_clients = [_of_file_system(file_system_id, *one) for one in (PERMITTED, *WORK)] if with_work else []
    of_topics = {
        topic: (_of_topic(name, "NumberOfMessagesPublished"), _of_topic(name, "NumberOfNotificationsFailed"))
        for topic, name in topic_names.items()
    }
    of_functions = {
        function: (_of_function(name, "Invocations"), _of_function(name, "Errors"))
        for function, name in sources.watch.function_names.items()
    }
    wanted = [balance, *of_clients, *chain(*of_topics.values()), *chain(*of_functions.values())]
    start = (now - WEEK).replace(minute=0, second=0, microsecond=0)
    found = dict(
        zip(wanted, cloudwatch_metrics.read(clients.cloudwatch, wanted, start, now, file_system_id), strict=True)
    )
    permitted, *work = [found[one] for one in of_clients] or [{}, {}]
    a_day_ago, hours_ago = now - A_DAY, now - RUNS_SEEN
    return _Health(
        balances=points(found[balance]),
        deliveries={
            topic: Deliveries(published=_since(found[published], a_day_ago), failed=_since(found[failed], a_day_ago))
            for topic, (published, failed) in of_topics.items()
        },
        functions={
            function: Runs(
                invocations=_since(found[invocations], hours_ago),
                errors=_since(found[errors], hours_ago),
                hours=len(_from(found[invocations], hours_ago)),
            )
            for function, (invocations, errors) in of_functions.items()
        },
        work=tuple(works(*work)),
        permitted=tuple((time, permitted[time]) for time in sorted(permitted)),
    )


def _of_file_system(file_system_id: str, metric: str, statistic: str) -> Wanted:
    return Wanted(
        namespace="AWS/EFS",
        metric=metric,
        dimension=("FileSystemId", file_system_id),
        statistic=statistic,
        period_seconds=round(BALANCE_STEP.total_seconds()),
    )


def _of_topic(name: str, metric: str) -> Wanted:
    """SNS tells topics apart by their names alone, and not who published: of somebody else's topic it says nothing."""
    return Wanted(
        namespace="AWS/SNS",
        metric=metric,
        dimension=("TopicName", name),
        statistic="Sum",
        period_seconds=HOUR_SECONDS,
    )


def _of_function(name: str, metric: str) -> Wanted:
    return Wanted(
        namespace="AWS/Lambda",
        metric=metric,
        dimension=("FunctionName", name),
        statistic="Sum",
        period_seconds=HOUR_SECONDS,
    )


def _since(sums: Series, start: datetime) -> float:
    """How many there were from the hour of `start` on, which is counted whole."""
    return sum(_from(sums, start).values())


def _from(sums: Series, start: datetime) -> Series:
    """The hours, from that of `start` on, in which something was counted."""
    first = start.replace(minute=0, second=0, microsecond=0)
    return {time: value for time, value in sums.items() if time >= first and value > 0}


def _actions(clients: Clients, alarms: Mapping[AlarmKind, LiveAlarm], now: datetime) -> tuple[AlarmAction, ...]:
    """What the alarms did in the last day. One that has been off all the while is not asked about: actions are run
    where a state changes, and of these calls CloudWatch takes few in a second.

    When a mute rule ends, the actions of the state that an alarm has gone into meanwhile are run, days later perhaps
    (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-mute-rules-behaviour.html). So those that are
    on are asked about always; what became of an all-clear that was so late is not seen.
    """
    a_day_ago = now - A_DAY
    return tuple(
        action
        for kind, alarm in alarms.items()
        if alarm.state != "OK" or alarm.transitioned is None or alarm.transitioned >= a_day_ago
        for action in cloudwatch_alarms.newest_actions(clients.cloudwatch, kind, alarm, a_day_ago)
    )


def _waiting_since(alarms: Mapping[AlarmKind, LiveAlarm]) -> datetime | None:
    """Since when an alarm on credits has been waiting for its first datapoint, in the state it began in."""
    found = [alarms[kind] for kind in CREDIT_ALARMS if kind in alarms]
    waiting = [alarm.transitioned for alarm in found if alarm.state == "INSUFFICIENT_DATA"]
    return min((time for time in waiting if time is not None), default=None)
