"""What of a month was told in time, what was told for nothing, and how well it was told.

Held against the model alone: which minute had how many credits. What the product knew of them counts for nothing here.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from operate.replay.replay import DEPLOYED_AT, REPORTS_AT
from operate.replay.replayed_account import ReplayedMail
from operate.replay.replayed_metrics import MINUTE
from proofs.incidents.life import START, LivedMonth
from proofs.incidents.months_of_load import DAY_MINUTES, HOUR_MINUTES, SIZES_GIB
from proofs.incidents.within_the_hour import contradictions, stories
from simulation.burst_credits import GIB

# After so many whole minutes above a threshold, the next one below it is news.
ABOVE_MINUTES = 15
# CloudWatch needs as many to end an alarm, and they may all be late: news of late metrics is what comes an hour later.
ABOVE_MINUTES_WHEN_LATE = 60
TOLD_AFTER, TOLD_AFTER_WHEN_LATE = 2, 20
# What told a zero before it is off by no more than this: so much, or such a part of the minutes that were left. The
# alarm itself says that nothing is left, so it is as early as that.
OFF_BY_MINUTES, OFF_BY_SHARE = 10, 0.15
# A fall that leaves less than this leaves no time for a mail.
USEFUL_MINUTES = 20
FORECAST_MINUTES = 180
NO_ACTION_MINUTES = 360
STEADY_MINUTES = 30
ALMOST = 1.05
LEADS = {"warning": 180, "critical": 60, "exhausted": 1}
# As mails state it: by the pace of the last 15 minutes, and by that of the fall that set off Draining.
ZERO = re.compile(
    r"(?:At the pace of [^.]*?\(falling by [^)]*\)[^.]*?,? until|[Ii]f that goes on, they are gone at) "
    r"(\d\d):(\d\d) UTC(?: on \w+ (\d+) \w+)?"
)
# A minute's worth of it takes longest to use up.
SMALL_BYTES = min(SIZES_GIB) * GIB
# As the subject of a mail states it, which names the end that counts where there are two.
ZERO_IN_SUBJECT = re.compile(r"credits gone at (\d\d):(\d\d) UTC(?: on \w+ (\d+) \w+)?")
IS_GONE = re.compile(r"(?:no burst credits left|credits gone|burst credits may be gone)\b(?! at)")
# What comes when less than a minute's worth is left tells of a fall, and leaves no time.
OF_A_FALL = re.compile(r"(?:STILL )?(?:WARNING|CRITICAL)\b|DRAINING\b")
# What is said of late metrics themselves: that they are, and that they are no more.
OF_LATENESS = "INFO: metrics come "
# As the mail says it that the alarms are active again.
UNHEARD = re.compile(r"Exhausted went off unheard while the alarms were silent")


@dataclass(slots=True)
class MonthFigures:
    """Counts and values of any number of months, by what they are about."""

    counts: Counter[str] = field(default_factory=Counter)
    values: dict[str, list[float]] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)

    def count(self, what: str, held: bool) -> None:
        """Count something of a kind, and whether it held."""
        self.counts[what] += 1
        self.counts[f"{what}: held"] += held

    def note(self, what: str, value: float) -> None:
        """Keep a value of a kind, of which the table has the median."""
        self.values.setdefault(what, []).append(value)

    def share(self, what: str) -> float | None:
        """How many of a kind held, as a part of 1; None where there was none."""
        return self.counts[f"{what}: held"] / self.counts[what] if self.counts[what] else None

    def add(self, other: "MonthFigures") -> None:
        """Count what was measured in other months as well."""
        self.counts += other.counts
        self.missed += other.missed
        for what, values in other.values.items():
            self.values.setdefault(what, []).extend(values)


def judged(month: LivedMonth) -> MonthFigures:
    """Everything about one month."""
    found = MonthFigures()
    alarms = [one for one in month.mails if one.by_cloudwatch]
    zeros = list(zeros_of(month))
    found.counts["months"] += 1
    for minute, function in month.failed:
        found.counts["invocations lost"] += 1
        found.missed.append(f"invocations lost: seed {month.plan.seed}, minute {minute}, {function}")
    found.add(agreement(month))
    if month.plan.late_times:
        _late(month, alarms, found)
        _mails_a_day(month, [zero for _, zero in zeros], found)
        return found
    _zeros(month, alarms, zeros, found)
    _relapses(month, alarms, found)
    _forecasts(month, alarms, found)
    _times_of_zero(month, found)
    _no_action(month, [zero for _, zero in zeros], found)
    _mails_a_day(month, [zero for _, zero in zeros], found)
    for one in extra_pages(month):
        found.counts["extra pages"] += 1
        found.missed.append(f"extra pages: seed {month.plan.seed}, minute {one.minute}, {one.subject} {one.body[:20]}")
    return found


def agreement(month: LivedMonth, life: str = "seed") -> MonthFigures:
    """Of each mail that tells where the balance goes, whether it contradicts one of the hour before it.

    `life` is what is said before the seed, by which who reads what was missed can live that month again.
    """
    found = MonthFigures()
    contradicting = set[int]()
    for minute, how in contradictions(month):
        contradicting.add(minute)
        found.missed.append(f"one story: {life} {month.plan.seed}, minute {minute}, {how}")
    for one in stories(month):
        found.count("one story", one.minute not in contradicting)
    return found


def crossings(month: LivedMonth, minutes: float, above_minutes: int) -> Iterator[tuple[int, int]]:
    """Each time that the balance fell below so many minutes' worth: since when it might, and when it did."""
    above, armed = 0, 0
    for minute, (low, burst, matters) in enumerate(zip(month.lowest, month.burst, month.matters, strict=True)):
        if low is None or not matters:
            above = 0
        elif low >= minutes * 60 * burst:
            above += 1
            if above == above_minutes:
                armed = minute
        else:
            if above >= above_minutes and minute > DEPLOYED_AT + above_minutes:
                yield armed, minute
            above = 0


def zeros_of(month: LivedMonth) -> Iterator[tuple[int, int]]:
    """Each time that the credits ended after 15 minutes above a minute's worth: since when they might, and when."""
    above, armed, since = 0, False, 0
    for minute, (low, closing) in enumerate(zip(month.lowest, month.closing, strict=True)):
        if low is None or not month.matters[minute] or minute <= DEPLOYED_AT:
            above, armed = 0, False
        elif low > 60 * month.burst[minute]:
            above += 1
            if above == ABOVE_MINUTES:
                armed, since = True, minute
        else:
            above = 0
            if closing <= 0 and armed:
                yield since, minute
                armed = False


def relapses_of(month: LivedMonth) -> Iterator[tuple[int, int]]:
    """Each fall to zero that began while Critical was on: its highest minute, and the one in which credits ended."""
    critical_since: int | None = None
    highest = 0
    armed, above = False, 0
    for minute, (low, closing) in enumerate(zip(month.lowest, month.closing, strict=True)):
        if low is None or not month.matters[minute] or minute <= DEPLOYED_AT:
            critical_since, highest, armed, above = None, minute, False, 0
            continue
        if closing > 3600 * month.burst[minute]:
            critical_since = None
        elif critical_since is None:
            critical_since = minute
        if closing >= month.closing[highest]:
            highest = minute
        if low > 60 * month.burst[minute]:
            above += 1
            armed = armed or above >= ABOVE_MINUTES
        else:
            above = 0
        if closing <= 0:
            if armed and critical_since is not None and critical_since <= highest:
                yield highest, minute
            highest, armed = minute, False


def extra_pages(month: LivedMonth) -> Iterator[ReplayedMail]:
    """What reached the Critical topic and is neither Critical on or off, nor the end of the credits or its end."""
    last, since = dict[str, str](), 0
    woken = [(minute, alarm) for minute, alarm, _, state in month.changes if state == "INSUFFICIENT_DATA"]
    for one in month.mails:
        if one.topic != "critical":
            continue
        while woken and woken[0][0] <= one.minute:
            # An alarm that was suspended tells where it stands, whatever it told before.
            last.pop(woken.pop(0)[1], None)
        if not one.by_cloudwatch or one.subject not in {"critical", "exhausted"}:
            yield one
        elif last.get(one.subject) == one.body:
            if not _ends_what_began_in_silence(month, one):
                yield one
        elif one.subject == "exhausted" and one.body == "ALARM" and not _is_empty(month, since, one.minute):
            yield one
        if one.by_cloudwatch:
            last[one.subject] = one.body
            if one.subject == "exhausted" and one.body == "OK":
                # What had not arrived by then may begin the next one.
                since = one.minute - month.plan.late_minutes - 1


def _is_empty(month: LivedMonth, start: int, end: int) -> bool:
    """Whether the credits were gone in any of these minutes; a threshold follows the size within the hour."""
    minutes = zip(month.lowest[start:end], month.burst[start:end], strict=True)
    return any(low is not None and low < 60 * ALMOST * burst for low, burst in minutes)


def _ends_what_began_in_silence(month: LivedMonth, page: ReplayedMail) -> bool:
    """Whether this is the end of credits that were gone when they began to matter again, which no alarm could tell yet,
    and whether a mail said between then and now that it would come.
    """
    start = page.minute
    while start > 0 and month.matters[start - 1]:
        start -= 1
    return (
        page.subject == "exhausted"
        and page.body == "OK"
        and start > 0
        and _is_empty(month, start, page.minute)
        and any(
            start <= one.minute <= page.minute and UNHEARD.search(" ".join(one.body.split()))
            for one in month.mails
            if not one.by_cloudwatch
        )
    )


def _told(alarms: list[ReplayedMail], names: set[str], after: int, until: int) -> bool:
    """Whether one of these alarms was told to have gone off in these minutes."""
    return any(one.subject in names and one.body == "ALARM" and after < one.minute <= until for one in alarms)


def _zeros(month: LivedMonth, alarms: list[ReplayedMail], zeros: list[tuple[int, int]], found: MonthFigures) -> None:
    """Of each zero, whether the alarm told it, however long before; whether it told it at it, or a mail its time; and
    of those not told at it, whether the next hourly run tells it where nothing is left then.
    """
    named = _named_ends(month)
    for since, zero in zeros:
        until, run = month.arrives[zero] + TOLD_AFTER, _next_run(month, zero)
        if max(until, run) >= len(month.closing):
            continue
        _held(found, month, "zeros", zero, _told(alarms, {"exhausted"}, since, until))
        at_it = _told(alarms, {"exhausted"}, max(since, zero - OFF_BY_MINUTES - 1), until)
        before = [one for one in named if since < one[0] <= zero]
        in_time = at_it or (bool(before) and _is_right(*before[-1], zero))
        _held(found, month, "zeros told right", zero, in_time)
        is_gone_then = month.closing[bisect_right(month.arrives, run) - 1] <= 0
        if not at_it and is_gone_then:
            by_then = [one for one in month.mails if not one.by_cloudwatch and zero < one.minute <= run]
            _held(found, month, "zeros told by a run", zero, any(IS_GONE.search(one.subject) for one in by_then))
        if not in_time:
            found.count("zeros told by neither", is_gone_then)
            found.counts["zeros told by neither, small"] += month.plan.size_bytes <= SMALL_BYTES


def _named_ends(month: LivedMonth) -> list[tuple[int, float]]:
    """Each time that a readable mail named the end of the credits: when, and the minute that it named."""
    readable = [one for one in month.mails if not one.by_cloudwatch]
    stated = [(one, ZERO_IN_SUBJECT.search(one.subject) or ZERO.search(" ".join(one.body.split()))) for one in readable]
    left = [(one.minute, _minutes_until(one, end)) for one, end in stated if end is not None]
    # A subject leaves out the day of a time that is near.
    return [(told, told + (minutes if minutes > -DAY_MINUTES / 2 else minutes + DAY_MINUTES)) for told, minutes in left]


def _is_right(told: int, named: float, zero: int) -> bool:
    return abs(named - zero) <= max(OFF_BY_MINUTES, OFF_BY_SHARE * (zero - told))


def _next_run(month: LivedMonth, zero: int) -> int:
    """The minute of the first hourly run that sees the datapoint of a zero."""
    arrives = month.arrives[zero]
    return arrives + (REPORTS_AT - arrives) % HOUR_MINUTES


def _relapses(month: LivedMonth, alarms: list[ReplayedMail], found: MonthFigures) -> None:
    """Of each fall, whether it was told before zero, and whether by a mail that people read."""
    mails = [one for one in month.mails if not one.by_cloudwatch and OF_A_FALL.match(one.subject)]
    for start, zero in relapses_of(month):
        if zero - start >= USEFUL_MINUTES:
            _held(found, month, "relapses", zero, _told(alarms, {"draining", "critical"}, start, zero))
            found.count("readable relapses", any(start < one.minute <= zero for one in mails))


def _held(found: MonthFigures, month: LivedMonth, what: str, minute: int, held: bool) -> None:
    found.count(what, held)
    if not held:
        found.missed.append(f"{what}: seed {month.plan.seed}, minute {minute}")


def _forecasts(month: LivedMonth, alarms: list[ReplayedMail], found: MonthFigures) -> None:
    dry = [minute for minute, closing in enumerate(month.closing) if closing <= 0]
    for one in alarms:
        if one.subject != "draining" or one.body != "ALARM" or one.minute + FORECAST_MINUTES >= len(month.closing):
            continue
        first = bisect_left(dry, one.minute - month.plan.late_minutes - 1)
        found.count("forecasts", first < len(dry) and dry[first] <= one.minute + FORECAST_MINUTES)


def _times_of_zero(month: LivedMonth, found: MonthFigures) -> None:
    """Errors as parts of 1 of the minutes that were left, where there were enough of them for a mail to help."""
    for one in month.mails:
        stated = ZERO.search(" ".join(one.body.split()))
        if one.by_cloudwatch or stated is None:
            continue
        seen = bisect_right(month.arrives, one.minute) - 1
        since = month.steady_since[seen]
        if since is None or since > seen - STEADY_MINUTES:
            continue
        zero = next(
            (
                minute
                for minute in range(seen, len(month.closing))
                if month.closing[minute] <= 0 or month.steady_since[minute] != since or minute in month.plan.bursts
            ),
            None,
        )
        if zero is None or month.closing[zero] > 0 or any(minute in month.plan.bursts for minute in range(since, zero)):
            continue
        left = zero + 0.5 - one.minute
        if left >= USEFUL_MINUTES:
            found.note("error of the time of zero", abs(_minutes_until(one, stated) - left) / left)


def _minutes_until(one: ReplayedMail, stated: re.Match[str]) -> float:
    sent = START + one.minute * MINUTE
    time = sent.replace(hour=int(stated[1]), minute=int(stated[2]))
    if stated[3] is not None:
        while time.day != int(stated[3]):
            time += timedelta(days=1)
    return (time - sent) / MINUTE


def _no_action(month: LivedMonth, zeros: list[int], found: MonthFigures) -> None:
    for one in month.mails:
        if one.by_cloudwatch or "no action" not in " ".join(one.body.split()).lower():
            continue
        next_zero = bisect_right(zeros, one.minute)
        soon = next_zero < len(zeros) and zeros[next_zero] <= one.minute + NO_ACTION_MINUTES
        _held(found, month, "no action", one.minute, not soon)


def _mails_a_day(month: LivedMonth, zeros: list[int], found: MonthFigures) -> None:
    """How many mails came on days on which Warning or Critical was on at some time."""
    on = Counter[int]()
    state = dict[str, tuple[int, str]]()
    for minute, alarm, _, new in [*month.changes, *((len(month.closing), name, "", "") for name in LEADS)]:
        if alarm not in LEADS:
            continue
        began, before = state.get(alarm, (minute, ""))
        if before == "ALARM":
            for day in range(began // DAY_MINUTES, (minute - 1) // DAY_MINUTES + 1):
                on[day] += 1
        state[alarm] = minute, new
    advice = [one for one in month.mails if one.topic == "advice"]
    told = Counter(one.minute // DAY_MINUTES for one in advice)
    of_lateness = Counter(one.minute // DAY_MINUTES for one in advice if one.subject.startswith(OF_LATENESS))
    ended = Counter(zero // DAY_MINUTES for zero in zeros)
    for day in on:
        found.note("mails a day", max(0, told[day] - ended[day]))
        found.note("mails a day but of lateness", max(0, told[day] - of_lateness[day] - ended[day]))


def _late(month: LivedMonth, alarms: list[ReplayedMail], found: MonthFigures) -> None:
    """Only what happens while metrics are late."""
    for name, minutes in LEADS.items():
        for since, minute in crossings(month, minutes, ABOVE_MINUTES_WHEN_LATE):
            if not any(one.start <= minute < one.end for one in month.plan.late_times):
                continue
            until = month.arrives[minute] + TOLD_AFTER_WHEN_LATE
            if until < len(month.closing):
                _held(found, month, f"late {name}", minute, _told(alarms, {name}, since, until))
