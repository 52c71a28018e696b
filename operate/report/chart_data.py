"""What the charts of a page draw, as plain values: a point a minute, or one each five where that would be too many."""

from collections.abc import Callable, Sequence
from typing import Any

from efs_monitor.efs.credits import GIB, MIB, SECONDS_PER_MINUTE

from operate.history.recorded import BALANCE, METERED, PERMITTED
from operate.replay.replayed_account import DAY_MINUTES, ReplayedMail
from operate.replay.replayed_metrics import Values
from operate.report.contents import LANES, Contents
from operate.report.incidents import Incident

# A page has at most 3 MB, of which a minute takes about 20 bytes.
MOST_DAYS_BY_MINUTE, COARSE_MINUTES = 21, 5
# The page rounds to one digit. What is rounded to a few digits before becomes another figure: 14.648, 14.65, 14.7.
DIGITS = 4
TROUBLE = ("ALARM", "WARNING", "CRITICAL", "DRAINING", "NEARLY GONE", "GONE", "STILL")
GOOD = ("OK", "RECOVERED", "LIMIT LIFTED", "NOT GONE")


def step_minutes(contents: Contents) -> int:
    """How many minutes a point stands for."""
    return 1 if contents.history.minutes <= MOST_DAYS_BY_MINUTE * DAY_MINUTES else COARSE_MINUTES


def chart_data(contents: Contents, found: Sequence[Incident]) -> dict[str, Any]:
    """Times in seconds since 1970, balances in GiB, rates in MiB/s; None where nothing is known."""
    history, step = contents.history, step_minutes(contents)
    start = round(history.time(0).timestamp())
    balances, permitted = history.metrics.values[BALANCE], history.metrics.values[PERMITTED]

    def at(minute: int) -> int:
        return start + minute * SECONDS_PER_MINUTE

    return {
        "start": start,
        "step": step * SECONDS_PER_MINUTE,
        "begins": at(history.begins),
        "end": at(history.minutes),
        "balance": _points(balances, step, min, GIB),
        "permitted": _points(permitted, step, min, MIB),
        "moved": _points(moved_bytes_per_second(contents), step, _mean, MIB),
        "thresholds": [
            [
                at(one.minute),
                *(round(b / GIB, DIGITS) for b in (one.warning_bytes, one.critical_bytes, one.exhausted_bytes)),
            ]
            for one in contents.thresholds
        ],
        "minutes": [contents.settings.warning_minutes, contents.settings.critical_minutes]
        if contents.settings
        else [None, None],
        "lanes": [
            {"name": str(kind), "spans": [[at(one.begin), at(one.end), one.state] for one in contents.alarms[kind]]}
            for kind in LANES
            if contents.alarms.get(kind)
        ],
        "phases": [[at(one.begin), at(one.end), one.name] for incident in found for one in incident.phases],
        "mails": [[at(one.minute), mail_sign(one), one.topic, one.subject] for one in contents.mails],
        "decisions": [
            [at(one.minute), f"{one.kind}: {one.reason}"] for one in contents.decisions if one.kind != "keep"
        ],
    }


def moved_bytes_per_second(contents: Contents) -> Values:
    """What clients moved, as EFS meters it. A counter has no datapoint in an idle minute, and then nothing was moved;
    a minute of which nothing at all is known stays unknown.
    """
    history = contents.history
    values = history.metrics.values
    if not history.knows_metered:
        return [None] * history.minutes
    return [
        None if moved is None and balance is None and rate is None else (moved or 0.0) / SECONDS_PER_MINUTE
        for moved, balance, rate in zip(values[METERED], values[BALANCE], values[PERMITTED], strict=True)
    ]


def mail_sign(mail: ReplayedMail) -> str:
    """The sign of three by which a mail is drawn: it tells of trouble, of its end, or of something else."""
    if mail.subject.startswith(GOOD):
        return "end"
    return "trouble" if mail.subject.startswith(TROUBLE) else "other"


def _points(values: Values, step: int, fold: Callable[[list[float]], float], unit: int) -> list[float | None]:
    if step == 1:
        return [None if one is None else round(one / unit, DIGITS) for one in values]
    steps = ([one for one in values[begin : begin + step] if one is not None] for begin in range(0, len(values), step))
    return [round(fold(there) / unit, DIGITS) if there else None for there in steps]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
