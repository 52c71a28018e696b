"""The second half of `make pictures`: what docs/parameters.md shows of the dashboard, at the end of a scenario that the
local AWS has lived through.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from localaws.sandbox import Sandbox
from operate.terminal import wrapped
from stage.direct_deployment import DirectDeployer
from stage.runs import STACK_NAME, played
from stage.sam_deployment import CommandFailed, Deployer
from stage.scenario import Scenario
from tools.browser import Browser, BrowserFailed, browser
from tools.drawn_dashboard import (
    COLUMN_PIXELS,
    COLUMNS,
    ROW_PIXELS,
    NotDrawn,
    WidgetData,
    height,
    kind_of,
    moment,
    page,
)
from tools.drawn_graph import GraphLine
from tools.graph_metrics import colors, queries
from tools.pictures import keep

SCENARIO = "relapse"
DASHBOARD = f"{STACK_NAME}-us-east-1"
QUERY = re.compile(
    r"SOURCE '(?P<group>[^']+)' \| fields (?P<fields>[^|]+) \| filter message = '(?P<message>\w+)' "
    r"\| sort @timestamp desc \| limit (?P<limit>\d+)"
)

# A field, or one without what it need not say: replace(field, 'so much', '') as name.
FIELD = re.compile(r"replace\((?P<of>[\w.]+), '(?P<without>[^']+)', ''\) as (?P<name>\w+)|(?P<plain>@?[\w.]+)")


@dataclass(frozen=True, kw_only=True)
class PictureRows:
    """The rows of the grid that one picture shows, from `first` to before `last`."""

    name: str
    first: int
    last: int | None


PARTS = (PictureRows(name="dashboard", first=0, last=20), PictureRows(name="dashboard-load", first=20, last=None))


def main() -> int:
    """Write them all; 1 where one cannot be drawn or is too large."""
    with tempfile.TemporaryDirectory() as folder:
        work_dir = Path(folder)
        try:
            Deployer("", work_dir, str).build()
            with played(Scenario.named(SCENARIO), work_dir, deployer_of=DirectDeployer) as life:
                body = deployed_body(life.sandbox)
                path = work_dir / "dashboard.html"
                path.write_text(page(body, answers(life.sandbox, body), DASHBOARD), encoding="utf-8")
            with browser() as window:
                for one in PARTS:
                    keep(one.name, taken(window, path, one, height(body)))
        except (BrowserFailed, CommandFailed, NotDrawn) as failed:
            print(wrapped(f"No picture could be drawn: {failed}"), file=sys.stderr)
            return 1
    return 0


def deployed_body(sandbox: Sandbox) -> dict[str, Any]:
    """The dashboard of the deployed stack."""
    body: dict[str, Any] = json.loads(
        sandbox.client("cloudwatch").get_dashboard(DashboardName=DASHBOARD)["DashboardBody"]
    )
    return body


def answers(sandbox: Sandbox, body: dict[str, Any]) -> list[WidgetData]:
    """What the local AWS answers about each widget now, asked as the console asks."""
    now = sandbox.clock.now()
    return [_answer(sandbox, widget, body["start"], now) for widget in body["widgets"]]


def _answer(sandbox: Sandbox, widget: dict[str, Any], start: str, now: datetime) -> WidgetData:
    properties = widget["properties"]
    match kind_of(widget):
        case "text":
            return WidgetData()
        case "alarm":
            return WidgetData(states=tuple(_states(sandbox, properties["alarms"])))
        case "log":
            return WidgetData(rows=tuple(_rows(sandbox, properties["query"])))
    begin, end = moment(properties.get("start", start), now), moment(properties.get("end", "P0D"), now)
    results = sandbox.client("cloudwatch").get_metric_data(
        MetricDataQueries=list(queries(properties, properties["period"])),
        StartTime=begin,
        EndTime=end,
        ScanBy="TimestampAscending",
    )["MetricDataResults"]
    lines = [
        GraphLine(
            label=one["Label"],
            color=color,
            points=tuple(
                (time.timestamp(), value) for time, value in zip(one["Timestamps"], one["Values"], strict=True)
            ),
        )
        for one, color in zip(results, colors(properties), strict=True)
    ]
    return WidgetData(begin=begin.timestamp(), end=end.timestamp(), lines=tuple(lines))


def _states(sandbox: Sandbox, arns: list[str]) -> Iterator[tuple[str, str]]:
    names = [arn.partition(":alarm:")[2] for arn in arns]
    found = sandbox.client("cloudwatch").describe_alarms(AlarmNames=names)["MetricAlarms"]
    states = {one["AlarmName"]: one["StateValue"] for one in found}
    return ((name, states[name]) for name in names)


def _rows(sandbox: Sandbox, query: str) -> Iterator[tuple[str, ...]]:
    """The table that Logs Insights makes of a query of this one form, its head first; the newest line follows."""
    asked = QUERY.fullmatch(query)
    if asked is None:
        raise NotDrawn(f"Of queries only those of one form are drawn, not {query!r}")
    fields = list(FIELD.finditer(asked["fields"]))
    yield tuple(one["name"] or one["plain"] for one in fields)
    lines = [
        (line.time, json.loads(line.message))
        for line in sandbox.logs.of(asked["group"])
        if line.message.startswith("{")
    ]
    chosen = [{"@timestamp": f"{time:%Y-%m-%d %H:%M:%S}"} | said for time, said in reversed(lines)]
    for said in [one for one in chosen if one.get("message") == asked["message"]][: int(asked["limit"])]:
        yield tuple(_field(said, one["of"] or one["plain"]).replace(one["without"] or "\0", "") for one in fields)


def _field(said: Any, path: str) -> str:
    """`alarms_written.0` is the first of a list; what is not there is empty."""
    for word in path.split("."):
        match said:
            case list() if int(word) < len(said):
                said = said[int(word)]
            case dict() if word in said:
                said = said[word]
            case _:
                return ""
    return str(said)


def taken(window: Browser, path: Path, one: PictureRows, pixels: int) -> bytes:
    """The picture as PNG."""
    top = one.first * ROW_PIXELS
    window.look(COLUMNS * COLUMN_PIXELS, (pixels if one.last is None else one.last * ROW_PIXELS) - top)
    window.open(path)
    window.run(f"document.getElementById('board').style.marginTop = '-{top}px'")
    return window.picture()


if __name__ == "__main__":
    sys.exit(main())
