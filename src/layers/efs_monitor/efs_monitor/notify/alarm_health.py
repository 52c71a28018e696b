"""Whether the alarms can notice and tell: their actions, their evaluation, and the metrics that they judge."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.last_seen import LastSeen, NewestSeen, last_seen_ending, newest_seen
from efs_monitor.incidents.seen_again import SeenAgain, seen_again
from efs_monitor.notify.function_health import makes_up_for_late_metrics
from efs_monitor.notify.health_finding import OF_METRICS, Condition, Finding, Verdict, all_but, digest
from efs_monitor.notify.health_observations import AlarmAction, HealthObservations
from efs_monitor.notify.repeats import on

# What CloudWatch says of an alarm that it does not evaluate, as it calls it.
NOT_EVALUATED = {
    "EVALUATION_ERROR": Condition.EVALUATION_ERROR,
    "EVALUATION_FAILURE": Condition.EVALUATION_FAILURE,
}
METRICS_NEVER_CAME = Finding(condition=Condition.METRICS_NEVER_CAME)
# The balances of a week are the lowest of so many minutes each: hours would not tell when a balance stopped coming, and
# minutes are 10,080 points.
BALANCE_STEP = timedelta(minutes=5)
# An alarm looks back 15 minutes and a few more; the newest step may hold only its first minute.
LATE_AFTER = timedelta(minutes=20)
# What is newer than this reaches an alarm, wherever in its step it lies; in between nobody knows.
IN_TIME = timedelta(minutes=11)
LATE_METRICS = frozenset({Condition.METRICS_LATE, Condition.METRICS_UNSEEN})


def about_actions(actions: tuple[AlarmAction, ...], alarms: Mapping[AlarmKind, LiveAlarm]) -> Verdict:
    """Alarm actions whose newest run failed; CloudWatch does not try again. An action that was not run since says
    nothing new, one of an alarm that is missing may come back with it, and one that its alarm has no more is over with.
    """
    ran = {_key_of(one.alarm, one.target_arn) for one in actions}
    judged = {_key_of(kind, target_arn) for kind, alarm in alarms.items() for target_arn in alarm.targets}

    def is_of_a_missing_alarm(key: str) -> bool:
        condition, _, rest = key.partition(":")
        return condition == Condition.ACTION_FAILED and rest.partition(":")[0] not in alarms

    is_dropped = all_but(judged, Condition.ACTION_FAILED)
    return Verdict(
        found=tuple(
            Finding(
                condition=Condition.ACTION_FAILED,
                about=one.alarm,
                further=digest(one.target_arn),
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
    if newest is not None and now - newest < LATE_AFTER:
        return Verdict() if now - newest < IN_TIME else Verdict(undecided=LATE_METRICS.__contains__)
    over = seen.newest_minutes[-1].time + MINUTE if seen.newest_minutes else newest
    since = f"since {over:%H:%M} UTC on {over:%a} {over.day} {over:%b}" if over else "for more than a week"
    if newest is not None and now - newest < timedelta(hours=silent_hours):
        condition = Condition.METRICS_LATE if makes_up_for_late_metrics(seen, now) else Condition.METRICS_UNSEEN
        found = (Finding(condition=condition, detail=f"no datapoint {since} yet", last_seen=_last_seen(seen, now)),)
        return Verdict(found=found, undecided=LATE_METRICS.__contains__)
    return Verdict(
        found=(
            Finding(
                condition=Condition.METRICS_STOPPED, detail=f"no datapoint {since}", last_seen=_last_seen(seen, now)
            ),
        ),
        # Without any the first have not come either, whatever an alarm was set to.
        undecided=_about_metrics if newest is None else LATE_METRICS.__contains__,
    )


def balance_again(seen: HealthObservations, now: datetime) -> SeenAgain | None:
    """What the balance does, for the mail that its metrics are there again."""
    return seen_again(seen.balances, _minute_bytes(seen), now)


def newest_balance(seen: HealthObservations, now: datetime) -> NewestSeen | None:
    """What was left when it was last known, for a mail that has no figures."""
    return newest_seen(seen.balances, _minute_bytes(seen), now, seen.newest_minutes)


def _last_seen(seen: HealthObservations, now: datetime) -> LastSeen | None:
    is_on = on(seen.alarms) is not None
    found = last_seen_ending(seen.balances, _minute_bytes(seen), now, seen.newest_minutes, alarm_is_on=is_on)
    return None if found is None else replace(found, changed_seen=seen.changed_seen)


def _minute_bytes(seen: HealthObservations) -> float:
    exhausted = seen.alarms.get(AlarmKind.EXHAUSTED)
    return (exhausted.threshold if exhausted else None) or 0.0


def _about_metrics(key: str) -> bool:
    return key in OF_METRICS


def _key_of(alarm: str, target_arn: str) -> str:
    return f"{Condition.ACTION_FAILED}:{alarm}:{digest(target_arn)}"
