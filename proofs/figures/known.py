"""What was true of a file system, and what CloudWatch could know of it, at the moment of a mail.

From the simulation's own books (what was earned, spent and moved in each minute) and its model of burst credits. It
shares no code with what wrote the mail: two calculations that agree by one mistake would prove nothing.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from math import ceil, inf, isclose

from localaws.account import REGION
from proofs.figures.pulses import Pulses, pulses
from proofs.list_prices import ELASTIC_READ_DOLLARS_A_GIB, ELASTIC_WRITTEN_DOLLARS_A_GIB
from simulation import burst_credits
from simulation.burst_credits import GIB, MINUTE_SECONDS
from simulation.file_system import METADATA_OPERATION_BYTES, Elastic, Provisioned
from stage.player import Lived, Player

MINUTE = timedelta(minutes=1)
HOUR_MINUTES = 60
# Thresholds are recalculated each hour, somewhere in a window of a quarter of one.
RECALCULATED_MINUTES = 75
PACE_MINUTES = 15
# What the Draining alarm needs to go off.
DRAINING_MINUTES = 5
# A load that began meanwhile has a pace of its own when it has taken credits for so long.
MINUTES_OF_A_PACE = 3
# A load that joined another has a pace of its own when it has been twice as fast, and about as fast, in so many.
MINUTES_OF_A_FASTER_PACE = 5
# A load that ended has no pace any more when the balance has risen for so long.
MINUTES_WITHOUT_A_LOAD = 10
# Over so many minutes without a datapoint, or more, no average is the pace of any.
HOLE_MINUTES = 5
# Nor over minutes before the size changed so much that it may be driven faster or slower by more than a tenth.
SAME_SIZE = 1.1
QUARTER_OF_AN_HOUR = timedelta(minutes=15)
BUSIEST_MINUTES = STEP_MINUTES = 5
KIB = 2**10
DEFAULT_LEAD_MINUTES = {"warning": 180, "critical": 60, "exhausted": 1}


@dataclass(frozen=True, kw_only=True)
class Window:
    """Some minutes of the balance: how many lie between the first and the last, and what it lost in them.

    The metric is the lowest balance of each minute: that at its end while it falls, and that at its beginning while it
    rises, which is a minute late. Where the pace changes that is as much as the change: `blur_bytes_per_second`.
    """

    minutes: int
    drain_bytes_per_second: float
    blur_bytes_per_second: float
    pulses: Pulses | None = None
    # How fast it can go on falling from now on, where it fell faster.
    fastest_bytes_per_second: float | None = None

    @property
    def from_now_on(self) -> tuple[float, float]:
        """The slowest and the fastest at which it goes on."""
        if self.fastest_bytes_per_second is not None:
            return self.fastest_bytes_per_second, self.fastest_bytes_per_second
        blur = self.blur_bytes_per_second
        return self.drain_bytes_per_second - blur, self.drain_bytes_per_second + blur


class Known:
    """The hour up to the newest minute that CloudWatch has at `time`, by who `asked` then, and what follows from it."""

    def __init__(
        self,
        player: Player,
        time: datetime,
        asked: datetime,
        lead_minutes: Mapping[str, int],
        last_told: datetime | None,
        pace_minutes: int = PACE_MINUTES,
    ) -> None:
        self.player = player
        self.last_told = last_told
        self.pace_minutes = pace_minutes
        self.time = time
        self.lead_minutes = lead_minutes
        lived = [one for one in player.lived if player.time_of(one.minute) < time]
        self.now = lived[-1]
        self.asked = asked
        self.newest_visible = next((one for one in reversed(lived) if self.is_visible(one)), self.now)
        oldest = self.newest_visible.minute - HOUR_MINUTES
        visible = [one for one in lived if one.minute >= oldest and self.is_visible(one)]
        # Sixty minutes, and the balances at both ends of them.
        self.hour = [one for one in visible if one.minute > oldest]
        self.with_balance = self._since_it_shrank([one for one in visible if not isinstance(one.mode, Elastic)])
        before = (one for one in lived if oldest - 7 * HOUR_MINUTES <= one.minute < oldest and self.is_visible(one))
        self.with_earlier_balance = self._since_it_shrank(
            [one for one in before if not isinstance(one.mode, Elastic)] + self.with_balance
        )

    def is_visible(self, one: Lived) -> bool:
        """Whether CloudWatch has its datapoints."""
        return one.visible_at is not None and one.visible_at <= self.time

    @property
    def newest(self) -> Lived:
        """The newest minute whose balance CloudWatch has."""
        return self.with_balance[-1]

    @property
    def newest_time(self) -> datetime:
        """The time of its datapoint, which is that at which the minute began."""
        return self.player.time_of(self.newest.minute)

    @property
    def balance_bytes(self) -> float:
        """The balance as the metric has it: the lowest of the newest minute."""
        return lowest_bytes(self.newest)

    def lead_minutes_then(self, alarm: str, time: datetime) -> int:
        """The lead time of an alarm at another time: a deployment may have changed it since."""
        return lead_minutes_at(self.player, time)[alarm.lower()]

    @property
    def bucket_share(self) -> float:
        """Of a full bucket of the size that EFS describes now."""
        return self.balance_bytes / burst_credits.bucket_bytes(self.now.metered_standard_bytes)

    @property
    def reference_bytes_per_second(self) -> float:
        """How fast it may be driven with credits."""
        return self.reference_of(self.now)

    def reference_of(self, one: Lived) -> float:
        """How fast it might be driven with credits in that minute."""
        return burst_credits.burst_bytes_per_second(one.metered_standard_bytes, self._cap)

    @property
    def uncapped_bytes_per_second(self) -> float:
        """What the size gives with credits, whatever its Region permits."""
        return burst_credits.burst_bytes_per_second(self.now.metered_standard_bytes, inf)

    def is_cap_unknown(self, *, at_last_recalculation: bool = False) -> bool:
        """Whether a Region may permit less than the size gives, and no datapoint of a rate with credits shows it."""
        since = self.asked - (RECALCULATED_MINUTES * MINUTE if at_last_recalculation else timedelta())
        seen = [one for one in self.player.lived if one.visible_at is not None and one.visible_at <= since]
        lowest = 1.01 * self.baseline_bytes_per_second
        is_seen = any(self.lives_on_credits(one) and one.permitted_bytes_per_second > lowest for one in seen)
        return self.uncapped_bytes_per_second > GIB and not is_seen

    @property
    def first_thresholds_bytes_per_second(self) -> float:
        """What the thresholds of the first deployment stand for, where nothing is known of a cap."""
        first = self.player.lived[min(one.minute for one in self.player.scenario.deployments)]
        return burst_credits.burst_bytes_per_second(first.metered_standard_bytes, inf)

    @property
    def last_told_bytes_per_second(self) -> float:
        """The reference of the moment at which a mail last named it, or else of the first deployment."""
        if self.last_told is None and self.first_thresholds_bytes_per_second > GIB:
            return self.first_thresholds_bytes_per_second
        return burst_credits.burst_bytes_per_second(self._lived_when_last_told.metered_standard_bytes, self._cap)

    @property
    def last_told_earned_bytes_per_second(self) -> float:
        """How fast credits came at that moment."""
        return burst_credits.earned_bytes_per_second(self._lived_when_last_told.metered_standard_bytes)

    @property
    def _lived_when_last_told(self) -> Lived:
        then = self.last_told or self.player.time_of(min(one.minute for one in self.player.scenario.deployments))
        before = [one for one in self.player.lived if self.player.time_of(one.minute) < then] or self.player.lived[:1]
        return before[-1]

    @property
    def baseline_bytes_per_second(self) -> float:
        """How fast without."""
        return burst_credits.baseline_bytes_per_second(self.now.metered_standard_bytes, self._cap)

    @property
    def rates_lately(self) -> set[tuple[float, float]]:
        """How fast it might be driven with and without credits by each size of the last hour and a quarter: an alarm's
        description names those of the last recalculation.
        """
        lately = self.player.lived[max(0, self.now.minute - RECALCULATED_MINUTES) : self.now.minute + 1]
        return {
            (
                burst_credits.burst_bytes_per_second(size, self._cap),
                burst_credits.baseline_bytes_per_second(size, self._cap),
            )
            for size in {one.metered_standard_bytes for one in lately}
        }

    @property
    def earned_bytes_per_second(self) -> float:
        """How fast credits come."""
        return burst_credits.earned_bytes_per_second(self.now.metered_standard_bytes)

    @property
    def minutes_at_another_size(self) -> int:
        """How many minutes of the last day a size that earned another rate by a tenth was on credits, of which some
        were left, and had room for more: of an empty and a full bucket nothing tells what it earned.
        """

        def tells(one: Lived) -> bool:
            share = burst_credits.earned_bytes_per_second(one.metered_standard_bytes) / self.earned_bytes_per_second
            full_bytes = 0.98 * burst_credits.bucket_bytes(one.metered_standard_bytes)
            has_room = self.threshold_bytes(1) <= lowest_bytes(one) < full_bytes
            return not 0.9 <= share <= 1.1 and has_room and self.lives_on_credits(one) and self.is_visible(one)

        return sum(tells(one) for step in self.last_day for one in step)

    def alarm_is_missing(self, end_of_name: str) -> tuple[bool, bool]:
        """Whether an alarm may be missing, because somebody deleted it, and whether it is: a deployment since then may
        have made it anew.
        """
        before = [one for one in self.player.scenario.changes if self.player.time_of(one.minute) < self.time]
        touched = [one for one in before if end_of_name in {one.delete_alarm, one.restore_alarm}]
        if not touched or touched[-1].delete_alarm != end_of_name:
            return False, False
        deleted = touched[-1].minute
        return True, not any(deleted <= one.minute <= self.now.minute for one in self.player.scenario.deployments)

    def lives_on_credits(self, one: Lived) -> bool:
        """Whether credits decided then how fast it might be driven."""
        if isinstance(one.mode, Provisioned):
            return one.mode.bytes_per_second <= burst_credits.earned_bytes_per_second(one.metered_standard_bytes)
        return not isinstance(one.mode, Elastic)

    @property
    def credits_change_nothing(self) -> bool:
        """Whether they let it be driven faster by less than a hundredth."""
        faster = self.reference_bytes_per_second - self.baseline_bytes_per_second
        return faster <= self.baseline_bytes_per_second / 100

    @property
    def age_minutes(self) -> tuple[float, float]:
        """How old the newest balance was at least and at most: whoever asked did so between two whole minutes."""
        ages = (moment - self.newest_time for moment in (self.asked, self.time))
        least, most = (max(0.0, age.total_seconds() / MINUTE_SECONDS) for age in ages)
        return least, most

    def by_now(self, pace: Window | None) -> tuple[float, float]:
        """The least and the most that is left when it was asked, if the balance kept falling at that pace.

        What it is, where a single balance shows no pace.
        """
        if pace is None:
            return self.balance_bytes, self.balance_bytes
        youngest, oldest = self.age_minutes
        slowest, fastest = pace.from_now_on
        return (
            max(0.0, self.balance_bytes - max(0.0, fastest) * oldest * MINUTE_SECONDS),
            max(0.0, self.balance_bytes - max(0.0, slowest) * youngest * MINUTE_SECONDS),
        )

    @property
    def minutes_left(self) -> tuple[float, float]:
        """The least and the most that it lasts from the mail on, driven as fast as permitted."""
        return self.minutes_left_at(self.reference_bytes_per_second)

    def minutes_left_at(self, bytes_per_second: float) -> tuple[float, float]:
        """The least and the most minutes that what is left lasts at a rate in bytes a second."""
        return self._lasts(bytes_per_second)

    def minutes_until_end_at(self, bytes_per_second: float) -> tuple[float, float]:
        """The least and the most until zero, driven so fast, with what the size earns meanwhile."""
        return self._lasts(bytes_per_second - self.earned_bytes_per_second)

    def _lasts(self, net_bytes_per_second: float) -> tuple[float, float]:
        a_minute_bytes = net_bytes_per_second * MINUTE_SECONDS
        least, most = self.by_now(self.pace if self.has_a_pace else self.at_the_size_before)
        return least / a_minute_bytes, most / a_minute_bytes

    def threshold_bytes(self, minutes: int) -> float:
        """The balance that lasts so many minutes, driven as fast as permitted."""
        return minutes * MINUTE_SECONDS * self.reference_bytes_per_second

    @property
    def at_the_size_before(self) -> Window | None:
        """The pace up to the newest minute, the first of its size: that of a size that is none any more, and no faster
        than the newest size can spend what it has not earned. None where two minutes are of that size.
        """
        if len(self.in_a_row) > 1 or self.size_changed is None:
            return None
        of_any_size = copy(self)
        of_any_size.in_a_row = self._in_a_row(of_any_size=True)
        if len(of_any_size.in_a_row) < 2:
            return None
        pace = of_any_size.pace
        fastest = self.reference_bytes_per_second - self.earned_bytes_per_second
        return replace(pace, drain_bytes_per_second=min(pace.drain_bytes_per_second, fastest))

    @cached_property
    def in_a_row(self) -> list[Lived]:
        """The minutes up to the newest of which there may be a pace: since some are missing, since the size changed as
        far as the permitted rate shows it, and since nothing was left before it, where every credit is spent as it is
        earned.
        """
        return self._in_a_row()

    def _in_a_row(self, *, of_any_size: bool = False) -> list[Lived]:
        found = [self.newest]
        nothing_bytes = min(MINUTE_SECONDS * self.earned_bytes_per_second, self.reference_bytes_per_second)
        for one in reversed(self.with_balance[:-1]):
            if found[0].minute - one.minute > HOLE_MINUTES or not (of_any_size or self.is_of_the_newest_size(one)):
                break
            found.insert(0, one)
            if lowest_bytes(one) <= nothing_bytes:
                break
        return found

    def is_of_the_newest_size(self, one: Lived) -> bool:
        """Whether credits let it be driven about as fast then as in the newest minute, or it did not live on them."""
        then, newest = self.reference_of(one), self.reference_of(self.newest)
        return max(then, newest) <= SAME_SIZE * min(then, newest) or not self.lives_on_credits(one)

    @property
    def size_changed(self) -> datetime | None:
        """The first minute of the newest size, of those since one of another; None where there is none."""
        other = [one for one in self.with_balance if not self.is_of_the_newest_size(one)]
        since = next((one for one in self.with_balance if other and one.minute > other[-1].minute), None)
        return None if since is None else self.player.time_of(since.minute)

    @property
    def has_a_pace(self) -> bool:
        """Whether two balances tell one: in elastic throughput there may be none at all."""
        return bool(self.with_balance) and (len(self.in_a_row) > 1 or self.pace.pulses is not None)

    @property
    def whole_hour(self) -> Window:
        """All of the hour that has balances, of which there must be two."""
        return self._window(self.with_balance[0])

    def until_zero(self, pace: Window) -> tuple[float, float]:
        """The least and the most minutes from the newest balance to zero at a pace, or in pulses like those of it."""
        if pace.pulses is not None:
            minutes = pace.pulses.ending_minute - self.newest.minute
            return minutes, minutes
        slowest, fastest = pace.from_now_on
        least = self.balance_bytes / fastest / MINUTE_SECONDS
        return least, self.balance_bytes / slowest / MINUTE_SECONDS if slowest > 0 else inf

    @property
    def pace(self) -> Window:
        """The last quarter of an hour, or as much of it as is known: no minute where a single balance tells none."""
        return self.pace_of(PACE_MINUTES)

    @property
    def young(self) -> Window:
        """What is told of a load that has just begun, by the minutes that a mail of its kind looks at."""
        pace = self.pace_of(self.pace_minutes)
        return self.sooner_than(pace) or pace

    def pace_of(self, minutes: int) -> Window:
        """The last so many minutes, likewise; fewer where a load began in them after minutes that took nothing, or
        ended ten minutes ago or more; and those of whole pulses where it comes in such: in the last hour, or for a
        quarter of one in two to eight.
        """
        for hours in (1, 2, 3, 4, 8) if minutes >= PACE_MINUTES else (1,):
            oldest = self.newest.minute - hours * HOUR_MINUTES
            known = [(one.minute, lowest_bytes(one)) for one in self.with_earlier_balance if one.minute >= oldest]
            found = pulses(known, self.threshold_bytes(1))
            if found is not None:
                return self._as_it_can_go_on(
                    Window(
                        minutes=found.span_minutes,
                        drain_bytes_per_second=found.drain_bytes_per_second,
                        blur_bytes_per_second=0.0,
                        pulses=found,
                    )
                )
        early = [one for one in self.in_a_row if one.minute <= self.newest.minute - minutes]
        first = early[-1] if early else self.in_a_row[0]
        highest = max(lowest_bytes(one) for one in self.in_a_row if one.minute >= first.minute)
        highs = [one.minute for one in self.in_a_row if lowest_bytes(one) >= highest and one.minute > first.minute]
        fallen = [one for one in self.in_a_row if highs and one.minute >= highs[-1]]
        steady = all(lowest_bytes(later) < lowest_bytes(earlier) for earlier, later in pairwise(fallen))
        if steady and len(fallen) > MINUTES_OF_A_PACE:
            return self._as_it_can_go_on(self._window(fallen[1]))
        return self._as_it_can_go_on(self._window(self._risen_since(first) or self._faster_since(first)))

    def _as_it_can_go_on(self, window: Window) -> Window:
        """The window, with how fast the size of now can spend what it has not earned where the balance fell faster by a
        tenth.
        """
        fastest = self.reference_bytes_per_second - self.earned_bytes_per_second
        of_no_use = isinstance(self.now.mode, (Elastic, Provisioned)) or fastest <= self.earned_bytes_per_second / 100
        if of_no_use or window.drain_bytes_per_second <= 1.1 * fastest:
            return window
        return replace(window, fastest_bytes_per_second=fastest)

    def _risen_since(self, first: Lived) -> Lived | None:
        """The last minute of the lowest balance since the first, where each of ten or more has had more since."""
        window = [one for one in self.in_a_row if one.minute >= first.minute]
        lowest = min(lowest_bytes(one) for one in window)
        low = [one for one in window if lowest_bytes(one) == lowest][-1]
        since = [one for one in window if one.minute >= low.minute]
        rises = all(lowest_bytes(earlier) < lowest_bytes(later) for earlier, later in pairwise(since))
        return low if rises and len(since) > MINUTES_WITHOUT_A_LOAD and low is not first else None

    def _faster_since(self, first: Lived) -> Lived:
        """The last minute before at least five that lost about as much each, none less than twice what those since the
        first lost on average; the first where there is none.
        """
        window = [one for one in self.in_a_row if one.minute >= first.minute]
        for start in window[-1 - MINUTES_OF_A_FASTER_PACE : 0 : -1]:
            since = [one for one in window if one.minute >= start.minute]
            lost = [
                (lowest_bytes(one) - lowest_bytes(later)) / (later.minute - one.minute)
                for one, later in pairwise(since)
            ]
            lost_before = (lowest_bytes(first) - lowest_bytes(start)) / (start.minute - first.minute)
            if min(lost) > 0 and min(lost) >= 2 * lost_before and max(lost) <= 1.5 * min(lost):
                return start
        return first

    def sooner_than(self, pace: Window) -> Window | None:
        """The newest minute, or as many as it takes, where it lost twice what the pace does, and so much that nothing
        is left before there were five like it: as the metric has both. Or where it lost for a minute or two, and the
        pace has a rise before in it.
        """
        if not self.has_a_pace or self.balance_bytes <= 0:
            return None
        if len(self.in_a_row) < 2:
            return None
        since_pace, newest = self._lost_in(pace.minutes), self.newest_minute
        lost = newest.drain_bytes_per_second
        ends_soon = self.balance_bytes < lost * MINUTES_OF_A_FASTER_PACE * MINUTE_SECONDS
        if lost < 2 * since_pace or not (ends_soon or (self.has_just_begun(pace) and since_pace > 0)):
            return None
        return newest

    def has_just_begun(self, pace: Window) -> bool:
        """Whether it lost for a minute or two, and the pace has a rise before in it."""
        first, *minutes = [one for one in self.with_earlier_balance if one.minute >= self.newest.minute - pace.minutes]
        rising = [one for before, one in pairwise([first, *minutes]) if lowest_bytes(one) >= lowest_bytes(before)]
        top = rising[-1] if rising else first
        rises_in_the_pace = lowest_bytes(first) < lowest_bytes(top) and pace.pulses is None
        return rises_in_the_pace and self.newest.minute - top.minute in {1, 2}

    @property
    def newest_minute(self) -> Window:
        """What the metric lost from the balance before the newest on."""
        since = self.newest.minute - self.in_a_row[-2].minute
        return Window(minutes=since, drain_bytes_per_second=self._lost_in(since), blur_bytes_per_second=0.0)

    def _lost_in(self, minutes: int) -> float:
        """What the metric lost in the last so many minutes, each second."""
        first = next(one for one in self.with_earlier_balance if one.minute == self.newest.minute - minutes)
        return (lowest_bytes(first) - self.balance_bytes) / minutes / MINUTE_SECONDS

    def _since_it_shrank(self, minutes: list[Lived]) -> list[Lived]:
        """The minutes since the last in which the bucket had to be cut to a smaller size: no load took that."""
        lived = self.player.lived
        cut = [
            one.minute
            for one in minutes
            if lived[one.minute].credits.opening_bytes < 0.99 * _closing(lived, one.minute)
        ]
        return [one for one in minutes if not cut or one.minute >= cut[-1]]

    def _window(self, first: Lived) -> Window:
        books = [one.credits for one in self.player.lived if first.minute < one.minute <= self.newest.minute]
        if first is self.newest:
            return Window(minutes=0, drain_bytes_per_second=0.0, blur_bytes_per_second=0.0)
        seconds = (self.newest.minute - first.minute) * MINUTE_SECONDS
        net = [flow.spent_bytes - flow.earned_bytes for flow in books]
        around = [first.credits.spent_bytes - first.credits.earned_bytes, *net]
        blur_bytes = max(around) - min(around) if min(around) < 0 else 0.0
        return Window(
            minutes=self.newest.minute - first.minute,
            drain_bytes_per_second=sum(net) / seconds,
            blur_bytes_per_second=blur_bytes / seconds,
        )

    @property
    def metered_bytes_per_second(self) -> float:
        """What clients moved in the minutes that CloudWatch has, as metered, on average."""
        return sum(one.metered_bytes for one in self.hour) / (len(self.hour) * MINUTE_SECONDS)

    @property
    def busiest_bytes_per_second(self) -> float:
        """What clients moved in the busiest five minutes in a row, as metered, over those that CloudWatch has; none of
        which may lie before the first that it has.
        """
        rates = [self.metered_bytes_per_second]
        for last in self.hour:
            if last.minute - self.hour[0].minute < BUSIEST_MINUTES - 1:
                continue
            five = [one.metered_bytes for one in self.hour if last.minute - BUSIEST_MINUTES < one.minute <= last.minute]
            rates.append(sum(five) / len(five) / MINUTE_SECONDS)
        return max(rates)

    def steps(self, since: datetime) -> list[list[Lived]]:
        """The minutes since then in steps of five of the clock, as far as CloudWatch has them."""
        steps: dict[datetime, list[Lived]] = {}
        for one in self.player.lived:
            time = self.player.time_of(one.minute)
            step = time - time.minute % STEP_MINUTES * MINUTE
            if step >= since and time < self.time and self.is_visible(one):
                steps.setdefault(step, []).append(one)
        return list(steps.values())

    @cached_property
    def last_day(self) -> list[list[Lived]]:
        """The steps of the last 24 hours."""
        return self.steps(self.asked - timedelta(days=1))

    @property
    def newest_whole_day(self) -> list[list[Lived]]:
        """The steps of the 24 hours that end where the newest step begins: that one may be under way."""
        *whole, newest = self.steps(self.asked - timedelta(days=1, hours=2))
        time = self.player.time_of(newest[0].minute)
        since = time - time.minute % STEP_MINUTES * MINUTE - timedelta(days=1)
        return [step for step in whole if self.player.time_of(step[0].minute) >= since]

    @property
    def minutes_of_the_day(self) -> int:
        """How many of the last 24 hours CloudWatch has: of the newest step those up to the newest balance."""
        *whole, last = self.last_day
        began = self.player.time_of(last[0].minute)
        under_way = (self.newest_time - began) / MINUTE + began.minute % STEP_MINUTES + 1
        return STEP_MINUTES * len(whole) + round(min(STEP_MINUTES, max(1.0, under_way)))

    @cached_property
    def busiest_of_the_day_bytes_per_second(self) -> float:
        """The busiest five minutes of the last hour, wherever they begin, or of the last day, by the clock; or what a
        load that is younger than five minutes spends.
        """
        of_the_day = (sum(one.metered_bytes for one in step) for step in self.last_day)
        busiest = max(self.busiest_bytes_per_second, *(step / STEP_MINUTES / MINUTE_SECONDS for step in of_the_day))
        if not self.has_a_pace:
            return busiest
        young = self.young
        if young.minutes >= STEP_MINUTES or young.drain_bytes_per_second <= 0:
            return busiest
        return max(busiest, young.drain_bytes_per_second + self.earned_bytes_per_second)

    @property
    def limit_reached_bytes_per_second(self) -> float | None:
        """What was permitted when they were as fast, give or take three in a hundred: with credits now, or in five
        minutes of the clock in which clients took all that credits or another mode let through; or a size without any
        that had more then than that of now has with them.
        """
        limits = [self.reference_bytes_per_second]
        for step in reversed(self.last_day):
            most = max(one.permitted_bytes_per_second for one in step)
            moved = sum(one.metered_bytes for one in step) / STEP_MINUTES / MINUTE_SECONDS
            is_cut_off = most > limits[0] or all(one.minute not in self.limited_minutes for one in step)
            limits += [most] if is_cut_off and moved >= 0.97 * most else []
        busiest = self.busiest_of_the_day_bytes_per_second
        near = (limit for limit in limits if 0.97 <= busiest / limit <= 1.03)
        return next(near, self._limit_that_grew(limits[1:], busiest))

    def _limit_that_grew(self, limits: Sequence[float], busiest: float) -> float | None:
        """The limit that was reached in a part of the newest five minutes, which are the busiest, and not in those that
        have a higher one.
        """
        newest = [one for step in self.last_day for one in step][-STEP_MINUTES:]
        moved = sum(one.metered_bytes for one in newest) / STEP_MINUTES / MINUTE_SECONDS
        reached = [one for one in newest if one.metered_bytes >= 0.97 * MINUTE_SECONDS * one.permitted_bytes_per_second]
        lower = [one.permitted_bytes_per_second for one in reached if one.permitted_bytes_per_second in limits]
        is_between = bool(lower) and lower[-1] < busiest < 0.97 * self.reference_bytes_per_second
        return lower[-1] if is_between and isclose(moved, busiest, rel_tol=1e-6) else None

    @property
    def reached_the_limit(self) -> bool:
        """Whether they were as fast as was permitted."""
        return self.limit_reached_bytes_per_second is not None

    @property
    def needed_mib_per_second(self) -> int:
        """What covers them, and a quarter more where they may have been cut off."""
        share = 1.25 if self.reached_the_limit else 1
        return ceil(round(share * self.busiest_of_the_day_bytes_per_second / burst_credits.MIB, 6))

    @property
    def highest_provisioned_mib_per_second(self) -> int:
        """By the quotas of the EFS user guide: 3.33 GiB/s in four Regions; 1 GiB/s elsewhere, and in One Zone."""
        is_large = REGION in {"us-east-1", "us-east-2", "us-west-2", "eu-west-1"}
        return 3414 if is_large and self.player.scenario.availability_zone is None else 1024

    def cut_off_share(self, bytes_per_second: float) -> float:
        """What a limit would have cut off of the last day."""
        steps = [sum(one.metered_bytes for one in step) for step in self.last_day]
        limit_bytes = bytes_per_second * STEP_MINUTES * MINUTE_SECONDS
        return sum(step - limit_bytes for step in steps if step > limit_bytes) / sum(steps)

    def elastic_dollars(self, since: datetime) -> float:
        """What the work since then costs in elastic mode: an operation on data as 32 KiB or more, on metadata 4 KiB."""
        dollars = 0.0
        for one in (one for step in self.steps(since) for one in step):
            size = max(32 * KIB, one.moved.data_operation_bytes)
            read = ceil(one.moved.read_bytes / one.moved.data_operation_bytes) * size
            written = ceil(one.moved.write_bytes / one.moved.data_operation_bytes) * size
            if one.moved.data_operation_bytes >= 32 * KIB:
                read, written = one.moved.read_bytes, one.moved.write_bytes
            metadata = one.moved.metadata_operations * METADATA_OPERATION_BYTES
            dollars += (read + metadata) * ELASTIC_READ_DOLLARS_A_GIB + written * ELASTIC_WRITTEN_DOLLARS_A_GIB
        return dollars / GIB

    @property
    def moved_bytes(self) -> tuple[float, float, float]:
        """Read, written and metadata, in the minutes that CloudWatch has."""
        return (
            sum(one.moved.read_bytes for one in self.hour),
            sum(one.moved.write_bytes for one in self.hour),
            sum(one.moved.metadata_operations for one in self.hour) * METADATA_OPERATION_BYTES,
        )

    @property
    def times_at_zero(self) -> list[tuple[datetime, datetime]]:
        """When less than a minute's worth was left in the last 24 hours; the last may go on."""
        return self._times_at_zero(QUARTER_OF_AN_HOUR)

    def _times_at_zero(self, rest: timedelta) -> list[tuple[datetime, datetime]]:
        """Each from the minute on in which nothing was left, if there was one.

        What came back for less than a `rest`, between the five minutes that a mail reads, did not. Nor did anything in
        less than an hour of which nothing is known, nor in less than a minute's worth takes to be earned and spent.
        """
        earned, minute_bytes = self.earned_bytes_per_second, self.threshold_bytes(1)
        spent = max(1, self.reference_bytes_per_second - earned)
        unseen = max(HOUR_MINUTES, (minute_bytes / earned + minute_bytes / spent) / MINUTE_SECONDS) * MINUTE
        spells: list[tuple[datetime, datetime]] = []
        a_second_bytes = self.reference_bytes_per_second
        dry: list[bool] = []
        came_back = False
        for one in self.player.lived:
            time = self.player.time_of(one.minute)
            is_known = one.visible_at is not None and one.visible_at <= self.time
            if not is_known or time < self.time - timedelta(days=1) or isinstance(one.mode, Elastic):
                continue
            if lowest_bytes(one) >= self.threshold_bytes(1):
                came_back = True
                continue
            began, is_dry = time, lowest_bytes(one) < a_second_bytes
            if spells and time - spells[-1][1] < (rest if came_back else unseen):
                was_dry, (before, _) = dry.pop(), spells.pop()
                began = time if is_dry and not was_dry else before
                is_dry = is_dry or was_dry
            spells.append((began, time + MINUTE))
            dry.append(is_dry)
            came_back = False
        return spells

    def earlier_limited_times(
        self, *, as_far_as_seen: bool, over_for: timedelta
    ) -> Iterator[list[tuple[datetime, datetime]]]:
        """Times of the last 24 hours in which clients had no more than there is without credits, and that are over for
        so long, in each way in which a mail may see them: its steps of five minutes do not show the minutes
        of a rest before and behind those that they have whole. Of all minutes, or of those that CloudWatch has: what is
        missing between two of those may have been like them.
        """
        limited = [
            self.player.time_of(one.minute)
            for one in self.player.lived[: self.newest.minute + 1]
            if self.player.time_of(one.minute) >= self.time - timedelta(days=1) - STEP_MINUTES * MINUTE
            and self.lives_on_credits(one)
            and self.is_limited(one)
            and (self.is_visible(one) or not as_far_as_seen)
        ]
        seen = [self.player.time_of(one.minute) for one in self.player.lived if self.is_visible(one)]
        for unseen in range(2 * STEP_MINUTES + 1):
            spells: list[tuple[datetime, datetime]] = []
            for time in limited:
                pause = time - spells[-1][1] if spells else timedelta.max
                if as_far_as_seen and spells:
                    pause = (bisect_left(seen, time) - bisect_left(seen, spells[-1][1])) * MINUTE
                if pause < QUARTER_OF_AN_HOUR + unseen * MINUTE:
                    spells[-1] = (spells[-1][0], time + MINUTE)
                else:
                    spells.append((time, time + MINUTE))
            yield [spell for spell in spells if self.newest_time - spell[1] >= over_for]

    @cached_property
    def limited_minutes(self) -> set[int]:
        """The minutes of the last 24 hours, as far as CloudWatch has them, in which clients were limited."""
        return {
            one.minute for step in self.last_day for one in step if self.lives_on_credits(one) and self.is_limited(one)
        }

    def is_limited(self, one: Lived) -> bool:
        """Whether less was permitted at some time of the minute than with credits at its size, for the lack of them."""
        with_credits = self.reference_of(one)
        is_slow = one.permitted_bytes_per_second < 0.9 * with_credits
        return is_slow and lowest_bytes(one) < MINUTE_SECONDS * with_credits

    def was_limited(self, spell: tuple[datetime, datetime]) -> bool:
        """Whether nothing was left in any minute of it, or less was permitted than with credits at the size of then."""
        return any(
            lowest_bytes(one) < rate or one.permitted_bytes_per_second < 0.9 * rate
            for one in self._lived_in(spell)
            if (rate := self.reference_of(one))
        )

    def lowest_in(self, spell: tuple[datetime, datetime]) -> float:
        """The least that was left in it."""
        return min(map(lowest_bytes, self._lived_in(spell)))

    def _lived_in(self, spell: tuple[datetime, datetime]) -> list[Lived]:
        return [one for one in self.player.lived if spell[0] <= self.player.time_of(one.minute) < spell[1]]

    @property
    def _cap(self) -> float:
        return self.player.scenario.regional_cap_bytes_per_second


def _closing(lived: Sequence[Lived], minute: int) -> float:
    """What was left at the end of the minute before."""
    return lived[minute - 1].credits.closing_bytes if minute else 0.0


def lowest_bytes(one: Lived) -> float:
    """The lowest balance of a minute, in whole bytes as the metric has it."""
    return round(min(one.credits.opening_bytes, one.credits.closing_bytes))


def lead_minutes_at(player: Player, time: datetime) -> dict[str, int]:
    """The lead times of the newest deployment that did not break."""
    leads = dict(DEFAULT_LEAD_MINUTES)
    done: Sequence[Mapping[str, str]] = [
        one.parameters
        for one in sorted(player.scenario.deployments, key=lambda deployment: deployment.minute)
        if not one.breaks and player.time_of(one.minute) <= time
    ]
    for parameters in done:
        leads |= {kind: int(parameters.get(f"{kind.capitalize()}Minutes", leads[kind])) for kind in leads}
    return leads
