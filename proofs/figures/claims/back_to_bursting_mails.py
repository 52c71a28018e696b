"""What the figures of `mail/back_to_bursting_mails.py` must be."""

import re
from collections.abc import Iterator
from datetime import timedelta

from proofs.figures.claims.claim import (
    A_DAY,
    CLOCK,
    MONEY,
    RATE,
    SPAN,
    Comparison,
    claim,
    least_size,
    rate,
    same,
    size,
)
from proofs.figures.known import MINUTE, Known
from proofs.figures.other_modes import (
    SEEN_WITHIN,
    changed,
    cost_dollars,
    held_down,
    last_balance_bytes,
    locked_since,
    on_credits,
)
from proofs.figures.past import STEP
from proofs.figures.readings import clock, is_clock, is_duration, is_least_money, is_money, is_rounded, is_whole
from proofs.list_prices import HOURS_A_MONTH
from simulation.file_system import Provisioned

A_WEEK = timedelta(days=7)


@claim(
    rf"since (?P<since>{CLOCK}), as far as is known\. The 24 hours in which AWS refuses another change are over\. "
    rf"(?:What was read and written|Now it has (?P<rate>{RATE}) MiB/s provisioned: what was above the "
    rf"(?P<earned>{RATE}) MiB/s that the size earns) cost (?:at least |about )?(?P<dollars>{MONEY}) "
    r"(?:since then|(?P<of_week>in the last 7 days))"
)
def _spent_in_another_mode(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    since = known.time - A_WEEK if told["of_week"] else clock(told["since"], known.time)
    # The change may have been seen at any second of the minute that is told.
    most, least = cost_dollars(known, since), cost_dollars(known, since + MINUTE)
    is_so = is_money(told["dollars"], most)
    if not told["rate"]:
        is_so = is_least_money(told["dollars"], (least + most) / 2, (most - least) / 2)
    yield told["dollars"], most, is_so
    if told["rate"] and isinstance(known.now.mode, Provisioned):
        yield rate(told["rate"], known.now.mode.bytes_per_second)
        yield rate(told["earned"], known.earned_bytes_per_second)


@claim(r"The 24 hours in which AWS refuses another change are over\.")
def _unlocked(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """AWS's lock of 24 hours is over. It is counted from the last change of mode or of the provisioned rate, because a
    raise of that rate begins it anew.
    """
    unlocked = locked_since(known) + A_DAY
    yield told[0], unlocked, unlocked <= known.time


@claim(rf"(?P<mode>elastic|provisioned) cost (?P<dollars>{MONEY})(?P<of_week> in 7 days)?(?=, fs-)")
def _spent_in_a_subject(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """What was spent, to the minutes in which the monitor did not know of the change."""
    began = max(changed(known), known.time - A_WEEK) if told["of_week"] else changed(known)
    most = cost_dollars(known, began)
    least = cost_dollars(known, began + SEEN_WITHIN)
    middle, blur = (least + most) / 2, (most - least) / 2
    is_so = is_rounded(told["dollars"].strip("$"), middle, blur)
    if told["mode"] == "elastic":
        is_so = is_least_money(told["dollars"], middle, blur)
    yield told["dollars"], most, is_so


@claim(r"With less than (?P<enough>\d+) minutes left, a little more load would end them(?P<early>: it is too early)?")
def _leaves_little(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the least of this day and of another like it. It is no reason where there was less to begin with."""
    opening = last_balance_bytes(known)
    lived = on_credits(known, opening)
    next_day = on_credits(known, lived.closing_bytes)
    least = min(lived.lowest_bytes, next_day.lowest_bytes)
    within_a_step = known.earned_bytes_per_second * STEP.total_seconds()
    enough = int(told["enough"]) * known.threshold_bytes(1)
    yield told["enough"], least, least - within_a_step < (min(opening, enough) if told["early"] else enough)
    yield "gone", lived.gone, lived.gone is None


@claim(
    rf"begun with the last balance that is known \((?P<opening>{RATE}) GiB\), (?:they would have been gone "
    rf"(?:(?P<at_once>at once)|at about (?P<gone>{CLOCK})), and everything limited to (?P<baseline>{RATE}) MiB/s|"
    rf"(?:at least )?(?P<lowest>{RATE}) GiB would have been left, at about (?P<then>{CLOCK})\. That is "
    rf"(?:(?P<left>[\d,]+) minutes?|less than 1 minute) at (?P<reference>{RATE}) MiB/s)\."
)
def _on_credits(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    opening = last_balance_bytes(known)
    lived = on_credits(known, opening)
    yield size(told["opening"], opening)
    if told["gone"] or told["at_once"]:
        gone = lived.gone
        began = known.player.time_of(known.newest_whole_day[0][0].minute)
        if told["gone"]:
            yield told["gone"], gone, gone is not None and is_clock(told["gone"], gone, known.time, STEP)
        else:
            yield told["at_once"], gone, gone is not None and gone - began <= 2 * STEP
        yield rate(told["baseline"], known.baseline_bytes_per_second)
        return
    within_a_step = known.earned_bytes_per_second * STEP.total_seconds()
    yield least_size(told["lowest"], lived.lowest_bytes, within_a_step)
    yield told["then"], lived.lowest_time, is_clock(told["then"], lived.lowest_time, known.time, STEP)
    left = lived.lowest_bytes / known.threshold_bytes(1)
    if told["left"]:
        # What is earned in five minutes may come after all that is spent in them.
        least = left - within_a_step / known.threshold_bytes(1)
        yield told["left"], (least, left), is_whole(told["left"], least, left)
    else:
        yield "less than 1 minute", left, left < 1 + within_a_step / known.threshold_bytes(1)
    yield rate(told["reference"], known.reference_bytes_per_second)
    yield "gone", lived.gone, lived.gone is None


@claim(
    rf"The last 24 hours, in which clients moved (?P<moved>{RATE}) GiB as metered, would (?P<fails>not )?have lasted"
)
def _moved_in_the_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    steps = [sum(one.metered_bytes for one in step) for step in known.newest_whole_day]
    yield size(told["moved"], sum(steps))
    yield same(told["fails"] is not None, on_credits(known, last_balance_bytes(known)).gone is not None)


@claim(
    rf"With the last balance that is known \((?P<opening>{RATE}) GiB\) everything is limited to "
    rf"(?P<limit>{RATE}) MiB/s at once\."
)
def _limited_at_once(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Less than a minute's worth is left to begin with."""
    opening = last_balance_bytes(known)
    yield size(told["opening"], opening)
    yield rate(told["limit"], known.baseline_bytes_per_second)
    yield told["opening"], opening, opening < known.threshold_bytes(1)


@claim(rf"Bursting would begin with the last balance that is known \((?P<opening>{RATE}) GiB\)")
def _would_begin_with(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield size(told["opening"], last_balance_bytes(known))


@claim(
    rf"In the last 24 hours clients moved (?:nothing|next to nothing \((?P<moved>{RATE}) GiB as metered\)), as far as "
    rf"CloudWatch knows: whether credits would be enough for a load is not known\. The last balance that is known is "
    rf"(?P<opening>{RATE}) GiB\."
)
def _an_idle_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Next to nothing is less than a minute's worth of credits."""
    moved = sum(one.metered_bytes for step in known.newest_whole_day for one in step)
    if told["moved"]:
        yield size(told["moved"], moved)
        yield "next to nothing", moved, 0 < moved < known.threshold_bytes(1)
    else:
        yield "nothing", moved, not moved
    yield size(told["opening"], last_balance_bytes(known))


@claim(rf"another day like it, begun with what is left then, would end them at about (?P<gone>{CLOCK})")
def _gone_the_next_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    first = on_credits(known, last_balance_bytes(known)).closing_bytes
    gone = on_credits(known, first).gone
    # A time of day alone: that of whichever day has the load.
    is_then = gone is not None and (clock(told["gone"], known.time) - gone + STEP) % A_DAY <= 2 * STEP
    yield told["gone"], gone, is_then


@claim(rf"another day like it would end with (?P<lost>{RATE}) GiB less, and so on until they end")
def _lost_each_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    first = on_credits(known, last_balance_bytes(known)).closing_bytes
    yield size(told["lost"], first - on_credits(known, first).closing_bytes)


@claim(
    rf"another day like it would leave (?P<lowest>{RATE}) GiB at about (?P<then>\d\d:\d\d UTC): "
    r"(?:(?P<left>[\d,]+) minutes?|less than 1 minute)\."
)
def _lowest_the_next_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    first = on_credits(known, last_balance_bytes(known))
    second = on_credits(known, first.closing_bytes)
    within_a_step = known.earned_bytes_per_second * STEP.total_seconds()
    yield size(told["lowest"], second.lowest_bytes, within_a_step)
    # A time of day alone: that of whichever day has the load.
    is_then = (clock(told["then"], known.time) - second.lowest_time + STEP) % A_DAY <= 2 * STEP
    yield told["then"], second.lowest_time, is_then
    left = second.lowest_bytes / known.threshold_bytes(1)
    if told["left"]:
        least = left - within_a_step / known.threshold_bytes(1)
        yield told["left"], (least, left), is_whole(told["left"], least, left)
    else:
        yield "less than 1 minute", left, left < 1 + within_a_step / known.threshold_bytes(1)


@claim(rf"In (?P<minutes>[\d,]+) minutes? clients moved more than the (?P<reference>{RATE}) MiB/s that credits permit")
def _faster_than_credits(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    faster = on_credits(known, last_balance_bytes(known)).faster_minutes
    yield same(int(told["minutes"].replace(",", "")), faster)
    yield rate(told["reference"], known.reference_bytes_per_second)


@claim(
    rf"In (?P<minutes>[\d,]+) minutes? clients took all (?:of the (?P<least>{RATE}) to )?(?P<rate>{RATE}) MiB/s that "
    r"were permitted: what more they "
    r"wanted is in no metric"
)
def _held_by_a_rate(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    minutes_held, least, bytes_per_second = held_down(known)
    yield told["minutes"], minutes_held, abs(int(told["minutes"].replace(",", "")) - minutes_held) <= STEP / MINUTE
    yield rate(told["rate"], bytes_per_second)
    yield rate(told["least"] or told["rate"], least)


@claim(rf"elastic throughput cost (?P<dollars>{MONEY}) in (?P<span>{SPAN})")
@claim(
    rf"cost at least (?P<dollars>{MONEY}): more than the \$(?P<limit>[\d,.]+) a day of ElasticDailyUSD\.(?: A month of "
    rf"such days costs (?P<month>{MONEY})\.)?"
)
def _a_dear_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    began = max(changed(known), known.asked - A_DAY)
    most, least = known.elastic_dollars(began), known.elastic_dollars(began + SEEN_WITHIN)
    middle, blur = (least + most) / 2, (most - least) / 2
    yield told["dollars"], most, is_least_money(told["dollars"], middle, blur)
    found = told.groupdict()
    if "span" in found:
        lasted = (known.asked - began) / MINUTE
        yield told["span"], lasted, is_duration(told["span"], lasted - SEEN_WITHIN / MINUTE, lasted)
    if found.get("month"):
        months = HOURS_A_MONTH / 24
        yield told["month"], most * months, is_rounded(told["month"].strip("$"), middle * months, blur * months)
    if "limit" in found:
        chosen = [one.parameters.get("ElasticDailyUSD") for one in known.player.scenario.deployments]
        limit = float(told["limit"].replace(",", ""))
        yield told["limit"], chosen, limit in map(float, filter(None, chosen)) and most > limit
