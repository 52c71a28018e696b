"""The one place that decides what becomes of the alarms: keep, raise, lower, suspend or resume."""

from dataclasses import dataclass

from efs_monitor.alarms.thresholds import Settings, Thresholds, thresholds_for
from efs_monitor.efs.credits import MIB, SECONDS_PER_MINUTE, baseline_bytes_per_second, is_no_faster
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Observations
from efs_monitor.efs.reference import Reference, Source, reference_throughput


@dataclass(frozen=True, kw_only=True)
class CurrentThresholds:
    """What the decision needs of the alarms as they stand; None where an alarm does not exist."""

    warning_bytes: float | None
    critical_bytes: float | None
    exhausted_bytes: float | None
    rise_bytes_per_second: float | None
    suspended: bool


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What becomes of the alarms, why, and the numbers behind it.

    `thresholds` are those of alarms that act, `live` is None on a first deployment, when there are no alarms yet.
    """

    file_system: FileSystem
    reference: Reference
    settings: Settings
    thresholds: Thresholds
    live: CurrentThresholds | None
    reason: str

    @property
    def kind(self) -> str:
        """The decision in one lower-case word, for log lines."""
        return type(self).__name__.lower()

    @property
    def suspended(self) -> bool:
        """Whether the credit alarms stay silent after this decision."""
        return not self.file_system.lives_on_credits

    @property
    def standing(self) -> Thresholds:
        """The thresholds that the alarms stand at after this decision."""
        return self.thresholds.suspended if self.suspended else self.thresholds

    @property
    def draining_minutes(self) -> int:
        """The threshold of Draining after this decision: fewer than no minutes are never left."""
        return 0 if self.suspended else self.settings.critical_minutes

    @property
    def baseline_bytes_per_second(self) -> int:
        """What is permitted without credits: a Region's cap holds there, too."""
        return min(baseline_bytes_per_second(self.file_system.standard_bytes), self.reference.bytes_per_second)

    @property
    def credits_change_nothing(self) -> bool:
        """Whether a Region's cap lets it be driven no faster with credits than without, as seen while it had some."""
        is_seen = self.reference.source is Source.OBSERVED
        return is_seen and is_no_faster(self.reference.bytes_per_second, self.baseline_bytes_per_second)

    @property
    def reference_before(self) -> int | None:
        """The reference that the alarms stood for before this decision; None where there is no Warning alarm."""
        return reference_of(self.live, self.settings)

    def as_log(self) -> dict[str, object]:
        """The decision as flat log fields, old thresholds beside new."""
        live = self.live
        return {
            "decision": self.kind,
            "reason": self.reason,
            "mode": str(self.file_system.mode),
            "standard_bytes": self.file_system.standard_bytes,
            "reference_bytes_per_second": self.reference.bytes_per_second,
            "reference_source": str(self.reference.source),
            "warning_bytes": self.standing.warning_bytes,
            "critical_bytes": self.standing.critical_bytes,
            "exhausted_bytes": self.standing.exhausted_bytes,
            "rise_bytes_per_second": self.standing.rise_bytes_per_second,
            "warning_bytes_before": live.warning_bytes if live else None,
            "critical_bytes_before": live.critical_bytes if live else None,
            "exhausted_bytes_before": live.exhausted_bytes if live else None,
            "rise_bytes_per_second_before": live.rise_bytes_per_second if live else None,
        }


class Keep(Decision):
    """The alarms are right as they are."""


class Raise(Decision):
    """The file system may be driven faster: the thresholds go up."""


class Lower(Decision):
    """The file system may only be driven slower, credits or not: the thresholds go down."""


class Suspend(Decision):
    """Burst credits stopped mattering: the credit alarms stay, but act no more."""


class Resume(Decision):
    """Burst credits matter again: the credit alarms act again, at thresholds worked out afresh."""


def decide(
    file_system: FileSystem, observations: Observations, settings: Settings, live: CurrentThresholds | None = None
) -> Decision:
    """Decide from what is true now; no earlier decision is remembered, so a missed one repairs itself.

    Without `live` alarms (a first deployment) the decision is Raise, or Suspend where credits mean nothing.
    """
    other_mode = not file_system.lives_on_credits or (live is not None and live.suspended)
    reference = reference_throughput(
        file_system,
        observations,
        live_bytes_per_second=reference_of(live, settings),
        after_other_mode=other_mode,
    )
    thresholds = thresholds_for(reference.bytes_per_second, settings)
    kind, reason = _choose(file_system, reference, thresholds, live)
    return kind(
        file_system=file_system,
        reference=reference,
        settings=settings,
        thresholds=thresholds,
        live=live,
        reason=reason,
    )


def reference_of(live: CurrentThresholds | None, settings: Settings) -> int | None:
    """The reference that the Warning alarm stands for, or that of Rise where it is suspended and stands for none; None
    where there is no such alarm.
    """
    if live is None or live.warning_bytes is None:
        return None
    if live.warning_bytes == 0:
        rise = live.rise_bytes_per_second
        return None if rise is None else int(rise * 100 // (100 + settings.rise_tolerance_percent))
    return round(live.warning_bytes / (settings.warning_minutes * SECONDS_PER_MINUTE))


def _choose(
    file_system: FileSystem, reference: Reference, thresholds: Thresholds, live: CurrentThresholds | None
) -> tuple[type[Decision], str]:
    if not file_system.lives_on_credits:
        if live is not None and live.suspended:
            return Keep, f"still suspended: {_why_credits_mean_nothing(file_system)}"
        return Suspend, _why_credits_mean_nothing(file_system)
    if live is not None and live.suspended:
        return Resume, f"the file system lives on burst credits again; {_origin(reference)}"
    pairs = _moves(thresholds, live)
    if all(before == after for before, after in pairs):
        return Keep, f"the thresholds are right; {_origin(reference)}"
    if any(before is None or before < after for before, after in pairs):
        return Raise, _origin(reference)
    return Lower, _origin(reference)


def _moves(thresholds: Thresholds, live: CurrentThresholds | None) -> list[tuple[float | None, int]]:
    """Old and new threshold of each alarm that exists; a first deployment has only new ones."""
    if live is None:
        return [(None, thresholds.warning_bytes)]
    pairs = [
        (live.warning_bytes, thresholds.warning_bytes),
        (live.critical_bytes, thresholds.critical_bytes),
        (live.exhausted_bytes, thresholds.exhausted_bytes),
        (live.rise_bytes_per_second, thresholds.rise_bytes_per_second),
    ]
    return [pair for pair in pairs if pair[0] is not None]


def _origin(reference: Reference) -> str:
    rate = f"{reference.bytes_per_second / MIB:,.1f} MiB/s"
    if reference.source is Source.OBSERVED:
        return f"PermittedThroughput with credits is {rate}"
    unless = ", unless its Region permits less" if reference.may_be_capped else ""
    return f"no recent rate with credits is known; its size gives {rate}{unless}"


def _why_credits_mean_nothing(file_system: FileSystem) -> str:
    if file_system.mode is ThroughputMode.ELASTIC:
        return "in elastic mode burst credits are neither earned nor spent"
    rate = f"{file_system.provisioned_bytes_per_second / MIB:,.1f} MiB/s"
    return f"{rate} are provisioned, more than the size earns: burst credits mean nothing there"
