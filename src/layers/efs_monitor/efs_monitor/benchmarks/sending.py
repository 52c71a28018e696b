"""What is measured in a run, and what an instance is told of it: the parameters of the stack's document."""

from collections.abc import Mapping, Sequence

from efs_monitor.benchmarks.benchmark_settings import BenchmarkSettings
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.deadline import deadline_seconds, execution_timeout_seconds
from efs_monitor.benchmarks.plan import encode
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.benchmarks.refusals import Limits, Skip, SkipReason
from efs_monitor.benchmarks.requests import RunRequest
from efs_monitor.benchmarks.sent_commands import Command
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.efs.file_system import FileSystem


def wanted_workloads(request: RunRequest, settings: BenchmarkSettings) -> tuple[Workload, ...]:
    """What a person asked for, else what the stack is set to; with the local baselines where there is a local path.

    Raises SettingsRefused for an unknown profile and an impossible size.
    """
    return workloads_of(
        settings.profile if request.profile is None else request.profile,
        size_mib=settings.size_mib if request.size_mib is None else request.size_mib,
        local_baselines=bool(settings.local_path),
    )


def limits_of(settings: BenchmarkSettings) -> Limits:
    """What the operator allows."""
    return Limits(
        max_credit_share_percent=settings.max_credit_share_percent, monthly_gib_budget=settings.monthly_gib_budget
    )


def parameters(
    run_id: str, file_system_id: str, settings: BenchmarkSettings, workloads: Sequence[Workload], instances: int
) -> dict[str, str]:
    """Every parameter by its name; all are text, and none holds anything that a shell would read."""
    return {
        "RunId": run_id,
        "FileSystemId": file_system_id,
        "MountPath": settings.path,
        "LocalPath": settings.local_path,
        "Plan": encode(workloads),
        "DeadlineSeconds": str(deadline_seconds(workloads)),
        "Instances": str(instances),
        "ExecutionTimeout": str(execution_timeout_seconds(workloads)),
    }


def comment(given: Mapping[str, str]) -> str:
    """What Systems Manager's console shows of a command with these parameters; at most 100 characters."""
    return f"efs-monitor measures {given['FileSystemId']}: {given['RunId']}"


def described(run: Command, file_system: FileSystem) -> dict[str, object]:
    """A run that was sent, for its log line and for whoever asked for it."""
    return {
        "run_id": run.run_id,
        "command_id": run.command_id,
        "instances": list(run.instance_ids),
        "workloads": [one.id for one in run.workloads],
        "cost_bytes": run_cost(run.workloads, len(run.instance_ids)).of(file_system),
    }


def sent_by_another_document(request: RunRequest) -> dict[str, object]:
    """What is told of a start whose run is in the ledger, and not among those that Systems Manager has of today's
    document.
    """
    sentence = "Its run was sent before another script was deployed, and is not sent again"
    return {"run_id": request.run_id, "sentence": sentence, "cost_bytes": 0}


def skip_described(skip: Skip) -> dict[str, object]:
    """A run that was not sent, and why, for its log line and for whoever asked for it."""
    return {"skipped": str(skip.reason), "sentence": skip.sentence, "cost_bytes": skip.cost_bytes}


def first_start_described() -> dict[str, object]:
    """What is told of the start with which a schedule of a fixed rate began."""
    sentence = (
        "A schedule of a fixed rate fires the moment it is created, whatever else is being deployed; the first "
        "benchmark comes with its next start, and one by hand at any time"
    )
    return {"skipped": str(SkipReason.SCHEDULE_BEGINS), "sentence": sentence, "cost_bytes": 0}
