"""Somebody sets the clock of the host amid a run: its limits hold, and no rate is worked out from two clocks.

`clock.c` stands before the C library of everything that the instance runs, and answers as if the clock had been set.
The kernel's own uptime, and what a file system says of its files, stay what they are: they are nobody's to set.
"""

import json
import re
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmark_script.instance import TOUCH, WRITE, BenchmarkInstance, eventually, writers
from tests.quick import first_of

pytestmark = pytest.mark.needs("cc")

LIBRARY_SOURCE = Path(__file__).with_name("clock.c")
SET_BY_SECONDS = 3600
SET_BY = r"the clock of the instance was set by (-?\d+) ms in the middle"


class HostClock:
    """The clock of an instance, which can be set while it runs."""

    def __init__(self, folder: Path, instance: BenchmarkInstance) -> None:
        library = folder / "clock.so"
        command = ["cc", "-shared", "-fPIC", "-O2", "-o", str(library), str(LIBRARY_SOURCE)]
        subprocess.run(command, check=True)
        self._file = folder / "clock.set"
        self.set_by(0)
        self._file.chmod(0o644)
        variables = {"LD_PRELOAD": str(library), "CLOCK_SET_BY": str(self._file)}
        instance.host = replace(instance.host, variables=variables)

    def set_by(self, seconds: float) -> None:
        """Now, and from what it would show otherwise."""
        data = int(seconds * 1_000_000).to_bytes(8, "little", signed=True)
        with self._file.open("r+b" if self._file.exists() else "wb") as file:
            file.write(data)


@pytest.fixture
def clock(folder: Path, instance: BenchmarkInstance) -> HostClock:
    """That of the instance."""
    place = folder / "clock"
    place.mkdir(mode=0o755)
    return HostClock(place, instance)


@pytest.mark.parametrize("seconds", [-600, *(pytest.param(one, marks=pytest.mark.more) for one in (-3600, 3600))])
def test_whatever_the_clock_says_a_run_ends_at_its_deadline(
    instance: BenchmarkInstance, clock: HostClock, seconds: int
) -> None:
    instance.slow_dd()
    began = time.monotonic()
    running = instance.start(Plan=writers(4, 1_048_576), DeadlineSeconds="10")
    assert eventually(lambda: list(instance.own.glob("data.*/0/*")) != [], within_seconds=8)
    clock.set_by(seconds)
    time.sleep(1.5)
    assert running.process.poll() is None
    ended = running.ended(within_seconds=40)
    # It counts whole seconds, of which the first had begun.
    assert time.monotonic() - began >= 9
    assert [(one["status"], one["reason"]) for one in ended.workloads] == [("failed", "deadline")]
    assert instance.leftovers() == []
    assert eventually(lambda: instance.processes() == [], within_seconds=10)


@pytest.mark.whole
@pytest.mark.parametrize("seconds", first_of([2, -3600, 0.2, -0.06, -2, 3600], 3, in_ci=3))
def test_a_workload_amid_which_the_clock_is_set_has_no_rate_and_says_why(
    instance: BenchmarkInstance, clock: HostClock, folder: Path, seconds: float
) -> None:
    go_on = folder / "go-on"
    instance.waiting_dd(go_on)
    running = instance.start(Plan=f"{writers(2, 1_048_576)};{WRITE};{TOUCH}")
    assert eventually(lambda: len(list(instance.own.glob("data.*/0/*"))) == 2, within_seconds=10)
    clock.set_by(seconds)
    go_on.touch()
    ended = running.ended()
    assert [one["status"] for one in ended.workloads] == ["failed", "ok", "ok"], ended
    told = re.fullmatch(SET_BY, ended.workloads[0]["reason"])
    assert told
    assert int(told[1]) == pytest.approx(seconds * 1000, abs=20)
    assert "bytes" not in ended.workloads[0]
    assert all(0 < one["seconds"] < 60 for one in ended.workloads[1:])
    assert ended.status == 1


def test_a_clock_that_is_set_by_less_than_can_be_told_spoils_nothing(
    instance: BenchmarkInstance, clock: HostClock, folder: Path
) -> None:
    go_on = folder / "go-on"
    instance.waiting_dd(go_on)
    running = instance.start()
    assert eventually(lambda: list(instance.own.glob("data.*/0/1")) != [], within_seconds=10)
    clock.set_by(0.02)
    go_on.touch()
    assert running.ended().status == 0


@pytest.mark.whole
def test_instances_whose_clocks_are_set_while_they_wait_begin_together(
    folder: Path, instance: BenchmarkInstance
) -> None:
    clock = HostClock(folder, instance)
    second = BenchmarkInstance.with_mount(folder / "agent-2", instance.mount, "i-0fedcba9876543210")
    first = instance.start(Instances="2")
    try:
        assert eventually(lambda: list(instance.own.glob("here.start.*")) != [], within_seconds=10)
        clock.set_by(SET_BY_SECONDS)
        other = second.start(Instances="2").ended()
        ended = first.ended()
    finally:
        second.close()
    assert (ended.status, other.status) == (0, 0), (ended, other)
    # Else they would be an hour apart, by the file system's clock.
    assert abs(ended.workloads[0]["started"] - other.workloads[0]["started"]) < SET_BY_SECONDS / 2


@pytest.mark.whole
@pytest.mark.parametrize("said", ['result {"type":', "result ok 0 1 1 1", "result ok 0 a b c", "result", "joined"])
def test_a_tool_that_says_what_only_the_script_says_spoils_no_line(instance: BenchmarkInstance, said: str) -> None:
    instance.command("nice", f"#!/bin/bash\necho '{said}'\nexec /usr/bin/nice \"$@\"\n")
    ended = instance.run()
    assert all(isinstance(json.loads(line), dict) for line in ended.output.splitlines())
