"""What a mail says of a balance that hovers about its alarm's threshold."""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.exhausted_mails import limited
from efs_monitor.mail.hovering_mails import dips_before, nearly_gone_before, rose_before
from efs_monitor.mail.low_credits_mails import credits_low

from tests.unit.incidents.test_hovering import HOURLY, ONCE, TWICE, below
from tests.unit.mail.mail_cases import HERE
from tests.unit.notify.test_same_story import about_a_minutes_worth


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


def test_once_the_credits_are_gone_nothing_is_said_of_times_when_more_came_back() -> None:
    hovers = about_a_minutes_worth(3)
    gone = dataclasses.replace(hovers, permitted_bytes_per_second=hovers.baseline_bytes_per_second)
    for mail in (limited(gone, HERE), credits_low(AlarmKind.CRITICAL, 60, gone, HERE, timedelta(hours=4))):
        assert "rose again" not in mail.subject
        assert "came back" not in " ".join(mail.body.split())
    for mail in (limited(hovers, HERE), credits_low(AlarmKind.CRITICAL, 60, hovers, HERE, timedelta(hours=4))):
        assert "and more came back each time" in " ".join(mail.body.split())


def test_the_next_time_is_left_to_cloudwatch_as_long_as_nobody_was_limited() -> None:
    hovers = about_a_minutes_worth(3)
    since, until = hovers.time - 70 * MINUTE, hovers.time - 40 * MINUTE
    limited_then = tuple(
        (time, hovers.baseline_bytes_per_second if since < time < until else rate)
        for time, rate in hovers.permitted_of_the_day
    )
    assert len(nearly_gone_before(hovers)) == 2
    assert len(nearly_gone_before(dataclasses.replace(hovers, permitted_of_the_day=limited_then))) == 1


def test_of_a_single_time_before_it_is_not_said_that_more_came_back_each_time() -> None:
    told, *_ = nearly_gone_before(about_a_minutes_worth(1))
    assert "less than a minute's worth was left once before, " in told
    assert told.endswith(" at the least, and more came back.")
