"""Whether a load of the last days ends the credits sooner than the pace of now does."""

from datetime import timedelta

from efs_monitor.incidents.recurring_load import ENOUGH_MINUTES, leaves_enough, worst_recurring_load
from efs_monitor.incidents.situation import Situation
from efs_monitor.incidents.unlimited_load import UnlimitedLoad, unlimited_load

# An earlier day is read in steps of five minutes, and no two days are alike: what is sooner by less than an hour, or
# than a quarter of the time that is left at the pace of now, is no other end. By two hours it always is one: a load
# comes by the clock, however long a slow fall takes until then.
EARLIER, EARLIER_SHARE, FAR_EARLIER = timedelta(hours=1), 0.25, timedelta(hours=2)


def comes_before_the_end(situation: Situation, enough_minutes: int = ENOUGH_MINUTES) -> bool:
    """Whether a load of an earlier day, on credits or in another throughput mode, leaves less than enough, so much
    sooner than the credits end at the pace of now that it is another end: a slow fall at night says nothing of the
    morning.
    """
    minutes = situation.minutes_left_at_net
    if minutes is None:
        return False
    recurring, unlimited = worst_recurring_load(situation), unlimited_load(situation)
    times = [one.time for one in (unlimited,) if one is not None and _leaves_less_than_the_pace(one, situation)]
    if recurring is not None and not leaves_enough(recurring, situation, enough_minutes):
        times.append(recurring.low_from)
    left = timedelta(minutes=minutes)
    sooner = max(EARLIER, min(EARLIER_SHARE * left, FAR_EARLIER))
    return any(left - (one - situation.time) >= sooner for one in times)


def _leaves_less_than_the_pace(load: UnlimitedLoad, situation: Situation) -> bool:
    """Whether a load of another mode takes more until its time than what is taken by now anyhow: a load that has gone
    on since before the mode was changed is the same.
    """
    taken_bytes = (situation.drain_bytes_per_second or 0.0) * (load.time - situation.time).total_seconds()
    return load.left_bytes < situation.balance_bytes_by_now - taken_bytes - situation.minute_bytes or load.gone
