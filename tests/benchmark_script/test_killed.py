"""A run that is killed: nothing of it stays, neither file nor process."""

import os
import signal
import time

import pytest

from tests.benchmark_script.instance import MIB, TOUCH, WRITE, BenchmarkInstance, Running, eventually, writers

SIXTEEN = writers(16, 64 * MIB)


@pytest.fixture
def amid(instance: BenchmarkInstance) -> Running:
    """Sixteen writers, each amid its file."""
    instance.slow_dd()
    return started(instance)


def started(instance: BenchmarkInstance) -> Running:
    running = instance.start(Plan=f"{TOUCH};{SIXTEEN}")
    assert eventually(lambda: len(list(instance.own.glob("data.*/1/*"))) == 16, within_seconds=20)
    return running


@pytest.mark.whole
def test_kill_of_the_group_amid_sixteen_writers_leaves_nothing_within_a_minute(instance: BenchmarkInstance) -> None:
    started(instance).kill_group()
    assert eventually(lambda: instance.leftovers() == [], within_seconds=60)
    assert eventually(lambda: instance.processes() == [], within_seconds=10)


def test_one_that_is_killed_in_the_gate_leaves_none(instance: BenchmarkInstance) -> None:
    """Between the gate and its tag, so that nobody could tell whose it is."""
    instance.command(
        "mkdir", '#!/bin/bash\n/usr/bin/mkdir "$@" || exit\n[[ $UID = 0 || $* != gate ]] || exec sleep 100\n'
    )
    running = instance.start()
    assert eventually((instance.own / "gate").exists, within_seconds=10)
    running.kill_group()
    assert eventually(lambda: instance.leftovers() == [], within_seconds=60)


@pytest.mark.speed
def test_the_caller_is_not_kept_waiting_for_what_cleans_up(instance: BenchmarkInstance, amid: Running) -> None:
    began = time.monotonic()
    amid.kill_group()
    assert time.monotonic() - began < 2


@pytest.mark.whole
def test_files_go_although_the_agent_removes_its_script_with_the_command(
    instance: BenchmarkInstance, amid: Running
) -> None:
    amid.kill_group()
    instance.script.unlink()
    assert eventually(lambda: instance.leftovers() == [], within_seconds=60)


@pytest.mark.whole
def test_what_a_run_left_whose_reaper_was_killed_too_is_removed_by_the_next(
    instance: BenchmarkInstance, amid: Running
) -> None:
    instance.kill()
    amid.process.communicate()
    (member,) = instance.own.glob("member.*")
    os.utime(member, (time.time() - 90,) * 2)
    assert len(list(instance.own.glob("data.*/1/*"))) == 16
    # The same slow dd would only be ended by the deadline.
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


@pytest.mark.whole
def test_where_only_the_worker_is_left_it_ends_and_removes_what_it_may(instance: BenchmarkInstance) -> None:
    instance.constant("HEARTBEAT_SECONDS", 1)
    instance.slow_dd()
    running = started(instance)
    instance.kill(lambda one: str(instance.script) in one.command and not one.command.endswith("prepare"))
    running.process.communicate()
    assert eventually(lambda: instance.processes() == [], within_seconds=20)
    assert list(instance.own.glob("*")) == []


@pytest.mark.whole
def test_a_run_whose_output_nobody_reads_any_more_leaves_nothing(instance: BenchmarkInstance) -> None:
    """The agent's worker is gone: whatever the script says next ends it."""
    instance.command("dd", '#!/bin/bash\n[[ $* == *--version* ]] || sleep 1\nexec /usr/bin/dd "$@"\n')
    running = instance.start(Plan=f"{WRITE};{SIXTEEN}")
    output, errors = running.process.stdout, running.process.stderr
    assert output is not None
    assert errors is not None
    assert '"machine"' in output.readline()
    output.close()
    errors.close()
    running.process.wait(timeout=30)
    assert eventually(lambda: instance.leftovers() == [], within_seconds=60)
    assert eventually(lambda: instance.processes() == [], within_seconds=10)


@pytest.mark.whole
def test_a_shutdown_ends_a_run_in_order(instance: BenchmarkInstance, amid: Running) -> None:
    os.killpg(amid.process.pid, signal.SIGTERM)
    ended = amid.ended(within_seconds=20)
    assert [(one["status"], one.get("reason")) for one in ended.workloads] == [
        ("ok", None),
        ("failed", "ended by a signal"),
    ]
    assert instance.leftovers() == []
    assert eventually(lambda: instance.processes() == [], within_seconds=10)


def test_a_worker_that_is_killed_alone_fails_what_is_left_of_the_plan(
    instance: BenchmarkInstance, amid: Running
) -> None:
    instance.kill(lambda one: one.command.endswith("efs-monitor-benchmark work"))
    ended = amid.ended(within_seconds=30)
    assert [one["status"] for one in ended.workloads] == ["ok", "failed"]
    assert ended.workloads[1]["reason"] == "the worker ended early"
    assert instance.leftovers() == []
    assert eventually(lambda: instance.processes() == [], within_seconds=10)
