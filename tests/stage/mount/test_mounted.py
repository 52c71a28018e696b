"""A mount comes, answers its owner, takes its time, and leaves nothing behind, however it ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from stage.mount import kernel
from stage.mount.mounted import ModelledMount, MountError
from stage.mount.profile import MIB, EfsProfile
from stage.sam_deployment import PROJECT

pytestmark = pytest.mark.needs("FUSE")

PATIENCE_SECONDS = 60


def until_unmounted(folder: Path) -> bool:
    end = time.monotonic() + PATIENCE_SECONDS
    while kernel.is_mounted(folder) and time.monotonic() < end:
        time.sleep(0.02)
    return not kernel.is_mounted(folder)


def elapsed(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def test_the_folder_is_itself_again_afterwards(folder: Path) -> None:
    (folder / "itself").mkdir()
    (folder / "itself" / "before").touch()
    with ModelledMount(folder / "itself") as mount:
        (mount.path / "on the mount").touch()
        assert os.listdir(mount.path) == ["on the mount"]
    assert os.listdir(folder / "itself") == ["before"]


def test_it_goes_away_although_somebody_has_a_file_open(folder: Path) -> None:
    with ModelledMount(folder / "used") as mount:
        opened = (mount.path / "file").open("wb")
    assert not kernel.is_mounted(mount.path)
    with pytest.raises(OSError, match=r"."), opened:
        opened.write(b"nobody takes this any more")


def test_it_goes_away_with_a_process_that_is_killed(folder: Path) -> None:
    path = folder / "orphan"
    program = (
        "import sys, time; from pathlib import Path; from stage.mount.mounted import ModelledMount\n"
        f"with ModelledMount(Path({str(path)!r})): print('mounted', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": f"{PROJECT}:{PROJECT}/src/layers/efs_monitor"},
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"mounted\n"
        owner.kill()
    assert until_unmounted(path)


def test_what_a_killed_server_left_is_taken_away(folder: Path) -> None:
    with ModelledMount(folder / "dead") as mount:
        assert mount._process is not None
        mount._process.kill()
        mount._process.wait()
        with pytest.raises(OSError, match="not connected"):
            os.listdir(mount.path)
        with pytest.raises(MountError, match=r"gone|ended"):
            mount.metered()
    assert not kernel.is_mounted(mount.path)


def test_an_orphaned_mount_is_replaced(folder: Path) -> None:
    device = os.open(kernel.FUSE_DEVICE, os.O_RDWR)
    (folder / "again").mkdir()
    kernel.mount(folder / "again", device, "efs")
    os.close(device)
    with ModelledMount(folder / "again") as mount:
        (mount.path / "file").touch()
    assert not kernel.is_mounted(mount.path)


def test_a_file_is_no_place_for_a_mount(folder: Path) -> None:
    (folder / "file").touch()
    with pytest.raises(FileExistsError), ModelledMount(folder / "file"):
        pass


def test_by_hand_it_lasts_until_it_is_interrupted(folder: Path) -> None:
    (folder / "by-hand").mkdir()
    command = [sys.executable, "-m", "stage.mount", str(folder / "by-hand"), "tutorial"]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "mounted" in process.stdout.readline()
        (folder / "by-hand" / "file").touch()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE_SECONDS) == 0
    assert not kernel.is_mounted(folder / "by-hand")


def test_an_unknown_profile_is_refused_before_anything_is_mounted(folder: Path) -> None:
    command = [sys.executable, "-m", "stage.mount", str(folder), '{"latency": 1}']
    refused = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "create_seconds" in refused.stderr
    assert not kernel.is_mounted(folder)


def test_it_tells_what_it_metered(folder: Path) -> None:
    with ModelledMount(folder / "metered") as mount:
        before = mount.metered()
        # Not through the kernel's pages: where memory is short it hands a write on in small pieces, and each of them
        # counts as the smallest operation.
        dd = ["/usr/bin/dd", "bs=1M", "status=none"]
        subprocess.run([*dd, "if=/dev/zero", f"of={mount.path}/file", "count=3", "oflag=direct"], check=True)
        written = mount.metered() - before
        subprocess.run([*dd, f"if={mount.path}/file", "of=/dev/null", "iflag=direct"], check=True)
        read = mount.metered() - before - written
    assert written.written_bytes == 3 * MIB
    assert written.read_bytes == 0
    assert read.read_bytes == 3 * MIB
    assert written.metered_bytes >= 3 * MIB
    assert read.metered_bytes == pytest.approx(MIB, abs=20 * 4096)


@pytest.mark.speed
def test_throughput_falls_to_what_is_permitted(folder: Path) -> None:
    with ModelledMount(folder / "permitted") as mount:
        mount.permit(10 * MIB)
        seconds = elapsed(lambda: (mount.path / "file").write_bytes(bytes(3 * MIB)))
    assert seconds == pytest.approx(0.3, rel=0.2)


def test_nothing_at_all_cannot_be_permitted(mount: ModelledMount) -> None:
    with pytest.raises(ValueError, match="above zero"):
        mount.permit(0)


@pytest.mark.speed
def test_each_operation_takes_its_own_latency(folder: Path) -> None:
    profile = EfsProfile(
        create_seconds=0.05, setattr_seconds=0.1, remove_seconds=0.15, metadata_seconds=0.2, commit_seconds=0.25
    )
    with ModelledMount(folder / "latencies", profile) as mount:
        file, other = mount.path / "file", mount.path / "other"
        created = elapsed(lambda: os.close(os.open(file, os.O_CREAT | os.O_WRONLY)))
        changed = elapsed(lambda: file.chmod(0o600))
        renamed = elapsed(lambda: file.rename(other))
        with other.open("wb", buffering=0) as opened:
            written = elapsed(lambda: opened.write(b"x"))
            committed = elapsed(lambda: os.fsync(opened.fileno()))
        removed = elapsed(other.unlink)
    assert [created, changed, removed, renamed, committed] == pytest.approx([0.05, 0.1, 0.15, 0.2, 0.25], abs=0.03)
    assert written < 0.03


@pytest.mark.speed
def test_each_write_under_o_sync_waits_for_a_commit(folder: Path) -> None:
    with ModelledMount(folder / "synced", EfsProfile(commit_seconds=0.05)) as mount:
        file = os.open(mount.path / "file", os.O_CREAT | os.O_WRONLY | os.O_SYNC)
        seconds = elapsed(lambda: [os.write(file, bytes(MIB)) for _ in range(4)])
        os.close(file)
    assert seconds == pytest.approx(0.2, rel=0.2)


def test_whoever_waits_for_an_answer_can_be_killed(folder: Path) -> None:
    with ModelledMount(folder / "slow", EfsProfile(commit_seconds=60)) as mount:
        command = ["/usr/bin/dd", "if=/dev/zero", f"of={mount.path}/file", "bs=1M", "count=1", "conv=fsync"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as waiting:
            time.sleep(0.3)
            waiting.kill()
            assert waiting.wait(timeout=PATIENCE_SECONDS) == -signal.SIGKILL


@pytest.mark.speed
def test_two_mounts_know_nothing_of_one_another(folder: Path) -> None:
    with ModelledMount(folder / "one", EfsProfile(create_seconds=0.3)), ModelledMount(folder / "two") as two:
        assert elapsed((two.path / "file").touch) < 0.2
        assert os.listdir(folder / "one") == []
