"""What a throughput mode has cost so far, by AWS's list prices."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from efs_monitor.efs.credits import MIB, earned_bytes_per_second
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.incidents.situation import Work
from efs_monitor.mail import prices
from efs_monitor.mail.remedies import elastic_dollars

AN_HOUR = timedelta(hours=1)


def mode_dollars(
    file_system: FileSystem,
    work: Sequence[Work],
    permitted: Sequence[tuple[datetime, float]],
    since: datetime,
    now: datetime,
) -> float:
    """Of the time from `since` to `now`: elastic throughput by the work, provisioned by what was permitted, on average,
    above what the size earns.
    """
    if file_system.mode is ThroughputMode.ELASTIC:
        return elastic_dollars(one for one in work if one.time >= since)
    rates = [rate for time, rate in permitted if time >= since] or [float(file_system.provisioned_bytes_per_second)]
    above_bytes = max(0.0, sum(rates) / len(rates) - earned_bytes_per_second(file_system.standard_bytes))
    return above_bytes / MIB * prices.PROVISIONED.dollars * ((now - since) / AN_HOUR) / prices.HOURS_PER_MONTH
