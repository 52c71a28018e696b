"""Everything that a backtest comes to, as one value: what a terminal shows and what --json writes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from efs_monitor.alarms.alarm import CREDIT_ALARMS, AlarmKind
from efs_monitor.alarms.thresholds import Settings

from operate.backtest.lead_times import SHOWN_EVERY_MINUTES, USEFUL_MINUTES, Choice, LeadTime, lead_times, recommended
from operate.backtest.other_alarms import FIXED, RECOMMENDED, recorded_by
from operate.backtest.spells import Spell, spells_of
from operate.backtest.warnings import LONGEST_LEAD_MINUTES, Record, on_times, record
from operate.history.file_system_history import History
from operate.history.recorded import BALANCE
from operate.replay.replay import LATE_MINUTES, Replayed, replay
from operate.replay.replayed_account import Recalculation, ReplayedMail, ReplayedStack

# The state from which an alarm that was suspended judges anew.
WAKING = "INSUFFICIENT_DATA"
DAY_MINUTES = 1440


@dataclass(frozen=True, kw_only=True)
class BacktestResult:
    """What would have been told of a history, how much of it in time, and what other settings and alarms would have.

    `best` is the best pair of lead times, `tried` has every single one of them. `failed` are runs of the
    monitor's own that failed for good. `suspended` tells from a minute on whether the alarms on credits are silent.
    `last_minute` is the last that was lived through: the newest datapoint is seen in it, some minutes after its own.
    """

    history: History
    settings: Settings
    mails: tuple[ReplayedMail, ...]
    changes: tuple[tuple[int, str, str, str], ...]
    decisions: tuple[Recalculation, ...]
    failed: tuple[tuple[int, str], ...]
    references: tuple[tuple[int, float], ...]
    suspended: tuple[tuple[int, bool], ...]
    spells: tuple[Spell, ...]
    records: dict[AlarmKind, Record]
    others: dict[str, Record]
    tried: tuple[LeadTime, ...]
    best: Choice
    last_minute: int

    @property
    def curve(self) -> tuple[LeadTime, ...]:
        """What a person needs to see of what was tried: some, and the settings that are asked for and named."""
        named = {self.settings.warning_minutes, self.settings.critical_minutes}
        if self.is_enough:
            named |= {self.best.warning.minutes, self.best.critical.minutes}
        return tuple(one for one in self.tried if one.minutes % SHOWN_EVERY_MINUTES == 0 or one.minutes in named)

    @property
    def known_minutes(self) -> int:
        """How many minutes have a balance."""
        return sum(1 for one in self.history.metrics.values[BALANCE] if one is not None)

    @property
    def still_on(self) -> tuple[AlarmKind, ...]:
        """The alarms that went off after the last fall and are on at the end: what follows is not known."""
        last = self.spells[-1].end if self.spells else -1
        on = {kind: one.times[-1] for kind, one in self.records.items() if one.times and one.times[-1].end is None}
        return tuple(kind for kind, one in on.items() if kind is not AlarmKind.EXHAUSTED and one.begin > last)

    @property
    def undecided(self) -> tuple[AlarmKind, ...]:
        """The alarms that are on since less than a day: they may warn of a fall yet, or be in vain."""
        since = self.history.minutes - LONGEST_LEAD_MINUTES
        return tuple(kind for kind in self.still_on if self.records[kind].times[-1].begin > since)

    @property
    def is_enough(self) -> bool:
        """Whether minutes can be recommended: a day or more is known, and no fall of it may be going on."""
        return self.known_minutes >= DAY_MINUTES and not self.undecided

    @property
    def tells_of_all(self) -> bool:
        """Whether there are minutes with which one of the two alarms had told of every spell in useful time."""
        return any(one.warned(useful) == len(self.spells) for one in self.tried for useful in USEFUL_MINUTES.values())

    @property
    def unwarned(self) -> tuple[Spell, ...]:
        """The spells before which no message came at all."""
        leads_of = (self.records[kind].leads for kind in CREDIT_ALARMS if kind is not AlarmKind.EXHAUSTED)
        told = zip(*leads_of, strict=True)
        return tuple(
            spell for spell, leads in zip(self.spells, told, strict=True) if all(lead is None for lead in leads)
        )

    @property
    def limited_minutes(self) -> int | None:
        """Minutes in which clients were held back for want of credits; None where that is not known."""
        known = [one.limited_minutes for one in self.spells if one.limited_minutes is not None]
        return sum(known) if len(known) == len(self.spells) else None


def backtest(
    history: History,
    settings: Settings,
    *,
    late_minutes: int = LATE_MINUTES,
    told: Callable[[int], None] = lambda _: None,
) -> BacktestResult:
    """Replay the history with these settings; `told` hears of each day that has been lived through.

    `late_minutes` is from the beginning of a minute until its datapoints can be seen.

    Where Region or file system are not known, the commands of its mails have a word in their place, as those of advice.
    """
    stack = ReplayedStack(name="efs-monitor", region=history.region or "REGION", settings=settings, runbook_url="")
    named = [
        (minute, replace(one, file_system_id=one.file_system_id or "FILE-SYSTEM"))
        for minute, one in history.file_systems
    ]
    replayed = replay(history.metrics, named, stack, late_minutes=late_minutes, told=told)
    spells = spells_of(history, replayed.references)
    tried = lead_times(history.metrics.values[BALANCE], replayed.references, spells)
    return BacktestResult(
        history=history,
        settings=settings,
        mails=replayed.mails,
        changes=replayed.changes,
        decisions=replayed.decisions,
        failed=replayed.failed,
        references=replayed.references,
        suspended=replayed.suspended,
        spells=spells,
        records={kind: _record(replayed, kind, spells) for kind in CREDIT_ALARMS},
        others={other.name: recorded_by(other, history, spells) for other in (RECOMMENDED, FIXED)},
        tried=tried,
        best=recommended(tried, settings),
        last_minute=history.minutes + late_minutes - 1,
    )


def _record(replayed: Replayed, kind: AlarmKind, spells: tuple[Spell, ...]) -> Record:
    """What the alarm did, by what was sent: one that is suspended tells nobody, and a waking one begins anew."""
    sent = [(one.minute, 0, one.body) for one in replayed.mails if one.by_cloudwatch and one.subject == kind]
    forgotten = [
        (minute, -1, state) for minute, changed, _, state in replayed.changes if (changed, state) == (kind, WAKING)
    ]
    events = sorted([*sent, *forgotten], key=lambda event: event[:2])
    messages = sum(1 for one in replayed.mails if one.by_cloudwatch and one.subject == kind)
    return record(on_times((minute, state) for minute, _, state in events), spells, messages)
