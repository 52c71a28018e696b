"""What cannot be removed is said, and removed as soon as it can be: no clean-up that failed is forgotten."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmark_script.instance import (
    FILE_SYSTEM_ID,
    OWN,
    TOUCH,
    WRITE,
    BenchmarkInstance,
    Running,
    eventually,
    writers,
)

REFUSED = "echo 'rm: cannot remove: Operation not permitted' >&2; exit 1"
FORBIDDEN = f'case $* in *data.*) {REFUSED};; esac; exec /usr/bin/rm "$@"'
ON_LOCAL_DISK = WRITE.replace("id=write,on=efs", "id=write-local,on=local")
COPY = "id=copy,on=efs,do=copy,tool=cp,threads=1,files=4,bytes=1000"
SOURCE = f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/"
# To mount, and to forbid the worker what it owns.
pytestmark = pytest.mark.needs("root")


def mount(*arguments: str | Path) -> None:
    subprocess.run(["/usr/bin/mount", *arguments], check=True)


@pytest.fixture
def go_on(folder: Path) -> Path:
    """The file for which a workload of the instance waits before it ends."""
    return folder / "go-on"


@pytest.fixture
def amid(instance: BenchmarkInstance, go_on: Path) -> Iterator[Running]:
    """Four files are written, on a file system that can be made read-only, and their workload has not ended."""
    mount("-t", "tmpfs", "none", instance.mount)
    instance.mounted_from(SOURCE)
    instance.waiting_dd(go_on)
    running = instance.start(Plan=writers(4, 1_048_576))
    assert eventually(lambda: written(instance) == 4, within_seconds=20)
    yield running
    go_on.touch()
    instance.close()
    subprocess.run(["/usr/bin/umount", instance.mount], check=True)


def written(instance: BenchmarkInstance) -> int:
    """How many files have all their bytes."""
    return sum(path.stat().st_size == 1_048_576 for path in instance.own.glob("data.*/0/*"))


def is_gone(instance: BenchmarkInstance, within_seconds: float = 60) -> bool:
    """Whether neither files nor processes of it are left in time."""
    return eventually(lambda: not instance.leftovers(), within_seconds) and eventually(
        lambda: not instance.processes(), within_seconds=20
    )


@pytest.mark.whole
def test_a_mount_that_turns_read_only_amid_a_run_is_cleaned_once_it_can_be_written(
    instance: BenchmarkInstance, amid: Running, go_on: Path
) -> None:
    assert eventually(lambda: remounted(instance, "ro"), within_seconds=5)
    go_on.touch()
    ended = amid.ended()
    assert ended.status == 1
    assert "read-only" in ended.left
    assert ended.left.endswith("; 4194304 bytes in all (files: 4)")
    assert instance.leftovers() != []
    assert remounted(instance, "rw")
    assert is_gone(instance)


def remounted(instance: BenchmarkInstance, how: str) -> bool:
    """Read-only only where nobody has a file open for writing: the heartbeat may have, for a moment."""
    command = ["/usr/bin/mount", "-o", f"remount,{how}", str(instance.mount)]
    return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0


def test_access_that_is_denied_amid_a_run_is_told_and_what_lies_there_goes_once_it_is_given_back(
    instance: BenchmarkInstance, amid: Running, go_on: Path
) -> None:
    instance.own.chmod(0o000)
    go_on.touch()
    ended = amid.ended()
    assert ended.status == 1
    assert OWN in ended.left
    instance.own.chmod(0o700)
    assert is_gone(instance)


def test_where_nothing_can_be_removed_the_run_says_so_and_goes_on_trying(
    instance: BenchmarkInstance, go_on: Path
) -> None:
    instance.command("rm", f'#!/bin/sh\n[ -e {go_on} ] && exec /usr/bin/rm "$@"\n{FORBIDDEN}\n')
    ended = instance.run()
    assert ended.status == 1
    assert "Operation not permitted" in ended.left
    assert "data." in ended.left
    go_on.touch()
    assert is_gone(instance)


@pytest.mark.parametrize("is_held", [True, pytest.param(False, marks=pytest.mark.more)])
def test_files_of_a_run_whose_path_was_unmounted_are_not_taken_for_removed(
    instance: BenchmarkInstance, amid: Running, go_on: Path, is_held: bool
) -> None:
    """Where nothing is mounted any more there is nothing of that name, and on the file system there still is. It is
    found by who holds it; where he was killed, too, once it is mounted again.
    """
    elsewhere = instance.mount.with_name("elsewhere")
    elsewhere.mkdir()
    mount("--bind", instance.mount, elsewhere)
    try:
        subprocess.run(["/usr/bin/umount", "--lazy", instance.mount], check=True)
        if not is_held:
            instance.kill(lambda one: " hold " in one.command)
        amid.kill_group()
        assert eventually(lambda: not instance.processes(), within_seconds=8) is is_held
        assert (list(elsewhere.iterdir()) == []) is is_held
        mount("--bind", elsewhere, instance.mount)
        assert is_gone(instance)
    finally:
        subprocess.run(["/usr/bin/umount", elsewhere], check=True)


@pytest.mark.whole
def test_nobody_else_is_taken_for_who_holds_the_directories(
    instance: BenchmarkInstance, amid: Running, folder: Path
) -> None:
    """Every user of the host reads the words of a command, and a set-uid program is root's, whoever called it."""
    decoy = folder / "decoy"
    decoy.mkdir()
    (holder,) = [one for one in instance.processes() if " hold " in one.command]
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    poser = ["su", "root", "-c", "x", "hold", holder.command.split()[-1]]
    # It waits for a password, for which it has a terminal of its own.
    other = subprocess.Popen(["script", "-qc", " ".join([*as_nobody, *poser]), "/dev/null"], cwd=decoy, stdin=-1)
    try:
        time.sleep(0.5)
        instance.kill(lambda one: one == holder)
        amid.kill_group()
        assert is_gone(instance)
        assert decoy.is_dir()
        assert other.poll() is None
    finally:
        other.kill()
        other.communicate()


@pytest.mark.whole
def test_a_file_system_that_was_unmounted_from_the_whole_host_is_let_go(
    instance: BenchmarkInstance, amid: Running
) -> None:
    """What serves a mount may end with it, such as the proxy of efs-utils: who held on would hang, and bar the way."""
    with_mount = [one for one in instance.processes() if " hold " in one.command]
    assert len(with_mount) == 1
    subprocess.run(["/usr/bin/umount", "--lazy", instance.mount], check=True)
    try:
        assert eventually(lambda: with_mount[0] not in instance.processes(), within_seconds=10)
        amid.kill_group()
    finally:
        mount("-t", "tmpfs", "none", instance.mount)
        instance.mounted_from(SOURCE)
    assert is_gone(instance)


@pytest.mark.whole
def test_a_run_with_copies_lets_it_go_too(instance: BenchmarkInstance, folder: Path, go_on: Path) -> None:
    """Its tools have a namespace of their own, which the unmounting of the host does not empty."""
    shared = folder / "shared"
    shared.mkdir()
    mount("-t", "tmpfs", "none", shared)
    mount("--make-shared", shared)
    (shared / "efs").mkdir()
    shared.chmod(0o755)
    copying = BenchmarkInstance.with_mount(folder / "agent-of-copies", shared / "efs")
    try:
        mount("-t", "tmpfs", "none", copying.mount)
        copying.mounted_from(SOURCE)
        copying.waiting_dd(go_on)
        copying.start(Plan=f"{writers(4, 1_048_576)};{COPY}")
        assert eventually(lambda: written(copying) == 4, within_seconds=20)
        (holder,) = [one for one in copying.processes() if " hold " in one.command]
        subprocess.run(["/usr/bin/umount", "--lazy", copying.mount], check=True)
        assert eventually(lambda: holder not in copying.processes(), within_seconds=10)
        copying.kill()
    finally:
        copying.close()
        subprocess.run(["/usr/bin/umount", "--recursive", "--lazy", shared], check=True)


def test_a_run_with_copies_keeps_no_other_file_system_mounted(
    instance: BenchmarkInstance, folder: Path, go_on: Path
) -> None:
    """What the host unmounts is unmounted for the run as well, or a volume would stay busy with nobody to see why."""
    shared, other = folder / "shared", folder / "shared" / "other"
    shared.mkdir()
    mount("-t", "tmpfs", "none", shared)
    mount("--make-shared", shared)
    other.mkdir()
    mount("-t", "tmpfs", "none", other)
    try:
        mount("-t", "tmpfs", "none", instance.mount)
        instance.mounted_from(SOURCE)
        instance.waiting_dd(go_on)
        running = instance.start(Plan=f"{writers(4, 1_048_576)};{COPY}")
        assert eventually(lambda: written(instance) == 4, within_seconds=20)
        (holder,) = [one for one in instance.processes() if " hold " in one.command]
        subprocess.run(["/usr/bin/umount", other], check=True)
        assert str(other) not in Path(f"/proc/{holder.id}/mountinfo").read_text()
        go_on.touch()
        assert running.ended().status == 0
    finally:
        instance.close()
        subprocess.run(["/usr/bin/umount", instance.mount], check=True)
        subprocess.run(["/usr/bin/umount", "--recursive", shared], check=True)


@pytest.mark.whole
def test_a_run_whose_path_is_gone_from_the_host_says_that_something_is_left(instance: BenchmarkInstance) -> None:
    instance.slow_dd()
    running = instance.start(DeadlineSeconds="10")
    assert eventually(lambda: list(instance.own.glob("data.*/0/1")) != [], within_seconds=20)
    instance.kill(lambda one: " hold " in one.command)
    instance.mount.rename(instance.mount.with_name("gone"))
    ended = running.ended()
    assert "is gone from this host" in ended.left, ended
    assert ended.status == 1


def test_a_refused_run_that_cannot_take_itself_back_says_why_and_what_is_left(
    instance: BenchmarkInstance, go_on: Path
) -> None:
    instance.command(
        "mkdir",
        "#!/bin/bash\n[[ $* != *data.* ]] || { echo 'mkdir: No space left on device' >&2; exit 1; }\n"
        'exec /usr/bin/mkdir "$@"\n',
    )
    instance.command("rm", f'#!/bin/bash\n[[ -e {go_on} || $* != *member.* ]] && exec /usr/bin/rm "$@"\n{REFUSED}\n')
    ended = instance.run()
    assert "no space left on device" in ended.refusal, ended
    assert "member." in ended.left, ended
    assert ended.status == 2
    go_on.touch()
    assert is_gone(instance)


def test_a_lock_that_cannot_be_opened_again_is_told_and_opened_later(instance: BenchmarkInstance, go_on: Path) -> None:
    instance.command("rm", f'#!/bin/bash\n[[ -e {go_on} || $* != *gate/* ]] && exec /usr/bin/rm "$@"\n{REFUSED}\n')
    ended = instance.run()
    assert "the lock cannot be opened: " in ended.refusal, ended
    assert "Operation not permitted" in ended.refusal
    assert "gate/" in ended.left, ended
    go_on.touch()
    assert is_gone(instance)


@pytest.mark.needs("root")
def test_a_directory_that_was_made_in_vain_and_stays_is_told_and_removed_later(
    instance: BenchmarkInstance, go_on: Path
) -> None:
    """Between making it and giving it to the worker the file system has become read-only."""
    for command in ("chown", "rmdir"):
        instance.command(command, f'#!/bin/sh\n[ -e {go_on} ] && exec /usr/bin/{command} "$@"\n{REFUSED}\n')
    ended = instance.run()
    assert "cannot be given to user" in ended.refusal, ended
    assert OWN in ended.left, ended
    go_on.touch()
    assert is_gone(instance)


@pytest.mark.whole
@pytest.mark.needs("root")
def test_nor_is_one_of_the_local_disk_forgotten(instance: BenchmarkInstance, disk: Path, go_on: Path) -> None:
    for command in ("chown", "rmdir"):
        instance.command(command, f'#!/bin/sh\n[ -e {go_on} ] && exec /usr/bin/{command} "$@"\n{REFUSED}\n')
    ended = instance.run(Plan=ON_LOCAL_DISK)
    assert "cannot be given to user" in ended.refusal, ended
    assert f"{OWN}-{FILE_SYSTEM_ID}" in ended.left, ended
    assert ended.status == 2
    go_on.touch()
    assert is_gone(instance)
    assert list(disk.iterdir()) == []


@pytest.mark.whole
def test_how_much_of_the_local_disk_is_taken_is_told_too(instance: BenchmarkInstance, disk: Path, go_on: Path) -> None:
    everywhere = FORBIDDEN.replace("$*", '"$PWD/$*"')
    instance.command("rm", f'#!/bin/sh\n[ -e {go_on} ] && exec /usr/bin/rm "$@"\n{everywhere}\n')
    left = instance.run(Plan=ON_LOCAL_DISK).left
    assert "on the local disk: rm: cannot remove: Operation not permitted; 2097152 bytes in all (files: 1)" in left
    go_on.touch()
    assert is_gone(instance)
    assert eventually(lambda: list(disk.iterdir()) == [], within_seconds=20)


@pytest.mark.whole
def test_what_a_host_that_went_down_left_on_its_disk_is_removed_by_the_next_run_of_any_kind(
    instance: BenchmarkInstance, disk: Path, go_on: Path
) -> None:
    instance.waiting_dd(go_on)
    running = instance.start(Plan=ON_LOCAL_DISK)
    assert eventually(lambda: list(disk.glob(f"{OWN}*/data.*/0/1")) != [], within_seconds=20)
    instance.kill()
    running.process.communicate()
    for member in instance.own.glob("member.*"):
        os.utime(member, (0, 0))
    go_on.touch()
    ended = instance.run(RunId="run-20261120t150000z-01234567")
    assert ended.status == 0, ended
    assert list(disk.iterdir()) == []
    assert is_gone(instance)


def test_somebody_elses_directory_on_the_disk_is_in_nobodys_way_who_needs_none(
    instance: BenchmarkInstance, disk: Path
) -> None:
    theirs = disk / f"{OWN}-{FILE_SYSTEM_ID}-{instance.host.instance_id}"
    theirs.mkdir(parents=True)
    (theirs / "file").touch()
    ended = instance.run()
    assert ended.status == 0, ended
    assert (theirs / "file").exists()


def test_nobody_waits_for_a_path_that_is_gone_from_the_host(instance: BenchmarkInstance) -> None:
    instance.slow_dd()
    running = instance.start()
    assert eventually(lambda: list(instance.own.glob("data.*/0/1")) != [], within_seconds=20)
    instance.mount.rename(instance.mount.with_name("gone"))
    running.kill_group()
    assert eventually(lambda: not instance.processes(), within_seconds=20)


@pytest.mark.whole
def test_what_a_dead_run_left_and_nobody_can_remove_is_told_by_the_next(instance: BenchmarkInstance) -> None:
    instance.own.mkdir(mode=0o700)
    os.chown(instance.own, 86_464, 86_464)
    theirs = instance.own / "data.i-0fedcba9876543210-77-123" / "0"
    theirs.mkdir(parents=True)
    instance.constant("REAPER_SECONDS", 1)
    ended = instance.run(Plan=f"{TOUCH};{WRITE}")
    assert [one["status"] for one in ended.workloads] == ["ok", "ok"]
    assert ended.status == 1
    assert "left." in ended.left
    assert "Permission denied" in ended.left
    assert eventually(lambda: not instance.processes(), within_seconds=60)


def test_a_tool_that_removes_is_missed_before_anything_is_made(instance: BenchmarkInstance) -> None:
    commands = instance.host.folder / "commands"
    for directory in ("/usr/bin", "/bin", "/usr/sbin", "/sbin"):
        for command in Path(directory).iterdir():
            if command.name != "rm" and not (commands / command.name).exists():
                (commands / command.name).symlink_to(command)
    paths = instance.host.environment()["PATH"].split(":")
    instance.script.write_text(instance.script.read_text().replace("set -u", f"PATH={paths[0]}\nset -u", 1))
    assert instance.run().refusal.startswith("rm is not installed")
    assert instance.leftovers() == []
