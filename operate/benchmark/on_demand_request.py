"""Asks the function of a deployed stack for a benchmark, as an event of its own kind."""

import json
import math
from dataclasses import dataclass
from typing import Any

from efs_monitor.benchmarks.requests import BY_HAND_SOURCE
from efs_monitor.efs.credits import GIB
from efs_monitor.stack_functions import StackFunction

from operate.described_stack import DescribedStack
from operate.environment import Refused


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a person wants otherwise than the stack is set to; None and empty leave it as it is."""

    profile: str | None = None
    size_mib: int | None = None
    instance_ids: tuple[str, ...] = ()
    accept_gib: float | None = None

    def event(self, stack_name: str) -> dict[str, object]:
        """The event by which the stack's function is asked."""
        wanted: dict[str, object] = {"source": BY_HAND_SOURCE, "stack": stack_name}
        if self.profile:
            wanted["profile"] = self.profile
        if self.size_mib is not None:
            wanted["size_mib"] = self.size_mib
        if self.instance_ids:
            wanted["instance_ids"] = list(self.instance_ids)
        if self.accept_gib is not None:
            wanted["accept_cost_bytes"] = math.ceil(self.accept_gib * GIB)
        return wanted


def ask(stack: DescribedStack, wish: Wish) -> dict[str, Any]:
    """What the function answers about the run it sent; Refused where it sent none, with why and what to do."""
    if not stack.parameters.get("BenchmarkPath"):
        raise Refused(
            f"The stack {stack.name} has no benchmarks: deploy it with BenchmarkPath, the folder in which its "
            "instances have the file system mounted"
        )
    answer = stack.account.client("lambda").invoke(
        FunctionName=stack.physical_id(StackFunction.RUN_BENCHMARK), Payload=json.dumps(wish.event(stack.name)).encode()
    )
    told: dict[str, Any] = json.loads(answer["Payload"].read())
    if "FunctionError" in answer:
        raise Refused(str(told.get("errorMessage", told)))
    if "skipped" in told:
        raise Refused(_skipped(told))
    return told


def _skipped(told: dict[str, Any]) -> str:
    sentence = f"No benchmark was run ({told['skipped']}). {told['sentence']}"
    if "accept_cost_bytes" not in told["sentence"]:
        return sentence
    # Rounded up: a cent less than the cost would be refused again.
    gib = f"{math.ceil(told['cost_bytes'] / GIB * 100) / 100:.2f}"
    return f"{sentence}; here: --accept-gib {gib}, with make ACCEPT_GIB={gib}"
