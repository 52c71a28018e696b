"""A monitor stack as CloudFormation describes it: whose it is, what it was given, how it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field

FLEET_TAG = "efs-monitor:fleet"
TEMPLATE_TAG = "efs-monitor:template"
# What a stack of the monitor's template says of itself, whoever deployed it.
DESCRIBED = "EFS burst-credit monitor, one stack per file system."

NEVER_WHOLE = frozenset({"CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "DELETE_FAILED"})
UPDATABLE = frozenset(
    {"CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_COMPLETE", "IMPORT_ROLLBACK_COMPLETE"}
)


@dataclass(frozen=True, kw_only=True)
class MonitorStack:
    """`fleet` and `template` are what its tags say of them: empty for a stack that somebody deployed by hand."""

    name: str
    status: str
    file_system_id: str
    fleet: str = ""
    template: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""

    @property
    def in_progress(self) -> bool:
        """Whether CloudFormation is at work on it."""
        return self.status.endswith("_IN_PROGRESS") and self.status != "REVIEW_IN_PROGRESS"

    @property
    def never_whole(self) -> bool:
        """Whether it can only be deleted: it failed to come into being, or to go."""
        return self.status in NEVER_WHOLE

    @property
    def watches(self) -> bool:
        """Whether it watches its file system: not on its way out, or never more than a change set."""
        return not self.never_whole and self.status not in {"REVIEW_IN_PROGRESS", "DELETE_IN_PROGRESS"}

    @property
    def failed(self) -> bool:
        """Whether the last that CloudFormation did to it failed."""
        return self.never_whole or "ROLLBACK" in self.status or self.status == "UPDATE_FAILED"
