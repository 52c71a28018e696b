"""What mails say of a size that earns far less than it did in the last day."""

from dataclasses import replace

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.mail.exhausted_mails import limited
from efs_monitor.mail.low_credits_mails import credits_low
from efs_monitor.mail.smaller_size import earns_far_less

from simulation.burst_credits import GIB
from tests.unit.incidents.simulated_metrics import lived
from tests.unit.mail.mail_cases import HERE

IDLE_DAY = 26 * 60


@pytest.mark.whole
@pytest.mark.parametrize(
    ("gib_then", "told"),
    [
        (400, "The size earned up to about 20 MiB/s in the last 24 hours, and earns 9.8 MiB/s now: of the same load"),
        # By a quarter it makes no incident; and larger than then is no reason at all.
        (250, ""),
        (200, ""),
        (100, ""),
    ],
)
def test_a_size_that_earned_half_as_much_again_is_told(gib_then: int, told: str) -> None:
    sizes = [gib_then * GIB] * (IDLE_DAY - 180) + [200 * GIB] * 180
    situation = lived([0.0] * IDLE_DAY, standard_bytes=sizes, left_share=0.3)
    assert earns_far_less(situation)[: len(told) or None] == told


def test_nothing_of_it_is_told_of_a_size_that_earns_next_to_nothing_all_day() -> None:
    assert earns_far_less(lived([0.0] * IDLE_DAY, standard_bytes=1)) == ""


@pytest.mark.whole
def test_a_mail_about_few_credits_or_none_tells_it_once() -> None:
    sizes = [400 * GIB] * (IDLE_DAY - 180) + [200 * GIB] * 180
    shrank = lived([15.0] * IDLE_DAY, standard_bytes=sizes, left_share=0.1)
    gone = replace(shrank, balances=tuple(one._replace(balance_bytes=0.0) for one in shrank.balances))
    for message in (credits_low(AlarmKind.WARNING, 180, shrank, HERE), limited(gone, HERE)):
        assert message.body.count("The size earned") == 1
