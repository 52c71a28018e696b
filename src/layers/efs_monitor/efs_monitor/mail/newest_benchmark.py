"""What the newest benchmark reached, for a mail that tells of it only where it became slow."""

from collections.abc import Sequence

from efs_monitor.benchmarks.past_rates import NewestRate, regressions
from efs_monitor.benchmarks.workloads import RateKind
from efs_monitor.efs.credits import MIB

# A mail is read at three in the morning: the rest is on the dashboard.
MOST_IN_A_MAIL = 8


def slower_than_usual(newest: Sequence[NewestRate]) -> str:
    """`touch-serial 28 files/s (usually 63), dd-write-1m-end 53 MiB/s (usually 191)`; empty where none is."""
    found = regressions({one.workload.id: one.rate for one in newest}, {one.workload.id: one.past for one in newest})
    workloads = {one.workload.id: one.workload for one in newest}
    parts = []
    for one in found[:MOST_IN_A_MAIL]:
        files = workloads[one.workload_id].rate_kind is RateKind.OPERATIONS
        unit, amount = ("files/s", 1) if files else ("MiB/s", MIB)
        parts.append(f"{one.workload_id} {one.rate / amount:,.0f} {unit} (usually {one.median_rate / amount:,.0f})")
    return ", ".join(parts)
