"""Each sentence of a mail that has a figure, and what the figure must be by the simulation's own minutes.

A sentence is found by its words; its figures are compared one by one. What no claim covers, no claim checks, and the
proof says so: a new figure needs its line here.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise
from math import ceil, inf
from statistics import median

from proofs.figures.earlier_falls import EarlierFalls
from proofs.figures.known import (
    ELASTIC_READ_DOLLARS_A_GIB,
    ELASTIC_WRITTEN_DOLLARS_A_GIB,
    HOURS_A_MONTH,
    MINUTE,
    PROVISIONED_DOLLARS_A_MIB_SECOND,
    QUARTER_OF_AN_HOUR,
    Known,
    Window,
    lowest_bytes,
)
from proofs.figures.measured import measured_hours
from proofs.figures.other_modes import (
    SEEN_WITHIN,
    busiest_step_bytes_per_second,
    changed,
    cost_dollars,
    held_down,
    last_balance_bytes,
    on_credits,
)
from proofs.figures.past import LEFT_BLUR_MINUTES, REST_MINUTES, STEP, Past, zero_within
from proofs.figures.readings import (
    SUMMING,
    clock,
    is_clock,
    is_coarse,
    is_duration,
    is_money,
    is_percent,
    is_rounded,
    is_whole,
    number,
)
from simulation.burst_credits import GIB, MIB, MINUTE_SECONDS
from simulation.file_system import METADATA_OPERATION_BYTES, Bursting, Elastic, Provisioned, ThroughputMode
from stage.player import Lived

RATE = r"(?:less than )?[\d,.]+"
# Where nobody knows yet what a Region permits.
UP_TO = r"(?P<at_most>up to )"
CLOCK = r"\d\d:\d\d UTC(?: on \w{3} \d+ \w{3})?"
SPAN = r"more than two days|less than 1 min|\d d \d+ h|\d+ h \d+ min|\d+ h|\d+ min|[\d,]+ days"
MONEY = r"(?:less than )?\$[\d,.]+"
LAST = r"the last (?P<last>hour|minute|\d+ minutes)"
OBSERVED = r"the (?:last (?P<whole>hour)|(?P<some>one minute|\d+ minutes) that CloudWatch has of the last hour)"
A_DAY = timedelta(days=1)
# Credits for one minute at full speed that take longer do not come back.
USEFUL_TIME = timedelta(days=30)
# What ends with a minute to the byte ends a moment before it by whole bytes.
A_SECOND = timedelta(seconds=1)
# Who is told that nothing has to be done can sleep so long.
QUIET_HOURS = 6
# A mail tells no time beyond two days, and its newest datapoint may be an hour old.
TOLD_AHEAD_MINUTES = 49 * 60
AN_HOUR_MINUTES = 60
# What the Draining alarm needs to go off.
DRAINING_MINUTES = 8
MODES = {Bursting: "bursting", Elastic: "elastic", Provisioned: "provisioned"}

# A comparison of one figure: as told, what it must be, and whether it is.
type Comparison = tuple[str, object, bool]
type Check = Callable[[Known, re.Match[str]], Iterator[Comparison]]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """Words with figures, and how they are held against what is known."""

    words: re.Pattern[str]
    check: Check

    def compare(self, known: Known, told: re.Match[str]) -> Iterator[Comparison]:
        """Each figure of the words; what cannot be worked out, such as a time that is none, does not hold."""
        try:
            yield from self.check(known, told)
        except ValueError as error:
            yield told[0], error, False


CLAIMS: list[Claim] = []


def claim(words: str) -> Callable[[Check], Check]:
    """Register what must hold where these words are found."""

    def register(check: Check) -> Check:
        CLAIMS.append(Claim(words=re.compile(words), check=check))
        return check

    return register


def rate(told: str, bytes_per_second: float, blur: float = 0.0) -> Comparison:
    """A rate in MiB/s."""
    return told, bytes_per_second / MIB, is_rounded(told, bytes_per_second / MIB, blur / MIB)


def size(told: str, amount_bytes: float, blur_bytes: float = 0.0) -> Comparison:
    """An amount in GiB."""
    return told, amount_bytes / GIB, is_rounded(told, amount_bytes / GIB, blur_bytes / GIB)


def minutes(told: re.Match[str], known: Known) -> Iterator[Comparison]:
    """Full minutes at the permitted rate, or at the one that is named."""
    left = known.minutes_left
    if told["at"]:
        left = known.minutes_left_at(known.uncapped_bytes_per_second)
        yield from _named_rate(told["at"], known)
    yield told["minutes"], left, is_whole(told["minutes"], *left)
    if told.groupdict().get("long"):
        yield told["long"], left, is_duration(told["long"], *left)


def _named_rate(told: str, known: Known) -> Iterator[Comparison]:
    """The most that the size gives, while nobody knows what its Region permits."""
    yield rate(told, known.uncapped_bytes_per_second)
    yield "not known", known.reference_bytes_per_second, known.is_cap_unknown()


def same(told: object, truth: object) -> Comparison:
    """What is equal or wrong."""
    return str(told), truth, told == truth


@claim(rf"(?<!under )\b(?P<minutes>[\d,]+) min of credits left(?: at (?:full speed|(?P<at>{RATE}) MiB/s))?")
@claim(
    rf"(?<!fewer than )(?<!Less than )\b(?P<minutes>[\d,]+) minutes?(?: \((?P<long>{SPAN})\))? of burst credits "
    rf"(?:is|are) left(?: at (?P<at>{RATE}) MiB/s)?"
)
def _minutes_left(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield from minutes(told, known)


@claim(
    rf"(?:under 1 min of credits left|Less than 1 minute of burst credits is left)(?: at (?:full speed|(?P<at>{RATE}) "
    r"MiB/s))?"
)
def _less_than_a_minute(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    left = known.minutes_left
    if told["at"]:
        left = known.minutes_left_at(known.uncapped_bytes_per_second)
        yield from _named_rate(told["at"], known)
    yield told[0], left, left[0] < 1


@claim(rf"STILL (?P<alarm>WARNING|CRITICAL) for (?P<span>{SPAN}|under 1 min):")
def _for_how_long_it_has_been_on(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lasted = (known.time - _went_on(told["alarm"], known)).total_seconds() / MINUTE_SECONDS
    yield told["span"], lasted, is_duration(told["span"], lasted - 1, lasted)


@claim(
    rf"its (?P<alarm>Warning|Critical|Exhausted) alarm is on. .* CloudWatch's reason for the alarm "
    rf"\((?P<time>{CLOCK})\): "
    r"Threshold Crossed: 1 out of the last 15 datapoints \[(?P<balance>\S+) \((?P<minute>[^)]+)\)\] was less than the "
    r"threshold \((?P<threshold>\S+)\) \(minimum 1 datapoint for OK -> ALARM transition\)"
)
def _reason(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    went_on = _went_on(told["alarm"], known)
    minute = datetime.strptime(told["minute"], "%d/%m/%y %H:%M:%S").replace(tzinfo=UTC)
    balance_bytes = lowest_bytes(known.player.lived[known.player.minute_at(minute)])
    threshold_bytes = known.threshold_bytes(known.lead_minutes[told["alarm"].lower()])
    yield told["time"], went_on, is_clock(told["time"], went_on, known.time, MINUTE)
    yield told["balance"], balance_bytes, float(told["balance"]) == balance_bytes
    yield told["threshold"], threshold_bytes, float(told["threshold"]) == threshold_bytes


@claim(rf"burst credits gone, limited to (?P<baseline>{RATE}) MiB/s")
def _gone(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["baseline"], known.baseline_bytes_per_second)
    yield "gone", known.balance_bytes, known.balance_bytes < known.threshold_bytes(1)


@claim(rf"[Ee]verything on it is (?:now )?limited to (?P<baseline>{RATE}) MiB/s(?=[:.,] (?!OK))")
@claim(rf"Without any it is limited to (?P<baseline>{RATE}) MiB/s(?=\. An OK)")
def _what_is_left(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Where no other rate is known with credits."""
    exact = rate(told["baseline"], known.baseline_bytes_per_second)
    yield exact if exact[2] else (*exact[:2], is_coarse(told["baseline"], known.baseline_bytes_per_second / MIB))


@claim(
    rf"change nothing there: (?:(?P<rate>{RATE}) MiB/s are permitted with them and without\. That is its Region's "
    rf"limit, and its size earns (?P<earned>{RATE}) MiB/s|without them (?P<without>{RATE}) MiB/s are "
    rf"permitted, and with them less than 1 % more)\."
)
@claim(rf"its size earns about as much as its Region's limit of (?P<coarse>{RATE}) MiB/s, or more\.")
def _credits_change_nothing(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    with_credits, without = known.reference_bytes_per_second, known.baseline_bytes_per_second
    found = {name: text for name, text in told.groupdict().items() if text}
    for name, truth in (("rate", with_credits), ("earned", known.earned_bytes_per_second), ("without", without)):
        if name in found:
            yield rate(found[name], truth)
    if "rate" in found:
        yield found["rate"], without, with_credits == without
    if "coarse" in found:
        yield found["coarse"], with_credits, is_coarse(found["coarse"], with_credits / MIB)
    yield told[0], (with_credits, without), known.credits_change_nothing


@claim(
    rf"Everything on it (?:is now|would now be) limited to (?P<baseline>{RATE}) MiB/s instead of "
    rf"(?P<reference>{RATE}) MiB/s"
)
@claim(rf"everything on it slows from (?P<reference>{RATE}) MiB/s to (?P<baseline>{RATE}) MiB/s")
def _what_is_lost(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """In a mail to the digit, in the description of an alarm in two or three digits."""
    exact = [
        rate(told["reference"], known.reference_bytes_per_second),
        rate(told["baseline"], known.baseline_bytes_per_second),
    ]
    coarse = _of_a_description(known, told["reference"], told["baseline"])
    yield from exact if all(held for *_, held in exact) or not coarse[2] else [coarse]


@claim(
    rf"[Ee]verything on it (?:is now limited to (?P<baseline>{RATE}) MiB/s instead of|would now be limited to "
    rf"(?P<then>{RATE}) MiB/s instead of) {UP_TO}(?P<reference>{RATE}) MiB/s"
)
@claim(rf"everything on it slows from {UP_TO}(?P<reference>{RATE}) MiB/s to (?P<baseline>{RATE}) MiB/s")
@claim(rf"Without any it is limited to (?P<baseline>{RATE}) MiB/s, not {UP_TO}(?P<reference>{RATE}) MiB/s")
@claim(rf"fewer than (?P<lead>\d+) minutes of burst credits are left on \S+ at {UP_TO}(?P<reference>{RATE}) MiB/s")
@claim(rf"may (?:now )?be driven at {UP_TO}(?P<reference>{RATE}) MiB/s")
@claim(rf"its size gives (?P<reference>{RATE}) MiB/s, unless its Region permits less")
def _at_most(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """What the size gives, as long as nobody can know what its Region permits: never less than is true."""
    by_size = known.uncapped_bytes_per_second
    exact = rate(told["reference"], by_size)
    yield exact if exact[2] else (*exact[:2], is_coarse(told["reference"], by_size / MIB))
    yield "at most", known.reference_bytes_per_second, known.is_cap_unknown(at_last_recalculation=True)
    found = told.groupdict()
    if "lead" in found:
        yield same(int(found["lead"]) in known.lead_minutes.values(), True)
    baseline = found.get("baseline") or found.get("then")
    if baseline:
        exact = rate(baseline, known.baseline_bytes_per_second)
        yield exact if exact[2] else (*exact[:2], is_coarse(baseline, known.baseline_bytes_per_second / MIB))


@claim(
    rf"Driven at (?:the permitted (?P<reference>{RATE})|(?P<at>{RATE})) MiB/s without a pause, and with what is "
    rf"earned meanwhile(?:, which the (?P<minutes>[\d,]+) minutes above leave out)?, they last (?P<span>{SPAN})"
    rf"(?:, until (?P<end>{CLOCK}))?\."
)
def _end_at_the_permitted_rate(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Counted from the mail on; never of credits that may be gone by then."""
    if told["minutes"]:
        left = known.minutes_left_at(known.uncapped_bytes_per_second) if told["at"] else known.minutes_left
        yield told["minutes"], left, is_whole(told["minutes"], *left)
    if told["at"]:
        least, most = known.minutes_until_end_at(known.uncapped_bytes_per_second)
        yield from _named_rate(told["at"], known)
    else:
        least, most = known.minutes_until_end_at(known.reference_bytes_per_second)
        yield rate(told["reference"], known.reference_bytes_per_second)
    yield told["span"], (least, most), most > 0 and is_duration(told["span"], least, most)
    if told["end"]:
        middle = known.asked + timedelta(minutes=(least + most) / 2)
        blur = timedelta(minutes=(most - least) / 2) + (known.time - known.asked) + A_SECOND
        yield told["end"], middle, is_clock(told["end"], middle, known.time, blur)


@claim(
    rf"There is time for that(?: until (?P<pace>{CLOCK}))?(?:,? at the pace of now(?: and if driven at (?P<both>{RATE})"
    rf" MiB/s without a pause)?,?)?(?:(?: and (?P<none>none)| until (?P<full>{CLOCK})) if driven at (?P<rate>{RATE})"
    rf" MiB/s without a pause)?\.(?: After that begin with 2\.)?"
)
def _time_for_what_is_free(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Twenty minutes before the end, at the pace as it is and at full speed."""
    to_act = timedelta(minutes=20)
    least, most = known.minutes_until_end_at(known.reference_bytes_per_second)
    blur = known.time - known.asked
    for driven in filter(None, (told["both"], told["rate"])):
        yield rate(driven, known.reference_bytes_per_second)
    if told["none"]:
        yield told["none"], most, least * MINUTE < to_act
    if told["full"]:
        middle = known.asked + timedelta(minutes=(least + most) / 2) - to_act
        yield told["full"], middle, is_clock(told["full"], middle, known.time, (most - least) / 2 * MINUTE + blur)
    if told["pace"]:
        ends = []
        for pace in (known.pace, known.pace_of(DRAINING_MINUTES)):
            drain, apart = pace.drain_bytes_per_second, pace.blur_bytes_per_second
            if drain > 0:
                # What hardly falls may not fall at all.
                least = known.balance_bytes / (drain + apart) / MINUTE_SECONDS
                most = known.balance_bytes / (drain - apart) / MINUTE_SECONDS if drain > apart else inf
                most = max(least, min(most, TOLD_AHEAD_MINUTES))
                middle = known.newest_time + (least + most) / 2 * MINUTE - to_act
                ends.append((middle, is_clock(told["pace"], middle, known.time, (most - least) / 2 * MINUTE + blur)))
        yield told["pace"], ends, any(held for _, held in ends)


@claim(
    rf"At the pace of {LAST} \(falling by (?P<drain>{RATE}) MiB/s\) they "
    rf"(?:last (?P<span>{SPAN})(?:, until (?P<end>{CLOCK}))?|ran out at (?P<gone>{CLOCK}): they may be gone by now)\."
)
def _end_at_the_pace(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    pace = known.pace
    yield _last(told["last"], pace)
    yield rate(told["drain"], pace.drain_bytes_per_second, pace.blur_bytes_per_second)
    slowest = pace.drain_bytes_per_second - pace.blur_bytes_per_second
    least = known.balance_bytes / (pace.drain_bytes_per_second + pace.blur_bytes_per_second) / MINUTE_SECONDS
    most = known.balance_bytes / slowest / MINUTE_SECONDS if slowest > 0 else inf
    youngest, oldest = known.age_minutes
    if told["span"]:
        yield told["span"], (least, most), is_duration(told["span"], least - oldest, most - youngest)
    if told["end"] or told["gone"]:
        end = told["end"] or told["gone"]
        latest = min(most, TOLD_AHEAD_MINUTES)
        middle = known.newest_time + timedelta(minutes=(least + latest) / 2)
        yield end, middle, is_clock(end, middle, known.time, timedelta(minutes=(latest - least) / 2))
        may_be, must_be = least <= oldest * (1 + SUMMING), most <= youngest * (1 - SUMMING)
        yield end, (least, most), must_be <= (told["gone"] is not None) <= may_be


@claim(
    rf"(?P<head>\w+): (?:\w+ is over, )?credits gone at (?P<end>\d\d:\d\d UTC), in (?P<span>{SPAN})(?=, fs-|, unless)"
)
def _end_in_a_subject(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """At the pace that the mail has, counted from it. How far away it is tells the day."""
    pace = known.pace_of(DRAINING_MINUTES) if told["head"] == "DRAINING" else known.pace
    youngest, oldest = known.age_minutes
    slowest = pace.drain_bytes_per_second - pace.blur_bytes_per_second
    least = known.balance_bytes / (pace.drain_bytes_per_second + pace.blur_bytes_per_second) / MINUTE_SECONDS
    most = known.balance_bytes / slowest / MINUTE_SECONDS if slowest > 0 else inf
    yield told["span"], (least, most), is_duration(told["span"], least - oldest, most - youngest)
    latest = min(most, TOLD_AHEAD_MINUTES)
    middle = known.newest_time + timedelta(minutes=(least + latest) / 2)
    blur = timedelta(minutes=(latest - least) / 2) + MINUTE
    ends = {f"{middle + offset * MINUTE:%H:%M} UTC" for offset in range(-ceil(blur / MINUTE), ceil(blur / MINUTE) + 1)}
    yield told["end"], middle, told["end"] in ends


@claim(r"unless it ends as (?P<times>\d+) before(?=, fs-)")
@claim(r"They fell as fast (?P<times>twice|\d+ times) before in the last 24 hours")
def _fell_as_fast(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    times = 2 if told["times"] == "twice" else int(told["times"].removesuffix(" times"))
    fewest, most = EarlierFalls(known, DRAINING_MINUTES).counts
    yield told["times"], (fewest, most), fewest <= times <= most


@claim(
    rf", for about (?P<longest>{SPAN}) at the longest and by less than (?P<most>{RATE}) GiB, and each time "
    rf"the load ended before the credits did\. If this fall takes no more, at least (?P<left>{RATE}) GiB are left: "
    r"(?P<minutes>[\d,]+) minutes? at full speed\."
)
def _ended_by_themselves(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    falls = EarlierFalls(known, DRAINING_MINUTES)
    least, longest = falls.longest_minutes
    yield told["longest"], (least, longest), is_duration(told["longest"], least, longest)
    blur = known.earned_bytes_per_second * STEP.total_seconds()
    yield size(told["most"], falls.most_bytes + blur, blur)
    yield size(told["left"], falls.top_bytes - falls.most_bytes - blur, blur)
    left = [(falls.top_bytes - falls.most_bytes - part * blur) / known.threshold_bytes(1) for part in (2, 0)]
    yield told["minutes"], left, is_whole(told["minutes"], *left)
    yield "each time", falls.lowest_bytes, falls.lowest_bytes >= known.threshold_bytes(1)


@claim(rf"At the pace of {LAST} they do not end: the balance neither falls nor rises")
def _no_end(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    pace = known.pace
    yield _last(told["last"], pace)
    yield rate("0.0", pace.drain_bytes_per_second, pace.blur_bytes_per_second)


@claim(rf"At the pace of {LAST} they do not end")
def _rises_over(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield _last(told["last"], known.pace)


@claim(
    rf"the balance is rising by (?P<gain>{RATE}) MiB/s(?: and will be above (?P<lead>\d+) minutes? "
    rf"(?:at (?P<end>{CLOCK})|in (?P<later>more than two days)))?\."
)
def _rising(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    pace = known.pace
    gain, blur = -pace.drain_bytes_per_second, pace.blur_bytes_per_second
    yield rate(told["gain"], gain, blur)
    if not told["lead"]:
        return
    yield same(int(told["lead"]) in known.lead_minutes.values(), True)
    missing = known.threshold_bytes(int(told["lead"])) - known.balance_bytes
    least = missing / (gain + blur) / MINUTE_SECONDS
    most = missing / (gain - blur) / MINUTE_SECONDS if gain > blur else inf
    if told["later"]:
        yield told["later"], most, is_duration(told["later"], least, most)
        return
    latest = min(most, TOLD_AHEAD_MINUTES)
    middle = known.newest_time + timedelta(minutes=(least + latest) / 2)
    yield told["end"], middle, is_clock(told["end"], middle, known.time, timedelta(minutes=(latest - least) / 2))


@claim(r"It is above (?P<lead>\d+) minutes: if it stays so, the alarm ends within 15 minutes\.")
def _ends_soon(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["lead"]) in known.lead_minutes.values(), True)
    yield told["lead"], known.balance_bytes, known.balance_bytes >= known.threshold_bytes(int(told["lead"]))


@claim(
    r"(?P<day>Today|Yesterday|A week ago) the credits fell from about (?P<start>\d\d:\d\d) UTC"
    r"(?:, and were (?:nearly )?gone at about (?P<gone>\d\d:\d\d) UTC| "
    rf"to (?P<end>\d\d:\d\d) UTC, by (?:about )?(?P<lost>{RATE}) GiB(?P<more> or more)?)\. "
    r"If that load comes again(?:, like those before it)?, "
    r"(?:they are gone at about|(?P<most>at most )?(?P<left>\d+) minutes? (?:is|are) left at) "
    rf"(?P<then>{CLOCK})\."
)
def _comes_again(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Of that day's minutes, one by one; the mail reads them in steps of five."""
    past = Past(known, told["day"])
    start, then = past.moment(told["start"]), clock(told["then"], known.time)
    end = past.moment(told["gone"] or told["end"], start)
    top = past.top(start)
    top_time = known.player.time_of(top.minute)
    yield told["start"], top_time, abs(top_time - start) <= STEP and past.is_named_rightly(start)
    if told["gone"]:
        gone = past.gone_after(top)
        yield told["gone"], gone, end - MINUTE <= gone <= end + STEP
    else:
        lowest = past.lowest(top, end + STEP)
        lowest_time = known.player.time_of(lowest.minute)
        yield told["end"], lowest_time, abs(lowest_time - end) <= 2 * STEP
        earned_in_two_steps = known.earned_bytes_per_second * 2 * STEP.total_seconds()
        lost_bytes = lowest_bytes(top) - lowest_bytes(lowest)
        exact = size(told["lost"], lost_bytes, earned_in_two_steps)
        yield (*exact[:2], exact[2] or (told["more"] is not None and number(told["lost"]) * GIB <= lost_bytes))
    if told["left"]:
        left = past.minutes_left_at(then)
        is_about = abs(int(told["left"]) - left) <= LEFT_BLUR_MINUTES
        yield told["left"], left, is_about or (told["most"] is not None and int(told["left"]) >= left)
        if told["gone"]:
            # Who went on without credits would have gone on with them.
            lifted = past.lifted_after(gone) + past.back
            yield told["then"], lifted, abs(then - lifted) <= STEP
        else:
            yield told["then"], end + past.back, then == end + past.back
    else:
        yield told["then"], "when a minute's worth is left", past.may_be_gone_again(then)


@claim(
    rf"(?:Today|Yesterday) from about (?P<began>\d\d:\d\d) UTC to (?P<ended>\d\d:\d\d) UTC clients took all of the "
    rf"(?P<there>{RATE}) MiB/s that were there without credits: how much more they wanted is in no metric\. If that "
    rf"load comes again, it (?P<spends>spends|may spend) credits from about (?P<then>{CLOCK}) on\."
)
def _held_down(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Of each five minutes between the two: all of the limit was taken, while no more was permitted or nothing was
    left; but for pauses of less than half an hour, and none at either end, nor any in elastic throughput.
    """
    past = Past(known, "Today")
    then = clock(told["then"], known.time)
    began = then - A_DAY
    ended = past.moment(told["ended"], began)
    steps = [step for step in known.steps(began) if known.player.time_of(step[0].minute) < ended]
    held = [_is_held_down(step, known) for step in steps]
    pauses = [len(list(pause)) for is_held, pause in groupby(held) if not is_held]
    there_bytes_per_second = _there_without_credits(steps, known)
    yield rate(told["there"], there_bytes_per_second)
    has_grown = 1.01 * there_bytes_per_second < known.baseline_bytes_per_second
    yield told["spends"], has_grown, has_grown == (told["spends"] == "may spend")
    yield told["began"], began, f"{began:%H:%M}" == told["began"] and known.time <= then + STEP
    yield told["began"], held, held[:1] == [True]
    yield told["ended"], held, held[-1:] == [True] and len(held) == (ended - began) // STEP
    yield told["ended"], pauses, max(pauses, default=0) < REST_MINUTES * MINUTE // STEP
    yield told["ended"], "no elastic throughput", not any(map(_has_elastic_minutes, steps))


@claim(
    rf"From more than a day ago until about (?P<ended>{CLOCK}) clients took all of the (?P<there>{RATE}) MiB/s that "
    r"were there without credits: how much more they wanted is in no metric\. That load may come again at any hour\."
)
def _held_down_for_long(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    ended = clock(told["ended"], known.time)
    steps = [step for step in known.steps(known.time - A_DAY) if known.player.time_of(step[0].minute) < ended]
    held = [_is_held_down(step, known) for step in steps]
    yield rate(told["there"], _there_without_credits(steps, known))
    yield "more than a day", held, held[:1] == [True]
    yield told["ended"], held, held[-1:] == [True]


def _there_without_credits(steps: Sequence[Sequence[Lived]], known: Known) -> float:
    """The highest rate of the steps in which no more was permitted than is earned now; that, where there are none."""
    highest = [max(one.permitted_bytes_per_second for one in step) for step in steps]
    limit = known.baseline_bytes_per_second
    return max((one for one in highest if one <= 1.01 * limit), default=limit)


def _has_elastic_minutes(step: Sequence[Lived]) -> bool:
    return any(isinstance(one.mode, Elastic) for one in step)


def _is_held_down(step: Sequence[Lived], known: Known) -> bool:
    limit, lowest = known.baseline_bytes_per_second, min(map(lowest_bytes, step))
    takes_all = sum(one.metered_bytes for one in step) >= 0.95 * limit * STEP.total_seconds()
    permitted = max(one.permitted_bytes_per_second for one in step)
    is_held = lowest < known.reference_bytes_per_second or permitted <= 1.01 * limit
    return takes_all and is_held and lowest < known.threshold_bytes(1)


def _spell(known: Known, told: re.Match[str]) -> tuple[datetime, datetime]:
    """Between which moments it was so, when it last was."""
    past = Past(known, "Today")
    began = past.latest(told["began"])
    return began, past.moment(told["ended"], began)


@claim(
    rf"(?:Today|Yesterday) from about (?P<began>\d\d:\d\d) UTC to (?P<ended>\d\d:\d\d) UTC a provisioned rate, as it "
    rf"seems, held clients down to (?P<rate>{RATE}) MiB/s for about (?P<span>{SPAN}): how much more they wanted is "
    rf"in no metric\. That the balance came back then says nothing of that load on credits, where it may take up to "
    rf"(?P<reference>{RATE}) MiB/s\.(?: If that load comes again, it spends credits from about (?P<then>{CLOCK}) on\.)?"
)
def _held_by_a_provisioned_rate(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Of each minute of it; the mail reads them in steps of five, and leaves out those in which some was left."""
    began, ended = _spell(known, told)
    held = [
        one
        for one in known.player.lived
        if began <= known.player.time_of(one.minute) < ended
        and isinstance(one.mode, Provisioned)
        and one.metered_bytes >= 0.95 * one.mode.bytes_per_second * MINUTE_SECONDS
    ]
    rates = [one.mode.bytes_per_second for one in held if isinstance(one.mode, Provisioned)]
    yield rate(told["rate"], max(rates, default=0.0))
    yield told["span"], len(held), is_duration(told["span"], len(held) - 2 * STEP / MINUTE, len(held) + STEP / MINUTE)
    yield rate(told["reference"], known.reference_bytes_per_second)
    yield told["rate"], known.earned_bytes_per_second, max(rates, default=0.0) > known.earned_bytes_per_second
    if told["then"]:
        yield told["then"], began + A_DAY, is_clock(told["then"], began + A_DAY, known.time)
        yield told["then"], began + A_DAY, began + A_DAY >= known.asked


@claim(
    rf"(?:Today|Yesterday) from (?P<edge>about|before) (?P<began>\d\d:\d\d) UTC to (?P<ended>\d\d:\d\d) UTC, in "
    rf"another throughput mode, clients moved (?P<metered>{RATE}) MiB/s as metered\. If that load comes again, "
    rf"(?:the credits are gone at about|(?P<left>\d+) minutes? (?:is|are) left at) (?P<then>{CLOCK})\."
)
def _comes_again_from_another_mode(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Each minute of the load, and of what came before it, laid upon the balance; the mail does so in steps of five."""
    began, ended = _spell(known, told)
    load = [one for one in known.player.lived if began <= known.player.time_of(one.minute) < ended]
    moved = sum(one.metered_bytes for one in load)
    around = [known.player.lived[max(0, one.minute + by)] for one in load[:1] + load[-1:] for by in (-6, 6)]
    earned = known.earned_bytes_per_second * MINUTE_SECONDS
    yield rate(told["metered"], moved / len(load) / MINUTE_SECONDS, 0.05 * MIB)
    before = around[0].metered_bytes > earned if told["edge"] == "before" else around[0].metered_bytes <= earned
    yield told["began"], around[0].minute, before and earned < around[1].metered_bytes
    over = known.lives_on_credits(around[3]) or around[3].metered_bytes <= earned
    yield told["ended"], around[3].minute, over and not known.lives_on_credits(load[0])
    left, moment = known.balance_bytes, known.newest_time
    while left >= known.threshold_bytes(1) and moment < ended + A_DAY:
        moment += MINUTE
        then_moved = known.player.lived[known.player.minute_at(moment - A_DAY)]
        spends = began <= moment - A_DAY < ended
        left += earned - (then_moved.metered_bytes if spends else 0.0)
    yield told["then"], moment, is_clock(told["then"], moment, known.time, 2 * STEP)
    if told["left"]:
        yield told["left"], left, abs(int(told["left"]) - left / known.threshold_bytes(1)) <= LEFT_BLUR_MINUTES


@claim(r"[Nn]o action is needed")
def _no_action(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Against what really came."""
    zero = zero_within(known, QUIET_HOURS)
    yield told[0], zero, zero is None


@claim(rf"FIGURES of (?P<time>{CLOCK}), the newest that CloudWatch has")
def _newest(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield told["time"], known.newest_time, is_clock(told["time"], known.newest_time, known.time)


@claim(
    rf"- Balance: (?P<balance>{RATE}) GiB, (?P<share>{RATE}) % of a full bucket"
    rf"(?:, (?P<by_now>{RATE}) GiB by (?P<now>{CLOCK}) at the pace of {LAST})?\. "
    rf"(?P<alarm>Warning|Critical|Exhausted) is on below (?P<threshold>{RATE}) GiB \((?P<lead>\d+) minutes?"
    rf"(?: at (?P<at>{RATE}) MiB/s)?\)"
)
def _balance(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lead = known.lead_minutes[told["alarm"].lower()]
    yield size(told["balance"], known.balance_bytes)
    yield told["share"], known.bucket_share, is_percent(told["share"], known.bucket_share)
    yield same(int(told["lead"]), lead)
    if told["at"]:
        yield from _named_rate(told["at"], known)
        yield size(told["threshold"], lead * MINUTE_SECONDS * known.uncapped_bytes_per_second)
    else:
        yield size(told["threshold"], known.threshold_bytes(lead))
    if told["by_now"]:
        # That of the Draining alarm is its own.
        pace = known.pace if _last(told["last"], known.pace)[2] else known.pace_of(DRAINING_MINUTES)
        least, most = known.by_now(pace)
        yield _last(told["last"], pace)
        yield size(told["by_now"], (least + most) / 2, (most - least) / 2)
        yield told["now"], known.asked, is_clock(told["now"], known.asked, known.time)


@claim(
    rf"- Throughput \((?P<mode>\w+) mode\): (?P<permitted>{RATE}) MiB/s permitted then, (?P<baseline>{RATE}) MiB/s "
    r"without credits"
)
def _throughput(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(told["mode"], MODES[type(known.now.mode)])
    yield rate(told["permitted"], known.hour[-1].permitted_bytes_per_second)
    yield rate(told["baseline"], known.baseline_bytes_per_second)


@claim(rf"- Balance in {LAST}: (?P<way>fell|rose) by (?P<change>{RATE}) GiB, (?P<net>{RATE}) MiB/s net")
def _movement(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    hour = known.whole_hour
    sign = 1 if told["way"] == "fell" else -1
    seconds = hour.minutes * MINUTE_SECONDS
    yield _last(told["last"], hour)
    yield size(told["change"], sign * hour.drain_bytes_per_second * seconds, hour.blur_bytes_per_second * seconds)
    yield rate(told["net"], sign * hour.drain_bytes_per_second, hour.blur_bytes_per_second)


@claim(rf"- Balance in {LAST}: neither fell nor rose")
def _no_movement(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield _last(told["last"], known.whole_hour)
    yield rate("0.0", known.whole_hour.drain_bytes_per_second, known.whole_hour.blur_bytes_per_second)


@claim(rf"- Clients in {OBSERVED}: (?P<metered>{RATE}) MiB/s as metered")
def _clients(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield _observed(told, known)
    yield rate(told["metered"], known.metered_bytes_per_second)


@claim(rf"[Cc]lients moved no bytes in {OBSERVED}")
def _idle_clients(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield _observed(told, known)
    yield rate("0.0", known.metered_bytes_per_second)


@claim(rf"- Bytes: (?P<read>{RATE}) % read, (?P<written>{RATE}) % written, (?P<metadata>{RATE}) % metadata")
def _shares(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    moved = known.moved_bytes
    for kind, amount in zip(("read", "written", "metadata"), moved, strict=True):
        share = amount / sum(moved)
        yield told[kind], share, is_percent(told[kind], share)


@claim(rf"Who drives it, by {LAST}: (?P<kind>mostly reads|mostly writes|mostly metadata|no single kind)")
def _driver_lately(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lately = [one for one in known.hour if known.player.time_of(one.minute) > known.newest_time - QUARTER_OF_AN_HOUR]
    yield told["last"], len(lately), told["last"] == f"{len(lately)} minutes"
    spent = (
        sum(one.moved.read_bytes for one in lately) / 3,
        sum(one.moved.write_bytes for one in lately),
        sum(one.moved.metadata_operations for one in lately) * METADATA_OPERATION_BYTES,
    )
    share = max(spent) / sum(spent)
    kind = ("mostly reads", "mostly writes", "mostly metadata")[spent.index(max(spent))]
    yield told["kind"], (kind, share), told["kind"] == (kind if share >= 0.6 else "no single kind")


@claim(rf"(?P<read>{MONEY}) per GB read, (?P<written>{MONEY}) per GB written")
def _elastic_prices(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    del known
    yield told["read"], ELASTIC_READ_DOLLARS_A_GIB, is_money(told["read"], ELASTIC_READ_DOLLARS_A_GIB)
    yield told["written"], ELASTIC_WRITTEN_DOLLARS_A_GIB, is_money(told["written"], ELASTIC_WRITTEN_DOLLARS_A_GIB)


@claim(
    rf"A day like the last 24 hours(?:, limited as they were,)? costs at least (?P<day>{MONEY}), which is for the time "
    rf"of the lock(?:; what was moved since about (?P<since>{CLOCK}), when the balance began to fall, at least "
    rf"(?P<night>{MONEY}))?; a month of such days (?P<month>{MONEY})\. Each"
)
def _elastic_estimate(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    dollars = known.elastic_dollars(known.asked - A_DAY)
    yield told["day"], dollars, is_money(told["day"], dollars)
    a_month = dollars * HOURS_A_MONTH / 24
    yield told["month"], a_month, is_money(told["month"], a_month)
    if not told["since"]:
        return
    past = Past(known, "Today")
    since = clock(told["since"], known.time)
    top = past.top(since)
    began = known.player.time_of(top.minute)
    yield told["since"], began, abs(began - since) <= STEP and lowest_bytes(top) > known.balance_bytes
    dollars = _elastic_dollars_since(since, known)
    yield told["night"], dollars, is_money(told["night"], dollars)


def _elastic_dollars_since(since: datetime, known: Known) -> float:
    """Of the five minutes of the clock in which that is, by the share of them that is left."""
    step = since - since.minute % (STEP // MINUTE) * MINUTE
    later = known.elastic_dollars(step + STEP)
    if step < known.asked - A_DAY:
        return later
    return later + (step + STEP - since) / STEP * (known.elastic_dollars(step) - later)


@claim(
    rf"The (?P<minutes>[\d,]+) minutes? that CloudWatch has of the last 24 hours(?:, limited as they were,)? cost at "
    rf"least (?P<part>{MONEY}); at their average the 24 hours of the lock cost (?P<day>{MONEY})\."
)
def _elastic_estimate_of_less_than_a_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    minutes = known.minutes_of_the_day
    dollars = known.elastic_dollars(known.asked - A_DAY)
    yield same(int(told["minutes"].replace(",", "")), minutes)
    yield told["part"], dollars, is_money(told["part"], dollars)
    a_day = dollars * A_DAY.total_seconds() / MINUTE_SECONDS / minutes
    yield told["day"], a_day, is_money(told["day"], a_day)


@claim(r"--provisioned-throughput-in-mibps (?P<amount>\d+)")
@claim(r"(?P<amount>[\d,]+) MiB/s covers the (?:busiest five minutes|one minute|\d minutes|load of the last)")
@claim(r"(?P<amount>[\d,]+) MiB/s is the most that AWS takes in [-\w ]+, unless its Support has raised that quota")
@claim(r"a month for (?P<amount>[\d,]+) MiB/s")
def _provisioned(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """In elastic throughput nothing cut off what was moved, and its price is the one to beat. Of a load that was held
    down without credits, what it may have with them.
    """
    busiest, needed = known.busiest_of_the_day_bytes_per_second, known.needed_mib_per_second
    needed = min(needed, known.highest_provisioned_mib_per_second)
    of_credits = min(_mib_per_second_of_credits(known), known.highest_provisioned_mib_per_second)
    if int(told["amount"].replace(",", "")) == of_credits and busiest <= 1.1 * known.baseline_bytes_per_second:
        yield told["amount"], of_credits, of_credits * MIB > known.baseline_bytes_per_second
        return
    if isinstance(known.now.mode, Elastic):
        busiest = busiest_step_bytes_per_second(known)
        needed = ceil(round(busiest / MIB, 6))
        a_day = (needed - known.earned_bytes_per_second / MIB) * PROVISIONED_DOLLARS_A_MIB_SECOND * 24 / HOURS_A_MONTH
        elastic = known.elastic_dollars(max(changed(known), known.asked - A_DAY))
        yield told["amount"], (a_day, elastic), 2 * a_day < elastic
    yield same(int(told["amount"].replace(",", "")), needed)
    yield told["amount"], known.baseline_bytes_per_second / MIB, busiest > known.baseline_bytes_per_second


@claim(
    rf"covers? (?:the (?:busiest five minutes|load) of )?(?:the last (?:24 hours|minute|\d minutes)|{OBSERVED}) "
    rf"\((?P<busiest>{RATE}) MiB/s as metered; (?P<baseline>{RATE}) MiB/s is there without credits\)"
)
def _why_this_much(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["busiest"], known.busiest_of_the_day_bytes_per_second)
    yield rate(told["baseline"], known.baseline_bytes_per_second)


@claim(
    rf"covers the busiest five minutes of (?:the last 24 hours|the time since (?P<since>{CLOCK})) "
    rf"\((?P<busiest>{RATE}) MiB/s as metered\)"
)
def _busiest_in_another_mode(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["busiest"], busiest_step_bytes_per_second(known))
    if told["since"]:
        since, began = clock(told["since"], known.time), changed(known)
        yield told["since"], began, began <= since + MINUTE and since <= began + SEEN_WITHIN


@claim(r"(?P<amount>[\d,]+) MiB/s is (?:what|(?P<most>the most that)) it may have with credits")
def _as_with_credits(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["amount"].replace(",", "")), _mib_per_second_of_credits(known))
    yield same(told["most"] is not None, known.is_cap_unknown())


def _mib_per_second_of_credits(known: Known) -> int:
    """What the size gives where nobody can know yet that its Region permits less."""
    permitted = known.uncapped_bytes_per_second if known.is_cap_unknown() else known.reference_bytes_per_second
    return ceil(round(permitted / MIB, 6))


@claim(
    rf"They (?P<words>reached|came within 3 % of) the limit of (?P<limit>{RATE}) MiB/s, which may have cut them off: "
    rf"(?:so a quarter is added|they may want more than it)"
)
def _reached_the_limit(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["limit"], known.reference_bytes_per_second)
    yield told["limit"], known.busiest_of_the_day_bytes_per_second, known.reached_the_limit
    share = known.busiest_of_the_day_bytes_per_second / known.reference_bytes_per_second
    yield told["words"], share, (share >= 0.99) is (told["words"] == "reached")


@claim(
    rf"With half of it, (?P<half>[\d,]+) MiB/s, (?P<share>{RATE}) % of what was metered then would have been cut off"
)
def _cut_off(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    half = known.needed_mib_per_second // 2
    yield same(int(told["half"].replace(",", "")), half)
    yield told["share"], half, is_percent(told["share"], known.cut_off_share(half * MIB))


@claim(rf"what is above it is cut off, (?P<share>{RATE}) % of what was metered then")
def _cut_off_at_the_most(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    highest = known.highest_provisioned_mib_per_second
    yield told["share"], highest, is_percent(told["share"], known.cut_off_share(highest * MIB))


@claim(
    rf"cannot be told from (?:the last 24 hours|{OBSERVED}): clients got (?P<busiest>{RATE}) MiB/s in "
    rf"(?:its busiest five minutes|it), and (?P<baseline>{RATE}) MiB/s are there without credits"
)
def _why_no_number(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    busiest = known.busiest_of_the_day_bytes_per_second
    yield rate(told["busiest"], busiest)
    yield rate(told["baseline"], known.baseline_bytes_per_second)
    # A tenth above it is what a load that is held down is metered as at most.
    yield told["busiest"], known.baseline_bytes_per_second, busiest <= 1.1 * known.baseline_bytes_per_second


@claim(rf"load needs is not known; (?P<baseline>{RATE}) MiB/s are there without credits")
def _nothing_known(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["baseline"], known.baseline_bytes_per_second)
    yield told["baseline"], len(known.hour), not known.hour


@claim(
    rf"(?P<price>{MONEY}) per MiB/s-month above what the size earns \((?P<earned>{RATE}) MiB/s\): (?P<lock>{MONEY}) "
    rf"(?:for the 24 hours of the lock|a day), (?P<month>{MONEY}) a month for (?P<amount>[\d,]+) MiB/s"
)
def _provisioned_price(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    price = PROVISIONED_DOLLARS_A_MIB_SECOND
    dollars = (int(told["amount"].replace(",", "")) - known.earned_bytes_per_second / MIB) * price
    yield told["price"], price, is_money(told["price"], price)
    yield rate(told["earned"], known.earned_bytes_per_second)
    yield told["lock"], dollars * 24 / HOURS_A_MONTH, is_money(told["lock"], dollars * 24 / HOURS_A_MONTH)
    yield told["month"], dollars, is_money(told["month"], dollars)


@claim(rf"(?:The|With pauses, the) balance has been falling since (?:about )?(?P<since>{CLOCK})\.")
def _falling_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    since = clock(told["since"], known.time)
    top = Past(known, "Today").top(since)
    began = known.player.time_of(top.minute)
    yield told["since"], began, abs(began - since) <= STEP and lowest_bytes(top) > known.balance_bytes


@claim(
    rf"CloudWatch's reason for the alarm \((?P<time>{CLOCK})\): LATE METRICS: The balance was (?P<balance>{RATE}) GiB "
    rf"at (?P<minute>{CLOCK}), below the threshold\. The newest datapoint of \S+ is (?P<age>\d+) minutes old\. "
    r"CloudWatch looks back 15,"
)
def _reason_of_late_metrics(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """In the words of the moment at which the monitor set the alarm."""
    minute = clock(told["minute"], known.time)
    balance_bytes = lowest_bytes(known.player.lived[known.player.minute_at(minute)])
    set_at = clock(told["time"], known.time)
    was_known = (one for one in known.player.lived if one.visible_at is not None and one.visible_at <= set_at)
    age = (set_at - known.player.time_of(max(one.minute for one in was_known))) / MINUTE
    yield size(told["balance"], balance_bytes)
    yield told["age"], age, abs(int(told["age"]) - age) <= 1


@claim(
    rf"CloudWatch's reason for its end \((?P<time>{CLOCK})\): LATE METRICS: For 15 minutes the balance was not below "
    rf"the threshold, at last (?P<balance>{RATE}) GiB at (?P<minute>{CLOCK})\. The newest datapoint of \S+ is "
    r"(?P<age>\d+) minutes old\. CloudWatch looks back 15,"
)
def _reason_of_a_late_end(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield from _reason_of_late_metrics(known, told)


@claim(r"The balance has been falling for more than a day\.")
def _falling_for_a_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Its highest point of these 24 hours is their beginning, but for the breathing of a file system at work."""
    day_ago = known.newest_time - A_DAY
    day = [one for one in known.player.lived[: known.newest.minute + 1] if known.player.time_of(one.minute) >= day_ago]
    top = max(day, key=lambda one: (lowest_bytes(one), one.minute))
    yield told[0], known.player.time_of(top.minute), top.minute - day[0].minute <= REST_MINUTES


@claim(rf"The (?P<alarm>Warning|Critical) alarm of .{{1,80}} is over\. It was on since (?P<since>{CLOCK})\.")
def _was_on_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    went_on = _went_on(told["alarm"], known)
    yield told["since"], went_on, is_clock(told["since"], went_on, known.time, MINUTE)


@claim(rf"The incident on .{{1,80}} that began at (?P<began>{CLOCK}) is over, by a change of the throughput mode")
def _ended_by_the_mode(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The first to go off of the alarms that were on until that minute."""
    on: dict[str, datetime] = {}
    for one in known.player.sandbox.transitions:
        if one.time < known.time:
            on.pop(one.alarm, None)
            if one.new == "ALARM" and one.alarm.endswith(("-warning", "-critical", "-exhausted")):
                on[one.alarm] = one.time
    began = min(on.values(), default=None)
    yield told["began"], began, began is not None and is_clock(told["began"], began, known.time, MINUTE)


@claim(rf"while clients use the (?P<earned>{RATE}) MiB/s of credits that the size earns")
def _what_is_earned(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Who uses less of them gets a minute's worth back in a useful time."""
    yield rate(told["earned"], known.earned_bytes_per_second)
    earned = known.earned_bytes_per_second * USEFUL_TIME.total_seconds()
    yield told[0], (earned, known.threshold_bytes(1)), earned >= known.threshold_bytes(1)


@claim(r"At this size credits do not come back by themselves in any useful time")
@claim(r"Less load brings no credits back at this size: what is stored earns next to nothing")
def _earns_next_to_nothing(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    earned = known.earned_bytes_per_second * USEFUL_TIME.total_seconds()
    yield told[0], (earned, known.threshold_bytes(1)), earned < known.threshold_bytes(1)


@claim(rf"Clients take all of the (?P<provisioned>{RATE}) MiB/s that are provisioned")
def _take_all(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lately = [one.metered_bytes / MINUTE_SECONDS for one in known.hour[-20:]]
    if isinstance(known.now.mode, Provisioned):
        yield rate(told["provisioned"], known.now.mode.bytes_per_second)
        yield "all", max(lately), max(lately) >= 0.95 * known.now.mode.bytes_per_second


@claim(rf"has (?P<provisioned>{RATE}) MiB/s provisioned|Its limit is now (?P<limit>{RATE}) MiB/s at any time")
def _what_is_provisioned(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    mode = known.now.mode
    yield same(isinstance(mode, Provisioned), True)
    if isinstance(mode, Provisioned):
        yield rate(told["provisioned"] or told["limit"], mode.bytes_per_second)


@claim(rf"may (?:now )?be driven at (?P<reference>{RATE}) MiB/s")
@claim(rf"PermittedThroughput with credits is (?P<reference>{RATE}) MiB/s")
@claim(rf"its size gives (?P<reference>{RATE}) MiB/s")
def _reference(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.reference_bytes_per_second)


@claim(rf"When a mail last told of them, or else at deployment, they stood for (?P<reference>{RATE}) MiB/s")
def _last_told(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.last_told_bytes_per_second)


@claim(
    rf"- (?P<alarm>Warning|Critical|Exhausted), (?P<lead>\d+) minutes? ahead: below (?P<now>{RATE}) GiB"
    rf"(?:, was (?P<before>{RATE}) GiB)?"
)
def _thresholds(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lead = known.lead_minutes[told["alarm"].lower()]
    yield same(int(told["lead"]), lead)
    exact = size(told["now"], known.threshold_bytes(lead))
    by_size = size(told["now"], lead * MINUTE_SECONDS * known.uncapped_bytes_per_second)
    yield by_size if known.is_cap_unknown() and not exact[2] else exact
    if told["before"]:
        yield size(told["before"], lead * MINUTE_SECONDS * known.last_told_bytes_per_second)


@claim(rf"no burst credits left(?: if the load went on)?, limited to (?P<baseline>{RATE}) MiB/s")
def _none_left(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By now: the newest datapoint is some minutes older than the mail, and does not show what was earned since."""
    yield rate(told["baseline"], known.baseline_bytes_per_second)
    newest_bytes, late = known.balance_bytes, known.time - known.newest_time
    yield "none left", newest_bytes, newest_bytes < known.threshold_bytes(1)
    if late < timedelta(minutes=10):
        earned_bytes = known.earned_bytes_per_second * late.total_seconds()
        now_bytes = lowest_bytes(known.now)
        yield "none left now", now_bytes, now_bytes < known.threshold_bytes(1) + earned_bytes


@claim(
    rf"They were gone (?P<times>once|twice|\d+ times) before in the last 24 hours, (?:the last time )?"
    rf"(?:from about (?P<began>{CLOCK}) to|until about) (?P<ended>{CLOCK})\."
)
def _gone_before(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By what each minute permitted, and had left; the mail reads them in steps of five."""
    times = {"once": 1, "twice": 2}.get(told["times"]) or int(told["times"].removesuffix(" times"))
    found = list(known.earlier_limited_times())
    yield told["times"], found, any(len(earlier) == times and _are_told(told, earlier[-1], known) for earlier in found)


def _are_told(told: re.Match[str], spell: tuple[datetime, datetime], known: Known) -> bool:
    if not is_clock(told["ended"], spell[1], known.time, STEP):
        return False
    if told["began"]:
        return is_clock(told["began"], spell[0], known.time, STEP)
    # What is older than a day, or than the metrics, is not known.
    known_from = max(known.time - A_DAY, known.player.time_of(known.player.lived[0].minute))
    return spell[0] <= known_from + 2 * STEP


@claim(rf"The burst credits were gone from about (?P<began>{CLOCK}) to (?P<ended>{CLOCK})\. The metrics of that time")
def _gone_untold(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the lowest balance of each minute; the mail reads them in steps of five."""
    for moment, truth in zip((told["began"], told["ended"]), known.times_at_zero[-1], strict=True):
        yield moment, truth, is_clock(moment, truth, known.time, STEP)


@claim(rf"were not used up: (?P<lowest>{RATE}) GiB were left at the least, and nothing was limited\.")
def _not_used_up(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    spell = known.times_at_zero[-1]
    yield "nothing was limited", spell, not known.was_limited(spell)
    yield size(told["lowest"], known.lowest_in(spell))


@claim(rf"Less than a minute's worth was left from about (?P<began>{CLOCK}) to (?P<ended>{CLOCK})\. The metrics of")
def _low_untold(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield from _gone_untold(known, told)
    yield "was left", known.times_at_zero[-1], not known.was_limited(known.times_at_zero[-1])


@claim(rf"The limit on .{{1,80}} has been lifted since about (?P<since>{CLOCK})\.")
def _lifted_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the most that was permitted in each five minutes, as far as CloudWatch has them: in those before it was what
    is permitted without credits, and in none since, all of them on credits.
    """
    since = clock(told["since"], known.time)
    steps = known.steps(since - STEP)
    is_limited = [
        max(one.permitted_bytes_per_second for one in step) <= 1.01 * known.baseline_bytes_per_second for step in steps
    ]
    yield told["since"], is_limited, is_limited[:1] == [True] and not any(is_limited[1:])
    yield told["since"], since, known.player.time_of(steps[0][0].minute) == since - STEP
    yield told["since"], "on credits", all(known.lives_on_credits(one) for step in steps for one in step)
    yield told["since"], known.newest_time, known.newest_time - since > timedelta(minutes=10)


@claim(r"have been gone for more than a day")
def _gone_for_long(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    _, ended = known.times_at_zero[-1]
    began = _last_gone(known)
    yield told[0], (began, ended), began <= known.time - A_DAY + STEP and ended > known.newest_time - STEP


@claim(rf"are gone since about (?P<began>{CLOCK})[.,]")
def _gone_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """To the minute where the mail has minutes, which is in the hour before the newest."""
    began = _last_gone(known)
    blur = MINUTE if began > known.newest_time - timedelta(minutes=55) else STEP
    yield told["began"], began, is_clock(told["began"], began, known.time, blur)


def _last_gone(known: Known) -> datetime:
    """When the last time at zero began, or began again after five minutes of the clock in which there was some all the
    while and more was permitted than without.
    """
    began = known.times_at_zero[-1][0]
    limit = 1.01 * known.baseline_bytes_per_second
    steps = known.steps(began.replace(minute=began.minute - began.minute % 5))
    fast = [
        known.player.time_of(step[-1].minute)
        for step in steps
        if min(map(lowest_bytes, step)) >= known.threshold_bytes(1) / 60
        and max(one.permitted_bytes_per_second for one in step) > limit
    ]
    if not fast:
        return began
    since = [one for one in known.player.lived if fast[-1] < known.player.time_of(one.minute) <= known.newest_time]
    low = [one for one in since if lowest_bytes(one) < known.threshold_bytes(1)]
    dry = [one for one in low if lowest_bytes(one) < known.threshold_bytes(1) / 60]
    return known.player.time_of((dry or low)[0].minute)


@claim(rf"if the load went on: the newest datapoint is of (?P<newest>{CLOCK}), (?P<age>\d+) minutes ago\.")
def _gone_by_late_metrics(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    age = known.time - known.newest_time
    yield told["newest"], known.newest_time, is_clock(told["newest"], known.newest_time, known.time)
    yield told["age"], age, age - MINUTE < int(told["age"]) * MINUTE <= age


@claim(
    rf"at the pace of {LAST} they ran out (?:at (?P<end>{CLOCK})\. The newest datapoint|within a minute of the "
    rf"newest datapoint), of (?P<newest>{CLOCK}), (?:still|which) had (?P<balance>{RATE}) GiB\."
)
def _ran_out(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    pace = known.pace
    yield _last(told["last"], pace)
    drain, apart = pace.drain_bytes_per_second, pace.blur_bytes_per_second
    least = known.balance_bytes / (drain + apart) / MINUTE_SECONDS
    most = known.balance_bytes / (drain - apart) / MINUTE_SECONDS if drain > apart else TOLD_AHEAD_MINUTES
    middle, blur = known.newest_time + (least + most) / 2 * MINUTE, (most - least) / 2 * MINUTE + MINUTE
    if told["end"]:
        yield told["end"], middle, is_clock(told["end"], middle, known.time, blur) and middle - blur <= known.time
    else:
        yield "within the minute", least, least < 1
    yield told["newest"], known.newest_time, is_clock(told["newest"], known.newest_time, known.time)
    yield size(told["balance"], known.balance_bytes)


@claim(rf"Without any it is limited to (?P<baseline>{RATE}) MiB/s, not (?P<reference>{RATE}) MiB/s")
def _limited_description(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield _of_a_description(known, told["reference"], told["baseline"])


@claim(
    rf"fall by (?P<drain>{RATE}) MiB/s: that was the pace of {LAST}\. If that (?:goes on, they are gone at "
    rf"(?P<end>{CLOCK}), (?P<span>{SPAN}) from now|went on, they have been gone since (?P<gone>{CLOCK}))\."
)
def _draining(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """At the pace of the minutes that set off the alarm, and counted from the mail."""
    pace = known.pace_of(DRAINING_MINUTES)
    if "drain" in told.groupdict():
        yield _last(told["last"], pace)
        yield rate(told["drain"], pace.drain_bytes_per_second, pace.blur_bytes_per_second)
    youngest, oldest = known.age_minutes
    slowest = pace.drain_bytes_per_second - pace.blur_bytes_per_second
    least = known.balance_bytes / (pace.drain_bytes_per_second + pace.blur_bytes_per_second) / MINUTE_SECONDS
    most = known.balance_bytes / slowest / MINUTE_SECONDS if slowest > 0 else inf
    latest = max(least, min(most, TOLD_AHEAD_MINUTES))
    middle = known.newest_time + timedelta(minutes=(least + latest) / 2)
    end = told.groupdict().get("gone") or told["end"]
    yield end, middle, is_clock(end, middle, known.time, timedelta(minutes=(latest - least) / 2))
    if told["span"]:
        yield told["span"], (least, most), is_duration(told["span"], least - oldest, most - youngest)


@claim(r"burst credits of \S+ end in fewer than (?P<lead>\d+) minutes at their present pace")
def _draining_description(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["lead"]), known.lead_minutes["critical"])


@claim(rf"It may be driven at (?P<reference>{RATE}) MiB/s(?: again)? until they end")
def _driven_again(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.reference_bytes_per_second)


@claim(r"That is still less than (?P<lead>\d+) minutes")
def _still_low(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["lead"]) in known.lead_minutes.values(), True)
    yield told["lead"], known.minutes_left, known.minutes_left[0] < int(told["lead"])


@claim(r"are down to (?P<lead>\d+) minutes on \w+ (?P<day>\d+) (?P<month>\w+)")
@claim(r"Warning expected on \w+ (?P<day>\d+) (?P<month>\w{3})")
def _expected(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Against what really came."""
    really = min(
        one.time
        for one in known.player.sandbox.transitions
        if one.alarm.endswith("-warning") and one.new == "ALARM" and one.time >= known.time
    )
    yield (
        f"{told['day']} {told['month'][:3]}",
        really,
        (int(told["day"]), told["month"][:3])
        == (
            really.day,
            f"{really:%b}",
        ),
    )


@claim(rf"no datapoint since (?P<time>{CLOCK})")
def _silent_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """When the newest minute was over, told to five minutes."""
    over = known.player.time_of(known.newest_visible.minute + 1)
    yield told["time"], over, is_clock(told["time"], over, known.time, timedelta(minutes=4))


@claim(
    rf"fewer than (?P<lead>\d+) minutes of burst credits are left on \S+ at the permitted (?P<reference>{RATE}) MiB/s"
)
def _description(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["lead"]) in known.lead_minutes.values(), True)
    yield _of_a_description(known, told["reference"])


@claim(
    rf"- Newest benchmark \(in the hour from (?P<time>{CLOCK})\), far slower than usual: "
    r"(?P<rates>(?:[\w-]+ [\d,]+ (?:files/s|MiB/s) \(usually [\d,]+\)(?:, )?)+)\."
)
def _benchmark(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    for one in re.finditer(r"(\S+) ([\d,]+) (files/s|MiB/s) \(usually ([\d,]+)\)", told["rates"]):
        unit = MIB if one[3] == "MiB/s" else 1
        (hour, measured), *earlier = measured_hours(known, one[1])
        usual = median(rate for time, rate in earlier if time < hour - timedelta(hours=1)) / unit
        yield f"{one[1]} {one[2]}", measured / unit, is_rounded(one[2], measured / unit)
        yield f"{one[1]}, usually {one[4]}", usual, is_rounded(one[4], usual)
        yield told["time"], hour, clock(told["time"], known.time) >= hour


@claim(
    rf"mode seems to have been changed at about (?P<changed>{CLOCK}): until then (?:(?P<what>more|another rate) was "
    rf"permitted than the size gives|CloudWatch has no balance of credits)\. If so, AWS refuses another (?:change|mode "
    rf"and a decrease) until about (?P<end>{CLOCK})\."
)
def _locked(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lived = [one for one in known.player.lived if known.player.time_of(one.minute) < known.time]
    changes = [(one, later.minute) for one, later in pairwise(lived) if _locks(one.mode, later.mode)]
    before, minute = changes[-1] if changes else (None, 0)
    changed = known.player.time_of(minute)
    for moment, after in (("changed", timedelta()), ("end", timedelta(days=1))):
        held = before is not None and is_clock(told[moment], changed + after, known.time, STEP)
        yield told[moment], changed, held
    if before is not None:
        is_above = before.permitted_bytes_per_second > known.reference_bytes_per_second
        yield told["what"], before.permitted_bytes_per_second, is_above == (told["what"] == "more")
        no_balance = (told["what"] is None) == (before.permitted_bytes_per_second == known.reference_bytes_per_second)
        yield told["what"], before.permitted_bytes_per_second, no_balance


@claim(rf"has been in (?P<mode>elastic|provisioned) throughput since (?P<since>{CLOCK}), as far as is known")
@claim(rf"in the time since (?P<since>{CLOCK}) cost at least")
def _in_another_mode(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Never before the change, and no later than it was seen."""
    since, began = clock(told["since"], known.time), changed(known)
    yield told["since"], began, began <= since + MINUTE and since <= began + SEEN_WITHIN
    if "mode" in told.groupdict():
        yield same(told["mode"], MODES[type(known.now.mode)])


@claim(
    rf"since (?P<since>{CLOCK}), as far as is known\. The 24 hours in which AWS refuses another change are over\. "
    rf"(?:What was read and written|Now it has (?P<rate>{RATE}) MiB/s provisioned: what was above the "
    rf"(?P<earned>{RATE}) MiB/s that the size earns) cost (?:at least|about) (?P<dollars>{MONEY}) since then"
)
def _spent_in_another_mode(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    since = clock(told["since"], known.time)
    dollars = cost_dollars(known, since)
    yield told["dollars"], dollars, is_money(told["dollars"], dollars)
    yield told["since"], changed(known), changed(known) + A_DAY <= known.time
    if told["rate"] and isinstance(known.now.mode, Provisioned):
        yield rate(told["rate"], known.now.mode.bytes_per_second)
        yield rate(told["earned"], known.earned_bytes_per_second)


@claim(rf"(?:elastic|provisioned) cost (?P<dollars>{MONEY})(?=, fs-)")
def _spent_in_a_subject(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """To the minutes in which the monitor did not know of the change."""
    most = cost_dollars(known, changed(known))
    least = cost_dollars(known, changed(known) + SEEN_WITHIN)
    yield told["dollars"], most, is_rounded(told["dollars"].strip("$"), (least + most) / 2, (most - least) / 2)


@claim(
    rf"begun with the last balance that is known \((?P<opening>{RATE}) GiB\), (?:they would have been gone "
    rf"(?:(?P<at_once>at once)|at about (?P<gone>{CLOCK})), and everything limited to (?P<baseline>{RATE}) MiB/s|"
    rf"at least (?P<lowest>{RATE}) GiB would have been left, at about (?P<then>{CLOCK})\. That is "
    rf"(?:(?P<left>[\d,]+) minutes?|less than 1 minute) at (?P<reference>{RATE}) MiB/s)\."
)
def _on_credits(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    opening = last_balance_bytes(known)
    lived = on_credits(known, opening)
    yield size(told["opening"], opening)
    if told["gone"] or told["at_once"]:
        gone = lived.gone
        began = known.player.time_of(known.newest_whole_day[0][0].minute)
        if told["gone"]:
            yield told["gone"], gone, gone is not None and is_clock(told["gone"], gone, known.time, STEP)
        else:
            yield told["at_once"], gone, gone is not None and gone - began <= 2 * STEP
        yield rate(told["baseline"], known.baseline_bytes_per_second)
        return
    within_a_step = known.earned_bytes_per_second * STEP.total_seconds()
    yield size(told["lowest"], lived.lowest_bytes, within_a_step)
    yield told["then"], lived.lowest_time, is_clock(told["then"], lived.lowest_time, known.time, STEP)
    left = lived.lowest_bytes / known.threshold_bytes(1)
    if told["left"]:
        yield told["left"], left, abs(int(told["left"].replace(",", "")) - left) <= 1
    else:
        yield "less than 1 minute", left, left < 1 + within_a_step / known.threshold_bytes(1)
    yield rate(told["reference"], known.reference_bytes_per_second)
    yield "gone", lived.gone, lived.gone is None


@claim(
    rf"The last 24 hours, in which clients moved (?P<moved>{RATE}) GiB as metered, would (?P<fails>not )?have lasted"
)
def _moved_in_the_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    steps = [sum(one.metered_bytes for one in step) for step in known.newest_whole_day]
    yield size(told["moved"], sum(steps))
    yield same(told["fails"] is not None, on_credits(known, last_balance_bytes(known)).gone is not None)


@claim(
    rf"With the last balance that is known \((?P<opening>{RATE}) GiB\) everything is limited to "
    rf"(?P<limit>{RATE}) MiB/s at once\."
)
def _limited_at_once(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Less than a minute's worth is left to begin with."""
    opening = last_balance_bytes(known)
    yield size(told["opening"], opening)
    yield rate(told["limit"], known.baseline_bytes_per_second)
    yield told["opening"], opening, opening < known.threshold_bytes(1)


@claim(
    rf"In the last 24 hours clients moved nothing, as far as CloudWatch knows: whether credits would be enough for a "
    rf"load is not known\. The last balance that is known is (?P<opening>{RATE}) GiB\."
)
def _an_idle_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    moved = sum(one.metered_bytes for step in known.newest_whole_day for one in step)
    yield "nothing", moved, not moved
    yield size(told["opening"], last_balance_bytes(known))


@claim(rf"another day like it would end with (?P<lost>{RATE}) GiB less, and so on until they end")
def _lost_each_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    first = on_credits(known, last_balance_bytes(known)).closing_bytes
    yield size(told["lost"], first - on_credits(known, first).closing_bytes)


@claim(rf"In (?P<minutes>[\d,]+) minutes? clients moved more than the (?P<reference>{RATE}) MiB/s that credits permit")
def _faster_than_credits(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    faster = on_credits(known, last_balance_bytes(known)).faster_minutes
    yield same(int(told["minutes"].replace(",", "")), faster)
    yield rate(told["reference"], known.reference_bytes_per_second)


@claim(
    rf"In (?P<minutes>[\d,]+) minutes? clients took all (?P<rate>{RATE}) MiB/s that were permitted: what more they "
    r"wanted is in no metric"
)
def _held_by_a_rate(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    minutes_held, bytes_per_second = held_down(known)
    yield told["minutes"], minutes_held, abs(int(told["minutes"].replace(",", "")) - minutes_held) <= STEP / MINUTE
    yield rate(told["rate"], bytes_per_second)


@claim(rf"elastic throughput cost (?P<dollars>{MONEY}) in (?P<span>{SPAN})")
@claim(
    rf"cost at least (?P<dollars>{MONEY}): more than the \$(?P<limit>[\d,.]+) a day of ElasticDailyUSD\.(?: A month of "
    rf"such days costs (?P<month>{MONEY})\.)?"
)
def _a_dear_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    began = max(changed(known), known.asked - A_DAY)
    most, least = known.elastic_dollars(began), known.elastic_dollars(began + SEEN_WITHIN)
    middle, blur = (least + most) / 2, (most - least) / 2
    yield told["dollars"], most, is_rounded(told["dollars"].strip("$"), middle, blur)
    found = told.groupdict()
    if "span" in found:
        lasted = (known.asked - began) / MINUTE
        yield told["span"], lasted, is_duration(told["span"], lasted - SEEN_WITHIN / MINUTE, lasted)
    if found.get("month"):
        months = HOURS_A_MONTH / 24
        yield told["month"], most * months, is_rounded(told["month"].strip("$"), middle * months, blur * months)
    if "limit" in found:
        chosen = [one.parameters.get("ElasticDailyUSD") for one in known.player.scenario.deployments]
        limit = float(told["limit"].replace(",", ""))
        yield told["limit"], chosen, limit in map(float, filter(None, chosen)) and most > limit


@claim(rf"(?:Going back to bursting|Another throughput mode) is possible from (?P<end>{CLOCK}), as far as is known")
@claim(rf"Not before (?P<end>{CLOCK}), as far as is known: until then AWS refuses it")
def _possible_from(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    end, unlocked = clock(told["end"], known.time), changed(known) + A_DAY
    yield told["end"], unlocked, unlocked <= end + MINUTE and end <= unlocked + SEEN_WITHIN


@claim(
    r"(?P<alarms>[A-Z][a-z]+(?:, [A-Z][a-z]+)*(?: and [A-Z][a-z]+)?) went off unheard while the alarms were silent, "
    r"for a balance that is above (?:its threshold|their thresholds) again\. After 15 minutes above (it|they)"
)
def _over_unheard(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    for alarm in re.findall(r"[A-Z][a-z]+", told["alarms"]):
        changes = [
            one
            for one in known.player.sandbox.transitions
            if one.alarm.endswith(f"-{alarm.lower()}") and one.time <= known.time
        ]
        # It may end in the very minute of the mail.
        before = [one for one in changes if one.time < known.time]
        yield alarm, changes, "ALARM" in {changes[-1].new, *(one.new for one in before[-1:])}
        threshold_bytes = known.threshold_bytes(known.lead_minutes[alarm.lower()])
        yield alarm, known.balance_bytes, known.balance_bytes >= threshold_bytes


@claim(
    r"in One Zone it ends at (?P<highest>[\d,]+) MiB/s, unless AWS Support has raised that quota, and this load needs"
)
def _highest_in_one_zone(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """1,024 MiB/s in each Region (EFS user guide, quotas)."""
    yield same(told["highest"], "1,024")
    yield "One Zone", known.player.scenario.availability_zone, known.player.scenario.availability_zone is not None
    yield told["highest"], known.needed_mib_per_second, known.needed_mib_per_second > 1024


# What is the same for every file system; by AWS's user guide and price list.
@claim(r"operation is counted as 32 KiB or more, one on metadata as 4 KiB or more")
@claim(r"either would lock the throughput mode for 24 hours")
@claim(r"As long as that happens again within 20 hours, a mail like this one comes each time they are gone")
@claim(r"The 24 hours in which AWS refuses another change are over")
@claim(r"Whether the last 24 hours would have lasted on credits is not known")
@claim(r"It locks the mode for 24 hours once more")
@claim(r"in the last 24 hours cost at least")
@claim(r"the mode was changed less than 24 hours ago")
@claim(r"in us-east-1 it ends at 3,414 MiB/s, unless AWS Support has raised that quota, and this load needs more")
@claim(r"The balance fell more than once in the last 24 hours|and the balance fell more than once in it: the next")
@claim(r"AWS allows one change of mode in 24 hours")
@claim(r"Another mode, or a decrease, only 24 hours after the last of these two")
@claim(r"Limits: for 24 hours afterwards no change of mode and no decrease")
@claim(r"unless the mode was changed in the last 24 hours, and locks it for 24 hours")
@claim(r"a whole TiB more earns only 50 MiB/s \(\$0\.30 per GB-month")
@claim(r"50 MiB/s per TiB stored(?:, at least 1 MiB/s)?")
@claim(r"\$6\.00 per MiB/s-month above what the size earns\.")
@claim(r"Balance, drawn over 12 hours")
@claim(r"used more than 80 % of the throughput that it is permitted, in 6 of the last 10 minutes. Close to 100 %")
@claim(r"is above 95 % of the file operations that General Purpose performance mode allows, for 15 minutes")
def _always_so(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    del known, told
    yield from ()


def _went_on(alarm: str, known: Known) -> datetime:
    """When the alarm last went to ALARM."""
    return max(
        one.time
        for one in known.player.sandbox.transitions
        if one.alarm.endswith(f"-{alarm.lower()}") and one.new == "ALARM" and one.time <= known.time
    )


def _of_a_description(known: Known, reference: str, baseline: str | None = None) -> Comparison:
    """In two or three digits, by sizes of the time in which thresholds are recalculated: while it grows the rate with
    credits is one that was permitted, and may be that of the size before.
    """
    with_credits, without = zip(*known.rates_lately, strict=True)
    held = any(is_coarse(reference, one / MIB) for one in with_credits) and (
        baseline is None or any(is_coarse(baseline, one / MIB) for one in without)
    )
    return f"{reference}, {baseline}", known.rates_lately, held


def _locks(before: ThroughputMode, after: ThroughputMode) -> bool:
    """Whether AWS refuses the next change for a day: after one of the mode, and after less was provisioned."""
    if isinstance(before, Provisioned) and isinstance(after, Provisioned):
        return after.bytes_per_second < before.bytes_per_second
    return not isinstance(before, type(after))


def _last(told: str, window: Window) -> Comparison:
    if told == "hour":
        return told, window.minutes, window.minutes >= AN_HOUR_MINUTES
    return told, window.minutes, _count(told) == window.minutes < AN_HOUR_MINUTES


def _observed(told: re.Match[str], known: Known) -> Comparison:
    minutes = len(known.hour)
    if told["whole"]:
        return "the last hour", minutes, minutes >= AN_HOUR_MINUTES
    return told["some"], minutes, _count(told["some"]) == minutes < AN_HOUR_MINUTES


def _count(told: str) -> int:
    """`minute`, `one minute` or `15 minutes` as a number."""
    return 1 if told.endswith("minute") else int(told.removesuffix(" minutes"))
