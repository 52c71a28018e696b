"""A monitor stack as CloudFormation describes it: whose it is, what it was given, how it stands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

FLEET_TAG = "efs-monitor:fleet"
TEMPLATE_TAG = "efs-monitor:template"
# What a stack of the monitor's template says of itself, whoever deployed it.
DESCRIBED = "EFS burst-credit monitor, one stack per file system."

# How every fleet names its stacks: a stack of that form that is no monitor has a name that a fleet may want.
NAMED_BY_A_FLEET = re.compile(r"[a-z][a-z0-9-]*-fs-[0-9a-f]+")
# What CloudFormation calls a stack of which there is a change set alone: it has neither parameters nor tags.
REVIEWED = "REVIEW_IN_PROGRESS"

NEVER_WHOLE = frozenset({"CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "DELETE_FAILED"})
NOT_WHOLE_YET = frozenset({"CREATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS"})
UPDATABLE = frozenset(
    {"CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_COMPLETE", "IMPORT_ROLLBACK_COMPLETE"}
)
# A monitor stack takes some minutes. AWS says of no stack how long it may take, and of one step, a custom resource, an
# hour at most: one there, one back, and one to tidy up. See
# https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-customresource.html
LONGEST_AT_WORK = timedelta(hours=3)


def file_system_in(stack_name: str, fleet: str) -> str:
    """The id of the file system that a fleet named a stack after; empty where the name is not of this fleet's."""
    found = re.fullmatch(rf"{re.escape(fleet)}-(fs-[0-9a-f]+)", stack_name)
    return found[1] if found else ""


@dataclass(frozen=True, kw_only=True)
class MonitorStack:
    """`fleet` and `template` are what its tags say of them: empty for a stack that somebody deployed by hand. One that
    has no more of a monitor than its name watches no file system. What CloudFormation did to it last began at `since`.
    """

    name: str
    status: str
    file_system_id: str
    fleet: str = ""
    template: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    since: datetime | None = None

    @property
    def in_progress(self) -> bool:
        """Whether CloudFormation is at work on it."""
        return self.status.endswith("_IN_PROGRESS") and self.status != REVIEWED

    def hangs(self, now: datetime) -> bool:
        """Whether CloudFormation has been at work on it for longer than it should be."""
        return self.in_progress and self.since is not None and now - self.since > LONGEST_AT_WORK

    @property
    def never_whole(self) -> bool:
        """Whether it can only be deleted: it failed to come into being, or to go."""
        return self.status in NEVER_WHOLE

    @property
    def watches(self) -> bool:
        """Whether it watches its file system, or soon will: not on its way out, or never more than a change set."""
        return not self.never_whole and self.status not in {REVIEWED, "DELETE_IN_PROGRESS"}

    @property
    def was_whole(self) -> bool:
        """Whether it watches its file system already: it came into being, and is not on its way out."""
        return self.watches and self.status not in NOT_WHOLE_YET

    @property
    def failed(self) -> bool:
        """Whether the last that CloudFormation did to it failed."""
        return self.never_whole or "ROLLBACK" in self.status or self.status == "UPDATE_FAILED"
