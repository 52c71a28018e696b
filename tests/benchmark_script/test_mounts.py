"""A run happens only on an NFS 4 mount of that very file system."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.benchmark_script.instance import FILE_SYSTEM_ID, WRITE, BenchmarkInstance

OTHER_ID = "fs-fedcba98"
# To mount.
needs_root = pytest.mark.needs("root")


@pytest.mark.whole
@pytest.mark.parametrize(
    "source",
    [
        f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/",
        f"{FILE_SYSTEM_ID}.efs.cn-north-1.amazonaws.com.cn:/data/x",
        f"us-east-1a.{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/",
        f"{FILE_SYSTEM_ID}.efs.us-gov-west-1.amazonaws.com.:/",
    ],
)
def test_the_dns_name_of_the_file_system_proves_it(instance: BenchmarkInstance, source: str) -> None:
    instance.mounted_from(source)
    ended = instance.run()
    assert ended.status == 0
    assert ended.machine["mount_options"].startswith(f"{source} rw,")


@pytest.mark.whole
@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (f"{OTHER_ID}.efs.us-east-1.amazonaws.com:/", f"is {OTHER_ID}, not {FILE_SYSTEM_ID}"),
        ("10.0.1.10:/", "is mounted from 10.0.1.10:/, which proves no file system id: mount it with efs-utils"),
        ("nas.example.com:/export", "proves no file system id"),
        (f"{FILE_SYSTEM_ID}.efs.us-east-1.example.com:/", "proves no file system id"),
        (f"{FILE_SYSTEM_ID}-efs.us-east-1.amazonaws.com:/", "proves no file system id"),
    ],
)
def test_another_source_is_refused(instance: BenchmarkInstance, source: str, complaint: str) -> None:
    instance.mounted_from(source)
    assert complaint in instance.run().refusal
    assert instance.leftovers() == []


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["ext4", "xfs", "fuse.sshfs", "cifs", "nfs", "tmpfs"])
def test_what_is_no_nfs_4_is_refused(instance: BenchmarkInstance, kind: str) -> None:
    instance.mounted_from(f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/", kind=kind, options="rw,vers=3")
    assert f"is not on an NFS 4 mount but on {kind}" in instance.run().refusal


def test_an_nfs_mount_of_version_4_is_taken_under_its_older_name(instance: BenchmarkInstance) -> None:
    instance.mounted_from(f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/", kind="nfs", options="rw,vers=4.1")
    assert instance.run().status == 0


def test_a_folder_that_nothing_is_mounted_on_is_refused_before_it_fills_the_root_disk(
    instance: BenchmarkInstance,
) -> None:
    folder = instance.mount.parent / "unmounted"
    folder.mkdir()
    assert "is not on an NFS 4 mount" in instance.run(MountPath=str(folder)).refusal
    assert list(folder.iterdir()) == []


def test_a_folder_that_is_not_there_is_refused(instance: BenchmarkInstance) -> None:
    path = f"{instance.mount}x"
    assert instance.run(MountPath=path).refusal == f"{path} does not exist: mount {FILE_SYSTEM_ID} there"


def test_a_file_in_the_place_of_the_mount_is_refused(instance: BenchmarkInstance) -> None:
    path = instance.mount.parent / "file"
    path.touch()
    assert instance.run(MountPath=str(path)).refusal == f"{path} is not a directory"


def test_a_read_only_mount_is_refused(instance: BenchmarkInstance) -> None:
    instance.mounted_from(f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/", options="ro,relatime,vers=4.1")
    assert instance.run().refusal == f"{instance.mount} is mounted read-only"


def test_a_mount_that_changed_while_it_was_looked_at_is_refused(instance: BenchmarkInstance) -> None:
    source = f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/"
    instance.command("findmnt", f"#!/bin/sh\necho '{instance.mount} {source} nfs4 99:99 rw,vers=4.1'\n")
    assert "while findmnt says 99:99" in instance.run().refusal


def test_of_mounts_upon_one_another_the_upmost_counts(instance: BenchmarkInstance) -> None:
    device = os.stat(instance.mount).st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    lower = f"{instance.mount} {FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/ nfs4 0:99 rw,vers=4.1"
    instance.command("findmnt", f"#!/bin/sh\necho '{lower}'; echo '{instance.mount} tmpfs tmpfs {number} rw'\n")
    assert "but on tmpfs" in instance.run().refusal


def test_a_path_through_a_symbolic_link_is_refused_with_the_path_to_give(instance: BenchmarkInstance) -> None:
    link = instance.mount.parent / "link"
    link.symlink_to(instance.mount)
    refusal = instance.run(MountPath=str(link)).refusal
    assert refusal == f"{link} leads through a symbolic link to {instance.mount}: give the path without links"


def test_a_folder_of_the_mount_is_as_good_as_its_root(instance: BenchmarkInstance) -> None:
    inner = instance.mount / "for" / "benchmarks"
    inner.mkdir(parents=True)
    assert instance.run(MountPath=str(inner)).status == 0
    assert list(inner.iterdir()) == []


@contextmanager
def tmpfs(folder: Path, options: str) -> Iterator[None]:
    """A real mount, of a size or a kind of its own."""
    subprocess.run(["/usr/bin/mount", "-t", "tmpfs", "-o", options, "none", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["/usr/bin/umount", folder], check=True)


@needs_root
def test_a_mount_that_turns_out_read_only_is_refused(instance: BenchmarkInstance) -> None:
    with tmpfs(instance.mount, "ro"):
        instance.mounted_from(f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/")
        assert instance.run().refusal.endswith("cannot be made: the file system is mounted read-only")


@needs_root
def test_a_mount_without_room_is_refused_and_one_with_room_is_not(instance: BenchmarkInstance) -> None:
    with tmpfs(instance.mount, "size=4m"):
        instance.mounted_from(f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/")
        assert instance.run().status == 0
        (instance.mount / "filling").write_bytes(bytes(3 * 1_048_576))
        refusal = instance.run().refusal
        assert refusal == f"{instance.mount} has room for 1 MiB, and the plan needs 3 MiB free"


@needs_root
def test_a_mount_without_inodes_is_refused(instance: BenchmarkInstance) -> None:
    with tmpfs(instance.mount, "size=4m,nr_inodes=20"):
        instance.mounted_from(f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/")
        plan = "id=x,on=efs,do=touch,threads=1,files=100,directories=1"
        assert "more files, and the plan makes 100" in instance.run(Plan=plan).refusal


@pytest.mark.parametrize(
    ("error", "complaint"),
    [
        ("Stale file handle", "stale file handle: unmount and mount the file system again"),
        ("Transport endpoint is not connected", "the mount is dead (transport endpoint is not connected)"),
        ("Input/output error", "input/output error"),
    ],
)
def test_a_broken_mount_is_refused_by_what_is_wrong(instance: BenchmarkInstance, error: str, complaint: str) -> None:
    instance.command("stat", f"#!/bin/sh\necho \"stat: cannot stat '.': {error}\" >&2; exit 1\n")
    assert instance.run().refusal == f"{instance.mount}: {complaint}"


@pytest.mark.whole
@pytest.mark.parametrize("facts", ["0 0 0 0", "8796093022207 0 0 0", "1 2", "", "? ? ? ?", "-1 4096 0 0"])
def test_a_mount_that_does_not_say_how_much_room_it_has_is_refused(instance: BenchmarkInstance, facts: str) -> None:
    instance.command("stat", f"#!/bin/sh\ncase $* in *-f*) echo '{facts}' ;; *) exec /usr/bin/stat \"$@\" ;; esac\n")
    assert instance.run().refusal == f"{instance.mount} cannot be asked for its room: stat says '{facts}'"


@pytest.mark.parametrize(
    ("files", "each_bytes", "instances"), [(100_000, 2**40, 999), (100_000, 2**40, 168), (84, 2**40, 999)]
)
def test_what_no_file_system_has_room_for_is_refused_however_large_it_is(
    instance: BenchmarkInstance, files: int, each_bytes: int, instances: int
) -> None:
    instance.command(
        "stat", f'#!/bin/sh\ncase $* in *-f*) echo "{2**34} 4096 0 0" ;; *) exec /usr/bin/stat "$@" ;; esac\n'
    )
    plan = f"id=x,on=efs,do=write,threads=1,block=1,sync=end,files={files},bytes={each_bytes}"
    needed = int(instance.run(Plan=plan, Instances=str(instances)).refusal.split("the plan needs ")[1].split()[0])
    assert needed == pytest.approx(files * each_bytes * instances / 2**20, rel=0.01)


def test_the_8_eib_of_an_efs_are_room_enough(instance: BenchmarkInstance) -> None:
    instance.command(
        "stat", '#!/bin/sh\ncase $* in *-f*) echo "8796093022207 1048576 0 0" ;; *) exec /usr/bin/stat "$@" ;; esac\n'
    )
    plan = WRITE.replace("bytes=2097152", "bytes=1099511627776").replace("id=write", "id=big")
    instance.command("dd", "#!/bin/sh\necho '1099511627776 bytes (1.1 TB, 1.0 TiB) copied, 99 s, 11 GB/s' >&2\n")
    (one,) = instance.run(Plan=plan).workloads
    assert (one["bytes"], one["seconds"]) == (1_099_511_627_776, 99)
