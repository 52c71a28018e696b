"""A limit that holds nobody down: more is there without credits than a small size earns."""

import pytest
from efs_monitor.efs.credits import GIB
from efs_monitor.incidents.needed_throughput import was_held_down, was_limited_at_work

from tests.unit.incidents.simulated_metrics import lived


@pytest.mark.parametrize(("wanted_mib", "is_held_down"), [(0.8, False), (1.2, True)])
def test_who_takes_less_than_is_there_at_zero_is_not_held_down(wanted_mib: float, is_held_down: bool) -> None:
    """5 GiB, which earn a quarter of the 1 MiB/s that is there."""
    situation = lived([wanted_mib] * 24 * 60, standard_bytes=5 * GIB, left_share=0.0)
    assert was_held_down(situation) is is_held_down
    assert was_limited_at_work(situation) is is_held_down
