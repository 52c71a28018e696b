"""What a fleet would do now, read from the account and shown: nothing is changed."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from botocore.session import get_session
from efs_monitor.aws.cloudformation import every_stack
from efs_monitor.aws.efs import every_file_system
from efs_monitor.errors import AwsRefused
from efs_monitor.fleet.monitor_parameters import OF_THE_FLEET, fleet_parameters
from efs_monitor.fleet.notes import Notes
from efs_monitor.fleet.reconciliation import Fleet, Plan, plan
from efs_monitor.usecases.check_parameters import require_deployable
from efs_monitor.usecases.stored_notes import recall
from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from operate.environment import Refused

KINDS = ("create", "update", "delete", "refuse", "keep")

# The output of fleet.yaml that says so of a deployed one.
GIVEN = "GivenToStacks"

# How fleet.yaml describes a stack that is a fleet.
DESCRIBED = "EFS burst-credit monitor, the fleet."
# As fleet.yaml takes them, which an installed command has not beside it.
FLEET_NAME = r"(?=.{1,16}$)[a-z][a-z0-9]*(-([a-eg-z0-9][a-z0-9]*|f((s[a-z0-9]|[a-rt-z0-9])[a-z0-9]*)?))*"
FLEET_TAG = r"|[A-Za-z0-9 _.:/+@-]{1,128}(=[A-Za-z0-9 _.:/=+@-]{0,256})?"
GRACE_HOURS = 24
NOT_KNOWN = "Which grace or pause has begun is not known"


def require_of_fleet(name: str, tag: str, template_url: str | None) -> None:
    """Raise Refused for what no fleet can have: its plan would be of other file systems."""
    if not re.fullmatch(FLEET_NAME, name):
        raise Refused(
            f"NAME is {name!r}, but a FleetName is at most 16 of a-z, 0-9 and single hyphens between them, with a "
            "letter first, without -fs at its end or -fs- within, such as efs-fleet"
        )
    if not re.fullmatch(FLEET_TAG, tag):
        raise Refused(f"--tag is {tag!r}, but must be a tag in ASCII: KEY, or KEY=VALUE; without it all file systems")
    if template_url is not None and not template_url.startswith("https://"):
        raise Refused(f"--template-url is {template_url!r}, but must begin with https://")


def deployed(cloudformation: Any, name: str) -> Mapping[str, str]:
    """The parameters of the stack that is the fleet of this name, whatever it is called, and what it gives its stacks
    by itself; empty where there is none.
    """
    for page in cloudformation.get_paginator("describe_stacks").paginate():
        for stack in page["Stacks"]:
            given = {one["ParameterKey"]: one.get("ParameterValue", "") for one in stack.get("Parameters", ())}
            if stack.get("Description", "").startswith(DESCRIBED) and given.get("FleetName") == name:
                outputs = {one["OutputKey"]: one["OutputValue"] for one in stack.get("Outputs", ())}
                return given | {GIVEN: outputs.get(GIVEN, "")}
    return {}


def given_to_stacks(own: Mapping[str, str], parameters: str | None, region: str) -> Mapping[str, str]:
    """What every stack is given: by a deployed fleet itself, and by these `parameters`, or its own where there are
    none; SettingsRefused and TopicRefused name what none in this Region may be given, as the fleet's deployment does.
    """
    said = own.get("MonitorParameters", "") if parameters is None else parameters
    given = fleet_parameters(f"{own[GIVEN]};{said}" if own.get(GIVEN) else said)
    require_deployable(given, region)
    return given


def release_url(own: Mapping[str, str], name: str, region: str) -> str:
    """Where the template lies that a deployed fleet makes its stacks of, by its parameters; Refused where it has none
    because no fleet of this name is deployed.
    """
    if not own:
        raise Refused(
            f"No stack in {region} is the fleet {name}, which would say of which release its stacks are: give another "
            "--region, or with --template-url the address of the packaged template.yaml of a release in S3, such as "
            f"https://BUCKET.s3.{region}.amazonaws.com/efs-monitor-VERSION/template.yaml"
        )
    resolver = get_session().get_component("endpoint_resolver")
    suffix = resolver.get_partition_dns_suffix(resolver.get_partition_for_region(region))
    return f"https://{own['ReleaseBucket']}.s3.{region}.{suffix}/{own['ReleaseTemplate']}"


def remembered(ssm: Any, name: str) -> tuple[Notes, str]:
    """What the fleet of this name remembers, by GetParameters; or nothing, and a sentence that says why."""
    parameter = f"/efs-monitor/{name}/fleet-notes"
    try:
        memory = recall(ssm, parameter)
    except AwsRefused as error:
        return {}, f"{NOT_KNOWN}. {error}"
    return memory.notes, "" if memory.texts else f"{NOT_KNOWN}: there is no parameter {parameter}"


def planned(efs: Any, cloudformation: Any, fleet: Fleet, notes: Notes, now: datetime) -> Plan:
    """The plan of this moment: DescribeFileSystems and DescribeStacks of all, and nothing else."""
    stacks = every_stack(cloudformation).monitors
    given = _given_by_itself([one.parameters for one in stacks if fleet.owns(one)]) | dict(fleet.parameters)
    return plan(replace(fleet, parameters=given), every_file_system(efs), stacks, notes, now)


def _given_by_itself(stacks: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What most of the fleet's stacks have: a few may have another by a tag of their file system."""
    counts = {name: Counter(one[name] for one in stacks if name in one) for name in OF_THE_FLEET}
    return {name: values.most_common(1)[0][0] for name, values in counts.items() if values}


def report(found: Plan, fleet: Fleet, not_known: str) -> Group:
    """The plan for a terminal: what would be changed first, and what is as it should be last."""
    counts = Counter(step.kind for step in found.steps)
    said = ", ".join(f"{kind} {counts[kind]}" for kind in KINDS if counts[kind]) or "there are none"
    lines: list[Any] = [Text(f"Fleet {fleet.name}, {fleet.membership}: {said}")]
    lines += [Text(not_known)] if not_known else []
    for kind in KINDS:
        for step in (one for one in found.steps if one.kind == kind):
            lines += [Text(f"{kind:7}{step.file_system_id}"), Padding(Text(step.reason), (0, 0, 0, 7))]
    return Group(*lines)


def as_json(found: Plan, fleet: Fleet, not_known: str) -> dict[str, Any]:
    """The plan as data, with the parameters that a stack would be given."""
    return {
        "fleet": fleet.name,
        "not_known": not_known,
        "steps": [{"step": step.kind} | vars(step) for step in found.steps],
    }
