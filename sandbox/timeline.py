"""A story as a person reads it: when, how many credits, what happened, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from sandbox.happenings import at
from sandbox.story import Decision, Story
from sandbox.world import World
from sim.burst_credits import GIB, MIB, bucket_bytes

BAR_WIDTH = 20


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line: a minute of the scenario and what happened in it."""

    minute: int
    text: str


def timeline(world: World, story: Story) -> Iterator[str]:
    """The lines: each transition and each recalculation with its reason, runs of equal hourly ones as one."""
    entries = [
        *_transitions(story),
        *_benchmarks(story),
        *_decisions(story.decisions),
        *_lows_and_limits(world),
    ]
    yield f"{'when':9} {'balance':>11} {'of a full bucket':{BAR_WIDTH + 6}} {'permitted':>11}  what happened"
    bucket = bucket_bytes(world.scenario.size_bytes)
    for entry in sorted(entries, key=lambda one: one.minute):
        lived = world.lived[min(max(entry.minute - 1, 0), len(world.lived) - 1)]
        share = lived.balance_bytes / bucket
        filled = "#" * round(share * BAR_WIDTH)
        permitted = lived.permitted_bytes_per_second / MIB
        yield (
            f"{at(entry.minute):9} {lived.balance_bytes / GIB:7.1f} GiB {filled:.<{BAR_WIDTH}} {share:4.0%}  "
            f"{permitted:5.1f} MiB/s  {entry.text}"
        )


def _transitions(story: Story) -> Iterator[Entry]:
    for line in story.transitions:
        day, time, rest = line.split(" ", 2)
        yield Entry(minute=_minute(day, time), text=rest.replace("->", "→"))


def _benchmarks(story: Story) -> Iterator[Entry]:
    for line in story.benchmarks:
        day, time, rest = line.split(" ", 2)
        yield Entry(minute=_minute(day, time), text=f"benchmark {rest}")


def _decisions(decisions: tuple[Decision, ...]) -> Iterator[Entry]:
    run: list[Decision] = []
    for decision in (*decisions, None):
        if decision is not None and (not run or _same(run[0], decision)):
            run.append(decision)
            continue
        first, last = run[0], run[-1]
        times = f" × {len(run)}, until {at(last.minute)}" if len(run) > 1 else ""
        written = f" [{', '.join(first.alarms_written)} written]" if first.alarms_written else ""
        yield Entry(minute=first.minute, text=f"{first.cause}: {first.kind}{times} - {first.reason}{written}")
        if decision is not None:
            run = [decision]


def _same(one: Decision, other: Decision) -> bool:
    return (one.kind, one.cause, one.reason) == (other.kind, other.cause, other.reason) and not other.alarms_written


def _lows_and_limits(world: World) -> Iterator[Entry]:
    """The two moments that hurt: credits gone, and credits back."""
    for before, lived in pairwise(world.lived):
        was, now = before.permitted_bytes_per_second, lived.permitted_bytes_per_second
        if was != now:
            verb = "falls" if now < was else "rises"
            text = f"PermittedThroughput {verb} from {was / MIB:.1f} to {now / MIB:.1f} MiB/s"
            yield Entry(minute=lived.minute + 1, text=text)


def _minute(day: str, time: str) -> int:
    hours, minutes = time.split(":")
    return int(day.rstrip("d")) * 1440 + int(hours) * 60 + int(minutes)
