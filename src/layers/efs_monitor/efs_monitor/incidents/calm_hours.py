"""What a balance of now would do in the hours of an earlier day that no fall took."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from math import inf

from efs_monitor.efs.credits import bytes_that_earn, earned_bytes_per_second, full_bucket_bytes
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.changed_earning import ChangedEarning, changed_earning
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.situation import STEP, Situation

STEP_SECONDS = STEP.total_seconds()
# The lowest of five minutes is a little below a bucket that is full again at their end.
AS_GOOD_AS_FULL = 0.999


@dataclass(frozen=True, kw_only=True)
class CalmHours:
    """What the balance of now would do in the hours of an earlier day that no fall took, in bytes and seconds.

    It changes as it did then, with what the size earns now, but for six kinds of hours. What was moved in another
    throughput mode took no credits then, and would take them now. A bucket that was full then took in no more, where
    the one of now earns. Until `cut` a larger bucket held more than the one of now, and how that changed is not kept:
    there the one of now earns, and what was moved is taken of it, as far as it is permitted now. A fall that was under
    way at this time of that day, until `absent_until`, is not there today: the balance rises as it does now. And so it
    does where nothing is known of that day yet. A fall of today that had not begun by this time of that day, until
    `falls_until`, goes on: the balance falls as it does now.
    `points` and the steps of the `other_mode` are in the order of time. `changed` is how much more is earned now.
    """

    points: Sequence[BalancePoint]
    other_mode: Sequence[datetime]
    # None where it is not known: CloudWatch is asked for it of the last day only.
    metered_bytes: Mapping[datetime, float] | None
    earned_bytes_per_second: float
    full_bytes: float
    changed: ChangedEarning
    absent_until: datetime | None
    rising_bytes_per_second: float
    falls_until: datetime | None = None
    falling_bytes_per_second: float = 0.0
    cut: datetime | None = None
    permitted_bytes_per_second: float = inf

    def left_after(self, left_bytes: float, since: datetime, until: datetime) -> float:
        """What is left of so much after the hours between two moments: never more than a full bucket on the way."""
        for _, _, left in self._course(left_bytes, since, until, self.absent_until):
            left_bytes = left
        return left_bytes

    def most_after(self, most_bytes: float, since: datetime, until: datetime, absent_until: datetime) -> float:
        """What there is at the most of so much after the hours between two moments: all that the size earns comes in
        where nothing is known of that day, and `absent_until` then, as what was under way is not there.
        """
        for _, _, most in self._course(most_bytes, since, until, absent_until, at_most=True):
            most_bytes = most
        return most_bytes

    def gone_in(self, left_bytes: float, since: datetime, until: datetime, minute_bytes: float) -> datetime | None:
        """When so much is gone between two moments, or so little left of it that five minutes take it; None where it
        lasts.
        """
        begin, before = since, left_bytes
        for end, change_bytes, left in self._course(left_bytes, since, until, self.absent_until):
            # Not `before - left`: where nothing is left before the end, more would be taken until then.
            nothing_bytes = min(minute_bytes, -change_bytes * (STEP / (end - begin)))
            if left < nothing_bytes:
                return begin + max(0.0, before - nothing_bytes) / -change_bytes * (end - begin)
            begin, before = end, left
        return None

    def _course(
        self,
        left_bytes: float,
        since: datetime,
        until: datetime,
        absent_until: datetime | None,
        *,
        at_most: bool = False,
    ) -> Iterator[tuple[datetime, float, float]]:
        """Each time between two moments that is of one kind: its end, how much more there would be by then, below zero
        where it takes some, and what is left.
        """
        edges = [edge for step in self.other_mode for edge in (step, step + STEP)]
        edges += [one for one in (absent_until, self.falls_until) if one is not None]
        known = self._times[bisect_right(self._times, since) : bisect_left(self._times, until)]
        moments = sorted({since, until, *known, *(one for one in edges if since < one < until)})
        rising = self.earned_bytes_per_second if at_most else self.rising_bytes_per_second
        for begin, end in pairwise(moments):
            is_absent = absent_until is not None and begin < absent_until
            is_absent = is_absent or (at_most and self._is_unknown(begin, end))
            rise_bytes = (end - begin).total_seconds() * rising
            change_bytes = rise_bytes if is_absent else self._change(begin, end)
            if self.falls_until is not None and begin < self.falls_until:
                change_bytes = min(change_bytes, -(end - begin).total_seconds() * self.falling_bytes_per_second)
            left_bytes = min(self.full_bytes, max(0.0, left_bytes + change_bytes))
            yield end, change_bytes, left_bytes

    def taken_in_since_it_was_full(self, moment: datetime, left_bytes: float) -> float:
        """What there is of so much where a fall began at a moment with a full bucket, which took in no more in the five
        minutes of that moment and in the part of the next before it fell: the one of now earns in all ten of them. In
        the fall, five count as more than then.
        """
        index = bisect_left(self._times, moment)
        if self.metered_bytes is None or index + 1 >= len(self.points) or not self._is_full(self.points[index]):
            return left_bytes
        before, after = self.points[index : index + 2]
        in_the_fall_bytes = self.changed.earned_then(moment) * (after.time - before.time).total_seconds()
        earned_bytes = self.earned_bytes_per_second * STEP.total_seconds() + in_the_fall_bytes
        moved_bytes = self._metered(before.time) + self._metered(after.time)
        lost_bytes = before.balance_bytes - after.balance_bytes
        return min(self.full_bytes, left_bytes + max(0.0, earned_bytes - moved_bytes + lost_bytes))

    def taken_in_another_mode(self, until: datetime) -> float:
        """How many bytes of credits would be taken by what was moved in another throughput mode before a moment."""
        earned_bytes = self.earned_bytes_per_second * STEP.total_seconds()
        steps = (step for step in self.other_mode if step < until)
        return sum(max(0.0, self._metered(step) - earned_bytes) for step in steps)

    def _change(self, begin: datetime, end: datetime) -> float:
        seconds = (end - begin).total_seconds()
        earned_bytes, share = seconds * self.earned_bytes_per_second, seconds / STEP_SECONDS
        # Mostly there was none, and a day has hundreds of these times.
        step = self._step_of_another_mode(begin) if self.other_mode else None
        if step is not None:
            return earned_bytes - share * self._metered(step)
        since, until = bisect_right(self._times, begin), bisect_left(self._times, end)
        if not since:
            # What is younger than a day, or was elastic then, has nothing older than its first point.
            return seconds * self.rising_bytes_per_second
        if until == len(self.points):
            return 0.0
        before, after = self.points[since - 1], self.points[until]
        other = self.other_mode
        if other and bisect_left(other, before.time) < bisect_left(other, after.time):
            return 0.0
        # A bucket that became full in these minutes took in only a part of them.
        is_full = self._is_full(after)
        if self.metered_bytes is not None and (is_full or self._is_cut_off(before, after)):
            most_bytes = STEP_SECONDS * self.permitted_bytes_per_second
            gained_bytes = earned_bytes - share * min(self._metered(before.time), most_bytes)
            return max(0.0, gained_bytes) if is_full else gained_bytes
        as_then_bytes = (after.balance_bytes - before.balance_bytes) * (
            seconds / (after.time - before.time).total_seconds()
        )
        return as_then_bytes + self.changed.more_bytes(begin, end)

    def _step_of_another_mode(self, moment: datetime) -> datetime | None:
        steps = bisect_right(self.other_mode, moment)
        return self.other_mode[steps - 1] if steps and moment < self.other_mode[steps - 1] + STEP else None

    def _is_unknown(self, begin: datetime, end: datetime) -> bool:
        """Whether nothing is known of a time of one kind: neither the balances about it nor another mode in it."""
        since, until = bisect_right(self._times, begin), bisect_left(self._times, end)
        is_amid = since > 0 and until < len(self.points)
        is_known = is_amid and self._times[until] - self._times[since - 1] <= STEP
        return not is_known and self._step_of_another_mode(begin) is None

    @cached_property
    def _times(self) -> list[datetime]:
        return [one.time for one in self.points]

    def _is_cut_off(self, before: BalancePoint, after: BalancePoint) -> bool:
        """Whether both are no more than as much as fits into the bucket of now."""
        return self.cut is not None and after.time < self.cut and before.balance_bytes == after.balance_bytes

    def _is_full(self, point: BalancePoint) -> bool:
        """Whether a bucket was full, be it that of now or of the size that it had then."""
        full_bytes = self.full_bytes
        if self.changed.times:
            full_bytes = min(full_bytes, full_bucket_bytes(bytes_that_earn(self.changed.earned_then(point.time))))
        return point.balance_bytes >= AS_GOOD_AS_FULL * full_bytes

    def _metered(self, step: datetime) -> float:
        """An idle step has no datapoint."""
        return (self.metered_bytes or {}).get(step, 0.0)


def calm_hours(
    points: Sequence[BalancePoint],
    situation: Situation,
    *,
    is_yesterday: bool,
    absent_until: datetime | None,
    falls_until: datetime | None = None,
    cut: datetime | None = None,
) -> CalmHours:
    """The calm hours of the day of these points; what was moved and earned in it is known of yesterday only."""
    earned = earned_bytes_per_second(situation.file_system.standard_bytes)
    drain = situation.drain_bytes_per_second
    return CalmHours(
        points=points,
        other_mode=sorted(steps_of_another_mode(situation)) if is_yesterday else (),
        metered_bytes={one.time: one.metered_bytes for one in situation.last_day} if is_yesterday else None,
        earned_bytes_per_second=earned,
        full_bytes=full_bucket_bytes(situation.file_system.standard_bytes),
        changed=changed_earning(situation) if is_yesterday else ChangedEarning(),
        absent_until=absent_until,
        # Next to what is earned something else may spend: then it goes on.
        rising_bytes_per_second=earned if drain is None else min(earned, max(0.0, -drain)),
        falls_until=falls_until,
        falling_bytes_per_second=max(0.0, drain or 0.0),
        cut=cut,
        permitted_bytes_per_second=situation.reference_bytes_per_second,
    )
