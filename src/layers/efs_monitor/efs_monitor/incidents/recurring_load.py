"""Whether a load recurs: what the balance did in the coming hours of an earlier day, and what is left if it does
so again.

A batch that comes every night shows in the balance of the night before. Each fall of it is laid upon the balance of
now, a day or a week later.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from efs_monitor.efs.credits import earned_bytes_per_second, full_bucket_bytes
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.absent_load import absent_load, is_absent
from efs_monitor.incidents.base_load import base_load_until
from efs_monitor.incidents.calm_hours import CalmHours, calm_hours
from efs_monitor.incidents.changed_earning import changed_earning
from efs_monitor.incidents.fall_today import as_earned_now, is_taken_for_the_fastest, taken_at, times_without_credits
from efs_monitor.incidents.falls import (
    PAUSE,
    SHOWS_AFTER,
    SMALLEST_FALL_MINUTES,
    Fall,
    falls,
    falls_again_and_again,
    smallest_fall_minutes,
)
from efs_monitor.incidents.loads_of_the_day import (
    goes_on_beside_a_load_since,
    loads_of_the_day,
    under_way,
    without_credits_until,
)
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.pace import FAR_FASTER
from efs_monitor.incidents.situation import AHEAD, BEFORE, DAY, STEP, PastDay, Situation, once
from efs_monitor.incidents.unknown_times import may_have_ended_unseen

# With less than half of a day, that it was calm is not known.
FEWEST_POINTS = AHEAD // STEP // 2
# What is left after a fall that needs nobody to do anything, in minutes at the permitted rate; and with less than what
# any other load may end it, so that who waits for the end that comes later waits too long.
ENOUGH_MINUTES, LITTLE_MINUTES = 60, 20


@dataclass(frozen=True, kw_only=True)
class RecurringLoad:
    """A fall of an earlier day, and what it leaves of the balance if it comes again at its time of day.

    `time` is when the credits are gone then, or else when least of them is left. What came in the hours before it comes
    again too: it `follows_others` where that is a fall, or was moved in another throughput mode and would be one. It
    `comes_upon` a balance that there is, if the hours go as on that day, when it begins, or the first of the others.
    `most_bytes` is what is left at the most: with all that the size earns in the hours before it of which nobody knows
    what they bring. It `may_take_more` than it was seen to where the credits may have ended while metrics were missing,
    in it or in one of those before it: with those of now it would have gone on. It `may_take_less` where it, or one of
    those before it, took all so soon that it is taken for as fast as clients may be. `earned_then_bytes_per_second` is
    what the size earned when the `fall` began, where it earns another rate now, with which the same load takes more or
    less; else None. `gone_before_it` are the credits where the hours before it end them, which took less than was
    earned then. `low_before` is that of those before it, where it ends the credits, which leaves next to nothing.
    """

    fall: Fall
    back: timedelta
    time: datetime
    comes_upon: BalancePoint
    left_bytes: float
    most_bytes: float
    gone: bool
    follows_others: bool
    may_take_more: bool
    earned_then_bytes_per_second: float | None = None
    gone_before_it: bool = False
    may_take_less: bool = False
    low_before: "RecurringLoad | None" = None

    @property
    def low_from(self) -> datetime:
        """When nothing is left, or next to nothing, for the first time."""
        return self.time if self.low_before is None else self.low_before.time


def last_day_is_known(situation: Situation) -> bool:
    """Whether enough of the last day is known to say what comes back."""
    return len(_points(situation.balances_of_the_day, DAY, situation)) >= FEWEST_POINTS


def last_day_was_in_another_mode(situation: Situation) -> bool:
    """Whether it is known as far as that is enough, and of more than half of that because it was another throughput
    mode: of those hours what was moved is known, and no balance.
    """
    known = {one.time for one in _points(situation.balances_of_the_day, DAY, situation)}
    other_mode = steps_of_another_mode(situation) - known
    return len(known) < len(other_mode) and len(known) + len(other_mode) >= FEWEST_POINTS


def last_day_is_complete(situation: Situation) -> bool:
    """Whether the last day is known from its beginning on: a fall of hours that are not known may come again too.

    Of hours in another throughput mode there is no balance, and what was moved in them is known, also that it was
    nothing.
    """
    began = situation.balances[-1].time - DAY
    points = _points(situation.balances_of_the_day, DAY, situation)
    if not points:
        return False
    other_mode = steps_of_another_mode(situation)
    first = points[0].time
    before = (first - back * STEP for back in range(1, (first - began) // STEP + 1))
    missing = [step for step in before if step not in other_mode]
    return len(missing) * STEP < PAUSE and not may_hide_a_load(situation)


def may_hide_a_load(situation: Situation) -> bool:
    """Whether something is missing amid the coming hours of the last day in which a fall that counts may have come and
    been earned again: what is left after it tells only of the two together.

    Of hours in another throughput mode there is no balance, and what was moved in them is known.
    """
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes)
    other_mode = steps_of_another_mode(situation)
    for before, after in pairwise(_points(situation.balances_of_the_day, DAY, situation)):
        missing = [step for step in _steps_between(before.time, after.time) if step not in other_mode]
        hidden_bytes = before.balance_bytes - after.balance_bytes + len(missing) * STEP.total_seconds() * earned_bytes
        if len(missing) * STEP >= PAUSE and hidden_bytes >= SMALLEST_FALL_MINUTES * situation.minute_bytes:
            return True
    return False


def comes_upon_less(recurring: RecurringLoad, situation: Situation) -> bool:
    """Whether the balance does not fall, and there is less by as much as a load takes when this one comes, or the first
    of those before it, if it goes on as now instead of as on that day. As now is as in the last hour or in its last
    minutes, whichever is more.
    """
    drains = situation.hourly_drain_bytes_per_second, situation.drain_bytes_per_second
    known = [one for one in drains if one is not None]
    if not known or max(known) > 0:
        return False
    wait = recurring.comes_upon.time + recurring.back - situation.balances[-1].time
    would_be_bytes = situation.balance_bytes - wait.total_seconds() * min(known)
    full_bytes = full_bucket_bytes(situation.file_system.standard_bytes)
    less_bytes = recurring.comes_upon.balance_bytes - min(full_bytes, would_be_bytes)
    return less_bytes >= SMALLEST_FALL_MINUTES * situation.minute_bytes


@once
def worst_recurring_load(situation: Situation) -> RecurringLoad | None:
    """The load of yesterday or a week ago that empties the bucket first in the coming hours, or leaves least of it."""
    found = [one for day in situation.past_days if (one := _recurring_load(day, situation)) is not None]
    return min(
        found, key=lambda one: (not one.gone, one.time.timestamp() if one.gone else one.left_bytes), default=None
    )


def leaves_enough(recurring: RecurringLoad, situation: Situation, minutes: int = ENOUGH_MINUTES) -> bool:
    """Whether so many minutes at the permitted rate are left: with `ENOUGH_MINUTES` nobody has to do anything."""
    return not recurring.gone and recurring.left_bytes >= minutes * situation.minute_bytes


def is_calm(situation: Situation) -> bool:
    """Whether all of the last day is known, and nothing of it or of a week ago would bring the balance near zero.

    Where the credits were gone in it, it was not calm: the same load may come at another hour, or when there is less.
    Nor where it fell more than once, and so far that the next fall, at any hour, would leave too little of it now, or a
    load that was there a day ago may do so later; nor where the size earned more: what was no fall then may be one now.
    """
    recurring, absent = worst_recurring_load(situation), absent_load(situation)
    least_bytes = min((one.balance_bytes for day in situation.past_days for one in day.balances), default=0.0)
    return (
        last_day_is_known(situation)
        and last_day_is_complete(situation)
        and least_bytes >= situation.minute_bytes
        and (recurring is None or leaves_enough(recurring, situation))
        and (not falls_again_and_again(situation) or _outlasts_any_fall(situation))
        and (absent is None or absent.left_bytes >= ENOUGH_MINUTES * situation.minute_bytes)
        and not changed_earning(situation).earns_less
    )


def _outlasts_any_fall(situation: Situation) -> bool:
    minute_bytes = situation.minute_bytes
    smallest_minutes = smallest_fall_minutes(situation)
    found = falls(situation.balances_of_the_day, minute_bytes, smallest_minutes)
    deepest_bytes = max(fall.lost_bytes for fall in found)
    return situation.balance_bytes - deepest_bytes >= ENOUGH_MINUTES * minute_bytes


def _recurring_load(day: PastDay, situation: Situation) -> RecurringLoad | None:
    """What the day leaves of the balance of now: the first fall that empties it, or else the one that leaves least."""
    course = list(_course(day, situation))
    if not course or not course[-1].gone:
        return min(course, key=lambda one: one.left_bytes, default=None)
    *before, last = course
    little_bytes = LITTLE_MINUTES * situation.minute_bytes
    low = [one for one in before if one.left_bytes < little_bytes and one.time > situation.time]
    return replace(last, low_before=min(low, key=lambda one: one.left_bytes, default=None))


def _course(day: PastDay, situation: Situation) -> Iterator[RecurringLoad]:
    """Each load of the day that comes again, in order, with what it leaves; up to the one that ends the credits."""
    points = _points(day.balances, day.back, situation)
    if not points:
        return
    now = situation.balances[-1].time - day.back
    pace, is_there = situation.drain_bytes_per_second or 0.0, not is_absent(situation)
    found = list(falls(points, situation.minute_bytes, smallest_fall_minutes(situation)))
    calm = _calm(day, points, found, situation)
    again = _DayAgain(back=day.back, points=points, now=now, calm=calm, situation=situation)
    # From the last that is known before this time of day; what is younger than a day, or was elastic then, has none.
    until = max((one.time for one in points if one.time <= now), default=now)
    left, last, follows_others = situation.balance_bytes, None, False
    may_take_more = may_take_less = False
    most, most_since = left, until
    comes_upon: BalancePoint | None = None
    for fall in loads_of_the_day(found, points, situation, now):
        if fall.limited_until + STEP <= now:
            continue
        was_there = fall.began <= now - SHOWS_AFTER or fall.ended - fall.began >= DAY - SHOWS_AFTER
        if was_there or (fall.began <= now and FAR_FASTER * pace >= fall.bytes_per_second):
            # It is not there today; or it is, and the pace says when it ends the credits.
            if again.calm.absent_until is None:
                until = fall.end.time
            rest_bytes = again.rest_bytes(fall, left) if is_there else 0.0
            left -= rest_bytes
            follows_others = follows_others or rest_bytes >= again.a_load_bytes
            continue
        before = max(until, fall.start.time)
        if last is not None and (gone := again.gone_after(last, left, until, before)) is not None:
            yield gone
            return
        if last is None and (gone := again.gone_before(fall, left, until, before)) is not None:
            yield gone
            return
        left = again.calm.taken_in_since_it_was_full(before, again.calm.left_after(left, until, before))
        most = max(left, again.most_after(most, most_since, before, until))
        # What is earned now while it was limited is reckoned with in what it takes.
        until = most_since = fall.limited_until if fall.limited else fall.end.time
        comes_upon = comes_upon or BalancePoint(before, left)
        recurring = again.of(
            fall,
            left,
            most,
            comes_upon=comes_upon,
            follows_others=follows_others,
            may_take_more=may_take_more,
            may_take_less=may_take_less,
        )
        if recurring is None:
            continue
        if recurring.gone:
            yield recurring
            return
        if recurring.left_bytes < left:
            yield recurring
            last = recurring
        left, most, follows_others = recurring.left_bytes, recurring.most_bytes, True
        may_take_more, may_take_less = recurring.may_take_more, recurring.may_take_less
    if last is not None and (gone := again.gone_after(last, left, until, max(until, points[-1].time))) is not None:
        yield gone


def _calm(day: PastDay, points: Sequence[BalancePoint], found: Sequence[Fall], situation: Situation) -> CalmHours:
    """The hours of the day between its falls. What was under way may be absent today."""
    is_yesterday, absent_until = day.back == DAY, None
    if is_absent(situation):
        now = situation.balances[-1].time - day.back
        absent = under_way(points, situation, now)
        absent_until = without_credits_until(points, situation, now) if absent is None else absent.limited_until
        if absent_until is None and is_yesterday:
            absent_until = base_load_until(situation, now, points)
    return calm_hours(
        points,
        situation,
        is_yesterday=is_yesterday,
        absent_until=absent_until,
        falls_until=goes_on_beside_a_load_since(found, points, situation),
        cut=day.cut,
    )


class _DayAgain(NamedTuple):
    """The points of a day that lies `back`, laid upon the balance of now; `now` is this time of that day."""

    back: timedelta
    points: Sequence[BalancePoint]
    now: datetime
    calm: CalmHours
    situation: Situation

    @property
    def a_load_bytes(self) -> float:
        """What a load takes at the least that is one."""
        return SMALLEST_FALL_MINUTES * self.situation.minute_bytes

    def most_after(self, most_bytes: float, since: datetime, until: datetime, there_until: datetime) -> float:
        """What there is at the most after the hours between two moments: a load that is there may end now."""
        there_until = max(there_until, self.calm.absent_until or there_until)
        return self.calm.most_after(most_bytes, since, until, there_until)

    def may_have_ended_unseen(self, fall: Fall, until: datetime) -> bool:
        """Whether the credits may have ended in a fall while metrics were missing, before a moment of it or its end."""
        return may_have_ended_unseen(
            self.situation, [one for one in self.points if fall.start.time <= one.time <= until]
        )

    def of(
        self,
        fall: Fall,
        left_bytes: float,
        most_bytes: float,
        *,
        comes_upon: BalancePoint,
        follows_others: bool,
        may_take_more: bool,
        may_take_less: bool,
    ) -> RecurringLoad | None:
        """What a fall leaves of so much, and at the most; None of one that would have ended it by now, so that it is
        not there today.
        """
        changed, permitted = self.calm.changed, self.situation.reference_bytes_per_second
        fall_now = as_earned_now(fall, changed, permitted)
        is_the_fastest = is_taken_for_the_fastest(fall, changed, permitted)
        # Without credits it would have gone on spending as it did when they ended.
        unmet_bytes = fall_now.limited.total_seconds() * fall_now.ending_bytes_per_second
        earned_bytes = sum(time.earned_bytes for time in times_without_credits(fall, self.points, changed))
        lost_bytes = fall_now.lost_bytes + unmet_bytes - earned_bytes
        # One that had begun by this time of that day, and is not there today, begins now at the earliest.
        later = self.back + max(timedelta(0), self.now - fall.began)
        recurring = RecurringLoad(
            fall=fall,
            back=self.back,
            # Without credits the load went on: it would have taken until then.
            time=fall.limited_until + STEP + later,
            comes_upon=comes_upon,
            left_bytes=min(self.calm.full_bytes, left_bytes - lost_bytes),
            most_bytes=min(self.calm.full_bytes, max(left_bytes, most_bytes) - lost_bytes),
            gone=False,
            follows_others=follows_others or self.calm.taken_in_another_mode(fall.start.time) >= self.a_load_bytes,
            may_take_more=may_take_more or self.may_have_ended_unseen(fall, self._after(fall)),
            may_take_less=may_take_less or is_the_fastest,
            earned_then_bytes_per_second=changed.earned_then(fall.began) if changed.times else None,
        )
        # An earlier day is read in steps: of a slow load a minute's worth is half an hour.
        a_step_bytes = max(0.0, fall_now.bytes_per_second) * STEP.total_seconds()
        nothing_bytes = min(self.situation.minute_bytes, a_step_bytes)
        if recurring.left_bytes >= nothing_bytes:
            return recurring
        time = taken_at(self.points, fall_now, max(0.0, left_bytes - nothing_bytes), changed) + later
        if time <= self.situation.time:
            return None
        may_take_more = may_take_more or self.may_have_ended_unseen(fall, time - later)
        # What it took while there were credits is known.
        may_take_less = may_take_less or (is_the_fastest and time - later > fall.before_the_end.time + STEP)
        return replace(
            recurring, time=time, left_bytes=0.0, gone=True, may_take_more=may_take_more, may_take_less=may_take_less
        )

    def _after(self, fall: Fall) -> datetime:
        """The point after a fall, as far as one is known."""
        return next((one.time for one in self.points if one.time > fall.end.time), fall.end.time)

    def rest_bytes(self, fall: Fall, left_bytes: float) -> float:
        """What a fall that was under way at this time of its day took from then on, with what the size earns now.

        None of one that would end so much: then its pace says when, and where nobody knows that it took all. None of
        one that ended the credits then either, which took less than it would.
        """
        if fall.gone is not None:
            return 0.0
        of_it = [one for one in self.points if fall.start.time <= one.time <= fall.end.time]
        # A point is the lowest of its five minutes: while it falls, that of their end.
        by_now = (one for one in of_it if one.time + STEP <= self.now)
        at_now = max(by_now, key=lambda one: one.time, default=of_it[0])
        more_bytes = self.calm.changed.more_bytes(at_now.time, fall.end.time)
        rest_bytes = max(0.0, at_now.balance_bytes - fall.end.balance_bytes - more_bytes)
        if left_bytes - rest_bytes >= self.situation.minute_bytes:
            return rest_bytes
        return left_bytes if self.situation.drain_bytes_per_second is None else 0.0

    def gone_after(
        self, recurring: RecurringLoad, left_bytes: float, since: datetime, until: datetime
    ) -> RecurringLoad | None:
        """The load that leaves so little that the hours after it, which no load of that day took, end the credits; None
        where they last.
        """
        gone = self.calm.gone_in(left_bytes, since, until, self.situation.minute_bytes)
        if gone is None:
            return None
        # A point is the lowest of its five minutes: while it falls, that of their end.
        return replace(recurring, time=gone + STEP + recurring.back, left_bytes=0.0, gone=True)

    def gone_before(self, fall: Fall, left_bytes: float, since: datetime, until: datetime) -> RecurringLoad | None:
        """The first load of the day, where the hours before it end the credits: they took less than was earned, so that
        they show in no fall, and more than is earned now. None where these last, or where what was moved in another
        throughput mode ends them, which is a load by itself.
        """
        if not self.calm.changed.earns_less or self.calm.taken_in_another_mode(until) > 0:
            return None
        gone = self.calm.gone_in(left_bytes, since, until, self.situation.minute_bytes)
        if gone is None:
            return None
        return RecurringLoad(
            fall=fall,
            back=self.back,
            time=gone + STEP + self.back,
            comes_upon=BalancePoint(since, left_bytes),
            left_bytes=0.0,
            most_bytes=0.0,
            gone=True,
            follows_others=False,
            may_take_more=False,
            gone_before_it=True,
        )


def _steps_between(since: datetime, until: datetime) -> Iterator[datetime]:
    """The steps of a day after one of them and before a later one."""
    while (since := since + STEP) < until:
        yield since


def _points(balances: Sequence[BalancePoint], back: timedelta, situation: Situation) -> list[BalancePoint]:
    """The points of a day that lies `back` at the time of day of the coming hours, and of the hour before."""
    now = situation.balances[-1].time - back
    return [point for point in balances if now - BEFORE <= point.time <= now + AHEAD]
