"""A BenchmarkSchedule: whether EventBridge Scheduler knows the numbers and names of its cron, whether that ever comes,
and how many runs a month it makes.

The parameter's pattern holds the form. What each field may have would be a pattern of 1,600 characters, and the
Scheduler refuses a wrong one with the whole expression and no word of the field.
https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#cron-based
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from efs_monitor.errors import SettingsRefused


@dataclass(frozen=True, kw_only=True)
class _Field:
    """One of the six fields: its bounds, the names that stand for its numbers, and forms that it alone has, as a
    pattern and in words.
    """

    called: str
    lowest: int
    highest: int
    names: tuple[str, ...] = ()
    own_forms: str = ""
    such_as: str = ""

    def takes(self, part: str) -> bool:
        """Whether it may have this part of a list: all, a value or a range, each with a step or without, or L and the
        like.
        """
        if self.own_forms and re.fullmatch(self.own_forms, part):
            return True
        span, slash, step = part.partition("/")
        if slash and not (step.isdigit() and 1 <= int(step) <= self.highest):
            return False
        return span == "*" or all(self._is_value(end) for end in span.split("-", 1))

    def _is_value(self, text: str) -> bool:
        return text in self.names or (text.isdigit() and self.lowest <= int(text) <= self.highest)

    def values(self, text: str) -> set[int]:
        """The numbers that it names. What has none of its own, as `?` or L, may be any; 15W is 15, two days away at
        most.
        """
        return {number for part in text.split(",") for number in self._of_part(part)}

    def _of_part(self, part: str) -> Iterator[int]:
        span, slash, step = part.partition("/")
        first, dash, last = span.removesuffix("W").partition("-")
        if not self._is_value(first) or (dash and not self._is_value(last)):
            yield from range(self.lowest, self.highest + 1, int(step or 1))
            return
        start = self._number(first)
        end = self._number(last) if dash else self.highest if slash else start
        # From November to February: over the end.
        numbers = [*range(start, end + 1)] if start <= end else [*range(start, self.highest + 1), *range(1, end + 1)]
        yield from numbers[:: int(step or 1)]

    def _number(self, text: str) -> int:
        return self.names.index(text) + 1 if text in self.names else int(text)

    @property
    def allowed(self) -> str:
        """What it may have, for whoever wrote something else."""
        names = f" or {self.names[0]} to {self.names[-1]}" if self.names else ""
        return f"{self.lowest} to {self.highest}{names}{self.such_as}"


_DAY_NAMES = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_MONTH_NAMES = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_A_DAY = rf"([1-7]|{'|'.join(_DAY_NAMES)})"
_HOUR = _Field(called="hour", lowest=0, highest=23)
_DAY = _Field(
    called="day of the month",
    lowest=1,
    highest=31,
    # The last day, the weekday nearest to a day, and the last weekday.
    own_forms=r"\?|L|LW|WL|(0?[1-9]|[12][0-9]|3[01])W|L-[0-9]{1,2}",
    such_as=", L, LW, or such as 15W",
)
_MONTH = _Field(called="month", lowest=1, highest=12, names=_MONTH_NAMES)
_WEEKDAY = _Field(
    called="day of the week",
    lowest=1,
    highest=7,
    names=_DAY_NAMES,
    # The last of its kind in the month, and the first to the fifth.
    own_forms=rf"\?|L|{_A_DAY}L|{_A_DAY}#[1-5]",
    such_as=", L, such as 6L, or one such as 6#3 alone",
)
_YEAR = _Field(called="year", lowest=1970, highest=2199)
_FIELDS = (_Field(called="minute", lowest=0, highest=59), _HOUR, _DAY, _MONTH, _WEEKDAY, _YEAR)
# As docs/cost.md counts a month.
A_MONTH_DAYS = 30


def require_cron_fields(expression: str) -> None:
    """Refuse a cron with a number or a name that its field cannot have, or with days that none of its months has;
    SettingsRefused says which.

    What is no cron, or has not six fields, the parameter's pattern refuses.
    """
    cron = re.fullmatch(r"cron\((.*)\)", expression)
    if cron is None:
        return
    for field, text in zip(_FIELDS, cron[1].split(), strict=False):
        # A field with # has one value, and no list: the Scheduler's own rule.
        for part in [text] if "#" in text else text.split(","):
            if not field.takes(part):
                raise SettingsRefused(
                    f"BenchmarkSchedule is {expression}, whose {field.called} has {part!r}, "
                    f"but may have {field.allowed}"
                )
    if _last_day(expression) is None:
        raise SettingsRefused(
            f"BenchmarkSchedule is {expression}, which never comes: no month that it names has such a day"
        )


def require_cron_to_come(expression: str, today: date) -> None:
    """Refuse a cron of which the last day is over, as where its years are: it would be deployed and never run a
    benchmark. SettingsRefused says when that was.
    """
    last = _last_day(expression)
    if last is not None and last < today:
        raise SettingsRefused(
            f"BenchmarkSchedule is {expression}, which comes no more: its last day was {last:%Y-%m-%d}, and it is "
            f"{today:%Y-%m-%d}; give later years, or * for each"
        )


def runs_a_month(expression: str) -> float:
    """How many benchmarks such a schedule starts in a month of 30 days, about; none where it is empty.

    A cron's months count with their share of a year; its years, which are to come, do not.
    """
    if rate := re.fullmatch(r"rate\(([1-9][0-9]*) (hour|day)s?\)", expression):
        return A_MONTH_DAYS * (24 if rate[2] == "hour" else 1) / int(rate[1])
    cron = re.fullmatch(r"cron\((.*)\)", expression)
    if cron is None:
        return 0
    _, hours, of_month, month, of_week, _ = cron[1].split()
    days = _days_of_month(of_month) if of_week == "?" else _days_of_week(of_week)
    return len(_HOUR.values(hours)) * days * len(_MONTH.values(month)) / 12


def _days_of_month(text: str) -> int:
    """How many days of a month such a field names, of which L and 15W are one each."""
    single = [part for part in text.split(",") if part.startswith("L") or part.endswith(("L", "W"))]
    others = [part for part in text.split(",") if part not in single]
    return min(A_MONTH_DAYS, len(single) + (len(_DAY.values(",".join(others))) if others else 0))


def _days_of_week(text: str) -> float:
    """As many as such a field names in a month: 6#3 and 6L one, each other as often as there are weeks."""
    if "#" in text or (len(text) > 1 and text.endswith("L")):
        return 1
    return A_MONTH_DAYS / 7 * (1 if text == "L" else len(_WEEKDAY.values(text)))


def _last_day(expression: str) -> date | None:
    """The last day that a cron may come on, of those its day of the month, month and year name; the end of time where
    it is no cron; None where there is no such day.
    """
    cron = re.fullmatch(r"cron\((.*)\)", expression)
    if cron is None:
        return date.max
    _, _, of_month_text, month_text, _, year_text = cron[1].split()
    of_month, months, years = _DAY.values(of_month_text), _MONTH.values(month_text), _YEAR.values(year_text)
    for year in sorted(years, reverse=True):
        for month in sorted(months, reverse=True):
            days = [day for day in of_month if day <= monthrange(year, month)[1]]
            if days:
                return date(year, month, max(days))
    return None
