"""The cron expression of a BenchmarkSchedule: whether EventBridge Scheduler knows its numbers and names.

The parameter's pattern holds the form. What each field may have would be a pattern of 1,600 characters, and the
Scheduler refuses a wrong one with the whole expression and no word of the field.
https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#cron-based
"""

import re
from dataclasses import dataclass

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

    @property
    def allowed(self) -> str:
        """What it may have, for whoever wrote something else."""
        names = f" or {self.names[0]} to {self.names[-1]}" if self.names else ""
        return f"{self.lowest} to {self.highest}{names}{self.such_as}"


_DAY_NAMES = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_MONTH_NAMES = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_A_DAY = rf"([1-7]|{'|'.join(_DAY_NAMES)})"
_FIELDS = (
    _Field(called="minute", lowest=0, highest=59),
    _Field(called="hour", lowest=0, highest=23),
    # The last day, the weekday nearest to a day, and the last weekday.
    _Field(
        called="day of the month",
        lowest=1,
        highest=31,
        own_forms=r"\?|L|LW|WL|(0?[1-9]|[12][0-9]|3[01])W|L-[0-9]{1,2}",
        such_as=", L, LW, or such as 15W",
    ),
    _Field(called="month", lowest=1, highest=12, names=_MONTH_NAMES),
    # The last of its kind in the month, and the first to the fifth.
    _Field(
        called="day of the week",
        lowest=1,
        highest=7,
        names=_DAY_NAMES,
        own_forms=rf"\?|L|{_A_DAY}L|{_A_DAY}#[1-5]",
        such_as=", L, such as 6L, or one such as 6#3 alone",
    ),
    _Field(called="year", lowest=1970, highest=2199),
)


def require_cron_fields(expression: str) -> None:
    """Refuse a cron with a number or a name that its field cannot have; SettingsRefused names both.

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
