"""An environment of samconfig.toml: which stack, where, with which parameters."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CONFIGURATION = Path(__file__).parents[2] / "samconfig.toml"


class Refused(Exception):
    """Something that stands in the way, as a sentence that says what to do."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """What `sam deploy --config-env NAME` would deploy, and where."""

    name: str
    stack_name: str
    region: str
    parameters: Mapping[str, str]


def environment(name: str, configuration: Path = CONFIGURATION) -> Environment:
    """The environment of that name; Refused where there is none, or it lacks a stack name or Region."""
    document = tomllib.loads(configuration.read_text())
    if name not in document or "deploy" not in document[name]:
        known = ", ".join(key for key, tables in document.items() if isinstance(tables, dict) and "deploy" in tables)
        raise Refused(f"samconfig.toml has no environment {name!r} to deploy, only {known}: say which with ENV=NAME")
    values: dict[str, Any] = {
        **document[name].get("global", {}).get("parameters", {}),
        **document[name]["deploy"].get("parameters", {}),
    }
    for key in ("stack_name", "region"):
        if not values.get(key):
            raise Refused(f"[{name}.deploy.parameters] of samconfig.toml does not set {key}")
    overrides = values.get("parameter_overrides", [])
    pairs = overrides.split() if isinstance(overrides, str) else overrides
    return Environment(
        name=name,
        stack_name=values["stack_name"],
        region=values["region"],
        parameters=dict(_pair(pair) for pair in pairs),
    )


def _pair(text: str) -> tuple[str, str]:
    key, _, value = text.partition("=")
    return key, value.strip('"')
