"""The Advice mails about the balance: running low, running low without figures, and recovered.

`lasting` is how long the alarm has been on, for a mail that repeats an earlier one.
"""

from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.efs.credits import SECONDS_PER_MINUTE
from efs_monitor.incidents.comeback import is_calm
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.descriptions import why_credits_mean_nothing
from efs_monitor.mail.layout import Message, compose, titled, wrapped
from efs_monitor.mail.links import links, sender
from efs_monitor.mail.numbers import clock, counted, duration, rate
from efs_monitor.mail.outlook import (
    Trend,
    credits_are_gone,
    end_at_net_rate,
    end_at_permitted_rate,
    falling_since,
    is_over,
    minutes_in_words,
    needs_somebody,
    trend,
    way_out_of_zero,
    what_comes_back,
    whole_minutes_left,
)
from efs_monitor.mail.remedies import remedies
from efs_monitor.mail.stack_context import StackContext

# A full bucket lasts hours, or weeks where a Region caps a huge file system: what is far beyond comes of odd metrics,
# and a subject has no room for it.
MOST_MINUTES = 999_999


def credits_low(  # noqa: PLR0917
    severity: AlarmKind,
    lead_minutes: int,
    situation: Situation,
    stack: StackContext,
    time: datetime,
    lasting: timedelta | None = None,
) -> Message:
    """Warning or Critical, with everything a person needs to act: `lead_minutes` is what the alarm stands for."""
    file_system = situation.file_system
    if not file_system.lives_on_credits:
        return _no_longer_limited(severity, situation, stack, lasting)
    gone = credits_are_gone(situation)
    lead = _lead_when_gone(situation, lead_minutes, time) if gone else _lead(situation, lead_minutes, time)
    limit = rate(situation.baseline_bytes_per_second)
    left = f"burst credits gone, limited to {limit}" if gone else _short_minutes(situation)
    outcome = left if gone else f"{left}, then limited to {limit}"
    return compose(
        subject=f"{_head(severity, lasting)}: {left}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            *lead,
            facts(severity, lead_minutes, situation, time),
            *remedies(file_system.file_system_id, situation, stack),
            *links(stack, severity, file_system.file_system_id, alarm_name(stack.stack_name, severity)),
        ],
        short=f"{_head(severity, lasting)} {file_system.file_system_id}: {outcome}. "
        f"Fastest way out: {'provisioned' if file_system.max_io else 'elastic'} throughput.",
    )


def credits_recovering(  # noqa: PLR0917
    severity: AlarmKind,
    lead_minutes: int,
    situation: Situation,
    stack: StackContext,
    time: datetime,
    lasting: timedelta,
) -> Message:
    """Of an alarm that lasts while its balance comes back: how it stands and what comes next, without what to do.

    The whole mail where the balance falls after all.
    """
    file_system = situation.file_system
    if not file_system.lives_on_credits or trend(situation) in {Trend.FALLING, Trend.UNKNOWN}:
        return credits_low(severity, lead_minutes, situation, stack, time, lasting)
    left = _short_minutes(situation)
    return compose(
        subject=f"{_head(severity, lasting)}: {left}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(
                f"{minutes_in_words(situation)} on {titled(file_system)}. "
                f"{end_at_net_rate(situation, lead_minutes, time)}"
                f"{' If that goes on, no action is needed.' if is_over(situation) else ''}"
            ),
            *_coming(situation, lead_minutes, time, "a remedy in the runbook"),
            wrapped(
                "This mail comes once a day while the balance does not fall. When it falls, or is at zero, the whole "
                "one comes again, with what to do."
            ),
            f"Runbook: {stack.runbook(severity)}",
            sender(stack),
        ],
        short=f"{_head(severity, lasting)} {file_system.file_system_id}: {left}, not falling.",
    )


def credits_unreadable(  # noqa: PLR0917
    severity: AlarmKind,
    file_system_id: str,
    state_reason: str,
    problem: str,
    stack: StackContext,
    time: datetime,
    lasting: timedelta | None = None,
) -> Message:
    """Warning or Critical when the figures could not be read: CloudWatch's reason, and what needs no figures."""
    since = time - (lasting or timedelta())
    return compose(
        subject=f"{_head(severity, lasting)}: burst credits run low, no figures, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(
                f"Burst credits of {file_system_id} run low: its {severity.capitalize()} alarm is on. How many "
                f"minutes are left could not be read."
            ),
            wrapped(
                "When they end, everything on it slows to what its size earns (50 MiB/s per TiB stored, at least "
                "1 MiB/s): every read, write and listing of every client."
            ),
            f"CloudWatch's reason for the alarm ({clock(since, time)}):\n{wrapped(state_reason, '   ')}",
            f"Why there are no figures here:\n{wrapped(problem, '   ')}",
            *remedies(file_system_id, None, stack),
            *links(stack, severity, file_system_id, alarm_name(stack.stack_name, severity)),
        ],
        short=f"{_head(severity, lasting)} {file_system_id}: burst credits run low, figures could not be read. "
        f"Fastest way out: elastic throughput.",
    )


def recovered_unreadable(  # noqa: PLR0917
    severity: AlarmKind, file_system_id: str, state_reason: str, problem: str, stack: StackContext, time: datetime
) -> Message:
    """The end of a Warning or Critical when the figures could not be read: CloudWatch's reason, and why."""
    word = severity.capitalize()
    return compose(
        subject=f"RECOVERED: {word} is over, no figures, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(f"The {word} alarm of {file_system_id} is over. How many minutes are left could not be read."),
            f"CloudWatch's reason for its end ({clock(time, time)}):\n{wrapped(state_reason, '   ')}",
            f"Why there are no figures here:\n{wrapped(problem, '   ')}",
            *links(stack, "recovered", file_system_id, alarm_name(stack.stack_name, severity)),
        ],
        short=f"RECOVERED {file_system_id}: {word} is over, figures could not be read.",
    )


def recovered(  # noqa: PLR0917
    severity: AlarmKind,
    lead_minutes: int,
    situation: Situation,
    stack: StackContext,
    time: datetime,
    since: datetime | None = None,
) -> Message:
    """The end of a Warning or Critical that was on `since` then, and how far away the next one is."""
    file_system = situation.file_system
    if not file_system.lives_on_credits:
        return _recovered_elsewhere(severity, situation, stack)
    word = severity.capitalize()
    advice = []
    if whole_minutes_left(situation) < lead_minutes:
        advice = [f"That is still less than {counted(lead_minutes)}, so the alarm may be back soon."]
    elif is_calm(situation) and trend(situation) is not Trend.FALLING:
        advice = ["No action is needed."]
    was_on = f" It was on since {clock(since, time)}." if since is not None else ""
    if severity is AlarmKind.CRITICAL:
        advice.append("The Warning alarm ends later, at its own, higher threshold.")
    return compose(
        subject=f"RECOVERED: {word} is over, {_short_minutes(situation)}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(f"The {word} alarm of {titled(file_system)} is over.{was_on} {minutes_in_words(situation)}."),
            *([wrapped(" ".join(advice))] if advice else []),
            *_coming(situation, lead_minutes, time, "a remedy in the runbook"),
            _sentences(end_at_permitted_rate(situation, time), end_at_net_rate(situation, lead_minutes, time)),
            facts(severity, lead_minutes, situation, time),
            *links(stack, "recovered", file_system.file_system_id, alarm_name(stack.stack_name, severity)),
        ],
        short=f"RECOVERED {file_system.file_system_id}: {word} is over, {_short_minutes(situation)}.",
    )


def _recovered_elsewhere(severity: AlarmKind, situation: Situation, stack: StackContext) -> Message:
    """Credits that came back in another mode: how long they last means nothing there."""
    file_system = situation.file_system
    word, mode = severity.capitalize(), file_system.mode
    return compose(
        subject=f"RECOVERED: {word} is over, {mode} throughput, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(
                f"The {word} alarm of {titled(file_system)} is over, and credits no longer matter: it "
                f"{why_credits_mean_nothing(file_system)}."
            ),
            "No action is needed. The alarm is suspended by itself within the hour.",
            *links(stack, "suspended", file_system.file_system_id, alarm_name(stack.stack_name, severity)),
        ],
        short=f"RECOVERED {file_system.file_system_id}: {word} is over, {mode} throughput.",
    )


def _head(severity: AlarmKind, lasting: timedelta | None) -> str:
    if lasting is None:
        return severity.upper()
    minutes = lasting.total_seconds() / SECONDS_PER_MINUTE
    # Short, because the subject must hold the file system's id too.
    return f"STILL {severity.upper()} for {duration(minutes) if minutes >= 1 else 'under 1 min'}"


def _no_longer_limited(
    severity: AlarmKind, situation: Situation, stack: StackContext, lasting: timedelta | None
) -> Message:
    """An alarm that crossed paths with the remedy: datapoints come some minutes after the mode was changed."""
    file_system = situation.file_system
    word, mode = severity.capitalize(), file_system.mode
    return compose(
        subject=f"{_head(severity, lasting)}: no longer matters, {mode} throughput, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(
                f"The {word} alarm of {titled(file_system)} is on, but no longer matters: it "
                f"{why_credits_mean_nothing(file_system)}."
            ),
            "No action is needed. The alarm is suspended by itself within the hour.",
            *links(stack, "suspended", file_system.file_system_id, alarm_name(stack.stack_name, severity)),
        ],
        short=f"{_head(severity, lasting)} {file_system.file_system_id}: no longer matters, {mode} throughput.",
    )


def _lead(situation: Situation, lead_minutes: int, time: datetime) -> list[str]:
    return [
        wrapped(f"{minutes_in_words(situation)} on {titled(situation.file_system)}."),
        wrapped(
            f"When they end, everything on it slows from {rate(situation.reference_bytes_per_second)} to "
            f"{rate(situation.baseline_bytes_per_second)}: every read, write and listing of every client."
        ),
        _sentences(
            end_at_permitted_rate(situation, time),
            " ".join(filter(None, (end_at_net_rate(situation, lead_minutes, time), falling_since(situation, time)))),
            *(["If that goes on, no action is needed."] if is_over(situation) else []),
        ),
        *([] if trend(situation) is Trend.FALLING else _coming(situation, lead_minutes, time, "a remedy below")),
    ]


def _coming(situation: Situation, lead_minutes: int, time: datetime, remedy: str) -> list[str]:
    """What the last days say of the coming hours, and what there is time for until then."""
    sentences = what_comes_back(situation, lead_minutes, time)
    if not sentences:
        return []
    until_then = f" Until then there is time to find what it is, or to choose {remedy}."
    return [wrapped(sentences + (until_then if needs_somebody(situation) else ""))]


def _lead_when_gone(situation: Situation, lead_minutes: int, time: datetime) -> list[str]:
    return [
        wrapped(f"The burst credits of {titled(situation.file_system)} are gone."),
        wrapped(
            f"Everything on it is now limited to {rate(situation.baseline_bytes_per_second)} instead of "
            f"{rate(situation.reference_bytes_per_second)}: every read, write and listing of every client."
        ),
        wrapped(way_out_of_zero(situation, lead_minutes, time)),
        *(_coming(situation, lead_minutes, time, "a remedy below") if trend(situation) is Trend.RISING else []),
    ]


def _sentences(*texts: str) -> str:
    return "\n".join(wrapped(text) for text in texts)


def _short_minutes(situation: Situation) -> str:
    minutes = whole_minutes_left(situation)
    if minutes > MOST_MINUTES:
        return f"over {MOST_MINUTES:,} min of burst credits left"
    return f"{minutes:,} min of burst credits left" if minutes else "under 1 min of burst credits left"
