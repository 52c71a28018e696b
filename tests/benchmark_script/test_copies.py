"""Copies from a local disk with the tools that are there, and the same workloads on that disk as the local baseline."""

import shutil
from pathlib import Path

import pytest

from tests.benchmark_script.instance import MIB, OWN, RUN_ID, TOUCH, WRITE, BenchmarkInstance, eventually
from tests.quick import first_of

LOCAL_WRITE = WRITE.replace("id=write,on=efs", "id=write-local,on=local")
LOCAL_TOUCH = TOUCH.replace("id=touch,on=efs", "id=touch-local,on=local")


pytestmark = pytest.mark.needs("place to copy")

TOOLS = [
    "cp",
    pytest.param("rsync", marks=pytest.mark.needs("rsync")),
    pytest.param("fpsync", marks=pytest.mark.needs("fpsync", "rsync")),
    pytest.param("cp-parallel", marks=pytest.mark.needs("parallel")),
    pytest.param("fpart-cpio-parallel", marks=pytest.mark.needs("fpart", "cpio", "parallel")),
]


def copy(tool: str) -> str:
    return f"id=copy,on=efs,do=copy,tool={tool},threads=4,files=12,bytes=100000"


@pytest.mark.whole
@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_that_is_there_copies_everything(instance: BenchmarkInstance, disk: Path, tool: str) -> None:
    (one,) = instance.run(Plan=copy(tool)).workloads
    assert (one["status"], one.get("files"), one.get("bytes")) == ("ok", 12, 1_200_000), one
    assert instance.leftovers() == []
    assert list(disk.iterdir()) == []


@pytest.mark.whole
@pytest.mark.needs("root")  # to be somebody else than the owner of the mount
@pytest.mark.parametrize("tool", first_of(TOOLS, 2, in_ci=2))
def test_no_tool_needs_to_be_let_through_the_directories_above(
    instance: BenchmarkInstance, disk: Path, tool: str
) -> None:
    instance.mount.chmod(0o750)
    disk.chmod(0o750)
    (one,) = instance.run(Plan=copy(tool)).workloads
    assert (one["status"], one.get("files"), one.get("bytes")) == ("ok", 12, 1_200_000), one
    assert (instance.leftovers(), list(disk.iterdir())) == ([], [])


@pytest.mark.whole
@pytest.mark.needs("root")
@pytest.mark.parametrize("tool", first_of(TOOLS, 2, in_ci=2))
def test_no_tool_is_led_elsewhere_by_who_may_write_beside_our_directories(
    instance: BenchmarkInstance, disk: Path, folder: Path, tool: str
) -> None:
    """Somebody renames both directories and plants links in their places, with all that a tool would look for there."""
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    elsewhere.chmod(0o777)
    instance.mount.chmod(0o777)
    local = f"{OWN}-fs-0123456789abcdef0-i-0123456789abcdef0"
    planted = "; ".join(
        f"mv {place} {moved} && mkdir -p {elsewhere}/{kind} && ln -s {elsewhere}/{kind} {place}"
        for place, moved, kind in (
            (instance.own, instance.mount / "moved", "efs"),
            (disk / local, disk / "moved", "local"),
        )
    )
    inner = f"for data in data.*; do mkdir -p {elsewhere}/efs/$data/0 {elsewhere}/local/$data/from; done"
    instance.command(
        "head", f'#!/bin/bash\n[[ -L {instance.own} ]] || {{ {inner}; {planted}; }}\nexec /usr/bin/head "$@"\n'
    )
    ended = instance.run(Plan=copy(tool))
    (one,) = ended.workloads
    assert (one["status"], one.get("files"), one.get("bytes")) == ("ok", 12, 1_200_000), one
    assert [path for path in elsewhere.rglob("*") if not path.is_dir()] == []
    assert instance.own.is_symlink()
    assert [path for path in (instance.mount / "moved", disk / "moved") if list(path.glob("*"))] == []


@pytest.mark.more
@pytest.mark.needs("fpsync", "rsync")
def test_fpsync_that_starts_fewer_rsync_than_it_has_threads_says_so(instance: BenchmarkInstance, disk: Path) -> None:
    """It makes a list of each 2,000 files, and starts an rsync for each."""
    fewer = instance.run(Plan=copy("fpsync")).workloads[0]
    enough = instance.run(Plan=copy("fpsync").replace("threads=4", "threads=1")).workloads[0]
    assert (fewer["status"], fewer["processes"], enough["status"]) == ("ok", 1, "ok")
    assert "processes" not in enough


def test_a_tool_that_is_missing_is_skipped_by_name_and_the_run_succeeds(
    instance: BenchmarkInstance, disk: Path
) -> None:
    ended = instance.run(Plan=f"{copy('mcp')};{WRITE}")
    assert ended.workloads[0] == {
        "type": "workload",
        "id": "copy",
        "status": "skipped",
        "reason": "mcp is not installed",
    }
    assert (ended.workloads[1]["status"], ended.status) == ("ok", 0)


def test_a_tool_that_loses_a_file_has_failed(instance: BenchmarkInstance, disk: Path) -> None:
    instance.command("rsync", '#!/bin/bash\n[[ $* == *--version* ]] || cp "$2"/f00000[0-8] "$3"\n')
    (one,) = instance.run(Plan=copy("rsync")).workloads
    assert (one["status"], one["reason"]) == ("failed", "9 of 12 files and 900000 of 1200000 bytes came over")


@pytest.mark.whole
@pytest.mark.parametrize(
    ("loss", "told"),
    [
        ('printf x >>"$3/f000003"; truncate -s 99999 "$3/f000005"', "10 of 12 files came over in their size"),
        ('truncate -s 0 "$3/f000011"; truncate -s 100000 "$3/f000011"', "a file that came over is not what was copied"),
    ],
)
def test_files_that_came_over_spoilt_are_noticed_although_their_number_and_bytes_are_right(
    instance: BenchmarkInstance, disk: Path, loss: str, told: str
) -> None:
    instance.command("rsync", f'#!/bin/bash\n[[ $* != *--version* ]] || exit\ncp "$2"/* "$3" && {{ {loss}; }}\n')
    (one,) = instance.run(Plan=copy("rsync")).workloads
    assert (one["status"], one["reason"]) == ("failed", told)


@pytest.mark.needs("fincore")
def test_the_files_to_copy_are_not_in_memory_when_the_copy_begins(instance: BenchmarkInstance, folder: Path) -> None:
    local = Path("/var/tmp") / folder.name
    local.mkdir()
    seen = folder / "seen"
    seen.mkdir()
    for path in (local, seen):
        path.chmod(0o777)
    instance.command("rsync", f'#!/bin/bash\n[[ $* != *-r* ]] || fincore -nbo PAGES "$2"/f* >{seen}/pages\nexit 1\n')
    # The mount and the disk are one device here.
    instance.script.write_text(instance.script.read_text().replace('[[ $device != "$DEVICE" ]] ||', "true ||"))
    instance.run(Plan=copy("rsync"), LocalPath=str(local))
    shutil.rmtree(local)
    assert (seen / "pages").read_text().split() == ["0"] * 12


def test_a_tool_has_the_same_modes_to_set_as_where_its_command_is_typed_in(
    instance: BenchmarkInstance, disk: Path, folder: Path
) -> None:
    """A stricter mode would spare the server one SETATTR a file. The directories keep everybody else out."""
    seen = folder / "seen"
    seen.mkdir()
    seen.chmod(0o777)
    instance.command(
        "rsync",
        f'#!/bin/bash\n[[ $* != *--version* ]] || exit\ncp "$2"/* "$3"\n'
        f'stat -c %a "$2"/f* "$3"/f* >{seen}/files\nstat -c %a "$2/.." "$3/.." >{seen}/directories\n',
    )
    (one,) = instance.run(Plan=copy("rsync")).workloads
    assert one["status"] == "ok", one
    assert (seen / "files").read_text().split() == ["644"] * 24
    assert (seen / "directories").read_text().split() == ["700", "700"]


def test_a_source_that_could_not_be_made_goes_before_the_next_copy(
    instance: BenchmarkInstance, disk: Path, folder: Path
) -> None:
    """What a full disk holds would stay there until the end of the run, and in the way of the next source."""
    folder.chmod(0o777)
    instance.command(
        "sync",
        f'#!/bin/bash\n[[ ! -e {folder}/once ]] || exec /usr/bin/sync "$@"\n: >{folder}/once\n'
        'echo "sync: error syncing: No space left on device" >&2\nexit 1\n',
    )
    ended = instance.run(Plan=f"{copy('cp')};{copy('cp').replace('id=copy', 'id=again')}")
    first, again = ended.workloads
    assert (first["status"], first["reason"]) == ("failed", "no space left on device")
    assert again["status"] == "ok", again
    assert list(disk.iterdir()) == []


@pytest.mark.whole
def test_the_source_of_an_instance_that_is_left_behind_goes_at_once(
    instance: BenchmarkInstance, disk: Path, folder: Path
) -> None:
    removed = folder / "removed"
    removed.touch()
    removed.chmod(0o666)
    instance.constant("GATHER_SECONDS", 1)
    others_begin = f"echo 1763640000000000 i-00000000-1-1 >go.{RUN_ID}.0"
    instance.command("sync", f'#!/bin/bash\n{others_begin}\nexec /usr/bin/sync "$@"\n')
    instance.command("rm", f'#!/bin/bash\necho "${{@: -1}}" >>{removed}\nexec /usr/bin/rm "$@"\n')
    ended = instance.run(Plan=f"{copy('cp')};{TOUCH}", Instances="2")
    late = "barrier: the others began without this instance, which came too late"
    assert [one["reason"] for one in ended.workloads] == [late, late]
    assert "from" in removed.read_text().split()
    assert list(disk.iterdir()) == []


def test_without_a_local_path_copies_come_from_var_tmp(instance: BenchmarkInstance) -> None:
    if Path("/var/tmp").stat().st_dev == instance.mount.stat().st_dev:
        assert "is on the file system itself" in instance.run(Plan=copy("cp")).refusal
    else:
        assert instance.run(Plan=copy("cp")).status == 0


def test_the_local_baseline_runs_on_the_disk_and_leaves_nothing_there(instance: BenchmarkInstance, disk: Path) -> None:
    instance.slow_dd()
    running = instance.start(Plan=f"{LOCAL_TOUCH};{LOCAL_WRITE}")
    assert eventually(lambda: list(disk.glob("*/data.*/1/1")) != [], within_seconds=10)
    (own,) = disk.iterdir()
    assert own.name == f"{OWN}-fs-0123456789abcdef0-i-0123456789abcdef0"
    assert own.stat().st_mode & 0o777 == 0o700
    running.kill_group()
    assert eventually(lambda: list(disk.iterdir()) == [], within_seconds=60)


def test_the_local_baseline_is_told_like_the_rest(instance: BenchmarkInstance, disk: Path) -> None:
    ended = instance.run(Plan=f"{LOCAL_TOUCH};{LOCAL_WRITE};{WRITE}")
    assert [(one["id"], one["status"]) for one in ended.workloads] == [
        ("touch-local", "ok"),
        ("write-local", "ok"),
        ("write", "ok"),
    ]
    assert list(disk.iterdir()) == []


def test_a_local_baseline_without_a_local_path_is_refused(instance: BenchmarkInstance) -> None:
    assert instance.run(Plan=LOCAL_WRITE).refusal == "Plan has workloads on=local, and LocalPath is empty"


def test_a_local_path_on_the_file_system_itself_is_refused(instance: BenchmarkInstance) -> None:
    inner = instance.mount / "inner"
    inner.mkdir()
    assert "is on the file system itself" in instance.run(Plan=LOCAL_WRITE, LocalPath=str(inner)).refusal


@pytest.mark.whole
@pytest.mark.parametrize("plan", [LOCAL_WRITE, copy("cp"), f"{WRITE};{LOCAL_TOUCH}"])
def test_a_local_path_on_nfs_is_refused_because_another_mount_of_the_file_system_has_another_device(
    instance: BenchmarkInstance, disk: Path, plan: str
) -> None:
    """Such as one through an access point, or through another proxy of efs-utils."""
    instance.command(
        "stat",
        f'#!/bin/bash\n[[ $* != *-f*%T* || $(pwd -P) != {disk} ]] || exec echo nfs\nexec /usr/bin/stat "$@"\n',
    )
    assert instance.run(Plan=plan).refusal == f"LocalPath {disk} is on NFS: give a path on a disk of the instance"
    assert [*instance.leftovers(), *disk.iterdir()] == []


def test_a_local_path_that_is_not_there_is_refused(instance: BenchmarkInstance) -> None:
    assert (
        instance.run(Plan=LOCAL_WRITE, LocalPath="/nowhere").refusal
        == "LocalPath /nowhere is no directory of this instance"
    )


def test_a_disk_without_room_is_refused_before_it_is_full(instance: BenchmarkInstance, disk: Path) -> None:
    plan = LOCAL_WRITE.replace(f"bytes={2 * MIB}", f"bytes={10**12}")
    assert instance.run(Plan=plan).refusal.startswith(f"LocalPath {disk} has room for ")


def test_a_link_planted_on_the_disk_is_not_followed(instance: BenchmarkInstance, disk: Path, folder: Path) -> None:
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir(mode=0o777)
    (disk / f"{OWN}-fs-0123456789abcdef0-i-0123456789abcdef0").symlink_to(elsewhere)
    assert "a symbolic link is in its place" in instance.run(Plan=LOCAL_WRITE).refusal
    assert list(elsewhere.iterdir()) == []
