"""How numbers are written for people: MiB/s, GiB, minutes, clock times and dollars."""

from datetime import UTC, datetime
from math import ceil, floor

from efs_monitor.efs.credits import GIB, MIB

MINUTES_PER_HOUR = 60
MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR
# So many days are told without the hours, which are less than a tenth of them: a subject is short.
DAYS_WITHOUT_HOURS = 10
# What only floating-point sums have added or taken off.
SUMMING = 1e-6


def rate(bytes_per_second: float) -> str:
    """A rate in MiB/s, as exact as a person can use: "153 MiB/s", "5.0 MiB/s"."""
    return f"{_amount(bytes_per_second / MIB)} MiB/s"


def rates(least_bytes_per_second: float, most_bytes_per_second: float) -> str:
    """A rate that was not the same all the time: "10 to 20 MiB/s"; one alone where both are told alike."""
    least, most = rate(least_bytes_per_second), rate(most_bytes_per_second)
    return most if least == most else f"{least.removesuffix(' MiB/s')} to {most}"


def coarse_rate(bytes_per_second: float) -> str:
    """A rate in MiB/s in three significant digits from 100 on and two below: "1,230 MiB/s", "5.0 MiB/s"."""
    mib_per_second = bytes_per_second / MIB
    return rate(float(f"{mib_per_second:.{3 if mib_per_second >= 100 else 2}g}") * MIB)


def up_to(rate_in_words: str, *, may_be_less: bool) -> str:
    """The rate, or that it is so much at the most."""
    return f"up to {rate_in_words}" if may_be_less else rate_in_words


def size(amount_bytes: float) -> str:
    """An amount in GiB: "1,055 GiB", "12 GiB", "2.9 GiB"."""
    return f"{_amount(amount_bytes / GIB)} GiB"


def size_rounded_down(amount_bytes: float) -> str:
    """An amount in GiB that is the least: "310 GiB" of 310.6."""
    gib = amount_bytes / GIB
    least = _rounded_down(gib, _parts(gib))
    return "less than 0.1 GiB" if least <= 0 < gib else f"{_amount(least)} GiB"


def size_rounded_up(amount_bytes: float) -> str:
    """An amount in GiB that is the most: "51 GiB" of 50.4."""
    gib = amount_bytes / GIB
    parts = _parts(gib)
    return f"{_amount(ceil(gib * parts - SUMMING) / parts)} GiB"


def at_least_size(amount_bytes: float) -> str:
    """What there is at the least; of less than a tenth of a GiB, that it is less."""
    text = size_rounded_down(amount_bytes)
    return text if text.startswith("less than") else f"at least {text}"


def percent(share: float) -> str:
    """A part of 1 in percent: "85 %", "0.3 %"."""
    return f"{_amount(share * 100)} %"


def counted(minutes: int) -> str:
    """Minutes in full words, with the plural where it belongs."""
    return "1 minute" if minutes == 1 else f"{minutes:,} minutes"


def duration(minutes: float) -> str:
    """A span, rounded down: "42 min", "2 h 55 min", "2 d 16 h", "12 days"."""
    if minutes < 1:
        return "less than 1 min"
    if minutes >= 2 * MINUTES_PER_DAY:
        days, rest = divmod(int(minutes), MINUTES_PER_DAY)
        hours = rest // MINUTES_PER_HOUR
        return f"{days} d {hours} h" if hours and days < DAYS_WITHOUT_HOURS else f"{days:,} days"
    hours, rest = divmod(int(minutes), MINUTES_PER_HOUR)
    return " ".join(part for part in (f"{hours} h" * bool(hours), f"{rest} min" * bool(rest)) if part)


def past_span(minutes: float) -> str:
    """A span that ends with the newest datapoint: "the last 2 h", "the last hour", "the last 15 minutes"."""
    whole_minutes = max(1, round(minutes))
    # A minute more is an hour still, by the datapoints at both of its ends.
    if whole_minutes > MINUTES_PER_HOUR + 1:
        return f"the last {duration(whole_minutes)}"
    if whole_minutes >= MINUTES_PER_HOUR:
        return "the last hour"
    return "the last minute" if whole_minutes == 1 else f"the last {counted(whole_minutes)}"


def observed_span(minutes: int) -> str:
    """The minutes of the last hour that some figures are the sum or average of, in one piece or not."""
    if minutes >= MINUTES_PER_HOUR:
        return "the last hour"
    which = "the one minute" if minutes == 1 else f"the {counted(minutes)}"
    return f"{which} that CloudWatch has of the last hour"


def clock(moment: datetime, now: datetime) -> str:
    """The time of day in UTC, with the date where it is not today's."""
    moment, now = moment.astimezone(UTC), now.astimezone(UTC)
    text = f"{moment:%H:%M} UTC"
    return text if moment.date() == now.date() else f"{text} on {moment:%a} {moment.day} {moment:%b}"


def some_time(since: str, until: str) -> str:
    """A moment of which no more is known than between which two it was, each as it is told."""
    return f"some time between {since} and {until}"


def money(dollars: float) -> str:
    """Dollars, with cents only where they matter."""
    if 0 < dollars < 0.01:
        return "less than $0.01"
    return f"${dollars:,.2f}" if 0 < dollars < 10 else f"${dollars:,.0f}"


def money_rounded_down(dollars: float, limit_dollars: int | None = None) -> str:
    """Dollars that are the least, with cents only where they matter: also where it is more than a limit of whole
    dollars, and would not seem so without them.
    """
    if dollars < 10:
        return money(_rounded_down(dollars, 100) or dollars)
    whole_dollars = _rounded_down(dollars, 1)
    if limit_dollars is None or whole_dollars > limit_dollars:
        return f"${whole_dollars:,.0f}"
    return f"${_rounded_down(dollars, 100):,.2f}"


def at_least(dollars: float, limit_dollars: int | None = None) -> str:
    """What is spent at the least, above a limit if there is one; of less than a cent, that it is less."""
    text = money_rounded_down(dollars, limit_dollars)
    return text if text.startswith("less than") else f"at least {text}"


def _rounded_down(number: float, parts: int) -> float:
    """The number, rounded down to so many parts of one."""
    return floor(number * parts + SUMMING) / parts


def _parts(number: float) -> int:
    """Into how many parts of one an amount is told: tenths below ten."""
    return 10 if number < 10 else 1


def _amount(number: float) -> str:
    if 0 < number < 0.05:
        return "less than 0.1"
    return f"{number:,.1f}" if 0 < number < 9.95 else f"{number:,.0f}"
