"""Capabilities: what a caller has to acknowledge before a template may touch IAM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localaws.cloudformation.error_codes import RequestRefused

if TYPE_CHECKING:
    from localaws.cloudformation.template import Template

ROLE = "AWS::IAM::Role"


def required(processed: Template) -> list[str]:
    """The capability that a template's IAM resources need, as GetTemplateSummary reports it."""
    found = [item for item in processed["Resources"].values() if item["Type"] == ROLE]
    if any("RoleName" in item.get("Properties", {}) for item in found):
        return ["CAPABILITY_NAMED_IAM"]
    return ["CAPABILITY_IAM"] if found else []


def check(processed: Template, granted: frozenset[str]) -> None:
    """Raises InsufficientCapabilities when the caller did not acknowledge what the template needs."""
    needed = required(processed)
    if needed and not granted & {*needed, "CAPABILITY_NAMED_IAM"}:
        code, message = "InsufficientCapabilitiesException", f"Requires capabilities : [{needed[0]}]"
        raise RequestRefused(code, message)
