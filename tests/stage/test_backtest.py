"""A backtest of a life in the local AWS tells what the deployed stack has told in it, at the time it has told it.

Mails that an alarm sets off are the same to the minute and to the word. Those of the hourly runs come within the window
in which a scheduler may start them, and say how things stood then.
"""

from pathlib import Path

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import Settings

from operate.history.cache import Cache
from operate.history.history import history_of
from operate.history.reading import read_live
from operate.replay.account import ReplayedStack
from operate.replay.replay import replay
from stage.direct_deployment import DirectDeployer
from stage.runs import STACK_NAME, Played, played
from stage.scenario import Scenario

# What SNS adds to a mail.
FOOTER = "--\nIf you wish to stop receiving"
HOURLY = ("STILL", "INFO", "RECOVERED: over by")
WINDOW_MINUTES = 15
# In this one the hourly run ends alarms, too: those that are on when it sees another throughput mode.
ENDED_HOURLY = "mode-switch"

type Told = tuple[int, str, str]


MORE = [pytest.param(one, marks=pytest.mark.long) for one in ("growth", "mode-switch", "shrink", "slow-drain")]


@pytest.mark.days
@pytest.mark.parametrize("name", ["exhaustion", *MORE])
def test_what_a_backtest_tells_is_what_was_told(name: str, built: Path, tmp_path: Path) -> None:
    scenario = Scenario.named(name)
    with played(scenario, tmp_path, deployer_of=DirectDeployer) as result:
        changes, mails = lived_through(scenario, result)
        really = [
            (result.player.minute_at(one.time), one.alarm.removeprefix(f"{STACK_NAME}-"), str(one.new))
            for one in result.sandbox.transitions
        ]
        sent = [
            (result.player.minute_at(one.time), one.subject, one.body.partition(FOOTER)[0].strip())
            for one in result.sandbox.mailbox.mails
            if one.topic_name.endswith("advice")
        ]
    # Nobody is told of the Rise alarm itself.
    assert [one[1:] for one in told_of(changes)] == [one[1:] for one in told_of(really)]
    tolerance_minutes = WINDOW_MINUTES if name == ENDED_HOURLY else 0
    for mine, theirs in zip(told_of(changes), told_of(really), strict=True):
        assert abs(mine[0] - theirs[0]) <= tolerance_minutes
    assert at_once(mails) == at_once(sent)
    assert len(mails) == len(sent)
    for mine, theirs in zip(hourly(mails), hourly(sent), strict=True):
        assert abs(mine[0] - theirs[0]) <= WINDOW_MINUTES
        assert mine[1].split(maxsplit=1)[0] == theirs[1].split(maxsplit=1)[0]


def lived_through(scenario: Scenario, result: Played) -> tuple[list[Told], list[Told]]:
    """The changes of alarms and the readable mails of a replay of what the local CloudWatch recorded."""
    sandbox, deployment = result.sandbox, scenario.deployments[0]
    now = sandbox.clock.now()
    recorded = read_live(
        sandbox.client("efs"), sandbox.client("cloudwatch"), scenario.file_system_id, 14, now, Cache(folder=None)
    )
    history = history_of(recorded, 14, now)
    parameters = deployment.parameters
    stack = ReplayedStack(
        name=STACK_NAME,
        region="us-east-1",
        settings=Settings(
            warning_minutes=int(parameters.get("WarningMinutes", 180)),
            critical_minutes=int(parameters.get("CriticalMinutes", 60)),
            rise_tolerance_percent=10,
        ),
        runbook_url="",
        alert_email=parameters["AlertEmail"],
    )
    begun = result.player.minute_at(history.metrics.start)
    found = replay(history.metrics, list(history.file_systems), stack, deployed_at=deployment.minute - begun)
    assert found.failed == ()
    return (
        [(begun + minute, kind, state) for minute, kind, _, state in found.changes],
        [(begun + one.minute, one.subject, one.body.strip()) for one in found.mails if not one.by_cloudwatch],
    )


def told_of(changes: list[Told]) -> list[Told]:
    """Alarm by alarm, each in its order."""
    return sorted((one for one in changes if one[1] != AlarmKind.RISE), key=lambda one: (one[1], one[0]))


def at_once(mails: list[Told]) -> list[Told]:
    return sorted(one for one in mails if not one[1].startswith(HOURLY))


def hourly(mails: list[Told]) -> list[Told]:
    return sorted(one for one in mails if one[1].startswith(HOURLY))
