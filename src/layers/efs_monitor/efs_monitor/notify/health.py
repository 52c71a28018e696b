"""Whatever keeps people from being told, or has them told twice, judged from what was seen around the alarms.

Silence looks like calm: a subscription nobody confirmed, an alarm action that failed, metrics that stopped, a function
that no longer runs.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from efs_monitor.notify.alarm_health import about_actions, about_evaluation, about_metrics
from efs_monitor.notify.function_health import about_functions
from efs_monitor.notify.health_finding import Condition, Finding, Verdict, all_but
from efs_monitor.notify.health_observations import HealthObservations
from efs_monitor.notify.topic_health import about_deliveries, about_gone_topics, about_subscriptions, topics_to_judge

if TYPE_CHECKING:
    from efs_monitor.benchmarks.ledger import LeftBehind
    from efs_monitor.notify.health_settings import HealthSettings


def judge_health(seen: HealthObservations, watch: "HealthSettings", now: datetime) -> Verdict:
    """Everything that keeps people from being told."""
    return (
        about_subscriptions(topics_to_judge(seen), seen.topic_arns, watch.alert_email, watch.own_topics)
        + about_gone_topics(seen, watch.own_topics)
        + about_deliveries(seen.deliveries)
        + about_actions(seen.actions, seen.alarms)
        + about_evaluation(seen.alarms)
        + about_metrics(seen, watch.silent_metrics_hours, now)
        + about_functions(seen, now)
        + about_other_stacks(seen.other_stacks)
        + about_left_behind(seen.left_behind, watch.benchmark_path)
    )


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
        return Verdict(forgotten=all_but((), Condition.LEFT_BEHIND))
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
