"""The document that benchmarks run, as properties that the template includes: with its script, and a name of its own.

SSM takes a script as part of the document. It is one file on the instance, and a folder of pieces here.

    python -m tools.benchmark_document     prints the script
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import yaml

SOURCE = Path(__file__).parent.parent / "src" / "documents" / "benchmark.yaml"
PIECES = tuple(
    SOURCE.with_suffix("") / f"{name}.sh"
    for name in (
        "head",
        "words",
        "parameters",
        "processes",
        "supervise",
        "machine",
        "prepare",
        "mount",
        "claim",
        "reap",
        "lock",
        "work",
        "workloads",
        "copies",
        "fleet",
        "main",
    )
)
"""The script's, in their order."""
PLACE = ["benchmark/*.sh"]
"""What stands for the script in the document."""
COMMENT = re.compile(r"^ *#(?! shellcheck).*\n", re.MULTILINE)
"""A whole line of one; shellcheck's own are for `make shellcheck`."""
OPENING = re.compile(r"\A((?:#.*\n)+)")
INDENTATION = re.compile(r"^(?:    )+", re.MULTILINE)
BLANK_LINES = re.compile(r"\n{3,}")
DIGEST_CHARACTERS = 12


def properties() -> dict[str, Any]:
    """All properties of the document, in long forms.

    The name says which stack by its id: one made of the stack's own may begin with aws, amazon or amzn, which Systems
    Manager keeps to itself.
    """
    content = document()
    stack = {"Fn::Select": [2, {"Fn::Split": ["/", {"Ref": "AWS::StackId"}]}]}
    return {
        "Name": {"Fn::Join": ["-", ["efs-monitor", stack, digest(content)]]},
        "DocumentType": "Command",
        "TargetType": "/AWS::EC2::Instance",
        "Content": content,
    }


def document() -> dict[str, Any]:
    """The document with its script; ValueError where it has no place for it."""
    written: dict[str, Any] = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    (step,) = written["mainSteps"]
    if step["inputs"]["runCommand"] != PLACE:
        raise ValueError(f"{SOURCE.name} must have {PLACE} as the commands of its only step")
    step["inputs"]["runCommand"] = [script()]
    return written


def digest(content: dict[str, Any]) -> str:
    """Which document this is."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:DIGEST_CHARACTERS]


def script() -> str:
    """What an instance runs; ValueError where SSM would change it.

    A document has 64 KiB with the values of its parameters, of which comments would take a third and half of the
    indentation as much as a feature. What is said of the whole at its beginning stays.
    """
    opening, whole = OPENING.split("\n".join(piece.read_text(encoding="utf-8") for piece in PIECES), 1)[1:]
    text = opening + INDENTATION.sub(_half, BLANK_LINES.sub("\n\n", COMMENT.sub("", whole)))
    if "{{" in text:
        raise ValueError(f"{SOURCE.stem} must not have {{{{ in it: SSM would take that for a parameter")
    return text


def _half(indentation: re.Match[str]) -> str:
    return indentation[0][::2]


if __name__ == "__main__":
    sys.stdout.write(script())
