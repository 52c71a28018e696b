"""Reads a file system's past from CloudWatch and EFS, in as few requests as the API allows, and nothing else.

A GetMetricData request answers with at most 100,800 datapoints of at most 500 metrics, all over one span of time.
CloudWatch keeps one-minute steps for 15 days and five-minute steps for 63, so a longer past is two spans.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError
from efs_monitor.aws import efs
from efs_monitor.aws.cloudwatch_metrics import Series, Wanted, batches, read
from efs_monitor.errors import AwsDenied, AwsRefused, AwsThrottled, FileSystemNotFound, NotAllTold

from operate.answer import is_for_nobody
from operate.history.cache import Cache
from operate.history.recorded import BALANCE, COUNTERS, GAUGES, STANDARD_SIZE, HistoryRefused, Recorded, RecordedPoint
from operate.terminal import one_line

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_efs import EFSClient

DAY = timedelta(days=1)
# Whole days from a midnight on for which both kinds of steps are there.
FINE_DAYS, COARSE_DAYS = 14, 62
FINE_SECONDS, COARSE_SECONDS, SIZE_SECONDS = 60, 300, 900
AGAIN = "run it again in a minute, and it asks only for what is missing"
NEEDED = "cloudwatch:GetMetricData and elasticfilesystem:DescribeFileSystems"


@dataclass(frozen=True, kw_only=True)
class Span:
    """What is wanted from `start` on, a midnight of UTC, to before `end`."""

    start: datetime
    end: datetime
    wanted: tuple[Wanted, ...]


@dataclass(frozen=True, kw_only=True)
class MetricRequest:
    """One GetMetricData."""

    start: datetime
    end: datetime
    wanted: tuple[Wanted, ...]

    @property
    def needed(self) -> bool:
        """Whether nothing can be said without it: it has the balance of the newest days."""
        return any(_key(one) == BALANCE and one.period_seconds == FINE_SECONDS for one in self.wanted)


def spans(file_system_id: str, days: int, now: datetime) -> tuple[Span, ...]:
    """What is wanted for the last so many days, oldest first.

    Each begins at a midnight, so that bins are CloudWatch's own and whole days can be kept.
    """
    midnight = _midnight(now)
    fine_from = midnight - FINE_DAYS * DAY
    start = max(_midnight(now - days * DAY), midnight - COARSE_DAYS * DAY)
    found = []
    if start < fine_from:
        found.append(Span(start=start, end=fine_from, wanted=_wanted(file_system_id, COARSE_SECONDS)))
    found.append(Span(start=max(start, fine_from), end=now, wanted=_wanted(file_system_id, FINE_SECONDS)))
    return tuple(found)


def requests(span: Span, first_missing: Callable[[Wanted], datetime]) -> Iterator[MetricRequest]:
    """The requests for what is not known yet of a span: series missing from the same day on are asked for together."""
    starts = [(first_missing(one), one) for one in span.wanted]
    missing = [(start, one) for start, one in starts if start < span.end]
    for start, group in groupby(sorted(missing, key=lambda one: one[0]), key=lambda one: one[0]):
        for batch in batches([one for _, one in group], span.end - start):
            yield MetricRequest(start=start, end=span.end, wanted=tuple(batch))


def read_live(
    efs_client: "EFSClient",
    cloudwatch: "CloudWatchClient",
    file_system_id: str,
    days: int,
    now: datetime,
    cache: Cache,
    told: Callable[[int, int], None] = lambda _, __: None,
) -> Recorded:
    """The last so many days. Whole days that were read before come from the cache; `told` hears how many requests of
    how many are done.

    What cannot be read is a remark, and the rest goes on. Where that is the newest balance, the rest are the days that
    were read before; HistoryRefused or AwsRefused where there are none, or only somebody's access is in the way.
    """
    recorded = Recorded(file_system_id=file_system_id, region=cloudwatch.meta.region_name, read_at=now)
    _describe(recorded, efs_client)
    wanted = spans(file_system_id, days, now)
    known = {one: cache.days(one) for span in wanted for one in span.wanted}
    asked = [
        request
        for span in wanted
        for request in requests(span, lambda one, span=span: _first_missing(span, known[one]))  # type: ignore[misc] # mypy types no default of a lambda
    ]
    for span in wanted:
        for one in span.wanted:
            begin = _first_missing(span, known[one])
            for day, series in known[one].items():
                if span.start <= day < begin:
                    _add(recorded, one, series)
    missing: set[tuple[str, str]] = set()
    for number, request in enumerate(asked):
        told(number, len(asked))
        try:
            answered = _answered(cloudwatch, request, recorded, missing)
        except AwsRefused as refused:
            if is_for_nobody(refused) or not recorded.points.get(BALANCE):
                raise
            _end_before(recorded, request.start, refused)
            break
        for one, series in answered:
            cache.keep(one, request.start, series, min(now, request.end + DAY))
            _add(recorded, one, series)
    for key in missing & set(COUNTERS):
        # What is known of other days would make these look idle.
        recorded.points.pop(key, None)
    recorded.remarks[:] = dict.fromkeys(recorded.remarks)
    told(len(asked), len(asked))
    return recorded


def _answered(
    cloudwatch: "CloudWatchClient", request: MetricRequest, recorded: Recorded, missing: set[tuple[str, str]]
) -> list[tuple[Wanted, Series]]:
    """What CloudWatch tells of a request; of what it does not tell a remark, and its key is `missing`."""
    wanted = list(request.wanted)
    while wanted:
        try:
            found = read(cloudwatch, wanted, request.start, request.end, recorded.file_system_id)
        except NotAllTold as partial:
            key = partial.metric, partial.statistic
            if request.needed and key == BALANCE:
                raise
            # Of one metric nothing is sure; the others are asked for once more without it.
            wanted = [one for one in wanted if _key(one) != key]
            missing.add(key)
            recorded.remarks.append(_not_told(partial))
        except AwsRefused as refused:
            if request.needed:
                raise _with_policy(refused) from refused.__cause__
            names = ", ".join(dict.fromkeys(one.metric for one in wanted))
            missing |= set(map(_key, wanted))
            go_on = f"; {AGAIN}" if isinstance(refused, AwsThrottled) else ""
            recorded.remarks.append(f"{names} could not be read: {one_line(refused)}{go_on}")
            break
        else:
            return list(zip(wanted, found, strict=True))
    return []


def _end_before(recorded: Recorded, start: datetime, refused: AwsRefused) -> None:
    """Keep what is known of before `start`, and say why that is all.

    What began to be missing earlier has been asked for by then, so that all that is left is whole until `start`.
    """
    recorded.points = {
        key: [point for point in points if point.seconds < start.timestamp()] for key, points in recorded.points.items()
    }
    recorded.remarks.append(
        f"From {start:%Y-%m-%d %H:%M} UTC on nothing is known: {one_line(refused)}. The days before that are those "
        f"that were read earlier; {AGAIN}"
    )


def _key(wanted: Wanted) -> tuple[str, str]:
    return wanted.metric, wanted.statistic


def _not_told(partial: NotAllTold) -> str:
    if (partial.metric, partial.statistic) not in COUNTERS:
        return f"CloudWatch did not tell all of {partial.metric} ({partial.status})"
    return (
        f"{partial.metric} is left out: CloudWatch did not tell all of it ({partial.status}), and what is missing "
        "would count as idle"
    )


def _describe(recorded: Recorded, efs_client: "EFSClient") -> None:
    try:
        recorded.described = efs.describe(efs_client, recorded.file_system_id)
    except FileSystemNotFound as unknown:
        if not isinstance(unknown.__cause__, ClientError):
            # It is known, and there no more.
            raise HistoryRefused(
                f"The file system {recorded.file_system_id} is being deleted: nothing can be changed for it any more. "
                "CloudWatch keeps its metrics; export them (aws cloudwatch get-metric-data), and give them with --from"
            ) from unknown
        raise HistoryRefused(
            f"EFS knows no file system {recorded.file_system_id} in {recorded.region}: is it in another Region "
            "(--region) or account (--profile)?"
        ) from unknown
    except AwsRefused as refused:
        recorded.remarks.append(f"EFS did not tell how the file system is set up: {one_line(refused)}")


def _first_missing(span: Span, known: dict[datetime, Series]) -> datetime:
    day = span.start
    while day < span.end and day in known:
        day += DAY
    return day


def _add(recorded: Recorded, wanted: Wanted, series: Series) -> None:
    points = recorded.points.setdefault((wanted.metric, wanted.statistic), [])
    points += [RecordedPoint(time.timestamp(), value, wanted.period_seconds) for time, value in series.items()]


def _wanted(file_system_id: str, period_seconds: int) -> tuple[Wanted, ...]:
    """All series, those first without which the least can be said."""
    return tuple(
        Wanted(
            namespace="AWS/EFS",
            metric=metric,
            dimension=("FileSystemId", file_system_id),
            statistic=statistic,
            period_seconds=_period(metric, statistic, period_seconds),
            further_dimensions=(("StorageClass", "Standard"),) if (metric, statistic) == STANDARD_SIZE else (),
        )
        for metric, statistic in (*GAUGES, *COUNTERS, STANDARD_SIZE)
    )


def _period(metric: str, statistic: str, period_seconds: int) -> int:
    if (metric, statistic) == STANDARD_SIZE:
        return SIZE_SECONDS
    # Mails count operations in steps of five minutes only.
    return COARSE_SECONDS if statistic == "SampleCount" else period_seconds


def _with_policy(refused: AwsRefused) -> AwsRefused:
    if isinstance(refused, AwsDenied):
        return AwsDenied(f"{one_line(refused)}. What is asked here needs {NEEDED}, and nothing else")
    return refused


def _midnight(time: datetime) -> datetime:
    return time.replace(hour=0, minute=0, second=0, microsecond=0)
