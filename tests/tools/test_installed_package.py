"""What pip installs has every file that the command reads."""

import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PACKAGES = {
    "operate": PROJECT / "operate",
    "simulation": PROJECT / "simulation",
    "efs_monitor": PROJECT / "src" / "layers" / "efs_monitor" / "efs_monitor",
}


def test_files_beside_the_modules_are_installed_with_them() -> None:
    given = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    for name, folder in PACKAGES.items():
        there = {one for one in folder.rglob("*") if one.is_file() and one.suffix not in {".py", ".pyc"}}
        assert there == {one for pattern in given.get(name, ()) for one in folder.glob(pattern)}


def test_what_pip_leaves_behind_is_ignored_and_cleaned_up() -> None:
    ignored = (PROJECT / ".gitignore").read_text().splitlines()
    (clean,) = [line for line in (PROJECT / "Makefile").read_text().splitlines() if "rm -rf .aws-sam" in line]
    for one in ("build", "*.egg-info"):
        assert f"{one}/" in ignored
        assert one in clean.split()
