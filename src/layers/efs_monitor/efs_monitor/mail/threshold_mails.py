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
    burst_bytes_per_second,
    earned_bytes_per_second,
    is_no_faster,
    threshold_bytes,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Taken
from efs_monitor.incidents.identity import EndedByMode
from efs_monitor.mail.chat import chat
from efs_monitor.mail.descriptions import why_credits_mean_nothing
from efs_monitor.mail.known_day import known_span
from efs_monitor.mail.layout import Message, compose, listed, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.mode_mails import takes_all_provisioned
from efs_monitor.mail.numbers import clock, counted, rate, size, up_to
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
) -> Message:
    """The thresholds are far from those that a mail last told of, or that were deployed where none did; `told_…` is the
    reference of that time. They have been so `since` a while where an earlier mail put this one off, and stood then for
    `since_bytes_per_second`, which may not be quite what they stand for by now. The balance is `low` by those of some
    alarms: that is an incident, or will be one within minutes.
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
        f"at {reference}{put_off}. When a mail last told of them, or else at deployment, they stood for {rate(told)}."
    )
    nothing_to_do = f"There is nothing to do about the alarms: the lead times stay as they are. {meaning}"
    if low and not decision.credits_change_nothing:
        nothing_to_do = f"{_incident(low)} {meaning}"
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
        chat=chat(stack, file_system.file_system_id, "thresholds-moved", [moved, nothing_to_do]),
    )


def _incident(low: Sequence[AlarmKind]) -> str:
    """Whoever works at an incident reads this mail amid it: what it is about is not over because of thresholds."""
    thresholds = "threshold" if len(low) == 1 else "thresholds"
    return (
        f"The balance is below the new {thresholds} of {_named(low)}, too: the incident goes on, and what its mails "
        f"say to do holds. Of the alarms nothing has to be changed: the lead times stay as they are."
    )


def _earns(file_system: FileSystem, told: float) -> str:
    """What the size earns now and earned when it could be driven at `told`: the less it is, the sooner the same load
    empties the same balance. Empty where `told` does not show it: it is what each small size gives, or maybe a cap.
    """
    if is_no_faster(told, LOWEST_BURST_BYTES_PER_SECOND) or is_no_faster(LOWEST_REGIONAL_CAP_BYTES_PER_SECOND, told):
        return ""
    earned = earned_bytes_per_second(file_system.standard_bytes)
    earned_then = told * BASELINE_BYTES_PER_SECOND_PER_TIB / BURST_BYTES_PER_SECOND_PER_TIB
    more_or_less = "more" if earned > earned_then else "less"
    return f" It also earns {more_or_less}: {rate(earned)} instead of {rate(earned_then)}."


def _is_capped(now: int, told: float, file_system: FileSystem) -> bool:
    """Whether only a Region's cap explains that it may be driven no faster than `now`: its size gives what was told."""
    gives_as_much = is_no_faster(told, burst_bytes_per_second(file_system.standard_bytes))
    return gives_as_much and is_no_faster(LOWEST_REGIONAL_CAP_BYTES_PER_SECOND, now)


def suspended(
    decision: Decision, stack: StackContext, ended: EndedByMode | None = None, taken: Taken | None = None
) -> Message:
    """The alarms on credits fall silent, because burst credits mean nothing at the moment; and with them the incident
    that the change of mode has `ended`. What clients have `taken` tells whether a provisioned rate holds them down.
    """
    file_system = decision.file_system
    elastic = file_system.mode is ThroughputMode.ELASTIC
    mode = "elastic" if elastic else "provisioned"
    instead = (
        "No action is needed. Nothing limits it in the way credits did, but every byte read and written is billed now: "
        "keep an eye on that."
        if elastic
        else f"Its limit is now {rate(file_system.provisioned_bytes_per_second)} at any time, with no bursts above it. "
        f"{_enough_provisioned(file_system, taken)}"
    )
    silent = (
        f"The alarms on burst credits are suspended: {titled(file_system)} {why_credits_mean_nothing(file_system)}."
    )
    limit = f"limited to {rate(file_system.provisioned_bytes_per_second)}"
    limits = _limits(file_system, taken)
    head, outcome, over = "INFO", f"alarms suspended, {limit if limits else f'{mode} throughput'}", []
    if ended:
        still = "still " if AlarmKind.EXHAUSTED in ended.alarms else ""
        head, outcome = "RECOVERED", f"over by {mode} throughput, {f'{still}{limit}' if limits else 'alarms suspended'}"
        over = [_over(file_system, ended, "over as far as credits go" if limits else "over")]
    return compose(
        subject=f"{head}: {outcome}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            *map(wrapped, over),
            wrapped(silent),
            wrapped(instead),
            wrapped(
                "The alarms stay where they are and tell nobody. They resume by themselves, with thresholds worked "
                "out afresh, within about an hour of the file system living on burst credits again: a mail says so, or "
                "that of an alarm which goes off then."
            ),
            *links(stack, "suspended", file_system.file_system_id),
        ],
        short=f"{head} {file_system.file_system_id}: {outcome}. They resume by themselves.",
        chat=chat(stack, file_system.file_system_id, "suspended", [*over, silent, instead]),
    )


def _limits(file_system: FileSystem, taken: Taken | None) -> bool:
    """Whether less is provisioned than clients have taken before. What they take since may not be known yet."""
    provisioned = file_system.mode is ThroughputMode.PROVISIONED
    return (
        provisioned
        and taken is not None
        and not is_no_faster(taken.busiest_bytes_per_second, file_system.provisioned_bytes_per_second)
    )


def _enough_provisioned(file_system: FileSystem, taken: Taken | None) -> str:
    if taken is not None and _limits(file_system, taken):
        return (
            f"In the busiest five minutes of {known_span(taken.known_minutes)} clients took "
            f"{rate(taken.busiest_bytes_per_second)} as metered, which is more: such a load is limited, and no mail "
            f"tells of it. Provision more: an increase is always possible."
        )
    takes_all = taken and takes_all_provisioned(file_system, taken.lately_bytes_per_second)
    return takes_all or "Should clients want more, provision more: an increase is always possible."


def _over(file_system: FileSystem, ended: EndedByMode, over: str) -> str:
    began = f" that began at {clock(ended.began, ended.time)}" if ended.began is not None else ""
    one = len(ended.alarms) == 1
    names = _named(ended.alarms)
    return (
        f"The incident on {titled(file_system)}{began} is {over}, by a change of the throughput mode. {names} "
        f"{'was' if one else 'were'} on and {'is' if one else 'are'} set to OK, which closes what a pager has open of "
        f"{'it' if one else 'them'}."
    )


def _named(alarms: Sequence[AlarmKind]) -> str:
    *others, last = (kind.capitalize() for kind in alarms)
    return f"{', '.join(others)} and {last}" if others else last


def resumed(decision: Decision, stack: StackContext, ending_unheard: Sequence[AlarmKind] = ()) -> Message:
    """The alarms on credits act again; those `ending_unheard` send an OK after an ALARM that nobody got."""
    file_system = decision.file_system
    settings, reference = decision.settings, decision.reference.bytes_per_second
    permitted = up_to(rate(reference), may_be_less=decision.reference.may_be_capped)
    active = (
        f"The alarms on the burst credits of {titled(file_system)} are active again: it lives on them again, and may "
        f"be driven at {permitted} while they last."
    )
    real = (
        "They do so by themselves. A balance that is low already sets off its alarm within minutes, and that mail is "
        "a real one."
    )
    over = [_over_unheard(ending_unheard)] if ending_unheard else []
    return compose(
        subject=f"INFO: alarms active again, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(active),
            wrapped(real),
            *map(wrapped, over),
            listed(
                *(
                    f"{kind.capitalize()}, {counted(minutes)} ahead: below {size(threshold_bytes(minutes, reference))}"
                    for kind in LEAD_ALARMS
                    if (minutes := settings.lead_minutes(kind))
                )
            ),
            *links(stack, "resumed", file_system.file_system_id),
        ],
        short=f"INFO {file_system.file_system_id}: burst credit alarms are active again.",
        chat=chat(stack, file_system.file_system_id, "resumed", [active, real, *over]),
    )


def _over_unheard(alarms: Sequence[AlarmKind]) -> str:
    one = len(alarms) == 1
    return (
        f"{_named(alarms)} went off unheard while the alarms were silent, for a balance that is above "
        f"{'its threshold' if one else 'their thresholds'} again. After {counted(EVALUATION_MINUTES)} above "
        f"{'it ends, and its OK' if one else 'they end, and the OK of each'} asks for nothing."
    )
