"""What the mail about a Warning or Critical, or about the last minute's worth, says where the balance hovers about that
threshold: that it rose again each time, and who tells of the next time.
"""

from datetime import timedelta
from math import floor

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import EXHAUSTED_MINUTES
from efs_monitor.efs.credits import minutes_left
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.hovering import SAME_STORY, Hovering, hovering, midnight_before
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.known_day import known_span
from efs_monitor.mail.numbers import clock, counted, size_rounded_down
from efs_monitor.mail.outlook import Trend, full_speed, trend
from efs_monitor.notify.same_story import next_dip_needs_no_mail, next_time_nearly_gone_needs_no_mail


def rose_before(lead_minutes: int, situation: Situation) -> str:
    """The end of a subject that says when the credits are gone; empty where they do not fall, or never rose before."""
    found = hovering(situation, situation.threshold_bytes(lead_minutes))
    if found is None or situation.ran_out is not None or trend(situation) is not Trend.FALLING:
        return ""
    return f"; {found.times} before rose again"


def _told_span(situation: Situation) -> str:
    """The time that such dips are counted in; of a file system that is younger, what is known of the day."""
    known_minutes = situation.known_minutes_of_the_day
    hours = SAME_STORY // timedelta(hours=1)
    is_known = not known_minutes or known_minutes * MINUTE >= SAME_STORY
    return f"the last {hours} hours" if is_known else known_span(known_minutes)


def dips_before(severity: AlarmKind, lead_minutes: int, situation: Situation) -> list[str]:
    """How often it was as low before, and what was left then; and who tells of the next time."""
    found = hovering(situation, situation.threshold_bytes(lead_minutes))
    if found is None:
        return []
    times = _times(found)
    least = floor(minutes_left(found.lowest_bytes, situation.reference_bytes_per_second))
    told = (
        f"In {_told_span(situation)} the balance fell below {counted(lead_minutes)} as fast {times} before, to "
        f"{counted(least)} at {full_speed(situation)} at the least, and rose again {'each time ' * (found.times > 1)}"
        f"before the credits ended."
    )
    if not next_dip_needs_no_mail(situation):
        return [told]
    rest = (
        f"While that goes on, its falls below {counted(lead_minutes)} until {_until(situation)} and their ends, that "
        f"of this one too, are told by CloudWatch's own ALARM and OK messages alone, on the {severity.capitalize()} "
        f"topic. A next one that is faster, or goes twice as far below, has mails like this one, and the other alarms, "
        f"such as Draining and Exhausted, go off as ever."
    )
    return [told, rest]


def nearly_gone_before(situation: Situation) -> list[str]:
    """How often less than a minute's worth was left before, and how much at the least; and who tells of the next."""
    found = hovering(situation, situation.threshold_bytes(EXHAUSTED_MINUTES))
    if found is None:
        return []
    told = (
        f"In {_told_span(situation)} less than a minute's worth was left {_times(found)} before, "
        f"{size_rounded_down(found.lowest_bytes)} at the least, and more came back{' each time' * (found.times > 1)}."
    )
    if not next_time_nearly_gone_needs_no_mail(situation):
        return [told]
    rest = (
        f"While that goes on, such times until {_until(situation)} and their ends, that of this one too, are told by "
        f"CloudWatch's own ALARM and OK messages alone, on the Critical topic. A next one in which the balance falls "
        f"faster, or goes twice as far below, has a mail like this one. If the credits end in one that has none, the "
        f"next hourly run says so, unless repeats are off."
    )
    return [told, rest]


def _until(situation: Situation) -> str:
    """The midnight after which the first of them has its mail again."""
    return clock(midnight_before(situation.time) + timedelta(days=1), situation.time)


def _times(found: Hovering) -> str:
    return {1: "once", 2: "twice"}.get(found.times, f"{found.times} times")
