"""What became of benchmarks, as the functions logged it; rates differ from run to run, so none is told."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from stage.happenings import at
from stage.world import World


def benchmark_lines(world: World, stack_name: str) -> Iterator[str]:
    """One for each benchmark that was sent, skipped, or collected, in the order in which it came to that."""
    folder = f"/efs-monitor/{stack_name}/"
    for line in world.sandbox.logs.lines:
        if line.log_group.startswith(folder) and line.message.startswith("{"):
            entry = json.loads(line.message)
            if told := _told(line.log_group.removeprefix(folder), entry):
                # The mount lies in another folder at every run.
                text = told.replace(str(world.machines.mount_path), "$MOUNT")
                yield f"{at(world.minute_at(line.time))} {text}"


def _told(function: str, entry: Mapping[str, Any]) -> str:
    match function, entry.get("message"):
        case "run-benchmark", "sent":
            return f"sent to {', '.join(entry['instances'])}: {len(entry['workloads'])} workloads"
        case "run-benchmark", "skipped":
            return f"skipped: {entry['skipped']}"
        case "collect-benchmark", "benchmark" if entry["success"]:
            return f"measured {len(entry['measured'])} workloads"
        case "collect-benchmark", "benchmark":
            return f"failed, {len(entry['measured'])} workloads measured: {entry['failures'][0]}"
    return ""
