"""The reference throughput: what counts as a rate with credits, and what is only a fall or a jump."""

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB, baseline_bytes_per_second, burst_bytes_per_second, full_bucket_bytes
from efs_monitor.efs.observations import Observations
from efs_monitor.efs.reference import Reference, Source, highest_by_now, reference_throughput
from hypothesis import given

from tests.unit.strategies import bursting, observations, seen, sizes

FULL = full_bucket_bytes(TIB)


def test_with_credits_the_newest_permitted_throughput_counts() -> None:
    file_system = bursting(2 * TIB)
    reference = reference_throughput(file_system, seen((FULL, 190 * MIB), (FULL, 200 * MIB)))
    assert reference.bytes_per_second == 200 * MIB
    assert reference.source is Source.OBSERVED


def test_the_fall_to_the_baseline_at_zero_credits_is_not_followed() -> None:
    reference = reference_throughput(bursting(), seen((GIB, 100 * MIB), (0, 5 * MIB), (0, 5 * MIB)))
    assert reference.bytes_per_second == 100 * MIB


def test_the_newest_minute_with_credits_counts_even_when_later_ones_have_none() -> None:
    file_system = bursting(2 * TIB)
    reference = reference_throughput(file_system, seen((FULL, 180 * MIB), (0, 100 * MIB)))
    assert reference.bytes_per_second == 180 * MIB


def test_a_minute_with_hardly_any_credits_is_not_believed() -> None:
    """Just after zero the balance is back before PermittedThroughput is."""
    file_system = bursting(4 * TIB)
    reference = reference_throughput(file_system, seen((GIB, 200 * MIB)))
    assert (reference.bytes_per_second, reference.source) == (400 * MIB, Source.SIZE)


@pytest.mark.parametrize("stored", [10 * GIB, 100 * GIB, TIB, 2 * TIB, 8 * TIB])
def test_a_file_system_first_seen_exhausted_gets_its_rate_from_its_size(stored: int) -> None:
    baseline = baseline_bytes_per_second(stored)
    reference = reference_throughput(bursting(stored), seen((0, baseline), (0, baseline), highest=baseline))
    assert reference.bytes_per_second == burst_bytes_per_second(stored)


def test_one_that_grew_while_exhausted_is_not_held_to_what_it_was_seen_at() -> None:
    reference = reference_throughput(bursting(2 * TIB), seen((0, 100 * MIB), highest=130 * MIB))
    assert reference.bytes_per_second == 200 * MIB


def test_the_regional_cap_seen_in_the_last_15_days_holds_when_exhausted() -> None:
    reference = reference_throughput(bursting(16 * TIB), seen((0, 800 * MIB), highest=1024 * MIB))
    assert reference.bytes_per_second == 1024 * MIB


def test_a_capped_file_system_with_credits_is_taken_at_the_cap() -> None:
    reference = reference_throughput(bursting(40 * TIB), seen((10 * FULL, 3072 * MIB)))
    assert reference.bytes_per_second == 3072 * MIB


def test_a_long_exhausted_large_file_system_is_not_mistaken_for_a_capped_one() -> None:
    stored = 24 * TIB
    baseline = baseline_bytes_per_second(stored)
    reference = reference_throughput(bursting(stored), seen((0, baseline), highest=baseline))
    assert reference.bytes_per_second == 2400 * MIB


def test_what_a_region_may_cap_is_known_only_once_it_was_seen() -> None:
    """By nothing, by a long exhaustion and by what another mode permitted it is not; nor can it be below the lowest."""
    stored = 12 * TIB
    baseline = baseline_bytes_per_second(stored)
    unseen = (Observations(), seen((0, baseline), highest=baseline), seen((0, baseline), highest=3072 * MIB))
    for observed in unseen:
        assert reference_throughput(bursting(stored), observed) == Reference(
            bytes_per_second=1200 * MIB, source=Source.SIZE, may_be_capped=True
        )
    assert reference_throughput(bursting(stored), Observations(), live_bytes_per_second=1200 * MIB).may_be_capped
    for highest in (1024, 1100, 1200, 1210):
        assert not reference_throughput(bursting(stored), seen((0, baseline), highest=highest * MIB)).may_be_capped
    assert not reference_throughput(bursting(stored), Observations(), live_bytes_per_second=1100 * MIB).may_be_capped
    assert not reference_throughput(bursting(stored), seen((12 * FULL, 1200 * MIB), highest=3072 * MIB)).may_be_capped
    assert not reference_throughput(bursting(10485 * GIB), Observations()).may_be_capped
    assert reference_throughput(bursting(10486 * GIB), Observations()).may_be_capped


def test_without_any_datapoint_the_size_decides() -> None:
    reference = reference_throughput(bursting(3 * TIB), Observations())
    assert (reference.bytes_per_second, reference.source) == (300 * MIB, Source.SIZE)


def test_a_leftover_of_elastic_mode_is_not_taken_for_growth() -> None:
    reference = reference_throughput(bursting(), seen((FULL, 1024 * MIB)))
    assert reference.bytes_per_second == 100 * MIB


def test_a_leftover_of_a_low_provisioned_rate_is_not_taken_for_a_shrink() -> None:
    reference = reference_throughput(bursting(), seen((FULL, 30 * MIB)))
    assert reference.bytes_per_second == 100 * MIB


def test_back_from_another_mode_only_the_size_and_the_cap_count() -> None:
    for leftover in (150, 250):
        seen_leftover = seen((4 * FULL, leftover * MIB))
        reference = reference_throughput(bursting(4 * TIB), seen_leftover, after_other_mode=True)
        assert reference.bytes_per_second == 400 * MIB
    capped = seen((20 * FULL, 1024 * MIB), highest=1024 * MIB)
    assert reference_throughput(bursting(16 * TIB), capped, after_other_mode=True).bytes_per_second == 1024 * MIB


@pytest.mark.parametrize(("permitted_mib", "expected_mib"), [(1600, 1600), (1590, 1590), (1024, 1024), (1300, 1024)])
def test_back_from_another_mode_that_showed_the_lowest_cap_there_is_none_once_all_that_the_size_gives_is_permitted(
    permitted_mib: int, expected_mib: int
) -> None:
    """Whether the alarms are still suspended, or have just been set by that mode's rate."""
    observed = seen((20 * FULL, permitted_mib * MIB), highest=1024 * MIB)
    for live_mib, after_other_mode in ((1600, True), (1024, False)):
        reference = reference_throughput(
            bursting(16 * TIB),
            observed,
            live_bytes_per_second=live_mib * MIB,
            after_other_mode=after_other_mode,
        )
        assert reference.bytes_per_second == expected_mib * MIB
        assert not reference.may_be_capped


@pytest.mark.parametrize(("rates_mib", "expected_mib"), [((1024,), 1600), ((1600, 1024), 1024), ((1024, 1024), 1024)])
def test_a_cap_shows_in_two_minutes_for_the_first_on_credits_may_have_the_rate_of_the_mode_before(
    rates_mib: tuple[int, ...], expected_mib: int
) -> None:
    minutes = seen(*((20 * FULL, rate * MIB) for rate in rates_mib), highest=3072 * MIB)
    reference = reference_throughput(bursting(16 * TIB), minutes, live_bytes_per_second=1600 * MIB)
    assert reference.bytes_per_second == expected_mib * MIB


@pytest.mark.parametrize("leftover_mib", [110, 150, 190])
def test_a_leftover_is_not_taken_for_growth_by_the_runs_after_a_resume_either(leftover_mib: int) -> None:
    minutes = [(FULL, leftover_mib * MIB)] * 5
    reference = reference_throughput(bursting(TIB), seen(*minutes), live_bytes_per_second=100 * MIB)
    assert reference.bytes_per_second == 100 * MIB


def test_a_rate_the_alarms_already_stand_for_is_kept_while_the_size_runs_ahead() -> None:
    minutes = [(FULL, 200 * MIB)] * 5
    reference = reference_throughput(bursting(6 * TIB // 5), seen(*minutes), live_bytes_per_second=200 * MIB)
    assert reference.bytes_per_second == 200 * MIB


def test_a_cap_is_believed_although_the_last_15_days_saw_more_in_another_mode() -> None:
    minutes = seen(*[(20 * FULL, 1024 * MIB)] * 5, highest=3072 * MIB)
    reference = reference_throughput(bursting(16 * TIB), minutes, live_bytes_per_second=1600 * MIB)
    assert reference.bytes_per_second == 1024 * MIB


@pytest.mark.parametrize(("live_mib", "expected_mib"), [(1024, 1024), (1150, 1200), (1200, 1200), (1600, 1200)])
def test_in_another_mode_alarms_that_stand_at_the_lowest_cap_show_it_and_others_follow_the_size(
    live_mib: int, expected_mib: int
) -> None:
    """What was seen in that mode says nothing of a cap; a rate below a cap is that of a size which may have grown."""
    reference = reference_throughput(
        bursting(12 * TIB),
        seen(highest=3072 * MIB),
        live_bytes_per_second=live_mib * MIB,
        after_other_mode=True,
    )
    assert reference.bytes_per_second == expected_mib * MIB
    assert reference.may_be_capped is (expected_mib == 1200)


@pytest.mark.parametrize("rate_mib", [105, 150, 200, 1024])
def test_no_rise_of_a_small_file_system_is_growth(rate_mib: int) -> None:
    minutes = seen((FULL, 100 * MIB), (FULL, rate_mib * MIB))
    for live in (None, 100 * MIB):
        reference = reference_throughput(bursting(), minutes, live_bytes_per_second=live)
        assert reference.bytes_per_second == 100 * MIB


def test_a_baseline_that_is_still_shown_with_credits_is_not_believed() -> None:
    """PermittedThroughput may jump back later than the balance does."""
    minutes = seen((FULL, 200 * MIB))
    assert reference_throughput(bursting(4 * TIB), minutes).bytes_per_second == 400 * MIB


def test_a_cap_below_the_baseline_is_a_cap_and_no_exhaustion() -> None:
    reference = reference_throughput(bursting(30 * TIB), seen(highest=1024 * MIB))
    assert reference.bytes_per_second == 1024 * MIB


def test_a_capped_file_system_exhausted_for_weeks_stays_at_the_cap_its_alarms_stand_for() -> None:
    minutes = seen((0, 800 * MIB), highest=800 * MIB)
    reference = reference_throughput(bursting(16 * TIB), minutes, live_bytes_per_second=1024 * MIB)
    assert reference.bytes_per_second == 1024 * MIB


def test_growth_ahead_of_the_metered_size_is_believed() -> None:
    reference = reference_throughput(bursting(TIB), seen((FULL, 160 * MIB)))
    assert reference.bytes_per_second == 160 * MIB


def test_growth_that_was_seen_to_come_is_believed_before_the_size_is_metered() -> None:
    minutes = seen((FULL, 100 * MIB), (FULL, 160 * MIB))
    reference = reference_throughput(bursting(TIB), minutes, live_bytes_per_second=100 * MIB)
    assert (reference.bytes_per_second, reference.source) == (160 * MIB, Source.OBSERVED)


def test_a_rate_above_the_lowest_cap_may_be_a_cap_although_it_is_also_the_baseline() -> None:
    stored = 24 * TIB
    reference = reference_throughput(bursting(stored), seen((24 * FULL, baseline_bytes_per_second(stored))))
    assert (reference.bytes_per_second, reference.source) == (1200 * MIB, Source.OBSERVED)


def test_a_baseline_of_just_the_lowest_cap_may_be_a_cap() -> None:
    stored = 1024 * TIB // 50 + 1
    assert baseline_bytes_per_second(stored) == 1024 * MIB
    reference = reference_throughput(bursting(stored), seen((30 * FULL, 1024 * MIB)))
    assert (reference.bytes_per_second, reference.source) == (1024 * MIB, Source.OBSERVED)


def test_a_baseline_that_is_hardly_below_the_lowest_cap_may_show_the_cap() -> None:
    """It earns 1,020 MiB/s, and had 2,041 as its reference, twice what it may be driven at."""
    stored = 20_900 * GIB
    reference = reference_throughput(bursting(stored), seen((FULL, 1024 * MIB), highest=1024 * MIB))
    assert (reference.bytes_per_second, reference.source) == (1024 * MIB, Source.OBSERVED)


def test_one_percent_beside_what_bursting_can_be_is_rounding() -> None:
    lowest = reference_throughput(bursting(), seen((FULL, 99 * MIB)))
    assert (lowest.bytes_per_second, lowest.source) == (99 * MIB, Source.OBSERVED)
    highest = reference_throughput(bursting(TIB), seen((FULL, 202 * MIB)), live_bytes_per_second=202 * MIB)
    assert (highest.bytes_per_second, highest.source) == (202 * MIB, Source.OBSERVED)


@given(sizes, observations)
def test_no_history_takes_the_reference_out_of_what_bursting_can_be(
    standard_bytes: int, observations: Observations
) -> None:
    reference = reference_throughput(bursting(standard_bytes), observations).bytes_per_second
    assert 100 * MIB * 0.99 <= reference <= burst_bytes_per_second(2 * standard_bytes) * 1.01


@given(sizes)
def test_exhaustion_and_recovery_never_move_the_reference(standard_bytes: int) -> None:
    file_system = bursting(standard_bytes)
    burst, baseline = burst_bytes_per_second(standard_bytes), baseline_bytes_per_second(standard_bytes)
    bucket = full_bucket_bytes(standard_bytes)
    history = [(bucket, burst), (bucket / 50, burst), (0.0, baseline), (0.0, baseline), (bucket / 200, baseline)]
    history += [(bucket / 150, burst), (bucket / 50, burst)]
    references = {
        reference_throughput(file_system, seen(*history[max(0, end - 3) : end], highest=burst)).bytes_per_second
        for end in range(1, len(history) + 1)
    }
    assert references == {burst}


def test_a_size_that_was_just_metered_counts_before_its_rate_is_seen() -> None:
    """No Region caps it at less than 1 GiB/s: above, a size says nothing of what is permitted."""
    seen_before = Reference(bytes_per_second=127 * MIB, source=Source.OBSERVED)
    assert highest_by_now(bursting(1510 * GIB), seen_before) == burst_bytes_per_second(1510 * GIB)
    assert highest_by_now(bursting(1024 * GIB), seen_before) == 127 * MIB
    assert highest_by_now(bursting(11 * TIB), seen_before) == 127 * MIB


def test_a_region_does_not_cap_what_the_newest_minute_has_by_the_size() -> None:
    """The five minutes of a return from elastic throughput have the lower rate of that."""
    leftover = Reference(bytes_per_second=GIB, source=Source.OBSERVED)
    size = 1600 * MIB
    newest = (size, size * 0.99, size * 0.98, GIB, None)
    assert [highest_by_now(bursting(16 * TIB), leftover, one) for one in newest] == [size, size, GIB, GIB, GIB]
    metered_before = Reference(bytes_per_second=round(size * 0.995), source=Source.OBSERVED)
    assert highest_by_now(bursting(16 * TIB), metered_before, size) == metered_before.bytes_per_second


def test_a_size_that_gives_just_the_lowest_cap_cannot_be_capped() -> None:
    """10.24 TiB give 1 GiB/s."""
    size_bytes = -(-GIB * TIB // (100 * MIB))
    low = Reference(bytes_per_second=900 * MIB, source=Source.OBSERVED)
    assert [highest_by_now(bursting(one), low) for one in (size_bytes, size_bytes + TIB)] == [GIB, 900 * MIB]


def test_what_was_permitted_beyond_the_size_and_a_hundredth_was_of_another_mode_and_shows_no_cap() -> None:
    """Alarms at the lowest cap show it then."""
    size = 1500 * MIB

    def reference(highest: float) -> int:
        found = reference_throughput(
            bursting(15 * TIB), seen((0, 750 * MIB), highest=highest), live_bytes_per_second=GIB
        )
        return found.bytes_per_second

    assert [reference(one) for one in (size * 1.01, size * 1.01 + 1, size * 1.9)] == [size, GIB, GIB]
