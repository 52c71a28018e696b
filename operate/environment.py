"""An environment of samconfig.toml: which stack, and where. Its parameters only `sam` reads, from the same file."""

import argparse
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

CONFIGURATION = Path(__file__).parent.parent / "samconfig.toml"


class Refused(Exception):
    """Something that stands in the way, as a sentence that says what to do."""


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


def environment(name: str, configuration: Path = CONFIGURATION) -> Environment:
    """The environment of that name; Refused where there is none, or it lacks a stack name or Region."""
    document = _read(configuration)
    if not isinstance(document.get(name), dict) or "deploy" not in document[name]:
        known = [key for key, tables in document.items() if isinstance(tables, dict) and "deploy" in tables]
        raise Refused(
            f"{configuration.name} has no environment {name!r} to deploy, only {', '.join(known) or 'none'}: say which "
            "with ENV=NAME"
        )
    values: dict[str, Any] = {
        **document[name].get("global", {}).get("parameters", {}),
        **document[name]["deploy"].get("parameters", {}),
    }
    for key in ("stack_name", "region"):
        if not values.get(key):
            raise Refused(f"[{name}.deploy.parameters] of {configuration.name} does not set {key}")
    tags = values.get("tags", [])
    return Environment(
        name=name,
        stack_name=values["stack_name"],
        region=values["region"],
        profile=values.get("profile") or None,
        tags=tuple(tags.split() if isinstance(tags, str) else tags),
        configuration=configuration,
    )


def _read(configuration: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(configuration.read_text())
    except OSError as error:
        raise Refused(f"{configuration} cannot be read ({error.strerror}): it names the stacks to deploy") from error
    except ValueError as error:
        raise Refused(f"{configuration.name} is no TOML that can be read: {error}") from error


def add_stack_options(parser: argparse.ArgumentParser) -> None:
    """How a person says which stack is meant: by its environment, or by its own name."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--environment", default="", help="an environment of samconfig.toml")
    which.add_argument(
        "--stack",
        default="",
        help="or a stack by its own name, in the Region of AWS_REGION, AWS_DEFAULT_REGION or the profile",
    )


def chosen_stack(options: argparse.Namespace) -> tuple[str, str, str | None]:
    """A stack's name, its Region, and the profile whose account has it, None where the shell decides.

    Refused where no stack is named, or neither the shell nor its profile has a Region.
    """
    if options.stack:
        # boto3 takes AWS_DEFAULT_REGION, then the profile's. AWS_REGION, which `aws` takes first, it does not know.
        region = os.environ.get("AWS_REGION") or boto3.Session().region_name
        if not region:
            raise Refused(
                f"It is not said which Region the stack {options.stack} is in: set AWS_REGION to it, or AWS_PROFILE to "
                "a profile with a Region"
            )
        return options.stack, region, None
    if not options.environment:
        raise Refused(
            "It is not said which stack: add ENV=home for an environment of samconfig.toml, or STACK=efs-monitor-home "
            "for a stack by its own name"
        )
    chosen = environment(options.environment)
    return chosen.stack_name, chosen.region, chosen.profile
