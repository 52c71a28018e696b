"""When the credits were gone in the last day: how often a night's story has come to its end already."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from efs_monitor.efs.credits import (
    BASELINE_BYTES_PER_SECOND_PER_TIB,
    BURST_BYTES_PER_SECOND_PER_TIB,
    SECONDS_PER_MINUTE,
    earned_bytes_per_second,
    is_no_faster,
    is_nothing,
)
from efs_monitor.incidents.changed_earning import KNOWN_TO, changed_earning
from efs_monitor.incidents.mode_steps import is_neither, is_of_another_size, is_whole, steps_of_another_mode
from efs_monitor.incidents.situation import BEFORE, DAY, STEP, Situation, once
from efs_monitor.incidents.times_with_nothing import beginnings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from efs_monitor.efs.observations import BalancePoint

# The Exhausted alarm looks at so many minutes: what comes back for less has not come back.
ABOVE = timedelta(minutes=15)
# In less than this, of which nothing is known, hardly so much comes back: an idle minute earns a twentieth of one.
UNKNOWN = timedelta(hours=1)


class TimeAtZero(NamedTuple):
    """A time in which less than a minute's worth was left, to five minutes, from when on nothing was: to the minute
    where that is in the last hour. `lowest_bytes` is the least that was left.

    Where a load takes little more than is earned, the last minute's worth lasts for hours. Where they hovered above
    zero all the while, every credit spent as it was earned, it is told from its beginning.
    """

    began: datetime
    ended: datetime
    lowest_bytes: float


class LimitedTime(NamedTuple):
    """A time in which clients had no more than there is without credits, to five minutes.

    It `is_whole` where it had not begun when the day began that is known.
    """

    began: datetime
    ended: datetime
    is_whole: bool


def times_at_zero(
    situation: Situation, lookback: timedelta = DAY, above: timedelta = ABOVE, unknown: timedelta = UNKNOWN
) -> tuple[TimeAtZero, ...]:
    """The times at zero of the last 24 hours, or of another `lookback`, oldest first; the last may go on. Two of them
    are one unless the balance was `above` a minute's worth for so long between them; and where what was between them is
    `unknown` for less than so long.

    They are told by the lowest balance of each five minutes.
    """
    return tuple(_time_at_zero(points, situation) for points in _spells(situation, lookback, above, unknown))


def gone_since(situation: Situation) -> datetime | None:
    """Since when the credits are gone, to five minutes, by the last time at zero, if that goes on; None else. It may
    have begun before the last 24 hours.

    Less than a minute's worth may have been there meanwhile, and everything as fast as it lasted: they are gone since
    the end of that.
    """
    spells = _spells(situation, DAY + BEFORE)
    if not spells or situation.balances[-1].time - _time_at_zero(spells[-1], situation).ended >= ABOVE:
        return None
    permitted = dict(situation.permitted_of_the_day)
    fast = [
        one.time
        for one in spells[-1]
        if not is_nothing(one.balance_bytes, situation.minute_bytes)
        and not is_no_faster(permitted.get(one.time, 0.0), situation.baseline_bytes_per_second)
    ]
    since = [one for one in spells[-1] if not fast or one.time > fast[-1]]
    return _time_at_zero(since or spells[-1], situation).began


def _spells(
    situation: Situation, lookback: timedelta, above: timedelta = ABOVE, unknown: timedelta = UNKNOWN
) -> "list[list[BalancePoint]]":
    """The points of each time at zero."""
    found: list[list[BalancePoint]] = []
    oldest = situation.time - lookback
    for point in situation.balances_of_the_day:
        if point.balance_bytes >= situation.minute_bytes or point.time < oldest:
            continue
        if found and _goes_on(situation, found[-1][-1].time + STEP, point.time, unknown, above):
            found[-1].append(point)
        else:
            found.append([point])
    return found


def _goes_on(
    situation: Situation, ended: datetime, begins: datetime, unknown: timedelta = UNKNOWN, above: timedelta = ABOVE
) -> bool:
    """Whether what ended and what begins are one time: metrics that are missing in its middle make no two of it, for
    less than an `unknown` time, or than a minute's worth takes to come back and to be spent again.
    """
    pause = begins - ended
    if pause < above:
        return True
    is_one = pause < unknown or pause + STEP < _back_and_gone_again(situation)
    return is_one and not any(ended <= one.time < begins for one in situation.balances_of_the_day)


def _back_and_gone_again(situation: Situation) -> timedelta:
    """How long it takes at the least until a minute's worth has come back, without any load, and is spent again."""
    earned = earned_bytes_per_second(situation.file_system.standard_bytes)
    spent = situation.reference_bytes_per_second - earned
    if spent <= 0:
        return timedelta.max
    return timedelta(seconds=situation.minute_bytes / earned + situation.minute_bytes / spent)


def _time_at_zero(points: "Sequence[BalancePoint]", situation: Situation) -> TimeAtZero:
    minutes = situation.balances
    empty = [one for one in points if is_nothing(one.balance_bytes, situation.minute_bytes)]
    first = (empty or points)[0]
    # Nothing is less than a second's worth.
    as_low_bytes = situation.reference_bytes_per_second if empty else situation.minute_bytes
    low = (one for one in minutes if first.time <= one.time < first.time + STEP and one.balance_bytes < as_low_bytes)
    lowest_first = next(low, None)
    # The first minute that is known may not have been the first that was so low; it was, where there is no balance of
    # the five minutes before, as in another throughput mode.
    is_cut = any(one.time == first.time - STEP for one in situation.balances_of_the_day)
    if lowest_first is None or (is_cut and lowest_first is minutes[0] and lowest_first.time > first.time):
        lowest_first = first
    return TimeAtZero(
        began=lowest_first.time,
        ended=points[-1].time + STEP,
        lowest_bytes=min(one.balance_bytes for one in points),
    )


def was_in_another_mode(time: TimeAtZero, situation: Situation) -> bool:
    """Whether a part of it, or the five minutes before it, was in another throughput mode: it was at zero when that was
    left, or it ended with the change to it.
    """
    return any(time.began - 2 * STEP < step < time.ended for step in steps_of_another_mode(situation))


def was_limited(time: TimeAtZero, situation: Situation) -> bool:
    """Whether clients were limited at that time, or may have been, where that is not known.

    They were not where some of the last minute's worth was left in every minute, and where PermittedThroughput was that
    with credits in each five of them, at the size of now or of then.
    """
    if is_nothing(time.lowest_bytes, situation.minute_bytes):
        return True
    permitted = dict(situation.permitted_of_the_day)
    first = min(permitted, default=time.ended)
    steps = [step for step in permitted if time.began - STEP < step < time.ended]
    is_known = first <= time.began and len(steps) >= (time.ended - time.began) // STEP
    return not is_known or not all(
        is_no_faster(situation.reference_bytes_per_second, permitted[step])
        or _is_with_credits_of_then(permitted[step], step, situation)
        for step in steps
    )


def lifted_since(situation: Situation) -> datetime | None:
    """Since when, to five minutes, more has been permitted than without credits, after the last time at zero: a few
    credits are enough for that, and a minute's worth may take hours more.

    None where the metrics do not show that it was ever lower in that time, where some of them are missing, where
    another throughput mode permitted it, or where clients at work were limited again since: pulses that empty the
    bucket every quarter of an hour have more permitted in each five minutes.
    """
    last = next(reversed(times_at_zero(situation)), None)
    other_mode = steps_of_another_mode(situation)
    found: datetime | None = None
    for step, rate in reversed(situation.permitted_of_the_day):
        if is_no_faster(rate, situation.baseline_bytes_per_second):
            if last is None or found is None or found <= last.began or found - step > STEP:
                return None
            return None if _was_limited_since(found, situation) else found
        if step in other_mode or (found is not None and found - step > STEP):
            return None
        found = step
    return None


def _was_limited_since(moment: datetime | None, situation: Situation) -> bool:
    """Whether clients at work had no more than there is without credits in part of any five minutes after these."""
    worked = {one.time for one in situation.last_day if one.metered_bytes > 0}
    limited = limited_steps(situation) - _lifted_steps(situation)
    return moment is not None and any(moment < step for step in limited & worked)


@once
def limited_steps(situation: Situation) -> frozenset[datetime]:
    """The five minutes of the last 24 hours in part of which, at least, clients had no more than there is without
    credits: also those in which the credits ended, and in which the first of them came back.
    """
    held = _held_steps(situation)
    steps = (held | _dry_steps(situation)) - steps_of_another_mode(situation)
    provisioned = {time for time, rate in situation.permitted_of_the_day if is_neither(rate, situation)} - held
    return frozenset(step for step in steps - provisioned if step >= situation.time - DAY)


def earlier_limited_times(
    situation: Situation, unknown: timedelta = UNKNOWN, over_for: timedelta = ABOVE
) -> tuple[LimitedTime, ...]:
    """When clients were limited for lack of credits in the last 24 hours, oldest first, as far as that is `over_for` so
    long: by itself without a limit that has just come. Where two are taken for one whatever was `unknown` between them
    for so long, there were so many at the least.

    A limit ends with the first credits that come back, hours before a minute's worth is there where little is earned:
    so it is told by PermittedThroughput, as in `lifted_since`, and by minutes in which nothing was left. A quarter of
    an hour of full speed between two of them makes them two; metrics that are missing in the middle do not.
    """
    oldest, newest = situation.time - DAY, situation.balances[-1].time
    first_known = min((one.time for one in situation.balances_of_the_day), default=newest)
    other_mode = steps_of_another_mode(situation)
    found: list[LimitedTime] = []
    lifted = _lifted_steps(situation)
    for step in sorted(limited_steps(situation) - lifted):
        # The five minutes amid which credits came back were of full speed in part.
        if found and _goes_on(situation, found[-1].ended + STEP * (found[-1].ended in lifted), step, unknown):
            found[-1] = found[-1]._replace(ended=step + STEP)
        else:
            # What another throughput mode let through before it was not limited.
            is_whole = step - STEP >= max(oldest, first_known) or step - STEP in other_mode
            found.append(LimitedTime(began=step, ended=step + STEP, is_whole=is_whole))
    return tuple(one for one in found if newest - one.ended >= over_for)


def was_on_and_off(time: LimitedTime, situation: Situation) -> bool:
    """Whether the credits were gone more than once in it, with a rest too short to make two times of it: a load in
    pulses. It is told by minutes, which are those of the last eight hours, or by steps of five in which nothing was
    limited.
    """
    known = (*situation.earlier_balances, *situation.balances)
    minutes = (one for one in known if time.began <= one.time < time.ended)
    if beginnings(is_nothing(one.balance_bytes, situation.minute_bytes) for one in minutes) > 1:
        return True
    limited = limited_steps(situation)
    steps = (one.time for one in situation.balances_of_the_day if time.began <= one.time < time.ended)
    return beginnings(step in limited for step in steps) > 1


def _held_steps(situation: Situation) -> set[datetime]:
    """The five minutes with less than a minute's worth in which no more was permitted than there is without credits, or
    was for another size.
    """
    low = {
        one.time: one.balance_bytes
        for one in situation.balances_of_the_day
        if one.balance_bytes < situation.minute_bytes
    }
    return {
        time
        for time, rate in situation.permitted_of_the_day
        if time in low and _is_held(rate, low[time], time, situation)
    }


def _is_held(rate: float, lowest_bytes: float, time: datetime, situation: Situation) -> bool:
    """Whether so much was permitted for lack of credits: as much as without them at the size of now or of then.

    What may be without credits at another size is with them where so much was left that it would last a minute.
    """
    changed, baseline = changed_earning(situation), situation.baseline_bytes_per_second
    if changed.times and rate <= (1 + KNOWN_TO) * changed.earned_then(time):
        return True
    if not is_nothing(lowest_bytes, situation.minute_bytes) and _is_with_credits_of_then(rate, time, situation):
        return False
    if is_no_faster(rate, baseline) and is_no_faster(baseline, rate):
        return True
    may_be_of_then = is_no_faster(rate, baseline) or is_of_another_size(rate, situation)
    if may_be_of_then and lowest_bytes < SECONDS_PER_MINUTE * rate:
        return True
    # What a larger size had without credits may be nearly what this one has with them.
    is_of_now = is_no_faster(situation.reference_bytes_per_second, rate)
    return not is_of_now and not is_whole(rate) and is_nothing(lowest_bytes, situation.minute_bytes)


def _is_with_credits_of_then(rate: float, time: datetime, situation: Situation) -> bool:
    """Whether so much is what another size, which earned as much as is known of then, may have with credits: of a TiB
    and more that is twice what it earns. Not to be asked where nothing was left: what was earned then is read off it.
    """
    changed = changed_earning(situation)
    with_credits = BURST_BYTES_PER_SECOND_PER_TIB / BASELINE_BYTES_PER_SECOND_PER_TIB * changed.earned_then(time)
    return bool(changed.times) and is_no_faster(rate, with_credits) and is_no_faster(with_credits, rate)


def _dry_steps(situation: Situation) -> set[datetime]:
    """The five minutes in which nothing was left at some time: no more than is earned in a minute, which for a small
    file system is far less than a second's worth.
    """
    earned_bytes = SECONDS_PER_MINUTE * earned_bytes_per_second(situation.file_system.standard_bytes)
    return {
        one.time
        for one in situation.balances_of_the_day
        if is_nothing(one.balance_bytes, situation.minute_bytes) and one.balance_bytes <= earned_bytes
    }


def _lifted_steps(situation: Situation) -> set[datetime]:
    """The five minutes that begin with nothing left, after a limit, and in which more was permitted again.

    The limit may end between two of them, and the second begins with nothing, too. One in which clients moved more than
    was earned cannot have begun so: some had come back by then, and was spent again.
    """
    held = _held_steps(situation)
    earned_bytes = STEP.total_seconds() * earned_bytes_per_second(situation.file_system.standard_bytes)
    spent_again = {one.time for one in situation.last_day if one.metered_bytes > earned_bytes}
    found: set[datetime] = set()
    for step in sorted(_dry_steps(situation) & {time for time, _ in situation.permitted_of_the_day} - held):
        if step - STEP in held or (step - STEP in found and step not in spent_again):
            found.add(step)
    return found


def earlier_times_at_zero(situation: Situation, unknown: timedelta = UNKNOWN) -> tuple[TimeAtZero, ...]:
    """The times at zero that were over before a limit that has just come: not one that goes on or has just ended. Two
    are one where what was between them is `unknown` for less than so long.
    """
    newest = situation.balances[-1].time
    return tuple(one for one in times_at_zero(situation, unknown=unknown) if newest - one.ended >= ABOVE)
