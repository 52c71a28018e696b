"""AWS's lock: one change of throughput mode or decrease of provisioned throughput within 24 hours; raises are free.

https://docs.aws.amazon.com/efs/latest/ug/managing-throughput.html
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

LOCK = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Throughput:
    """How a file system is driven; MiB/s where the mode is provisioned."""

    mode: str
    provisioned_mebibytes_per_second: float | None = None

    def is_locked_change_from(self, before: "Throughput") -> bool:
        """Whether AWS lets this come about, from `before`, only once in 24 hours."""
        if self.mode != before.mode:
            return True
        return (self.provisioned_mebibytes_per_second or 0) < (before.provisioned_mebibytes_per_second or 0)


def refusal(changed: datetime | None, now: datetime) -> str | None:
    """AWS's own sentence, where the last change or decrease is less than a day ago."""
    if changed is None or now >= changed + LOCK:
        return None
    return (
        "You have reached the maximum number of throughput mode changes or provisioned throughput value decreases. "
        f"Wait until {changed + LOCK:%Y-%m-%dT%H:%M:%SZ} UTC and try again."
    )
