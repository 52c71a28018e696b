"""The Outputs section, resolved when everything is in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localaws.cloudformation.error_codes import RequestRefused, ResourceFailure
from localaws.cloudformation.intrinsics import Hidden, as_text, resolve
from localaws.cloudformation.parameters import HIDDEN

if TYPE_CHECKING:
    from localaws.cloudformation.definition import Definition
    from localaws.cloudformation.resource_operations import ResourceOperations


def resolve_all(operations: ResourceOperations, definition: Definition) -> list[dict[str, str]]:
    """The outputs as DescribeStacks shows them; raises ResourceFailure for one that has no value."""
    scope = operations.scope(definition)
    found = []
    for name, output in definition.outputs.items():
        try:
            value = resolve(output["Value"], scope)
            shown = HIDDEN if isinstance(value, Hidden) else as_text(value)
            entry = {"OutputKey": name, "OutputValue": shown}
            if "Export" in output:
                entry["ExportName"] = as_text(resolve(output["Export"]["Name"], scope))
        except RequestRefused as error:
            raise ResourceFailure(error.message) from error
        if "Description" in output:
            entry["Description"] = output["Description"]
        found.append(entry)
    return found
