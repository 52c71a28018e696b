"""Which ways out fit, and in which order: by what helps in the time that is left."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from efs_monitor.costs import prices
from efs_monitor.costs.mode_costs import (
    DAYS_A_MONTH,
    FAR_CHEAPER,
    elastic_day_dollars,
    elastic_dollars_of_the_day,
    provisioned_month_dollars,
)
from efs_monitor.efs.credits import SECONDS_PER_MINUTE, earned_bytes_per_second
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.mode_lock import LockingChange, is_locked, locks_remedies, refuses_changes
from efs_monitor.incidents.needed_throughput import (
    a_mode_is_faster,
    elastic_cuts_off,
    elastic_helps,
    ends_as_elastic_does,
    is_covered,
    mib_per_second_to_provision,
    needs_no_credits,
    provisioning_helps,
    was_held_down,
    was_limited_at_work,
)
from efs_monitor.incidents.recurring_load import ENOUGH_MINUTES, FEWEST_POINTS, worst_recurring_load
from efs_monitor.incidents.situation import DAY, STEP, Situation
from efs_monitor.incidents.sooner_end import comes_before_the_end
from efs_monitor.mail.chat import ChatStep
from efs_monitor.mail.coming_day import MINUTES_TO_ACT, needs_action
from efs_monitor.mail.layout import SHORT_CHARACTERS, wrapped
from efs_monitor.mail.mode_changes import WayOut, elastic, indented, provisioned
from efs_monitor.mail.mode_refusals import WHERE_LOCKED, locked, why_locked, why_locked_as_seen
from efs_monitor.mail.numbers import clock, money, rate
from efs_monitor.mail.outlook import (
    LONGEST_FORECAST_MINUTES,
    Trend,
    trend,
    what_ends_the_limit,
)
from efs_monitor.mail.stack_context import StackContext

# With less time than this for what is free, a mail is read when it is over.
LEAST_MINUTES_FOR_LESS_LOAD = 5
# With less of the day, its average tells neither what a whole one costs nor what the load takes in the rest of it: a
# rate that is too low holds it down, and elastic throughput does not. As little says nothing of a load that comes back.
FEWEST_MINUTES_OF_A_PRICE = FEWEST_POINTS * STEP // MINUTE

WHY_DEARER_FIRST = (
    "Elastic throughput comes before the rate, which at that average is far cheaper: CloudWatch has less than half of "
    "the last day, and the rest may have needed more."
)
TAKES_LESS = "clients took less than is there without credits all day"
NOT_IN_MAX_IO = "Elastic throughput is left out: the file system is in Max I/O performance mode, which rules it out."


def in_short(what: str, then: str, situation: Situation, region: str) -> str:
    """A message for a phone: `what` is so, what comes `then`, and the way out. What comes then is left out where the
    way out would not fit behind it.
    """
    way = way_out(situation, region)
    whole = f"{what}{then}. {way}"
    return whole if len(whole) <= SHORT_CHARACTERS else f"{what}. {way}"


def way_out(situation: Situation, region: str) -> str:
    """What helps, as a sentence with no room for more: what the mail advises first, and the change of mode behind it
    where there is time for less load; or why no change of mode is advised.
    """
    if why := _why_not_now(situation):
        return f"No change of mode now: {why}."
    if not a_mode_is_faster(situation, region):
        return "Way out: less load."
    if refuses_changes(situation) and not _is_raise_first(situation, region):
        return "Way out: less load, the mode is locked."
    if locks_remedies(situation):
        return "Way out: less load, the mode may be locked."
    provisioned_first = situation.file_system.max_io or _is_provisioned_first(situation, region)
    throughput = f"{'provisioned' if provisioned_first else 'elastic'} throughput"
    return f"Way out: less load, or {throughput}." if _has_time(situation) else f"Way out: {throughput}."


def way_out_of_zero(situation: Situation, lead_minutes: int, region: str) -> str:
    """What has to happen before credits come back by themselves, or when they will; and what helps at once."""
    stays = what_ends_the_limit(situation, lead_minutes)
    if trend(situation) is Trend.RISING:
        return stays
    if not _why_not_now(situation) and _is_raise_first(situation, region) and is_covered(situation, region):
        return f"{stays} Remedy 1 below lifts the limit at once, locked or not."
    elastic_lifts = elastic_helps(situation) and not elastic_cuts_off(situation)
    is_refused = _is_raise_first(situation, region) or is_locked(situation)
    if _why_not_now(situation) or not elastic_lifts or is_refused:
        return f"{stays} What helps is below."
    return f"{stays} Remedy 1 below lifts the limit at once, unless the mode is locked."


def remedies(
    in_order: Sequence[WayOut], situation: Situation, stack: StackContext, *, in_brief: bool = False
) -> list[str]:
    """Paragraphs: a heading, then each of the remedies that fit, which are `ways_out` of the situation.

    With an hour or more left what is free and locks nothing comes first, with until when; with less what
    helps at once. Of the two that do, elastic unless it is far dearer, or more can be provisioned, locked or not. Each
    `in_brief` where an earlier mail has all that there is to know of it.
    """
    numbered = _numbered([one.in_brief if in_brief else one.paragraphs for one in in_order])
    if (reason := _not_now(situation)) is not None:
        return ["WHAT TO DO", *numbered, wrapped(reason)]
    left_out = [wrapped(NOT_IN_MAX_IO)] if situation.file_system.max_io else []
    if not a_mode_is_faster(situation, stack.region):
        return ["WHAT TO DO", *numbered, *left_out]
    if _is_dearer_first(situation, stack.region):
        left_out = [wrapped(WHY_DEARER_FIRST)]
    if why := why_locked(situation):
        in_aws_words = [] if refuses_changes(situation) else [WHERE_LOCKED]
        return ["WHAT TO DO", wrapped(why), *numbered, *left_out, *in_aws_words]
    if not _has_time(situation):
        return ["WHAT TO DO, fastest first", *numbered, *left_out, WHERE_LOCKED]
    until = f"{_until_when(situation)}{' After that begin with 2.' if in_order[1].command else ''}"
    return ["WHAT TO DO, what is free first", wrapped(until), *numbered, *left_out, WHERE_LOCKED]


def ways_out(file_system_id: str, situation: Situation, stack: StackContext) -> list[WayOut]:
    """The remedies that fit the situation, in the order in which to try them.

    Without what AWS would refuse for certain, where another mode would be faster at all: a command that fails costs
    minutes that nobody has.
    """
    if _not_now(situation) is not None:
        return [_less_load(situation)]
    is_alone = not a_mode_is_faster(situation, stack.region)
    to_elastic, to_a_rate = elastic(file_system_id, situation, stack), provisioned(file_system_id, situation, stack)
    changes_of_mode = [to_elastic, to_a_rate]
    if refuses_changes(situation) and not is_alone:
        changes_of_mode = [to_a_rate] if situation.file_system.mode is ThroughputMode.PROVISIONED else []
    elif situation.file_system.max_io:
        changes_of_mode = [to_a_rate]
    elif _is_provisioned_first(situation, stack.region):
        changes_of_mode.reverse()
    less_load_first = is_alone or locks_remedies(situation) or _has_time(situation)
    less_load = _less_load(situation)
    return [less_load, *changes_of_mode] if less_load_first else [*changes_of_mode, less_load]


class RemediesWithoutFigures(NamedTuple):
    """What helps where no figures could be read at `time`: all that may, but for what AWS refuses after a change of the
    throughput mode that the monitor has `seen`, as far as it has.
    """

    file_system_id: str
    stack: StackContext
    time: datetime
    seen: LockingChange | None

    @property
    def why_locked(self) -> str:
        """Until when AWS refuses another mode, and what follows; empty where nothing is known of that."""
        return "" if self.seen is None else why_locked_as_seen(self.seen, self.time)

    @property
    def way_out(self) -> str:
        """What helps, as a sentence with no room for more."""
        if self.seen is None:
            return "Fastest way out: elastic throughput."
        is_refused = self.seen.is_refused_at(self.time)
        return f"Way out: less load, the mode {'is' if is_refused else 'may be'} locked."

    @property
    def paragraphs(self) -> list[str]:
        """A heading, then each remedy, the fastest first; less load where another mode may be refused."""
        numbered = _numbered([one.paragraphs for one in self._ways_out()])
        if self.seen is None:
            return ["WHAT TO DO, fastest first", *numbered, WHERE_LOCKED]
        in_aws_words = [] if self.seen.is_refused_at(self.time) else [WHERE_LOCKED]
        return ["WHAT TO DO", wrapped(self.why_locked), *numbered, *in_aws_words]

    @property
    def steps(self) -> list[ChatStep]:
        """The remedies for a chat."""
        return steps(self._ways_out())

    def _ways_out(self) -> list[WayOut]:
        if self.seen is not None and self.seen.is_refused_at(self.time):
            return [_less_load(None)]
        modes = [
            elastic(self.file_system_id, None, self.stack),
            provisioned(self.file_system_id, None, self.stack),
        ]
        return [*modes, _less_load(None)] if self.seen is None else [_less_load(None), *modes]


def steps(in_order: Sequence[WayOut]) -> list[ChatStep]:
    """The ways out for a chat: each with its command, and without what the mail says of it."""
    return [ChatStep(words=one.name, command=one.command) for one in in_order if one.command]


def lock_without_remedies(situation: Situation) -> str:
    """From when on another mode is possible, for a mail without remedies, where somebody may need one."""
    return locked(situation) if needs_action(situation) else ""


def _numbered(paragraphs: Sequence[Sequence[str]]) -> list[str]:
    return [line for number, (first, *rest) in enumerate(paragraphs, 1) for line in (f"{number}. {first}", *rest)]


def _has_time(situation: Situation) -> bool:
    """Whether it is an hour or more until zero, as it goes or else as hard as it may be driven."""
    as_it_goes, _ = _end_as_it_goes(situation)
    minutes = situation.minutes_until_end_at_permitted if as_it_goes is None else as_it_goes
    return not situation.credits_are_gone and (minutes is None or minutes >= ENOUGH_MINUTES)


def _end_as_it_goes(situation: Situation) -> tuple[float | None, str]:
    """In how many minutes the credits end, None where they do not, and how it goes then: at the pace of now, or where a
    load that comes back ends them long before, or leaves next to nothing, or one that has just begun may end them, with
    that; so too where clients are idle, who take nothing before it comes.
    """
    if (sooner := situation.may_end_before_a_pace) is not None:
        return max(0.0, (sooner - situation.time).total_seconds() / SECONDS_PER_MINUTE), "if the last minute goes on"
    recurring = worst_recurring_load(situation)
    if recurring is not None and recurring.gone and _recurring_load_is_next(situation):
        seconds = (recurring.low_from - situation.time).total_seconds()
        return seconds / SECONDS_PER_MINUTE, "if the load above comes again"
    return situation.minutes_left_at_net, "at the pace of now"


def _recurring_load_is_next(situation: Situation) -> bool:
    """Whether nothing ends the credits before a load that comes back, and the mail tells of that load."""
    if situation.gone_again_and_again_within is not None:
        return False
    is_at_rest = _clients_are_idle(situation) and trend(situation) is not Trend.FALLING
    return is_at_rest or comes_before_the_end(situation)


def _until_when(situation: Situation) -> str:
    """Until when what is free may come first, so that something faster can still be done before the end; and how soon
    that is should the load grow, because no further mail may come of a fall that was told.
    """
    end_minutes, so = _end_as_it_goes(situation)
    as_it_goes = _time_to_act(situation, end_minutes)
    minutes = situation.minutes_until_end_at_permitted
    at_full_speed = _time_to_act(situation, minutes)
    speed = f"if driven at {rate(situation.reference_bytes_per_second)} without a pause"
    if minutes is not None and minutes < MINUTES_TO_ACT + LEAST_MINUTES_FOR_LESS_LOAD:
        return f"There is time for that{as_it_goes} {so}, and none {speed}."
    if not as_it_goes:
        return f"There is time for that{at_full_speed}{f' {speed}' if at_full_speed else ''}."
    if not at_full_speed:
        return f"There is time for that{as_it_goes} {so}."
    if at_full_speed == as_it_goes:
        return f"There is time for that{at_full_speed}, {so} and {speed}."
    return f"There is time for that{as_it_goes} {so},{at_full_speed} {speed}."


def _time_to_act(situation: Situation, minutes: float | None) -> str:
    if minutes is None or minutes >= LONGEST_FORECAST_MINUTES:
        return ""
    return f" until {clock(situation.time + timedelta(minutes=minutes - MINUTES_TO_ACT), situation.time)}"


def _why_not_now(situation: Situation) -> str:
    """Why no change of the mode is advised, where nobody is limited, nothing falls, and nothing is known to come back,
    or where credits fall that nobody needs; empty where one is. At the limit the balance may be above zero for a
    minute: who moves nothing is not limited. Where next to nothing is earned, whoever comes next is limited all the
    same, however long that takes.
    """
    if _feels_no_end_of_credits(situation):
        return TAKES_LESS
    is_idle = _clients_are_idle(situation)
    are_gone = situation.credits_are_gone and (situation.earns_next_to_nothing or not is_idle)
    if are_gone or needs_action(situation) or situation.may_end_before_a_pace:
        return ""
    if trend(situation) is Trend.RISING:
        return "the balance is rising"
    if is_idle and trend(situation) in {Trend.FLAT, Trend.UNKNOWN}:
        return "clients are idle"
    if trend(situation) is Trend.UNKNOWN and _takes_less_than_is_earned(situation):
        return "clients take less than is earned"
    return ""


def _feels_no_end_of_credits(situation: Situation) -> bool:
    """Whether the credits fall under a load that needs none, and no other, of which nobody knows the rate, ended them
    a week ago.
    """
    if trend(situation) is not Trend.FALLING or not needs_no_credits(situation):
        return False
    recurring = worst_recurring_load(situation)
    return recurring is None or not recurring.gone or recurring.back <= DAY


def _clients_are_idle(situation: Situation) -> bool:
    """Whether they moved no byte in what is known of the last hour."""
    activity = situation.activity
    return activity is not None and activity.observed_minutes > 0 and activity.shares() is None


def _not_now(situation: Situation) -> str | None:
    """The sentence that says why no change of the mode is advised; None where one is."""
    why = _why_not_now(situation)
    if not why:
        return None
    is_raise = situation.file_system.mode is ThroughputMode.PROVISIONED
    if situation.file_system.max_io:
        alone = "A higher provisioned rate" if is_raise else "Provisioned throughput"
        left_out, it, them = f"{alone} is left out: {why}", "it", "it"
    else:
        both = "Elastic throughput and a higher provisioned rate" if is_raise else "Elastic and provisioned throughput"
        left_out, it, them = f"{both} are left out: {why}", "either", "them"
    more = "more load" if why == TAKES_LESS else "a falling balance"
    later, until = f"A mail about {more} has {them}", locked(situation)
    # A higher rate is taken at any time.
    if refuses_changes(situation) and not is_raise:
        return f"{left_out}. {until} {later} from then on."
    if until:
        return f"{left_out}. {later}. {until}"
    return f"{left_out}, and {it} would lock the throughput mode for 24 hours. {later}."


def _takes_less_than_is_earned(situation: Situation) -> bool:
    activity = situation.activity
    if activity is None or activity.observed_minutes == 0:
        return False
    return activity.metered_bytes_per_second < earned_bytes_per_second(situation.file_system.standard_bytes)


def _is_half_a_day_known(situation: Situation) -> bool:
    return situation.known_minutes_of_the_day >= FEWEST_MINUTES_OF_A_PRICE


def _is_provisioned_far_cheaper(situation: Situation, region: str) -> bool:
    """Whether a rate that is enough for what is known of the last 24 hours, or as fast as elastic throughput ever is,
    costs in the 24 of the lock less than half of what elastic throughput does, as the mail says it: at the average of
    what is known.

    Of a load that was held down that is the least that it would cost, so there a rate may cost up to twice as much as
    that; of one that was limited in part of the day, as much.
    """
    rate_dollars = _rate_day_dollars(situation, region)
    share = FAR_CHEAPER
    if was_limited_at_work(situation):
        share = 1 / FAR_CHEAPER if was_held_down(situation) else 1
    return rate_dollars is not None and rate_dollars < share * (elastic_day_dollars(situation) or 0.0)


def _is_cheaper_than_what_is_known(situation: Situation, region: str) -> bool:
    """Whether such a rate costs in the 24 hours of the lock less than half of what the work that is known, and nothing
    beside it, costs in elastic throughput. The rest of the day may have needed more: then the rate is raised, which AWS
    takes at any time, and elastic throughput would have cost more as well.
    """
    rate_dollars = _rate_day_dollars(situation, region)
    return rate_dollars is not None and rate_dollars < FAR_CHEAPER * elastic_dollars_of_the_day(situation)


def _rate_day_dollars(situation: Situation, region: str) -> float | None:
    """What a rate costs in 24 hours that is enough for what is known of the last 24, or as fast as elastic throughput
    ever is; None where AWS takes no such rate, or it is left out.
    """
    mib_per_second = mib_per_second_to_provision(situation, region)
    if mib_per_second is None or not provisioning_helps(situation, region):
        return None
    if not is_covered(situation, region) and not ends_as_elastic_does(situation, mib_per_second):
        return None
    return provisioned_month_dollars(situation.file_system, mib_per_second) / DAYS_A_MONTH


def _is_dearer_first(situation: Situation, region: str) -> bool:
    """Whether elastic throughput comes first though a rate for what is known of the day would be far cheaper."""
    if situation.file_system.max_io or refuses_changes(situation) or _is_provisioned_first(situation, region):
        return False
    return _is_provisioned_far_cheaper(situation, region)


def _is_provisioned_first(situation: Situation, region: str) -> bool:
    """Whether it is far cheaper by half a day at least, or by less that alone would cost far more, or where elastic
    throughput is no faster whatever the load needs; or the only one of the two that no lock can refuse.
    """
    if _is_raise_first(situation, region) or _is_cheaper_than_what_is_known(situation, region):
        return True
    mib_per_second = mib_per_second_to_provision(situation, region)
    is_as_fast = mib_per_second is not None and ends_as_elastic_does(situation, mib_per_second)
    return (is_as_fast or _is_half_a_day_known(situation)) and _is_provisioned_far_cheaper(situation, region)


def _is_raise_first(situation: Situation, region: str) -> bool:
    """Whether more of what is provisioned comes first. AWS takes that at any time, and may refuse another mode: nobody
    knows whether the present one, or its rate, is older than a day, unless the metrics show when it began.
    """
    is_raise = situation.file_system.mode is ThroughputMode.PROVISIONED
    return is_raise and provisioning_helps(situation, region)


def _less_load(situation: Situation | None) -> WayOut:
    in_standard = " in Standard storage" if situation is not None and situation.file_system.is_mostly_cold else ""
    brings_nothing = (
        " Less load brings no credits back at this size: what is stored earns next to nothing."
        if situation is not None and situation.earns_next_to_nothing
        else ""
    )
    return WayOut(
        name="Slow down, pause or move the load; find it on each client",
        heading="Slow down, pause or move the load. Free. To find it, run this on each client:",
        command="nfsiostat 5 3",
        price=f"Free.{brings_nothing}",
        details=indented(
            "The client with the most kB/s or ops/s on this file system is the one; the first of its three reports "
            "counts since the mount and tells nothing of now. Pause its job, or let it work on another disk."
            f"{brings_nothing}",
            f"Storing more data is no way out once credits are nearly gone: the size is metered about once an hour, "
            f"and a whole TiB more{in_standard} earns only 50 MiB/s ({money(prices.STANDARD_STORAGE.dollars)} per "
            f"GB-month, {prices.REGION} list, less in One Zone).",
        ),
    )
