"""What the log says of a run: a line for each workload on each instance, which saved queries read, and one of the run.

Instance, kernel and mount are fields here and no dimensions of metrics: a metric is paid for by its dimensions.
"""

from collections.abc import Iterator, Sequence

from efs_monitor.benchmarks.outcome import InstanceOutcome, RunOutcome
from efs_monitor.benchmarks.past_rates import Regression
from efs_monitor.benchmarks.published import comparison
from efs_monitor.benchmarks.results import Result, Status
from efs_monitor.benchmarks.workloads import RateKind, Workload
from efs_monitor.efs.credits import MIB

type Line = dict[str, object]


def measured_lines(command_id: str, outcome: RunOutcome) -> Iterator[Line]:
    """One for each workload and instance, whether it was measured or not; rates in bytes or files per second."""
    for instance in outcome.instances:
        machine = _machine(instance)
        for result in instance.results:
            yield {"run_id": outcome.run_id, "command_id": command_id, **machine, **_workload(result)}


def run_line(command_id: str, outcome: RunOutcome, found: Sequence[Regression], consecutive_failures: int) -> Line:
    """The log line of a whole run: what it came to."""
    return {
        "run_id": outcome.run_id,
        "command_id": command_id,
        "time": outcome.time.isoformat(),
        "success": outcome.success,
        "instances": [one.instance_id for one in outcome.instances],
        "measured": [one.workload.id for one in outcome.measured],
        "failures": [
            ": ".join(part for part in (one.instance_id, one.workload_id, one.reason) if part)
            for one in outcome.failures
        ],
        "unreadable_lines": sum(one.unreadable_lines for one in outcome.instances),
        "cost_bytes": outcome.cost.metered_bytes,
        "billed_bytes": outcome.cost.billed_bytes,
        "consecutive_failures": consecutive_failures,
        "regressions": [f"{one.workload_id}: {one.percent_of_median:.0f} % of its median" for one in found],
    }


def _machine(instance: InstanceOutcome) -> Line:
    machine = instance.machine
    return {
        "instance_id": instance.instance_id,
        "instance_type": machine.instance_type if machine else "unknown",
        "kernel": machine.kernel if machine else "",
        "mount_options": machine.mount_options if machine else "",
        "read_ahead_kb": machine.read_ahead_kb if machine else None,
        "agent": machine.agent if machine else "",
        "tools": dict(machine.tools) if machine else {},
    }


def _workload(result: Result) -> Line:
    workload = result.workload
    line: Line = {
        "workload": workload.id,
        "family": str(workload.family),
        "threads": workload.threads,
        "block_bytes": workload.block_bytes,
        "sync": workload.sync,
        "files": workload.files,
        "bytes": workload.bytes,
        "status": str(result.status),
    }
    if result.status is not Status.OK:
        return line | {"reason": result.reason}
    line |= {"seconds": result.seconds, "rate": result.rate, "unit": workload.rate_kind.unit}
    line |= {"shown": _shown(result.rate, workload)}
    if result.processes is not None:
        line |= {"processes": result.processes}
    published = comparison(workload)
    if published is None:
        return line
    return line | {
        "published": published.rate,
        "published_shown": _shown(published.rate, workload),
        "published_by": f"{published.source} {published.step}",
        "published_instance_type": published.instance_type,
        "ratio_to_published": result.rate / published.rate,
    }


def _shown(rate: float, workload: Workload) -> str:
    """For people: `191.4 MiB/s`, `63.1 files/s`."""
    if workload.rate_kind is RateKind.OPERATIONS:
        return f"{rate:,.1f} files/s"
    return f"{rate / MIB:,.1f} MiB/s"
