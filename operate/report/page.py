"""Draws a report: one HTML page that needs no network, in which nothing of the data can become part of the page.

Texts go through a template that escapes them. What the charts draw is data and no script; the page's policy names the
digests of its own scripts and style, so a browser runs no other.
"""

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from efs_monitor.efs.credits import GIB
from efs_monitor.mail.numbers import counted, duration, money, size
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from operate.advise.advice_words import slower
from operate.history.recorded import BALANCE
from operate.report.chart_data import chart_data, mail_sign, step_minutes
from operate.report.contents import Contents
from operate.report.incidents import Incident, incidents

ASSETS = Path(__file__).parent / "assets"
SCRIPTS = ("uPlot.iife.min.js", "report.js")
STYLES = ("uPlot.min.css", "report.css")
MANY_EVENTS = 3000
# A page has at most 3 MB, and the charts of three weeks take one.
MOST_TEXT_BYTES = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Event:
    """A line of the table that tells in words what the charts show."""

    minute: int
    what: str
    text: str


def page(contents: Contents) -> str:
    """The whole page."""
    found = incidents(contents)
    history = contents.history
    every = list(events(contents, found))
    texts = _first_texts(contents)
    return (
        _environment()
        .get_template("report.html")
        .render(
            contents=contents,
            history=history,
            file_system=history.described(history.minutes),
            incidents=found,
            events=every[:MANY_EVENTS],
            left_out=len(every[MANY_EVENTS:]),
            texts=texts,
            texts_left_out=sum(1 for one in contents.mails if one.body) - len(texts),
            step_minutes=step_minutes(contents),
            data=chart_data(contents, found),
            tiles=list(_tiles(contents, found)),
            said=_in_words(contents, found),
            sign=mail_sign,
            scripts=[_inline(name) for name in SCRIPTS],
            styles=[_inline(name) for name in STYLES],
            policy=_policy(),
        )
    )


def summary(contents: Contents) -> dict[str, Any]:
    """What a program is told of a report, besides the page: times in ISO 8601 and UTC, balances in bytes."""
    history = contents.history

    return {
        "file_system_id": history.file_system_id,
        "region": history.region,
        "from": history.iso_time(history.begins),
        "to": history.iso_time(history.minutes),
        "remarks": list(contents.remarks),
        "incidents": [
            {
                "from": history.iso_time(one.begin),
                "to": history.iso_time(one.end) if one.over else None,
                "lowest_balance_bytes": one.lowest_bytes,
                "phases": [{"name": phase.name, "from": history.iso_time(phase.begin)} for phase in one.phases],
            }
            for one in incidents(contents)
        ],
        "messages": len(contents.mails),
    }


def events(contents: Contents, found: tuple[Incident, ...]) -> Iterator[Event]:
    """Everything that happened, in its order: phases, alarms, mails, and recalculations that changed something."""
    every = [
        *(Event(minute=one.begin, what="phase", text=one.name) for incident in found for one in incident.phases),
        *(Event(minute=one.end, what="phase", text="The incident is over") for one in found if one.over),
        *(
            Event(minute=span.begin, what=f"alarm {kind}", text=f"{before.state} → {span.state}")
            for kind, spans in contents.alarms.items()
            for before, span in pairwise(spans)
        ),
        *(Event(minute=one.minute, what=f"mail to {one.topic}", text=one.subject) for one in contents.mails),
        *(
            Event(minute=one.minute, what="recalculation", text=f"{one.kind}: {one.reason}")
            for one in contents.decisions
            if one.kind != "keep"
        ),
    ]
    yield from sorted(every, key=lambda one: one.minute)


def _first_texts(contents: Contents) -> frozenset[int]:
    """The numbers of the mails whose texts the page has room for: the first ones."""
    with_text = [(number, one) for number, one in enumerate(contents.mails) if one.body]
    sizes = accumulate(len(escape(one.body).encode()) for _, one in with_text)
    return frozenset(number for (number, _), size in zip(with_text, sizes, strict=True) if size <= MOST_TEXT_BYTES)


def _tiles(contents: Contents, found: tuple[Incident, ...]) -> Iterator[tuple[str, str]]:
    """The figures that are asked for first."""
    balances = [one for one in contents.history.metrics.values[BALANCE] if one is not None]
    yield "incidents", f"{len(found)}" if any(contents.alarms.values()) else "not known"
    yield "out of credits", _times_without_credits(contents)
    slowed = [one.limited_minutes for one in contents.spells]
    known = [one for one in slowed if one is not None]
    if contents.spells:
        yield "clients slowed down", counted(sum(known)) if len(known) == len(slowed) else "not known"
    yield "lowest balance", size(min(balances)) if balances else "not known"
    yield "messages", f"{len(contents.mails)}"


def _times_without_credits(contents: Contents) -> str:
    if not contents.spells:
        return "never" if contents.thresholds else "not known"
    times = {1: "once", 2: "twice"}.get(len(contents.spells), f"{len(contents.spells)} times")
    return f"{times}, {duration(sum(one.minutes for one in contents.spells))}"


def _in_words(contents: Contents, found: tuple[Incident, ...]) -> dict[str, str]:
    """What a person who does not see a chart is told of it; the table of events has the rest."""
    history = contents.history
    balances = [one for one in history.metrics.values[BALANCE] if one is not None]
    went = (
        f"from {balances[0] / GIB:,.0f} to {balances[-1] / GIB:,.0f} GiB, lowest {min(balances) / GIB:,.0f} GiB"
        if balances
        else "not known"
    )
    return {
        "balance": f"Line chart of the credit balance with the thresholds of the alarms: {went}. "
        f"Out of credits: {_times_without_credits(contents)}.",
        "rates": "Line chart of the permitted throughput and of what clients moved, in MiB/s.",
        "lanes": f"Bands of the phases of {len(found)} incidents and of the states of each alarm; signs for "
        f"{len(contents.mails)} mails and for recalculations. All of them are in the table of events.",
    }


@cache
def _environment() -> Environment:
    made = Environment(loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    made.filters |= {"money": money, "size": size, "slower": slower, "duration": duration}
    policies: dict[str, Any] = made.policies
    policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    return made


@cache
def _inline(name: str) -> Markup:
    return Markup((ASSETS / name).read_text(encoding="utf-8"))  # noqa: S704 - a file of ours, and no data


@cache
def _policy() -> str:
    def digests(names: tuple[str, ...]) -> str:
        found = (b64encode(sha256(_inline(name).encode()).digest()).decode() for name in names)
        return " ".join(f"'sha256-{one}'" for one in found)

    allowed = f"script-src {digests(SCRIPTS)}; style-src {digests(STYLES)}"
    return f"default-src 'none'; base-uri 'none'; form-action 'none'; {allowed}"
