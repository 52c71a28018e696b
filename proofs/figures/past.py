"""What an earlier day was like, minute by minute of the simulation's own books, and what is left if it comes again."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from itertools import takewhile
from math import inf
from statistics import median

from proofs.figures.known import MINUTE, Known, lowest_bytes
from simulation import burst_credits
from simulation.burst_credits import MINUTE_SECONDS
from simulation.file_system import Elastic, Provisioned
from stage.player import Lived

# Mails read the day in steps of five minutes, each the lowest of its minutes.
STEP = 5 * MINUTE
DAYS_AGO = {"Today": {0}, "Yesterday": {1}, "The day before yesterday": {2}, "A week ago": {6, 7}}
REST_MINUTES = 30
PULSES_REST_MINUTES = 10
# What began so long before is there today where the pace shows it.
SHOWS_AFTER_MINUTES = 15
# A step, and what is earned or spent while it is not known where in it.
TIME_BLUR = 6 * MINUTE
LEFT_BLUR_MINUTES = 4
# With less left than this any other load may end it.
LITTLE_MINUTES = 20


class Past:
    """The day that a mail tells of by `word`, as it was around the coming hours of that mail."""

    def __init__(self, known: Known, word: str) -> None:
        self.known = known
        self.word = word
        self.back = timedelta(days=7 if word == "A week ago" else 1)
        self.worth_a_minute = known.threshold_bytes(1)
        self.first = known.newest_time - self.back
        oldest = known.newest.minute - self.back // MINUTE - 60
        balances = (one.minute for one in known.player.lived if not isinstance(one.mode, Elastic))
        self._first_balance = min((minute for minute in balances if minute >= oldest), default=0)

    def moment(self, time_of_day: str, after: datetime | None = None) -> datetime:
        """When it was so late there: on the day that is named, or first after a moment."""
        hour, minute = map(int, time_of_day.split(":"))
        if not (hour < 24 and minute < 60):
            raise ValueError(f"{time_of_day} is no time")
        earliest = after or self.first - 90 * MINUTE
        moment = earliest.replace(hour=hour, minute=minute)
        moment = moment if moment >= earliest else moment + timedelta(days=1)
        # What is looked at is longer than a day: the same time of day may be in it twice.
        is_the_other = after is None and not self.is_named_rightly(moment)
        return moment + timedelta(days=1) if is_the_other else moment

    def latest(self, time_of_day: str) -> datetime:
        """When it was last so late before the mail."""
        return self.moment(time_of_day, self.known.newest_time - timedelta(days=1))

    def is_named_rightly(self, start: datetime) -> bool:
        """Whether the day is called what it is to a reader of the mail."""
        return (self.known.time.date() - start.date()).days in DAYS_AGO[self.word]

    def top(self, start: datetime, latest: datetime | None = None) -> Lived:
        """The last of the highest minutes around a start, which was so late at the latest, as far as CloudWatch has
        them; ValueError where it has none.
        """
        lived = self._between(start - 2 * STEP, (latest or start) + 2 * STEP)
        around = filter(self.known.is_visible, lived)
        return max(around, key=lambda one: (lowest_bytes(one), one.minute))

    def lowest(self, top: Lived, end: datetime) -> Lived:
        """The first of the lowest minutes from there to an end, as far as they are known."""
        top_time = self.known.player.time_of(top.minute)
        end = max(top_time, min(end, self.known.newest_time))
        return min(self._between(top_time, end), key=lambda one: (lowest_bytes(one), one.minute))

    def gone_after(self, top: Lived) -> datetime:
        """When nothing was left for the first time in the first times of less than a minute's worth, which a rest of
        half an hour parts from later ones; or else when these began.
        """
        low: list[Lived] = []
        for one in self.known.player.lived[top.minute :]:
            if lowest_bytes(one) < self.worth_a_minute:
                low.append(one)
            elif low and one.minute - low[-1].minute >= REST_MINUTES:
                break
        dry = [one for one in low if lowest_bytes(one) < self.worth_a_minute / 60]
        gone = next(iter(dry or low), None)
        if gone is not None:
            return self.known.player.time_of(gone.minute)
        return datetime.max.replace(tzinfo=self.known.time.tzinfo)

    def lifted_after(self, gone: datetime) -> datetime:
        """When something was left again, before a minute's worth was; that, where something was left all the while."""
        low = self._low_after(gone)
        *_, last = [None, *([one for one in low if self._is_limited(one.minute)] or low)]
        return gone if last is None else self.known.player.time_of(last.minute + 1)

    def ran_dry(self, gone: datetime) -> bool:
        """Whether nothing was left at some time before a minute's worth was left again."""
        return any(self._is_limited(one.minute) for one in self._low_after(gone))

    def rises_only_after(self, gone: datetime) -> datetime:
        """When the balance fell last, before a minute's worth was left again."""
        *_, last = [None, *(one.minute for one in self._low_after(gone) if self._net(one.minute) > 0)]
        return gone if last is None else self.known.player.time_of(last + 1)

    def _low_after(self, gone: datetime) -> list[Lived]:
        """The minutes from then on with less than a minute's worth."""
        since = (one for one in self.known.player.lived if self.known.player.time_of(one.minute) >= gone)
        return list(takewhile(lambda one: lowest_bytes(one) < self.worth_a_minute, since))

    def left_again(self) -> Iterator[tuple[datetime, float]]:
        """Each coming minute, and the bytes that are left in it, if clients do as they did; a load that was under way
        at this time of day is not there now, and one that had just begun begins now.
        """
        left = self.known.balance_bytes
        newest = self.known.newest.minute
        shift = self.back // MINUTE
        before = range(newest - shift - SHOWS_AFTER_MINUTES, newest - shift)
        begun_minutes = len(list(takewhile(self._takes_credits, reversed(before))))
        under_way = sum(map(self._takes_credits, before)) > 7 and self._is_a_fall_at_this_time()
        falls_today = sum(self._net(newest - age) > 0 for age in range(SHOWS_AFTER_MINUTES)) > 7
        absent_until = self._base_load_until() if not falls_today else 0
        rest_bytes = -self._rising_bytes_per_second * MINUTE.total_seconds()
        late = 0
        if begun_minutes < SHOWS_AFTER_MINUTES and not falls_today:
            under_way, late = False, begun_minutes
        if under_way and self.faster_steps():
            # What came amid the load that was under way is still to come.
            under_way = False
        under_way_until = self._under_way_until() if under_way else 0
        lasts = self._lasts_through_the_rest(late)
        fell: list[tuple[int, float]] = []
        net_without_credits: float | None = None
        rested = 0
        for ahead in range(1, 24 * 60 + 1):
            then = newest - shift + ahead - late
            if late and not self._takes_credits(then):
                # After it the day goes on as it did.
                then, late = then + late, 0
            net = self._net(then) if then >= absent_until else rest_bytes
            if self._is_unlimited(then):
                # What is moved in another mode takes no credits, and would take as many.
                fell = []
            elif net > 0:
                rested = 0
            elif not self._takes_credits(then):
                rested += 1
            if rested >= REST_MINUTES:
                fell = []
            if self._is_limited(then) and any(one > 0 for _, one in fell):
                rested = 0
                if net_without_credits is None:
                    net_without_credits = self._net_at_last(fell)
                # Who pauses at zero takes nothing, or no more than is earned.
                net = net_without_credits if self._takes_credits(then) else min(0.0, net)
            elif fell or net > 0:
                fell.append((then, net))
                net_without_credits = None
            if then < under_way_until:
                net = (net if lasts else 0.0) if falls_today else rest_bytes
            full = burst_credits.bucket_bytes(self.known.now.metered_standard_bytes)
            left = min(full, max(0.0, left - self._beside_what_goes_on(then, net)))
            yield self.known.newest_time + ahead * MINUTE, left

    def _beside_what_goes_on(self, then: int, net: float) -> float:
        """What a minute of that day takes now: no less than the fall of now, until that was there on that day, too."""
        if self.faster_steps_of_now is None or then >= self.faster_steps_of_now[0]:
            return net
        return max(net, self._drain_bytes_per_second * MINUTE.total_seconds())

    def _is_a_fall_at_this_time(self) -> bool:
        """Whether what took credits at this time of that day took as much as a fall that counts, or all there was:
        since an hour before, which is as far back as a mail looks, and until it rested.
        """
        this_time, rested = self.known.newest.minute - self.back // MINUTE, 0
        first = this_time
        while first > this_time - 60 and rested < REST_MINUTES:
            first -= 1
            rested = 0 if self._takes_credits(first) else rested + 1
        taken, rested = 0.0, 0
        for minute in range(first, self.known.newest.minute):
            if self._is_limited(minute) or taken >= self._counts_bytes:
                return True
            taken += self._net(minute)
            rested = 0 if self._takes_credits(minute) else rested + 1
            if rested >= REST_MINUTES and minute > this_time:
                return False
        return False

    def _under_way_until(self) -> int:
        """The minute before which a load went on that was under way at this time of that day: a rest ended it, or
        another mode.
        """
        begin = until = self.known.newest.minute - self.back // MINUTE + 1
        for minute in range(begin, self.known.newest.minute + 1):
            if self._is_unlimited(minute) or minute - until >= REST_MINUTES:
                break
            until = minute + 1 if self._takes_credits(minute) else until
        return until

    def _lasts_through_the_rest(self, late: int) -> bool:
        """Whether a load that was under way at this time of that day, and is there now, leaves a minute's worth of what
        is there now when it takes what it took then: else the pace tells when it ends the credits. It is not known of
        one that did so then.
        """
        left, rested = self.known.balance_bytes, 0
        for then in range(self.known.newest.minute - self.back // MINUTE + 1 - late, self.known.newest.minute):
            if self._is_limited(then):
                return False
            left -= self._net(then)
            rested = 0 if self._net(then) > 0 else rested + 1
            if rested >= REST_MINUTES:
                break
            if left < self.worth_a_minute:
                return False
        return True

    def _base_load_until(self) -> int:
        """The minute before which a load went on that was under way at this time of that day, and took no more than was
        earned then, and more than is now: it shows in no fall, and is not there today. Another that takes credits ends
        it. 0 where there was none.
        """
        lived, begin = self.known.player.lived, self.known.newest.minute - self.back // MINUTE
        earned = self.known.earned_bytes_per_second * MINUTE.total_seconds()
        if self.back > timedelta(days=1) or begin < 0:
            return 0
        last = begin
        for one in lived[begin : self.known.newest.minute]:
            rested = one.minute - last
            is_another = all(map(self._takes_credits, range(one.minute, one.minute + STEP // MINUTE)))
            if is_another or rested >= (SHOWS_AFTER_MINUTES if last == begin else REST_MINUTES):
                break
            is_at_work = self._earned_otherwise(one) and one.metered_bytes > earned
            last = one.minute if is_at_work else last
        return last + 1 if last > begin else 0

    @property
    def _drain_bytes_per_second(self) -> float:
        """How fast the balance falls now; 0 of a single one, of which nobody knows where it goes."""
        return self.known.pace.drain_bytes_per_second if self.known.has_a_pace else 0.0

    @property
    def _rising_bytes_per_second(self) -> float:
        """How fast the balance rises now; as fast as it can, where a single one tells nothing of it."""
        earned = self.known.earned_bytes_per_second
        if not self.known.has_a_pace:
            return earned
        return max(0.0, min(earned, -self._drain_bytes_per_second))

    def _net_at_last(self, fell: Sequence[tuple[int, float]]) -> float:
        """What a fall took a minute when it was limited, by each of its minutes: as in the last five minutes of the
        clock, one or more, of which each is as fast as the others to a half, where those before are all half as fast at
        the most, or, for two of them or more, twice as fast at the least, but for the five in which that changed; or
        else its average. Where it had grown, no less than in the five minutes in which it was limited.
        """
        by_step: dict[datetime, list[float]] = {}
        for minute, net in fell:
            time = self.known.player.time_of(minute)
            by_step.setdefault(time - timedelta(minutes=time.minute % 5), []).append(net)
        nets = [sum(of_it) / 5 for of_it in by_step.values() if len(of_it) == STEP // MINUTE]
        *_, newest = by_step.values()
        at_least = sum(newest) / 5 if len(newest) < STEP // MINUTE else 0.0
        for number in range(1, len(nets)):
            last = nets[-number:]
            if not 0 < max(last) <= 1.5 * min(last):
                break
            for earlier in (nets[:-number], nets[: -number - 1]):
                if earlier and 2 * max(earlier) <= max(at_least, min(last)):
                    return max(at_least, median(last))
                if earlier and number > 1 and 2 * max(last) <= min(earlier):
                    return median(last)
        took = [net for _, net in fell if net > 0]
        return sum(took) / len(took)

    def faster_steps(self) -> list[datetime]:
        """The five minutes, each first after slower ones, from which a fall that was under way then was more than twice
        as fast as the balance falls now, and as it fell before, and took five minutes' worth or more; none where it was
        as fast already. A longer load that comes amid pulses counts by itself: these rest for ten minutes.
        """
        began = self._first_after_slower_ones(REST_MINUTES)
        return began + [one for one in self._first_after_slower_ones(PULSES_REST_MINUTES) if one not in began]

    def _first_after_slower_ones(self, rest_minutes: int) -> list[datetime]:
        newest, first_minute = self.known.newest.minute, self.known.newest.minute - self.back // MINUTE - 15
        pace_bytes = 2 * max(self._drain_bytes_per_second * STEP.total_seconds(), self._slow_step_bytes())
        if pace_bytes <= 0:
            return []
        began: list[datetime] = []
        taken = rested = slow = 0.0
        first: int | None = None
        was_fast_at_once = False
        for step in range(first_minute, newest, STEP // MINUTE):
            nets = [self._net(minute) for minute in range(step, step + STEP // MINUTE)]
            slow = 0 if sum(nets) > 0 else slow + 1
            if slow * STEP >= REST_MINUTES * MINUTE:
                break
            is_fast = sum(nets) > pace_bytes
            was_fast_at_once = was_fast_at_once or (is_fast and step == first_minute)
            rested = 0 if is_fast else rested + 1
            if rested * STEP >= rest_minutes * MINUTE:
                first, taken, was_fast_at_once = None, 0.0, False
            elif is_fast and first is None:
                first = step
            taken += sum(nets) if first is not None else 0.0
            if first is not None and taken >= self._counts_bytes and not was_fast_at_once:
                moment = self.known.player.time_of(first)
                began += [moment] if moment not in began else []
        return began

    @cached_property
    def faster_steps_of_now(self) -> tuple[int, list[datetime]] | None:
        """The minute from which on the balance has fallen to now, but for rests of less than half an hour, where that
        is later in the day than it is now; and the first of each five minutes of it from which on it fell more than
        twice as fast as now, and took five minutes' worth or more. Pulses are as fast as that: what took more than one
        of these does by half, without a rest like theirs. None where it has none.
        """
        newest, falling = self.known.newest.minute, self._drain_bytes_per_second * STEP.total_seconds()
        shift = self.back // MINUTE
        if self.back > timedelta(days=1) or falling <= 0:
            return None
        began, rested = newest, 0
        while began > newest - shift and rested < REST_MINUTES:
            began -= 1
            rested = 0 if self._net(began) > 0 else rested + 1
            if self._is_limited(began):
                return None
            if self._is_unlimited(began):
                # Another mode let through what was before it.
                rested = REST_MINUTES
                break
        began += rested if not self._is_unlimited(began) else 1
        if rested < REST_MINUTES:
            return None
        faster: list[datetime] = []
        pulses = self.known.pace.pulses
        rest_minutes = REST_MINUTES if pulses is None else PULSES_REST_MINUTES
        counts_bytes = self._counts_bytes if pulses is None else max(self._counts_bytes, 1.5 * pulses.depth_bytes)
        taken, first, slow = 0.0, None, 0
        for step in range(began, newest, STEP // MINUTE):
            net = sum(map(self._net, range(step, min(newest, step + STEP // MINUTE))))
            slow = 0 if net > 2 * falling else slow + 1
            if slow * STEP >= rest_minutes * MINUTE:
                first, taken = None, 0.0
            elif first is None and slow == 0:
                first = step
            taken += net if first is not None else 0.0
            steps = 1 + (step - first) * MINUTE / STEP if first is not None else 0.0
            if first is not None and taken >= counts_bytes and (pulses is None or taken > 2 * falling * steps):
                moment = self.known.player.time_of(first)
                faster += [moment] if moment not in faster else []
        return (began, faster) if faster else None

    @property
    def _counts_bytes(self) -> float:
        """What a fall takes that counts: five minutes' worth, or all that is left, and a minute's worth at least."""
        return min(5 * self.worth_a_minute, max(self.worth_a_minute, self.known.balance_bytes))

    def _slow_step_bytes(self) -> float:
        """What such a fall took in five minutes before something faster came: of all that is known of it, and an hour
        before this time of that day, half an hour at a time, the middle one; or the last before this time, if less.
        """
        now = self.known.newest.minute - self.back // MINUTE
        halves: list[float] = []
        before: list[float] = []
        for end in range(now - 60 + REST_MINUTES, self.known.newest.minute, STEP // MINUTE):
            half = sum(map(self._net, range(end - REST_MINUTES, end)))
            if half <= 0:
                if end > now:
                    break
                halves.clear()
                before.clear()
                continue
            halves.append(half)
            if end <= now:
                before.append(half)
        return min([median(halves), *before[-1:]]) * STEP / (REST_MINUTES * MINUTE) if halves else 0.0

    def may_be_gone_again(self, then: datetime) -> bool:
        """Whether less than a minute's worth is left then for the first time, as exactly as steps of five minutes tell:
        what is earned in one may be the difference between gone and not. A load that is about to begin may have begun a
        minute before, and what that takes lasts a slow one for half an hour.
        """
        a_step = self.known.earned_bytes_per_second * STEP.total_seconds()
        levels = (self.worth_a_minute, self.worth_a_minute + a_step, max(1.0, self.worth_a_minute - a_step))
        moments = [moment for level in levels if (moment := self._first_below(level)) is not None]
        sooner = self._first_below(self.worth_a_minute, besides_bytes=self.worth_a_minute)
        between = bool(moments) and sooner is not None and sooner - TIME_BLUR <= then <= min(moments)
        return between or any(abs(moment - then) <= TIME_BLUR for moment in moments)

    def falls_at(self, time: datetime) -> bool:
        """Whether the balance fell in the five minutes around a moment."""
        return sum(self._net(one.minute) for one in self._between(time - STEP / 2, time + STEP / 2)) > 0

    def takes_credits_at(self, time: datetime) -> bool:
        """Whether clients took credits in most of the five minutes around a moment, or all that came where there were
        none.
        """
        minutes = self._between(time - STEP / 2, time + STEP / 2)
        return 2 * sum(self._takes_credits(one.minute) for one in minutes) > len(minutes)

    @property
    def gone_again(self) -> datetime | None:
        """When less than a minute's worth is left for the first time; None where that does not come."""
        return self._first_below(self.worth_a_minute)

    def _first_below(self, level_bytes: float, besides_bytes: float = 0.0) -> datetime | None:
        """When less than this is left, or than is taken in five minutes, if that is less: a slow load takes half an
        hour for a minute's worth. Where something was taken besides, that is missing all the while.
        """
        before = self.known.balance_bytes - besides_bytes
        there = before >= level_bytes
        for time, then_left in self.left_again():
            left = max(0.0, then_left - besides_bytes)
            in_a_step = (before - left) * (STEP // MINUTE)
            if there and (left <= 0 or left < min(level_bytes, in_a_step)):
                return time
            there = there or left >= level_bytes
            before = left
        return None

    def minutes_left_at(self, time: datetime) -> float:
        """How much is left around then, at the least."""
        around = [left for one, left in self.left_again() if abs(one - time) <= STEP]
        return min(around, default=inf) / self.worth_a_minute

    @property
    def left_blur_minutes(self) -> float:
        """How far off what is left may be: of hours before the first balance of that day it is as exact as the pace."""
        unknown_minutes = max(0, self._first_balance - (self.known.newest.minute - self.back // MINUTE))
        blur = self.known.pace.blur_bytes_per_second if self.known.has_a_pace else 0.0
        return LEFT_BLUR_MINUTES + unknown_minutes * MINUTE_SECONDS * blur / self.worth_a_minute

    def _between(self, start: datetime, end: datetime) -> list[Lived]:
        player = self.known.player
        return [one for one in player.lived if start <= player.time_of(one.minute) <= end]

    def _net(self, minute: int) -> float:
        """What was spent in a minute beyond what was earned, or would have been of what another mode let through.

        Before the first balance of that day it rises as it does now.
        """
        if minute >= len(self.known.player.lived):
            return 0.0
        earned = self.known.earned_bytes_per_second * MINUTE.total_seconds()
        if self._is_unlimited(minute):
            return self.known.player.lived[minute].metered_bytes - earned
        if minute < self._first_balance:
            return -self._rising_bytes_per_second * MINUTE.total_seconds()
        lived = self.known.player.lived[minute]
        if self.back <= timedelta(days=1) and self._is_full(lived):
            # It took in no more, and the balance of now would.
            return min(0.0, lived.metered_bytes - earned)
        if self.back <= timedelta(days=1) and self._earned_otherwise(lived):
            # The same load meets what the size earns and permits now. Of a week ago no mail knows what was moved.
            return min(lived.credits.spent_bytes, self.worth_a_minute) - earned
        return lived.credits.spent_bytes - lived.credits.earned_bytes

    def earned_at(self, time: datetime) -> float:
        """What the size earned then, in bytes per second."""
        sizes = (one.metered_standard_bytes for one in self._between(time, time))
        return max(map(burst_credits.earned_bytes_per_second, sizes))

    def _earned_otherwise(self, lived: Lived) -> bool:
        then = burst_credits.earned_bytes_per_second(lived.metered_standard_bytes)
        differs = abs(then - self.known.earned_bytes_per_second) > 0.1 * self.known.earned_bytes_per_second
        return differs and self.known.lives_on_credits(lived)

    def _is_full(self, lived: Lived) -> bool:
        return lowest_bytes(lived) >= 0.999 * burst_credits.bucket_bytes(lived.metered_standard_bytes)

    def _takes_credits(self, minute: int) -> bool:
        """Whether clients took more than was earned, or all of it where there was no more."""
        if self._is_unlimited(minute) or not 0 <= minute < len(self.known.player.lived):
            return False
        went = self.known.player.lived[minute].credits
        net = went.spent_bytes - went.earned_bytes
        return net > 0 or (net == 0 and self._is_limited(minute))

    def _is_unlimited(self, minute: int) -> bool:
        """Whether another mode let more through than the size gives without credits, on the day before: of a week ago
        no mail asks.
        """
        lived = self.known.player.lived
        if not 0 <= minute < len(lived) or self.back > timedelta(days=1):
            return False
        is_faster = lived[minute].permitted_bytes_per_second > 1.1 * self.known.baseline_bytes_per_second
        return is_faster and not self.known.lives_on_credits(lived[minute])

    def _is_limited(self, minute: int) -> bool:
        if not 0 <= minute < len(self.known.player.lived):
            return False
        return lowest_bytes(self.known.player.lived[minute]) < self.worth_a_minute / 60


def zero_within(known: Known, hours: int) -> datetime | None:
    """The first moment of so many hours from a mail on at which less than a minute's worth is left, as long as the mode
    is that of the mail: who changes it acts, and is told of what comes then. None where credits change nothing.
    """
    if known.credits_change_nothing:
        return None
    for one in known.player.lived[known.now.minute + 1 : known.now.minute + 1 + hours * 60]:
        if one.mode != known.now.mode:
            return None
        matter = not isinstance(one.mode, Elastic | Provisioned)
        if isinstance(one.mode, Provisioned):
            matter = one.mode.bytes_per_second <= known.earned_bytes_per_second
        if lowest_bytes(one) < known.threshold_bytes(1) and matter:
            return known.player.time_of(one.minute)
    return None
