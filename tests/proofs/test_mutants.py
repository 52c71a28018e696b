"""The proof that a wrong rule is noticed, itself tried: on a small source, on one file, and by the wrong tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from proofs.mutants.equivalents import equivalents
from proofs.mutants.imports import Imports
from proofs.mutants.mutation_operators import mutants
from proofs.mutants.targets import PACKAGES

PROJECT = Path(__file__).parents[2]


def changes(source: str) -> list[str]:
    return [f"{mutant.before} → {mutant.after}" for mutant in mutants("small.py", source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ["a < b → a <= b"]),
        ("a <= b < c", ["a <= b < c → a < b < c", "a <= b < c → a <= b <= c"]),
        ("a + b", ["a + b → a - b"]),
        ("a and b", ["a and b → a or b", "a → not a"]),
        ("not a", ["not a → a"]),
        ("-a", ["-a → +a"]),
        ("a = f(1, True, 'x', '')", ["1 → 2", "True → False", "'x' → 'XXxXX'", "'' → 'XX'"]),
        ("a = min(b)", ["min(b) → max(b)"]),
        ("a = sorted(b, key=f)", ["sorted(b, key=f) → list(b)"]),
        ("if a:\n    f()", ["a → not a", "f() → pass"]),
        ("for a in b:\n    break", ["break → continue"]),
    ],
)
def test_each_change_is_a_small_one(source: str, expected: list[str]) -> None:
    assert changes(source) == expected


def test_what_only_readers_and_type_checkers_see_is_not_changed() -> None:
    assert changes('"""Why."""\n__all__ = ["a"]\n\n\n@once(1)\ndef f(a: "int") -> "str":\n    """What."""\n') == []


def test_alike_changes_are_told_apart_by_what_is_around_them() -> None:
    names = [mutant.name for mutant in mutants("small.py", "def f(a):\n    return g(1) + g(1, a) + h(1)\n")]
    assert len(set(names)) == len(names)
    assert "small.py f: g(1) → g(2)" in names
    assert "small.py f: h(1) → h(2)" in names


def test_a_change_is_known_wherever_it_moves() -> None:
    (before,) = mutants("small.py", "def f(a):\n    a < b\n")
    (after,) = mutants("small.py", "\n\n\ndef f(a):\n    a < b\n")
    assert (before.name, before.line, after.line) == (after.name, 2, 5)


def test_what_runs_at_import_is_known() -> None:
    found = mutants("small.py", "A = 1\n\n\ndef f(a=2):\n    return a < 3\n")
    assert {mutant.before: mutant.at_import for mutant in found} == {
        "1": True,
        "2": True,
        "3": False,
        "a < 3": False,
        "return a < 3": False,
    }


@pytest.mark.more
def test_a_file_is_followed_to_what_imports_it() -> None:
    rings = list(Imports().rings("src/layers/efs_monitor/efs_monitor/efs/trend.py"))
    assert rings[0] == {"src/layers/efs_monitor/efs_monitor/efs/trend.py"}
    assert "tests/unit/efs/test_trend.py" in rings[1]


@pytest.mark.whole
def test_every_equivalent_mutant_is_one_and_has_a_reason() -> None:
    names = {
        mutant.name
        for package in PACKAGES.values()
        for path in package.paths
        for mutant in mutants(str(path), path.read_text())
    }
    assert set(equivalents()) <= names
    assert all(len(reason.split()) > 3 for reason in equivalents().values())


def tried(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "proofs.mutants", *arguments],
        cwd=PROJECT,
        env=os.environ | {"PYTHONPATH": f"{PROJECT}:{PROJECT / 'src/layers/efs_monitor'}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.more
def test_a_change_that_nobody_could_notice_is_tried_and_noticed_by_nobody() -> None:
    """A trial that exchanges nothing, or breaks off by itself, would count as noticed."""
    excused = tried("simulation/metric_math/gaps.py")
    assert excused.returncode == 0, excused.stdout + excused.stderr
    assert " 1 equivalent" in excused.stdout


@pytest.mark.more
def test_what_its_own_tests_notice_is_killed_and_what_others_do_not_call_is_unreached() -> None:
    noticed = tried("/trend.py", "tests/unit/efs/test_trend.py")
    assert noticed.returncode == 0, noticed.stdout + noticed.stderr
    missed = tried("/trend.py", "tests/unit/efs/test_credits.py")
    assert missed.returncode == 1
    assert "unreached" in missed.stdout
