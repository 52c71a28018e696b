"""What the balance does when its metrics come in time again: whether it is at zero, falls, or recovers.

A mail before may have asked for a change of the throughput mode that locks it for 24 hours. Where the load has ended
meanwhile, whoever still makes it does so for nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from efs_monitor.efs.credits import is_nothing
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.recovering_balance import recovers
from efs_monitor.incidents.situation import STEP


class Course(Enum):
    """Where the balance goes."""

    AT_ZERO = auto()
    FALLING = auto()
    RECOVERING = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, kw_only=True)
class SeenAgain:
    """The newest balance, known at `time`: the lowest of the five minutes from `since` on, and its course."""

    time: datetime
    since: datetime
    balance_bytes: float
    course: Course


def seen_again(balances: Sequence[BalancePoint], minute_bytes: float, now: datetime) -> SeenAgain | None:
    """What the newest of the balances, in order, say; None where there is none. `minute_bytes` last for a minute at
    full speed.
    """
    if not balances:
        return None
    newest = balances[-1]
    return SeenAgain(
        time=now,
        since=newest.time,
        balance_bytes=newest.balance_bytes,
        course=_course(balances, minute_bytes, now),
    )


def _course(balances: Sequence[BalancePoint], minute_bytes: float, now: datetime) -> Course:
    """That of one after missing metrics is not known until they were there for a quarter of an hour, unless it falls;
    nor that between two pulses of a load.
    """
    newest = balances[-1]
    if newest.balance_bytes <= 0 or is_nothing(newest.balance_bytes, minute_bytes):
        return Course.AT_ZERO
    before = [one for one in balances[-2:-1] if one.time == newest.time - STEP]
    if before and newest.balance_bytes < before[0].balance_bytes:
        return Course.FALLING
    return Course.RECOVERING if before and recovers(balances, now) else Course.UNKNOWN
