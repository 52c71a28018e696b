"""What CloudWatch knows of a file system's last day and of the same hours a week ago, for whoever explains an incident.

Apart from the other metrics: a cold start of the functions that explain nothing does not pay for it.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import repeat
from typing import TYPE_CHECKING

from efs_monitor.aws.cloudwatch_metrics import Series
from efs_monitor.aws.efs_metrics import Lookback, points, read_of_file_system
from efs_monitor.incidents.situation import AHEAD, BEFORE, NIGHT, STEP, PastDay, Work

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

A_DAY, A_WEEK = timedelta(days=1), timedelta(days=7)
# What `works` takes, in the order of `Work`: bytes as metered and by kind, and operations by kind.
WORK = (
    *((f"{kind}IOBytes", "Sum") for kind in ("Metered", "DataRead", "DataWrite", "Metadata")),
    *((f"{kind}IOBytes", "SampleCount") for kind in ("DataRead", "DataWrite", "Metadata")),
)
# The newest datapoint is minutes old.
PAST_DAY = Lookback(length=AHEAD + 2 * BEFORE, period_seconds=round(STEP.total_seconds()))
YESTERDAY = PAST_DAY._replace(length=PAST_DAY.length + NIGHT)


def read_past_days(
    cloudwatch: "CloudWatchClient", file_system_id: str, now: datetime
) -> tuple[tuple[PastDay, ...], tuple[Work, ...], tuple[tuple[datetime, float], ...]]:
    """The balance around the coming day as it was yesterday and a week ago; the work of the last 24 hours, and what was
    permitted in them.

    In steps of five minutes, a call for each day.
    """
    balance = ("BurstCreditBalance", "Minimum")
    wanted = [balance, ("PermittedThroughput", "Maximum"), *WORK]
    yesterday, permitted, *work = read_of_file_system(cloudwatch, file_system_id, wanted, YESTERDAY, now)
    (a_week_ago,) = read_of_file_system(cloudwatch, file_system_id, [balance], PAST_DAY, now - A_WEEK + AHEAD)
    a_day_ago, began = now - A_DAY, now - PAST_DAY.length
    known = points(yesterday)
    night_before = tuple(one for one in known if one.time < began)
    day = tuple(one for one in known if one.time >= began)
    return (
        (
            PastDay(back=AHEAD, balances=day, night_before=night_before),
            PastDay(back=A_WEEK, balances=points(a_week_ago)),
        ),
        tuple(one for one in works(*work) if one.time >= a_day_ago),
        tuple(one for one in sorted(permitted.items()) if one[0] >= a_day_ago),
    )


def works(metered: Series, *by_kind: Series) -> Iterator[Work]:
    """What clients did in each step of which there is anything, oldest first."""
    times = sorted(metered)
    yield from map(Work, times, map(metered.__getitem__, times), *(map(one.get, times, repeat(0.0)) for one in by_kind))
