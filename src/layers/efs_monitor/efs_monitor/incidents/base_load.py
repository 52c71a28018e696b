"""A load of the last day that took no credits, because the size earned as much as it took, and would take some now,
because the size earns less: no fall of the balance shows it, and what clients moved does.
"""

from collections.abc import Sequence
from datetime import datetime

from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.changed_earning import changed_earning
from efs_monitor.incidents.falls import PAUSE, SHOWS_AFTER, falls
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.situation import STEP, Situation


def base_load_until(situation: Situation, now: datetime, points: Sequence[BalancePoint]) -> datetime | None:
    """Until when such a load went on that was under way at this time of the last day, `now`: it is not there today
    where the balance does not fall. Another that joined it took credits, and is none of it. None where there was none.
    """
    changed, other_mode = changed_earning(situation), steps_of_another_mode(situation)
    if not changed.earns_less:
        return None
    least_bytes = changed.now_bytes_per_second * STEP.total_seconds()
    at_work = {one.time for one in situation.last_day if one.metered_bytes > least_bytes} - other_mode
    joined = min((one.start.time for one in falls(points, situation.minute_bytes) if one.began > now), default=None)
    until = now
    # What clients moved before this time of the last day is not read.
    for time in sorted(at_work):
        if time - until > (SHOWS_AFTER if until == now else PAUSE) or (joined is not None and time > joined):
            break
        until = time + STEP
    return until if until > now else None
