"""Answers of a proof that takes hours, kept as they come: one that was broken off goes on where it was.

They are those of one state of the code that is asked, and of its libraries. Any change of it begins anew, because no
table may be of two.
"""

import pickle
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from stage.sam_deployment import PROJECT

CODE = ("localaws", "operate", "proofs", "requirements", "scenarios", "simulation", "src", "stage", "template.yaml")
NOT_CODE = {"__pycache__"}
KEPT = PROJECT / "out" / "answers-of-proofs"


def folder_of(what: str, *, code: Sequence[str] = CODE, kept: Path = KEPT, project: Path = PROJECT) -> Path:
    """Where the answers about something are kept, as long as the code stays as it is that it depends on."""
    digest = sha256()
    for name in code:
        root = project / name
        for path in sorted([root] if root.is_file() else root.rglob("*")):
            if path.is_file() and not NOT_CODE.intersection(path.parts):
                digest.update(f"{path.relative_to(project)}\0{sha256(path.read_bytes()).hexdigest()}\n".encode())
    return kept / digest.hexdigest()[:16] / what


def _any(_: object) -> bool:
    return True


def kept_or_asked[Asked, Answer](
    folder: Path,
    question: Callable[[Asked], Answer],
    named: tuple[object, Asked],
    is_kept: Callable[[Answer], bool] = _any,
) -> Answer:
    """The answer that there is to the question of this name or number, or else a new one, kept if it may be."""
    name, asked = named
    path = folder / f"{sha256(str(name).encode()).hexdigest()[:32]}.pickle"
    if path.exists():
        kept: Answer = pickle.loads(path.read_bytes())  # noqa: S301 - written below, on this machine
        return kept
    answer = question(asked)
    if not is_kept(answer):
        return answer
    folder.mkdir(parents=True, exist_ok=True)
    # A whole answer or none, whenever it is broken off.
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(pickle.dumps(answer))
    unfinished.replace(path)
    return answer
