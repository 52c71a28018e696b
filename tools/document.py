"""Writes src/documents/benchmark.yaml into template.yaml, with the script as the one command of its step.

CloudFormation takes a document's content as part of the template, and SSM a script as part of the document. The script
is one file on the instance, and a folder of pieces here.
"""

import hashlib
import re
import sys
import textwrap
from pathlib import Path

from tools.fingerprint import TEMPLATE

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
PLACE = "      runCommand: [benchmark/*.sh]\n"
"""Where the script goes in the document."""
COMMENT = re.compile(r"^ *#(?! shellcheck).*\n", re.MULTILINE)
"""A whole line of one; shellcheck's own are for `make shellcheck`."""
BLOCK = re.compile(r"(?<=^  BenchmarkDocument:\n)(.*?^      Content:\n).*?(?=^$\n^(?:  )?\S)", re.DOTALL | re.MULTILINE)
"""The document's resource, up to the empty line before the next resource or section."""
NAME = re.compile(r'^(      Name: .*")[0-9a-f]*("\]\])$', re.MULTILINE)
"""The document's name, which ends with a digest: it is replaced as a whole when its content changes."""
DIGEST_CHARACTERS = 12


def script() -> str:
    """What an instance runs; ValueError where SSM would change it.

    A document has 64 KiB, of which the comments would take a third. What the first piece says of the whole stays.
    """
    head, *others = (piece.read_text() for piece in PIECES)
    text = "\n".join((head, *(COMMENT.sub("", piece).lstrip("\n") for piece in others)))
    if "{{" in text:
        raise ValueError(f"{SOURCE.stem} must not have {{{{ in it: SSM would take that for a parameter")
    return text


def body() -> str:
    """The document with its script, as YAML; ValueError where it has no place for it."""
    document = SOURCE.read_text()
    if document.count(PLACE) != 1:
        raise ValueError(f"{SOURCE.name} must have one line {PLACE.strip()!r}")
    return document.replace(PLACE, f"      runCommand:\n        - |\n{_indented(script(), 10)}")


def digest() -> str:
    """Which document this is."""
    return hashlib.sha256(body().encode()).hexdigest()[:DIGEST_CHARACTERS]


def written_into(template: str) -> str:
    """The text of the template with this document in it; ValueError where it has no place for one."""
    written, places = BLOCK.subn(lambda found: _named(found[1]) + _indented(body(), 8), template)
    if places != 1:
        raise ValueError(f"{TEMPLATE.name} must have one BenchmarkDocument, Content its last property; found {places}")
    return written


def _named(head: str) -> str:
    """What stands before the content, with the digest in the name."""
    written, places = NAME.subn(lambda found: f"{found[1]}{digest()}{found[2]}", head)
    if places != 1:
        raise ValueError(f"BenchmarkDocument in {TEMPLATE.name} must have one Name that ends with a digest in quotes")
    return written


def _indented(text: str, columns: int) -> str:
    return textwrap.indent(text, " " * columns)


if __name__ == "__main__":
    if sys.argv[1:] == ["--script"]:
        sys.stdout.write(script())
    else:
        TEMPLATE.write_text(written_into(TEMPLATE.read_text()))
