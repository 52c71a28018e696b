"""The dashboard of a deployed stack, over metrics that a file system and the monitor's own functions published."""

import json
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest

from stage.runs import STACK_NAME, Played, played
from stage.scenario import Scenario
from tests.stage.dashboard.drawing import lines
from tests.template.dashboards import CUT_OFF
from tests.template.template_documents import Document
from tools.browser import browser
from tools.dashboard_pictures import answers
from tools.drawn_dashboard import COLUMN_PIXELS, COLUMNS, height, page

# The simulated file system keeps nothing in Archive, so nothing is published of it.
NEVER_SEEN = {"Archive"}


@pytest.fixture(scope="module")
def busy(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    # By the real sam: nothing else in `make test` deploys the whole template as a person does.
    with played(Scenario.named("busy"), tmp_path_factory.mktemp("busy")) as result:
        yield result


@pytest.fixture
def deployed(busy: Played) -> Document:
    found = busy.sandbox.client("cloudwatch").get_dashboard(DashboardName=f"{STACK_NAME}-us-east-1")
    body: Document = json.loads(found["DashboardBody"])
    return body


@pytest.mark.more
def test_every_line_has_points_in_a_life_with_reads_writes_and_metadata(busy: Played, deployed: Document) -> None:
    start, end = busy.player.time_of(0), busy.player.time_of(busy.player.scenario.minutes)
    drawn = {
        label
        for one in deployed["widgets"]
        if one["type"] == "metric"
        for label, line in lines(busy.sandbox, one["properties"], start, end).items()
        if not line
    }
    assert drawn == NEVER_SEEN


@pytest.mark.more
def test_every_graph_of_the_picture_has_data_and_every_widget_its_title(busy: Played, deployed: Document) -> None:
    answered = answers(busy.sandbox, deployed)
    widgets = list(zip(deployed["widgets"], answered, strict=True))
    empty = {line.label for _, answer in widgets for line in answer.lines if not line.points}
    assert empty == NEVER_SEEN
    assert [one["type"] for one, answer in widgets if not (answer.lines or answer.states or answer.rows)] == ["text"]
    (decisions,) = [answer.rows for one, answer in widgets if one["type"] == "log"]
    assert decisions[0] == ("@timestamp", "decision", "cause", *(f"written_{one}" for one in range(1, 6)), "reason")
    assert len(decisions) > 3
    found = unescape(page(deployed, answered, "busy"))
    titles = [one["properties"]["title"] for one in deployed["widgets"] if one["type"] != "text"]
    assert [one for one in titles if f"<h1>{one}</h1>" not in found] == []


@pytest.mark.more
@pytest.mark.needs("chromium")
def test_nothing_in_the_picture_is_cut_off(busy: Played, deployed: Document, tmp_path: Path) -> None:
    path = tmp_path / "dashboard.html"
    path.write_text(page(deployed, answers(busy.sandbox, deployed), "busy"))
    with browser() as window:
        window.look(COLUMNS * COLUMN_PIXELS, height(deployed))
        window.open(path)
        assert window.run(CUT_OFF) == []


@pytest.mark.whole
def test_the_thresholds_drawn_are_those_the_alarms_have(busy: Played, deployed: Document) -> None:
    (graph,) = [
        one["properties"]
        for one in deployed["widgets"]
        if one["properties"].get("title") == "Credit balance, and where the alarms stood"
    ]
    end = busy.player.time_of(busy.player.scenario.minutes)
    drawn = lines(busy.sandbox, graph, end - timedelta(hours=3), end)
    alarms = busy.sandbox.client("cloudwatch").describe_alarms(AlarmNamePrefix=STACK_NAME)["MetricAlarms"]
    live = {alarm["AlarmName"].removeprefix(f"{STACK_NAME}-"): alarm["Threshold"] for alarm in alarms}
    for label, name in {"Warning, 180 minutes": "warning", "Critical, 60 minutes": "critical"}.items():
        newest = list(drawn[label].values())[-1]
        assert newest * 1024**3 == pytest.approx(live[name])


def test_the_alarms_shown_exist(busy: Played, deployed: Document) -> None:
    (shown,) = [one["properties"]["alarms"] for one in deployed["widgets"] if one["type"] == "alarm"]
    alarms = busy.sandbox.client("cloudwatch").describe_alarms(AlarmNamePrefix=STACK_NAME)["MetricAlarms"]
    assert sorted(shown) == sorted(alarm["AlarmArn"] for alarm in alarms)
    assert len(shown) == 7


def test_the_mail_of_the_utilization_alarm_says_what_to_do(busy: Played) -> None:
    (mail,) = [
        one for one in busy.sandbox.mailbox.mails if one.subject.startswith(f'ALARM: "{STACK_NAME}-throughput-util')
    ]
    assert "used more than 80 % of the throughput that it is permitted, in 6 of the last 10 minutes." in mail.body
    assert "the file system needs more throughput. OK: it is over; right after a deployment" in mail.body
