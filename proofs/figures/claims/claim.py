"""A sentence of a mail with figures, how they are held against what is known, and what several families share."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from proofs.figures.fall_under_way import pace_of_the_fall
from proofs.figures.known import DRAINING_MINUTES, Known, Window
from proofs.figures.readings import is_coarse, is_duration, is_least, is_most, is_rounded, is_whole
from simulation.burst_credits import GIB, MIB
from simulation.file_system import Bursting, Elastic, Provisioned

RATE = r"(?:less than )?[\d,.]+"
CLOCK = r"\d\d:\d\d UTC(?: on \w{3} \d+ \w{3})?"
SPAN = r"more than two days|less than 1 min|\d d \d+ h|\d+ h \d+ min|\d+ h|\d+ min|[\d,]+ days"
MONEY = r"(?:less than )?\$[\d,.]+"
LAST = r"the last (?P<last>hour|minute|\d+ minutes|\d+ h \d+ min|\d+ h)"
OBSERVED = r"the (?:last (?P<whole>hour)|(?P<some>one minute|\d+ minutes) that CloudWatch has of the last hour)"
# The last 24 hours, or what CloudWatch has of them.
OF_THE_DAY = rf"(?:the last 24 hours|the (?P<known_of_the_day>{SPAN}) that CloudWatch has of the last 24 hours)"
A_DAY = timedelta(days=1)
# The newest minutes are on their way: a day without its last hour is called one.
ABOUT_A_DAY_MINUTES = 1380
# A mail tells no time beyond two days, and its newest datapoint may be an hour old.
TOLD_AHEAD_MINUTES = 49 * 60
AN_HOUR_MINUTES = 60
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


CLAIMS: list["Claim"] = []


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


def least_size(told: str, amount_bytes: float, blur_bytes: float = 0.0) -> Comparison:
    """An amount in GiB that is the least."""
    return told, amount_bytes / GIB, is_least(told, amount_bytes / GIB, blur_bytes / GIB)


def most_size(told: str, amount_bytes: float, blur_bytes: float = 0.0) -> Comparison:
    """An amount in GiB that is the most."""
    return told, amount_bytes / GIB, is_most(told, amount_bytes / GIB, blur_bytes / GIB)


def minutes(told: re.Match[str], known: Known) -> Iterator[Comparison]:
    """Full minutes at the permitted rate, or at the one that is named."""
    left = known.minutes_left
    if told["at"]:
        left = known.minutes_left_at(known.uncapped_bytes_per_second)
        yield from named_rate(told["at"], known)
    yield told["minutes"], left, is_whole(told["minutes"], *left)
    if told.groupdict().get("long"):
        yield told["long"], left, is_duration(told["long"], *left)


def named_rate(told: str, known: Known) -> Iterator[Comparison]:
    """The most that the size gives, while nobody knows what its Region permits."""
    yield rate(told, known.uncapped_bytes_per_second)
    yield "not known", known.reference_bytes_per_second, known.is_cap_unknown()


def same(told: object, truth: object) -> Comparison:
    """What is equal or wrong."""
    return str(told), truth, told == truth


def alarm_went_on(alarm: str, known: Known) -> datetime:
    """When the alarm last went to ALARM."""
    return max(
        one.time
        for one in known.player.sandbox.transitions
        if one.alarm.endswith(f"-{alarm.lower()}") and one.new == "ALARM" and one.time <= known.time
    )


def of_a_description(known: Known, reference: str, baseline: str | None = None) -> Comparison:
    """The rates in an alarm's description, in two or three digits. They are of a size of the last hour and a quarter,
    because a description is written only when thresholds are recalculated. While the file system grows, each may be of
    another size: the rate with credits is read off what was permitted, which may be for the size before.
    """
    with_credits, without = zip(*known.rates_lately, strict=True)
    held = any(is_coarse(reference, one / MIB) for one in with_credits) and (
        baseline is None or any(is_coarse(baseline, one / MIB) for one in without)
    )
    return f"{reference}, {baseline}", known.rates_lately, held


def told_span(told: str, window: Window) -> Comparison:
    if told == "hour":
        return told, window.minutes, AN_HOUR_MINUTES <= window.minutes <= AN_HOUR_MINUTES + 1
    if told.endswith((" h", " min")):
        return told, window.minutes, is_duration(told, window.minutes, window.minutes)
    return told, window.minutes, told_count(told) == window.minutes < AN_HOUR_MINUTES


def told_pace(last: str, known: Known) -> Window:
    """The pace that is of a span: that of all mails, or of the Draining alarm, or of the fall under way."""
    paces = (known.pace, known.pace_of(DRAINING_MINUTES), pace_of_the_fall(known))
    return next((one for one in paces if told_span(last, one)[2]), known.pace)


def told_hour(told: re.Match[str], known: Known) -> Comparison:
    minutes = len(known.hour)
    if told["whole"]:
        return "the last hour", minutes, minutes >= AN_HOUR_MINUTES
    return told["some"], minutes, told_count(told["some"]) == minutes < AN_HOUR_MINUTES


def told_day(told: re.Match[str], known: Known) -> Comparison:
    """How much of the last 24 hours is known, where that is not as good as all of it."""
    minutes, words = known.minutes_of_the_day, told["known_of_the_day"]
    if words is None:
        return "the last 24 hours", minutes, minutes >= ABOUT_A_DAY_MINUTES
    return words, minutes, is_duration(words, minutes) and minutes < ABOUT_A_DAY_MINUTES


def told_count(told: str) -> int:
    """`minute`, `one minute` or `15 minutes` as a number."""
    return 1 if told.endswith("minute") else int(told.removesuffix(" minutes"))
