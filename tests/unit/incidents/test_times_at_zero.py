"""When the credits were gone in the last day."""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB, earned_bytes_per_second, full_bucket_bytes
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation
from efs_monitor.incidents.times_at_zero import (
    LimitedTime,
    TimeAtZero,
    earlier_limited_times,
    earlier_times_at_zero,
    gone_since,
    lifted_since,
    limited_steps,
    times_at_zero,
    was_limited,
)

from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.incidents.simulated_metrics import lived
from tests.unit.strategies import NOW, bursting


def minutes_ago(minutes: float) -> datetime:
    return NOW - timedelta(minutes=minutes)


def gone(*spans: tuple[float, float]) -> Situation:
    """Two minutes' worth for 26 hours, and nothing in these spans of minutes ago, from and to."""
    times = [minutes_ago(minutes) for minutes in range(26 * 60, -1, -5)]
    lows = [
        any(minutes_ago(start) <= time < minutes_ago(end) for start, end in spans)
        or any(end == 0 and time == NOW for _, end in spans)
        for time in times
    ]
    points = tuple(
        BalancePoint(time=time, balance_bytes=0.0 if low else 2 * MINUTE_BYTES)
        for time, low in zip(times, lows, strict=True)
    )
    return now_with(2, PastDay(back=AHEAD, balances=points))


def test_a_day_above_a_minute_has_none() -> None:
    assert times_at_zero(gone()) == ()
    assert times_at_zero(now_with(2)) == ()


def test_each_is_told_from_its_first_to_its_last_five_minutes() -> None:
    assert times_at_zero(gone((600, 540), (300, 290))) == (
        TimeAtZero(began=minutes_ago(600), ended=minutes_ago(540), lowest_bytes=0),
        TimeAtZero(began=minutes_ago(300), ended=minutes_ago(290), lowest_bytes=0),
    )


def test_just_below_a_minute_is_zero_and_a_minute_is_not() -> None:
    def at(balance_minutes: float) -> Situation:
        point = BalancePoint(time=minutes_ago(60), balance_bytes=balance_minutes * MINUTE_BYTES)
        return now_with(2, PastDay(back=AHEAD, balances=(point,)))

    assert len(times_at_zero(at(0.999))) == 1
    assert times_at_zero(at(1)) == ()


def test_one_of_the_last_hour_is_told_to_the_minute() -> None:
    """Its five minutes have had nothing at their end, and had a minute's worth before."""
    day = gone((30, 0))
    by_minute = tuple(
        BalancePoint(time=minutes_ago(ago), balance_bytes=MINUTE_BYTES * (0 if ago <= 27 else ago - 26.5))
        for ago in range(60, -1, -1)
    )
    (known,) = times_at_zero(dataclasses.replace(day, balances=by_minute))
    assert known.began == minutes_ago(27)
    (half_known,) = times_at_zero(dataclasses.replace(day, balances=by_minute[-29:]))
    assert half_known.began == minutes_ago(27)
    # Nobody knows whether the first minute that is known was the first one.
    (hardly_known,) = times_at_zero(dataclasses.replace(day, balances=by_minute[-28:]))
    assert hardly_known.began == minutes_ago(30)


def test_one_that_another_mode_ended_in_is_told_from_its_first_minute() -> None:
    """Nothing was published before, so that no earlier minute can have been so low."""
    (day,) = gone((30, 0)).past_days
    after = tuple(one for one in day.balances if one.time >= minutes_ago(30))
    by_minute = tuple(BalancePoint(time=minutes_ago(ago), balance_bytes=0.0) for ago in range(27, -1, -1))
    changed = dataclasses.replace(now_with(2, dataclasses.replace(day, balances=after)), balances=by_minute)
    (found,) = times_at_zero(changed)
    assert found.began == minutes_ago(27)


@pytest.mark.parametrize(
    ("lowest_minutes", "permitted", "limited"),
    [
        (0.5, (100, 100, 100), False),
        (0.01, (100, 100, 100), True),
        (0.5, (100, 5, 100), True),
        (0.5, (100, 99.5, 100), False),
        (0.5, (100, 100), True),
        (0.5, (), True),
    ],
    ids=["spent to a half", "to the last", "by what is permitted", "as good as", "not wholly known", "not known"],
)
def test_clients_were_limited_where_nothing_was_left_or_less_was_permitted(
    lowest_minutes: float, permitted: tuple[float, ...], limited: bool
) -> None:
    """A balance that hovers above zero all the while, every credit spent as it comes, is a limit, too."""
    lows = {45: lowest_minutes, 40: 0.9, 35: 0.9}
    points = tuple(
        BalancePoint(time=minutes_ago(ago), balance_bytes=lows.get(ago, 2) * MINUTE_BYTES) for ago in range(60, -1, -5)
    )
    known = tuple((minutes_ago(ago), rate * MIB) for ago, rate in zip((45, 40, 35), permitted, strict=False))
    situation = dataclasses.replace(now_with(2, PastDay(back=AHEAD, balances=points)), permitted_of_the_day=known)
    (time,) = times_at_zero(situation)
    assert time.lowest_bytes == lowest_minutes * MINUTE_BYTES
    assert was_limited(time, situation) is limited


@pytest.mark.parametrize(("pause", "spells"), [(10, 1), (15, 2)])
def test_what_came_back_for_less_than_the_alarm_looks_at_did_not_come_back(pause: int, spells: int) -> None:
    assert len(times_at_zero(gone((300, 250), (250 - pause, 200)))) == spells


@pytest.mark.parametrize(("missing", "times"), [(50, 1), (55, 1), (60, 2)])
def test_metrics_that_are_missing_in_the_middle_of_a_time_make_no_two_of_it(missing: int, times: int) -> None:
    situation = gone((300, 100))
    (day,) = situation.past_days
    known = tuple(one for one in day.balances if not minutes_ago(200) <= one.time < minutes_ago(200 - missing))
    cut = dataclasses.replace(situation, past_days=(dataclasses.replace(day, balances=known),))
    assert len(times_at_zero(cut)) == times
    assert len(earlier_limited_times(cut)) == times


@pytest.mark.parametrize(("gib", "missing", "times"), [(30, 60, 1), (30, 65, 2), (8, 140, 1)])
def test_it_is_one_while_a_minutes_worth_cannot_have_come_back_and_been_spent(
    gib: int, missing: int, times: int
) -> None:
    """30 GiB earn 1.46 MiB/s: a minute's worth in 68 minutes and 16 s, which is spent in one more."""
    small = dataclasses.replace(gone((300, 100)), file_system=bursting(gib * GIB))
    (day,) = small.past_days
    known = tuple(one for one in day.balances if not minutes_ago(250) <= one.time < minutes_ago(250 - missing))
    cut = dataclasses.replace(small, past_days=(dataclasses.replace(day, balances=known),))
    assert len(times_at_zero(cut)) == times
    assert len(earlier_limited_times(cut)) == times
    assert len(times_at_zero(cut, unknown=timedelta(days=1))) == 1


def test_what_is_older_than_a_day_is_not_counted() -> None:
    (only,) = times_at_zero(gone((25 * 60, 23 * 60)))
    assert only == TimeAtZero(began=minutes_ago(24 * 60), ended=minutes_ago(23 * 60), lowest_bytes=0)


def test_a_week_ago_is_not_the_last_day() -> None:
    (day,) = gone((300, 200)).past_days
    assert times_at_zero(now_with(2, dataclasses.replace(day, back=timedelta(days=7)))) == ()


def test_one_that_goes_on_or_has_just_ended_is_no_earlier_one() -> None:
    assert earlier_times_at_zero(gone((600, 540), (30, 0))) == (
        TimeAtZero(began=minutes_ago(600), ended=minutes_ago(540), lowest_bytes=0),
    )
    assert earlier_times_at_zero(gone((30, 10))) == ()


def test_the_last_minutes_worth_may_last_for_hours_and_is_not_zero() -> None:
    def with_lows(*lows: float) -> tuple[TimeAtZero, ...]:
        """So many minutes' worth, an hour ago and after it."""
        points = tuple(
            BalancePoint(time=minutes_ago(60 - 5 * index), balance_bytes=one * MINUTE_BYTES)
            for index, one in enumerate(lows)
        )
        return times_at_zero(now_with(2, PastDay(back=AHEAD, balances=points)))

    assert with_lows(2, 0.9, 0.5, 0, 0, 2) == (
        TimeAtZero(began=minutes_ago(45), ended=minutes_ago(35), lowest_bytes=0),
    )
    # Not to the byte.
    assert with_lows(2, 0.5, 0.016, 2)[0].began == minutes_ago(50)
    assert with_lows(2, 0.5, 0.017, 2)[0].began == minutes_ago(55)
    # Of a pause too short to count, the first end counts.
    assert with_lows(0.5, 0, 2, 0)[0].began == minutes_ago(55)


def test_they_are_gone_since_less_than_a_minutes_worth_was_all_that_came_back() -> None:
    """Gone for five hours, two of which clients had some of a minute's worth, and were as fast as with credits."""
    day = gone((300, 0))
    assert gone_since(day) == minutes_ago(300)
    (points,) = (one.balances for one in day.past_days)
    some = tuple(
        one._replace(balance_bytes=0.5 * MINUTE_BYTES) if minutes_ago(240) <= one.time < minutes_ago(120) else one
        for one in points
    )
    back = dataclasses.replace(day, past_days=(PastDay(back=AHEAD, balances=some),))
    # Nobody knows whether it was as fast, or it was not; it was.
    assert gone_since(back) == minutes_ago(300)
    slow = tuple((one.time, 5.0 * MIB) for one in points)
    assert gone_since(dataclasses.replace(back, permitted_of_the_day=slow)) == minutes_ago(300)
    fast = tuple((time, 100.0 * MIB if minutes_ago(240) <= time < minutes_ago(120) else rate) for time, rate in slow)
    assert gone_since(dataclasses.replace(back, permitted_of_the_day=fast)) == minutes_ago(120)
    assert len(times_at_zero(dataclasses.replace(back, permitted_of_the_day=fast))) == 1


def test_they_may_be_gone_since_before_the_last_24_hours() -> None:
    for minutes in (23 * 60 + 55, 24 * 60 + 20):
        assert gone_since(gone((minutes, 0))) == minutes_ago(minutes)


def test_what_is_over_is_gone_since_no_time() -> None:
    assert gone_since(gone()) is None
    assert gone_since(gone((300, 60))) is None


def permitted(situation: Situation, *spans: tuple[float, float], without: float = 5) -> Situation:
    """100 MiB/s permitted in each five minutes of the day, and in these spans what there is `without` credits."""
    times = [minutes_ago(minutes) for minutes in range(24 * 60, -1, -5)]
    rates = (
        (time, (without if any(minutes_ago(start) <= time < minutes_ago(end) for start, end in spans) else 100) * MIB)
        for time in times
    )
    return dataclasses.replace(situation, permitted_of_the_day=tuple(rates))


def test_a_limit_is_lifted_since_the_first_five_minutes_in_which_more_was_permitted() -> None:
    """A minute's worth came back two hours later."""
    assert lifted_since(permitted(gone((300, 30)), (300, 150))) == minutes_ago(150)
    # The Region's rate without credits has grown by less than a hundredth since.
    assert lifted_since(permitted(gone((300, 30)), (300, 150), without=5.04)) == minutes_ago(150)


@pytest.mark.parametrize(("missing", "since"), [(0, minutes_ago(150)), (5, None), (30, None)])
def test_since_when_a_limit_is_lifted_is_not_known_where_metrics_of_then_are_missing(
    missing: int, since: datetime | None
) -> None:
    whole = permitted(gone((300, 30)), (300, 150 + missing))
    known = [one for one in whole.permitted_of_the_day if not minutes_ago(150 + missing) <= one[0] < minutes_ago(150)]
    assert lifted_since(dataclasses.replace(whole, permitted_of_the_day=tuple(known))) == since


def test_limits_at_both_ends_of_hours_without_metrics_may_have_been_one() -> None:
    whole = lived([300.0] * 600 + [0.0] * 100, standard_bytes=100 * GIB, left_share=0.0)
    missing = [one for one in whole.balances_of_the_day if not minutes_ago(500) <= one.time < minutes_ago(300)]
    situation = dataclasses.replace(
        whole,
        past_days=(PastDay(back=AHEAD, balances=tuple(missing)),),
        permitted_of_the_day=tuple(
            one for one in whole.permitted_of_the_day if not minutes_ago(500) <= one[0] < minutes_ago(300)
        ),
    )
    assert len(earlier_limited_times(situation)) == 2
    assert len(earlier_limited_times(situation, unknown=timedelta(days=1))) == 1


def test_since_when_is_not_told_where_pulses_were_limited_again_for_minutes_each() -> None:
    """Of a limit of four minutes every quarter of an hour five minutes of the clock have more permitted, too."""
    once_limited = [300.0] * 60 + [0.0] * 10 + [3.0] * 290
    assert lifted_since(lived(once_limited, standard_bytes=100 * GIB, left_share=0.0)) is not None
    pulses = [300.0] * 60 + [0.0] * 10 + ([3.0] * 11 + [300.0] * 4) * 18 + [3.0] * 20
    assert lifted_since(lived(pulses, standard_bytes=100 * GIB, left_share=0.0)) is None


@pytest.mark.parametrize(
    "situation",
    [
        # More was permitted all day, as far as it is known, or is not now.
        permitted(gone((300, 30))),
        permitted(gone((300, 30)), (300, -5)),
        dataclasses.replace(gone((300, 30)), permitted_of_the_day=()),
        # Less was permitted before another time at zero only, which was too short to show.
        permitted(gone((300, 200), (30, 25)), (300, 200)),
        # Nobody knows of a time without credits.
        permitted(gone(), (300, 200)),
        # Another mode permitted more.
        dataclasses.replace(
            permitted(gone((300, 30)), (300, 150)),
            permitted_of_the_day=(
                *((minutes_ago(minutes), 5.0 * MIB) for minutes in range(300, 150, -5)),
                *((minutes_ago(minutes), 300.0 * MIB) for minutes in range(150, 100, -5)),
                *((minutes_ago(minutes), 100.0 * MIB) for minutes in range(100, -1, -5)),
            ),
        ),
        # Of five minutes in between nothing is known.
        dataclasses.replace(
            gone((300, 30)),
            permitted_of_the_day=tuple(
                (minutes_ago(minutes), (5 if minutes > 150 else 100) * float(MIB))
                for minutes in range(300, -1, -5)
                if minutes != 80
            ),
        ),
    ],
)
def test_where_the_metrics_do_not_show_since_when_none_is_told(situation: Situation) -> None:
    assert lifted_since(situation) is None


def limited(situation: Situation) -> list[tuple[float, float, bool]]:
    """From and to how many minutes ago clients were limited before now, and whether its beginning is known."""

    def ago(time: datetime) -> float:
        return (NOW - time) / timedelta(minutes=1)

    return [(ago(one.began), ago(one.ended), one.is_whole) for one in earlier_limited_times(situation)]


def with_permitted(situation: Situation, *limited_spans: tuple[float, float]) -> Situation:
    """5 MiB/s in these spans of minutes ago, from and to, and 100 otherwise."""
    steps = [one.time for one in situation.balances_of_the_day]
    held = {time for time in steps for start, end in limited_spans if minutes_ago(start) <= time < minutes_ago(end)}
    permitted = tuple((time, (5 if time in held else 100) * MIB * 1.0) for time in steps)
    return dataclasses.replace(situation, permitted_of_the_day=permitted)


def low(*spans: tuple[float, float]) -> Situation:
    """Half a minute's worth in these spans of minutes ago, and two for the rest of 26 hours."""
    day = gone(*spans).balances_of_the_day
    half = tuple(one._replace(balance_bytes=max(one.balance_bytes, MINUTE_BYTES / 2)) for one in day)
    return now_with(2, PastDay(back=AHEAD, balances=half))


def test_a_limit_ends_with_the_first_credits_and_not_with_a_minutes_worth_of_them() -> None:
    """A minute's worth takes an hour to come back where little is earned, and clients burst on what there is."""
    assert limited(with_permitted(low((300, 200)), (300, 270))) == [(300, 270, True)]


def test_a_quarter_of_an_hour_of_full_speed_makes_two_limits_of_one() -> None:
    long, short = (
        with_permitted(low((300, 200)), (300, 270), (255, 240)),
        with_permitted(low((300, 200)), (300, 270), (260, 240)),
    )
    assert limited(long) == [(300, 270, True), (255, 240, True)]
    assert limited(short) == [(300, 240, True)]


@pytest.mark.parametrize(("again", "times"), [(255, 1), (250, 2)])
def test_five_minutes_amid_which_credits_come_back_are_none_of_full_speed(again: float, times: int) -> None:
    """They may have come in the last second of these: of a quarter of an hour until the next limit ten minutes are
    sure.
    """
    situation = with_permitted(gone((300, 265), (again, 230)), (295, 270), (again - 5, 230))
    assert len(limited(situation)) == times


def test_minutes_in_which_nothing_was_left_count_where_nobody_knows_what_was_permitted() -> None:
    assert limited(gone((300, 270))) == [(300, 270, True)]
    # More is permitted in the five minutes in which the credits end, too.
    assert limited(with_permitted(gone((300, 270)), (295, 270))) == [(300, 270, True)]
    # Who hovers at zero is limited in some of five minutes, and permitted more in others.
    assert limited(with_permitted(gone((300, 270)))) == [(300, 270, True)]


@pytest.mark.parametrize("dry_until", [270, 265, 200])
def test_a_limit_ends_when_it_is_said_to_be_lifted(dry_until: float) -> None:
    """In the five minutes in which credits come back nothing was left to begin with; where little is earned, not a
    second's worth is there an hour later.
    """
    situation = with_permitted(gone((300, dry_until)), (295, 270))
    (one,) = earlier_limited_times(situation)
    assert one.ended == lifted_since(situation) == minutes_ago(270)


@pytest.mark.parametrize(("again_mib", "ended"), [(40.0, 120), (0.0, 130)])
def test_credits_that_came_back_and_were_spent_again_within_minutes_were_gone_on(again_mib: float, ended: int) -> None:
    """Clients pause for five minutes and work for four, in which they are limited but for the first seconds; and two
    hours of rest, of which each minute earns a fortieth of what lasts one.
    """
    loads = [40.0] * 65 + [0.0] * 5 + [again_mib] * 4 + [0.0] * 121
    situation = lived(loads, standard_bytes=40 * GIB, left_share=0.0)
    (one,) = earlier_limited_times(situation)
    assert one.ended == minutes_ago(ended)


@pytest.mark.whole
@pytest.mark.parametrize("size_then_gib", [250, 100, 40])
def test_a_limit_of_another_size_is_one_of_before_and_one_time(size_then_gib: int) -> None:
    """Seven hours of a load of 60 MiB/s end the credits, 16 of rest follow; an hour ago the size changed."""
    loads = [0.0] * 4 * 60 + [60.0] * 7 * 60 + [0.0] * 16 * 60
    sizes = [size_then_gib * GIB] * 26 * 60 + [100 * GIB] * 60
    situation = lived(loads, standard_bytes=sizes, left_share=0.12)
    ((began, ended, is_whole),) = limited(situation)
    dry = min(one.time for one in situation.balances_of_the_day if one.balance_bytes == 0)
    assert minutes_ago(began) == dry
    assert is_whole
    assert ended == pytest.approx(16 * 60, abs=5)


@pytest.mark.whole
@pytest.mark.parametrize("grown_to_gib", [12000, 14200, 15000, 16200])
def test_a_limit_that_goes_on_while_the_size_changes_is_none_of_before(grown_to_gib: int) -> None:
    """Grown for two hours at zero it has about as much without credits as before and after that with them."""
    sizes = [size * GIB for size, hours in ((8193, 5), (grown_to_gib, 2), (8193, 5)) for _ in range(hours * 60)]
    assert limited(lived([1300.0] * len(sizes), standard_bytes=sizes, left_share=0.02)) == []
    rested = lived([1300.0] * (len(sizes) - 30) + [0.0] * 30, standard_bytes=sizes, left_share=0.02)
    ((_, ended, is_whole),) = limited(rested)
    assert (ended, is_whole) == (30, True)


def test_a_limit_that_began_more_than_a_day_ago_has_no_beginning() -> None:
    assert limited(gone((25 * 60, 600))) == [(24 * 60, 600, False)]
    assert limited(gone((24 * 60 - 5, 600))) == [(24 * 60 - 5, 600, True)]


def test_a_limit_that_elastic_throughput_ended_in_began_with_its_end() -> None:
    """Nothing was left when elastic throughput was left; CloudWatch has no balance of it, nor of the time before."""
    situation = gone((600, 300))
    day = situation.past_days[0]
    since = tuple(one for one in day.balances if one.time >= minutes_ago(600))
    permitted = tuple(
        (minutes_ago(ago), (5000 if ago > 600 else 5 if ago > 300 else 100) * float(MIB)) for ago in range(1440, -1, -5)
    )
    known = dataclasses.replace(situation, past_days=(dataclasses.replace(day, balances=since),))
    assert limited(known) == [(600, 300, False)]
    assert limited(dataclasses.replace(known, permitted_of_the_day=permitted)) == [(600, 300, True)]


@pytest.mark.parametrize(("minutes_earned", "found"), [(1, [(300, 270, True)]), (1.1, [])])
def test_a_small_file_system_has_something_left_where_a_second_at_full_speed_would_end_it(
    minutes_earned: float, found: list[tuple[float, float, bool]]
) -> None:
    """Of 5 GiB a second's worth is seven minutes of what is earned."""
    situation = with_permitted(gone((300, 270)))
    small = dataclasses.replace(situation, file_system=bursting(5 * GIB))
    earned_bytes = minutes_earned * 60 * earned_bytes_per_second(5 * GIB)
    day = dataclasses.replace(
        situation.past_days[0],
        balances=tuple(
            one._replace(balance_bytes=one.balance_bytes or earned_bytes) for one in situation.balances_of_the_day
        ),
    )
    assert limited(dataclasses.replace(small, past_days=(day,))) == found


def test_what_burst_at_another_size_on_less_than_a_minute_of_now_was_not_limited() -> None:
    """10 TiB may be driven at 1,000 MiB/s: a minute of it is ten of the 100 that were permitted before."""
    loads = [0.0] * 4 * 60 + [60.0] * 7 * 60 + [0.0] * 16 * 60
    sizes = [100 * GIB] * 26 * 60 + [10 * TIB] * 60
    situation = lived(loads, standard_bytes=sizes, left_share=0.12)
    ((began, _, is_whole),) = limited(situation)
    under_a_minute = min(one.time for one in situation.balances_of_the_day if one.balance_bytes < 60 * 100 * MIB)
    assert minutes_ago(began) >= under_a_minute
    assert is_whole


def test_what_burst_at_a_smaller_size_on_little_less_than_a_minutes_worth_was_not_limited() -> None:
    """A size of 2 TiB that is 2.3 by now: of the 13.5 GiB that are a minute's worth now, 10 were left at the least."""
    then = round(2.013 * TIB)
    earned_mib = earned_bytes_per_second(then) / MIB
    loads = [0.0] * 60 + [2 * earned_mib] * 120 + [earned_mib] * 60 + [0.0] * 30
    # Two hours took twice what one had earned.
    opening_bytes = 10 * GIB + 3600 * earned_mib * MIB
    sizes = [then] * 240 + [round(2.3 * TIB)] * 30
    situation = lived(loads, standard_bytes=sizes, left_share=opening_bytes / full_bucket_bytes(then))
    assert 9 * GIB < min(one.balance_bytes for one in situation.balances_of_the_day) < 11 * GIB
    assert limited(situation) == []
    assert [was_limited(one, situation) for one in times_at_zero(situation)] == [False]


def test_one_that_goes_on_or_has_just_ended_is_none_of_before() -> None:
    assert limited(gone((300, 270), (60, 10))) == [(300, 270, True)]
    assert limited(gone((300, 270), (60, 15))) == [(300, 270, True), (60, 15, True)]


def test_one_that_has_just_ended_counts_where_it_is_asked_for_and_one_that_goes_on_does_not() -> None:
    ended, goes_on = gone((300, 270), (60, 5)), gone((300, 270), (60, 0))
    assert [len(earlier_limited_times(one, over_for=timedelta(0))) for one in (ended, goes_on)] == [2, 1]


def test_a_provisioned_rate_is_no_limit_for_lack_of_credits() -> None:
    empty = with_permitted(gone((300, 270)))
    at_20 = tuple((time, 20 * MIB) for time, _ in empty.permitted_of_the_day)
    assert limited(dataclasses.replace(empty, permitted_of_the_day=at_20)) == []


def by_steps(
    *left: float | None, fast: Sequence[int] = (), minutes: Mapping[int, float] | None = None, ago: int = 0
) -> Situation:
    """The lowest of each five minutes, in minutes' worth, the last of them so many before now; 100 MiB/s were permitted
    in those that are `fast`, and 5 in the others. `minutes` are what was left so many minutes ago.
    """
    times = [NOW - (len(left) - 1 - index + ago) * STEP for index in range(len(left))]
    balances = tuple(
        BalancePoint(time=time, balance_bytes=one * MINUTE_BYTES)
        for time, one in zip(times, left, strict=True)
        if one is not None
    )
    known = {0: 9.0} if minutes is None else minutes
    return dataclasses.replace(
        now_with(9, PastDay(back=AHEAD, balances=balances)),
        balances=tuple(
            BalancePoint(time=NOW - age * MINUTE, balance_bytes=one * MINUTE_BYTES)
            for age, one in sorted(known.items(), reverse=True)
        ),
        permitted_of_the_day=tuple((time, (100.0 if index in fast else 5.0) * MIB) for index, time in enumerate(times)),
    )


@pytest.mark.parametrize(
    ("left", "fast", "ago", "since"),
    [
        ((9, 0, 0), (), 3, 4),
        ((9, 0, 0), (), 4, None),
        # Less than a minute's worth was there meanwhile, and everything as fast as it lasted.
        ((9, 0, 0.5, 0, 0), (2,), 0, 1),
        ((9, 0, 0.5, 0, 0.5, 0, 0.5, 0), (2, 4, 6), 0, 0),
        ((9, 0, 0.5, 0.5), (2,), 0, 0),
        ((9, 0, 0.5, 0.5), (2, 3), 0, 2),
        ((9, 0, 9, 9, 9, 9, 0, 0.5), (7,), 0, 1),
        ((9, 9, 9), (), 0, None),
    ],
)
def test_they_are_gone_since_what_was_left_last_was_taken(
    left: tuple[float, ...], fast: tuple[int, ...], ago: int, since: int | None
) -> None:
    assert gone_since(by_steps(*left, fast=fast, ago=ago)) == (None if since is None else NOW - since * STEP)


def test_what_is_known_to_be_above_makes_two_times_of_it_and_what_is_missing_for_less_than_an_hour_does_not() -> None:
    def times(*between: float | None) -> int:
        return len(times_at_zero(by_steps(9, 0, *between, 0, 9)))

    assert [times(9, None, None), times(None, None, 9), times(None, None, None)] == [2, 2, 1]
    assert [times(9, 9), times(*[None] * 11), times(*[None] * 12)] == [1, 1, 2]


def test_it_began_with_the_first_minute_that_is_known_to_be_so_low() -> None:
    def began(left: float, minutes: Mapping[int, float], before: float | None = 9) -> int:
        (time,) = times_at_zero(by_steps(before, left, 9, minutes=minutes))
        return (NOW - time.began) // MINUTE

    # Less than a second's worth is nothing, and where nothing was less than a minute's.
    a_second = 1 / 60
    assert began(0, {6: 9, 5: 0.5, 4: a_second, 3: 0.01, 2: 0}) == 3
    assert began(0.5, {6: 9, 5: 1, 4: 0.9, 3: 0.5}) == 4
    assert began(0, {6: 9, 5: 0, 4: 0}) == 5
    # What came before its five minutes, or after them, is none of it.
    assert began(0, {7: 9, 6: 0, 4: 0.5, 0: 0}) == 5
    # The first minute that is known may not have been the first, unless nothing is known before it.
    assert began(0, {3: 0, 2: 0}) == 5
    assert began(0, {3: 0, 2: 0}, before=None) == 3


@pytest.mark.parametrize(
    ("left", "rate_mib", "is_limited"),
    [
        # With less than a minute's worth of all that credits permit, at the rate of the size without them.
        (0.9, 5.0, True),
        (1.0, 5.0, False),
        (0.5, 5.1, False),
        # At that of another size where it would not last a minute at that.
        (0.5, 4.9, False),
        (0.04, 4.9, True),
        (0.234375, 23.4375, False),
        (0.23, 23.4375, True),
        (0.04, 20.0, False),
        (0.04, 100.0, False),
    ],
)
def test_clients_are_limited_at_a_rate_without_credits_while_next_to_none_are_left(
    left: float, rate_mib: float, is_limited: bool
) -> None:
    situation = by_steps(9, left, 9, 9)
    permitted = tuple((time, rate_mib * MIB) for time, _ in situation.permitted_of_the_day)
    at_that_rate = dataclasses.replace(situation, permitted_of_the_day=permitted)
    assert limited_steps(at_that_rate) == ({NOW - 2 * STEP} if is_limited else set())


def test_a_limit_is_told_with_its_five_minutes_once_it_is_over_for_a_quarter_of_an_hour() -> None:
    limit = LimitedTime(began=NOW - 5 * STEP, ended=NOW - 3 * STEP, is_whole=True)
    assert earlier_limited_times(by_steps(9, 0.5, 0.5, 9, 9, 9, 9)) == (limit,)
    assert earlier_limited_times(by_steps(9, 0.5, 0.5, 9, 9, 9)) == ()
