"""The Advice mails for when the figures could not be read: CloudWatch's own reason, and what needs no figures."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.incidents.last_seen import NewestSeen
from efs_monitor.incidents.mode_lock import change_seen
from efs_monitor.mail.chat import chat
from efs_monitor.mail.layout import Message, compose, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.low_credits_mails import head_of
from efs_monitor.mail.numbers import clock, rate, size
from efs_monitor.mail.outlook import TO_EVERYBODY
from efs_monitor.mail.remedies import RemediesWithoutFigures
from efs_monitor.mail.stack_context import StackContext

EARNED = f"what its size earns (50 MiB/s per TiB stored, at least 1 MiB/s): {TO_EVERYBODY}"


@dataclass(frozen=True, kw_only=True)
class _Words:
    """What such a mail says: in its subject, in its first sentence, and of what follows from it."""

    head: str
    anchor: str
    outcome: str
    sentence: str
    consequence: str


def alarm_without_figures(
    kind: AlarmKind,
    file_system_id: str,
    state_reason: str,
    problem: str,
    stack: StackContext,
    time: datetime,
    lasting: timedelta | None = None,
    *,
    changed_seen: datetime | None = None,
    newest: NewestSeen | None = None,
) -> Message:
    """An alarm that is on, for `lasting` already where the mail repeats an earlier one: with what can be done, and the
    `newest` that was seen of the balance. A change of the throughput was last `changed_seen` then: AWS refuses another
    mode for a day.
    """
    words = _words(kind, file_system_id, lasting)
    seen = change_seen(changed_seen, time)
    remedies = RemediesWithoutFigures(file_system_id=file_system_id, stack=stack, time=time, seen=seen)
    went_on = time - (lasting or timedelta())
    return compose(
        subject=f"{words.head}: {words.outcome}, no figures, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(words.sentence),
            *([] if newest is None else [wrapped(_newest(newest))]),
            wrapped(words.consequence),
            f"CloudWatch's reason for the alarm ({clock(went_on, time)}):\n{wrapped(state_reason, '   ')}",
            _why(problem),
            *remedies.paragraphs,
            *links(stack, words.anchor, file_system_id, alarm_name(stack.stack_name, kind)),
        ],
        short=f"{words.head} {file_system_id}: {words.outcome}, figures could not be read. {remedies.way_out}",
        chat=chat(
            stack,
            file_system_id,
            words.anchor,
            # A chat has no room for both.
            [
                words.sentence if newest is None else _newest(newest),
                words.consequence,
                remedies.why_locked or f"Why: {problem}",
            ],
            remedies.steps,
            alarm_name(stack.stack_name, kind),
        ),
    )


def end_without_figures(
    kind: AlarmKind, file_system_id: str, state_reason: str, problem: str, stack: StackContext, time: datetime
) -> Message:
    """An alarm is over, and nothing is known of the balance: told without a figure."""
    word = kind.capitalize()
    lifted = kind is AlarmKind.EXHAUSTED
    head = "LIMIT LIFTED" if lifted else "RECOVERED"
    outcome = "the limit is lifted" if lifted else f"{word} is over"
    sentence = (
        f"The limit on {file_system_id} is lifted: its {word} alarm is over."
        if lifted
        else f"The {word} alarm of {file_system_id} is over."
    )
    return compose(
        subject=f"{head}: no figures, {file_system_id}"
        if lifted
        else f"{head}: {outcome}, no figures, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(f"{sentence} How many minutes are left could not be read."),
            f"CloudWatch's reason for its end ({clock(time, time)}):\n{wrapped(state_reason, '   ')}",
            _why(problem),
            *links(
                stack,
                "limit-lifted" if lifted else "recovered",
                file_system_id,
                alarm_name(stack.stack_name, kind),
            ),
        ],
        short=f"{head} {file_system_id}: {'' if lifted else f'{outcome}, '}figures could not be read.",
        chat=chat(
            stack,
            file_system_id,
            "limit-lifted" if lifted else "recovered",
            [f"{sentence} How many minutes are left could not be read.", f"Why: {problem}"],
            alarm_name=alarm_name(stack.stack_name, kind),
        ),
    )


def _words(kind: AlarmKind, file_system_id: str, lasting: timedelta | None) -> _Words:
    match kind:
        case AlarmKind.EXHAUSTED:
            return _Words(
                head="GONE",
                anchor="exhausted",
                outcome="burst credits gone or nearly",
                sentence=f"The burst credits of {file_system_id} are gone, or less than a minute of them is left: its "
                f"Exhausted alarm is on. Which it is, and what it is limited to, could not be read.",
                consequence=f"Without them everything on it is limited to {EARNED}",
            )
        case AlarmKind.DRAINING:
            return _Words(
                head="DRAINING",
                anchor="draining",
                outcome="burst credits fall fast",
                sentence=f"The burst credits of {file_system_id} fall fast: its Draining alarm is on. When they end "
                f"could not be read.",
                consequence=f"When they end, everything on it slows to {EARNED}",
            )
        case _:
            return _Words(
                head=head_of(kind, lasting),
                anchor=kind,
                outcome="burst credits run low",
                sentence=f"Burst credits of {file_system_id} run low: its {kind.capitalize()} alarm is on. How many "
                f"minutes are left could not be read.",
                consequence=f"When they end, everything on it slows to {EARNED}",
            )


def _newest(seen: NewestSeen) -> str:
    """What was left when it was last known, how fast it fell, and when it is gone at that pace."""
    since = f"The newest datapoint, of about {clock(seen.since, seen.time)}"
    if seen.end is None:
        return f"{since}, had {size(seen.balance_bytes)} of burst credits left."
    if seen.end.is_zero:
        return f"{since}, had nothing left of the burst credits."
    when = "have been gone since" if seen.end.gone <= seen.time else "are gone at"
    return (
        f"{since}, had {size(seen.balance_bytes)} of burst credits left, and they fell by "
        f"{rate(seen.end.drain_bytes_per_second)}. If that went on, they {when} about "
        f"{clock(seen.end.gone, seen.time)}."
    )


def _why(problem: str) -> str:
    return f"Why there are no figures here:\n{wrapped(problem, '   ')}"
