"""What the script writes: whole lines of it, to be spoilt by the tests."""

import json
from collections.abc import Sequence
from typing import Any

from efs_monitor.benchmarks.workloads import Workload

MACHINE = {
    "type": "machine",
    "version": 1,
    "run": "run-20261117t030000z-1a2b3c4d",
    "instance": "i-0123456789abcdef0",
    "instance_type": "m5.large",
    "kernel": "6.1.0",
    "mount_options": "fs-1:/ rw,vers=4.1",
    "read_ahead_kb": 15000,
    "agent": "3.3.2746.0",
    "tools": {"bash": "5.2", "dd": "9.1"},
    "user": "86464",
}
BEGIN = 1_763_640_000.0


def ok(workload: Workload, *, seconds: float = 2.0, started: float = BEGIN) -> dict[str, Any]:
    """The line of a workload that ended well."""
    return {
        "type": "workload",
        "id": workload.id,
        "status": "ok",
        "files": workload.files,
        "bytes": workload.bytes,
        "seconds": seconds,
        "started": started,
        "ended": started + seconds,
    }


def bad(workload: Workload, status: str, reason: str) -> dict[str, Any]:
    """The line of a workload that failed or was skipped."""
    return {"type": "workload", "id": workload.id, "status": status, "reason": reason}


def lines(*values: Any) -> str:
    """One JSON a line."""
    return "".join(json.dumps(value, separators=(",", ":")) + "\n" for value in values)


def whole(plan: Sequence[Workload], *, begin: float = BEGIN, seconds: float = 2.0) -> str:
    """The output of a run in which everything went well, one workload after the other."""
    each = (ok(workload, seconds=seconds, started=begin + 3 * place) for place, workload in enumerate(plan))
    return lines(MACHINE, *each)
