"""EventBridge Scheduler's rate(...) and cron(...) expressions: when they are due.

https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MINUTE = timedelta(minutes=1)
DAY_NAMES = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
MONTH_NAMES = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")

_RATE = re.compile(r"rate\((\d+) (minute|hour|day)(s?)\)")
_CRON = re.compile(r"cron\((.+)\)")


class ExpressionError(ValueError):
    """An expression the sandbox does not run, with the reason."""

    def __init__(self, expression: str, reason: str) -> None:
        super().__init__(f"the schedule expression {expression!r} cannot be run: {reason}")


@dataclass(frozen=True, slots=True)
class Rate:
    """Due at its start and every `interval` from there."""

    interval: timedelta

    def due_between(self, after: datetime, until: datetime, *, start: datetime) -> list[datetime]:
        """Every due time in (after, until]."""
        done = max(-1, (after - start) // self.interval)
        due = start + (done + 1) * self.interval
        found = []
        while due <= until:
            found.append(due)
            due += self.interval
        return found


@dataclass(frozen=True, slots=True)
class Cron:
    """Due at every minute all of its fields name; days of the week count from Sunday = 1."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    years: frozenset[int]
    zone: ZoneInfo

    def due_between(self, after: datetime, until: datetime, *, start: datetime) -> list[datetime]:
        """Every due time in (after, until], none before `start`."""
        minute = after.replace(second=0, microsecond=0) + MINUTE
        found = []
        while minute <= until:
            if minute >= start and self._names(minute.astimezone(self.zone)):
                found.append(minute)
            minute += MINUTE
        return found

    def _names(self, local: datetime) -> bool:
        return (
            local.minute in self.minutes
            and local.hour in self.hours
            and local.day in self.days
            and local.month in self.months
            and local.isoweekday() % 7 + 1 in self.weekdays
            and local.year in self.years
        )


# Asked of each schedule in every minute.
@cache
def parse(expression: str, zone_name: str = "UTC") -> Rate | Cron:
    """Raises ExpressionError for anything but rate(...) and cron(...) with lists, ranges, steps and names."""
    if rate := _RATE.fullmatch(expression):
        count, unit = int(rate[1]), rate[2]
        if count < 1 or (count == 1) == bool(rate[3]):
            raise ExpressionError(
                expression, "it must be 'rate(1 hour)' or 'rate(2 hours)', with a count of at least 1"
            )
        return Rate(count * {"minute": MINUTE, "hour": timedelta(hours=1), "day": timedelta(days=1)}[unit])
    cron = _CRON.fullmatch(expression)
    if cron is None:
        raise ExpressionError(expression, "the sandbox runs rate(...) and cron(...) only")
    fields = cron[1].split()
    if len(fields) != 6:
        raise ExpressionError(expression, f"it has {len(fields)} fields; minute, hour, day, month, weekday, year are 6")
    if (fields[2] == "?") == (fields[4] == "?"):
        raise ExpressionError(expression, "exactly one of day of month and day of week must be '?'")
    try:
        return Cron(
            minutes=_field(fields[0], 0, 59),
            hours=_field(fields[1], 0, 23),
            days=_field(fields[2], 1, 31),
            months=_field(fields[3], 1, 12, MONTH_NAMES),
            weekdays=_field(fields[4], 1, 7, DAY_NAMES),
            years=_field(fields[5], 1970, 2199),
            zone=ZoneInfo(zone_name),
        )
    except (ValueError, ZoneInfoNotFoundError) as error:
        raise ExpressionError(expression, str(error)) from error


def earliest(moment: float | None, created: float) -> datetime:
    """When a schedule starts: at its StartDate, or at once; both in seconds since 1970."""
    return datetime.fromtimestamp(moment if moment is not None else created, UTC)


def _field(text: str, lowest: int, highest: int, names: tuple[str, ...] = ()) -> frozenset[int]:
    numbers: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        if span in ("*", "?"):
            first, last = lowest, highest
        else:
            left, dash, right = span.partition("-")
            first = _number(left, names)
            last = _number(right, names) if dash else (highest if step else first)
        if not lowest <= first <= last <= highest:
            message = f"{part!r} is not within {lowest} to {highest}"
            raise ValueError(message)
        numbers.update(range(first, last + 1, int(step or 1)))
    return frozenset(numbers)


def _number(text: str, names: tuple[str, ...]) -> int:
    if text.upper() in names:
        return names.index(text.upper()) + 1
    if not text.isdigit():
        message = f"{text!r} is not a number the sandbox understands (L, W and # are not done)"
        raise ValueError(message)
    return int(text)
