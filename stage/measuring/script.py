"""The document's own script against a mount: as the agent would start it, but with nobody in between."""

import os
import secrets
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from efs_monitor.benchmarks import plan, results
from efs_monitor.benchmarks.results import Report, Result, Status
from efs_monitor.benchmarks.workloads import Workload

from localaws.ssm import host
from stage.measuring.promise import NotMeasured
from tools.benchmark_document import script

FILE_SYSTEM_ID = "fs-0123456789abcdef0"
DEADLINE_SECONDS = 600


class ScriptFailed(NotMeasured):
    """The script measured nothing, or not all of it; the text is what it told."""


@dataclass(frozen=True, kw_only=True)
class RunningScript:
    """One run of the script that is under way."""

    process: subprocess.Popen[str]
    workloads: tuple[Workload, ...]

    def report(self) -> Report:
        """Wait until the script has ended; its results. ScriptFailed unless every workload is ok."""
        stdout, stderr = self.process.communicate()
        report = results.parse(stdout, self.workloads)
        failed = [f"{one.workload.id}: {one.reason}" for one in report.results if one.status is not Status.OK]
        if failed:
            raise ScriptFailed("; ".join([*failed, stderr.strip()]))
        return report


def started(
    path: Path,
    workloads: Sequence[Workload],
    folder: Path,
    *,
    local_path: Path | None = None,
    instance: int = 1,
    instances: int = 1,
    run_id: str = "",
) -> RunningScript:
    """Start the script for one of the instances of a run; `folder` is for the instance's own things.

    Those of one run are given one `run_id`, a run of one instance has its own.
    """
    here = host.Host(
        instance_id=f"i-{instance:017x}",
        folder=folder / f"instance-{instance}",
        mounts=(host.Mount(path=path, file_system_id=FILE_SYSTEM_ID),),
    )
    here.prepare()
    parameters = {
        "RunId": run_id or new_run_id(),
        "FileSystemId": FILE_SYSTEM_ID,
        "MountPath": str(path),
        "LocalPath": str(local_path or ""),
        "Plan": plan.encode(workloads),
        "DeadlineSeconds": str(DEADLINE_SECONDS),
        "Instances": str(instances),
    }
    file = here.folder / "_script.sh"
    file.write_text(script(), encoding="utf-8")
    process = subprocess.Popen(
        ["/bin/bash", str(file)],
        env={**here.environment(), **{f"SSM_{name}": value for name, value in parameters.items()}},
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )
    return RunningScript(process=process, workloads=tuple(workloads))


@contextmanager
def passable_folder() -> Iterator[Path]:
    """A new folder that every user can go into: the script's worker is nobody, and pytest's folders are root's."""
    with tempfile.TemporaryDirectory(prefix="efs-monitor-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def has_place_to_copy() -> bool:
    """Whether the script lets tools copy: for root in a mount namespace alone, which a chroot does not let it have."""
    apart = ["/usr/bin/unshare", "--mount", "true"]
    return os.geteuid() != 0 or subprocess.run(apart, check=False, capture_output=True).returncode == 0


def new_run_id() -> str:
    """The id of a run that no other run has."""
    return f"run-20300107t000000z-{secrets.token_hex(4)}"


def measured(
    path: Path, workloads: Sequence[Workload], folder: Path, *, local_path: Path | None = None
) -> list[Result]:
    """What one instance measures, in the order of the workloads."""
    return list(started(path, workloads, folder, local_path=local_path).report().results)
