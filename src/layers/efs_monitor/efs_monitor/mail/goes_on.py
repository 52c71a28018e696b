"""When the credits end if a load goes on that no pace tells: of the newest minute, or of minutes that are missing."""

from datetime import datetime, timedelta

from efs_monitor.efs.credits import minutes_left
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.pace import drain_over_the_hole
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.numbers import clock, counted, rate


def if_that_goes_on(end: datetime, now: datetime) -> str:
    """When the credits are gone, or have been since, as the end of a sentence about what took them."""
    if end <= now:
        return f"if that went on, they have been gone since {clock(end, now)}."
    return f"if that goes on, they are gone at {clock(end, now)}."


def as_over_the_hole(situation: Situation) -> str:
    """When they are if a load goes on that took as much over missing minutes as before them; empty where none did."""
    drain = drain_over_the_hole(situation.balances_of_one_size)
    if drain is None or situation.credits_are_gone:
        return ""
    newest, before = situation.balances[-1], situation.balances[-2]
    end = newest.time + timedelta(minutes=minutes_left(newest.balance_bytes, drain))
    missing = counted(round((newest.time - before.time) / MINUTE))
    return f"In the {missing} up to that they fell by {rate(drain)}, as before: {if_that_goes_on(end, situation.time)}"
