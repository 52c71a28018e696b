"""How a figure in a mail reads: what it may be of a true amount, written and rounded for people."""

import re
from datetime import UTC, datetime, timedelta
from math import floor, isclose, log10

MINUTE = timedelta(minutes=1)
# Two orders of the same floating-point sums.
SUMMING = 1e-6


def number(told: str) -> float:
    """`1,055` or `$21` as a number."""
    return float(told.strip("$").replace(",", ""))


def is_rounded(told: str, truth: float, blur: float = 0.0) -> bool:
    """Whether `told` is the truth, give or take the blur, rounded to the digits that are told."""
    if told.startswith("less than "):
        return 0 < truth < number(told.removeprefix("less than ")) + blur
    return abs(number(told) - truth) <= 0.5 * _digit(told) + blur + SUMMING * abs(truth)


def is_least(told: str, truth: float, blur: float = 0.0) -> bool:
    """Whether `told` is the truth, give or take the blur, rounded down to the digits that are told."""
    if told.startswith("less than "):
        return is_rounded(told, truth, blur)
    return truth - _digit(told) - blur - SUMMING < number(told) <= truth + blur + SUMMING * (1 + abs(truth))


def is_most(told: str, truth: float, blur: float = 0.0) -> bool:
    """Whether `told` is the truth, give or take the blur, rounded up to the digits that are told."""
    return truth - blur - SUMMING * (1 + abs(truth)) <= number(told) < truth + _digit(told) + blur + SUMMING


def _digit(told: str) -> float:
    """What the last digit of it stands for."""
    return 0.1 ** len(told.partition(".")[2])


def is_coarse(told: str, truth: float) -> bool:
    """Whether `told` is the truth in three significant digits from 100 on, and two below."""
    step = 10.0 ** (floor(log10(truth)) - (2 if truth >= 100 else 1))
    return abs(number(told) - truth) <= 0.5 * step * (1 + SUMMING)


def is_whole(told: str, lowest: float, highest: float | None = None) -> bool:
    """Whether `told` is a whole number of what lies between the two, rounded down."""
    highest = lowest if highest is None else highest
    return floor(lowest * (1 - SUMMING)) <= number(told) <= floor(highest * (1 + SUMMING))


def is_duration(told: str, lowest_minutes: float, highest_minutes: float | None = None) -> bool:
    """Whether `2 h 59 min` and the like is a number of minutes between the two, rounded down."""
    highest_minutes = lowest_minutes if highest_minutes is None else highest_minutes
    if told == "more than two days":
        return highest_minutes * (1 + SUMMING) >= 2 * 24 * 60
    if told in {"less than 1 min", "under 1 min"}:
        return lowest_minutes < 1
    unit_minutes = {"min": 1, "h": 60, "d": 24 * 60, "days": 24 * 60}
    parts = [(int(amount.replace(",", "")), unit) for amount, unit in re.findall(r"([\d,]+) (min|h|days|d)\b", told)]
    minutes = sum(amount * unit_minutes[unit] for amount, unit in parts)
    # Hours are told of two to nine days.
    step = {"d": 60, "days": 60 if minutes < 10 * unit_minutes["d"] else unit_minutes["d"]}.get(parts[0][1], 1)
    return lowest_minutes * (1 - SUMMING) - step < minutes <= highest_minutes * (1 + SUMMING)


def is_clock(told: str, moment: datetime, mailed: datetime, blur: timedelta = timedelta()) -> bool:
    """Whether `08:46 UTC` or `08:46 UTC on Tue 8 Jan` is that moment; without a date, on the day of the mail."""
    try:
        reading = clock(told, mailed)
    except ValueError:
        return False
    return moment - blur - MINUTE < reading <= moment + blur + timedelta(seconds=1)


def clock(told: str, mailed: datetime) -> datetime:
    """The moment that a time of day stands for in a mail; ValueError for what is none, such as 03:69."""
    match = re.fullmatch(r"(\d\d:\d\d) UTC(?: on \w{3} (\d+ \w{3}))?", told)
    if match is None:
        raise ValueError(f"{told!r} is no time")
    day = match[2] or f"{mailed.day} {mailed:%b}"
    return datetime.strptime(f"{match[1]} {day} {mailed.year}", "%H:%M %d %b %Y").replace(tzinfo=UTC)


def is_percent(told: str, share: float) -> bool:
    """Whether `told` is the share in percent."""
    return is_rounded(told, share * 100)


def is_money(told: str, dollars: float) -> bool:
    """Whether `told` is so many dollars: with cents below ten."""
    if told == "less than $0.01":
        return 0 < dollars < 0.01
    return is_rounded(told, dollars) or isclose(dollars, number(told))


def is_least_money(told: str, dollars: float, blur_dollars: float = 0.0) -> bool:
    """Whether no less than `told` was spent, and less than a dollar or a cent more."""
    if told == "less than $0.01":
        return is_money(told, dollars)
    return is_least(told.strip("$"), dollars, blur_dollars)
