"""What is left to CloudWatch's own messages where the last hours have told the same story in full."""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.falls_alike import falls_alike
from efs_monitor.incidents.mode_lock import seems_changed
from efs_monitor.incidents.situation import PastDay, Situation, seen_at
from efs_monitor.notify.same_story import (
    changes_left_out,
    end_needs_no_mail,
    exhausted_before,
    exhaustion_count,
    fall_needs_no_mail,
    has_outgrown_the_others,
    nearly_gone_needs_no_mail,
    next_dip_needs_no_mail,
    next_fall_needs_no_mail,
)

from tests.unit.incidents.earlier_days import MINUTE_BYTES
from tests.unit.incidents.test_falling_since import minute_by_minute
from tests.unit.incidents.test_falls_alike import falling
from tests.unit.mail.mail_cases import NEWEST, TIME, a_situation

MINUTE, STEP, HOUR, DAY = timedelta(minutes=1), timedelta(minutes=5), timedelta(hours=1), timedelta(days=1)
WARNING, CRITICAL, EXHAUSTED = AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED


def gone(*hours_ago: float, nearly: tuple[float, ...] = ()) -> Situation:
    """At zero for ten minutes, so many hours ago each time; or with half a minute's worth left, and not limited."""
    lowest = {TIME - one * HOUR: 0.0 for one in hours_ago} | {TIME - one * HOUR: MINUTE_BYTES / 2 for one in nearly}
    times = [NEWEST - age * STEP for age in range(300, 0, -1)]
    balances = tuple(
        BalancePoint(
            time=time,
            balance_bytes=next((left for end, left in lowest.items() if time < end <= time + 2 * STEP), 1e12),
        )
        for time in times
    )
    situation = a_situation(balance_gib=100, hour_ago_gib=90, activity=None)
    permitted = tuple((time, situation.reference_bytes_per_second) for time in times) if nearly else ()
    day = PastDay(back=DAY, balances=balances)
    return dataclasses.replace(situation, past_days=(day,), permitted_of_the_day=permitted)


@pytest.mark.parametrize(
    ("hours_ago", "times"), [((), 0), ((0.3,), 1), ((0.3, 19), 2), ((0.3, 21), 1), ((5, 9, 14), 3)]
)
def test_a_story_is_as_old_as_most_of_a_day(hours_ago: tuple[float, ...], times: int) -> None:
    assert exhaustion_count(gone(*hours_ago)) == times


def test_a_time_in_the_middle_of_which_metrics_were_missing_for_hours_is_one() -> None:
    hours = gone(*(1 + step / 12 for step in range(1, 60)))
    (day,) = hours.past_days
    known = tuple(one for one in day.balances if not TIME - 4 * HOUR <= one.time < TIME - 2 * HOUR)
    assert exhaustion_count(dataclasses.replace(hours, past_days=(dataclasses.replace(day, balances=known),))) == 1
    # Nor did one that goes on end before.
    lasting = gone(*(step / 12 for step in range(60)))
    (day,) = lasting.past_days
    known = tuple(one for one in day.balances if not TIME - 4 * HOUR <= one.time < TIME - 2 * HOUR)
    assert not exhausted_before(dataclasses.replace(lasting, past_days=(dataclasses.replace(day, balances=known),)))


@pytest.mark.parametrize("steps_at_zero", [0, 2])
def test_a_limit_that_was_lifted_a_quarter_of_an_hour_ago_was_one_though_less_than_a_minutes_worth_came_back_since(
    steps_at_zero: int,
) -> None:
    """The mail counts it, and so it says who tells of the next ones."""
    calm = gone()
    (day,) = calm.past_days
    left = [1e12] * (300 - 5 - steps_at_zero) + [0.0] * steps_at_zero + [MINUTE_BYTES / 2] * 3 + [1e12] * 2
    balances = tuple(one._replace(balance_bytes=now) for one, now in zip(day.balances, left, strict=True))
    permitted = tuple((one.time, calm.reference_bytes_per_second) for one in balances)
    lately = dataclasses.replace(
        calm, past_days=(dataclasses.replace(day, balances=balances),), permitted_of_the_day=permitted
    )
    assert exhausted_before(lately) is bool(steps_at_zero)


def test_a_third_fall_is_left_to_cloudwatch_and_a_second_is_not() -> None:
    assert not fall_needs_no_mail(gone(3))
    assert fall_needs_no_mail(gone(3, 8))


def back_at_zero(*hours_ago: float) -> Situation:
    """Elastic throughput, without a balance, until the first of them: there is nothing for ten minutes then."""
    situation = gone(*hours_ago)
    (day,) = situation.past_days
    left = TIME - hours_ago[0] * HOUR - 2 * STEP
    known = tuple(one for one in day.balances if one.time >= left)
    times = [left - age * STEP for age in range(180, -108, -1)]
    permitted = tuple((time, (1024.0 if time < known[0].time else 100.0) * 1024**2) for time in times)
    past = dataclasses.replace(day, balances=known)
    return dataclasses.replace(situation, past_days=(past,), permitted_of_the_day=permitted)


def test_what_was_at_zero_when_another_throughput_mode_was_left_is_no_fall_that_was_told() -> None:
    assert exhaustion_count(back_at_zero(8, 3)) == 2
    assert not fall_needs_no_mail(back_at_zero(8, 3))
    assert fall_needs_no_mail(back_at_zero(8, 5, 3))
    assert not end_needs_no_mail(EXHAUSTED, back_at_zero(8, 3))
    assert end_needs_no_mail(EXHAUSTED, back_at_zero(8, 5, 3))


def test_a_fall_like_three_that_ended_by_themselves_is_left_to_cloudwatch() -> None:
    assert fall_needs_no_mail(falling(60, 120, 180))
    assert not fall_needs_no_mail(falling(60, 120))


def test_not_where_a_batch_of_twice_the_length_would_end_the_credits() -> None:
    assert not fall_needs_no_mail(falling(60, 120, 180, top=17))


@pytest.mark.parametrize(("left", "is_left_to_cloudwatch"), [(30, False), (50, True)])
def test_not_where_pulses_that_each_end_by_themselves_soon_take_the_last(
    left: float, is_left_to_cloudwatch: bool
) -> None:
    """Each quarter of an hour four minutes at full speed: twelve of them take some 38 minutes' worth in three hours."""
    pulses = minute_by_minute([*[0.06] * 60, *[*[-0.95] * 4, *[0.06] * 11] * 8, *[-0.95] * 3], left)
    alike = falls_alike(pulses)
    assert alike is not None
    assert (alike.times, alike.spares_as_much) == (8, True)
    assert fall_needs_no_mail(pulses) is is_left_to_cloudwatch


@pytest.mark.parametrize(("minutes_later", "has_outgrown"), [(0, False), (1, False), (3, True), (15, True)])
def test_a_fall_that_goes_on_is_like_the_others_no_more(minutes_later: int, has_outgrown: bool) -> None:
    """Each of the others took eight minutes' worth; this one seven and a bit when nobody was told of it."""
    then = falling(60, 120, 180)
    newest = then.balances[-1]
    since = tuple(
        BalancePoint(time=newest.time + age * MINUTE, balance_bytes=newest.balance_bytes - 0.8 * age * MINUTE_BYTES)
        for age in range(1, minutes_later + 1)
    )
    now = dataclasses.replace(then, time=then.time + minutes_later * MINUTE, balances=(*then.balances, *since))
    assert has_outgrown_the_others(now, then.time) is has_outgrown


def test_a_fall_that_was_told_has_outgrown_nothing() -> None:
    assert not has_outgrown_the_others(falling(60, 120), falling(60, 120).time)


def with_an_end_a_week_ago(situation: Situation, hours_ahead: float) -> Situation:
    """A load of a week ago ended the credits within half an hour, from so many hours after this time of its day on."""
    start = situation.balances[-1].time - 7 * DAY
    balances = tuple(
        BalancePoint(time=start + age * STEP, balance_bytes=left * MINUTE_BYTES)
        for age in range(-12, 288)
        for left in [200 if age * STEP < hours_ahead * HOUR else max(0, 200 - 40 * (age - hours_ahead * 12))]
    )
    return dataclasses.replace(situation, past_days=(*situation.past_days, PastDay(back=7 * DAY, balances=balances)))


@pytest.mark.parametrize(("hours_ahead", "is_left_to_cloudwatch"), [(2, False), (4, True)])
def test_not_where_a_load_of_a_week_ago_soon_ends_the_credits(hours_ahead: float, is_left_to_cloudwatch: bool) -> None:
    assert fall_needs_no_mail(with_an_end_a_week_ago(falling(60, 120, 180), hours_ahead)) is is_left_to_cloudwatch
    hovers = with_an_end_a_week_ago(about_a_minutes_worth(3), hours_ahead)
    assert nearly_gone_needs_no_mail(hovers) is is_left_to_cloudwatch


def test_the_mail_that_tells_it_is_the_last_one_before() -> None:
    last = falls_alike(falling(60, 120))
    assert last is not None
    assert next_fall_needs_no_mail(last)
    assert not next_fall_needs_no_mail(last._replace(times=1))
    assert not next_fall_needs_no_mail(last._replace(spares_as_much=False))


def test_the_first_end_of_a_limit_is_told_and_the_second_is_not() -> None:
    assert not end_needs_no_mail(EXHAUSTED, gone(0.3))
    assert end_needs_no_mail(EXHAUSTED, gone(0.3, 8))


def test_the_first_end_of_a_limit_is_told_after_times_in_which_nothing_was_limited() -> None:
    assert not end_needs_no_mail(EXHAUSTED, gone(0.3, nearly=(8, 12)))
    assert end_needs_no_mail(EXHAUSTED, gone(0.3, 12, nearly=(8,)))
    assert end_needs_no_mail(EXHAUSTED, gone(nearly=(0.3, 8)))
    # The mail may have said that they were gone, which they were not.
    assert not end_needs_no_mail(EXHAUSTED, gone(8, nearly=(0.3,)))
    assert end_needs_no_mail(EXHAUSTED, gone(8, nearly=(0.3, 5)))


@pytest.mark.parametrize(
    ("pause_minutes", "ends", "is_told"),
    [(10, 2, False), (10, 3, True), (15, 2, True), (5, 3, False), (5, 6, False)],
)
def test_ends_in_close_succession_are_told_twice_since_by_five_minutes_they_may_be_one(
    pause_minutes: int, ends: int, is_told: bool
) -> None:
    """The alarm looks at minutes: it ends after a quarter of an hour, of which steps may show ten minutes."""
    apart_hours = (10 + pause_minutes) / 60
    assert end_needs_no_mail(EXHAUSTED, gone(*(0.3 + number * apart_hours for number in range(ends)))) is is_told


def test_the_end_of_critical_is_told_where_the_end_of_a_limit_was_not() -> None:
    assert not end_needs_no_mail(CRITICAL, gone())
    assert end_needs_no_mail(CRITICAL, gone(8))


def test_only_a_limit_of_its_own_time_has_told_of_the_end_of_critical() -> None:
    """A limit of before, such as one that a change of the mode ended, has a story of its own."""
    assert end_needs_no_mail(CRITICAL, gone(8), TIME - 9 * HOUR)
    assert not end_needs_no_mail(CRITICAL, gone(8), TIME - 7 * HOUR)
    assert end_needs_no_mail(EXHAUSTED, gone(0.3, 8), TIME - HOUR)
    assert not end_needs_no_mail(CRITICAL, gone(21), TIME - 30 * HOUR)


def test_the_end_of_an_alarm_of_before_another_throughput_mode_is_no_news() -> None:
    """Elastic until an hour ago: what was limited before it is limited no more since then."""
    permitted = tuple((NEWEST - age * STEP, (1024.0 if age > 12 else 100.0) * 1024**2) for age in range(288, 0, -1))
    back = dataclasses.replace(gone(), permitted_of_the_day=permitted)
    for kind in (CRITICAL, EXHAUSTED):
        assert end_needs_no_mail(kind, back, TIME - 30 * HOUR)
        assert not end_needs_no_mail(kind, back, TIME - HOUR / 2)
        assert not end_needs_no_mail(kind, back)
        assert not end_needs_no_mail(kind, gone(), TIME - 30 * HOUR)
    assert not end_needs_no_mail(WARNING, back, TIME - 30 * HOUR)


def test_the_end_of_warning_is_the_end_of_the_story() -> None:
    assert not end_needs_no_mail(WARNING, gone(0.3, 8, 12))


def test_an_end_that_the_newest_datapoints_do_not_show_yet_is_counted_with_the_ones_before() -> None:
    assert exhausted_before(gone(8))
    assert not exhausted_before(gone(22))
    # Just over, or still going on: this very one.
    assert not exhausted_before(gone(0.1))


def test_a_nightly_batch_is_told_each_night() -> None:
    assert not end_needs_no_mail(EXHAUSTED, gone(0.3, 22))


def test_without_the_last_day_everything_is_told() -> None:
    unknown = dataclasses.replace(gone(3, 8), past_days=())
    assert not fall_needs_no_mail(unknown)
    assert not end_needs_no_mail(CRITICAL, unknown)


def test_a_time_without_credits_is_of_the_story_until_twenty_hours_after_its_end() -> None:
    ended = gone(8).past_days[0].balances
    last_zero = max(one.time for one in ended if one.balance_bytes == 0) + STEP
    for later, is_of_it in ((-1, True), (0, False)):
        situation = dataclasses.replace(gone(8), time=last_zero + 20 * HOUR + later * MINUTE)
        assert (exhaustion_count(situation) == 1) is is_of_it
        assert exhausted_before(situation) is is_of_it


def test_the_next_dip_is_told_where_the_credits_were_gone() -> None:
    assert next_dip_needs_no_mail(gone())
    assert not next_dip_needs_no_mail(gone(5))


def test_an_alarm_that_went_off_with_the_change_of_the_mode_is_none_of_before() -> None:
    permitted = tuple((NEWEST - age * STEP, (1024.0 if age > 12 else 100.0) * 1024**2) for age in range(288, 0, -1))
    back = dataclasses.replace(gone(), permitted_of_the_day=permitted)
    changed = seems_changed(back)
    assert changed is not None
    assert [end_needs_no_mail(CRITICAL, back, changed - ago * MINUTE) for ago in (0, 1)] == [False, True]


def about_a_minutes_worth(
    times: int, *, low: float = 0.7, top: float = 1.6, pace: float = 0.03, left: float = 0.97
) -> Situation:
    """Half an hour down, half an hour up, so many times, at full speed for all that; and down again until so much of a
    minute's worth is left, by so much a minute.
    """
    fall = (top - low) / 30
    again = round((top - left) / pace)
    changes = [0.0] * 60 + [*[-fall] * 30, *[fall] * 30] * times + [-pace] * again
    situation = minute_by_minute(changes, left=top - pace * again)
    (day,) = situation.past_days
    permitted = tuple((one.time, situation.reference_bytes_per_second) for one in day.balances)
    return dataclasses.replace(situation, permitted_of_the_day=permitted)


def test_the_third_time_without_a_minutes_worth_of_which_some_was_left_each_time_is_told_and_the_fourth_is_not() -> (
    None
):
    assert [nearly_gone_needs_no_mail(about_a_minutes_worth(times)) for times in (0, 1, 2, 3)] == [
        False,
        False,
        True,
        True,
    ]


def test_of_those_before_the_stack_nobody_was_told() -> None:
    hovers = about_a_minutes_worth(3)
    assert nearly_gone_needs_no_mail(hovers, hovers.time - 4 * HOUR)
    assert not nearly_gone_needs_no_mail(hovers, hovers.time - 100 * MINUTE)


def test_one_that_falls_faster_or_is_twice_as_deep_is_told() -> None:
    assert nearly_gone_needs_no_mail(about_a_minutes_worth(3, pace=0.035))
    assert not nearly_gone_needs_no_mail(about_a_minutes_worth(3, pace=0.07))
    # Twice as deep a one leaves less than a second's worth.
    assert nearly_gone_needs_no_mail(about_a_minutes_worth(3, low=0.52))
    assert not nearly_gone_needs_no_mail(about_a_minutes_worth(3, low=0.5))


def test_one_that_has_ended_the_credits_or_may_have_by_now_is_told() -> None:
    hovers = about_a_minutes_worth(3)
    newest = hovers.balances[-1]
    assert not nearly_gone_needs_no_mail(
        dataclasses.replace(hovers, balances=(*hovers.balances[:-1], newest._replace(balance_bytes=0.0)))
    )
    limited = dataclasses.replace(hovers, permitted_bytes_per_second=hovers.baseline_bytes_per_second)
    assert not nearly_gone_needs_no_mail(limited)
    little = about_a_minutes_worth(3, left=0.46)
    by_now = [dataclasses.replace(little, time=little.time + minutes * MINUTE) for minutes in (14, 16)]
    assert [nearly_gone_needs_no_mail(one) for one in by_now] == [True, False]


def test_where_clients_were_limited_before_each_one_is_told() -> None:
    hovers = about_a_minutes_worth(3)
    limited = tuple(
        (
            time,
            hovers.baseline_bytes_per_second if hovers.time - 70 * MINUTE < time < hovers.time - 40 * MINUTE else rate,
        )
        for time, rate in hovers.permitted_of_the_day
    )
    assert not nearly_gone_needs_no_mail(dataclasses.replace(hovers, permitted_of_the_day=limited))


def test_a_rise_to_five_minutes_worth_ends_the_story_and_half_a_minute_more_does_not() -> None:
    assert nearly_gone_needs_no_mail(about_a_minutes_worth(3, top=4.9, pace=0.14))
    assert not nearly_gone_needs_no_mail(about_a_minutes_worth(3, top=5.8, pace=0.17))


def test_a_change_that_was_left_to_cloudwatch_is_known_later() -> None:
    again_and_again, once = about_a_minutes_worth(3), about_a_minutes_worth(0)
    for situation, left_out in ((again_and_again, {EXHAUSTED}), (once, set[AlarmKind]())):
        later = dataclasses.replace(situation, time=situation.time + 4 * MINUTE)
        assert changes_left_out(later, {EXHAUSTED: ("ALARM", situation.time)}) == left_out
    assert changes_left_out(once, {EXHAUSTED: ("OK", once.time)}) == set()
    nearly = gone(nearly=(3, 8))
    assert changes_left_out(nearly, {EXHAUSTED: ("OK", TIME)}) == {EXHAUSTED}
    # Where credits were gone, the mails of that were no longer ago than a repeat would be.
    assert changes_left_out(gone(3, 8), {EXHAUSTED: ("OK", TIME), AlarmKind.DRAINING: ("ALARM", TIME)}) == set()
    falls, draining = falling(60, 120, 180), AlarmKind.DRAINING
    assert changes_left_out(falls, {draining: ("ALARM", falls.time)}) == {draining}
    assert changes_left_out(falls, {draining: ("OK", falls.time)}) == set()
    assert changes_left_out(falling(60, 120), {draining: ("ALARM", falls.time)}) == set()
    assert changes_left_out(falls, {draining: ("ALARM", falls.time - 30 * DAY)}) == set()


def test_a_moment_is_seen_with_what_was_known_of_balances_and_rates_by_then() -> None:
    hovers = about_a_minutes_worth(3)
    limited = tuple((time, rate / (1 + (time > hovers.time - HOUR))) for time, rate in hovers.permitted_of_the_day)
    now = dataclasses.replace(hovers, permitted_of_the_day=limited, permitted_bytes_per_second=limited[-1][1])
    then = seen_at(now, now.time - 70 * MINUTE)
    assert then is not None
    assert then.balances_of_the_day[-1].time <= then.time
    assert then.permitted_of_the_day[-1][0] <= then.time
    assert then.permitted_bytes_per_second == 2 * now.permitted_bytes_per_second
    same = seen_at(now, now.time)
    assert same is not None
    assert same.permitted_bytes_per_second == now.permitted_bytes_per_second
