"""What a benchmark does to the simulated file system, read off the lines its script printed.

Only for a plain directory: a mount of the sandbox counts what really went through it.
"""

import json
from collections.abc import Iterable

from efs_monitor.benchmarks.plan import decode
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.errors import SettingsRefused

from localaws.ssm.command import Command
from stage.mount.metered import Metered


class PrintedLoad:
    """What the scripts of all commands did, as far as nobody was told of it yet."""

    def __init__(self) -> None:
        self._known: dict[str, Metered] = {}

    def new(self, commands: Iterable[Command]) -> Metered:
        """What all scripts together did on the file system since this was last asked."""
        new = Metered()
        for command in commands:
            for invocation in command.invocations:
                if invocation.execution is None:
                    continue
                key = f"{command.id} {invocation.instance_id}"
                known = self._known.get(key, Metered())
                self._known[key] = load_of(command.parameters.get("Plan", ""), invocation.execution.stdout)
                new += self._known[key] - known
        return new


def load_of(plan: str, stdout: str) -> Metered:
    """What every workload of a plan moved that has ended well by its line; one that failed half-way counts nothing.

    A document without such a plan, or one that is not understood, loads nothing.
    """
    try:
        workloads = {workload.id: workload for workload in decode(plan)}
    except SettingsRefused:
        return Metered()
    done = [workloads[name] for name in _done(stdout) if name in workloads]
    return sum((_load(workload) for workload in done), Metered())


def _load(workload: Workload) -> Metered:
    return Metered(
        read_bytes=workload.moved.read_bytes,
        written_bytes=workload.moved.written_bytes,
        metadata_operations=workload.moved.metadata_operations,
    )


def _done(stdout: str) -> list[str]:
    names = []
    for line in stdout.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            # The last line while it is being written.
            continue
        if isinstance(entry, dict) and entry.get("type") == "workload" and entry.get("status") == "ok":
            names.append(str(entry.get("id")))
    return names
