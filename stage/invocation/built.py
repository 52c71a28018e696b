"""What `sam build` left: where each function's code and the shared layer lie."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from operate.template import as_written
from stage.deployment import BUILD, PROJECT, Deployer

FUNCTION = "AWS::Serverless::Function"
LAYER = "AWS::Serverless::LayerVersion"


class UnknownFunctionError(LookupError):
    """A function the template does not have; the text names those it has."""


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
    """The logical ids of the functions in template.yaml."""
    return tuple(name for name, resource in _resources(PROJECT).items() if resource["Type"] == FUNCTION)


def checked_function_id(name: str) -> str:
    """The name, if the template has such a function; UnknownFunctionError names the ones it has."""
    if name not in function_ids():
        raise UnknownFunctionError(f"There is no function {name!r}; there are {', '.join(function_ids())}")
    return name


def built_function(logical_id: str, build: Path = BUILD) -> BuiltFunction:
    """Where `sam build` put the function and its layers."""
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


def _resources(folder: Path) -> dict[str, Any]:
    resources: dict[str, Any] = as_written(folder / "template.yaml")["Resources"]
    return resources
