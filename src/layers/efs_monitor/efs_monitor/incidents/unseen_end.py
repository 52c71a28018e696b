"""Whether the credits may have ended and come back while there were no metrics: no alarm and no five minutes show it.

What is known is how much there was before and after, how fast it fell before, and that no more comes back than the size
earns. A load that would have ended the credits and left them time to come back to what there is may have done so; that
it did nobody knows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from efs_monitor.efs.credits import earned_bytes_per_second, is_nothing
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.pace import HOLE
from efs_monitor.incidents.situation import DAY, RECENT, STEP, Situation, once


class UnseenEnd(NamedTuple):
    """From when until when there is no balance, and when the credits were gone at the pace of before, in that time.

    `to_the_minute` is whether both ends of it are known so, and not to five minutes.
    """

    since: datetime
    until: datetime
    gone: datetime
    to_the_minute: bool


@once
def unseen_end(situation: Situation) -> UnseenEnd | None:
    """The last end of the last 24 hours that there may have been while metrics were missing, and which was over when
    they came again; None where there was none.
    """
    *_, newest = [None, *_unseen_ends(situation)]
    return newest


def known_since(end: UnseenEnd, situation: Situation) -> datetime:
    """When the first metrics after it could be read, if they were as late then as those of now: a mail of before knew
    nothing of it.
    """
    return end.until + (situation.time - situation.balances[-1].time)


def _unseen_ends(situation: Situation) -> Iterator[UnseenEnd]:
    earned = earned_bytes_per_second(situation.file_system.standard_bytes)
    other_mode = steps_of_another_mode(situation)
    known = _known(situation)
    for index, after in enumerate(known[1:], 1):
        before = known[index - 1]
        if after.time - before.time <= HOLE or any(before.time < step < after.time for step in other_mode):
            continue
        # What was gone before, or is gone after, is told with the two times between which that ended or began.
        if any(is_nothing(one.balance_bytes, situation.minute_bytes) for one in (before, after)):
            continue
        gone = _gone(known[:index], situation)
        if gone is None or gone >= after.time:
            continue
        if after.balance_bytes <= earned * (after.time - gone).total_seconds():
            first_minute = (*situation.earlier_balances, *situation.balances)[0].time
            until = after.time + MINUTE - STEP if after.time < first_minute else after.time
            to_the_minute = before.time >= first_minute
            yield UnseenEnd(since=before.time + MINUTE, until=until, gone=gone, to_the_minute=to_the_minute)


def _known(situation: Situation) -> list[BalancePoint]:
    """The balance minute by minute for some hours, and of the last 24 before that the lowest of each five minutes, as
    of their last: in a fall it is.
    """
    minutes, oldest = (*situation.earlier_balances, *situation.balances), situation.time - DAY
    older = (one for one in situation.balances_of_the_day if oldest <= one.time <= minutes[0].time - STEP)
    return [*(one._replace(time=one.time + STEP - MINUTE) for one in older), *minutes]


def _gone(known: Sequence[BalancePoint], situation: Situation) -> datetime | None:
    """When the credits were gone at the pace of what was known then, in order; None where they did not fall."""
    newest = known[-1].time
    then = replace(
        situation,
        time=newest,
        balances=tuple(one for one in known if one.time >= newest - RECENT),
        earlier_balances=tuple(one for one in known if one.time < newest - RECENT),
    )
    minutes = then.minutes_left_at_net
    return None if minutes is None else newest + minutes * MINUTE
