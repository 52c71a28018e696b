"""Every fall of the balance in some hours, and the one under way: where each begins, ends and was gone.

A fall goes from a peak to the lowest point that follows, over pauses of less than half an hour.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from statistics import median

from efs_monitor.efs.credits import SECONDS_PER_MINUTE, is_nothing
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.pace import ABOUT_AS_FAST, FAR_FASTER
from efs_monitor.incidents.pulses import FEWEST_PULSES, RESTS
from efs_monitor.incidents.situation import DAY, STEP, Situation, once
from efs_monitor.incidents.times_at_zero import ABOVE

# A load shows in the pace when it has lasted so long: one that began earlier on that day is not there today.
SHOWS_AFTER = timedelta(minutes=15)
# A load that stops for less than this has not stopped.
PAUSE = timedelta(minutes=30)
# The point before a load, and that of the five minutes in which it began: how fast it was they do not tell.
AT_ONCE_POINTS = 2
# Two pulses of a load are as far apart at the least, and it rests for as much of the time.
REST = timedelta(minutes=10)
# One that got slower while it lasts, and not only paused, was so for two points, each the lowest of five minutes.
SLOWER_FOR_STEPS = 2
# What lasts so many times as long as any pulse amid which it came is none of them.
FAR_LONGER = 4
# A rise and a fall that turned once have their highest five minutes as high as the two say, but for this share of them.
AS_ONE_TURN = 0.05
# Smaller falls, in minutes at the permitted rate, are the breathing of a file system at work, unless they end at zero,
# or would now.
SMALLEST_FALL_MINUTES = 5.0


@dataclass(frozen=True, kw_only=True)
class Fall:
    """A time in which a load spent more than was earned: from the last point before it to the lowest of it.

    `began` is when the balance began to fall, and `top_bytes` what there was by then. `gone` is when nothing was left,
    or less than a minute's worth where it hovered there, or was all that was left: `nearly`; None where more was left
    all the time. The load went on without credits until `limited_until`, for `limited` in all: what came back in
    pauses, and after it, is no time of it. `bytes_per_second` is how fast it was on average while nothing limited it,
    up to the point `before_the_end`, and `ending_bytes_per_second` how fast at last: as it would have gone on in the
    five minutes that it `took_all_in`. Of one that took all at once that is an estimate, and so fast
    `at_least_bytes_per_second`; of any other the two are the same.

    What followed a time without credits tells when they began to come back, but for one that is `first_again`, with
    which what is known ends: then the five minutes in which they did count whole.

    It `is_whole` where its beginning is known: the first point that is known may have fallen in its own five minutes.
    It `is_amid_another` where it is a faster part of a slow one.
    """

    start: BalancePoint
    end: BalancePoint
    began: datetime
    top_bytes: float
    gone: datetime | None
    limited_until: datetime
    limited: timedelta
    before_the_end: BalancePoint
    bytes_per_second: float
    ending_bytes_per_second: float
    at_least_bytes_per_second: float
    took_all_in: tuple[datetime, ...]
    is_whole: bool
    nearly: bool
    first_again: BalancePoint | None = None
    is_amid_another: bool = False

    @property
    def ended(self) -> datetime:
        """When it had fallen: within the minutes of the lowest point."""
        return self.end.time + STEP

    @property
    def lost_bytes(self) -> float:
        """What it spent net of what was earned meanwhile, from point to point: each is the lowest of its minutes."""
        return self.start.balance_bytes - self.end.balance_bytes

    @property
    def fell_bytes(self) -> float:
        """How far the balance fell, from what there was when it began: more than the last point before it tells."""
        return self.top_bytes - self.end.balance_bytes


def smallest_fall_minutes(situation: Situation) -> float:
    """How much a fall takes that counts: what would end the credits now does, however little is left."""
    return min(SMALLEST_FALL_MINUTES, max(1.0, situation.balance_bytes / situation.minute_bytes))


def falls(
    balances: Sequence[BalancePoint], minute_bytes: float, smallest_minutes: float = SMALLEST_FALL_MINUTES
) -> Iterator[Fall]:
    """Every fall that counts, in order, from so many minutes on; `minute_bytes` last one at the permitted rate."""
    if not balances:
        return
    start = end = balances[0]
    for index, point in enumerate(balances[1:], 1):
        if _stood_still(balances[index - 1], point, minute_bytes):
            yield from _fall(balances[:index], start, end, minute_bytes, smallest_minutes)
            start = end = point
        elif point.balance_bytes < end.balance_bytes:
            end = point
        elif end is start:
            start = end = point
        elif point.time - end.time >= PAUSE and point.balance_bytes >= minute_bytes:
            rise = balances[index : index + 2]
            yield from _fall(balances[:index], start, end, minute_bytes, smallest_minutes, rise)
            # The next one may be under way already, since the highest point of the rest.
            rest = [one for one in balances[: index + 1] if one.time > end.time]
            start = max(rest, key=lambda one: (one.balance_bytes, one.time))
            end = min((one for one in rest if one.time >= start.time), key=lambda one: one.balance_bytes)
    yield from _fall(balances, start, end, minute_bytes, smallest_minutes)


@once
def falls_of_the_day(situation: Situation) -> tuple[Fall, ...]:
    """Every fall of the last 24 hours that counts, oldest first."""
    return tuple(falls(situation.balances_of_the_day, situation.minute_bytes))


@once
def fall_under_way(situation: Situation) -> Fall | None:
    """The fall of the last day that goes on, or has just ended at zero; None where the balance does not fall."""
    *_, last = [None, *falls_of_the_day(situation)]
    newest = situation.balances[-1].time
    if last is None or newest - max(last.end.time, last.limited_until) >= PAUSE:
        return None
    since = _from_its_highest(last, situation.balances_of_the_day, situation.minute_bytes)
    return None if since is None else began_by_the_minute(since, situation.balances)


def _from_its_highest(fall: Fall, balances: Sequence[BalancePoint], minute_bytes: float) -> Fall | None:
    """The fall, up to the last of these balances; or the part of it since they were higher in a pause than when it
    began: they have not been falling since before that. None where what is left of it does not count.
    """
    later = [index for index, one in enumerate(balances) if one.time > fall.start.time]
    top = max(later, key=lambda index: (balances[index].balance_bytes, index))
    if balances[top].balance_bytes <= fall.start.balance_bytes:
        return fall
    *_, last = [None, *falls(balances[top - 1 :], minute_bytes)]
    return last


def is_exact_to_the_minute(fall: Fall, minutes: Sequence[BalancePoint]) -> bool:
    """Whether the beginning of a fall is among what is known minute by minute: of what is older there is the lowest of
    each five, between which the balance was highest.
    """
    return minutes[0].time <= fall.began - 2 * STEP


def began_by_the_minute(fall: Fall, minutes: Sequence[BalancePoint]) -> Fall:
    """The fall with the minute from which on it fell, where these are known."""
    return replace(fall, began=_began(fall, minutes))


def comes_again(fall: Fall, situation: Situation) -> bool:
    """Whether a fall of the last day began at a time of day that is still to come: one that was under way is over."""
    return fall.began > situation.balances[-1].time - DAY - SHOWS_AFTER


def falls_again_and_again(situation: Situation) -> bool:
    """Whether more than one fall began in the last 24 hours: the next one need not wait for its time of day.

    One that was under way by then is that of the day before, cut off by the edge of what is looked at.
    """
    since = situation.time - DAY
    found = falls(situation.balances_of_the_day, situation.minute_bytes, smallest_fall_minutes(situation))
    return sum(fall.began >= since for fall in found) > 1


def slow_bytes_per_second(fall: Fall, balances: Sequence[BalancePoint], moment: datetime) -> float:
    """How fast these balances fell while no faster load came amid their fall: as in half of its half hours, or as
    before this moment of it, where that is slower. Half an hour, because a load may come in pulses of minutes. That of
    the whole fall, where it is no longer than that.
    """
    of_it = [one for one in balances if fall.start.time <= one.time <= fall.end.time]
    rates = [
        (later.time, (one.balance_bytes - later.balance_bytes) / (later.time - one.time).total_seconds())
        for one, later in zip(of_it, of_it[PAUSE // STEP :], strict=False)
    ]
    before = [rate for time, rate in rates if time <= moment]
    return min([median(rate for _, rate in rates), *before[-1:]]) if rates else fall.bytes_per_second


def parts_faster_than(
    bytes_per_second: float,
    fall: Fall,
    balances: Sequence[BalancePoint],
    minute_bytes: float,
    smallest_minutes: float = SMALLEST_FALL_MINUTES,
) -> Iterator[Fall]:
    """The loads amid a slower fall of these balances: what of it was faster, and would be a fall by itself."""
    of_it = [one for one in balances if fall.start.time <= one.time <= fall.end.time]
    for start, end in _without_a_rest(_fast(of_it, bytes_per_second)):
        # Two points tell how the credits came back after it; what is beyond them may be the next fall's.
        until = fall.limited_until + 2 * STEP if end is fall.end else end.time
        known = [one for one in balances if one.time <= until]
        yield from (
            replace(one, is_amid_another=True) for one in _fall(known, start, end, minute_bytes, smallest_minutes)
        )


def is_in_pulses(fall: Fall, balances: Sequence[BalancePoint], bytes_per_second: float = 0.0) -> bool:
    """Whether a load of these balances rested for half of the time or more, in rests that end no fall, in which it took
    no more than this; and was never limited, which cuts its pulses short. One that is far longer than all others is
    another load, which came amid them.
    """
    if fall.gone is not None:
        return False
    of_it = [one for one in balances if fall.start.time <= one.time <= fall.end.time]
    lengths = [end.time - start.time for start, end in _without_a_rest(_fast(of_it, bytes_per_second), REST)]
    if len(lengths) < FEWEST_PULSES:
        return False
    *pulses, longest = sorted(lengths)
    another = longest if longest > FAR_LONGER * pulses[-1] else timedelta(0)
    took = sum(lengths, timedelta(0)) - another
    return took <= RESTS * (fall.end.time - fall.start.time - another)


def pulses_of(
    fall: Fall,
    balances: Sequence[BalancePoint],
    minute_bytes: float,
    smallest_minutes: float = SMALLEST_FALL_MINUTES,
    bytes_per_second: float = 0.0,
) -> Iterator[Fall]:
    """The pulses of such a fall that count by themselves, and what was amid them and longer."""
    of_it = [one for one in balances if fall.start.time <= one.time <= fall.end.time]
    for start, end in _without_a_rest(_fast(of_it, bytes_per_second), REST):
        until = fall.limited_until + 2 * STEP if end is fall.end else end.time
        known = [one for one in balances if one.time <= until]
        # In the rests of pulses it rises, where nothing slower goes on beside them.
        *_, before = [start, *(one for one in of_it if one.time < start.time)]
        is_amid_another = fall.is_amid_another and before.balance_bytes > start.balance_bytes
        yield from (
            replace(one, is_amid_another=is_amid_another)
            for one in _fall(known, start, end, minute_bytes, smallest_minutes)
        )


def _fast(balances: Sequence[BalancePoint], bytes_per_second: float) -> list[tuple[BalancePoint, BalancePoint]]:
    return [
        (before, after)
        for before, after in pairwise(balances)
        if before.balance_bytes - after.balance_bytes > bytes_per_second * (after.time - before.time).total_seconds()
    ]


def _without_a_rest(
    steps: Sequence[tuple[BalancePoint, BalancePoint]], pause: timedelta = PAUSE
) -> Iterator[tuple[BalancePoint, BalancePoint]]:
    """The first and the last point of those that follow each other within a pause."""
    if not steps:
        return
    start, end = steps[0]
    for before, after in steps[1:]:
        if before.time - end.time >= pause:
            yield start, end
            start = before
        end = after
    yield start, end


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


def _stood_still(before: BalancePoint, after: BalancePoint, minute_bytes: float) -> bool:
    """Whether nothing is known between two points, as in elastic throughput, and next to nothing was taken."""
    taken_bytes = before.balance_bytes - after.balance_bytes
    is_above_zero = after.balance_bytes >= minute_bytes
    return after.time - before.time >= PAUSE and is_above_zero and taken_bytes < SMALLEST_FALL_MINUTES * minute_bytes


def _fall(
    balances: Sequence[BalancePoint],
    start: BalancePoint,
    end: BalancePoint,
    minute_bytes: float,
    smallest_minutes: float,
    rise: Sequence[BalancePoint] = (),
) -> Iterator[Fall]:
    """The fall between two of these points, unless it is small; `rise` are those that follow, and no part of it."""
    low = [one for one in balances if one.time >= start.time and one.balance_bytes < minute_bytes]
    is_small = start.balance_bytes - end.balance_bytes < smallest_minutes * minute_bytes
    if is_small and not (low and _was_above_zero(balances, low[0].time, minute_bytes)):
        return
    dry = [one.time for one in low if is_nothing(one.balance_bytes, minute_bytes)]
    # Once something is there again, nothing limits the load any more; nor does it go on while the balance only rises.
    limited = dry or [one.time for one in _up_to_the_last_rise(low)]
    turn = _turn(balances, start)
    # The five minutes in which the credits ended took only what was left of them.
    first, *others = [one for one in balances if start.time < one.time <= end.time]
    unlimited = [start, first, *(one for one in others if not low or one.time < low[0].time)]
    last = unlimited[-1]
    at_the_end = [one for one in low if dry and one.time > last.time]
    known = [*balances, *rise]
    again = [one for one in known if dry and one.time > dry[-1]]
    ending_bytes_per_second = at_least_bytes_per_second = _ending_bytes_per_second(unlimited, at_the_end)
    if dry and len(unlimited) <= AT_ONCE_POINTS:
        at_least_bytes_per_second = _fastest(unlimited, at_the_end)
        ending_bytes_per_second = _of_all_at_once(at_least_bytes_per_second, minute_bytes)
    yield Fall(
        start=start,
        end=end,
        began=turn.time,
        top_bytes=turn.balance_bytes,
        gone=limited[0] if limited else None,
        limited_until=limited[-1] if limited else end.time,
        limited=_limited(known, [one for one in dry if one >= end.time], last, ending_bytes_per_second),
        before_the_end=last,
        bytes_per_second=_bytes_per_second(start, last),
        ending_bytes_per_second=ending_bytes_per_second,
        at_least_bytes_per_second=at_least_bytes_per_second,
        took_all_in=tuple(time for time in limited if time > last.time),
        is_whole=_is_continued(balances, start),
        nearly=bool(low) and not dry,
        first_again=again[0] if len(again) == 1 else None,
    )


def _up_to_the_last_rise(points: Sequence[BalancePoint]) -> Sequence[BalancePoint]:
    """The points up to the last one that is lower than the one before it. What follows is left out: while the balance
    only rises, no load takes credits.
    """
    last = len(points) - 1
    while last > 0 and points[last].balance_bytes >= points[last - 1].balance_bytes:
        last -= 1
    return points[: last + 1]


def _ending_bytes_per_second(points: Sequence[BalancePoint], at_the_end: Sequence[BalancePoint]) -> float:
    """How fast a load was at the last of these points, if it was so steadily, and far faster or slower at all of them
    before: another had joined it, or left it. How fast it was on average while it took credits, else: its pauses count
    as such at zero, too.

    The points that follow, in which credits end, tell how fast one was at the least that joined it in these minutes.
    """
    at_least = _bytes_per_second(points[-1], at_the_end[0]) if at_the_end else 0.0
    rates = [_bytes_per_second(before, after) for before, after in pairwise(points)]
    # Of all points up to each one: a fall of a day has three hundred, and each is looked back from.
    slowest, fastest = list(accumulate(rates, min)), list(accumulate(rates, max))
    slowest_lately = fastest_lately = rates[-1]
    for steps in range(1, len(rates)):
        lately = rates[-steps:]
        slowest_lately, fastest_lately = min(slowest_lately, lately[0]), max(fastest_lately, lately[0])
        if slowest_lately <= 0 or fastest_lately > ABOUT_AS_FAST * slowest_lately:
            break
        # The five minutes in which it changed are as both.
        for before in range(len(rates) - steps, max(0, len(rates) - steps - 2), -1):
            if FAR_FASTER * fastest[before - 1] <= max(at_least, slowest_lately):
                return max(at_least, median(lately))
            if steps >= SLOWER_FOR_STEPS and slowest[before - 1] >= FAR_FASTER * fastest_lately:
                return median(lately)
    falling = [one for one in pairwise(points) if one[1].balance_bytes < one[0].balance_bytes]
    seconds = sum((after.time - before.time).total_seconds() for before, after in falling)
    return sum(before.balance_bytes - after.balance_bytes for before, after in falling) / seconds


def _fastest(points: Sequence[BalancePoint], at_the_end: Sequence[BalancePoint]) -> float:
    """How much was taken at the most from one of these points to the next, up to the first in which credits ended."""
    return max(_bytes_per_second(before, after) for before, after in pairwise([*points, *at_the_end[:1]]))


def _of_all_at_once(at_least_bytes_per_second: float, minute_bytes: float) -> float:
    """How fast a load was that began in one five minutes and had taken all by the next, if not in the same: it took so
    much in five at the least, and on average in half of them, no faster than it may.
    """
    return max(at_least_bytes_per_second, min(2 * at_least_bytes_per_second, minute_bytes / SECONDS_PER_MINUTE))


def _bytes_per_second(before: BalancePoint, after: BalancePoint) -> float:
    return (before.balance_bytes - after.balance_bytes) / (after.time - before.time).total_seconds()


def _was_above_zero(balances: Sequence[BalancePoint], until: datetime, minute_bytes: float) -> bool:
    """Whether a minute's worth or more was left long enough before this moment that the next zero is told."""
    before = [one for one in balances if until - ABOVE <= one.time < until]
    return len(before) * STEP >= ABOVE and all(one.balance_bytes >= minute_bytes for one in before)


def _limited(
    balances: Sequence[BalancePoint], dry: Sequence[datetime], last: BalancePoint, bytes_per_second: float
) -> timedelta:
    """How long nothing was left in all, of the five minutes in which it was so at some time.

    The credits ended amid the first of these, by how fast the load was at the `last` point before them, or in what is
    missing between the two; and they began to come back amid the last, by the rise that follows. A load that is there
    before and after what is missing did not rest in it.
    """
    if not dry:
        return timedelta(0)
    ended = last.time + STEP + timedelta(seconds=last.balance_bytes / bytes_per_second)
    since = [one for one in balances if last.time <= one.time <= dry[-1]]
    missing = ((max(one.time + STEP, ended), later.time) for one, later in pairwise(since) if later.time in dry)
    unseen = sum((max(timedelta(0), until - begin) for begin, until in missing), timedelta(0))
    still_there = min(STEP, max(timedelta(0), ended - dry[0]))
    after = [one for one in balances if one.time > dry[-1]]
    back_again = timedelta(0)
    for rising, higher in pairwise(after[:2]):
        if higher.balance_bytes > rising.balance_bytes:
            share = rising.balance_bytes / (higher.balance_bytes - rising.balance_bytes)
            began = rising.time - share * (higher.time - rising.time)
            back_again = min(STEP, max(timedelta(0), dry[-1] + STEP - began))
    return max(timedelta(0), unseen + len(dry) * STEP - still_there - back_again)


def _turn(balances: Sequence[BalancePoint], start: BalancePoint) -> BalancePoint:
    """When the balance began to fall, to five minutes, and what there was: where the rise before its highest five meets
    the fall after them. At their end where these are not known, or where something else came between, such as a full
    bucket, and then as much as their lowest.

    A point is the lowest of its minutes: of a rise their beginning, of a fall their end. So it turned in these five, or
    in those before or after.
    """
    if not _is_continued(balances, start):
        return start
    at_its_end = BalancePoint(start.time + STEP, start.balance_bytes)
    index = next(index for index, one in enumerate(balances) if one.time == start.time)
    around = balances[max(0, index - 2) : index + 3]
    if len(around) < 5 or around[-1].time - around[0].time != 4 * STEP:
        return at_its_end
    before, last_rising, highest, first_fallen, after = (one.balance_bytes for one in around)
    rise_bytes, fall_bytes = max(0.0, last_rising - before), first_fallen - after
    if fall_bytes <= 0:
        return at_its_end
    # In steps since the highest began.
    met = (first_fallen - last_rising + 2 * fall_bytes - rise_bytes) / (rise_bytes + fall_bytes)
    # Whenever it turned, the lowest of the highest five is that of their beginning or of their end.
    lowest = min(last_rising + rise_bytes, first_fallen + fall_bytes)
    if abs(lowest - highest) > AS_ONE_TURN * (rise_bytes + fall_bytes):
        return at_its_end
    return BalancePoint(time=start.time + round(met) * STEP, balance_bytes=last_rising + rise_bytes * (1 + met))


def _is_continued(balances: Sequence[BalancePoint], start: BalancePoint) -> bool:
    """Whether more is known before the point from which the balance fell. A point is the lowest of its minutes, so such
    a one had not fallen yet; the first that is known may have fallen in its own minutes.
    """
    return any(start.time - STEP <= one.time < start.time for one in balances)
