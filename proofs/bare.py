"""The README's two commands, and `make bench`, on a Debian that has nothing but git, make, Python with venv, and
certificates.

Each machine is a root file system of its own, made for this proof and taken away after it, in which the committed state
is checked out. Needs root, mmdebstrap and unshare. Mounts and processes are in namespaces that end with each command.
Words are releases of Debian: with none, it is all of them.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parent.parent
RELEASE = "trixie"
# Debian 13, whose Python is 3.13, and Debian 12, where the one that runs this lies beside the distribution's own.
RELEASES = {RELEASE: False, "bookworm": True}
PACKAGES = ("git", "make", "python3", "python3-venv", "ca-certificates")
COMMANDS = ("make demo", "make test", "make bench")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# How this machine reaches the network; the packages of an environment come from there.
OF_THE_NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
NETWORK_VARIABLES = ("_proxy", "pip_index_url", "pip_extra_index_url", "pip_cert", "pip_default_timeout")


@dataclass(frozen=True, kw_only=True)
class User:
    """Who runs the commands."""

    name: str
    number: int
    home: str


USERS = (User(name="root", number=0, home="/root"), User(name="alice", number=1000, home="/home/alice"))


def why_not() -> str | None:
    """Why no such machine can be made here; None where it can."""
    if os.geteuid() != 0:
        return "a bare machine can be made by root only"
    missing = [command for command in ("mmdebstrap", "unshare") if shutil.which(command) is None]
    return f"a bare machine needs {missing[0]}: apt-get install {missing[0]}" if missing else None


def why_not_beside() -> str | None:
    """Why this Python cannot lie beside that of an older Debian; None where it can."""
    if sys.base_prefix in {"/usr", "/usr/local"}:
        return f"this Python is part of {sys.base_prefix}; one with a folder of its own, such as pyenv's, can be copied"
    return None


def make(root: Path, release: str, *, beside: bool) -> None:
    """A root file system with the packages and no other, and a checkout for each user."""
    run = subprocess.run
    run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(PACKAGES)}", release, root], check=True)
    if beside:
        # Where it lies here: its library is found by that path. Everybody may go there.
        copied = root / sys.base_prefix.removeprefix("/")
        shutil.copytree(sys.base_prefix, copied, symlinks=True)
        for folder in copied.relative_to(root).parents:
            (root / folder).chmod(0o755)
        (root / "usr/local/bin/python3.13").symlink_to(f"{sys.base_prefix}/bin/python3.13")
    for file in OF_THE_NETWORK:
        if Path(file).exists():
            shutil.copy(file, root / file.removeprefix("/"))
    for user in USERS:
        home = root / user.home.removeprefix("/")
        home.mkdir(parents=True, exist_ok=True)
        if user.number:
            with (root / "etc/passwd").open("a", encoding="utf-8") as passwd:
                passwd.write(f"{user.name}:x:{user.number}:{user.number}::{user.home}:/bin/bash\n")
        run(["git", "clone", "--quiet", PROJECT, home / "project"], check=True)
        run(["chown", "-R", f"{user.number}:{user.number}", home], check=True)


def entered(root: Path, user: User, command: str) -> list[str]:
    """The command line that runs a command of a user there."""
    variables = {
        "PATH": PATH,
        "HOME": user.home,
        "LANG": "C.UTF-8",
        **{name: value for name, value in os.environ.items() if name.lower().endswith(NETWORK_VARIABLES)},
    }
    given = [f"{name}={value}" for name, value in variables.items()]
    inside = ["chroot", f"--userspec={user.number}:{user.number}", str(root), "env", "-i", *given]
    inside += ["bash", "-c", f"cd ~/project && {command}"]
    mounts = [
        f"mount -t proc proc {shlex.quote(str(root / 'proc'))}",
        f"mount --rbind /dev {shlex.quote(str(root / 'dev'))}",
        f"mount --rbind /sys {shlex.quote(str(root / 'sys'))}",
    ]
    whole = " && ".join([*mounts, f"exec {shlex.join(inside)}"])
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", whole]


def outcomes(root: Path, release: str) -> Iterator[bool]:
    """Whether each command of each user ended well, told as it ends."""
    for user in USERS:
        for command in COMMANDS:
            print(f"\n{user.name}@{release}$ {command}", flush=True)
            begun = time.monotonic()
            status = subprocess.run(entered(root, user, command), check=False).returncode
            outcome = "done" if status == 0 else f"FAILED with {status}"
            print(f"{user.name}@{release}$ {command}: {outcome} in {time.monotonic() - begun:.0f} s", flush=True)
            yield status == 0


def main(releases: Sequence[str]) -> int:
    """0 when every command ended well, 2 where no such machine can be made."""
    chosen = {release: beside for release, beside in RELEASES.items() if not releases or release in releases}
    reason = why_not() or (None if chosen else f"there is no such release here: {', '.join(RELEASES)}")
    if reason:
        print(reason, file=sys.stderr)
        return 2
    done: list[bool] = []
    for release, beside in chosen.items():
        if beside and (reason := why_not_beside()):
            print(f"{release} is left out, and nothing is shown of it: {reason}", file=sys.stderr)
            done.append(False)
            continue
        with tempfile.TemporaryDirectory(prefix="efs-monitor-bare-", dir="/var/tmp") as folder:
            root = Path(folder) / "root"
            make(root, release, beside=beside)
            done += outcomes(root, release)
    return 0 if done and all(done) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
