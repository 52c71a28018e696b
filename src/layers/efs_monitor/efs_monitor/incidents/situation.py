"""What a file system is going through: the figures a person at 3 a.m. needs, worked out from its datapoints."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from efs_monitor.efs.credits import (
    SECONDS_PER_MINUTE,
    earned_bytes_per_second,
    full_bucket_bytes,
    is_no_faster,
    is_nothing,
    minutes_left,
    threshold_bytes,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import FASTER_THAN_ANY, MINUTE, Activity, BalancePoint
from efs_monitor.efs.reference import COMFORTABLE_BUCKET_SHARE
from efs_monitor.incidents.pace import (
    FAR_FASTER,
    GREW_IN_MINUTES,
    PACE,
    SHOWS_IN_MINUTES,
    drain_between,
    pace_start,
    since_the_last_hole,
)
from efs_monitor.incidents.pulses import Pulses, PulseToCome, pulse_after_the_end, pulses_in
from efs_monitor.incidents.times_with_nothing import beginnings, may_be_gone_again

if TYPE_CHECKING:
    from efs_monitor.alarms.alarm import AlarmKind
    from efs_monitor.benchmarks.past_rates import NewestRate

DAY = timedelta(days=1)
# Earlier days are read in steps: the lowest balance, the highest permitted rate and all work of so many minutes.
STEP = timedelta(minutes=5)
# How far ahead is looked: any batch that comes every day is in it once.
AHEAD = DAY
# As much of the day before the coming hours tells that a fall was under way.
BEFORE = timedelta(hours=1)
# A batch of a night began so long before this time of day: how it went the night before is to be known to its end.
NIGHT = timedelta(hours=8)
# What is older says nothing of now.
RECENT = timedelta(hours=1)
# Three pulses, in as short a time as has them: of a load of every two hours in eight.
PULSES_SHOW_IN_HOURS = (1, 2, 3, 4, 8)
# Credits that a load of every hour or two takes again and again, as often as it comes.
GONE_AGAIN_WITHIN = timedelta(hours=4)
# Without credits the size grows by a sixth an hour at the most, and may be metered two hours apart from the rate: what
# earns so many times what is permitted is capped.
MORE_THAN_GROWTH = 1.4
# The newest few minutes of a day are always on their way.
AS_GOOD_AS_A_DAY_MINUTES = 23 * 60
# Nobody waits longer for credits that last a minute at full speed: it takes as long at 48 MiB stored and 100 MiB/s.
USEFUL_TIME = timedelta(days=30)


class Work(NamedTuple):
    """What clients did in five minutes of the last day: bytes through the file system by kind and as metered, and how
    many operations they were.
    """

    time: datetime
    metered_bytes: float
    read_bytes: float = 0.0
    written_bytes: float = 0.0
    metadata_bytes: float = 0.0
    reads: float = 0.0
    writes: float = 0.0
    metadata_operations: float = 0.0


@dataclass(frozen=True, kw_only=True)
class PastDay:
    """What the balance did on an earlier day: the lowest of each five minutes, oldest first.

    Around the coming day, and an hour before it, as far as it is known; it lies `back` from now. `night_before` are
    those of the hours before these, of yesterday alone. `cut` is when the bucket last became smaller than what was in
    it: the file system had shrunk. Balances before it are as much of them as fits in since.
    """

    back: timedelta
    balances: tuple[BalancePoint, ...]
    cut: datetime | None = None
    night_before: tuple[BalancePoint, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Situation:
    """A file system's credits at `time` and where they are heading.

    The newest datapoint is always some minutes older than `time`, and an hour or more where metrics come late: what is
    counted from now on is counted from `time`.

    The pace is that of the last `pace`. `balances` are those of the last hour, oldest first, and hold at least one,
    `earlier_balances` those of the seven hours before, as far as they are known; `permitted_bytes_per_second` is
    PermittedThroughput of the newest minute, `reference_bytes_per_second` what it is while credits last, or the most
    that it can be where it `may_be_capped`. `benchmark` is what the newest benchmark measured, empty where there was
    none.
    `past_days` are yesterday and a week ago, and `last_day` what clients did in the 24 hours before, as far as they
    are known: an idle step is missing in it. `permitted_of_the_day` is the highest PermittedThroughput of each of
    its five minutes, in bytes per second. `one_size_since` is the first minute of the last hour from which on the
    size is that of now, where another is known to have been before. `resumed` is when the monitor last saw that another
    throughput mode, in which its alarms were suspended, was over, and `driven_since` when it first saw how it is driven
    now, where it had seen another mode or rate before. `alarms_on` are the alarms of a lead time that are on, the
    mildest first, each with since when, and `alarms_missing` those that there are not, as after a deletion by hand;
    `off_since` is when the one was over that has just gone off, and `off_above_bytes` its threshold of then.
    """

    file_system: FileSystem
    time: datetime
    balances: tuple[BalancePoint, ...]
    permitted_bytes_per_second: float
    reference_bytes_per_second: float
    baseline_bytes_per_second: float
    activity: Activity | None
    may_be_capped: bool = False
    earlier_balances: tuple[BalancePoint, ...] = ()
    benchmark: "tuple[NewestRate, ...]" = ()
    past_days: tuple[PastDay, ...] = ()
    last_day: tuple[Work, ...] = ()
    permitted_of_the_day: tuple[tuple[datetime, float], ...] = ()
    one_size_since: datetime | None = None
    resumed: datetime | None = None
    driven_since: datetime | None = None
    alarms_on: "tuple[tuple[AlarmKind, datetime], ...]" = ()
    alarms_missing: "tuple[AlarmKind, ...]" = ()
    off_since: datetime | None = None
    off_above_bytes: float | None = None
    pace: timedelta = PACE
    _answers: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def changed_seen(self) -> datetime | None:
        """When the monitor last saw that the throughput was changed, its mode or its rate: AWS locks the mode for a day
        from some time before.
        """
        seen = (self.resumed, self.driven_since)
        return max((one for one in seen if one is not None), default=None)

    @property
    def balance_bytes(self) -> float:
        """The newest balance."""
        return self.balances[-1].balance_bytes

    @property
    def balances_of_one_size(self) -> tuple[BalancePoint, ...]:
        """The balances since the size changed in the last hour, as far as it is known to have: the same load makes them
        fall at another pace than before.
        """
        since = self.one_size_since
        return tuple(one for one in self.balances if since is None or one.time >= since) or self.balances

    @property
    def balances_of_the_day(self) -> tuple[BalancePoint, ...]:
        """The lowest balance of each five minutes of the last day, oldest first; none where nothing is known of it."""
        return next((day.balances for day in self.past_days if day.back == DAY), ())

    @property
    def balances_of_the_day_and_the_night_before(self) -> tuple[BalancePoint, ...]:
        """The lowest balance of each five minutes of the last day, and of eight hours before it, oldest first."""
        return (*next((day.night_before for day in self.past_days if day.back == DAY), ()), *self.balances_of_the_day)

    @property
    def bucket_was_cut_at(self) -> datetime | None:
        """When in the last day the file system last became too small for its credits; None where it did not."""
        return next((day.cut for day in self.past_days if day.back == DAY), None)

    @cached_property
    def known_minutes_of_the_day(self) -> int:
        """How many minutes of the last 24 hours CloudWatch has: it has PermittedThroughput also of an idle minute.

        Of the five minutes that are under way only those up to the newest datapoint: one as the whole of five would
        make a day five times too cheap.
        """
        steps = {time for time, _ in self.permitted_of_the_day} | {one.time for one in self.last_day}
        if not steps:
            return 0
        since_the_last_began = self.balances[-1].time + MINUTE - max(steps)
        known = (len(steps) - 1) * STEP + min(STEP, max(MINUTE, since_the_last_began))
        return round(known / MINUTE)

    @property
    def bucket_share(self) -> float:
        """The balance as a part of 1 of a full bucket."""
        return self.balance_bytes / full_bucket_bytes(self.file_system.standard_bytes)

    @property
    def minute_bytes(self) -> float:
        """The credits that last a minute at the reference throughput."""
        return SECONDS_PER_MINUTE * self.reference_bytes_per_second

    @property
    def nothing_bytes(self) -> float:
        """The most that there is while every credit is spent as it is earned: what lasts a second, or is earned in a
        minute where that is less.
        """
        earned_bytes = SECONDS_PER_MINUTE * earned_bytes_per_second(self.file_system.standard_bytes)
        return min(earned_bytes, self.reference_bytes_per_second)

    def threshold_bytes(self, lead_minutes: int) -> int:
        """The balance below which an alarm of this lead time is on."""
        return threshold_bytes(lead_minutes, round(self.reference_bytes_per_second))

    def was_below(self, threshold_bytes: float) -> bool:
        """Whether an alarm of this threshold has a reason to be on, in all that is known of the last hour."""
        return any(one.balance_bytes < threshold_bytes for one in self.balances)

    @property
    def gone_again_and_again_within(self) -> timedelta | None:
        """In which time nothing was left more than once, with something in between: a load that comes in pulses takes
        what the rests between them earn. The last hour, or else the last four while the next end may be due; None where
        it did not happen.
        """
        hour = [is_nothing(one.balance_bytes, self.minute_bytes) for one in self.balances]
        if beginnings(hour) > 1:
            return RECENT
        oldest = self.balances[-1].time - GONE_AGAIN_WITHIN
        hours = [one for one in (*self.earlier_balances, *self.balances) if one.time >= oldest]
        return GONE_AGAIN_WITHIN if may_be_gone_again(hours, self.reference_bytes_per_second) else None

    @property
    def credits_are_gone(self) -> bool:
        """Whether clients are already slowed down.

        At the limit every credit is spent as it is earned, so the balance may hover just above zero.
        """
        limited = is_no_faster(self.permitted_bytes_per_second, self.baseline_bytes_per_second)
        under_a_minute = self.balance_bytes < self.minute_bytes
        return self.balance_bytes <= 0 or (limited and under_a_minute)

    @property
    def credits_change_nothing(self) -> bool:
        """Whether a Region's cap lets it be driven no faster with credits than without.

        The rate of a time without credits looks alike, so it must be one with credits, or far below what the size
        earns. One that has another mode's rate still, or has grown meanwhile, is told by its reference.
        """
        earned = earned_bytes_per_second(self.file_system.standard_bytes)
        if not is_no_faster(self.reference_bytes_per_second, self.baseline_bytes_per_second):
            return False
        if self.bucket_share >= COMFORTABLE_BUCKET_SHARE:
            return is_no_faster(self.permitted_bytes_per_second, earned)
        return self.permitted_bytes_per_second * MORE_THAN_GROWTH <= earned

    @property
    def earns_next_to_nothing(self) -> bool:
        """Whether credits for one minute at full speed do not come back in any useful time, even if nobody uses any."""
        earned = earned_bytes_per_second(self.file_system.standard_bytes)
        return earned * USEFUL_TIME.total_seconds() < self.minute_bytes

    @property
    def balance_bytes_by_now(self) -> float:
        """What is left at `time` if the balance went on falling at its pace, or where the size has just changed, at
        that of the size before; a rise counts when it is seen.
        """
        drain = self.drain_from_now_bytes_per_second
        if drain is None:
            drain = self.drain_at_the_size_before_bytes_per_second
        age_seconds = max(0.0, (self.time - self.balances[-1].time).total_seconds())
        return max(0.0, self.balance_bytes - max(0.0, drain or 0.0) * age_seconds)

    @property
    def minutes_left_at_permitted(self) -> float:
        """What alarms count: minutes that the balance lasts at the reference throughput, nothing earned meanwhile."""
        return minutes_left(self.balance_bytes_by_now, self.reference_bytes_per_second)

    @property
    def minutes_until_end_at_permitted(self) -> float | None:
        """Minutes until zero when driven at the reference throughput from now on, with what is earned meanwhile; None
        where as much is earned.
        """
        earned = earned_bytes_per_second(self.file_system.standard_bytes)
        net_bytes_per_second = self.reference_bytes_per_second - earned
        return minutes_left(self.balance_bytes_by_now, net_bytes_per_second) if net_bytes_per_second > 0 else None

    @property
    def drain_bytes_per_second(self) -> float | None:
        """How fast the balance falls, net of what is earned, over the minutes of `pace`; None without two points since
        minutes are missing, or since the size changed.
        """
        if self.pulses is not None:
            return self.pulses.drain_bytes_per_second
        return drain_between(self._pace_start, self.balances[-1])

    @property
    def fastest_drain_bytes_per_second(self) -> float | None:
        """How fast the balance can fall at the size of now, where it fell faster over the minutes of `pace`: the size
        has grown, or been driven slower, and no datapoint of a rate shows that, or not yet. None else.
        """
        average, earned = self.drain_bytes_per_second, earned_bytes_per_second(self.file_system.standard_bytes)
        fastest = self.reference_bytes_per_second - earned
        lives_on_credits = self.file_system.mode is ThroughputMode.BURSTING
        # Where credits change next to nothing, what is left of it is within what metrics are exact to.
        if not lives_on_credits or is_no_faster(self.reference_bytes_per_second, earned):
            return None
        return fastest if average is not None and average > FASTER_THAN_ANY * fastest else None

    @property
    def drain_from_now_bytes_per_second(self) -> float | None:
        """How fast it goes on falling at its pace: no faster than it can."""
        fastest = self.fastest_drain_bytes_per_second
        return self.drain_bytes_per_second if fastest is None else fastest

    @property
    def drain_at_the_size_before_bytes_per_second(self) -> float | None:
        """How fast the balance fell over the minutes of `pace` up to the newest datapoint, where that is the only one
        of the size of now, and no faster than it can by now; None where there is a pace, or no minute of another size.
        """
        if self.drain_bytes_per_second is not None:
            return None
        before = drain_between(pace_start(self.balances, self.pace, self.nothing_bytes), self.balances[-1])
        fastest = self.reference_bytes_per_second - earned_bytes_per_second(self.file_system.standard_bytes)
        return None if before is None else min(before, fastest)

    @property
    def newest_drain_bytes_per_second(self) -> float | None:
        """How fast the balance fell in the newest minute, or in the few that lie before the newest point; None where
        nobody knows.
        """
        known = since_the_last_hole(self.balances_of_one_size)
        return drain_between(known[-2], known[-1]) if len(known) > 1 else None

    @property
    def may_end_before_a_pace(self) -> datetime | None:
        """When the credits end if all goes on as in the newest minute, where that is far faster than the pace, and so
        soon that a load of that kind has no pace of its own before; or where the pace is an average of a rise and of a
        load that has just begun, which is that of neither. None else. A gust is no pace, but it may end what little is
        left, and what it is averaged with tells nothing.
        """
        lately, pace = self.newest_drain_bytes_per_second, self.drain_bytes_per_second
        if lately is None or pace is None or self.balance_bytes <= 0 or lately <= 0 or lately < FAR_FASTER * pace:
            return None
        is_soon = minutes_left(self.balance_bytes, lately) < GREW_IN_MINUTES or (self.has_just_begun and pace > 0)
        return self.end_as_in_the_newest_minute if is_soon else None

    @property
    def end_as_in_the_newest_minute(self) -> datetime | None:
        """When the credits end if all goes on as in the newest minute; None where it took none, or none are left."""
        lately = self.newest_drain_bytes_per_second
        if lately is None or lately <= 0 or self.balance_bytes <= 0:
            return None
        return self.balances[-1].time + timedelta(minutes=minutes_left(self.balance_bytes, lately))

    @property
    def has_just_begun(self) -> bool:
        """Whether a load has taken credits for fewer minutes than a pace takes, which reaches back into the rise before
        it.
        """
        if self.pulses is not None:
            return False
        *before, top = self.balances_of_one_size
        for point in reversed(before):
            if point.balance_bytes <= top.balance_bytes:
                break
            top = point
        has_fallen_for = self.balances[-1].time - top.time
        has_risen_before = self._pace_start.balance_bytes < top.balance_bytes
        return timedelta(0) < has_fallen_for < SHOWS_IN_MINUTES * MINUTE and has_risen_before

    @property
    def pace_minutes(self) -> float:
        """The minutes that `drain_bytes_per_second` is the average of: more than `pace` where a few are missing, and
        fewer where more are.
        """
        span = self.balances[-1].time - self._pace_start.time if self.pulses is None else self.pulses.span
        return span.total_seconds() / SECONDS_PER_MINUTE

    @property
    def hourly_drain_bytes_per_second(self) -> float | None:
        """How fast the balance fell over all of the last hour that is known."""
        return drain_between(self.balances[0], self.balances[-1])

    @property
    def minutes_left_at_net(self) -> float | None:
        """Minutes from now until zero if the pace stays as it is; None when the balance is not falling. Of a load in
        pulses, until the one that takes the last.
        """
        if self.pulses is not None:
            end = self.pulses.credits_end
            return None if end is None else max(0.0, (end - self.time) / MINUTE)
        drain = self.drain_from_now_bytes_per_second
        return minutes_left(self.balance_bytes_by_now, drain) if drain is not None and drain > 0 else None

    @property
    def ran_out(self) -> datetime | None:
        """When the credits ended at their pace, if that is over: no datapoint shows it yet."""
        if self.pulses is not None:
            end = self.pulses.credits_end
            return end if end is not None and end <= self.time else None
        drain = self.drain_from_now_bytes_per_second
        if self.balance_bytes_by_now > 0 or drain is None or drain <= 0:
            return None
        return self.balances[-1].time + timedelta(minutes=minutes_left(self.balance_bytes, drain))

    @cached_property
    def _pace_start(self) -> BalancePoint:
        """The point from which on the balance has fallen, or risen, as it does now."""
        return pace_start(self.balances_of_one_size, self.pace, self.nothing_bytes)

    @cached_property
    def pulses(self) -> Pulses | None:
        """The pulses of the last hour, or else of the last two to eight hours; None where a load comes in none.

        A pace of a few minutes is that of the fall that is under way: a rest of half an hour is no part of it.
        """
        known = (*self.earlier_balances, *self.balances)
        for hours in PULSES_SHOW_IN_HOURS if self.pace >= PACE else PULSES_SHOW_IN_HOURS[:1]:
            oldest = self.balances[-1].time - hours * RECENT
            found = pulses_in([one for one in known if one.time >= oldest], self.minute_bytes)
            if found is not None:
                return found
        return None

    @cached_property
    def pulse_to_come(self) -> PulseToCome | None:
        """The next of pulses, the last of which took the last of the credits in the last two to eight hours; None where
        they were gone otherwise, or not.
        """
        known = (*self.earlier_balances, *self.balances)
        for hours in PULSES_SHOW_IN_HOURS:
            oldest = self.balances[-1].time - hours * RECENT
            found = pulse_after_the_end([one for one in known if one.time >= oldest], self.minute_bytes)
            if found is not None:
                return found
        return None


def once[Answer](question: Callable[[Situation], Answer]) -> Callable[[Situation], Answer]:
    """A question about a situation, worked out the first time that it is asked: nothing about a situation changes, and
    each paragraph of a mail asks anew what goes over all five minutes of a day.
    """
    name = f"{question.__module__}.{question.__qualname__}"

    @wraps(question)
    def answer(situation: Situation) -> Answer:
        answers = situation._answers
        if name not in answers:
            answers[name] = question(situation)
        kept: Answer = answers[name]
        return kept

    return answer


def is_as_good_as_a_day(known_minutes: int) -> bool:
    """Whether so many minutes of the last 24 hours are known that they tell what a whole day would."""
    return known_minutes >= AS_GOOD_AS_A_DAY_MINUTES


def seen_at(situation: Situation, then: datetime) -> Situation | None:
    """What a mail of an earlier moment was about, as far as balances and what was permitted go: those of now that were
    known then, as long after their minute as now. None where there was nothing yet.

    Of what is older than the minutes that are known, there is the lowest of each five.
    """
    newest = then - (situation.time - situation.balances[-1].time)
    known = (*situation.earlier_balances, *situation.balances)
    if newest - situation.pace < known[0].time:
        by_minute = {one.time for one in known}
        # In a fall the lowest is that of the end.
        ends = (one._replace(time=one.time + STEP) for one in situation.balances_of_the_day)
        known = tuple(sorted((*known, *(one for one in ends if one.time not in by_minute)), key=lambda one: one.time))
    balances = tuple(one for one in known if newest - RECENT <= one.time <= newest)
    earlier = tuple(one for one in known if one.time < newest - RECENT)
    if not balances:
        return None
    permitted = tuple(one for one in situation.permitted_of_the_day if one[0] <= newest)
    whole = [rate for time, rate in permitted if time + STEP <= newest]
    is_earlier = newest < situation.balances[-1].time
    return replace(
        situation,
        time=then,
        balances=balances,
        earlier_balances=earlier,
        permitted_bytes_per_second=whole[-1] if whole and is_earlier else situation.permitted_bytes_per_second,
        permitted_of_the_day=permitted,
        past_days=tuple(
            replace(day, balances=tuple(one for one in day.balances if one.time <= newest)) if day.back == DAY else day
            for day in situation.past_days
        ),
    )
