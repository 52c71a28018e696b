"""Incidents and their phases: from the first alarm on credits that goes on to the last that ends."""

from dataclasses import dataclass
from itertools import groupby

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import NEWS_MINUTES

from operate.history.recorded import BALANCE
from operate.report.contents import Contents

# The gravest first: while several are on, the phase is that of the gravest.
PHASES = {
    AlarmKind.EXHAUSTED: "Exhausted",
    AlarmKind.CRITICAL: "Critical",
    AlarmKind.WARNING: "Warning",
    AlarmKind.DRAINING: "Falling fast",
}
COMING_BACK = "Coming back"


@dataclass(frozen=True, kw_only=True)
class Phase:
    """A part of an incident, from `begin` to before `end`."""

    name: str
    begin: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Incident:
    """Minutes from `begin` to before `end` in which an alarm on credits was on, with the lowest balance in them.

    One that goes on at the end of the history is not `over`.
    """

    begin: int
    end: int
    over: bool
    phases: tuple[Phase, ...]
    lowest_minute: int | None
    lowest_bytes: float | None


def incidents(contents: Contents) -> tuple[Incident, ...]:
    """Every one, oldest first. In each, the phase is that of the gravest alarm while the balance falls.

    A change of mode that suspends the alarms ends it, as the mail says then.
    """
    minutes = contents.history.minutes + 1
    gravest = [""] * minutes
    for kind, name in reversed(PHASES.items()):
        for span in contents.alarms.get(kind, ()):
            if span.state == "ALARM":
                for minute in range(max(span.begin, 0), min(span.end, minutes)):
                    gravest[minute] = name
    for span in contents.suspended:
        for minute in range(max(span.begin, 0), min(span.end, minutes)):
            gravest[minute] = ""
    rises = _rises(contents)
    names = [COMING_BACK if name and rises[minute] else name for minute, name in enumerate(gravest)]
    found: list[Incident] = []
    for is_on, group in groupby(range(minutes), key=lambda minute: bool(gravest[minute])):
        if is_on:
            during = list(group)
            found.append(_incident(contents, names, during[0], during[-1] + 1))
    return tuple(found)


def _rises(contents: Contents) -> list[bool]:
    """Whether the balance is on its way up at each minute: from the last minute of a low on to that of the next high.

    A turn is one of 20 minutes' worth, so long as a mail may take: what is less is a batch on the way, or a pause in
    one. Below the Exhausted threshold nothing has come back, however often it rises a little.
    """
    balances = contents.history.metrics.values[BALANCE]
    rises = [False] * (len(balances) + 1)
    going_up = False
    # The lowest balance on the way down, or the highest on the way up, and its minute.
    furthest: tuple[float, int] | None = None
    for minute, balance in enumerate(balances):
        thresholds = contents.thresholds_at(minute)
        rises[minute] = going_up
        if balance is None or thresholds is None:
            continue
        turn_bytes = NEWS_MINUTES * thresholds.exhausted_bytes
        is_gone = balance < thresholds.exhausted_bytes
        turned = furthest is not None and (
            is_gone or balance < furthest[0] - turn_bytes if going_up else balance > furthest[0] + turn_bytes
        )
        if furthest is not None and turned:
            since = furthest[1] + 1
            going_up = not going_up
            rises[since : minute + 1] = [going_up] * (minute + 1 - since)
        if furthest is None or turned or (balance >= furthest[0] if going_up else balance <= furthest[0] or is_gone):
            furthest = balance, minute
    rises[-1] = going_up
    return rises


def _incident(contents: Contents, names: list[str], begin: int, end: int) -> Incident:
    balances = contents.history.metrics.values[BALANCE][begin:end]
    known = [(balance, begin + index) for index, balance in enumerate(balances) if balance is not None]
    lowest_bytes, lowest_minute = min(known) if known else (None, None)
    phases = []
    for name, group in groupby(range(begin, end), key=lambda minute: names[minute]):
        during = list(group)
        phases.append(Phase(name=name, begin=during[0], end=during[-1] + 1))
    return Incident(
        begin=begin,
        end=end,
        over=end <= contents.history.minutes,
        phases=tuple(phases),
        lowest_minute=lowest_minute,
        lowest_bytes=lowest_bytes,
    )
