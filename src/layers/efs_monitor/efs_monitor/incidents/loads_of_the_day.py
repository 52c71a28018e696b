"""The loads of an earlier day, read off the falls of its balance: each fall is one, or the faster parts of it are."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from efs_monitor.efs.credits import is_nothing
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.falls import (
    SHOWS_AFTER,
    Fall,
    falls,
    is_in_pulses,
    parts_faster_than,
    pulses_of,
    slow_bytes_per_second,
    smallest_fall_minutes,
)
from efs_monitor.incidents.pace import FAR_FASTER
from efs_monitor.incidents.pulses import AS_REGULAR
from efs_monitor.incidents.situation import DAY, STEP, Situation


def under_way(points: Sequence[BalancePoint], situation: Situation, now: datetime) -> Fall | None:
    """The fall that was under way at this time of their day, without credits too; pulses were not."""
    for fall in falls(points, situation.minute_bytes):
        if fall.began <= now - SHOWS_AFTER and fall.limited_until > now and not is_in_pulses(fall, points):
            return fall
    return None


def without_credits_until(points: Sequence[BalancePoint], situation: Situation, now: datetime) -> datetime | None:
    """The last point of a time without credits that went on at this time of their day, and had begun before the first
    of them: the load that held it there shows no fall. None where there was none.
    """
    until = None
    for point in points:
        if not is_nothing(point.balance_bytes, situation.minute_bytes):
            break
        until = point.time
    return until if until is not None and until > now else None


def loads_of_the_day(
    found: Sequence[Fall], points: Sequence[BalancePoint], situation: Situation, now: datetime
) -> Iterator[Fall]:
    """The falls found on an earlier day, where `now` is this time of it. One that was under way says no more than the
    pace does, but for each faster load that came amid it: a slow fall of days has one every morning, and what made it
    slow may have ended today. Nor does one that goes on by now, but for what was far faster than the pace. Of pulses
    with long rests each is a load by itself.
    """
    pace, minute_bytes = situation.drain_bytes_per_second or 0.0, situation.minute_bytes
    smallest_minutes = smallest_fall_minutes(situation)
    for fall in found:
        if _was_cut(fall, situation):
            continue
        loads: list[Fall] = []
        fast = 0.0
        if fall.began <= now - SHOWS_AFTER:
            fast = FAR_FASTER * max(pace, slow_bytes_per_second(fall, points, now))
            if fast > 0:
                loads = list(parts_faster_than(fast, fall, points, minute_bytes, smallest_minutes))
        elif _goes_on(fall, situation):
            loads = list(_faster_than_now(fall, points, situation))
        for load in loads or [fall]:
            if load.began <= now - SHOWS_AFTER and is_in_pulses(load, points, fast):
                yield from pulses_of(load, points, minute_bytes, smallest_minutes, fast)
            else:
                yield load


def _goes_on(fall: Fall, situation: Situation) -> bool:
    """Whether a fall is that of now, of which a part may have ended, and the rest goes on; pulses do in their rests."""
    rests = STEP if situation.pulses is None else max(STEP, situation.pulses.every)
    since = situation.balances[-1].time - fall.ended
    return (situation.drain_bytes_per_second or 0.0) > 0 and fall.gone is None and since < rests


def goes_on_beside_a_load_since(
    found: Sequence[Fall], points: Sequence[BalancePoint], situation: Situation
) -> datetime | None:
    """Since when the fall of now goes on that had a load far faster than its pace in it; None where it has none."""
    *_, last = [None, *found]
    if last is None or not _goes_on(last, situation):
        return None
    return last.start.time if any(True for _ in _faster_than_now(last, points, situation)) else None


def _faster_than_now(fall: Fall, points: Sequence[BalancePoint], situation: Situation) -> Iterator[Fall]:
    """The loads amid the fall of now that were far faster than it goes on. Its pulses are faster than their own pace,
    which has their rests in it: of them, what took more than a pulse does.
    """
    fast, minute_bytes = FAR_FASTER * (situation.drain_bytes_per_second or 0.0), situation.minute_bytes
    smallest_minutes = smallest_fall_minutes(situation)
    if situation.pulses is None:
        yield from parts_faster_than(fast, fall, points, minute_bytes, smallest_minutes)
        return
    for load in pulses_of(fall, points, minute_bytes, smallest_minutes, fast):
        # Those with rests too short to tell them apart are as fast together as their pace.
        if load.bytes_per_second > fast and load.lost_bytes > AS_REGULAR * situation.pulses.depth_bytes:
            yield replace(load, is_amid_another=True)


def _was_cut(fall: Fall, situation: Situation) -> bool:
    """Whether the bucket of a size that shrank had less room within five minutes, by which more was lost than clients
    moved: no load that comes again. Known of the last day, and where what was moved then is: of idle minutes there is
    no more than what was permitted.
    """
    if fall.end.time - fall.start.time > STEP or fall.start.time < situation.time - DAY:
        return False
    moved = {one.time: one.metered_bytes for one in situation.last_day}
    known = moved.keys() | {time for time, _ in situation.permitted_of_the_day}
    steps = {fall.start.time, fall.end.time}
    return steps <= known and fall.lost_bytes > sum(moved.get(step, 0.0) for step in steps)
