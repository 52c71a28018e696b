"""What the figures of `mail/incident_so_far.py` must be."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from localaws.cloudwatch.alarm import Transition
from proofs.figures.claims.claim import (
    A_DAY,
    CLOCK,
    OF_THE_DAY,
    RATE,
    SPAN,
    Comparison,
    alarm_went_on,
    claim,
    size,
    told_day,
)
from proofs.figures.known import MINUTE, QUARTER_OF_AN_HOUR, Known, lowest_bytes
from proofs.figures.past import STEP
from proofs.figures.readings import clock, is_clock, is_duration
from simulation.burst_credits import MINUTE_SECONDS

# A size is metered within the hour, and the run that follows it comes within an hour and a quarter.
FOLLOWS_WITHIN = timedelta(minutes=150)


@claim(
    rf"The (?P<first>Warning|Critical|Exhausted) alarm has been on since (?P<since>{CLOCK})"
    rf"(?P<others>(?:, (?:Critical|Exhausted) since {CLOCK})*)\."
)
def _on_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the transitions: those that are on are in ALARM, and none is left out but the mail's own."""
    found = [(told["first"], told["since"])]
    found += re.findall(rf", (Critical|Exhausted) since ({CLOCK})", told["others"])
    for alarm, since in found:
        went_on = alarm_went_on(alarm, known)
        yield since, went_on, is_clock(since, went_on, known.time, MINUTE)
        newest = _newest_of(alarm, known)
        yield alarm, newest, newest == "ALARM"


def _newest_of(alarm: str, known: Known) -> str:
    """The state of an alarm as it is at the mail's time."""
    of_it = [one for one in known.player.sandbox.transitions if one.alarm.endswith(f"-{alarm.lower()}")]
    # Of two in one minute the later one in their order.
    return str([one for one in of_it if one.time <= known.time][-1].new)


@claim(rf"(?P<alarm>Warning|Critical) had been over since (?P<since>{CLOCK}), for (?P<span>{SPAN})[.:]")
def _had_been_over(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the transition before the one that the mail is about."""
    off = _last_off(told["alarm"], known)
    yield told["since"], off.time, is_clock(told["since"], off.time, known.time, MINUTE)
    yield told["alarm"], off.old, off.old == "ALARM"
    pause = (known.time - off.time) / MINUTE
    yield told["span"], pause, is_duration(told["span"], pause - 1, pause + 1)


def _last_off(alarm: str, known: Known) -> Transition:
    of_it = [one for one in known.player.sandbox.transitions if one.alarm.endswith(f"-{alarm.lower()}")]
    return max((one for one in of_it if one.new == "OK" and one.time <= known.time), key=lambda one: one.time)


@claim(
    rf"(?P<alarm>Warning|Critical) had been over since {CLOCK}, for (?:{SPAN}): its threshold had been lowered with "
    rf"the size, from about (?P<before>{RATE}) GiB to (?P<after>{RATE}) GiB"
)
def _was_lowered(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """It had more than the threshold of after, and less than that of before: the last higher one that a size had within
    the hours before that the thresholds take to follow it.
    """
    off, lead_seconds = _last_off(told["alarm"], known), MINUTE_SECONDS * known.lead_minutes[told["alarm"].lower()]
    of_then = _references(off.time - FOLLOWS_WITHIN, off.time, known)
    after = [one for one in of_then if size(told["after"], lead_seconds * one)[2]]
    yield told["after"], of_then, bool(after)
    before = [one for one in of_then if one > ABOUT * max(after, default=0.0)]
    yield size(told["before"], lead_seconds * (before or of_then)[-1])
    left = lowest_bytes(known.player.lived[known.player.minute_at(off.time) - 3])
    yield told["before"], left, lead_seconds * min(of_then) <= left < lead_seconds * (before or of_then)[-1]


@claim(
    rf"(?P<alarm>Warning|Critical) had been over since {CLOCK}, for (?:{SPAN})(?:: [^.]*(?:\.\d[^.]*)*)?\. Its "
    rf"threshold has risen(?P<by_size> with the size)? since then, from (?P<before>{RATE}) GiB to (?P<now>{RATE}) GiB"
    r"(?P<alone>: the balance has not fallen below the one of before)?\."
)
def _has_risen(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    off, lead = _last_off(told["alarm"], known), known.lead_minutes[told["alarm"].lower()]
    of_then = _references(off.time - FOLLOWS_WITHIN, off.time + MINUTE, known)
    before = [one for one in of_then if size(told["before"], lead * MINUTE_SECONDS * one)[2]]
    yield told["before"], of_then, bool(before)
    yield size(told["now"], known.threshold_bytes(lead))
    since = [one for one in known.player.lived if off.time <= known.player.time_of(one.minute) < known.newest_time]
    fell = any(lowest_bytes(one) < lead * MINUTE_SECONDS * min(before, default=0.0) for one in since)
    yield told["alone"], fell, (told["alone"] is None) is fell


def _references(since: datetime, until: datetime, known: Known) -> list[float]:
    """What was permitted with credits in the minutes between."""
    return [known.reference_of(one) for one in known.player.lived if since <= known.player.time_of(one.minute) < until]


# Metrics are not exact: what is no more than this times the limit is the limit.
ABOUT = 1.01


@claim(
    r"Credits were gone(?: (?P<least>at least )?(?P<times>once|twice|\d+ times))?(?P<before> before)? in "
    rf"{OF_THE_DAY}, "
    rf"(?:the last time (?P<seen>that is known )?)?(?P<pulses>on and off )?"
    rf"(?:from (?:about|some time between (?P<unknown>{CLOCK}) and) (?P<began>{CLOCK}) to|until(?: about)?)"
    rf"(?: some time between (?P<known>{CLOCK}) and)? (?P<ended>{CLOCK})\."
)
def _gone_before(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By what each minute permitted, and had left. The mail reads them in steps of five: what ended in the first five
    minutes of the day may count or not.
    """
    times = {None: 1, "once": 1, "twice": 2}.get(told["times"]) or int(told["times"].removesuffix(" times"))
    limited = known.newest.permitted_bytes_per_second <= ABOUT * known.baseline_bytes_per_second
    # A mail that says that there are some counts one that has just ended, and one that they are gone does not.
    since_when = [
        *([QUARTER_OF_AN_HOUR] if told["before"] else []),
        *([] if told["before"] and limited else [timedelta(0)]),
    ]
    found = [
        one
        for over_for in since_when
        for by in (-1, 0, 1)
        for one in known.earlier_limited_times(as_far_as_seen=told["seen"] is not None, over_for=over_for + by * STEP)
    ]
    begins = known.time - A_DAY + STEP
    counts = {len(one): range(len(one) - sum(end < begins for _, end in one), len(one) + 1) for one in found}
    as_many = [one for one in found if times in counts[len(one)] or (told["least"] and len(one) > times)]
    yield told["least"], told["seen"], (told["least"] is None) is (told["seen"] is None)
    yield told["times"], found, any(_are_told(told, earlier[-1], known) for earlier in as_many)
    yield told_day(told, known)
    ends = clock(told["known"] or told["ended"], known.time)
    began = clock(told["began"], known.time) if told["began"] else known.time - A_DAY
    # By minutes where these are known, and else by five of them.
    times_in_it = _ends_between(known, began, ends), _ends_of_the_hour(known, began, ends)
    yield told["pulses"], times_in_it, times_in_it[0] > 1 if told["pulses"] else times_in_it[1] <= 1


def _ends_of_the_hour(known: Known, since: datetime, until: datetime) -> int:
    """How often a second's worth was left no more, in the minutes of the last hour that CloudWatch has."""
    return _ends_between(known, max(since, known.newest_time - 59 * MINUTE), until)


def _ends_between(known: Known, since: datetime, until: datetime) -> int:
    ends, was_gone = 0, False
    for one in known.player.lived[: known.newest.minute + 1]:
        if known.is_visible(one) and since <= known.player.time_of(one.minute) < until:
            is_gone = lowest_bytes(one) < known.threshold_bytes(1) / MINUTE_SECONDS
            ends, was_gone = ends + (is_gone and not was_gone), is_gone
    return ends


@claim(r"The credits were gone more than once in the last hour, and may be so again within minutes\.")
def _gone_within_the_hour(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    ends = _ends_of_the_hour(known, known.time - A_DAY, known.time)
    yield told[0], ends, ends > 1


def _are_told(told: re.Match[str], spell: tuple[datetime, datetime], known: Known) -> bool:
    if not is_between(told["known"], told["ended"], spell[1], known):
        return False
    if told["began"]:
        firsts = (spell[0], _nothing_since(spell[0], known))
        return any(is_between(told["unknown"], told["began"], first, known) for first in firsts)
    # What is older than a day, or than the metrics, is not known.
    known_from = max(known.time - A_DAY, known.player.time_of(known.player.lived[0].minute))
    return spell[0] <= known_from + 2 * STEP


def _nothing_since(began: datetime, known: Known) -> datetime:
    """When the last second's worth had begun before a limit: for the mail that is nothing, and a slow load takes
    minutes for it.
    """
    first = known.player.minute_at(began)
    while first > 0 and lowest_bytes(known.player.lived[first - 1]) < known.threshold_bytes(1) / 60:
        first -= 1
    return known.player.time_of(first)


def is_between(first: str | None, last: str, truth: datetime, known: Known) -> bool:
    """Whether a moment is told to five minutes, or between two times where the steps of five minutes between these are
    missing. What lasted until nothing is known any more ended in the step before these, as far as anybody sees.
    """
    if first is None:
        return is_clock(last, truth, known.time, STEP)
    since, until = clock(first, known.time), clock(last, known.time)
    missing = {since + number * STEP for number in range((until - since) // STEP)}
    have = {known.player.time_of(step[0].minute) for step in known.steps(since - STEP)}
    return bool(missing) and not missing & have and since - STEP <= truth <= until + STEP


@claim(
    rf"CloudWatch has no balance from (?P<about>about )?(?P<since>{CLOCK}) to (about )?(?P<until>{CLOCK}): "
    rf"credits may have been gone in that time, from about (?P<gone>{CLOCK}) on if they went on falling as before\."
)
def _may_have_been_gone(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """At the pace that was known with the last balance before the missing ones. The first after them is no more than
    what the size earns since that end. Of what is older than eight hours there is the lowest of each five minutes.
    """
    blur_minutes = STEP // MINUTE - 1 if told["about"] else 0
    until = known.player.minute_at(clock(told["until"], known.time))
    seen = [one for one in known.player.lived if known.is_visible(one)]
    *_, before = [one for one in seen if one.minute < until]
    after = next(one for one in seen if one.minute >= until)
    since = known.player.time_of(before.minute + 1)
    yield told["since"], since, is_clock(told["since"], since, known.time, blur_minutes * MINUTE)
    yield told["until"], after.minute, after.minute - until <= blur_minutes
    then = before.visible_at or known.time
    known_then = Known(known.player, then, then, known.lead_minutes, known.last_told)
    least, most = known_then.until_zero(known_then.pace)
    gone = [known.player.time_of(before.minute) + timedelta(minutes=one) for one in (least, min(most, 24 * 60))]
    middle, blur = gone[0] + (gone[1] - gone[0]) / 2, (gone[1] - gone[0]) / 2 + STEP
    yield told["gone"], middle, is_clock(told["gone"], middle, known.time, blur)
    earned = known.earned_bytes_per_second * (known.player.time_of(after.minute) - gone[0] + STEP).total_seconds()
    yield told["until"], (lowest_bytes(after), earned), lowest_bytes(after) <= earned
