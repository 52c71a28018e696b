"""What metric math computes with: numbers and time series, all over the same periods."""

from dataclasses import dataclass

type Points = tuple[float | None, ...]
"""One value a period, oldest first; None where there is no datapoint."""

type Scalar = float | None
"""AWS's S; None is the number that a division by zero does not have."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The range that is asked for; a period begins at its start, in seconds since 1970."""

    start_seconds: int
    period_seconds: int
    periods: int

    @property
    def starts(self) -> range:
        """When each period begins."""
        end = self.start_seconds + self.periods * self.period_seconds
        return range(self.start_seconds, end, self.period_seconds)


@dataclass(frozen=True, slots=True)
class Series:
    """AWS's TS."""

    points: Points


type Value = Scalar | Series


def kind(value: Value) -> str:
    """What a value is, in the words of an error."""
    return "a time series" if isinstance(value, Series) else "a number"
