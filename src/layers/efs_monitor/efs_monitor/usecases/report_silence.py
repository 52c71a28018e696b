"""Report silence: read what keeps people from being told, tell what is new and what is over, say again what lasts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, partial
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.alarms.late_metrics import are_late
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws import cloudformation, cloudwatch_alarms, efs, sns
from efs_monitor.aws.runtime import Clients
from efs_monitor.config import Config
from efs_monitor.efs.credits import full_bucket_bytes
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.trend import warning_expected
from efs_monitor.errors import MonitorError
from efs_monitor.incidents.end_ahead import ends_within_hours, lasts_a_day
from efs_monitor.incidents.identity import incident_began, incident_id
from efs_monitor.incidents.recovering_balance import began_to_fall, recovers, stays_nearly_full
from efs_monitor.mail.layout import Message, in_thread
from efs_monitor.mail.stack_context import StackContext, stack_context_of
from efs_monitor.notify.alarm_health import balance_again, newest_balance
from efs_monitor.notify.health import judge_health
from efs_monitor.notify.health_finding import Verdict
from efs_monitor.notify.health_news import Reports, health_news, somebody_missed_mails
from efs_monitor.notify.health_observations import HealthObservations
from efs_monitor.notify.health_settings import HealthSettings
from efs_monitor.notify.other_mode import OtherMode, other_mode
from efs_monitor.notify.repeats import (
    ELASTIC_DAY,
    MAY_BE_LEFT_OUT,
    TREND,
    Repeat,
    awaits_its_first_fall,
    came_again_lately,
    draining_since,
    due_daily,
    due_repeat,
    exhausted_is_near,
    gone_since_told,
    lasting,
    on,
    tells,
    was_gone_before,
)
from efs_monitor.notify.state import NotificationState, Part
from efs_monitor.usecases.read_health import HealthSources, read_health
from efs_monitor.usecases.stored_state import read_state, save_state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from efs_monitor.efs.observations import BalancePoint
    from efs_monitor.incidents.situation import Situation


@dataclass(frozen=True, kw_only=True)
class ReportingStack:
    """The stack that reports: its settings, its topics by name, and the parameter that holds its notification state."""

    config: Config
    settings: Settings
    watch: HealthSettings
    topic_arns: Mapping[str, str]
    state_parameter: str


@dataclass(frozen=True, kw_only=True)
class _HourlyRun:
    """What a run at `now` has read: what was told before, the file system, None where it is gone, the alarms, and what
    is seen around them. `other_mode` is what to remember of a throughput mode in which credits mean nothing.
    """

    now: datetime
    state: NotificationState
    file_system: FileSystem | None
    alarms: Mapping[AlarmKind, LiveAlarm]
    seen: HealthObservations
    other_mode: OtherMode | None


@dataclass(frozen=True, kw_only=True)
class _DueMail:
    """A mail about what lasts, the name under which it is noted, and whether it has figures of the credits of now."""

    what: str
    message: Message
    has_figures: bool


def report_silence(clients: Clients, reporting: ReportingStack, now: datetime) -> dict[str, object]:
    """Read, judge, tell and remember; the answer says what is wrong, on which topic it was told, and in which mails."""
    stack = replace(
        stack_context_of(reporting.config),
        topic_arns=reporting.topic_arns,
        benchmark_path=reporting.watch.benchmark_path,
    )
    run = _read(clients, reporting, stack, now)
    verdict = judge_health(run.seen, reporting.watch, now)

    def news(judged: Verdict) -> Reports:
        about = (run.seen.subscriptions, reporting.config.file_system_id, stack, balance_again(run.seen, now))
        return health_news(judged, run.state.health, *about).with_other_mode(run.other_mode)

    said = news(verdict)
    if said.topic == Topic.ADVICE:
        said = _with_what_lasts(clients, reporting, run, said, lambda: news(verdict.of_metrics_alone()))
    if said.messages and cloudformation.in_deployment(clients.cloudformation, reporting.config.stack_id, now):
        # What is half-way may look wrong; the next hour tells what still is.
        said = replace(said, messages=(), state_when_told=run.state.health).with_other_mode(run.other_mode)
    _tell(clients, reporting, said)
    _remember(clients, reporting, run, said)
    return {
        "conditions": sorted(one.key for one in verdict.found),
        "told_on": said.topic or "nobody is subscribed",
        "mails": [message.subject for message in said.messages],
    }


def _read(clients: Clients, reporting: ReportingStack, stack: StackContext, now: datetime) -> _HourlyRun:
    config = reporting.config
    state = read_state(clients.ssm, reporting.state_parameter, config.file_system_id)
    # Where the file system is gone nothing is said here: the recalculation tells it.
    file_system = efs.describe_if_there(clients.efs, config.file_system_id)
    alarms = cloudwatch_alarms.read(clients.cloudwatch, config.stack_name)
    sources = HealthSources(
        stack_name=config.stack_name,
        stack_id=config.stack_id,
        topic_arns=reporting.topic_arns,
        watch=reporting.watch,
        alarms=alarms,
    )
    seen = read_health(clients, sources, config.file_system_id, file_system, now)
    return _HourlyRun(
        now=now,
        state=state,
        file_system=file_system,
        alarms=alarms,
        seen=replace(seen, fleet_topics=stack.fleet_topics, changed_seen=state.changed_seen),
        other_mode=_other_mode_now(file_system, seen, state, now),
    )


def _tell(clients: Clients, reporting: ReportingStack, said: Reports) -> None:
    topic_arn = reporting.topic_arns[said.topic or Topic.ADVICE]
    for message in said.messages:
        sns.publish(clients.sns, topic_arn, message, to_chat=reporting.config.chat_messages)


def _remember(clients: Clients, reporting: ReportingStack, run: _HourlyRun, said: Reports) -> None:
    """What was told, where it is another than before."""
    if said.state_when_told != run.state.health:
        told = replace(run.state, health=said.state_when_told)
        save_state(clients.ssm, reporting.state_parameter, reporting.config.file_system_id, told, Part.HEALTH)


def _with_what_lasts(
    clients: Clients,
    reporting: ReportingStack,
    run: _HourlyRun,
    said: Reports,
    of_metrics_alone: "Callable[[], Reports]",
) -> Reports:
    """The reports with each mail that is due because something lasts: an alarm that stays on, a balance that heads for
    one, or another throughput mode. Of a file system that is gone nothing does. Beside a mail with figures of the
    credits that about their metrics says nothing of them: it knows less, and has its remedies in another order.
    """
    if run.file_system is None:
        return said
    if run.seen.credits_matter:
        missed = somebody_missed_mails(run.state.health, said.state_when_told)
        due = list(_about_credits(clients, reporting, run, run.file_system, missed=missed))
        if any(one.has_figures for one in due):
            said = of_metrics_alone()
        for one in due:
            said = said.with_mail(one.message, run.now, one.what)
    if run.other_mode is not None:
        said = _with_other_mode(reporting, run, run.file_system, run.other_mode, said)
    return said


def _with_other_mode(
    reporting: ReportingStack, run: _HourlyRun, file_system: FileSystem, other: OtherMode, said: Reports
) -> Reports:
    """The reports with the mails about a mode in which credits mean nothing: on the way back, and on a dear day."""
    from efs_monitor.usecases.report_other_mode import back_to_bursting_mail, dear_day_mail  # noqa: PLC0415 - a cold start on credits does not pay for what judges a day of another mode

    config, seen, now = reporting.config, run.seen, run.now
    back = back_to_bursting_mail(config, reporting.settings, file_system, run.alarms, other, seen, now)
    if back is not None:
        message, other = back
        # The mail about the way back says what elastic throughput costs, and what would be cheaper.
        what = ELASTIC_DAY if file_system.mode is ThroughputMode.ELASTIC else None
        said = said.with_mail(message, now, what).with_other_mode(other)
    limit_dollars, mailed_at = reporting.watch.elastic_daily_dollars, said.state_when_told.mailed
    dear = dear_day_mail(config, limit_dollars, file_system, other, seen, mailed_at, now)
    return said if dear is None else said.with_mail(dear, now, ELASTIC_DAY)


def _about_credits(
    clients: Clients, reporting: ReportingStack, run: _HourlyRun, file_system: FileSystem, *, missed: bool
) -> Iterator[_DueMail]:
    """Each mail that is due about an alarm that stays on or a balance that heads for one; for somebody who `missed`
    those before.
    """
    if on(run.alarms) is not None:
        yield from _repeat(clients, reporting, run, file_system, missed=missed)
    elif due_daily(TREND, run.state.health.mailed, run.now):
        yield from _trend(reporting, run, file_system)


def _repeat(
    clients: Clients, reporting: ReportingStack, run: _HourlyRun, file_system: FileSystem, *, missed: bool
) -> Iterator[_DueMail]:
    """The mail about an alarm that stays on, if one is due."""
    alarms, seen, now = run.alarms, run.seen, run.now
    # A repeated mail leaves the benchmark out.
    config = replace(reporting.config, benchmark_profile="")

    @cache
    def situation() -> "Situation | MonitorError":
        from efs_monitor.usecases.read_situation import situation_or_problem  # noqa: PLC0415 - a cold start in an hour that needs none does not pay for what reads it

        return situation_or_problem(clients, config, now, alarms, lambda: run.state)

    is_recovering = recovers(seen.balances, now)
    exhausted = alarms.get(AlarmKind.EXHAUSTED)
    # The Draining or the Exhausted alarm tells of it first, where it is there and acts. But while Exhausted is on
    # there is less than Draining looks at, and an end that is near by late metrics may be over.
    tells_itself = (
        not is_recovering
        and (exhausted is None or exhausted.state != "ALARM")
        and (
            (tells(alarms.get(AlarmKind.DRAINING)) and began_to_fall(seen.balances, now))
            or (not are_late(seen.balances, now) and exhausted_is_near(exhausted, seen.balances, now))
        )
    )
    due = partial(
        due_repeat,
        alarms,
        run.state.health.mailed,
        reporting.watch.repeat_hours,
        now,
        recovers=is_recovering,
        stays_full=stays_nearly_full(seen.balances, full_bucket_bytes(file_system.standard_bytes), now),
        ends_soon=ends_within_hours(seen.balances, now),
        lasts_a_day=lasts_a_day(seen.balances, now),
        tells_itself=tells_itself,
        gone=gone_since_told(exhausted, seen.balances),
        outgrown=_outgrown(situation, alarms),
        fell=_fell(run, timedelta(hours=reporting.watch.repeat_hours.critical)),
        unlocked=_unlocked(run.state.changed_seen, now),
        unseen=_unseen(situation, seen.balances, now),
        missed=missed,
    )
    repeat = due() or _in_place_of_mails_left_out(due, situation, run, exhausted, tells_itself=tells_itself)
    if repeat is None:
        return
    from efs_monitor.mail.alarm_mails import low_credits_mail  # noqa: PLC0415 - a cold start in an hour without such a mail does not pay for all that it may say

    alarm = alarms[repeat.alarm]
    message = low_credits_mail(
        config,
        reporting.settings,
        repeat.alarm,
        alarm.state_reason,
        situation(),
        now,
        lasting=lasting(alarm, now),
        repeat=repeat,
        changed_seen=run.state.changed_seen,
        newest=newest_balance(seen, now),
    )
    began = incident_began(alarms)
    thread = incident_id(config.file_system_id, began) if began else ""
    has_figures = not isinstance(situation(), MonitorError)
    yield _DueMail(what=repeat.remembered_as, message=in_thread(message, thread), has_figures=has_figures)


def _trend(reporting: ReportingStack, run: _HourlyRun, file_system: FileSystem) -> Iterator[_DueMail]:
    """The mail that Warning is to be expected within days, if the balance says so."""
    warning = run.alarms.get(AlarmKind.WARNING)
    warning_bytes = warning.threshold if warning is not None else None
    if warning_bytes is None:
        return
    bucket_bytes = full_bucket_bytes(file_system.standard_bytes)
    expected = warning_expected(run.seen.balances, warning_bytes, bucket_bytes, run.now)
    if expected is not None:
        from efs_monitor.mail.trend_mails import warning_ahead  # noqa: PLC0415 - a cold start in an hour without such a mail does not pay for what it says

        stack = stack_context_of(reporting.config)
        message = warning_ahead(expected, reporting.settings.warning_minutes, file_system, stack)
        yield _DueMail(what=TREND, message=message, has_figures=False)


def _in_place_of_mails_left_out(
    due: "Callable[..., Repeat | None]",
    situation: "Callable[[], Situation | MonitorError]",
    run: _HourlyRun,
    exhausted: LiveAlarm | None,
    *,
    tells_itself: bool,
) -> Repeat | None:
    """The repeat that is `due` because the mail of Draining or Exhausted, which would stand for it or come first, is
    left out: it is like others, or that of Critical stood for it. The end of the credits in such a time is told, too.

    Only where it may be so is more read: not in a story in which credits were gone before.
    """
    balances, alarms = run.seen.balances, run.alarms
    # An alarm without a mail foretold nothing, however shortly before the end it went off.
    ended = gone_since_told(exhausted, balances, foretold=timedelta())
    may_be_due = due(left_out=MAY_BE_LEFT_OUT, tells_itself=False, gone=ended) is not None
    if not may_be_due or was_gone_before(exhausted, balances, run.now):
        return None
    from efs_monitor.notify.graver_alarms import stood_for_draining  # noqa: PLC0415 - as below
    from efs_monitor.notify.same_story import changes_left_out, next_change_is_left_out  # noqa: PLC0415 - a cold start in an hour without such a change does not pay for what it takes to judge it

    found = situation()
    if isinstance(found, MonitorError):
        return None
    changed = {
        kind: (alarm.state, alarm.transitioned)
        for kind in MAY_BE_LEFT_OUT
        if (alarm := alarms.get(kind)) is not None and alarm.transitioned is not None
    }
    left_out, since = changes_left_out(found, changed), draining_since(alarms)
    if since is not None and stood_for_draining(alarms, found, since, run.state.health.mailed):
        left_out |= {AlarmKind.DRAINING}
    is_untold = AlarmKind.EXHAUSTED in left_out and exhausted is not None and exhausted.state == "ALARM"
    return due(
        left_out=left_out,
        tells_itself=tells_itself and not next_change_is_left_out(found),
        gone=ended if is_untold else gone_since_told(exhausted, balances),
    )


def _outgrown(
    situation: "Callable[[], Situation | MonitorError]", alarms: Mapping[AlarmKind, LiveAlarm]
) -> datetime | None:
    """When the Draining alarm went off that is on about a fall which nobody was told of, and which is not like those
    before it any more; None where there is none.
    """
    since = draining_since(alarms)
    if since is None:
        return None
    from efs_monitor.notify.same_story import has_outgrown_the_others  # noqa: PLC0415 - a cold start in an hour without such a fall does not pay for what it takes to judge it

    found = situation()
    return None if isinstance(found, MonitorError) or not has_outgrown_the_others(found, since) else since


def _fell(run: _HourlyRun, repeated_within: timedelta) -> datetime | None:
    """When a fall began that sets off no alarm, by balances of five minutes: while Critical is on, one that ends the
    credits before a mail is `repeated_within` so long; while Warning is on, and no mail of it had a fall to tell of,
    the first that ends them within a day. None where there is none.
    """
    kind, exhausted = on(run.alarms), run.alarms.get(AlarmKind.EXHAUSTED)
    minute_bytes = exhausted.threshold if exhausted is not None else None
    # Whoever set it to 0 by hand is told so elsewhere.
    if kind is None or minute_bytes is None or minute_bytes <= 0:
        return None
    if kind is AlarmKind.WARNING and not awaits_its_first_fall(run.alarms, run.state.health.mailed, run.seen.balances):
        return None
    from efs_monitor.incidents.resting_load import falls_to_its_end  # noqa: PLC0415 - a cold start in an hour without such an alarm does not pay for what it takes to judge a fall

    within = repeated_within if kind is AlarmKind.CRITICAL else timedelta(days=1)
    return falls_to_its_end(run.seen.balances, minute_bytes, run.now, within)


def _unlocked(changed_seen: datetime | None, now: datetime) -> datetime | None:
    """From when on AWS takes another throughput mode again, where that is lately; None where it always did."""
    if changed_seen is None:
        return None
    from efs_monitor.incidents.mode_lock import unlocked_lately  # noqa: PLC0415 - a cold start without a change of mode does not pay for what judges one

    return unlocked_lately(changed_seen, now)


def _unseen(
    situation: "Callable[[], Situation | MonitorError]", balances: "Sequence[BalancePoint]", now: datetime
) -> datetime | None:
    """When metrics came again in whose absence the credits may have ended and come back, and could be read; None where
    there were none.
    """
    if not came_again_lately(balances, now):
        return None
    from efs_monitor.incidents.unseen_end import known_since, unseen_end  # noqa: PLC0415 - a cold start in an hour without missing metrics does not pay for it

    found = situation()
    if isinstance(found, MonitorError):
        return None
    unseen = unseen_end(found)
    return None if unseen is None else known_since(unseen, found)


def _other_mode_now(
    file_system: FileSystem | None, seen: HealthObservations, state: NotificationState, now: datetime
) -> OtherMode | None:
    """What is remembered of a mode in which credits mean nothing; that of a file system that is gone says nothing."""
    if file_system is None:
        return None
    before, silent_since = state.health.other_mode, state.silent_since
    return other_mode(file_system, before, seen.permitted, seen.balances, now, silent_since)
