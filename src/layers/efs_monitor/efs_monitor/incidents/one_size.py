"""Since when all minutes are of the size of now: how fast the balance fell at another one tells no end of what is left.

AWS tells nobody what the size was, but with credits PermittedThroughput follows it from a TiB on. Below, it is the same
for every size.
"""

from collections.abc import Sequence
from datetime import datetime

from efs_monitor.efs.credits import LOWEST_BURST_BYTES_PER_SECOND, full_bucket_bytes
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.efs.reference import COMFORTABLE_BUCKET_SHARE
from efs_monitor.incidents.mode_steps import ANOTHER_MODE, is_whole, steps_of_another_mode
from efs_monitor.incidents.situation import STEP, Situation

# What grows or shrinks by less has nearly the pace that it had: a size is metered anew each hour, by a little.
ANOTHER_SIZE = ANOTHER_MODE


def one_size_since(permitted: Sequence[tuple[datetime, float]], situation: Situation) -> datetime | None:
    """The first minute of the size of now, where PermittedThroughput of these minutes, in order, shows another before;
    None where it shows none.

    Without credits less is permitted at the same size, and another throughput mode permits what it will. Nor does it
    tell when the size has changed where the newest minute has the rate of neither: EFS describes a new size before.
    """
    known = (*situation.earlier_balances, *situation.balances)
    if not permitted or not _is_of_now(*permitted[-1], known, situation):
        return None
    other = [index for index, one in enumerate(permitted) if not _is_of_now(*one, known, situation)]
    if not other or _step(permitted[other[-1]][0]) in steps_of_another_mode(situation):
        return None
    return permitted[other[-1] + 1][0]


def last_step_of_another(situation: Situation) -> datetime | None:
    """The last five minutes of the last day in which more or less was permitted, likewise; None where there are none:
    how long a balance of then lasts now is not how long it did.
    """
    other = (
        time
        for time, rate in situation.permitted_of_the_day
        if not _is_of_now(time, rate, situation.balances_of_the_day, situation)
    )
    return max(set(other) - steps_of_another_mode(situation), default=None)


def _is_of_now(time: datetime, bytes_per_second: float, balances: Sequence[BalancePoint], situation: Situation) -> bool:
    """Whether the size of now is permitted this, with credits, or without where there were hardly any at the time.

    Or no size is: with credits each is permitted 100 MiB/s or more, and without them hardly any has a whole rate. So it
    was provisioned.
    """
    if _is_about(bytes_per_second, situation.reference_bytes_per_second):
        return True
    comfortable_bytes = COMFORTABLE_BUCKET_SHARE * full_bucket_bytes(situation.file_system.standard_bytes)
    had_few = any(one.balance_bytes < comfortable_bytes for one in balances if one.time == time)
    if had_few and _is_about(bytes_per_second, situation.baseline_bytes_per_second):
        return True
    return bytes_per_second < LOWEST_BURST_BYTES_PER_SECOND and (is_whole(bytes_per_second) or not had_few)


def _is_about(one: float, other: float) -> bool:
    return max(one, other) <= ANOTHER_SIZE * min(one, other)


def _step(minute: datetime) -> datetime:
    """The five minutes in which it lies."""
    return minute.replace(minute=minute.minute - minute.minute % round(STEP.total_seconds() / 60))
