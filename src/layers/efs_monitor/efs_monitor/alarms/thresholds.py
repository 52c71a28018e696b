"""The numbers the alarms live by, and the settings they come from."""

from dataclasses import dataclass, replace

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import threshold_bytes
from efs_monitor.errors import SettingsRefused

# A full bucket is 367 minutes at the permitted rate: a longer lead time could never be OK.
LONGEST_LEAD_MINUTES = 360
# So late a mail may come: 15 minutes until a datapoint is there, one until the alarm is evaluated, four on its way.
NEWS_MINUTES = 20
# Exhausted is about the limit itself and not about time to act: the least that is not zero yet, by which a balance that
# hovers there, spent as it is earned, counts as gone.
EXHAUSTED_MINUTES = 1


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What an operator chose: lead times in minutes, and the rise in percent that recalculates at once."""

    warning_minutes: int
    critical_minutes: int
    rise_tolerance_percent: int

    def __post_init__(self) -> None:
        before_warning = self.warning_minutes - NEWS_MINUTES
        if not NEWS_MINUTES <= self.critical_minutes <= before_warning <= LONGEST_LEAD_MINUTES - NEWS_MINUTES:
            raise SettingsRefused(
                f"CriticalMinutes is {self.critical_minutes} and WarningMinutes is {self.warning_minutes}: "
                f"CriticalMinutes must be at least {NEWS_MINUTES}, because a mail may come that late, and as much "
                f"below WarningMinutes, which must be at most {LONGEST_LEAD_MINUTES} (a full bucket lasts 367 "
                f"minutes). Change one of the two."
            )
        if not 1 <= self.rise_tolerance_percent <= 100:
            raise SettingsRefused(
                f"RiseTolerancePercent is {self.rise_tolerance_percent}: choose a whole number from 1 to 100."
            )

    def lead_minutes(self, kind: AlarmKind) -> int:
        """The minutes that are left when a credit alarm goes off; ValueError for Draining and Rise, which are about no
        amount of credits.
        """
        match kind:
            case AlarmKind.EXHAUSTED:
                return EXHAUSTED_MINUTES
            case AlarmKind.CRITICAL:
                return self.critical_minutes
            case AlarmKind.WARNING:
                return self.warning_minutes
            case _:
                raise ValueError(f"The alarm {kind} has no lead time")


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Balances in bytes below which the credit alarms go off, and the rate above which Rise does."""

    warning_bytes: int
    critical_bytes: int
    exhausted_bytes: int
    rise_bytes_per_second: int

    @property
    def suspended(self) -> "Thresholds":
        """The thresholds of suspended alarms: below zero no balance is, so that CloudWatch keeps these in OK."""
        return replace(self, warning_bytes=0, critical_bytes=0, exhausted_bytes=0)

    def of(self, kind: AlarmKind) -> int:
        """The threshold of an alarm; ValueError for Draining, whose minutes follow from no reference."""
        match kind:
            case AlarmKind.WARNING:
                return self.warning_bytes
            case AlarmKind.CRITICAL:
                return self.critical_bytes
            case AlarmKind.EXHAUSTED:
                return self.exhausted_bytes
            case AlarmKind.RISE:
                return self.rise_bytes_per_second
            case _:
                raise ValueError(f"The alarm {kind} has no threshold that follows from a reference")


def thresholds_for(reference_bytes_per_second: int, settings: Settings) -> Thresholds:
    """The thresholds at a reference throughput: `minutes × 60 × reference`, and the tolerance above it.

    The rise is rounded up, so that a rate of exactly the tolerance above the reference is not yet a rise.
    """
    rise_times_100 = reference_bytes_per_second * (100 + settings.rise_tolerance_percent)
    return Thresholds(
        warning_bytes=threshold_bytes(settings.warning_minutes, reference_bytes_per_second),
        critical_bytes=threshold_bytes(settings.critical_minutes, reference_bytes_per_second),
        exhausted_bytes=threshold_bytes(EXHAUSTED_MINUTES, reference_bytes_per_second),
        rise_bytes_per_second=-(-rise_times_100 // 100),
    )
