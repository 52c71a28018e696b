"""How much more the size earns now than it did in the last day, and how much less it is permitted: one that grew or
shrank since lives through the same load with other credits, and with another limit.

AWS tells nobody what the size was. PermittedThroughput does exactly, of a TiB and more with credits, and of any size
without. Else the balance does, beside what was metered: it rises by what is earned, and falls by
what is metered. But of five minutes only the lowest balance is known, and neither where in them it was, nor how much of
what they moved came before it. So over any two steps what was earned is known but for all that was moved in those two,
and the time that it took but for ten minutes: five minutes tell nothing, two idle steps an hour apart tell the rate to
8 %, and a day to less than a hundredth. Another rate was earned only where that of now is outside of all this, which no
load brings about.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from math import inf
from typing import NamedTuple

from efs_monitor.efs.credits import (
    BASELINE_BYTES_PER_SECOND_PER_TIB,
    BURST_BYTES_PER_SECOND_PER_TIB,
    LOWEST_BURST_BYTES_PER_SECOND,
    LOWEST_REGIONAL_CAP_BYTES_PER_SECOND,
    SAME_RATE,
    bytes_that_earn,
    earned_bytes_per_second,
    full_bucket_bytes,
    is_nothing,
)
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.mode_lock import resumed_lately
from efs_monitor.incidents.mode_steps import (
    ANOTHER_MODE,
    NOT_FULL,
    is_above_the_size,
    is_of_another_size,
    is_whole,
    steps_of_another_mode,
)
from efs_monitor.incidents.situation import DAY, STEP, Situation, once
from efs_monitor.incidents.steepest_line import SteepestLine

# A rate is told where none is possible that differs by more; or by more than this, where no other time of the day tells
# it better.
KNOWN_TO, ROUGHLY = 0.05, 0.1
# An idle spell tells it to KNOWN_TO in so many steps.
FEWEST_STEPS = 20
# What differs by less makes no other day.
DIFFERS = 0.1
# What the size earns is known in whole bytes per second.
ROUNDING = 1
STEP_SECONDS = STEP.total_seconds()
AN_HOUR = timedelta(hours=1)
# Of a week ago nobody asks what clients moved: a base load may hide a part of what was earned.
MAY_HAVE_BEEN_SMALLER = 2


class ChangedEarning(NamedTuple):
    """What was earned in each of the five minutes at `times`, in order, and is earned now, in bytes per second; nothing
    where no more and no less is earned now. And how much faster clients were on credits than they may be now.
    """

    times: Sequence[datetime] = ()
    then_bytes_per_second: Sequence[float] = ()
    now_bytes_per_second: float = 0.0
    not_permitted_now_bytes_per_second: Sequence[float] = ()

    @property
    def earns_less(self) -> bool:
        """Whether at any time of that day more was earned than is now."""
        return any(one > self.now_bytes_per_second for one in self.then_bytes_per_second)

    def more_bytes(self, since: datetime, until: datetime) -> float:
        """How much more than then is left now between two moments of that day, under the same load: what is earned
        besides, and what may not be driven any more; less is below zero.
        """
        if not self.times:
            return 0.0
        first = max(0, bisect_right(self.times, since) - 1)
        found = 0.0
        for index in range(first, bisect_left(self.times, until)):
            begin, end = max(self.times[index], since), min(self.times[index] + STEP, until)
            more = self._more_bytes_per_second(index)
            found += more * max(0.0, (end - begin).total_seconds())
        return found

    def more_bytes_per_second(self, moment: datetime) -> float:
        """How much more than at a moment of that day is left in a second now, under the load of that moment."""
        index = bisect_right(self.times, moment) - 1
        return self._more_bytes_per_second(max(index, 0)) if self.times else 0.0

    def _more_bytes_per_second(self, index: int) -> float:
        earned = self.now_bytes_per_second - self.then_bytes_per_second[index]
        return earned + self.not_permitted_now_bytes_per_second[index]

    def earned_then(self, moment: datetime) -> float:
        """What was earned then, in bytes per second; what is earned now where that is not known to be another rate."""
        index = bisect_right(self.times, moment) - 1
        return self.then_bytes_per_second[max(index, 0)] if self.times else self.now_bytes_per_second


class _Step(NamedTuple):
    """Five minutes on credits, of which some were left, and the bucket was not full.

    What had been earned when the balance was lowest, since a moment that is the same for all: at the `least` as much as
    was left and had been metered before these minutes, at the `most` what was metered in them besides, in bytes.
    """

    time: datetime
    balance_bytes: float
    least: float
    most: float


class _Spell(NamedTuple):
    """Steps in a row that one rate explains, the newest first; it lies between two, in bytes per second."""

    steps: Sequence[_Step]
    lowest: float
    highest: float


@once
def changed_earning(situation: Situation) -> ChangedEarning:
    """The rates that the size earned in the last day, if its metrics show other ones than that of now.

    Where it was in another throughput mode at hours that none of them shows, only those since the monitor saw that it
    was over tell anything: what was moved before took no credits, and would read as more that was earned.
    """
    now_bytes = earned_bytes_per_second(situation.file_system.standard_bytes)
    # Else all that is known, which is a day and two hours.
    since = resumed_lately(situation) or situation.time - 2 * DAY
    permitted = {time: rate for time, rate in _by_what_was_permitted(situation, now_bytes).items() if time >= since}
    steps = [one for one in _steps(situation) if one.time >= since]
    if _explains(now_bytes, steps):
        # Only of minutes of which the balance tells nothing.
        rates = permitted | dict.fromkeys((step.time for step in steps), now_bytes)
    else:
        rates = _by_the_balance(steps, permitted, situation, now_bytes)
    if all(rate == now_bytes for rate in rates.values()):
        return ChangedEarning(now_bytes_per_second=now_bytes)
    times = [one.time for one in situation.balances_of_the_day]
    return ChangedEarning(
        times=times,
        then_bytes_per_second=list(_filled(times, rates, situation, now_bytes)),
        now_bytes_per_second=now_bytes,
        not_permitted_now_bytes_per_second=_not_permitted_now(times, situation),
    )


def _by_the_balance(
    steps: Sequence[_Step], permitted: Mapping[datetime, float], situation: Situation, now_bytes_per_second: float
) -> dict[datetime, float]:
    """The rate that was earned in those five minutes of which the balance tells it, or what was permitted does. One
    that explains some of the latter, too, and is not what these tell, may be that of neither: what is told of those
    before and after them alone counts first.
    """
    is_known_now = steps[-1].time == situation.balances_of_the_day[-1].time
    known_now_bytes = now_bytes_per_second if is_known_now else None
    rate_of = partial(_rate, now_bytes_per_second=now_bytes_per_second)
    roughly = partial(rate_of, known_to=ROUGHLY)

    def spells_of(some: Sequence[_Step]) -> list[_Spell]:
        return [part for spell in _spells(some, known_now_bytes) for part in _below_its_bucket(spell)]

    def is_mixed(spell: _Spell) -> bool:
        rate = rate_of(spell)
        told = [permitted[step.time] for step in spell.steps if step.time in permitted]
        return rate is not None and any(abs(one - rate) > DIFFERS * rate for one in told)

    spells = spells_of(steps)
    mixed = [one for one in spells if is_mixed(one)]
    others = [one for one in steps if one.time not in permitted] if mixed else []
    # Any rate explains a few.
    apart = [one for one in spells_of(others) if len(one.steps) > FEWEST_STEPS]
    known = {**_told([one for one in spells if one not in mixed], rate_of), **_told(apart, rate_of), **permitted}
    return {
        **_told(spells, roughly),
        **_told(mixed, rate_of),
        **_told(apart, roughly),
        **_told(spells, partial(_known_elsewhere, rates=known)),
        **known,
    }


def _told(spells: Sequence[_Spell], rate_of: Callable[[_Spell], float | None]) -> dict[datetime, float]:
    """The rate of each of their five minutes, where there is one."""
    return {step.time: rate for spell in spells if (rate := rate_of(spell)) is not None for step in spell.steps}


def earns_another_rate_than(then: datetime, situation: Situation) -> bool:
    """Whether the size earned another rate at a moment of the last day, as far as its metrics show."""
    changed = changed_earning(situation)
    return bool(changed.times) and changed.earned_then(then) != changed.now_bytes_per_second


def fastest_hourly_rise(balances: Sequence[BalancePoint]) -> float:
    """How fast the balance rose in the hour in which most came back, in bytes per second: no more than was earned, over
    the lowest balances of its five minutes. Zero where no whole hour of them is known, or it never rose.
    """
    ahead = {one.time - AN_HOUR: one.balance_bytes for one in balances}
    rises = [ahead[one.time] - one.balance_bytes for one in balances if one.time in ahead]
    return max(0.0, max(rises, default=0.0)) / AN_HOUR.total_seconds()


def _filled(
    times: Sequence[datetime], rates: Mapping[datetime, float], situation: Situation, now_bytes_per_second: float
) -> Iterator[float]:
    """The rate of each of these five minutes. Where nothing tells it, as of a full bucket, it is what it was before, or
    was next; but not where the size of now may have just what was permitted, and that one may not.
    """
    permitted = dict(situation.permitted_of_the_day)
    last = rates[min(rates)]
    for time in times:
        if time not in rates and time in permitted:
            may_be, is_of_now = (_is_permitted(permitted[time], one) for one in (last, now_bytes_per_second))
            last = now_bytes_per_second if is_of_now and not may_be else last
        last = rates.get(time, last)
        yield last


def _is_permitted(bytes_per_second: float, earned_bytes_per_second: float) -> bool:
    """Whether a size that earns so much has just this rate, with credits or without."""
    with_credits = earned_bytes_per_second * BURST_BYTES_PER_SECOND_PER_TIB / BASELINE_BYTES_PER_SECOND_PER_TIB
    rates = (earned_bytes_per_second, max(LOWEST_BURST_BYTES_PER_SECOND, with_credits))
    return any(max(one, bytes_per_second) <= SAME_RATE * min(one, bytes_per_second) for one in rates)


def _by_what_was_permitted(situation: Situation, now_bytes_per_second: float) -> dict[datetime, float]:
    """What another size earned in those five minutes of the last day in which its rate was permitted, in bytes per
    second: with credits that is twice as much as it earned, and without any as much. Whole MiB/s may be provisioned,
    but more than is permitted now would have been seen as another mode; and from the lowest cap of a Region on it may
    be that. Of more than two TiB the rate without credits looks like that of a smaller one with them: the balance
    tells them apart.
    """
    balances = {one.time: one.balance_bytes for one in situation.balances_of_the_day}
    other_mode = steps_of_another_mode(situation)
    # In the five minutes in which credits end or come back there is what they permit, too.
    at_zero = {
        time: rate
        for time, rate in situation.permitted_of_the_day
        if is_nothing(balances.get(time, inf), situation.minute_bytes)
    }
    found: dict[datetime, float] = {}
    for time, rate in situation.permitted_of_the_day:
        balance_bytes = balances.get(time)
        if balance_bytes is None or time in other_mode:
            continue
        is_of_more_than_a_tib = SAME_RATE * LOWEST_BURST_BYTES_PER_SECOND < rate < LOWEST_REGIONAL_CAP_BYTES_PER_SECOND
        is_of_a_size = is_above_the_size(rate, situation) or not is_whole(rate)
        is_without_credits = time in at_zero and rate in {at_zero.get(time - STEP), at_zero.get(time + STEP)}
        if is_of_more_than_a_tib and is_of_a_size and is_without_credits:
            earned = rate
        elif is_of_more_than_a_tib and is_of_a_size:
            earned = rate * BASELINE_BYTES_PER_SECOND_PER_TIB / BURST_BYTES_PER_SECOND_PER_TIB
        elif _is_of_a_size_without_credits(rate, balance_bytes, situation):
            earned = rate
        else:
            continue
        if abs(earned - now_bytes_per_second) > DIFFERS * now_bytes_per_second:
            found[time] = earned
    return found


def _is_of_a_size_without_credits(bytes_per_second: float, balance_bytes: float, situation: Situation) -> bool:
    """Whether another size, larger or smaller, was permitted this while nothing was left of its credits."""
    is_smaller = bytes_per_second * ANOTHER_MODE < situation.baseline_bytes_per_second and not is_whole(
        bytes_per_second
    )
    is_another = is_smaller or is_of_another_size(bytes_per_second, situation)
    return is_another and is_nothing(balance_bytes, situation.minute_bytes)


def _not_permitted_now(times: Sequence[datetime], situation: Situation) -> list[float]:
    """How much faster than credits permit by now clients were, in bytes per second, in each of these five minutes."""
    most_bytes = situation.reference_bytes_per_second * STEP_SECONDS
    metered = {one.time: one.metered_bytes for one in situation.last_day}
    other_mode = steps_of_another_mode(situation)
    return [
        0.0 if time in other_mode else max(0.0, metered.get(time, 0.0) - most_bytes) / STEP_SECONDS for time in times
    ]


def _steps(situation: Situation) -> Iterator[_Step]:
    """The steps of the last day that tell what was earned: what was moved in them is known, and took credits.

    A balance that stands still is that of elastic throughput, or was cut later: `PastDay` has what was left of it.
    """
    metered = {one.time: one.metered_bytes for one in situation.last_day}
    other_mode = steps_of_another_mode(situation)
    # No size is permitted less while it has credits.
    on_credits = {
        time
        for time, rate in situation.permitted_of_the_day
        if SAME_RATE * rate >= LOWEST_BURST_BYTES_PER_SECOND and time not in other_mode
    }
    points = situation.balances_of_the_day
    on_credits -= {
        one.time for pair in pairwise(points) if pair[0].balance_bytes == pair[1].balance_bytes for one in pair
    }
    not_full_bytes = NOT_FULL * full_bucket_bytes(situation.file_system.standard_bytes)
    moved_bytes = 0.0
    for one in points:
        least = one.balance_bytes + moved_bytes
        moved_bytes += metered.get(one.time, 0.0)
        if one.time in on_credits and situation.minute_bytes <= one.balance_bytes < not_full_bytes:
            yield _Step(one.time, one.balance_bytes, least, one.balance_bytes + moved_bytes)


def _explains(bytes_per_second: float, steps: Sequence[_Step]) -> bool:
    """Whether this rate explains any two steps in a row, as `_spells` has it: in one pass, for nearly every day is one
    of a single size.
    """
    a_step_bytes = bytes_per_second * STEP_SECONDS
    rounding_bytes = ROUNDING * STEP_SECONDS * len(steps)
    lowest_most, highest_least = inf, -inf
    for index, step in enumerate(steps):
        if index and step.time - steps[index - 1].time > STEP:
            lowest_most, highest_least = inf, -inf
        # With that rate alone they would all be the same.
        least, most = step.least - index * a_step_bytes, step.most - index * a_step_bytes
        if least - a_step_bytes > lowest_most + rounding_bytes or most + a_step_bytes < highest_least:
            return False
        lowest_most, highest_least = min(lowest_most, most), max(highest_least, least)
    return True


def _spells(steps: Sequence[_Step], now_bytes_per_second: float | None) -> Iterator[_Spell]:
    """The newest first. Another one begins where a step is missing, and where no rate explains all of one any more.

    What the size earns now is known, where the last step is of now, so it is what was earned before, too, as far back
    as it explains the steps.
    """
    spell: list[_Step] = []
    lowest, highest = 0.0, inf
    if now_bytes_per_second is not None:
        lowest, highest = now_bytes_per_second, now_bytes_per_second + ROUNDING
    later = _Later()
    for step in reversed(steps):
        lowest_with_it, highest_with_it = max(lowest, later.lowest(step)), min(highest, later.highest(step))
        if spell and (spell[-1].time - step.time > STEP or lowest_with_it > highest_with_it):
            yield _Spell(spell, lowest, highest)
            spell, later, lowest_with_it, highest_with_it = [], _Later(), 0.0, inf
        spell.append(step)
        later.add(step)
        lowest, highest = lowest_with_it, highest_with_it
    if spell:
        yield _Spell(spell, lowest, highest)


class _Later:
    """The steps of a spell so far, from the newest to ever earlier ones, which are counted from 0 down: what rates
    explain what was earned from one more to each of them is how steep lines are to it.
    """

    def __init__(self) -> None:
        self._steps = 0
        self._least = SteepestLine()
        # The least steep line is the steepest to what is upside down.
        self._most = SteepestLine()
        self._newest_most: float | None = None

    def add(self, step: _Step) -> None:
        """Take in the step right before all others."""
        self._least.add(-self._steps, step.least)
        if self._newest_most is not None:
            self._most.add(1 - self._steps, -self._newest_most)
        self._newest_most = step.most
        self._steps += 1

    def lowest(self, earlier: _Step) -> float:
        """The lowest rate that explains what was earned from the step right before them to each, in bytes per second.
        From one lowest balance to another it was up to a step longer than from step to step.
        """
        earned = self._least.slope_from(-self._steps - 1, earlier.most)
        return 0.0 if earned is None else earned / STEP_SECONDS

    def highest(self, earlier: _Step) -> float:
        """The highest: from one lowest balance to another it was up to a step shorter, too. From a step to the next any
        is possible.
        """
        earned = self._most.slope_from(1 - self._steps, -earlier.least)
        return inf if earned is None else -earned / STEP_SECONDS


def _below_its_bucket(spell: _Spell) -> Iterator[_Spell]:
    """What of it tells the rate: not the minutes with so much that the bucket of a size that earns no more than the
    least that was earned may have been full.
    """
    enough_bytes = NOT_FULL * full_bucket_bytes(bytes_that_earn(spell.lowest))
    steps = [one for one in reversed(spell.steps) if one.balance_bytes < enough_bytes]
    if len(steps) == len(spell.steps):
        yield spell
    else:
        yield from _spells(steps, None)


def _known_elsewhere(spell: _Spell, rates: Mapping[datetime, float]) -> float | None:
    """What is known of other times of the day and explains this one, the nearest of several; None where nothing does:
    a load of two hours hides what was earned beside it, and the night before or after does not.
    """
    first, last = spell.steps[-1].time, spell.steps[0].time
    explaining = [time for time, rate in rates.items() if spell.lowest <= rate <= spell.highest]
    nearest = min(explaining, key=lambda time: max(first - time, time - last), default=None)
    return None if nearest is None else rates[nearest]


def _rate(spell: _Spell, now_bytes_per_second: float, known_to: float = KNOWN_TO) -> float | None:
    """What was earned in it, in bytes per second: as now wherever that may be; None where it is not known so well."""
    if spell.lowest <= now_bytes_per_second + ROUNDING and now_bytes_per_second <= spell.highest:
        return now_bytes_per_second
    # Fewer steps that seem to tell it so well are some amid which it changed.
    if (1 + known_to) * spell.lowest < (1 - known_to) * spell.highest or len(spell.steps) <= FEWEST_STEPS:
        return None
    rate = (spell.lowest + spell.highest) / 2
    return rate if abs(rate - now_bytes_per_second) > DIFFERS * now_bytes_per_second else now_bytes_per_second
