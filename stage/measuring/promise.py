"""A promise and how it was kept."""

from dataclasses import dataclass


class NotMeasured(Exception):
    """What was to be measured did not work; the text says what, and what it told."""


@dataclass(frozen=True, kw_only=True)
class PromisedValue:
    """A value that must not be above its limit, both in the same unit."""

    name: str
    value: float
    unit: str
    limit: float

    @property
    def ok(self) -> bool:
        """Whether the promise was kept."""
        return self.value <= self.limit

    def as_json(self) -> dict[str, str | float | bool]:
        """One entry of out/bench.json."""
        return {"name": self.name, "value": self.value, "unit": self.unit, "limit": self.limit, "ok": self.ok}
