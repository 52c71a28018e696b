"""What the figures of `mail/remedies.py` must be."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import ceil

from proofs.figures.claims.claim import (
    A_DAY,
    CLOCK,
    LAST,
    MONEY,
    OBSERVED,
    OF_THE_DAY,
    RATE,
    Comparison,
    claim,
    rate,
    same,
    told_day,
    told_pace,
    told_span,
)
from proofs.figures.known import (
    BUSIEST_MINUTES,
    MINUTE,
    Known,
    lowest_bytes,
)
from proofs.figures.other_modes import SEEN_WITHIN, busiest_step_bytes_per_second, changed
from proofs.figures.past import STEP, Past
from proofs.figures.readings import clock, is_least_money, is_money, is_percent, number
from proofs.list_prices import (
    ELASTIC_READ_DOLLARS_A_GIB,
    ELASTIC_WRITTEN_DOLLARS_A_GIB,
    HOURS_A_MONTH,
    PROVISIONED_DOLLARS_A_MIB_SECOND,
)
from simulation.burst_credits import MIB, MINUTE_SECONDS
from simulation.file_system import Elastic
from stage.player import Lived

LIMITED = "(?P<limited>, limited as they were,|, in part of which clients were limited,)?"


@claim(rf"(?P<read>{MONEY}) per GB read, (?P<written>{MONEY}) per GB written")
def _elastic_prices(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    del known
    yield told["read"], ELASTIC_READ_DOLLARS_A_GIB, is_money(told["read"], ELASTIC_READ_DOLLARS_A_GIB)
    yield told["written"], ELASTIC_WRITTEN_DOLLARS_A_GIB, is_money(told["written"], ELASTIC_WRITTEN_DOLLARS_A_GIB)


SINCE_IT_FELL = (
    rf"(?:; what was moved since about (?P<since>{CLOCK}), when the balance began to fall, (?:at least )?"
    rf"(?P<night>{MONEY}))?"
)


@claim(
    rf"A day like the last 24 hours{LIMITED} costs (?:at least )?(?P<day>{MONEY}), which is for the time of the lock"
    rf"{SINCE_IT_FELL}; a month of such days (?P<month>{MONEY})\.(?= )"
)
def _elastic_estimate(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    dollars = known.elastic_dollars(known.asked - A_DAY)
    yield told["day"], dollars, is_least_money(told["day"], dollars)
    a_month = dollars * HOURS_A_MONTH / 24
    yield told["month"], a_month, is_money(told["month"], a_month)
    yield _limited_as_told(told, known)
    yield from _since_it_fell(told, known)


@claim(rf"At the (?P<rate>{RATE}) MiB/s that credits permit an hour of such work costs (?P<hour>{MONEY})\.")
def _elastic_hour(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """As much read, written and done beside it for each byte as in the last day."""
    metered_bytes = sum(one.metered_bytes for step in known.steps(known.asked - A_DAY) for one in step)
    hour_bytes = 60 * MINUTE_SECONDS * known.reference_bytes_per_second
    dollars = known.elastic_dollars(known.asked - A_DAY) * hour_bytes / metered_bytes
    yield rate(told["rate"], known.reference_bytes_per_second)
    yield told["hour"], dollars, is_money(told["hour"], dollars)


@claim(rf"At the (?P<rate>{RATE}) MiB/s of {LAST} an hour of such work costs (?P<hour>{MONEY})\.")
def _elastic_hour_as_now(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The pace and what is earned, with as much read and written for each byte as in the last hour."""
    since = known.newest_time - timedelta(hours=1)
    metered_bytes = sum(one.metered_bytes for step in known.steps(since) for one in step)
    pace = told_pace(told["last"], known)
    taken = pace.drain_bytes_per_second + known.earned_bytes_per_second
    dollars = known.elastic_dollars(since) * 60 * MINUTE_SECONDS * taken / metered_bytes
    yield told_span(told["last"], pace)
    yield rate(told["rate"], taken, pace.blur_bytes_per_second)
    blur = dollars * pace.blur_bytes_per_second / taken
    yield told["hour"], dollars, is_money(told["hour"], dollars) or abs(number(told["hour"]) - dollars) <= blur + 1


def _since_it_fell(told: re.Match[str], known: Known) -> Iterator[Comparison]:
    if not told["since"]:
        return
    past = Past(known, "Today")
    since = clock(told["since"], known.time)
    top = past.top(since)
    began = known.player.time_of(top.minute)
    # Where a slow load began minutes before a fast one, the lowest of five minutes show the fast one's beginning.
    yield told["since"], began, abs(began - since) <= 2 * STEP and lowest_bytes(top) > known.balance_bytes
    dollars = _elastic_dollars_since(since, known)
    yield told["night"], dollars, is_least_money(told["night"], dollars)


def _limited_as_told(told: re.Match[str], known: Known) -> Comparison:
    """By the five minutes of the clock in which clients worked, half of which may be one more or less: the day of a
    mail ends within them.
    """
    limited, worked, held = known.limited_minutes, _worked_steps(known), _limited_work(known)
    half = 2 * len(held) - len(worked)
    match told["limited"]:
        case None:
            is_so = not _was_limited_at_work(known)
        case ", limited as they were,":
            is_so = half >= -2
        case _:
            is_so = _was_limited_at_work(known) and half <= 2
    return str(told["limited"]), (len(limited), len(held), len(worked)), is_so


def _worked_steps(known: Known) -> list[list[Lived]]:
    return [step for step in known.last_day if sum(one.metered_bytes for one in step)]


def _limited_work(known: Known) -> list[list[Lived]]:
    """Where more is there than is earned, one that takes less than that is not limited by it."""
    limited = [step for step in _worked_steps(known) if any(one.minute in known.limited_minutes for one in step)]
    there = known.baseline_bytes_per_second
    if there <= 1.01 * known.earned_bytes_per_second:
        return limited
    return [step for step in limited if sum(one.metered_bytes for one in step) >= 0.97 * there * STEP.total_seconds()]


def _was_limited_at_work(known: Known) -> bool:
    """In some of the day, or now: while no client is at work nobody is limited."""
    busiest, there = known.busiest_bytes_per_second, known.baseline_bytes_per_second
    is_limited_now = known.newest.minute in known.limited_minutes and (len(known.hour) < 30 or busiest >= 0.97 * there)
    return bool(_limited_work(known)) or is_limited_now


def _elastic_dollars_since(since: datetime, known: Known) -> float:
    """What was moved since a moment would cost in elastic throughput. The mail reads steps of five minutes by the
    clock: of the one in which the moment lies, it counts the share that comes after it.
    """
    step = since - since.minute % (STEP // MINUTE) * MINUTE
    later = known.elastic_dollars(step + STEP)
    if step < known.asked - A_DAY:
        return later
    return later + (step + STEP - since) / STEP * (known.elastic_dollars(step) - later)


@claim(
    rf"What clients did in {OF_THE_DAY}{LIMITED} costs "
    rf"(?:at least )?(?P<part>{MONEY}); at that average the 24 hours of the lock cost (?P<day>{MONEY})"
    rf"{SINCE_IT_FELL}; a month of such days (?P<month>{MONEY})\."
)
def _elastic_estimate_of_less_than_a_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    minutes = known.minutes_of_the_day
    dollars = known.elastic_dollars(known.asked - A_DAY)
    yield told_day(told, known)
    yield told["part"], dollars, is_least_money(told["part"], dollars)
    a_day = dollars * A_DAY.total_seconds() / MINUTE_SECONDS / minutes
    yield told["day"], a_day, is_money(told["day"], a_day)
    a_month = a_day * HOURS_A_MONTH / 24
    yield told["month"], a_month, is_money(told["month"], a_month)
    yield _limited_as_told(told, known)
    yield from _since_it_fell(told, known)


@claim(r"--provisioned-throughput-in-mibps (?P<amount>\d+)")
@claim(r"(?P<amount>[\d,]+) MiB/s covers the (?:busiest five minutes|one minute|\d minutes|load of the last)")
@claim(r"(?P<amount>[\d,]+) MiB/s is the most that AWS takes in (?:One Zone\.|[-\w]+, unless its Support has raised)")
@claim(r"a month for (?P<amount>[\d,]+) MiB/s")
def _provisioned(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """In elastic throughput nothing cut off what was moved, and its price is the one to beat. Of a load that was held
    down without credits, what it may have with them.
    """
    busiest, needed = known.busiest_of_the_day_bytes_per_second, known.needed_mib_per_second
    needed = min(needed, known.highest_provisioned_mib_per_second)
    of_credits = min(_mib_per_second_of_credits(known), known.highest_provisioned_mib_per_second)
    does_not_tell = busiest <= 1.1 * known.baseline_bytes_per_second or _may_be_cut_short(known)
    if int(told["amount"].replace(",", "")) == of_credits and does_not_tell:
        yield told["amount"], of_credits, of_credits * MIB > known.baseline_bytes_per_second
        return
    yield told["amount"], busiest / MIB, not _is_cut_short(known)
    if isinstance(known.now.mode, Elastic):
        busiest = busiest_step_bytes_per_second(known)
        needed = ceil(round(busiest / MIB, 6))
        a_day = (needed - known.earned_bytes_per_second / MIB) * PROVISIONED_DOLLARS_A_MIB_SECOND * 24 / HOURS_A_MONTH
        elastic = known.elastic_dollars(max(changed(known), known.asked - A_DAY))
        yield told["amount"], (a_day, elastic), 2 * a_day < elastic
    yield same(int(told["amount"].replace(",", "")), needed)
    yield told["amount"], known.baseline_bytes_per_second / MIB, busiest > known.baseline_bytes_per_second


def _free_steps(known: Known) -> list[float]:
    """How fast clients were in each five minutes of the clock in none of which they were limited."""
    limited = known.limited_minutes
    return [
        sum(one.metered_bytes for one in step) / STEP.total_seconds()
        for step in known.last_day
        if not any(one.minute in limited for one in step)
    ]


def _may_be_cut_short(known: Known) -> bool:
    """Whether the busiest minutes are a tenth or more above all of those: the credits ended, or came back, in them."""
    fastest = max(_free_steps(known), default=0.0)
    is_faster = known.busiest_of_the_day_bytes_per_second > 1.09 * fastest
    return bool(known.limited_minutes) and is_faster and not known.reached_the_limit


def _is_cut_short(known: Known) -> bool:
    """Whether they are above any five minutes in a row of the last hour, too, and a load that takes credits now."""
    if not known.limited_minutes or known.reached_the_limit:
        return False
    free = _free_steps(known)
    for last in known.hour:
        five = [one for one in known.hour if last.minute - BUSIEST_MINUTES < one.minute <= last.minute]
        if not any(one.minute in known.limited_minutes for one in five):
            free.append(sum(one.metered_bytes for one in five) / len(five) / MINUTE_SECONDS)
    young = known.young if known.has_a_pace else None
    if young is not None and young.minutes < BUSIEST_MINUTES and not known.is_limited(known.newest):
        free.append(young.drain_bytes_per_second + known.earned_bytes_per_second)
    return known.busiest_of_the_day_bytes_per_second > 1.11 * max(free, default=0.0)


@claim(
    rf"covers? (?:the (?:busiest five minutes|load) of )?"
    rf"(?:(?P<day>{OF_THE_DAY})|the last (?:minute|\d minutes)|{OBSERVED}) "
    rf"\((?P<busiest>{RATE}) MiB/s as metered; (?P<baseline>{RATE}) MiB/s is there without credits\)"
)
def _why_this_much(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["busiest"], known.busiest_of_the_day_bytes_per_second)
    yield rate(told["baseline"], known.baseline_bytes_per_second)
    if told["day"]:
        yield told_day(told, known)


@claim(
    rf"covers the busiest five minutes of (?:the last 24 hours|the time since (?P<since>{CLOCK})) "
    rf"\((?P<busiest>{RATE}) MiB/s as metered\)"
)
def _busiest_in_another_mode(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["busiest"], busiest_step_bytes_per_second(known))
    if told["since"]:
        since, began = clock(told["since"], known.time), changed(known)
        yield told["since"], began, began <= since + MINUTE and since <= began + SEEN_WITHIN


@claim(
    rf"It ends at (?P<highest>[\d,]+) MiB/s in One Zone: peaks above that are cut off\. Credits permit "
    rf"(?P<most>up to )?(?P<reference>{RATE}) MiB/s\."
)
def _cut_off_in_elastic(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield from _ends_in_one_zone(known, told["highest"])
    is_unknown = known.is_cap_unknown()
    permitted = known.uncapped_bytes_per_second if is_unknown else known.reference_bytes_per_second
    yield same(told["most"] is not None, is_unknown)
    yield rate(told["reference"], permitted)
    yield told["reference"], permitted / MIB, permitted > 1024 * MIB


@claim(r"in One Zone it ends at (?P<highest>[\d,]+) MiB/s, and as much is there without credits")
def _no_faster_in_one_zone(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """One Zone ends at what the file system has without credits, or at no more than a hundredth above: for so little
    nobody changes a mode.
    """
    yield from _ends_in_one_zone(known, told["highest"])
    yield told["highest"], known.baseline_bytes_per_second, 1.01 * known.baseline_bytes_per_second >= 1024 * MIB


def _ends_in_one_zone(known: Known, highest: str) -> Iterator[Comparison]:
    """1,024 MiB/s as metered in each Region, elastic and provisioned (EFS user guide, quotas)."""
    zone = known.player.scenario.availability_zone
    yield same(highest, "1,024")
    yield "One Zone", zone, zone is not None


@claim(r"(?P<amount>[\d,]+) MiB/s is (?:what|(?P<most>the most that)) it may have with credits")
def _as_with_credits(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["amount"].replace(",", "")), _mib_per_second_of_credits(known))
    yield same(told["most"] is not None, known.is_cap_unknown())


def _mib_per_second_of_credits(known: Known) -> int:
    """What the size gives where nobody can know yet that its Region permits less."""
    permitted = known.uncapped_bytes_per_second if known.is_cap_unknown() else known.reference_bytes_per_second
    return ceil(round(permitted / MIB, 6))


@claim(
    rf"They (?P<words>reached|came within 3 % of) the limit of (?:then, )?(?P<limit>{RATE}) MiB/s"
    rf"(?: \((?P<now>{RATE}) MiB/s now\))?, which may have cut them off: "
    rf"(?:so a quarter is added|they may want more than it)"
)
def _reached_the_limit(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    limit = known.limit_reached_bytes_per_second
    if limit is None:
        yield told["limit"], known.busiest_of_the_day_bytes_per_second, False
        return
    yield rate(told["limit"], limit)
    if told["now"]:
        yield rate(told["now"], known.reference_bytes_per_second)
    share = known.busiest_of_the_day_bytes_per_second / limit
    yield told["words"], share, (share >= 0.99) is (told["words"] == "reached")


@claim(
    rf"With half of it, (?P<half>[\d,]+) MiB/s, (?P<share>{RATE}) % of what was metered then would have been cut off"
)
def _cut_off(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    half = known.needed_mib_per_second // 2
    yield same(int(told["half"].replace(",", "")), half)
    yield told["share"], half, is_percent(told["share"], known.cut_off_share(half * MIB))
    yield told["share"], "limited", not _was_limited_at_work(known)


@claim(rf"what is above it is cut off,(?: as in elastic throughput,)? (?P<share>{RATE}) % of what was metered then")
def _cut_off_at_the_most(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    highest = known.highest_provisioned_mib_per_second
    yield told["share"], highest, is_percent(told["share"], known.cut_off_share(highest * MIB))
    yield told["share"], "limited", not _was_limited_at_work(known)


@claim(
    rf"cannot be told from (?:(?P<day>{OF_THE_DAY})|{OBSERVED}): clients got (?P<busiest>{RATE}) MiB/s in "
    rf"(?:its busiest five minutes|it)(?P<limited>, in part of which they were limited)?, and "
    rf"(?P<baseline>{RATE}) MiB/s are there without credits"
)
def _why_no_number(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    busiest = known.busiest_of_the_day_bytes_per_second
    if told["day"]:
        yield told_day(told, known)
    yield rate(told["busiest"], busiest)
    yield rate(told["baseline"], known.baseline_bytes_per_second)
    # A tenth above it is what a load that is held down is metered as at most.
    is_no_more = busiest <= 1.1 * known.baseline_bytes_per_second
    is_told = _may_be_cut_short(known) if told["limited"] else is_no_more
    yield told["busiest"], known.baseline_bytes_per_second, is_told


@claim(rf"load needs is not known; (?P<baseline>{RATE}) MiB/s are there without credits")
def _nothing_known(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["baseline"], known.baseline_bytes_per_second)
    yield told["baseline"], len(known.hour), not known.hour


@claim(
    rf"(?P<price>{MONEY}) per MiB/s-month above what the size earns \((?P<earned>{RATE}) MiB/s\): (?P<lock>{MONEY}) "
    rf"(?:for the 24 hours of the lock|a day), (?P<month>{MONEY}) a month for (?P<amount>[\d,]+) MiB/s"
)
def _provisioned_price(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    price = PROVISIONED_DOLLARS_A_MIB_SECOND
    dollars = (int(told["amount"].replace(",", "")) - known.earned_bytes_per_second / MIB) * price
    yield told["price"], price, is_money(told["price"], price)
    yield rate(told["earned"], known.earned_bytes_per_second)
    yield told["lock"], dollars * 24 / HOURS_A_MONTH, is_money(told["lock"], dollars * 24 / HOURS_A_MONTH)
    yield told["month"], dollars, is_money(told["month"], dollars)
