"""One published result, and the rate that it really stands for."""

from dataclasses import dataclass

MB = 1000**2
MIB = 1024**2
# A figure that was worked out from the same measurement differs from another by rounding only.
ROUNDING = 0.05


@dataclass(frozen=True, kw_only=True)
class Published:
    """One published result: `amount` bytes (files, of a touch) in `seconds`, on this kind of instance and storage.

    `stated_rate` is what the publication says in bytes or files per second, None where it gives a duration only;
    `seconds` is None where it gives a rate only. `step` finds the row in its `source`; words not given are empty.
    """

    source: str
    step: str
    workload_id: str
    instance_type: str
    storage: str
    mode: str
    amount: int | None
    seconds: float | None
    stated_rate: float | None
    note: str = ""

    @property
    def rate(self) -> float:
        """Bytes or files per second: worked out from its own amount and duration where both are known, because that
        is what was measured, and some tables state rates that their durations contradict; else as stated.
        """
        if self.amount is not None and self.seconds is not None:
            return self.amount / self.seconds
        return self.stated_rate or 0.0

    @property
    def contradicts_itself(self) -> bool:
        """Whether the stated rate is not the one that its own amount and duration give."""
        return self.stated_rate is not None and abs(self.stated_rate - self.rate) > ROUNDING * self.rate
