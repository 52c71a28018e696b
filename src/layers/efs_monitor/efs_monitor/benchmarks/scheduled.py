"""What the stack's own schedule measures, as its settings say."""

from collections.abc import Mapping

from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.config import required, whole_number


def scheduled_workloads_from(environment: Mapping[str, str]) -> tuple[Workload, ...]:
    """The workloads at their size; SettingsRefused for an unknown profile or an impossible size."""
    return workloads_of(
        required(environment, "BENCHMARK_PROFILE"),
        size_mib=whole_number(environment, "BENCHMARK_SIZE_MIB"),
        yardsticks=bool(environment.get("BENCHMARK_LOCAL_PATH", "")),
    )
