"""A function as it was deployed: its settings, and its code and layers unpacked on disk."""

import atexit
import io
import shutil
import tempfile
import zipfile
from base64 import b64decode
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from moto.awslambda.models import LambdaFunction, lambda_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.functions.made_once import made_once

RUNTIME_PACKAGES = ("boto3", "botocore", "s3transfer", "jmespath", "dateutil", "urllib3", "six")
"""What the managed Python runtime brings along; anything else a function must bring itself, or in a layer."""

CLOCK_PACKAGES = ("time_machine", "_time_machine")


@dataclass(frozen=True, slots=True)
class FunctionDeployment:
    """Everything a worker is started from; a worker serves exactly one of these."""

    name: str
    arn: str
    role_arn: str
    handler: str
    code_path: Path
    layer_paths: tuple[Path, ...]
    environment: tuple[tuple[str, str], ...]
    memory_megabytes: int
    timeout_seconds: int
    log_group: str

    def search_path(self, runtime: Path) -> list[str]:
        """sys.path as in Lambda: the function, its layers (a later one hides an earlier one), the runtime."""
        layers = [path / "python" for path in reversed(self.layer_paths)]
        return [str(path) for path in (self.code_path, *layers, runtime)]


def deployment_of(function: LambdaFunction) -> FunctionDeployment:
    """What `function` would run right now; raises ValueError for code that is not a Python zip."""
    if function.package_type != "Zip" or not str(function.run_time).startswith("python"):
        message = (
            f"the sandbox runs Python functions from zips; {function.function_name} is {function.package_type} "
            f"with the runtime {function.run_time}"
        )
        raise ValueError(message)
    backend = lambda_backends[ACCOUNT_ID][REGION]
    layers = [backend.layers_versions_by_arn(layer["Arn"]) for layer in function.layers]
    return FunctionDeployment(
        name=function.function_name,
        arn=function.function_arn,
        role_arn=function.role,
        handler=function.handler,
        code_path=_unpacked(function),
        layer_paths=tuple(_unpacked(layer) for layer in layers if layer is not None),
        environment=tuple(sorted((key, str(value)) for key, value in function.environment_vars.items())),
        memory_megabytes=int(function.memory_size),
        timeout_seconds=int(function.timeout),
        log_group=function.logs_group_name,
    )


@made_once
def runtime_packages() -> Path:
    """The folder of what the runtime brings along, for all sandboxes of this process."""
    return linked_packages(_own_folder("runtime"), (*RUNTIME_PACKAGES, *CLOCK_PACKAGES))


def _unpacked(stored: Any) -> Path:
    """A folder with this code, for all sandboxes of this process: it is named by its hash, and read only.

    The layer has five hundred files, which take longer to write than all else in a deployment.
    """
    target = _own_folder("code") / b64decode(stored.code_sha_256).hex()
    if not target.exists():
        # Unpacked beside and then renamed: two threads may want the same code at once.
        partial = Path(tempfile.mkdtemp(dir=target.parent))
        with zipfile.ZipFile(io.BytesIO(stored.code_bytes)) as archive:
            archive.extractall(partial)
        try:
            partial.rename(target)
        except OSError:
            shutil.rmtree(partial)
    return target


@made_once
def _own_folder(name: str) -> Path:
    """A temporary folder of this process, which is removed when it ends."""
    folder = tempfile.TemporaryDirectory(prefix=f"localaws-{name}-")
    atexit.register(folder.cleanup)
    return Path(folder.name)


def linked_packages(folder: Path, names: Iterable[str]) -> Path:
    """A folder to import from that holds these packages, and nothing more of our environment."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            message = f"the sandbox's Lambda runtime needs the package {name}, which is not installed"
            raise RuntimeError(message)
        origin = Path(spec.origin)
        source = origin.parent if origin.name == "__init__.py" else origin
        link = folder / source.name
        link.unlink(missing_ok=True)
        link.symlink_to(source)
    return folder
