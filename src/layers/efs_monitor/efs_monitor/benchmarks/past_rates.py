"""What workloads reached before on this very file system: the newest rate, and whether one became slow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from efs_monitor.benchmarks.workloads import Workload

# Runs on a shared file system differ by a fifth often, by a third seldom.
SHARE_PERCENT = 70
# With fewer, two slow runs would be the median.
FEWEST_RUNS = 5


@dataclass(frozen=True, kw_only=True)
class NewestRate:
    """What a workload reached when it was last run, and in the runs before it, in bytes or files per second."""

    workload: Workload
    time: datetime
    rate: float
    past: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Regression:
    """A workload that is slower than it was; both rates in bytes or files per second."""

    workload_id: str
    rate: float
    median_rate: float

    @property
    def percent_of_median(self) -> float:
        """How much is left of it, in percent."""
        return 100 * self.rate / self.median_rate


def regressions(
    rates: Mapping[str, float],
    history: Mapping[str, Sequence[float]],
) -> tuple[Regression, ...]:
    """The workloads whose rate is below 70 % of their own median, by id.

    `history` holds one rate for each run of the fourteen days before this one, itself not among them: what it has
    published already changes nothing. A workload with fewer than five such runs is not judged, and one that
    failed has no rate here: it is a failure and no regression. The local baselines are judged like the others, by
    their own past: what became slow together with its local baseline is the instance, not the file system.
    """
    found = []
    for workload_id, rate in sorted(rates.items()):
        past = [one for one in history.get(workload_id, ()) if one > 0]
        if len(past) >= FEWEST_RUNS and rate < (usual := median(past)) * SHARE_PERCENT / 100:
            found.append(Regression(workload_id=workload_id, rate=rate, median_rate=usual))
    return tuple(found)
