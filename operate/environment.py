"""An environment of samconfig.toml: which stack, and where. Its parameters only `sam` reads, from the same file."""

import os
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import boto3
from efs_monitor.fleet.monitor_parameters import is_parameter, no_such_parameter

# Of the folder in which a command is called, as `sam` takes it: what is installed has none beside it.
CONFIGURATION = Path("samconfig.toml")
TEMPLATE = "template.yaml"


class Refused(Exception):
    """Something that stands in the way, as a sentence that says what to do."""


class NoSuchEnvironment(Refused):
    """No environment of that name can be deployed, or there is no file of any."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """What `sam deploy --config-env NAME` would deploy, and where; `tags` as the command line takes them.

    `profile` is the one of the AWS CLI's whose account it is; None where the shell decides.
    """

    name: str
    stack_name: str
    region: str
    profile: str | None = None
    tags: tuple[str, ...] = ()
    configuration: Path = CONFIGURATION


def names(configuration: Path = CONFIGURATION) -> list[str]:
    """The environments that can be deployed; Refused where the file cannot be read."""
    return [key for key, tables in _read(configuration).items() if isinstance(tables, dict) and "deploy" in tables]


def environment(name: str, configuration: Path = CONFIGURATION) -> Environment:
    """The environment of that name; Refused where there is none, or it lacks a stack name or Region."""
    document = _read(configuration)
    if "deploy" not in _table(document, name):
        known = ", ".join(names(configuration)) or "none"
        raise NoSuchEnvironment(
            f"{configuration.name} has no environment {name!r} to deploy, only {known}: say which (with make: ENV=NAME)"
        )
    values = {
        key: value
        for command in ("global", "deploy")
        for key, value in _table(_table(_table(document, name), command), "parameters").items()
    }
    for key in ("stack_name", "region"):
        if not values.get(key):
            raise Refused(f"[{name}.deploy.parameters] of {configuration.name} does not set {key}")
    for key in ("stack_name", "region", "profile"):
        if not isinstance(values.get(key, ""), str):
            raise Refused(
                f"[{name}.deploy.parameters] of {configuration.name} gives {key} as {values[key]!r}: write a text, in "
                "quotes"
            )
    _require_known_parameters(values, name, configuration)
    tags = values.get("tags", [])
    return Environment(
        name=name,
        stack_name=values["stack_name"],
        region=values["region"],
        profile=values.get("profile") or None,
        tags=tuple(tags.split() if isinstance(tags, str) else tags),
        configuration=configuration.absolute(),
    )


def _require_known_parameters(values: Mapping[str, Any], name: str, configuration: Path) -> None:
    """Refuse a parameter that the template does not have: `sam` leaves it out without a word, and the stack has the
    default. Those of another template are not known here.
    """
    template = values.get("template_file") or values.get("template") or TEMPLATE
    if Path(str(template)).name != TEMPLATE:
        return
    given = values.get("parameter_overrides", [])
    if not isinstance(given, str | list | dict):
        raise Refused(
            f"parameter_overrides of [{name}.deploy.parameters] in {configuration.name} is {given!r}: write a list of "
            'texts, such as ["WarningMinutes=180"]'
        )
    try:
        words = shlex.split(given) if isinstance(given, str) else [str(one) for one in given]
    except ValueError as error:
        raise Refused(
            f"parameter_overrides of [{name}.deploy.parameters] in {configuration.name} is {given!r}, which cannot be "
            f"read ({error}): write a list of texts"
        ) from error
    for word in words:
        key, _, rest = word.partition("=")
        # The older way to write it: ParameterKey=WarningMinutes,ParameterValue=180.
        parameter = rest.partition(",")[0] if key == "ParameterKey" else key
        if not is_parameter(parameter):
            raise Refused(
                f"parameter_overrides of [{name}.deploy.parameters] in {configuration.name} has {parameter!r}: "
                f"{no_such_parameter(parameter)}. `sam deploy` leaves it out without a word"
            )


def _table(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The table of that name; empty where there is none, or another kind of value."""
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _read(configuration: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(configuration.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise NoSuchEnvironment(
            f"There is no {configuration.name} in {configuration.absolute().parent}, and it names the stacks to "
            "deploy: go to the folder of the project"
        ) from error
    except OSError as error:
        raise Refused(f"{configuration} cannot be read ({error.strerror}): it names the stacks to deploy") from error
    except ValueError as error:
        raise Refused(f"{configuration.name} is no TOML that can be read: {error}") from error


class ChosenStack(NamedTuple):
    """A stack's name, its Region, and the profile whose account has it; None where the shell decides."""

    name: str
    region: str
    profile: str | None


def chosen_stack(environment_name: str, stack: str, region: str, profile: str = "") -> ChosenStack:
    """The stack that a person means: that of an environment, or one by its own name; each empty where it is not given.

    Refused where no stack is named, or two are, or neither the options nor the shell nor its profile has a Region.
    """
    if stack and environment_name:
        raise Refused(
            f"Both a stack ({stack}) and an environment ({environment_name}) were given: give one of them (with make: "
            "STACK or ENV)"
        )
    if stack:
        # boto3 takes AWS_DEFAULT_REGION, then the profile's. AWS_REGION, which `aws` takes first, it does not know.
        found = region or os.environ.get("AWS_REGION") or boto3.Session(profile_name=profile or None).region_name
        if not found:
            raise Refused(
                f"It is not said which Region the stack {stack} is in: set AWS_REGION to it, or AWS_PROFILE to a "
                "profile with a Region; efs-monitor also takes --region"
            )
        return ChosenStack(name=stack, region=found, profile=profile or None)
    if not environment_name:
        raise Refused(
            "It is not said which stack: add ENV=home for an environment of samconfig.toml, or STACK=efs-monitor-home "
            "for a stack by its own name (--environment and --stack of efs-monitor)"
        )
    try:
        chosen = environment(environment_name)
    except NoSuchEnvironment as refused:
        raise Refused(f"{refused}, or name a stack by its own name with --stack (with make: STACK=NAME)") from refused
    return ChosenStack(name=chosen.stack_name, region=region or chosen.region, profile=profile or chosen.profile)
