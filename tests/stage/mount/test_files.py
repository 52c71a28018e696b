"""What every program takes for granted of a file system, on the mount."""

import errno
import filecmp
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from stage.mount.profile import MIB

pytestmark = pytest.mark.needs("FUSE")

AS_SOMEBODY_ELSE = ("setpriv", "--reuid=64646", "--regid=64646", "--clear-groups")
"""In front of a command: as the benchmark's worker runs."""


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_what_was_written_is_read(place: Path) -> None:
    written = os.urandom(3 * MIB + 17)
    (place / "file").write_bytes(written)
    assert (place / "file").read_bytes() == written


def test_what_was_written_is_read_past_the_cache(place: Path) -> None:
    (place / "file").write_bytes(os.urandom(2 * MIB))
    run("cp", place / "file", place / "copy")
    run("dd", f"if={place}/copy", f"of={place}/again", "bs=1M", "iflag=direct")
    assert (place / "again").read_bytes() == (place / "file").read_bytes()


def test_a_piece_in_the_middle_can_be_overwritten_also_by_zeros(place: Path) -> None:
    with (place / "file").open("w+b", buffering=0) as file:
        file.write(b"a" * 10)
        file.seek(3)
        file.write(bytes(4))
        file.seek(0)
        assert file.read() == b"aaa\0\0\0\0aaa"


def test_a_hole_reads_as_zeros(place: Path) -> None:
    with (place / "file").open("w+b", buffering=0) as file:
        file.seek(MIB)
        file.write(b"end")
    assert (place / "file").read_bytes() == bytes(MIB) + b"end"


def test_zeros_take_no_memory_and_are_read_nevertheless(place: Path) -> None:
    with (place / "file").open("wb") as file:
        for _ in range(64):
            file.write(bytes(MIB))
    assert (place / "file").stat().st_size == 64 * MIB
    with (place / "file").open("rb") as file:
        file.seek(63 * MIB)
        assert file.read() == bytes(MIB)


def test_a_file_is_truncated_and_grown(place: Path) -> None:
    (place / "file").write_bytes(b"abcdef")
    os.truncate(place / "file", 3)
    os.truncate(place / "file", 5)
    assert (place / "file").read_bytes() == b"abc\0\0"


def test_opening_for_writing_empties_a_file(place: Path) -> None:
    (place / "file").write_bytes(b"long enough")
    (place / "file").write_bytes(b"x")
    assert (place / "file").read_bytes() == b"x"


def test_modes_owners_and_times_are_kept(place: Path) -> None:
    file = place / "file"
    file.touch()
    file.chmod(0o640)
    os.chown(file, 12, 34)
    os.utime(file, ns=(1, 1_234_567_890_123_456_789))
    found = file.stat()
    assert (stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid) == (0o640, 12, 34)
    assert found.st_mtime_ns == 1_234_567_890_123_456_789


def test_the_kernel_keeps_others_out_by_mode_and_owner(place: Path) -> None:
    (place / "mine").mkdir(mode=0o700)
    assert "Permission denied" in run(*AS_SOMEBODY_ELSE, "ls", "mine", cwd=place).stderr


def test_somebody_else_works_in_a_directory_of_their_own(place: Path) -> None:
    os.chown(place, 64646, 64646)
    # Where pytest's folders lead to is nobody's business but root's.
    run(*AS_SOMEBODY_ELSE, "touch", "file", cwd=place)
    assert (place / "file").stat().st_uid == 64646


def test_an_existing_name_is_not_created_again(place: Path) -> None:
    (place / "name").touch()
    with pytest.raises(FileExistsError):
        (place / "name").open("x")
    with pytest.raises(FileExistsError):
        (place / "name").mkdir()


def test_a_directory_with_something_in_it_stays(place: Path) -> None:
    (place / "inner" / "deeper").mkdir(parents=True)
    with pytest.raises(OSError, match=os.strerror(errno.ENOTEMPTY)):
        (place / "inner").rmdir()


def test_a_tree_comes_and_goes(place: Path) -> None:
    for number in range(300):
        (place / "tree" / f"{number % 7}").mkdir(parents=True, exist_ok=True)
        (place / "tree" / f"{number % 7}" / f"{number}").touch()
    assert len(run("find", place / "tree", "-type", "f").stdout.splitlines()) == 300
    shutil.rmtree(place / "tree")
    assert list(place.iterdir()) == []


def test_renaming_replaces_a_file_but_no_directory_that_holds_something(place: Path) -> None:
    (place / "old").write_text("old")
    (place / "new").write_text("new")
    (place / "old").rename(place / "new")
    assert (place / "new").read_text() == "old"
    (place / "full" / "inner").mkdir(parents=True)
    (place / "empty").mkdir()
    with pytest.raises(OSError, match=os.strerror(errno.ENOTEMPTY)):
        (place / "empty").rename(place / "full")
    (place / "full").rename(place / "empty")
    assert (place / "empty" / "inner" / "..").resolve() == place / "empty"


def test_mv_keeps_what_is_there_when_told_to(place: Path) -> None:
    (place / "old").write_text("old")
    (place / "new").write_text("new")
    run("mv", "--no-clobber", place / "old", place / "new")
    assert (place / "new").read_text() == "new"


def test_two_names_are_one_file_until_both_are_gone(place: Path) -> None:
    (place / "one").write_text("text")
    os.link(place / "one", place / "two")
    assert (place / "one").stat().st_nlink == 2
    (place / "one").unlink()
    assert (place / "two").read_text() == "text"


def test_a_symlink_leads_where_it_says(place: Path) -> None:
    (place / "link").symlink_to("target")
    assert os.readlink(place / "link") == "target"
    (place / "target").write_text("text")
    assert (place / "link").read_text() == "text"


def test_an_open_file_outlives_its_name(place: Path) -> None:
    with (place / "file").open("w+b", buffering=0) as file:
        (place / "file").unlink()
        file.write(b"still here")
        file.seek(0)
        assert file.read() == b"still here"


def test_a_lock_keeps_another_process_out(place: Path) -> None:
    (place / "lock").touch()
    lock = ("flock", "--nonblock", place / "lock")
    assert run(*lock, "true").returncode == 0
    assert run(*lock, *lock, "true").returncode != 0


def test_copies_are_the_same(place: Path) -> None:
    (place / "one").write_bytes(os.urandom(MIB // 3))
    run("cp", place / "one", place / "two")
    assert filecmp.cmp(place / "one", place / "two", shallow=False)


def test_a_name_too_long_is_refused(place: Path) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.ENAMETOOLONG)):
        (place / ("n" * 256)).touch()


def test_there_is_room_as_on_efs(place: Path) -> None:
    found = os.statvfs(place)
    assert found.f_bavail * found.f_frsize == 2**63


def test_a_program_runs_from_it(place: Path) -> None:
    shutil.copy("/bin/true", place / "program")
    assert run(place / "program").returncode == 0
