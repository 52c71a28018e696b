"""Which Python the environments are made of, on machines that have none: places of this machine are taken out."""

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from stage.sam_deployment import PROJECT
from tests.printed import too_wide

FIXED_PLACES = "/usr/local/bin/python3.13 /opt/homebrew/bin/python3.13 /usr/bin/python3.13"
# As uv itself: with --quiet it prints not even the path that it was asked for (since 0.6), nor why it failed; without
# --system it names the environment of the folder that it is called in.
UV = """#!/bin/sh
echo "$*" >>"$HOME/uv-calls"
case "$*" in *--quiet*) exec >/dev/null 2>&1 ;; esac
case "$*" in
"python install 3.13")
    [ ! -e "$HOME/offline" ] || {{ echo 'error: no network' >&2; exit 2; }}
    touch "$HOME/installed" ;;
"python find --system 3.13") [ -e "$HOME/installed" ] && echo {python} ;;
"python find "*) echo .venv/bin/python ;;
esac
"""
SHELL_SCRIPTS = [
    str(path.relative_to(PROJECT))
    for folder in ("tools", ".ci", "src/documents/benchmark", "localaws/ssm/shims")
    for path in sorted((PROJECT / folder).iterdir())
    if path.is_file() and (path.suffix == ".sh" or path.read_bytes().startswith((b"#!/bin/sh", b"#!/usr/bin/env bash")))
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home, and a PATH in it with nothing but a shell."""
    script = (PROJECT / "tools" / "find-python").read_text()
    assert script.count(FIXED_PLACES) == 1
    executable(tmp_path / "find-python", script.replace(FIXED_PLACES, "/nowhere/python3.13"))
    (tmp_path / "bin").mkdir()
    for command in ("sh", "touch"):
        found = shutil.which(command)
        assert found is not None
        (tmp_path / "bin" / command).symlink_to(found)
    return tmp_path


def executable(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def find_python(home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [home / "find-python"],
        env={"PATH": str(home / "bin"), **(variables or {"HOME": str(home)})},
        capture_output=True,
        text=True,
        check=False,
    )


def with_uv(home: Path) -> None:
    executable(home / "bin" / "uv", UV.format(python=os.path.realpath(sys.executable)))


def test_without_python_and_uv_a_sentence_says_what_is_missing(home: Path) -> None:
    found = find_python(home)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.startswith("Python 3.13 with its venv module is missing: install it")
    assert too_wide(found.stderr) == []


def test_one_is_found_without_a_home_as_in_a_container_or_unit_that_sets_none(home: Path) -> None:
    python = os.path.realpath(sys.executable)
    found = find_python(home, PYTHON313=python)
    assert (found.returncode, found.stdout, found.stderr) == (0, f"{python}\n", "")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("/nowhere/python3.13", "PYTHON313 is no Python 3.13 with its venv module that runs:"),
        ("/home/of/.pyenv/shims/python3.13", "PYTHON313 is a shim: set it to what `pyenv which python3.13` prints:"),
    ],
)
def test_one_that_was_named_and_is_none_is_said_and_no_other_taken(home: Path, given: str, said: str) -> None:
    (home / "bin" / "python3.13").symlink_to(os.path.realpath(sys.executable))
    found = find_python(home, PYTHON313=given)
    assert (found.returncode, found.stdout, found.stderr) == (1, "", f"{said}\n{given}\n")
    assert too_wide(said) == []


@pytest.mark.parametrize("script", SHELL_SCRIPTS)
def test_no_script_ends_where_a_variable_of_the_login_is_not_set(script: str) -> None:
    """`set -u` ends one at the first of them, and containers, cron and systemd set none."""
    text = (PROJECT / script).read_text()
    assert re.findall(r"\$\{?(?:HOME|USER|LOGNAME|TMPDIR|SHELL|TERM|LANG)\b(?!:?-)[^ ]*", text) == []


def test_uv_installs_one_where_there_is_none(home: Path) -> None:
    with_uv(home)
    found = find_python(home)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == f"{os.path.realpath(sys.executable)}\n"


def test_uv_that_cannot_install_one_says_why_before_the_sentence(home: Path) -> None:
    with_uv(home)
    (home / "offline").touch()
    found = find_python(home)
    assert (found.returncode, found.stdout) == (1, "")
    first, second, _ = found.stderr.splitlines()
    assert first == "error: no network"
    assert second.startswith("Python 3.13 with its venv module is missing")


def test_a_python_that_is_there_is_taken_and_uv_not_asked(home: Path) -> None:
    with_uv(home)
    (home / "bin" / "python3.13").symlink_to(os.path.realpath(sys.executable))
    assert find_python(home).stdout == f"{home}/bin/python3.13\n"
    assert not (home / "uv-calls").exists()


def test_a_python_whose_venv_module_cannot_install_pip_is_none(home: Path) -> None:
    """As Debian's without python3-venv: it imports venv, and what that makes has no pip."""
    without = '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1 ;; *) echo 3.13 ;; esac\n'
    executable(home / "bin" / "python3.13", without)
    assert find_python(home).stderr.startswith("Python 3.13 with its venv module is missing: install it")
    with_uv(home)
    assert find_python(home).stdout == f"{os.path.realpath(sys.executable)}\n"
