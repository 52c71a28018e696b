"""Whether the mails of an hour agree: that it recovers or falls, when it is above a threshold, that an alarm is over.

What differs because something new has happened is no contradiction: a balance that turned, a load that changed, a size
that was metered and made the threshold another. Whether it has is asked of the model, and of no mail.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from operate.replay.replayed_account import ReplayedMail
from operate.replay.replayed_metrics import MINUTE
from proofs.incidents.life import START, LivedMonth

HOUR_MINUTES = 60
# The pace of a mail is that of so many minutes before its newest datapoint.
PACE_MINUTES = 15
LOOKS_BACK_MINUTES = 17
# Earlier hours are read in steps of five minutes.
STEP_MINUTES = 5
# What a time of day may be off, rounded down twice, where nothing has changed.
CLOCK_MINUTES = 3
# As much as the pace may change by itself: a size that grows is metered each hour.
SAME_PACE = 0.02
SAME_SIZE = 0.001
LEADS = {"warning": 180, "critical": 60}
EXPECTED = "INFO: Warning expected on "
HEAD = re.compile(r"(?:STILL )?(WARNING|CRITICAL)\b|RECOVERED: (Warning|Critical) is over")
RISING = re.compile(
    r"the balance is rising by [\d,.]+ MiB/s(?: and will be above (\d+) minutes? at (\d\d):(\d\d) UTC"
    r"(?: on \w+ (\d+) \w+)?)?"
)
FALLING = re.compile(r"\(falling by |burst credits of .{1,80} fall by ")
ENDS_SOON = re.compile(r"It is above (?:180|60) minutes: if it stays so, the alarm ends within 15 minutes")
SINCE = re.compile(r"The balance has been falling since (?:about )?(\d\d):(\d\d) UTC(?: on \w+ (\d+) \w+)?")


@dataclass(frozen=True, slots=True)
class Story:
    """What a mail says of where the balance goes, in minutes since the month began: that the alarm `about` is on or
    `over` or `expected`, that the balance is `rising`, or `falling` and `since` when, when it is `above` its
    threshold, or that it is already, so that the alarm `ends_soon`.
    """

    minute: int
    seen: int
    about: str
    over: bool
    expected: bool
    rising: bool
    falling: bool
    since: int | None
    ends_soon: bool
    above: tuple[int, int] | None


def stories(month: LivedMonth) -> list[Story]:
    """Of each readable mail that tells of the balance."""
    return [story for one in month.mails if not one.by_cloudwatch and (story := _story(one, month)) is not None]


def contradictions(month: LivedMonth) -> Iterator[tuple[int, str]]:
    """Each mail that contradicts one of the hour before it: when it came, and how."""
    told = stories(month)
    for one in told:
        if _is_on_above(one, month) != one.ends_soon and not _is_about_at(one, month):
            yield one.minute, f"{one.about} on, and {'not ' * one.ends_soon}above it"
    for number, later in enumerate(told):
        for earlier in told[:number]:
            if later.minute - earlier.minute <= HOUR_MINUTES:
                yield from ((later.minute, how) for how in _contradiction(earlier, later, month))


def _is_on_above(one: Story, month: LivedMonth) -> bool:
    """Whether it tells of an alarm that is on while the balance is above its threshold again, and does not fall."""
    is_on = one.about in LEADS and not one.over and not one.expected
    low = month.lowest[one.seen]
    return is_on and not one.falling and low is not None and low >= _threshold_bytes(one, month)


def _is_about_at(one: Story, month: LivedMonth) -> bool:
    """Whether the balance is so near to the threshold that a size metered meanwhile decides."""
    low = month.lowest[one.seen]
    return low is None or abs(low / _threshold_bytes(one, month) - 1) <= SAME_SIZE


def _threshold_bytes(one: Story, month: LivedMonth) -> float:
    return LEADS.get(one.about, 0) * 60 * month.burst[one.seen]


def _contradiction(earlier: Story, later: Story, month: LivedMonth) -> Iterator[str]:
    fell, rose = _turned(earlier, later, month)
    if earlier.rising and later.falling and not fell:
        yield "rose, falls"
    if earlier.falling and later.rising and not rose:
        yield "fell, rises"
    if earlier.rising and later.since is not None and later.since + STEP_MINUTES < earlier.seen - PACE_MINUTES:
        yield "rose, and has been falling since before"
    if earlier.about == later.about and (earlier.expected or later.expected):
        is_on = earlier if later.expected else later
        if not is_on.over and not is_on.expected and later.expected:
            yield "on, expected in days"
        if not is_on.over and not is_on.expected and earlier.expected and not fell:
            yield "expected in days, on"
    elif earlier.about == later.about:
        if earlier.over and not later.over and not fell and not _passed_by_the_threshold(earlier, later, month):
            yield f"{later.about} over, on"
        if later.over and not earlier.over and not rose:
            yield f"{later.about} on, over"
    if earlier.above is not None and not fell and _is_same_pace(earlier, later, month):
        lead, minute = earlier.above
        if later.above is not None and later.above[0] == lead and abs(later.above[1] - minute) > CLOCK_MINUTES:
            yield f"above {lead} minutes at another time"
        low = month.closing[later.seen] < 60 * lead * month.burst[later.seen]
        if later.seen > minute + CLOCK_MINUTES and low:
            yield f"not above {lead} minutes at that time"


def _turned(earlier: Story, later: Story, month: LivedMonth) -> tuple[bool, bool]:
    """Whether the balance fell, and whether it rose, in any minute that the one does not show and the other may."""
    balances = month.closing[max(0, earlier.seen - PACE_MINUTES) : later.minute + 1]
    steps = [after - before for before, after in pairwise(balances)]
    return any(step < 0 for step in steps), any(step > 0 for step in steps)


def _passed_by_the_threshold(earlier: Story, later: Story, month: LivedMonth) -> bool:
    """Whether it was the threshold that rose above the balance of one of the minutes that the alarm looks back at: a
    size that was metered is in it within the hour.
    """
    lead_seconds = LEADS.get(later.about, 0) * 60
    looked_at = month.lowest[max(0, later.minute - LOOKS_BACK_MINUTES) : later.seen + 1]
    low = min((one for one in looked_at if one is not None), default=None)
    times = (max(0, earlier.minute - HOUR_MINUTES), later.minute)
    before, after = (lead_seconds * month.burst[at] for at in times)
    return low is not None and before <= low < after


def _is_same_pace(earlier: Story, later: Story, month: LivedMonth) -> bool:
    balances = month.closing[max(0, earlier.seen - PACE_MINUTES) : later.seen + 1]
    steps = [after - before for before, after in pairwise(balances)]
    return bool(steps) and max(steps) - min(steps) <= SAME_PACE * max(map(abs, steps))


def _story(one: ReplayedMail, month: LivedMonth) -> Story | None:
    body, head = " ".join(one.body.split()), HEAD.match(one.subject)
    rising, since = RISING.search(body), SINCE.search(body)
    expected = one.subject.startswith(EXPECTED)
    if not expected and head is None and rising is None and not FALLING.search(body):
        return None
    return Story(
        minute=one.minute,
        seen=bisect_right(month.arrives, one.minute) - 1,
        about="warning" if expected else (head[1] or head[2]).lower() if head else "",
        over=head is not None and head[2] is not None,
        expected=expected,
        rising=rising is not None,
        falling=FALLING.search(body) is not None,
        ends_soon=ENDS_SOON.search(body) is not None,
        since=_minute(one, since, 0, past=True) if since else None,
        above=(int(rising[1]), _minute(one, rising, 1)) if rising and rising[1] else None,
    )


def _minute(one: ReplayedMail, told: re.Match[str], before: int, *, past: bool = False) -> int:
    """The minute of the month that a time of day stands for."""
    hour, minute, day = told[before + 1], told[before + 2], told[before + 3]
    sent = START + one.minute * MINUTE
    time = sent.replace(hour=int(hour), minute=int(minute))
    while day is not None and time.day != int(day):
        time += timedelta(days=-1 if past else 1)
    return (time - START) // MINUTE
