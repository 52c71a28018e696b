"""A report in a real browser: every chart has its data, hover shows the numbers of the minute, nothing is too wide."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import GIB, MIB, baseline_bytes_per_second

from operate.history.recorded import BALANCE, PERMITTED
from operate.report.chart_data import moved_bytes_per_second
from operate.report.contents import Contents
from operate.report.incidents import incidents
from operate.report.of_backtest import contents_of_backtest
from operate.report.page import page
from tests.unit.operate.histories import BASELINE
from tests.unit.operate.test_report import HOSTILE, fallen, named
from tools.browser import Browser, browser

pytestmark = pytest.mark.needs("chromium")

WIDE, PHONE = 1280, 390
CHARTS = ("balance", "rates", "lanes")


@pytest.fixture(scope="module")
def contents() -> Contents:
    return contents_of_backtest(fallen())


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def file(contents: Contents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page(contents))
    return path


@pytest.fixture
def opened(window: Browser, file: Path) -> Browser:
    window.look(WIDE, 1400)
    window.open(file)
    return window


class ChartPosition:
    """Where in the window a chart has a minute."""

    def __init__(self, window: Browser, chart: str) -> None:
        self.window, self.number = window, CHARTS.index(chart)
        window.run(f"document.getElementById('{chart}').scrollIntoView({{block: 'center'}})")
        self.box = window.run(
            f"(({{left, top, width, height}}) => ({{left, top, width, height}}))"
            f"(report.charts[{self.number}].over.getBoundingClientRect())"
        )

    def of(self, minute: float, share: float = 0.5) -> tuple[float, float]:
        seconds = f"report.data.start + {minute * 60}"
        left = self.window.run(f"report.charts[{self.number}].valToPos({seconds}, 'x')")
        return self.box["left"] + left, self.box["top"] + share * self.box["height"]


def settle(window: Browser) -> None:
    """Until what was asked for is drawn."""
    window.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))")


def legend(window: Browser, chart: str) -> dict[str, str]:
    """What stands below a chart."""
    rows: list[list[str]] = window.run(
        f"[...document.querySelectorAll('#{chart} .u-series')].map((row) => "
        "[row.querySelector('th').textContent, row.querySelector('td').textContent])"
    )
    return dict(rows)


def zoomed(window: Browser) -> list[list[float]]:
    """From when to when each chart shows, in minutes."""
    found: list[list[float]] = window.run(
        "report.charts.map(({scales: {x}}) => [x.min, x.max].map((one) => (one - report.data.start) / 60))"
    )
    return found


def amount(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{value:,.1f} {unit}"


@pytest.mark.whole
def test_the_page_opens_without_a_complaint_and_asks_nobody(window: Browser, file: Path) -> None:
    window.complaints.clear()
    window.look(WIDE, 1400)
    window.open(file)
    settle(window)
    assert window.complaints == []
    assert window.run("performance.getEntriesByType('resource').length") == 0


def test_every_chart_has_its_data_and_draws_it(opened: Browser, contents: Contents) -> None:
    points = contents.history.minutes
    data = opened.run("report.charts.map((chart) => chart.data.map((one) => one.filter((x) => x != null).length))")
    assert [len(one) for one in data] == [1 + 4, 1 + 2, 1 + 1 + len(AlarmKind) + 1]
    assert {one[0] for one in data} == {points}
    assert data[0][1] == points
    assert data[0][2:] == [points - 31] * 3
    assert data[1][1:] == [points, points]
    colours = opened.run(
        "report.charts.map(({ctx, bbox}) => new Set(new Uint32Array("
        "ctx.getImageData(bbox.left, bbox.top, bbox.width, bbox.height).data.buffer)).size)"
    )
    assert min(colours) > 10


@pytest.mark.whole
@pytest.mark.parametrize("minute", [10, 31, 400, 560, 668, 700, 1000])
def test_hover_shows_the_numbers_of_the_minute_in_every_chart(opened: Browser, contents: Contents, minute: int) -> None:
    history = contents.history
    opened.mouse("mouseMoved", *ChartPosition(opened, "balance").of(minute))
    settle(opened)
    # A pixel is more than a minute: the chart says which it shows.
    shown = opened.run("report.charts[0].cursor.idx")
    assert abs(shown - minute) <= 1
    values, at = history.metrics.values, contents.thresholds_at(shown)
    balance, permitted = values[BALANCE][shown], values[PERMITTED][shown]
    moved = moved_bytes_per_second(contents)[shown]
    assert balance is not None
    assert permitted is not None
    assert moved is not None
    time = f"{history.time(shown):%a} {history.time(shown).day} {history.time(shown):%b %H:%M}"
    assert legend(opened, "balance") == {
        "UTC": time,
        "Balance": amount(balance / GIB, "GiB"),
        "Warning below": amount(at.warning_bytes / GIB if at else None, "GiB"),
        "Critical below": amount(at.critical_bytes / GIB if at else None, "GiB"),
        "Exhausted below": amount(at.exhausted_bytes / GIB if at else None, "GiB"),
    }
    assert legend(opened, "rates") == {
        "UTC": time,
        "Permitted": amount(permitted / MIB, "MiB/s"),
        "Moved": amount(moved / MIB, "MiB/s"),
    }
    lanes = legend(opened, "lanes")
    assert lanes["UTC"] == time
    for name, kind in (("Warning", AlarmKind.WARNING), ("Critical", AlarmKind.CRITICAL), ("Rise", AlarmKind.RISE)):
        assert lanes[name] == (contents.state_of(kind, shown) or "–")
    phases = [phase for one in incidents(contents) for phase in one.phases]
    assert lanes["Phase"] == next((one.name for one in phases if one.begin <= shown < one.end), "none")


def test_a_rate_is_rounded_once(window: Browser, contents: Contents, tmp_path: Path) -> None:
    """300 GiB have a baseline of 14.648 MiB/s, which mails tell as 14.6; rounded to 14.65 before it would be 14.7."""
    known = contents.history
    baseline = baseline_bytes_per_second(300 * GIB)
    values = {
        key: [baseline if rate == BASELINE else rate for rate in found] if key == PERMITTED else found
        for key, found in known.metrics.values.items()
    }
    history = replace(known, metrics=replace(known.metrics, values=values))
    path = tmp_path / "rounded.html"
    path.write_text(page(replace(contents, history=history)))
    window.look(WIDE, 1400)
    window.open(path)
    window.mouse("mouseMoved", *ChartPosition(window, "rates").of(700))
    settle(window)
    assert legend(window, "rates")["Permitted"] == "14.6 MiB/s"


def test_a_drag_looks_closer_in_all_charts_and_a_double_click_shows_the_whole_again(opened: Browser) -> None:
    whole = zoomed(opened)
    place = ChartPosition(opened, "rates")
    begin, end = place.of(300), place.of(700)
    opened.mouse("mouseMoved", *begin)
    opened.mouse("mousePressed", *begin, pressed=True)
    opened.mouse("mouseMoved", *end, pressed=True)
    opened.mouse("mouseReleased", *end)
    settle(opened)
    closer = zoomed(opened)
    assert closer == [pytest.approx([300, 700], abs=2)] * 3
    opened.run("report.charts[0].over.dispatchEvent(new MouseEvent('dblclick'))")
    settle(opened)
    assert zoomed(opened) == whole


def test_a_button_shows_an_incident_and_others_move_on(opened: Browser, contents: Contents) -> None:
    (one,) = incidents(contents)
    opened.run("document.querySelector('[data-from]').click()")
    settle(opened)
    (low, high), *_ = zoomed(opened)
    assert low <= one.begin
    assert high >= min(one.end, contents.history.minutes)
    opened.run("document.querySelector('[data-zoom=in]').click()")
    settle(opened)
    assert zoomed(opened)[2][1] - zoomed(opened)[2][0] == pytest.approx((high - low) / 2, abs=1)


def test_a_mail_is_named_where_its_sign_is_and_a_click_opens_it(opened: Browser, contents: Contents) -> None:
    number, mail = next((at, one) for at, one in enumerate(contents.mails) if one.subject.startswith("CRITICAL"))
    opened.run("document.querySelector('[data-from]').click()")
    settle(opened)
    rows = opened.run("report.charts[2].scales.y.max")
    place = ChartPosition(opened, "lanes").of(mail.minute, (rows - 0.5) / rows)
    opened.mouse("mouseMoved", *place)
    settle(opened)
    # CloudWatch's own message has the same minute, and stands before it.
    assert legend(opened, "lanes")["Mail"].startswith(f"{contents.history.time(mail.minute):%H:%M} ")
    opened.mouse("mousePressed", *place, pressed=True)
    opened.mouse("mouseReleased", *place)
    assert opened.run(f"document.querySelector('#mail-{number} details').open")


def test_the_keyboard_goes_from_minute_to_minute_and_says_what_is_there(opened: Browser, contents: Contents) -> None:
    opened.run("document.getElementById('balance').focus()")
    for key in ("Home", "ArrowRight", "PageDown", "ArrowLeft"):
        opened.ask("Input.dispatchKeyEvent", type="keyDown", key=key, code=key)
        settle(opened)
    said = opened.run("document.getElementById('now').textContent")
    balance = contents.history.metrics.values[BALANCE][60]
    assert balance is not None
    assert said.startswith(f"UTC: Mon 7 Jan 01:00, Balance: {amount(balance / GIB, 'GiB')}, ")


def test_fingers_on_a_phone_touch_a_minute_and_pinch(window: Browser, file: Path, contents: Contents) -> None:
    window.look(PHONE, 800, phone=True)
    window.open(file)
    place = ChartPosition(window, "balance")
    touched = place.of(560)
    window.fingers("touchStart", touched)
    window.fingers("touchMove", (touched[0] + 1, touched[1]))
    window.fingers("touchEnd")
    settle(window)
    assert legend(window, "rates")["Permitted"] == "100.0 MiB/s"
    middle = place.of(560)
    window.fingers("touchStart", (middle[0] - 30, middle[1]), (middle[0] + 30, middle[1]))
    window.fingers("touchMove", (middle[0] - 60, middle[1]), (middle[0] + 60, middle[1]))
    window.fingers("touchEnd")
    settle(window)
    low, high = zoomed(window)[0]
    assert high - low == pytest.approx(contents.history.minutes / 2, rel=0.1)
    assert low < 560 < high


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_nothing_is_wider_than_the_window_by_day_or_night(window: Browser, file: Path, width: int, dark: bool) -> None:
    window.complaints.clear()
    window.look(width, 900, dark=dark, phone=width == PHONE)
    window.open(file)
    settle(window)
    assert window.run("document.documentElement.scrollWidth") == width
    widths = window.run("report.charts.map((chart) => [chart.width, chart.root.getBoundingClientRect().right])")
    assert all(width / 2 < one <= right <= width for one, right in widths)
    (paper,) = window.run("[getComputedStyle(document.body).backgroundColor]")
    assert (sum(int(one) for one in paper.strip("rgb()").split(",")) < 3 * 128) is dark
    assert window.complaints == []


def test_the_colours_change_with_the_system_and_the_time_that_is_shown_stays(opened: Browser) -> None:
    opened.run("document.querySelector('[data-zoom=in]').click()")
    settle(opened)
    shown = zoomed(opened)
    before = opened.picture()
    opened.look(WIDE, 1400, dark=True)
    settle(opened)
    assert opened.picture() != before
    assert zoomed(opened) == [pytest.approx(one, abs=1) for one in shown]


def test_the_charts_follow_the_width_of_the_window(opened: Browser) -> None:
    opened.look(800, 1400)
    settle(opened)
    settle(opened)
    assert max(opened.run("report.charts.map((chart) => chart.width)")) <= 800


def test_what_is_hostile_is_read_and_not_run(window: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    scripted = HOSTILE.replace("alert(1)", "window.taken=1").replace("alert(2)", "window.taken=2")
    path.write_text(page(replace(named(scripted))))
    window.complaints.clear()
    window.open(path)
    settle(window)
    assert window.run("window.taken === undefined && document.images.length === 0")
    assert window.run("document.querySelector('h1').textContent").count(scripted.strip()) == 2
    assert window.complaints == []


def test_an_empty_past_is_drawn_as_well(window: Browser, contents: Contents, tmp_path: Path) -> None:
    empty: dict[str, Any] = {"thresholds": (), "alarms": {}, "mails": (), "decisions": (), "spells": ()}
    path = tmp_path / "empty.html"
    path.write_text(page(replace(contents, **empty, settings=None, advice=None)))
    window.complaints.clear()
    window.open(path)
    settle(window)
    assert window.complaints == []
    assert window.run("report.charts.length") == 2
    assert window.run("document.getElementById('lanes').offsetHeight") == 0


def colour_at(window: Browser, time: str, row: str, right: float = 0, down: float = 0) -> list[int]:
    """Red, green and blue of the rows' chart, so many pixels beside the middle of a row at a time."""
    found: list[int] = window.run(
        "(() => { const self = report.charts[2], ratio = window.devicePixelRatio || 1, "
        "rows = self.axes[1].values(); "
        f"const x = self.valToPos({time}, 'x', true) + {right} * ratio, "
        f"y = self.valToPos(rows.length - rows.indexOf('{row}') - 0.5, 'y', true) + {down} * ratio; "
        "return [...self.ctx.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3); })()"
    )
    return found


def named_colour(window: Browser, name: str) -> list[int]:
    """One of the page's own colours."""
    text = window.run(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()")
    return [int(text[index : index + 2], 16) for index in (1, 3, 5)]


@pytest.mark.whole
@pytest.mark.parametrize("kinds", [("trouble", "end"), ("end", "trouble"), ("trouble", "other"), ("other", "trouble")])
def test_a_mark_of_trouble_is_hidden_by_no_other(opened: Browser, kinds: tuple[str, str]) -> None:
    marks = ", ".join(f"[report.data.start + 600 * 60, '{kind}', 0, '']" for kind in kinds)
    opened.run(f"report.data.mails = [{marks}]; report.charts[2].redraw()")
    settle(opened)
    assert colour_at(opened, "report.data.start + 600 * 60", "Mails", down=2) == named_colour(opened, "trouble")


@pytest.mark.parametrize(("time", "beyond"), [("report.data.start", -3), ("report.data.end", 3)])
def test_a_mark_of_the_first_or_last_minute_is_whole(opened: Browser, time: str, beyond: int) -> None:
    opened.run(f"report.data.mails = [[{time}, 'trouble', 0, '']]; report.charts[2].redraw()")
    settle(opened)
    assert colour_at(opened, time, "Mails", right=beyond, down=4) == named_colour(opened, "trouble")
    opened.run("document.querySelector('[data-zoom=in]').click()")
    settle(opened)
    assert colour_at(opened, "report.charts[2].scales.x." + ("min" if beyond < 0 else "max"), "Mails", beyond, 4) != (
        named_colour(opened, "trouble")
    )


def test_the_name_on_a_bar_leaves_the_bar_filled(opened: Browser) -> None:
    """With a box around its letters it would look like another state."""
    alarm = "report.data.lanes.find((lane) => lane.name === 'warning').spans.find((span) => span[2] === 'ALARM')"
    middle = f"(({alarm})[0] + Math.min(({alarm})[1], report.data.end)) / 2"
    half = opened.run(
        "(() => { const { ctx } = report.charts[2]; ctx.font = '11px sans-serif'; "
        "return ctx.measureText('ALARM').width / 2; })()"
    )
    assert colour_at(opened, middle, "Warning", right=half + 2) == named_colour(opened, "warning")


def test_on_a_phone_no_cell_of_an_incident_or_a_recalculation_is_off_the_screen(window: Browser, file: Path) -> None:
    window.look(PHONE, 1400, phone=True)
    window.open(file)
    settle(window)
    rights = window.run(
        "[...document.querySelectorAll('.stacked td')].map((cell) => cell.getBoundingClientRect().right)"
    )
    assert rights
    assert max(rights) <= PHONE
    names = window.run(
        "[...document.querySelectorAll('[aria-labelledby=incidents] tbody tr:first-child td')]"
        ".map((cell) => getComputedStyle(cell, '::before').content)"
    )
    assert names == ['"from: "', '"to: "', '"how long: "', '"lowest balance: "', '"phases: "', "none"]
