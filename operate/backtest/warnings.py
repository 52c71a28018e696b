"""Which message came before which trouble, and how long before."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from operate.backtest.spells import Spell

# Whoever was told longer ago has been told of another day.
LONGEST_LEAD_MINUTES = 1440
# So many minutes after a spell its datapoints may still set off an alarm.
TOLD_AFTER = 20


@dataclass(frozen=True, kw_only=True)
class OnTime:
    """An alarm that was on from a minute to before another; not over at the end of the history where `end` is None."""

    begin: int
    end: int | None


@dataclass(frozen=True, kw_only=True)
class Record:
    """What an alarm was worth over a history.

    `leads` has for each spell the minutes between its message and the moment in which the credits were gone: None where
    it came only then or later. `late` has the minutes after that moment of those, None where none came during the
    spell. `vain` are the minutes in which it was told, and it was over before any spell.
    """

    times: tuple[OnTime, ...]
    leads: tuple[int | None, ...]
    late: tuple[int | None, ...]
    vain: tuple[int, ...]
    messages: int


def on_times(changes: Iterable[tuple[int, str]]) -> tuple[OnTime, ...]:
    """When an alarm was on, by its changes to a state, each with its minute."""
    found: list[OnTime] = []
    begin: int | None = None
    for minute, state in changes:
        if state == "ALARM" and begin is None:
            begin = minute
        elif state != "ALARM" and begin is not None:
            found.append(OnTime(begin=begin, end=minute))
            begin = None
    if begin is not None:
        found.append(OnTime(begin=begin, end=None))
    return tuple(found)


def record(times: Sequence[OnTime], spells: Sequence[Spell], messages: int) -> Record:
    """Each spell with the message that was the last to come before it, if its alarm was still on by then.

    An alarm that had ended before has warned of nothing, and neither has one that has been on since before the last
    spell, or for more than a day: CloudWatch says nothing of it anew. One that is on at the end of the history is not
    in vain: what follows is not known.
    """
    begins = [one.begin for one in times]
    leads: list[int | None] = []
    late: list[int | None] = []
    ended = -1
    for spell in spells:
        index = bisect_right(begins, spell.begin - 1) - 1
        before = times[index] if index >= 0 else None
        lead = None
        if before is not None and before.begin > max(ended, spell.begin - LONGEST_LEAD_MINUTES):
            lead = spell.begin - before.begin if before.end is None or before.end >= spell.begin else None
        leads.append(lead)
        following = bisect_left(begins, spell.begin)
        during = lead is None and following < len(begins) and begins[following] <= spell.end + TOLD_AFTER
        late.append(begins[following] - spell.begin if during else None)
        ended = spell.end
    ends = [spell.end for spell in spells]
    vain = tuple(one.begin for one in times if one.end is not None and not _touches(one.begin, one.end, spells, ends))
    return Record(times=tuple(times), leads=tuple(leads), late=tuple(late), vain=vain, messages=messages)


def _touches(begin: int, end: int, spells: Sequence[Spell], ends: Sequence[int]) -> bool:
    """Whether a spell, the ends of which are in order, was going on at some time of it."""
    index = bisect_left(ends, begin)
    return index < len(spells) and spells[index].begin <= end
