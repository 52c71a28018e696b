"""Balances of earlier days, in minutes at the permitted rate, and so much left at the moment."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from efs_monitor.efs.credits import GIB, MIB, full_bucket_bytes
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation, Work

from tests.unit.strategies import NOW, bursting

MINUTE_BYTES = 100 * MIB * 60
A_WEEK = timedelta(days=7)
# What 100 GiB earn in five minutes, in minutes at 100 MiB/s.
EARNED = 0.24
FULL = full_bucket_bytes(100 * GIB) / MINUTE_BYTES
POINTS_OF_THE_HOUR_BEFORE = 12
# Calm for two hours, a batch of an hour at the permitted rate, and calm again.
BATCH = ((36, EARNED), (12, -5.0), (240, EARNED))


def a_day(minutes: Sequence[float], back: timedelta = AHEAD) -> PastDay:
    """A balance each five minutes, in minutes at the permitted rate; the first an hour before this time of day."""
    first = NOW - back - POINTS_OF_THE_HOUR_BEFORE * STEP
    return PastDay(
        back=back,
        balances=tuple(
            BalancePoint(time=first + index * STEP, balance_bytes=one * MINUTE_BYTES)
            for index, one in enumerate(minutes)
        ),
    )


def a_life(start: float, *stretches: tuple[int, float]) -> list[float]:
    """Minutes at the permitted rate, through stretches of so many points and so much a point, from zero to full."""
    lived = [start]
    for points, change in stretches:
        for _ in range(points):
            lived.append(min(FULL, max(0.0, lived[-1] + change)))
    return lived


def now_with(minutes: float, *days: PastDay) -> Situation:
    """So much left at the moment."""
    return Situation(
        file_system=bursting(100 * GIB),
        time=NOW,
        balances=(BalancePoint(time=NOW, balance_bytes=minutes * MINUTE_BYTES),),
        permitted_bytes_per_second=100 * MIB,
        reference_bytes_per_second=100 * MIB,
        baseline_bytes_per_second=5 * MIB,
        activity=None,
        past_days=days,
    )


def rising_to(minutes: float, *days: PastDay) -> Situation:
    """So much left at the moment, by all that was earned in the last quarter of an hour: whatever takes credits at this
    time of the earlier days is not there.
    """
    balances = tuple(
        BalancePoint(time=NOW - ago * STEP, balance_bytes=(minutes - ago * EARNED) * MINUTE_BYTES)
        for ago in range(3, -1, -1)
    )
    return replace(now_with(minutes, *days), balances=balances)


def a_slow_fall_of_more_than_a_day(*, minutes: float, faster: tuple[int, float]) -> Situation:
    """It fell by a third of a minute in five minutes for more than a day, and in between, six hours from this time of
    day on, for so many points by so much; today it falls as slowly.
    """
    points, change = faster
    slow = -1 / 3
    day = a_day(a_life(FULL, (POINTS_OF_THE_HOUR_BEFORE + 72, slow), (points, change), (216 - points, slow)))
    balances = tuple(
        BalancePoint(time=NOW - ago * STEP, balance_bytes=(minutes - ago * slow) * MINUTE_BYTES)
        for ago in range(12, -1, -1)
    )
    return replace(now_with(minutes, day), balances=balances)


def with_work(situation: Situation, metered: Sequence[float], permitted_mib_per_second: Sequence[float]) -> Situation:
    """What clients moved in each five minutes of the last day, in minutes at the permitted rate, and was permitted."""
    steps = [NOW - AHEAD + index * STEP for index in range(len(metered))]
    work = [Work(time=time, metered_bytes=one * MINUTE_BYTES) for time, one in zip(steps, metered, strict=True)]
    permitted = [one * MIB for one in permitted_mib_per_second]
    return replace(situation, last_day=tuple(work), permitted_of_the_day=tuple(zip(steps, permitted, strict=True)))
