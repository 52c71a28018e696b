"""Advice as a person reads it in a terminal, and as plain values."""

import shlex
from collections.abc import Iterator
from dataclasses import asdict
from math import isinf
from typing import Any

from efs_monitor.costs import prices
from efs_monitor.efs.metering import SMALLEST_DATA_OPERATION_KIB
from efs_monitor.mail.numbers import counted
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from operate.advise.advice import Advice, price
from operate.advise.mode_prices import PricedMode
from operate.terminal import command_line

DAY_MINUTES = 1440
INDENT = "  "


def report(advice: Advice) -> Group:
    """The findings first; below them what each mode would have cost."""
    return Group(*_parts(advice))


def _parts(advice: Advice) -> Iterator[RenderableType]:
    history = advice.history
    days = (history.minutes - history.begins) / DAY_MINUTES
    yield Text(
        f"{history.file_system_id or 'The file system'}: {days:.1f} days until "
        f"{history.time(history.minutes):%a %Y-%m-%d %H:%M} UTC; now {_called(advice.now)}, "
        f"{price(advice.now)} a month for throughput."
    )
    for remark in advice.remarks:
        yield Text(f"! {remark}.", style="yellow")
    if not advice.findings:
        yield Text("\nNothing to advise: nothing is known that would be cheaper without being slower.")
    for finding in advice.findings:
        yield Text(f"\n{finding.title}", style="bold")
        yield Padding(Text(finding.evidence), (0, 0, 0, len(INDENT)))
        yield Padding(Text(f"{finding.money}."), (0, 0, 0, len(INDENT)))
        yield _command(finding.command)
        yield Padding(Text(f"({finding.source})"), (0, 0, 0, len(INDENT)))
    yield Text(f"\nThe same load in each mode ({prices.REGION} list, {prices.AS_OF})", style="bold")
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("")
    table.add_column("a month", justify="right")
    table.add_column("slower than it was")
    for one in advice.modes:
        table.add_row(
            _called(one),
            price(one),
            slower(one),
        )
    yield table
    if any(not one.is_priced_exactly and not isinf(one.further_dollars) for one in advice.modes):
        yield Text(
            f"How large each operation was is in no metric, and elastic throughput bills one below "
            f"{SMALLEST_DATA_OPERATION_KIB} KiB as {SMALLEST_DATA_OPERATION_KIB}: its price is known within these "
            "limits only, and it is advised where even the higher one is the lowest price."
        )
    if advice.slowed_minutes:
        yield Text(
            "Clients were slowed down: what they were refused is in no metric, so elastic and provisioned throughput "
            "may cost more than this."
        )


def _command(command: str) -> RenderableType:
    """The command, continued by backslashes where a shell can take it back; with words around it as a sentence."""
    if command.startswith("aws ") and ", then" not in command:
        return Text(command_line(shlex.split(command), indent=INDENT))
    return Padding(Text(command), (0, 0, 0, len(INDENT)))


def slower(one: PricedMode) -> str:
    """In how many minutes a mode would have been slower than it was, and whether its credits end after that."""
    if one.short_minutes:
        return f"in {counted(one.short_minutes)}"
    barely = f"by less than 2 %, in {counted(one.barely_short_minutes)}" if one.barely_short_minutes else ""
    if one.credits_last_days is None:
        return barely or "never"
    days = one.credits_last_days
    last = "1 day" if days == 1 else f"{days} days" if days else "less than a day"
    return f"{barely or 'never yet'}; credits last {last}"


def as_json(advice: Advice) -> dict[str, Any]:
    """The whole of it, as plain values."""
    history = advice.history
    return {
        "file_system_id": history.file_system_id,
        "region": history.region,
        "from": f"{history.time(history.begins):%Y-%m-%dT%H:%MZ}",
        "to": f"{history.time(history.minutes):%Y-%m-%dT%H:%MZ}",
        "remarks": list(advice.remarks),
        "prices": {"region": prices.REGION, "as_of": prices.AS_OF},
        "slowed_minutes": advice.slowed_minutes,
        "now": _plain(advice.now),
        "modes": [_plain(one) for one in advice.modes],
        "findings": [asdict(one) for one in advice.findings],
    }


def _plain(one: PricedMode) -> dict[str, Any]:
    most = None if isinf(one.further_dollars) else one.most_dollars_a_month
    values = asdict(one) | {"mode": str(one.mode), "most_dollars_a_month": most}
    del values["further_dollars"]
    return values


def _called(one: PricedMode) -> str:
    return str(one.mode) + (f", {one.mib_per_second:,} MiB/s" if one.mib_per_second is not None else "")
