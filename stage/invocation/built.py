"""Where each function's code and the shared layer lie: what `sam build` left of template.yaml, and fleet.yaml's own."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from operate.template_files import FLEET_TEMPLATE, as_written
from stage.sam_deployment import BUILD, PROJECT, Deployer

FUNCTION = "AWS::Serverless::Function"
LAYER = "AWS::Serverless::LayerVersion"
FLEET_FUNCTION = "AWS::Lambda::Function"
FLEET_LAYER = "AWS::Lambda::LayerVersion"


class UnknownFunctionError(LookupError):
    """A function that neither template has; the text names those they have."""


@dataclass(frozen=True, kw_only=True)
class BuiltFunction:
    """A function by its logical id; each of the `layer_paths` holds a folder `python`."""

    logical_id: str
    code_path: Path
    layer_paths: tuple[Path, ...]

    @property
    def import_paths(self) -> tuple[Path, ...]:
        """What Lambda puts in front of its runtime's own packages."""
        return (self.code_path, *(path / "python" for path in self.layer_paths))


def function_ids() -> tuple[str, ...]:
    """The logical ids of the functions in template.yaml and fleet.yaml."""
    return (*_named(_resources(PROJECT), FUNCTION), *fleet_function_ids())


def fleet_function_ids() -> tuple[str, ...]:
    """The logical ids of the functions in fleet.yaml."""
    return _named(_fleet(), FLEET_FUNCTION)


def checked_function_id(name: str) -> str:
    """The name, if there is such a function; UnknownFunctionError names the ones that there are."""
    if not name:
        raise UnknownFunctionError(f"It is not said which function, with make FN=NAME: {', '.join(function_ids())}")
    if name not in function_ids():
        raise UnknownFunctionError(f"There is no function {name!r}; there are {', '.join(function_ids())}")
    return name


def built_function(logical_id: str, build: Path = BUILD) -> BuiltFunction:
    """Where `sam build` put the function and its layers.

    `aws cloudformation package` takes a fleet's function from src, and the layer from the build.
    """
    if logical_id in fleet_function_ids():
        layers = [_fleet()[name]["Properties"]["Content"] for name in _named(_fleet(), FLEET_LAYER)]
        return BuiltFunction(
            logical_id=logical_id,
            code_path=PROJECT / _fleet()[logical_id]["Properties"]["Code"],
            layer_paths=tuple(build / (PROJECT / one).relative_to(BUILD) for one in layers),
        )
    resources = _resources(build)
    return BuiltFunction(
        logical_id=checked_function_id(logical_id),
        code_path=build / resources[logical_id]["Properties"]["CodeUri"],
        layer_paths=tuple(
            build / resource["Properties"]["ContentUri"] for resource in resources.values() if resource["Type"] == LAYER
        ),
    )


def build_if_needed(deployer: Deployer) -> None:
    """`sam build`, unless what it would read is older than what it left."""
    built = BUILD / "template.yaml"
    if not built.exists() or max(path.stat().st_mtime for path in _sources()) > built.stat().st_mtime:
        deployer.build()


def _sources() -> Iterator[Path]:
    yield PROJECT / "template.yaml"
    for path in (PROJECT / "src").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def _named(resources: dict[str, Any], kind: str) -> tuple[str, ...]:
    return tuple(name for name, resource in resources.items() if resource["Type"] == kind)


def _fleet() -> dict[str, Any]:
    resources: dict[str, Any] = as_written(FLEET_TEMPLATE)["Resources"]
    return resources


def _resources(folder: Path) -> dict[str, Any]:
    resources: dict[str, Any] = as_written(folder / "template.yaml")["Resources"]
    return resources
