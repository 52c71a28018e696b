"""CloudWatch's datapoints of any metrics, by time.

CloudWatch counts beforehand what a call might answer, a datapoint a period of each metric whether there are any or
not, and refuses an account more than 396,000 of them a second in a Region. So no call asks for more than a share.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING

from efs_monitor.aws.calls import moments, named, numbers
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
from efs_monitor.errors import NotAllTold

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_cloudwatch.type_defs import MetricDataQueryTypeDef

type Series = dict[datetime, float]

# A quarter of what the account has in a second: others read metrics, too.
MOST_DATAPOINTS = 100_000
MOST_METRICS = 500
# How the last page says that a metric is not whole. Before the last one, PartialData only says that there is another.
FAILED = frozenset({"InternalError", "Forbidden"})


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """One statistic of a metric with its dimensions, in steps of so many seconds."""

    namespace: str
    metric: str
    dimension: tuple[str, str]
    statistic: str
    period_seconds: int
    further_dimensions: tuple[tuple[str, str], ...] = ()


def read(
    cloudwatch: "CloudWatchClient", wanted: Sequence[Wanted], start: datetime, end: datetime, about: str
) -> list[Series]:
    """One series for each of those wanted; pages are followed, and order in an answer means nothing.

    Bins are counted from `start`: it must be a multiple of every period for them to be those CloudWatch itself keeps.
    `about` is named in an error.
    """
    return [
        series for batch in batches(wanted, end - start) for series in _read_batch(cloudwatch, batch, start, end, about)
    ]


def batches(wanted: Sequence[Wanted], span: timedelta) -> Iterator[Sequence[Wanted]]:
    """What is wanted, in its order, in as few calls as the quota allows; a single metric is never divided."""
    batch: list[Wanted] = []
    datapoints = 0
    for one in wanted:
        more = ceil(span.total_seconds() / one.period_seconds)
        if batch and (datapoints + more > MOST_DATAPOINTS or len(batch) == MOST_METRICS):
            yield batch
            batch, datapoints = [], 0
        batch.append(one)
        datapoints += more
    if batch:
        yield batch


def _read_batch(
    cloudwatch: "CloudWatchClient", wanted: Sequence[Wanted], start: datetime, end: datetime, about: str
) -> list[Series]:
    queries: list[MetricDataQueryTypeDef] = [
        {
            "Id": f"m{index}",
            "MetricStat": {
                "Metric": {
                    "Namespace": one.namespace,
                    "MetricName": one.metric,
                    "Dimensions": [
                        {"Name": name, "Value": value} for name, value in (one.dimension, *one.further_dimensions)
                    ],
                },
                "Period": one.period_seconds,
                "Stat": one.statistic,
            },
        }
        for index, one in enumerate(wanted)
    ]
    found: dict[str, Series] = {query["Id"]: {} for query in queries}
    statuses = dict.fromkeys(found, "Complete")
    with named("cloudwatch:GetMetricData", about):
        pages = cloudwatch.get_paginator("get_metric_data").paginate(
            MetricDataQueries=queries, StartTime=start, EndTime=end
        )
        for page in pages:
            for result in page["MetricDataResults"]:
                found[result["Id"]].update(zip(moments(result["Timestamps"]), numbers(result["Values"]), strict=True))
                statuses[result["Id"]] = result.get("StatusCode", "Complete")
    for one, status in zip(wanted, statuses.values(), strict=True):
        # Of what is missing nobody could tell whether it was: a counter of nothing has no datapoints either.
        if status in FAILED:
            raise NotAllTold(about, one.metric, one.statistic, status)
    return list(found.values())


@dataclass(frozen=True, kw_only=True)
class Lookback:
    """How far back to read, and in which steps."""

    length: timedelta
    period_seconds: int


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
LATE = Lookback(length=timedelta(hours=3), period_seconds=60)
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
    newest = max(balances, default=None)
    return Observations(
        newest_balance_bytes=balances[newest] if newest is not None and newest >= oldest else None,
        minutes=tuple(
            Minute(time=time, balance_bytes=balances[time], permitted_bytes_per_second=permitted[time])
            for time in sorted(balances.keys() & permitted.keys())
            if time >= oldest
        ),
        highest_permitted_bytes_per_second=max(highest[0].values(), default=None) if highest else None,
    )


def late_balances(cloudwatch: "CloudWatchClient", file_system_id: str, now: datetime) -> tuple[BalancePoint, ...]:
    """The balance of each of the last minutes that CloudWatch has by now, oldest first, however late they came."""
    (balances,) = read_of_file_system(cloudwatch, file_system_id, [("BurstCreditBalance", "Minimum")], LATE, now)
    return points(balances)


@dataclass(frozen=True, kw_only=True)
class LastHour:
    """The hour that ends with the newest datapoint: its balances, those of the seven hours before it, the newest
    PermittedThroughput, and what clients did in these sixty minutes.
    """

    balances: tuple[BalancePoint, ...] = ()
    earlier_balances: tuple[BalancePoint, ...] = ()
    permitted_bytes_per_second: float | None = None
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
    return tuple(BalancePoint(time=time, balance_bytes=balances[time]) for time in sorted(balances))


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
