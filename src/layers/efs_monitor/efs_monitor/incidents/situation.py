"""What a file system is going through: the figures a person at 3 a.m. needs, worked out from its datapoints."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.efs.credits import SECONDS_PER_MINUTE, full_bucket_bytes, minutes_left
from efs_monitor.efs.file_system import FileSystem

if TYPE_CHECKING:
    from efs_monitor.benchmarks.newest import NewestRate

# A batch that began or ended half an hour ago is no longer, or not yet half, in the average of an hour. A minute or two
# may be a pause between two files.
PACE = timedelta(minutes=15)
# What is older says nothing of now.
RECENT = timedelta(hours=1)
# Shorter peaks are a pause or a rush between two files; an hour's average holds the calm before a batch.
BUSIEST_MINUTES = 5
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True)
class Activity:
    """What clients did in the last hour: bytes through the file system by kind, and bytes as metered.

    `observed_minutes` is how many minutes of it CloudWatch has; the bytes are those of these minutes.
    `busiest_bytes_per_second` is the metered rate of the busiest five minutes in a row, as far as they are observed.
    """

    read_bytes: float
    written_bytes: float
    metadata_bytes: float
    metered_bytes: float
    busiest_bytes_per_second: float
    observed_minutes: int

    @property
    def metered_bytes_per_second(self) -> float:
        """The metered rate on average over the observed minutes; 0 when there are none."""
        if self.observed_minutes == 0:
            return 0.0
        return self.metered_bytes / (self.observed_minutes * SECONDS_PER_MINUTE)

    def shares(self) -> tuple[float, float, float] | None:
        """Read, write and metadata as parts of 1 of all bytes; None when nothing moved."""
        total = self.read_bytes + self.written_bytes + self.metadata_bytes
        if total <= 0:
            return None
        return self.read_bytes / total, self.written_bytes / total, self.metadata_bytes / total


def clients_activity(
    gauged: Iterable[datetime],
    *,
    metered: Mapping[datetime, float],
    read: Mapping[datetime, float],
    written: Mapping[datetime, float],
    metadata: Mapping[datetime, float],
) -> Activity | None:
    """What clients did by the bytes of each minute; None where nothing is known of any minute.

    A byte counter has no datapoint in an idle minute, and the balance may have none in another throughput mode. So a
    minute is observed when CloudWatch has anything of it; `gauged` are those that have a gauge.
    """
    observed = {*gauged, *metered, *read, *written, *metadata}
    if not observed:
        return None
    return Activity(
        read_bytes=sum(read.values()),
        written_bytes=sum(written.values()),
        metadata_bytes=sum(metadata.values()),
        metered_bytes=sum(metered.values()),
        busiest_bytes_per_second=_busiest_bytes_per_second(metered, observed),
        observed_minutes=len(observed),
    )


def _busiest_bytes_per_second(metered: Mapping[datetime, float], observed: Collection[datetime]) -> float:
    """The highest average of five minutes in a row that end with an observed one, over those of them that are observed.

    Never less than the average of all: the hour can be cut into such pieces, from its newest minute on.
    """

    def average(end: datetime) -> float:
        minutes = [minute for back in range(BUSIEST_MINUTES) if (minute := end - back * MINUTE) in observed]
        return sum(metered.get(minute, 0.0) for minute in minutes) / (len(minutes) * SECONDS_PER_MINUTE)

    return max(map(average, observed))


@dataclass(frozen=True, kw_only=True)
class BalancePoint:
    """The burst credit balance of one minute."""

    time: datetime
    balance_bytes: float


@dataclass(frozen=True, kw_only=True)
class PastDay:
    """What the balance did on an earlier day: the lowest of each five minutes, oldest first.

    Around the coming day, and an hour before it, as far as it is known; it lies `back` from now.
    """

    back: timedelta
    balances: tuple[BalancePoint, ...]


@dataclass(frozen=True, kw_only=True)
class Situation:
    """A file system's credits now and where they are heading.

    `balances` are those of the last hour, oldest first, and hold at least one; `permitted_bytes_per_second` is
    PermittedThroughput of the newest minute, `reference_bytes_per_second` what it is while credits last. `benchmark` is
    what the newest benchmark measured, empty where there was none. `past_days` are yesterday and a week ago as far as
    they are known.
    """

    file_system: FileSystem
    balances: tuple[BalancePoint, ...]
    permitted_bytes_per_second: float
    reference_bytes_per_second: float
    baseline_bytes_per_second: float
    activity: Activity | None
    benchmark: "tuple[NewestRate, ...]" = ()
    past_days: tuple[PastDay, ...] = ()

    @property
    def balance_bytes(self) -> float:
        """The newest balance."""
        return self.balances[-1].balance_bytes

    @property
    def bucket_share(self) -> float:
        """The balance as a part of 1 of a full bucket."""
        return self.balance_bytes / full_bucket_bytes(self.file_system.standard_bytes)

    @property
    def minutes_left_at_permitted(self) -> float:
        """Minutes until zero when driven at the reference throughput from now on, nothing earned meanwhile."""
        return minutes_left(self.balance_bytes, self.reference_bytes_per_second)

    @property
    def drain_bytes_per_second(self) -> float | None:
        """How fast the balance falls, net of what is earned: the pace of the last quarter of an hour; None without two
        points.
        """
        return _drain_bytes_per_second(self._pace_start, self.balances[-1])

    @property
    def pace_minutes(self) -> float:
        """The minutes that `drain_bytes_per_second` is the average of: more than 15 where datapoints are missing."""
        return (self.balances[-1].time - self._pace_start.time).total_seconds() / SECONDS_PER_MINUTE

    @property
    def hourly_drain_bytes_per_second(self) -> float | None:
        """How fast the balance fell over all of the last hour that is known."""
        return _drain_bytes_per_second(self.balances[0], self.balances[-1])

    @property
    def minutes_left_at_net(self) -> float | None:
        """Minutes until zero if the pace stays as it is; None when the balance is not falling."""
        drain = self.drain_bytes_per_second
        return minutes_left(self.balance_bytes, drain) if drain is not None and drain > 0 else None

    @property
    def _pace_start(self) -> BalancePoint:
        """The newest point that is a quarter of an hour older than the last one, or the oldest."""
        latest_start = self.balances[-1].time - PACE
        return next((point for point in reversed(self.balances) if point.time <= latest_start), self.balances[0])


def recovers(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether the balance is above zero and does not fall, by points of some minutes each.

    Not where the newest is an hour old, or stands alone: nobody knows what it does now.
    """
    if not balances or now - balances[-1].time > RECENT:
        return False
    newest = balances[-1]
    before = [one for one in balances if newest.time - RECENT <= one.time <= newest.time - PACE]
    return bool(before) and newest.balance_bytes > 0 and newest.balance_bytes >= before[-1].balance_bytes


def _drain_bytes_per_second(start: BalancePoint, end: BalancePoint) -> float | None:
    seconds = (end.time - start.time).total_seconds()
    return (start.balance_bytes - end.balance_bytes) / seconds if seconds > 0 else None
