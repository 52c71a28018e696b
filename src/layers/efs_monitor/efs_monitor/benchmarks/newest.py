"""The newest results, to stand beside published ones in a mail."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from efs_monitor.benchmarks.published import comparison
from efs_monitor.benchmarks.workloads import RateKind, Workload
from efs_monitor.efs.credits import MIB

# A mail is read at three in the morning: the rest is on the dashboard.
MOST_IN_A_MAIL = 8


@dataclass(frozen=True, kw_only=True)
class NewestRate:
    """What a workload reached when it was last run, in bytes or files per second."""

    workload: Workload
    time: datetime
    rate: float


def beside_published(newest: Sequence[NewestRate]) -> str:
    """`touch-serial 58 files/s (published: 63), dd-write-1m-end 153 MiB/s (published: 191)`."""
    return ", ".join(_one(result) for result in newest[:MOST_IN_A_MAIL])


def _one(result: NewestRate) -> str:
    published = comparison(result.workload)
    files = result.workload.rate_kind is RateKind.OPERATIONS
    unit, one = ("files/s", 1) if files else ("MiB/s", MIB)
    reached = f"{result.workload.id} {result.rate / one:,.0f} {unit}"
    return f"{reached} (published: {published.rate / one:,.0f})" if published else reached
