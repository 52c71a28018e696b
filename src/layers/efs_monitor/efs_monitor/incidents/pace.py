"""How fast the balance falls or rises by now: over a quarter of an hour, or since a load began, grew or ended in it."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

from efs_monitor.efs.observations import BalancePoint

# A batch that began or ended half an hour ago is no longer, or not yet half, in the average of an hour. A minute or two
# may be a pause between two files.
PACE = timedelta(minutes=15)
# A load that began meanwhile has a pace of its own when it has taken credits in so many minutes.
SHOWS_IN_MINUTES = 3
# What falls so many times as fast as the balance did, or does, is another load.
FAR_FASTER = 2
# One that joins a slow one has it when it was so fast in each of more minutes, and about as fast in all of them.
GREW_IN_MINUTES = 5
ABOUT_AS_FAST = 1.5
# What takes a tenth more or less is the same load.
SAME_LOAD = 0.1
# A load has ended when the balance has risen in each of so many minutes: a pause between two jobs is shorter.
ENDED_FOR_MINUTES = 10
# Of what was between two points that are further apart nobody knows: a load may have begun or ended in it at any time.
HOLE = timedelta(minutes=5)


def pace_start(balances: Sequence[BalancePoint], pace: timedelta, nothing_bytes: float = 0.0) -> BalancePoint:
    """The newest of the balances, in order, that is as old as the pace is long, counted from the last one, or the
    oldest; a later one where a load has begun, grown or ended since.

    None from before minutes that are missing, over which an average is the pace of no minute; nor from before the last
    with no more than `nothing_bytes`: at zero nothing falls, whatever a load would take.
    """
    balances = _since_the_last_zero(since_the_last_hole(balances), nothing_bytes)
    latest_start = balances[-1].time - pace
    earlier = sum(point.time <= latest_start for point in balances)
    points = balances[max(0, earlier - 1) :]
    turns = (turn(points) for turn in (_began_meanwhile, _ended_meanwhile, _grew_meanwhile))
    return next((point for point in turns if point is not points[0]), points[0])


def since_the_last_hole(balances: Sequence[BalancePoint]) -> Sequence[BalancePoint]:
    """The newest of the balances, in order, between which none are missing but for a few minutes."""
    holes = [index for index, (one, later) in enumerate(pairwise(balances), 1) if later.time - one.time > HOLE]
    return balances[holes[-1] if holes else 0 :]


def drain_over_the_hole(balances: Sequence[BalancePoint]) -> float | None:
    """How fast the balance fell over the minutes that are missing before the newest of the balances, in order; None
    where none are, or it did not fall as fast in the quarter of an hour before them: a load that goes on is the same on
    both sides, and of any other nobody knows when it began or ended.
    """
    if len(balances) < 2 or balances[-1].time - balances[-2].time <= HOLE:
        return None
    *earlier, last, newest = balances
    start = next((one for one in earlier if one.time >= last.time - PACE), last)
    before, over = drain_between(start, last), drain_between(last, newest)
    if before is None or over is None or last.time - start.time < timedelta(minutes=SHOWS_IN_MINUTES) or before <= 0:
        return None
    return over if abs(over - before) <= SAME_LOAD * before else None


def _since_the_last_zero(balances: Sequence[BalancePoint], nothing_bytes: float) -> Sequence[BalancePoint]:
    zeros = [index for index, one in enumerate(balances[:-1]) if one.balance_bytes <= nothing_bytes]
    return balances[zeros[-1] if zeros else 0 :]


def drain_between(start: BalancePoint, end: BalancePoint) -> float | None:
    """How fast the balance fell from one point to another, in bytes per second: negative where it rose, None where they
    are one and the same.
    """
    seconds = (end.time - start.time).total_seconds()
    return (start.balance_bytes - end.balance_bytes) / seconds if seconds > 0 else None


def _began_meanwhile(points: Sequence[BalancePoint]) -> BalancePoint:
    """The end of the first minute in which a load took credits that took none before; else the first point.

    An average over both would be the pace of neither, and may even rise. The load must have taken some in each of a few
    minutes: a gust is no pace.
    """
    top = max(range(len(points)), key=lambda index: (points[index].balance_bytes, index))
    since = points[top:]
    falls = all(later.balance_bytes < earlier.balance_bytes for earlier, later in pairwise(since))
    return since[1] if top > 0 and len(since) > SHOWS_IN_MINUTES and falls else points[0]


def _ended_meanwhile(points: Sequence[BalancePoint]) -> BalancePoint:
    """The lowest point, where the balance has risen in each minute since, long enough; else the first point.

    An average over the rise and the end of the fall before it would go on to fall, and end what is left.
    """
    bottom = min(range(len(points)), key=lambda index: (points[index].balance_bytes, -index))
    since = points[bottom:]
    rises = all(earlier.balance_bytes < later.balance_bytes for earlier, later in pairwise(since))
    return points[bottom] if bottom > 0 and len(since) > ENDED_FOR_MINUTES and rises else points[0]


def _grew_meanwhile(points: Sequence[BalancePoint]) -> BalancePoint:
    """The point from which the balance has fallen far faster than before, and steadily; else the first point.

    Where a load began while another took a little more than is earned, the balance rose at no time. The average over
    both tells the end three times too late.
    """
    rates = [drain_between(earlier, later) or 0.0 for earlier, later in pairwise(points)]
    for minutes in range(GREW_IN_MINUTES, len(rates)):
        start, lately = points[-1 - minutes], rates[-minutes:]
        before = drain_between(points[0], start) or 0.0
        is_steady = max(lately) <= ABOUT_AS_FAST * min(lately)
        if min(lately) > 0 and min(lately) >= FAR_FASTER * before and is_steady:
            return start
    return points[0]
