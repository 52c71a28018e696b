"""Several instances of one run begin each workload at the same moment; nobody waits for ever for one that is gone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmark_script.instance import MIB, OWN, RUN_ID, TOUCH, WRITE, BenchmarkInstance, Ended, eventually

# How far apart three processes of an idle machine may begin what they were told to begin at one moment.
AT_ONCE_SECONDS = 0.1


@pytest.fixture
def agreed(folder: Path) -> Path:
    """Where what the instances have agreed upon stays, which the last of them removes."""
    path = folder / "agreed"
    path.mkdir()
    path.chmod(0o777)
    return path


@pytest.fixture
def fleet(folder: Path, file_system: Path, agreed: Path) -> Iterator[list[BenchmarkInstance]]:
    """Three instances with one file system."""
    three = [
        BenchmarkInstance.with_mount(folder / f"agent-{number}", file_system, f"i-0123456789abcdef{number}")
        for number in range(3)
    ]
    for one in three:
        one.parameters["Instances"] = "3"
        one.command(
            "rm",
            '#!/bin/bash\nfor name in "$@"; do\n'
            f'    [[ $name != go.* || ! -e $name ]] || /usr/bin/cp -- "$name" {agreed}\n'
            'done\nexec /usr/bin/rm "$@"\n',
        )
    yield three
    for one in three:
        one.close()


def begun_together(agreed: Path, ended: list[Ended], place: int, waited_for: int = 3) -> bool:
    """Whether a moment was agreed upon once so many were ready for a workload, and nobody began it earlier.

    How much later, on a machine that is busy, is not asked. A hundredth is what two readings of a clock may differ by.
    """
    moment, *ready = (agreed / f"go.{RUN_ID}.{place}").read_text().split()
    started = [one.workloads[place]["started"] for one in ended]
    return len(ready) == waited_for and min(started) >= int(moment) / 1_000_000 - 0.01


THREE_WORKLOADS = f"{WRITE};{TOUCH};id=last,on=efs,do=write,threads=2,block={MIB},sync=each,files=2,bytes={4 * MIB}"


@pytest.mark.whole
def test_three_instances_begin_each_workload_at_the_moment_they_agree_upon(
    fleet: list[BenchmarkInstance], agreed: Path
) -> None:
    running = [one.start(Plan=THREE_WORKLOADS) for one in fleet]
    ended = [one.ended() for one in running]
    assert [one.status for one in ended] == [0, 0, 0], ended
    assert [begun_together(agreed, ended, place) for place in range(3)] == [True] * 3
    assert fleet[0].leftovers() == []


@pytest.mark.speed
def test_on_an_idle_machine_that_is_the_same_moment(fleet: list[BenchmarkInstance]) -> None:
    running = [one.start(Plan=THREE_WORKLOADS) for one in fleet]
    ended = [one.ended() for one in running]
    for place in range(3):
        started = [one.workloads[place]["started"] for one in ended]
        assert max(started) - min(started) < AT_ONCE_SECONDS


@pytest.mark.whole
def test_one_that_comes_a_little_later_is_waited_for(fleet: list[BenchmarkInstance], agreed: Path) -> None:
    running = [one.start() for one in fleet[:2]]
    assert eventually(lambda: len(list((fleet[0].mount / OWN).glob("here.start.*"))) == 2, within_seconds=10)
    running.append(fleet[2].start())
    ended = [one.ended() for one in running]
    assert [one.status for one in ended] == [0, 0, 0]
    assert begun_together(agreed, ended, 0)


@pytest.mark.whole
def test_the_others_go_on_without_one_that_never_comes_and_it_then_fails_by_name(
    fleet: list[BenchmarkInstance],
) -> None:
    for one in fleet:
        one.constant("GATHER_SECONDS", 3)
    fleet[0].slow_dd()
    slow = fleet[0].start(Plan=f"{WRITE};{TOUCH}")
    quick = fleet[1].start(Plan=f"{WRITE};{TOUCH}")
    own = fleet[0].mount / OWN
    assert eventually((own / f"go.{RUN_ID}.start").exists, within_seconds=10)
    late = fleet[2].start(Plan=f"{WRITE};{TOUCH}").ended()
    assert [(one["status"], one["reason"]) for one in late.workloads] == [
        ("failed", "barrier: the others began without this instance, which came too late")
    ] * 2
    slow.kill_group()
    assert [one["status"] for one in quick.ended().workloads] == ["ok", "ok"]


@pytest.mark.whole
def test_what_reads_need_is_made_before_all_begin_to_read(fleet: list[BenchmarkInstance], agreed: Path) -> None:
    made = agreed / "made"
    fleet[0].command(
        "dd",
        '#!/bin/bash\n[[ $* == *conv=fsync* ]] || exec /usr/bin/dd "$@"\n'
        f'sleep 1\n/usr/bin/dd "$@" && date +%s.%6N >{made}\n',
    )
    plan = f"id=read,on=efs,do=read,threads=2,block={MIB},files=2,bytes={MIB}"
    running = [one.start(Plan=plan) for one in fleet]
    ended = [one.ended() for one in running]
    assert [one.status for one in ended] == [0, 0, 0], ended
    assert begun_together(agreed, ended, 0)
    (moment, *_) = (agreed / f"go.{RUN_ID}.0").read_text().split()
    assert float(made.read_text()) < int(moment) / 1_000_000


@pytest.mark.more
def test_one_that_can_not_even_begin_keeps_nobody_waiting(fleet: list[BenchmarkInstance], agreed: Path) -> None:
    fleet[0].command("mkdir", '#!/bin/bash\n[[ $* != *data*/0 ]] || exit 1\nexec /usr/bin/mkdir "$@"\n')
    running = [one.start(Plan=f"{WRITE};{TOUCH}") for one in fleet]
    ended = [one.ended(within_seconds=30) for one in running]
    assert [[one["status"] for one in each.workloads] for each in ended] == [
        ["failed", "ok"],
        ["ok", "ok"],
        ["ok", "ok"],
    ]
    assert begun_together(agreed, ended, 1)


@pytest.mark.whole
def test_one_that_is_killed_amid_the_run_holds_up_nobody(fleet: list[BenchmarkInstance], agreed: Path) -> None:
    fleet[0].slow_dd()
    plan = f"{WRITE};{TOUCH}"
    doomed, *running = [one.start(Plan=plan) for one in fleet]
    own = fleet[0].mount / OWN
    assert eventually(lambda: len(list(own.glob("here.1.*"))) == 2, within_seconds=20)
    doomed.kill_group()
    ended = [one.ended(within_seconds=20) for one in running]
    assert [[one["status"] for one in each.workloads] for each in ended] == [["ok", "ok"], ["ok", "ok"]]
    assert eventually(lambda: fleet[0].leftovers() == [], within_seconds=60)
    assert begun_together(agreed, ended, 1, waited_for=2)


def test_one_instance_alone_waits_for_nobody(fleet: list[BenchmarkInstance]) -> None:
    alone = fleet[0]
    alone.parameters["Instances"] = "1"
    alone.slow_dd()
    running = alone.start()
    assert eventually(lambda: list((alone.mount / OWN).glob("data.*/0/*")) != [], within_seconds=10)
    assert list((alone.mount / OWN).glob("here.*")) == []
    running.kill_group()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("moment", "complaint"),
    [
        # Bash would run a command in the subscript of what it calculates with.
        ("x[$(>{planted})]", "somebody else wrote the moment"),
        ("9999999999999999", "too far away"),
    ],
)
def test_a_moment_that_somebody_else_wrote_is_refused(
    fleet: list[BenchmarkInstance], folder: Path, moment: str, complaint: str
) -> None:
    running = fleet[0].start(Plan=f"{WRITE};{TOUCH}")
    own, planted = fleet[0].mount / OWN, folder / "planted"
    assert eventually(lambda: list(own.glob("here.start.*")) != [], within_seconds=10)
    (here,) = own.glob("here.start.*")
    begin = own / "go.begin"
    begin.write_text(f"{moment.format(planted=planted)} {here.name.removeprefix('here.start.')}\n")
    begin.chmod(0o644)
    begin.rename(own / f"go.{RUN_ID}.start")
    reasons = [one["reason"] for one in running.ended().workloads]
    assert len(reasons) == 2
    assert all(complaint in reason for reason in reasons), reasons
    assert not planted.exists()
