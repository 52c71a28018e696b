"""What CloudWatch has of a file system: its balance, what it permits, and what clients did, as observations."""

from datetime import datetime, timedelta
from itertools import starmap
from typing import TYPE_CHECKING, NamedTuple

from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.aws.cloudwatch_metrics import Series, Wanted, read
from efs_monitor.efs.credits import LOWEST_REGIONAL_CAP_BYTES_PER_SECOND, burst_bytes_per_second
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.efs.observations import (
    LATELY,
    MINUTE,
    Activity,
    BalancePoint,
    Minute,
    Observations,
    Taken,
    clients_activity,
)

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient


class Lookback(NamedTuple):
    """How far back to read, and in which steps."""

    length: timedelta
    period_seconds: int

    @property
    def alarm_points(self) -> int:
        """In how many points the minutes lie that an alarm looks at: the newest fifteen that there are."""
        return -(-(EVALUATION_MINUTES * 60 + self.period_seconds - 60) // self.period_seconds)


# Datapoints arrive some minutes late and AWS states no bound: look well past the usual 10 to 15 minutes.
RECENT = Lookback(length=timedelta(minutes=30), period_seconds=60)
# The hour before the newest datapoint, which may be an hour old.
AN_HOUR = timedelta(hours=1)
# A datapoint may come an hour late, and the look for late ones comes every 12 minutes.
AS_LATE = timedelta(minutes=75)
# A load that comes every hour shows in four of them, whatever minute it is now, and one of every two hours in eight.
BEFORE_THE_HOUR = timedelta(hours=7)
LAST_HOUR = Lookback(length=AS_LATE + AN_HOUR + BEFORE_THE_HOUR, period_seconds=60)
# Metrics that are later than this are no longer late: they have stopped, which is told by itself.
LATE_DATAPOINTS = Lookback(length=timedelta(hours=3), period_seconds=60)
A_DAY = Lookback(length=timedelta(days=1), period_seconds=300)
FIFTEEN_DAYS = Lookback(length=timedelta(days=15), period_seconds=300)


def observe(cloudwatch: "CloudWatchClient", file_system: FileSystem, now: datetime) -> Observations:
    """What CloudWatch knows of balance and permitted throughput, in one call.

    Only a file system large enough to meet a regional cap needs the last 15 days too. For it everything is
    read in periods of five minutes, the lowest of each: 4,320 points a series instead of 21,600.
    """
    may_be_capped = burst_bytes_per_second(file_system.standard_bytes) > LOWEST_REGIONAL_CAP_BYTES_PER_SECOND
    lookback = FIFTEEN_DAYS if may_be_capped else RECENT
    wanted = [("BurstCreditBalance", "Minimum"), ("PermittedThroughput", "Minimum")]
    if may_be_capped:
        wanted.append(("PermittedThroughput", "Maximum"))
    balances, permitted, *highest = read_of_file_system(cloudwatch, file_system.file_system_id, wanted, lookback, now)
    oldest = now - RECENT.length - timedelta(seconds=lookback.period_seconds)
    recent = [balances[time] for time in sorted(balances) if time >= oldest]
    return Observations(
        newest_balance_bytes=recent[-1] if recent else None,
        lowest_balance_bytes=min(recent[-lookback.alarm_points :], default=None),
        minutes=tuple(
            Minute(time=time, balance_bytes=balances[time], permitted_bytes_per_second=permitted[time])
            for time in sorted(balances.keys() & permitted.keys())
            if time >= oldest
        ),
        highest_permitted_bytes_per_second=max(highest[0].values(), default=None) if highest else None,
    )


def late_balances(cloudwatch: "CloudWatchClient", file_system_id: str, now: datetime) -> tuple[BalancePoint, ...]:
    """The balance of each of the last minutes that CloudWatch has by now, oldest first, however late they came."""
    (balances,) = read_of_file_system(
        cloudwatch, file_system_id, [("BurstCreditBalance", "Minimum")], LATE_DATAPOINTS, now
    )
    return points(balances)


class LastHour(NamedTuple):
    """The hour that ends with the newest datapoint: its balances, those of the seven hours before it, the newest
    PermittedThroughput and that of each of these sixty minutes, and what clients did in them.
    """

    balances: tuple[BalancePoint, ...] = ()
    earlier_balances: tuple[BalancePoint, ...] = ()
    permitted_bytes_per_second: float | None = None
    permitted: tuple[tuple[datetime, float], ...] = ()
    activity: Activity | None = None


def last_hour(cloudwatch: "CloudWatchClient", file_system_id: str, now: datetime) -> LastHour:
    """What CloudWatch has of it, in one call. Nothing where the newest is older than an hour and a quarter."""
    series = read_of_file_system(
        cloudwatch,
        file_system_id,
        [
            ("BurstCreditBalance", "Minimum"),
            ("PermittedThroughput", "Minimum"),
            ("MeteredIOBytes", "Sum"),
            ("DataReadIOBytes", "Sum"),
            ("DataWriteIOBytes", "Sum"),
            ("MetadataIOBytes", "Sum"),
        ],
        LAST_HOUR,
        now,
    )
    newest = max((time for one in series for time in one), default=now)
    start = (now - AS_LATE).replace(second=0, microsecond=0)
    if newest < start:
        return LastHour()
    of_the_hour = (_since(newest - AN_HOUR + MINUTE, one) for one in series)
    with_balance, permitted, metered, read_bytes, written, metadata = of_the_hour
    # A balance is that at a moment, so that an hour has one more of them than minutes.
    balances = _since(newest - AN_HOUR, series[0])
    earlier = _since(newest - AN_HOUR - BEFORE_THE_HOUR, series[0]).items() - balances.items()
    gauged = with_balance.keys() | permitted.keys()
    return LastHour(
        balances=points(balances) if max(balances, default=now) >= start else (),
        earlier_balances=points(dict(earlier)),
        permitted_bytes_per_second=permitted[max(permitted)] if permitted else None,
        permitted=tuple((time, permitted[time]) for time in sorted(permitted)),
        activity=clients_activity(gauged, metered=metered, read=read_bytes, written=written, metadata=metadata),
    )


def taken_of_the_day(cloudwatch: "CloudWatchClient", file_system_id: str, now: datetime) -> Taken | None:
    """What clients took in the last day, by the five minutes; None where CloudWatch has nothing of them."""
    wanted = [("MeteredIOBytes", "Sum"), ("PermittedThroughput", "Maximum")]
    metered, permitted = read_of_file_system(cloudwatch, file_system_id, wanted, A_DAY, now)
    if not metered:
        return None
    # Idle minutes have no datapoint: what is the newest here may be older than a quarter of an hour.
    lately = _since(now - LATELY - timedelta(seconds=A_DAY.period_seconds), metered)
    return Taken(
        busiest_bytes_per_second=max(metered.values()) / A_DAY.period_seconds,
        lately_bytes_per_second=max(lately.values(), default=0.0) / A_DAY.period_seconds,
        # Of an idle minute there is what was permitted.
        known_minutes=len(metered.keys() | permitted.keys()) * A_DAY.period_seconds // 60,
    )


def _since(oldest: datetime, series: Series) -> Series:
    return {time: value for time, value in series.items() if time >= oldest}


def points(balances: Series) -> tuple[BalancePoint, ...]:
    """The balances of a series, oldest first."""
    return tuple(starmap(BalancePoint, sorted(balances.items())))


def read_of_file_system(
    cloudwatch: "CloudWatchClient",
    file_system_id: str,
    wanted: list[tuple[str, str]],
    lookback: Lookback,
    now: datetime,
) -> list[Series]:
    """One series for each (metric, statistic) wanted of the file system."""
    # Bins are counted from the start time: an aligned one makes them the minutes CloudWatch itself keeps.
    start = (now - lookback.length).replace(second=0, microsecond=0)
    start -= timedelta(minutes=start.minute % (lookback.period_seconds // 60))
    return read(
        cloudwatch,
        [
            Wanted(
                namespace="AWS/EFS",
                metric=metric,
                dimension=("FileSystemId", file_system_id),
                statistic=statistic,
                period_seconds=lookback.period_seconds,
            )
            for metric, statistic in wanted
        ],
        start,
        now,
        file_system_id,
    )
