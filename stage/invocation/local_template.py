"""A template for `sam local`: functions as they were built and deployed, since it resolves few references itself."""

import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stage.invocation.built import BuiltFunction
from stage.invocation.deployed_stack import DeployedFunction

LAYER = "Layer"


@dataclass(frozen=True, kw_only=True)
class LocalTemplate:
    """The two files a `sam local` command reads, and its options for them."""

    template: Mapping[str, Any]
    variables: Mapping[str, Mapping[str, str]]

    def written(self, folder: Path) -> tuple[str, ...]:
        """Write both files; the options that name them."""
        template, variables = folder / "template.json", folder / "variables.json"
        template.write_text(json.dumps(self.template), encoding="utf-8")
        variables.write_text(json.dumps(self.variables), encoding="utf-8")
        return ("--template", str(template), "--env-vars", str(variables))


def local_template(
    functions: Iterable[tuple[BuiltFunction, DeployedFunction]], container_endpoint_url: str
) -> LocalTemplate:
    """Functions with their roles' credentials, which reach AWS at an address that containers know."""
    resources: dict[str, Any] = {}
    variables: dict[str, dict[str, str]] = {}
    for built, deployed in functions:
        layers = {
            f"{LAYER}{number}": {"Type": "AWS::Serverless::LayerVersion", "Properties": {"ContentUri": str(path)}}
            for number, path in enumerate(built.layer_paths)
        }
        given = {**deployed.environment, **deployed.credentials, "AWS_ENDPOINT_URL": container_endpoint_url}
        resources |= {**layers, built.logical_id: _function(built, deployed, layers, given)}
        variables[built.logical_id] = given
    return LocalTemplate(
        template={"Transform": "AWS::Serverless-2016-10-31", "Resources": resources}, variables=variables
    )


def _function(
    built: BuiltFunction, deployed: DeployedFunction, layers: Iterable[str], variables: Iterable[str]
) -> dict[str, Any]:
    return {
        "Type": "AWS::Serverless::Function",
        "Properties": {
            "CodeUri": str(built.code_path),
            "Handler": deployed.handler,
            "Runtime": "python3.13",
            # Of this machine, whatever was deployed: the code is the same for both.
            "Architectures": ["arm64" if platform.machine() in {"arm64", "aarch64"} else "x86_64"],
            "Timeout": deployed.timeout_seconds,
            "MemorySize": deployed.memory_megabytes,
            "Layers": [{"Ref": name} for name in layers],
            # Only declared variables can be given a value, and values here would yield to the shell's.
            "Environment": {"Variables": dict.fromkeys(variables, "")},
        },
    }
