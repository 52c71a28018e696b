"""Whether another fall, dip or end is like those of the last hours, which were told in full: then CloudWatch's own
message is enough.

A load that empties the bucket again and again has the same story each time: a fall, the end, the limit lifted, Critical
over. The end itself, and Critical itself, are always explained in it. A load that falls again and again and ends before
the credits do has a story, too, that the first mails have told; and so has a balance that hovers about the threshold of
Warning or Critical.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.incidents.falls_alike import FallsAlike, falls_alike
from efs_monitor.incidents.hovering import SAME_STORY, dips, ended_alike, hovering
from efs_monitor.incidents.mode_lock import seems_changed
from efs_monitor.incidents.recurring_load import worst_recurring_load
from efs_monitor.incidents.situation import DAY, STEP, Situation, seen_at
from efs_monitor.incidents.times_at_zero import (
    ABOVE,
    TimeAtZero,
    earlier_limited_times,
    earlier_times_at_zero,
    times_at_zero,
    was_in_another_mode,
    was_limited,
)

# So many ends of the credits in that time, the one that is under way or just over included, make a fall the same story;
# the end of a limit; and the end of Critical, which little more than the end of the limit says.
FALLS_AFTER, LIMIT_LIFTED_AFTER, CRITICAL_OVER_AFTER = 2, 2, 1
# Falls as fast in the last day that ended by themselves: so many make another one the same story.
FALLS_ALIKE = 3
# Dips of the balance below the threshold of an alarm: so many, each risen again, make another one the same story.
DIPS_ALIKE = 2
# A load of another hour that is known to end the credits so soon may be this one.
ENDS_SOON = timedelta(hours=3)


def exhaustion_count(situation: Situation, since: datetime | None = None) -> int:
    """How often the credits were gone in the time of the same story, now included, or `since` then if that is less."""
    return len(_times_since(situation, since))


def _times_since(situation: Situation, since: datetime | None = None, above: timedelta = ABOVE) -> list[TimeAtZero]:
    began = situation.time - SAME_STORY
    began = began if since is None else max(began, since)
    # At the least: what goes on after metrics were missing is not told twice by that.
    return [one for one in times_at_zero(situation, above=above, unknown=DAY) if one.ended > began]


def _ends_of_falls(situation: Situation, above: timedelta = ABOVE) -> list[TimeAtZero]:
    """The times of the same story that a fall may have led to: not those at zero of which a part was in another
    throughput mode, as where it was left with hardly any credits. No fall was told then.
    """
    return [one for one in _times_since(situation, above=above) if not was_in_another_mode(one, situation)]


def _lifted_count(situation: Situation, above: timedelta = ABOVE) -> int:
    """How often a time like the last one ended in the time of the same story, the last one included: one that was
    limited, or one in which some of the last minute's worth was left, of which a mail may have said that it was gone.
    """
    times = _ends_of_falls(situation, above)
    is_limited = [was_limited(one, situation) for one in times]
    return is_limited.count(is_limited[-1]) if times else 0


def _ends_again_and_again(situation: Situation) -> bool:
    """Whether times like the last one came so close together that by five minutes they look like one, while the alarm,
    which looks at each minute, ends in between: once more than else, for it may not have ended each time.
    """
    return _lifted_count(situation, above=ABOVE - STEP) > LIMIT_LIFTED_AFTER


def exhausted_before(situation: Situation) -> bool:
    """Whether credits that have just ended did so before in the time of the same story: what follows is not told again.

    The newest datapoints may not show this end yet. What the mail counts as a limit of before is one here too.
    """
    ended = [one.ended for one in earlier_times_at_zero(situation, unknown=DAY)]
    ended += [one.ended for one in earlier_limited_times(situation, unknown=DAY)]
    return any(situation.time - one < SAME_STORY for one in ended)


def fall_needs_no_mail(situation: Situation) -> bool:
    """Whether the Draining alarm tells of a fall like the last ones."""
    return len(_ends_of_falls(situation)) >= FALLS_AFTER or _ends_like_others(situation)


def has_outgrown_the_others(situation: Situation, since: datetime) -> bool:
    """Whether the fall that set off the Draining alarm `since` then was left to CloudWatch's own message, being like
    others that ended by themselves, and is not like them any more.
    """
    then = seen_at(situation, since)
    return then is not None and fall_needs_no_mail(then) and not fall_needs_no_mail(situation)


def next_fall_needs_no_mail(alike: FallsAlike) -> bool:
    """Whether the next fall like these is left to CloudWatch's own message, as far as it lies with their number."""
    return alike.times + 1 >= FALLS_ALIKE and alike.spares_as_much


def _ends_like_others(situation: Situation) -> bool:
    """Whether enough falls as fast ended by themselves, and this one may take twice as much without harm."""
    alike = falls_alike(situation)
    if alike is None or alike.times < FALLS_ALIKE or not alike.spares_as_much:
        return False
    return not _ends_soon(situation) and not pulses_end_soon(situation)


def pulses_end_soon(situation: Situation) -> bool:
    """Whether pulses, of which each ends by itself and leaves less than the one before, take the last of the credits
    within some hours.
    """
    end = None if situation.pulses is None else situation.pulses.credits_end
    return end is not None and end - situation.time <= ENDS_SOON


def _ends_soon(situation: Situation) -> bool:
    recurring = worst_recurring_load(situation)
    return recurring is not None and recurring.gone and recurring.time - situation.time <= ENDS_SOON


def low_needs_no_mail(situation: Situation, threshold_bytes: float, watched_since: datetime | None = None) -> bool:
    """Whether Warning or Critical, which has just gone off at this threshold, tells of a dip like the last ones, and a
    mail of the same day has said that such ones are told no more. Dips of before `watched_since` nobody was told of.
    """
    found = hovering(situation, threshold_bytes, watched_since)
    return found is not None and found.times >= DIPS_ALIKE and found.was_told and next_dip_needs_no_mail(situation)


def next_dip_needs_no_mail(situation: Situation) -> bool:
    """Whether the next dip like those before is left to CloudWatch's own messages, as far as no other load or end of
    the credits is known.
    """
    return exhaustion_count(situation) == 0 and not _ends_soon(situation)


def nearly_gone_needs_no_mail(situation: Situation, watched_since: datetime | None = None) -> bool:
    """Whether Exhausted, which has just gone off while some of the last minute's worth is left, tells of a time like
    the last ones, and a mail of the same day has said that such ones are told no more.
    """
    if situation.credits_are_gone or situation.ran_out is not None:
        return False
    found = hovering(situation, situation.minute_bytes, watched_since)
    is_like_them = found is not None and found.times >= DIPS_ALIKE and found.was_told
    return is_like_them and next_time_nearly_gone_needs_no_mail(situation)


def next_time_nearly_gone_needs_no_mail(situation: Situation) -> bool:
    """Whether the next time like those before, in which less than a minute's worth is left, is left to CloudWatch's own
    messages: nothing was limited in them, and no other load is known to end the credits soon.
    """
    return not _was_limited_before(situation) and not _ends_soon(situation)


def _was_limited_before(situation: Situation) -> bool:
    """Whether a time of the last day that is over was one in which clients were limited: that has its own mail."""
    return any(was_limited(one, situation) for one in earlier_times_at_zero(situation))


def changes_left_out(situation: Situation, changed: Mapping[AlarmKind, tuple[str, datetime]]) -> frozenset[AlarmKind]:
    """Of alarms that `changed`, each to a state and when, those whose change was left to CloudWatch's own message, in a
    story without a time in which clients were limited: each of those has a mail.
    """
    return frozenset(
        kind
        for kind, (state, when) in changed.items()
        if (then := seen_at(situation, when)) is not None and _is_left_out(kind, state, then)
    )


def next_change_is_left_out(situation: Situation) -> bool:
    """Whether Draining or Exhausted, if it goes off now, leaves that to CloudWatch's own message."""
    return fall_needs_no_mail(situation) or nearly_gone_needs_no_mail(situation)


def _is_left_out(kind: AlarmKind, state: str, then: Situation) -> bool:
    if _was_limited_before(then):
        return False
    if kind is AlarmKind.DRAINING:
        return state == "ALARM" and fall_needs_no_mail(then)
    return nearly_gone_needs_no_mail(then) if state == "ALARM" else end_needs_no_mail(kind, then)


def may_have_had_no_mail(situation: Situation, threshold_bytes: float) -> bool:
    """Whether a Warning or Critical that is on may have gone off without a mail."""
    return len(dips(situation, threshold_bytes)) >= DIPS_ALIKE


def rise_needs_no_mail(situation: Situation, threshold_bytes: float, since: datetime | None) -> bool:
    """Whether the end of a Warning or Critical that was on `since` then is like the last ones: the mail about this one,
    or about one before it, has said that it is told no more.
    """
    return since is not None and exhaustion_count(situation) == 0 and ended_alike(situation, threshold_bytes, since)


def end_needs_no_mail(kind: AlarmKind, situation: Situation, since: datetime | None = None) -> bool:
    """Whether the end of an alarm needs no mail of its own, because the story that it ends was told.

    The end of Warning has one, but for a balance that hovers. That of Critical has none where the credits were gone
    while it was on: the mail about the end of that limit has said what comes. Nor has the end of one that was on
    `since` before the throughput mode was changed: what it told ended with that mode, and Warning or Critical, which
    are judged afresh on the way back, tell how the balance stands now.
    """
    match kind:
        case AlarmKind.EXHAUSTED:
            is_told = _lifted_count(situation) >= LIMIT_LIFTED_AFTER or _ends_again_and_again(situation)
        case AlarmKind.CRITICAL:
            is_told = exhaustion_count(situation, since) >= CRITICAL_OVER_AFTER
        case _:
            return False
    changed = seems_changed(situation)
    return is_told or (changed is not None and since is not None and since < changed)
