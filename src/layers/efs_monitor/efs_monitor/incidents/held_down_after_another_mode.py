"""A load that another throughput mode let through, and that went on without credits when the mode was changed back.

What it moved until then is not all that it takes if it comes again: after that it was held down, and how much more it
wanted is in no metric. Its last minutes before say how fast it was.
"""

from datetime import datetime
from typing import NamedTuple

from efs_monitor.efs.credits import earned_bytes_per_second
from efs_monitor.incidents.falls import PAUSE
from efs_monitor.incidents.held_down import SHORTEST, HeldDown, held_down
from efs_monitor.incidents.pace import PACE
from efs_monitor.incidents.situation import DAY, STEP, Situation
from efs_monitor.incidents.unlimited_load import UnlimitedLoad


class WentOn(NamedTuple):
    """Until when it went on, and what comes of the balance if it goes on until that time of the coming day at the rate
    of its last minutes in the other mode, or at what credits permit: when they are gone, or else how many bytes are
    left.
    """

    held: HeldDown
    bytes_per_second: float
    gone: datetime | None
    left_bytes: float


def went_on_held_down(load: UnlimitedLoad, situation: Situation) -> WentOn | None:
    """How a load of another mode went on; None where it ended, would end the credits before, or earns more than it
    takes.
    """
    held = next((one for one in held_down(situation) if _is_of(one, load)), None)
    lately = [one.metered_bytes for one in situation.last_day if load.ended - PACE <= one.time < load.ended]
    if load.gone or held is None or not lately:
        return None
    fastest = max(lately) / STEP.total_seconds()
    rate = min(fastest, situation.reference_bytes_per_second)
    drain = rate - earned_bytes_per_second(situation.file_system.standard_bytes)
    lasts = held.ended + DAY - load.time
    if drain <= 0 or lasts < STEP:
        return None
    left_bytes = load.left_bytes - drain * lasts.total_seconds()
    gone = load.time + lasts * (load.left_bytes / (load.left_bytes - left_bytes)) if left_bytes <= 0 else None
    return WentOn(held=held, bytes_per_second=rate, gone=gone, left_bytes=max(0.0, left_bytes))


def _is_of(held: HeldDown, load: UnlimitedLoad) -> bool:
    return held.ended - held.began >= SHORTEST and load.began < held.began and held.began - load.ended < PAUSE
