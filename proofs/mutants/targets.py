"""What is changed, and by which tests it must be noticed: the rules, the mails, the benchmarks and the models.

Calls to AWS are tried against the sandbox. The published figures and the prices are data and no rules: tests hold every
one of them against its source, or against what the pages say.
"""

from dataclasses import dataclass
from pathlib import Path

CODE = Path("src/layers/efs_monitor/efs_monitor")
TESTS = "tests/unit"
DATA = {
    CODE / "prices.py",
    *(CODE / "benchmarks/published" / name for name in ("fsbench.py", "tutorials.py", "file_sizes.py")),
}


@dataclass(frozen=True, kw_only=True)
class Package:
    """Files that are changed, and the folders of the tests that try them."""

    paths: tuple[Path, ...]
    tests: tuple[str, ...]


PACKAGES = {
    "rules": Package(
        paths=tuple(sorted(set(CODE.glob("*.py")) - DATA)),
        tests=(f"{TESTS}/rules", f"{TESTS}/messages"),
    ),
    "messages": Package(
        paths=tuple(sorted((CODE / "messages").rglob("*.py"))),
        tests=(f"{TESTS}/messages", f"{TESTS}/rules"),
    ),
    "benchmarks": Package(
        paths=tuple(sorted(set((CODE / "benchmarks").rglob("*.py")) - DATA)),
        tests=(f"{TESTS}/benchmarks", f"{TESTS}/messages"),
    ),
    "sim": Package(
        paths=tuple(sorted(Path("sim").rglob("*.py"))),
        tests=(f"{TESTS}/sim",),
    ),
}
