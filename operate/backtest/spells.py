"""The times in which a file system was out of burst credits, and what clients lost by it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.alarms.thresholds import EXHAUSTED_MINUTES
from efs_monitor.efs.credits import is_no_faster

from operate.history.file_system_history import SHORTEST_GAP_MINUTES, History
from operate.history.recorded import BALANCE, METERED, PERMITTED

# Of what is permitted: who moves as much is held back, for a rate is never kept to the last byte.
AT_THE_LIMIT = 0.95


@dataclass(frozen=True, kw_only=True)
class Spell:
    """From the minute in which the credits were gone to before the one from which they were back for a quarter of an
    hour; still going on at the end of the history where `over` is False.

    `limited_minutes` are those in which less was permitted than with credits, and clients moved as much: they were
    slowed down. None where it is not known what they moved or were permitted. `unknown_minutes` lie in gaps of the
    metrics.
    """

    begin: int
    end: int
    limited_minutes: int | None
    over: bool = True
    unknown_minutes: int = 0

    @property
    def minutes(self) -> int:
        """How long it is known to have lasted."""
        return self.end - self.begin - self.unknown_minutes


def spells_of(history: History, references: Sequence[tuple[int, float]]) -> tuple[Spell, ...]:
    """Each time without credits, by the measure of the Exhausted alarm: less than one minute's worth at the reference.

    A balance that hovers above zero, spent as it is earned, is none left. `references` are in bytes per second, from a
    minute on; before the first of them nothing is judged. Minutes of another throughput mode have no spell.
    """
    balances = history.metrics.values[BALANCE]
    found: list[Spell] = []
    begin: int | None = None
    above = last_low = 0
    modes = _changes(history)
    following = [*references, (len(balances) + 1, 0.0)]
    threshold, reference, number = 0.0, 0.0, 0
    matters = True
    for minute, balance in enumerate(balances):
        while following[number][0] <= minute:
            threshold = following[number][1] * EXHAUSTED_MINUTES * 60
            number += 1
        matters = modes.get(minute, matters)
        if not matters and begin is not None:
            found.append(_spell(history, begin, last_low + 1, reference, over=True))
            begin = None
        if balance is None or not matters:
            continue
        if balance < threshold:
            if begin is None:
                begin, reference = minute, threshold / EXHAUSTED_MINUTES / 60
            above, last_low = 0, minute
        elif begin is not None:
            above += 1
            if above == EVALUATION_MINUTES:
                found.append(_spell(history, begin, last_low + 1, reference, over=True))
                begin = None
    if begin is not None:
        found.append(_spell(history, begin, last_low + 1, reference, over=False))
    return tuple(found)


def _changes(history: History) -> dict[int, bool]:
    return {minute: one.lives_on_credits for minute, one in history.file_systems}


def _spell(history: History, begin: int, end: int, reference: float, *, over: bool) -> Spell:
    values = history.metrics.values
    metered = values[METERED][begin:end]
    permitted = values[PERMITTED][begin:end]
    is_unknown = _in_gaps(values[BALANCE][begin:end])
    limited = None
    if history.knows_metered and any(rate is not None for rate in permitted):
        limited = sum(
            1
            for moved, rate, unknown in zip(metered, permitted, is_unknown, strict=True)
            if moved is not None
            and rate is not None
            and not unknown
            and not is_no_faster(reference, rate)
            and moved >= AT_THE_LIMIT * rate * 60
        )
    return Spell(
        begin=begin,
        end=end,
        limited_minutes=limited,
        over=over,
        unknown_minutes=sum(is_unknown),
    )


def _in_gaps(balances: Sequence[float | None]) -> list[bool]:
    """Which minutes lie in a gap; a few that were lost are none."""
    found: list[bool] = []
    for is_known, run in groupby(balances, key=lambda one: one is not None):
        length = sum(1 for _ in run)
        found += [not is_known and length >= SHORTEST_GAP_MINUTES] * length
    return found
