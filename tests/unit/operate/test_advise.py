"""Advice is a finding with its money, by the load that there was: none where nothing is better, none without data."""

import io
import json
from dataclasses import replace
from functools import cache
from math import ceil

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.file_system import ThroughputMode
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from operate.advise.advice import Advice, advise, another_mode, cheapest, price
from operate.advise.advice_words import as_json, report
from operate.advise.mode_prices import PricedMode, bursting, elastic, least_provisioned, provisioned, works_of
from operate.history.file_system_history import History, history_of
from operate.history.recorded import BALANCE, METERED, PERMITTED, STANDARD_SIZE, HistoryRefused, Recorded, RecordedPoint
from tests.quick import first_of
from tests.unit.mail.mail_cases import HERE
from tests.unit.operate.histories import (
    BASELINE,
    BURST,
    FILE_SYSTEM,
    FULL,
    MINUTE_BYTES,
    NOW,
    SIZE,
    points,
    recorded,
    seconds,
)

KIB = 1024
EARNED_MIB = SIZE / 2**40 * 50
READ, WRITTEN, METADATA = ("DataReadIOBytes", "Sum"), ("DataWriteIOBytes", "Sum"), ("MetadataIOBytes", "Sum")
READS, WRITES = ("DataReadIOBytes", "SampleCount"), ("DataWriteIOBytes", "SampleCount")
METADATA_OPERATIONS = ("MetadataIOBytes", "SampleCount")
ELASTIC = ThroughputMode.ELASTIC
BY_KIND = (READ, WRITTEN, METADATA, READS, WRITES, METADATA_OPERATIONS)


def lived(
    written: list[float],
    *,
    read: float = 0.0,
    operation_bytes: float = MIB,
    mode: ThroughputMode = ThroughputMode.BURSTING,
    provisioned_mib: int = 0,
    balances: list[float] | None = None,
    max_io: bool = False,
) -> History:
    """A load by what was written in each minute, and as much read as `read` times that."""
    one = recorded([FULL] * len(written) if balances is None else balances)
    if mode is not ThroughputMode.BURSTING:
        is_elastic = mode is ThroughputMode.ELASTIC
        one.points[PERMITTED] = points([float(GIB if is_elastic else provisioned_mib * MIB)] * len(written))
        one.points[BALANCE] = points([FULL] * (5 if is_elastic else len(written)))
    one.points[METERED] = points([amount * (1 + read / 3) for amount in written])
    one.points[WRITTEN] = points(written)
    one.points[READ] = points([amount * read for amount in written])
    one.points[WRITES] = points([amount / operation_bytes for amount in written])
    one.points[READS] = points([amount * read / operation_bytes for amount in written])
    one.points[METADATA] = []
    one.described = replace(FILE_SYSTEM, mode=mode, provisioned_bytes_per_second=provisioned_mib * MIB, max_io=max_io)
    return history_of(one, None, NOW)


def shown(advice: Advice) -> str:
    written = io.StringIO()
    Console(file=written, width=80, markup=False).print(report(advice))
    return written.getvalue()


amounts = st.lists(st.floats(0, 120 * 60 * MIB), min_size=60, max_size=90)


@settings(max_examples=40)
@given(amounts, st.floats(0, 3), st.sampled_from([4 * KIB, 31 * KIB, 32 * KIB, MIB]))
def test_elastic_costs_what_a_second_calculation_says(written: list[float], read: float, operation_bytes: int) -> None:
    """By minutes and operations instead of five minutes and bytes; a month has 730 hours."""
    one = lived(written, read=read, operation_bytes=operation_bytes, mode=ThroughputMode.ELASTIC)
    billed = max(operation_bytes, 32 * 1024)
    dollars = sum(
        amount / operation_bytes * billed * 0.06 / GIB + amount * read / operation_bytes * billed * 0.03 / GIB
        for amount in written
    )
    found = elastic(one, works_of(one)).dollars_a_month
    assert found == pytest.approx(dollars / len(written) * 60 * 730, rel=0.01)


@pytest.mark.whole
@settings(max_examples=40)
@given(amounts, st.integers(1, 1024), st.integers(1, 1024), st.floats(0, 1))
def test_what_elastic_costs_lies_between_what_is_said_whatever_sizes_mix(
    written: list[float], some_kib: int, others_kib: int, share: float
) -> None:
    one = mixed(written, (some_kib, share), (others_kib, 1 - share))
    found = elastic(one, works_of(one))
    billed = sum(written) * (share * max(1, 32 / some_kib) + (1 - share) * max(1, 32 / others_kib))
    dollars = billed * 0.06 / GIB / len(written) * 60 * 730
    assert found.dollars_a_month <= dollars * 1.001 + 0.01
    assert dollars <= found.most_dollars_a_month * 1.001 + 0.01


def mixed(written: list[float], *shares: tuple[int, float]) -> History:
    """A load of writes of several sizes in KiB, each with its share of the bytes, where 150 MiB/s are provisioned."""
    average_bytes = KIB / sum(share / kib for kib, share in shares)
    return lived(written, operation_bytes=average_bytes, mode=ThroughputMode.PROVISIONED, provisioned_mib=150)


def test_elastic_is_not_advised_where_it_is_cheaper_only_if_no_operation_was_small() -> None:
    """A tenth of the bytes in operations of 4 KiB: the average is above 32 KiB, and the bill is 1.7 times the bytes."""
    advice = advise(mixed([140.0 * 60 * MIB] * 17 + [0.0] * 583, (4, 0.1), (1024, 0.9)))
    (found,) = [each for each in advice.modes if each.mode is ThroughputMode.ELASTIC]
    best = cheapest(advice.modes)
    assert best is not None
    assert found.dollars_a_month < best.dollars_a_month < found.most_dollars_a_month
    assert best.mode is ThroughputMode.PROVISIONED
    assert not any("elastic" in each.title for each in advice.findings)
    assert f"{price(found)}  never" in shown(advice)
    assert " to $" in price(found)


def test_elastic_is_advised_where_even_the_most_that_it_may_cost_is_less() -> None:
    advice = advise(mixed([140.0 * 60 * MIB] * 5 + [0.0] * 595, (4, 0.1), (1024, 0.9)))
    (found,) = advice.findings
    assert found.title.startswith("Throughput: elastic")
    assert "a month less at least: $" in found.money


def test_without_the_number_of_operations_the_price_of_elastic_has_no_end() -> None:
    one = lived([140.0 * 60 * MIB] * 5 + [0.0] * 595, mode=ThroughputMode.PROVISIONED, provisioned_mib=150)
    works = [each._replace(writes=0.0) for each in works_of(one)]
    found = elastic(one, tuple(works))
    assert price(found).endswith(" or more")
    assert as_json(replace(advise(one), modes=(found,)))["modes"][0]["most_dollars_a_month"] is None


def whole(*, mode: ThroughputMode, left_out: tuple[tuple[str, str], ...] = ()) -> Recorded:
    """Two weeks in 3 TiB of which each byte was read twice: reads are most of the load, and all of the reads, writes
    and metadata is recorded but for what is `left_out`.
    """
    minutes = 14 * 1440
    # Each operation of data has a MiB, each of metadata 4 KiB.
    read, written, metadata = [300.0 * MIB] * minutes, [24.0 * MIB] * minutes, [6.0 * MIB] * minutes
    one = recorded([FULL] * minutes)
    one.points |= {
        PERMITTED: points([float(300 * MIB)] * minutes),
        METERED: points([100.0 * MIB + 24 * MIB + 6 * MIB] * minutes),
        READ: points(read),
        WRITTEN: points(written),
        METADATA: points(metadata),
        READS: points([each / MIB for each in read]),
        WRITES: points([each / MIB for each in written]),
        METADATA_OPERATIONS: points([each / (4 * KIB) for each in metadata]),
        STANDARD_SIZE: points([3.0 * TIB] * (minutes // 15), 15),
    }
    for key in left_out:
        del one.points[key]
    one.described = replace(
        FILE_SYSTEM,
        mode=mode,
        standard_bytes=3 * TIB,
        provisioned_bytes_per_second=300 * MIB if mode is ThroughputMode.PROVISIONED else 0,
    )
    return one


ONE_OR_ALL_LACK = [*(pytest.param((kind,), id=kind[0]) for kind in BY_KIND), pytest.param(BY_KIND, id="all")]


@cache
def true_dollars_a_month_of_elastic(mode: ThroughputMode) -> float:
    """As all that is recorded tells it."""
    (found,) = [each for each in advise(history_of(whole(mode=mode), None, NOW)).modes if each.mode is ELASTIC]
    return found.dollars_a_month


@pytest.mark.more
@pytest.mark.parametrize("mode", first_of([ELASTIC, ThroughputMode.PROVISIONED]))
@pytest.mark.parametrize("lack", first_of(ONE_OR_ALL_LACK, in_ci=3))
def test_what_nobody_recorded_makes_no_price_that_ends_below_the_true_one(
    lack: tuple[tuple[str, str], ...], mode: ThroughputMode
) -> None:
    advice = advise(history_of(whole(mode=mode, left_out=lack), None, NOW))
    prices_of_elastic = [each for each in advice.modes if each.mode is ELASTIC]
    # Of nothing there is none.
    assert bool(prices_of_elastic) is (len(lack) == 1)
    assert all(each.most_dollars_a_month >= 0.99 * true_dollars_a_month_of_elastic(mode) for each in prices_of_elastic)
    assert not any("elastic throughput instead" in each.title for each in advice.findings)
    # The whole has none: each byte was touched.
    assert not any(each.title.startswith("Storage") for each in advice.findings)
    if lack != (METADATA_OPERATIONS,):
        assert any("lastic throughput" in each for each in advice.remarks)


@pytest.mark.more
def test_bytes_in_another_unit_that_small_operations_might_explain_are_marked() -> None:
    """Bytes a second under the name of bytes a minute, without the number of operations."""
    one = whole(mode=ThroughputMode.PROVISIONED, left_out=(READS, WRITES, METADATA_OPERATIONS))
    one.points[WRITTEN] = [point._replace(value=point.value / 60) for point in one.points[WRITTEN]]
    advice = advise(history_of(one, None, NOW))
    assert (
        "MeteredIOBytes tells of 2,559 GiB, and what is recorded of reads, writes and metadata comes to 2,095 GiB as "
        "metered: the rest is small operations, was not recorded, or one of them is in another unit. Elastic "
        "throughput may cost much more, and what was left alone is not known"
    ) in advice.remarks


@pytest.mark.more
def test_operations_that_nobody_counted_are_no_few_operations() -> None:
    one = whole(mode=ThroughputMode.BURSTING, left_out=(READS,))
    assert one.described is not None
    one.described = replace(one.described, max_io=True)
    assert not any(each.title.startswith("Performance mode") for each in advise(history_of(one, None, NOW)).findings)


@pytest.mark.whole
@pytest.mark.parametrize("step_minutes", [1, 5, 60])
def test_a_rate_for_averages_of_longer_steps_is_not_said_to_be_enough_for_each_minute(step_minutes: int) -> None:
    """A minute at 90 MiB/s and then nothing, of which longer steps show a part; 150 MiB/s are provisioned."""
    each = [90.0 * 60 * MIB, *[0.0] * (step_minutes - 1)] * (1800 // step_minutes)
    one = lived(each, mode=ThroughputMode.PROVISIONED, provisioned_mib=150)
    coarse = recorded([FULL] * len(each), described=one.file_systems[-1][1])
    coarse.points[PERMITTED] = points([150.0 * MIB] * len(each))
    for key in (METERED, WRITTEN):
        coarse.points[key] = points([90.0 * 60 * MIB] * (1800 // step_minutes), step_minutes)
    advice = advise(history_of(coarse, None, NOW))
    (found,) = [finding for finding in advice.findings if finding.title.startswith("Throughput")]
    assert ("every minute" in found.evidence) == (step_minutes == 1)
    remark = (
        f"MeteredIOBytes is known in steps of up to {step_minutes} minutes only: a minute of them may have moved up to "
        f"{step_minutes} times as much as its average, by which modes are judged here, and a mode may have been slower "
        "though it is said to be enough"
    )
    assert (remark in advice.remarks) == (step_minutes > 1)


@pytest.mark.whole
@settings(max_examples=40)
@given(amounts)
def test_the_rate_to_provision_is_the_lowest_that_cuts_nothing_off(written: list[float]) -> None:
    one = lived(written)
    found = least_provisioned(one)
    assert found is not None
    assert found.mib_per_second is not None
    fitting = [rate for rate in range(1, 130) if all(amount <= rate * 60 * MIB for amount in written)]
    assert found.mib_per_second == min(fitting)
    assert found.short_minutes == 0
    assert found.dollars_a_month == pytest.approx(max(0.0, min(fitting) - EARNED_MIB) * 6, rel=0.01)


@pytest.mark.parametrize(("one_zone", "short"), [(True, 3), (False, 0)])
def test_in_one_zone_elastic_throughput_cuts_off_what_is_above_1_gib_a_second(*, one_zone: bool, short: int) -> None:
    """As metered: https://docs.aws.amazon.com/efs/latest/ug/limits.html"""
    written = [60.0 * MIB] * 296 + [1024.0 * MIB * 60] + [1100.0 * MIB * 60] * 3
    one = lived(written, mode=ThroughputMode.PROVISIONED, provisioned_mib=1100)
    system = replace(FILE_SYSTEM, one_zone=one_zone)
    one = replace(one, file_systems=tuple((minute, system) for minute, _ in one.file_systems))
    assert elastic(one, works_of(one)).short_minutes == short


@pytest.mark.more
@settings(max_examples=40)
@given(amounts, st.sampled_from([ThroughputMode.BURSTING, ThroughputMode.ELASTIC]))
def test_the_mode_that_is_advised_is_the_cheapest_of_all_that_cut_nothing_off(
    written: list[float], mode: ThroughputMode
) -> None:
    one = lived(written, mode=mode)
    best = cheapest(advise(one).modes)
    assert best is not None
    assert best.short_minutes == 0
    every = [bursting(one, 0), elastic(one, works_of(one)), *(provisioned(one, rate) for rate in range(1, 130))]
    enough = [each for each in every if not each.short_minutes and each.credits_last_days is None]
    least = min(each.dollars_a_month for each in enough)
    assert best.dollars_a_month <= least * 1.05


def test_nothing_is_advised_where_bursting_is_enough() -> None:
    advice = advise(lived([10.0 * MIB] * 300))
    assert advice.findings == ()
    assert "Nothing to advise" in shown(advice)


def dried_up(before: float) -> Advice:
    """A load of so many MiB/s until the credits are gone, and at the baseline from then on."""
    balances = [4.0 * MINUTE_BYTES] * 100 + [0.0] * 200
    written = [before * 60 * MIB] * 100 + [float(BASELINE * 60)] * 200
    return advise(lived(written, balances=balances))


def test_who_was_slowed_down_is_told_the_cheapest_way_out_with_its_command() -> None:
    (found,) = dried_up(90).findings
    assert found.title == "Throughput: provisioned 90 MiB/s instead of bursting throughput"
    assert "In 200 minutes clients moved all that bursting throughput permits" in found.evidence
    assert "--provisioned-throughput-in-mibps 90 --region us-east-1" in found.command
    assert "$511 a month at least, instead of $0" in found.money


def bursting_since(faster_minutes: int, *, dry_minutes: int = 0) -> Advice:
    """As many minutes of elastic throughput at 150 MiB/s, of which 100 GiB burst at 100, and bursting since then."""
    one = recorded([*[None] * faster_minutes, *[4.0 * MINUTE_BYTES] * 300, *[0.0] * dry_minutes])
    one.points[PERMITTED] = points(
        [*[float(GIB)] * faster_minutes, *[float(BURST)] * 300, *[float(BASELINE)] * dry_minutes]
    )
    moved = [*[150.0 * 60 * MIB] * faster_minutes, *[MIB * 60.0] * 300, *[BASELINE * 60.0] * dry_minutes]
    one.points[METERED] = points(moved)
    one.points["DataWriteIOBytes", "Sum"] = points(moved)
    return advise(history_of(one, None, NOW))


def test_who_was_faster_in_another_mode_was_refused_nothing() -> None:
    (found,) = bursting_since(60).findings
    assert found.title == "Throughput: provisioned 150 MiB/s instead of bursting throughput"
    faster = (
        "In 60 minutes, in another throughput mode, clients moved more than bursting throughput permits. AWS allows"
    )
    assert found.evidence.startswith(faster)
    assert found.money.endswith("$871 a month instead of $0 (us-east-1 list, June 2026)")


def test_who_was_faster_in_another_mode_and_slowed_down_since_is_told_both() -> None:
    (found,) = bursting_since(60, dry_minutes=40).findings
    assert "In 40 minutes clients moved all that bursting throughput permits; what they were" in found.evidence
    assert "In 60 minutes, in another throughput mode, clients moved more than bursting throughput" in found.evidence
    assert "$871 a month at least, instead of $0" in found.money


def test_who_was_slowed_down_at_a_rate_is_told_where_bursting_would_have_been_barely_slower() -> None:
    """100 GiB burst at 100 MiB/s. Provisioned with less than that, the clients of the last hours took all of it."""
    now = provisioned(lived([MIB] * 300, mode=ThroughputMode.PROVISIONED, provisioned_mib=50), 50)
    found = another_mode(
        replace(now, short_minutes=30),
        PricedMode(mode=ThroughputMode.BURSTING, dollars_a_month=0, short_minutes=0, barely_short_minutes=3),
        "fs-0123456789abcdef0",
        HERE,
    )
    assert found is not None
    barely = "In 3 minutes bursting throughput would have permitted less than 2 % less than what was moved."
    assert barely in found.evidence


def test_no_rate_is_advised_that_would_hold_the_load_down() -> None:
    advice = dried_up(5)
    (found,) = advice.findings
    assert found.title == "Throughput: elastic throughput instead of bursting throughput"
    remark, _ = advice.remarks
    assert remark == (
        "Clients never moved more than is permitted without credits: what they need cannot be told, and a rate to "
        "provision neither"
    )


def test_elastic_that_bursting_would_have_done_for_is_money_back() -> None:
    (found,) = advise(lived([4.0 * 60 * MIB] * 300, mode=ThroughputMode.ELASTIC)).findings
    assert found.title == "Throughput: bursting throughput instead of elastic throughput"
    assert found.command.endswith("--throughput-mode bursting --region us-east-1")
    assert "a month less: $0 instead of" in found.money


def test_bursting_that_would_have_been_barely_slower_says_in_how_many_minutes() -> None:
    """100 GiB burst at 100 MiB/s; clients took the 101 that are provisioned."""
    load = [101.0 * 60 * MIB] * 10 + [MIB] * 290
    advice = advise(lived(load, mode=ThroughputMode.PROVISIONED, provisioned_mib=101))
    (found,) = advice.findings
    assert found.title == "Throughput: bursting throughput instead of provisioned 101 MiB/s"
    assert "permitted every minute of what was moved, but for less than 2 % of it in 10 minutes." in found.evidence
    assert "by less than 2 %, in 10 minutes" in shown(advice)


def test_bursting_is_not_advised_where_a_full_bucket_lasts_the_window_and_no_month() -> None:
    advice = advise(lived([20.0 * 60 * MIB] * 300, mode=ThroughputMode.ELASTIC))
    # 2.1 TiB at 20 MiB/s less the 4.9 that 100 GiB earn.
    days = 2.1 * 2**20 / (20 - EARNED_MIB) / 86_400
    assert (advice.modes[0].short_minutes, advice.modes[0].credits_last_days) == (0, int(days))
    assert [one.title for one in advice.findings] == ["Throughput: provisioned 20 MiB/s instead of elastic throughput"]
    assert "never yet; credits last 1 day" in shown(advice)


def test_a_batch_that_a_month_of_bursting_earns_is_no_reason_to_pay() -> None:
    # The window ends amid a batch: what counts is all of it, and not that the balance is lower in the end.
    load = [0.0] * 1400 + [90.0 * 60 * MIB] * 40
    assert advise(lived(load, mode=ThroughputMode.ELASTIC)).modes[0].credits_last_days is None


def test_who_left_bursting_with_an_empty_bucket_would_have_gone_on_with_it() -> None:
    one = recorded([FULL, *[0.0] * 99])
    one.points[PERMITTED] = points([float(BURST), *[float(BASELINE)] * 99, *[float(GIB)] * 100])
    one.points[METERED] = points([*[float(BASELINE * 60)] * 100, *[20.0 * 60 * MIB] * 100])
    one.described = replace(FILE_SYSTEM, mode=ThroughputMode.ELASTIC)
    assert bursting(history_of(one, None, NOW), 0).short_minutes == 100


def test_more_provisioned_than_was_ever_used_is_money_back() -> None:
    busy = [90.0 * 60 * MIB] * 600
    (found,) = advise(lived(busy, mode=ThroughputMode.PROVISIONED, provisioned_mib=300)).findings
    assert found.title.endswith("instead of provisioned 300 MiB/s")


def test_small_operations_are_told_where_they_are_billed() -> None:
    one = lived([40.0 * 60 * MIB] * 900, operation_bytes=4 * KIB, mode=ThroughputMode.ELASTIC)
    titles = [found.title for found in advise(one).findings]
    assert "Small operations: larger reads and writes would cost less" in titles


def test_max_io_is_told_where_general_purpose_would_do() -> None:
    advice = advise(lived([MIB * 10.0] * 300, max_io=True))
    assert [found.title.split(":")[0] for found in advice.findings] == ["Performance mode"]
    assert ThroughputMode.ELASTIC not in {one.mode for one in advice.modes}


def test_without_what_clients_moved_nothing_is_advised() -> None:
    one = recorded([FULL] * 300)
    del one.points[METERED]
    with pytest.raises(HistoryRefused, match="MeteredIOBytes is not known"):
        advise(history_of(one, None, NOW))


def test_slowed_minutes_are_those_of_a_backtest_whatever_else_was_permitted_meanwhile() -> None:
    # Elastic permits ten times as much: a balance of five minutes at the burst rate is not gone by its measure.
    balances = [*[FULL] * 100, *[5.0 * MINUTE_BYTES] * 100, *[0.0] * 50, *[FULL] * 100]
    one = recorded([*balances, *[None] * 100])
    one.points[PERMITTED] += [RecordedPoint(seconds(350 + minute), float(10 * GIB), 60) for minute in range(100)]
    one.points[METERED] = points([BASELINE * 60.0 if 200 <= minute < 250 else BURST * 60.0 for minute in range(350)])
    assert advise(history_of(one, None, NOW)).slowed_minutes == 50


def test_without_what_was_permitted_nothing_is_advised_where_credits_ended() -> None:
    one = recorded([*[4.0 * MINUTE_BYTES] * 100, *[0.0] * 50], described=None)
    del one.points[PERMITTED], one.points[STANDARD_SIZE]
    with pytest.raises(HistoryRefused, match="how much clients were slowed down then is not known"):
        advise(history_of(one, None, NOW))


def test_what_cannot_be_priced_is_said_and_left_out() -> None:
    one = recorded([FULL] * 300)
    one.points[METERED] = points([5.0 * MIB] * 300)
    advice = advise(history_of(one, None, NOW))
    assert {mode.mode for mode in advice.modes} == {ThroughputMode.BURSTING, ThroughputMode.PROVISIONED}
    assert advice.remarks[:-1] == (
        "What was read and what was written is not known apart: elastic throughput cannot be priced",
    )


def test_a_month_that_is_made_of_less_than_a_day_is_marked_with_each_figure() -> None:
    advice = advise(lived([20.0 * 60 * MIB] * 300, mode=ThroughputMode.ELASTIC))
    assert any(remark.startswith("Only 300 minutes are known: a month is one in which") for remark in advice.remarks)
    assert all(one.money.startswith("If it went on like these 300 minutes: $") for one in advice.findings)
    day = advise(lived([20.0 * 60 * MIB] * 1440, mode=ThroughputMode.ELASTIC))
    assert not any("went on" in one.money for one in day.findings)


def test_a_gap_is_no_idle_time() -> None:
    written = [20.0 * 60 * MIB] * 300
    whole = elastic(lived(written), works_of(lived(written))).dollars_a_month
    gap = recorded([FULL] * 100 + [None] * 100 + [FULL] * 100)
    for key in (METERED, WRITTEN):
        gap.points[key] = [point for number, point in enumerate(points(written)) if not 100 <= number < 200]
    known = history_of(gap, None, NOW)
    assert elastic(known, works_of(known)).dollars_a_month == pytest.approx(whole, rel=0.01)


def test_what_is_shown_and_what_is_written_agree_within_80_columns() -> None:
    advice = advise(lived([20.0 * 60 * MIB] * 300, mode=ThroughputMode.ELASTIC))
    text, data = shown(advice), as_json(advice)
    assert max(map(len, text.splitlines())) <= 80
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["findings"][0]["money"].split(" (")[0] in " ".join(text.split())
    assert ceil(data["now"]["dollars_a_month"]) >= 1


def test_a_command_of_aws_can_be_pasted_as_it_is_shown() -> None:
    one = lived([90.0 * 60 * MIB] * 300, mode=ThroughputMode.PROVISIONED, provisioned_mib=900)
    advice = advise(one)
    (command,) = [found.command for found in advice.findings]
    lines = [line.rstrip() for line in shown(advice).splitlines()]
    first = next(number for number, line in enumerate(lines) if line.startswith("  aws "))
    last = next(number for number in range(first, len(lines)) if not lines[number].endswith("\\"))
    assert last > first
    assert " ".join(line.rstrip("\\").strip() for line in lines[first : last + 1]) == command
    assert max(map(len, lines)) <= 80
