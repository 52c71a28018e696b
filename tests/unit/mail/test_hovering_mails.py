"""What a mail says of a balance that hovers about its alarm's threshold."""

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.hovering_mails import dips_before, rose_before

from tests.unit.incidents.test_hovering import HOURLY, ONCE, TWICE, below


@pytest.mark.parametrize(("situation", "times"), [(below(*ONCE), "once"), (below(*TWICE), "twice")])
def test_the_dips_before_are_counted_in_words(situation: Situation, times: str) -> None:
    told, *_ = dips_before(AlarmKind.CRITICAL, 60, situation)
    assert f"the balance fell below 60 minutes as fast {times} before, to 52 minutes at " in told
    each_time = "each time " if times == "twice" else ""
    assert told.endswith(f"at the least, and rose again {each_time}before the credits ended.")
    assert rose_before(60, situation).endswith(" before rose again")


def test_from_the_third_on_they_are_a_number() -> None:
    told, *_ = dips_before(AlarmKind.CRITICAL, 60, below(*HOURLY))
    assert "as fast 3 times before" in told
    assert rose_before(60, below(*HOURLY)) == "; 3 before rose again"


def test_of_a_balance_that_never_dipped_before_nothing_is_said() -> None:
    assert dips_before(AlarmKind.CRITICAL, 60, below()) == []
    assert rose_before(60, below()) == ""


def test_nor_in_the_subject_where_it_does_not_fall() -> None:
    assert rose_before(60, below(*TWICE, pace=0.0)) == ""
