"""What a report shows, as one value: each source fills it in, and drawing it asks nobody else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.efs.credits import SECONDS_PER_MINUTE, threshold_bytes

from operate.advise.advice import Advice, advise
from operate.backtest.spells import Spell, spells_of
from operate.history.file_system_history import History
from operate.history.recorded import HistoryRefused
from operate.replay.replayed_account import Recalculation, ReplayedMail

# In the order in which they are listed: the mildest first.
LANES = tuple(AlarmKind)
# An alarm on credits while the monitor has silenced it, and otherwise.
SUSPENDED, ARMED = "suspended", "armed"
# From the minute in which an alarm has been deployed and judged nothing yet.
UNJUDGED = "INSUFFICIENT_DATA"


@dataclass(frozen=True, kw_only=True)
class ThresholdStep:
    """The balances, in bytes, below which the alarms of lead times go off, from a minute on."""

    minute: int
    warning_bytes: float
    critical_bytes: float
    exhausted_bytes: float


@dataclass(frozen=True, kw_only=True)
class AlarmSpan:
    """Minutes from `begin` to before `end` in which an alarm was in a state."""

    begin: int
    end: int
    state: str


@dataclass(frozen=True, kw_only=True)
class MeasuredWorkload:
    """A workload of a benchmark as it was measured, in words; `published` and `ratio` are empty where nobody published
    any, `note` says why there is no rate. CloudWatch knows when it was, and not on which `instance_type`; the local AWS
    the other way round.
    """

    workload: str
    rate: str
    published: str
    ratio: str
    note: str = ""
    instance_type: str = ""
    measured_at: str = ""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """Everything of a report. Minutes count from the history's first.

    `source` says in a sentence what this was; `remarks` what is missing or not whole. `settings` has the lead times
    that the thresholds stand for, None where nobody told them. `suspended` is when the monitor had silenced the alarms
    on credits: should CloudWatch have found one of them low then, that is no incident.
    """

    source: str
    history: History
    settings: Settings | None
    thresholds: tuple[ThresholdStep, ...]
    alarms: Mapping[AlarmKind, tuple[AlarmSpan, ...]]
    suspended: tuple[AlarmSpan, ...]
    mails: tuple[ReplayedMail, ...]
    decisions: tuple[Recalculation, ...]
    spells: tuple[Spell, ...]
    benchmarks: tuple[MeasuredWorkload, ...] = ()
    measured_note: str = ""
    advice: Advice | None = None
    remarks: tuple[str, ...] = ()

    def state_of(self, kind: AlarmKind, minute: int) -> str:
        """The state in which an alarm was at a minute; empty before there was one."""
        return next((one.state for one in self.alarms.get(kind, ()) if one.begin <= minute < one.end), "")

    def thresholds_at(self, minute: int) -> ThresholdStep | None:
        """The thresholds that the alarms had at a minute; None before there were any."""
        return next((one for one in reversed(self.thresholds) if one.minute <= minute), None)


def thresholds_of(references: Sequence[tuple[int, float]], settings: Settings) -> tuple[ThresholdStep, ...]:
    """What the alarms are set to at a reference throughput in bytes per second, each from a minute on."""

    def bytes_of(kind: AlarmKind, reference: float) -> float:
        return threshold_bytes(settings.lead_minutes(kind), round(reference))

    return tuple(
        ThresholdStep(
            minute=minute,
            warning_bytes=bytes_of(AlarmKind.WARNING, reference),
            critical_bytes=bytes_of(AlarmKind.CRITICAL, reference),
            exhausted_bytes=bytes_of(AlarmKind.EXHAUSTED, reference),
        )
        for minute, reference in references
    )


def alarm_spans(
    changes: Sequence[tuple[int, str]], minutes: int, before: tuple[int, str] | None = None
) -> tuple[AlarmSpan, ...]:
    """An alarm's spans by its changes, each a minute and the state from then on; `before` is the state it had first.

    A state that was left and entered again in one minute goes on.
    """
    steps = [*([before] if before else []), *changes]
    ends = [*(minute for minute, _ in steps[1:]), minutes + 1][: len(steps)]
    lasting = [(begin, end, state) for (begin, state), end in zip(steps, ends, strict=True) if end > begin]
    found = []
    for state, group in groupby(lasting, key=lambda one: one[2]):
        spans = list(group)
        found.append(AlarmSpan(begin=spans[0][0], end=spans[-1][1], state=state))
    return tuple(found)


def suspensions(changes: Sequence[tuple[int, bool]], minutes: int) -> tuple[AlarmSpan, ...]:
    """When the alarms on credits were silent; `changes` tell from a minute on whether they are."""
    spans = alarm_spans([(minute, SUSPENDED if silent else ARMED) for minute, silent in changes], minutes)
    return tuple(one for one in spans if one.state == SUSPENDED)


def spells_below(history: History, thresholds: Sequence[ThresholdStep]) -> tuple[Spell, ...]:
    """Each time without credits, by the measure of the Exhausted alarm as it was set."""
    return spells_of(history, [(one.minute, one.exhausted_bytes / SECONDS_PER_MINUTE) for one in thresholds])


def advice_on(history: History) -> tuple[Advice | None, tuple[str, ...]]:
    """The advice, or why there is none."""
    try:
        return advise(history), ()
    except HistoryRefused as refused:
        return None, (f"No advice: {refused}",)
