"""AWS's lock: no change of throughput mode, and no decrease of provisioned throughput, within 24 hours of either of
them or of a raise. A raise itself is never refused.

https://docs.aws.amazon.com/efs/latest/ug/managing-throughput.html
https://repost.aws/knowledge-center/efs-max-throughput-mode-changes
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

LOCK = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Throughput:
    """How a file system is driven; MiB/s where the mode is provisioned."""

    mode: str
    provisioned_mebibytes_per_second: float | None = None

    def waits_for_the_lock(self, before: "Throughput") -> bool:
        """Whether AWS lets this follow `before` only while no lock is on: all but a raise, and what changes nothing."""
        if self.mode != before.mode:
            return True
        return (self.provisioned_mebibytes_per_second or 0) < (before.provisioned_mebibytes_per_second or 0)

    def begins_the_lock(self, before: "Throughput") -> bool:
        """Whether 24 hours of the lock begin, or begin anew, when this follows `before`: a raise does that, too."""
        return self != before


def refusal(changed: datetime | None, now: datetime) -> str | None:
    """AWS's own sentence, where what began the lock last is less than a day ago."""
    if changed is None or now >= changed + LOCK:
        return None
    return (
        "You have reached the maximum number of throughput mode changes or provisioned throughput value decreases. "
        f"Wait until {changed + LOCK:%Y-%m-%dT%H:%M:%SZ} UTC and try again."
    )
