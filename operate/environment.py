"""An environment of samconfig.toml: which stack, and where. Its parameters only `sam` reads, from the same file."""

import argparse
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

# Of the folder in which a command is called, as `sam` takes it: what is installed has none beside it.
CONFIGURATION = Path("samconfig.toml")


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
    if "deploy" not in _table(document, name):
        known = [key for key, tables in document.items() if isinstance(tables, dict) and "deploy" in tables]
        raise Refused(
            f"{configuration.name} has no environment {name!r} to deploy, only {', '.join(known) or 'none'}: say which "
            "(with make: ENV=NAME)"
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
    tags = values.get("tags", [])
    return Environment(
        name=name,
        stack_name=values["stack_name"],
        region=values["region"],
        profile=values.get("profile") or None,
        tags=tuple(tags.split() if isinstance(tags, str) else tags),
        configuration=configuration.absolute(),
    )


def _table(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The table of that name; empty where there is none, or another kind of value."""
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _read(configuration: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(configuration.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise Refused(
            f"There is no {configuration.name} in {configuration.absolute().parent}, and it names the stacks to "
            "deploy: go to the folder of the project. drill and benchmark also take a stack by its own name (--stack)"
        ) from error
    except OSError as error:
        raise Refused(f"{configuration} cannot be read ({error.strerror}): it names the stacks to deploy") from error
    except ValueError as error:
        raise Refused(f"{configuration.name} is no TOML that can be read: {error}") from error


def add_stack_options(parser: argparse.ArgumentParser, *, with_profile: bool = False) -> None:
    """How a person says which stack is meant: by its environment, or by its own name; and in whose account, where
    `--profile` means nothing else.
    """
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--environment", default="", help="the stack of this environment in ./samconfig.toml")
    which.add_argument("--stack", default="", help="the stack with this name")
    parser.add_argument(
        "--region",
        default="",
        help="AWS Region of the stack; default: that of the environment, else AWS_REGION, AWS_DEFAULT_REGION or the "
        "profile's",
    )
    if with_profile:
        parser.add_argument("--profile", dest="account_profile", default="", help="AWS CLI profile")
    else:
        parser.set_defaults(account_profile="")


def chosen_stack(options: argparse.Namespace) -> tuple[str, str, str | None]:
    """A stack's name, its Region, and the profile whose account has it, None where the shell decides.

    Refused where no stack is named, or neither the options nor the shell nor its profile has a Region.
    """
    profile = options.account_profile or None
    if options.stack:
        # boto3 takes AWS_DEFAULT_REGION, then the profile's. AWS_REGION, which `aws` takes first, it does not know.
        region = options.region or os.environ.get("AWS_REGION") or boto3.Session(profile_name=profile).region_name
        if not region:
            raise Refused(
                f"It is not said which Region the stack {options.stack} is in: give --region, or set AWS_REGION to it, "
                "or AWS_PROFILE to a profile with a Region"
            )
        return options.stack, region, profile
    if not options.environment:
        raise Refused(
            "It is not said which stack: add ENV=home for an environment of samconfig.toml, or STACK=efs-monitor-home "
            "for a stack by its own name (--environment and --stack of efs-monitor)"
        )
    chosen = environment(options.environment)
    return chosen.stack_name, options.region or chosen.region, profile or chosen.profile
