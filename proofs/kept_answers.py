"""Answers of a proof that takes hours, kept as they come: one that was broken off goes on where it was.

They are those of one state of the code and of its libraries. Any change begins anew, because no table may be of two.
"""

import pickle
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from stage.deployment import PROJECT

CODE = ("localaws", "operate", "proofs", "requirements", "scenarios", "simulation", "src", "stage", "template.yaml")
NOT_CODE = {"__pycache__"}
KEPT = PROJECT / "out" / "answers-of-proofs"


def folder_of(what: str, kept: Path = KEPT, project: Path = PROJECT) -> Path:
    """Where the answers about something are kept, as long as all code stays as it is."""
    digest = sha256()
    for name in CODE:
        root = project / name
        for path in sorted([root] if root.is_file() else root.rglob("*")):
            if path.is_file() and not NOT_CODE.intersection(path.parts):
                digest.update(f"{path.relative_to(project)}\0{sha256(path.read_bytes()).hexdigest()}\n".encode())
    return kept / digest.hexdigest()[:16] / what


def kept_or_asked[Asked, Answer](
    folder: Path, question: Callable[[Asked], Answer], numbered: tuple[int, Asked]
) -> Answer:
    """The answer that there is to the question of this number, or else a new one, which is kept."""
    number, asked = numbered
    path = folder / f"{number}.pickle"
    if path.exists():
        kept: Answer = pickle.loads(path.read_bytes())  # noqa: S301 - written below, on this machine
        return kept
    answer = question(asked)
    folder.mkdir(parents=True, exist_ok=True)
    # A whole answer or none, whenever it is broken off.
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(pickle.dumps(answer))
    unfinished.replace(path)
    return answer
