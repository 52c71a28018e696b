"""Whether everything that tells of the same minute says the same: mails, the dashboard, a report, a backtest."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from efs_monitor.alarms.alarm import AlarmKind

from operate.backtest.as_json import as_json
from operate.backtest.backtest_result import BacktestResult
from operate.report.chart_data import chart_data
from operate.report.contents import Contents
from operate.report.incidents import incidents
from operate.report.page import summary
from proofs.figures.readings import clock, is_rounded

# What a chart's points are rounded to, in GiB and MiB/s.
DRAWN = 0.01
AMOUNT = r"((?:less than )?[\d,.]+)"
FIGURES = re.compile(r"FIGURES of (\d\d:\d\d UTC(?: on \w{3} \d+ \w{3})?), the newest")
BALANCE = re.compile(rf"- Balance: {AMOUNT} GiB")
THRESHOLD = re.compile(rf"(Warning|Critical|Exhausted) is on below {AMOUNT} GiB")
MOVED = re.compile(rf"(Warning|Critical|Exhausted), \d+ minutes? ahead: below {AMOUNT} GiB")
BEFORE = re.compile(rf"(Warning|Critical|Exhausted), \d+ minutes? ahead: below \S+ GiB, was {AMOUNT} GiB")
PERMITTED = re.compile(rf"- Throughput \(bursting mode\): {AMOUNT} MiB/s permitted")
COLUMNS = {"Warning": 1, "Critical": 2, "Exhausted": 3}
BY_CLOUDWATCH = re.compile(r'(ALARM|OK): (?:"\S+-)?(warning|critical|exhausted|draining)\b')
# How a mail about an alarm begins, and the state in which it is by then.
HEADS = (
    ("WARNING:", "warning", "ALARM"),
    ("CRITICAL:", "critical", "ALARM"),
    ("GONE:", "exhausted", "ALARM"),
    ("NEARLY GONE:", "exhausted", "ALARM"),
    ("DRAINING:", "draining", "ALARM"),
    ("STILL WARNING", "warning", "ALARM"),
    ("STILL CRITICAL", "critical", "ALARM"),
    ("RECOVERED: Warning", "warning", "OK"),
    ("RECOVERED: Critical", "critical", "OK"),
    ("LIMIT LIFTED", "exhausted", "OK"),
    ("NOT GONE", "exhausted", "OK"),
)

# The dashboard's scale of minutes ends here, and more is drawn at its end.
MOST_MINUTES_DRAWN = 240


class Drawn:
    """What the charts of a report draw, by minutes of its history."""

    def __init__(self, contents: Contents) -> None:
        self.contents = contents
        self.data: dict[str, Any] = chart_data(contents, incidents(contents))
        assert self.data["step"] == 60

    def point(self, line: str, minute: int) -> float | None:
        found: float | None = self.data[line][minute]
        return found

    def thresholds(self, name: str, minute: int) -> set[float]:
        """At the minute, and before what happened in it."""
        steps = self.data["thresholds"]
        return {
            next(step[COLUMNS[name]] for step in reversed(steps) if step[0] <= self._seconds(at))
            for at in (minute, minute - 1)
            if steps and steps[0][0] <= self._seconds(at)
        }

    def earlier_thresholds(self, name: str, minute: int) -> set[float]:
        """All before what happened in the minute."""
        return {step[COLUMNS[name]] for step in self.data["thresholds"] if step[0] < self._seconds(minute)}

    def state(self, alarm: str, minute: int) -> str:
        seconds = self._seconds(minute)
        (lane,) = [one for one in self.data["lanes"] if one["name"] == alarm]
        return next((state for begin, end, state in lane["spans"] if begin <= seconds < end), "")

    def _seconds(self, minute: int) -> int:
        return int(self.data["start"]) + 60 * minute


def disagreeing_mails(drawn: Drawn, passed: Collection[tuple[int, str, str]] = ()) -> Iterator[str]:
    """Each figure or state in a mail that a report shows otherwise.

    `passed` are states, by minute and alarm, that were left in the same minute and may be told nevertheless.
    """
    history = drawn.contents.history
    for mail in drawn.contents.mails:
        about = f"{history.time(mail.minute):%a %H:%M} {mail.subject}"
        if mail.by_cloudwatch:
            told = BY_CLOUDWATCH.match(mail.subject)
            if told and told[1] != drawn.state(told[2], mail.minute) and (mail.minute, told[2], told[1]) not in passed:
                yield f"{about}: the report has {told[2]} in {drawn.state(told[2], mail.minute)}"
            continue
        for head, alarm, state in HEADS:
            is_drawn = drawn.state(alarm, mail.minute) == state or (mail.minute, alarm, state) in passed
            if mail.subject.startswith(head) and not is_drawn:
                yield f"{about}: the report has {alarm} in {drawn.state(alarm, mail.minute)}"
        text = " ".join(mail.body.split())
        yield from (f"{about}: {one}" for one in _disagreeing_moves(drawn, mail.minute, text))
        newest = FIGURES.search(text)
        if newest is None:
            continue
        minute = history.metrics.index(clock(newest[1], history.time(mail.minute)))
        for words, line in ((BALANCE, "balance"), (PERMITTED, "permitted")):
            found, point = words.search(text), drawn.point(line, minute)
            if found and (point is None or not agrees(found[1], point)):
                yield f"{about}: {found[0]!r}, and the report draws {point}"
        for found in THRESHOLD.finditer(text):
            shown = drawn.thresholds(found[1], mail.minute)
            if not any(agrees(found[2], one) for one in shown):
                yield f"{about}: {found[0]!r}, and the report draws {shown}"


def _disagreeing_moves(drawn: Drawn, minute: int, text: str) -> Iterator[str]:
    """Each threshold in a mail about how they moved."""
    for words, thresholds in ((MOVED, drawn.thresholds), (BEFORE, drawn.earlier_thresholds)):
        for found in words.finditer(text):
            shown = thresholds(found[1], minute)
            if not any(agrees(found[2], one) for one in shown):
                yield f"{found[0]!r}, and the report draws {shown}"


def agrees(told: str, drawn: float) -> bool:
    """Whether an amount in a mail is the one that is drawn, each as it is rounded."""
    if told.startswith("less than "):
        return 0 <= drawn < float(told.removeprefix("less than ")) + DRAWN
    return is_rounded(told, drawn, DRAWN)


def figures_told(drawn: Drawn) -> int:
    """How many figures of mails were there to be held against something."""
    texts = [" ".join(one.body.split()) for one in drawn.contents.mails]
    return sum(len(words.findall(text)) for text in texts for words in (BALANCE, PERMITTED, THRESHOLD, MOVED, BEFORE))


def disagreeing_lines(
    drawn: Drawn, dashboard: Mapping[str, Mapping[int, float]], early: Collection[int] = ()
) -> Iterator[str]:
    """Each point of a line of the dashboard, by its label and minute, that a report draws otherwise.

    The dashboard has the average of PermittedThroughput where the report has the lowest: they are one but in a minute
    in which it changes. In `early` minutes a run published by its own clock what the alarms had a minute later.
    """
    for label, line in dashboard.items():
        for minute, value in line.items():
            expected = _expected(drawn, label, minute, minute + 1 if minute in early else minute)
            if expected is not None and not any(abs(value - one) <= DRAWN * (1 + value / 100) for one in expected):
                yield f"{label} at minute {minute}: {value}, and the report draws {expected}"


def _expected(drawn: Drawn, label: str, minute: int, written: int) -> set[float] | None:
    balance, permitted = drawn.point("balance", minute), drawn.point("permitted", minute)
    moved = drawn.point("moved", minute)
    around = drawn.data["permitted"][max(minute - 1, 0) : minute + 2]
    match label.partition(",")[0]:
        case "Balance":
            return set() if balance is None else {balance}
        case "Warning" | "Critical" | "Exhausted" as name:
            return drawn.thresholds(name, written)
        case "Permitted":
            return set() if permitted is None else {permitted}
        case "At the permitted rate" if balance is not None:
            # A chart's balance is rounded to 0.001 GiB, and so is the minute's worth.
            return {min(balance / one, MOST_MINUTES_DRAWN) for one in drawn.thresholds("Exhausted", written)}
        case "Used" if permitted and moved is not None and set(around) == {permitted}:
            return {100 * moved / permitted}
    return None


def disagreeing_backtest(drawn: Drawn, found: BacktestResult) -> Iterator[str]:
    """What `backtest --json` tells otherwise than the report of the same backtest."""
    told, shown = as_json(found), summary(drawn.contents)
    history = drawn.contents.history
    for key in ("file_system_id", "region", "from", "to"):
        if told[key] != shown[key]:
            yield f"{key}: {told[key]} and {shown[key]}"
    sent = [(one["time"], one["subject"]) for one in told["messages"]]
    drawn_mails = [
        (f"{history.time((time - drawn.data['start']) // 60):%Y-%m-%dT%H:%MZ}", subject)
        for time, _, _, subject in drawn.data["mails"]
    ]
    if sent != drawn_mails:
        yield "the messages are others"
    spells = [(one["from"], one["minutes"]) for one in told["spells_without_credits"]]
    own = [(f"{history.time(one.begin):%Y-%m-%dT%H:%MZ}", one.minutes) for one in drawn.contents.spells]
    if spells != own:
        yield f"without credits: {spells} and {own}"
    for minute, kind, _, state in found.changes:
        last = [one for one in found.changes if one[:2] == (minute, kind)][-1][3]
        if state == last and drawn.state(AlarmKind(kind), minute) != state:
            yield f"{kind} is {state} from minute {minute} on, and the report draws it otherwise"
