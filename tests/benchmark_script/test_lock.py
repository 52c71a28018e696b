"""One run at a time on a file system; what a dead one left is no obstacle, and gone afterwards."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.benchmark_script.instance import RUN_ID, TOUCH, WRITE, BenchmarkInstance, eventually, writers

OTHER_RUN = "run-20261120t130000z-89abcdef"
OTHER_INSTANCE = "i-0fedcba9876543210"
DEAD_TAG = f"{OTHER_INSTANCE}-77-123"
LONG = writers(2, 1_048_576)


@pytest.fixture
def second(folder: Path, instance: BenchmarkInstance) -> BenchmarkInstance:
    """Another instance with the same file system."""
    return BenchmarkInstance.with_mount(folder / "agent-2", instance.mount, OTHER_INSTANCE)


def held(instance: BenchmarkInstance, run: str, heartbeat_seconds_ago: float, deadline_in_seconds: float = 600) -> None:
    """A directory as a run on another instance leaves it when its instance is switched off."""
    instance.own.mkdir(mode=0o700)
    now = time.time()
    tag = DEAD_TAG
    (instance.own / f"lock.{run}").write_text(f"{int(now + deadline_in_seconds)}\n")
    (instance.own / f"member.{run}.{tag}").touch()
    os.utime(instance.own / f"member.{run}.{tag}", (now - heartbeat_seconds_ago,) * 2)
    (instance.own / f"data.{tag}" / "0").mkdir(parents=True)
    (instance.own / f"data.{tag}" / "0" / "1").write_bytes(bytes(1000))
    (instance.own / f"here.0.{tag}").touch()
    (instance.own / f"go.{run}.0").write_text("1 x\n")
    if os.geteuid() == 0:
        for path in (instance.own, *instance.own.rglob("*")):
            os.chown(path, 86_464, 86_464)


@pytest.mark.whole
def test_while_a_run_is_on_another_is_refused_by_its_name(
    instance: BenchmarkInstance, second: BenchmarkInstance
) -> None:
    instance.slow_dd()
    running = instance.start(Plan=LONG)
    assert eventually(lambda: list(instance.own.glob("data.*/0/*")) != [], within_seconds=10)
    refusal = second.run(RunId=OTHER_RUN).refusal
    assert refusal.startswith(f"{RUN_ID} is running on {instance.parameters['FileSystemId']}")
    assert list(instance.own.glob("data.*/0/*")) != []
    running.kill_group()


@pytest.mark.whole
def test_a_command_that_is_delivered_twice_runs_once(instance: BenchmarkInstance) -> None:
    instance.slow_dd()
    running = instance.start(Plan=LONG)
    assert eventually(lambda: list(instance.own.glob("data.*/0/*")) != [], within_seconds=10)
    assert instance.run().refusal == f"{RUN_ID} is running already, with 1 of 1 instances"
    running.kill_group()


def test_a_second_instance_of_a_run_for_one_is_refused(instance: BenchmarkInstance, second: BenchmarkInstance) -> None:
    held(instance, RUN_ID, heartbeat_seconds_ago=5)
    assert instance.run().refusal == f"{RUN_ID} is running already, with 1 of 1 instances"


@pytest.mark.whole
def test_of_two_runs_that_start_together_exactly_one_runs(
    instance: BenchmarkInstance, second: BenchmarkInstance
) -> None:
    instance.slow_dd()
    second.slow_dd()
    both = [instance.start(Plan=LONG), second.start(Plan=LONG, RunId=OTHER_RUN)]
    assert eventually(lambda: any(one.process.poll() is not None for one in both), within_seconds=30)
    (refused,) = [one for one in both if one.process.poll() is not None]
    (ran,) = [one for one in both if one is not refused]
    assert "is running on" in refused.ended().refusal
    assert len(list(instance.own.glob("data.*"))) == 1
    ran.kill_group()


@pytest.mark.whole
@pytest.mark.parametrize("seconds_ago", [5, 55])
def test_a_run_with_a_heartbeat_is_alive(instance: BenchmarkInstance, seconds_ago: int) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=seconds_ago)
    before = instance.leftovers()
    assert instance.run().refusal.startswith(f"{OTHER_RUN} is running on")
    assert instance.leftovers() == before


def test_a_run_without_a_heartbeat_for_a_minute_is_dead_and_its_files_go(instance: BenchmarkInstance) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=90)
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


def test_a_run_long_past_its_deadline_is_dead_though_something_still_beats(instance: BenchmarkInstance) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=1, deadline_in_seconds=-200)
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


@pytest.mark.whole
@pytest.mark.parametrize("content", ["", "nonsense", "../../x 9", "soon\n", "x[$(>planted)]\n", "\0\0\0"])
def test_a_lock_that_says_nothing_is_none(instance: BenchmarkInstance, content: str) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=90)
    (instance.own / f"lock.{OTHER_RUN}").write_text(content)
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


def test_a_gate_that_somebody_died_in_is_opened(instance: BenchmarkInstance) -> None:
    held(instance, OTHER_RUN, heartbeat_seconds_ago=90)
    gate = instance.own / "gate"
    gate.mkdir()
    os.utime(gate, (time.time() - 60,) * 2)
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


@pytest.mark.whole
def test_a_heartbeat_is_kept_up(instance: BenchmarkInstance) -> None:
    instance.constant("HEARTBEAT_SECONDS", 1)
    instance.slow_dd()
    running = instance.start(Plan=LONG)
    assert eventually(lambda: list(instance.own.glob("member.*")) != [], within_seconds=10)
    (member,) = instance.own.glob("member.*")
    first = member.stat().st_mtime
    assert eventually(lambda: member.stat().st_mtime > first + 2, within_seconds=10)
    running.kill_group()


OLD = "touch -d '1 hour ago' gate"


@pytest.mark.whole
@pytest.mark.parametrize(
    "make",
    [
        *("mkfifo gate", "touch gate", "ln -s nowhere gate"),
        *(f"mkdir gate && touch gate/.nfs1 && {OLD}", f"mkdir -p gate/inner && {OLD}"),
    ],
)
def test_what_is_no_gate_and_has_its_name_blocks_nobody(instance: BenchmarkInstance, make: str) -> None:
    instance.own.mkdir(mode=0o700)
    subprocess.run(make, shell=True, check=True, cwd=instance.own)
    if os.geteuid() == 0:
        for path in (instance.own, *instance.own.rglob("*")):
            os.chown(path, 86_464, 86_464, follow_symlinks=False)
    assert instance.run(Plan=TOUCH).status == 0
    assert instance.leftovers() == []


# What a joining instance does, from the gate on: each by the command with which it does so, and whether it is held up
# before the server has done it, or before it learns that. The dead run's things are those of `held`.
STEPS = [
    ("mkdir", "gate", "after"),
    ("touch", "*member.*", "after"),
    *(
        pytest.param(step, marks=pytest.mark.long)
        for step in (
            ("stat", "*gate", "before"),
            ("rm", "*gate/*", "before"),
            ("mkdir", "gate", "before"),
            ("stat", "*gate", "after"),
            ("stat", f"*member.*.{DEAD_TAG}", "before"),
            ("stat", f"*member.*.{DEAD_TAG}", "after"),
            ("mv", f"*data.{DEAD_TAG}*", "before"),
            ("mv", f"*data.{DEAD_TAG}*", "after"),
            ("rm", f"*member.*.{DEAD_TAG}*", "before"),
            ("rm", f"*member.*.{DEAD_TAG}*", "after"),
            ("touch", "*member.*", "before"),
            ("mkdir", "*data.*", "before"),
            ("mkdir", "*data.*", "after"),
        )
    ),
]


@pytest.mark.whole
@pytest.mark.parametrize("step", STEPS, ids=" ".join)
def test_of_two_runs_one_of_which_is_held_up_in_the_gate_exactly_one_runs(
    instance: BenchmarkInstance, second: BenchmarkInstance, folder: Path, step: tuple[str, str, str]
) -> None:
    command, arguments, amid = step
    held(instance, "run-20261119t130000z-89abcdef", heartbeat_seconds_ago=90)
    stalled, go_on = folder / "stalled", folder / "go-on"
    hold = f"{{ : >>{stalled}; until [[ -e {go_on} ]]; do sleep 0.05; done; }}"
    steps = f'{hold}; "$real" "$@"' if amid == "before" else f'"$real" "$@"; ended=$?; {hold}; exit $ended'
    instance.command(
        command,
        f"#!/bin/bash\nreal=/usr/bin/{command}\n"
        f'[[ $UID != 0 && ! -e {stalled} && "$*" == {arguments} ]] || exec "$real" "$@"\n{steps}\n',
    )
    stalled.parent.chmod(0o777)
    for one in (instance, second):
        one.constant("GATE_SECONDS", 1)
        one.constant("STALE_SECONDS", 3)
        one.constant("HEARTBEAT_SECONDS", 1)
    first = instance.start(Plan=TOUCH)
    assert eventually(stalled.exists, within_seconds=10)
    time.sleep(4.2)
    second_go_on = folder / "second-go-on"
    second.waiting_dd(second_go_on)
    other = second.start(RunId=OTHER_RUN, Plan=f"{TOUCH};{WRITE}")
    assert eventually(lambda: list(instance.own.glob("data.*/1/1")) != [], within_seconds=15)
    go_on.touch()
    ended = first.ended()
    assert "mount held this instance up for" in ended.refusal or "is running on" in ended.refusal, ended
    second_go_on.touch()
    after = other.ended()
    assert (after.status, [one["status"] for one in after.workloads]) == (0, ["ok", "ok"]), after
    assert instance.leftovers() == []


@pytest.mark.more
def test_who_was_held_up_on_the_way_to_the_lock_is_told_so(
    instance: BenchmarkInstance, second: BenchmarkInstance, folder: Path
) -> None:
    """Its own answer comes late, as behind a link that was cut, and meanwhile another has the lock."""
    stalled, go_on = folder / "stalled", folder / "go-on"
    folder.chmod(0o777)
    instance.command(
        "mkdir",
        f'#!/bin/bash\n[[ $UID != 0 && ! -e {stalled} && "$*" == gate ]] || exec /usr/bin/mkdir "$@"\n'
        f": >>{stalled}; until [[ -e {go_on} ]]; do sleep 0.05; done\necho 'mkdir: File exists' >&2; exit 1\n",
    )
    first = instance.start(Plan=TOUCH)
    assert eventually(stalled.exists, within_seconds=10)
    second_go_on = folder / "second-go-on"
    second.waiting_dd(second_go_on)
    other = second.start(RunId=OTHER_RUN, Plan=f"{TOUCH};{WRITE}")
    assert eventually(lambda: list(instance.own.glob("data.*/1/1")) != [], within_seconds=20)
    time.sleep(21)
    go_on.touch()
    assert "the mount held this instance up for 2" in first.ended().refusal
    second_go_on.touch()
    assert other.ended().status == 0


@pytest.mark.more
def test_who_comes_back_too_late_leaves_the_places_of_those_who_took_over(
    instance: BenchmarkInstance, second: BenchmarkInstance, folder: Path
) -> None:
    """A fleet waits for one another by them."""
    third = BenchmarkInstance.with_mount(folder / "agent-3", instance.mount, "i-0aaaaaaaaaaaaaaaa")
    stalled, go_on, second_go_on = folder / "stalled", folder / "go-on", folder / "second-go-on"
    folder.chmod(0o777)
    instance.command(
        "stat",
        f'#!/bin/bash\n[[ $UID != 0 && ! -e {stalled} && "$*" == *gate ]] || exec /usr/bin/stat "$@"\n'
        f'/usr/bin/stat "$@"; ended=$?; : >>{stalled}; until [[ -e {go_on} ]]; do sleep 0.05; done; exit $ended\n',
    )
    for one in (instance, second, third):
        one.constant("GATE_SECONDS", 1)
    first = instance.start(Plan=TOUCH)
    assert eventually(stalled.exists, within_seconds=10)
    time.sleep(3)
    second.waiting_dd(second_go_on)
    fleet = [one.start(RunId=OTHER_RUN, Plan=f"{WRITE};{TOUCH}", Instances="2") for one in (second, third)]
    # One waits at the second workload for the other, which is amid the first.
    assert eventually(lambda: len(list(instance.own.glob("here.1.*"))) == 1, within_seconds=30)
    places = sorted(one.name for one in instance.own.glob("here.*"))
    go_on.touch()
    assert "the mount held this instance up for" in first.ended().refusal
    assert sorted(one.name for one in instance.own.glob("here.*")) == places
    second_go_on.touch()
    assert [one.ended().status for one in fleet] == [0, 0]
    third.close()
    assert instance.leftovers() == []


@pytest.mark.whole
def test_a_run_that_was_taken_for_dead_measures_nothing_any_more(
    instance: BenchmarkInstance, second: BenchmarkInstance
) -> None:
    for one in (instance, second):
        one.constant("STALE_SECONDS", 2)
        one.constant("HEARTBEAT_SECONDS", 1)
    instance.slow_dd()
    running = instance.start(Plan=f"{LONG};{TOUCH}")
    assert eventually(lambda: list(instance.own.glob("data.*/0/*")) != [], within_seconds=10)
    workers = [one for one in instance.processes() if "work" in one.command.split()]
    for process in workers:
        os.kill(process.id, signal.SIGSTOP)
    time.sleep(3.2)
    assert second.run(RunId=OTHER_RUN, Plan=TOUCH).status == 0
    for process in workers:
        os.kill(process.id, signal.SIGCONT)
    ended = running.ended()
    told = "this instance said nothing for 2 s, and another run took it for dead"
    assert [(one["status"], one["reason"]) for one in ended.workloads] == [("failed", told)] * 2
    assert instance.leftovers() == []


@pytest.mark.more
def test_who_stood_still_and_was_taken_for_dead_ends_within_seconds_of_going_on(
    instance: BenchmarkInstance, second: BenchmarkInstance
) -> None:
    """Long before its next heartbeat would have been: it is amid a workload, beside those of the other."""
    for one in (instance, second):
        one.constant("STALE_SECONDS", 2)
    instance.slow_dd()
    running = instance.start(Plan=LONG)
    assert eventually(lambda: list(instance.own.glob("data.*/0/*")) != [], within_seconds=10)
    workers = [one for one in instance.processes() if "work" in one.command.split()]
    for process in workers:
        os.kill(process.id, signal.SIGSTOP)
    time.sleep(11)
    assert second.run(RunId=OTHER_RUN, Plan=TOUCH).status == 0
    for process in workers:
        os.kill(process.id, signal.SIGCONT)
    assert eventually(lambda: not [one for one in instance.processes() if one.command.startswith("dd ")], 4)
    assert [one["status"] for one in running.ended().workloads] == ["failed"]
