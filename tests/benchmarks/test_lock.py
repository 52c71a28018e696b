"""One run at a time on a file system; what a dead one left is no obstacle, and gone afterwards."""

import os
import time
from pathlib import Path

import pytest

from tests.benchmarks.instance import RUN_ID, TOUCH, Instance, eventually, writers

OTHER_RUN = "run-20261120t130000z-89abcdef"
OTHER_INSTANCE = "i-0fedcba9876543210"
LONG = writers(2, 1_048_576)


@pytest.fixture
def second(folder: Path, instance: Instance) -> Instance:
    """Another instance with the same file system."""
    return Instance.with_mount(folder / "agent-2", instance.mount, OTHER_INSTANCE)


def held(instance: Instance, run: str, heartbeat_seconds_ago: float, deadline_in_seconds: float = 600) -> None:
    """A directory as a run on another instance leaves it when its instance is switched off."""
    instance.own.mkdir(mode=0o700)
    now = time.time()
    tag = f"{OTHER_INSTANCE}-77-123"
    (instance.own / "lock").write_text(f"{run} {int(now + deadline_in_seconds)}\n")
    (instance.own / f"member.{run}.{tag}").touch()
    os.utime(instance.own / f"member.{run}.{tag}", (now - heartbeat_seconds_ago,) * 2)
    (instance.own / f"data.{tag}" / "0").mkdir(parents=True)
    (instance.own / f"data.{tag}" / "0" / "1").write_bytes(bytes(1000))
    (instance.own / f"here.0.{tag}").touch()
    (instance.own / "go.0").write_text("1 x\n")
    if os.geteuid() == 0:
        for path in (instance.own, *instance.own.rglob("*")):
            os.chown(path, 86_464, 86_464)


def test_while_a_run_is_on_another_is_refused_by_its_name(instance: Instance, second: Instance) -> None:
    instance.slow_dd()
    running = instance.start(Plan=LONG)
    assert eventually(lambda: list(instance.own.glob("data.*/0/*")) != [], within_seconds=10)
    refusal = second.run(RunId=OTHER_RUN).refusal
    assert refusal.startswith(f"{RUN_ID} is running on {instance.parameters['FileSystemId']}")
    assert list(instance.own.glob("data.*/0/*")) != []
    running.kill_group()


def test_a_command_that_is_delivered_twice_runs_once(instance: Instance) -> None:
    instance.slow_dd()
    running = instance.start(Plan=LONG)
    assert eventually(lambda: list(instance.own.glob("data.*/0/*")) != [], within_seconds=10)
    assert instance.run().refusal == f"{RUN_ID} is running already, with 1 of 1 instances"
    running.kill_group()


def test_a_second_instance_of_a_run_for_one_is_refused(instance: Instance, second: Instance) -> None:
    held(instance, RUN_ID, heartbeat_seconds_ago=5)
    assert instance.run().refusal == f"{RUN_ID} is running already, with 1 of 1 instances"


def test_of_two_runs_that_start_together_exactly_one_runs(instance: Instance, second: Instance) -> None:
    instance.slow_dd()
    second.slow_dd()
    both = [instance.start(Plan=LONG), second.start(Plan=LONG, RunId=OTHER_RUN)]
    assert eventually(lambda: any(one.process.poll() is not None for one in both), within_seconds=30)
    (refused,) = [one for one in both if one.process.poll() is not None]
    (ran,) = [one for one in both if one is not refused]
    assert "is running on" in refused.ended().refusal
    assert len(list(instance.own.glob("data.*"))) == 1
    ran.kill_group()


@pytest.mark.parametrize("seconds_ago", [5, 55])
def test_a_run_with_a_heartbeat_is_alive(instance: Instance, seconds_ago: int) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=seconds_ago)
    before = instance.leftovers()
    assert instance.run().refusal.startswith(f"{OTHER_RUN} is running on")
    assert instance.leftovers() == before


def test_a_run_without_a_heartbeat_for_a_minute_is_dead_and_its_files_go(instance: Instance) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=90)
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


def test_a_run_long_past_its_deadline_is_dead_though_something_still_beats(instance: Instance) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=1, deadline_in_seconds=-200)
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


@pytest.mark.parametrize("content", ["", "nonsense", "../../x 9", f"{OTHER_RUN} soon\n", "\0\0\0"])
def test_a_lock_that_says_nothing_is_none(instance: Instance, content: str) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=90)
    (instance.own / "lock").write_text(content)
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


def test_a_gate_that_somebody_died_in_is_opened(instance: Instance) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=90)
    gate = instance.own / "gate"
    gate.mkdir()
    os.utime(gate, (time.time() - 60,) * 2)
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


def test_a_heartbeat_is_kept_up(instance: Instance) -> None:
    instance.constant("HEARTBEAT_SECONDS", 1)
    instance.slow_dd()
    running = instance.start(Plan=LONG)
    assert eventually(lambda: list(instance.own.glob("member.*")) != [], within_seconds=10)
    (member,) = instance.own.glob("member.*")
    first = member.stat().st_mtime
    assert eventually(lambda: member.stat().st_mtime > first + 2, within_seconds=10)
    running.kill_group()
