"""The Advice mail that metrics stopped, or come late, while the credits ran out: the end shows in no alarm. And what
that about their coming in time again says of the credits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from efs_monitor.incidents.last_seen import LastSeen
from efs_monitor.incidents.mode_lock import change_seen
from efs_monitor.incidents.seen_again import Course, SeenAgain
from efs_monitor.mail.chat import chat
from efs_monitor.mail.earlier_mails import STILL_TO_BE_DONE
from efs_monitor.mail.figureless_mails import EARNED
from efs_monitor.mail.layout import Message, compose, listed, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.numbers import clock, rate, size
from efs_monitor.mail.remedies import RemediesWithoutFigures
from efs_monitor.mail.stack_context import StackContext

ACT = "Unless you know that this load has ended, act as though it went on."


@dataclass(frozen=True, kw_only=True)
class MetricsMail:
    """What a mail about metrics says of them: its headline, what that means, since when it is so, what is to be done
    about them, but that it may be nothing to worry about, and when another mail comes.
    """

    headline: str
    meaning: str
    details: Sequence[str]
    rest: Sequence[str]
    ends: str
    anchor: str


def metrics_gone_amid(seen: LastSeen, mail: MetricsMail, file_system_id: str, stack: StackContext) -> Message:
    """The mail with what was `seen` last of the credits, by when they are gone, and what helps at zero."""
    changed = change_seen(seen.changed_seen, seen.time)
    remedies = RemediesWithoutFigures(file_system_id=file_system_id, stack=stack, time=seen.time, seen=changed)
    outcome, facts = _outcome(seen), _facts(seen)
    return compose(
        subject=f"ACTION: {mail.headline}; {outcome}, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(mail.meaning),
            listed(*mail.details),
            wrapped(facts),
            wrapped(ACT),
            *remedies.paragraphs,
            *mail.rest,
            f"This mail is not repeated; another one says when {mail.ends}.",
            *links(stack, mail.anchor, file_system_id),
        ],
        short=f"ACTION {file_system_id}: {mail.headline}; {outcome}. {remedies.way_out}",
        chat=chat(stack, file_system_id, mail.anchor, [mail.meaning, *mail.details, facts, ACT], remedies.steps),
    )


def _outcome(seen: LastSeen) -> str:
    if seen.is_zero:
        return "credits were gone"
    return "credits may be gone" if seen.gone <= seen.time else f"credits gone at {clock(seen.gone, seen.time)}"


def _facts(seen: LastSeen) -> str:
    if seen.is_zero:
        return (
            "Nothing was left of the burst credits then. If the load went on, everything on it is still limited to "
            f"{EARNED}"
        )
    when = "have been gone since" if seen.gone <= seen.time else "are gone at"
    return (
        f"The burst credits were running out then: {size(seen.balance_bytes)} were left, and fell by "
        f"{rate(seen.drain_bytes_per_second)}. If that went on, they {when} about {clock(seen.gone, seen.time)}, and "
        f"everything on it {'is' if seen.gone <= seen.time else 'will be'} limited to {EARNED}"
    )


def left_to_do_about_credits(seen: SeenAgain) -> str:
    """What there is of the credits again, and whether what a mail asked for before is still to be done: where they
    recover it would lock the throughput mode for nothing.
    """
    at = f"At about {clock(seen.since, seen.time)}"
    left = f"{at} {size(seen.balance_bytes)} of burst credits were left"
    match seen.course:
        case Course.AT_ZERO:
            return f"{at} nothing was left of the burst credits: {STILL_TO_BE_DONE}."
        case Course.FALLING:
            return f"{left}, and falling: {STILL_TO_BE_DONE}."
        case Course.RECOVERING:
            return f"{left}, and not falling."
        case Course.UNKNOWN:
            return f"{left}. If they fall, {STILL_TO_BE_DONE}."
