"""EventBridge Scheduler's rate(...) and cron(...) expressions: when they are due.

https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MINUTE = timedelta(minutes=1)
FRIDAY, SATURDAY = 5, 6
LAST_YEAR = 2199
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
    days: frozenset[int | str]
    months: frozenset[int]
    weekdays: frozenset[int | str]
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
            and not self.days.isdisjoint(_days_of_month(local))
            and local.month in self.months
            and not self.weekdays.isdisjoint(_days_of_week(local))
            and local.year in self.years
        )


def _days_of_month(local: datetime) -> set[int | str]:
    """All that a day is called in the field of days of the month: 30, L, LW, and 31W where the 31st is a Saturday."""
    last = monthrange(local.year, local.month)[1]
    called: set[int | str] = {local.day}
    if local.day == last:
        called.add("L")
    if local.isoweekday() <= FRIDAY:
        near = (day for day in range(1, last + 1) if _nearest_weekday(local.replace(day=day), last) == local.day)
        called |= {f"{day}W" for day in near}
        if all(local.replace(day=day).isoweekday() > FRIDAY for day in range(local.day + 1, last + 1)):
            called.add("LW")
    return called


def _nearest_weekday(day: datetime, last: int) -> int:
    """The day of the month from Monday to Friday that is nearest, and in the same month."""
    if day.isoweekday() == SATURDAY:
        return day.day - 1 if day.day > 1 else day.day + 2
    if day.isoweekday() > SATURDAY:
        return day.day + 1 if day.day < last else day.day - 2
    return day.day


def _days_of_week(local: datetime) -> set[int | str]:
    """All that a day is called in the field of days of the week: 3, 3#2 for the second Tuesday, 3L for the last one.

    L alone is Saturday, the last of the week.
    """
    day = local.isoweekday() % 7 + 1
    called: set[int | str] = {day, f"{day}#{(local.day + 6) // 7}"}
    if local.day + 7 > monthrange(local.year, local.month)[1]:
        called.add(f"{day}L")
    return called


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
            days=_days(fields[2]),
            months=_field(fields[3], 1, 12, MONTH_NAMES),
            weekdays=_weekdays(fields[4]),
            years=_field(fields[5], 1970, LAST_YEAR),
            zone=ZoneInfo(zone_name),
        )
    except (ValueError, ZoneInfoNotFoundError) as error:
        raise ExpressionError(expression, str(error)) from error


def earliest(moment: float | None, created: float) -> datetime:
    """When a schedule starts: at its StartDate, or at once; both in seconds since 1970."""
    return datetime.fromtimestamp(moment if moment is not None else created, UTC)


def _days(text: str) -> frozenset[int | str]:
    """Days of the month; or L for the last one, LW for the last weekday, 15W for the weekday nearest to the 15th: of
    those in a list AWS's page says nothing, and Quartz, from which they are, refuses L there.
    """
    if re.fullmatch("L|LW|([1-9]|[12][0-9]|3[01])W", text):
        return frozenset({text})
    return frozenset(_field(text, 1, 31))


def _weekdays(text: str) -> frozenset[int | str]:
    """Days of the week, SUN or 1 to SAT or 7; FRIL or 6L for the last Friday of the month, 6#3 for the third.

    A field with # has no list, and none has a step. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
    """
    if text == "L":
        return frozenset({7})
    if special := re.fullmatch(f"([1-7]|{'|'.join(DAY_NAMES)})(L|#[1-5])", text):
        return frozenset({f"{_number(special[1], DAY_NAMES)}{special[2]}"})
    if "/" in text:
        message = f"{text!r} has a step, which days of the week have not"
        raise ValueError(message)
    return frozenset(_field(text, 1, 7, DAY_NAMES))


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
        # Hours 20-2 go over midnight (examples of AWS's page on cron rules); years have no round to go.
        wraps = first > last and highest < LAST_YEAR
        if not all(lowest <= one <= highest for one in (first, last)) or (first > last and not wraps):
            message = f"{part!r} is not within {lowest} to {highest}"
            raise ValueError(message)
        named = [*range(first, highest + 1), *range(lowest, last + 1)] if wraps else [*range(first, last + 1)]
        numbers.update(named[:: int(step or 1)])
    return frozenset(numbers)


def _number(text: str, names: tuple[str, ...]) -> int:
    if text.upper() in names:
        return names.index(text.upper()) + 1
    if not text.isdigit():
        message = f"{text!r} is not a number that this field has"
        raise ValueError(message)
    return int(text)
