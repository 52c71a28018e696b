"""A throughput mode in which credits mean nothing: since when it is seen, and when somebody is told of the way back.

AWS does not tell when a mode was changed. The hourly run sees that it was, and PermittedThroughput of the last hour
when.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from efs_monitor.efs.credits import (
    LOWEST_REGIONAL_CAP_BYTES_PER_SECOND,
    baseline_bytes_per_second,
    burst_bytes_per_second,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.mode_lock import LOCK
from efs_monitor.incidents.situation import STEP
from efs_monitor.notify.repeats import A_DAY, NEAREST_RUN

# The run before saw another mode: a schedule starts a run up to a quarter of an hour late.
AN_HOUR_AND_A_QUARTER = timedelta(minutes=75)
# What was seen for less than that is the mode of now: AWS allows no second change within a day of it.
ONE_CHANGE_SINCE = LOCK - AN_HOUR_AND_A_QUARTER
A_WEEK = timedelta(days=7)
# The permitted rate moves by less as the size is metered anew.
ANOTHER_RATE = 0.02

# The highest PermittedThroughput of five minutes, by the time at which they begin.
type PermittedSteps = Sequence[tuple[datetime, float]]


@dataclass(frozen=True, kw_only=True)
class OtherMode:
    """Elastic throughput, or a provisioned rate above what the size earns, since `since` as far as it was seen.

    `locked_since` is when AWS's lock last began: later than `since` where more was provisioned after that. AWS takes
    that at any time, and refuses another mode or a decrease for 24 hours after it.

    `balance_bytes` is the newest that was known then, None where nothing of the last week is: whoever never lived on
    credits has no way back to them. `told` is when that way was last mailed about, and `told_enough` whether one of
    these mails said that credits would have been enough.
    """

    mode: ThroughputMode
    provisioned_bytes_per_second: int
    since: datetime
    locked_since: datetime
    balance_bytes: float | None = None
    told: datetime | None = None
    told_enough: bool = True

    @property
    def unlocked(self) -> datetime:
        """From when on AWS allows another mode, or a decrease of what is provisioned."""
        return self.locked_since + LOCK


def other_mode(
    file_system: FileSystem,
    before: OtherMode | None,
    permitted: PermittedSteps,
    balances: Sequence[BalancePoint],
    now: datetime,
    silent_since: datetime | None = None,
) -> OtherMode | None:
    """What to remember of the mode: None on credits, and a beginning where it is another than `before`, or less is
    provisioned. Where more is, the mode goes on and only the lock begins anew.

    Where the alarms have been `silent_since` a moment, it had begun by then: a mail has told it, and no later one tells
    of a later beginning.
    """
    if file_system.lives_on_credits:
        return None
    provisioned = file_system.provisioned_bytes_per_second
    known = balances[-1].balance_bytes if balances else None
    if before is None or before.mode is not file_system.mode:
        changed = _changed(file_system, permitted, now)
    elif before.provisioned_bytes_per_second != provisioned:
        changed = _rate_changed(before.provisioned_bytes_per_second, provisioned, permitted, now)
    else:
        changed = before.locked_since
    if before is None or before.mode is not file_system.mode or before.provisioned_bytes_per_second > provisioned:
        since = _begun_by(changed, silent_since, now) if before is None else changed
        return OtherMode(
            mode=file_system.mode,
            provisioned_bytes_per_second=provisioned,
            since=since,
            # More may have been provisioned since then, which AWS takes at any time.
            locked_since=since if file_system.mode is ThroughputMode.ELASTIC else changed,
            balance_bytes=known if known is not None or before is None else before.balance_bytes,
        )
    balance_bytes = before.balance_bytes if before.balance_bytes is not None else known
    return replace(before, provisioned_bytes_per_second=provisioned, locked_since=changed, balance_bytes=balance_bytes)


def _begun_by(changed: datetime, silent_since: datetime | None, now: datetime) -> datetime:
    if silent_since is None or now - silent_since >= ONE_CHANGE_SINCE:
        return changed
    return min(changed, silent_since)


def told_now(other: OtherMode, now: datetime, *, is_enough: bool) -> OtherMode:
    """What to remember once the way back was mailed about. That credits would have been enough is said anew each week
    at most, also where such days alternate with others: so it stays told.
    """
    return replace(other, told=now, told_enough=is_enough or enough_was_told(other))


def enough_was_told(other: OtherMode) -> bool:
    """Whether a mail has said of a day that credits would have been enough."""
    return other.told is not None and other.told_enough


def is_due(other: OtherMode, now: datetime, *, is_enough: bool, pays: bool) -> bool:
    """Whether the way back is mailed about: once the lock ends, on the first day on which credits would have been
    enough, and each week in which another mode pays.
    """
    if now < other.unlocked or other.balance_bytes is None:
        return False
    if other.told is None:
        return True
    pause = A_DAY if is_enough and not other.told_enough else A_WEEK
    return pays and now - other.told >= pause - NEAREST_RUN


def _changed(file_system: FileSystem, permitted: PermittedSteps, now: datetime) -> datetime:
    """When what is permitted became what it is: the end of the first five minutes that are of it, so never before the
    change.

    A stack may be deployed onto a file system that has been in another mode for long. A rate that only this mode has
    is as old as it is known. Otherwise only a change since the run before is believed, or else it is dated now: so too
    where the newest rate is not one of this mode, and what changed before it was the end of the credits.
    """
    if not permitted or not _may_be_of_this_mode(permitted[-1][1], file_system):
        return now
    is_its_own = _is_of_this_mode_alone(permitted[-1][1], file_system)
    known = [one for one in permitted if is_its_own or now - AN_HOUR_AND_A_QUARTER <= one[0]]
    for (_, earlier), (time, later) in reversed(list(pairwise(known))):
        if not _is_same_rate(earlier, later):
            return min(now, time + STEP)
    return known[0][0] if is_its_own else now


def _rate_changed(before: int, provisioned: int, permitted: PermittedSteps, now: datetime) -> datetime:
    """When another rate was provisioned, in bytes per second: the end of the first five minutes in which what was
    permitted is nearer to it than to the one `before`, or else now. The run before saw that one, so that nothing older
    is believed: a raise may be small, and what came before both large.
    """
    lately = [one for one in permitted if now - AN_HOUR_AND_A_QUARTER <= one[0]]
    for (_, earlier), (time, later) in reversed(list(pairwise(lately))):
        if abs(later - provisioned) >= abs(later - before):
            return now
        if abs(earlier - provisioned) >= abs(earlier - before):
            return min(now, time + STEP)
    return now


def _may_be_of_this_mode(rate: float, file_system: FileSystem) -> bool:
    """Whether the mode that EFS tells permits this rate, in bytes per second, as bursting may, too."""
    if file_system.mode is ThroughputMode.ELASTIC:
        return rate >= LOWEST_REGIONAL_CAP_BYTES_PER_SECOND
    return _is_same_rate(rate, file_system.provisioned_bytes_per_second)


def _is_of_this_mode_alone(rate: float, file_system: FileSystem) -> bool:
    """Whether bursting does not permit a rate that the mode may, in bytes per second: neither by the size nor by a
    Region's cap on it. The newest rate may still be that of the mode before.
    """
    burst = burst_bytes_per_second(file_system.standard_bytes)
    if file_system.mode is ThroughputMode.ELASTIC:
        return rate > burst and not _is_same_rate(rate, burst)
    own = (burst, baseline_bytes_per_second(file_system.standard_bytes))
    return not any(_is_same_rate(rate, one) for one in own)


def _is_same_rate(one: float, other: float) -> bool:
    return abs(one - other) <= ANOTHER_RATE * max(one, other)
