"""An alarm that stays on is said again: CloudWatch itself mails at a change and never after."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from efs_monitor.alarms.alarm import LASTING_ALARMS, LEAD_ALARMS, AlarmKind, LiveAlarm, is_drill
from efs_monitor.alarms.draining import RANGE
from efs_monitor.efs.credits import is_nothing
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.pace import PACE
from efs_monitor.incidents.situation import RECENT, STEP

if TYPE_CHECKING:
    from efs_monitor.notify.health_settings import RepeatHours

# Runs are hourly, so "every four hours" or "every week" is the run that is nearest to it.
NEAREST_RUN = timedelta(minutes=30)
# A mail of less than that before the end tells of the end.
FORETOLD = timedelta(minutes=10)
# What comes back for less, below a minute's worth, is no end of an end.
ANOTHER_END = timedelta(hours=2)
# What Exhausted says within so long, a repeat need not say before it.
TOLD_BY_EXHAUSTED = timedelta(minutes=10)
# Runs are hourly, and one may leave what it has to say to an alarm that tells of itself.
A_FEW_RUNS = timedelta(hours=3)
# Their mails are left out where they are like others (`same_story.py`), and stand for a repeat where they are not.
MAY_BE_LEFT_OUT = (AlarmKind.DRAINING, AlarmKind.EXHAUSTED)
NEVER = datetime.min.replace(tzinfo=UTC)
# How the notification state calls the daily line about an alarm that stays on while its balance recovers.
RECOVERING = "recovering"
A_DAY, HALF_A_DAY = timedelta(days=1), timedelta(hours=12)
# How the notification state calls the daily mail about the trend; an alarm's is its kind.
TREND = "trend"
# How the notification state calls the daily mail about what elastic throughput costs.
ELASTIC_DAY = "elastic-day"


def on(alarms: Mapping[AlarmKind, LiveAlarm]) -> AlarmKind | None:
    """The graver one of Warning and Critical that are on and meant, or None."""
    return next((kind for kind in reversed(LASTING_ALARMS) if kind in alarms and _is_on(alarms[kind])), None)


class Repeat(NamedTuple):
    """A mail about an alarm that stays on, after the `last` one about it; a brief one where nobody has to do anything
    at the moment. The next one comes after the `pause`, while that goes on.
    """

    alarm: AlarmKind
    brief: bool
    pause: timedelta
    last: datetime

    @property
    def remembered_as(self) -> str:
        """How the notification state calls it: a line about a recovery never puts off the mail about what comes
        after it.
        """
        return RECOVERING if self.brief else self.alarm


def gone_since_told(
    exhausted: LiveAlarm | None, balances: Sequence[BalancePoint], *, foretold: timedelta = FORETOLD
) -> datetime | None:
    """When the credits ended last, if the alarm had told a while before that little was left, and no more came back.
    What it told less than `foretold` before is news of the end itself; an alarm that had no mail told nothing.

    The alarm goes off at a minute's worth, which lasts for hours where little is taken: nothing goes off at the end,
    nor at the next one, where less than that came back meanwhile. It is another end where something was left for two
    hours: of a balance that is nothing now and then, in a load of every hour, each were one, and mails say of those
    that they come again.
    """
    if exhausted is None or exhausted.threshold is None or exhausted.transitioned is None or not _is_on(exhausted):
        return None
    ended = None
    for point in reversed(balances):
        if point.time <= exhausted.transitioned - STEP:
            break
        if is_nothing(point.balance_bytes, exhausted.threshold):
            ended = point.time
        elif ended is not None and ended - point.time >= ANOTHER_END:
            break
    return ended if ended is not None and ended + STEP - exhausted.transitioned > foretold else None


def was_gone_before(exhausted: LiveAlarm | None, balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether credits were gone in the last day before the alarm came to its state: each change in such a story has its
    mail, or follows one.
    """
    if exhausted is None or exhausted.threshold is None:
        return False
    until = (exhausted.transitioned or now) - STEP
    return any(is_nothing(one.balance_bytes, exhausted.threshold) for one in balances if now - A_DAY < one.time < until)


def exhausted_is_near(exhausted: LiveAlarm | None, balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether the Exhausted alarm goes off within minutes if the balance falls on as it does: its mail says the same.

    Should it not, the next run repeats what this one left out. One that is below the threshold already, while the alarm
    is not on, is not waited for.
    """
    if exhausted is None or exhausted.threshold is None or not balances:
        return False
    if exhausted.state != "OK" or not tells(exhausted):
        return False
    newest = balances[-1]
    before = [one for one in balances if newest.time - RECENT <= one.time <= newest.time - PACE]
    if not before or newest.balance_bytes < exhausted.threshold:
        return False
    gone_bytes = before[-1].balance_bytes - newest.balance_bytes
    pace = gone_bytes / (newest.time - before[-1].time).total_seconds()
    return newest.balance_bytes - pace * (now + TOLD_BY_EXHAUSTED - newest.time).total_seconds() < exhausted.threshold


def came_again_lately(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether some of the balances of a week, in order, are missing, and those after them came within a few runs."""
    lately = sum(now - one.time < A_FEW_RUNS for one in balances)
    return any(later.time - one.time > 2 * STEP for one, later in pairwise(balances[-lately - 1 :]))


def due_repeat(
    alarms: Mapping[AlarmKind, LiveAlarm],
    mailed: Mapping[str, datetime],
    hours: "RepeatHours",
    now: datetime,
    *,
    recovers: bool,
    stays_full: bool = False,
    ends_soon: bool = False,
    lasts_a_day: bool = False,
    tells_itself: bool = False,
    gone: datetime | None = None,
    outgrown: datetime | None = None,
    fell: datetime | None = None,
    unlocked: datetime | None = None,
    unseen: datetime | None = None,
    missed: bool = False,
    left_out: Collection[AlarmKind] = (),
) -> Repeat | None:
    """The mail that is due about an alarm that stays on, if any: only about the graver of two.

    Counted from the last mail about it, be that its transition or a repeat; a mail about a graver alarm is one about
    the milder ones too. While the balance `recovers` it is a line, at most once a day, and no more often than the mails
    of a fall; but half a day after those where the credits end within hours if the load of a day ago comes again: a
    nightly load has its line before the night. A fall is said again once a day while what is left `lasts_a_day` and
    more: one that becomes faster is as often as chosen. A bucket that `stays_full`, or nearly so, is told of once:
    there is nothing to do, unless a load ends the credits within hours. Where another alarm `tells_itself` within
    minutes how it falls, the next run says so if that has not by then. A fall that nobody was told of because it was
    like others, and which has `outgrown` them since it set off an alarm then, is told at once, and so is the end of the
    credits that came after its alarm, `gone` then. So is a fall that began, `fell` then, while the alarm is on, and
    sets off no alarm itself, if neither Draining nor a mail told of it. So is what helps, when AWS takes another
    throughput mode again, `unlocked` then: the mails before had to leave it out. So is an end that may have come and
    passed while metrics were missing, which came again `unseen` then: whoever was told that they would be gone hears
    that they may have been. Whoever `missed` the mails before has the next one at once, as though none had come. An
    alarm whose last change was `left_out`, because it was like others, told nothing that stands for a repeat.
    """
    kind = on(alarms)
    fell = None if _draining_told(alarms, fell) else fell
    if kind is None or (tells_itself and outgrown is None and fell is None):
        return None
    recovers = recovers and fell is None
    chosen = timedelta(hours=hours.critical if kind is AlarmKind.CRITICAL else hours.warning)
    pause = max(chosen, A_DAY) if recovers or lasts_a_day else chosen
    soonest = max(chosen, HALF_A_DAY) if recovers and ends_soon else pause
    speaking = LEAD_ALARMS[LEAD_ALARMS.index(kind) :]
    last_line = mailed.get(RECOVERING, NEVER) if recovers and not missed else NEVER
    last = (
        NEVER
        if missed
        else max(
            *(mailed.get(one, NEVER) for one in speaking),
            *(alarms[one].transitioned or NEVER for one in speaking if one in alarms and one not in left_out),
            (draining_since(alarms) or NEVER) if outgrown is None and AlarmKind.DRAINING not in left_out else NEVER,
        )
    )
    is_untold = not recovers and any(one is not None and last < one for one in (gone, outgrown, fell, unlocked))
    is_untold = is_untold or (unseen is not None and max(last, mailed.get(RECOVERING, NEVER)) < unseen)
    is_time = now - last >= soonest - NEAREST_RUN and now - last_line >= pause - NEAREST_RUN
    is_time = is_time and (ends_soon or not stays_full)
    due = bool(chosen) and (is_untold or is_time)
    return Repeat(alarm=kind, brief=recovers, pause=pause, last=last) if due else None


def awaits_its_first_fall(
    alarms: Mapping[AlarmKind, LiveAlarm], mailed: Mapping[str, datetime], balances: Sequence[BalancePoint]
) -> bool:
    """Whether Warning went on where nothing fell, and no mail about it, and no Critical, came since: then none had the
    remedies of a fall. The mail of a new stack, on a balance that is low already, knows a single datapoint.
    """
    warning, critical = alarms.get(AlarmKind.WARNING), alarms.get(AlarmKind.CRITICAL)
    if warning is None or warning.transitioned is None:
        return False
    since = warning.transitioned
    changed = critical.transitioned if critical is not None else None
    # A new stack's alarms come to their first state one after the other.
    was_critical = changed is not None and changed > since + STEP
    if was_critical or mailed.get(AlarmKind.WARNING, NEVER) > since:
        return False
    hour = [one.balance_bytes for one in balances if since - RECENT <= one.time <= since]
    return not hour or hour[0] <= hour[-1]


def tells(alarm: LiveAlarm | None) -> bool:
    """Whether a mail comes when the alarm goes on: it is there, acts, and has what to act on. Nothing is left to one
    that somebody deleted or silenced.
    """
    return (
        alarm is not None and alarm.actions_enabled and not alarm.suspended and bool(alarm.settings.get("AlarmActions"))
    )


def draining_since(alarms: Mapping[AlarmKind, LiveAlarm]) -> datetime | None:
    """When the Draining alarm went off that is on, meant, and tells: its mail says all that a repeat would."""
    alarm = alarms.get(AlarmKind.DRAINING)
    return alarm.transitioned if alarm is not None and _is_on(alarm) and tells(alarm) else None


def _draining_told(alarms: Mapping[AlarmKind, LiveAlarm], fell: datetime | None) -> bool:
    """Whether the Draining alarm went off in the fall that began then. One that was over within the minutes that it
    judges may have gone off before.
    """
    alarm = alarms.get(AlarmKind.DRAINING)
    if fell is None or alarm is None or alarm.transitioned is None:
        return False
    return draining_since(alarms) is not None or alarm.transitioned > fell + RANGE


def due_daily(what: str, mailed: Mapping[str, datetime], now: datetime) -> bool:
    """Whether something that is mailed about once a day may be: `TREND`, or `ELASTIC_DAY`."""
    return now - mailed.get(what, NEVER) >= A_DAY - NEAREST_RUN


def lasting(alarm: LiveAlarm, now: datetime) -> timedelta:
    """How long the alarm has been in its state."""
    return now - alarm.transitioned if alarm.transitioned is not None else timedelta()


def _is_on(alarm: LiveAlarm) -> bool:
    return alarm.state == "ALARM" and not alarm.suspended and not is_drill(alarm.state_reason)
