"""Whether a file system in elastic or provisioned throughput would do with burst credits again: its last day, lived
through once more on what it would start with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from efs_monitor.efs.credits import (
    SECONDS_PER_MINUTE,
    burst_bytes_per_second,
    earned_bytes_per_second,
    full_bucket_bytes,
)
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.incidents.comeback import STEP
from efs_monitor.incidents.situation import DAY, Work

# With less of a day, that the rest was idle is not known. The newest few minutes are always on their way.
FEWEST_STEPS = timedelta(hours=23) // STEP
# A rate is never kept to the last byte: what was moved faster by less than this was not moved faster.
FASTER = 1.02


@dataclass(frozen=True, kw_only=True)
class DayOnCredits:
    """The last 24 hours as they would have been on credits, from `opening_bytes` on.

    `gone` is when they would have ended, None where they would have lasted; `lowest_bytes` is the least that would have
    been left, and `lowest_time` when. In `faster_minutes` more was moved than is permitted with credits.
    """

    opening_bytes: float
    lowest_bytes: float
    lowest_time: datetime
    gone: datetime | None
    faster_minutes: int

    @property
    def does(self) -> bool:
        """Whether clients would have noticed nothing."""
        return self.gone is None and self.faster_minutes == 0


def day_on_credits(
    file_system: FileSystem,
    opening_bytes: float | None,
    work: Sequence[Work],
    known_steps: Sequence[datetime],
    now: datetime,
) -> DayOnCredits | None:
    """Live through the day before `now` in steps of five minutes: each earns what the size earns, up to a full bucket,
    and spends what was metered, reads as a third.

    None where the balance to begin with is not known, or too little of the day: a step that is not among the
    `known_steps` may be one of work that CloudWatch does not have.
    """
    day = [step for step in known_steps if now - DAY <= step < now]
    if opening_bytes is None or len(day) < FEWEST_STEPS:
        return None
    seconds = STEP.total_seconds()
    earned_bytes = earned_bytes_per_second(file_system.standard_bytes) * seconds
    fastest_bytes = FASTER * burst_bytes_per_second(file_system.standard_bytes) * seconds
    full_bytes = full_bucket_bytes(file_system.standard_bytes)
    metered = {one.time: one.metered_bytes for one in work}
    balance_bytes = lowest_bytes = min(opening_bytes, full_bytes)
    lowest_time, gone, faster_steps = day[0], None, 0
    for step in day:
        spent_bytes = metered.get(step, 0.0)
        faster_steps += spent_bytes > fastest_bytes
        balance_bytes = min(full_bytes, balance_bytes + earned_bytes - spent_bytes)
        if balance_bytes < lowest_bytes:
            lowest_bytes, lowest_time = balance_bytes, step + STEP
        if balance_bytes < 0:
            gone = gone or step
            balance_bytes = 0.0
    return DayOnCredits(
        opening_bytes=min(opening_bytes, full_bytes),
        lowest_bytes=max(0.0, lowest_bytes),
        lowest_time=lowest_time,
        gone=gone,
        faster_minutes=faster_steps * round(seconds / SECONDS_PER_MINUTE),
    )
