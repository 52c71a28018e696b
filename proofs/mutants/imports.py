"""Which files import which: a change at the top of a module can be noticed only by what imports it."""

import ast
from collections.abc import Iterator
from pathlib import Path

# Where the packages of this project begin.
ROOTS = (Path("src/layers/efs_monitor"), Path())
FOLDERS = (
    "src/layers/efs_monitor/efs_monitor",
    "simulation",
    "localaws",
    "stage",
    "operate",
    "tools",
    "proofs",
    "tests",
)


class Imports:
    """The imports of all files of the project, from below: who imports a file."""

    def __init__(self) -> None:
        self.files = {self.module_of(str(file)): str(file) for folder in FOLDERS for file in Path(folder).rglob("*.py")}
        self.importers: dict[str, set[str]] = {}
        for file in self.files.values():
            for module in self._imported_by(Path(file)):
                if module in self.files:
                    self.importers.setdefault(self.files[module], set()).add(file)

    def module_of(self, path: str) -> str:
        """The name under which a file is imported."""
        root = next(root for root in ROOTS if Path(path).is_relative_to(root))
        parts = Path(path).relative_to(root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def rings(self, path: str) -> Iterator[set[str]]:
        """The file itself, what imports it, what imports that, and so on."""
        ring, seen = {path}, set[str]()
        while ring:
            yield ring
            seen |= ring
            ring = {one for file in ring for one in self.importers.get(file, ())} - seen

    def _imported_by(self, file: Path) -> Iterator[str]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
