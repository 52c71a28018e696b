"""What the layer weighs, and what must and must not be in it."""

from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path

from stage.measuring.promise import PromisedValue

BROUGHT_BY_LAMBDA = ("boto3", "botocore", "s3transfer", "urllib3")


def layer(folder: Path) -> Iterator[PromisedValue]:
    """The layer as `sam build` left it, unpacked; a megabyte is 10^6 bytes."""
    python = folder / "python"
    size_bytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    yield PromisedValue(name="layer, unpacked", value=round(size_bytes / 1e6, 2), unit="MB", limit=15)
    uncompiled = [path for path in python.rglob("*.py") if not Path(cache_from_source(str(path))).is_file()]
    yield PromisedValue(name="layer, sources without bytecode", value=len(uncompiled), unit="files", limit=0)
    doubled = [name for name in BROUGHT_BY_LAMBDA if (python / name).exists()]
    yield PromisedValue(name="layer, packages that Lambda brings itself", value=len(doubled), unit="packages", limit=0)
