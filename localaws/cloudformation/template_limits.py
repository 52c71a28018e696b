"""How much a template may hold: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html.

Numbers are those of cfn-lint's schemas of a template, with what they leave out. Words for too many are CloudFormation's
(https://github.com/amplify-education/serverless-log-forwarding/issues/26, https://github.com/aws/aws-cdk/issues/8736,
https://github.com/rubyonjets/jets/issues/392, https://github.com/zalando-stups/senza/issues/319); those for a name or
a description that is too long or no text, which nobody reports, are the sandbox's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from localaws.cloudformation.error_codes import validation_error
from localaws.cloudformation.schemas import section_of_template

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_IN_BUCKET_BYTES = 1_000_000
LARGEST_PARAMETER_BYTES = 4_096
LONGEST_PARAMETER_DESCRIPTION = 4_000
MOST_PARAMETERS = 200
TOO_MANY = {
    "Outputs": "Outputs count {number} is greater than max allowed {most}",
    "Parameters": "Parameter count {number} is greater than max allowed {most}",
    "Resources": "Number of resources, {number}, is greater than maximum allowed, {most}",
}


def check_size(text: bytes) -> None:
    """Raise ValidationError for a template in a bucket that is too large."""
    if len(text) > LARGEST_IN_BUCKET_BYTES:
        message = f"Template may not exceed {LARGEST_IN_BUCKET_BYTES} bytes in size."
        raise validation_error(message)


def check(template: Mapping[str, Any]) -> None:
    """Raise ValidationError for what there is too much of, or is named too long, in a template."""
    for section, words in TOO_MANY.items():
        limits, entries = section_of_template(section), template.get(section) or {}
        most = limits.get("maxProperties", MOST_PARAMETERS)
        if len(entries) > most:
            message = f"Template format error: {words.format(number=len(entries), most=most)}"
            raise validation_error(message)
        longest = limits["propertyNames"]["maxLength"]
        for name in map(str, entries):
            if len(name) > longest:
                message = (
                    f"Template format error: the name {name} in {section} has {len(name)} characters, and at most "
                    f"{longest} are allowed"
                )
                raise validation_error(message)
    longest = section_of_template("Template", "description")["maxLength"]
    if len(str(template.get("Description") or "").encode()) > longest:
        message = f"Template format error: 'Description' length is greater than {longest}."
        raise validation_error(message)
    _check_outputs(template.get("Outputs") or {})
    _check_parameters(template.get("Parameters") or {})


def _check_outputs(outputs: Mapping[str, Any]) -> None:
    (entry,) = section_of_template("Outputs")["patternProperties"].values()
    longest = entry["properties"]["Description"]["maxLength"]
    for name, output in outputs.items():
        size = len(_description(f"Output {name}", output).encode())
        if size > longest:
            message = (
                f"Template format error: the description of Output {name} has {size} bytes, and at most {longest} are "
                "allowed"
            )
            raise validation_error(message)


def _check_parameters(parameters: Mapping[str, Any]) -> None:
    """https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/parameters-section-structure.html"""
    for name, parameter in parameters.items():
        size = len(_description(f"Parameter {name}", parameter))
        if size > LONGEST_PARAMETER_DESCRIPTION:
            message = (
                f"Template format error: the description of Parameter {name} has {size} characters, and at most "
                f"{LONGEST_PARAMETER_DESCRIPTION} are allowed"
            )
            raise validation_error(message)


def _description(what: str, entry: Any) -> str:
    """What the template says of an entry; nothing there is worked out, so a function is no text."""
    description = (entry.get("Description") or "") if isinstance(entry, dict) else ""
    if isinstance(description, dict | list):
        message = f"Template format error: the description of {what} is no text"
        raise validation_error(message)
    return str(description)
