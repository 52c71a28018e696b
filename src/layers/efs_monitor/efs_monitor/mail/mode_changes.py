"""The two changes of the throughput mode that a mail advises, each with its exact command, price and lock."""

from collections.abc import Sequence
from typing import NamedTuple

from efs_monitor.costs import prices
from efs_monitor.costs.mode_costs import (
    AN_HOUR,
    DAYS_A_MONTH,
    FAR_CHEAPER,
    elastic_day_dollars,
    elastic_dollars,
    elastic_dollars_of_the_day,
    provisioned_month_dollars,
)
from efs_monitor.efs.credits import MIB, earned_bytes_per_second
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.metering import SMALLEST_DATA_OPERATION_KIB, SMALLEST_METADATA_OPERATION_KIB
from efs_monitor.efs.observations import BUSIEST_MINUTES
from efs_monitor.incidents.falling_since import falling_since
from efs_monitor.incidents.mode_lock import is_locked
from efs_monitor.incidents.needed_throughput import (
    busiest_bytes_per_second,
    cut_off_share,
    elastic_cuts_off,
    elastic_is_faster,
    ends_as_elastic_does,
    highest_elastic_mib_per_second,
    highest_provisioned_mib_per_second,
    holds_down_what_is_not_known,
    is_covered,
    limit_reached_bytes_per_second,
    mib_per_second_to_provision,
    needed_mib_per_second,
    provisioning_helps,
    reached_the_limit,
    takes_less_than_is_there,
    was_cut_short,
    was_held_down,
    was_limited_at_work,
    young_load_bytes_per_second,
    young_load_minutes,
)
from efs_monitor.incidents.situation import AHEAD, DAY, STEP, Situation, Work, is_as_good_as_a_day
from efs_monitor.mail.known_day import WHOLE_DAY, known_span
from efs_monitor.mail.layout import INDENT, wrapped
from efs_monitor.mail.numbers import at_least, clock, money, observed_span, past_span, percent, rate, up_to
from efs_monitor.mail.stack_context import StackContext

LIST_PRICE = f"Price ({prices.REGION} list)"
LOCKS = " (locks the mode for 24 hours)"
# A step of a chat has no room for why AWS may refuse it, which stands above it.
IF_TAKEN = ", if AWS takes it"
PROVISIONED_LOCK = (
    "Limits: for 24 hours afterwards no change of mode and no decrease. No lock keeps anybody from an increase, which "
    "begins the 24 hours anew."
)
# What clients moved is metered a little below what was permitted, also where they took all of it.
REACHED = 0.99


class WayOut(NamedTuple):
    """A remedy: its name, the command that is it or finds it, and what a mail says before and behind the command; and
    what one says of it that comes after such a mail, its `price` above all.
    """

    name: str
    heading: str
    command: str = ""
    details: str = ""
    price: str = ""

    @property
    def paragraphs(self) -> list[str]:
        """The way out as a mail shows it."""
        return [self.heading, *([INDENT + self.command, self.details] if self.command else [])]

    @property
    def in_brief(self) -> list[str]:
        """The way out as a mail shows it after one that has said all of it."""
        if not self.command:
            return [self.heading]
        return [wrapped(f"{self.name}. {self.price}".rstrip(), INDENT).lstrip(), INDENT + self.command]


def elastic_command(file_system_id: str, stack: StackContext) -> str:
    """The command that takes the limit off at once, whatever the balance."""
    return stack.aws_command(f"efs update-file-system --file-system-id {file_system_id} --throughput-mode elastic")


def provisioned_command(file_system_id: str, mib_per_second: int | str, stack: StackContext) -> str:
    """The command that sets a fixed limit in place of the one that the size earns."""
    return stack.aws_command(
        f"efs update-file-system --file-system-id {file_system_id} --throughput-mode provisioned "
        f"--provisioned-throughput-in-mibps {mib_per_second}"
    )


def elastic(file_system_id: str, situation: Situation | None, stack: StackContext) -> WayOut:
    """The change to elastic throughput, with what a day like the last one costs as far as that is known; a sentence
    where it is no faster than what is there without credits.
    """
    if situation is not None and not elastic_is_faster(situation.file_system, situation.baseline_bytes_per_second):
        does_not_help = (
            f"Elastic throughput does not help here: {_where(situation, stack)} it ends at "
            f"{highest_elastic_mib_per_second(situation.file_system):,} MiB/s, and as much is there without credits."
        )
        return WayOut(name="Elastic throughput", heading=wrapped(does_not_help, INDENT).lstrip())
    if situation is not None and is_locked(situation):
        if_taken, works = IF_TAKEN, "If AWS takes it (see above): at once, at zero credits too."
    else:
        if_taken, works = "", "Works at once, at zero credits too, unless locked (see below)."
    cost = _elastic_cost(situation)
    return WayOut(
        name=f"Switch to elastic throughput{if_taken}{LOCKS}",
        heading=f"Switch to elastic throughput. {works}",
        command=elastic_command(file_system_id, stack),
        details=indented(
            *_cut_off_in_elastic(situation, stack),
            f"{LIST_PRICE}: {money(prices.ELASTIC_READ.dollars)} per GB read, "
            f"{money(prices.ELASTIC_WRITTEN.dollars)} per GB written.{_elastic_estimate(situation)}",
            "Limits: AWS allows one change of mode in 24 hours, so there is no way back for a day. Only file "
            "systems in General Purpose performance mode can do this.",
        ),
        price=" ".join([*_cut_off_in_elastic(situation, stack), *([f"{LIST_PRICE}: {cost}"] if cost else [])]),
    )


def provisioned(file_system_id: str, situation: Situation | None, stack: StackContext) -> WayOut:
    """The change to a provisioned rate that covers the load, or to a higher one; a sentence where AWS takes none."""
    is_raise = situation is not None and situation.file_system.mode is ThroughputMode.PROVISIONED
    name = "Provision more throughput" if is_raise else "Provision throughput"
    if is_raise:
        if_taken, when = "", "At once, locked or not."
    elif situation is not None and is_locked(situation):
        if_taken, when = IF_TAKEN, "If AWS takes it (see above): at once."
    else:
        if_taken, when = "", "At once, unless locked (see below)."
    heading = f"{name}: a fixed limit at a fixed price. {when}"
    price = f"{LIST_PRICE}: {money(prices.PROVISIONED.dollars)} per MiB/s-month above what the size earns"
    needed = None if situation is None else needed_mib_per_second(situation)
    if situation is not None and not provisioning_helps(situation, stack.region):
        return WayOut(name=name, heading=wrapped(_why_it_does_not_help(situation, stack), INDENT).lstrip())
    mib_per_second = None if situation is None else mib_per_second_to_provision(situation, stack.region)
    if situation is None or mib_per_second is None:
        amount = (
            "N is the MiB/s that the load needs: an earlier mail may name it, and which of the two is "
            "cheaper. It must be more than the size earns: "
            "50 MiB/s per TiB stored."
            if situation is None
            else _why_no_number(situation)
        )
        return WayOut(
            name=f"{name}, N in MiB/s{if_taken}{LOCKS}",
            heading=heading,
            command=provisioned_command(file_system_id, "N", stack),
            details=indented(amount, f"{price}.", PROVISIONED_LOCK),
            price=f"{amount} {price}.",
        )
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes)
    monthly_dollars = provisioned_month_dollars(situation.file_system, mib_per_second)
    price += (
        f" ({rate(earned_bytes)}): {money(monthly_dollars / DAYS_A_MONTH)} for the 24 hours of the lock, "
        f"{money(monthly_dollars)} a month for {mib_per_second:,} MiB/s."
    )
    why = (_why_this_much if needed else _why_as_with_credits)(situation, mib_per_second, stack)
    is_enough = needed is not None and needed <= mib_per_second
    return WayOut(
        name=f"{name}{if_taken}{LOCKS}",
        heading=heading,
        command=provisioned_command(file_system_id, mib_per_second, stack),
        details=indented(why, price, PROVISIONED_LOCK),
        price=f"{price} {_may_want_more(situation)}".rstrip() if is_enough else f"{why} {price}",
    )


def _cut_off_in_elastic(situation: Situation | None, stack: StackContext) -> list[str]:
    """The sentence that elastic throughput is slower than what credits permit, where it is."""
    if situation is None or not elastic_cuts_off(situation):
        return []
    permitted = up_to(rate(situation.reference_bytes_per_second), may_be_less=situation.may_be_capped)
    highest = highest_elastic_mib_per_second(situation.file_system)
    ends = f"It ends at {highest:,} MiB/s {_where(situation, stack)}: peaks above that are cut off."
    return [f"{ends} Credits permit {permitted}."]


def _elastic_estimate(situation: Situation | None) -> str:
    cost = _elastic_cost(situation)
    if not cost:
        return ""
    return (
        f" {cost} Each operation is counted as {SMALLEST_DATA_OPERATION_KIB} KiB or more, one on metadata as "
        f"{SMALLEST_METADATA_OPERATION_KIB} KiB or more."
    )


def _elastic_cost(situation: Situation | None) -> str:
    """What a day like the last one costs, as far as that is known."""
    day_dollars = None if situation is None else elastic_day_dollars(situation)
    if situation is None or day_dollars is None:
        return ""
    dollars = elastic_dollars_of_the_day(situation)
    limited = ", in part of which clients were limited," if was_limited_at_work(situation) else ""
    an_hour = _of_an_hour_as_now(situation, day_dollars)
    if was_held_down(situation):
        limited, an_hour = ", limited as they were,", _of_an_hour_at_full_speed(situation)
    known_minutes = situation.known_minutes_of_the_day
    if is_as_good_as_a_day(known_minutes):
        return (
            f"A day like {WHOLE_DAY}{limited} costs {at_least(dollars)}, which is for the time of the lock"
            f"{_since_it_fell(situation)}; a month of such days {money(dollars * DAYS_A_MONTH)}.{an_hour}"
        )
    return (
        f"What clients did in {known_span(known_minutes)}{limited} costs "
        f"{at_least(dollars)}; at that average the 24 hours of the lock cost {money(day_dollars)}"
        f"{_since_it_fell(situation)}; a month of such days {money(day_dollars * DAYS_A_MONTH)}.{an_hour}"
    )


def _of_an_hour_at_full_speed(situation: Situation) -> str:
    """What an hour of the same work costs without the limit that held it down, as fast as credits permit: a day at the
    limit of a small file system costs less than an hour of what its clients want. Empty where that rate is not known.
    """
    if situation.may_be_capped:
        return ""
    with_credits = situation.reference_bytes_per_second
    dollars = _hour_dollars(situation.last_day, with_credits)
    return f" At the {rate(with_credits)} that credits permit an hour of such work costs {money(dollars)}."


def _of_an_hour_as_now(situation: Situation, day_dollars: float) -> str:
    """What an hour costs of a load that is far more than the day had on average: a day that was calm before it costs
    less than an hour of it may. By what the last hour read and wrote. Empty where the balance does not fall.
    """
    drain = situation.drain_bytes_per_second
    since = situation.balances[-1].time - AN_HOUR
    lately = [one for one in situation.last_day if one.time >= since]
    if drain is None or drain <= 0 or not any(one.metered_bytes for one in lately):
        return ""
    metered = drain + earned_bytes_per_second(situation.file_system.standard_bytes)
    dollars = _hour_dollars(lately, metered)
    if dollars * (DAY / AN_HOUR) * FAR_CHEAPER < day_dollars:
        return ""
    lasting = past_span(situation.pace_minutes)
    return f" At the {rate(metered)} of {lasting} an hour of such work costs {money(dollars)}."


def _hour_dollars(work: Sequence[Work], metered_bytes_per_second: float) -> float:
    """What an hour costs at such a rate, of which as much is read, written and done beside as of some `work`."""
    metered_bytes = sum(one.metered_bytes for one in work)
    return elastic_dollars(work) * AN_HOUR.total_seconds() * metered_bytes_per_second / metered_bytes


def _since_it_fell(situation: Situation) -> str:
    """What that would have cost which was moved since the balance began to fall. Of the five minutes in which it began,
    by the share of them that is left: less was moved before.
    """
    fall = falling_since(situation)
    if fall is None or situation.time - fall.began >= AHEAD:
        return ""
    dollars = sum(
        min(1.0, (one.time + STEP - fall.began) / STEP) * elastic_dollars([one])
        for one in situation.last_day
        if one.time + STEP > fall.began
    )
    return (
        f"; what was moved since about {clock(fall.began, situation.time)}, when the balance began to fall, "
        f"{at_least(dollars)}"
    )


def _why_it_does_not_help(situation: Situation, stack: StackContext) -> str:
    if holds_down_what_is_not_known(situation):
        is_raise = situation.file_system.mode is ThroughputMode.PROVISIONED
        left_out = f"{'More of what is provisioned' if is_raise else 'Provisioned throughput'} is left out"
        return (
            f"{left_out}: {needed_mib_per_second(situation):,} MiB/s covers {_measured(situation)}, but most of the "
            f"last day is not known: that rate would hold down whatever takes credits, until it is raised."
        )
    highest = highest_provisioned_mib_per_second(situation.file_system, stack.region)
    is_too_little = needed_mib_per_second(situation) is not None and not is_covered(situation, stack.region)
    one_zone = situation.file_system.one_zone
    # Where elastic throughput ends there, too, a rate is left out for what is there without credits alone.
    but = "this load needs more" if is_too_little and not one_zone else "as much is there without credits"
    raised = "" if one_zone else " unless AWS Support has raised that quota,"
    return (
        f"Provisioned throughput does not help here: {_where(situation, stack)} it ends at {highest:,} MiB/s,{raised} "
        f"and {but}."
    )


def _where(situation: Situation, stack: StackContext) -> str:
    return f"in {'One Zone' if situation.file_system.one_zone else stack.region}"


def _is_the_most(situation: Situation, mib_per_second: int, stack: StackContext) -> str:
    """The sentence that AWS takes no higher rate."""
    raised = "" if situation.file_system.one_zone else ", unless its Support has raised that quota"
    return f"{mib_per_second:,} MiB/s is the most that AWS takes {_where(situation, stack)}{raised}."


def _why_no_number(situation: Situation) -> str:
    return (
        f"N is the MiB/s that the load needs, which {_why_unknown(situation)}. An N hardly above what is there without "
        f"credits would hold the load down until it is raised."
    )


def _why_as_with_credits(situation: Situation, mib_per_second: int, stack: StackContext) -> str:
    unknown = f"What the load needs {_why_unknown(situation)}."
    if not is_covered(situation, stack.region):
        return f"{unknown} {_is_the_most(situation, mib_per_second, stack)}"
    most = "the most that" if situation.may_be_capped else "what"
    return (
        f"{unknown} {mib_per_second:,} MiB/s is {most} it may have with credits: begin with that, and raise it where "
        f"clients want more."
    )


def _why_unknown(situation: Situation) -> str:
    busiest_bytes = busiest_bytes_per_second(situation)
    baseline = f"{rate(situation.baseline_bytes_per_second)} are there without credits"
    if busiest_bytes is None:
        return f"is not known; {baseline}"
    limited = ", in part of which they were limited" if was_cut_short(situation) else ""
    return (
        f"cannot be told from {_span(situation)}: clients got {rate(busiest_bytes)} in "
        f"{'it' if _are_few(situation) else 'its busiest five minutes'}{limited}, and {baseline}"
    )


def _why_this_much(situation: Situation, mib_per_second: int, stack: StackContext) -> str:
    measured = _measured(situation)
    limit = f"They {_at_the_limit(situation)}, which may have cut them off"
    if (needed_mib_per_second(situation) or 0) > mib_per_second:
        most = _is_the_most(situation, mib_per_second, stack)
        if is_covered(situation, stack.region):
            return f"{most} It covers {measured}. {limit}: they may want more than it."
        share = _cut_off(situation, mib_per_second)
        of_it = "" if share is None else f", {share} of what was metered then"
        as_in_elastic = ", as in elastic throughput" if ends_as_elastic_does(situation, mib_per_second) else ""
        return f"{most} It does not cover {measured}: what is above it is cut off{as_in_elastic}{of_it}."
    more = _may_want_more(situation) or "Peaks above it are cut off: they need a higher number."
    if reached_the_limit(situation):
        more = f"{limit}: so a quarter is added. {more}"
    half = mib_per_second // 2
    share = _cut_off(situation, half) if half * MIB > situation.baseline_bytes_per_second else None
    less = (
        ""
        if share is None
        else f" With half of it, {half:,} MiB/s, {share} of what was metered then would have been cut off."
    )
    return f"{mib_per_second:,} MiB/s covers {measured}. {more}{less}"


def _may_want_more(situation: Situation) -> str:
    """The sentence that a rate which covers what clients had may hold them down; empty where nothing limited them."""
    if situation.credits_are_gone and not takes_less_than_is_there(situation):
        return "Clients were limited since, and may want more: they need a higher number."
    if was_limited_at_work(situation):
        return "Clients were limited in part of that time, and may want more: they need a higher number."
    return ""


def _measured(situation: Situation) -> str:
    """The highest rate, with what it is of and beside what is there without credits."""
    return (
        f"{_busiest(situation)} ({rate(busiest_bytes_per_second(situation) or 0.0)} as metered; "
        f"{rate(situation.baseline_bytes_per_second)} is there without credits)"
    )


def _at_the_limit(situation: Situation) -> str:
    """How near the busiest minutes came to what was permitted, which five of them hardly ever are to the byte."""
    busiest_bytes, limit_now = busiest_bytes_per_second(situation) or 0.0, situation.reference_bytes_per_second
    limit_bytes = limit_reached_bytes_per_second(situation) or limit_now
    near = "reached" if busiest_bytes >= REACHED * limit_bytes else "came within 3 % of"
    if rate(limit_bytes) == rate(limit_now):
        return f"{near} the limit of {rate(limit_bytes)}"
    return f"{near} the limit of then, {rate(limit_bytes)} ({rate(limit_now)} now)"


def _cut_off(situation: Situation, mib_per_second: int) -> str | None:
    """The share of what was metered in the last day that such a rate would have cut off; None where too little of the
    day is known, or clients were limited in it: what they moved then says nothing of what a lower rate would cut off.
    """
    cut = cut_off_share(situation, mib_per_second)
    is_known = is_as_good_as_a_day(situation.known_minutes_of_the_day) and not was_limited_at_work(situation)
    return percent(cut) if is_known and cut is not None else None


def _span(situation: Situation) -> str:
    observed_minutes = 0 if situation.activity is None else situation.activity.observed_minutes
    if not observed_minutes or (situation.last_day and not _are_few(situation)):
        return known_span(situation.known_minutes_of_the_day)
    return observed_span(observed_minutes)


def _busiest(situation: Situation) -> str:
    """What the highest rate is of."""
    if young_load_bytes_per_second(situation) is not None:
        return f"the load of {past_span(young_load_minutes(situation))}"
    return f"{'' if _are_few(situation) else 'the busiest five minutes of '}{_span(situation)}"


def _are_few(situation: Situation) -> bool:
    """Whether CloudWatch has less than five minutes of what clients did: none of them is the busiest then."""
    observed_minutes = 0 if situation.activity is None else situation.activity.observed_minutes
    known_minutes = situation.known_minutes_of_the_day if situation.last_day else 0
    return 0 < max(observed_minutes, known_minutes) < BUSIEST_MINUTES


def indented(*sentences: str) -> str:
    """Each sentence on lines of its own, below the command that it is about."""
    return "\n".join(wrapped(sentence, INDENT) for sentence in sentences)
