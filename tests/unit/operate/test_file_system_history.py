"""A history is what was recorded, minute by minute; what is not whole is said, and never counted as if it were."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.metering import KIB
from hypothesis import given
from hypothesis import strategies as st

from operate.history.counters import READ, WRITTEN
from operate.history.file_system_history import history_of
from operate.history.plausible import HIGHEST_VALUE
from operate.history.recorded import (
    AVERAGE_BALANCE,
    BALANCE,
    METERED,
    PERMITTED,
    STANDARD_SIZE,
    HistoryRefused,
    ModeChange,
    Recorded,
    RecordedPoint,
)
from tests.unit.operate.histories import (
    BASELINE,
    BURST,
    FILE_SYSTEM,
    FULL,
    MINUTE_BYTES,
    NOW,
    SIZE,
    START,
    falls,
    history,
    points,
    recorded,
    seconds,
)

HOURS = [FULL] * 300


def test_each_minute_has_its_balance() -> None:
    balances = [FULL - number for number in range(300)]
    found = history([*balances])
    assert found.metrics.values[BALANCE] == balances
    assert (found.minutes, found.begins, found.remarks, found.time(60)) == (300, 0, (), START + timedelta(hours=1))


@given(st.randoms(use_true_random=False))
def test_the_order_of_datapoints_means_nothing(draw: random.Random) -> None:
    one = recorded([FULL - number for number in range(90)])
    shuffled = {key: draw.sample(found, len(found)) for key, found in one.points.items()}
    again = history_of(replace(one, points=shuffled), None, NOW)
    assert again == history([FULL - number for number in range(90)])


@given(
    st.lists(
        st.builds(
            RecordedPoint,
            st.floats(allow_nan=True, allow_infinity=True),
            st.floats(allow_nan=True, allow_infinity=True),
            st.sampled_from([60, 300]),
        ),
        max_size=20,
    )
)
def test_no_datapoint_however_absurd_becomes_a_figure_that_no_metric_has(absurd: list[RecordedPoint]) -> None:
    one = recorded(HOURS)
    one.points[BALANCE] += absurd
    found = history_of(one, None, NOW)
    assert all(value is None or 0 <= value <= HIGHEST_VALUE for value in found.metrics.values[BALANCE])
    wrong = [point for point in absurd if not 0 <= point.value <= HIGHEST_VALUE]
    assert bool(wrong) <= any("no amount that a metric can have" in remark for remark in found.remarks)


def test_a_datapoint_that_comes_twice_counts_once_and_the_lower_one_where_they_differ() -> None:
    one = recorded(HOURS)
    one.points[BALANCE] += [RecordedPoint(seconds(7), FULL, 60), RecordedPoint(seconds(9), FULL - MINUTE_BYTES, 60)]
    found = history_of(one, None, NOW)
    assert found.metrics.values[BALANCE][7:11] == [FULL, FULL, FULL - MINUTE_BYTES, FULL]
    assert found.remarks == (
        "1 datapoint of BurstCreditBalance (Minimum) came twice with different values: the lower one counts",
    )


def test_a_datapoint_of_the_future_is_left_out_and_said() -> None:
    one = recorded(HOURS)
    one.points[BALANCE].append(RecordedPoint(NOW.timestamp() + 7200, FULL, 60))
    found = history_of(one, None, NOW)
    assert found.minutes == 300
    assert found.remarks == (
        "1 datapoint left out: of the future (the first 2030-03-01 02:00 UTC; it is now 2030-03-01 00:00 UTC)",
    )


def test_a_datapoint_of_before_1970_is_left_out_and_told_apart_from_one_of_the_future() -> None:
    one = recorded(HOURS)
    one.points[BALANCE] += [
        RecordedPoint(-3600.0, FULL, 60),
        RecordedPoint(-7200.0, FULL, 60),
        RecordedPoint(NOW.timestamp() + 7200, FULL, 60),
    ]
    assert history_of(one, None, NOW).remarks == (
        "1 datapoint left out: of the future (the first 2030-03-01 02:00 UTC; it is now 2030-03-01 00:00 UTC)",
        "2 datapoints left out: of before 1970 (the first 1969-12-31 22:00 UTC)",
    )


def test_times_of_the_future_are_said_once_and_not_for_each_metric() -> None:
    found = history_of(recorded(HOURS), None, START + timedelta(hours=2))
    # A clock may be an hour ahead, so 119 balances are, and as many rates.
    assert [remark for remark in found.remarks if "of the future" in remark] == [
        "238 datapoints left out: of the future (the first 2030-01-07 03:01 UTC; it is now 2030-01-07 02:00 UTC)"
    ]


@pytest.mark.parametrize("needs_balance", [True, False])
def test_times_that_all_lie_in_the_future_are_one_sentence(needs_balance: bool) -> None:
    with pytest.raises(HistoryRefused) as refused:
        history_of(recorded(HOURS, source="a.csv"), None, START - timedelta(days=7), needs_balance=needs_balance)
    assert str(refused.value) == (
        "All times of a.csv are in the future (the first 2030-01-07 00:00 UTC; it is now 2029-12-31 00:00 UTC): give "
        "an export of what has been, or set the clock right"
    )


def test_a_time_beyond_all_calendars_is_left_out_and_said() -> None:
    one = recorded(HOURS)
    one.points[BALANCE] += [RecordedPoint(1e300, FULL, 60), RecordedPoint(-1e300, FULL, 60)]
    assert [remark.split(" (")[1] for remark in history_of(one, None, NOW).remarks] == [
        "the first 1e+300 seconds after 1970; it is now 2030-03-01 00:00 UTC)",
        "the first 1e+300 seconds before 1970)",
    ]


def test_a_gap_is_said_with_its_length_and_time() -> None:
    (remark,) = history([*[FULL] * 120, *[None] * 90, *[FULL] * 120]).remarks
    assert remark == (
        "Nothing is known of 90 minutes in 1 gap, the longest from 2030-01-07 02:00 to 2030-01-07 03:30 UTC: trouble "
        "in them is not counted"
    )


@pytest.mark.parametrize("rate", [BURST, BASELINE], ids=["burst", "baseline"])
def test_a_balance_that_is_missing_alone_at_a_rate_of_bursting_is_a_gap_and_no_other_mode(rate: int) -> None:
    one = recorded([*[FULL] * 120, *[None] * 90, *[FULL] * 120])
    one.points[PERMITTED] = points([*[float(BURST)] * 120, *[float(rate)] * 90, *[float(BURST)] * 120])
    found = history_of(one, None, NOW)
    assert [system.mode for _, system in found.file_systems] == [ThroughputMode.BURSTING]
    (remark,) = found.remarks
    assert remark == (
        "BurstCreditBalance is missing for 90 minutes in 1 gap, the longest from 2030-01-07 02:00 to 2030-01-07 03:30 "
        "UTC: trouble in them is not counted"
    )


def test_balances_that_are_missing_alone_here_and_there_are_said() -> None:
    balances: list[float | None] = [*HOURS, *HOURS]
    balances[::37] = [None] * 17
    one = recorded(balances)
    one.points[PERMITTED] = points([float(BURST)] * 600)
    found = history_of(one, None, NOW)
    assert found.remarks == ("Here and there 17 balances are missing: trouble in those minutes is not counted",)


def test_a_few_lost_minutes_are_no_gap() -> None:
    assert history([*[FULL] * 120, *[None] * 14, *[FULL] * 120]).remarks == ()


def test_a_file_system_younger_than_the_window_is_said() -> None:
    found = history_of(recorded(HOURS), 14, NOW)
    assert found.remarks == ("The metrics begin at 2030-01-07 00:00 UTC: 0.2 of 14 days are known",)


def test_only_the_last_days_are_taken() -> None:
    found = history_of(recorded([FULL] * (3 * 1440)), 1, NOW)
    assert (found.minutes, found.time(0)) == (1440, START + timedelta(days=2))


def test_a_balance_in_gibibytes_is_refused_in_a_sentence() -> None:
    with pytest.raises(HistoryRefused, match=r"never above 2,150: that is no balance in bytes"):
        history([2150.4] * 300)


def test_a_balance_that_is_always_zero_is_no_other_unit() -> None:
    assert history([0.0] * 300).remarks == ()


def test_a_rate_in_mebibytes_is_left_out_and_said() -> None:
    one = recorded(HOURS)
    one.points[PERMITTED] = points([100.0] * 300)
    found = history_of(one, None, NOW)
    assert found.metrics.values[PERMITTED] == [float(BURST)] * 300
    assert found.remarks == (
        "PermittedThroughput is never above 100: that is no rate in bytes per second, so it is left out",
        "PermittedThroughput is not known: it is worked out from the size, as if the Region had no cap",
    )


def test_a_balance_that_hovers_above_zero_has_the_rate_without_credits_where_no_metric_tells_it() -> None:
    left = 30.0 * MIB
    falling = [left + minutes * 60 * (BURST - BASELINE) for minutes in range(200, 0, -1)]
    one = recorded([*falling, *[left] * 100])
    one.points[PERMITTED] = []
    permitted = history_of(one, None, NOW).metrics.values[PERMITTED]
    assert (permitted[0], permitted[-1]) == (BURST, 100 * 50 * 1024)


def test_a_size_in_gibibytes_is_left_out_and_said() -> None:
    one = recorded(HOURS)
    one.points[STANDARD_SIZE] = points([100.0])
    found = history_of(one, None, NOW)
    assert found.described(0).standard_bytes == SIZE
    assert found.remarks[0].startswith("StorageBytes is never above 100: that is no size in bytes")


def test_many_lost_minutes_are_said_where_no_gap_is_long() -> None:
    balances: list[float | None] = [*HOURS, *HOURS]
    balances[::37] = [None] * 17
    assert history(balances).remarks == (
        "Here and there 16 minutes are missing: what clients did in them is not counted",
    )


def spent(metered_bytes: float, permitted: float = BURST) -> Recorded:
    """A balance that falls at the burst rate for 14 hours, and what is said to have been moved in each minute."""
    one = recorded([FULL - number * MINUTE_BYTES / 3 for number in range(840)])
    one.points[METERED] = points([metered_bytes] * 840)
    one.points[PERMITTED] = points([permitted] * 840)
    return one


def test_metrics_that_agree_with_each_other_are_not_doubted() -> None:
    assert history_of(spent(MINUTE_BYTES / 3), None, NOW).remarks == ()


def test_steps_of_five_minutes_in_which_the_credits_end_are_not_doubted() -> None:
    one = recorded([])
    balances = [50.0 * MINUTE_BYTES, 0.0, 0.0]
    moved = [5.0 * 60 * BURST, 4.0 * 60 * BURST, 5.0 * 60 * BASELINE]
    one.points |= {
        BALANCE: points([one for one in balances for _ in range(20)], 5),
        PERMITTED: points([float(BURST if one else BASELINE) for one in balances for _ in range(20)], 5),
        METERED: points([moved[0]] * 20 + [moved[1]] + [moved[2]] * 39, 5),
    }
    assert not any("MeteredIOBytes" in remark for remark in history_of(one, None, NOW).remarks)


@pytest.mark.parametrize("unit", [MIB, 60, 2])
def test_less_moved_than_the_credits_fell_by_is_said(unit: int) -> None:
    (remark,) = history_of(spent(MINUTE_BYTES / 3 / unit), None, NOW).remarks
    assert remark.startswith("The credits fell by 1,406 GiB while MeteredIOBytes tells of ")


def test_more_moved_than_was_permitted_is_said() -> None:
    beyond, too_slow = history_of(spent(MINUTE_BYTES * 5), None, NOW).remarks
    assert beyond.startswith("In 840 minutes MeteredIOBytes is more than was permitted, up to 5.0 times: ")
    assert too_slow.startswith("In 12 hours the credits fell by 1,406 GiB, and by StorageBytes and MeteredIOBytes they")


@pytest.mark.parametrize("unit", [KIB, MIB])
def test_a_balance_that_never_lasts_a_minute_is_doubted(unit: int) -> None:
    (remark,) = history([FULL / unit] * 300).remarks
    assert remark.startswith("BurstCreditBalance is never above 2,")
    assert remark.endswith(
        "which is less than a minute's worth: if that is not in bytes, nothing that follows is right"
    )


def test_a_balance_beyond_a_full_bucket_is_doubted() -> None:
    (remark,) = history([FULL * 8] * 300).remarks
    assert remark.startswith("BurstCreditBalance is up to 17,203 GiB, and a full bucket of this size holds 2,150 GiB")


@pytest.mark.parametrize("balances", [[], [None] * 300])
def test_without_a_balance_nothing_is_said(balances: list[float | None]) -> None:
    with pytest.raises(HistoryRefused, match="There is no BurstCreditBalance of fs-0123456789abcdef0"):
        history(balances)


def elastic_without_a_balance(**changes: object) -> Recorded:
    one = recorded([], described=replace(FILE_SYSTEM, mode=ThroughputMode.ELASTIC), **changes)
    one.points[PERMITTED] = points([float(GIB)] * 300)
    one.points[METERED] = points([60.0 * MIB] * 300)
    return one


def test_elastic_mode_has_no_balance_and_its_load_is_a_history_for_whoever_needs_none() -> None:
    found = history_of(elastic_without_a_balance(), None, NOW, needs_balance=False)
    assert (found.minutes, found.described(0).mode) == (300, ThroughputMode.ELASTIC)
    with pytest.raises(HistoryRefused, match="EFS has none in elastic mode, and only efs-monitor advise does without"):
        history_of(elastic_without_a_balance(), None, NOW)


def test_who_lives_on_credits_needs_a_balance_for_all() -> None:
    one = elastic_without_a_balance()
    one.described = FILE_SYSTEM
    with pytest.raises(HistoryRefused, match="without it nothing can be said"):
        history_of(one, None, NOW, needs_balance=False)


def test_less_than_an_hour_is_too_little() -> None:
    with pytest.raises(HistoryRefused, match="Only 59 minutes of the metrics are known: at least 60"):
        history([FULL] * 59)


def test_one_minute_is_one() -> None:
    with pytest.raises(HistoryRefused, match="Only 1 minute of the metrics is known: at least 60 are needed"):
        history([FULL])


def test_what_clients_moved_may_be_unknown() -> None:
    one = recorded(HOURS)
    del one.points[METERED]
    (remark,) = history_of(one, None, NOW).remarks
    assert remark.startswith("MeteredIOBytes is not known")


def test_five_minute_steps_are_repeated_or_divided_and_marked() -> None:
    one = recorded([])
    one.points = {BALANCE: points([FULL, FULL - 5.0] * 30, 5), METERED: points([500.0] * 60, 5)}
    found = history_of(one, None, NOW)
    assert found.metrics.values[BALANCE][3:7] == [FULL, FULL, FULL - 5.0, FULL - 5.0]
    assert found.metrics.values[METERED][:6] == [100.0] * 6
    assert found.coarse_until == 300
    assert "Until 2030-01-07 05:00 UTC there are only steps of 5 minutes" in " ".join(found.remarks)


def test_the_size_of_each_time_counts_and_a_shrink_is_said() -> None:
    one = recorded(HOURS)
    one.points[STANDARD_SIZE] = points([float(SIZE), float(SIZE), SIZE / 2.0], 60)
    found = history_of(one, None, NOW)
    assert [found.described(minute).standard_bytes for minute in (0, 119, 120, 299)] == [
        SIZE,
        SIZE,
        SIZE // 2,
        SIZE // 2,
    ]
    assert found.remarks == ("At 2030-01-07 02:00 UTC it shrank from 100.0 to 50.0 GiB; the thresholds follow",)


def test_a_size_that_nobody_told_is_marked() -> None:
    one = recorded(HOURS)
    del one.points[STANDARD_SIZE]
    assert history_of(one, None, NOW).remarks == (
        "The size in the past is not known (StorageBytes): it is taken to have been 100 GiB throughout",
    )


@pytest.mark.parametrize(
    ("permitted", "gibibytes"), [([200.0 * MIB] * 300, 2048), ([float(BURST)] * 200 + [5.0 * MIB] * 100, 102.4)]
)
def test_the_size_follows_from_the_rates_where_nothing_else_tells(permitted: list[float], gibibytes: float) -> None:
    one = recorded(HOURS, described=None)
    one.points[PERMITTED] = points([*permitted])
    del one.points[STANDARD_SIZE]
    found = history_of(one, None, NOW)
    assert found.described(0).standard_bytes / GIB == pytest.approx(gibibytes)
    assert found.remarks[:1] == (
        "The throughput mode is not known: it is taken to be bursting where the metrics show no other",
    )


def test_the_modes_that_the_source_tells_are_those_of_the_history() -> None:
    modes = (ModeChange(time=START + timedelta(hours=2), mode="elastic"),)
    found = history(HOURS, modes=modes, described=replace(FILE_SYSTEM, mode=ThroughputMode.ELASTIC))
    assert [(minute, one.mode) for minute, one in found.file_systems] == [
        (0, ThroughputMode.BURSTING),
        (120, ThroughputMode.ELASTIC),
    ]


def test_a_mode_that_only_the_metrics_show_is_taken_and_said() -> None:
    one = recorded([*HOURS[:100], *[None] * 100, *HOURS[:100]])
    one.points[PERMITTED] = points([*[float(BURST)] * 100, *[float(1024 * MIB)] * 100, *[float(BURST)] * 100])
    found = history_of(one, None, NOW)
    assert [(minute, one.mode) for minute, one in found.file_systems] == [
        (0, ThroughputMode.BURSTING),
        (100, ThroughputMode.ELASTIC),
        (200, ThroughputMode.BURSTING),
    ]
    (remark,) = found.remarks
    assert remark == (
        "Taken for elastic mode from 2030-01-07 01:40 to 2030-01-07 03:20 UTC, where burst credits mean nothing: the "
        "metrics then are not those of bursting, and CloudWatch keeps no record of the mode"
    )


def test_a_mode_that_is_told_and_that_the_metrics_show_is_said_to_be_both() -> None:
    one = recorded([*HOURS[:100], *[None] * 200], described=None, mode=ThroughputMode.ELASTIC)
    one.points[PERMITTED] = points([*[float(BURST)] * 100, *[float(1024 * MIB)] * 200])
    (remark,) = history_of(one, None, NOW).remarks
    assert remark == (
        "Taken for elastic mode since 2030-01-07 01:40 UTC, where burst credits mean nothing: the file tells that it "
        "is so now, and the metrics since then are not those of bursting"
    )


def test_a_mode_that_nobody_told_is_not_said_to_be_told() -> None:
    one = recorded([*HOURS[:100], *[None] * 200], described=None)
    one.points[PERMITTED] = points([*[float(BURST)] * 100, *[float(1024 * MIB)] * 200])
    unknown, taken = history_of(one, None, NOW).remarks
    assert unknown == "The throughput mode is not known: it is taken to be bursting where the metrics show no other"
    assert taken.startswith("Taken for elastic mode from 2030-01-07 01:40 to 2030-01-07 05:00 UTC, where burst credits")


def test_whoever_exports_a_file_system_in_elastic_mode_is_told_how_to_say_so() -> None:
    one = recorded([None] * 300, described=None)
    one.points[PERMITTED] = points([float(1024 * MIB)] * 300)
    with pytest.raises(
        HistoryRefused, match=r"without it nothing can be said, unless .* is in elastic mode"
    ) as refused:
        history_of(one, None, NOW, needs_balance=False)
    assert "(# ThroughputMode: elastic, or FileSystems in JSON)" in str(refused.value)
    with pytest.raises(HistoryRefused, match=r"without it nothing can be said$"):
        history_of(one, None, NOW)
    with pytest.raises(HistoryRefused, match=r"without it nothing can be said$"):
        history_of(replace(one, read_at=NOW), None, NOW, needs_balance=False)


def test_what_efs_says_of_now_counts_for_the_end() -> None:
    now = replace(FILE_SYSTEM, mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=250 * MIB)
    one = recorded(HOURS, described=now)
    one.points[PERMITTED] = points([*[float(BURST)] * 200, *[250.0 * MIB] * 100])
    found = history_of(one, None, NOW)
    assert [minute for minute, _ in found.file_systems] == [0, 200]
    assert found.described(299) == replace(now, standard_bytes=SIZE)


@pytest.mark.parametrize("before", [0, 100])
def test_a_provisioned_rate_that_bursting_shows_too_is_what_efs_says_of_now(before: int) -> None:
    now = replace(FILE_SYSTEM, mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=int(BURST))
    one = recorded(HOURS, described=now)
    one.points[PERMITTED] = points([*[float(BASELINE)] * before, *[float(BURST)] * (300 - before)])
    found = history_of(one, None, NOW)
    assert [(minute, each.mode) for minute, each in found.file_systems][-1] == (before, ThroughputMode.PROVISIONED)
    assert "bursting shows the same rate" in found.remarks[-1]


def test_a_provisioned_rate_of_the_last_minutes_only_is_taken_for_a_change_and_counts_for_now() -> None:
    now = replace(FILE_SYSTEM, mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=int(BURST))
    one = recorded(HOURS, described=now)
    one.points[PERMITTED] = points([*[float(BASELINE)] * 280, *[float(BURST)] * 20])
    found = history_of(one, None, NOW)
    assert [(minute, each.mode) for minute, each in found.file_systems] == [
        (0, ThroughputMode.BURSTING),
        (300, ThroughputMode.PROVISIONED),
    ]
    assert found.remarks[-1].endswith("taken for a change of the last minutes")


@pytest.mark.parametrize(
    ("mode", "mib"),
    [(ThroughputMode.BURSTING, 0), (ThroughputMode.ELASTIC, 0), (ThroughputMode.PROVISIONED, 120)],
)
def test_a_change_that_was_just_made_counts_for_now_though_no_metric_shows_it(mode: ThroughputMode, mib: int) -> None:
    now = replace(FILE_SYSTEM, mode=mode, provisioned_bytes_per_second=mib * MIB)
    one = recorded(HOURS, described=now)
    one.points[PERMITTED] = points([300.0 * MIB] * 300)
    found = history_of(one, None, NOW)
    assert found.described(299).mode is ThroughputMode.PROVISIONED
    assert found.described(found.minutes) == replace(now, standard_bytes=SIZE)
    assert "and what was before it is provisioned mode at 300 MiB/s" in found.remarks[-1]
    assert found.remarks[-1].startswith(f"EFS tells {mode} mode")


def test_what_efs_tells_of_now_goes_before_the_last_of_the_modes_that_are_listed() -> None:
    modes = (ModeChange(time=START, mode="provisioned", provisioned_bytes_per_second=100 * MIB),)
    found = history(HOURS, modes=modes)
    assert found.described(found.minutes).mode is ThroughputMode.BURSTING
    assert found.remarks[-1].startswith("EFS tells bursting mode now, and what was before it is provisioned mode")


def test_what_the_file_tells_of_now_counts_too() -> None:
    one = recorded(HOURS, described=None, mode=ThroughputMode.BURSTING)
    one.points[PERMITTED] = points([300.0 * MIB] * 300)
    found = history_of(one, None, NOW)
    assert found.described(found.minutes).mode is ThroughputMode.BURSTING
    assert found.remarks[-1].startswith("The file tells bursting mode now")


def test_a_provisioned_mode_that_is_told_without_its_rate_has_the_one_that_is_permitted_now() -> None:
    one = recorded(HOURS, described=None, mode=ThroughputMode.PROVISIONED)
    one.points[PERMITTED] = points([150.0 * MIB] * 300)
    found = history_of(one, None, NOW)
    assert found.described(0).provisioned_bytes_per_second == 150 * MIB
    assert any("the 150 MiB/s that are permitted now" in remark for remark in found.remarks)
    one.points[PERMITTED] = []
    with pytest.raises(HistoryRefused, match="The file tells provisioned mode, and no metric tells the rate"):
        history_of(one, None, NOW)


def test_a_provisioned_rate_that_was_never_permitted_is_doubted() -> None:
    absurd = ModeChange(time=START, mode="provisioned", provisioned_bytes_per_second=999_999 * MIB)
    found = history_of(recorded(HOURS, described=None, modes=(absurd,)), None, NOW)
    assert any("Told is a provisioned rate of 999,999 MiB/s" in remark for remark in found.remarks)


def test_the_highest_rate_of_a_minute_in_which_credits_end_or_come_back_is_that_of_the_minute_beside_it() -> None:
    balances = [*[4.0 * MINUTE_BYTES] * 100, *[0.0] * 60, *[4.0 * MINUTE_BYTES] * 100]
    highest = history(balances).metrics.values["PermittedThroughput", "Maximum"]
    assert [minute for minute, rate in enumerate(highest) if rate == BASELINE] == list(range(101, 159))


def test_the_average_balance_is_the_lowest_one_where_it_is_not_known() -> None:
    one = recorded(HOURS)
    assert not history_of(one, None, NOW).knows_average
    one.points[AVERAGE_BALANCE] = points([FULL - 3.0] * 300)
    assert history_of(one, None, NOW).metrics.values[AVERAGE_BALANCE][0] == FULL - 3.0


@pytest.mark.parametrize("wrong", [0.0, 12.0, 1e15])
@pytest.mark.parametrize("minutes", [1, 45])
def test_balances_that_nothing_leads_to_and_from_are_left_out_and_no_end_of_the_credits(
    wrong: float, minutes: int
) -> None:
    lived = falls()
    filled = [*lived[:100], *[wrong] * minutes, *lived[100 + minutes :]]
    found = history(filled)
    assert found.metrics.values[BALANCE] == [*lived[:100], *[None] * minutes, *lived[100 + minutes :]]
    (remark,) = (one for one in found.remarks if "of BurstCreditBalance left out" in one)
    assert f"the first of 2030-01-07 01:40 UTC with {wrong:,.0f}" in remark


def test_zeros_after_the_last_datapoint_and_before_the_first_are_left_out() -> None:
    found = history([*[0.0] * 30, *HOURS, *[0.0] * 30])
    assert found.metrics.values[BALANCE] == [*[None] * 30, *HOURS, *[None] * 30]


def test_a_jump_of_which_nobody_knows_which_side_is_wrong_stays_and_is_said() -> None:
    found = history([*[FULL] * 200, *[FULL / 3] * 100])
    assert found.metrics.values[BALANCE][200] == FULL / 3
    assert any(one.startswith("BurstCreditBalance jumps as no rate") for one in found.remarks)


def test_balances_that_jump_all_the_time_are_in_another_unit_and_none_is_left_out() -> None:
    forever = [FULL * 0.9**number for number in range(60) for _ in range(10)]
    found = history(forever)
    assert found.metrics.values[BALANCE] == forever
    assert any("BurstCreditBalance jumps" in one for one in found.remarks)


def test_a_bucket_that_shrank_with_its_file_system_is_no_jump() -> None:
    one = recorded([*[3 * FULL] * 180, *[FULL] * 120])
    one.points[STANDARD_SIZE] = points([3.0 * TIB] * 12 + [float(SIZE)] * 8, 15)
    assert not any("jumps" in remark for remark in history_of(one, None, NOW).remarks)


def test_a_bucket_that_shrank_twice_was_no_fault_in_between() -> None:
    """From the first of its balances to the last a load could lead, but it was another one."""
    lived = [*[3 * FULL] * 180, *[2 * FULL] * 300, *[FULL] * 600]
    one = recorded(lived)
    one.points[STANDARD_SIZE] = points([3.0 * TIB] * 12 + [2.0 * TIB] * 20 + [1.0 * TIB] * 40, 15)
    one.points[PERMITTED] = points([300.0 * MIB] * 180 + [200.0 * MIB] * 300 + [100.0 * MIB] * 600)
    found = history_of(one, None, NOW)
    assert found.metrics.values[BALANCE] == lived
    assert not any("left out" in remark or "jumps" in remark for remark in found.remarks)


def test_what_comes_back_in_another_mode_or_after_a_gap_is_no_jump() -> None:
    assert not any("jumps" in one for one in history([*[0.0] * 100, *[None] * 20, *[FULL] * 100]).remarks)


def test_a_permitted_rate_of_nothing_is_left_out_and_said() -> None:
    one = recorded([*[4.0 * MINUTE_BYTES] * 100, *[0.0] * 100])
    one.points[PERMITTED] = points([float(BURST)] * 100 + [0.0] * 100)
    found = history_of(one, None, NOW)
    assert found.metrics.values[PERMITTED][150] is None
    assert any("100 datapoints of PermittedThroughput left out: 0" in remark for remark in found.remarks)


@given(st.lists(st.floats(-1.4, 0.04), min_size=100, max_size=300))
def test_no_balance_that_the_rates_explain_is_doubted(steps: list[float]) -> None:
    balance, lived = FULL, list[float | None]()
    for step in steps:
        balance = min(FULL, max(0.0, balance + step * MINUTE_BYTES))
        lived.append(balance)
    assert not any("left out" in one or "jumps" in one for one in history(lived).remarks)


def moved(read: float = 30.0 * MIB, written: float = 20.0 * MIB, metered: float = 30.0 * MIB) -> Recorded:
    """Ten hours of reads and writes that come to what is metered, but where a parameter says otherwise."""
    one = recorded([FULL] * 600)
    one.points[READ] = points([read] * 600)
    one.points[WRITTEN] = points([written] * 600)
    one.points[METERED] = points([metered] * 600)
    return one


def test_counters_that_agree_are_not_doubted() -> None:
    assert history_of(moved(), None, NOW).remarks == ()


def test_credits_of_an_idle_minute_let_more_through_than_is_told_to_be_permitted() -> None:
    """PermittedThroughput is the rate without credits still when what a pause has earned is spent."""
    without = 150.0 * MIB
    one = recorded([0.0] * 600)
    one.points[PERMITTED] = points([without] * 600)
    metered = [without * 60] * 600
    metered[300], metered[301] = 0.0, 2 * without * 60
    one.points[WRITTEN] = one.points[METERED] = points(metered)
    found = history_of(one, None, NOW)
    assert found.unpriced == frozenset()
    assert found.metrics.values[METERED][301] == 2 * without * 60


def test_what_credits_let_through_in_a_step_after_a_gap_is_not_too_much() -> None:
    """The lowest rate of the step in which they end is the one without them, and the step before was lost."""
    one = recorded([])
    lost = slice(20, 40)
    balances: list[float | None] = [50.0 * MINUTE_BYTES] * 20 + [None] * 20 + [0.0] * 60
    rates: list[float | None] = [float(BURST)] * 20 + [None] * 20 + [float(BASELINE)] * 60
    moved_then: list[float | None] = [5.0 * MINUTE_BYTES] * 100
    moved_then[lost] = [None] * 20
    moved_then[41:] = [5.0 * 60 * BASELINE] * 59
    one.points |= {BALANCE: points(balances, 5), PERMITTED: points(rates, 5), METERED: points(moved_then, 5)}
    found = history_of(one, None, NOW)
    assert found.unpriced == frozenset()
    assert not any("more than was permitted" in remark for remark in found.remarks)


@pytest.mark.parametrize("key", [READ, WRITTEN, METERED])
@pytest.mark.parametrize("wrong", [9e16, 2.0 * 1024 * 60 * MIB])
def test_an_amount_that_cannot_have_been_moved_is_left_out_with_its_minutes(key: tuple[str, str], wrong: float) -> None:
    one = moved()
    one.points[key][302] = one.points[key][302]._replace(value=wrong)
    found = history_of(one, None, NOW)
    assert found.unpriced == frozenset(range(300, 305))
    assert all(found.metrics.values[METERED][minute] is None for minute in found.unpriced)
    (remark,) = found.remarks
    assert remark.startswith("5 minutes left out of what was moved and of prices, the first at 2030-01-07 05:00 UTC")


@pytest.mark.parametrize(
    "one", [moved(read=30.0 * MIB * KIB), moved(metered=0.4 * 30 * MIB), moved(read=30.0, written=20.0)]
)
def test_reads_and_writes_in_another_unit_than_what_is_metered_are_left_out_and_said(one: Recorded) -> None:
    found = history_of(one, None, NOW)
    assert set(found.metrics.values[READ]) == set(found.metrics.values[WRITTEN]) == {None}
    assert any(
        "one of them is in another unit. What was read and written is left out" in each for each in found.remarks
    )


def test_rates_beyond_any_mode_are_left_out_and_said() -> None:
    one = recorded(HOURS)
    one.points[PERMITTED][100] = one.points[PERMITTED][100]._replace(value=9e16)
    found = history_of(one, None, NOW)
    assert found.metrics.values[PERMITTED][100] is None
    assert found.remarks == (
        "1 datapoint of PermittedThroughput left out: more than the 120 GiB/s that EFS gives in any mode",
    )


@pytest.mark.parametrize("number", [0, 5, 19])
@pytest.mark.parametrize("wrong", [9e16, 1.0, 0.0])
def test_a_size_that_nobody_can_have_written_is_left_out_and_said(number: int, wrong: float) -> None:
    one = recorded(HOURS)
    one.points[STANDARD_SIZE] = points([*[float(SIZE)] * number, wrong, *[float(SIZE)] * (19 - number)], 15)
    found = history_of(one, None, NOW)
    assert {each.standard_bytes for _, each in found.file_systems} == {SIZE}
    assert any(remark.startswith("1 datapoint of StorageBytes left out") for remark in found.remarks)


def test_another_size_than_efs_tells_of_now_is_said() -> None:
    one = recorded(HOURS, described=replace(FILE_SYSTEM, standard_bytes=1024 * SIZE))
    assert any(
        remark.startswith("EFS tells 102,400 GiB in Standard now") for remark in history_of(one, None, NOW).remarks
    )


def test_elastic_mode_without_a_permitted_rate_says_what_is_lacking_and_not_what_does_without() -> None:
    one = elastic_without_a_balance()
    one.points[PERMITTED] = []
    with pytest.raises(HistoryRefused, match="Export PermittedThroughput, too") as refused:
        history_of(one, None, NOW, needs_balance=False)
    assert "only efs-monitor advise does without" not in str(refused.value)


def test_a_name_that_would_command_a_terminal_or_fill_a_page_is_shown_plain_and_short() -> None:
    hostile = "\x1b[31mred\u202e" + "x" * 4_000_000
    found = history(HOURS, described=replace(FILE_SYSTEM, name=hostile))
    name = found.described(0).name
    assert name.startswith("?[31mred?xxx")
    assert len(name) == 256
