"""What was seen in a scenario as a person reads it: when, how many credits, what happened, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from operate.replay.replayed_account import Recalculation
from operate.terminal import wrapped
from simulation.burst_credits import GIB, MIB
from stage.observed import Observed
from stage.player import Lived
from stage.scenario_tables import at

BAR_WIDTH = 10


@dataclass(frozen=True, kw_only=True)
class TimelineEntry:
    """One line: a minute of the scenario and what happened in it."""

    minute: int
    text: str


def timeline(lived: Sequence[Lived], observed: Observed) -> Iterator[str]:
    """The lines: each transition and each recalculation with its reason, runs of equal hourly ones as one."""
    entries = [
        *_transitions(observed),
        *_benchmarks(observed),
        *_decisions(observed.decisions),
        *_lows_and_limits(lived),
    ]
    yield f"{'when':9} {'GiB':>7} {'of a full bucket':{BAR_WIDTH + 6}} {'MiB/s':>6}  what happened"
    for entry in sorted(entries, key=lambda one: one.minute):
        before = lived[min(max(entry.minute - 1, 0), len(lived) - 1)]
        share = before.balance_bytes / before.bucket_bytes
        filled = "#" * round(share * BAR_WIDTH)
        figures = (
            f"{at(entry.minute):9} {before.balance_bytes / GIB:7.1f} {filled:.<{BAR_WIDTH}} {share:5.0%} "
            f"{before.permitted_bytes_per_second / MIB:6.1f}  "
        )
        yield wrapped(entry.text, first=figures, then=" " * len(figures))


def _transitions(observed: Observed) -> Iterator[TimelineEntry]:
    for line in observed.transitions:
        day, time, rest = line.split(" ", 2)
        yield TimelineEntry(minute=_minute(day, time), text=rest.replace("->", "→"))


def _benchmarks(observed: Observed) -> Iterator[TimelineEntry]:
    for line in observed.benchmarks:
        day, time, rest = line.split(" ", 2)
        yield TimelineEntry(minute=_minute(day, time), text=f"benchmark {rest}")


def _decisions(decisions: tuple[Recalculation, ...]) -> Iterator[TimelineEntry]:
    run: list[Recalculation] = []
    for decision in (*decisions, None):
        if decision is not None and (not run or _same(run[0], decision)):
            run.append(decision)
            continue
        if run:
            yield _entry(run)
        run = [decision] if decision is not None else []


def _entry(run: Sequence[Recalculation]) -> TimelineEntry:
    """Decisions that all say the same, as one line."""
    first, last = run[0], run[-1]
    times = f" × {len(run)}, until {at(last.minute)}" if len(run) > 1 else ""
    written = f" [{', '.join(first.alarms_written)} written]" if first.alarms_written else ""
    return TimelineEntry(minute=first.minute, text=f"{first.cause}: {first.kind}{times} - {first.reason}{written}")


def _same(one: Recalculation, other: Recalculation) -> bool:
    return (one.kind, one.cause, one.reason) == (other.kind, other.cause, other.reason) and not other.alarms_written


def _lows_and_limits(lived: Sequence[Lived]) -> Iterator[TimelineEntry]:
    """The two moments that hurt: credits gone, and credits back."""
    for before, after in pairwise(lived):
        was, now = before.permitted_bytes_per_second, after.permitted_bytes_per_second
        if was != now:
            verb = "falls" if now < was else "rises"
            text = f"PermittedThroughput {verb} from {was / MIB:.1f} to {now / MIB:.1f} MiB/s"
            yield TimelineEntry(minute=after.minute + 1, text=text)


def _minute(day: str, time: str) -> int:
    hours, minutes = time.split(":")
    return int(day.rstrip("d")) * 1440 + int(hours) * 60 + int(minutes)
