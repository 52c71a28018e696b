"""What the figures of `mail/credit_figures.py` must be."""

import re
from collections.abc import Iterator
from math import inf

from proofs.figures.claims.claim import (
    CLOCK,
    LAST,
    MODES,
    OBSERVED,
    RATE,
    Comparison,
    claim,
    named_rate,
    rate,
    same,
    size,
    told_hour,
    told_pace,
    told_span,
)
from proofs.figures.known import Known
from proofs.figures.readings import is_clock, is_percent
from simulation.burst_credits import MINUTE_SECONDS
from simulation.file_system import Provisioned


@claim(rf"FIGURES of (?P<time>{CLOCK}), the newest that CloudWatch has")
def _newest(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield told["time"], known.newest_time, is_clock(told["time"], known.newest_time, known.time)


@claim(
    rf"- Balance: (?P<balance>{RATE}) GiB, (?P<share>{RATE}) % of a full bucket"
    rf"(?:, (?P<by_now>{RATE}) GiB by (?P<now>{CLOCK}) at the pace of (?:{LAST}|(?P<before>the size before)))?\. "
    rf"(?P<alarm>Warning|Critical|Exhausted) (?:is|(?P<missing>would be)) on below (?P<threshold>{RATE}) GiB "
    rf"\((?P<lead>\d+) minutes?(?: at (?P<at>{RATE}) MiB/s)?\)"
)
def _balance(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lead = known.lead_minutes[told["alarm"].lower()]
    yield size(told["balance"], known.balance_bytes)
    yield told["share"], known.bucket_share, is_percent(told["share"], known.bucket_share)
    yield same(int(told["lead"]), lead)
    may_be_missing, is_missing = known.alarm_is_missing(told["alarm"].lower())
    yield told["alarm"], "deleted", may_be_missing if told["missing"] else not is_missing
    if told["at"]:
        yield from named_rate(told["at"], known)
        yield size(told["threshold"], lead * MINUTE_SECONDS * known.uncapped_bytes_per_second)
    else:
        yield size(told["threshold"], known.threshold_bytes(lead))
    if told["before"]:
        least, most = known.by_now(known.at_the_size_before)
        yield size(told["by_now"], (least + most) / 2, (most - least) / 2)
        yield told["now"], known.asked, is_clock(told["now"], known.asked, known.time)
    elif told["by_now"]:
        pace = told_pace(told["last"], known)
        least, most = known.by_now(pace)
        yield told_span(told["last"], pace)
        yield size(told["by_now"], (least + most) / 2, (most - least) / 2)
        yield told["now"], known.asked, is_clock(told["now"], known.asked, known.time)


@claim(
    rf"The (?P<provisioned>{RATE}) MiB/s that are provisioned change nothing: its size earns (?P<earned>{RATE}) MiB/s\."
)
def _provisioned_in_vain(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    mode = known.now.mode
    provisioned = mode.bytes_per_second if isinstance(mode, Provisioned) else inf
    yield rate(told["provisioned"], provisioned)
    yield rate(told["earned"], known.earned_bytes_per_second)
    yield "change nothing", provisioned, provisioned <= 1.001 * known.earned_bytes_per_second


@claim(
    rf"- Throughput \((?P<mode>\w+) mode\): (?P<permitted>{RATE}) MiB/s permitted then, (?P<baseline>{RATE}) MiB/s "
    r"without credits"
)
def _throughput(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(told["mode"], MODES[type(known.now.mode)])
    yield rate(told["permitted"], known.hour[-1].permitted_bytes_per_second)
    yield rate(told["baseline"], known.baseline_bytes_per_second)


@claim(
    rf"- Size: (?P<standard>{RATE}) GiB in Standard, which earns credits; (?P<cold>{RATE}) GiB in Infrequent Access, "
    r"which does not"
)
def _stored(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    cold_bytes = known.player.scenario.infrequent_access_bytes
    yield size(told["standard"], known.now.metered_standard_bytes)
    yield size(told["cold"], cold_bytes)
    yield told["cold"], cold_bytes, cold_bytes >= known.now.metered_standard_bytes


@claim(rf"- Balance in {LAST}: (?P<way>fell|rose) by (?P<change>{RATE}) GiB, (?P<net>{RATE}) MiB/s net")
def _movement(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    hour = known.whole_hour
    sign = 1 if told["way"] == "fell" else -1
    seconds = hour.minutes * MINUTE_SECONDS
    yield told_span(told["last"], hour)
    yield size(told["change"], sign * hour.drain_bytes_per_second * seconds, hour.blur_bytes_per_second * seconds)
    yield rate(told["net"], sign * hour.drain_bytes_per_second, hour.blur_bytes_per_second)


@claim(rf"- Balance in {LAST}: (?P<how>neither fell nor rose|hardly fell|hardly rose)")
def _no_movement(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield told_span(told["last"], known.whole_hour)
    drain, blur = known.whole_hour.drain_bytes_per_second, known.whole_hour.blur_bytes_per_second
    yield rate("0.0", drain, blur)
    sign = {"hardly fell": 1, "hardly rose": -1}.get(told["how"], 0)
    yield told["how"], drain, sign * drain > 0 or abs(drain) <= blur


@claim(rf"- Clients in {OBSERVED}: (?P<metered>{RATE}) MiB/s as metered")
def _clients(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield told_hour(told, known)
    yield rate(told["metered"], known.metered_bytes_per_second)


@claim(rf"[Cc]lients moved no bytes in {OBSERVED}")
def _idle_clients(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield told_hour(told, known)
    yield rate("0.0", known.metered_bytes_per_second)


@claim(rf"- Bytes: (?P<read>{RATE}) % read, (?P<written>{RATE}) % written, (?P<metadata>{RATE}) % metadata")
def _shares(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    moved = known.moved_bytes
    for kind, amount in zip(("read", "written", "metadata"), moved, strict=True):
        share = amount / sum(moved)
        yield told[kind], share, is_percent(told[kind], share)
