"""Whether a day would have done on burst credits: 100 GiB earn 17 GiB in an hour, and a full bucket holds 2,150 GiB."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB, full_bucket_bytes
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.incidents.back_to_bursting import DayOnCredits, day_on_credits
from efs_monitor.incidents.situation import DAY, Work
from hypothesis import given
from hypothesis import strategies as st

from simulation import burst_credits

NOW = datetime(2030, 1, 7, 4, 3, tzinfo=UTC)
STEP = timedelta(minutes=5)
UNDER_WAY = NOW.replace(minute=0)
STEPS = [UNDER_WAY - STEP * back for back in range(288, 0, -1)]
ELASTIC = FileSystem(
    file_system_id="fs-0123456789abcdef0", name="", mode=ThroughputMode.ELASTIC, standard_bytes=100 * GIB
)
BURST = 100 * MIB


def worked(rates_mib: Iterable[float]) -> list[Work]:
    """So many MiB/s in each five minutes, as metered; an idle step has no datapoint."""
    pairs = zip(STEPS, rates_mib, strict=False)
    return [Work(time=step, metered_bytes=mib * MIB * 300) for step, mib in pairs if mib]


def permitted(steps: Iterable[datetime], mib: float = 1024) -> list[tuple[datetime, float]]:
    """So much in each step, and in one more, which is under way."""
    whole = list(steps)
    return [(step, mib * MIB) for step in (*whole, whole[-1] + STEP)]


def day(
    opening_gib: float | None, rates_mib: Iterable[float], steps: list[datetime] | None = None, most_mib: float = 1024
) -> DayOnCredits:
    """The day, where it is known, with so much permitted."""
    lived = day_on_credits(
        ELASTIC,
        BURST,
        None if opening_gib is None else opening_gib * GIB,
        worked(rates_mib),
        permitted(STEPS if steps is None else steps, most_mib),
        NOW,
    )
    assert lived is not None
    return lived


@pytest.mark.parametrize("opening_gib", [0, 100, 2000])
def test_an_idle_day_shows_nothing_whatever_there_was(opening_gib: float) -> None:
    idle = day(opening_gib, [])
    assert idle.is_idle
    assert not idle.suffices
    # A minute's worth is 6,000 MiB: the monitor's own benchmark moves less.
    nearly_idle = day(opening_gib, [0, 6000 / 300 - 0.01])
    assert (nearly_idle.is_idle, nearly_idle.suffices) == (True, False)
    busy = day(opening_gib, [4, 4, 4, 4, 4])
    assert busy.moved_bytes == 6000 * MIB
    assert (busy.is_idle, busy.would_suffice) == (False, True)


@pytest.mark.parametrize(("opening_mib", "suffices"), [(0, False), (5999, False), (6000, True)])
def test_without_a_minutes_worth_to_begin_with_no_day_suffices_that_would_have_lasted(
    opening_mib: float, *, suffices: bool
) -> None:
    lived = day(opening_mib / 1024, [4] * 12)
    assert lived.would_suffice
    assert (lived.is_limited_at_once, lived.suffices) == (not suffices, suffices)


def test_of_steps_in_which_nothing_may_be_left_the_one_at_whose_end_least_is_left_is_told() -> None:
    """Each may spend before it earns: of a load of an hour the first that may end them is not when they are lowest."""
    lived = day(23.5, [10] * 12)
    assert lived.lowest_bytes / GIB == pytest.approx(23.5 - (10 * 3600 - 100 * 50 / 1024 * 3300) / 1024)
    lived = day(18.5, [10] * 12)
    assert lived.gone is None
    assert (lived.lowest_bytes, lived.lowest_time) == (0, STEPS[12])


def test_an_idle_day_earns_what_the_size_earns_and_is_lowest_where_it_begins() -> None:
    lived = day(100, [])
    assert (lived.lowest_bytes, lived.lowest_time) == (100 * GIB, STEPS[0])


def test_a_batch_that_leaves_an_hours_worth_would_have_lasted() -> None:
    # An hour at 80 MiB/s, of which 4.9 are earned: 264 GiB. An hour's worth are 352.
    lived = day(620, [*[0] * 12, *[80] * 12])
    earned = 100 * 50 / 1024
    assert lived.suffices
    assert lived.lost_bytes == 0
    assert not day(590, [*[0] * 12, *[80] * 12]).suffices
    # The last five minutes of it may have had all of theirs before they earned any.
    assert lived.lowest_bytes / GIB == pytest.approx(620 + earned * 3600 / 1024 - (80 * 3600 - earned * 3300) / 1024)
    assert lived.lowest_time == STEPS[24]


def test_a_batch_that_takes_more_ends_the_credits_in_the_step_that_takes_the_last() -> None:
    lived = day(200, [*[0] * 12, *[80] * 12])
    assert not lived.suffices
    assert lived.lowest_bytes == 0
    # 217 GiB last 49 minutes and a half.
    assert lived.gone == STEPS[12] + 9 * STEP


def test_credits_that_are_gone_at_the_beginning_last_until_the_first_load() -> None:
    idle_at_first = day(0, [0, 0, 50])
    assert (idle_at_first.suffices, idle_at_first.gone_at_once) == (False, False)
    assert day(0, [50, 0, 0]).gone_at_once
    # What is never less than it was needs no reserve.
    assert day(10, [4] * 12).suffices


def test_a_day_that_spends_more_than_it_earns_does_once_and_not_again() -> None:
    # Two hours at 95 MiB/s are 668 GiB, a day earns 412.
    lived = day(1500, [*[0] * 12, *[95] * 24])
    assert lived.gone is None
    assert lived.lowest_bytes > lived.enough_bytes
    assert lived.lost_bytes / GIB == pytest.approx(95 * 7200 / 1024 - 100 * 50 / 1024 * 86400 / 1024)
    assert not lived.suffices


def test_a_day_that_begins_amid_its_load_is_judged_by_the_next_one_too() -> None:
    """Six hours of the load are left of it, from a full bucket; what half a day earns is all that the next twelve find,
    and they take as much.
    """
    size = 2 * TIB
    full = full_bucket_bytes(size)
    lived = day_on_credits(
        replace(ELASTIC, standard_bytes=size),
        200 * MIB,
        full,
        worked([*[200] * 72, *[0] * 144, *[200] * 72]),
        permitted(STEPS),
        NOW,
    )
    assert lived is not None
    assert (lived.gone, lived.gone_the_next_day, lived.lost_bytes) == (None, None, 0)
    # The size earns 100 MiB/s.
    unearned = 100 * MIB * STEP.total_seconds()
    assert full - lived.lowest_bytes == pytest.approx(100 * MIB * 6 * 3600 + unearned)
    assert full - lived.lowest_the_next_day_bytes == pytest.approx(100 * MIB * 12 * 3600 + unearned)
    assert lived.lowest_the_next_day_time == UNDER_WAY + timedelta(hours=6)
    assert lived.lowest_bytes >= lived.enough_bytes > lived.lowest_the_next_day_bytes
    assert not lived.suffices


@pytest.mark.whole
@pytest.mark.parametrize("minutes_late", [0, 2, 12])
@pytest.mark.parametrize("minute", [0, 1, 4])
def test_a_load_under_way_loses_each_day_what_a_whole_day_of_it_takes(minute: int, minutes_late: int) -> None:
    """Two hours a day at 95 MiB/s, an hour of which is over: what is known ends amid a step, and is of another day."""
    now = UNDER_WAY + minute * timedelta(minutes=1)
    minutes = [now - timedelta(minutes=back) for back in range(3 * 1440, minutes_late, -1)]
    of_steps = {one - one.minute % 5 * timedelta(minutes=1): 0.0 for one in minutes}
    for one in minutes:
        if one.hour in (3, 4):
            of_steps[one - one.minute % 5 * timedelta(minutes=1)] += 95 * MIB * 60
    works = [Work(time=step, metered_bytes=moved) for step, moved in of_steps.items()]
    lived = day_on_credits(ELASTIC, BURST, 1500.0 * GIB, works, permitted(list(of_steps)[:-1]), now)
    assert lived is not None
    assert lived.moved_bytes / MIB == pytest.approx(95 * 7200)
    assert lived.lost_bytes / GIB == pytest.approx(95 * 7200 / 1024 - 100 * 50 / 1024 * 86400 / 1024)


def test_a_second_day_loses_no_more_than_the_first_has_left() -> None:
    # Two hours at 95 MiB/s at the end of a day that begins with 266 GiB: the next one ends at zero, and not below.
    lived = day(266, [*[0] * 264, *[95] * 24])
    assert lived.gone is None
    # 412 GiB earned in a day and 10 left last 82 minutes at 95 MiB/s, of which 4.9 are earned.
    assert lived.gone_the_next_day is not None
    assert STEPS[264] + DAY < lived.gone_the_next_day < STEPS[264] + DAY + 24 * STEP
    assert lived.lost_bytes / GIB == pytest.approx(266 + 100 * 50 / 1024 * 86400 / 1024 - 95 * 7200 / 1024)


def test_a_bucket_that_is_full_again_each_day_loses_nothing() -> None:
    lived = day(2150, [*[0] * 12, *[40] * 12])
    assert lived.lost_bytes == 0
    assert lived.suffices


def test_more_than_credits_permit_is_noticed_though_it_would_have_lasted() -> None:
    lived = day(1000, [0, 300, 102])
    assert lived.gone is None
    assert (lived.faster_minutes, lived.suffices) == (5, False)


def test_a_capped_region_permits_less_than_the_size_gives() -> None:
    # 12 TiB earn 600 MiB/s, and would be driven at 1,200; the lowest caps are at 1,024.
    large = replace(ELASTIC, standard_bytes=12 * TIB)
    lived = [
        day_on_credits(large, reference * MIB, 20.0 * TIB, worked([1100] * 12), permitted(STEPS, 3072), NOW)
        for reference in (1200, 1024)
    ]
    assert [one.faster_minutes for one in lived if one is not None] == [0, 60]
    assert [one.enough_bytes for one in lived if one is not None] == [1200 * MIB * 3600, 1024 * MIB * 3600]
    capped = day_on_credits(replace(ELASTIC, standard_bytes=30 * TIB), GIB, TIB, [], permitted(STEPS, 3072), NOW)
    assert capped is not None
    assert capped.baseline_bytes_per_second == GIB


def test_a_bucket_is_never_more_than_full() -> None:
    assert day(9000, []).opening_bytes == full_bucket_bytes(100 * GIB)


def test_nothing_is_said_of_a_day_without_a_balance_or_with_an_hour_missing() -> None:
    assert day_on_credits(ELASTIC, BURST, None, [], permitted(STEPS), NOW) is None
    assert day_on_credits(ELASTIC, BURST, 1.0, [], permitted(STEPS[13:]), NOW) is None
    assert day_on_credits(ELASTIC, BURST, 1.0, [], permitted(STEPS[12:]), NOW) is not None
    older = [step - timedelta(days=1) for step in STEPS]
    assert day_on_credits(ELASTIC, BURST, 1.0, [], permitted(older), NOW) is None


@given(st.floats(0, 2150), st.lists(st.sampled_from((0.0, 1.0, 4.0, 20.0, 90.0)), max_size=288))
def test_it_agrees_with_the_model_of_burst_credits_minute_by_minute(opening_gib: float, rates_mib: list[float]) -> None:
    """But for what a step earns: it may come after all that it spends."""
    lived = day(opening_gib, rates_mib)
    balance, lowest, dry = opening_gib * GIB, opening_gib * GIB, None
    for index, step in enumerate(STEPS):
        mib = rates_mib[index] if index < len(rates_mib) else 0.0
        for minute in range(5):
            went = burst_credits.flow(balance, 100 * GIB, mib * MIB * 60, GIB)
            balance = went.closing_bytes
            lowest = min(lowest, balance)
            if balance <= 0 and mib > 5 and dry is None:
                dry = step + minute * timedelta(minutes=1)
    a_byte = 1
    a_step = STEP.total_seconds() * burst_credits.earned_bytes_per_second(100 * GIB)
    assert -a_byte * 288 <= lowest - lived.lowest_bytes <= a_step + a_byte * 288
    if lived.gone is not None:
        assert dry is not None
        assert timedelta() <= dry - lived.gone < STEP


@pytest.mark.parametrize(("most_mib", "held"), [(40, 60), (42, 60), (42.2, 0), (99, 0)])
def test_who_takes_all_of_a_rate_below_that_of_credits_may_have_wanted_more(most_mib: float, held: int) -> None:
    lived = day(2000, [*[40] * 12, 1], most_mib=most_mib)
    assert lived.held_minutes == held
    assert lived.held_bytes_per_second == lived.least_held_bytes_per_second == (most_mib * MIB if held else 0)
    assert lived.would_suffice
    assert lived.suffices is (held == 0)


def test_who_takes_as_much_as_credits_permit_is_not_held_down_by_another_rate() -> None:
    assert day(2000, [100] * 3, most_mib=100).held_minutes == 0
    assert day(2000, [99.9] * 3, most_mib=99.9).held_minutes == 15


@given(st.floats(0, 2150), st.lists(st.sampled_from((0.0, 20.0, 90.0)), max_size=288))
def test_no_less_is_left_where_each_load_moved_all_in_the_first_minute_of_five(
    opening_gib: float, rates_mib: list[float]
) -> None:
    """The metrics of five minutes do not tell, and the mail says "at least"."""
    lived = day(opening_gib, rates_mib)
    earned = burst_credits.earned_bytes_per_second(100 * GIB) * 60
    balance = lowest = opening_gib * GIB
    for mib in rates_mib:
        for moved in (mib * MIB * 300, 0, 0, 0, 0):
            balance = min(burst_credits.bucket_bytes(100 * GIB), max(0.0, balance - moved))
            lowest = min(lowest, balance)
            balance += earned
    a_byte = 1
    assert lived.lowest_bytes <= lowest + a_byte * 288


# What 100 GiB earn in five minutes, and what a minute takes at 100 MiB/s.
EARNED_BYTES = 5_120_000 * 300
A_MINUTE = BURST * 60


def lived_bytes(
    opening: float,
    moved: Mapping[int, float],
    *,
    now: datetime = NOW,
    permitted_mib: float = 1024,
    of_steps: Mapping[int, float] | None = None,
) -> DayOnCredits:
    """So many bytes at first, and so many moved in these steps of the day; in some so many MiB/s were permitted."""
    rates = [(step, (of_steps or {}).get(index, permitted_mib) * MIB) for index, step in enumerate([*STEPS, UNDER_WAY])]
    work = [Work(time=STEPS[index], metered_bytes=one) for index, one in moved.items()]
    lived = day_on_credits(ELASTIC, BURST, opening, work, rates, now)
    assert lived is not None
    return lived


def test_less_than_a_minutes_worth_makes_an_idle_day() -> None:
    idle = [lived_bytes(0, {7: moved_bytes}).is_idle for moved_bytes in (1, A_MINUTE - 1, A_MINUTE)]
    assert idle == [True, True, False]


def test_a_step_that_begins_now_is_none_of_a_day_that_is_over_nor_is_the_one_before_it_that_is_under_way() -> None:
    work = {286: 10 * A_MINUTE, 287: A_MINUTE}
    assert lived_bytes(TIB, work, now=UNDER_WAY).moved_bytes == 10 * A_MINUTE
    assert lived_bytes(TIB, work).moved_bytes == 11 * A_MINUTE


def test_a_day_that_ended_an_hour_ago_is_still_the_last_one() -> None:
    def is_known(now: datetime) -> bool:
        return day_on_credits(ELASTIC, BURST, 1.0, [], permitted(STEPS), now) is not None

    hour = timedelta(hours=1)
    assert [is_known(UNDER_WAY + hour), is_known(UNDER_WAY + hour + timedelta(seconds=1))] == [True, False]


def test_a_bucket_that_stays_full_is_lowest_where_the_day_begins() -> None:
    lived = lived_bytes(3 * TIB, {0: EARNED_BYTES})
    assert (lived.lowest_bytes, lived.lowest_time) == (full_bucket_bytes(100 * GIB), STEPS[0])


def test_what_takes_all_that_is_earned_in_the_same_five_minutes_leaves_as_much_and_a_byte_more_may_come_before() -> (
    None
):
    spent = [lived_bytes(TIB, {0: EARNED_BYTES + more}) for more in (0, 1)]
    assert [one.lowest_bytes for one in spent] == [TIB, TIB - EARNED_BYTES - 1]


def test_the_credits_are_gone_where_one_byte_more_is_wanted_than_there_is() -> None:
    """All of a day without a beginning, in its last five minutes; the next one is as short of it."""
    of_a_day = 288 * EARNED_BYTES
    lasting, gone = lived_bytes(0, {287: of_a_day}), lived_bytes(0, {287: of_a_day + 1})
    assert (lasting.gone, lasting.gone_the_next_day) == (None, None)
    assert (gone.gone, gone.gone_the_next_day) == (STEPS[287], STEPS[287] + DAY)


def test_a_minutes_worth_less_at_the_end_of_a_day_is_a_loss_and_less_than_that_is_none() -> None:
    def lost(more: float) -> float:
        return lived_bytes(TIB, {0: EARNED_BYTES + more} | dict.fromkeys(range(1, 288), EARNED_BYTES)).lost_bytes

    assert [lost(A_MINUTE), lost(A_MINUTE - 1)] == [A_MINUTE, 0]


def test_clients_were_held_at_the_rates_of_which_they_took_nearly_all() -> None:
    """All but a twentieth; none of what was not permitted either."""
    share = 0.95
    moved = {3: share * 40 * MIB * 300, 9: share * 60 * MIB * 300, 20: share * 50 * MIB * 300 - 1}
    lived = lived_bytes(TIB, moved, of_steps={3: 40, 9: 60, 20: 50})
    assert (lived.held_minutes, lived.least_held_bytes_per_second, lived.held_bytes_per_second) == (
        10,
        40 * MIB,
        60 * MIB,
    )
    assert lived_bytes(TIB, {}, permitted_mib=0).held_minutes == 0
