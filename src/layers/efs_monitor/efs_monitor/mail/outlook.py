"""Where the credits of a file system are heading, as sentences: how long they last, and what drives them down."""

from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from math import floor

from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.alarms.late_metrics import are_late
from efs_monitor.efs.credits import (
    MIB,
    SECONDS_PER_MINUTE,
    earned_bytes_per_second,
    is_no_faster,
    minutes_left,
    threshold_bytes,
)
from efs_monitor.efs.observations import MINUTE, Activity, BalancePoint
from efs_monitor.incidents.falling_since import fall_with_rests, falling_since, unseen_beginning
from efs_monitor.incidents.needed_throughput import takes_less_than_is_there
from efs_monitor.incidents.pace import drain_between
from efs_monitor.incidents.pulses import Pulses
from efs_monitor.incidents.situation import AHEAD, Situation
from efs_monitor.incidents.sooner_end import comes_before_the_end
from efs_monitor.mail.goes_on import as_over_the_hole, if_that_goes_on
from efs_monitor.mail.numbers import MINUTES_PER_DAY, clock, counted, duration, past_span, rate, size, some_time, up_to

# A net rate that shows as less than 0.1 MiB/s is none, unless it ends what is left within the time that is told: that
# may be less than a minute's worth.
FLAT_BYTES_PER_SECOND = 0.05 * MIB
# Beyond this, a clock time would pretend to know what clients do the day after tomorrow.
LONGEST_FORECAST_MINUTES = 2 * MINUTES_PER_DAY
# What lasts so many times as long as another figure of the same mail seems to contradict it.
FAR_LONGER = 1.5
# A full bucket lasts hours, or weeks where a Region caps a huge file system: what is far beyond comes of odd metrics,
# and a subject has no room for it.
MOST_MINUTES = 99_999
# Reads are metered at one third (EFS user guide, "Throughput modes"), so that is what they cost in credits.
CREDITS_PER_READ_BYTE = 1 / 3
# From this share of the spent credits on, one kind of work is called the driver.
DRIVING_SHARE = 0.6

# A fall as much slower than its pace was another load's for most of its time.
FAR_SLOWER = 0.25

# So little at full speed leaves no time to act, where the pace seems to leave much.
SHORT_MINUTES, LONG_MINUTES = 20, 60

MAY_BE_GONE = "burst credits may be gone by now"
TO_EVERYBODY = "every read, write and listing of every client."

DRIVERS = (
    ("mostly reads", "Look for a backup, a scan, or a service that loads its data anew"),
    ("mostly writes", "Look for a batch job, a copy, a restore, or logs"),
    ("mostly metadata", "Look for many small files: find, du, ls -R, git, unpacking archives"),
)


class Trend(Enum):
    """Where the balance goes."""

    FALLING = auto()
    FLAT = auto()
    RISING = auto()
    UNKNOWN = auto()


def trend(situation: Situation) -> Trend:
    """The direction of the balance over the situation's `pace`, whatever it did before."""
    return direction(situation.drain_bytes_per_second, situation)


def falls_at_the_size_before(situation: Situation) -> bool:
    """Whether a single datapoint shows the size of now, and the balance fell up to it: that counts in what is left."""
    return direction(situation.drain_at_the_size_before_bytes_per_second, situation) is Trend.FALLING


def direction(drain: float | None, situation: Situation) -> Trend:
    """Which way the balance goes, or went over some time, in which it fell by `drain` bytes a second."""
    if drain is None:
        return Trend.UNKNOWN
    if abs(drain) < FLAT_BYTES_PER_SECOND and not _ends_within_the_forecast(drain, situation):
        return Trend.FLAT
    return Trend.FALLING if drain > 0 else Trend.RISING


def _ends_within_the_forecast(drain: float, situation: Situation) -> bool:
    """Whether something is left that ends at this rate before a mail stops telling when."""
    if drain <= 0 or situation.balance_bytes <= 0:
        return False
    return minutes_left(situation.balance_bytes_by_now, drain) < LONGEST_FORECAST_MINUTES


def whole_minutes_left(situation: Situation) -> int:
    """Full minutes at the permitted rate: rounded down, because a promise must hold."""
    return floor(situation.minutes_left_at_permitted)


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
    """What the subject of a mail says: when the credits end at their pace, or else how long they last at full speed;
    that too where a load that comes back ends them long before, or one that has just begun may end them within
    minutes: who reads no more than the subject would wait.

    Without a date: how far away it is tells the day, and a subject is short.
    """
    sooner, minutes = situation.may_end_before_a_pace, minutes_until_the_told_end(situation)
    if sooner is not None and sooner <= situation.time:
        return MAY_BE_GONE
    if minutes is None:
        return minutes_at_full_speed(situation)
    if situation.ran_out is not None:
        return MAY_BE_GONE
    end = situation.time + timedelta(minutes=minutes)
    return f"credits gone at {end.astimezone(UTC):%H:%M} UTC, in {duration(minutes)}"


def minutes_until_the_told_end(situation: Situation) -> float | None:
    """In how many minutes the credits end at their pace, 0 where they may have by now; None where that is not what a
    subject says: they do not fall, or too slowly, or something else may end them first.
    """
    minutes = situation.minutes_left_at_net
    if trend(situation) is not Trend.FALLING or minutes is None or minutes >= LONGEST_FORECAST_MINUTES:
        return None
    if situation.may_end_before_a_pace is not None or comes_before_the_end(situation):
        return None
    # Jobs at no rhythm have a pace of a quarter of an hour that is none of theirs.
    return None if fall_with_rests(situation) is not None else minutes


def left_in_subject(situation: Situation) -> str:
    """What is left in short; and how soon that is gone at full speed, where the pace leaves an hour: who reads of that
    would not look again before another load has begun.
    """
    told, minutes, left = left_in_short(situation), minutes_until_the_told_end(situation), whole_minutes_left(situation)
    if minutes is None or minutes < LONG_MINUTES or left > SHORT_MINUTES:
        return told
    return f"{told}; {left or 'under 1'} min at {full_speed(situation)}"


def end_at_permitted_rate(situation: Situation) -> str:
    """When the credits end if clients drive the file system as hard as they may; empty where they may be gone, and
    where as much is earned. It stands below the minutes that are left, which count nothing earned: where that makes it
    far longer, it says why.
    """
    minutes, sooner = situation.minutes_until_end_at_permitted, situation.may_end_before_a_pace
    may_be_gone = situation.ran_out is not None or (sooner is not None and sooner <= situation.time)
    if may_be_gone or minutes is None:
        return ""
    left = whole_minutes_left(situation)
    is_far_longer = left > 1 and minutes >= FAR_LONGER * situation.minutes_left_at_permitted
    left_out = f", which the {counted(left)} above leave out" if is_far_longer else ""
    permitted = "" if situation.may_be_capped else "the permitted "
    return (
        f"Driven at {permitted}{rate(situation.reference_bytes_per_second)} without a pause, and with what is earned "
        f"meanwhile{left_out}, they last {_until(situation, minutes)}."
    )


def end_at_net_rate(situation: Situation, lead_minutes: int) -> str:
    """When the credits end, or are back above the alarm's lead time, if the pace stays as it is; and if the newest
    minute does, where that may end them within minutes. Of a load that has just begun that alone: the pace reaches back
    into the rise before it, and their average ends the credits at no time at which they end.
    """
    sooner = may_end_sooner(situation)
    if sooner and situation.has_just_begun and trend(situation) is Trend.FALLING:
        return sooner
    return " ".join(filter(None, (_end_at_the_pace(situation, lead_minutes), sooner)))


def both_ends(situation: Situation, lead_minutes: int) -> tuple[str, str]:
    """When they end, at the pace and at full speed: first by what the subject counts."""
    at_full_speed = end_at_permitted_rate(situation)
    at_the_pace = " ".join(filter(None, (end_at_net_rate(situation, lead_minutes), since_when_it_falls(situation))))
    return (at_the_pace, at_full_speed) if trend(situation) is Trend.FALLING else (at_full_speed, at_the_pace)


def may_end_sooner(situation: Situation) -> str:
    """What a load that has just begun does to the little that is left; empty where it may not end it within minutes."""
    return newest_minute(situation) if situation.may_end_before_a_pace is not None else ""


def newest_minute(situation: Situation) -> str:
    """What the load of the newest minute does to what is left; empty where that did not fall."""
    end = situation.end_as_in_the_newest_minute
    if end is None:
        return ""
    newest, before = situation.balances[-1], situation.balances[-2]
    span = past_span((newest.time - before.time).total_seconds() / SECONDS_PER_MINUTE)
    fell = f"In {span} they fell by {rate(situation.newest_drain_bytes_per_second or 0.0)}"
    return f"{fell}: {if_that_goes_on(end, situation.time)}"


def _end_at_the_pace(situation: Situation, lead_minutes: int) -> str:
    pace = f"At the pace of {past_span(situation.pace_minutes)}"
    match trend(situation):
        case Trend.UNKNOWN:
            return _unknown_pace(situation)
        case Trend.FALLING:
            falling = f"{pace} (falling by {falling_by(situation)}{_in_pulses(situation)})"
            if situation.ran_out is not None:
                return f"{falling} they ran out at {clock(situation.ran_out, situation.time)}: they may be gone by now."
            told = f"{falling} they last {_until(situation, situation.minutes_left_at_net or 0.0)}."
            return " ".join(filter(None, (told, _with_rests(situation))))
        case Trend.FLAT:
            return f"{pace} {_hardly_changing(situation)}."
        case Trend.RISING:
            return f"{pace} they do not end: {_rising(situation, lead_minutes)}."


def _with_rests(situation: Situation) -> str:
    """When they end at the pace of the hour, where jobs come at no rhythm; empty where the pace is that of the load."""
    rests = fall_with_rests(situation)
    if rests is None:
        return ""
    age_minutes = (situation.time - situation.balances[-1].time) / MINUTE
    minutes = minutes_left(situation.balance_bytes, rests.drain_bytes_per_second) - age_minutes
    if minutes <= 0:
        return ""
    return (
        f"The load comes and goes: over {past_span(rests.minutes)} they fell by {rate(rests.drain_bytes_per_second)}, "
        f"and at that they last {_until(situation, minutes)}."
    )


def _unknown_pace(situation: Situation) -> str:
    """That a single datapoint tells no pace: the only one, or the first after some that are missing, or of a size."""
    if situation.one_size_since is not None and len(situation.balances_of_one_size) < len(situation.balances):
        changed = clock(situation.one_size_since, situation.time)
        unknown = (
            f"How fast the balance falls is not known: CloudWatch has a single datapoint of it since the size changed, "
            f"at {changed}."
        )
        if not falls_at_the_size_before(situation):
            return unknown
        fell = rate(situation.drain_at_the_size_before_bytes_per_second or 0.0)
        return f"{unknown} At the size before it fell by {fell}, and is taken to have gone on so until now."
    *_, before, _ = [None, *situation.earlier_balances, *situation.balances]
    since = "" if before is None else f" since {clock(before.time + MINUTE, situation.time)}"
    unknown = f"How fast the balance falls is not known: CloudWatch has a single datapoint of it{since}."
    return " ".join(filter(None, (unknown, as_over_the_hole(situation))))


def falling_by(situation: Situation) -> str:
    """How fast the balance fell; and how fast it can by now at the most, where that is less."""
    fell, fastest = rate(situation.drain_bytes_per_second or 0.0), situation.fastest_drain_bytes_per_second
    return fell if fastest is None else f"{fell}, at the size of now by {rate(fastest)} at the most"


def _in_pulses(situation: Situation) -> str:
    """What makes the end of the credits another one than the balance at that rate: a pulse ends them, and no rest."""
    return "" if situation.pulses is None else f", in pulses of {size(situation.pulses.depth_bytes)}"


def end_in_pulses(situation: Situation) -> str:
    """When one of the pulses of a load ends the credits, beside what a single one of them seems to do; empty where it
    comes in none, or where they take no more than is earned.
    """
    pulses = situation.pulses
    if pulses is None or pulses.credits_end is None or pulses.credits_end <= situation.time:
        return ""
    minutes = (pulses.credits_end - situation.time) / MINUTE
    if minutes >= LONGEST_FORECAST_MINUTES:
        return ""
    return (
        f"{_pulses_came(pulses)}. If they go on so, the credits are gone at "
        f"{clock(pulses.credits_end, situation.time)}, {duration(minutes)} from now."
    )


def pulses_take_more(situation: Situation) -> str:
    """The sentence that pulses take more than is earned between them, beside a pace that is that of whole ones; empty
    where the load comes in none, or where they take no more.
    """
    pulses = situation.pulses
    if pulses is None or pulses.credits_end is None:
        return ""
    return f"{_pulses_came(pulses)}, and took more than the rests between them earned."


def _pulses_came(pulses: Pulses) -> str:
    every = duration(pulses.span / MINUTE / (pulses.number - 1))
    return f"Pulses of {size(pulses.depth_bytes)} came about every {every}"


def _hardly_changing(situation: Situation) -> str:
    """What so small a rate means, which is named by its direction alone."""
    drain = situation.drain_bytes_per_second or 0.0
    if drain > 0 and situation.balance_bytes > 0:
        return "they last more than two days: the balance hardly falls"
    return f"they do not end: the balance {'hardly rises' if drain < 0 else 'neither falls nor rises'}"


def ends_soon(situation: Situation, lead_minutes: int) -> str:
    """The sentence that an alarm is about to end: CloudWatch still looks at a low minute. Empty where it is not."""
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


def late_newest(situation: Situation) -> str:
    """Of when the newest datapoint is, and how long ago that was; empty where metrics come in time."""
    if not are_late(situation.balances, situation.time):
        return ""
    newest = situation.balances[-1].time
    ago = counted(int((situation.time - newest).total_seconds() // SECONDS_PER_MINUTE))
    return f"{clock(newest, situation.time)}, {ago} ago"


def if_the_load_went_on(situation: Situation) -> str:
    """The doubt in a sentence that says that they are gone, where metrics are late: they may have come back since."""
    newest = late_newest(situation)
    return f", if the load went on: the newest datapoint is of {newest}" if newest else ""


def what_is_so(situation: Situation) -> str:
    """The clause that everything is limited, or would be if the load went on, to the rate without credits; instead of
    which other one, where that is known.
    """
    without = situation.baseline_bytes_per_second
    is_sure = situation.credits_are_gone and not are_late(situation.balances, situation.time)
    sure, has = ("is now", "now has") if is_sure else ("would now be", "would now have")
    is_so = f"{has} no more than" if takes_less_than_is_there(situation) else f"{sure} limited to"
    limited = f"Everything on it {is_so} {rate(without)}"
    if is_no_faster(situation.reference_bytes_per_second, without):
        return limited
    return f"{limited} instead of {with_credits(situation)}"


def nothing_holds_them_down(situation: Situation) -> str:
    """That the limit limited nothing in the last hour, whatever it did before; empty where it did, or nobody knows."""
    if not takes_less_than_is_there(situation):
        return ""
    return "As far as is known, clients took less than that in the last hour: it held nobody down in it."


def slows_nobody_down(situation: Situation) -> str:
    """That clients of now would not feel the end of the credits, where these fall; empty where they would, or nobody
    knows.
    """
    if trend(situation) is not Trend.FALLING or not takes_less_than_is_there(situation):
        return ""
    return "Clients took less than that in the last hour: as long as they take no more, it holds nobody down."


def limit_in_subject(situation: Situation) -> str:
    """The rate without credits, and that it limits clients, where it does."""
    is_so = "no more than" if takes_less_than_is_there(situation) else "limited to"
    return f"{is_so} {rate(situation.baseline_bytes_per_second)}"


def since_when_it_falls(situation: Situation) -> str:
    """Since when the balance has been falling; empty where it does not, or nobody knows."""
    found = falling_since(situation)
    if found is None or trend(situation) is not Trend.FALLING:
        return ""
    how = "In such pulses the" if found.in_pulses else "With pauses, the" if found.has_pauses else "The"
    if situation.time - found.began >= AHEAD:
        return f"{'In such pulses the' if found.in_pulses else 'The'} balance has been falling for more than a day."
    if not found.in_pulses and was_far_slower(found.start, situation):
        return ""
    began = beginning_of_a_fall(found.began, situation, is_exact=found.is_exact)
    return f"{how} balance has been falling since {began}."


def beginning_of_a_fall(moment: datetime, situation: Situation, *, is_exact: bool) -> str:
    """When a fall began, to some minutes where it is not `is_exact`; or between which two moments, where metrics are
    missing.
    """
    unseen = unseen_beginning(moment, situation)
    if unseen is not None:
        return some_time(*(clock(one, situation.time) for one in unseen))
    began = clock(moment, situation.time)
    return began if is_exact else f"about {began}"


def was_far_slower(start: BalancePoint, situation: Situation) -> bool:
    """Whether a fall from `start` was far slower for most of its time than the pace: it has got faster by a load of its
    own, which began later, and whoever looks for that must not look at the beginning of the fall.
    """
    since_then = drain_between(start, situation.balances[-1])
    return since_then is not None and since_then < FAR_SLOWER * (situation.drain_bytes_per_second or 0.0)


def what_ends_the_limit(situation: Situation, lead_minutes: int) -> str:
    """Until when the limit stays: while clients go on so, or when credits are expected back, if they ever are. It names
    no remedy, for mails that number none.
    """
    if trend(situation) is Trend.RISING:
        return f"They are coming back: {_rising(situation, lead_minutes)}."
    if situation.earns_next_to_nothing:
        return (
            "At this size credits do not come back by themselves in any useful time, even while nobody uses any: what "
            "is stored earns next to nothing. Only another throughput mode lifts the limit."
        )
    earned = rate(earned_bytes_per_second(situation.file_system.standard_bytes))
    return (
        f"It stays so while clients use the {earned} of credits that the size earns, and ends by itself only when "
        f"they use less."
    )


def driver(activity: Activity) -> str:
    """In words, which kind of work spends most of the credits; why it is not that of most bytes, where it is not."""
    moved = (activity.read_bytes, activity.written_bytes, activity.metadata_bytes)
    spent = (activity.read_bytes * CREDITS_PER_READ_BYTE, *moved[1:])
    most = max(spent)
    if most < DRIVING_SHARE * sum(spent):
        return "no single kind of work: several loads at once, or a copy within the file system"
    kind, look = DRIVERS[spent.index(most)]
    why = "" if moved[spent.index(most)] == max(moved) else ", for reads count a third"
    return f"{kind}{why}. {look}"


def _until(situation: Situation, minutes: float) -> str:
    """A span from now on and the time it ends; that alone where it is over before anybody reads it."""
    if minutes >= LONGEST_FORECAST_MINUTES:
        return "more than two days"
    if minutes < 1:
        return duration(minutes)
    end = situation.time + timedelta(minutes=minutes)
    return f"{duration(minutes)}, until {clock(end, situation.time)}"


def _rising(situation: Situation, lead_minutes: int) -> str:
    gained_bytes_per_second = -(situation.drain_bytes_per_second or 0.0)
    text = f"the balance is rising by {rate(gained_bytes_per_second)}"
    threshold = threshold_bytes(lead_minutes, round(situation.reference_bytes_per_second))
    minutes = (threshold - situation.balance_bytes) / gained_bytes_per_second / SECONDS_PER_MINUTE
    # Where the rate may be less, the threshold may be, too; and what ended the credits again and again ends the rise.
    if minutes <= 0 or situation.may_be_capped or situation.gone_again_and_again_within is not None:
        return text
    if minutes >= LONGEST_FORECAST_MINUTES:
        return f"{text} and will be above {counted(lead_minutes)} in more than two days"
    end = situation.balances[-1].time + timedelta(minutes=minutes)
    if end <= situation.time:
        return f"{text} and is above {counted(lead_minutes)} by now, if that went on"
    return f"{text} and will be above {counted(lead_minutes)} at {clock(end, situation.time)}"
