"""The ways out that fit, in the order of what helps in the time that is left, each with its exact command, price and
lock.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from efs_monitor.efs.credits import GIB, MIB, earned_bytes_per_second
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.metering import SMALLEST_DATA_OPERATION_KIB, SMALLEST_METADATA_OPERATION_KIB
from efs_monitor.efs.observations import BUSIEST_MINUTES
from efs_monitor.incidents.comeback import AHEAD, ENOUGH_MINUTES, fall_under_way
from efs_monitor.incidents.mode_lock import locks_remedies, seems_changed
from efs_monitor.incidents.situation import STEP, Situation, Work
from efs_monitor.mail import prices
from efs_monitor.mail.chat import ChatStep
from efs_monitor.mail.layout import wrapped
from efs_monitor.mail.numbers import MINUTES_PER_DAY, clock, counted, money, observed_span, percent, rate
from efs_monitor.mail.outlook import (
    LONGEST_FORECAST_MINUTES,
    Trend,
    credits_are_gone,
    full_speed,
    locked,
    needs_action,
    trend,
)
from efs_monitor.mail.stack_context import StackContext

LIST_PRICE = f"Price ({prices.REGION} list)"
DAYS_A_MONTH = prices.HOURS_PER_MONTH / 24
# What may be provisioned by the quotas that an account has at first, as metered
# (https://docs.aws.amazon.com/efs/latest/ug/limits.html): 3.33 GiB/s in four Regions, 1 GiB/s elsewhere; and 1 GiB/s
# for a One Zone file system anywhere (https://docs.aws.amazon.com/efs/latest/ug/performance.html).
HIGHEST_PROVISIONED_MIB_PER_SECOND = {"us-east-1": 3414, "us-east-2": 3414, "us-west-2": 3414, "eu-west-1": 3414}
HIGHEST_PROVISIONED_ELSEWHERE_MIB_PER_SECOND = 1024
# What clients get without credits is metered as a little more than they are permitted now and then.
HELD_DOWN = 1.1

# A peak at the limit may have been higher without it: nobody knows how much, so a quarter is added. One that is far
# above it was moved in another mode.
AT_THE_LIMIT, ABOVE_THE_LIMIT, HEADROOM = 0.97, 1.03, 1.25
# Both work at once. Elastic needs no number that may be too low, so it stays first for a little more.
FAR_CHEAPER = 0.5

# What it takes to choose another mode and to change it.
MINUTES_TO_ACT = 20
# The last digits of a floating-point number: nobody provisions a MiB/s for them.
ROUNDING = 1e-9

MINUTE = timedelta(minutes=1)

# The newest few minutes of a day are always on their way.
AS_GOOD_AS_A_DAY_MINUTES = 23 * 60

INDENT = "   "
LOCKS = " (locks the mode for 24 hours)"
NOT_IN_MAX_IO = "Elastic throughput is left out: the file system is in Max I/O performance mode, which rules it out."
# AWS's own words, in which it refuses a change too early.
REFUSAL = "You have reached the maximum number of throughput mode changes or provisioned throughput value decreases."
WHERE_LOCKED = wrapped(
    f'Locked: should AWS answer "{REFUSAL} Wait until ...", the mode was changed less than 24 hours ago: until the '
    f"time that it names only less load helps, or more of what is provisioned already."
)

PROVISIONED_LOCK = "Limits: for 24 hours afterwards no change of mode and no decrease. An increase is always possible."
RAISE_LOCK = (
    "Limits: an increase is always possible, and locks nothing. Another mode, or a decrease, only 24 hours after the "
    "last of these two."
)
# The others stay: what AWS refuses does no harm, and it may not be so.
LOCKED_ORDER = "That is why less load comes first; a command that is refused changes nothing."


@dataclass(frozen=True, kw_only=True)
class WayOut:
    """A remedy: its name, the command that is it or finds it, and what a mail says before and behind the command."""

    name: str
    heading: str
    command: str = ""
    details: str = ""

    @property
    def paragraphs(self) -> list[str]:
        """The way out as a mail shows it."""
        return [self.heading, *([INDENT + self.command, self.details] if self.command else [])]


def elastic_command(file_system_id: str, stack: StackContext) -> str:
    """The command that takes the limit off at once, whatever the balance."""
    return stack.aws_command(f"efs update-file-system --file-system-id {file_system_id} --throughput-mode elastic")


def provisioned_command(file_system_id: str, mib_per_second: int | str, stack: StackContext) -> str:
    """The command that sets a fixed limit in place of the one that the size earns."""
    return stack.aws_command(
        f"efs update-file-system --file-system-id {file_system_id} --throughput-mode provisioned "
        f"--provisioned-throughput-in-mibps {mib_per_second}"
    )


def highest_provisioned_mib_per_second(file_system: FileSystem, region: str) -> int:
    """Up to where AWS takes the command, unless its Support has raised that."""
    if file_system.one_zone:
        return HIGHEST_PROVISIONED_ELSEWHERE_MIB_PER_SECOND
    return HIGHEST_PROVISIONED_MIB_PER_SECOND.get(region, HIGHEST_PROVISIONED_ELSEWHERE_MIB_PER_SECOND)


def fastest_way_out(situation: Situation, region: str) -> str:
    """What takes the limit off at once, for a message with no room for more."""
    if locks_remedies(situation):
        return "less load, the mode may be locked"
    provisioned_first = situation.file_system.max_io or _is_provisioned_first(situation, region)
    return f"{'provisioned' if provisioned_first else 'elastic'} throughput"


def remedies(file_system_id: str, situation: Situation | None, stack: StackContext) -> list[str]:
    """Paragraphs: a heading, then each remedy that fits. Without a `situation` they need no figures.

    With an hour or more left what is free and locks nothing comes first, with until when; with less what
     helps at once. Of the two that do, elastic unless it is far dearer.
    """
    in_order = ways_out(file_system_id, situation, stack)
    if situation is None:
        return ["WHAT TO DO, fastest first", *_numbered(in_order), WHERE_LOCKED]
    if (reason := _not_now(situation)) is not None:
        return ["WHAT TO DO", *_numbered(in_order), wrapped(reason)]
    left_out = [wrapped(NOT_IN_MAX_IO)] if situation.file_system.max_io else []
    if why := why_locked(situation):
        return ["WHAT TO DO", wrapped(why), *_numbered(in_order), *left_out, WHERE_LOCKED]
    if not _has_time(situation):
        return ["WHAT TO DO, fastest first", *_numbered(in_order), *left_out, WHERE_LOCKED]
    until = f"{_until_when(situation)}{' After that begin with 2.' if in_order[1].command else ''}"
    return ["WHAT TO DO, what is free first", wrapped(until), *_numbered(in_order), *left_out, WHERE_LOCKED]


def ways_out(file_system_id: str, situation: Situation | None, stack: StackContext) -> list[WayOut]:
    """The remedies that fit the situation, in the order in which to try them; without one, all of them."""
    elastic, provisioned = _elastic(file_system_id, situation, stack), _provisioned(file_system_id, situation, stack)
    if situation is None:
        return [elastic, provisioned, _less_load()]
    if _not_now(situation) is not None:
        return [_less_load()]
    changes_of_mode = [elastic, provisioned]
    if situation.file_system.max_io:
        changes_of_mode = [provisioned]
    elif _is_provisioned_first(situation, stack.region):
        changes_of_mode.reverse()
    less_load_first = locks_remedies(situation) or _has_time(situation)
    return [_less_load(), *changes_of_mode] if less_load_first else [*changes_of_mode, _less_load()]


def steps(file_system_id: str, situation: Situation | None, stack: StackContext) -> list[ChatStep]:
    """The ways out for a chat: each with its command, and without what the mail says of it."""
    in_order = ways_out(file_system_id, situation, stack)
    return [ChatStep(words=one.name, command=one.command) for one in in_order if one.command]


def why_locked(situation: Situation) -> str:
    """Why less load comes first where the mode may be locked; empty where nothing speaks for that."""
    until = locked(situation)
    return f"{until} {LOCKED_ORDER}" if locks_remedies(situation) else until


def _numbered(found: list[WayOut]) -> list[str]:
    paragraphs = [one.paragraphs for one in found]
    return [line for number, (first, *rest) in enumerate(paragraphs, 1) for line in (f"{number}. {first}", *rest)]


def _has_time(situation: Situation) -> bool:
    """Whether it is an hour or more until zero, at the pace as it is or else as hard as it may be driven."""
    at_the_pace = situation.minutes_left_at_net
    minutes = situation.minutes_until_end_at_permitted if at_the_pace is None else at_the_pace
    return not credits_are_gone(situation) and (minutes is None or minutes >= ENOUGH_MINUTES)


def _until_when(situation: Situation) -> str:
    """Until when what is free may come first, so that something faster can still be done before the end; and how soon
    that is should the load grow, because no further mail may come of a fall that was told.
    """
    at_the_pace = _time_to_act(situation, situation.minutes_left_at_net)
    minutes = situation.minutes_until_end_at_permitted
    at_full_speed = _time_to_act(situation, minutes)
    speed = f"at {full_speed(situation)}"
    if minutes is not None and minutes < MINUTES_TO_ACT:
        return f"There is time for that{at_the_pace} at the pace of now, and none {speed}."
    if not at_the_pace:
        return f"There is time for that{at_full_speed}{f' {speed}' if at_full_speed else ''}."
    if not at_full_speed:
        return f"There is time for that{at_the_pace} at the pace of now."
    if at_full_speed == at_the_pace:
        return f"There is time for that{at_full_speed}, at the pace of now and {speed}."
    return f"There is time for that{at_the_pace} at the pace of now,{at_full_speed} {speed}."


def _time_to_act(situation: Situation, minutes: float | None) -> str:
    if minutes is None or minutes >= LONGEST_FORECAST_MINUTES:
        return ""
    return f" until {clock(situation.time + timedelta(minutes=minutes - MINUTES_TO_ACT), situation.time)}"


def _not_now(situation: Situation) -> str | None:
    """Why no change of the mode is advised, where nothing is limited, falling, or known to come back."""
    if credits_are_gone(situation) or needs_action(situation):
        return None
    activity = situation.activity
    is_idle = activity is not None and activity.observed_minutes > 0 and activity.shares() is None
    if trend(situation) is Trend.RISING:
        why = "the balance is rising"
    elif is_idle and trend(situation) in {Trend.FLAT, Trend.UNKNOWN}:
        why = "clients are idle"
    elif trend(situation) is Trend.UNKNOWN and _takes_less_than_is_earned(situation):
        why = "clients take less than is earned"
    else:
        return None
    left_out = f"Elastic and provisioned throughput are left out: {why}"
    later = "A mail about a falling balance has them."
    if until := locked(situation):
        return f"{left_out}. {later} {until}"
    return f"{left_out}, and either would lock the throughput mode for 24 hours. {later}"


def _takes_less_than_is_earned(situation: Situation) -> bool:
    activity = situation.activity
    if activity is None or activity.observed_minutes == 0:
        return False
    return activity.metered_bytes_per_second < earned_bytes_per_second(situation.file_system.standard_bytes)


def busiest_bytes_per_second(situation: Situation) -> float | None:
    """The metered rate of the busiest five minutes of the last 24 hours, or as much of them as is known."""
    hour = [one for one in (situation.activity,) if one is not None and one.observed_minutes > 0]
    of_the_hour = [one.busiest_bytes_per_second for one in hour]
    rates = [*of_the_hour, *(one.metered_bytes / STEP.total_seconds() for one in situation.last_day)]
    return max(rates, default=None)


def reached_the_limit(situation: Situation) -> bool:
    """Whether the busiest minutes were as fast as credits permit, so that they may have been cut off."""
    busiest_bytes, limit_bytes = busiest_bytes_per_second(situation), situation.reference_bytes_per_second
    return busiest_bytes is not None and AT_THE_LIMIT <= busiest_bytes / limit_bytes <= ABOVE_THE_LIMIT


def needed_mib_per_second(situation: Situation) -> int | None:
    """What the load needs: the metered rate of its busiest five minutes of the last 24 hours, rounded up, and a quarter
    more where they reached the limit.

    None where they do not tell. Provisioned throughput cannot be taken back for a day, so a number that is no
    more than what is there without credits would hold down the load that comes back; and a load that is held down
    already shows no more than that.
    """
    busiest_bytes = busiest_bytes_per_second(situation)
    if busiest_bytes is None:
        return None
    there_bytes = situation.baseline_bytes_per_second
    if credits_are_gone(situation):
        there_bytes *= HELD_DOWN
    headroom = HEADROOM if reached_the_limit(situation) else 1
    return covering_mib_per_second(headroom * busiest_bytes) if busiest_bytes > there_bytes else None


def covering_mib_per_second(busiest_bytes_per_second: float) -> int:
    """The lowest rate to provision that covers so much."""
    return ceil(busiest_bytes_per_second / MIB * (1 - ROUNDING))


def _elastic(file_system_id: str, situation: Situation | None, stack: StackContext) -> WayOut:
    return WayOut(
        name=f"Switch to elastic throughput{LOCKS}",
        heading="Switch to elastic throughput. Works at once, at zero credits too, unless locked (see below).",
        command=elastic_command(file_system_id, stack),
        details=_lines(
            f"{LIST_PRICE}: {money(prices.ELASTIC_READ.dollars)} per GB read, "
            f"{money(prices.ELASTIC_WRITTEN.dollars)} per GB written.{_elastic_estimate(situation)}",
            "Limits: AWS allows one change of mode in 24 hours, so there is no way back for a day. Only file "
            "systems in General Purpose performance mode can do this.",
        ),
    )


def elastic_dollars(work: Iterable[Work]) -> float:
    """What so much work costs at least in elastic mode, small operations billed as what they count as."""
    smallest_data, smallest_metadata = (
        kib * 1024 for kib in (SMALLEST_DATA_OPERATION_KIB, SMALLEST_METADATA_OPERATION_KIB)
    )
    return sum(
        (
            (
                max(one.read_bytes, one.reads * smallest_data)
                # Metadata counts as read, which is cheaper.
                + max(one.metadata_bytes, one.metadata_operations * smallest_metadata)
            )
            * prices.ELASTIC_READ.dollars
            + max(one.written_bytes, one.writes * smallest_data) * prices.ELASTIC_WRITTEN.dollars
        )
        / GIB
        for one in work
    )


def _elastic_day_dollars(situation: Situation) -> float | None:
    """What the 24 hours of the lock cost at the average of what is known of the last 24; None where nothing is."""
    known_minutes = _known_minutes(situation)
    if not situation.last_day or not known_minutes:
        return None
    whole = known_minutes >= AS_GOOD_AS_A_DAY_MINUTES
    return elastic_dollars(situation.last_day) * (1 if whole else MINUTES_PER_DAY / known_minutes)


def provisioned_month_dollars(file_system: FileSystem, mib_per_second: int) -> float:
    """What a provisioned rate costs in a month: what is above what the size earns."""
    earned_bytes = earned_bytes_per_second(file_system.standard_bytes)
    return (mib_per_second - earned_bytes / MIB) * prices.PROVISIONED.dollars


def _is_provisioned_far_cheaper(situation: Situation, region: str) -> bool:
    """Whether a rate that is enough costs in the 24 hours of the lock less than half of what elastic throughput does,
    as the mail says it: at the average of what is known of the last 24.
    """
    mib_per_second = needed_mib_per_second(situation)
    if mib_per_second is None or mib_per_second > highest_provisioned_mib_per_second(situation.file_system, region):
        return False
    elastic = _elastic_day_dollars(situation) or 0.0
    return provisioned_month_dollars(situation.file_system, mib_per_second) / DAYS_A_MONTH < FAR_CHEAPER * elastic


def _is_provisioned_first(situation: Situation, region: str) -> bool:
    """Whether it is far cheaper, or the only one of the two that a lock leaves."""
    if seems_changed(situation) is None or locks_remedies(situation):
        return _is_provisioned_far_cheaper(situation, region)
    return (needed_mib_per_second(situation) or 0) <= highest_provisioned_mib_per_second(situation.file_system, region)


def _elastic_estimate(situation: Situation | None) -> str:
    day_dollars = None if situation is None else _elastic_day_dollars(situation)
    if situation is None or day_dollars is None:
        return ""
    dollars = elastic_dollars(situation.last_day)
    limited = ", limited as they were," if credits_are_gone(situation) else ""
    known_minutes = _known_minutes(situation)
    if known_minutes >= AS_GOOD_AS_A_DAY_MINUTES:
        cost = (
            f"A day like the last 24 hours{limited} costs at least {money(dollars)}, which is for the time of the lock"
            f"{_since_it_fell(situation)}; a month of such days {money(dollars * DAYS_A_MONTH)}."
        )
    else:
        cost = (
            f"The {counted(known_minutes)} that CloudWatch has of the last 24 hours{limited} cost at least "
            f"{money(dollars)}; at their average the 24 hours of the lock cost {money(day_dollars)}."
        )
    return (
        f" {cost} Each operation is counted as {SMALLEST_DATA_OPERATION_KIB} KiB or more, one on metadata as "
        f"{SMALLEST_METADATA_OPERATION_KIB} KiB or more."
    )


def _known_minutes(situation: Situation) -> int:
    """How much of the last day CloudWatch has: it has PermittedThroughput also of an idle minute.

    Of the five minutes that are under way only those up to the newest datapoint: one as the whole of five would make a
    day five times too cheap.
    """
    steps = {time for time, _ in situation.permitted_of_the_day} | {one.time for one in situation.last_day}
    if not steps:
        return 0
    since_the_last_began = situation.balances[-1].time + MINUTE - max(steps)
    known = (len(steps) - 1) * STEP + min(STEP, max(MINUTE, since_the_last_began))
    return round(known / MINUTE)


def _since_it_fell(situation: Situation) -> str:
    """What the fall that is under way would have cost until now."""
    fall = fall_under_way(situation)
    if fall is None or situation.time - fall.began >= AHEAD:
        return ""
    dollars = elastic_dollars(one for one in situation.last_day if one.time >= fall.began)
    return f"; what was moved since {fall.began:%H:%M} UTC, when the balance began to fall, at least {money(dollars)}"


def _provisioned(file_system_id: str, situation: Situation | None, stack: StackContext) -> WayOut:
    is_raise = situation is not None and situation.file_system.mode is ThroughputMode.PROVISIONED
    name = "Provision more throughput" if is_raise else "Provision throughput"
    when, limits, locks = "unless locked (see below)", PROVISIONED_LOCK, LOCKS
    if is_raise:
        when, limits, locks = "locked or not", RAISE_LOCK, ""
    heading = f"{name}: a fixed limit at a fixed price. At once, {when}."
    price = f"{LIST_PRICE}: {money(prices.PROVISIONED.dollars)} per MiB/s-month above what the size earns"
    mib_per_second = None if situation is None else needed_mib_per_second(situation)
    if situation is None or mib_per_second is None:
        amount = (
            "N is the MiB/s that the load needs. It must be more than the size earns: 50 MiB/s per TiB stored."
            if situation is None
            else _why_no_number(situation)
        )
        return WayOut(
            name=f"{name}, N in MiB/s{locks}",
            heading=heading,
            command=provisioned_command(file_system_id, "N", stack),
            details=_lines(amount, f"{price}.", limits),
        )
    highest = highest_provisioned_mib_per_second(situation.file_system, stack.region)
    if mib_per_second > highest:
        where = f"in {'One Zone' if situation.file_system.one_zone else stack.region}"
        refused = (
            f"Provisioned throughput does not help here: {where} it ends at {highest:,} MiB/s, unless AWS Support has "
            f"raised that quota, and this load needs more."
        )
        return WayOut(name=name, heading=wrapped(refused, INDENT).lstrip())
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes)
    monthly_dollars = provisioned_month_dollars(situation.file_system, mib_per_second)
    return WayOut(
        name=f"{name}{locks}",
        heading=heading,
        command=provisioned_command(file_system_id, mib_per_second, stack),
        details=_lines(
            _why_this_much(situation, mib_per_second),
            f"{price} ({rate(earned_bytes)}): {money(monthly_dollars / DAYS_A_MONTH)} "
            f"{'a day' if is_raise else 'for the 24 hours of the lock'}, {money(monthly_dollars)} a month for "
            f"{mib_per_second:,} MiB/s.",
            limits,
        ),
    )


def _why_no_number(situation: Situation) -> str:
    busiest_bytes = busiest_bytes_per_second(situation)
    baseline = rate(situation.baseline_bytes_per_second)
    if busiest_bytes is None:
        return (
            f"N is the MiB/s that the load needs, which is not known. It must be well above the {baseline} that are "
            f"there without credits: N is a limit for a day."
        )
    return (
        f"N is the MiB/s that the load needs, which cannot be told from {_span(situation)}: clients got "
        f"{rate(busiest_bytes)} in {'it' if _are_few(situation) else 'its busiest five minutes'}, and {baseline} are "
        f"there without credits. An N hardly above that would hold the load down for a day."
    )


def _why_this_much(situation: Situation, mib_per_second: int) -> str:
    more = (
        "Clients were limited since, and may want more: they need a higher number."
        if credits_are_gone(situation)
        else "Peaks above it are cut off: they need a higher number."
    )
    if reached_the_limit(situation):
        limit = rate(situation.reference_bytes_per_second)
        more = f"They reached the limit of {limit}, which may have cut them off: so a quarter is added. {more}"
    half = mib_per_second // 2
    cut = cut_off_share(situation, half)
    less = ""
    is_known = _known_minutes(situation) >= AS_GOOD_AS_A_DAY_MINUTES
    if is_known and cut is not None and half * MIB > situation.baseline_bytes_per_second:
        less = f" With half of it, {half:,} MiB/s, {percent(cut)} of what was metered then would have been cut off."
    return (
        f"{mib_per_second:,} MiB/s covers {'' if _are_few(situation) else 'the busiest five minutes of '}"
        f"{_span(situation)} "
        f"({rate(busiest_bytes_per_second(situation) or 0.0)} as metered; "
        f"{rate(situation.baseline_bytes_per_second)} is there without credits). {more}{less}"
    )


def cut_off_share(situation: Situation, mib_per_second: int) -> float | None:
    """How much of what was metered in the last day was above a limit, in steps of five minutes; None of an idle day."""
    metered = sum(one.metered_bytes for one in situation.last_day)
    if metered <= 0:
        return None
    limit_bytes = mib_per_second * MIB * STEP.total_seconds()
    return sum(max(0.0, one.metered_bytes - limit_bytes) for one in situation.last_day) / metered


def _span(situation: Situation) -> str:
    observed_minutes = 0 if situation.activity is None else situation.activity.observed_minutes
    if not observed_minutes or (situation.last_day and not _are_few(situation)):
        return "the last 24 hours"
    return observed_span(observed_minutes)


def _are_few(situation: Situation) -> bool:
    """Whether CloudWatch has less than five minutes of what clients did: none of them is the busiest then."""
    observed_minutes = 0 if situation.activity is None else situation.activity.observed_minutes
    known_minutes = _known_minutes(situation) if situation.last_day else 0
    return 0 < max(observed_minutes, known_minutes) < BUSIEST_MINUTES


def _less_load() -> WayOut:
    return WayOut(
        name="Slow down, pause or move the load; find it on each client",
        heading="Slow down, pause or move the load. Free. To find it, run this on each client:",
        command="nfsiostat 5 3",
        details=_lines(
            "The client with the most kB/s or ops/s on this file system is the one; the first of its three reports "
            "counts since the mount and tells nothing of now. Pause its job, or let it work on another disk.",
            f"Storing more data is no way out once credits are nearly gone: the size is metered about once an hour, "
            f"and a whole TiB more earns only 50 MiB/s ({money(prices.STANDARD_STORAGE.dollars)} per GB-month, "
            f"{prices.REGION} list, less in One Zone).",
        ),
    )


def _lines(*sentences: str) -> str:
    return "\n".join(wrapped(sentence, INDENT) for sentence in sentences)
