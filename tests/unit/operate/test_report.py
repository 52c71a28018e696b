"""A report says what its source says, and nothing of the data becomes part of the page."""

import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import GIB, MIB

from operate.backtest.backtest_result import BacktestResult, backtest
from operate.history.file_system_history import history_of
from operate.history.recorded import BALANCE, METERED, PERMITTED
from operate.replay.replayed_account import Recalculation, ReplayedMail
from operate.report.chart_data import COARSE_MINUTES, chart_data
from operate.report.contents import Contents, MeasuredWorkload, alarm_spans
from operate.report.incidents import COMING_BACK, incidents
from operate.report.of_backtest import contents_of_backtest
from operate.report.page import ASSETS, SCRIPTS, STYLES, events, page, summary
from tests.quick import first_of
from tests.unit.operate.histories import BURST, MINUTE_BYTES, NOW, SETTINGS, falls, history, points, recorded

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>=cmd|'/c calc'!A1\u2028\"'`{{7*7}}"
MOST_BYTES = 3 * MIB
# What the charts draw of a day by the minute.
DAY_BYTES = 1440 * 24


class Tags(HTMLParser):
    """What a browser would make of a page: its elements, and the texts of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] == "script":
            self.scripts[-1] += data


def tags(text: str) -> Tags:
    found = Tags()
    found.feed(text)
    return found


def drawn(text: str) -> dict[str, Any]:
    """What the charts of a page are given."""
    found: dict[str, Any] = json.loads(tags(text).scripts[0])
    return found


@cache
def fallen() -> BacktestResult:
    return backtest(history(falls()), SETTINGS)


@cache
def contents() -> Contents:
    return contents_of_backtest(fallen())


def named(text: str) -> Contents:
    """Everything that anybody else may have named or written, as this text."""
    known = contents()
    file_systems = tuple(
        (minute, replace(one, name=text, file_system_id=text)) for minute, one in known.history.file_systems
    )
    return replace(
        known,
        history=replace(known.history, file_system_id=text, region=text, file_systems=file_systems),
        source=text,
        mails=(ReplayedMail(400, text, text, text, by_cloudwatch=False),),
        decisions=(Recalculation(minute=400, kind=text, cause=text, reason=text, alarms_written=(text,)),),
        benchmarks=(
            MeasuredWorkload(
                workload=text, instance_type=text, measured_at=text, rate=text, published=text, ratio=text, note=text
            ),
        ),
        measured_note=text,
        remarks=(text,),
    )


@pytest.mark.whole
def test_nothing_of_the_data_becomes_an_element_an_attribute_or_a_script() -> None:
    plain, attacked = tags(page(named("word"))), tags(page(named(HOSTILE)))
    assert attacked.found == plain.found
    assert len(attacked.scripts) == 1 + len(SCRIPTS)
    assert attacked.scripts[1:] == plain.scripts[1:]


def test_what_is_hostile_is_shown_as_it_was_written() -> None:
    assert drawn(page(named(HOSTILE)))["mails"][0][3] == HOSTILE


def test_a_browser_runs_the_pages_own_scripts_and_nothing_else() -> None:
    (policy,) = [one["content"] for tag, one in tags(page(named(HOSTILE))).found if one.get("http-equiv")]
    own = [b64encode(hashlib.sha256((ASSETS / name).read_bytes()).digest()).decode() for name in (*SCRIPTS, *STYLES)]
    assert re.findall(r"'sha256-([^']+)'", str(policy)) == own
    assert "default-src 'none'" in str(policy)
    assert "unsafe" not in str(policy)


def test_a_page_asks_for_nothing_from_anywhere() -> None:
    asking = [one for _, one in tags(page(contents())).found if {"src", "href", "action", "data"} & one.keys()]
    assert asking == []


def test_the_library_is_the_one_that_was_taken() -> None:
    """uPlot 1.6.32, as its project has released it."""
    text = (ASSETS / "uPlot.iife.min.js").read_bytes()
    assert b"v1.6.32" in text[:80]
    assert hashlib.sha256(text).hexdigest() == "4408ace91a18b4888998171e122da65b9ab28711c30f19a6a591491c5a82caf1"


@pytest.mark.more
@pytest.mark.parametrize("days", first_of([14, 62]))
def test_a_page_has_at_most_3_mb_however_long_the_past(days: int) -> None:
    nights = 1 + days * 1440 // len(falls())
    long = [one for _ in range(nights) for one in falls()][: days * 1440]
    known = contents()
    past = history([None if one is None else one + index / 7 for index, one in enumerate(long)])
    text = page(replace(known, history=past))
    assert len(text.encode()) <= MOST_BYTES
    points = past.minutes if days == 14 else -(-past.minutes // COARSE_MINUTES)
    assert len(drawn(text)["balance"]) == points


def test_the_texts_of_many_mails_make_no_page_too_large_and_what_is_left_out_is_said() -> None:
    body = "<&>" * 1000
    mails = tuple(ReplayedMail(400 + number, "advice", "GONE", body, by_cloudwatch=False) for number in range(600))
    text = page(replace(contents(), mails=mails))
    assert len(text.encode()) <= MOST_BYTES - 20 * DAY_BYTES
    shown = text.count("<pre>&lt;&amp;&gt;")
    assert 0 < shown < 600
    assert f"<p>The texts of {600 - shown} mails are left out, or the page would be too large;" in text
    assert "mails are left out" not in page(contents())


@pytest.mark.whole
def test_points_of_five_minutes_have_the_lowest_balance_of_them() -> None:
    balances = [one for _ in range(30) for one in falls()]
    coarse = chart_data(replace(contents(), history=history(balances)), ())
    lowest = [min(one for one in balances[begin : begin + 5] if one is not None) for begin in range(0, 1500, 5)]
    assert coarse["step"] == COARSE_MINUTES * 60
    assert coarse["balance"][:300] == [pytest.approx(one / GIB, abs=0.001) for one in lowest]


def test_the_charts_draw_each_minute_of_the_history() -> None:
    data = chart_data(contents(), incidents(contents()))
    known = contents().history
    balances = known.metrics.values[BALANCE]
    assert data["start"] == known.metrics.start.timestamp()
    assert data["balance"] == [None if one is None else pytest.approx(one / GIB, abs=0.001) for one in balances]
    assert set(data["permitted"]) == {100.0, 5.0}
    assert data["thresholds"] == [[data["start"] + 31 * 60, *thresholds_gib()]]


def thresholds_gib() -> list[Any]:
    return [pytest.approx(minutes * 60 * BURST / GIB, abs=0.001) for minutes in (180, 60, 1)]


def test_an_idle_minute_is_one_in_which_nothing_was_moved_and_an_unknown_one_is_none() -> None:
    balances = falls()
    balances[100:140] = [None] * 40
    data = chart_data(replace(contents(), history=history(balances)), ())
    assert (data["moved"][99], data["moved"][120]) == (0.0, None)


def test_an_incident_has_its_phases_in_the_order_of_the_story() -> None:
    (one,) = incidents(contents())
    assert [phase.name for phase in one.phases] == ["Warning", "Critical", "Exhausted", COMING_BACK]
    assert [phase.begin for phase in one.phases[1:]] == [phase.end for phase in one.phases[:-1]]
    (spell,) = contents().spells
    assert one.phases[2].end == spell.end
    assert (one.lowest_bytes, one.over) == (0.0, False)


@cache
def switched() -> Contents:
    """A file system that is low on credits is provisioned at twice its burst rate after two hours, and stays low."""
    one = recorded([100.0 * MINUTE_BYTES] * 600)
    one.points[PERMITTED] = points([float(BURST)] * 120 + [2.0 * BURST] * 480)
    one.points[METERED] = []
    return contents_of_backtest(backtest(history_of(one, None, NOW), SETTINGS))


def test_an_incident_ends_where_a_change_of_mode_suspends_the_alarms() -> None:
    (one,) = incidents(switched())
    (told,) = [mail.minute for mail in switched().mails if mail.subject.startswith("RECOVERED: over by provisioned")]
    assert (one.end, one.over) == (told, True)
    assert switched().state_of(AlarmKind.WARNING, told + 5) == "OK"


def test_a_state_that_is_left_and_entered_again_in_one_minute_is_no_event() -> None:
    texts = [one.text for one in events(switched(), incidents(switched())) if one.what.startswith("alarm ")]
    assert "OK → ALARM" in texts
    assert "ALARM → ALARM" not in texts


@pytest.mark.whole
def test_a_second_fall_in_an_incident_has_phases_of_its_own() -> None:
    back = [number * MINUTE_BYTES / 10 for number in range(1, 601)]
    down = [max(back[-1] - number * MINUTE_BYTES, 0.0) for number in range(1, 90)]
    (one,) = incidents(contents_of_backtest(backtest(history([*falls(after=0), *back, *down]), SETTINGS)))
    names = [phase.name for phase in one.phases]
    assert names == ["Warning", "Critical", "Exhausted", COMING_BACK, "Critical", "Exhausted"]
    assert one.phases[4].begin == len(falls(after=0)) + len(back)


def test_a_pause_in_a_fall_is_no_coming_back() -> None:
    down = [200 * MINUTE_BYTES - number * MINUTE_BYTES for number in range(100)]
    pause = [down[-1] + number * MINUTE_BYTES / 2 for number in range(30)]
    more = [pause[-1] - number * MINUTE_BYTES for number in range(100)]
    (one,) = incidents(contents_of_backtest(backtest(history([*[2e12] * 60, *down, *pause, *more]), SETTINGS)))
    assert COMING_BACK not in {phase.name for phase in one.phases}


def test_no_two_landmarks_have_one_name() -> None:
    found = [attributes for tag, attributes in tags(page(contents())).found if tag == "section"]
    found += [attributes for _, attributes in tags(page(contents())).found if attributes.get("role") == "region"]
    names = [one.get("aria-labelledby") or one.get("aria-label") for one in found]
    assert names
    assert len(names) == len(set(names))


def test_a_button_is_named_by_the_incident_that_it_shows() -> None:
    (one,) = incidents(contents())
    (named,) = [found for tag, found in tags(page(contents())).found if tag == "button" and "data-from" in found]
    assert named["aria-label"] == f"Show the incident of {contents().history.time(one.begin):%a %d %b %H:%M}"


def test_the_table_of_events_has_every_change_and_every_mail_in_order() -> None:
    told = list(events(contents(), incidents(contents())))
    assert [one.minute for one in told] == sorted(one.minute for one in told)
    changes = [one for one in told if one.what.startswith("alarm ")]
    assert len(changes) == len(fallen().changes)
    assert len([one for one in told if one.what.startswith("mail ")]) == len(fallen().mails)


def test_every_mail_is_there_as_it_reads() -> None:
    text = page(contents())
    bodies = [one.body for one in contents().mails if one.body]
    assert bodies
    assert text.count("<details><summary><time") == len(bodies)


def test_a_state_and_a_threshold_are_those_of_their_minute() -> None:
    known = contents()
    told = next(minute for minute, kind, _, state in fallen().changes if (kind, state) == ("warning", "ALARM"))
    assert known.state_of(AlarmKind.WARNING, told - 1) == "OK"
    assert known.state_of(AlarmKind.WARNING, told) == "ALARM"
    assert known.state_of(AlarmKind.WARNING, 3) == ""
    assert known.thresholds_at(30) is None


def test_an_alarm_of_which_nothing_is_known_has_no_states() -> None:
    assert alarm_spans([], 100) == ()


def test_a_program_is_told_the_incidents() -> None:
    told = summary(contents())
    (one,) = told["incidents"]
    assert one["from"] == f"{contents().history.time(incidents(contents())[0].begin):%Y-%m-%dT%H:%MZ}"
    assert one["to"] is None
    json.dumps(told)


def test_a_history_without_incidents_says_so() -> None:
    calm = backtest(history([2e12] * 200), SETTINGS)
    assert "None: no alarm on credits went off." in page(contents_of_backtest(calm))


def luminance(colour: str) -> float:
    """By WCAG 2, of `#rrggbb`."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_written_and_drawn_can_be_told_from_the_paper(scheme: str) -> None:
    light, dark = re.findall(r":root \{(.*?)\}", (ASSETS / "report.css").read_text(), re.DOTALL)
    colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", light if scheme == "light" else dark))
    paper = colours["paper"]
    written = {"ink", "faint", "warning", "critical", "exhausted", "balance", "permitted", "moved", "draining", "rise"}
    assert [name for name in written if contrast(colours[name], paper) < 4.5] == []
    assert [name for name in ("ink", "faint") if contrast(colours[name], colours["panel"]) < 4.5] == []


def test_colour_is_never_the_only_sign() -> None:
    """Lines differ by their dashes, phases by their hatching, mails by their shape."""
    script = (ASSETS / "report.js").read_text()
    dashes = re.findall(r'line\("(\w[\w ]*)".*?(?:dash: (\[[\d, ]+\]).*?)?\}?\),$', script, re.MULTILINE)
    assert len({dash for _, dash in dashes[:4]}) == 4
    assert len({dash for _, dash in dashes[4:]}) == len(dashes[4:]) == 2
