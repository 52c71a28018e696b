"""What a mail about a fall says of earlier ones as fast, which ended before the credits did: those of the last day, or
that of this time of day a day ago.
"""

from datetime import UTC
from math import floor

from efs_monitor.efs.credits import SECONDS_PER_MINUTE, minutes_left
from efs_monitor.incidents.fall_of_a_day_ago import FallOfADayAgo, fall_of_a_day_ago
from efs_monitor.incidents.falls_alike import FEWEST, FallsAlike, falls_alike
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.known_day import counted_span
from efs_monitor.mail.numbers import at_least_size, clock, counted, duration, size, size_rounded_up
from efs_monitor.mail.outlook import full_speed


def falls_that_ended(situation: Situation) -> FallsAlike | FallOfADayAgo | None:
    """The falls of the last day that were as fast and ended by themselves, or else the one of this time of day.

    None of a load in pulses: how one of them ends tells nothing of the end that they have together.
    """
    if situation.pulses is not None:
        return None
    return falls_alike(situation) or fall_of_a_day_ago(situation)


def unless_it_ends(earlier: FallsAlike | FallOfADayAgo | None) -> str:
    """The end of a subject that says when the credits are gone; empty where no falls were like this one."""
    match earlier:
        case FallsAlike():
            return f", unless like {earlier.times} before"
        case FallOfADayAgo():
            return ", unless like a day ago"
        case None:
            return ""


def fell_as_fast(earlier: FallsAlike | FallOfADayAgo, situation: Situation) -> str:
    """How falls as fast ended so far, and what is left if this one does so."""
    took = f"by less than {size_rounded_up(earlier.most_bytes)}"
    if isinstance(earlier, FallOfADayAgo):
        began, ended = (moment.astimezone(UTC) for moment in (earlier.began, earlier.ended))
        told = (
            f"A day ago they fell as fast, from about {began:%H:%M} to about {ended:%H:%M} UTC and {took}, and the "
            f"load ended before the credits did."
        )
    else:
        times = "twice" if earlier.times == FEWEST else f"{earlier.times} times"
        span = duration(earlier.longest.total_seconds() / SECONDS_PER_MINUTE)
        told = (
            f"They fell as fast {times} before in {counted_span(situation)}, for about {span} at the longest and "
            f"{took}, and each time the load ended before the credits did."
        )
    left = floor(minutes_left(earlier.left_bytes, situation.reference_bytes_per_second))
    return (
        f"{told} If this fall takes no more, {at_least_size(earlier.left_bytes)} are left: {counted(left)} at "
        f"{full_speed(situation)}.{_apart(earlier, situation)}"
    )


def _apart(earlier: FallsAlike | FallOfADayAgo, situation: Situation) -> str:
    """The sentence about the one that took far more; empty where there was none."""
    apart = earlier.apart if isinstance(earlier, FallsAlike) else None
    if apart is None:
        return ""
    return (
        f" One that began at about {clock(apart.began, situation.time)} is not among these: it took far more, about "
        f"{size(apart.lost_bytes)}."
    )
