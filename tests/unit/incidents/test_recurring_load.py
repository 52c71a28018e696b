"""Whether the load comes back, read off what the balance did on earlier days."""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import GIB, MIB, earned_bytes_per_second
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.falls import falls, falls_again_and_again, parts_faster_than, smallest_fall_minutes
from efs_monitor.incidents.loads_of_the_day import without_credits_until
from efs_monitor.incidents.recurring_load import (
    FEWEST_POINTS,
    RecurringLoad,
    is_calm,
    last_day_is_complete,
    last_day_is_known,
    leaves_enough,
    worst_recurring_load,
)
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation, Work
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.each_minute import each_minute
from tests.unit.incidents.earlier_days import (
    A_WEEK,
    BATCH,
    EARNED,
    FULL,
    MINUTE_BYTES,
    POINTS_OF_THE_HOUR_BEFORE,
    a_day,
    a_life,
    a_slow_fall_of_more_than_a_day,
    now_with,
    rising_to,
    with_work,
)
from tests.unit.strategies import NOW, bursting


def found(situation: Situation) -> RecurringLoad:
    recurring = worst_recurring_load(situation)
    assert recurring is not None
    return recurring


@pytest.mark.parametrize(("moved_minutes", "comes_again"), [(0.0, False), (8.5, True)])
def test_what_a_smaller_bucket_cut_off_within_five_minutes_is_no_load_that_comes_again(
    moved_minutes: float, comes_again: bool
) -> None:
    day = a_day(a_life(200, (POINTS_OF_THE_HOUR_BEFORE + 149, 0.0), (1, -8.0), (137, 0.0)))
    metered = [0.0] * 149 + [moved_minutes] + [0.0] * 138
    situation = with_work(now_with(20, day), metered, [100.0] * 288)
    assert (worst_recurring_load(situation) is not None) is comes_again
    # Where nothing tells what was moved it may have been a load.
    assert worst_recurring_load(dataclasses.replace(situation, last_day=(), permitted_of_the_day=())) is not None


def test_a_batch_that_took_less_than_there_is_leaves_the_rest() -> None:
    recurring = found(now_with(100, a_day(a_life(200, *BATCH))))
    assert not recurring.gone
    # What two hours earn, less the hour of the batch.
    assert recurring.left_bytes / MINUTE_BYTES == pytest.approx(100 + 24 * EARNED - 60)
    assert recurring.fall.began == NOW - AHEAD + timedelta(hours=2) + STEP
    assert recurring.time == NOW + timedelta(hours=3) + STEP


def test_a_batch_that_took_more_than_there_is_empties_it_in_its_midst() -> None:
    recurring = found(now_with(20, a_day(a_life(200, *BATCH))))
    assert recurring.gone
    # Of 25.8 minutes' worth all but one go in nearly five steps of five; the first began after the last calm point.
    assert recurring.time == NOW + timedelta(hours=2) + STEP + (24 * EARNED + 20 - 1) / 5 * STEP
    assert recurring.fall.gone is None


def test_a_load_that_leaves_next_to_nothing_is_told_beside_the_later_one_that_ends_them() -> None:
    """Of 126 minutes' worth the first takes two hours' worth; the second ends what has come back since."""
    two = a_life(300, (POINTS_OF_THE_HOUR_BEFORE + 24, EARNED), (24, -5.0), (60, EARNED), (10, -5.0), (120, EARNED))
    recurring = found(now_with(120, a_day(two)))
    low = recurring.low_before
    assert recurring.gone
    assert low is not None
    assert low.left_bytes / MINUTE_BYTES == pytest.approx(24 * EARNED)
    assert recurring.low_from == low.time == NOW + timedelta(hours=4) + STEP < recurring.time
    # With more of it nobody has to fear another load, and with less the first ends them.
    assert found(now_with(136, a_day(two))).low_before is None
    assert found(now_with(110, a_day(two))).low_before is None


def test_that_it_was_gone_then_is_known() -> None:
    recurring = found(now_with(20, a_day(a_life(10, *BATCH))))
    assert recurring.gone
    assert recurring.fall.gone == NOW - AHEAD + timedelta(hours=2) + 4 * STEP


def test_a_load_that_went_on_without_credits_would_have_taken_more() -> None:
    """Fewer credits then than now: what it wanted at zero counts at the pace that it had before."""
    limited = a_life(10, (36, EARNED), (24, -5.0), (228, EARNED))
    assert found(now_with(40, a_day(limited))).gone
    rest = found(now_with(300, a_day(limited)))
    assert not rest.gone
    # Least is left when it ends, and not when its credits were gone; nor when a minute's worth has come back.
    assert rest.time == NOW + timedelta(hours=4) + STEP
    # By the first point above zero five minutes' worth have been earned: the load had ended when the last one at zero
    # began.
    assert rest.left_bytes / MINUTE_BYTES == pytest.approx(300 + 24 * EARNED - 23 * 5, abs=0.3)


@pytest.mark.parametrize("came_back", [0.05, 0.12, 0.24])
def test_a_limit_that_has_just_ended_is_reckoned_with_up_to_its_end(came_back: float) -> None:
    """One point above zero follows it, to which no more can have come back than is earned. Five minutes more would take
    five minutes' worth.
    """
    lived = [*a_life(10, (36, EARNED), (24, -5.0)), *(came_back + EARNED * step for step in range(228))]

    def left(points: int) -> float:
        return found(now_with(300, a_day(lived[: 61 + points]))).left_bytes / MINUTE_BYTES

    assert left(1) == pytest.approx(left(100), abs=0.3)


@pytest.mark.parametrize("began", range(3))
def test_a_load_that_took_all_at_once_and_was_as_fast_as_clients_may_be_spent_no_more_than_that(began: int) -> None:
    """3.3 minutes' worth, and five hours of a load at the permitted rate, of which a twentieth is earned."""
    calm, took = [3.3] * (185 + began), 0.95
    falling = [max(0.0, 3.3 - took * minute) for minute in range(1, 301)]
    lived = [*calm, *falling, *(0.05 * minute for minute in range(1, 1200))]
    points = [min(lived[first : first + 5]) for first in range(0, 288 * 5, 5)]
    rest = found(now_with(340, a_day(points)))
    assert rest.may_take_less
    assert rest.left_bytes / MINUTE_BYTES >= 340 - took * 300


@pytest.mark.parametrize(("took", "may_take_less"), [(0.64, True), (0.3, False)])
def test_one_that_took_all_within_ten_minutes_and_is_taken_for_the_fastest_may_take_less(
    took: float, *, may_take_less: bool
) -> None:
    """As fast as clients may be it would have taken all within the five minutes; of what is far slower nobody knows."""
    calm = [9.6 * took] * 185
    falling = [max(0.0, 9.6 * took - took * minute) for minute in range(1, 31)]
    lived = [*calm, *falling, *(0.05 * minute for minute in range(1, 1300))]
    points = [min(lived[first : first + 5]) for first in range(0, 288 * 5, 5)]
    rest, gone = found(now_with(100, a_day(points))), found(now_with(12, a_day(points)))
    assert (rest.may_take_less, gone.may_take_less) == (may_take_less, may_take_less and gone.gone)
    if may_take_less:
        assert rest.left_bytes / MINUTE_BYTES <= 100 + 185 * 5 * 0.05 - took * 30


@pytest.mark.parametrize("first", [3.8, 1.0])
def test_a_load_that_ended_little_within_five_minutes_was_no_slower_than_that_takes(first: float) -> None:
    """Four minutes' worth were gone in the five minutes after those in which it began; it went on for half an hour."""
    calm = [4.0] * (POINTS_OF_THE_HOUR_BEFORE + 24)
    day = a_day(
        a_life(0, *[(1, one) for one in (4.0, *[0.0] * (len(calm) - 1))], (1, first - 4), (7, -4.0), (200, 0.1))
    )
    recurring = found(now_with(15, day))
    assert recurring.gone
    began = NOW + 24 * STEP
    assert began + timedelta(minutes=15) <= recurring.time <= began + timedelta(minutes=30)


def test_pulses_at_zero_take_as_much_as_those_before_it_and_nothing_while_they_rest() -> None:
    pulses = ((2, -5.0), (4, EARNED))
    day = a_life(10, (36, EARNED), *pulses * 6, (160, EARNED))
    assert found(now_with(300, a_day(day))).fall.gone == NOW - AHEAD + timedelta(hours=2, minutes=40)
    # All but one of 40 and what two hours earn; by 14:40 14.04 were taken, by 14:45 five more, and then ten in ten
    # minutes of every half hour, in twenty of which 0.96 came back.
    recurring = found(now_with(40, a_day(day)))
    rest = 40 + 24 * EARNED - 1 - 14.04 - 5 - 2 * (10 - 0.96) + 0.96
    assert recurring.gone
    assert recurring.time == NOW + timedelta(hours=4, minutes=5 + rest)
    # The last of them ended when the last five minutes at zero began.
    least = found(now_with(100, a_day(day)))
    assert least.left_bytes / MINUTE_BYTES == pytest.approx(100 + 24 * EARNED - 14.04 - 5 - 3 * 10 - 5 + 4 * 0.96)


@pytest.mark.parametrize("missing", [(43, 47), (39, 47), (38, 52), (50, 60)])
def test_a_load_goes_on_at_zero_while_metrics_are_missing(missing: tuple[int, int]) -> None:
    """They ended with the fortieth point: some are missing after that, or it is one of them."""
    day = a_day(a_life(10, (36, EARNED), (24, -5.0), (228, EARNED)))
    unseen = dataclasses.replace(day, balances=day.balances[: missing[0]] + day.balances[missing[1] :])
    assert found(now_with(70, unseen)).time == found(now_with(70, day)).time
    left = found(now_with(200, day)).left_bytes
    assert found(now_with(200, unseen)).left_bytes == pytest.approx(left, abs=0.5 * MINUTE_BYTES)


def without(day: PastDay, since: int, until: int) -> PastDay:
    return dataclasses.replace(day, balances=day.balances[:since] + day.balances[until:])


@pytest.mark.parametrize("start", [200, 40])
@pytest.mark.parametrize("until", [44, 60, 75])
def test_a_load_whose_end_nobody_saw_goes_on_as_it_was_before_until_it_has_taken_all(start: int, until: int) -> None:
    """Four steps of its twelve are seen. From 40 minutes' worth it took all."""
    day = a_day(a_life(start, *BATCH))
    assert found(now_with(20, without(day, 41, until))).time == found(now_with(20, day)).time


def test_a_load_that_took_more_while_nobody_saw_it_was_faster_then() -> None:
    """Of 24.8 minutes' worth 20 go in four steps, and the rest at the pace of 10 a step."""
    day = a_day(a_life(200, (36, EARNED), (4, -5.0), (4, -10.0), (240, EARNED)))
    recurring = found(now_with(20, without(day, 41, 44)))
    assert recurring.time == NOW + timedelta(hours=2) + STEP + (4 + (24 * EARNED + 20 - 1 - 20) / 10) * STEP


def test_a_fall_that_was_under_way_at_this_time_of_day_does_not_count_but_one_that_begins_does() -> None:
    """The pace would show a load that were there today."""
    under_way = a_life(200, (4, EARNED), (40, -5.0), (244, EARNED))
    assert worst_recurring_load(now_with(20, a_day(under_way))) is None
    just_begun = a_life(200, (11, EARNED), (20, -5.0), (244, EARNED))
    assert found(now_with(20, a_day(just_begun))).gone


@pytest.mark.parametrize(
    ("left", "pace", "taken_before"),
    [
        # It falls now as it did; or twice as fast, or rises.
        (100, -2.0, 13 * 2.0),
        (100, -4.0, 13 * 2.0),
        (100, 0.24, -12 * EARNED),
        # What it took then would end them: that is for the pace to tell.
        (24, -2.0, 0.0),
    ],
)
def test_a_load_that_is_there_takes_what_it_took_from_now_on_before_the_next_one_comes(
    left: float, pace: float, taken_before: float
) -> None:
    """Two hours of a slow load, half of them and five minutes to come, an hour of rest, and a batch that takes 50."""
    day = a_day(a_life(300, (24, -2.0), (12, EARNED), (10, -5.0), (200, EARNED)))
    now = now_with(left, day)
    falling = tuple(
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=(left - pace / 5 * age) * MINUTE_BYTES)
        for age in range(60, -1, -1)
    )
    recurring = found(dataclasses.replace(now, balances=falling))
    assert recurring.left_bytes / MINUTE_BYTES == pytest.approx(max(0, left - taken_before + 12 * EARNED - 50), abs=0.1)
    assert recurring.follows_others is (taken_before > 0)


@pytest.mark.parametrize(("pace", "is_there"), [(-5.0, True), (-3.0, True), (-2.0, False), (0.24, False)])
def test_a_load_that_began_minutes_ago_on_that_day_is_there_today_where_the_balance_falls_as_it_did(
    pace: float, is_there: bool
) -> None:
    """It would be laid over itself, and be gone before the pace of now says so."""
    day = a_day(a_life(200, (10, EARNED), (20, -5.0), (244, EARNED)))
    falling = tuple(
        BalancePoint(time=NOW - ago * MINUTE, balance_bytes=(20 - pace * ago / 5) * MINUTE_BYTES) for ago in (5, 3, 0)
    )
    situation = dataclasses.replace(now_with(20, day), balances=falling)
    assert (worst_recurring_load(situation) is None) is is_there


@pytest.mark.parametrize("points_ago", [0, 1, 2])
@pytest.mark.parametrize(("minutes", "gone"), [(100, False), (30, True)])
def test_a_load_that_began_minutes_ago_on_that_day_and_not_yet_today_takes_all_that_it_took_from_now_on(
    points_ago: int, minutes: float, gone: bool
) -> None:
    day = a_day(a_life(200, (POINTS_OF_THE_HOUR_BEFORE - 1 - points_ago, EARNED), (12, -5.0), (260, EARNED)))
    recurring = found(now_with(minutes, day))
    assert recurring.gone is gone
    if gone:
        assert recurring.time == NOW + (30 - 1) / 5 * STEP
    else:
        assert recurring.left_bytes / MINUTE_BYTES == pytest.approx(100 - 60)
        assert recurring.time == NOW + 12 * STEP


def test_a_load_that_would_have_ended_the_credits_by_now_is_not_there_and_the_next_may_come() -> None:
    """Where metrics are late, half an hour of today is not known."""
    two = a_day(a_life(200, (10, EARNED), (20, -5.0), (100, EARNED), (24, -5.0), (120, EARNED)))
    late = dataclasses.replace(now_with(2, two), time=NOW + timedelta(minutes=30))
    recurring = found(late)
    assert recurring.gone
    assert recurring.time > NOW + 130 * STEP - timedelta(hours=1)


def test_a_load_amid_a_slow_fall_of_more_than_a_day_comes_again_at_its_time_of_day() -> None:
    recurring = found(a_slow_fall_of_more_than_a_day(minutes=100, faster=(48, -3)))
    assert recurring.gone
    assert recurring.fall.is_amid_another
    assert recurring.fall.began == NOW - AHEAD + timedelta(hours=6, minutes=5)
    # Six hours take 24 minutes, and of the other 76 all but one last for 25 points.
    assert recurring.time == NOW + timedelta(hours=6) + 26 * STEP


def test_a_slow_fall_of_more_than_a_day_without_such_a_load_says_nothing_more_than_its_pace() -> None:
    assert worst_recurring_load(a_slow_fall_of_more_than_a_day(minutes=100, faster=(48, -0.5))) is None


@pytest.mark.whole
@given(st.floats(-1, 0) | st.floats(0.01, 1.5), st.integers(4, 200), st.integers(12, 48))
def test_a_load_amid_a_slow_fall_comes_again_however_slow_or_over_that_is_today(
    share: float, points_until: int, points: int
) -> None:
    """What made the balance fall slowly for more than a day goes on, has become less, or has ended."""
    slow = -1 / 3
    day = a_day(
        a_life(
            FULL,
            (POINTS_OF_THE_HOUR_BEFORE + points_until, slow),
            (points, -4.0),
            (288 - points_until - points, slow),
        )
    )
    today = tuple(
        BalancePoint(time=NOW - ago * STEP, balance_bytes=(100 - ago * share * slow) * MINUTE_BYTES)
        for ago in range(12, -1, -1)
    )
    recurring = found(dataclasses.replace(now_with(100, day), balances=today))
    assert recurring.fall.is_amid_another
    assert recurring.fall.began == NOW - AHEAD + (points_until + 1) * STEP
    # While it falls the day goes on as it did; what has ended is earned.
    earned = earned_bytes_per_second(100 * GIB) * STEP.total_seconds() / MINUTE_BYTES
    change = slow if share > 0 else min(earned, slow * share)
    left = 100 + change * points_until
    after = left - 4 * points
    # What is left after it lasts for as long as the slow fall of today needs for it, if that goes on.
    goes_on = after + change * (288 - points_until - points - 1)
    assert recurring.gone or (after >= 1 and goes_on >= -1)
    if after < 1:
        assert recurring.gone
        assert abs(recurring.time - NOW - (points_until + 1 + (left - 1) / 4) * STEP) < STEP
    elif recurring.gone:
        ended = points_until + points + 1 + after / -change
        assert abs(recurring.time - NOW - ended * STEP) <= 2 * STEP
    if recurring.gone:
        assert not is_calm(dataclasses.replace(now_with(100, day), balances=today))


@pytest.mark.parametrize("points_before", [0, 1, 2])
def test_a_fall_that_has_been_under_way_for_a_day_does_not_come_again_at_the_time_at_which_it_began(
    points_before: int,
) -> None:
    slow = -1 / 3
    rising = POINTS_OF_THE_HOUR_BEFORE - 1 + points_before
    day = a_day(a_life(FULL - 20, (rising, EARNED), (288 + POINTS_OF_THE_HOUR_BEFORE - rising, slow)))
    now = dataclasses.replace(a_slow_fall_of_more_than_a_day(minutes=100, faster=(0, 0)), past_days=(day,))
    assert worst_recurring_load(now) is None


def test_a_load_of_an_hour_that_was_under_way_is_no_slow_fall_with_others_in_it() -> None:
    """It began slowly, went on faster, and is not there today."""
    load = a_day(a_life(200, (4, EARNED), (12, -4.0), (8, -6.0), (250, EARNED)))
    assert worst_recurring_load(now_with(60, load)) is None


def test_after_a_load_that_was_under_way_another_amid_the_same_slow_fall_comes_again() -> None:
    slow = -1 / 3
    two = a_day(a_life(FULL, (2, slow), (14, -5.0), (60, slow), (24, -4.0), (200, slow)))
    assert found(now_with(60, two)).fall.began == NOW - AHEAD + (76 - POINTS_OF_THE_HOUR_BEFORE + 1) * STEP


def test_every_load_amid_a_slow_fall_counts() -> None:
    """48 minutes are taken by the first, and after a rest of two hours as much by the next."""
    situation = a_slow_fall_of_more_than_a_day(minutes=100, faster=(16, -3))
    (day,) = situation.past_days
    again = [
        one._replace(balance_bytes=one.balance_bytes - max(0, min(16, index - 125)) * 3 * MINUTE_BYTES)
        for index, one in enumerate(day.balances)
    ]
    both = dataclasses.replace(situation, past_days=(dataclasses.replace(day, balances=tuple(again)),))
    alone = found(situation)
    # What the load leaves, the slow fall takes until a third is left, which it takes in five minutes.
    assert (alone.gone, alone.left_bytes) == (True, 0)
    assert alone.time == NOW + (72 + 16 + round(3 * (100 - 24 - 48 - 1 / 3)) + 1) * STEP
    assert alone.fall.began == NOW - AHEAD + 73 * STEP
    more = dataclasses.replace(situation, balances=now_with(200).balances)
    assert not found(more).gone
    assert found(both).gone
    assert found(both).fall.began == NOW - AHEAD + (125 - POINTS_OF_THE_HOUR_BEFORE + 1) * STEP


@pytest.mark.parametrize(("began_minutes_ago", "comes"), [(10, True), (15, False), (30, False)])
def test_a_load_amid_a_slow_fall_that_was_there_at_this_time_of_day_does_not_count(
    began_minutes_ago: int, comes: bool
) -> None:
    """The pace would show it, were it there today."""
    slow_points = POINTS_OF_THE_HOUR_BEFORE - began_minutes_ago // 5 - 1
    day = a_day(a_life(FULL, (slow_points, -1 / 3), (40, -3), (250, -1 / 3)))
    falling = dataclasses.replace(a_slow_fall_of_more_than_a_day(minutes=100, faster=(0, 0)), past_days=(day,))
    assert (worst_recurring_load(falling) is not None) is comes


@pytest.mark.parametrize("slow", [-1 / 30, 0.1])
def test_pulses_of_every_half_hour_do_not_hide_a_batch_amid_them_nor_what_they_take(slow: float) -> None:
    """Two minutes of each half hour from before this time of that day on: with rests like those they are no load that
    was under way, of which nothing came after. The batch takes 60 minutes, and 28 of them before it two each.
    """
    pulse, rests = (1, -2.0), (5, slow)
    half_hours = [stretch for _ in range(30) for stretch in (pulse, rests)]
    day = a_day(a_life(300, *half_hours, (12, -5.0), *half_hours[:10], (96, slow)))
    today = tuple(
        BalancePoint(time=NOW - ago * STEP, balance_bytes=(150 - ago * slow) * MINUTE_BYTES)
        for ago in range(12, -1, -1)
    )
    recurring = found(dataclasses.replace(now_with(150, day), balances=today))
    assert recurring.fall.began == NOW - AHEAD + (180 - POINTS_OF_THE_HOUR_BEFORE + 1) * STEP
    assert recurring.fall.lost_bytes == pytest.approx(60 * MINUTE_BYTES, rel=0.1)
    assert recurring.left_bytes / MINUTE_BYTES == pytest.approx(150 - 60 - 28 * (2 - 5 * slow), abs=3)
    # Faster than another load only where one went on in the rests.
    assert recurring.fall.is_amid_another is (slow < 0)


def test_a_gust_amid_a_slow_fall_is_no_load_that_comes_again() -> None:
    assert worst_recurring_load(a_slow_fall_of_more_than_a_day(minutes=100, faster=(2, -2))) is None


def test_what_a_fall_took_that_is_not_there_today_is_earned_today() -> None:
    """Under way until an hour from now, and at zero for two hours more: three hours of credits until the next one."""
    under_way = a_life(180, (4, EARNED), (20, -5.0), (24, -9.0), (24, EARNED), (24, -5.0), (204, EARNED))
    recurring = found(rising_to(20, a_day(under_way)))
    # At zero until 15:00.
    there = 20 + (36 + 24) * EARNED
    # Of the last minute's worth the end is told before.
    assert recurring.time == NOW + timedelta(hours=5, minutes=5) + (there - 1) / 5 * STEP
    falling = dataclasses.replace(
        now_with(20, a_day(under_way)),
        balances=tuple(
            BalancePoint(time=NOW - ago * timedelta(minutes=1), balance_bytes=(20 + ago) * MINUTE_BYTES)
            for ago in range(20, -1, -1)
        ),
    )
    # Who falls today earns nothing meanwhile.
    assert found(falling).time < recurring.time - STEP


@pytest.mark.parametrize("amid", [False, True], ids=["at its head", "amid it"])
def test_a_faster_load_of_the_fall_that_goes_on_comes_again_and_the_fall_goes_on_until_then(*, amid: bool) -> None:
    """It was told as one load that ends now: two hours later than the nightly job at the head of it ended all."""
    slow, slow_before = -1 / 3, 12 if amid else 0
    stretches = ((84, EARNED), (slow_before, slow), (24, -5.0), (192 - slow_before, slow))
    day = a_day(a_life(300, *stretches))
    falling = tuple(
        BalancePoint(time=NOW - ago * STEP, balance_bytes=(60 - ago * slow) * MINUTE_BYTES) for ago in range(12, -1, -1)
    )
    recurring = found(dataclasses.replace(now_with(60, day), balances=falling))
    assert recurring.fall.is_amid_another
    begins = NOW + (72 + slow_before) * STEP
    assert abs(recurring.fall.began + AHEAD - begins) <= STEP
    left = 60 + (72 + slow_before) * slow
    assert recurring.gone
    assert abs(recurring.time - (begins + left / 5 * STEP)) <= 2 * STEP


def in_pulses_since(minutes: int, left: float) -> tuple[BalancePoint, ...]:
    """The newest so many minutes of pulses, of which each takes four minutes' worth in the first five of twenty."""
    took = [0.0]
    for minute in range(1, minutes + 1):
        took.append(took[-1] + (0.8 if minute % 20 in range(1, 6) else -EARNED / 5))
    return tuple(
        BalancePoint(time=NOW - (minutes - minute) * MINUTE, balance_bytes=(left + took[-1] - one) * MINUTE_BYTES)
        for minute, one in enumerate(took)
    )


@pytest.mark.parametrize("rests", [True, False])
@pytest.mark.parametrize("head", [0, 12], ids=["pulses alone", "a load at their head"])
def test_pulses_that_go_on_are_one_load_and_what_took_more_than_a_pulse_comes_again_amid_them(
    head: int, *, rests: bool
) -> None:
    """They were told as loads faster than their own pace, which a day later come to a balance that nothing had taken
    from meanwhile.
    """
    cycle = ((1, -4.0), (3, EARNED))
    newest = () if rests else cycle[:1]
    day = a_day(a_life(FULL, (108 - head - len(newest), EARNED), (head, -5.0), *(48 * cycle), *newest))
    falling = in_pulses_since(60 if rests else 63, 350)
    now = dataclasses.replace(now_with(350, day), balances=falling)
    assert now.pulses is not None
    recurring = found(now)
    assert recurring.fall.is_amid_another is bool(head)
    begins = (96 - head - len(newest)) * STEP
    assert abs(recurring.fall.began + AHEAD - NOW - begins) <= STEP
    if head:
        # The pulses have gone on until then: of each four minutes' worth, a rest earns a part.
        left = 350 + begins / (4 * STEP) * (3 * EARNED - 4) - head * 5
        assert recurring.left_bytes / MINUTE_BYTES == pytest.approx(left, abs=5)


def test_what_was_under_way_is_taken_for_there_where_one_datapoint_tells_no_pace() -> None:
    """Under way until an hour from now, by 60 minutes' worth: none of it is earned, and the next fall takes 60 more."""
    under_way = a_day(a_life(200, (24, -5.0), (48, EARNED), (12, -5.0), (204, EARNED)))
    unknown, absent = found(now_with(150, under_way)), found(rising_to(150, under_way))
    # A point is the lowest of its five minutes: of the newest before this time of day the five after it are to come.
    assert unknown.left_bytes / MINUTE_BYTES == pytest.approx(150 - 65 + 48 * EARNED - 60)
    assert absent.left_bytes / MINUTE_BYTES == pytest.approx(150 + 60 * EARNED - 60)
    # Less than it took yet is all taken, and the next one ends what is earned until then.
    soon = found(now_with(50, under_way))
    assert soon.gone
    assert soon.time == NOW + timedelta(hours=5, minutes=5) + (48 * EARNED - 1) / 5 * STEP


def test_what_was_earned_fills_a_bucket_and_no_more() -> None:
    recurring = found(now_with(FULL - 1, a_day(a_life(100, *BATCH))))
    assert recurring.left_bytes / MINUTE_BYTES == pytest.approx(FULL - 60)


def test_what_is_earned_before_the_first_datapoint_of_an_earlier_day_counts_too() -> None:
    """Of a file system that is younger than a day, or that was elastic then."""
    whole = a_day(a_life(200, *BATCH))
    young = dataclasses.replace(whole, balances=whole.balances[20:])
    assert found(now_with(100, young)).left_bytes / MINUTE_BYTES == pytest.approx(
        found(now_with(100, whole)).left_bytes / MINUTE_BYTES, abs=0.1
    )
    nearly_full = found(now_with(FULL - 0.5, young))
    assert nearly_full.left_bytes / MINUTE_BYTES == pytest.approx(FULL - 60)


def test_hours_of_which_nothing_is_known_yet_go_on_as_now() -> None:
    """A base load of half of what is earned: the balance of a file system that is half a day old rises half as fast."""
    whole = a_day(a_life(200, *BATCH))
    young = now_with(100, dataclasses.replace(whole, balances=whole.balances[24:]))
    half = EARNED / 2

    def rising(by: float) -> Situation:
        before = young.balances[0]._replace(time=NOW - 3 * STEP, balance_bytes=(100 - 3 * by) * MINUTE_BYTES)
        return dataclasses.replace(young, balances=each_minute(before, *young.balances))

    unknown_points = 24 - POINTS_OF_THE_HOUR_BEFORE
    idle, busy, full_of_work = (found(rising(by)).left_bytes / MINUTE_BYTES for by in (EARNED, half, 0.0))
    assert idle - busy == pytest.approx(half * unknown_points)
    assert idle - full_of_work == pytest.approx(EARNED * unknown_points)


def test_the_fall_that_empties_first_counts_more_than_one_that_leaves_less() -> None:
    yesterday, a_week_ago = a_day(a_life(200, *BATCH)), a_day(a_life(200, (60, EARNED), (24, -5.0)), A_WEEK)
    assert found(now_with(100, yesterday, a_week_ago)).back == A_WEEK
    assert found(now_with(20, yesterday, a_week_ago)).back == AHEAD


def test_a_calm_day_is_calm_and_an_unknown_one_is_not() -> None:
    calm = a_life(30, (300, EARNED))
    assert is_calm(now_with(30, a_day(calm)))
    assert not is_calm(now_with(30))
    assert not is_calm(now_with(30, a_day(calm[: FEWEST_POINTS - 1])))
    assert last_day_is_known(now_with(30, a_day(calm[:FEWEST_POINTS])))
    # Of a file system that was created so long ago, the hours that come are not known.
    assert not is_calm(now_with(30, PastDay(back=AHEAD, balances=a_day(calm).balances[FEWEST_POINTS // 2 :])))
    # A week ago alone tells nothing of yesterday.
    assert not last_day_is_known(now_with(30, a_day(calm, A_WEEK)))


def test_a_day_in_which_the_credits_were_gone_was_not_calm_whatever_comes_back() -> None:
    """The batch of the morning, which comes again tomorrow morning and finds enough by then."""
    morning = a_life(20, (12, -2.0), (264, EARNED))
    assert worst_recurring_load(now_with(300, a_day(morning))) is None or not found(now_with(300, a_day(morning))).gone
    assert not is_calm(now_with(300, a_day(morning)))


def test_a_calm_yesterday_is_not_enough_where_the_day_of_the_week_is_not() -> None:
    calm = a_day(a_life(30, (300, EARNED)))
    assert not is_calm(now_with(30, calm, a_day(a_life(200, *BATCH), A_WEEK)))


def test_an_hour_that_is_left_is_enough() -> None:
    def leaving(minutes: float) -> Situation:
        return now_with(minutes + 60 - 24 * EARNED, a_day(a_life(200, *BATCH)))

    assert leaves_enough(found(leaving(60.1)), leaving(60.1))
    assert not leaves_enough(found(leaving(59.9)), leaving(59.9))


stretches = st.lists(st.tuples(st.integers(1, 60), st.floats(-5, 1)), min_size=1, max_size=8)


@given(st.floats(1, 360), st.floats(0, 300), stretches)
def test_a_day_that_comes_again_from_the_same_balance_ends_as_it_did(
    start: float, scale: float, lived: list[tuple[int, float]]
) -> None:
    """A day that began calmly and never touched zero does not, and with more credits it leaves no less."""
    life = a_life(start, (13, 0.0), *lived)[: 12 + 288]
    day = a_day(life)
    if min(life) < 1:
        return
    again = worst_recurring_load(now_with(life[12], day))
    assert again is None or not again.gone
    richer = worst_recurring_load(now_with(life[12] + scale, day))
    assert richer is None or again is not None
    if again is not None and richer is None:
        # Where more is left, a fall has to take more to count.
        assert again.fall.lost_bytes < smallest_fall_minutes(now_with(life[12] + scale)) * MINUTE_BYTES
    if again is not None and richer is not None:
        assert richer.left_bytes >= again.left_bytes - 1


@given(st.floats(1.01, 300), stretches)
def test_more_credits_never_end_sooner(minutes: float, lived: list[tuple[int, float]]) -> None:
    """Of less than a minute's worth nothing is left that could end."""
    day = a_day(a_life(200, *lived))
    poor, rich = worst_recurring_load(now_with(minutes, day)), worst_recurring_load(now_with(minutes + 20, day))
    if rich is not None and rich.gone:
        assert poor is not None
        assert poor.gone
        assert poor.time <= rich.time


def test_a_load_amid_a_slow_fall_is_not_said_to_have_ended_the_credits_that_a_later_fall_ended() -> None:
    """It was five minutes long, half an hour before the batch that went on until nothing was left."""
    slow_with_a_load, rest, batch = ((8, -1.0), (1, -5.0)), (6, 0.0), (46, -5.0)
    day = a_day(a_life(200, (1, 0.0), *slow_with_a_load, rest, batch))
    for minutes in (31, 51):
        recurring = found(now_with(minutes, day))
        # It rests for twenty minutes more, and then takes a minute's worth a minute.
        assert recurring.gone
        assert recurring.time == NOW + timedelta(minutes=25 + minutes - 1)


def test_a_load_amid_a_slow_fall_that_ended_the_credits_was_limited_until_they_came_back() -> None:
    """Two minutes of the first five of seven were credits left, and in the last three of the last they came back."""
    day = a_day([*a_life(200, (13, -1.0), (38, -5.0), (6, 0.0)), *(0.6 + back for back in range(60))])
    slow, *_ = falls(day.balances, MINUTE_BYTES)
    (fast,) = parts_faster_than(1.5 * MINUTE_BYTES / STEP.total_seconds(), slow, day.balances, MINUTE_BYTES)
    assert fast.limited == 7 * STEP - timedelta(minutes=2 + 3)


def test_points_that_are_missing_end_nothing_and_begin_nothing() -> None:
    whole = a_day(a_life(200, *BATCH))
    holed = dataclasses.replace(whole, balances=whole.balances[::2])
    recurring, again = found(now_with(100, whole)), found(now_with(100, holed))
    assert again.left_bytes == pytest.approx(recurring.left_bytes, abs=MINUTE_BYTES * 5)


def test_a_fall_that_takes_all_but_a_minute_ends_the_credits_itself_and_not_the_next_one() -> None:
    """It took 60 minutes' worth, and 60.5 are there by then: what is left is gone as far as anybody notices."""
    two_batches = ((36, 0.0), (12, -5.0), (48, 1.0), (12, -5.0), (180, EARNED))
    recurring = found(now_with(60.5, a_day(a_life(200, *two_batches))))
    assert recurring.gone
    # Of 60.5 minutes' worth 59.5 are gone a tenth of a step before its end.
    assert recurring.time == NOW + timedelta(hours=3) + 0.9 * STEP


@pytest.mark.parametrize(("hours_unknown", "whole"), [(0, True), (0.4, True), (0.5, False), (8, False)])
def test_a_day_is_whole_where_it_is_known_from_its_beginning_on(hours_unknown: float, whole: bool) -> None:
    """Its first hour is that before: without it nothing is missing of the last 24."""
    known = a_day(a_life(200, *BATCH))
    began = NOW - AHEAD + timedelta(hours=hours_unknown)
    points = tuple(one for one in known.balances if one.time >= began)
    assert last_day_is_complete(now_with(20, PastDay(back=AHEAD, balances=points))) is whole


@pytest.mark.parametrize(
    ("points_missing", "gib", "hides"),
    [(60, 100, True), (60, 5, False), (5, 2000, False), (0, 100, False)],
    ids=["five hours", "what little is earned in them shows every fall", "less than half an hour", "none"],
)
def test_a_day_with_a_hole_in_which_a_load_may_have_come_and_been_earned_again_is_neither_calm_nor_whole(
    points_missing: int, gib: int, hides: bool
) -> None:
    whole = a_day(a_life(100, (300, 0.0)))
    holed = dataclasses.replace(whole, balances=whole.balances[:40] + whole.balances[40 + points_missing :])
    situation = dataclasses.replace(now_with(120, holed), file_system=bursting(gib * GIB))
    assert last_day_is_known(situation)
    assert (is_calm(situation), last_day_is_complete(situation)) == (not hides, not hides)


def test_a_day_in_which_elastic_throughput_left_no_balance_has_no_hole() -> None:
    whole = a_day(a_life(100, (300, 0.0)))
    holed = dataclasses.replace(whole, balances=whole.balances[:40] + whole.balances[100:])
    missing = range(40 - POINTS_OF_THE_HOUR_BEFORE, 100 - POINTS_OF_THE_HOUR_BEFORE)
    elastic = with_work(now_with(120, holed), [0.0] * 288, [1024 if point in missing else 100 for point in range(288)])
    assert is_calm(elastic)
    assert last_day_is_complete(elastic)


@pytest.mark.parametrize(
    ("elastic_steps", "whole"),
    [(range(80), True), (range(5, 80), True), (range(6, 80), False), (range(74), False), (range(75), True)],
    ids=["all of them", "all but 25 minutes", "all but half an hour", "not the half hour", "not the last 25 minutes"],
)
@pytest.mark.parametrize("moved_mib", [0.0, 3.0])
def test_a_day_that_began_in_elastic_throughput_is_whole_whatever_was_moved_in_that(
    elastic_steps: range, moved_mib: float, *, whole: bool
) -> None:
    """Nothing was missing of a day whose first hours were idle."""
    day = a_day(a_life(100, (300, 0.0)))
    since = dataclasses.replace(day, balances=day.balances[POINTS_OF_THE_HOUR_BEFORE + 80 :])
    permitted = [1024 if point in elastic_steps else 100 for point in range(288)]
    moved = [moved_mib if point in elastic_steps else 0.0 for point in range(288)]
    begun = with_work(now_with(120, since), moved, permitted)
    known = tuple(one for index, one in enumerate(begun.permitted_of_the_day) if index in elastic_steps or index >= 80)
    # Of an idle step there is no work.
    worked = tuple(one for one in begun.last_day if one.metered_bytes > 0)
    begun = dataclasses.replace(begun, permitted_of_the_day=known, last_day=worked)
    assert last_day_is_complete(begun) is whole


@pytest.mark.parametrize(("points_before", "again"), [(10, False), (11, True)])
def test_a_fall_that_is_cut_off_by_the_edge_of_the_last_day_is_none_of_it(points_before: int, again: bool) -> None:
    """The same batch a day ago, begun a little more than 24 hours before: the one of today has come again."""
    day = a_life(200, (points_before, 0.0), (12, -5.0), (200, EARNED), (12, -5.0), (12, EARNED))
    assert falls_again_and_again(now_with(60, a_day(day))) is again


def test_what_it_took_without_credits_at_this_time_of_day_is_earned_today() -> None:
    """Gone before this time of day, and limited for an hour after it: an hour of credits until the next fall."""
    limited = a_life(40, (2, EARNED), (8, -5.0), (14, -5.0), (24, 7.5), (12, -5.0), (228, EARNED))
    recurring = found(rising_to(20, a_day(limited)))
    spared = 14 * EARNED
    assert recurring.gone is False
    assert recurring.left_bytes / MINUTE_BYTES == pytest.approx(20 + spared + 24 * 7.5 - 60, abs=1)


def test_a_load_of_another_mode_that_went_on_with_credits_counts_whole() -> None:
    """Elastic throughput until two hours ahead of now, on the day before: an hour of its load took no credits there."""
    lived = a_life(200, (12, -5.0), (240, EARNED))
    first = NOW - AHEAD + timedelta(hours=2)
    points = tuple(
        BalancePoint(time=first + index * STEP, balance_bytes=one * MINUTE_BYTES) for index, one in enumerate(lived)
    )
    situation = now_with(200, PastDay(back=AHEAD, balances=points))
    alone = found(situation)
    steps = tuple(NOW - AHEAD + index * STEP for index in range(288))
    elastic = dataclasses.replace(
        situation,
        permitted_of_the_day=tuple((time, (1024 if time < first else 100) * MIB) for time in steps),
        last_day=tuple(Work(time=first - ago * STEP, metered_bytes=5 * MINUTE_BYTES) for ago in range(1, 13)),
    )
    assert (alone.left_bytes - found(elastic).left_bytes) / MINUTE_BYTES == pytest.approx(60)
    assert (alone.follows_others, found(elastic).follows_others) == (False, True)
    # Nothing is left below zero.
    poor = found(dataclasses.replace(elastic, balances=now_with(20).balances))
    assert (poor.gone, poor.time) == (True, NOW + timedelta(hours=2) + STEP)


def test_where_a_full_bucket_took_in_no_more_the_one_of_now_earns() -> None:
    """Full for four hours on the day before, in which clients took half of what is earned; then a batch of an hour."""
    full = a_day([FULL] * (POINTS_OF_THE_HOUR_BEFORE + 48) + a_life(FULL, (12, -5.0), (228, EARNED))[1:])
    lived = with_work(now_with(100, full), [EARNED / 2] * 48 + [5.24] * 12 + [0.0] * 228, [100] * 288)
    assert found(lived).left_bytes / MINUTE_BYTES == pytest.approx(100 + 48 * EARNED / 2 - 60, abs=1)
    # Of a week ago nobody knows what clients took: then as much as was earned.
    a_week_ago = now_with(
        100,
        dataclasses.replace(
            full,
            back=A_WEEK,
            balances=tuple(one._replace(time=one.time - A_WEEK + AHEAD) for one in full.balances),
        ),
    )
    assert found(a_week_ago).left_bytes / MINUTE_BYTES == pytest.approx(100 - 60, abs=1)


def test_what_a_load_of_another_mode_takes_of_credits_is_earned_meanwhile() -> None:
    """Elastic throughput for ten hours, in which clients moved as much as is earned: nothing is taken of what is there.
    A batch of two hours follows on credits.
    """
    lived = a_life(200, (24, -5.0), (144, EARNED))
    first = NOW - AHEAD + 120 * STEP
    points = tuple(
        BalancePoint(time=first + index * STEP, balance_bytes=one * MINUTE_BYTES) for index, one in enumerate(lived)
    )
    elastic = with_work(
        now_with(200, PastDay(back=AHEAD, balances=points)),
        [EARNED] * 120 + [5.24] * 24 + [0.0] * 144,
        [1024] * 120 + [100] * 168,
    )
    assert found(elastic).left_bytes / MINUTE_BYTES == pytest.approx(200 - 120, abs=1)
    assert not found(elastic).follows_others
    # Nor is more lost than the bucket holds: it was full before, and what is earned next to the load fills it again.
    full = dataclasses.replace(elastic, balances=now_with(FULL).balances)
    assert found(full).left_bytes / MINUTE_BYTES == pytest.approx(FULL - 120, abs=1)


def test_a_day_of_two_falls_is_calm_only_where_either_may_come_at_any_hour() -> None:
    """By its time of day enough would be there for an hour's worth, and at once there is not."""
    twice = a_day(a_life(100, (11, EARNED), (36, 2.0), (12, -5.0), (96, 2.0), (12, -5.0), (121, 0.0)))
    assert falls_again_and_again(now_with(120, twice))
    assert is_calm(now_with(120, twice))
    assert not is_calm(now_with(119, twice))
    once = a_day(a_life(100, (11, EARNED), (36, 2.0), (12, -5.0), (229, 2.0)))
    assert is_calm(now_with(119, once))


@pytest.mark.parametrize(("minutes", "gone"), [(20, False), (15, True)])
def test_a_slow_load_ends_them_when_nothing_is_left_and_not_when_a_minutes_worth_is(minutes: float, gone: bool) -> None:
    """In two hours it begins to take a quarter of a minute's worth in five minutes, a hundred times."""
    slow = a_day(a_life(60, (36, EARNED), (100, -0.25), (160, EARNED)))
    recurring = worst_recurring_load(now_with(minutes, slow))
    assert recurring is not None
    assert recurring.gone is gone
    left = minutes + 24 * EARNED
    if gone:
        assert recurring.time == pytest.approx(NOW + timedelta(hours=2) + left / 0.25 * STEP, abs=2 * STEP)
    else:
        assert recurring.left_bytes / MINUTE_BYTES == pytest.approx(left - 100 * 0.25, abs=0.3)


@pytest.mark.parametrize("rest", [EARNED, -0.05])
def test_a_load_that_came_amid_pulses_which_go_on_by_now_comes_again_like_any_other(rest: float) -> None:
    """Pulses every twenty minutes since before this time of that day, beside a slow load or none: in two hours a load
    of three hours takes three minutes' worth in five, and the pulses go on after it.
    """
    pulse = ((1, -2.0), (3, rest))
    day = a_day(a_life(400, *pulse * 9, (36, -3.0), *pulse * 2, (200, rest)))
    recurring = worst_recurring_load(now_with(30, day))
    assert recurring is not None
    assert recurring.gone
    assert NOW + timedelta(hours=2) < recurring.time < NOW + timedelta(hours=3)


@pytest.mark.parametrize("minute", [10, 39, 50])
def test_pulses_that_come_again_are_those_of_now_and_count_once(minute: int) -> None:
    """Forty minutes of each hour take 22 minutes' worth, and the rest brings half of that back; so it was a day ago."""
    changes = [-0.55 if (index + minute) % 60 < 40 else 0.55 for index in range(26 * 60)]
    lived = [60 - sum(changes[index:]) for index in range(len(changes) + 1)]
    points = [
        BalancePoint(time=NOW - (len(changes) - index) * MINUTE, balance_bytes=left * MINUTE_BYTES)
        for index, left in enumerate(lived)
    ]
    day = PastDay(back=timedelta(days=1), balances=tuple(points[::5]))
    hour, before = tuple(points[-61:]), tuple(points[-541:-61])
    now = dataclasses.replace(now_with(60, day), balances=hour, earlier_balances=before)
    assert now.pulses is not None
    ends = now.pulses.credits_end
    assert ends is not None
    recurring = worst_recurring_load(now)
    assert recurring is not None
    assert recurring.gone
    assert abs(recurring.time - ends) <= timedelta(minutes=15)


def test_what_was_earned_before_the_load_that_comes_is_earned_now_though_one_held_it_without_credits_then() -> None:
    """Nothing came in for the first three hours of that day, because a load took all of it, which is not there now."""
    held, earned, fall = (36, 0.0), (60, EARNED), (2, -6.0)
    day = a_day(a_life(0, (POINTS_OF_THE_HOUR_BEFORE, 0.0), held, earned, fall, (178, EARNED)))
    recurring = worst_recurring_load(rising_to(320, day))
    assert recurring is not None
    assert recurring.left_bytes / MINUTE_BYTES == pytest.approx(320 + (36 + 60) * EARNED - 2 * 6)


@pytest.mark.parametrize(("ends_after", "until"), [(5, 5), (0, None), (-5, None)])
def test_a_time_without_credits_goes_on_at_this_time_of_its_day_or_is_over(ends_after: int, until: int | None) -> None:
    points = POINTS_OF_THE_HOUR_BEFORE + ends_after
    day = a_day(a_life(0, (points, 0.0), (36, EARNED)))
    then = NOW - AHEAD
    found = without_credits_until(day.balances, now_with(150, day), then)
    assert found == (None if until is None else then + until * STEP)


def test_what_comes_to_nothing_later_in_the_day_was_none_that_went_on() -> None:
    day = a_day(a_life(10, (POINTS_OF_THE_HOUR_BEFORE, EARNED), (4, -5.0), (36, 0.0)))
    assert without_credits_until(day.balances, now_with(150, day), NOW - AHEAD) is None
