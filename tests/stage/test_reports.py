"""The report of a life in the local AWS shows what its alarms, mails and dashboard did; so does one of a live stack."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import boto3
import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws.calls import UNHURRIED

from operate.history.cache import Cache
from operate.history.file_system_history import History, history_of
from operate.history.reading import read_live
from operate.replay.replay import replay
from operate.replay.replayed_account import ReplayedStack
from operate.report.alarm_history import NEEDED
from operate.report.contents import LANES, UNJUDGED, Contents, alarm_spans, thresholds_of
from operate.report.of_stack import NO_TEXTS, contents_of_stack
from operate.report.page import page
from proofs.backtest.messages import starts_of
from stage.direct_deployment import DirectDeployer
from stage.reported import contents_of_played
from stage.runs import STACK_NAME, Played, played
from stage.scenario import Scenario
from tests.localaws.roles import role
from tests.stage.dashboard.drawing import lines
from tests.unit.operate.agreement import Drawn, disagreeing_lines, disagreeing_mails, figures_told

pytestmark = pytest.mark.more

SETTINGS = Settings(warning_minutes=180, critical_minutes=60, rise_tolerance_percent=10)
READ_ONLY = ("cloudwatch:GetMetricData", "elasticfilesystem:DescribeFileSystems")
TITLES = (
    "Minutes left",
    "Credit balance, and where the alarms stood",
    "Permitted throughput, and the reference",
    "Throughput utilization, and what is left",
)
MORE = [pytest.param(one, marks=pytest.mark.long) for one in ("growth", "mode-switch", "nightly-batch", "relapse")]


@pytest.fixture(scope="module", params=["exhaustion", *MORE])
def life(request: pytest.FixtureRequest, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    scenario = Scenario.named(request.param)
    with played(scenario, tmp_path_factory.mktemp("life"), deployer_of=DirectDeployer) as result:
        yield result


@pytest.fixture(scope="module")
def contents(life: Played) -> Contents:
    return contents_of_played(life)


def read_by(life: Played, name: str, *actions: str) -> Contents:
    """The report of the live stack, by somebody who may do only this."""
    sandbox = life.sandbox
    arn = role(sandbox, name, [{"Effect": "Allow", "Action": list(actions), "Resource": "*"}])
    keys = sandbox.client("sts").assume_role(RoleArn=arn, RoleSessionName="me")["Credentials"]
    session = boto3.Session(
        region_name="us-east-1",
        aws_access_key_id=keys["AccessKeyId"],
        aws_secret_access_key=keys["SecretAccessKey"],
        aws_session_token=keys["SessionToken"],
    )
    efs = session.client("efs", endpoint_url=sandbox.endpoint_url, config=UNHURRIED)
    cloudwatch = session.client("cloudwatch", endpoint_url=sandbox.endpoint_url, config=UNHURRIED)
    # Its quota is of a second, and the clock stands still: as if one passed before each call.
    cloudwatch.meta.events.register("before-send.cloudwatch", lambda **_: sandbox.quotas.second_passes())
    with closing(efs), closing(cloudwatch):
        now = sandbox.clock.now()
        recorded = read_live(efs, cloudwatch, life.player.scenario.file_system_id, 14, now, Cache(folder=None))
        return contents_of_stack(cloudwatch, STACK_NAME, history_of(recorded, 14, now), SETTINGS, now)


def test_each_alarm_is_in_the_state_in_which_it_was(life: Played, contents: Contents) -> None:
    history = contents.history
    for kind in LANES:
        state = ""
        changes = {
            history.metrics.index(one.time): str(one.new)
            for one in life.sandbox.transitions
            if one.alarm == f"{STACK_NAME}-{kind}"
        }
        assert changes
        for minute in range(min(changes), history.minutes):
            state = changes.get(minute, state)
            assert contents.state_of(kind, minute) == state, (kind, minute)


def test_every_mail_that_was_received_is_there_with_its_text(life: Played, contents: Contents) -> None:
    assert len(contents.mails) == len(life.sandbox.mailbox.mails)
    text = page(contents)
    for one in contents.mails:
        assert one.body
        assert "unsubscribe" not in one.body
    assert text.count('<li id="mail-') == len(contents.mails)


def test_nothing_in_a_mail_or_the_dashboard_is_otherwise(life: Played, contents: Contents) -> None:
    drawn = Drawn(contents)
    assert figures_told(drawn) > 5
    assert list(disagreeing_mails(drawn, passed_through(life, contents.history))) == []
    assert list(disagreeing_lines(drawn, dashboard(life, contents.history), early(life, contents.history))) == []


def passed_through(life: Played, history: History) -> set[tuple[int, str, str]]:
    """The states that an alarm was in and left within a minute, as before it falls silent: no chart has them."""
    changes = [
        (history.metrics.index(one.time), one.alarm.removeprefix(f"{STACK_NAME}-"), str(one.new))
        for one in life.sandbox.transitions
    ]
    last = {(minute, alarm): state for minute, alarm, state in changes}
    return {one for one in changes if last[one[:2]] != one[2]}


def early(life: Played, history: History) -> set[int]:
    """The minutes in which scheduled recalculations began by their own clocks: what they call has the next full minute,
    at which the local scheduler looks.
    """
    starts = starts_of(life, life.player.minute_at(history.metrics.start)).recalculates or {}
    return {history.metrics.index(began) for began in starts.values()}


def dashboard(life: Played, history: History) -> dict[str, dict[int, float]]:
    """What the deployed dashboard draws, by the report's minutes."""
    cloudwatch = life.sandbox.client("cloudwatch")
    body = json.loads(cloudwatch.get_dashboard(DashboardName=f"{STACK_NAME}-us-east-1")["DashboardBody"])
    graphs = [one["properties"] for one in body["widgets"] if one["properties"].get("title") in TITLES]
    assert len(graphs) == len(TITLES)
    start, end = history.metrics.start, history.time(history.minutes)
    return {
        label: {history.metrics.index(time): value for time, value in line.items()}
        for graph in graphs
        for label, line in lines(life.sandbox, graph, start, end).items()
    }


def test_a_backtest_of_it_has_the_same_states_and_thresholds_at_each_minute(life: Played, contents: Contents) -> None:
    history, deployment = contents.history, life.player.scenario.deployments[0]
    begun = life.player.minute_at(history.metrics.start)
    deployed_at = deployment.minute - begun
    stack = ReplayedStack(name=STACK_NAME, region="us-east-1", settings=SETTINGS, runbook_url="")
    found = replay(
        history.metrics, list(history.file_systems), stack, deployed_at=deployed_at, starts=starts_of(life, begun)
    )
    thresholds = thresholds_of(found.references, SETTINGS)
    for kind in LANES:
        changes = [(minute, state) for minute, changed, _, state in found.changes if changed == kind]
        spans = alarm_spans(changes, history.minutes, (deployed_at, UNJUDGED))
        own = [(one.begin, one.state) for one in contents.alarms[kind] if one.begin > deployed_at]
        if kind is not AlarmKind.RISE:
            assert [(one.begin, one.state) for one in spans if one.begin > deployed_at] == own
    replayed = [(one.warning_bytes, one.critical_bytes, one.exhausted_bytes) for one in thresholds]
    assert replayed == [(one.warning_bytes, one.critical_bytes, one.exhausted_bytes) for one in contents.thresholds]


def test_an_operator_who_may_only_read_sees_the_same(life: Played, contents: Contents) -> None:
    found = read_by(life, "reader", *READ_ONLY, NEEDED)
    assert found.alarms == contents.alarms, "\n".join(found.remarks)
    assert found.thresholds == contents.thresholds
    assert found.spells == contents.spells
    assert found.settings == contents.settings
    assert messages(found) == messages(contents)
    assert NO_TEXTS in found.remarks


def messages(contents: Contents) -> list[tuple[int, str, str]]:
    """CloudWatch's own, by what they tell of: those of a minute have no order."""
    own = [one for one in contents.mails if one.by_cloudwatch]
    return sorted((one.minute, one.topic, one.subject.partition(":")[0]) for one in own)


def test_what_may_not_be_read_is_said_and_the_rest_is_shown(life: Played, contents: Contents) -> None:
    found = read_by(life, "half-a-reader", *READ_ONLY)
    assert any(f"{NEEDED} is not permitted" in one for one in found.remarks), "\n".join(found.remarks)
    assert any("worked out from ReferenceThroughput" in one for one in found.remarks)
    assert not any(found.alarms.values())
    assert {one.warning_bytes for one in found.thresholds} <= {one.warning_bytes for one in contents.thresholds}
    assert found.thresholds
    assert "not known" in page(found)


def test_an_entry_of_history_that_nobody_can_read_is_left_out_and_said(life: Played, contents: Contents) -> None:
    history = life.sandbox.alarms.history
    history.append(replace(next(one for one in history if one.alarm_name == f"{STACK_NAME}-warning"), data="{cut off"))
    found = read_by(life, "reader-of-the-rest", *READ_ONLY, NEEDED)
    history.pop()
    assert "1 entry of the alarms' history is left out: it is no JSON object" in found.remarks
    assert (found.alarms, messages(found)) == (contents.alarms, messages(contents))
