"""Whether the load comes back: what the balance did in the coming hours of an earlier day, and what is left if it does
so again.

A batch that comes every night shows in the balance of the night before. It is read as falls: from a peak to the lowest
point that follows, over pauses of less than half an hour. Each is laid upon the balance of now, a day or a week later.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise

from efs_monitor.efs.credits import SECONDS_PER_MINUTE, earned_bytes_per_second, full_bucket_bytes, is_nothing
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.situation import DAY, STEP, PastDay, Situation, Work, once
from efs_monitor.incidents.times_at_zero import ABOVE

# How far ahead is looked: any batch that comes every day is in it once.
AHEAD = DAY
# With less than half of a day, that it was calm is not known.
FEWEST_POINTS = AHEAD // STEP // 2
# A load shows in the pace when it has lasted so long: one that began earlier on that day is not there today.
SHOWS_AFTER = timedelta(minutes=15)
# As much of the day before the coming hours tells that a fall was under way.
BEFORE = timedelta(hours=1)
# A load that stops for less than this has not stopped.
PAUSE = timedelta(minutes=30)
# Smaller falls, in minutes at the permitted rate, are the breathing of a file system at work, unless they end at zero.
SMALLEST_FALL_MINUTES = 5
# The lowest of five minutes is a little below a bucket that is full again at their end.
AS_GOOD_AS_FULL = 0.999
# What is left after a fall that needs nobody to do anything, in minutes at the permitted rate.
ENOUGH_MINUTES = 60
# What falls so many times as fast as the balance does now is a load that is not there now.
FAR_FASTER = 2
# An earlier day is read in steps of five minutes, and no two days are alike: what is sooner by less is no other end.
MUCH_EARLIER = 2


@dataclass(frozen=True, kw_only=True)
class Fall:
    """A time in which a load spent more than was earned: from the last point before it to the lowest of it.

    `began` is when the balance began to fall. `gone` is when nothing was left, or less than a minute's worth where it
    hovered there, or was all that was left: `nearly`; None where more was left all the time. The load went on without
    credits until `limited_until`, for `limited` in all: what came back in pauses, and after it, is no time of it.
    `bytes_per_second` is how fast it was on average while nothing limited it. It
    `is_whole` where its beginning is known: the first point that is known may have fallen in its own five minutes.
    It `is_amid_another` where it is a faster part of a slow one.
    """

    start: BalancePoint
    end: BalancePoint
    began: datetime
    gone: datetime | None
    limited_until: datetime
    limited: timedelta
    bytes_per_second: float
    is_whole: bool = True
    nearly: bool = False
    is_amid_another: bool = False

    @property
    def ended(self) -> datetime:
        """When it had fallen: within the minutes of the lowest point."""
        return self.end.time + STEP

    @property
    def lost_bytes(self) -> float:
        """What it spent net of what was earned meanwhile."""
        return self.start.balance_bytes - self.end.balance_bytes


@dataclass(frozen=True, kw_only=True)
class Comeback:
    """A fall of an earlier day, and what it leaves of the balance if it comes again at its time of day.

    `time` is when the credits are gone then, or else when least of them is left. What was moved before it in another
    throughput mode comes again too, and where it `follows_others`, each fall of the hours before it.
    """

    fall: Fall
    back: timedelta
    time: datetime
    left_bytes: float
    gone: bool
    follows_others: bool


def last_day_is_known(situation: Situation) -> bool:
    """Whether enough of the last day is known to say what comes back."""
    return len(_points(situation.balances_of_the_day, DAY, situation)) >= FEWEST_POINTS


def last_day_is_complete(situation: Situation) -> bool:
    """Whether the last day is known from its beginning on: a fall of hours that are not known may come again too.

    Of hours in another throughput mode there is no balance, and what was moved in them is known.
    """
    if _moved_in_another_mode(situation):
        return True
    began = situation.balances[-1].time - DAY
    return any(point.time < began + PAUSE for point in _points(situation.balances_of_the_day, DAY, situation))


@once
def worst_comeback(situation: Situation) -> Comeback | None:
    """The load of yesterday or a week ago that empties the bucket first in the coming hours, or leaves least of it."""
    found = [one for day in situation.past_days if (one := _comeback(day, situation)) is not None]
    return min(
        found, key=lambda one: (not one.gone, one.time.timestamp() if one.gone else one.left_bytes), default=None
    )


def leaves_enough(comeback: Comeback, situation: Situation, minutes: int = ENOUGH_MINUTES) -> bool:
    """Whether so many minutes at the permitted rate are left: with `ENOUGH_MINUTES` nobody has to do anything."""
    return not comeback.gone and comeback.left_bytes >= minutes * _minute_bytes(situation)


def comes_before_the_end(situation: Situation, enough_minutes: int = ENOUGH_MINUTES) -> bool:
    """Whether a load of an earlier day leaves less than enough, in half the time, at the most, that is left at the pace
    of now: a slow fall at night says nothing of the morning.
    """
    comeback, minutes = worst_comeback(situation), situation.minutes_left_at_net
    if comeback is None or minutes is None or leaves_enough(comeback, situation, enough_minutes):
        return False
    return MUCH_EARLIER * (comeback.time - situation.time) <= timedelta(minutes=minutes)


def is_calm(situation: Situation) -> bool:
    """Whether the last day is known, and nothing of it or of a week ago would bring the balance near zero.

    Where the credits were gone in it, it was not calm: the same load may come at another hour, or when there is less.
    Nor where it fell more than once, and so far that the next fall, at any hour, would leave too little of it now.
    """
    comeback = worst_comeback(situation)
    least_bytes = min((one.balance_bytes for day in situation.past_days for one in day.balances), default=0.0)
    return (
        last_day_is_known(situation)
        and least_bytes >= _minute_bytes(situation)
        and (comeback is None or leaves_enough(comeback, situation))
        and (not falls_again_and_again(situation) or _outlasts_any_fall(situation))
    )


def _outlasts_any_fall(situation: Situation) -> bool:
    minute_bytes = _minute_bytes(situation)
    deepest_bytes = max(fall.lost_bytes for fall in falls(situation.balances_of_the_day, minute_bytes))
    return situation.balance_bytes - deepest_bytes >= ENOUGH_MINUTES * minute_bytes


def falls_again_and_again(situation: Situation) -> bool:
    """Whether more than one fall began in the last 24 hours: the next one need not wait for its time of day.

    One that was under way by then is that of the day before, cut off by the edge of what is looked at.
    """
    since = situation.time - DAY
    found = falls(situation.balances_of_the_day, _minute_bytes(situation))
    return sum(fall.began >= since for fall in found) > 1


def comes_again(fall: Fall, situation: Situation) -> bool:
    """Whether a fall of the last day began at a time of day that is still to come: one that was under way is over."""
    return fall.began > situation.balances[-1].time - DAY - SHOWS_AFTER


def fall_under_way(situation: Situation) -> Fall | None:
    """The fall of the last day that goes on, or has just ended at zero; None where the balance does not fall."""
    *_, last = [None, *falls(situation.balances_of_the_day, _minute_bytes(situation))]
    newest = situation.balances[-1].time
    if last is None or newest - max(last.end.time, last.limited_until) >= PAUSE:
        return None
    return replace(last, began=_began(last, situation.balances))


def _began(fall: Fall, minutes: Sequence[BalancePoint]) -> datetime:
    """From which minute on it fell, where these are known: it rose before, and the lowest of five minutes is not the
    highest of them.
    """
    around = [one for one in minutes if fall.start.time - STEP <= one.time <= fall.began + STEP]
    top = max(around, key=lambda one: (one.balance_bytes, one.time), default=None)
    # The first that is known may have fallen already.
    if top is None or (top is around[0] and minutes[0].time > fall.start.time - STEP):
        return fall.began
    return top.time + MINUTE


def falls(balances: Sequence[BalancePoint], minute_bytes: float) -> Iterator[Fall]:
    """Every fall that counts, in order; `minute_bytes` last a minute at the permitted rate."""
    if not balances:
        return
    start = end = balances[0]
    for index, point in enumerate(balances[1:], 1):
        if _stood_still(balances[index - 1], point, minute_bytes):
            yield from _fall(balances[:index], start, end, minute_bytes)
            start = end = point
        elif point.balance_bytes < end.balance_bytes:
            end = point
        elif end is start:
            start = end = point
        elif point.time - end.time >= PAUSE and point.balance_bytes >= minute_bytes:
            yield from _fall(balances[:index], start, end, minute_bytes)
            # The next one may be under way already, since the highest point of the rest.
            rest = [one for one in balances[: index + 1] if one.time > end.time]
            start = max(rest, key=lambda one: (one.balance_bytes, one.time))
            end = min((one for one in rest if one.time >= start.time), key=lambda one: one.balance_bytes)
    yield from _fall(balances, start, end, minute_bytes)


def _stood_still(before: BalancePoint, after: BalancePoint, minute_bytes: float) -> bool:
    """Whether nothing is known between two points, as in elastic throughput, and next to nothing was taken."""
    taken_bytes = before.balance_bytes - after.balance_bytes
    is_above_zero = after.balance_bytes >= minute_bytes
    return after.time - before.time >= PAUSE and is_above_zero and taken_bytes < SMALLEST_FALL_MINUTES * minute_bytes


def _fall(
    balances: Sequence[BalancePoint], start: BalancePoint, end: BalancePoint, minute_bytes: float
) -> Iterator[Fall]:
    low = [one for one in balances if one.time >= start.time and one.balance_bytes < minute_bytes]
    is_small = start.balance_bytes - end.balance_bytes < SMALLEST_FALL_MINUTES * minute_bytes
    if is_small and not (low and _was_above_zero(balances, low[0].time, minute_bytes)):
        return
    dry = [one.time for one in low if is_nothing(one.balance_bytes, minute_bytes)]
    # Once something is there again, nothing limits the load any more.
    limited = dry or [one.time for one in low]
    # The five minutes in which the credits ended took only what was left of them.
    first, *others = [one for one in balances if start.time < one.time <= end.time]
    *_, last = [first, *(one for one in others if not low or one.time < low[0].time)]
    bytes_per_second = (start.balance_bytes - last.balance_bytes) / (last.time - start.time).total_seconds()
    yield Fall(
        start=start,
        end=end,
        began=start.time + STEP if _is_continued(balances, start) else start.time,
        gone=limited[0] if limited else None,
        limited_until=limited[-1] if limited else end.time,
        limited=_limited(balances, [one for one in dry if one >= end.time], last, bytes_per_second),
        bytes_per_second=bytes_per_second,
        is_whole=_is_continued(balances, start),
        nearly=bool(low) and not dry,
    )


def _was_above_zero(balances: Sequence[BalancePoint], until: datetime, minute_bytes: float) -> bool:
    """Whether a minute's worth or more was left long enough before this moment that the next zero is told."""
    before = [one for one in balances if until - ABOVE <= one.time < until]
    return len(before) * STEP >= ABOVE and all(one.balance_bytes >= minute_bytes for one in before)


def _limited(
    balances: Sequence[BalancePoint], dry: Sequence[datetime], last: BalancePoint, bytes_per_second: float
) -> timedelta:
    """For how long nothing was left, of the five minutes in which it was so at some time.

    The credits ended amid the first of these, by the pace at which the `last` point before them fell; and they began to
    come back amid the last, by the rise that follows.
    """
    if not dry:
        return timedelta(0)
    ended = last.time + STEP + timedelta(seconds=last.balance_bytes / bytes_per_second)
    still_there = min(STEP, max(timedelta(0), ended - dry[0]))
    after = [one for one in balances if one.time > dry[-1]]
    back_again = timedelta(0)
    for rising, higher in pairwise(after[:2]):
        if higher.balance_bytes > rising.balance_bytes:
            share = rising.balance_bytes / (higher.balance_bytes - rising.balance_bytes)
            began = rising.time - share * (higher.time - rising.time)
            back_again = min(STEP, max(timedelta(0), dry[-1] + STEP - began))
    return max(timedelta(0), len(dry) * STEP - still_there - back_again)


def _is_continued(balances: Sequence[BalancePoint], start: BalancePoint) -> bool:
    """Whether more is known before the point from which the balance fell. A point is the lowest of its minutes, so such
    a one had not fallen yet; the first that is known may have fallen in its own minutes.
    """
    return any(start.time - STEP <= one.time < start.time for one in balances)


def _comeback(day: PastDay, situation: Situation) -> Comeback | None:
    """What the day leaves of the balance of now: the first fall that empties it, or else the one that leaves least."""
    points = _points(day.balances, day.back, situation)
    minute_bytes = _minute_bytes(situation)
    calm = _calm_hours(points, situation, is_yesterday=day.back == DAY)
    falls_today = (situation.drain_bytes_per_second or 0.0) > 0
    now = situation.balances[-1].time - day.back
    if not points:
        return None
    # From the last that is known before this time of day; what is younger than a day, or was elastic then, has none.
    until = max((one.time for one in points if one.time <= now), default=now)
    left = situation.balance_bytes
    worst: Comeback | None = None
    follows_others = False
    for fall in _falls_and_loads(points, situation, now):
        if fall.limited_until + STEP <= now:
            continue
        if fall.began <= now - SHOWS_AFTER:
            until = fall.end.time
            if not falls_today:
                # The time that it took then, without credits too, is one in which credits are earned today.
                left = calm.earning(left, (fall.limited_until + STEP - now).total_seconds())
            continue
        left = calm.left_after(left, until, fall.start.time)
        until = fall.end.time
        # Without credits it would have gone on spending as before.
        lost = fall.lost_bytes + fall.limited.total_seconds() * fall.bytes_per_second
        if left - lost < minute_bytes:
            time = _taken(points, fall, max(0.0, left - minute_bytes)) + day.back
            return Comeback(
                fall=fall, back=day.back, time=time, left_bytes=0.0, gone=True, follows_others=follows_others
            )
        left -= lost
        if worst is None or left < worst.left_bytes:
            # Without credits the load went on: it would have taken until then.
            time = fall.limited_until + STEP + day.back
            worst = Comeback(
                fall=fall, back=day.back, time=time, left_bytes=left, gone=False, follows_others=follows_others
            )
        follows_others = True
    return worst


def _falls_and_loads(points: Sequence[BalancePoint], situation: Situation, now: datetime) -> Iterator[Fall]:
    """The falls of an earlier day, where `now` is this time of it. One that was under way, as one is today, says no
    more than the pace does, but for each faster load that came amid it: a slow fall of days has one every morning.
    """
    pace = situation.drain_bytes_per_second or 0.0
    for fall in falls(points, _minute_bytes(situation)):
        was_under_way = pace > 0 and fall.began <= now - SHOWS_AFTER
        loads = list(_loads_amid(fall, points, pace, _minute_bytes(situation))) if was_under_way else []
        yield from loads or [fall]


def _loads_amid(fall: Fall, points: Sequence[BalancePoint], pace: float, minute_bytes: float) -> Iterator[Fall]:
    """The parts of a fall that were far faster than the `pace` of today, in bytes per second."""
    fast = [
        (before, after)
        for before, after in pairwise(one for one in points if fall.start.time <= one.time <= fall.end.time)
        if before.balance_bytes - after.balance_bytes > FAR_FASTER * pace * (after.time - before.time).total_seconds()
    ]
    for start, end in _without_a_rest(fast):
        known = points if end is fall.end else [one for one in points if one.time <= end.time]
        yield from (replace(one, is_amid_another=True) for one in _fall(known, start, end, minute_bytes))


def _without_a_rest(
    steps: Sequence[tuple[BalancePoint, BalancePoint]],
) -> Iterator[tuple[BalancePoint, BalancePoint]]:
    """The first and the last point of those that follow each other within a pause."""
    if not steps:
        return
    start, end = steps[0]
    for before, after in steps[1:]:
        if before.time - end.time >= PAUSE:
            yield start, end
            start = before
        end = after
    yield start, end


@dataclass(frozen=True, kw_only=True)
class _CalmHours:
    """What the balance of now would do in the hours of an earlier day that no fall took, in bytes and seconds.

    It changes as it did then, but for two kinds of hours. What was moved in another throughput mode took no credits
    then, and would take them now. And a bucket that was full then took in no more, where the one of now earns.
    `points` and the steps of the `other_mode` are in the order of time.
    """

    points: Sequence[BalancePoint]
    other_mode: Sequence[datetime]
    # None where it is not known: CloudWatch is asked for it of the last day only.
    metered_bytes: Mapping[datetime, float] | None
    earned_bytes_per_second: float
    full_bytes: float

    def earning(self, left_bytes: float, seconds: float) -> float:
        """What is left after a time in which nothing is spent."""
        return min(self.full_bytes, left_bytes + max(0.0, seconds) * self.earned_bytes_per_second)

    def left_after(self, left_bytes: float, since: datetime, until: datetime) -> float:
        """What is left of so much after the hours between two moments: never more than a full bucket on the way."""
        edges = {edge for step in self.other_mode for edge in (step, step + STEP)}
        moments = sorted({since, until, *(one for one in edges.union(self._times) if since < one < until)})
        for begin, end in pairwise(moments):
            left_bytes = min(self.full_bytes, max(0.0, left_bytes + self._change(begin, end)))
        return left_bytes

    def _change(self, begin: datetime, end: datetime) -> float:
        earned_bytes = (end - begin).total_seconds() * self.earned_bytes_per_second
        share = (end - begin) / STEP
        of_other_mode = bisect_right(self.other_mode, begin)
        if of_other_mode and begin < (step := self.other_mode[of_other_mode - 1]) + STEP:
            return earned_bytes - share * self._metered(step)
        since, until = bisect_right(self._times, begin), bisect_left(self._times, end)
        if not since:
            # What is younger than a day, or was elastic then, has nothing older than its first point: it earns.
            return earned_bytes
        if until == len(self.points):
            return 0.0
        before, after = self.points[since - 1], self.points[until]
        if bisect_left(self.other_mode, before.time) < bisect_left(self.other_mode, after.time):
            return 0.0
        if self.metered_bytes is not None and self._is_full(before) and self._is_full(after):
            return max(0.0, earned_bytes - share * self._metered(before.time))
        return (after.balance_bytes - before.balance_bytes) * ((end - begin) / (after.time - before.time))

    @cached_property
    def _times(self) -> list[datetime]:
        return [one.time for one in self.points]

    def _is_full(self, point: BalancePoint) -> bool:
        return point.balance_bytes >= AS_GOOD_AS_FULL * self.full_bytes

    def _metered(self, step: datetime) -> float:
        """An idle step has no datapoint."""
        return (self.metered_bytes or {}).get(step, 0.0)


def _calm_hours(points: Sequence[BalancePoint], situation: Situation, *, is_yesterday: bool) -> _CalmHours:
    return _CalmHours(
        points=points,
        other_mode=sorted(steps_of_another_mode(situation)) if is_yesterday else (),
        metered_bytes={one.time: one.metered_bytes for one in situation.last_day} if is_yesterday else None,
        earned_bytes_per_second=earned_bytes_per_second(situation.file_system.standard_bytes),
        full_bytes=full_bucket_bytes(situation.file_system.standard_bytes),
    )


def _moved_in_another_mode(situation: Situation) -> list[Work]:
    other_mode = steps_of_another_mode(situation)
    return [one for one in situation.last_day if one.time in other_mode]


def _taken(points: Sequence[BalancePoint], fall: Fall, left_bytes: float) -> datetime:
    """When the fall, and no later one, had taken so much, or nearly so.

    The lowest of five minutes is that of their end, so the moment is within them, and not where they begin. Where it
    took less because it was limited, as it would have been at its average rate.
    """
    for earlier, point in pairwise(points):
        is_of_it = fall.start.time < point.time <= fall.end.time
        taken_bytes = fall.start.balance_bytes - point.balance_bytes
        if is_of_it and taken_bytes >= left_bytes:
            share = 1 - (taken_bytes - left_bytes) / (earlier.balance_bytes - point.balance_bytes)
            return earlier.time + STEP + share * (point.time - earlier.time)
    if fall.gone is None:
        return fall.ended
    return fall.began + timedelta(seconds=left_bytes / fall.bytes_per_second)


def _points(balances: Sequence[BalancePoint], back: timedelta, situation: Situation) -> list[BalancePoint]:
    """The points of a day that lies `back` at the time of day of the coming hours, and of the hour before."""
    now = situation.balances[-1].time - back
    return [point for point in balances if now - BEFORE <= point.time <= now + AHEAD]


def _minute_bytes(situation: Situation) -> float:
    return situation.reference_bytes_per_second * SECONDS_PER_MINUTE
