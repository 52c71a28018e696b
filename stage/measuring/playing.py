"""How long `make demo` takes, and how fast simulated days pass."""

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from stage.measuring.promise import NotMeasured, PromisedValue
from stage.runs import played
from stage.sam_deployment import PROJECT
from stage.scenario import Expectations, Scenario
from stage.scenario_tables import MINUTES_PER_DAY
from tools import child_process

DAYS = 30
DEMO_DAYS = 3


def demo() -> PromisedValue:
    """The demo as a process of its own, from its start to its end, environments and package caches in place."""
    begun = time.perf_counter()
    done = child_process.run([sys.executable, "-m", "stage.demo"], cwd=PROJECT, captured=True)
    seconds = time.perf_counter() - begun
    # Whether it went as the scenario says is for the tests to judge; here it must have come to its end.
    if "deployment included" not in done.stdout:
        raise NotMeasured(f"make demo failed:\n{done.stdout}{done.stderr}")
    return PromisedValue(name="make demo, warm", value=round(seconds, 1), unit="s", limit=180)


def simulated_days(work_dir: Path) -> Iterator[PromisedValue]:
    """The demo's scenario for 30 days; its first three days are the demo's. Deploying is not part of the days."""
    scenario = Scenario.named("nightly-batch")
    nothing = Expectations(alarms=(), transitions=(), mails=())
    stopwatch = Stopwatch()
    with played(
        replace(scenario, minutes=DAYS * MINUTES_PER_DAY, expected=nothing), work_dir, minutes=stopwatch.over
    ) as result:
        if result.failures:
            raise NotMeasured(f"the scenario was not deployed:\n{result.failures[0].reason}")
    yield PromisedValue(
        name="the demo's three days",
        value=round(stopwatch.seconds_until(DEMO_DAYS * MINUTES_PER_DAY), 1),
        unit="s",
        limit=30,
    )
    whole = stopwatch.seconds_until(DAYS * MINUTES_PER_DAY) + stopwatch.first_seconds
    yield PromisedValue(name="a scenario of 30 days, deployed and played", value=round(whole, 1), unit="s", limit=180)


class Stopwatch:
    """Notes when each simulated minute is over; the first, in which the stack is deployed, is kept apart."""

    def __init__(self) -> None:
        self.first_seconds = 0.0
        self._over: list[float] = []

    def over(self, minutes: Iterable[int]) -> Iterator[int]:
        """Hands the minutes on and notes when each is over."""
        begun = time.perf_counter()
        for minute in minutes:
            if not self._over:
                self.first_seconds = time.perf_counter() - begun
            self._over.append(time.perf_counter())
            yield minute

    def seconds_until(self, minute: int) -> float:
        """Real seconds from the end of the first minute to the end of this one, counted from 1."""
        return self._over[minute - 1] - self._over[0]
