"""What the real script reports agrees with what the mount implies, at the corners; `make bench` has what is between."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from stage.measuring.calibration import Compared, dd_cell, settled, touch_cell

pytestmark = [pytest.mark.needs("FUSE"), pytest.mark.speed]


@pytest.mark.parametrize("latency_ms", [5, 50])
@pytest.mark.parametrize("bandwidth_mib_per_second", [10, 200])
def test_dd_reports_what_latency_and_bandwidth_imply(
    folder: Path, latency_ms: int, bandwidth_mib_per_second: int
) -> None:
    assert misses(lambda: dd_cell(folder, latency_ms / 1000, bandwidth_mib_per_second)) == []


@pytest.mark.parametrize("latency_ms", [5, 20, 50])
def test_touch_reports_what_its_latencies_imply(folder: Path, latency_ms: int) -> None:
    assert misses(lambda: touch_cell(folder, latency_ms / 1000)) == []


def misses(measure: Callable[[], Iterable[Compared]]) -> list[str]:
    """What was off in every try."""
    found = settled(measure, lambda one: not one.ok)
    return [f"{one.name}: {one.reported:.4g} instead of {one.implied:.4g}" for one in found if not one.ok]
