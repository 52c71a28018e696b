"""How often nothing was left, read off some balances in order: whether it may be so again soon."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise

from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.pace import PACE


def beginnings(is_so: Iterable[bool]) -> int:
    """How many times something began: at its first moment, too, if it is so then."""
    return sum(after and not before for before, after in pairwise([False, *is_so]))


def may_be_gone_again(points: Sequence[BalancePoint], nothing_bytes: float) -> bool:
    """Whether no more than nothing was left more than once, with something for a quarter of an hour in between, and no
    longer ago than the last two times were apart.
    """
    begins, last = times_with_nothing(points, nothing_bytes)
    return len(begins) > 1 and last is not None and points[-1].time - last <= begins[-1] - begins[-2]


def times_with_nothing(points: Sequence[BalancePoint], nothing_bytes: float) -> tuple[list[datetime], datetime | None]:
    """When each time began in which no more than nothing was left, with something for a quarter of an hour in between,
    and the last moment of the last of them.
    """
    begins: list[datetime] = []
    last: datetime | None = None
    for before, point in pairwise([None, *points]):
        if point is None or point.balance_bytes > nothing_bytes:
            continue
        if before is None or (before.balance_bytes > nothing_bytes and (last is None or point.time - last >= PACE)):
            begins.append(point.time)
        last = point.time
    return begins, last
