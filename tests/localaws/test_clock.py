"""The sandbox's clock: simulated for the whole process, or the real one."""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from localaws.clock import START, SimulatedClock


def test_the_clock_starts_in_the_future_and_runs_on() -> None:
    with SimulatedClock() as clock:
        before = clock.now()
        time.sleep(0.002)
        assert START <= before < clock.now() < START + timedelta(hours=1)


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
        assert moment < clock.now() < moment + timedelta(hours=1)


def test_the_clock_cannot_go_back() -> None:
    with SimulatedClock() as clock, pytest.raises(ValueError, match="cannot be moved back to 2030-01-06"):
        clock.move_to(START - timedelta(days=1))


def test_measuring_real_time_still_works() -> None:
    with SimulatedClock() as clock:
        started = time.monotonic()
        clock.move_to(START + timedelta(days=1))
        assert 0 <= time.monotonic() - started < timedelta(hours=1).total_seconds()


def test_in_real_time_mode_nothing_is_patched_and_nothing_can_be_moved(tmp_path: Path) -> None:
    with SimulatedClock(None) as clock:
        assert abs(clock.now() - kernels_time(tmp_path)) < timedelta(hours=1)
        with pytest.raises(RuntimeError, match="real-time mode"):
            clock.move_to(START)


def test_leaving_gives_the_real_time_back(tmp_path: Path) -> None:
    with SimulatedClock():
        pass
    assert abs(datetime.now(UTC) - kernels_time(tmp_path)) < timedelta(hours=1)


def kernels_time(folder: Path) -> datetime:
    """Now, as nobody in this process can simulate it."""
    (folder / "now").touch()
    return datetime.fromtimestamp((folder / "now").stat().st_mtime, UTC)


def test_a_start_that_is_broken_off_gives_the_real_time_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(clock: SimulatedClock) -> datetime:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SimulatedClock, "now", interrupted)
        with pytest.raises(KeyboardInterrupt):
            SimulatedClock().__enter__()
    assert abs(datetime.now(UTC) - kernels_time(tmp_path)) < timedelta(hours=1)


def test_leaving_is_no_error_where_the_zone_of_the_start_is_gone(tmp_path: Path) -> None:
    before = os.environ.get("TZ")
    with SimulatedClock():
        del os.environ["TZ"]
    assert os.environ.get("TZ") == before
    assert abs(datetime.now(UTC) - kernels_time(tmp_path)) < timedelta(hours=1)
