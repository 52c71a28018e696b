"""A backtest as a person reads it in a terminal: what would have come, how much of it in time, what to choose."""

from collections.abc import Iterator

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.mail.numbers import counted
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from operate.backtest.backtest_result import DAY_MINUTES, BacktestResult
from operate.backtest.lead_times import SHOWN_EVERY_MINUTES, USEFUL_MINUTES
from operate.backtest.warnings import Record
from operate.terminal import so_many

# More lines than a screen has say less; --json has them all.
MOST_MESSAGES, MOST_SPELLS = 30, 20
HEADS = {AlarmKind.WARNING: "Warning", AlarmKind.CRITICAL: "Critical", AlarmKind.DRAINING: "Draining"}


def report(found: BacktestResult, *, every_message: bool = False) -> Group:
    """All of it, in the order in which it is asked: what was, what was told, what else would have been."""
    return Group(*_parts(found, every_message))


def _parts(found: BacktestResult, every_message: bool) -> Iterator[RenderableType]:
    history = found.history
    name = history.file_system_id or "The file system"
    days = (history.minutes - history.begins) / DAY_MINUTES
    yield Text(
        f"{name}{f' in {history.region}' if history.region else ''}: {days:.1f} days from "
        f"{history.time(history.begins):%a %Y-%m-%d %H:%M} to {history.time(history.minutes):%a %Y-%m-%d %H:%M} UTC, "
        f"with WarningMinutes {found.settings.warning_minutes} and CriticalMinutes {found.settings.critical_minutes}."
    )
    for remark in history.remarks:
        yield _noted(remark)
    if found.known_minutes < DAY_MINUTES:
        yield _noted(
            f"Only {counted(found.known_minutes)} are known: a week is taken for seven times what came in them, and no "
            "week may be like that"
        )
    for minute, function in found.failed:
        yield _noted(f"{function} would have failed for good at {history.time(minute):%Y-%m-%d %H:%M} UTC")
    yield from _trouble(found)
    yield from _messages(found, every_message)
    yield from _lead_times(found)


def _trouble(found: BacktestResult) -> Iterator[RenderableType]:
    yield _heading("Out of burst credits")
    if not found.spells:
        yield Text("Never. Nobody was slowed down for want of credits.")
        return
    number = len(found.spells)
    total = sum(one.minutes for one in found.spells)
    yield Text(f"{_times(number)}, {so_many(total, 'minute')} in all. {_slowed_down(found.limited_minutes)}")
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("from (UTC)", no_wrap=True)
    table.add_column("min", justify="right")
    table.add_column("slow", justify="right")
    for head in (*HEADS.values(), "AWS", "192 GB"):
        table.add_column(head, justify="right")
    records = [*(found.records[kind] for kind in HEADS), *found.others.values()]
    rows = found.spells[:MOST_SPELLS]
    for index, spell in enumerate(rows):
        table.add_row(
            f"{found.history.time(spell.begin):%a %m-%d %H:%M}",
            f"{spell.minutes:,}{'' if spell.over else '…'}",
            "?" if spell.limited_minutes is None else f"{spell.limited_minutes:,}",
            *(_lead(record, index) for record in records),
        )
    yield table
    if number > MOST_SPELLS:
        yield Text(f"and {number - MOST_SPELLS:,} more; --json has them all.")
    yield Text(
        "Under each alarm: minutes between its message and the end of the credits; with a + so many minutes after it; "
        "- no message of this fall. AWS is the alarm that CloudWatch recommends (average 0 for 15 minutes), 192 GB a "
        "fixed threshold as often published."
        + (
            ""
            if all(spell.over for spell in rows)
            else " With a … after its minutes a time without credits goes on at the end."
        )
    )
    if not found.history.knows_average:
        yield _noted(
            "The average balance is not known, and AWS's alarm is judged by the lowest of each minute: it would not "
            "have come earlier"
        )


def _slowed_down(limited: int | None) -> str:
    if limited is None:
        return "How much clients were slowed down is not known."
    if not limited:
        return "Clients were never slowed down."
    return f"For {limited:,} of them clients moved all that is permitted without credits: they were slowed down."


def _lead(record: Record, index: int) -> str:
    lead, late = record.leads[index], record.late[index]
    return f"{lead:,}" if lead is not None else f"+{late:,}" if late is not None else "-"


def _messages(found: BacktestResult, every_message: bool) -> Iterator[RenderableType]:
    yield _heading("Messages")
    own = sum(1 for one in found.mails if not one.by_cloudwatch)
    weeks = max((found.history.minutes - found.history.begins) / (7 * DAY_MINUTES), 1 / 7)
    yield Text(
        f"{len(found.mails):,} in all, {len(found.mails) / weeks:.0f} a week: {len(found.mails) - own:,} by CloudWatch "
        f"(the alarms, to mail, pagers and chat), {so_many(own, 'readable mail')} on the Advice topic."
    )
    vain = [f"{HEADS[kind]} {len(found.records[kind].vain)}" for kind in HEADS if found.records[kind].vain]
    still_on = [HEADS[kind] for kind in HEADS if kind in found.still_on]
    sentences = [f"Went off and were over without an end of the credits: {', '.join(vain)}."] if vain else []
    if still_on:
        sentences.append(f"Still on at the end, without an end of the credits so far: {', '.join(still_on)}.")
    if not vain:
        sentences.append(
            f"{'Apart from that, no' if still_on else 'No'} alarm went off that the end of the credits did not follow."
        )
    yield Text(" ".join(sentences))
    shown = found.mails if every_message else found.mails[:MOST_MESSAGES]
    if shown:
        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column()
        for one in shown:
            said = f"{one.body}: {one.subject}" if one.by_cloudwatch else one.subject
            table.add_row(f"{found.history.time(one.minute):%a %m-%d %H:%M}", one.topic, Text(said))
        yield Text("")
        yield table
    if len(shown) < len(found.mails):
        yield Text(f"and {len(found.mails) - len(shown):,} more: --messages shows them all, --json with their texts.")


def _lead_times(found: BacktestResult) -> Iterator[RenderableType]:
    yield _heading("Which minutes")
    if len({one.record.messages for one in found.curve}) == 1 and not found.spells:
        yield Text(recommendation(found))
        return
    weeks = max((found.history.minutes - found.history.begins) / (7 * DAY_MINUTES), 1 / 7)
    number = len(found.spells)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("minutes", justify="right")
    table.add_column("messages a week", justify="right")
    for useful in USEFUL_MINUTES.values():
        table.add_column(f"told {useful} min before", justify="right")
    table.add_column("in vain", justify="right")
    table.add_column("")
    most = max(one.record.messages for one in found.curve)
    for one in found.curve:
        bar = "▪" * round(12 * one.record.messages / most) if most else ""
        table.add_row(
            f"{one.minutes}",
            f"{one.record.messages / weeks:.1f}",
            *(f"{one.warned(useful)} of {number}" for useful in USEFUL_MINUTES.values()),
            f"{len(one.record.vain)}",
            bar,
        )
    yield table
    yield Text(
        f"Every minute from {found.tried[0].minutes} to {found.tried[-1].minutes} was tried, and every pair; shown is "
        f"each {SHOWN_EVERY_MINUTES}th, and what is chosen{' or recommended' if found.is_enough else ''}.\n"
    )
    yield Text(recommendation(found))


def recommendation(found: BacktestResult) -> str:
    """Which minutes to choose, and what they would have been worth; or why none are recommended."""
    if not found.is_enough:
        return not_recommended(found)
    best, settings = found.best, found.settings
    number = len(found.spells)
    same = (best.warning.minutes, best.critical.minutes) == (settings.warning_minutes, settings.critical_minutes)
    chosen = f"WarningMinutes {best.warning.minutes} and CriticalMinutes {best.critical.minutes}"
    if not number:
        return (
            f"Keep {chosen}: the credits never ended, and no other pair has fewer messages of the two alarms."
            if same
            else f"{chosen}: the credits never ended, and with these the two alarms would have sent "
            f"{so_many(best.messages, 'message')}."
        )
    warned, critical = best.warned
    worth = (
        f"Warning would have come {USEFUL_MINUTES['warning']} minutes or more before {warned} of {_falls(number)}, "
        f"Critical {USEFUL_MINUTES['critical']} or more before {critical}, in "
        f"{so_many(best.messages, 'message')} of these two alarms"
    )
    advice = f"{'Keep' if same else 'Choose'} {chosen}: {worth}."
    if max(warned, critical) == number:
        return advice
    if found.tells_of_all:
        return (
            f"{advice} With other minutes one of the two alarms tells of them all so early, and the other of fewer "
            "instead."
        )
    return (
        f"{advice} No WarningMinutes and no CriticalMinutes tell of them all so early: mostly because the balance does "
        "not come back above the threshold in between, and an alarm that stays on says nothing anew. Draining is for "
        "these."
    )


def not_recommended(found: BacktestResult) -> str:
    """Why no minutes are recommended; empty where they are."""
    if found.undecided:
        *others, last = (HEADS[kind] for kind in found.undecided)
        names = f"{', '.join(others)} and {last}" if others else last
        are, they = ("is", "it is") if len(found.undecided) == 1 else ("are", "they are")
        return (
            f"No minutes are recommended: {names} {are} still on at the end, and whether the credits end is not known. "
            f"Ask again when {they} over."
        )
    if not found.is_enough:
        return (
            f"No minutes are recommended: only {counted(found.known_minutes)} are known. Ask again with a day or more, "
            "better with two weeks."
        )
    return ""


def _falls(number: int) -> str:
    return f"{number} falls" if number > 1 else "the one fall"


def _times(number: int) -> str:
    return {1: "Once", 2: "Twice"}.get(number, f"{number} times")


def _heading(title: str) -> RenderableType:
    return Text(f"\n{title}", style="bold")


def _noted(remark: str) -> Text:
    """A remark; the sign says it where there is no colour."""
    return Text(f"! {remark}.", style="yellow")
