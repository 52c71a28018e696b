"""What a mail says of a balance that hovers about its alarm's threshold."""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.hovering import hovering
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.exhausted_mails import limited
from efs_monitor.mail.hovering_mails import dips_before, nearly_gone_before, rose_before
from efs_monitor.mail.low_credits_mails import credits_low
from efs_monitor.notify.same_story import nearly_gone_needs_no_mail

from tests.unit.incidents.test_falling_since import minute_by_minute
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


def quick_dips(*, pace: float, late_minutes: int) -> Situation:
    """Down to 0.6 minutes' worth by so much in each of twelve minutes, and slowly up again, three times; then from 1.6
    by a quarter of one in each of three minutes.
    """
    depth = 12 * pace
    changes = [0.0] * 60 + [*[-pace] * 12, *[0.0] * 10, *[depth / 38] * 38] * 3
    changes += [*[(1.0 - depth) / 10] * 10, *[-0.25] * 3]
    situation = minute_by_minute(changes, left=0.85)
    (day,) = situation.past_days
    permitted = tuple((one.time, situation.reference_bytes_per_second) for one in day.balances)
    time = situation.balances[-1].time + late_minutes * MINUTE
    return dataclasses.replace(situation, permitted_of_the_day=permitted, time=time)


@pytest.mark.parametrize(("late_minutes", "may_be_gone"), [(3, False), (4, True)])
def test_where_the_newest_minute_has_taken_the_rest_by_now_nothing_is_said_of_times_when_more_came_back(
    late_minutes: int, may_be_gone: bool
) -> None:
    """Of 0.85 minutes' worth a quarter was taken in it: they are gone in three minutes and a half."""
    hovers = quick_dips(pace=0.22, late_minutes=late_minutes)
    assert (nearly_gone_before(hovers) == []) is may_be_gone
    assert nearly_gone_needs_no_mail(hovers) is not may_be_gone


@pytest.mark.parametrize(("pace", "was_told"), [(0.33, True), (0.34, False)])
def test_a_dip_that_took_all_within_the_minutes_that_metrics_are_late_had_a_mail_without_the_promise(
    pace: float, was_told: bool
) -> None:
    """A third of a minute's worth in each of three minutes is all of it."""
    hovers = quick_dips(pace=pace, late_minutes=3)
    found = hovering(hovers, hovers.minute_bytes)
    assert found is not None
    assert found.was_told is was_told


def test_of_credits_that_may_be_gone_it_is_said_that_some_was_left_each_time_before() -> None:
    hovers = quick_dips(pace=0.22, late_minutes=2)
    gone_by_now = dataclasses.replace(hovers, time=hovers.time + 30 * MINUTE)
    assert gone_by_now.ran_out is not None
    told = " ".join(limited(gone_by_now, HERE).body.split())
    assert (
        "less than a minute's worth was left 3 times before, 3.5 GiB at the least, and nothing was limited."
    ) in told


def test_nor_that_where_clients_were_limited_in_one_of_them() -> None:
    hovers = quick_dips(pace=0.22, late_minutes=32)
    since, until = hovers.time - 130 * MINUTE, hovers.time - 60 * MINUTE
    limited_then = tuple(
        (time, hovers.baseline_bytes_per_second if since < time < until else rate)
        for time, rate in hovers.permitted_of_the_day
    )
    mail = limited(dataclasses.replace(hovers, permitted_of_the_day=limited_then), HERE)
    assert "nothing was limited" not in " ".join(mail.body.split())
