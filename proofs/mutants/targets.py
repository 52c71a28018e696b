"""What is changed, and by which tests it must be noticed: rules, mails, benchmarks, the fleet and the models.

Calls to AWS are tried against the sandbox. The published figures and the prices are data and no rules: tests hold every
one of them against its source, or against what the pages say.
"""

from dataclasses import dataclass
from pathlib import Path

CODE = Path("src/layers/efs_monitor/efs_monitor")
TESTS = "tests/unit"
RULES = ("efs", "alarms", "incidents", "notify")
TOP_LEVEL = tuple(f"{TESTS}/test_{name}.py" for name in ("config", "errors", "events", "stack_identity"))
DATA = {
    CODE / "costs/prices.py",
    *(CODE / "benchmarks/published" / name for name in ("fsbench.py", "tutorials.py", "file_sizes.py")),
}


@dataclass(frozen=True, kw_only=True)
class Package:
    """Files that are changed, and the folders of the tests that try them."""

    paths: tuple[Path, ...]
    tests: tuple[str, ...]


PACKAGES = {
    "rules": Package(
        paths=tuple(sorted(path for room in (".", *RULES) for path in (CODE / room).glob("*.py"))),
        tests=(*(f"{TESTS}/{room}" for room in RULES), *TOP_LEVEL, f"{TESTS}/mail"),
    ),
    "mail": Package(
        paths=tuple(sorted(set((CODE / "mail").rglob("*.py")) - DATA)),
        tests=(f"{TESTS}/mail", *(f"{TESTS}/{room}" for room in RULES)),
    ),
    "costs": Package(
        paths=tuple(sorted(set((CODE / "costs").glob("*.py")) - DATA)),
        tests=(f"{TESTS}/costs", f"{TESTS}/mail"),
    ),
    "benchmarks": Package(
        paths=tuple(sorted(set((CODE / "benchmarks").rglob("*.py")) - DATA)),
        tests=(f"{TESTS}/benchmarks", f"{TESTS}/mail"),
    ),
    "fleet": Package(
        paths=tuple(sorted((CODE / "fleet").glob("*.py"))),
        tests=(f"{TESTS}/fleet",),
    ),
    "simulation": Package(
        paths=tuple(sorted(Path("simulation").rglob("*.py"))),
        tests=(f"{TESTS}/simulation",),
    ),
}
