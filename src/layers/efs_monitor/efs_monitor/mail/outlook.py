"""Where the credits of a file system are heading, as sentences: how long they last, and what drives them down."""

from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from itertools import pairwise
from math import floor

from efs_monitor.alarms.alarm import EVALUATION_MINUTES
from efs_monitor.alarms.late_metrics import are_late
from efs_monitor.efs.credits import (
    MIB,
    SECONDS_PER_MINUTE,
    earned_bytes_per_second,
    is_no_faster,
    minutes_left,
    threshold_bytes,
)
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.observations import Activity
from efs_monitor.incidents.comeback import (
    AHEAD,
    Comeback,
    fall_under_way,
    falls_again_and_again,
    is_calm,
    last_day_is_complete,
    last_day_is_known,
    leaves_enough,
    worst_comeback,
)
from efs_monitor.incidents.held_down import HeldByRate, HeldDown, held_by_rate, hidden_load
from efs_monitor.incidents.mode_lock import LOCK, seems_changed
from efs_monitor.incidents.situation import STEP, Situation
from efs_monitor.incidents.unlimited_load import UnlimitedLoad, unlimited_load
from efs_monitor.mail.numbers import MINUTES_PER_DAY, clock, counted, duration, past_span, rate, size, up_to

# A net rate that shows as 0.0 MiB/s is none: it would take months to matter.
FLAT_BYTES_PER_SECOND = 0.05 * MIB
# Beyond this, a clock time would pretend to know what clients do the day after tomorrow.
LONGEST_FORECAST_MINUTES = 2 * MINUTES_PER_DAY
# A full bucket lasts hours, or weeks where a Region caps a huge file system: what is far beyond comes of odd metrics,
# and a subject has no room for it.
MOST_MINUTES = 99_999
# Reads are metered at one third (EFS user guide, "Throughput modes"), so that is what they cost in credits.
CREDITS_PER_READ_BYTE = 1 / 3
# From this share of the spent credits on, one kind of work is called the driver.
DRIVING_SHARE = 0.6

TO_EVERYBODY = "every read, write and listing of every client."
AT_ANY_HOUR = "the next fall may come at any hour."
AGAIN_AND_AGAIN = f"The balance fell more than once in the last 24 hours: {AT_ANY_HOUR}"
LAST_DAY_IN_PART = f"CloudWatch has not the whole of the last day: {AT_ANY_HOUR}"
LAST_DAY_UNKNOWN = "Whether the load comes back is not known: CloudWatch has too little of the last day."

DRIVERS = (
    "mostly reads. Look for a backup, a scan, or a service that loads its data anew",
    "mostly writes. Look for a batch job, a copy, a restore, or logs",
    "mostly metadata. Look for many small files: find, du, ls -R, git, unpacking archives",
)


class Trend(Enum):
    """Where the balance goes."""

    FALLING = auto()
    FLAT = auto()
    RISING = auto()
    UNKNOWN = auto()


def trend(situation: Situation) -> Trend:
    """The direction of the balance over the situation's `pace`, whatever it did before."""
    return direction(situation.drain_bytes_per_second)


def direction(drain: float | None) -> Trend:
    """Which way a balance goes that falls by `drain` bytes a second."""
    if drain is None:
        return Trend.UNKNOWN
    if abs(drain) < FLAT_BYTES_PER_SECOND:
        return Trend.FLAT
    return Trend.FALLING if drain > 0 else Trend.RISING


def whole_minutes_left(situation: Situation) -> int:
    """Full minutes at the permitted rate: rounded down, because a promise must hold."""
    return floor(situation.minutes_left_at_permitted)


def credits_are_gone(situation: Situation) -> bool:
    """Whether clients are already slowed down.

    At the limit every credit is spent as it is earned, so the balance may hover just above zero.
    """
    limited = is_no_faster(situation.permitted_bytes_per_second, situation.baseline_bytes_per_second)
    under_a_minute = situation.balance_bytes < SECONDS_PER_MINUTE * situation.reference_bytes_per_second
    return situation.balance_bytes <= 0 or (limited and under_a_minute)


def full_speed(situation: Situation) -> str:
    """What minutes are counted by: the rate itself where nobody knows yet whether its Region permits as much."""
    return rate(situation.reference_bytes_per_second) if situation.may_be_capped else "full speed"


def with_credits(situation: Situation) -> str:
    """How fast it may be driven while credits last."""
    return up_to(rate(situation.reference_bytes_per_second), may_be_less=situation.may_be_capped)


def minutes_in_words(situation: Situation) -> str:
    """How much is left, as the subject of a sentence with its verb: "42 minutes of burst credits are left ..."."""
    minutes = whole_minutes_left(situation)
    if minutes == 0:
        return f"Less than 1 minute of burst credits is left at {full_speed(situation)}"
    long_form = f" ({duration(minutes)})" if minutes >= 100 else ""
    verb = "is" if minutes == 1 else "are"
    return f"{counted(minutes)}{long_form} of burst credits {verb} left at {full_speed(situation)}"


def short_minutes(situation: Situation) -> str:
    """How much is left, as short as in the subject of a mail: "42 min of credits left"."""
    minutes = whole_minutes_left(situation)
    words = f"over {MOST_MINUTES:,}" if minutes > MOST_MINUTES else f"{minutes:,}" if minutes else "under 1"
    return f"{words} min of credits left"


def minutes_at_full_speed(situation: Situation) -> str:
    """How much is left, in short, and by which rate minutes are counted: "42 min of credits left at full speed".

    The load may be slower, and a mail's second line says how long they last then.
    """
    return f"{short_minutes(situation)} at {full_speed(situation)}"


def left_in_short(situation: Situation) -> str:
    """What the subject of a mail says: when the credits end at their pace, or else how long they last at full speed.

    Without a date: how far away it is tells the day, and a subject is short.
    """
    minutes = situation.minutes_left_at_net
    if trend(situation) is not Trend.FALLING or minutes is None or minutes >= LONGEST_FORECAST_MINUTES:
        return minutes_at_full_speed(situation)
    if situation.ran_out is not None:
        return "burst credits may be gone by now"
    end = situation.time + timedelta(minutes=minutes)
    return f"credits gone at {end.astimezone(UTC):%H:%M} UTC, in {duration(minutes)}"


def end_at_permitted_rate(situation: Situation) -> str:
    """When the credits end if clients drive the file system as hard as they may; empty where they may be gone, and
    where as much is earned.
    """
    minutes = situation.minutes_until_end_at_permitted
    if situation.ran_out is not None or minutes is None:
        return ""
    permitted = "" if situation.may_be_capped else "the permitted "
    return (
        f"Driven at {permitted}{rate(situation.reference_bytes_per_second)} without a pause, and with what is earned "
        f"meanwhile, they last {_until(situation, minutes)}."
    )


def end_at_net_rate(situation: Situation, lead_minutes: int) -> str:
    """When the credits end, or are back above the alarm's lead time, if the pace stays as it is."""
    pace = f"At the pace of {past_span(situation.pace_minutes)}"
    match trend(situation):
        case Trend.UNKNOWN:
            return "How fast the balance falls is not known: CloudWatch has a single datapoint of it."
        case Trend.FALLING:
            falling = f"{pace} (falling by {rate(situation.drain_bytes_per_second or 0.0)})"
            if situation.ran_out is not None:
                return f"{falling} they ran out at {clock(situation.ran_out, situation.time)}: they may be gone by now."
            return f"{falling} they last {_until(situation, situation.minutes_left_at_net or 0.0)}."
        case Trend.FLAT:
            return f"{pace} they do not end: the balance neither falls nor rises."
        case Trend.RISING:
            return f"{pace} they do not end: {_rising(situation, lead_minutes)}."


def ends_soon(situation: Situation, lead_minutes: int) -> str:
    """That an alarm which is on is about to end: CloudWatch still looks at a low minute. Empty where it is not."""
    threshold = threshold_bytes(lead_minutes, round(situation.reference_bytes_per_second))
    if trend(situation) in {Trend.FALLING, Trend.UNKNOWN} or situation.balance_bytes < threshold:
        return ""
    return f"It is above {counted(lead_minutes)}: if it stays so, the alarm ends within {counted(EVALUATION_MINUTES)}."


def what_follows(situation: Situation) -> str:
    """What the end of the credits means, without a full stop: a mail says to whom, a chat does not."""
    without = situation.baseline_bytes_per_second
    if is_no_faster(situation.reference_bytes_per_second, without):
        return f"When they end, everything on it is limited to {rate(without)}"
    return f"When they end, everything on it slows from {with_credits(situation)} to {rate(without)}"


def if_the_load_went_on(situation: Situation) -> str:
    """The doubt in a sentence that says that they are gone, where metrics are late: they may have come back since."""
    newest = situation.balances[-1].time
    if not are_late(situation.balances, situation.time):
        return ""
    ago = counted(int((situation.time - newest).total_seconds() // SECONDS_PER_MINUTE))
    return f", if the load went on: the newest datapoint is of {clock(newest, situation.time)}, {ago} ago"


def what_is_so(situation: Situation) -> str:
    """What it means that they are gone, for sure or if the load went on. Where no other rate is known with credits,
    none is named.
    """
    without = situation.baseline_bytes_per_second
    is_sure = credits_are_gone(situation) and not are_late(situation.balances, situation.time)
    sure = "is now" if is_sure else "would now be"
    limited = f"Everything on it {sure} limited to {rate(without)}"
    if is_no_faster(situation.reference_bytes_per_second, without):
        return limited
    return f"{limited} instead of {with_credits(situation)}"


def falling_since(situation: Situation) -> str:
    """Since when the balance has been falling; empty where it does not, or nobody knows."""
    fall = fall_under_way(situation)
    if fall is None or trend(situation) is not Trend.FALLING:
        return ""
    if situation.time - fall.began >= AHEAD:
        return "The balance has been falling for more than a day."
    points = [one for one in situation.balances_of_the_day if one.time >= fall.began]
    paused = any(after.balance_bytes > before.balance_bytes for before, after in pairwise(points))
    about = "" if situation.balances[0].time <= fall.began else "about "
    return (
        f"{'With pauses, the' if paused else 'The'} balance has been falling since {about}"
        f"{clock(fall.began, situation.time)}."
    )


def way_out_of_zero(situation: Situation, lead_minutes: int) -> str:
    """What has to happen before credits come back by themselves, or when they will."""
    if trend(situation) is Trend.RISING:
        return what_ends_the_limit(situation, lead_minutes)
    stays = what_ends_the_limit(situation, lead_minutes)
    if situation.file_system.max_io or seems_changed(situation) is not None:
        return f"{stays} What helps is below."
    return f"{stays} Remedy 1 below lifts the limit at once, unless the mode is locked."


def what_ends_the_limit(situation: Situation, lead_minutes: int) -> str:
    """Until when the limit stays: while clients go on so, or when credits are expected back. It names no remedy, for
    mails that number none.
    """
    if trend(situation) is Trend.RISING:
        return f"They are coming back: {_rising(situation, lead_minutes)}."
    earned = rate(earned_bytes_per_second(situation.file_system.standard_bytes))
    return (
        f"It stays so while clients use the {earned} of credits that the size earns, and ends by itself only when "
        f"they use less."
    )


def what_comes_back(situation: Situation, lead_minutes: int) -> str:
    """What the last days say of the coming one, as sentences; empty where it stays above the alarm's lead time."""
    what, held = _what_comes_back(situation, lead_minutes), held_by_rate(situation)
    if what and falls_again_and_again(situation):
        what = f"{what} {AGAIN_AND_AGAIN}"
    elif what and what != LAST_DAY_UNKNOWN and not last_day_is_complete(situation):
        what = f"{what} {LAST_DAY_IN_PART}"
    if held is None:
        return what
    return f"{_held(held, situation)} {what or _held_again(held, situation)}".rstrip()


def locked(situation: Situation) -> str:
    """From when on another throughput mode is possible again, as far as it shows; empty where it does not."""
    changed = seems_changed(situation)
    if changed is None:
        return ""
    refused, allowed = "another change", ""
    if situation.file_system.mode is ThroughputMode.PROVISIONED:
        refused, allowed = "another mode and a decrease", " An increase is possible."
    before = dict(situation.permitted_of_the_day)[changed - STEP]
    permitted = "more" if before > situation.reference_bytes_per_second else "another rate"
    return (
        f"The throughput mode seems to have been changed at about {clock(changed, situation.time)}: until then "
        f"{permitted} was permitted than the size gives. If so, AWS refuses {refused} until about "
        f"{clock(changed + LOCK, situation.time)}.{allowed}"
    )


def only_less_load(situation: Situation) -> str:
    """That no other mode can come in time for a load that comes again; empty where one can, or nobody knows."""
    changed = seems_changed(situation)
    ends = [one.time for one in (worst_comeback(situation), unlimited_load(situation)) if one is not None and one.gone]
    if changed is None or not ends or min(ends) >= changed + LOCK:
        return ""
    if situation.file_system.mode is ThroughputMode.PROVISIONED:
        return ""
    return "The credits end before that: only less load helps until then. Find that load, and move it or slow it down."


def _what_comes_back(situation: Situation, lead_minutes: int) -> str:
    comeback, unlimited = worst_comeback(situation), unlimited_load(situation)
    if unlimited is not None and (comeback is None or _is_worse(unlimited, comeback)):
        return f"{_unlimited(unlimited, situation)} {_if_it_comes_again(unlimited, situation, 'the credits')}"
    if comeback is None or (not comeback.gone and _minutes(comeback, situation) >= lead_minutes):
        hidden = hidden_load(situation)
        if hidden is not None:
            return _hidden(hidden, situation)
        return "" if last_day_is_known(situation) else LAST_DAY_UNKNOWN
    return f"{_fall(comeback, situation.time)} {_if_it_comes_again(comeback, situation)}"


def _is_worse(load: UnlimitedLoad, comeback: Comeback) -> bool:
    """Whether the load of another mode ends the credits, and before the fall does; or where neither, leaves less."""
    if load.gone and comeback.gone:
        return load.time < comeback.time
    return load.gone if load.gone or comeback.gone else load.left_bytes < comeback.left_bytes


def needs_no_action(situation: Situation) -> bool:
    """Whether nobody has to do anything: it rose over the whole hour, and the last days were calm at this time of day.

    Over the hour too, because a load may pause for a quarter of it.
    """
    rises = trend(situation) is direction(situation.hourly_drain_bytes_per_second) is Trend.RISING
    return rises and nothing_comes_back(situation)


def nothing_comes_back(situation: Situation) -> bool:
    """Whether the last day and that of a week ago were calm, in another throughput mode too; a load that was held down
    there may want more.
    """
    return is_calm(situation) and unlimited_load(situation) is None and held_by_rate(situation) is None


def may_come_at_any_hour(situation: Situation) -> bool:
    """Whether nobody knows until when there is time before it: of falls again and again, or of a load that had begun
    when the day began that is known.
    """
    hidden = hidden_load(situation)
    return falls_again_and_again(situation) or (hidden is not None and not hidden.is_whole)


def needs_action(situation: Situation) -> bool:
    """Whether a load is known to come back that leaves too little."""
    comeback = worst_comeback(situation)
    if comeback is not None and not leaves_enough(comeback, situation):
        return True
    return hidden_load(situation) is not None or unlimited_load(situation) is not None


def driver(activity: Activity) -> str:
    """In words, which kind of work spends most of the credits."""
    spent = (
        activity.read_bytes * CREDITS_PER_READ_BYTE,
        activity.written_bytes,
        activity.metadata_bytes,
    )
    most = max(spent)
    if most < DRIVING_SHARE * sum(spent):
        return "no single kind of work: several loads at once, or a copy within the file system"
    return DRIVERS[spent.index(most)]


def _until(situation: Situation, minutes: float) -> str:
    """A span from now on and the time it ends."""
    if minutes >= LONGEST_FORECAST_MINUTES:
        return "more than two days"
    end = situation.time + timedelta(minutes=minutes)
    return f"{duration(minutes)}, until {clock(end, situation.time)}"


def _rising(situation: Situation, lead_minutes: int) -> str:
    gained_bytes_per_second = -(situation.drain_bytes_per_second or 0.0)
    text = f"the balance is rising by {rate(gained_bytes_per_second)}"
    threshold = threshold_bytes(lead_minutes, round(situation.reference_bytes_per_second))
    minutes = (threshold - situation.balance_bytes) / gained_bytes_per_second / SECONDS_PER_MINUTE
    # Where the rate may be less, the threshold may be, too.
    if minutes <= 0 or situation.may_be_capped:
        return text
    if minutes >= LONGEST_FORECAST_MINUTES:
        return f"{text} and will be above {counted(lead_minutes)} in more than two days"
    end = situation.balances[-1].time + timedelta(minutes=minutes)
    return f"{text} and will be above {counted(lead_minutes)} at {clock(end, situation.time)}"


def _minutes(comeback: Comeback | UnlimitedLoad, situation: Situation) -> int:
    return floor(minutes_left(comeback.left_bytes, situation.reference_bytes_per_second))


def _fall(comeback: Comeback, now: datetime) -> str:
    """What happened then: "Yesterday the credits fell from 01:00 UTC, and were gone at about 02:10 UTC."."""
    fall = comeback.fall
    day = "A week ago" if comeback.back > AHEAD else _of_the_last_day(fall.began, now)
    if fall.gone is not None:
        gone = f"and were {'nearly ' if fall.nearly else ''}gone at about {fall.gone:%H:%M} UTC"
        return f"{day} the credits fell from {fall.began:%H:%M} UTC, {gone}."
    lost = f"{size(fall.lost_bytes)}{'' if fall.is_whole else ' or more'}"
    return f"{day} the credits fell from {fall.began:%H:%M} UTC to {fall.ended:%H:%M} UTC, by {lost}."


def _of_the_last_day(then: datetime, now: datetime) -> str:
    return "Today" if then.date() == now.date() else "Yesterday"


def _hidden(hidden: HeldDown, situation: Situation) -> str:
    took = (
        f"clients took all of the {rate(situation.baseline_bytes_per_second)} that are there without credits: how much "
        f"more they wanted is in no metric."
    )
    if not hidden.is_whole:
        ended = clock(hidden.ended, situation.time)
        return f"From more than a day ago until {ended} {took} That load may come again at any hour."
    day = _of_the_last_day(hidden.began, situation.time)
    return (
        f"{day} from {hidden.began:%H:%M} UTC to {hidden.ended:%H:%M} UTC {took} If that load comes again, it spends "
        f"credits from about {clock(hidden.began + AHEAD, situation.time)} on."
    )


def _held(held: HeldByRate, situation: Situation) -> str:
    day = _of_the_last_day(held.began, situation.time)
    return (
        f"{day} from {held.began:%H:%M} UTC to {held.ended:%H:%M} UTC a provisioned rate, as it seems, held clients "
        f"down to {rate(held.bytes_per_second)} for {duration(held.minutes)}: how much more they wanted is in no "
        f"metric. That the balance came back then says nothing of that load on credits, where it may take up to "
        f"{rate(situation.reference_bytes_per_second)}."
    )


def _held_again(held: HeldByRate, situation: Situation) -> str:
    then = held.began + AHEAD
    if then < situation.time:
        return ""
    return f"If that load comes again, it spends credits from about {clock(then, situation.time)} on."


def _unlimited(load: UnlimitedLoad, situation: Situation) -> str:
    day = _of_the_last_day(load.began, situation.time)
    return (
        f"{day} from {load.began:%H:%M} UTC to {load.ended:%H:%M} UTC, in another throughput mode, clients moved "
        f"{rate(load.metered_bytes_per_second)} as metered."
    )


def _if_it_comes_again(comeback: Comeback | UnlimitedLoad, situation: Situation, they: str = "they") -> str:
    at = clock(comeback.time, situation.time)
    is_one = isinstance(comeback, UnlimitedLoad) or not comeback.follows_others
    again = f"If that load comes again{'' if is_one else ', like those before it'}"
    if comeback.gone:
        return f"{again}, {they} are gone at about {at}."
    minutes = _minutes(comeback, situation)
    at_most = "" if isinstance(comeback, UnlimitedLoad) or comeback.fall.is_whole else "at most "
    return f"{again}, {at_most}{counted(minutes)} {'is' if minutes == 1 else 'are'} left at {at}."
