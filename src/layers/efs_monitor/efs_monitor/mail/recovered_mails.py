"""The Advice mail that Warning or Critical is over: how far away the next one is, and what to do until then."""

from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.incidents.moved_thresholds import is_of_a_size, is_over_by_a_lower_one
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.cap_mails import credits_changed_nothing
from efs_monitor.mail.chat import chat
from efs_monitor.mail.coming_day import (
    AT_ANY_HOUR,
    began_before_the_last_day,
    coming_and_time_to_act,
    is_told_what_comes,
    nothing_comes_back,
    remedy_of_before,
    shows_a_fall,
    what_comes_back,
    what_fell,
)
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.goes_on import if_a_load_has_come_since
from efs_monitor.mail.incident_so_far import so_far
from efs_monitor.mail.layout import Message, compose, sentences, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.numbers import clock, counted, size
from efs_monitor.mail.outlook import (
    LONGEST_FORECAST_MINUTES,
    Trend,
    both_ends,
    end_at_net_rate,
    end_at_permitted_rate,
    left_in_short,
    minutes_in_words,
    newest_minute,
    trend,
    whole_minutes_left,
)
from efs_monitor.mail.overtaken_alarm_mails import overtaken_by_mode
from efs_monitor.mail.remedies import lock_without_remedies, remedies, steps, ways_out
from efs_monitor.mail.stack_context import StackContext

# Of a load that leaves enough, and less than Warning's lead time: it is told of in the paragraph that follows.
AS_BEFORE = "No action is needed before Warning goes on again, as it would with this load:"
# Of an alarm that was on for longer than the day that is looked at.
BEFORE_THE_LAST_DAY = "Whether the load that set it off comes again is not known: it began more than 24 hours ago"


def recovered(
    severity: AlarmKind,
    lead_minutes: int,
    situation: Situation,
    stack: StackContext,
    since: datetime | None = None,
    went_off_below_bytes: float | None = None,
    *,
    with_critical: bool = False,
) -> Message:
    """The end of a Warning or Critical that was on `since` then, set off by a threshold of so many bytes, and how far
    away the next one is; of Warning `with_critical`, which has no mail of its own where it ended with it.
    """
    file_system, word = situation.file_system, severity.capitalize()
    if not file_system.lives_on_credits:
        sentence = f"The {word} alarm of {titled(file_system)} is over, and credits no longer matter"
        return overtaken_by_mode("RECOVERED", f"{word} is over", sentence, severity, situation, stack)
    if situation.credits_change_nothing:
        return credits_changed_nothing("RECOVERED", severity, lead_minutes, situation, stack)
    advice, lock = [], lock_without_remedies(situation)
    lasted = None if since is None else situation.time - since
    if whole_minutes_left(situation) < lead_minutes:
        advice = [f"That is still less than {counted(lead_minutes)}, so the alarm may be back soon."]
    elif severity is AlarmKind.WARNING and trend(situation) is not Trend.FALLING:
        # Not of Critical: any load that begins now may use up an hour's worth before the night is over.
        advice = _after_warning(situation, lead_minutes, lasted)
    story = so_far(severity, situation)
    was_on = f" It was on since {clock(since, situation.time)}." if since is not None else ""
    was_on += _was_lowered(lead_minutes, went_off_below_bytes, situation)
    over = (
        f"The {word} alarm of {titled(file_system)} is over{', and Critical with it' if with_critical else ''}.{was_on}"
    )
    begun = _load_that_has_just_begun(situation)
    # Its lead time may have been made shorter, while the balance falls: then neither ends, and this one may be back.
    falls = trend(situation) is Trend.FALLING
    in_order = ways_out(file_system.file_system_id, situation, stack) if falls else []
    since_then = "" if falls else if_a_load_has_come_since(situation)
    ends = (end_at_permitted_rate(situation), begun) if begun else both_ends(situation, lead_minutes)
    if since_then:
        ends = ("", begun or end_at_net_rate(situation, lead_minutes))
    if severity is AlarmKind.CRITICAL and not falls:
        if began_before_the_last_day(lasted) and nothing_comes_back(situation):
            advice.append(_before_the_last_day(situation, lead_minutes))
        if AlarmKind.WARNING not in situation.alarms_missing:
            advice.append("The Warning alarm ends later, at its own, higher threshold.")
    return compose(
        subject=f"RECOVERED: {word} is over, {left_in_short(situation)}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(f"{over} {minutes_in_words(situation)}."),
            *([wrapped(since_then)] if since_then else []),
            *([wrapped(" ".join(advice))] if advice else []),
            *coming_and_time_to_act(
                situation, lead_minutes, "a remedy below" if falls else remedy_of_before(situation)
            ),
            *([wrapped(lock)] if lock and not falls else []),
            sentences(*ends),
            *([wrapped(story)] if story else []),
            facts(severity, lead_minutes, situation),
            *(remedies(in_order, situation, stack) if falls else []),
            *links(stack, "recovered", file_system.file_system_id, alarm_name(stack.stack_name, severity)),
        ],
        short=f"RECOVERED {file_system.file_system_id}: {word} is over, {left_in_short(situation)}.",
        chat=chat(
            stack,
            file_system.file_system_id,
            "recovered",
            [
                f"{over} {minutes_in_words(situation)}.",
                since_then,
                *advice,
                what_comes_back(situation, lead_minutes) if is_told_what_comes(situation, lead_minutes) else "",
                "" if falls else lock,
                story,
                begun or end_at_net_rate(situation, lead_minutes),
            ],
            steps(in_order),
            alarm_name=alarm_name(stack.stack_name, severity),
        ),
    )


def _load_that_has_just_begun(situation: Situation) -> str:
    """When the newest minute ends them, if a load began with it or the one before: the pace is an average with the rise
    until then, and would have them rise on minutes before the next `CRITICAL`. Empty where none did, where that takes
    more than two days, and where the pace falls and tells it.
    """
    end = situation.end_as_in_the_newest_minute
    if end is None or not situation.has_just_begun or trend(situation) is Trend.FALLING:
        return ""
    is_far = end - situation.time >= timedelta(minutes=LONGEST_FORECAST_MINUTES)
    return "" if is_far else newest_minute(situation)


def _was_lowered(lead_minutes: int, went_off_below_bytes: float | None, situation: Situation) -> str:
    """The sentence that the threshold is what ended the alarm, where no more has come back than set it off."""
    if went_off_below_bytes is None or not is_over_by_a_lower_one(lead_minutes, went_off_below_bytes, situation):
        return ""
    with_the_size = " with the size" if is_of_a_size(went_off_below_bytes, lead_minutes, situation) else ""
    return (
        f" It went off below {size(went_off_below_bytes)}, and ended because its threshold was lowered{with_the_size} "
        f"to {size(situation.threshold_bytes(lead_minutes))}: the balance is still below the one of before."
    )


def _after_warning(situation: Situation, lead_minutes: int, lasted: timedelta | None) -> list[str]:
    """What there is to do after a Warning that `lasted` so long, beside what comes that leaves less than its lead time:
    nothing after calm days, unless one has just begun, and else what fell, however much that leaves, or that any hour
    may bring it.
    """
    if nothing_comes_back(situation):
        if began_before_the_last_day(lasted):
            return [_before_the_last_day(situation, lead_minutes)]
        if _load_that_has_just_begun(situation):
            return []
        return [AS_BEFORE if what_comes_back(situation, lead_minutes) else "No action is needed."]
    return [] if what_comes_back(situation, lead_minutes) else [what_fell(situation) or AT_ANY_HOUR.capitalize()]


def _before_the_last_day(situation: Situation, lead_minutes: int) -> str:
    """A fall since may be the same load at work again, though it leaves enough. One that leaves less than the lead time
    is told of among what comes.
    """
    if not shows_a_fall(situation):
        if _load_that_has_just_begun(situation):
            return f"{BEFORE_THE_LAST_DAY}."
        return f"{BEFORE_THE_LAST_DAY}, and nothing that came since would take credits now."
    fell = what_fell(situation)
    return f"{BEFORE_THE_LAST_DAY}. {'' if fell in what_comes_back(situation, lead_minutes) else fell}".rstrip()
