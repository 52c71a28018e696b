"""The last section of docs/reliability.md: what an operator is told from the first Warning to the all-clear."""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from operate.terminal import wrapped
from proofs.incidents.judge import MonthFigures
from proofs.limits import LimitRow, table

HEADING = "## From the first Warning to the all-clear"
INTRODUCTION = """\
`make prove PROOF=incidents` writes this section. It lives through months of file systems, each from a seed, minute by
minute: 20 GiB to 12 TiB, one to five batches a day that go on until the credits are gone (one in twelve ends early),
other load between them, growth, switches to elastic and provisioned throughput and back, metrics 1, 3 or 5 minutes
late. The alarms are those of the template, judged as CloudWatch judges them, and at every alarm and every hour the
deployed functions' own code runs. What they tell is held against the model.
"""
AFTER_THE_TABLE = "What the rows leave out:"
ENDS_OF_A_MINUTES_WORTH = (
    "**An end of the credits is less than a minute's worth** of them, as the Exhausted alarm has it. A balance that "
    "hovers about that pages at each crossing, though clients may not be limited; readable mails tell the first two "
    "such times of a day."
)


class MeasuredMonths(NamedTuple):
    """What was measured of each kind of months: the ordinary ones, those with late metrics, those whose balance hovers
    about a threshold, and those whose batches rest for most of the time.
    """

    ordinary: MonthFigures
    late: MonthFigures
    hovering: MonthFigures
    resting: MonthFigures

    @classmethod
    def none(cls) -> "MeasuredMonths":
        """Nothing yet, to add to."""
        return cls(MonthFigures(), MonthFigures(), MonthFigures(), MonthFigures())


def rows(measured: MeasuredMonths) -> list[LimitRow]:
    """The table. Nothing measured is nothing that held."""
    found, late = measured.ordinary, measured.late
    return [
        *(
            _least(late, f"late {name}", 1.0, f"metrics 15 to 60 minutes late: {word} told within lag + 20 min")
            for name, word in (
                ("warning", "Warning"),
                ("critical", "Critical"),
                ("exhausted", "the end"),
            )
        ),
        _least(found, "zeros", 1.0, "every zero after 15 minutes above a minute's worth: told within lag + 2 min"),
        _least(
            found,
            "zeros told right",
            0.98,
            "the same, by an alarm no more than 10 min before it, or by a mail whose time was right to 10 min or 15 % "
            "of what was left",
        ),
        _least(
            found,
            "zeros told by a run",
            0.99,
            "zeros more than 10 min after their alarm, with nothing left at the next hourly run either: told by it",
        ),
        _least(
            found, "relapses", 0.99, "falls to zero of 20 min or more that begin while Critical is on: told before it"
        ),
        _least(
            measured.resting,
            "relapses",
            0.99,
            "the same, of months whose batches work only 3 minutes of 10, 5 of 15 or 6 of 20",
        ),
        _forecasts(found),
        _quantiles(
            found,
            "error of the time of zero",
            ((0.5, 0.05, "median"), (0.9, 0.15, "P90")),
            "time of zero in a mail, steady load of 30 min, 20 min or more to go: error of the minutes left",
            percent=True,
        ),
        _none(found, "no action", 'mails that say "no action" within 6 h before a zero'),
        _quantiles(
            found,
            "mails a day",
            ((0.5, 3, "median"), (0.95, 5, "P95")),
            "Advice mails a day of Warning or Critical, beyond one for each zero",
            percent=False,
        ),
        LimitRow(
            what="messages on the Critical topic beyond Critical on and off, each end of the credits and its end",
            limit="0",
            measured=f"{found.counts['extra pages']:,}",
            held=found.counts["months"] > 0 and found.counts["extra pages"] == 0,
        ),
        _agreement(*measured),
        LimitRow(
            what="mails that failed for good: the function, and both retries",
            limit="0",
            measured=f"{found.counts['invocations lost']:,}, and {late.counts['invocations lost']:,} with late metrics",
            held=found.counts["months"] > 0
            and found.counts["invocations lost"] == late.counts["invocations lost"] == 0,
        ),
    ]


def section(measured: MeasuredMonths, days: int) -> str:
    """The section, with its heading."""
    lines = [*_introduction(measured, days), "", *table(rows(measured)), "", AFTER_THE_TABLE, ""]
    return "\n".join([HEADING, "", *lines, *(wrapped(f"- {one}", then="  ") for one in notes(measured))]) + "\n"


def notes(measured: MeasuredMonths) -> list[str]:
    """What the rows leave out, measured, and why it is so."""
    return [
        _zeros_told_by_neither(measured.ordinary),
        _readable_relapses(measured.ordinary),
        _mails_while_late(measured.late),
        ENDS_OF_A_MINUTES_WORTH,
        _loads_that_rest(measured.resting),
    ]


def _zeros_told_by_neither(found: MonthFigures) -> str:
    untold = found.counts["zeros told by neither"]
    told = found.counts["zeros told by neither: held"]
    small = found.counts["zeros told by neither, small"]
    share = untold / found.counts["zeros"] if found.counts["zeros"] else 0.0
    return (
        f"**Zeros that no message told at their time**: {_percent(share)}, {untold:,} of {found.counts['zeros']:,}; "
        f"{small:,} of them of file systems of 20 GiB. Exhausted goes off when a minute's worth at full speed is left, "
        f"which lasts for hours where clients take little more than a small size earns. The mail named the end by "
        f"the pace of then, and the load changed after it. A message at the end itself would be a page more "
        f"for each zero. At the next hourly run nothing was left in {told:,} of these cases, and it said so; in the "
        f"other {untold - told:,} something had come back by then."
    )


def _readable_relapses(found: MonthFigures) -> str:
    share, fell = found.share("readable relapses"), found.counts["readable relapses"]
    return (
        f"**Falls told by a readable mail**, before the one that next to nothing is left: "
        f"{_percent(share or 0.0)} of the {fell:,} that begin while Critical is on. The others are told by "
        f"CloudWatch's own message of the Draining alarm alone, on the Warning topic: readable ones tell the first two "
        f"falls of 20 hours, which keeps the mails of a day within their limit."
    )


def _mails_while_late(late: MonthFigures) -> str:
    shown = {
        what: f"median {_quantile(values, 0.5):g}, P95 {_quantile(values, 0.95):g}"
        for what in ("mails a day", "mails a day but of lateness")
        if (values := sorted(late.values.get(what, [])))
    }
    if not shown:
        return "**Advice mails a day of the months with late metrics**: none was there."
    return (
        f"**Advice mails a day of the months with late metrics**, counted as above: {shown['mails a day']} of "
        f"{len(late.values['mails a day']):,}. Two mails of each such time say that metrics come late, and that they "
        f"are in time again: without these {shown['mails a day but of lateness']}. The limit is not for these months: "
        f"their one batch a day takes a bucket that has filled up above Warning again, so that each day is an incident "
        f"of its own, told in full by five mails (Warning, Critical, the end, its end, Warning over), of which a zero "
        f"counts for one."
    )


def _loads_that_rest(resting: MonthFigures) -> str:
    begins = "**Loads that rest for most of the time** set off the Draining alarm once five minutes of half an hour"
    mails, forecasts = sorted(resting.values.get("mails a day", [])), resting.share("forecasts")
    if not mails or forecasts is None:
        return f"{begins} fell fast: no such load was there."
    wrong = f"{_percent(1 - forecasts)} of these {resting.counts['forecasts']:,} forecasts"
    return (
        f"{begins} fell fast, which is early: {wrong} had no zero within 3 h. Advice mails a day there: median "
        f"{_quantile(mails, 0.5):g}, P95 {_quantile(mails, 0.95):g} of {len(mails):,}. A load that works for even "
        f"fewer minutes is told by the next hourly run, where its fall goes on until then, and else by GONE alone."
    )


def with_section(page: str, text: str) -> str:
    """The page with this section in place of the one it has, or behind everything."""
    before, _, _ = page.partition(HEADING)
    return f"{before.rstrip()}\n\n{text}"


def carried_over(page: str, older: str, *headings: str) -> str:
    """A page that another proof wrote anew, with this section of the older one, and any with one of these headings."""
    starts = [older.index(one) for one in (*headings, HEADING) if one in older]
    return f"{page.rstrip()}\n\n{older[min(starts) :]}" if starts else page


def _introduction(measured: MeasuredMonths, days: int) -> Iterator[str]:
    yield INTRODUCTION
    months, zeros = measured.ordinary.counts["months"], measured.ordinary.counts["zeros"]
    yield f"{months:,} months of {days} days with {zeros:,} zeros;"
    late, resting = measured.late.counts["months"], measured.resting.counts["months"]
    yield f"{late:,} more in which metrics are 15 to 60 minutes late for three to ten hours at a time; and"
    yield f"{resting:,} more in which every batch rests for most of the time."


def _least(found: MonthFigures, what: str, limit: float, says: str) -> LimitRow:
    share = found.share(what)
    measured = "none was there" if share is None else f"{_percent(share)} of {found.counts[what]:,}"
    return LimitRow(
        what=says,
        limit=f"{'≥ ' if limit < 1 else ''}{limit * 100:.0f} %",
        measured=measured,
        held=share is not None and share >= limit,
    )


def _forecasts(found: MonthFigures) -> LimitRow:
    share = found.share("forecasts")
    measured = "none was made" if share is None else f"{_percent(1 - share)} of {found.counts['forecasts']:,}"
    says = "forecasts of the Draining alarm that no zero follows within 3 h"
    return LimitRow(what=says, limit="≤ 15 %", measured=measured, held=share is not None and share >= 0.85)


def _none(found: MonthFigures, what: str, says: str) -> LimitRow:
    wrong = found.counts[what] - found.counts[f"{what}: held"]
    return LimitRow(
        what=says,
        limit="0",
        measured=f"{wrong:,} of {found.counts[what]:,}",
        held=found.counts["months"] > 0 and wrong == 0,
    )


def _agreement(*of: MonthFigures) -> LimitRow:
    told, agreed = (sum(one.counts[what] for one in of) for what in ("one story", "one story: held"))
    return LimitRow(
        what="mails that contradict one of the hour before them, with nothing new between the two; also of months "
        "whose balance hovers about a threshold",
        limit="0",
        measured=f"{told - agreed:,} of {told:,}",
        held=told > 0 and agreed == told,
    )


def _quantiles(
    found: MonthFigures, what: str, limits: tuple[tuple[float, float, str], ...], says: str, *, percent: bool
) -> LimitRow:
    values = sorted(found.values.get(what, []))

    def shown(value: float) -> str:
        return _percent(value) if percent else f"{value:g}"

    limit = ", ".join(f"{name} ≤ {f'{most * 100:g} %' if percent else f'{most:g}'}" for _, most, name in limits)
    if not values:
        return LimitRow(what=says, limit=limit, measured="none was there", held=False)
    measured = ", ".join(f"{name} {shown(_quantile(values, part))}" for part, _, name in limits)
    held = all(_quantile(values, part) <= most for part, most, _ in limits)
    return LimitRow(what=says, limit=limit, measured=f"{measured} of {len(values):,}", held=held)


def _quantile(ordered: list[float], part: float) -> float:
    return ordered[max(0, ceil(part * len(ordered)) - 1)]


def _percent(share: float) -> str:
    """Never rounded up to a whole that it is not."""
    if share in {0, 1}:
        return f"{share * 100:.0f} %"
    return f"{min(max(share * 100, 0.01), 99.99):.2f} %"
