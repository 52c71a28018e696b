"""When the credits end if a load goes on that no pace tells: of the newest minute, or of minutes that are missing."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from efs_monitor.alarms.late_metrics import are_late
from efs_monitor.efs.credits import earned_bytes_per_second, minutes_left
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.pace import drain_over_the_hole
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.numbers import clock, counted, rate


def if_that_goes_on(end: datetime, now: datetime) -> str:
    """When the credits are gone, or have been since, as the end of a sentence about what took them."""
    if end <= now:
        return f"if that went on, they have been gone since {clock(end, now)}."
    return f"if that goes on, they are gone at {clock(end, now)}."


def if_a_load_has_come_since(situation: Situation) -> str:
    """How old the newest figures of a mail are that says that something is over, and when a load that has come since
    ends the credits at the earliest; empty where metrics are in time, and where nothing ends them.
    """
    newest, now, end = situation.balances[-1], situation.time, earliest_end_by_late_metrics(situation)
    if end is None:
        return ""
    ago = counted(int((now - newest.time) / MINUTE))
    ends = (
        f"may have ended them at {clock(end, now)}" if end <= now else f"ends them at {clock(end, now)} at the earliest"
    )
    return (
        f"The newest datapoint is of {clock(newest.time, now)}, {ago} ago: a load that has come since, at "
        f"{rate(situation.reference_bytes_per_second)}, {ends}."
    )


def earliest_end_by_late_metrics(situation: Situation) -> datetime | None:
    """When a load ends the credits that has come with the newest datapoint, driven as hard as it may be; None where
    that is in time, or as much is earned.
    """
    newest = situation.balances[-1]
    net = situation.reference_bytes_per_second - earned_bytes_per_second(situation.file_system.standard_bytes)
    if not are_late(situation.balances, situation.time) or net <= 0:
        return None
    return newest.time + timedelta(minutes=minutes_left(newest.balance_bytes, net))


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
