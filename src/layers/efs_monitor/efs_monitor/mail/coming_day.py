"""What the last days say of the coming one, as sentences: whether the load comes back, and what it leaves."""

from datetime import timedelta

from efs_monitor.efs.credits import is_no_faster
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.absent_load import absent_load
from efs_monitor.incidents.falls import falls_again_and_again
from efs_monitor.incidents.held_down import HeldByRate, HeldDown, held_by_rate, hidden_load, was_there_bytes_per_second
from efs_monitor.incidents.mode_lock import LOCK, locks_remedies, refuses_changes
from efs_monitor.incidents.pulses import PulseToCome
from efs_monitor.incidents.recurring_load import (
    ENOUGH_MINUTES,
    RecurringLoad,
    is_calm,
    last_day_is_complete,
    last_day_is_known,
    last_day_was_in_another_mode,
    leaves_enough,
    worst_recurring_load,
)
from efs_monitor.incidents.regular_ends import regular_ends
from efs_monitor.incidents.situation import AHEAD, DAY, RECENT, Situation
from efs_monitor.incidents.sooner_end import comes_before_the_end
from efs_monitor.incidents.unlimited_load import UnlimitedLoad, loads_of_another_mode, unlimited_load
from efs_monitor.mail.goes_on import over_the_hole_bytes_per_second
from efs_monitor.mail.layout import wrapped
from efs_monitor.mail.load_that_comes_again import (
    comes_back,
    day_of,
    minutes_it_leaves,
    unlimited_comes_back,
    why_it_takes_another_part,
)
from efs_monitor.mail.mode_refusals import only_less_load
from efs_monitor.mail.numbers import clock, duration, rate, rates, size
from efs_monitor.mail.outlook import Trend, direction, trend

# What it takes to choose another mode and to change it.
MINUTES_TO_ACT = 20
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
CALM_IN_ANOTHER_MODE = (
    "Whether the load comes back is not known: most of the last day was in another throughput mode, without a load "
    "that would take credits."
)
NOT_KNOWN = (LAST_DAY_UNKNOWN, CALM_IN_ANOTHER_MODE)


def is_told_what_comes(situation: Situation, lead_minutes: int) -> bool:
    """Whether the pace is not all that there is to say of the coming hours: a load that comes back would leave less
    than the alarm's lead time before the credits end at the pace, or one that ended them a day ago may come later.
    """
    is_sooner = trend(situation) is not Trend.FALLING or comes_before_the_end(situation, lead_minutes)
    return is_sooner or bool(_absent(situation))


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
    in_part = what not in NOT_KNOWN and not last_day_is_complete(situation)
    if what and falls_again_and_again(situation):
        what = f"{what} {IN_PART_AND_AGAIN if in_part else AGAIN_AND_AGAIN}"
    elif what and in_part:
        what = f"{what} {LAST_DAY_IN_PART}"
    if not what and not last_day_is_complete(situation) and trend(situation) is not Trend.FALLING:
        what = LAST_DAY_IN_PART
    what = what or _absent(situation)
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
    return (
        "" if recurring is None or why_it_takes_another_part(recurring, situation) else comes_back(recurring, situation)
    )


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
    if what in NOT_KNOWN or not leaves_time(situation) or not needs_action(situation):
        return [wrapped(what)]
    return [wrapped(f"{what} {to_do_until_it_comes(situation, remedy)}")]


def remedy_of_before(situation: Situation, *, was_told: bool = True) -> str:
    """Where a mail without remedies has the reader choose one: in the mail about the last fall, where that `was_told`,
    and AWS may not have refused another throughput mode then, so that it had none.
    """
    changed = situation.changed_seen
    had_remedies = was_told and (changed is None or situation.time >= changed + LOCK + DAY)
    return f"a remedy from {'the mail about the last fall' if had_remedies else 'the runbook'}"


def to_do_until_it_comes(situation: Situation, remedy: str) -> str:
    """What there is to do about a load that is known to come back and to leave too little; empty where none is."""
    if not needs_action(situation):
        return ""
    # AWS refuses another mode until later than that, or the mail has none.
    less_load_alone = only_less_load(situation) or (refuses_changes(situation) and locks_remedies(situation))
    do = "move it or slow it down" if less_load_alone else f"choose {remedy}"
    # With less left than that, any load may end it before.
    if leaves_time(situation) and situation.minutes_left_at_permitted >= MINUTES_TO_ACT:
        return f"If no other load comes before, there is time until then to find what it is, or to {do}."
    return f"Find what that load is before it comes, or {do}."


def began_before_the_last_day(lasting: timedelta | None) -> bool:
    """Whether the load that set off an alarm came before all that is known: of that a calm day says nothing."""
    return lasting is not None and lasting > DAY


def _what_comes_back(situation: Situation, lead_minutes: int) -> str:
    recurring = worst_recurring_load(situation)
    unlimited = unlimited_load(situation, max(lead_minutes, ENOUGH_MINUTES))
    if unlimited is not None and (recurring is None or _is_worse(unlimited, recurring)):
        return unlimited_comes_back(unlimited, situation)
    if recurring is None or (not recurring.gone and minutes_it_leaves(recurring, situation) >= lead_minutes):
        hidden = hidden_load(situation)
        if hidden is not None:
            return _hidden(hidden, situation)
        # Of hours in another mode what was moved is known. While the balance falls a load is there.
        is_known = last_day_is_known(situation) or bool(loads_of_another_mode(situation))
        is_there = trend(situation) is Trend.FALLING or over_the_hole_bytes_per_second(situation) is not None
        if is_known or is_there:
            return ""
        return CALM_IN_ANOTHER_MODE if last_day_was_in_another_mode(situation) else LAST_DAY_UNKNOWN
    absent = _absent(situation) if leaves_enough(recurring, situation) else ""
    return absent or comes_back(recurring, situation)


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


def _hidden(hidden: HeldDown, situation: Situation) -> str:
    least, limit = was_there_bytes_per_second(hidden, situation)
    took = (
        f"clients took all of the {rates(least, limit)} that were there without credits: how much more they wanted is "
        f"in no metric."
    )
    if not hidden.is_whole:
        ended = clock(hidden.ended, situation.time)
        return f"From more than a day ago until about {ended} {took} That load may come again at any hour."
    day = day_of(hidden.began, situation.time)
    took = f"{day} from about {hidden.began:%H:%M} UTC to {hidden.ended:%H:%M} UTC {took}"
    if hidden.comes_at_any_hour:
        return f"{took} That load had taken credits since more than a day ago, and may come again at any hour."
    # More is earned by now than they got.
    spends = "spends" if is_no_faster(situation.baseline_bytes_per_second, limit) else "may spend"
    if hidden.since is not None:
        took += f" It had begun at about {hidden.since:%H:%M} UTC, in another throughput mode."
    again = clock(hidden.spends_from, situation.time)
    return f"{took} If that load comes again, it {spends} credits from about {again} on."


def _absent(situation: Situation) -> str:
    """The load of a day ago that would leave too little if it is only late; empty where none would."""
    absent = absent_load(situation)
    if absent is None or absent.left_bytes >= ENOUGH_MINUTES * situation.minute_bytes:
        return ""
    until = clock(absent.until, situation.time)
    if absent.slower_one_is_there:
        return (
            f"At this time a day ago a load was taking credits far faster than now, until about {until}, and ended "
            f"them. If it comes later today, less than {ENOUGH_MINUTES} minutes may be left after it."
        )
    return (
        f"At this time a day ago a load was taking credits, until about {until}. It is not there today: if it comes "
        f"later, less than {ENOUGH_MINUTES} minutes may be left after it."
    )


def _held(held: HeldByRate, situation: Situation) -> str:
    day = day_of(held.began, situation.time)
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
