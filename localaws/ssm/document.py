"""A Command document: what it accepts, and what an agent is to run of it.

https://docs.aws.amazon.com/systems-manager/latest/userguide/documents-syntax-data-elements-parameters.html
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SCHEMA_VERSION = "2.2"
ACTION = "aws:runShellScript"
PLATFORM_TYPE = "platformType"
DEFAULT_TIMEOUT_SECONDS = 3_600
PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z0-9_]+)\s*\}\}")


class InvalidContent(ValueError):
    """A document that the sandbox's agent cannot run; says what of it."""


class InvalidParameters(ValueError):
    """Parameters that the document does not accept; says which."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as the document declares it; without a default it must be given."""

    name: str
    default: str | None = None
    allowed_pattern: str | None = None
    allowed_values: tuple[str, ...] = ()
    is_environment_variable: bool = False

    def refusal_of(self, value: str) -> str | None:
        """Why the value is not accepted, None where it is."""
        if self.allowed_values and value not in self.allowed_values:
            return f"Parameter {self.name} must be one of {', '.join(self.allowed_values)}; it is {value!r}."
        if self.allowed_pattern is not None and not _matches(self.allowed_pattern, value):
            return f"Parameter {self.name} does not match the allowed pattern {self.allowed_pattern}; it is {value!r}."
        return None


@dataclass(frozen=True, slots=True)
class Document:
    """The one step of a document, and the parameters it takes."""

    step: str
    commands: tuple[str, ...]
    parameters: Mapping[str, Parameter]
    timeout_seconds: str = str(DEFAULT_TIMEOUT_SECONDS)
    working_directory: str = ""
    only_on: str | None = None

    def why_skipped(self, platform_type: str) -> str:
        """Why an agent on this type of platform skips the step, in its words, which counts as success; empty where it
        runs it.

        agent/framework/runpluginutil/runpluginutil.go, getStepExecutionOperation and evaluatePreconditions
        """
        if platform_type == "Windows":
            return f"Step execution skipped due to unsupported plugin: {ACTION}. Step name: {self.step}"
        if self.only_on is None or self.only_on.lower() == platform_type.lower():
            return ""
        unsatisfied = f'"StringEquals": [{PLATFORM_TYPE}, {self.only_on}]'
        return f"Step execution skipped due to unsatisfied preconditions: '{unsatisfied}'. Step name: {self.step}"

    def checked(self, given: Mapping[str, Sequence[str]]) -> dict[str, str]:
        """The value of every parameter, defaults included; InvalidParameters as SendCommand would refuse them."""
        if unknown := sorted(given.keys() - self.parameters.keys()):
            raise InvalidParameters(f"The document does not support the parameters {', '.join(unknown)}.")
        return {name: self._value(parameter, given.get(name)) for name, parameter in self.parameters.items()}

    def _value(self, parameter: Parameter, given: Sequence[str] | None) -> str:
        if given is not None and len(given) != 1:
            raise InvalidParameters(f"Parameter {parameter.name} is a String: one value, not {len(given)}.")
        value = parameter.default if given is None else given[0]
        if value is None:
            raise InvalidParameters(f"Parameter {parameter.name} requires a value.")
        if refusal := parameter.refusal_of(value):
            raise InvalidParameters(refusal)
        return value


def read(content: Mapping[str, Any]) -> Document:
    """A document from its parsed content; InvalidContent names what the sandbox's agent does not do."""
    if content.get("schemaVersion") != SCHEMA_VERSION:
        raise InvalidContent(f"schemaVersion is {content.get('schemaVersion')!r}; the sandbox runs {SCHEMA_VERSION!r}")
    steps = content.get("mainSteps") or []
    if len(steps) != 1 or steps[0].get("action") != ACTION:
        actions = [step.get("action") for step in steps]
        raise InvalidContent(f"the steps are {actions}; the sandbox runs one step, {ACTION}")
    parameters = {name: _parameter(name, declared) for name, declared in content.get("parameters", {}).items()}
    (step,) = steps
    inputs = _part(step, "inputs", "the step has no")
    document = Document(
        step=_part(step, "name", "the step has no"),
        commands=tuple(_part(inputs, "runCommand", "the step's inputs have no")),
        parameters=parameters,
        timeout_seconds=str(inputs.get("timeoutSeconds", DEFAULT_TIMEOUT_SECONDS)),
        working_directory=inputs.get("workingDirectory", ""),
        only_on=_only_on(step.get("precondition")),
    )
    named = {name for text in _texts(document) for name in PLACEHOLDER.findall(text)}
    if unknown := sorted(named - parameters.keys()):
        raise InvalidContent(f"the step names parameters that the document does not declare: {', '.join(unknown)}")
    return document


def interpolated(text: str, values: Mapping[str, str]) -> str:
    """The text with each `{{ Name }}` of `values` filled in as it is: nothing is quoted, as on AWS."""
    return PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def _part(whole: Mapping[str, Any], name: str, lacks: str) -> Any:
    """What must be in a step; InvalidContent where it is not."""
    if name not in whole:
        raise InvalidContent(f"{lacks} {name}")
    return whole[name]


def _texts(document: Document) -> tuple[str, ...]:
    return (*document.commands, document.timeout_seconds, document.working_directory)


def _only_on(precondition: Mapping[str, Sequence[str]] | None) -> str | None:
    """The type of platform that a step wants; platformType may be on either side."""
    if precondition is None:
        return None
    sides = list(precondition.get("StringEquals", ()))
    if list(precondition) != ["StringEquals"] or len(sides) != 2 or sides.count(PLATFORM_TYPE) != 1:
        raise InvalidContent(f"the precondition is {precondition}; the sandbox knows StringEquals of {PLATFORM_TYPE}")
    sides.remove(PLATFORM_TYPE)
    return sides[0]


def _parameter(name: str, declared: Mapping[str, Any]) -> Parameter:
    if declared.get("type") != "String":
        raise InvalidContent(f"parameter {name} is of type {declared.get('type')!r}; the sandbox knows 'String'")
    if (kind := declared.get("interpolationType", "PLACEHOLDER")) not in {"ENV_VAR", "PLACEHOLDER"}:
        raise InvalidContent(f"interpolationType of parameter {name} is {kind!r}, not 'ENV_VAR' or 'PLACEHOLDER'")
    parameter = Parameter(
        name=name,
        default=declared.get("default"),
        allowed_pattern=declared.get("allowedPattern"),
        allowed_values=tuple(declared.get("allowedValues", ())),
        is_environment_variable=kind == "ENV_VAR",
    )
    if parameter.default is not None and (refusal := parameter.refusal_of(parameter.default)):
        raise InvalidContent(f"the default of a parameter is refused: {refusal.removesuffix('.')}")
    return parameter


def _matches(pattern: str, value: str) -> bool:
    """Found anywhere in the value, as AWS looks for it; in Python alone a final `$` lets one line break through."""
    found = re.search(pattern, value)
    return found is not None and (not pattern.endswith("$") or found.end() == len(value))
