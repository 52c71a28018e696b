"""What the figures of `mail/low_credits_mails.py` must be."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from proofs.figures.claims.claim import (
    A_DAY,
    CLOCK,
    RATE,
    SPAN,
    TOLD_AHEAD_MINUTES,
    Comparison,
    alarm_went_on,
    claim,
    minutes,
    named_rate,
    rate,
    same,
    size,
)
from proofs.figures.claims.incident_so_far import is_between
from proofs.figures.known import DRAINING_MINUTES, MINUTE, Known, lowest_bytes
from proofs.figures.past import DAYS_AGO, LITTLE_MINUTES, REST_MINUTES, STEP, Past, zero_within
from proofs.figures.pulses import Pulses
from proofs.figures.readings import clock, is_clock, is_duration
from simulation.burst_credits import MINUTE_SECONDS
from simulation.file_system import Elastic, Provisioned

if TYPE_CHECKING:
    from datetime import datetime

# Who is told that nothing has to be done can sleep so long.
QUIET_HOURS = 6
# What it takes to choose another mode and to change it.
TIME_TO_ACT = 20 * MINUTE
# What is over before a mail is read is no time.
TIME_TO_READ = 5 * MINUTE
HOUR = 60 * MINUTE


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
        yield from named_rate(told["at"], known)
    yield told[0], left, left[0] < 1


@claim(
    rf"The (?P<alarm>Warning|Critical) alarm of .{{1,80}} went off below (?P<before>{RATE}) GiB, its threshold of "
    rf"before\. It is permitted less by now, (?P<most>up to )?(?P<reference>{RATE}) MiB/s with credits: "
    rf"(?P<lead>\d+) minutes at that need (?P<now>{RATE}) GiB, and no balance"
)
def _an_old_threshold(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The threshold that set the alarm off stood for more than is permitted now, and no balance was below the right
    one. The old one belongs to a size of the last hour and a quarter, in which thresholds are recalculated once, or is
    the very first, which was set while nobody knew the most that the Region permits.
    """
    lead, reference = known.lead_minutes[told["alarm"].lower()], known.reference_bytes_per_second
    rates = {one for one, _ in known.rates_lately} | {known.first_thresholds_bytes_per_second}
    before = [one for one in rates if size(told["before"], lead * MINUTE_SECONDS * one)[2] and one > reference]
    yield told["before"], rates, bool(before)
    yield same(int(told["lead"]), lead)
    if told["most"]:
        yield rate(told["reference"], known.uncapped_bytes_per_second)
        yield size(told["now"], lead * MINUTE_SECONDS * known.uncapped_bytes_per_second)
        return
    yield rate(told["reference"], reference)
    yield size(told["now"], known.threshold_bytes(lead))
    yield told["now"], known.balance_bytes, all(lowest_bytes(one) >= known.threshold_bytes(lead) for one in known.hour)


@claim(rf"the next hourly run lowers its threshold to (?P<now>{RATE}) GiB, which ends it unless less is left")
def _a_threshold_to_be_lowered(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    rates = (known.reference_bytes_per_second, known.uncapped_bytes_per_second)
    sizes = [lead * MINUTE_SECONDS * one for lead in known.lead_minutes.values() for one in rates]
    yield told["now"], sizes, any(size(told["now"], one)[2] for one in sizes)


@claim(rf"STILL (?P<alarm>WARNING|CRITICAL) for (?P<span>{SPAN}|under 1 min):")
def _for_how_long_it_has_been_on(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lasted = (known.time - alarm_went_on(told["alarm"], known)).total_seconds() / MINUTE_SECONDS
    yield told["span"], lasted, is_duration(told["span"], lasted - 1, lasted)


@claim(r"This mail comes every (?P<hours>\d+) hours while the balance does not fall")
def _how_often_it_comes(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    names = ("RepeatWarningHours", "RepeatCriticalHours")
    chosen = {one.parameters.get(name) for one in known.player.scenario.deployments for name in names}
    yield told["hours"], chosen, told["hours"] in chosen and int(told["hours"]) * HOUR > A_DAY


@claim(
    rf"There is time for that(?: until (?P<pace>{CLOCK}))?(?:,? at the pace of now(?: and if driven at (?P<both>{RATE})"
    rf" MiB/s without a pause)?,?)?(?:(?: and (?P<none>none)| until (?P<full>{CLOCK})) if driven at (?P<rate>{RATE})"
    rf" MiB/s without a pause)?\.(?: After that begin with 2\.)?"
)
def _time_for_what_is_free(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Twenty minutes before the end, at the pace as it is and at full speed."""
    blur = known.time - known.asked
    for driven in filter(None, (told["both"], told["rate"])):
        yield rate(driven, known.reference_bytes_per_second)
    yield from _time_at_full_speed(known, told)
    if told["pace"]:
        ends = []
        for pace in (known.pace, known.pace_of(DRAINING_MINUTES)):
            if pace.drain_bytes_per_second > 0:
                # What hardly falls may not fall at all.
                least, most = known.until_zero(pace)
                most = max(least, min(most, TOLD_AHEAD_MINUTES))
                middle = known.newest_time + (least + most) / 2 * MINUTE - TIME_TO_ACT
                ends.append((middle, is_clock(told["pace"], middle, known.time, (most - least) / 2 * MINUTE + blur)))
        yield told["pace"], ends, any(held for _, held in ends)


@claim(
    rf"There is time for that until (?P<lately>{CLOCK}),? if the last minute goes on(?:(?:, and (?P<none>none)|, until "
    rf"(?P<full>{CLOCK})| and) if driven at (?P<rate>{RATE}) MiB/s without a pause)?\.(?: After that begin with 2\.)?"
)
def _time_if_the_last_minute_goes_on(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Twenty minutes before the end at the pace of the newest minute of the metric, and at full speed."""
    if told["rate"]:
        yield rate(told["rate"], known.reference_bytes_per_second)
    yield from _time_at_full_speed(known, told)
    paces = [known.pace, known.pace_of(DRAINING_MINUTES)]
    ends = [
        known.newest_time + timedelta(seconds=known.balance_bytes / lately.drain_bytes_per_second) - TIME_TO_ACT
        for pace in paces
        if (lately := known.sooner_than(pace)) is not None
    ]
    yield told["lately"], ends, any(is_clock(told["lately"], end, known.time) for end in ends)


def _time_at_full_speed(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    least, most = known.minutes_until_end_at(known.reference_bytes_per_second)
    if told["none"]:
        yield told["none"], most, least * MINUTE < TIME_TO_ACT + TIME_TO_READ
    if told["full"]:
        yield told["full"], most, most * MINUTE >= TIME_TO_ACT + TIME_TO_READ
        middle = known.asked + (least + most) / 2 * MINUTE - TIME_TO_ACT
        blur = (most - least) / 2 * MINUTE + known.time - known.asked
        yield told["full"], middle, is_clock(told["full"], middle, known.time, blur)


@claim(
    rf"There is time for that until (?P<again>{CLOCK}) if the load above comes again(?:(?:, and (?P<none>none)|, until "
    rf"(?P<full>{CLOCK})| and) if driven at (?P<rate>{RATE}) MiB/s without a pause)?\.(?: After that begin with 2\.)?"
)
def _time_until_a_load_comes_again(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Twenty minutes before the credits end, or before less than twenty minutes' worth is left after another load, with
    those of yesterday or of a week ago; and at full speed.
    """
    then = clock(told["again"], known.time) + TIME_TO_ACT
    days = [Past(known, word) for word in DAYS_AGO]
    is_low = any(one.minutes_left_at(then) < LITTLE_MINUTES and one.gone_again is not None for one in days)
    ends = any(one.may_be_gone_again(then) for one in days)
    yield told["again"], "when a minute's worth is left, or little before that", ends or is_low
    if told["rate"]:
        yield rate(told["rate"], known.reference_bytes_per_second)
    yield from _time_at_full_speed(known, told)


@claim(rf"(?P<then>{CLOCK})(?: on)?\. If no other load comes before, there is time until then ")
def _time_until_a_load_comes(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    then = clock(told["then"], known.time)
    yield told["then"], known.time, then - known.asked >= TIME_TO_ACT - MINUTE


@claim(r"[Nn]o action is needed")
def _no_action(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """No action, beside whether credits really ended within the hours it speaks of."""
    zero = zero_within(known, QUIET_HOURS)
    yield told[0], zero, zero is None


@claim(
    rf"(?:The|With pauses, the|(?P<pulses>In such pulses the)) balance has been falling since "
    rf"(?:some time between (?P<unseen>{CLOCK}) and )?(?P<about>about )?(?P<since>{CLOCK})\."
)
def _falling_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the highest balance before, or the first of the pulses of a load."""
    pulses = known.pace.pulses
    yield same(told["pulses"] is not None, pulses is not None)
    if pulses is None:
        yield from fell_from(told, known)
        return
    since, first = clock(told["since"], known.time), known.player.time_of(_first_of_the_pulses(pulses, known))
    yield told["since"], first, abs(first - since) <= 2 * _blur(told)


def fell_from(told: re.Match[str], known: Known) -> Iterator[Comparison]:
    """The balance was highest at the moment that is told `since`, to some minutes where it is `about` that. It may have
    been higher later by what is earned in two steps of five minutes, because the mail reads no finer ones.
    """
    since = clock(told["since"], known.time)
    if told["unseen"]:
        first, last = (known.player.minute_at(clock(told[one], known.time)) for one in ("unseen", "since"))
        unseen = max(known.player.lived[first - 1 : last], key=lambda one: (lowest_bytes(one), one.minute))
        began = known.player.time_of(unseen.minute)
        yield told["since"], began, is_between(told["unseen"], told["since"], began, known)
        return
    top = Past(known, "Today").top(since)
    began = known.player.time_of(top.minute)
    yield told["since"], began, abs(began - since) <= _blur(told) and lowest_bytes(top) > known.balance_bytes
    later = [
        one for one in known.player.lived[top.minute : known.newest.minute + 1] if not isinstance(one.mode, Elastic)
    ]
    highest = max(later, key=lowest_bytes)
    unseen_bytes = known.earned_bytes_per_second * 2 * STEP.total_seconds()
    yield told["since"], known.player.time_of(highest.minute), lowest_bytes(highest) <= lowest_bytes(top) + unseen_bytes


def _blur(told: re.Match[str]) -> timedelta:
    return 2 * STEP if told["about"] else STEP


def _first_of_the_pulses(pulses: Pulses, known: Known) -> int:
    """The minute from which on the first fell of those whose pace it is; or of those before them that end the lower the
    later, with no rest between two of them that is half as long again as they are apart.
    """
    lows = [(one.minute, lowest_bytes(one)) for one in known.player.lived[: known.newest.minute + 1]]
    by_direction = groupby(pairwise(lows), key=lambda pair: pair[1][1] < pair[0][1])
    spells = [list(run) for is_falling, run in by_direction if is_falling]
    found = [(run[0][0], run[-1][1]) for run in spells if 2 * (run[0][0][1] - run[-1][1][1]) >= pulses.depth_bytes]
    over = [fall for fall in found if fall[1][0] < known.newest.minute]
    counted_from = over[-1][1][0] - pulses.span_minutes
    first = found[-1]
    for earlier in reversed(found[:-1]):
        rest = first[0][0] - earlier[1][0]
        if earlier[1][0] >= counted_from:
            first = earlier
            continue
        if rest > 1.5 * pulses.every_minutes or earlier[1][1] <= first[1][1]:
            break
        first = earlier
    return first[0][0]


@claim(r"The balance has been falling for more than a day\.")
def _falling_for_a_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Its highest point of these 24 hours is their beginning, but for the breathing of a file system at work."""
    day_ago = known.newest_time - A_DAY
    day = [one for one in known.player.lived[: known.newest.minute + 1] if known.player.time_of(one.minute) >= day_ago]
    top = max(day, key=lambda one: (lowest_bytes(one), one.minute))
    yield told[0], known.player.time_of(top.minute), top.minute - day[0].minute <= REST_MINUTES


@claim(
    rf"The incident on .{{1,80}} that began at (?P<began>{CLOCK}) is over(?: as far as credits go)?, by a change of "
    r"the throughput mode"
)
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


@claim(rf"Clients take all or nearly all of the (?P<provisioned>{RATE}) MiB/s that are provisioned")
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
