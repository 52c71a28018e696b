"""CloudWatch's datapoints of any metrics, by time.

CloudWatch counts beforehand what a call might answer, a datapoint a period of each metric whether there are any or
not, and refuses an account more than 396,000 of them a second in a Region, or 180,000 of the last three hours. So no
call asks for more than a share.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from math import ceil
from time import sleep
from typing import TYPE_CHECKING, NamedTuple

from efs_monitor.aws.calls import moments, named, numbers
from efs_monitor.errors import NotAllTold

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_cloudwatch.type_defs import MetricDataQueryTypeDef

type Series = dict[datetime, float]

# A quarter of what the account has in a second for calls that begin more than three hours ago, and half of that for
# others: somebody else reads metrics, too.
# https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
MOST_DATAPOINTS = 100_000
MOST_METRICS = 500
# How the last page says that a metric is not whole. Before the last one, PartialData only says that there is another.
INTERNAL_ERROR, FORBIDDEN = "InternalError", "Forbidden"
# After an internal error AWS asks to try again, and botocore, which sees a success, does not:
# https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDataResult.html
INTERNAL_ERROR_PAUSES_SECONDS = (1, 2)


class Wanted(NamedTuple):
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
    found, statuses = _asked(cloudwatch, queries, start, end, about)
    for pause_seconds in INTERNAL_ERROR_PAUSES_SECONDS:
        if INTERNAL_ERROR in statuses.values():
            sleep(pause_seconds)
            found, statuses = _asked(cloudwatch, queries, start, end, about)
    for one, status in zip(wanted, statuses.values(), strict=True):
        # Of what is missing nobody could tell whether it was: a counter of nothing has no datapoints either.
        if status in {INTERNAL_ERROR, FORBIDDEN}:
            raise NotAllTold(about, one.metric, one.statistic, status)
    return list(found.values())


def _asked(
    cloudwatch: "CloudWatchClient",
    queries: Sequence["MetricDataQueryTypeDef"],
    start: datetime,
    end: datetime,
    about: str,
) -> tuple[dict[str, Series], dict[str, str]]:
    """The series and the status of each query by its id."""
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
    return found, statuses
