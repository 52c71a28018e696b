"""The Advice mails about the limit itself: the burst credits are gone, and they are back."""

from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.thresholds import EXHAUSTED_MINUTES
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.hovering import SAME_STORY
from efs_monitor.incidents.situation import Situation
from efs_monitor.incidents.times_at_zero import (
    TimeAtZero,
    earlier_times_at_zero,
    lifted_since,
    times_at_zero,
    was_limited,
)
from efs_monitor.mail.cap_mails import credits_change_nothing, credits_changed_nothing
from efs_monitor.mail.chat import chat
from efs_monitor.mail.coming_day import is_told_what_comes, remedy_of_before, to_do_until_it_comes, what_comes_back
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.goes_on import earliest_end_by_late_metrics, if_a_load_has_come_since
from efs_monitor.mail.hovering_mails import nearly_gone_before, rose_before
from efs_monitor.mail.incident_so_far import beginning, end, so_far
from efs_monitor.mail.known_day import counted_span
from efs_monitor.mail.layout import Message, compose, sentences, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.mode_refusals import locked, only_less_load, why_locked
from efs_monitor.mail.numbers import clock, past_span, rate, size, size_rounded_down
from efs_monitor.mail.outlook import (
    TO_EVERYBODY,
    Trend,
    end_at_net_rate,
    end_at_permitted_rate,
    if_the_load_went_on,
    left_in_short,
    left_in_subject,
    limit_in_subject,
    minutes_in_words,
    nothing_holds_them_down,
    slows_nobody_down,
    trend,
    what_ends_the_limit,
    what_follows,
    what_is_so,
    whole_minutes_left,
    with_credits,
)
from efs_monitor.mail.overtaken_alarm_mails import limited_no_more
from efs_monitor.mail.remedies import in_short, remedies, steps, way_out_of_zero, ways_out
from efs_monitor.mail.smaller_size import earns_far_less
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.notify.same_story import exhausted_before

# The alarm itself takes a quarter of an hour to end. What was lifted later than so long before needs no time.
LIFTED_JUST_NOW = timedelta(minutes=10)
NEARLY, ON, OFF, NOT_ON = "NEARLY GONE", "GONE", "LIMIT LIFTED", "NOT GONE"


def limited(situation: Situation, stack: StackContext) -> Message:
    """The Exhausted alarm went off: clients are slowed down, or less than a minute at full speed was left."""
    file_system = situation.file_system
    file_system_id = file_system.file_system_id
    if not file_system.lives_on_credits:
        return limited_no_more(ON, AlarmKind.EXHAUSTED, situation, stack)
    if situation.credits_change_nothing:
        return credits_change_nothing(ON, AlarmKind.EXHAUSTED, EXHAUSTED_MINUTES, situation, stack)
    limit = rate(situation.baseline_bytes_per_second)
    ran_out = None if situation.credits_are_gone else situation.ran_out
    gone = situation.credits_are_gone or ran_out is not None
    head = ON if gone else NEARLY
    in_order = ways_out(file_system_id, situation, stack)
    in_doubt = " if the load went on" if ran_out is not None or if_the_load_went_on(situation) else ""
    left = f"no burst credits left{in_doubt}, {limit_in_subject(situation)}" if gone else left_in_short(situation)
    rose = "" if gone else rose_before(EXHAUSTED_MINUTES, situation)
    return compose(
        subject=f"{head}: {left}{rose}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            *(_when_gone(situation, ran_out, stack.region) if gone else _when_nearly_gone(situation)),
            *_before(situation, _came_back_before(situation, ran_out, gone=gone)),
            facts(AlarmKind.EXHAUSTED, EXHAUSTED_MINUTES, situation),
            *remedies(in_order, situation, stack),
            *_links(stack, "exhausted", file_system_id),
        ],
        short=in_short(f"{head} {file_system_id}: {left}", "" if gone else f", then {limit}", situation, stack.region),
        chat=chat(
            stack,
            file_system_id,
            "exhausted",
            _lines_when_gone(situation, ran_out) if gone else _lines_when_nearly_gone(situation),
            steps(in_order),
            alarm_name(stack.stack_name, AlarmKind.EXHAUSTED),
        ),
    )


def limit_lifted(
    critical_minutes: int, situation: Situation, stack: StackContext, *, ended_unseen: bool = False
) -> Message:
    """The Exhausted alarm is over: clients may burst again, for as long as the few credits last; or the load has ended
    before it used up the last minute's worth. `ended_unseen` where no mail has told of it, because the metrics came too
    late for that.
    """
    file_system = situation.file_system
    if not file_system.lives_on_credits:
        return limited_no_more(OFF, AlarmKind.EXHAUSTED, situation, stack)
    if situation.credits_change_nothing:
        return credits_changed_nothing(OFF, AlarmKind.EXHAUSTED, EXHAUSTED_MINUTES, situation, stack)
    left, before = left_in_short(situation), so_far(AlarmKind.EXHAUSTED, situation, is_of_the_last=True)
    # The mails before this one are of another hour, with other sizes and another order of what helps.
    falls = trend(situation) is Trend.FALLING
    in_order = ways_out(file_system.file_system_id, situation, stack) if falls else []
    last = next(reversed(times_at_zero(situation)), None)
    head = OFF if last is None or _may_have_been_limited(last, situation) else NOT_ON
    again = " again" if head == OFF else ""
    told = f"{_what_is_over(situation, last, ended_unseen=ended_unseen)} {minutes_in_words(situation)}."
    untold = [_untold(situation, last)] if ended_unseen else []
    since = "" if falls else if_a_load_has_come_since(situation)
    untold += [since] if since else []
    in_subject, end = left_in_subject(situation), earliest_end_by_late_metrics(situation)
    if since and end is not None and end <= situation.time:
        # A load that nobody saw may have ended them since; that they are gone is said of those that fall alone.
        left = in_subject = f"{left}, as of {clock(situation.balances[-1].time, situation.time)}"
    comes = situation.gone_again_and_again_within is not None or is_told_what_comes(situation, critical_minutes)
    what, less_load = what_comes_back(situation, critical_minutes) if comes else "", only_less_load(situation)
    remedy = remedy_of_before(situation, was_told=not ended_unseen)
    # Where it falls the remedies stand below.
    to_do = to_do_until_it_comes(situation, remedy) if what and not falls and not less_load else ""
    why_not = f"{locked(situation)} {less_load}".strip()
    return compose(
        subject=f"{head}: {in_subject}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(told),
            *map(wrapped, untold),
            wrapped(
                f"It may be driven at {with_credits(situation)}{again} until they end, and is "
                f"limited{again} after that.{_what_ends_later(situation, critical_minutes)}"
            ),
            *([wrapped(before)] if before else []),
            *(wrapped(one) for one in (f"{what} {to_do}".strip(), why_not) if one),
            sentences("" if since else end_at_permitted_rate(situation), end_at_net_rate(situation, EXHAUSTED_MINUTES)),
            facts(AlarmKind.EXHAUSTED, EXHAUSTED_MINUTES, situation),
            *(remedies(in_order, situation, stack) if falls else []),
            *_links(stack, "limit-lifted", file_system.file_system_id),
        ],
        short=f"{head} {file_system.file_system_id}: {left}.",
        chat=chat(
            stack,
            file_system.file_system_id,
            "limit-lifted",
            [
                told,
                *untold,
                what,
                why_not,
                # A chat has no room for all three.
                "" if what and why_not else end_at_net_rate(situation, EXHAUSTED_MINUTES),
            ],
            steps(in_order),
            alarm_name=alarm_name(stack.stack_name, AlarmKind.EXHAUSTED),
        ),
    )


def _what_ends_later(situation: Situation, critical_minutes: int) -> str:
    """What is told when the milder alarms end, while both are on: nothing of one that there is not."""
    if whole_minutes_left(situation) >= critical_minutes:
        return ""
    critical = (
        " The Critical alarm ends later, at its own, higher threshold: CloudWatch's own message on the Critical topic "
        "tells of it."
    )
    warning = " A mail like this one comes when Warning is over, at the latest."
    told = {AlarmKind.CRITICAL: critical, AlarmKind.WARNING: warning}
    return "".join(sentence for kind, sentence in told.items() if kind not in situation.alarms_missing)


def _may_have_been_limited(last: TimeAtZero, situation: Situation) -> bool:
    """Whether clients were limited the `last` time, or may be by now: at their pace nothing would be left."""
    return was_limited(last, situation) or situation.ran_out is not None


def _what_is_over(situation: Situation, last: TimeAtZero | None, *, ended_unseen: bool) -> str:
    """The sentence that the limit is lifted, with the time where that was a while ago and the limit was told of; or,
    where some was left in the `last` time without a minute's worth, that nothing was limited. A limit that
    `ended_unseen` has both its times in the sentence after this one.
    """
    name = titled(situation.file_system)
    if last is None or _may_have_been_limited(last, situation):
        since = None if ended_unseen else lifted_since(situation)
        if since is None or situation.balances[-1].time - since <= LIFTED_JUST_NOW:
            return f"The limit on {name} is lifted."
        return f"The limit on {name} has been lifted since about {clock(since, situation.time)}."
    return (
        f"The burst credits of {name} were not used up: {size_rounded_down(last.lowest_bytes)} were left at the "
        f"least, and nothing was limited."
    )


def _untold(situation: Situation, last: TimeAtZero | None) -> str:
    why = "The metrics of that time came too late to tell it then."
    if last is None:
        return f"The burst credits were gone before. {why}"
    were = "The burst credits were gone" if was_limited(last, situation) else "Less than a minute's worth was left"
    return f"{were} from {beginning(last.began, situation)} to {end(last.ended, situation)}. {why}"


def _gone(situation: Situation, ran_out: datetime | None) -> str:
    """The sentence that the credits are gone; or that they `ran_out` at their pace since the newest datapoint."""
    gone = f"The burst credits of {titled(situation.file_system)} are gone"
    if ran_out is None:
        return f"{gone}{if_the_load_went_on(situation)}."
    newest = situation.balances[-1]
    seen = clock(newest.time, situation.time)
    at = f"{gone}, if the load went on: at the pace of {past_span(situation.pace_minutes)} they ran out"
    if ran_out < newest.time + MINUTE:
        return f"{at} within a minute of the newest datapoint, of {seen}, which had {size(newest.balance_bytes)}."
    return (
        f"{at} at {clock(ran_out, situation.time)}. The newest datapoint, of {seen}, still had "
        f"{size(newest.balance_bytes)}."
    )


def _lines_when_gone(situation: Situation, ran_out: datetime | None) -> list[str]:
    """What a chat says first: that they are gone, what that means, and what ends it."""
    return [
        _gone(situation, ran_out),
        f"{what_is_so(situation)}.",
        what_ends_the_limit(situation, EXHAUSTED_MINUTES),
        why_locked(situation),
    ]


def _lines_when_nearly_gone(situation: Situation) -> list[str]:
    return [
        f"{minutes_in_words(situation)} on {titled(situation.file_system)}.",
        end_at_net_rate(situation, EXHAUSTED_MINUTES),
        f"{what_follows(situation)}.",
        _coming_back(situation),
        why_locked(situation),
    ]


def _when_gone(situation: Situation, ran_out: datetime | None, region: str) -> list[str]:
    smaller = earns_far_less(situation)
    return [
        wrapped(_gone(situation, ran_out)),
        wrapped(f"{what_is_so(situation)}: {TO_EVERYBODY} {nothing_holds_them_down(situation)}".rstrip()),
        *([wrapped(smaller)] if smaller else []),
        wrapped(way_out_of_zero(situation, EXHAUSTED_MINUTES, region)),
    ]


def _when_nearly_gone(situation: Situation) -> list[str]:
    """The newest datapoint is some minutes old, and may be above what set off the alarm. In the order of the subject:
    the pace comes first where the balance falls.
    """
    lasting = [end_at_permitted_rate(situation), end_at_net_rate(situation, EXHAUSTED_MINUTES)]
    follows = f"{what_follows(situation)}: {TO_EVERYBODY}"
    return [
        wrapped(f"{minutes_in_words(situation)} on {titled(situation.file_system)}."),
        wrapped(f"{f'{follows} {slows_nobody_down(situation)}'.rstrip()} No mail of its own comes at that moment."),
        sentences(*(reversed(lasting) if trend(situation) is Trend.FALLING else lasting)),
        *(wrapped(one) for one in [_coming_back(situation)] if one),
    ]


def _coming_back(situation: Situation) -> str:
    """What the last days say of the coming hours, where no load is there that takes the rest."""
    return what_comes_back(situation, EXHAUSTED_MINUTES) if trend(situation) is not Trend.FALLING else ""


def _came_back_before(situation: Situation, ran_out: datetime | None, *, gone: bool) -> list[str]:
    """How often more came back after so little was left; nothing of that where none is left for sure."""
    if ran_out is not None:
        return _some_was_left_before(situation)
    return [] if gone else nearly_gone_before(situation)


def _some_was_left_before(situation: Situation) -> list[str]:
    """How often less than a minute's worth was left before, and something each time: whether this time has ended the
    credits is not known. Empty where clients were limited in one of those.
    """
    earlier = earlier_times_at_zero(situation)
    if not earlier or any(was_limited(one, situation) for one in earlier):
        return []
    times = {1: "once", 2: "twice"}.get(len(earlier), f"{len(earlier)} times")
    least = size_rounded_down(min(one.lowest_bytes for one in earlier))
    span = counted_span(situation)
    return [
        f"In {span} less than a minute's worth was left {times} before, {least} at the least, and nothing was limited."
    ]


def _before(situation: Situation, came_back: list[str]) -> list[str]:
    """What happened before, and who tells of the next time. Where more `came_back` before, its sentences are how often
    that was, and who tells where that is not as always.
    """
    told = [so_far(AlarmKind.EXHAUSTED, situation), *came_back]
    is_told_as_always = len(came_back) < 2
    if is_told_as_always and exhausted_before(situation):
        hours = SAME_STORY // timedelta(hours=1)
        lifted = "is lifted" if situation.credits_are_gone else "is lifted, or never came"
        told.append(
            f"A mail like this one comes each time they are gone, or nearly so, after a quarter of an hour with more "
            f"than a minute's worth. That they fall, and that the limit {lifted}, may come by CloudWatch's own ALARM "
            f"and OK messages alone, on the Warning and Critical topics, if they were gone before within {hours} hours."
        )
    text = " ".join(filter(None, told))
    return [wrapped(text)] if text else []


def _links(stack: StackContext, anchor: str, file_system_id: str) -> list[str]:
    return links(stack, anchor, file_system_id, alarm_name(stack.stack_name, AlarmKind.EXHAUSTED))
