"""A balance recovers where it rises, and no load takes it again and again."""

from datetime import timedelta

from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.recovering_balance import began_to_fall, recovers, stays_nearly_full

from tests.unit.strategies import NOW


def a_recovery(*balances: float, newest_age_minutes: int = 5) -> bool:
    """By points of five minutes, the last one so old."""
    last = NOW - timedelta(minutes=newest_age_minutes)
    first = last - timedelta(minutes=5 * (len(balances) - 1))
    points = [
        BalancePoint(time=first + timedelta(minutes=5 * index), balance_bytes=one) for index, one in enumerate(balances)
    ]
    return recovers(points, NOW)


def test_a_balance_recovers_where_it_is_above_zero_and_no_lower_than_a_quarter_of_an_hour_ago() -> None:
    assert a_recovery(9, 8, 7, 7, 7, 8)
    assert a_recovery(5, 5, 5, 5)
    assert not a_recovery(5, 5, 5, 4)
    assert not a_recovery(0, 0, 0, 0)
    assert a_recovery(0, 0, 0, 1)
    # It rose for long, and falls since a quarter of an hour.
    assert not a_recovery(1, 5, 9, 12, 11, 10, 9)


def test_a_balance_that_is_at_zero_again_and_again_does_not_recover_between() -> None:
    assert a_recovery(0, 0, 0, 1, 2, 3)
    assert not a_recovery(0, 1, 0, 1, 0, 1)
    assert not a_recovery(9, 0, 1, 2, 0, 1, 2, 3)
    # Each hour, of which this one has seen a single end.
    assert not a_recovery(0, *[1] * 10, 0, 1, 2, 3)
    # The next was due, and did not come.
    assert a_recovery(0, *[1] * 10, 0, *[1] * 12)
    # More than five hours ago.
    assert a_recovery(0, *[1] * 60, 0, 1, 2, 3)
    # A pause of minutes amid zero is no end of it.
    assert a_recovery(9, 0, 1, 0, 0, *[0] * 10, 1, 2, 3, 4, 5, *[6] * 8)


def test_a_balance_that_loses_by_one_pulse_after_the_other_does_not_recover_between() -> None:
    """A load of seven minutes each half hour, of which the hourly run saw only the rest: it took all within a night."""
    assert not a_recovery(92, 94, 80, 70, 72, 74, 76, 78, 60, 50, 52, 54, 56)
    # A load of each hour, and of every two hours.
    assert not a_recovery(92, 80, 70, *range(71, 80), 65, 55, 56, 57, 58, 59)
    assert not a_recovery(92, 80, 70, *range(71, 93), 75, 55, *range(56, 70))
    # The next was due, and did not come.
    assert a_recovery(92, 80, 70, *range(71, 80), 65, 55, *range(56, 80))
    # As much is earned as each takes.
    assert a_recovery(50, 52, 54, 45, 40, 42, 44, 46, 48, 45, 48, 50, 52)
    # One batch that ended.
    assert a_recovery(90, 91, 80, 70, 60, 50, 40, 41, 42, 43, 44)


def test_a_balance_of_which_nothing_new_is_known_does_not_recover() -> None:
    assert not a_recovery()
    assert not a_recovery(5)
    assert not a_recovery(5, 5, 5, 6, newest_age_minutes=61)
    assert a_recovery(5, 5, 5, 6, newest_age_minutes=60)


def test_a_fall_has_just_begun_where_the_balance_recovered_half_an_hour_ago() -> None:
    def points(*values: float) -> list[BalancePoint]:
        times = [NOW - timedelta(minutes=5 * age) for age in range(len(values) - 1, -1, -1)]
        return [BalancePoint(time=time, balance_bytes=value) for time, value in zip(times, values, strict=True)]

    # Half an hour ago is six steps back.
    assert began_to_fall(points(5, 6, 7, 8, 9, 9, 8, 7, 6, 5), NOW)
    assert not began_to_fall(points(9, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1), NOW)
    assert not began_to_fall(points(9, 8, 7, 6), NOW)


def stays_full(*shares: float, newest_age_minutes: int = 5) -> bool:
    """By points of an hour, as shares of a full bucket, the last one so old."""
    last = NOW - timedelta(minutes=newest_age_minutes)
    points = [
        BalancePoint(time=last - timedelta(hours=ago), balance_bytes=share)
        for ago, share in zip(range(len(shares) - 1, -1, -1), shares, strict=True)
    ]
    return stays_nearly_full(points, 1.0, NOW)


def test_a_bucket_stays_nearly_full_with_three_quarters_of_it_that_do_not_fall() -> None:
    assert stays_full(*[0.94] * 3)
    assert stays_full(*[0.75] * 3)
    assert not stays_full(*[0.749] * 3)
    assert not stays_full(0.96, 0.95, 0.94)
    # Nobody knows what it does now.
    assert not stays_full(*[0.94] * 3, newest_age_minutes=61)
    assert not stays_nearly_full([], 1.0, NOW)


def test_a_bucket_that_breathes_stays_nearly_full_while_it_is_no_lower_than_at_the_least_a_day_before() -> None:
    breathing = [0.94, 0.96] * 25
    assert stays_full(*breathing, 0.95, 0.94)
    assert not stays_full(*breathing, 0.95, 0.93)


def test_two_falls_of_the_hour_tell_that_it_loses_where_it_is_lower_than_an_hour_ago() -> None:
    assert not a_recovery(10, 8, 9, 8.5, 9, 9.2, 9.5)
    assert a_recovery(10, 8, 9, 8.5, 9, 9.5, 10)
    assert a_recovery(10, 9, 9.5, 9.5, 9.6, 9.6)
    # Twice at zero within ten minutes, too.
    assert not a_recovery(9, 0, 9, 0, 9, 9, 9, 9)
    assert a_recovery(9, 9, 9, 0, 9, 9, 9, 9)
    # What was an hour ago counts.
    for before, recovered in (((10.0,), False), ((), True)):
        assert a_recovery(*before, 9, *[9.2] * 4, 9.1, *[9.1] * 2, *[9.2] * 4) is recovered


def test_three_pulses_of_an_hour_each_tell_that_the_next_is_due() -> None:
    lived = [90.0]
    for _ in range(3):
        lived += [lived[-1] - 10 + 0.5 * step for step in range(12)]
    assert not a_recovery(*lived[:-6])
    # An hour after the last one, and later.
    end = lived[-1]
    assert not a_recovery(*lived, end + 0.5)
    assert a_recovery(*lived, end + 0.5, end + 1)


def test_what_a_bucket_held_a_day_before_it_held_no_more_than_two_days_ago() -> None:
    """By points of an hour: the least of 24 of them."""
    falling = [0.97] * 6
    assert stays_full(0.9, *falling, *[0.98] * 17, 0.96, 0.95)
    low_at = {
        hours: stays_full(*[0.9 if ago == hours else 0.98 for ago in range(50, 0, -1)], 0.95)
        for hours in (23, 24, 47, 48)
    }
    assert low_at == {23: False, 24: True, 47: True, 48: False}
    assert stays_full(*[0.94] * 3, newest_age_minutes=60)
    points = [BalancePoint(time=NOW - timedelta(minutes=5 * ago), balance_bytes=76.0) for ago in range(4, -1, -1)]
    assert [stays_nearly_full(points, bucket, NOW) for bucket in (100, 102)] == [True, False]
