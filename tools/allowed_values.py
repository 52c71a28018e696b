"""What each parameter of template.yaml may be, as a fleet reads it: no API of CloudFormation tells a pattern."""

import json
from typing import Any

from operate.template_files import TEMPLATE, as_written

FILE = TEMPLATE.parent / "src/layers/efs_monitor/efs_monitor/fleet/allowed_values.json"
# CloudFormation takes no longer value for any parameter.
LONGEST = 4096


def written() -> str:
    """The file's text, one parameter a line."""
    document = as_written(TEMPLATE)
    needs = _needs(document["Rules"])
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(_allowed(one) | {'need': needs.get(name)})}"
        for name, one in document["Parameters"].items()
    )
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


def _needs(rules: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Which parameters mean nothing while another one is empty, what each may be then, and the sentence against others.

    A rule about several parameters is about topics, which a fleet gives its stacks itself.
    """
    found = {}
    for rule in rules.values():
        match rule["RuleCondition"]:
            case {"Fn::Equals": [{"Ref": needed}, ""]}:
                for assertion in rule["Assertions"]:
                    name, unless = _asserted(assertion["Assert"])
                    found[name] = {"parameter": needed, "unless": unless, "sentence": assertion["AssertDescription"]}
    return found


def _asserted(assertion: dict[str, Any]) -> tuple[str, list[str]]:
    """The parameter that an assertion is about, and the values that it takes."""
    match assertion:
        case {"Fn::Equals": [{"Ref": name}, value]}:
            return name, [value]
        case {"Fn::Contains": [values, {"Ref": name}]}:
            return name, values
    raise ValueError(f"An assertion about one parameter is Equals or Contains, not {assertion}")
