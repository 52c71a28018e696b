"""The sentences about the coming day, each as a whole, and from which value on another one is told."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import MIB, TIB
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.recurring_load import worst_recurring_load
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation, Work
from efs_monitor.incidents.sooner_end import comes_before_the_end
from efs_monitor.mail.coming_day import (
    coming_and_time_to_act,
    is_told_what_comes,
    leaves_time,
    nothing_comes_back,
    what_comes_back,
)
from efs_monitor.mail.exhausted_mails import limit_lifted
from efs_monitor.mail.load_that_comes_again import comes_back
from efs_monitor.mail.low_credits_mails import credits_low, not_low
from efs_monitor.mail.recovered_mails import recovered

from tests.unit.incidents.earlier_days import (
    A_WEEK,
    BATCH,
    EARNED,
    FULL,
    MINUTE_BYTES,
    POINTS_OF_THE_HOUR_BEFORE,
    a_day,
    a_life,
    now_with,
)
from tests.unit.incidents.earlier_days import rising_to as idle_and_rising_to
from tests.unit.incidents.simulated_metrics import lived
from tests.unit.incidents.test_held_down import after, at_the_limit
from tests.unit.incidents.test_unlimited_load import a_load, elastic_until
from tests.unit.mail.mail_cases import HERE
from tests.unit.strategies import NOW, provisioned

# An hour's worth in an hour, an hour after this time of day; flat else.
AN_HOUR_LATER = a_day(a_life(200, (24, 0.0), (12, -5.0), (250, 0.0)))
A_BATCH = "Yesterday the credits fell from about 13:05 UTC to 14:05 UTC, by about 352 GiB."
UNMET = "how much more they wanted is in no metric."


def without(day: PastDay, first: int, until: int) -> PastDay:
    """The day without these of its points."""
    return replace(day, balances=day.balances[:first] + day.balances[until:])


def ending_in(minutes: float, situation: Situation) -> Situation:
    """Its balance falls by a MiB/s, and ends in so many minutes at that pace."""
    balances = tuple(
        BalancePoint(time=NOW - back * STEP, balance_bytes=(minutes * 60 + back * 300) * MIB)
        for back in range(12, -1, -1)
    )
    return replace(situation, balances=balances)


@pytest.mark.parametrize(
    ("minutes", "told"),
    [
        (60.5, "If that load comes again, they are gone at about 14:04 UTC."),
        (61, "If that load comes again, 1 minute is left at 14:05 UTC."),
        (61.9, "If that load comes again, 1 minute is left at 14:05 UTC."),
        (62, "If that load comes again, 2 minutes are left at 14:05 UTC."),
        (100, "If that load comes again, 40 minutes are left at 14:05 UTC."),
    ],
)
def test_what_a_load_leaves_is_told_in_full_minutes(minutes: float, told: str) -> None:
    """It takes an hour's worth."""
    assert what_comes_back(now_with(minutes, AN_HOUR_LATER), 60) == f"{A_BATCH} {told}"


@pytest.mark.parametrize(
    ("minutes", "minutes_late", "told"),
    [
        (100, 124, "If that load comes again, 40 minutes are left at 14:05 UTC."),
        (100, 125, "If that load came again, 40 minutes were left at 14:05 UTC."),
        (62, 200, "If that load came again, 2 minutes were left at 14:05 UTC."),
        (61, 200, "If that load came again, 1 minute was left at 14:05 UTC."),
        (20, 70, "If that load comes again, they are gone at about 13:24 UTC."),
    ],
)
def test_what_a_load_has_left_by_now_is_told_as_past(minutes: float, minutes_late: int, told: str) -> None:
    """Metrics are late, and no datapoint shows it yet."""
    late = replace(now_with(minutes, AN_HOUR_LATER), time=NOW + timedelta(minutes=minutes_late))
    assert what_comes_back(late, 60) == f"{A_BATCH} {told}"


def rising_by(change: float, minutes: float, day: PastDay) -> Situation:
    """So much left at the moment, after an hour in which each five minutes brought so much."""
    balances = tuple(
        BalancePoint(time=NOW - ago * STEP, balance_bytes=(minutes - ago * change) * MINUTE_BYTES)
        for ago in range(12, -1, -1)
    )
    return replace(now_with(minutes, day), balances=balances)


# It begins 48 points from now, after hours in which all that was earned came in.
AFTER_IDLE_HOURS = a_day(a_life(200, (60, EARNED), (12, -5.0), (214, 0.0)))
# So much less a point leaves as little less as counts: five minutes.
LESS = 5 / 48
LESS_LOAD = "This reckons with less load than now until then, as on that day: if the load of now goes on,"


@pytest.mark.parametrize(
    ("change", "minutes", "told"),
    [
        (EARNED - LESS - 0.001, 20, f"{LESS_LOAD} the credits are gone sooner."),
        (EARNED - LESS - 0.001, 100, f"{LESS_LOAD} less is left."),
        (EARNED - LESS + 0.001, 20, None),
        (0.0, 20, f"{LESS_LOAD} the credits are gone sooner."),
        # A balance that falls has a pace of its own.
        (-0.01, 20, None),
    ],
)
def test_a_load_of_now_that_was_not_there_before_the_one_that_comes_leaves_it_less(
    change: float, minutes: float, told: str | None
) -> None:
    found = what_comes_back(rising_by(change, minutes, AFTER_IDLE_HOURS), 90)
    assert "If that load comes again" in found
    assert found[found.find(LESS_LOAD) :] == told if told else LESS_LOAD not in found


def test_it_is_there_only_if_the_balance_rises_less_in_the_last_minutes_and_in_the_hour() -> None:
    """Somebody's pause of now may be over in a minute, and a load of half an hour ago is."""
    rises = rising_by(EARNED, 20, AFTER_IDLE_HOURS).balances
    began = (*rises[:-4], *(rises[-4]._replace(time=one.time) for one in rises[-4:]))
    is_over = (*(rises[-4]._replace(time=one.time) for one in rises[:-4]), *rises[-4:])
    for balances in (began, is_over):
        assert LESS_LOAD not in what_comes_back(replace(now_with(20, AFTER_IDLE_HOURS), balances=balances), 90)


def test_it_changes_nothing_where_the_bucket_fills_before_the_other_load_comes() -> None:
    rise = EARNED - LESS - 0.001
    almost_full = 48 * rise + 5
    for short, is_told in ((almost_full - 0.1, False), (almost_full + 0.1, True)):
        found = what_comes_back(rising_by(rise, FULL - short, AFTER_IDLE_HOURS), round(FULL))
        assert (LESS_LOAD in found) is is_told


@pytest.mark.parametrize(("rise", "is_told"), [(EARNED - LESS - 0.001, True), (EARNED - LESS + 0.001, False)])
def test_of_several_loads_the_first_one_that_comes_tells_how_much_less_there_is(rise: float, is_told: bool) -> None:
    day = a_day(a_life(200, (60, EARNED), (4, -5.0), (24, EARNED), (12, -5.0), (186, 0.0)))
    found = what_comes_back(rising_by(rise, 70, day), 90)
    assert "If that load comes again, like those before it" in found
    assert (LESS_LOAD in found) is is_told


def test_of_a_load_that_may_have_come_since_the_newest_datapoint_nobody_can_say_what_goes_on() -> None:
    late = replace(rising_by(0.0, 80, AFTER_IDLE_HOURS), time=NOW + timedelta(hours=6))
    assert "If that load came again" in what_comes_back(late, 90)
    assert LESS_LOAD not in what_comes_back(late, 90)


def test_a_bucket_that_was_full_before_the_load_is_reckoned_to_earn_now() -> None:
    full = a_day(a_life(FULL, (60, EARNED), (12, -5.0), (214, 0.0)))
    idle = [Work(one.time, metered_bytes=0.0) for one in full.balances[:61]]
    batch = [Work(one.time, metered_bytes=(5 + EARNED) * MINUTE_BYTES) for one in full.balances[61:73]]
    for rise, is_told in ((EARNED - LESS - 0.01, True), (EARNED, False)):
        found = what_comes_back(replace(rising_by(rise, 20, full), last_day=(*idle, *batch)), 90)
        assert "If that load comes again" in found
        assert (LESS_LOAD in found) is is_told


@pytest.mark.parametrize(("now", "leaves"), [(100, "40 minutes"), (79, "19 minutes"), (61.2, "1 minute")])
def test_a_load_that_leaves_next_to_nothing_is_named_beside_the_later_one_that_ends_the_credits(
    now: float, leaves: str
) -> None:
    """Who waits for the end that comes later would sleep through it."""
    twice = a_day(a_life(200, (24, 0.0), (12, -5.0), (24, 0.0), (12, -5.0), (228, 0.0)))
    found = what_comes_back(now_with(now, twice), 60)
    assert "like those before it, they are gone at about" in found
    said = f"Of those before it, the one from about 13:05 UTC on leaves {leaves} at 14:05 UTC."
    assert (said in found) is (leaves != "40 minutes")


@pytest.mark.parametrize(("now", "comes_first", "until"), [(79, True, "13:45"), (84, False, "")])
def test_the_time_to_act_ends_before_what_leaves_next_to_nothing(now: float, comes_first: bool, until: str) -> None:
    """At the pace of now they last for five hours, as long as until the end that is told. Of 19 minutes' worth at 14:05
    any load may take the rest.
    """
    twice = a_day(a_life(200, (24, 0.0), (12, -5.0), (24, 0.0), (12, -5.0), (228, 0.0)))
    falling = tuple(
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=(now + now / 300 * age) * MINUTE_BYTES)
        for age in range(60, -1, -1)
    )
    situation = replace(now_with(now, twice), balances=falling)
    assert comes_before_the_end(situation) is comes_first
    mail = " ".join(credits_low(AlarmKind.WARNING, 180, situation, HERE).body.split())
    assert (f"There is time for that until {until} UTC if the load above comes again" in mail) is comes_first


@pytest.mark.parametrize(
    ("left_minutes", "may_take_more", "may_take_less", "leaves"),
    [
        (19, True, False, "no more than 19 minutes"),
        (19, False, True, "at least 19 minutes"),
        (19, True, True, "19 minutes"),
        (0.5, True, False, "less than a minute"),
    ],
)
def test_what_it_leaves_is_a_bound_where_it_may_take_more_or_less(
    left_minutes: float, may_take_more: bool, may_take_less: bool, leaves: str
) -> None:
    now = now_with(79, a_day(a_life(200, (24, 0.0), (12, -5.0), (24, 0.0), (12, -5.0), (228, 0.0))))
    recurring = worst_recurring_load(now)
    assert recurring is not None
    assert recurring.low_before is not None
    low = replace(
        recurring.low_before,
        left_bytes=left_minutes * MINUTE_BYTES,
        may_take_more=may_take_more,
        may_take_less=may_take_less,
    )
    assert f"on leaves {leaves} at 14:05 UTC." in comes_back(replace(recurring, low_before=low), now)
    assert comes_back(replace(recurring, low_before=None), now).endswith("they are gone at about 16:23 UTC.")


@pytest.mark.parametrize(("lead_minutes", "is_told"), [(39, False), (40, False), (41, True)])
def test_a_load_that_leaves_just_the_lead_time_sets_off_no_alarm_and_is_not_told(
    lead_minutes: int, is_told: bool
) -> None:
    assert bool(what_comes_back(now_with(100, AN_HOUR_LATER), lead_minutes)) is is_told


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (0, "16:44 UTC. The balance fell more than once in the last 24 hours:"),
        (
            20,
            "16:45 UTC. CloudWatch has not the whole of the last day, and the balance fell more than once in it:",
        ),
    ],
)
def test_after_several_falls_the_next_one_may_come_at_any_hour(first: int, told: str) -> None:
    twice = a_day(a_life(200, (24, 0.0), (12, -5.0), (24, 0.0), (12, -5.0), (228, 0.0)))
    now = now_with(100, replace(twice, balances=twice.balances[first:]))
    assert what_comes_back(now, 60) == (
        f"Yesterday the credits fell from about 16:05 UTC to 17:05 UTC, by about 352 GiB. If that load comes again, "
        f"like those before it, they are gone at about {told} the next fall may come at any hour."
    )


@pytest.mark.parametrize(
    ("minutes_ago", "told"),
    [
        ((0, 30), "The credits were gone more than once in the last hour, and may be so again within minutes."),
        ((0, 100), "The credits were gone more than once in the last four hours, and may be so again at any time."),
    ],
)
def test_credits_that_are_gone_again_and_again_are_all_that_is_told_of_what_comes(
    minutes_ago: tuple[int, int], told: str
) -> None:
    """Now and so many minutes ago, for a minute each."""
    points = tuple(
        BalancePoint(time=NOW - timedelta(minutes=age), balance_bytes=0.0 if age in minutes_ago else MINUTE_BYTES)
        for age in range(240, -1, -1)
    )
    now = replace(now_with(0, AN_HOUR_LATER), balances=points[-61:], earlier_balances=points[:-61])
    assert what_comes_back(now, 60) == told


IN_A_RHYTHM = "if that goes on, they are so again at about 12:30 UTC."


@pytest.mark.parametrize(
    ("minutes_ago", "told"),
    [
        ((20, 70, 120, 170), f"4 times in the last four hours, about every 50 min: {IN_A_RHYTHM}"),
        ((30, 100, 150), f"3 times in the last four hours, about every 1 h: {IN_A_RHYTHM}"),
        ((20, 120, 170), "more than once in the last four hours, and may be so again at any time."),
        ((20, 90), "more than once in the last four hours, and may be so again at any time."),
    ],
    ids=["each 50 minutes", "in 50 and 70", "in 50 and 100", "twice"],
)
def test_credits_that_are_gone_in_a_rhythm_are_told_with_the_next_time(minutes_ago: tuple[int, ...], told: str) -> None:
    points = tuple(
        BalancePoint(time=NOW - timedelta(minutes=age), balance_bytes=0.0 if age in minutes_ago else MINUTE_BYTES)
        for age in range(240, -1, -1)
    )
    now = replace(now_with(1, AN_HOUR_LATER), balances=points[-61:], earlier_balances=points[:-61])
    assert what_comes_back(now, 60) == f"The credits were gone {told}"


def test_of_a_day_of_which_too_little_is_known_nobody_knows_what_comes_back() -> None:
    calm = a_day([100.0] * 301)
    assert what_comes_back(now_with(100, replace(calm, balances=calm.balances[:60])), 60) == (
        "Whether the load comes back is not known: CloudWatch has too little of the last day."
    )


def test_of_a_calm_day_that_is_known_in_part_the_rest_may_have_had_a_fall() -> None:
    calm = a_day([100.0] * 301)
    assert what_comes_back(now_with(100, replace(calm, balances=calm.balances[60:])), 60) == (
        "CloudWatch has not the whole of the last day: the next fall may come at any hour."
    )


@pytest.mark.parametrize(
    ("hours", "told"),
    [
        (1, "Yesterday the credits fell from about 13:05 UTC to 14:05 UTC, by about 352 GiB."),
        (11, "Yesterday the credits fell from about 23:05 UTC to 00:05 UTC, by about 352 GiB."),
        (13, "Today the credits fell from about 01:05 UTC to 02:05 UTC, by about 352 GiB."),
    ],
)
def test_what_came_in_the_last_day_was_yesterday_or_today_by_the_calendar(hours: int, told: str) -> None:
    batch = a_day(a_life(200, (12 + 12 * hours, 0.0), (12, -5.0), (276 - 12 * hours, 0.0)))
    assert what_comes_back(now_with(100, batch), 60).startswith(f"{told} If that load comes again, 40 minutes are left")


def test_a_load_of_a_week_ago_is_told_as_that_and_the_last_day_as_not_known() -> None:
    week = now_with(20, a_day(a_life(200, *BATCH), A_WEEK))
    assert what_comes_back(week, 60) == (
        "A week ago the credits fell from about 14:05 UTC to 15:05 UTC, by about 353 GiB. If that load comes again, "
        "they are gone at about 14:29 UTC. CloudWatch has not the whole of the last day: the next fall may come at any "
        "hour."
    )


@pytest.mark.parametrize(
    ("points_after", "on", "less"), [(0, ", and on after that", ", and less after that"), (1, "", "")]
)
def test_a_load_of_a_week_ago_that_goes_beyond_the_coming_day_is_not_told_as_ended(
    points_after: int, on: str, less: str
) -> None:
    week = now_with(150, a_day(a_life(200, (271 - points_after, 0.0), (29, -3.0), (points_after, 0.0)), A_WEEK))
    told = what_comes_back(week, 120)
    ended = f"{NOW + (1 - points_after) * STEP:%H:%M} UTC"
    assert f" UTC to {ended}, by about 510 GiB{on}. If that load comes again, 63 minutes are left at" in told
    assert f"{ended} on Tue 8 Jan{less}. CloudWatch" in told


@pytest.mark.parametrize("cut_hours", [None, 2, 6])
def test_a_fall_that_began_with_more_than_fits_into_the_bucket_of_now_began_before_it_shows(
    cut_hours: int | None,
) -> None:
    """Up to the cut there is as much as fits in every five minutes, whatever a load took of the rest."""
    day = a_day(a_life(200, (12 + 12 * 4, 0.0), (12, -5.0), (228, EARNED)))
    cut = None if cut_hours is None else NOW - AHEAD + timedelta(hours=cut_hours)
    told = what_comes_back(now_with(100, replace(day, cut=cut)), 60)
    began, lost = ("before 16:05", "351 GiB or more") if cut_hours == 6 else ("about 16:05", "about 352 GiB")
    assert told.startswith(f"Yesterday the credits fell from {began} UTC to 17:05 UTC, by {lost}. ")


@pytest.mark.parametrize(
    ("unknown", "told"),
    [
        ((36, 36), "from about 14:05 UTC, and were gone at about 14:40 UTC."),
        ((37, 38), "from some time between 14:05 UTC and 14:10 UTC, and were gone at about 14:40 UTC."),
        # No end before the one that is told, of which no more is known than that.
        ((38, 70), "from about 14:05 UTC, and were gone at some time between 14:10 UTC and 16:50 UTC."),
    ],
)
def test_when_credits_were_gone_is_told_as_far_as_it_is_known(unknown: tuple[int, int], told: str) -> None:
    """40 minutes' worth were taken in as many, and nothing was left for two hours and a half."""
    day = without(a_day(a_life(40, (36, 0.0), (8, -5.0), (30, 0.0), (226, EARNED))), *unknown)
    assert what_comes_back(now_with(150, day), 180).startswith(f"Yesterday the credits fell {told} If that load ")


@pytest.mark.parametrize(
    ("unknown", "lost", "left", "seen_until", "perhaps"),
    [
        ((50, 59), "about 353 GiB", "95", "15:05 UTC", ""),
        ((49, 59), "352 GiB or more", "at most 96", "15:05 UTC", ", and perhaps less until 15:55 UTC"),
        ((48, 59), "323 GiB or more", "at most 101", "15:00 UTC", ", and perhaps less until 15:55 UTC"),
    ],
)
def test_a_load_amid_which_metrics_go_missing_may_have_taken_more(
    unknown: tuple[int, int], lost: str, left: str, seen_until: str, perhaps: str
) -> None:
    """An hour's worth in an hour: its last step is followed by missing ones, or is one of them. When they are there
    again more may be left than at the last that was seen: for that moment nothing is promised.
    """
    day = without(a_day(a_life(200, *BATCH)), *unknown)
    ended = f"some time between {seen_until} and 15:55 UTC" if perhaps else seen_until
    assert what_comes_back(now_with(150, day), 180).startswith(
        f"Yesterday the credits fell from about 14:05 UTC to {ended}, by {lost}. If that load comes again, {left} "
        f"minutes are left at {seen_until}{perhaps}."
    )


def test_credits_that_may_have_ended_and_come_back_in_missing_minutes_were_gone_at_the_latest() -> None:
    """Of five hours nothing is known: 40 minutes' worth may have been taken in one, and ten earned again in four."""
    day = without(a_day([*[40.0] * 37, *[10.0] * 60, 5.0, *[0.0] * 12, *[10.0] * 180]), 37, 96)
    assert what_comes_back(now_with(150, day), 180).startswith(
        "Yesterday the credits fell from some time between 14:05 UTC and 19:00 UTC, and were gone at about 19:10 UTC "
        "at the latest. If that load "
    )


@pytest.mark.parametrize(
    ("missing", "told"), [(8, "are gone at about "), (9, "may be gone at any time from 14:05 UTC on.")]
)
def test_of_a_load_that_began_in_half_an_hour_of_missing_metrics_the_end_is_told_and_of_a_longer_one_from_when_on(
    missing: int, told: str
) -> None:
    day = without(a_day(a_life(60, (36, 0.0), (12, -5.0), (252, 0.2))), 37, 36 + missing - 1)
    assert f"If that load comes again, they {told}" in what_comes_back(now_with(40, day), 60)


@pytest.mark.parametrize(
    ("points", "told"),
    [
        (300, "Today the credits began to fall at about 09:05 UTC, and have lost about 103 GiB so far."),
        (299, "Today the credits fell from about 09:05 UTC to 11:55 UTC, by about 100 GiB."),
    ],
)
def test_a_fall_goes_on_where_its_lowest_five_minutes_end_with_the_newest_datapoint(points: int, told: str) -> None:
    day = a_day(a_life(120, (300 - 36, 0.0), (36, -0.5))[:points])
    falling = tuple(BalancePoint(time=NOW - b * STEP, balance_bytes=(102 + b / 2) * MINUTE_BYTES) for b in range(12))
    now = replace(now_with(102, day), balances=tuple(reversed(falling)))
    assert what_comes_back(now, 180).startswith(f"{told} If that load ")


@pytest.mark.parametrize(("points", "told"), [(60, "30 minutes are left at 05:35"), (70, "at most 35 minutes are")])
def test_more_than_now_is_left_at_the_most_while_the_balance_falls_and_as_much_is_left(points: int, told: str) -> None:
    """It rose until the load, by as much as that took, or by more."""
    rise = a_day(a_life(20, (156, 0.0), (points, 0.5), (6, -5.0), (138 - points, 0.0)))
    falls = tuple(BalancePoint(time=NOW - b * STEP, balance_bytes=(30 + b) * MINUTE_BYTES) for b in range(12, -1, -1))
    assert f"If that load comes again, {told}" in what_comes_back(replace(now_with(30, rise), balances=falls), 60)


@pytest.mark.parametrize(
    ("first", "when", "again"),
    [
        (
            0,
            "From more than a day ago until about 15:00 UTC on Sun 6 Jan",
            "That load may come again at any hour.",
        ),
        (
            24,
            "Yesterday from about 14:00 UTC to 15:00 UTC",
            "If that load comes again, it spends credits from about 14:00 UTC on.",
        ),
    ],
)
def test_a_load_without_credits_is_told_with_what_it_got(first: int, when: str, again: str) -> None:
    assert what_comes_back(after(at_the_limit(first, 36)), 60) == (
        f"{when} clients took all of the 5.0 MiB/s that were there without credits: {UNMET} {again}"
    )


def test_a_load_without_credits_that_had_taken_them_before_this_time_of_day_may_come_at_any_hour() -> None:
    fallen = a_day(a_life(168, (84, -2.0), (130, 0.0), (74, EARNED)))
    assert what_comes_back(replace(after(at_the_limit(72, 202)), past_days=(fallen,)), 60) == (
        f"Yesterday from about 18:00 UTC to 04:50 UTC clients took all of the 5.0 MiB/s that were there without "
        f"credits: {UNMET} That load had taken credits since more than a day ago, and may come again at any hour."
    )


def test_a_load_without_credits_that_another_mode_had_let_through_spends_them_from_when_it_had_begun() -> None:
    """Two hours of elastic throughput, in the last of which it had begun: what it took then needs few credits."""
    rates = [5000.0] * 24 + [5.0] * 176
    permitted = tuple((NOW - AHEAD + index * STEP, rate * MIB) for index, rate in enumerate(rates))
    now = replace(after(a_load(12, 24, 6) | at_the_limit(24, 48)), permitted_of_the_day=permitted)
    assert what_comes_back(now, 20) == (
        f"Yesterday from about 14:00 UTC to 16:00 UTC clients took all of the 5.0 MiB/s that were there without "
        f"credits: {UNMET} It had begun at about 13:00 UTC, in another throughput mode. If that load comes again, it "
        f"spends credits from about 13:00 UTC on."
    )


def held_at_a_rate(minute: int) -> Situation:
    """20 MiB/s were provisioned for an hour of the last day, in which clients wanted more; nothing moved else."""
    before, since = [0.0] * (60 + minute), [0.0] * (1380 - minute)
    rates = [None] * len(before) + [20.0] * 60 + [None] * len(since)
    return lived([*before, *[300.0] * 60, *since], standard_bytes=100 * 2**30, rates_mib=rates, left_share=0.9)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("minutes_late", "again"),
    [
        (0, " If that load comes again, it spends credits from about 22:00 UTC on."),
        (600, " If that load comes again, it spends credits from about 22:00 UTC on."),
        (605, ""),
    ],
)
def test_a_load_that_a_provisioned_rate_held_down_is_told_and_when_it_comes_until_that_is_over(
    minutes_late: int, again: str
) -> None:
    late = replace(held_at_a_rate(600), time=NOW + timedelta(minutes=minutes_late))
    assert what_comes_back(late, 60) == (
        f"Yesterday from about 22:00 UTC to 23:00 UTC a provisioned rate, as it seems, held clients down to 20 MiB/s "
        f"for at least 1 h: {UNMET} That the balance came back then says nothing of that load on credits, where it may "
        f"take up to 100 MiB/s.{again}"
    )


def test_a_load_that_the_limit_of_a_smaller_size_held_down_is_told_with_what_it_may_take_by_now() -> None:
    loads = [0.0] * 60 + [170.0] * 60 + [0.0] * 240
    sizes = [round(0.9 * TIB)] * 300 + [round(1.9 * TIB)] * 60
    assert what_comes_back(lived(loads, standard_bytes=sizes), 60) == (
        f"Today from about 07:00 UTC to 08:00 UTC the burst limit of a smaller size held clients down to 100 MiB/s for "
        f"at least 1 h: {UNMET} That load may take up to 190 MiB/s by now. Whether the load comes back is not known: "
        f"CloudWatch has too little of the last day."
    )


@pytest.mark.parametrize(
    ("load", "minutes", "moved", "again"),
    [
        (
            a_load(24, 60),
            20,
            "14:00 UTC to 17:00 UTC, in another throughput mode, clients moved 60 MiB/s as metered.",
            "If that load comes again, the credits are gone at about 14:50 UTC.",
        ),
        (
            a_load(24, 36, mib=400),
            250,
            "14:00 UTC to 15:00 UTC, in another throughput mode, clients moved 400 MiB/s as metered.",
            "If that load comes again, at the 100 MiB/s that credits permit, 27 minutes are left at 18:00 UTC.",
        ),
    ],
)
def test_a_load_of_another_mode_is_told_with_what_it_moved_and_how_fast_it_may_be_on_credits(
    load: Mapping[int, float], minutes: float, moved: str, again: str
) -> None:
    assert what_comes_back(elastic_until(100, load, minutes=minutes), 180) == f"Yesterday from about {moved} {again}"


@pytest.mark.parametrize(
    ("minutes_late", "told"), [(169, "comes again, the credits are gone"), (170, "came again, the credits were gone")]
)
def test_a_load_of_another_mode_may_have_ended_the_credits_since_the_newest_datapoint(
    minutes_late: int, told: str
) -> None:
    late = replace(elastic_until(100, a_load(24, 60)), time=NOW + timedelta(minutes=minutes_late))
    assert what_comes_back(late, 180) == (
        f"Yesterday from about 14:00 UTC to 17:00 UTC, in another throughput mode, clients moved 60 MiB/s as metered. "
        f"If that load {told} at about 14:50 UTC."
    )


ANOTHER_MODE = "Yesterday from about 14:00 UTC to 17:00 UTC, in another throughput mode,"
A_FALL = "Yesterday the credits fell from about 20:20 UTC"


@pytest.mark.parametrize(
    ("minutes", "fall", "told"),
    [
        # Both end the credits, and the load of another mode hours before.
        (20, (12, -5.0), ANOTHER_MODE),
        # One of them does.
        (20, (2, -3.0), ANOTHER_MODE),
        (150, (36, -5.0), A_FALL),
        # None does: 56 minutes are left of it, and 60 or 6 of the fall.
        (150, (2, -3.0), ANOTHER_MODE),
        (150, (12, -5.0), A_FALL),
    ],
)
def test_of_a_load_of_another_mode_and_a_fall_the_one_is_told_that_ends_the_credits_first_or_leaves_less(
    minutes: float, fall: tuple[int, float], told: str
) -> None:
    first = NOW - AHEAD + 100 * STEP
    points = tuple(
        BalancePoint(time=first + index * STEP, balance_bytes=one * MINUTE_BYTES)
        for index, one in enumerate(a_life(190, fall, (188 - fall[0], EARNED)))
    )
    now = replace(
        elastic_until(100, a_load(24, 60), minutes=minutes), past_days=(PastDay(back=AHEAD, balances=points),)
    )
    assert what_comes_back(now, 180).startswith(told)


@pytest.mark.parametrize(("first", "is_time"), [(3, False), (4, True), (24, True)])
def test_twenty_minutes_are_time_to_act(first: int, is_time: bool) -> None:
    """A load without credits began so many times five minutes after this time of day."""
    assert leaves_time(after(at_the_limit(first, 36))) is is_time


@pytest.mark.parametrize(("minutes", "is_time"), [(119, False), (120, True), (121, True)])
def test_there_is_time_where_the_credits_last_until_the_load_comes_at_the_pace_of_now(
    minutes: float, is_time: bool
) -> None:
    """It comes in two hours."""
    assert leaves_time(ending_in(minutes, after(at_the_limit(24, 36)))) is is_time


@pytest.mark.parametrize(("first", "ends_in", "is_time"), [(3, 1300, False), (24, 300, False), (24, 1300, True)])
def test_there_is_time_only_where_there_is_before_each_load_that_comes(
    first: int, ends_in: float, is_time: bool
) -> None:
    """One without credits in a quarter of an hour or two hours, and another that takes credits in 17 hours."""
    day = a_day(a_life(0, (112, 0.0), (100, EARNED), (6, -2.0), (82, EARNED)))
    now = replace(after(at_the_limit(first, 36)), past_days=(day,))
    assert leaves_time(ending_in(ends_in, now)) is is_time


def test_after_several_falls_nobody_knows_until_when_there_is_time() -> None:
    twice = a_day(a_life(200, (60, 0.0), (12, -5.0), (24, 0.0), (12, -5.0), (164, 0.0)))
    assert not leaves_time(now_with(100, twice))
    once = a_day(a_life(200, (60, 0.0), (12, -5.0), (200, 0.0)))
    assert leaves_time(now_with(100, once))


# Elastic throughput for an hour of the night.
SHOWN = tuple((NOW - AHEAD + index * STEP, (300.0 if 60 <= index < 72 else 100.0) * MIB) for index in range(288))
SEEN = NOW - timedelta(hours=3)


@pytest.mark.parametrize(
    ("situation", "then"),
    [
        (now_with(100, AN_HOUR_LATER), "to choose a remedy below."),
        # The monitor saw that another mode was over, so that AWS refuses the next one.
        (replace(now_with(100, AN_HOUR_LATER), resumed=SEEN), "to move it or slow it down."),
        # Metrics alone may be those of a size that shrank.
        (replace(now_with(100, AN_HOUR_LATER), permitted_of_the_day=SHOWN), "to choose a remedy below."),
        # More of what is provisioned is possible at any time.
        (replace(now_with(100, AN_HOUR_LATER), resumed=SEEN, file_system=provisioned(2)), "to choose a remedy below."),
    ],
)
def test_until_a_load_comes_there_is_time_for_a_remedy_unless_aws_refuses_it_for_certain(
    situation: Situation, then: str
) -> None:
    (told,) = coming_and_time_to_act(situation, 60, "a remedy below")
    assert " ".join(told.split()) == (
        f"{A_BATCH} If that load comes again, 40 minutes are left at 14:05 UTC. If no other load comes before, "
        f"there is time until then to find what it is, or {then}"
    )


@pytest.mark.parametrize(
    ("minutes", "then"),
    [
        (20, "there is time until then to find what it is, or to choose a remedy below."),
        (19.9, "Find what that load is before it comes, or choose a remedy below."),
    ],
)
def test_while_any_load_may_end_what_is_left_there_is_no_time_until_a_certain_one(minutes: float, then: str) -> None:
    (told,) = coming_and_time_to_act(now_with(minutes, AN_HOUR_LATER), 60, "a remedy below")
    assert " ".join(told.split()).endswith(then)


def test_what_comes_that_leaves_enough_needs_no_time_to_act() -> None:
    """A Warning's lead time is longer than the hour that is enough."""
    (told,) = coming_and_time_to_act(now_with(160, AN_HOUR_LATER), 180, "a remedy below")
    assert " ".join(told.split()) == f"{A_BATCH} If that load comes again, 100 minutes are left at 14:05 UTC."


def test_a_mail_of_an_alarm_by_a_threshold_of_before_leaves_time_for_a_remedy_from_the_runbook() -> None:
    """It has no remedies of its own."""
    mail = not_low(AlarmKind.CRITICAL, 60, 2 * 60 * MINUTE_BYTES, now_with(100, AN_HOUR_LATER), HERE)
    assert " ".join(mail.body.split("\n\n")[3].split()) == (
        f"{A_BATCH} If that load comes again, 40 minutes are left at 14:05 UTC. If no other load comes before, "
        f"there is time until then to find what it is, or to choose a remedy from the runbook."
    )


@pytest.mark.parametrize(("resumed_hours_ago", "has"), [(None, True), (48, True), (47.9, False), (25, False)])
def test_a_remedy_is_not_looked_for_in_a_mail_that_may_have_left_it_out_because_aws_refused_it(
    resumed_hours_ago: float | None, has: bool
) -> None:
    """A day after AWS takes another mode again, a day that the last fall may have been in before."""
    resumed = None if resumed_hours_ago is None else NOW - timedelta(hours=resumed_hours_ago)
    situation = replace(now_with(100, AN_HOUR_LATER), resumed=resumed)
    for mail in (
        limit_lifted(60, replace(situation, balances=rising_to(100)), HERE),
        recovered(AlarmKind.CRITICAL, 60, replace(situation, balances=rising_to(100)), HERE),
    ):
        assert ("remedy from the mail about the last fall" in " ".join(mail.body.split())) is has
        assert ("remedy from the runbook" in " ".join(mail.body.split())) is not has


def rising_to(minutes: float) -> tuple[BalancePoint, ...]:
    return tuple(
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=(minutes - 0.05 * age) * MINUTE_BYTES)
        for age in range(60, -1, -1)
    )


@pytest.mark.parametrize(("minutes", "is_told"), [(359, True), (361, False)])
def test_a_load_that_was_there_a_day_ago_and_is_not_today_may_be_late(minutes: float, is_told: bool) -> None:
    """It had taken credits for a quarter of an hour by this time of day, and took 300 minutes' worth after it."""
    day = a_day(a_life(360, (POINTS_OF_THE_HOUR_BEFORE - 4, 0.0), (54, -6.0), (230, EARNED)))
    assert what_comes_back(idle_and_rising_to(minutes, day), 60) == is_told * (
        "At this time a day ago a load was taking credits, until about 16:15 UTC on Sun 6 Jan. It is not there today: "
        "if it comes later, less than 60 minutes may be left after it."
    )
    assert nothing_comes_back(idle_and_rising_to(minutes, day)) is not is_told


@pytest.mark.parametrize(("falls_by", "is_told"), [(0.2, True), (0.7, False)])
def test_a_load_that_ended_the_credits_a_day_ago_may_come_later_where_a_slower_one_is_there(
    falls_by: float, is_told: bool
) -> None:
    """At the pace of the slow one they would last for a day."""
    day = a_day(a_life(200, (POINTS_OF_THE_HOUR_BEFORE - 4, 0.0), (60, -6.0), (224, EARNED)))
    falling = tuple(
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=(300 + falls_by * age) * MINUTE_BYTES)
        for age in range(60, -1, -1)
    )
    situation = replace(now_with(300, day), balances=falling)
    told = (
        "At this time a day ago a load was taking credits far faster than now, until about 16:45 UTC on Sun 6 Jan, and "
        "ended them. If it comes later today, less than 60 minutes may be left after it."
    )
    assert is_told_what_comes(situation, 60) is is_told
    assert (told in what_comes_back(situation, 60)) is is_told
