"""When the credits end if a load goes on that no pace tells: of the newest minute, or of minutes that are missing."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from efs_monitor.efs.credits import minutes_left
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.pace import drain_over_the_hole
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.numbers import clock, counted, rate


def if_that_goes_on(end: datetime, now: datetime) -> str:
    """When the credits are gone, or have been since, as the end of a sentence about what took them."""
    if end <= now:
        return f"if that went on, they have been gone since {clock(end, now)}."
    return f"if that goes on, they are gone at {clock(end, now)}."


def over_the_hole_bytes_per_second(situation: Situation) -> float | None:
    """How fast the balance fell over the minutes that are missing before the newest datapoint, where a load went on in
    them; None where none are, or nobody knows what came in them.
    """
    return drain_over_the_hole(_known(situation))


def as_over_the_hole(situation: Situation) -> str:
    """When they are if a load goes on that took as much over missing minutes as before them; empty where none did."""
    drain = over_the_hole_bytes_per_second(situation)
    if drain is None or situation.credits_are_gone:
        return ""
    *_, before, newest = _known(situation)
    end = newest.time + timedelta(minutes=minutes_left(newest.balance_bytes, drain))
    missing = counted(round((newest.time - before.time) / MINUTE))
    return f"In the {missing} up to that they fell by {rate(drain)}, as before: {if_that_goes_on(end, situation.time)}"


def _known(situation: Situation) -> Sequence[BalancePoint]:
    """The balances of the last hours, as far as they are of one size: an hour of them may be missing."""
    if situation.one_size_since is not None:
        return situation.balances_of_one_size
    return (*situation.earlier_balances, *situation.balances)
