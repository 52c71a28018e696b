"""Thresholds and the settings they come from."""

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import Settings, thresholds_for
from efs_monitor.efs.credits import MIB, minutes_left
from efs_monitor.errors import SettingsRefused
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.strategies import DEFAULTS, settings


def test_the_defaults_at_100_mib_per_second() -> None:
    thresholds = thresholds_for(100 * MIB, DEFAULTS)
    assert thresholds.warning_bytes == 1_132_462_080_000
    assert thresholds.critical_bytes == 377_487_360_000
    assert thresholds.exhausted_bytes == 6_291_456_000
    assert thresholds.rise_bytes_per_second == 115_343_360


@given(settings(), st.integers(1, 10 * 2**40))
def test_a_balance_at_the_threshold_lasts_exactly_the_lead_time(settings: Settings, reference: int) -> None:
    thresholds = thresholds_for(reference, settings)
    assert thresholds.warning_bytes % (60 * reference) == 0
    assert minutes_left(thresholds.warning_bytes, reference) == pytest.approx(settings.warning_minutes)
    assert minutes_left(thresholds.critical_bytes, reference) == pytest.approx(settings.critical_minutes)


@given(settings(), st.integers(1, 10 * 2**40))
def test_rise_is_the_first_whole_rate_at_the_tolerance(settings: Settings, reference: int) -> None:
    rise = thresholds_for(reference, settings).rise_bytes_per_second
    exact = reference * (100 + settings.rise_tolerance_percent)
    assert rise * 100 >= exact > (rise - 1) * 100


@pytest.mark.parametrize(("warning", "critical"), [(40, 20), (360, 20), (360, 340), (180, 160)])
def test_lead_times_at_their_bounds_are_taken(warning: int, critical: int) -> None:
    taken = Settings(warning_minutes=warning, critical_minutes=critical, rise_tolerance_percent=10)
    assert (taken.lead_minutes(AlarmKind.WARNING), taken.lead_minutes(AlarmKind.CRITICAL)) == (warning, critical)


@pytest.mark.parametrize(
    ("warning", "critical"), [(60, 60), (60, 180), (180, 161), (40, 21), (39, 19), (180, 19), (180, 0), (361, 60)]
)
def test_lead_times_that_contradict_each_other_are_refused_with_their_values(warning: int, critical: int) -> None:
    with pytest.raises(SettingsRefused, match=f"CriticalMinutes is {critical} and WarningMinutes is {warning}"):
        Settings(warning_minutes=warning, critical_minutes=critical, rise_tolerance_percent=10)


@pytest.mark.parametrize("percent", [0, 101])
def test_a_tolerance_out_of_bounds_is_refused_with_its_value(percent: int) -> None:
    with pytest.raises(SettingsRefused, match=f"RiseTolerancePercent is {percent}"):
        Settings(warning_minutes=180, critical_minutes=60, rise_tolerance_percent=percent)


def test_each_credit_alarm_has_its_lead_time() -> None:
    assert DEFAULTS.lead_minutes(AlarmKind.WARNING) == 180
    assert DEFAULTS.lead_minutes(AlarmKind.CRITICAL) == 60
    assert DEFAULTS.lead_minutes(AlarmKind.EXHAUSTED) == 1


@pytest.mark.parametrize("kind", [AlarmKind.DRAINING, AlarmKind.RISE])
def test_an_alarm_that_is_about_no_amount_of_credits_has_no_lead_time(kind: AlarmKind) -> None:
    with pytest.raises(ValueError, match=f"^The alarm {kind} has no lead time$"):
        DEFAULTS.lead_minutes(kind)
