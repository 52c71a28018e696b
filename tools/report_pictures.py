"""`make pictures`: what docs/report.md shows of a report, drawn from an example in a headless Chromium."""

import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from operate.backtest.backtest_result import backtest
from operate.history.export import read_export
from operate.history.file_system_history import history_of
from operate.report.of_backtest import contents_of_backtest
from operate.report.page import page
from operate.template_defaults import SETTINGS
from operate.terminal import wrapped
from tools.browser import Browser, BrowserFailed, browser
from tools.pictures import keep

PROJECT = Path(__file__).parent.parent
EXAMPLE = PROJECT / "operate" / "example_histories" / "growing.csv.gz"
DAYS = 3


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A window of a size, by day or night, in which a minute of the charts is pointed at."""

    name: str
    width: int
    height: int
    dark: bool = False
    phone: bool = False


PICTURES = (
    Picture(name="report", width=1100, height=1240),
    Picture(name="report-phone", width=390, height=1240, dark=True, phone=True),
)


def main() -> int:
    """Write them all; 1 where one cannot be drawn or is too large."""
    history = history_of(read_export(EXAMPLE), DAYS, datetime(9000, 1, 1, tzinfo=UTC))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_text(page(contents_of_backtest(backtest(history, SETTINGS))), encoding="utf-8")
        try:
            with browser() as window:
                for one in PICTURES:
                    keep(one.name, taken(window, path, one))
        except BrowserFailed as failed:
            print(wrapped(f"No picture could be drawn: {failed}"), file=sys.stderr)
            return 1
    return 0


def taken(window: Browser, path: Path, one: Picture) -> bytes:
    """The picture as PNG."""
    window.look(one.width, one.height, dark=one.dark, phone=one.phone)
    window.open(path)
    window.run("for (const chart of report.charts) chart.setCursor({left: chart.over.clientWidth * 0.4, top: 10})")
    window.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))")
    return window.picture()


if __name__ == "__main__":
    sys.exit(main())
