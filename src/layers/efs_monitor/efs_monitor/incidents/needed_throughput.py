"""The rate that a load needs, by its busiest minutes: what to provision where credits are not enough, and whether
elastic throughput is faster.
"""

from collections.abc import Sequence
from datetime import datetime
from math import ceil, inf

from efs_monitor.efs.credits import MIB, earned_bytes_per_second, is_no_faster
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.efs.observations import BUSIEST_MINUTES, MINUTE
from efs_monitor.incidents.situation import DAY, RECENT, STEP, Situation, is_as_good_as_a_day, once
from efs_monitor.incidents.times_at_zero import limited_steps

# What may be provisioned by the quotas that an account has at first, as metered
# (https://docs.aws.amazon.com/efs/latest/ug/limits.html): 3.33 GiB/s in four Regions, 1 GiB/s elsewhere; and 1 GiB/s
# for a One Zone file system anywhere, in elastic throughput too, which AWS Support does not raise.
HIGHEST_IN_ONE_ZONE_MIB_PER_SECOND = 1024
HIGHEST_PROVISIONED_MIB_PER_SECOND = {"us-east-1": 3414, "us-east-2": 3414, "us-west-2": 3414, "eu-west-1": 3414}
HIGHEST_PROVISIONED_ELSEWHERE_MIB_PER_SECOND = 1024
# What clients get without credits is metered as a little more than they are permitted now and then.
HELD_DOWN = 1.1

# A peak at the limit may have been higher without it: nobody knows how much, so a quarter is added. One that is far
# above it was moved in another mode.
AT_THE_LIMIT, ABOVE_THE_LIMIT, HEADROOM = 0.97, 1.03, 1.25
# Of fewer minutes of the last hour nobody knows whether clients wanted more.
LIMITS_NOTHING_MINUTES = 30

# The last digits of a floating-point number: nobody provisions a MiB/s for them.
ROUNDING = 1e-9


def highest_provisioned_mib_per_second(file_system: FileSystem, region: str) -> int:
    """Up to where AWS takes the command, unless its Support has raised that, which it does not in One Zone."""
    if file_system.one_zone:
        return HIGHEST_IN_ONE_ZONE_MIB_PER_SECOND
    return HIGHEST_PROVISIONED_MIB_PER_SECOND.get(region, HIGHEST_PROVISIONED_ELSEWHERE_MIB_PER_SECOND)


def highest_elastic_mib_per_second(file_system: FileSystem) -> int | None:
    """Up to where elastic throughput goes, as metered. None of a Regional file system: its quotas are above all that
    credits permit in every Region, for reads and for writes, and AWS Support raises them.
    """
    return HIGHEST_IN_ONE_ZONE_MIB_PER_SECOND if file_system.one_zone else None


def elastic_is_faster(file_system: FileSystem, baseline_bytes_per_second: float) -> bool:
    """Whether elastic throughput is faster than what the file system has without credits."""
    there_bytes = max(baseline_bytes_per_second, file_system.provisioned_bytes_per_second)
    highest = highest_elastic_mib_per_second(file_system)
    return highest is None or not is_no_faster(highest * MIB, there_bytes)


def elastic_helps(situation: Situation) -> bool:
    """Whether elastic throughput is to be had, and faster than what there is without credits."""
    file_system = situation.file_system
    return not file_system.max_io and elastic_is_faster(file_system, situation.baseline_bytes_per_second)


def ends_as_elastic_does(situation: Situation, mib_per_second: int) -> bool:
    """Whether elastic throughput is no faster than this rate, whatever the load needs: both end there in One Zone."""
    highest = highest_elastic_mib_per_second(situation.file_system)
    return highest is not None and mib_per_second >= highest


def elastic_cuts_off(situation: Situation) -> bool:
    """Whether elastic throughput is slower than what credits permit."""
    highest = highest_elastic_mib_per_second(situation.file_system)
    return highest is not None and not is_no_faster(situation.reference_bytes_per_second, highest * MIB)


def busiest_bytes_per_second(situation: Situation) -> float | None:
    """The metered rate of the busiest five minutes of the last 24 hours, or as much of them as is known; that of the
    load that is there, where it is younger than five minutes and faster.
    """
    return young_load_bytes_per_second(situation) or _busiest_five_minutes(situation)


@once
def young_load_bytes_per_second(situation: Situation) -> float | None:
    """What a load of the last few minutes takes by the balance: what is spent of it, and what is earned meanwhile. Any
    five minutes still hold some before it. None where it is older, or not the fastest of the day.
    """
    drain, busiest_bytes = situation.drain_bytes_per_second, _busiest_five_minutes(situation)
    # One that may end what is left before it has a pace is none of the gusts that need nothing.
    if situation.may_end_before_a_pace is not None:
        drain = situation.newest_drain_bytes_per_second
    if drain is None or drain <= 0 or busiest_bytes is None or young_load_minutes(situation) >= BUSIEST_MINUTES:
        return None
    taken_bytes = drain + earned_bytes_per_second(situation.file_system.standard_bytes)
    return taken_bytes if taken_bytes > busiest_bytes else None


def young_load_minutes(situation: Situation) -> float:
    """The minutes that such a load is the average of: the newest one, where it may end what is left before it has a
    pace.
    """
    if situation.may_end_before_a_pace is None:
        return situation.pace_minutes
    return (situation.balances[-1].time - situation.balances[-2].time) / MINUTE


@once
def _busiest_five_minutes(situation: Situation) -> float | None:
    hour = [one for one in (situation.activity,) if one is not None and one.observed_minutes > 0]
    rates = [one.busiest_bytes_per_second for one in hour]
    if situation.last_day:
        rates.append(max(one.metered_bytes for one in situation.last_day) / STEP.total_seconds())
    return max(rates, default=None)


def needs_no_credits(situation: Situation) -> bool:
    """Whether clients took less than is there without credits in each five minutes of the last day, all of which is
    known: the end of the credits limits nobody as long as they take no more.
    """
    busiest_bytes = busiest_bytes_per_second(situation)
    if situation.credits_are_gone or busiest_bytes is None or limited_steps(situation):
        return False
    is_known = bool(situation.last_day) and is_as_good_as_a_day(situation.known_minutes_of_the_day)
    return is_known and busiest_bytes < AT_THE_LIMIT * situation.baseline_bytes_per_second


def was_held_down(situation: Situation) -> bool:
    """Whether clients were limited for lack of credits in half of the five minutes of the last day in which they
    worked, at least: what they moved then is less than they wanted.
    """
    worked = _worked_steps(situation)
    return bool(worked) and 2 * len(_limited_at_work(situation)) >= len(worked)


def was_limited_at_work(situation: Situation) -> bool:
    """Whether clients that worked had no more at some time of the last day than there is without credits, or have no
    more now: without a client at work nobody is limited.
    """
    are_limited = situation.credits_are_gone and not takes_less_than_is_there(situation)
    return are_limited or bool(_limited_at_work(situation))


def _limited_at_work(situation: Situation) -> set[datetime]:
    """The five minutes of the last day in which clients were limited. Where more is there without credits than the size
    earns, the balance may stay at zero under a load that takes less than that, and nothing limits it.
    """
    limited = _worked_steps(situation) & limited_steps(situation)
    there_bytes = situation.baseline_bytes_per_second * STEP.total_seconds()
    earned = earned_bytes_per_second(situation.file_system.standard_bytes)
    if is_no_faster(situation.baseline_bytes_per_second, earned):
        return limited
    moved = {one.time: one.metered_bytes for one in situation.last_day}
    return {step for step in limited if moved[step] >= AT_THE_LIMIT * there_bytes}


def _worked_steps(situation: Situation) -> set[datetime]:
    """The five minutes of the last day in which clients moved something."""
    return {one.time for one in situation.last_day if one.metered_bytes > 0}


@once
def was_cut_short(situation: Situation) -> bool:
    """Whether the busiest five minutes hold some in which credits ended or came back: the load wanted more than their
    average. They are faster than clients may be without credits and slower than with them, and no five minutes in which
    nothing limited clients are nearly as fast.
    """
    limited, busiest_bytes = limited_steps(situation), busiest_bytes_per_second(situation)
    if not limited or busiest_bytes is None or reached_the_limit(situation):
        return False
    if busiest_bytes <= HELD_DOWN * situation.baseline_bytes_per_second:
        return False
    return busiest_bytes > HELD_DOWN * _busiest_free_bytes_per_second(situation)


@once
def _busiest_free_bytes_per_second(situation: Situation) -> float:
    """The metered rate of the busiest five minutes in which nothing limited clients for lack of credits."""
    limited = limited_steps(situation)
    ended = max(limited, default=situation.time - DAY) + STEP
    free = [one.metered_bytes / STEP.total_seconds() for one in situation.last_day if one.time not in limited]
    newest = situation.balances[-1].time
    if situation.activity is not None and ended <= newest + MINUTE - RECENT:
        free.append(situation.activity.busiest_bytes_per_second)
    if ended <= newest:
        free.append(young_load_bytes_per_second(situation) or 0.0)
    return max(free, default=0.0)


def _is_known_from_free_minutes(situation: Situation) -> bool:
    """Whether the load had more than there is without credits when nothing limited it, and about as much as in its
    busiest minutes.
    """
    busiest_bytes, free_bytes = busiest_bytes_per_second(situation), _busiest_free_bytes_per_second(situation)
    if busiest_bytes is None or not limited_steps(situation):
        return False
    return busiest_bytes <= ABOVE_THE_LIMIT * free_bytes and not is_no_faster(
        free_bytes, situation.baseline_bytes_per_second
    )


@once
def limit_reached_bytes_per_second(situation: Situation) -> float | None:
    """What was permitted when the busiest minutes were as fast, so that they may have been cut off: with credits, or by
    a provisioned rate; None where they were not. A file system that grew was permitted less then: it grows by what such
    a load writes. Elastic throughput permits far more than clients take, and cuts nothing off.
    """
    busiest_bytes = busiest_bytes_per_second(situation)
    if busiest_bytes is None:
        return None
    permitted = dict(situation.permitted_of_the_day)
    without_credits = limited_steps(situation)
    limits = [
        (one.time, limit)
        for one in situation.last_day
        if (limit := permitted.get(one.time, inf)) * AT_THE_LIMIT * STEP.total_seconds() <= one.metered_bytes
        # A larger size gave more without credits than this one gives with them.
        and (one.time not in without_credits or limit > situation.reference_bytes_per_second)
    ]
    newest_first = [limit for _, limit in reversed(limits)]
    return next(
        (
            limit
            for limit in (situation.reference_bytes_per_second, *newest_first)
            if AT_THE_LIMIT <= busiest_bytes / limit <= ABOVE_THE_LIMIT
        ),
        _limit_lifted_amid_them(limits, busiest_bytes, situation),
    )


def _limit_lifted_amid_them(
    limits: Sequence[tuple[datetime, float]], busiest_bytes_per_second: float, situation: Situation
) -> float | None:
    """The limit that was reached in some of the busiest five minutes, the newest ones, and has grown since: they are no
    faster than a part of them at what the load wants. None where there is none.
    """
    activity = situation.activity
    if not limits or activity is None or activity.busiest_bytes_per_second < busiest_bytes_per_second:
        return None
    time, limit = limits[-1]
    minutes_since = (situation.balances[-1].time + MINUTE - time - STEP) / MINUTE
    is_amid_them = minutes_since < BUSIEST_MINUTES
    is_between = limit < busiest_bytes_per_second < AT_THE_LIMIT * situation.reference_bytes_per_second
    return limit if is_amid_them and is_between else None


def reached_the_limit(situation: Situation) -> bool:
    """Whether the busiest minutes were as fast as was permitted then, so that they may have been cut off."""
    return limit_reached_bytes_per_second(situation) is not None


def needed_mib_per_second(situation: Situation) -> int | None:
    """What the load needs: the metered rate of its busiest five minutes of the last 24 hours, rounded up, and a quarter
    more where they reached the limit.

    None where they do not tell: they were cut short, or are no more than what is there without credits. Provisioned
    throughput cannot be taken back for a day, so such a number would hold down the load that comes back; and a load
    that is held down already shows no more than that, or a little. Minutes in which nothing held it down tell it.
    """
    busiest_bytes = busiest_bytes_per_second(situation)
    if busiest_bytes is None or was_cut_short(situation):
        return None
    there_bytes = situation.baseline_bytes_per_second
    if (situation.credits_are_gone or limited_steps(situation)) and not _is_known_from_free_minutes(situation):
        there_bytes *= HELD_DOWN
    headroom = HEADROOM if reached_the_limit(situation) else 1
    return covering_mib_per_second(headroom * busiest_bytes) if busiest_bytes > there_bytes else None


def mib_per_second_of_credits(situation: Situation) -> int | None:
    """What the load may have with credits: enough to begin with where nobody knows what it needs, because more may be
    provisioned at any time. None where that is no more than there is without credits, or provisioned already.
    """
    reference_bytes = situation.reference_bytes_per_second
    there_bytes = _without_credits(situation)
    return None if is_no_faster(reference_bytes, there_bytes) else covering_mib_per_second(reference_bytes)


def mib_per_second_to_provision(situation: Situation, region: str) -> int | None:
    """What the load needs, or else what it may have with credits, as far as EFS lets provision it; None where neither
    is known to be more than there is without credits.
    """
    wanted = needed_mib_per_second(situation) or mib_per_second_of_credits(situation)
    highest = highest_provisioned_mib_per_second(situation.file_system, region)
    return None if wanted is None else min(wanted, highest)


def is_covered(situation: Situation, region: str) -> bool:
    """Whether EFS lets provision the busiest minutes; where these do not tell what the load needs, what it may have
    with credits.
    """
    highest = highest_provisioned_mib_per_second(situation.file_system, region)
    if needed_mib_per_second(situation) is None:
        of_credits = mib_per_second_of_credits(situation)
        return of_credits is not None and of_credits <= highest
    return covering_mib_per_second(busiest_bytes_per_second(situation) or 0.0) <= highest


def holds_down_what_is_not_known(situation: Situation) -> bool:
    """Whether what covers the busiest known minutes is about what there is without credits, while credits permit more
    and less than half of the last 24 hours is known: a load of the other half would be held down to it.
    """
    busiest_bytes, needed = busiest_bytes_per_second(situation), needed_mib_per_second(situation)
    if situation.credits_are_gone or busiest_bytes is None or needed is None:
        return False
    # Without the day the busiest minutes are those of the last hour.
    known = situation.known_minutes_of_the_day * MINUTE if situation.last_day else RECENT
    is_about_what_is_there = busiest_bytes <= HELD_DOWN * _without_credits(situation)
    caps_credits = not is_no_faster(situation.reference_bytes_per_second, needed * MIB)
    return is_about_what_is_there and caps_credits and 2 * known < DAY


def provisioning_helps(situation: Situation, region: str) -> bool:
    """Whether a provisioned rate is better than what there is without credits.

    The highest that EFS takes may be less than the load needs. It helps all the same where it is a tenth more at least
    than what is there without credits, once they are gone or will be by now at their pace, or where it is more than
    what is there with them, too; else it would only cut off what clients still have, and elastic throughput would not,
    but in One Zone, where it ends at the same rate.
    """
    if holds_down_what_is_not_known(situation):
        return False
    there_bytes = _without_credits(situation)
    highest_bytes = highest_provisioned_mib_per_second(situation.file_system, region) * MIB
    needed = needed_mib_per_second(situation)
    if is_covered(situation, region) or needed is None or ends_as_elastic_does(situation, needed):
        return not is_no_faster(highest_bytes, there_bytes)
    are_gone = situation.credits_are_gone or situation.ran_out is not None
    cuts_nothing_off = highest_bytes > HELD_DOWN * situation.reference_bytes_per_second
    return (are_gone or cuts_nothing_off) and highest_bytes > HELD_DOWN * there_bytes


def _without_credits(situation: Situation) -> float:
    """What is permitted when they are gone: what the size earns, or what is provisioned beside it."""
    return max(situation.baseline_bytes_per_second, situation.file_system.provisioned_bytes_per_second)


def a_mode_is_faster(situation: Situation, region: str) -> bool:
    """Whether any change of the throughput mode is better than what there is without credits."""
    return elastic_helps(situation) or provisioning_helps(situation, region)


def covering_mib_per_second(busiest_bytes_per_second: float) -> int:
    """The lowest rate to provision that covers so much."""
    return ceil(busiest_bytes_per_second / MIB * (1 - ROUNDING))


def cut_off_share(situation: Situation, mib_per_second: int) -> float | None:
    """How much of what was metered in the last day was above a limit, in steps of five minutes; None of an idle day."""
    metered = sum(one.metered_bytes for one in situation.last_day)
    if metered <= 0:
        return None
    limit_bytes = mib_per_second * MIB * STEP.total_seconds()
    return sum(max(0.0, one.metered_bytes - limit_bytes) for one in situation.last_day) / metered


def takes_less_than_is_there(situation: Situation) -> bool:
    """Whether clients took less than is there without credits in each five minutes of the last hour, as far as it is
    known: the limit is there, and limits nothing.
    """
    activity, limit = situation.activity, situation.baseline_bytes_per_second
    if activity is None or activity.observed_minutes < LIMITS_NOTHING_MINUTES:
        return False
    return activity.busiest_bytes_per_second < AT_THE_LIMIT * limit
