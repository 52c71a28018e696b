"""An environment is refused where nothing in it could be started."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from stage.sam_deployment import PROJECT
from tests.printed import too_wide


def test_a_folder_with_a_space_in_its_path_is_refused_with_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "my project"
    folder.mkdir()
    command = [str(PROJECT / "tools" / "make-environment"), ".venv", "requirements/dev.txt"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"The path of this folder has a space in it: move it to one without.\n{folder}\n"
    assert list(folder.iterdir()) == []


def test_a_folder_that_may_not_be_written_is_refused_with_what_to_do() -> None:
    """Root may write to any: so as nobody, who may not even read where tests usually work."""
    script, nobody = PROJECT / "tools" / "make-environment", 65534
    with tempfile.TemporaryDirectory() as folder:
        copied = shutil.copy(script, folder)
        Path(folder).chmod(0o555)
        done = subprocess.run(
            [copied],
            cwd=folder,
            user=nobody if os.geteuid() == 0 else None,
            capture_output=True,
            text=True,
            check=False,
        )
        Path(folder).chmod(0o755)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"This folder cannot be written to: clone the project into one that can.\n{folder}\n"


@pytest.mark.parametrize("name", [".venv", ".venv-oldest", "x" * 50])
def test_an_environment_that_is_a_link_is_left_to_its_owner(tmp_path: Path, name: str) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / name).symlink_to("theirs")
    command = [str(PROJECT / "tools" / "make-environment"), name, "requirements/dev.txt"]
    variables = os.environ | {"PYTHON313": os.path.realpath(sys.executable)}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=variables)
    assert (done.returncode, list((tmp_path / "theirs").iterdir())) == (1, [])
    words = f"{name} is a link: remove it, or touch {name}/ready to use what it leads to."
    assert (" ".join(done.stderr.split()), too_wide(done.stderr)) == (words, [])


@pytest.mark.parametrize(
    ("made_in", "is_made_anew"),
    [("where it was", True), ("where it is", False), ("by hand", False)],
)
def test_an_environment_that_was_moved_with_its_folder_is_made_anew(
    tmp_path: Path, made_in: str, is_made_anew: bool
) -> None:
    """Its commands begin with the path of a Python that is not there any more."""
    shutil.copy(PROJECT / "Makefile", tmp_path)
    shutil.copytree(PROJECT / "requirements", tmp_path / "requirements")
    for name in (".venv", ".venv-sam"):
        ready = tmp_path / name / "ready"
        ready.parent.mkdir()
        ready.write_text({"where it was": "/nowhere\n", "where it is": f"{tmp_path}\n", "by hand": ""}[made_in])
    told = ["make", "--dry-run", ".venv/ready", ".venv-sam/ready"]
    done = subprocess.run(told, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ("tools/make-environment .venv " in done.stdout) is is_made_anew
    assert ("tools/make-environment .venv-sam " in done.stdout) is is_made_anew


# Of an environment: pip that is configured as the test says, and can have uv, which succeeds or not as the test says.
PYTHON_THAT_INSTALLS_NOTHING = """#!/usr/bin/env bash
[ "$1" = -c ] && echo 3.13 && exit
mkdir -p "$4/bin"
cat >"$4/bin/pip" <<'pip'
#!/usr/bin/env bash
# As pip does in an environment, where it was told to install for the user alone.
[ "$PIP_USER" = 0 ] || exit 3
[ "$1" = config ] && echo "$CONFIGURATION" && exit
while [ $# -gt 1 ]; do
    case $1 in
    --target)
        mkdir -p "$2/bin"
        cat >"$2/bin/uv" <<'uv'
#!/usr/bin/env bash
echo "uv $*" >>installed
while [ "$1" != --cache-dir ]; do shift; done
mkdir "$2" && exit "$UV_STATUS"
uv
        chmod +x "$2/bin/uv"
        exit
        ;;
    --requirement) echo "pip --requirement $2" >>installed ;;
    esac
    shift
done
exit "$PIP_STATUS"
pip
chmod +x "$4/bin/pip"
"""
NO_INDEX = ":env:.disable-pip-version-check='1'"


def made(
    folder: Path, *, configuration: str = NO_INDEX, uv_status: int = 0, pip_status: int = 0
) -> tuple[int, list[str], str]:
    """The exit status, what installed the requirements, and what was said of an error."""
    python = folder / "python3.13"
    python.write_text(PYTHON_THAT_INSTALLS_NOTHING)
    python.chmod(0o755)
    variables = {
        "PYTHON313": str(python),
        "PIP_USER": "1",
        "CONFIGURATION": configuration,
        "UV_STATUS": str(uv_status),
        "PIP_STATUS": str(pip_status),
    }
    command = [str(PROJECT / "tools" / "make-environment"), ".venv", "requirements/dev.txt"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=os.environ | variables)
    installers = [line.split()[0] for line in (folder / "installed").read_text().splitlines()]
    return done.returncode, installers, done.stderr


def test_an_environment_knows_where_it_was_made(tmp_path: Path) -> None:
    assert made(tmp_path) == (0, ["uv"], "")
    assert (tmp_path / ".venv" / "ready").read_text() == f"{tmp_path}\n"


@pytest.mark.parametrize("configuration", ["global.index-url='https://pypi.example.com/simple'", ":env:.no-index='1'"])
def test_what_pip_alone_was_told_of_an_index_is_heeded(tmp_path: Path, configuration: str) -> None:
    assert made(tmp_path, configuration=configuration) == (0, ["pip"], "")


def test_what_uv_can_not_install_pip_does(tmp_path: Path) -> None:
    assert made(tmp_path, uv_status=1) == (0, ["uv", "pip"], "")


def test_an_environment_is_not_ready_where_neither_could_install(tmp_path: Path) -> None:
    status, installers, said = made(tmp_path, uv_status=1, pip_status=1)
    assert (status, installers, too_wide(said)) == (1, ["uv", "pip"], [])
    assert " ".join(said.split()) == (
        ".venv was not made: what pip said is above. Where it cannot reach its package index, look at the network and "
        "at `pip config list`, and try again."
    )
    assert not (tmp_path / ".venv" / "ready").exists()


@pytest.mark.parametrize("uv_status", [0, 1])
def test_what_is_installed_is_linked_to_nothing_that_stays(tmp_path: Path, uv_status: int) -> None:
    """Who edits a file of an environment edits it in no other, and the next one is that of its lock file."""
    made(tmp_path, uv_status=uv_status)
    assert sorted(path.name for path in (tmp_path / ".venv").iterdir()) == ["bin", "ready"]


@pytest.mark.needs("flock")
def test_an_environment_that_another_make_makes_is_waited_for_and_not_made_again(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    descriptor = os.open(tmp_path / ".venv", os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with subprocess.Popen(
        [str(PROJECT / "tools" / "make-environment"), ".venv", "requirements/dev.txt"],
        cwd=tmp_path,
        env=os.environ | {"PYTHON313": os.path.realpath(sys.executable)},
        stdout=subprocess.PIPE,
        text=True,
    ) as waiting:
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == "Waiting for another make, which makes .venv\n"
        (tmp_path / ".venv" / "ready").write_text(f"{tmp_path}\n")
        os.close(descriptor)
        assert (waiting.stdout.read(), waiting.wait()) == ("", 0)


# As venv and pip do: a file in TMPDIR, a process of its own beside it, and a traceback for Ctrl-C.
SLOW_PYTHON = """#!/usr/bin/env bash
[ "$1" = -c ] && echo 3.13 && exit
trap 'echo Traceback >&2; sleep 2' INT
touch "$TMPDIR/pip-unpacks-here"
sleep 300 &
echo $! >{folder}/child
wait
"""


def test_ctrl_c_ends_what_makes_an_environment_without_a_word_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    python = tmp_path / "python3.13"
    python.write_text(SLOW_PYTHON.format(folder=tmp_path))
    python.chmod(0o755)
    making = subprocess.Popen(
        [str(PROJECT / "tools" / "make-environment"), ".venv", "requirements/dev.txt"],
        cwd=tmp_path,
        env=os.environ | {"PYTHON313": str(python), "TMPDIR": str(tmp_path / "tmp")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (tmp_path / "child").exists() or not (tmp_path / "child").read_text().endswith("\n"):
        time.sleep(0.01)
    # As a terminal does, to all that it started.
    os.killpg(making.pid, signal.SIGINT)
    out, err = making.communicate()
    assert (making.returncode, out, err) == (130, "Making .venv from requirements/dev.txt\n", "")
    assert list((tmp_path / "tmp").iterdir()) == []
    # Whoever inherits it waits for it in a moment of its own.
    child, deadline = Path(f"/proc/{(tmp_path / 'child').read_text().strip()}/cmdline"), time.monotonic() + 30
    while child.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not child.exists()


def test_a_folder_for_what_is_temporary_that_is_not_there_is_named(tmp_path: Path) -> None:
    made = subprocess.run(
        [str(PROJECT / "tools" / "make-environment"), ".venv", "requirements/dev.txt"],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    said = "Nothing can be written to the folder for what is temporary: make it, or set TMPDIR.\n/nowhere\n"
    assert (made.returncode, made.stdout, made.stderr) == (1, "", said)


def test_what_keeps_both_environments_from_being_made_is_said_once(tmp_path: Path) -> None:
    """They are made at the same time."""
    folder = tmp_path / "my project"
    (folder / "tools").mkdir(parents=True)
    for name in ("Makefile", "tools/make-environment", "tools/find-python"):
        shutil.copy(PROJECT / name, folder / name)
    shutil.copytree(PROJECT / "requirements", folder / "requirements")
    bare = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    done = subprocess.run(["make", "setup"], cwd=folder, capture_output=True, text=True, check=False, env=bare)
    said, where, make, *others = done.stderr.splitlines()
    assert (said, where) == ("The path of this folder has a space in it: move it to one without.", str(folder))
    assert (make.startswith("make: ***"), others) == (True, [])
