"""The one decision: what becomes of the alarms."""

import dataclasses

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.decision import (
    CurrentThresholds,
    Decision,
    Keep,
    Lower,
    Raise,
    Resume,
    Suspend,
    decide,
    reference_of,
)
from efs_monitor.alarms.thresholds import Settings, Thresholds, thresholds_for
from efs_monitor.efs.credits import GIB, MIB, TIB, full_bucket_bytes
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.efs.observations import Observations
from hypothesis import example, given

from tests.unit.strategies import (
    DEFAULTS,
    bursting,
    elastic,
    file_systems,
    observations,
    provisioned,
    seen,
    settings,
)

FULL = full_bucket_bytes(TIB)


def live(thresholds: Thresholds, *, suspended: bool = False) -> CurrentThresholds:
    return CurrentThresholds(
        warning_bytes=thresholds.warning_bytes,
        critical_bytes=thresholds.critical_bytes,
        exhausted_bytes=thresholds.exhausted_bytes,
        rise_bytes_per_second=thresholds.rise_bytes_per_second,
        suspended=suspended,
    )


def at(mib_per_second: int) -> CurrentThresholds:
    return live(thresholds_for(mib_per_second * MIB, DEFAULTS))


def test_right_thresholds_are_kept() -> None:
    decision = decide(bursting(), seen((FULL, 100 * MIB)), DEFAULTS, at(100))
    assert type(decision) is Keep
    assert decision.reason == "the thresholds are right; PermittedThroughput with credits is 100.0 MiB/s"


def test_growth_raises_all_thresholds_exactly() -> None:
    decision = decide(bursting(2 * TIB), seen((FULL, 200 * MIB)), DEFAULTS, at(100))
    assert type(decision) is Raise
    assert decision.thresholds == Thresholds(
        warning_bytes=180 * 60 * 200 * MIB,
        critical_bytes=60 * 60 * 200 * MIB,
        exhausted_bytes=60 * 200 * MIB,
        rise_bytes_per_second=220 * MIB,
    )


def test_a_real_shrink_lowers_them() -> None:
    decision = decide(bursting(6 * TIB // 5), seen((FULL, 120 * MIB)), DEFAULTS, at(200))
    assert type(decision) is Lower


def test_a_smaller_tolerance_alone_lowers_rise_only() -> None:
    eager = dataclasses.replace(DEFAULTS, rise_tolerance_percent=5)
    decision = decide(bursting(), seen((FULL, 100 * MIB)), eager, at(100))
    assert type(decision) is Lower
    assert decision.thresholds.warning_bytes == at(100).warning_bytes


def test_a_threshold_somebody_edited_is_put_right() -> None:
    edited = dataclasses.replace(at(100), critical_bytes=1.0)
    assert type(decide(bursting(), seen((FULL, 100 * MIB)), DEFAULTS, edited)) is Raise


def test_a_deleted_alarm_does_not_keep_the_others_from_being_kept() -> None:
    missing = dataclasses.replace(at(100), critical_bytes=None)
    assert type(decide(bursting(), seen((FULL, 100 * MIB)), DEFAULTS, missing)) is Keep


@pytest.mark.parametrize(
    ("file_system", "reason"),
    [
        (elastic(), "in elastic mode burst credits are neither earned nor spent"),
        (provisioned(6), "6.0 MiB/s are provisioned, more than the size earns: burst credits mean nothing there"),
    ],
)
def test_modes_without_credits_suspend(file_system: FileSystem, reason: str) -> None:
    decision = decide(file_system, seen((FULL, 1024 * MIB)), DEFAULTS, at(100))
    assert (type(decision), decision.reason) == (Suspend, reason)


def test_a_suspension_is_kept_while_the_mode_lasts() -> None:
    asleep = dataclasses.replace(at(100), suspended=True)
    decision = decide(elastic(), Observations(), DEFAULTS, asleep)
    assert type(decision) is Keep
    assert decision.reason.startswith("still suspended: in elastic mode")


def test_alarms_that_are_suspended_stand_where_no_balance_is_below_and_rise_goes_on() -> None:
    decision = decide(elastic(2 * TIB), Observations(), DEFAULTS, at(100))
    standing, log = decision.standing, decision.as_log()
    assert (standing.warning_bytes, standing.critical_bytes, standing.exhausted_bytes) == (0, 0, 0)
    assert (standing.rise_bytes_per_second, decision.draining_minutes) == (220 * MIB, 0)
    assert (log["warning_bytes"], log["warning_bytes_before"]) == (0, at(100).warning_bytes)
    awake = decide(bursting(), Observations(), DEFAULTS, at(100))
    assert (awake.standing, awake.draining_minutes) == (awake.thresholds, DEFAULTS.critical_minutes)


@pytest.mark.parametrize("mib_per_second", [100, 101, 1024, 3072, 123.456])
@pytest.mark.parametrize("tolerance", [1, 7, 10, 33, 100])
def test_the_reference_of_suspended_alarms_is_that_of_rise_to_the_byte(mib_per_second: float, tolerance: int) -> None:
    chosen = dataclasses.replace(DEFAULTS, rise_tolerance_percent=tolerance)
    reference = round(mib_per_second * MIB)
    asleep = live(thresholds_for(reference, chosen).suspended, suspended=True)
    assert reference_of(asleep, chosen) == reference
    assert reference_of(dataclasses.replace(asleep, rise_bytes_per_second=None), chosen) is None
    assert reference_of(dataclasses.replace(asleep, warning_bytes=None), chosen) is None


def test_draining_has_no_threshold_that_follows_from_a_reference() -> None:
    with pytest.raises(ValueError, match="draining"):
        thresholds_for(100 * MIB, DEFAULTS).of(AlarmKind.DRAINING)


def test_provisioned_below_what_the_size_earns_is_bursting() -> None:
    assert type(decide(provisioned(40, TIB), seen((FULL, 100 * MIB)), DEFAULTS, at(100))) is Keep


def test_provisioned_at_exactly_what_the_size_earns_is_bursting() -> None:
    assert type(decide(provisioned(50, TIB), seen((FULL, 100 * MIB)), DEFAULTS, at(100))) is Keep


def test_coming_back_resumes_at_fresh_thresholds_even_when_they_are_the_old_ones() -> None:
    asleep = dataclasses.replace(at(100), suspended=True)
    decision = decide(bursting(), seen((GIB, 1024 * MIB)), DEFAULTS, asleep)
    assert type(decision) is Resume
    assert decision.reference.bytes_per_second == 100 * MIB


def test_coming_back_believes_no_rate_of_the_other_mode_even_one_that_moved() -> None:
    asleep = dataclasses.replace(at(100), suspended=True)
    decision = decide(bursting(TIB), seen((FULL, 160 * MIB), (FULL, 150 * MIB)), DEFAULTS, asleep)
    assert type(decision) is Resume
    assert decision.reference.bytes_per_second == 100 * MIB


def test_a_first_deployment_raises_from_nothing() -> None:
    decision = decide(bursting(), Observations(), DEFAULTS)
    assert type(decision) is Raise
    assert decision.reason == "no recent rate with credits is known; its size gives 100.0 MiB/s"


def test_a_first_deployment_onto_an_elastic_file_system_is_suspended_at_the_rate_of_its_size() -> None:
    decision = decide(elastic(2 * TIB), seen((FULL, 380 * MIB)), DEFAULTS)
    assert type(decision) is Suspend
    assert decision.reference.bytes_per_second == 200 * MIB


def test_the_log_fields_say_what_was_and_what_is() -> None:
    assert decide(bursting(2 * TIB), seen((FULL, 200 * MIB)), DEFAULTS, at(100)).as_log() == {
        "decision": "raise",
        "reason": "PermittedThroughput with credits is 200.0 MiB/s",
        "mode": "bursting",
        "standard_bytes": 2 * TIB,
        "reference_bytes_per_second": 200 * MIB,
        "reference_source": "observed",
        "warning_bytes": 2_264_924_160_000,
        "critical_bytes": 754_974_720_000,
        "exhausted_bytes": 12_582_912_000,
        "rise_bytes_per_second": 220 * MIB,
        "warning_bytes_before": 1_132_462_080_000,
        "critical_bytes_before": 377_487_360_000,
        "exhausted_bytes_before": 6_291_456_000,
        "rise_bytes_per_second_before": 110 * MIB,
    }


def test_before_the_first_deployment_there_was_nothing_to_log() -> None:
    fields = decide(bursting(), Observations(), DEFAULTS).as_log()
    assert [fields[name] for name in fields if name.endswith("_before")] == [None] * 4
    assert fields["reference_source"] == "size"


@given(file_systems, observations, settings())
def test_a_decision_that_was_carried_out_is_kept_the_next_time(
    file_system: FileSystem, observations: Observations, settings: Settings
) -> None:
    first = decide(file_system, observations, settings, at(100))
    after = live(first.thresholds, suspended=first.suspended)
    second = decide(file_system, observations, settings, after)
    assert type(second) is Keep


@given(file_systems, observations, settings())
@example(bursting(0), seen((FULL, 99 * MIB)), DEFAULTS)
def test_so_is_one_after_a_suspension_once_no_datapoint_of_the_other_mode_is_left(
    file_system: FileSystem, observations: Observations, settings: Settings
) -> None:
    first = decide(file_system, observations, settings, dataclasses.replace(at(100), suspended=True))
    full_bytes = full_bucket_bytes(file_system.standard_bytes)
    by_then = seen(
        *[(full_bytes, first.reference.bytes_per_second)] * 5, highest=observations.highest_permitted_bytes_per_second
    )
    second = decide(file_system, by_then, settings, live(first.thresholds, suspended=first.suspended))
    assert type(second) is Keep


@given(file_systems, observations, settings())
def test_whether_credits_matter_alone_decides_whether_alarms_sleep(
    file_system: FileSystem, observations: Observations, settings: Settings
) -> None:
    decision: Decision = decide(file_system, observations, settings)
    assert decision.suspended == (not file_system.lives_on_credits)
    assert decision.thresholds == thresholds_for(decision.reference.bytes_per_second, settings)
    assert decision.thresholds.critical_bytes < decision.thresholds.warning_bytes
