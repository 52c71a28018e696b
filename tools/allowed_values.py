"""What each parameter of template.yaml may be, as a fleet reads it: no API of CloudFormation tells a pattern."""

import json
from typing import Any

from operate.template import TEMPLATE, as_written

FILE = TEMPLATE.parent / "src/layers/efs_monitor/efs_monitor/fleet/allowed_values.json"
# CloudFormation takes no longer value for any parameter.
LONGEST = 4096


def written() -> str:
    """The file's text, one parameter a line."""
    parameters: dict[str, dict[str, Any]] = as_written(TEMPLATE)["Parameters"]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(_allowed(one))}" for name, one in parameters.items())
    return f"{{\n{lines}\n}}\n"


def _allowed(parameter: dict[str, Any]) -> dict[str, Any]:
    default = parameter.get("Default")
    return {
        "default": None if default is None else str(default),
        "pattern": parameter.get("AllowedPattern", ".*"),
        "values": [str(value) for value in parameter.get("AllowedValues", [])],
        "longest": parameter.get("MaxLength", LONGEST),
        "sentence": parameter["ConstraintDescription"],
    }
