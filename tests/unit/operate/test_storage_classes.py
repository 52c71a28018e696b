"""Bytes that nobody touched are told with what they would cost elsewhere, and never where clients would feel it."""

from dataclasses import replace
from typing import Any

import pytest
from efs_monitor.costs import prices
from efs_monitor.efs.credits import GIB, MIB, TIB, burst_bytes_per_second, earned_bytes_per_second, full_bucket_bytes
from efs_monitor.efs.file_system import ThroughputMode

from operate.advise.advice import Advice, advise
from operate.history.file_system_history import history_of
from operate.history.recorded import BALANCE, METERED, PERMITTED, STANDARD_SIZE
from tests.quick import first_of
from tests.unit.operate.histories import FILE_SYSTEM, NOW, points, recorded

STEP_MINUTES = 30
DAY_STEPS, HOUR_STEPS = 1440 // STEP_MINUTES, 60 // STEP_MINUTES
READ, WRITTEN = ("DataReadIOBytes", "Sum"), ("DataWriteIOBytes", "Sum")
IA, ONE_ZONE = "Storage: Infrequent Access", "Storage: One Zone"
MONTHS_A_DAY = 24 / 730


def lived(
    standard_bytes: float = TIB,
    *,
    written: float = 0.0,
    read: float = 0.0,
    days: int = 14,
    mode: ThroughputMode = ThroughputMode.BURSTING,
    provisioned_mib: int = 0,
    described: bool = True,
    gap_minutes: int = 0,
    in_one_go: bool = False,
    balance: float | None = None,
    **changes: Any,
) -> Advice:
    """What is advised after so many days, in which so many bytes were written and read: evenly, or all in an hour."""
    steps = days * DAY_STEPS
    size = round(standard_bytes)
    full = float(full_bucket_bytes(size)) if balance is None else balance
    permitted = {ThroughputMode.ELASTIC: GIB, ThroughputMode.PROVISIONED: provisioned_mib * MIB}.get(
        mode, burst_bytes_per_second(size)
    )
    share = (
        [1 / HOUR_STEPS if step < HOUR_STEPS else 0.0 for step in range(steps)] if in_one_go else [1 / steps] * steps
    )
    balances = [full] * steps if mode is ThroughputMode.BURSTING else [full]
    one = recorded([])
    for key, values in {
        BALANCE: balances,
        PERMITTED: [float(permitted)] * steps,
        WRITTEN: [written * part for part in share],
        READ: [read * part for part in share],
        METERED: [(written + read / 3) * part for part in share],
    }.items():
        gap = range(HOUR_STEPS, HOUR_STEPS + gap_minutes // STEP_MINUTES)
        known = [None if step in gap else value for step, value in enumerate(values)]
        one.points[key] = points(known, STEP_MINUTES)
    one.points[STANDARD_SIZE] = points([float(size)], 15)
    one.described = replace(
        FILE_SYSTEM, mode=mode, standard_bytes=size, provisioned_bytes_per_second=provisioned_mib * MIB, **changes
    )
    if not described:
        one.described, one.mode = None, mode
    return advise(history_of(one, None, NOW))


def titles(advice: Advice) -> list[str]:
    return [one.title.split(" for ")[0].split(",")[0] for one in advice.findings]


@pytest.mark.whole
def test_bytes_that_nobody_touched_are_told_with_their_price_and_their_credits() -> None:
    found = next(one for one in lived(written=64 * GIB, read=36 * GIB).findings if one.title.startswith(IA))
    assert "Of 1,024 GiB in Standard at least 924 GiB (90 %) were neither read nor written in 14 days" in found.evidence
    assert "the baseline falls from 50 MiB/s to 4.9 MiB/s or less, and a full bucket stays at 2.1 TiB" in found.evidence
    # 924 GB at $0.30 less $0.025, and 36 GB that are read in 14 days at $0.01.
    saved = 924 * 0.275 - 36 / (14 * MONTHS_A_DAY) * 0.01
    assert found.money.startswith(f"up to ${saved:,.0f} a month less, of $307: ")
    assert "for $0.01 a GB; $9.24 once to move it" in found.money
    assert found.command == (
        "aws efs put-lifecycle-configuration --file-system-id fs-0123456789abcdef0 --lifecycle-policies "
        "TransitionToIA=AFTER_30_DAYS --region us-east-1"
    )


@pytest.mark.whole
def test_a_bucket_that_shrinks_is_told() -> None:
    found = next(one for one in lived(4 * TIB).findings if one.title.startswith(IA))
    assert "a full bucket falls from 8.4 TiB to 2.1 TiB" in found.evidence


@pytest.mark.whole
def test_in_elastic_mode_no_credits_are_lost_and_it_is_cheaper() -> None:
    (found,) = [one for one in lived(mode=ThroughputMode.ELASTIC).findings if one.title.startswith(IA)]
    assert "earns" not in found.evidence
    assert "$0.016 a month there" in found.evidence
    assert found.money.startswith(f"up to ${1024 * 0.284:,.0f} a month less")


@pytest.mark.whole
@pytest.mark.parametrize(("touched_gib", "told"), first_of([(511, True), (512, False), (2000, False)], 2))
def test_it_is_told_only_where_most_was_left_alone(touched_gib: int, told: bool) -> None:
    assert (IA in titles(lived(read=touched_gib * GIB))) is told


@pytest.mark.whole
@pytest.mark.parametrize(("gib", "told"), first_of([(3.7, True), (3.6, False)]))
def test_it_is_told_from_a_dollar_a_month_on(gib: float, told: bool) -> None:
    assert (IA in titles(lived(gib * GIB))) is told


@pytest.mark.whole
@pytest.mark.parametrize(
    "unknown",
    first_of([{"days": 13}, {"described": False}, {"gap_minutes": 14 * 16}]),
    ids=["fewer days than two weeks", "EFS described nothing", "more than a hundredth is missing"],
)
def test_nothing_is_told_of_what_is_not_known(unknown: dict[str, Any]) -> None:
    assert not [one for one in titles(lived(**unknown)) if one.startswith("Storage")]


@pytest.mark.whole
def test_a_few_lost_minutes_are_no_gap() -> None:
    assert IA in titles(lived(gap_minutes=14 * 14))


@pytest.mark.whole
def test_nothing_is_told_where_reads_are_not_known() -> None:
    one = recorded([])
    for key, value in {BALANCE: full_bucket_bytes(TIB), PERMITTED: burst_bytes_per_second(TIB), METERED: MIB}.items():
        one.points[key] = points([float(value)] * 14 * DAY_STEPS, STEP_MINUTES)
    one.points[STANDARD_SIZE] = points([float(TIB)], 15)
    one.described = replace(FILE_SYSTEM, standard_bytes=TIB)
    assert titles(advise(history_of(one, None, NOW))) == []


@pytest.mark.whole
def test_a_policy_that_is_at_work_is_not_told_again() -> None:
    assert IA not in titles(lived(colder_bytes=1))


@pytest.mark.whole
@pytest.mark.parametrize(("gib_an_hour", "told"), first_of([(351, True), (360, False)]))
def test_it_is_not_told_where_the_slower_burst_would_have_been_felt(gib_an_hour: int, told: bool) -> None:
    """4 TiB burst at 400 MiB/s, and nothing in Standard at 100: 351 GiB in an hour."""
    assert (IA in titles(lived(4 * TIB, written=gib_an_hour * GIB, in_one_go=True))) is told


@pytest.mark.whole
@pytest.mark.parametrize(("gib_a_month", "told"), first_of([(2150, True), (2151, False)]))
def test_it_is_not_told_where_a_full_bucket_would_not_last_a_month(gib_a_month: int, told: bool) -> None:
    """2.1 TiB are 2,150.4 GiB, in 30 days."""
    assert (IA in titles(lived(8 * TIB, written=gib_a_month * GIB * 14 / 30))) is told


@pytest.mark.whole
@pytest.mark.parametrize(("credits_gib", "told"), first_of([(101, True), (98, False)]))
def test_the_balance_that_was_there_is_what_would_have_been_spent(credits_gib: int, told: bool) -> None:
    """100 GiB in an hour: the baseline of what is not in Standard, 1 MiB/s, is not enough for the rest."""
    assert (IA in titles(lived(written=100 * GIB, in_one_go=True, balance=credits_gib * GIB))) is told


@pytest.mark.whole
def test_with_provisioned_throughput_the_rate_would_cost_more_than_the_storage_saves() -> None:
    saved = prices.STANDARD_STORAGE.dollars - prices.INFREQUENT_ACCESS_STORAGE.dollars
    assert saved * 1024 < earned_bytes_per_second(TIB) / MIB * prices.PROVISIONED.dollars
    busy = lived(16 * TIB, written=5 * TIB, mode=ThroughputMode.PROVISIONED, provisioned_mib=900, in_one_go=True)
    assert IA not in titles(busy)


@pytest.mark.more
def test_who_is_told_to_burst_instead_is_not_told_to_give_away_the_credits() -> None:
    """Bursting is enough for 4 TiB, and would not be for what stays in Standard."""
    found = titles(lived(4 * TIB, written=1200 * GIB, mode=ThroughputMode.ELASTIC, in_one_go=True))
    assert IA not in found
    calm = titles(lived(4 * TIB, written=200 * GIB, mode=ThroughputMode.ELASTIC))
    assert calm[0].startswith("Throughput: bursting throughput instead of elastic")
    assert IA in calm


@pytest.mark.whole
def test_one_zone_is_an_option_with_what_is_lost() -> None:
    found = next(one for one in lived(written=GIB).findings if one.title.startswith(ONE_ZONE))
    assert found.title == "Storage: One Zone, where the loss of one Availability Zone may cost the data"
    assert found.money == f"$143 a month less where all of it stays in Standard (us-east-1 list, {prices.AS_OF})"
    assert "A GB costs $0.16 a month there, $0.30 in a Regional file system" in found.evidence
    assert found.command.endswith("--region us-east-1, then copy: it cannot be changed")


@pytest.mark.whole
@pytest.mark.parametrize(("gib", "told"), first_of([(715, True), (714, False)]))
def test_one_zone_is_told_from_a_hundred_dollars_a_month_on(gib: int, told: bool) -> None:
    assert (ONE_ZONE in titles(lived(gib * GIB))) is told


@pytest.mark.whole
@pytest.mark.parametrize("mode", first_of([ThroughputMode.BURSTING, ThroughputMode.ELASTIC]))
def test_in_one_zone_infrequent_access_has_a_price_of_its_own_in_every_mode(mode: ThroughputMode) -> None:
    found = next(one for one in lived(mode=mode, one_zone=True).findings if one.title.startswith(IA))
    assert "A GB costs $0.0133 a month there, $0.16 in Standard." in found.evidence
    assert found.money.startswith(f"up to ${1024 * (0.16 - 0.0133):,.0f} a month less, of $164: ")
    assert ("Only Standard earns credits" in found.evidence) is (mode is ThroughputMode.BURSTING)


def test_in_one_zone_with_provisioned_throughput_the_rate_would_cost_more_too() -> None:
    saved = prices.ONE_ZONE_STANDARD_STORAGE.dollars - prices.ONE_ZONE_INFREQUENT_ACCESS_STORAGE.dollars
    assert saved * 1024 < earned_bytes_per_second(TIB) / MIB * prices.PROVISIONED.dollars


@pytest.mark.more
def test_one_zone_is_not_told_where_it_is_there_or_too_slow() -> None:
    assert ONE_ZONE not in titles(lived(one_zone=True))
    assert ONE_ZONE in titles(lived(32 * TIB, written=3599 * GIB, in_one_go=True))
    assert ONE_ZONE not in titles(lived(32 * TIB, written=3601 * GIB, in_one_go=True))


@pytest.mark.whole
@pytest.mark.parametrize("archive_gib", first_of([0, 300]))
def test_no_other_throughput_mode_is_advised_while_data_is_in_archive(archive_gib: int) -> None:
    """Of 4 TiB written in two weeks each byte costs something in elastic throughput, and nothing on credits."""
    advice = lived(
        written=4 * TIB,
        mode=ThroughputMode.ELASTIC,
        archive_bytes=archive_gib * GIB,
        colder_bytes=archive_gib * GIB,
        balance=float(full_bucket_bytes(TIB)),
    )
    assert any(title.startswith("Throughput") for title in titles(advice)) is not bool(archive_gib)
    assert any("300 GiB are in Archive" in remark for remark in advice.remarks) is bool(archive_gib)
