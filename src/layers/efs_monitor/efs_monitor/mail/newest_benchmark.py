"""The newest results, to stand beside published ones in a mail."""

from collections.abc import Sequence

from efs_monitor.benchmarks.history import NewestRate
from efs_monitor.benchmarks.published import comparison
from efs_monitor.benchmarks.workloads import RateKind
from efs_monitor.efs.credits import MIB

# A mail is read at three in the morning: the rest is on the dashboard.
MOST_IN_A_MAIL = 8


def beside_published(newest: Sequence[NewestRate]) -> str:
    """`touch-serial 58 files/s (published: 63), dd-write-1m-end 153 MiB/s (published: 191)`."""
    return ", ".join(_one(result) for result in newest[:MOST_IN_A_MAIL])


def _one(result: NewestRate) -> str:
    published = comparison(result.workload)
    files = result.workload.rate_kind is RateKind.OPERATIONS
    unit, one = ("files/s", 1) if files else ("MiB/s", MIB)
    reached = f"{result.workload.id} {result.rate / one:,.0f} {unit}"
    return f"{reached} (published: {published.rate / one:,.0f})" if published else reached
