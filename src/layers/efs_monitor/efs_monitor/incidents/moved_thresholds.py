"""Whether an alarm is over because its threshold was lowered with the size, or goes off because that has risen.

CloudWatch tells the threshold of each change of an alarm, and not those of the time between. What was permitted with
credits tells these: thresholds follow it within the hour.
"""

from datetime import datetime, timedelta

from efs_monitor.efs.credits import SAME_RATE, SECONDS_PER_MINUTE
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.situation import Situation

# The hourly run lowers a threshold, up to a quarter of an hour late, and CloudWatch looks back as long.
FOLLOWS_WITHIN = timedelta(minutes=90)
# CloudWatch looks at a quarter of an hour, and datapoints come some minutes late.
ENDS_WITHIN = timedelta(minutes=30)


def is_over_by_a_lower_one(lead_minutes: int, went_off_below_bytes: float | None, situation: Situation) -> bool:
    """Whether an alarm that went off below so much is over because less is enough by now: no more has come back, and
    what there is has been enough for longer than an alarm takes to end.
    """
    threshold_bytes = situation.threshold_bytes(lead_minutes)
    if went_off_below_bytes is None or _is_no_higher(went_off_below_bytes, threshold_bytes):
        return False
    lately = [one for one in situation.balances if one.time >= situation.time - ENDS_WITHIN]
    was_enough = all(one.balance_bytes >= threshold_bytes for one in lately)
    return was_enough and situation.balance_bytes < went_off_below_bytes


def threshold_before_it_was_over(lead_minutes: int, situation: Situation) -> float | None:
    """The higher threshold by which the alarm that has just gone off was on before it was over, in bytes: the last such
    one, of a size that goes on shrinking. None where that did not end it, or nobody knows.
    """
    off_since, off_above_bytes = situation.off_since, situation.off_above_bytes
    if off_since is None or off_above_bytes is None or not is_of_a_size(off_above_bytes, lead_minutes, situation):
        return None
    higher = [
        lead_minutes * SECONDS_PER_MINUTE * rate
        for time, rate in _permitted_on_credits(situation)
        if off_since - FOLLOWS_WITHIN <= time < off_since
        and not _is_no_higher(lead_minutes * SECONDS_PER_MINUTE * rate, off_above_bytes)
    ]
    balances = (*situation.balances_of_the_day, *situation.earlier_balances, *situation.balances)
    left = max((one for one in balances if one.time < off_since), key=lambda one: one.time, default=None)
    if not higher or left is None or left.time < off_since - FOLLOWS_WITHIN:
        return None
    return higher[-1] if off_above_bytes <= left.balance_bytes < higher[-1] else None


def has_risen(lead_minutes: int, situation: Situation) -> bool:
    """Whether the threshold is higher by now than that by which the alarm was over that has just gone off."""
    off_above_bytes = situation.off_above_bytes
    return off_above_bytes is not None and not _is_no_higher(situation.threshold_bytes(lead_minutes), off_above_bytes)


def has_not_fallen_below_it(situation: Situation) -> bool:
    """Whether the balance has not been below the threshold by which the alarm was over, as long as it was."""
    off_since, off_above_bytes = situation.off_since, situation.off_above_bytes or 0.0
    balances = (*situation.balances_of_the_day, *situation.earlier_balances, *situation.balances)
    return all(one.balance_bytes >= off_above_bytes for one in balances if off_since is None or one.time >= off_since)


def is_of_a_size(threshold_bytes: float, lead_minutes: int, situation: Situation) -> bool:
    """Whether a threshold of the same lead time was this with a size of the last day, by what was permitted then."""
    of_rates = (lead_minutes * SECONDS_PER_MINUTE * rate for _, rate in _permitted_on_credits(situation))
    return any(_is_no_higher(threshold_bytes, one) and _is_no_higher(one, threshold_bytes) for one in of_rates)


def _is_no_higher(threshold_bytes: float, other_bytes: float) -> bool:
    """Whether it is not the higher one of two, or by less than the size moves from hour to hour."""
    return threshold_bytes <= SAME_RATE * other_bytes


def _permitted_on_credits(situation: Situation) -> list[tuple[datetime, float]]:
    other_mode = steps_of_another_mode(situation)
    return [(time, rate) for time, rate in situation.permitted_of_the_day if time not in other_mode]
