"""A hard mount that stops answering: what waits for it cannot even be killed, and the script still ends."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from stage.mount.mounted import ModelledMount
from tests.benchmark_script.instance import TOUCH, BenchmarkInstance, eventually, writers

pytestmark = pytest.mark.needs("FUSE")


@pytest.fixture
def mount(file_system: Path) -> Iterator[ModelledMount]:
    """A file system that another process serves, which can be stopped."""
    with ModelledMount(file_system) as one:
        yield one


def stop(mount: ModelledMount) -> None:
    os.kill(server_of(mount), signal.SIGSTOP)


def go_on(mount: ModelledMount) -> None:
    os.kill(server_of(mount), signal.SIGCONT)


def server_of(mount: ModelledMount) -> int:
    """The process that answers for a mount."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            arguments = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if {b"stage.mount", str(mount.path).encode()} <= set(arguments):
            return int(path.parent.name)
    raise AssertionError(f"nobody serves {mount.path}")


def test_a_run_on_a_mount_that_answers_is_whole(mount: ModelledMount, instance: BenchmarkInstance) -> None:
    ended = instance.run(Plan=f"{TOUCH};{writers(4, 1_048_576)}")
    assert ended.status == 0, ended
    assert instance.leftovers() == []


@pytest.mark.more
def test_a_mount_that_hangs_amid_a_run_ends_it_at_the_deadline_and_is_cleaned_when_it_comes_back(
    mount: ModelledMount, instance: BenchmarkInstance
) -> None:
    # So slow that the writers are not done before the mount is stopped, on however busy a machine.
    mount.permit(10 * 1_048_576)
    running = instance.start(Plan=f"{TOUCH};{writers(4, 100 * 1_048_576)}", DeadlineSeconds="10")
    try:
        assert eventually(lambda: list(instance.own.glob("data.*/1/*")) != [], within_seconds=10)
        stop(mount)
        ended = running.ended()
        assert [(one["status"], one.get("reason")) for one in ended.workloads] == [("ok", None), ("failed", "deadline")]
    finally:
        go_on(mount)
        mount.permit(1024 * 1_048_576)
    assert eventually(lambda: instance.leftovers() == [], within_seconds=60)
    assert eventually(lambda: instance.processes() == [], within_seconds=30)


@pytest.mark.whole
def test_a_mount_that_hangs_from_the_first_is_refused(mount: ModelledMount, instance: BenchmarkInstance) -> None:
    instance.constant("ANSWER_SECONDS", 2)
    stop(mount)
    try:
        assert instance.run().refusal == f"{instance.mount} gave no answer in 2 s: is the mount target reachable?"
    finally:
        go_on(mount)
    assert eventually(lambda: instance.processes() == [], within_seconds=60)
    assert instance.leftovers() == []
