"""What the last days say of the coming one, as sentences: whether the load comes back, and what it leaves."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil, floor

from efs_monitor.efs.credits import earned_bytes_per_second, is_no_faster, minutes_left
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.changed_earning import DIFFERS, MAY_HAVE_BEEN_SMALLER, fastest_hourly_rise
from efs_monitor.incidents.falls import falls_again_and_again
from efs_monitor.incidents.held_down import HeldByRate, HeldDown, held_by_rate, hidden_load, was_there_bytes_per_second
from efs_monitor.incidents.mode_lock import locks_remedies, refuses_changes
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.pulses import PulseToCome
from efs_monitor.incidents.recurring_load import (
    ENOUGH_MINUTES,
    RecurringLoad,
    is_calm,
    last_day_is_complete,
    last_day_is_known,
    leaves_enough,
    worst_recurring_load,
)
from efs_monitor.incidents.regular_ends import regular_ends
from efs_monitor.incidents.situation import AHEAD, DAY, RECENT, Situation
from efs_monitor.incidents.sooner_end import comes_before_the_end
from efs_monitor.incidents.unknown_times import may_have_ended_unseen, unknown_after, unknown_before
from efs_monitor.incidents.unlimited_load import UnlimitedLoad, loads_of_another_mode, unlimited_load
from efs_monitor.mail.goes_on import over_the_hole_bytes_per_second
from efs_monitor.mail.layout import wrapped
from efs_monitor.mail.mode_refusals import only_less_load
from efs_monitor.mail.numbers import clock, counted, duration, rate, rates, size, size_rounded_down, some_time
from efs_monitor.mail.outlook import Trend, direction, trend

# What it takes to choose another mode and to change it.
MINUTES_TO_ACT = 20
# Of a load that began at some time in more than so long its end is no time that helps anybody.
VAGUE = timedelta(minutes=30)
AT_ANY_HOUR = "the next fall may come at any hour."
AGAIN_AND_AGAIN = f"The balance fell more than once in the last 24 hours: {AT_ANY_HOUR}"
LAST_DAY_IN_PART = f"CloudWatch has not the whole of the last day: {AT_ANY_HOUR}"
IN_PART_AND_AGAIN = (
    f"CloudWatch has not the whole of the last day, and the balance fell more than once in it: {AT_ANY_HOUR}"
)
GONE_AGAIN_WITHIN_THE_HOUR = (
    "The credits were gone more than once in the last hour, and may be so again within minutes."
)
GONE_AGAIN_WITHIN_HOURS = (
    "The credits were gone more than once in the last four hours, and may be so again at any time."
)
LAST_DAY_UNKNOWN = "Whether the load comes back is not known: CloudWatch has too little of the last day."


def is_told_what_comes(situation: Situation, lead_minutes: int) -> bool:
    """Whether the pace is not all that there is to say of the coming hours: a load that comes back would leave less
    than the alarm's lead time before the credits end at the pace.
    """
    return trend(situation) is not Trend.FALLING or comes_before_the_end(situation, lead_minutes)


def what_comes_back(situation: Situation, lead_minutes: int) -> str:
    """What the last days say of the coming one, as sentences; empty where it stays above the alarm's lead time.

    Of credits that end again and again within hours, or do so with the next pulse, that alone: a time of tomorrow
    beside it would be the one that is kept in mind.
    """
    if situation.gone_again_and_again_within is not None:
        is_within_the_hour = situation.gone_again_and_again_within == RECENT
        return GONE_AGAIN_WITHIN_THE_HOUR if is_within_the_hour else _gone_again(situation)
    if situation.pulse_to_come is not None:
        return _next_pulse(situation.pulse_to_come, situation)
    what, held = _what_comes_back(situation, lead_minutes), held_by_rate(situation)
    in_part = what != LAST_DAY_UNKNOWN and not last_day_is_complete(situation)
    if what and falls_again_and_again(situation):
        what = f"{what} {IN_PART_AND_AGAIN if in_part else AGAIN_AND_AGAIN}"
    elif what and in_part:
        what = f"{what} {LAST_DAY_IN_PART}"
    if not what and not last_day_is_complete(situation) and trend(situation) is not Trend.FALLING:
        what = LAST_DAY_IN_PART
    if held is None:
        return what
    return f"{_held(held, situation)} {what or _held_again(held, situation)}".rstrip()


def shows_a_fall(situation: Situation) -> bool:
    """Whether the balance fell in the coming hours of an earlier day, whatever that leaves if it comes again."""
    return worst_recurring_load(situation) is not None


def what_fell(situation: Situation) -> str:
    """The fall of the earlier days that leaves least if it comes again, however much that is.

    Empty where there is none, or where the size earned another rate then: what such a load leaves is known too roughly
    for a figure that nobody has to act upon.
    """
    recurring = worst_recurring_load(situation)
    return "" if recurring is None or _earning(recurring, situation) else _comes_back(recurring, situation)


def needs_no_action(situation: Situation) -> bool:
    """Whether nobody has to do anything: it rose over the whole hour, and the last days were calm at this time of day.

    Over the hour too, because a load may pause for a quarter of it; and not where one has just begun that may end what
    little is left.
    """
    rises = trend(situation) is direction(situation.hourly_drain_bytes_per_second, situation) is Trend.RISING
    return rises and nothing_comes_back(situation) and situation.may_end_before_a_pace is None


def nothing_comes_back(situation: Situation) -> bool:
    """Whether the last day and that of a week ago were calm, in another throughput mode too; a load that was held down
    there may want more.
    """
    return is_calm(situation) and unlimited_load(situation) is None and held_by_rate(situation) is None


def leaves_time(situation: Situation) -> bool:
    """Whether it is known until when there is time before what comes back, and enough of it to choose a remedy.

    It is not known of falls again and again, the more where each ends the credits, of a day of which a part is missing,
    of a load that had begun when the day began that is known, or of one that may have come since the newest datapoint.
    Nor is there any where the pace of now ends the credits before that, or a load may that was held down a day ago.
    """
    hidden, recurring, unlimited = hidden_load(situation), worst_recurring_load(situation), unlimited_load(situation)
    if situation.gone_again_and_again_within is not None or situation.pulse_to_come is not None:
        return False
    if falls_again_and_again(situation) or not last_day_is_complete(situation):
        return False
    if hidden is not None and hidden.comes_at_any_hour:
        return False
    loads = [one.time for one in (recurring, unlimited) if one is not None]
    if hidden is not None:
        if any(one.gone and one.time > hidden.spends_from for one in (recurring, unlimited) if one is not None):
            return False
        loads.append(hidden.spends_from)
    end = situation.minutes_left_at_net
    if end is not None and any(one - situation.time > timedelta(minutes=end) for one in loads):
        return False
    return all(one - situation.time >= timedelta(minutes=MINUTES_TO_ACT) for one in loads)


def needs_action(situation: Situation) -> bool:
    """Whether a load is known to come back that leaves too little."""
    recurring = worst_recurring_load(situation)
    if recurring is not None and not leaves_enough(recurring, situation):
        return True
    return hidden_load(situation) is not None or unlimited_load(situation) is not None


def coming_and_time_to_act(situation: Situation, lead_minutes: int, remedy: str) -> list[str]:
    """What the last days say of the coming hours, and what there is time for until then."""
    what = what_comes_back(situation, lead_minutes) if is_told_what_comes(situation, lead_minutes) else ""
    if not what:
        return []
    if what == LAST_DAY_UNKNOWN or not leaves_time(situation) or not needs_action(situation):
        return [wrapped(what)]
    return [wrapped(f"{what} {to_do_until_it_comes(situation, remedy)}")]


def to_do_until_it_comes(situation: Situation, remedy: str) -> str:
    """What there is to do about a load that is known to come back and to leave too little; empty where none is."""
    if not needs_action(situation):
        return ""
    # AWS refuses another mode until later than that, or the mail has none.
    less_load_alone = only_less_load(situation) or (refuses_changes(situation) and locks_remedies(situation))
    do = "move it or slow it down" if less_load_alone else f"choose {remedy}"
    if leaves_time(situation):
        return f"Until then there is time to find what it is, or to {do}."
    return f"Find what that load is before it comes, or {do}."


def began_before_the_last_day(lasting: timedelta | None) -> bool:
    """Whether the load that set off an alarm came before all that is known: of that a calm day says nothing."""
    return lasting is not None and lasting > DAY


def _what_comes_back(situation: Situation, lead_minutes: int) -> str:
    recurring = worst_recurring_load(situation)
    unlimited = unlimited_load(situation, max(lead_minutes, ENOUGH_MINUTES))
    if unlimited is not None and (recurring is None or _is_worse(unlimited, recurring)):
        return f"{_unlimited(unlimited, situation)} {_if_it_comes_again(unlimited, situation, 'the credits')}"
    if recurring is None or (not recurring.gone and _minutes(recurring, situation) >= lead_minutes):
        hidden = hidden_load(situation)
        if hidden is not None:
            return _hidden(hidden, situation)
        # Of hours in another mode what was moved is known. While the balance falls a load is there.
        is_known = last_day_is_known(situation) or bool(loads_of_another_mode(situation))
        is_there = trend(situation) is Trend.FALLING or over_the_hole_bytes_per_second(situation) is not None
        return "" if is_known or is_there else LAST_DAY_UNKNOWN
    return _comes_back(recurring, situation)


def _comes_back(recurring: RecurringLoad, situation: Situation) -> str:
    told = (
        _fall(recurring, situation),
        _earning(recurring, situation),
        _if_it_comes_again(recurring, situation),
        _earning_a_week_ago(recurring, situation),
    )
    return " ".join(filter(None, told))


def _gone_again(situation: Situation) -> str:
    """When they are gone again, where that has a rhythm; else that they may be so at any time."""
    found = regular_ends(situation)
    if found is None:
        return GONE_AGAIN_WITHIN_HOURS
    return (
        f"The credits were gone {found.times} times in the last four hours, about every "
        f"{duration(found.every / MINUTE)}: if that goes on, they are so again at about "
        f"{clock(found.next_at, situation.time)}."
    )


def _next_pulse(pulse: PulseToCome, situation: Situation) -> str:
    """When the next pulse begins, or began since the newest datapoint where metrics are late, and what it takes."""
    is_over = pulse.begins <= situation.time
    begins, takes = ("began", "took") if is_over else ("begins", "takes")
    go_on = "went on" if is_over else "go on"
    return (
        f"Pulses of {size(pulse.depth_bytes)} came about every {duration(pulse.every / MINUTE)}. If they {go_on} so, "
        f"the next one {begins} at about {clock(pulse.begins, situation.time)}, and {takes} all that "
        f"{'was' if is_over else 'is'} there by then."
    )


def _is_worse(load: UnlimitedLoad, recurring: RecurringLoad) -> bool:
    """Whether the load of another mode ends the credits, and before the fall does; or where neither, leaves less."""
    if load.gone and recurring.gone:
        return load.time < recurring.time
    # At an end less than a minute's worth may be left, of either.
    return load.gone if load.gone or recurring.gone else load.left_bytes < recurring.left_bytes


def _minutes(recurring: RecurringLoad | UnlimitedLoad, situation: Situation) -> int:
    return floor(minutes_left(recurring.left_bytes, situation.reference_bytes_per_second))


def _fall(recurring: RecurringLoad, situation: Situation) -> str:
    """What happened then: "Yesterday the credits fell from about 01:00 UTC, and were gone at about 02:10 UTC.".

    To five minutes, and what is earned in those: an earlier day is read in such steps.
    """
    fall = recurring.fall
    day = "A week ago" if recurring.back > AHEAD else _of_the_last_day(fall.began, situation.time)
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
    end_unseen_since = _unknown_before(fall.end.time, recurring, situation)
    # What is missing may have been higher before it, or lower after it.
    is_exact = fall.is_whole and unseen_since is None and end_unseen_since is None and not is_cut_off
    lost = f"about {size(fall.lost_bytes)}" if is_exact else f"{size_rounded_down(fall.lost_bytes)} or more"
    if _goes_on(recurring, situation):
        return f"{day} the credits began to fall at {began}, and have lost {lost} so far."
    ended = f"{fall.ended:%H:%M} UTC" if end_unseen_since is None else _when(end_unseen_since, fall.end.time)
    on = ", and on after that" if _goes_beyond_the_day(recurring, situation) else ""
    return f"{day} the credits fell from {began} to {ended}, by {lost}{on}."


def _goes_on(recurring: RecurringLoad | UnlimitedLoad, situation: Situation) -> bool:
    """Whether the load is that of the fall of now: how far that goes nobody knows yet."""
    if isinstance(recurring, UnlimitedLoad) or recurring.back != DAY or trend(situation) is not Trend.FALLING:
        return False
    fall = recurring.fall
    return fall.gone is None and not fall.is_amid_another and fall.ended >= situation.balances[-1].time


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


def _earning(recurring: RecurringLoad, situation: Situation) -> str:
    """Why such a load takes more or less than it did, where the size earns another rate by now."""
    then = recurring.earned_then_bytes_per_second
    now = earned_bytes_per_second(situation.file_system.standard_bytes)
    if then is None or then == now:
        return ""
    return f"The size earned about {rate(then)} then, and earns {rate(now)} now."


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


def _of_the_last_day(then: datetime, now: datetime) -> str:
    """What is looked at is longer than a day: just after midnight it began before yesterday."""
    return ("Today", "Yesterday", "The day before yesterday")[min(2, (now.date() - then.date()).days)]


def _hidden(hidden: HeldDown, situation: Situation) -> str:
    least, limit = was_there_bytes_per_second(hidden, situation)
    took = (
        f"clients took all of the {rates(least, limit)} that were there without credits: how much more they wanted is "
        f"in no metric."
    )
    if not hidden.is_whole:
        ended = clock(hidden.ended, situation.time)
        return f"From more than a day ago until about {ended} {took} That load may come again at any hour."
    day = _of_the_last_day(hidden.began, situation.time)
    took = f"{day} from about {hidden.began:%H:%M} UTC to {hidden.ended:%H:%M} UTC {took}"
    if hidden.comes_at_any_hour:
        return f"{took} That load had taken credits since more than a day ago, and may come again at any hour."
    # More is earned by now than they got.
    spends = "spends" if is_no_faster(situation.baseline_bytes_per_second, limit) else "may spend"
    if hidden.since is not None:
        took += f" It had begun at about {hidden.since:%H:%M} UTC, in another throughput mode."
    again = clock(hidden.spends_from, situation.time)
    return f"{took} If that load comes again, it {spends} credits from about {again} on."


def _held(held: HeldByRate, situation: Situation) -> str:
    day = _of_the_last_day(held.began, situation.time)
    by = "a provisioned rate, as it seems," if held.is_provisioned else "the burst limit of a smaller size"
    most = rate(situation.reference_bytes_per_second)
    on_credits = (
        f"That the balance came back then says nothing of that load on credits, where it may take up to {most}."
        if held.is_provisioned
        else f"That load may take up to {most} by now."
    )
    return (
        f"{day} from about {held.began:%H:%M} UTC to {held.ended:%H:%M} UTC {by} held clients down to "
        f"{rates(held.least_bytes_per_second, held.bytes_per_second)} for at least {duration(held.minutes)}: how much "
        f"more they wanted is in no metric. {on_credits}"
    )


def _held_again(held: HeldByRate, situation: Situation) -> str:
    then = held.began + AHEAD
    if then < situation.time:
        return ""
    return f"If that load comes again, it spends credits from about {clock(then, situation.time)} on."


def _unlimited(load: UnlimitedLoad, situation: Situation) -> str:
    day = _of_the_last_day(load.began, situation.time)
    began = f"from {'about' if load.is_whole else 'before'} {load.began:%H:%M} UTC"
    # Of a night and a morning "yesterday" is the beginning alone.
    today = " today" if load.began.date() < load.ended.date() == situation.time.date() else ""
    return (
        f"{day} {began} to {load.ended:%H:%M} UTC{today}, in another throughput mode, clients moved "
        f"{rate(load.metered_bytes_per_second)} as metered."
    )


def _if_it_comes_again(recurring: RecurringLoad | UnlimitedLoad, situation: Situation, they: str = "they") -> str:
    # Where metrics are late it may have come since the newest datapoint.
    is_over = recurring.time <= situation.time
    at = clock(recurring.time, situation.time)
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
        return f"{again}, {they} {'were' if is_over else 'are'} gone at about {at}."
    # More than now is left only if what takes credits now ends, as it was not there on that day.
    rises_first = trend(situation) is Trend.FALLING and recurring.left_bytes > situation.balance_bytes
    if (isinstance(recurring, UnlimitedLoad) or recurring.fall.is_whole) and not rises_first:
        minutes, at_most = _minutes(recurring, situation), ""
    else:
        most_bytes = recurring.left_bytes if isinstance(recurring, UnlimitedLoad) else recurring.most_bytes
        minutes, at_most = ceil(minutes_left(most_bytes, situation.reference_bytes_per_second)), "at most "
    be = ("was" if is_over else "is") if minutes <= 1 else ("were" if is_over else "are")
    less = ", and less after that" if _goes_beyond_the_day(recurring, situation) else ""
    return f"{again}, {at_most}{counted(minutes) if minutes else 'less than a minute'} {be} left at {at}{less}."
