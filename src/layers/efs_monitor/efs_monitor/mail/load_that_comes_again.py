"""A load of an earlier day that comes again, as sentences: what it did then, and what it leaves of the credits now."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil, floor

from efs_monitor.efs.credits import earned_bytes_per_second, minutes_left
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.changed_earning import DIFFERS, MAY_HAVE_BEEN_SMALLER, fastest_hourly_rise
from efs_monitor.incidents.held_down_after_another_mode import went_on_held_down
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.recurring_load import RecurringLoad, comes_upon_less
from efs_monitor.incidents.situation import AHEAD, DAY, STEP, Situation
from efs_monitor.incidents.unknown_times import may_have_ended_unseen, unknown_after, unknown_before
from efs_monitor.incidents.unlimited_load import UnlimitedLoad
from efs_monitor.mail.goes_on import over_the_hole_bytes_per_second
from efs_monitor.mail.numbers import clock, counted, rate, size, size_rounded_down, some_time
from efs_monitor.mail.outlook import Trend, trend

# Of a load that began at some time in more than so long its end is no time that helps anybody.
VAGUE = timedelta(minutes=30)


def comes_back(recurring: RecurringLoad, situation: Situation) -> str:
    """The fall of then, what the size earned, and what it leaves if it comes again."""
    told = (
        _fall(recurring, situation),
        why_it_takes_another_part(recurring, situation),
        _if_it_comes_again(recurring, situation),
        _low_before(recurring, situation),
        _if_there_is_less_by_then(recurring, situation),
        _earning_a_week_ago(recurring, situation),
    )
    return " ".join(filter(None, told))


def unlimited_comes_back(load: UnlimitedLoad, situation: Situation) -> str:
    """What a load of another throughput mode moved, and what it leaves if it comes again and takes credits; and if it
    then goes on, where it went on without them.
    """
    comes_again = _if_it_comes_again(load, situation, "the credits")
    return f"{_unlimited(load, situation)} {comes_again} {_if_it_goes_on(load, situation)}".rstrip()


def minutes_it_leaves(recurring: RecurringLoad | UnlimitedLoad, situation: Situation) -> int:
    """How many whole minutes at full speed are left at the least."""
    return floor(minutes_left(recurring.left_bytes, situation.reference_bytes_per_second))


def _fall(recurring: RecurringLoad, situation: Situation) -> str:
    """What happened then: "Yesterday the credits fell from about 01:00 UTC, and were gone at about 02:10 UTC.".

    To five minutes, and what is earned in those: an earlier day is read in such steps.
    """
    fall = recurring.fall
    day = "A week ago" if recurring.back > AHEAD else day_of(fall.began, situation.time)
    unseen_since, first_fallen = _began_between(recurring, situation)
    is_cut_off = _began_above_the_bucket(recurring, situation)
    began = f"before {first_fallen:%H:%M} UTC" if is_cut_off else _when(unseen_since, first_fallen)
    gone = ""
    if fall.gone is not None:
        when = _when(_unknown_before(fall.gone, recurring, situation), fall.gone)
        known = [one for one in _steps_of(recurring, situation) if fall.start.time <= one.time < fall.gone]
        latest = " at the latest" if may_have_ended_unseen(situation, known) else ""
        gone = f", and were {'nearly ' if fall.nearly else ''}gone at {when}{latest}"
    if fall.is_amid_another:
        slow = "now" if trend(situation) is Trend.FALLING else "before"
        return f"{day} the credits fell faster than {slow} from {began} on{gone}."
    if gone:
        return f"{day} the credits fell from {began}{gone}."
    goes_on = _goes_on(recurring, situation)
    unseen_end = None if goes_on else _ended_between(recurring, situation)
    # What is missing may have been higher before it, or lower after it.
    is_exact = fall.is_whole and unseen_since is None and unseen_end is None and not is_cut_off
    lost = f"about {size(fall.fell_bytes)}" if is_exact else f"{size_rounded_down(fall.fell_bytes)} or more"
    if goes_on:
        return f"{day} the credits began to fall at {began}, and have lost {lost} so far."
    ended = f"{fall.ended:%H:%M} UTC" if unseen_end is None else _when(*unseen_end)
    on = ", and on after that" if _goes_beyond_the_day(recurring, situation) else ""
    return f"{day} the credits fell from {began} to {ended}, by {lost}{on}."


def _goes_on(recurring: RecurringLoad | UnlimitedLoad, situation: Situation) -> bool:
    """Whether the load is that of the fall of now, which may have gone on while metrics were missing, and goes on in
    the rests of its pulses: how far that goes nobody knows yet.
    """
    went_on = trend(situation) is Trend.UNKNOWN and over_the_hole_bytes_per_second(situation) is not None
    falls = trend(situation) is Trend.FALLING or went_on
    if isinstance(recurring, UnlimitedLoad) or recurring.back != DAY or not falls:
        return False
    fall, rests = recurring.fall, timedelta(0) if situation.pulses is None else situation.pulses.every
    return fall.gone is None and not fall.is_amid_another and fall.ended + rests >= situation.balances[-1].time


def _began_above_the_bucket(recurring: RecurringLoad, situation: Situation) -> bool:
    """Whether a fall began with more than fits into the bucket of a size that shrank since: of that there is in every
    five minutes as much as fits, and how long it had fallen by then does not show.
    """
    day = next(day for day in situation.past_days if day.back == recurring.back)
    start = recurring.fall.start
    before = [one.balance_bytes for one in day.balances if one.time < start.time]
    return day.cut is not None and start.time < day.cut and before[-1:] == [start.balance_bytes]


def _goes_beyond_the_day(recurring: RecurringLoad | UnlimitedLoad, situation: Situation) -> bool:
    """Whether a fall of a week ago goes on where the coming hours end that are looked at: it may take far more."""
    if isinstance(recurring, UnlimitedLoad) or recurring.back == DAY or recurring.fall.gone is not None:
        return False
    return recurring.fall.ended + recurring.back > situation.balances[-1].time + AHEAD


def _began_between(recurring: RecurringLoad, situation: Situation) -> tuple[datetime | None, datetime]:
    """From when on nothing is known until the fall had begun, and when it had: with the first minutes that are known
    again, where there are none after the last ones before it.
    """
    began = recurring.fall.began
    until = unknown_after(began, _steps_of(recurring, situation), steps_of_another_mode(situation))
    return (None, began) if until is None else (began, until)


def _ended_between(recurring: RecurringLoad, situation: Situation) -> tuple[datetime, datetime] | None:
    """Between which two moments the fall ended, where metrics are missing before its lowest point, or after it: until
    the next one, which is higher, it may have fallen on. None where its end is known.
    """
    end = recurring.fall.end.time
    since = _unknown_before(end, recurring, situation)
    if since is not None:
        return since, end
    until = unknown_after(end + STEP, _steps_of(recurring, situation), steps_of_another_mode(situation))
    return None if until is None else (end + STEP, until)


def _may_begin(recurring: RecurringLoad | UnlimitedLoad, situation: Situation) -> datetime | None:
    """From when on a load may come again of which metrics are missing when it began, for so long that it tells nobody
    when it ends the credits; None of any other.
    """
    if isinstance(recurring, UnlimitedLoad):
        return None
    since, first_fallen = _began_between(recurring, situation)
    return since + recurring.back if since is not None and first_fallen - since > VAGUE else None


def _unknown_before(moment: datetime, recurring: RecurringLoad, situation: Situation) -> datetime | None:
    return unknown_before(moment, _steps_of(recurring, situation), steps_of_another_mode(situation))


def _steps_of(recurring: RecurringLoad, situation: Situation) -> Sequence[BalancePoint]:
    return next(day.balances for day in situation.past_days if day.back == recurring.back)


def _when(unknown_since: datetime | None, moment: datetime) -> str:
    """A moment to five minutes; or between which two it was, where metrics are missing."""
    if unknown_since is None:
        return f"about {moment:%H:%M} UTC"
    return some_time(f"{unknown_since:%H:%M} UTC", f"{moment:%H:%M} UTC")


def why_it_takes_another_part(recurring: RecurringLoad, situation: Situation) -> str:
    """Why such a load takes more or less than it did, where the size earns another rate by now."""
    then = recurring.earned_then_bytes_per_second
    now = earned_bytes_per_second(situation.file_system.standard_bytes)
    if then is None or then == now:
        return ""
    return f"The size earned about {rate(then)} then, and earns {rate(now)} now."


def _if_there_is_less_by_then(recurring: RecurringLoad, situation: Situation) -> str:
    """What it means where clients take more now than in these hours of that day, by which the balance is reckoned."""
    if recurring.time <= situation.time or not comes_upon_less(recurring, situation):
        return ""
    less = "the credits are gone sooner" if recurring.gone else "less is left"
    return f"This reckons with less load than now until then, as on that day: if the load of now goes on, {less}."


def _earning_a_week_ago(recurring: RecurringLoad, situation: Situation) -> str:
    """What another size of a week ago means for such a load, which is laid upon the balance as it was: AWS tells no
    size of then, but no balance rises faster than its size earns. Empty where nothing speaks for another one.
    """
    then = fastest_hourly_rise(_steps_of(recurring, situation))
    now = earned_bytes_per_second(situation.file_system.standard_bytes)
    if recurring.back == DAY or not then:
        return ""
    rose = f"The balance rose by up to {rate(then)} around that day, and the size earns {rate(now)} now"
    if then > (1 + DIFFERS) * now:
        took, most = recurring.fall.bytes_per_second, situation.reference_bytes_per_second - now
        if took + then - now <= most:
            return f"{rose}: it was larger, and such a load takes more by now, so that less is left of them."
        return f"{rose}: it was larger, and such a load takes {rate(most)} of them by now, which is all that it may."
    if then * MAY_HAVE_BEEN_SMALLER < now:
        return f"{rose}: if it was smaller, such a load takes less by now, or nothing."
    return ""


def day_of(then: datetime, now: datetime) -> str:
    """What is looked at is longer than a day: just after midnight it began before yesterday."""
    return ("Today", "Yesterday", "The day before yesterday")[min(2, (now.date() - then.date()).days)]


def _unlimited(load: UnlimitedLoad, situation: Situation) -> str:
    day = day_of(load.began, situation.time)
    began = f"from {'about' if load.is_whole else 'before'} {load.began:%H:%M} UTC"
    # Of a night and a morning "yesterday" is the beginning alone.
    today = " today" if load.began.date() < load.ended.date() == situation.time.date() else ""
    return (
        f"{day} {began} to {load.ended:%H:%M} UTC{today}, in another throughput mode, clients moved "
        f"{rate(load.metered_bytes_per_second)} as metered."
    )


def _if_it_goes_on(load: UnlimitedLoad, situation: Situation) -> str:
    """What is left when it ends, or when the credits do, if a load that went on without them goes on as fast as before;
    empty of one that ended with its mode.
    """
    went_on = went_on_held_down(load, situation)
    if went_on is None:
        return ""
    goes_on = f"if it then goes on at {rate(went_on.bytes_per_second)}"
    if went_on.gone is not None:
        goes_on = f"{goes_on}, they are gone at about {clock(went_on.gone, situation.time)}"
    else:
        minutes = floor(minutes_left(went_on.left_bytes, situation.reference_bytes_per_second))
        left = f"{counted(minutes) if minutes else 'less than a minute'} {'is' if minutes <= 1 else 'are'} left"
        goes_on = f"{goes_on} for as long, {left} at {clock(went_on.held.ended + DAY, situation.time)}"
    return (
        f"After that it went on without credits until about {went_on.held.ended:%H:%M} UTC, and how much more it "
        f"wanted is in no metric: {goes_on}."
    )


def _if_it_comes_again(recurring: RecurringLoad | UnlimitedLoad, situation: Situation, they: str = "they") -> str:
    when, unseen_until = _time_of(recurring, situation)
    # Where metrics are late it may have come since the newest datapoint.
    is_over = when <= situation.time
    at = clock(when, situation.time)
    if isinstance(recurring, RecurringLoad) and recurring.gone_before_it:
        earned = rate(earned_bytes_per_second(situation.file_system.standard_bytes))
        return (
            f"Before that clients took less than the size earned then. It earns {earned} now: if those hours come "
            f"again, {they} are gone at about {at}."
        )
    ends_first = "ends now and " if _goes_on(recurring, situation) else ""
    again = f"If that load {ends_first}{'came' if is_over else 'comes'} again"
    if recurring.follows_others:
        again += ", like those before it"
    if isinstance(recurring, UnlimitedLoad) and recurring.is_faster:
        again += f", at the {rate(situation.reference_bytes_per_second)} that credits permit"
    if recurring.gone:
        since = _may_begin(recurring, situation)
        if since is not None and not is_over:
            begins = f"from {clock(since, situation.time)} on" if since > situation.time else "from now on"
            return f"{again}, {they} may be gone at any time {begins}."
        bound = {(True, False): " at the latest", (False, True): " at the earliest"}.get(
            (_may_take_more(recurring), _may_take_less(recurring)), ""
        )
        return f"{again}, {they} {'were' if is_over else 'are'} gone at about {at}{bound}."
    # More than now is left only if what takes credits now ends, as it was not there on that day.
    rises_first = trend(situation) is Trend.FALLING and recurring.left_bytes > situation.balance_bytes
    is_whole = isinstance(recurring, UnlimitedLoad) or (recurring.fall.is_whole and unseen_until is None)
    if is_whole and not rises_first and not _may_take_more(recurring):
        minutes = minutes_it_leaves(recurring, situation)
        bound = "at least " if minutes and _may_take_less(recurring) else ""
    elif _may_take_less(recurring):
        minutes, bound = minutes_it_leaves(recurring, situation), ""
    else:
        most_bytes = recurring.left_bytes if isinstance(recurring, UnlimitedLoad) else recurring.most_bytes
        minutes, bound = ceil(minutes_left(most_bytes, situation.reference_bytes_per_second)), "at most "
    be = ("was" if is_over else "is") if minutes <= 1 else ("were" if is_over else "are")
    less = ", and less after that" if _goes_beyond_the_day(recurring, situation) else ""
    if unseen_until is not None:
        less += f", and perhaps less until {clock(unseen_until, situation.time)}"
    return f"{again}, {bound}{counted(minutes) if minutes else 'less than a minute'} {be} left at {at}{less}."


def _low_before(recurring: RecurringLoad, situation: Situation) -> str:
    """Which load before one that ends the credits leaves next to nothing: who waits for that end may be late."""
    low = recurring.low_before
    if low is None:
        return ""
    minutes, (when, _) = minutes_it_leaves(low, situation), _time_of(low, situation)
    bounds = {(True, False): "no more than ", (False, True): "at least "}
    bound = bounds.get((low.may_take_more, low.may_take_less), "") if minutes else ""
    left = f"{bound}{counted(minutes)}" if minutes else "less than a minute"
    began = _when(*_began_between(low, situation))
    return f"Of those before it, the one from {began} on leaves {left} at {clock(when, situation.time)}."


def _may_take_more(recurring: RecurringLoad | UnlimitedLoad) -> bool:
    return isinstance(recurring, RecurringLoad) and recurring.may_take_more


def _may_take_less(recurring: RecurringLoad | UnlimitedLoad) -> bool:
    return isinstance(recurring, RecurringLoad) and recurring.may_take_less


def _time_of(recurring: RecurringLoad | UnlimitedLoad, situation: Situation) -> tuple[datetime, datetime | None]:
    """When such a load is over, or has taken all, as the end of it is told. And until when it may take more than it was
    seen to, where metrics are missing after its lowest balance: when they were there again there was more, and how long
    it had risen by then nobody knows. None of any other.
    """
    if isinstance(recurring, UnlimitedLoad) or recurring.gone or recurring.fall.gone is not None:
        return recurring.time, None
    between = _ended_between(recurring, situation)
    if between is None:
        return recurring.time, None
    _, until = between
    if until > recurring.fall.ended:
        return recurring.time, until + recurring.back
    return recurring.time + (until - recurring.fall.ended), None
