"""What CloudWatch has observed of a file system: its balance, its permitted throughput, and what clients did."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from math import inf
from typing import NamedTuple

from efs_monitor.efs.credits import SECONDS_PER_MINUTE

# Shorter peaks are a pause or a rush between two files; an hour's average holds the calm before a batch.
BUSIEST_MINUTES = 5
# What began or ended half an hour ago is no longer, or not yet half, in the average of an hour; and what began some
# minutes ago not yet half in that of a quarter.
LATELY, JUST_NOW = timedelta(minutes=15), timedelta(minutes=5)
MINUTE = timedelta(minutes=1)
FASTER_THAN_ANY = 1.1


class Minute(NamedTuple):
    """Two datapoints of one and the same minute, paired by timestamp."""

    time: datetime
    balance_bytes: float
    permitted_bytes_per_second: float


@dataclass(frozen=True, kw_only=True)
class Observations:
    """What CloudWatch knows: `minutes` oldest first, the newest balance of that time, which may stand without its
    PermittedThroughput, the lowest of those that an alarm still looks at, and the highest PermittedThroughput of the
    last 15 days.
    """

    minutes: tuple[Minute, ...] = ()
    newest_balance_bytes: float | None = None
    lowest_balance_bytes: float | None = None
    highest_permitted_bytes_per_second: float | None = None


class BalancePoint(NamedTuple):
    """The burst credit balance of one minute."""

    time: datetime
    balance_bytes: float


def balances_since(balances: Sequence[BalancePoint], moment: datetime) -> Sequence[BalancePoint]:
    """What is known of the balance from a moment on; `balances` are in the order of time."""
    return balances[bisect_left(balances, moment, key=lambda one: one.time) :]


def last_cut(
    balances: Sequence[BalancePoint], fastest_bytes_per_second: float, step: timedelta = timedelta(0)
) -> datetime | None:
    """When the last fall ended that no load can have made at the fastest rate that was permitted; None without one.

    A file system that shrinks has a smaller bucket, and what no longer fits in is gone at once. Each point is the
    lowest of a `step`, or that of a minute.
    """
    cuts = (
        later.time for earlier, later in pairwise(balances) if _is_cut(earlier, later, fastest_bytes_per_second, step)
    )
    return max(cuts, default=None)


def since_the_last_cut(
    balances: Sequence[BalancePoint], fastest_bytes_per_second: float, step: timedelta = timedelta(0)
) -> tuple[BalancePoint, ...]:
    """The balances from the last cut on: what was there before it says nothing of what is left."""
    cut = last_cut(balances, fastest_bytes_per_second, step)
    return tuple(one for one in balances if cut is None or one.time >= cut)


def as_they_fit(
    balances: Sequence[BalancePoint], fastest_bytes_per_second: float, step: timedelta
) -> tuple[BalancePoint, ...]:
    """All of them, but of those before such a cut no more than was left after it."""
    found: list[BalancePoint] = []
    room_bytes = inf
    for earlier, later in zip(reversed(balances), [None, *reversed(balances)], strict=False):
        if later is not None and _is_cut(earlier, later, fastest_bytes_per_second, step):
            room_bytes = min(room_bytes, later.balance_bytes)
        fits = earlier.balance_bytes <= room_bytes
        found.append(earlier if fits else earlier._replace(balance_bytes=room_bytes))
    return tuple(reversed(found))


def _is_cut(earlier: BalancePoint, later: BalancePoint, fastest_bytes_per_second: float, step: timedelta) -> bool:
    """Whether more is gone between two points than the fastest load takes, and a tenth: metrics are not exact."""
    gone_bytes = earlier.balance_bytes - later.balance_bytes
    # Most points lie no lower than the one before, and a day has hundreds.
    if gone_bytes <= 0:
        return False
    return gone_bytes > FASTER_THAN_ANY * fastest_bytes_per_second * (later.time - earlier.time + step).total_seconds()


@dataclass(frozen=True, kw_only=True)
class Activity:
    """What clients did in the last hour: bytes through the file system by kind, and bytes as metered.

    `observed_minutes` is how many minutes of it CloudWatch has; the bytes are those of these minutes.
    `busiest_bytes_per_second` is the metered rate of the busiest five minutes in a row, as far as they are observed.
    `lately` is what they did in the last `LATELY` of it, and `just_now` in the last `JUST_NOW`.
    """

    read_bytes: float
    written_bytes: float
    metadata_bytes: float
    metered_bytes: float
    busiest_bytes_per_second: float
    observed_minutes: int
    lately: "Activity | None" = None
    just_now: "Activity | None" = None

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


class Taken(NamedTuple):
    """What clients took, as metered: in the busiest five minutes of the last day, of which `known_minutes` are known,
    and of the last quarter of an hour that is known.
    """

    busiest_bytes_per_second: float
    lately_bytes_per_second: float
    known_minutes: int


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
    kinds = (metered, read, written, metadata)

    def of_the_last(span: timedelta) -> Activity:
        since = max(observed) - span
        late = {minute for minute in observed if minute > since}
        return _activity(late, *({minute: one[minute] for minute in one if minute > since} for one in kinds))

    return replace(_activity(observed, *kinds), lately=of_the_last(LATELY), just_now=of_the_last(JUST_NOW))


def _activity(
    observed: Collection[datetime],
    metered: Mapping[datetime, float],
    read: Mapping[datetime, float],
    written: Mapping[datetime, float],
    metadata: Mapping[datetime, float],
) -> Activity:
    return Activity(
        read_bytes=sum(read.values()),
        written_bytes=sum(written.values()),
        metadata_bytes=sum(metadata.values()),
        metered_bytes=sum(metered.values()),
        busiest_bytes_per_second=_busiest_bytes_per_second(metered, observed),
        observed_minutes=len(observed),
    )


def _busiest_bytes_per_second(metered: Mapping[datetime, float], observed: Collection[datetime]) -> float:
    """The highest average of five minutes in a row, over those of them that are observed; never less than that of all.

    What came before the first one is not known: the first minutes alone, the end of a pulse, would be far busier.
    """

    def average(minutes: Collection[datetime]) -> float:
        return sum(metered.get(minute, 0.0) for minute in minutes) / (len(minutes) * SECONDS_PER_MINUTE)

    first = min(observed) + (BUSIEST_MINUTES - 1) * MINUTE
    in_a_row = (
        [minute for back in range(BUSIEST_MINUTES) if (minute := end - back * MINUTE) in observed]
        for end in observed
        if end >= first
    )
    return max([average(observed), *map(average, in_a_row)])
