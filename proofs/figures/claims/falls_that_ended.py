"""What the figures of `mail/falls_that_ended.py` must be."""

import re
from collections.abc import Iterator

from proofs.figures.claims.claim import (
    CLOCK,
    OF_THE_DAY,
    RATE,
    SPAN,
    Comparison,
    claim,
    least_size,
    most_size,
    size,
    told_day,
)
from proofs.figures.earlier_falls import (
    AS_FAST,
    PACE_BLUR,
    STEP_MINUTES,
    EarlierFalls,
    fastest_bytes_per_second,
    taken_bytes,
)
from proofs.figures.known import DRAINING_MINUTES, MINUTE, Known, lowest_bytes
from proofs.figures.past import STEP
from proofs.figures.readings import is_clock, is_duration, is_whole

TIME_OF_DAY = r"\d\d:\d\d"
IF_NO_MORE = (
    rf"If this fall takes no more, at least (?P<left>{RATE}) GiB are left: (?P<minutes>[\d,]+) minutes? at full speed\."
)


@claim(r"unless like (?P<times>\d+) before(?=, fs-)")
@claim(rf"They fell as fast (?P<times>twice|\d+ times) before in {OF_THE_DAY}")
def _fell_as_fast(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    times = 2 if told["times"] == "twice" else int(told["times"].removesuffix(" times"))
    fewest, most = EarlierFalls(known, DRAINING_MINUTES).counts
    yield told["times"], (fewest, most), fewest <= times <= most
    if "known_of_the_day" in told.groupdict():
        yield told_day(told, known)


@claim(
    rf", for about (?P<longest>{SPAN}) at the longest and by less than (?P<most>{RATE}) GiB, and each time "
    rf"the load ended before the credits did\. {IF_NO_MORE}"
    rf"(?: One that began at about (?P<since>{CLOCK}) is not among these: it took far more, about (?P<apart>{RATE}) "
    r"GiB\.)?"
)
def _ended_by_themselves(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    falls = EarlierFalls(known, DRAINING_MINUTES, one_is_apart=told["apart"] is not None)
    if told["apart"]:
        yield from _is_apart(known, told, falls.most_bytes)
    least, longest = falls.longest_minutes
    yield told["longest"], (least, longest), is_duration(told["longest"], least, longest)
    yield from _if_no_more(known, told, falls.most_bytes, falls.top_bytes)
    yield "each time", falls.lowest_bytes, falls.lowest_bytes >= known.threshold_bytes(1)


def _is_apart(known: Known, told: re.Match[str], others_bytes: float) -> Iterator[Comparison]:
    """It took more than twice as much as any of the others, and ended before the credits did, too."""
    deepest = EarlierFalls(known, DRAINING_MINUTES).deepest
    blur_bytes = 2 * known.earned_bytes_per_second * STEP.total_seconds()
    yield size(told["apart"], taken_bytes(deepest), blur_bytes)
    yield told["apart"], others_bytes, taken_bytes(deepest) + blur_bytes > 2 * others_bytes
    yield told["apart"], lowest_bytes(deepest[-1]), lowest_bytes(deepest[-1]) >= known.threshold_bytes(1)
    began = known.player.time_of(deepest[0].minute)
    yield told["since"], began, is_clock(told["since"], began, known.time, STEP)


@claim(r"unless like (?P<back>a day ago)(?=, fs-)")
@claim(
    rf"(?P<back>A day ago) they fell as fast, from about (?P<began>{TIME_OF_DAY}) to about (?P<ended>{TIME_OF_DAY}) "
    rf"UTC and by less than (?P<most>{RATE}) GiB, and the load ended before the credits did\. {IF_NO_MORE}"
)
def _fell_a_day_ago(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The two begin within half an hour of the same time of day, as steps of five minutes tell."""
    falls = EarlierFalls(known, DRAINING_MINUTES)
    fall, under_way = falls.of_a_day_ago, falls.under_way
    yield told["back"], under_way, bool(fall)
    if not fall:
        return
    as_fast = fastest_bytes_per_second(fall) * AS_FAST * (1 + PACE_BLUR)
    yield told["back"], as_fast, falls.drain_bytes_per_second <= as_fast
    longest = fall[-1].minute - fall[0].minute + 4 * STEP_MINUTES
    yield told["back"], longest, under_way[-1].minute - under_way[0].minute <= longest
    yield told["back"], lowest_bytes(fall[-1]), lowest_bytes(fall[-1]) >= known.threshold_bytes(1)
    if "began" not in told.groupdict():
        return
    for text, minute in ((told["began"], fall[0].minute), (told["ended"], fall[-1].minute + 1)):
        moment = known.player.time_of(minute)
        near = {f"{moment + late * MINUTE:%H:%M}" for late in range(-2 * STEP_MINUTES, 2 * STEP_MINUTES + 1)}
        yield text, moment, text in near
    took_bytes = falls.top_bytes_of(fall) - min(map(lowest_bytes, fall))
    # The lowest of the five minutes before the one under way is not the highest of it.
    yield from _if_no_more(known, told, took_bytes, falls.top_bytes_of(under_way), blurred_steps=3)


def _if_no_more(
    known: Known, told: re.Match[str], most_bytes: float, top_bytes: float, blurred_steps: int = 2
) -> Iterator[Comparison]:
    """What a fall takes at the most, and leaves of so much at the least: steps of five minutes blur what is earned at
    both ends.
    """
    blur = known.earned_bytes_per_second * STEP.total_seconds()
    yield most_size(told["most"], most_bytes + blur, blur)
    part = blurred_steps / 2 * blur
    yield least_size(told["left"], top_bytes - most_bytes - part, part)
    left = [(top_bytes - most_bytes - steps * blur) / known.threshold_bytes(1) for steps in (blurred_steps, 0)]
    yield told["minutes"], left, is_whole(told["minutes"], *left)
