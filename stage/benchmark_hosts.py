"""Benchmark hosts whose script says what it is told to say: for the functions around it, not for the script itself."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from efs_monitor.benchmarks.workloads import Workload

from localaws.ssm.host import Host
from localaws.ssm.instances import Instance, instances
from localaws.ssm.platforms import Platform
from stage.home import Home

PARAMETERS = (
    *("RunId", "FileSystemId", "MountPath", "LocalPath", "Plan"),
    *("DeadlineSeconds", "Instances", "ExecutionTimeout"),
)
BEGAN = 1_763_640_000.0


@dataclass(kw_only=True)
class BenchmarkHosts:
    """What a stack with benchmarks has besides: the ledger, a document, and instances. `folder` holds what they say."""

    home: Home
    folder: Path
    ids: list[str] = field(default_factory=list)

    def create(self) -> None:
        """An empty ledger, and a document in the place of the real one."""
        ssm = self.home.sandbox.client("ssm")
        ssm.put_parameter(Name=self.home.names.benchmarks_parameter, Value="{}", Type="String")
        ssm.create_document(
            Name=self.home.names.document_name, Content=_content(), DocumentType="Command", DocumentFormat="JSON"
        )

    def write_document(self, name: str) -> None:
        """Put such a document in the place of the deployed one, which has this name."""
        ssm = self.home.sandbox.client("ssm")
        updated = ssm.update_document(Name=name, Content=_content(), DocumentFormat="JSON", DocumentVersion="$LATEST")
        version = updated["DocumentDescription"]["DocumentVersion"]
        ssm.update_document_default_version(Name=name, DocumentVersion=version)

    def add(self, instance_id: str = "i-0123456789abcdef0", tag: str | None = None) -> None:
        """Make an instance, tagged for the file system, that says nothing and ends well."""
        folder = self.folder / instance_id
        folder.mkdir(parents=True, exist_ok=True)
        host = Host(instance_id=instance_id, folder=folder, variables={"SAID": str(folder / "said")})
        instances()[instance_id] = Instance(host=host, tags={"efs-monitor": tag or self.home.names.file_system_id})
        self.ids.append(instance_id)
        self.says(instance_id, "")

    def runs_on(self, instance_id: str, platform: Platform) -> None:
        """Say on which platform an instance runs."""
        instance = instances()[instance_id]
        instances()[instance_id] = replace(instance, host=replace(instance.host, platform=platform))

    def says(
        self, instance_id: str, output: str, *, errors: str = "", status: int | Literal["killed", "hung"] = 0
    ) -> None:
        """What the instance's script will print, and how it will end: `killed` by somebody, or for a long time not."""
        said = self.folder / instance_id / "said"
        said.write_text(output, encoding="utf-8")
        said.with_name("said.errors").write_text(errors, encoding="utf-8")
        said.with_name("said.status").write_text(str(status), encoding="utf-8")

    def measures(self, workloads: Sequence[Workload], *, slower: float = 1.0) -> None:
        """Every instance will have measured each of the workloads, each in as many seconds as its place in the plan."""
        for instance_id in self.ids:
            self.says(instance_id, output_of(instance_id, workloads, slower=slower))

    def lose(self, instance_id: str) -> None:
        """Let nothing be heard of the agent of an instance any more."""
        instances()[instance_id] = replace(instances()[instance_id], presence="ConnectionLost")

    def ledger(self) -> dict[str, Any]:
        """What the parameter holds."""
        found = self.home.sandbox.client("ssm").get_parameter(Name=self.home.names.benchmarks_parameter)
        ledger: dict[str, Any] = json.loads(found["Parameter"]["Value"])
        return ledger

    def commands(self) -> list[Mapping[str, Any]]:
        """Everything that was sent, oldest first."""
        found: list[Mapping[str, Any]] = self.home.sandbox.client("ssm").list_commands()["Commands"]
        return found[::-1]


def _content() -> str:
    """A document with the parameters and the precondition of the real one that prints what its host holds."""
    parameters = {name: {"type": "String", "interpolationType": "ENV_VAR"} for name in PARAMETERS}
    step = {
        "timeoutSeconds": "{{ ExecutionTimeout }}",
        "runCommand": [
            "#!/bin/bash",
            'cat "$SAID"',
            'cat "$SAID.errors" >&2',
            'status=$(<"$SAID.status")',
            'case $status in killed) kill -KILL "$$" ;; hung) sleep 60 ;; *) exit "$status" ;; esac',
        ],
    }
    on_linux = {"precondition": {"StringEquals": ["platformType", "Linux"]}}
    return json.dumps(
        {
            "schemaVersion": "2.2",
            "parameters": parameters | {"ExecutionTimeout": {"type": "String"}},
            "mainSteps": [{"action": "aws:runShellScript", "name": "benchmark", **on_linux, "inputs": step}],
        }
    )


def output_of(instance_id: str, workloads: Sequence[Workload], *, slower: float = 1.0) -> str:
    """What the script prints where everything went well."""
    lines: list[dict[str, Any]] = [
        {
            "type": "machine",
            "version": 1,
            "run": "run-of-the-test",
            "instance": instance_id,
            "instance_type": "m5.large",
            "kernel": "6.1.0",
            "mount_options": "rw,vers=4.1",
            "read_ahead_kb": 15000,
            "agent": "3.3.3572.0",
            "tools": {"bash": "5.2", "dd": "9.1"},
            "user": "64646",
        }
    ]
    for place, workload in enumerate(workloads, start=1):
        seconds = place * slower
        began = BEGAN + 10 * place
        lines.append(
            {
                "type": "workload",
                "id": workload.id,
                "status": "ok",
                "files": workload.files,
                "bytes": workload.bytes,
                "seconds": seconds,
                "started": began,
                "ended": began + seconds,
            }
        )
    return "".join(f"{json.dumps(line)}\n" for line in lines)
