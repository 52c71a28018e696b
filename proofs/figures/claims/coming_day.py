"""What the figures of `mail/coming_day.py` must be."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from math import inf

from proofs.figures.claims.claim import (
    A_DAY,
    CLOCK,
    RATE,
    SPAN,
    Comparison,
    claim,
    rate,
    size,
)
from proofs.figures.known import MINUTE, Known, lowest_bytes
from proofs.figures.past import (
    DAYS_AGO,
    LEFT_BLUR_MINUTES,
    LITTLE_MINUTES,
    REST_MINUTES,
    SHOWS_AFTER_MINUTES,
    STEP,
    Past,
)
from proofs.figures.pulses import Pulses, pulses
from proofs.figures.readings import clock, is_clock, is_duration, number
from simulation import burst_credits
from simulation.burst_credits import GIB, MIB, MINUTE_SECONDS
from simulation.file_system import Elastic, Provisioned
from stage.player import Lived


@claim(
    r"The credits were (?P<again>gone more than once) in the last (?:hour, and may be so again within minutes|"
    r"(?P<hours>four hours), and may be so again at any time)\."
)
def _gone_more_than_once(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The credits were gone twice or more: within the hour, however close these times are; within four hours, a quarter
    of an hour apart, and the last time no longer ago than the last two were apart, since one more would be due by then.
    """
    lived = [one for one in known.with_earlier_balance if known.newest.minute - one.minute <= 4 * 60]
    lived = lived if told["hours"] else known.with_balance
    by_gone = groupby(lived, key=lambda one: lowest_bytes(one) < known.threshold_bytes(1) / 60)
    spells = [[one.minute for one in minutes] for is_gone, minutes in by_gone if is_gone]
    apart = 15 if told["hours"] else 0
    ends = [*spells[:1], *(later for before, later in pairwise(spells) if later[0] - before[-1] >= apart)]
    yield told["again"], ends, len(ends) > 1
    if told["hours"] and len(ends) > 1:
        yield told["hours"], spells[-1], known.newest.minute - spells[-1][-1] <= ends[-1][0] - ends[-2][0]


@claim(
    rf"The credits were gone (?P<times>\d+) times in the last four hours, about every (?P<every>{SPAN}): if that goes "
    rf"on, they are so again at about (?P<next>{CLOCK})\."
)
def _gone_in_a_rhythm(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the minutes in which the last second's worth was gone, a quarter of an hour apart."""
    lived = [one for one in known.with_earlier_balance if known.newest.minute - one.minute <= 4 * 60]
    gone = [one.minute for one in lived if lowest_bytes(one) < known.threshold_bytes(1) / 60]
    begins = [later for before, later in pairwise([lived[0].minute - 60, *gone]) if later - before >= 15]
    begins = [one for one in begins if one > lived[0].minute]
    apart = [later - before for before, later in pairwise(begins)]
    every = sum(apart) / len(apart)
    following = known.player.time_of(begins[-1]) + timedelta(minutes=every)
    yield told["times"], begins, len(begins) == int(told["times"]) > 2
    yield told["every"], apart, is_duration(told["every"], every, every) and max(apart) <= 1.5 * min(apart)
    yield told["next"], following, is_clock(told["next"], following, known.time) and following > known.asked - MINUTE


@claim(
    rf"Pulses of (?P<depth>{RATE}) GiB came about every (?P<every>{SPAN})\. If they "
    rf"(?:go on so, the next one begins at about (?P<begins>{CLOCK}), and takes all that is there by then|went on so, "
    rf"the next one began at about (?P<began>{CLOCK}), and took all that was there by then)\."
)
def _next_pulse(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The next pulse is due as long after the beginning of the last one as pulses were apart before it. It must lie
    after the newest minute of the metric: else it would be seen, and nothing to foretell.
    """
    *before, last = _falls_to_the_last_end(known)
    found = next(filter(None, (_pulses_until(last, hours, known) for hours in (1, 2, 3, 4, 8))), None)
    yield told["depth"], "pulses", found is not None and len(before) > 1
    if found is None:
        return
    yield size(told["depth"], found.depth_bytes)
    yield told["every"], found.every_minutes, is_duration(told["every"], found.every_minutes, found.every_minutes)
    due = known.player.time_of(last) + found.every_minutes * MINUTE
    at = told["begins"] or told["began"]
    yield at, due, is_clock(at, due, known.time, MINUTE) and due > known.newest_time
    yield at, known.time, (told["began"] is not None) == (clock(at, known.time) <= known.time)


def _falls_to_the_last_end(known: Known) -> list[int]:
    """The last minute before each fall, up to that which ended the credits."""
    lows = [(one.minute, lowest_bytes(one)) for one in known.with_earlier_balance]
    ended = max((minute for minute, left in lows if left < known.threshold_bytes(1)), default=-1)
    falls_from = [one[0] for one, later in pairwise(lows) if later[1] < one[1] and later[0] <= ended]
    return [minute for minute in falls_from if minute - 1 not in falls_from]


def _pulses_until(last: int, hours: int, known: Known) -> Pulses | None:
    oldest = known.newest.minute - hours * 60
    lows = [(one.minute, lowest_bytes(one)) for one in known.with_earlier_balance if oldest <= one.minute <= last]
    return pulses(lows, known.threshold_bytes(1)) if lows else None


# What shows as 0.0 MiB/s.
NO_RATE_BYTES_PER_SECOND = 0.05 * MIB
LAST_DAY = "Today|Yesterday|The day before yesterday"
DAY = f"{LAST_DAY}|A week ago"
# How far off what a load takes may be where the size earned another rate then.
OTHER_EARNING_BLUR = 0.05
# In fewer minutes nothing shows that another rate was earned: over twenty steps of five it is known to a twentieth.
UNTOLD_MINUTES = 105
BEGAN_UNSEEN = r"some time between (?P<since>\d\d:\d\d) UTC and (?P<by>\d\d:\d\d)"
GONE = r"(?:about|some time between (?P<unknown>\d\d:\d\d) UTC and) (?P<gone>\d\d:\d\d)"
AT_THE_LATEST = r"(?P<latest> at the latest)?"
IF_IT_COMES_AGAIN = (
    rf"(?:The size earned about (?P<earned>{RATE}) MiB/s then, and earns (?P<earns>{RATE}) MiB/s now\. )?"
    r"(?:If that load (?:comes|(?P<came>came)|(?P<ends>ends now and comes)) again(?:, like those before it)?, |"
    rf"Before that clients took less than the size earned then\. It earns (?P<by_now>{RATE}) MiB/s now: if those hours "
    r"come again, )"
    r"(?:they (?:are|were) gone at about|"
    rf"(?:(?P<most>at most )|(?P<least>at least ))?(?P<left>\d+ minutes?|less than a minute) "
    rf"(?:is|are|was|were) left at) (?P<then>{CLOCK})"
    r"(?:(?P<or_before> at the latest)|(?P<or_after> at the earliest))?(?P<less>, and less after that)?"
    rf"(?:, and perhaps less until (?P<perhaps>{CLOCK}))?\."
)


@claim(
    rf"(?P<day>{DAY}) the credits (?:fell from|(?P<goes_on>began to fall at)) "
    rf"(?:(?:about|(?P<cut_off>before)) (?P<start>\d\d:\d\d)|{BEGAN_UNSEEN}) UTC"
    rf"(?:, and were (?:nearly )?gone at {GONE} UTC{AT_THE_LATEST}|(?:, and have lost| "
    rf"to (?:some time between (?P<unseen>\d\d:\d\d) UTC and )?(?P<end>\d\d:\d\d) UTC, by) "
    rf"(?:about )?(?P<lost>{RATE}) GiB(?P<more> or more)?(?: so far)?(?P<on>, and on after that)?)\. "
    rf"{IF_IT_COMES_AGAIN}"
)
def _comes_again(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The fall of an earlier day, and what it leaves if it comes again now, by each minute of that day. The mail reads
    the day in steps of five minutes, and may differ by as much as these blur.
    """
    past = Past(known, told["day"])
    start, then = past.moment(told["start"] or told["since"]), clock(told["then"], known.time)
    named_end = told["gone"] or told["end"]
    end = past.moment(named_end, start) if named_end else known.newest_time
    latest = past.moment(told["by"], start) if told["by"] else start
    top = past.top(start, latest)
    top_time = known.player.time_of(top.minute)
    yield from _began(told, start, latest, top, past)
    yield told["by"], "metrics are missing", latest == start or _are_missing(start, latest, known)
    if told["gone"]:
        gone = past.gone_after(top)
        yield from _was_gone(told, gone, start, past)
    else:
        lowest = past.lowest(top, end + STEP)
        lowest_time = known.player.time_of(lowest.minute)
        since = past.moment(told["unseen"], start) if told["unseen"] else end
        is_near = since - 2 * STEP <= lowest_time <= end + 2 * STEP
        yield told["end"] or "so far", lowest_time, is_near
        yield told["unseen"], "metrics are missing", since == end or _are_missing(since, end, known)
        yield told["then"], "the load goes on", bool(told["ends"]) is bool(told["goes_on"])
        most_earned = max(known.earned_bytes_per_second, past.earned_at(top_time))
        earned_in_a_step = most_earned * STEP.total_seconds()
        lost_bytes = lowest_bytes(top) - lowest_bytes(lowest)
        exact = size(told["lost"], lost_bytes, earned_in_a_step)
        yield (*exact[:2], exact[2] or (told["more"] is not None and number(told["lost"]) * GIB <= lost_bytes))
    yield from _earned_otherwise(known, told, past.earned_at(top_time))
    yield told["on"], "at the end of what is looked at", bool(told["on"]) is bool(told["less"])
    if told["on"]:
        yield told["on"], end, abs(end - past.first - A_DAY) <= 2 * STEP and past.falls_at(end)
    yield told["then"], known.time, bool(told["came"]) is (then <= known.time)
    if told["by_now"]:
        yield rate(told["by_now"], known.earned_bytes_per_second)
        yield told["then"], "before the load", then - past.back < start
    # What was earned then is read off five minutes at a time.
    share_blur = OTHER_EARNING_BLUR if told["earned"] else 0.0
    if told["left"]:
        left = past.minutes_left_at(then)
        took_minutes = lowest_bytes(top) / known.threshold_bytes(1)
        is_about = abs(_minutes(told) - left) <= past.left_blur_minutes + share_blur * took_minutes
        at_most = told["most"] is not None and _minutes(told) >= left
        at_least = told["least"] is not None and _minutes(told) <= left
        yield told["left"], left, is_about or at_most or at_least
        if told["gone"]:
            # Who went on without credits would have gone on with them; nobody does while the balance only rises.
            lifted = (past.lifted_after(gone) if past.ran_dry(gone) else past.rises_only_after(gone)) + past.back
            yield told["then"], lifted, abs(then - lifted) <= STEP
        else:
            # What had begun by this time of that day begins now.
            yield from _over_again(told, past, (since, end), past.back + max(timedelta(0), past.first - start))
    else:
        yield from _gone_again(told, then, past, share_blur * (then - start - past.back))


@claim(
    rf"Of those before it, the one from (?:about (?P<start>\d\d:\d\d)|{BEGAN_UNSEEN}) UTC on leaves "
    rf"(?:(?P<most>no more than )|(?P<least>at least ))?(?P<left>\d+ minutes?|less than a minute) at "
    rf"(?P<then>{CLOCK})\."
)
def _leaves_little(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """What the load leaves that began then, on the day before or a week ago: little, and before the end."""
    then, start = clock(told["then"], known.time), told["start"] or told["by"]
    found = []
    for past in (Past(known, word) for word in DAYS_AGO):
        gone, left = past.gone_again, past.minutes_left_at(then)
        began = past.latest(start) if past.back <= A_DAY else past.moment(start)
        is_bound = (told["most"] and _minutes(told) >= left) or (told["least"] and _minutes(told) <= left)
        is_about = is_bound or abs(_minutes(told) - left) <= past.left_blur_minutes
        is_before = began < then - past.back and gone is not None and then < gone
        found.append((left, is_before and is_about and left < LITTLE_MINUTES + past.left_blur_minutes))
    yield told["left"], [left for left, _ in found], any(held for _, held in found)


def _gone_again(
    told: re.Match[str], then: datetime, past: Past, blur: timedelta = timedelta(0)
) -> Iterator[Comparison]:
    """When a minute's worth is left; or when at the latest, where metrics are missing of the hours before it."""
    gone = past.gone_again
    is_so = past.may_be_gone_again(then) or (gone is not None and abs(gone - then) <= blur)
    if told["or_before"]:
        yield told["or_before"], "metrics are missing", any(_missing_before(then - past.back, past.known))
        is_so = is_so or (gone is not None and gone <= then)
    is_so = is_so or (told["or_after"] is not None and (gone is None or gone >= then))
    yield told["then"], gone, is_so


def _over_again(
    told: re.Match[str], past: Past, ended: tuple[datetime, datetime], delay: timedelta
) -> Iterator[Comparison]:
    """When such a load is over, so much later than it was; and until when it may take more, where nobody saw its end,
    between two moments.
    """
    since, end = ended
    then, again = clock(told["then"], past.known.time), (since if told["perhaps"] else end) + delay
    yield told["then"], again, abs(then - again) <= (2 * STEP if told["goes_on"] else timedelta(0))
    if told["perhaps"]:
        is_right = since < end and is_clock(told["perhaps"], end + delay, past.known.time)
        yield told["perhaps"], end + delay, is_right


def _began(told: re.Match[str], start: datetime, latest: datetime, top: Lived, past: Past) -> Iterator[Comparison]:
    """The lowest of five minutes is anywhere in them, and the highest between two of these. What began with more than
    fits into the bucket of now had fallen by then.
    """
    top_time = past.known.player.time_of(top.minute)
    is_near = start - STEP <= top_time < latest + 2 * STEP
    if told["cut_off"]:
        is_near = top_time < start
        full_bytes = burst_credits.bucket_bytes(past.known.now.metered_standard_bytes)
        yield told["start"], lowest_bytes(top), lowest_bytes(top) > full_bytes
    yield told["start"], top_time, is_near and past.is_named_rightly(start)


def _minutes(told: re.Match[str]) -> int:
    return _minutes_of(told["left"])


def _minutes_of(left: str) -> int:
    return int(left.split(maxsplit=1)[0]) if left[0].isdigit() else 0


def _was_gone(told: re.Match[str], gone: datetime, start: datetime, past: Past) -> Iterator[Comparison]:
    """The credits were gone at the time that is told, to five minutes; or between two times, where the metrics of the
    steps between these are missing.
    """
    end = past.moment(told["gone"], start)
    since = past.moment(told["unknown"], start) if told["unknown"] else end
    if told["latest"]:
        seen = {past.known.player.time_of(step[0].minute) for step in past.known.steps(start - STEP)}
        is_missing = any(start < one < end and one - STEP not in seen for one in seen)
        yield told["latest"], gone, gone <= end + STEP and is_missing
        return
    yield told["gone"], gone, since - MINUTE <= gone <= end + STEP
    yield told["unknown"], "metrics are missing", since == end or _are_missing(since, end, past.known)


def _missing_before(until: datetime, known: Known) -> Iterator[datetime]:
    """The first of each five minutes that are missing right after some that are known, since a day and an hour ago."""
    oldest = known.newest_time - A_DAY - timedelta(hours=1)
    seen = [known.player.time_of(step[0].minute) for step in known.steps(oldest)]
    yield from (one + STEP for one, later in pairwise(seen) if later - one > STEP and one < until)


def _are_missing(since: datetime, until: datetime, known: Known) -> bool:
    have = {known.player.time_of(step[0].minute) for step in known.steps(since - STEP)}
    return not any(since <= one < until for one in have)


def _earned_otherwise(known: Known, told: re.Match[str], then_bytes_per_second: float) -> Iterator[Comparison]:
    """A mail says what the size earned then where that is another rate than now by a tenth or more: what the fall took
    would mislead without it. It need not be said of a week ago, or of a few minutes at another size.
    """
    now_bytes_per_second = known.earned_bytes_per_second
    share = then_bytes_per_second / now_bytes_per_second
    if told["earned"] is None:
        is_unknown = told["day"] == "A week ago" or known.minutes_at_another_size <= UNTOLD_MINUTES
        yield "no other rate", share, is_unknown or 0.88 < share < 1.12
        return
    yield rate(told["earned"], then_bytes_per_second, 0.1 * then_bytes_per_second)
    yield rate(told["earns"], now_bytes_per_second)
    yield told["earned"], share, not 0.92 < share < 1.08


@claim(
    rf"The size earned up to about (?P<most>{RATE}) MiB/s in the last 24 hours, and earns (?P<now>{RATE}) MiB/s now: "
    r"of the same load so much more is taken from the credits\."
)
def _earns_far_less(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """At some time of the day, and the hour before it, that are looked at, to a tenth."""
    oldest = known.newest_time - A_DAY - timedelta(hours=1)
    lived = [one for one in known.player.lived if oldest <= known.player.time_of(one.minute) <= known.newest_time]
    earned = [burst_credits.earned_bytes_per_second(one.metered_standard_bytes) for one in lived]
    told_bytes = number(told["most"]) * MIB
    yield told["most"], max(earned), any(abs(one - told_bytes) <= 0.1 * one for one in earned)
    yield told["most"], "far more", told_bytes >= 1.4 * known.earned_bytes_per_second
    yield rate(told["now"], known.earned_bytes_per_second)


@claim(
    rf"(?P<day>{DAY}) the credits fell faster than (?:now|(?P<slowly>before)) from (?:about (?P<start>\d\d:\d\d)|"
    rf"{BEGAN_UNSEEN}) UTC on(?:, and were (?:nearly )?gone at {GONE} UTC{AT_THE_LATEST})?\. "
    rf"{IF_IT_COMES_AGAIN}"
)
def _comes_amid_another(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """A fall that was under way at this time of that day became faster, and is under way today."""
    past = Past(known, told["day"])
    start, then = past.moment(told["start"] or told["since"]), clock(told["then"], known.time)
    latest = past.moment(told["by"], start) if told["by"] else start
    began = past.faster_steps()
    if past.faster_steps_of_now is not None:
        began = began + past.faster_steps_of_now[1]
    near = [one for one in began if start - 2 * STEP <= one <= latest + 2 * STEP]
    yield told["by"], "metrics are missing", latest == start or _are_missing(start, latest, known)
    # To five minutes it had begun by this time of that day, and is not expected, or had not, and is.
    is_at_the_edge = abs(start - (past.first - SHOWS_AFTER_MINUTES * MINUTE)) <= STEP
    yield told["start"], began, (bool(near) or is_at_the_edge) and past.is_named_rightly(start)
    falls = known.pace.drain_bytes_per_second
    blur = known.pace.blur_bytes_per_second + NO_RATE_BYTES_PER_SECOND
    yield told["slowly"], falls, falls <= blur if told["slowly"] else falls + blur > 0
    yield from _earned_otherwise(known, told, past.earned_at(start))
    if told["gone"]:
        yield from _was_gone(told, past.gone_after(past.top(start, latest)), start, past)
    if told["left"]:
        left = past.minutes_left_at(then)
        is_expected = (not near and _minutes(told) <= left) or (told["most"] is not None and _minutes(told) >= left)
        is_expected = is_expected or (told["least"] is not None and _minutes(told) <= left)
        yield told["left"], left, is_expected or abs(_minutes(told) - left) <= past.left_blur_minutes
    else:
        yield from _gone_again(told, then, past)


@claim(
    rf"(?P<day>{DAY}) the credits fell (?:faster than (?:now|before) )?from {BEGAN_UNSEEN} UTC"
    rf"(?: on)?(?:, and were (?:nearly )?gone at {GONE} UTC{AT_THE_LATEST}|"
    rf" to \d\d:\d\d UTC, by {RATE} GiB or more)?\. "
    rf"(?:The size earned about (?P<earned>{RATE}) MiB/s then, and earns (?P<earns>{RATE}) MiB/s now\. )?"
    rf"If that load comes again(?:, like those before it)?, they may be gone at any time "
    rf"from (?:(?P<on>{CLOCK}) on|now on)\."
)
def _comes_at_any_time(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """A load of which metrics are missing for more than half an hour in which it began: it may do so as early again."""
    past = Past(known, told["day"])
    start = past.moment(told["since"])
    latest = past.moment(told["by"], start)
    yield told["by"], "metrics are missing", _are_missing(start, latest, known) and latest - start > 30 * MINUTE
    yield from _earned_otherwise(known, told, past.earned_at(start))
    if told["gone"]:
        yield from _was_gone(told, past.gone_after(past.top(start, latest)), start, past)
    again = start + past.back
    yield (
        told["on"] or "now on",
        again,
        again <= known.time if told["on"] is None else is_clock(told["on"], again, known.time),
    )


@claim(
    rf"(?:{LAST_DAY}) from about (?P<began>\d\d:\d\d) UTC to (?P<ended>\d\d:\d\d) UTC clients took all of the "
    rf"(?:(?P<least>{RATE}) to )?(?P<there>{RATE}) MiB/s that were there without credits: how much more they wanted is "
    r"in no metric\. (?:It had begun at about (?P<since>\d\d:\d\d) UTC, in another throughput mode\. )?"
    rf"(?:If that load comes again, it (?P<spends>spends|may spend) credits from about (?P<then>{CLOCK}) on|"
    r"That load had taken credits since more than a day ago, and may come again at any hour)\."
)
def _held_down(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Of each five minutes between the two: all of the limit was taken, while no more was permitted or nothing was
    left; but for pauses of less than half an hour, and none at either end, nor any in elastic throughput.

    It has no time of day where the balance had fallen to its beginning since this time of the day before.
    """
    past = Past(known, "Today")
    then = clock(told["then"], known.time) if told["then"] else past.latest(told["began"]) + A_DAY
    began = then - A_DAY
    if told["since"]:
        yield from _began_in_another_mode(known, began, told)
        began = past.moment(told["began"], began)
        then = began + A_DAY
    ended = past.moment(told["ended"], began)
    steps = [step for step in known.steps(began) if known.player.time_of(step[0].minute) < ended]
    held = [_is_held_down(step, known) for step in steps]
    pauses = [len(list(pause)) for is_held, pause in groupby(held) if not is_held]
    there_bytes_per_second = max(_there_without_credits(steps, known))
    yield from _were_there(told, steps, known)
    has_grown = 1.01 * there_bytes_per_second < known.baseline_bytes_per_second
    if told["spends"]:
        yield told["spends"], has_grown, has_grown == (told["spends"] == "may spend")
    before = [lowest_bytes(one) for step in known.steps(known.time - A_DAY) for one in step]
    until_began = before[: max(1, (began - known.time + A_DAY) // MINUTE)]
    fell_since = until_began[0] >= max(until_began) - known.threshold_bytes(1) > 0
    yield told[0], until_began[:1], fell_since or told["then"] is not None
    yield told["began"], began, f"{began:%H:%M}" == told["began"] and known.time <= then + STEP
    yield told["began"], held, held[:1] == [True]
    yield told["ended"], held, held[-1:] == [True] and len(held) == (ended - began) // STEP
    yield told["ended"], pauses, max(pauses, default=0) < REST_MINUTES * MINUTE // STEP
    yield told["ended"], "no elastic throughput", not any(map(_has_elastic_minutes, steps))


def _began_in_another_mode(known: Known, since: datetime, told: re.Match[str]) -> Iterator[Comparison]:
    """More than is earned was moved from then on, in another mode, and not before."""
    earned = known.earned_bytes_per_second * MINUTE_SECONDS
    lived = {by: known.player.lived[max(0, known.player.minute_at(since) + by)] for by in (-6, 6)}
    yield told["since"], since, f"{since:%H:%M}" == told["since"]
    yield told["since"], lived[6].minute, lived[6].metered_bytes > earned and not known.lives_on_credits(lived[6])
    # Of what was before the first minute nobody knows.
    if known.player.minute_at(since) >= 6:
        yield told["since"], lived[-6].minute, lived[-6].metered_bytes <= earned


@claim(
    rf"From more than a day ago until about (?P<ended>{CLOCK}) clients took all of the (?:(?P<least>{RATE}) to )?"
    rf"(?P<there>{RATE}) MiB/s that were there without credits: how much more they wanted is in no metric\. That load "
    r"may come again at any hour\."
)
def _held_down_for_long(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    ended = clock(told["ended"], known.time)
    steps = [step for step in known.steps(known.time - A_DAY) if known.player.time_of(step[0].minute) < ended]
    held = [_is_held_down(step, known) for step in steps]
    yield from _were_there(told, steps, known)
    yield "more than a day", held, held[:1] == [True]
    yield told["ended"], held, held[-1:] == [True]


def _were_there(told: re.Match[str], steps: Sequence[Sequence[Lived]], known: Known) -> Iterator[Comparison]:
    """What clients had without credits in these steps: the most, and the least where the mail tells it as a figure of
    its own.
    """
    there = _there_without_credits(steps, known)
    yield rate(told["there"], max(there))
    yield rate(told["least"] or told["there"], min(there))


def _there_without_credits(steps: Sequence[Sequence[Lived]], known: Known) -> list[float]:
    """The highest rate of each step in which no more was permitted than is earned now, or was by the size of then; what
    is earned now, where there are none.
    """
    limit = known.baseline_bytes_per_second

    def earned(step: Sequence[Lived]) -> float:
        return max(burst_credits.earned_bytes_per_second(one.metered_standard_bytes) for one in step)

    highest = [(max(one.permitted_bytes_per_second for one in step), max(limit, earned(step))) for step in steps]
    return [one for one, most in highest if one <= 1.01 * most] or [limit]


def _has_elastic_minutes(step: Sequence[Lived]) -> bool:
    return any(isinstance(one.mode, Elastic) for one in step)


def _is_held_down(step: Sequence[Lived], known: Known) -> bool:
    permitted = max(one.permitted_bytes_per_second for one in step)
    limit, lowest = known.baseline_bytes_per_second, min(map(lowest_bytes, step))
    takes_all = sum(one.metered_bytes for one in step) >= 0.95 * min(limit, permitted) * STEP.total_seconds()
    is_held = lowest < known.reference_bytes_per_second or permitted <= 1.01 * limit
    return takes_all and is_held and lowest < known.threshold_bytes(1)


def _spell(known: Known, told: re.Match[str]) -> tuple[datetime, datetime]:
    """Between which moments it was so, when it last was."""
    past = Past(known, "Today")
    began = past.latest(told["began"])
    return began, past.moment(told["ended"], began)


@claim(
    rf"(?:{LAST_DAY}) from about (?P<began>\d\d:\d\d) UTC to (?P<ended>\d\d:\d\d) UTC a provisioned rate, as it "
    rf"seems, held clients down to (?:(?P<least>{RATE}) to )?(?P<rate>{RATE}) MiB/s for at least (?P<span>{SPAN}): how "
    rf"much more they wanted is in no metric\. That the balance came back then says nothing of that load on credits, "
    rf"where it may take up to "
    rf"(?P<reference>{RATE}) MiB/s\.(?: If that load comes again, it spends credits from about (?P<then>{CLOCK}) on\.)?"
)
def _held_by_a_provisioned_rate(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Clients took all of a provisioned rate in the minutes that are told, so the rate held them down. The mail reads
    steps of five minutes, and leaves out those in which some of the rate was left.
    """
    began, ended = _spell(known, told)
    held = [
        one
        for one in known.player.lived
        if began <= known.player.time_of(one.minute) < ended
        and isinstance(one.mode, Provisioned)
        and one.metered_bytes >= 0.97 * one.mode.bytes_per_second * MINUTE_SECONDS
    ]
    limits = {one.minute: one.mode.bytes_per_second for one in held if isinstance(one.mode, Provisioned)}
    yield from _held_at(limits, began, known, told)
    # More than the size earned then: AWS provisions no less, and the size may have changed since.
    of_a_size = [
        one.mode.bytes_per_second <= burst_credits.earned_bytes_per_second(one.metered_standard_bytes)
        for one in held
        if isinstance(one.mode, Provisioned)
    ]
    yield told["rate"], "a rate that its size earned", not any(of_a_size)


def _held_at(
    limits_bytes_per_second: Mapping[int, float], began: datetime, known: Known, told: re.Match[str]
) -> Iterator[Comparison]:
    """By the limit of each minute in which clients took all of it, by its number."""
    minutes, by_step = len(limits_bytes_per_second), list[float]()
    for _, step in groupby(limits_bytes_per_second, lambda minute: (known.player.time_of(minute) - began) // STEP):
        of_step = [limits_bytes_per_second[minute] for minute in step]
        # A step has the highest limit of its minutes, and counts where all of that was taken.
        if len(of_step) == STEP // MINUTE:
            by_step.append(max(of_step))
    yield rate(told["rate"], max(limits_bytes_per_second.values(), default=0.0))
    yield rate(told["least"] or told["rate"], min(by_step, default=0.0))
    # Of pulses of minutes the mail counts those steps alone that they fill.
    yield told["span"], minutes, is_duration(told["span"], minutes / 2 - 2 * STEP / MINUTE, minutes + STEP / MINUTE)
    yield rate(told["reference"], known.reference_bytes_per_second)
    if told["then"]:
        yield told["then"], began + A_DAY, is_clock(told["then"], began + A_DAY, known.time)
        yield told["then"], began + A_DAY, began + A_DAY >= known.asked


@claim(
    rf"(?:{LAST_DAY}) from about (?P<began>\d\d:\d\d) UTC to (?P<ended>\d\d:\d\d) UTC the burst limit of a smaller "
    rf"size held clients down to (?:(?P<least>{RATE}) to )?(?P<rate>{RATE}) MiB/s for at least (?P<span>{SPAN}): how "
    rf"much more they wanted is in no metric\. That load may take up to (?P<reference>{RATE}) MiB/s by now\."
    rf"(?: If that load comes again, it spends credits from about (?P<then>{CLOCK}) on\.)?"
)
def _held_by_a_smaller_size(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Of each minute of it with credits; the mail reads them in steps of five, and leaves out those in which some was
    left.
    """
    began, ended = _spell(known, told)
    held = [
        one
        for one in known.player.lived
        if began <= known.player.time_of(one.minute) < ended
        and known.lives_on_credits(one)
        and not known.is_limited(one)
        and one.metered_bytes >= 0.97 * one.permitted_bytes_per_second * MINUTE_SECONDS
    ]
    limits = {one.minute: one.permitted_bytes_per_second for one in held}
    yield from _held_at(limits, began, known, told)
    highest = max(limits.values(), default=0.0)
    yield told["rate"], known.reference_bytes_per_second, highest < known.reference_bytes_per_second


@claim(
    rf"(?:{LAST_DAY}) from (?P<edge>about|before) (?P<began>\d\d:\d\d) UTC to (?P<ended>\d\d:\d\d) UTC(?: today)?, "
    rf"in another throughput mode, clients moved (?P<metered>{RATE}) MiB/s as metered\. If that load (?:comes|came) "
    rf"again(?P<others>, like those before it)?(?:, at the (?P<permitted>{RATE}) MiB/s that credits permit)?, "
    r"(?:the credits (?:are|were) gone at about|"
    r"(?P<left>\d+ minutes?|less than a minute) (?:is|are|was|were) left at) "
    rf"(?P<then>{CLOCK})\."
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
    # Of what was before the first that was lived nobody knows.
    is_first = told["edge"] == "before" and load[0].minute == 0
    yield told["began"], around[0].minute, is_first or (before and earned < around[1].metered_bytes)
    over = known.lives_on_credits(around[3]) or around[3].metered_bytes <= earned
    yield told["ended"], around[3].minute, over and not known.lives_on_credits(load[0])
    left, moment = known.balance_bytes, known.newest_time
    # The little that is there already is gone when a load takes it.
    is_taken, in_a_step = False, inf
    # What credits do not permit in one minute is moved in later ones.
    permitted, waiting, most_waiting = known.reference_bytes_per_second * MINUTE_SECONDS, 0.0, 0.0
    full = burst_credits.bucket_bytes(known.now.metered_standard_bytes)
    no_later = known.newest_time + A_DAY
    while not (is_taken and left < min(known.threshold_bytes(1), in_a_step)) and (
        moment < ended + A_DAY or (waiting > 0 and moment < no_later)
    ):
        moment += MINUTE
        left += earned
        # Nothing was moved in the minutes before the first that was lived.
        then = known.player.lived[max(0, known.player.minute_at(moment - A_DAY))]
        # One that had begun before may run since the newest datapoint.
        comes_before = told["others"] or told["edge"] == "before"
        is_before = comes_before and moment - A_DAY < began and not known.lives_on_credits(then)
        is_taken = began <= moment - A_DAY < ended or bool(is_before and then.metered_bytes > earned)
        if is_taken or waiting > 0:
            waiting += then.metered_bytes
            moved = min(waiting, permitted)
            waiting -= moved
            most_waiting, is_taken = max(most_waiting, waiting), True
            left -= moved
            in_a_step = (moved - earned) * (STEP // MINUTE)
        elif known.player.minute_at(moment - A_DAY) >= 0:
            # What is taken of what is earned is not gained.
            left -= min(earned, then.metered_bytes)
        left = min(left, full)
    if told["permitted"]:
        yield rate(told["permitted"], known.reference_bytes_per_second)
    # Of five minutes the mail knows the average alone.
    yield told["permitted"], most_waiting, most_waiting > 0 if told["permitted"] else most_waiting <= 5 * permitted
    yield told["then"], moment, is_clock(told["then"], moment, known.time, 2 * STEP)
    if told["left"]:
        yield told["left"], left, abs(_minutes(told) - left / known.threshold_bytes(1)) <= LEFT_BLUR_MINUTES


@claim(
    rf"to (?P<ended>\d\d:\d\d) UTC(?: today)?, in another throughput mode, clients moved .*?"
    rf"(?P<before>\d+ minutes?|less than a minute) (?:is|are|was|were) left at (?P<then>{CLOCK})\. After that it went "
    r"on without credits until about (?P<until>\d\d:\d\d) UTC, and how much more it wanted is in no metric: if it then "
    rf"goes on at (?P<rate>{RATE}) MiB/s(?:, they are gone at about (?P<gone>{CLOCK})|"
    rf" for as long, (?P<left>\d+ minutes?|less than a minute) (?:is|are) left at (?P<end>{CLOCK}))\."
)
def _goes_on_as_before_the_limit(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """What was left when the load was held down, less what it takes beyond that at its rate of the minutes before."""
    then = clock(told["then"], known.time)
    began = Past(known, "Today").latest(told["ended"])
    ended = Past(known, "Today").moment(told["until"], began)
    steps = [step for step in known.steps(began) if known.player.time_of(step[0].minute) < ended]
    held = [_is_held_down(step, known) for step in steps]
    before = known.steps(began - 15 * MINUTE)[:3]
    fastest = max(sum(one.metered_bytes for one in step) / len(step) / MINUTE_SECONDS for step in before)
    wanted = min(fastest, known.reference_bytes_per_second)
    yield told["until"], held, held[-1:] == [True] and held.count(True) >= len(held) / 2
    yield rate(told["rate"], wanted)
    left = _minutes_of(told["before"]) * known.threshold_bytes(1)
    drain = wanted - known.earned_bytes_per_second
    until_gone = timedelta(seconds=left / drain)
    blur = timedelta(seconds=2 * known.threshold_bytes(1) / drain)
    if told["gone"]:
        yield told["gone"], then + until_gone, is_clock(told["gone"], then + until_gone, known.time, blur)
        yield told["gone"], then + until_gone, then + until_gone <= ended + A_DAY + blur
    else:
        end = ended + A_DAY
        rest = left - drain * (end - then).total_seconds()
        yield told["end"], end, is_clock(told["end"], end, known.time)
        yield told["left"], rest, abs(_minutes(told) - rest / known.threshold_bytes(1)) <= LEFT_BLUR_MINUTES


@claim(
    rf"At this time a day ago a load was taking credits, until about (?P<until>{CLOCK})\. It is not there today: if it "
    r"comes later, less than (?P<enough>60) minutes may be left after it\."
)
def _may_be_late(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """It took credits then, and until it is said to have ended; the balance does not fall now, and what was taken of it
    from this time of that day on leaves less now.
    """
    past = Past(known, "Yesterday")
    until = clock(told["until"], known.time)
    lows = [lowest_bytes(one) for one in known.player.lived if past.first <= known.player.time_of(one.minute) <= until]
    lowest = min(lows)
    left = 0.0 if lowest < known.threshold_bytes(1) else known.balance_bytes - (lows[0] - lowest)
    yield "a day ago", past.first, past.takes_credits_at(past.first) or past.takes_credits_at(past.first + STEP)
    yield told["until"], until, any(past.takes_credits_at(until - late * STEP) for late in range(4))
    yield told["until"], until, not past.takes_credits_at(until + 2 * STEP)
    before = known.with_balance[-known.pace_minutes - 1 :][0]
    yield "not there today", lowest_bytes(before), lowest_bytes(known.newest) >= lowest_bytes(before)
    yield told["enough"], left, left < known.threshold_bytes(60) + known.threshold_bytes(LEFT_BLUR_MINUTES)


@claim(
    rf"At this time a day ago a load was taking credits far faster than now, until about (?P<until>{CLOCK}), and ended "
    r"them\. If it comes later today, less than (?P<enough>60) minutes may be left after it\."
)
def _may_be_late_beside_another(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """It took credits then, ended them, and is said to have ended when it did; from this time of that day until they
    were gone the balance fell twice as fast as now, at the least.
    """
    past = Past(known, "Yesterday")
    until = clock(told["until"], known.time)
    lived = [one for one in known.player.lived if past.first <= known.player.time_of(one.minute) <= until]
    gone = next((one for one in lived if lowest_bytes(one) < known.threshold_bytes(1) / 60), None)
    yield told["until"], "an end of the credits", gone is not None
    yield told["until"], until, any(past.takes_credits_at(until - late * STEP) for late in range(4))
    yield told["until"], until, not past.takes_credits_at(until + 2 * STEP)
    if gone is not None:
        pace = (lowest_bytes(lived[0]) - lowest_bytes(gone)) / ((gone.minute - lived[0].minute + 5) * MINUTE_SECONDS)
        yield told["enough"], pace, pace > 1.9 * known.pace.drain_bytes_per_second > 0


@claim(
    rf"The balance rose by up to (?P<rose>{RATE}) MiB/s around that day, and the size earns (?P<earns>{RATE}) MiB/s "
    rf"now: (?:(?P<was>it was larger, and such a load takes (?:more|(?P<most>{RATE}) MiB/s of them))|if it was "
    r"smaller, such a load takes less) by now"
)
def _another_size_a_week_ago(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the lowest balances of its five minutes, an hour apart, of which an hour is a minute longer or shorter."""
    past = Past(known, "A week ago")
    lows: dict[datetime, float] = {}
    for one in known.player.lived:
        time = known.player.time_of(one.minute)
        if past.first - 60 * MINUTE - STEP <= time <= past.first + timedelta(days=1) + STEP:
            step = time - time.minute % 5 * MINUTE
            lows[step] = min(lows.get(step, inf), lowest_bytes(one))
    rises = [lows[step + 60 * MINUTE] - low for step, low in lows.items() if step + 60 * MINUTE in lows]
    rose = max(rises) / 3600
    yield rate(told["rose"], rose, blur=rose / 60)
    yield rate(told["earns"], known.earned_bytes_per_second)
    yield told["was"], rose, (told["was"] is not None) == (rose > known.earned_bytes_per_second)
    if told["most"]:
        yield rate(told["most"], known.reference_bytes_per_second - known.earned_bytes_per_second)
