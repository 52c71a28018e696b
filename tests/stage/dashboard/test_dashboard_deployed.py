"""The dashboard of a deployed stack, over metrics that a file system and the monitor's own functions published."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from stage.runs import STACK_NAME, Played, played
from stage.scenario import Scenario
from tests.stage.dashboard.drawing import lines
from tests.template.documents import Document

# The simulated file system keeps nothing in Archive, so nothing is published of it.
NEVER_SEEN = {"Archive"}


@pytest.fixture(scope="module")
def busy(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with played(Scenario.named("busy"), tmp_path_factory.mktemp("busy")) as result:
        yield result


@pytest.fixture
def deployed(busy: Played) -> Document:
    found = busy.sandbox.client("cloudwatch").get_dashboard(DashboardName=f"{STACK_NAME}-us-east-1")
    body: Document = json.loads(found["DashboardBody"])
    return body


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
