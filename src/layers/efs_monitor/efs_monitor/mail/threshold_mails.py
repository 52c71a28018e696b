"""The Advice mails about the alarms themselves: thresholds moved, suspended, and resumed."""

from collections.abc import Sequence
from datetime import datetime

from efs_monitor.alarms.alarm import LEAD_ALARMS, AlarmKind
from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.alarms.decision import Decision
from efs_monitor.efs.credits import (
    BASELINE_BYTES_PER_SECOND_PER_TIB,
    BURST_BYTES_PER_SECOND_PER_TIB,
    LOWEST_BURST_BYTES_PER_SECOND,
    LOWEST_REGIONAL_CAP_BYTES_PER_SECOND,
    SECONDS_PER_MINUTE,
    burst_bytes_per_second,
    earned_bytes_per_second,
    is_no_faster,
    threshold_bytes,
)
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.mail.chat import chat
from efs_monitor.mail.layout import Message, compose, enumerated, listed, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.numbers import clock, counted, duration, rate, size, up_to
from efs_monitor.mail.stack_context import StackContext

# What notify/threshold_news.py does, in words: who reads other thresholds in CloudWatch by then is to know why.
LESS_THAN_THIS = (
    "Should they move again within a day, by a tenth or more but by less than half, a mail says so when that day is "
    "over."
)


def thresholds_moved(
    decision: Decision,
    told_reference_bytes_per_second: float,
    stack: StackContext,
    *,
    now: datetime,
    since: datetime | None = None,
    since_bytes_per_second: float | None = None,
    low: Sequence[AlarmKind] = (),
    on: Sequence[AlarmKind] = (),
    newest_balance_bytes: float | None = None,
) -> Message:
    """The thresholds are far from those that a mail last told of, or that were deployed where none did; `told_…` is the
    reference of that time. They have been so `since` a while where an earlier mail put this one off, and stood then for
    `since_bytes_per_second`, which may not be quite what they stand for by now. The balance is `low` by those of some
    alarms: that is an incident where they are `on`, or will be one within minutes. One that is `on` and not low ends.
    Where it goes on, its mails have told of another end than that of the newest balance by now.
    """
    file_system = decision.file_system
    told = told_reference_bytes_per_second
    reached = decision.reference.bytes_per_second
    reference = up_to(rate(reached), may_be_less=decision.reference.may_be_capped)
    put_off = ""
    if since is not None:
        first = rate(reached if since_bytes_per_second is None else since_bytes_per_second)
        about = f"about {clock(since, now)}"
        put_off = f" (since {about})" if first == rate(reached) else f" (already at {first} by {about})"
    if reached > told:
        direction = "up"
        meaning = (
            "A balance that was enough before may be below them now: an alarm that follows this mail is a real one."
        )
    else:
        direction, meaning = "down", "Less can be driven through it now."
    meaning += _earns(file_system, told)
    if decision.credits_change_nothing:
        meaning = (
            "An alarm that follows this mail asks for nothing: its Region's limit is about what its size earns, or "
            "less, so it may be driven as fast without credits."
        )
    elif reached < told and _is_capped(reached, told, file_system):
        meaning = "Its Region permits less than its size gives, so the same balance lasts longer."
    settings = decision.settings
    moved = (
        f"The alarm thresholds of {titled(file_system)} moved {direction}, because with credits it may now be driven "
        f"at {reference}{put_off}. When a mail last told of them, or else at deployment, they stood for "
        f"{rate(told)}."
    )
    nothing_to_do = f"There is nothing to do about the alarms: the lead times stay as they are. {meaning}"
    to_a_chat = nothing_to_do
    if low and not decision.credits_change_nothing:
        lasts = _lasts(decision, reference, newest_balance_bytes)
        incident = _incident(low, on, lasts, decision.baseline_bytes_per_second)
        nothing_to_do = f"{incident} {meaning}"
        # On a phone there is no room for both.
        to_a_chat = incident if lasts else nothing_to_do
    if ending := [kind for kind in on if kind not in low]:
        nothing_to_do, to_a_chat = (f"{_ending(ending)} {one}" for one in (nothing_to_do, to_a_chat))
    return compose(
        subject=f"INFO: alarm thresholds moved {direction}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(moved),
            wrapped(f"{nothing_to_do} {LESS_THAN_THIS}"),
            listed(
                *(
                    f"{kind.capitalize()}, {counted(minutes)} ahead: below {size(threshold_bytes(minutes, reached))}, "
                    f"was {size(threshold_bytes(minutes, round(told)))}"
                    for kind in LEAD_ALARMS
                    if (minutes := settings.lead_minutes(kind))
                )
            ),
            wrapped(f"Where that comes from: {decision.reason}."),
            *links(stack, "thresholds-moved", file_system.file_system_id),
        ],
        short=f"INFO {file_system.file_system_id}: alarm thresholds moved {direction}, reference {reference}, "
        f"was {rate(told)}.",
        chat=chat(stack, file_system.file_system_id, "thresholds-moved", [moved, to_a_chat]),
    )


def _lasts(decision: Decision, reference: str, newest_balance_bytes: float | None) -> str:
    """How long the balance lasts at the `reference` of now, which is in words; empty where nobody knows it, less than a
    minute's worth is left, or the size earns as much.
    """
    earned = earned_bytes_per_second(decision.file_system.standard_bytes)
    net_bytes_per_second = decision.reference.bytes_per_second - earned
    if newest_balance_bytes is None or net_bytes_per_second <= 0:
        return ""
    minutes = newest_balance_bytes / net_bytes_per_second / SECONDS_PER_MINUTE
    if minutes < 1:
        return ""
    return (
        f"Driven at {reference} without a pause, and with what is earned meanwhile, the newest balance, "
        f"{size(newest_balance_bytes)}, lasts {duration(minutes)}, whatever end an earlier mail names."
    )


def _incident(low: Sequence[AlarmKind], on: Sequence[AlarmKind], lasts: str, baseline_bytes_per_second: int) -> str:
    """Whoever works at an incident reads this mail amid it: what it is about is not over because of thresholds. What
    was over, or has not begun, does not go on: an alarm that is not on yet goes off, and its own mail tells. Who is
    limited is so to another rate by now.
    """
    told = []
    if goes_on := [kind for kind in low if kind in on]:
        told.append(
            f"The balance is below the new {_thresholds(goes_on)}, too: the incident goes on, and what its mails say "
            f"to do holds. {lasts}".rstrip()
        )
    if AlarmKind.EXHAUSTED in goes_on:
        told.append(f"While no credits are left, clients have no more than {rate(baseline_bytes_per_second)} now.")
    if going_off := [kind for kind in low if kind not in on]:
        it_goes = "it goes off within minutes, and its mail says"
        they_go = "they go off within minutes, and their mails say"
        told.append(
            f"The balance is below the new {_thresholds(going_off)}: {it_goes if len(going_off) == 1 else they_go} "
            f"what to do."
        )
    told.append("Of the alarms nothing has to be changed: the lead times stay as they are.")
    return " ".join(told)


def _ending(ending: Sequence[AlarmKind]) -> str:
    is_on, its, it_ends = ("is", "its", "it ends") if len(ending) == 1 else ("are", "their", "they end")
    return (
        f"{enumerated(ending)} {is_on} on, and the balance is above {its} new {_thresholds(ending, of_them=False)}: "
        f"{it_ends} within {counted(EVALUATION_MINUTES)}, unless less is left by then."
    )


def _thresholds(alarms: Sequence[AlarmKind], *, of_them: bool = True) -> str:
    thresholds = "threshold" if len(alarms) == 1 else "thresholds"
    return f"{thresholds} of {enumerated(alarms)}" if of_them else thresholds


def _earns(file_system: FileSystem, told: float) -> str:
    """What the size earns now and earned when it could be driven at `told`: the less it is, the sooner the same load
    empties the same balance. Of what may have been a cap it earned half as much or more. Empty where `told` does not
    show it: it is what each small size gives, or says of a cap no more than what is earned now.
    """
    if is_no_faster(told, LOWEST_BURST_BYTES_PER_SECOND):
        return ""
    earned = earned_bytes_per_second(file_system.standard_bytes)
    earned_then = told * BASELINE_BYTES_PER_SECOND_PER_TIB / BURST_BYTES_PER_SECOND_PER_TIB
    more_or_less, or_more = "more" if earned > earned_then else "less", ""
    if is_no_faster(LOWEST_REGIONAL_CAP_BYTES_PER_SECOND, told):
        if is_no_faster(earned_then, earned):
            return ""
        or_more = " or more"
    return f" It also earns {more_or_less}: {rate(earned)} instead of {rate(earned_then)}{or_more}."


def _is_capped(now: int, told: float, file_system: FileSystem) -> bool:
    """Whether only a Region's cap explains that it may be driven no faster than `now`: its size gives what was told."""
    gives_as_much = is_no_faster(told, burst_bytes_per_second(file_system.standard_bytes))
    return gives_as_much and is_no_faster(LOWEST_REGIONAL_CAP_BYTES_PER_SECOND, now)
