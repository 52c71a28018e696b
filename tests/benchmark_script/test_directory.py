"""The script's own directory on the file system: made, checked, and never a way to anything else."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.benchmark_script.instance import OWN, RUN_ID, TOUCH, WRITE, BenchmarkInstance, eventually, writers

NOBODYS_UID = 86_464
LOCAL_WRITE = WRITE.replace("id=write,on=efs", "id=write-local,on=local")
SCRIPTS_NICENESS = 10
LOWEST_PRIORITY = 19
# To give files away.
needs_root = pytest.mark.needs("root")


@pytest.fixture
def elsewhere(folder: Path) -> Path:
    """Something precious that everybody may write to, and a planted link may lead to."""
    path = folder / "elsewhere"
    path.mkdir(mode=0o777)
    (path / "data.precious").mkdir()
    (path / "lock").write_text("precious")
    return path


def test_everything_lies_in_a_directory_of_its_own_that_nobody_else_may_enter(instance: BenchmarkInstance) -> None:
    instance.slow_dd()
    running = instance.start(Plan=writers(4, 1_048_576))
    assert eventually(lambda: list(instance.own.glob("data.*/0/*")) != [], within_seconds=10)
    assert [path.name for path in instance.mount.iterdir()] == [OWN]
    facts = instance.own.stat()
    assert facts.st_mode & 0o7777 == 0o700
    if os.geteuid() == 0:
        owners = {path.stat().st_uid for path in instance.own.rglob("*")} | {facts.st_uid}
        assert owners == {NOBODYS_UID}
    running.kill_group()


@needs_root
def test_nothing_of_a_workload_runs_as_root_or_could_become_it_again(instance: BenchmarkInstance) -> None:
    seen = instance.mount.parent / "seen"
    seen.mkdir(mode=0o777)
    seen.chmod(0o777)
    instance.command(
        "dd",
        f"#!/bin/bash\n[[ $* != *--version* ]] || exit\n"
        f"cat /proc/self/status >{seen}/status\nnice >{seen}/nice\nexit 1\n",
    )
    instance.run()
    status = dict(line.split(":\t", 1) for line in (seen / "status").read_text().splitlines() if ":\t" in line)
    assert status["Uid"].split() == status["Gid"].split() == [str(NOBODYS_UID)] * 4
    assert status["Groups"].split() == []
    assert int(status["CapEff"], 16) == int(status["CapPrm"], 16) == 0
    assert status["NoNewPrivs"] == "1"
    assert int((seen / "nice").read_text()) == min(os.nice(0) + SCRIPTS_NICENESS, LOWEST_PRIORITY)


@needs_root
def test_a_user_of_the_host_with_the_scripts_number_is_a_reason_to_refuse(instance: BenchmarkInstance) -> None:
    script = instance.script.read_text().replace("</etc/passwd", f"<{instance.mount.parent}/passwd")
    (instance.mount.parent / "passwd").write_text(f"root:x:0:0::/:/bin/sh\nalice:x:{NOBODYS_UID}:1::/:/bin/sh\n")
    instance.script.write_text(script)
    assert instance.run().refusal == f"user id {NOBODYS_UID} belongs to alice on this instance"


@needs_root
def test_so_is_one_whom_only_a_directory_service_knows(instance: BenchmarkInstance) -> None:
    """SSSD and LDAP: such users are in no file."""
    instance.command(
        "getent", f'#!/bin/sh\n[ "$*" = "passwd {NOBODYS_UID}" ] && echo "bob:*:{NOBODYS_UID}:100:Bob:/home:/bin/sh"\n'
    )
    assert instance.run().refusal == f"user id {NOBODYS_UID} belongs to bob on this instance"
    assert instance.leftovers() == []


@pytest.mark.whole
@needs_root
@pytest.mark.parametrize("answer", ["exit 2", "exec sleep 1000", f"echo 'mallory:x:7{NOBODYS_UID}:1::/:'; exit 2"])
def test_a_directory_service_that_knows_nobody_or_does_not_answer_keeps_no_run(
    instance: BenchmarkInstance, answer: str
) -> None:
    instance.command("getent", f"#!/bin/sh\n{answer}\n")
    assert instance.run().status == 0


def test_a_symbolic_link_in_its_place_is_not_followed(instance: BenchmarkInstance, elsewhere: Path) -> None:
    instance.own.symlink_to(elsewhere)
    assert "a symbolic link is in its place; nothing was followed" in instance.run().refusal
    assert sorted(path.name for path in elsewhere.iterdir()) == ["data.precious", "lock"]
    assert instance.own.is_symlink()


def test_a_dangling_link_in_its_place_is_not_followed(instance: BenchmarkInstance, folder: Path) -> None:
    instance.own.symlink_to(folder / "made-by-root")
    assert "a symbolic link is in its place" in instance.run().refusal
    assert not (folder / "made-by-root").exists()


@pytest.mark.whole
@needs_root
@pytest.mark.parametrize(
    "then",
    [
        "/usr/bin/ln -s {victim} ./{own}",
        "/usr/bin/mkdir -m 700 ./{own} && /usr/bin/chown 1000 ./{own}",
        "true",
    ],
)
def test_one_that_is_moved_away_before_it_is_entered_is_told_as_left(instance: BenchmarkInstance, then: str) -> None:
    """Nobody can know where it is by then, so nobody says that nothing is left. Nothing else is used."""
    victim = instance.mount.parent / "victim"
    victim.mkdir(mode=0o700)
    swap = f"/usr/bin/mv ./{OWN} ./gone && {then.format(victim=victim, own=OWN)}"
    instance.command(
        "mkdir", f'#!/bin/bash\n/usr/bin/mkdir "$@" && {{ [[ ${{*: -1}} != ./{OWN} ]] || {{ {swap}; }}; }}\n'
    )
    begun = int(time.time())
    ended = instance.run()
    assert f"{OWN}: " in ended.refusal, ended
    assert victim.stat().st_uid == 0
    assert list(victim.iterdir()) == []
    assert list((instance.mount / "gone").iterdir()) == []
    told = re.fullmatch(
        r"(\S+): somebody moved it away when it was just made, and it stays, empty: look with (find .+)", ended.left
    )
    assert told, ended
    assert told[1] == str(instance.own)
    shown = subprocess.run(told[2], shell=True, capture_output=True, text=True, check=True).stdout
    assert shown.splitlines() == [str(instance.mount / "gone")], told[2]
    assert begun - 120 <= int(re.findall(r"@(\d+)", told[2])[0]) <= begun
    assert eventually(lambda: not instance.processes(), within_seconds=20)


def test_a_file_in_its_place_is_refused_and_kept(instance: BenchmarkInstance) -> None:
    instance.own.write_text("precious")
    assert "something that is no directory is in its place" in instance.run().refusal
    assert instance.own.read_text() == "precious"


def test_a_directory_that_others_may_enter_is_refused(instance: BenchmarkInstance) -> None:
    instance.own.mkdir()
    instance.own.chmod(0o777)
    assert "has mode 777 instead of 700" in instance.run().refusal
    assert instance.own.is_dir()


@pytest.mark.whole
@needs_root
@pytest.mark.parametrize("mode", [0o2775, 0o3777])
def test_in_a_directory_with_a_setgid_bit_it_is_ours_all_the_same(instance: BenchmarkInstance, mode: int) -> None:
    os.chown(instance.mount, 0, 1000)
    instance.mount.chmod(mode)
    assert instance.run(Plan=f"{WRITE};{TOUCH}").status == 0
    assert instance.leftovers() == []


@needs_root
def test_what_cannot_be_given_away_is_not_left_behind(instance: BenchmarkInstance) -> None:
    instance.command("chown", "#!/bin/sh\necho 'chown: changing ownership: Operation not permitted' >&2; exit 1\n")
    assert "cannot be given to user 86464: chown: changing ownership" in instance.run().refusal
    assert instance.leftovers() == []


RENAMED = (".nothing to see", "..x", "x\n", "its place (deleted)", "inner/x")


def moved(path: Path, name: str) -> list[str]:
    """Give a directory another name beside its own; answers with what there must be afterwards."""
    target = path.parent / name
    if target.parent == path.parent:
        path.rename(target)
        return []
    target.parent.mkdir()
    path.rename(target)
    return [target.parent.name]


@pytest.mark.whole
@pytest.mark.parametrize("name", RENAMED)
def test_a_directory_that_is_renamed_amid_a_run_that_is_killed_is_found_and_removed(
    instance: BenchmarkInstance, name: str
) -> None:
    instance.slow_dd()
    running = instance.start(Plan=writers(4, 1_048_576))
    assert eventually(lambda: list(instance.own.glob("data.*/0/*")) != [], within_seconds=10)
    theirs = moved(instance.own, name)
    running.kill_group()
    assert eventually(lambda: instance.leftovers() == theirs, within_seconds=60)
    assert eventually(lambda: not instance.processes(), within_seconds=20)


@pytest.mark.whole
@pytest.mark.parametrize("name", RENAMED)
def test_a_directory_that_is_renamed_amid_a_run_that_goes_on_is_removed_at_its_end(
    instance: BenchmarkInstance, folder: Path, name: str
) -> None:
    instance.waiting_dd(folder / "go-on")
    running = instance.start()
    assert eventually(lambda: list(instance.own.glob("data.*/0/1")) != [], within_seconds=10)
    theirs = moved(instance.own, name)
    (folder / "go-on").touch()
    ended = running.ended()
    assert (ended.status, ended.left) == (0, "")
    assert instance.leftovers() == theirs
    assert instance.processes() == []


@pytest.mark.whole
@pytest.mark.parametrize("name", RENAMED)
def test_so_is_the_one_on_the_local_disk(instance: BenchmarkInstance, folder: Path, name: str) -> None:
    disk = Path("/dev/shm") / folder.name
    disk.mkdir()
    disk.chmod(0o777)
    try:
        instance.slow_dd()
        running = instance.start(Plan=LOCAL_WRITE, LocalPath=str(disk))
        assert eventually(lambda: list(disk.glob(f"{OWN}-*/data.*/0/1")) != [], within_seconds=10)
        (local,) = disk.iterdir()
        theirs = moved(local, name)
        running.kill_group()
        assert eventually(lambda: [one.name for one in disk.rglob("*")] == theirs, within_seconds=60)
        assert eventually(lambda: not instance.processes(), within_seconds=20)
    finally:
        shutil.rmtree(disk)


@pytest.mark.whole
def test_one_that_cannot_be_found_has_nothing_in_it_any_more_and_is_told(
    instance: BenchmarkInstance, folder: Path
) -> None:
    """Another host has moved it: this one's kernel goes on calling it by its old name."""
    instance.command(
        "readlink", '#!/bin/bash\n[[ $* != "-n "* ]] || exec printf %s "$PWD/gone (deleted)"\nexec /bin/readlink "$@"\n'
    )
    instance.constant("REAPER_SECONDS", 1)
    instance.waiting_dd(folder / "go-on")
    running = instance.start()
    assert eventually(lambda: list(instance.own.glob("data.*/0/1")) != [], within_seconds=10)
    theirs = moved(instance.own, "inner/x")
    number = (instance.mount / "inner" / "x").stat().st_ino
    (folder / "go-on").touch()
    ended = running.ended()
    assert [one["status"] for one in ended.workloads] == ["ok"]
    assert (ended.status, ended.left) == (
        1,
        f"{OWN}: somebody moved it elsewhere, where it is empty: find it with -inum {number}",
    )
    assert instance.leftovers() == [*theirs, "inner/x"]


@pytest.mark.whole
@needs_root
@pytest.mark.parametrize(
    ("owner", "complaint"), [(1000, "belongs to user 1000: it is not ours"), (0, "belongs to root and is not empty")]
)
def test_a_directory_of_somebody_else_is_refused_and_kept(
    instance: BenchmarkInstance, owner: int, complaint: str
) -> None:
    instance.own.mkdir(mode=0o700)
    (instance.own / "data.x").write_text("precious")
    os.chown(instance.own, owner, owner)
    assert complaint in instance.run().refusal
    assert (instance.own / "data.x").read_text() == "precious"


def test_an_empty_one_of_a_run_that_was_killed_at_once_is_taken_over(instance: BenchmarkInstance) -> None:
    instance.own.mkdir(mode=0o700)
    assert instance.run().status == 0
    assert instance.leftovers() == []


@needs_root
def test_links_planted_inside_are_removed_and_never_followed(instance: BenchmarkInstance, elsewhere: Path) -> None:
    own_by(instance, NOBODYS_UID)
    for name in ("data.old", "here.0.old", "go.0", f"member.{RUN_ID}.old", "left.old.1"):
        (instance.own / name).symlink_to(elsewhere)
    assert instance.run(Plan=f"{WRITE};{TOUCH}").status == 0
    assert instance.leftovers() == []
    assert (elsewhere / "lock").read_text() == "precious"
    assert (elsewhere / "data.precious").is_dir()


@needs_root
def test_what_the_script_did_not_make_is_left_alone(instance: BenchmarkInstance) -> None:
    own_by(instance, NOBODYS_UID)
    (instance.own / "thesis.tex").write_text("precious")
    assert instance.run().status == 0
    assert instance.leftovers() == [OWN, f"{OWN}/thesis.tex"]


def test_other_files_of_the_mount_are_left_alone(instance: BenchmarkInstance) -> None:
    (instance.mount / "data.precious").write_text("precious")
    (instance.mount / "lock").write_text("precious")
    instance.run()
    assert instance.leftovers() == ["data.precious", "lock"]


def own_by(instance: BenchmarkInstance, user: int) -> None:
    instance.own.mkdir(mode=0o700)
    os.chown(instance.own, user, user)
