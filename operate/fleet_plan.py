"""What a fleet would do now, read from the account and shown: nothing is changed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from efs_monitor.aws.cloudformation import every_stack
from efs_monitor.aws.efs import every_file_system
from efs_monitor.fleet.monitor_parameters import TOPICS
from efs_monitor.fleet.notes import Notes
from efs_monitor.fleet.reconciliation import Fleet, Plan, plan
from rich.console import Group
from rich.padding import Padding
from rich.text import Text

KINDS = ("create", "update", "delete", "refuse", "keep")
# What fleet.yaml gives every stack by itself, without being told among the parameters.
OF_THE_FLEET = (*TOPICS, "EncryptionKeyArn", "LogRetentionDays", "Architecture")


def planned(efs: Any, cloudformation: Any, fleet: Fleet, notes: Notes, now: datetime) -> Plan:
    """The plan of this moment: DescribeFileSystems and DescribeStacks of all, and nothing else."""
    stacks = every_stack(cloudformation).monitors
    given = _given_by_itself([one.parameters for one in stacks if fleet.owns(one)]) | dict(fleet.parameters)
    return plan(replace(fleet, parameters=given), every_file_system(efs), stacks, notes, now)


def _given_by_itself(stacks: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What most of the fleet's stacks have: a few may have another by a tag of their file system."""
    counts = {name: Counter(one[name] for one in stacks if name in one) for name in OF_THE_FLEET}
    return {name: values.most_common(1)[0][0] for name, values in counts.items() if values}


def report(found: Plan, fleet: Fleet) -> Group:
    """The plan for a terminal: what would be changed first, and what is as it should be last."""
    counts = Counter(step.kind for step in found.steps)
    said = ", ".join(f"{kind} {counts[kind]}" for kind in KINDS if counts[kind]) or "there are none"
    lines: list[Any] = [Text(f"Fleet {fleet.name}, {fleet.membership}: {said}")]
    for kind in KINDS:
        for step in (one for one in found.steps if one.kind == kind):
            lines += [Text(f"{kind:7}{step.file_system_id}"), Padding(Text(step.reason), (0, 0, 0, 7))]
    return Group(*lines)


def as_json(found: Plan, fleet: Fleet) -> dict[str, Any]:
    """The plan as data, with the parameters that a stack would be given."""
    return {
        "fleet": fleet.name,
        "steps": [{"step": step.kind} | vars(step) for step in found.steps],
    }
