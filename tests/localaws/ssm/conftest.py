"""An instance, and documents of a few lines to run on it."""

import json
from pathlib import Path
from typing import Any

import pytest

from localaws.ssm.document import Document, read
from localaws.ssm.host import Host


def content(
    *lines: str,
    timeout_seconds: str = "20",
    precondition: dict[str, list[str]] | None = None,
    **parameters: dict[str, Any],
) -> dict[str, Any]:
    """A document's content; its parameters by name, each of type String."""
    return {
        "schemaVersion": "2.2",
        "parameters": {name: {"type": "String", **declared} for name, declared in parameters.items()},
        "mainSteps": [
            {
                "action": "aws:runShellScript",
                "name": "step",
                **({"precondition": precondition} if precondition else {}),
                "inputs": {"timeoutSeconds": timeout_seconds, "runCommand": list(lines)},
            }
        ],
    }


def written(*lines: str, **settings: Any) -> Document:
    """A document of a few lines of shell."""
    return read(json.loads(json.dumps(content(*lines, **settings))))


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(instance_id="i-0123456789abcdef0", folder=tmp_path / "instance")
