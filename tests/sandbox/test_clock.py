import time
from datetime import UTC, datetime, timedelta

import pytest

from sandbox.clock import START, SimulatedClock


def test_the_clock_starts_in_the_future_and_runs_on() -> None:
    with SimulatedClock() as clock:
        before = clock.now()
        time.sleep(0.002)
        assert START <= before < clock.now() < START + timedelta(seconds=5)


def test_a_moved_clock_stands_still_for_the_whole_process() -> None:
    moment = datetime(2030, 1, 7, 6, 30, tzinfo=UTC)
    with SimulatedClock() as clock:
        clock.move_to(moment)
        time.sleep(0.002)
        assert clock.now() == moment
        assert time.time() == moment.timestamp()


def test_a_clock_that_was_let_run_goes_on_from_where_it_stood() -> None:
    moment = datetime(2030, 1, 7, 6, 30, tzinfo=UTC)
    with SimulatedClock() as clock:
        clock.move_to(moment)
        clock.let_run()
        time.sleep(0.002)
        assert moment < clock.now() < moment + timedelta(seconds=5)


def test_the_clock_cannot_go_back() -> None:
    with SimulatedClock() as clock, pytest.raises(ValueError, match="cannot be moved back to 2030-01-06"):
        clock.move_to(START - timedelta(days=1))


def test_measuring_real_time_still_works() -> None:
    with SimulatedClock() as clock:
        started = time.monotonic()
        clock.move_to(START + timedelta(days=1))
        assert time.monotonic() - started < 10


def test_in_real_time_mode_nothing_is_patched_and_nothing_can_be_moved() -> None:
    real = datetime.now(UTC)
    with SimulatedClock(None) as clock:
        assert clock.now() - real < timedelta(seconds=10)
        with pytest.raises(RuntimeError, match="real-time mode"):
            clock.move_to(START)


def test_leaving_gives_the_real_time_back() -> None:
    with SimulatedClock():
        pass
    assert datetime.now(UTC) < START
