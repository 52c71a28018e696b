"""The script in the machine, run as the SSM agent runs it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from efs_monitor.benchmarks import plan, results
from efs_monitor.benchmarks.results import Report
from efs_monitor.benchmarks.workloads import Workload

from localaws.ssm.host import Host
from proofs.nfs.network import FILE_SYSTEM_ID, NfsClient, NfsFileSystem
from proofs.nfs.virtual_machine import GuestCommand, VirtualMachine
from stage.measuring.script import new_run_id
from tools.benchmark_document import script

SCRIPT = "/var/lib/amazon/ssm/document/_script.sh"
LOCAL_FOLDER = "/var/tmp"  # noqa: S108 - the machine's
DEADLINE_SECONDS = 600
# Whatever a run can leave. Its processes, the reaper among them, by the one variable that only they have.
LEFT = r"""
for path in $(grep -lzsxE "AWS_SSM_INSTANCE_ID=($instances)" /proc/[0-9]*/environ); do
    path=${path%/environ}
    echo "process ${path#/proc/}: $(tr '\0' ' ' 2>/dev/null <"$path/cmdline" | head -c 100)"
done
# What goes while it is looked for, a directory that find was about to enter, is an error to it: then it looks again.
found() {
    for attempt in 1 2 3 4 5; do
        if list=$(find "$@"); then
            [ -z "$list" ] || printf "%s\n" "$list"
            return 0
        fi
    done
    return 1
}
found "$exported" -ignore_readdir_race -mindepth 1 ! -path "$exported/theirs*" ! -path "$exported/full" -printf "%P\n"
found /var/tmp -ignore_readdir_race -mindepth 1 -regextype egrep -regex ".*-($instances)(/.*)?" -printf "/var/tmp/%P\n"
"""


@dataclass(frozen=True, kw_only=True)
class EndedRun:
    """How a run ended."""

    status: int
    output: str
    errors: str
    report: Report

    @property
    def refusal(self) -> str:
        """Why nothing was run; empty where something was."""
        return self.report.machine.refused if self.report.machine else ""

    @property
    def told(self) -> str:
        """What was told, in short."""
        if self.refusal:
            return f"refused: {self.refusal}"
        return "; ".join(f"{one.workload.id} {one.status} {one.reason}".strip() for one in self.report.results)


@dataclass(frozen=True, kw_only=True)
class ScriptRun:
    """A run under way."""

    command: GuestCommand
    client: NfsClient
    workloads: Sequence[Workload]

    def ended(self, within_seconds: float = DEADLINE_SECONDS) -> EndedRun:
        """Wait for its end."""
        said = self.command.ended(within_seconds)
        report = results.parse(said.output, self.workloads)
        return EndedRun(status=said.status, output=said.output, errors=said.errors, report=report)

    def kill_group(self) -> None:
        """What the agent does when time is out or somebody cancels."""
        self.client.machine.ask("bash", "-c", f"kill -KILL -- -{self.command.process_id}")


def install(machine: VirtualMachine, text: str | None = None) -> None:
    """Put the script where the agent would; `text` for another than the project's."""
    machine.shell('mkdir -p -m 700 "$folder"', folder=str(Path(SCRIPT).parent))
    machine.write(SCRIPT, script() if text is None else text)


def started(
    client: NfsClient,
    workloads: Sequence[Workload],
    *,
    run_id: str = "",
    instances: int = 1,
    deadline_seconds: int = DEADLINE_SECONDS,
    local_path: str = "",
    path: str = SCRIPT,
) -> ScriptRun:
    """Start the script on a client that has the file system mounted."""
    host = Host(instance_id=client.instance_id, folder=Path("/var/lib/amazon/ssm"))
    parameters = {
        "RunId": run_id or new_run_id(),
        "FileSystemId": FILE_SYSTEM_ID,
        "MountPath": client.mount_path,
        "LocalPath": local_path,
        "Plan": plan.encode(workloads),
        "DeadlineSeconds": str(deadline_seconds),
        "Instances": str(instances),
    }
    given = {**host.environment(), **{f"SSM_{name}": value for name, value in parameters.items()}}
    return ScriptRun(command=client.start("sh", "-c", path, environment=given), client=client, workloads=workloads)


def left_of(clients: Sequence[NfsClient], file_system: NfsFileSystem) -> list[str]:
    """What is still there of their runs: on the file system as the server has it, on their disks, in memory."""
    instances = "|".join(client.instance_id for client in clients)
    return file_system.machine.shell(LEFT, exported=file_system.path, instances=instances).splitlines()
