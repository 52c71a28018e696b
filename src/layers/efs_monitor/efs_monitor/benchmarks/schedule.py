"""A BenchmarkSchedule: whether EventBridge Scheduler knows the numbers and names of its cron, whether that ever comes,
and how many runs a month it makes.

The parameter's pattern holds the form. What each field may have would be a pattern of 1,600 characters, and the
Scheduler refuses a wrong one with the whole expression and no word of the field.
https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#cron-based
Ranges that go over the end are in an example of AWS's, every half hour of 20-2 from Monday to Friday:
https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

from efs_monitor.errors import SettingsRefused

# As docs/cost.md counts a month.
A_MONTH_DAYS = 30
# A leap year and three others: the days of a cron, counted in them, stand for any year's.
FOUR_YEARS = range(2025, 2029)
# Every day of the year falls on every day of the week within so many, also about 2100, which is no leap year.
YEARS_THAT_SHOW_ALL = 40
FRIDAY = 5


@dataclass(frozen=True, kw_only=True)
class _Field:
    """One of the six fields: its bounds, the names that stand for its numbers, and forms that it alone has, as a
    pattern and in words, which stand in no list. A range of what `wraps` may go over its end, as hours 20-2 over
    midnight; years have none. What has no `steps` has no increments with a slash.
    """

    called: str
    lowest: int
    highest: int
    names: tuple[str, ...] = ()
    own_forms: str = ""
    steps: bool = True
    wraps: bool = True
    such_as: str = ""

    def refused(self, text: str) -> str | None:
        """The first part that it may not have: anything but all, a value or a range, each with a step or without, or L
        and the like. None where it may have the whole.
        """
        if self._is_own(text):
            return None
        # A field with # has one value, and no list: the Scheduler's own rule.
        parts = [text] if "#" in text else text.split(",")
        return next((part for part in parts if not self._takes(part)), None)

    def _takes(self, part: str) -> bool:
        span, slash, step = part.partition("/")
        if slash and not (self.steps and step.isdigit() and 1 <= int(step) <= self.highest):
            return False
        if span == "*":
            return True
        ends = span.split("-", 1)
        if not all(map(self._is_value, ends)):
            return False
        return self.wraps or self._number(ends[0]) <= self._number(ends[-1])

    def _is_own(self, text: str) -> bool:
        return bool(self.own_forms) and re.fullmatch(self.own_forms, text) is not None

    def _is_value(self, text: str) -> bool:
        return text in self.names or (text.isdigit() and self.lowest <= int(text) <= self.highest)

    def _number(self, text: str) -> int:
        return self.names.index(text) + 1 if text in self.names else int(text)

    def values(self, text: str) -> set[int]:
        """The numbers that it names, of a text without forms of its own."""
        return {number for part in text.split(",") for number in self._of_part(part)}

    def _of_part(self, part: str) -> list[int]:
        span, slash, step = part.partition("/")
        ends = [str(self.lowest), str(self.highest)] if span == "*" else span.split("-", 1)
        first = self._number(ends[0])
        last = self._number(ends[1]) if len(ends) > 1 else self.highest if slash else first
        over = last + 1 if first <= last else self.highest + 1
        numbers = [*range(first, over), *(range(self.lowest, last + 1) if first > last else ())]
        return numbers[:: int(step or 1)]

    @property
    def allowed(self) -> str:
        """What it may have, for whoever wrote something else."""
        names = f" or {self.names[0]} to {self.names[-1]}" if self.names else ""
        return f"{self.lowest} to {self.highest}{names}{self.such_as}"


_DAY_NAMES = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_MONTH_NAMES = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_A_DAY = rf"([1-7]|{'|'.join(_DAY_NAMES)})"
_MINUTE = _Field(called="minute", lowest=0, highest=59)
_HOUR = _Field(called="hour", lowest=0, highest=23)
_DAY = _Field(
    called="day of the month",
    lowest=1,
    highest=31,
    # The last day, the weekday nearest to a day, and the last weekday. Days before the last are in Quartz, from which
    # these forms are, and not on AWS's page: whether it takes them the Scheduler says. Of a list with one of them AWS's
    # page says nothing, and Quartz refuses "L" there.
    own_forms=r"\?|L|LW|(0?[1-9]|[12][0-9]|3[01])W|L-([12]?[0-9]|30)",
    such_as=", or alone L, LW, or such as 15W",
)
_MONTH = _Field(called="month", lowest=1, highest=12, names=_MONTH_NAMES)
_WEEKDAY = _Field(
    called="day of the week",
    lowest=1,
    highest=7,
    names=_DAY_NAMES,
    # The last of its kind in the month, and the first to the fifth.
    own_forms=rf"\?|L|{_A_DAY}L|{_A_DAY}#[1-5]",
    steps=False,
    such_as=", without a step, or alone L, such as 6L, or such as 6#3",
)
_YEAR = _Field(called="year", lowest=1970, highest=2199, wraps=False)
_FIELDS = (_MINUTE, _HOUR, _DAY, _MONTH, _WEEKDAY, _YEAR)


@dataclass(frozen=True)
class _Cron:
    """The six fields of an expression, as they are written."""

    minute: str
    hour: str
    of_month: str
    month: str
    of_week: str
    year: str

    @property
    def times(self) -> list[time]:
        """The times of each of its days, in order."""
        return [
            time(hour, one) for hour in sorted(_HOUR.values(self.hour)) for one in sorted(_MINUTE.values(self.minute))
        ]

    def last_day(self) -> date | None:
        """The last day on which it comes; None where there is none."""
        for year in sorted(_YEAR.values(self.year), reverse=True)[:YEARS_THAT_SHOW_ALL]:
            days = list(self.days(year))
            if days:
                return days[-1]
        return None

    def days(self, year: int) -> Iterator[date]:
        """Its days in this year, in order, whether it names the year or not."""
        for month in sorted(_MONTH.values(self.month)):
            last = monthrange(year, month)[1]
            found = self._by_month(year, month, last) if self.of_week == "?" else self._by_week(year, month, last)
            yield from (date(year, month, day) for day in sorted(found) if 1 <= day <= last)

    def _by_month(self, year: int, month: int, last: int) -> set[int]:
        text = self.of_month
        if text == "LW":
            return {_nearest_weekday(date(year, month, last))}
        if text.startswith("L"):
            return {last - int(text[2:] or 0)}
        if text.endswith("W"):
            # What 31W is in a shorter month AWS's page does not say: here the last weekday, so none is refused.
            return {_nearest_weekday(date(year, month, min(int(text[:-1]), last)))}
        return _DAY.values(text)

    def _by_week(self, year: int, month: int, last: int) -> set[int]:
        text, _, nth = self.of_week.partition("#")
        is_last_of_kind = len(text) > 1 and text.endswith("L")
        named = {7} if text == "L" else _WEEKDAY.values(text[:-1] if is_last_of_kind else text)
        days = [day for day in range(1, last + 1) if date(year, month, day).isoweekday() % 7 + 1 in named]
        if nth:
            return set(days[int(nth) - 1 : int(nth)])
        return {days[-1]} if is_last_of_kind else set(days)


def _nearest_weekday(day: date) -> int:
    """The day of the month from Monday to Friday that is nearest, and in the same month."""
    weekday, last = day.isoweekday(), monthrange(day.year, day.month)[1]
    if weekday <= FRIDAY:
        return day.day
    if weekday == FRIDAY + 1:
        return day.day - 1 if day.day > 1 else day.day + 2
    return day.day + 1 if day.day < last else day.day - 2


def _fields(expression: str) -> list[str]:
    """The six fields of a cron; none of anything else, nor of what has not six: the parameter's pattern refuses it."""
    found = re.fullmatch(r"cron\((.*)\)", expression)
    fields = found[1].split() if found else []
    return fields if len(fields) == len(_FIELDS) else []


def _cron(expression: str) -> _Cron | None:
    """A cron of fields that may be so; None for anything else, such as what a stack has of another release."""
    fields = _fields(expression)
    if not fields or any(field.refused(text) is not None for field, text in zip(_FIELDS, fields, strict=True)):
        return None
    return _Cron(*fields)


def require_cron_fields(expression: str) -> None:
    """Refuse a cron with a number or a name that its field cannot have, or that never comes; SettingsRefused says
    which, or why.
    """
    for field, text in zip(_FIELDS, _fields(expression), strict=False):
        part = field.refused(text)
        if part is not None:
            raise SettingsRefused(
                f"BenchmarkSchedule is {expression}, whose {field.called} has {part!r}, but may have {field.allowed}"
            )
    cron = _cron(expression)
    if cron is not None and cron.last_day() is None:
        raise SettingsRefused(
            f"BenchmarkSchedule is {expression}, which never comes: no month that it names has such a day"
        )


def comes_no_more(expression: str, now: datetime) -> bool:
    """Whether this is a cron that has come for the last time, as where its years are over."""
    last = _last_time(expression)
    return last is not None and last < now


def require_cron_to_come(expression: str, now: datetime) -> None:
    """Refuse a cron that has come for the last time: it would be deployed and never run a benchmark. SettingsRefused
    says when that was.
    """
    last = _last_time(expression)
    if last is not None and last < now:
        raise SettingsRefused(
            f"BenchmarkSchedule is {expression}, which comes no more: its last time was {last:%Y-%m-%d %H:%M} UTC, and "
            f"it is {now.astimezone(UTC):%Y-%m-%d %H:%M}; give later years, or * for each"
        )


def _last_time(expression: str) -> datetime | None:
    """When a cron comes last; None for what is no cron, and for one that never comes."""
    cron = _cron(expression)
    day = cron.last_day() if cron else None
    return datetime.combine(day, cron.times[-1], UTC) if cron and day else None


@cache
def runs_a_month(expression: str) -> float:
    """How many benchmarks such a schedule starts in a month of 30 days, about; none where it is empty.

    The years of a cron, which are to come, do not count.
    """
    if rate := re.fullmatch(r"rate\(([1-9][0-9]*) (hour|day)s?\)", expression):
        return timedelta(days=A_MONTH_DAYS) / (timedelta(**{f"{rate[2]}s": int(rate[1])}))
    cron = _cron(expression)
    if cron is None:
        return 0
    days = sum(len(list(cron.days(year))) for year in FOUR_YEARS)
    return len(cron.times) * days * A_MONTH_DAYS / sum(366 if one % 4 == 0 else 365 for one in FOUR_YEARS)
