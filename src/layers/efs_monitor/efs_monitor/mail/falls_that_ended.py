"""What a mail about a fall says of others as fast before it, each of which ended before the credits did."""

from math import floor

from efs_monitor.efs.credits import SECONDS_PER_MINUTE, minutes_left
from efs_monitor.incidents.falls_alike import FEWEST, FallsAlike
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.known_day import counted_span
from efs_monitor.mail.numbers import at_least_size, counted, duration, size_rounded_up
from efs_monitor.mail.outlook import full_speed


def unless_it_ends(alike: FallsAlike | None) -> str:
    """The end of a subject that says when the credits are gone; empty where no falls were like this one."""
    return f", unless like {alike.times} before" if alike is not None else ""


def fell_as_fast(alike: FallsAlike, situation: Situation) -> str:
    """How falls as fast ended so far, and what is left if this one does so."""
    times = "twice" if alike.times == FEWEST else f"{alike.times} times"
    span = duration(alike.longest.total_seconds() / SECONDS_PER_MINUTE)
    left = floor(minutes_left(alike.left_bytes, situation.reference_bytes_per_second))
    return (
        f"They fell as fast {times} before in {counted_span(situation)}, for about {span} at the longest and by less "
        f"than {size_rounded_up(alike.most_bytes)}, and each time the load ended before the credits did. If this fall "
        f"takes no more, {at_least_size(alike.left_bytes)} are left: {counted(left)} at {full_speed(situation)}."
    )
