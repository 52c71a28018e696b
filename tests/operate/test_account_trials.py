"""What smoke tries on an account of its own stack: each line fails where what it speaks of is broken."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from operate.account_trials import Trials
from operate.checklist import Checklist, Line
from operate.described_stack import Account, find_stack
from operate.drill import Waiting
from stage.deployment import Deployer
from stage.direct_deployment import deploy
from stage.player import Player
from stage.runs import minute_passes
from tests.operate.conftest import HEALTHY, STACK_NAME, Operated

FLEXIBLE_MINUTES = 16
RIGHT = "thresholds are right after an update of tags alone"
STARTED = "the end of an update of tags alone starts a recalculation"
INCLUDED = "CloudFormation has put in what the template includes"
FIRST_MINUTES = "no schedule has measured the file system in the stack's first minutes"


@pytest.fixture(scope="module")
def parameters() -> dict[str, str]:
    """Benchmarks as they are by default: the schedule is a rate, which begins at once."""
    return {"FileSystemId": HEALTHY.file_system_id, "BenchmarkPath": "/mnt/efs"}


@pytest.fixture(scope="module")
def operated(
    player: Player, account: Account, parameters: dict[str, str], tmp_path_factory: pytest.TempPathFactory, built: Path
) -> Operated:
    put(account, built, parameters)
    minute_passes(player)
    return Operated(player, account, Deployer(player.sandbox.endpoint_url, tmp_path_factory.mktemp("deployed"), str))


def put(account: Account, built: Path, parameters: dict[str, str], tags: dict[str, str] | None = None) -> None:
    clients = account.client("s3"), account.client("cloudformation")
    deploy(*clients, STACK_NAME, parameters, built / "template.yaml", tags=tags)


type Try = Callable[[Callable[[Trials], None]], dict[str, Line]]


@pytest.fixture
def tried(operated: Operated, parameters: dict[str, str], built: Path, request: pytest.FixtureRequest) -> Try:
    """Runs one trial; the lines that it adds, by what they are about."""

    def deployed(*_options: str) -> bool:
        put(operated.account, built, parameters, tags={"test": request.node.name.replace("[", "-").strip("]")})
        operated.minute_passes()
        return True

    def run(trial: Callable[[Trials], None]) -> dict[str, Line]:
        checklist = Checklist(show=lambda line: None)
        stack, events = find_stack(operated.account, STACK_NAME), operated.player.sandbox.events
        waiting = Waiting(attempts=3, pause=events.wait_for_background)
        trial(Trials(stack=stack, deploy=deployed, checklist=checklist, waiting=waiting))
        return {line.what: line for line in checklist.lines}

    return run


def test_included_files_that_are_in_their_places_are_named(tried: Try) -> None:
    line = tried(Trials.included_files)[INCLUDED]
    assert (line.ok, line.seen) == (True, "into Thresholds, FileSystemDashboard, BenchmarkDocument")


def test_an_included_file_that_is_not_what_was_deployed_is_told(tried: Try, tmp_path: Path) -> None:
    (tmp_path / "thresholds.yaml").write_text("AlarmFingerprint: another\n")
    written = "{Fn::Transform: {Name: AWS::Include, Parameters: {Location: thresholds.yaml}}}"
    template = tmp_path / "template.yaml"
    template.write_text(f"Resources: {{Thresholds: {{Properties: {written}}}}}\n")

    line = tried(lambda trials: replace(trials, template=template).included_files())[INCLUDED]

    assert (line.ok, line.seen) == (False, "not into Thresholds")


def test_the_first_start_of_a_rate_runs_and_measures_nothing(operated: Operated, tried: Try) -> None:
    for _ in range(FLEXIBLE_MINUTES):
        operated.minute_passes()
    line = tried(Trials.first_minutes)[FIRST_MINUTES]
    assert (line.ok, "RunBenchmark ran 1 times" in line.seen) == (True, True), line.seen


def test_a_benchmark_that_was_sent_is_told(operated: Operated, tried: Try) -> None:
    logs, group = operated.account.client("logs"), operated.stack.physical_id("RunBenchmarkLogs")
    text = json.dumps({"level": "INFO", "message": "sent", "function_request_id": "another"})
    time = int(operated.player.sandbox.clock.now().timestamp() * 1000)
    logs.create_log_stream(logGroupName=group, logStreamName="another")
    put_events = partial(logs.put_log_events, logGroupName=group, logStreamName="another")
    put_events(logEvents=[{"timestamp": time, "message": text}])

    line = tried(Trials.first_minutes)[FIRST_MINUTES]

    assert (line.ok, line.seen.endswith("; 1 benchmarks were sent")) == (False, True), line.seen


def test_an_update_of_tags_alone_is_followed_by_a_recalculation(tried: Try) -> None:
    lines = tried(Trials.tags_alone)
    assert lines[RIGHT].ok
    assert (lines[STARTED].ok, lines[STARTED].seen) == (True, "stack UPDATE_COMPLETE")


def without_the_rule(operated: Operated) -> Callable[[], None]:
    rule, client = operated.stack.physical_id("StackUpdatedRule"), operated.account.client("events")
    client.disable_rule(Name=rule)
    return lambda: client.enable_rule(Name=rule)


def without_the_permission(operated: Operated) -> Callable[[], None]:
    function, client = operated.stack.physical_id("RecalculateThresholds"), operated.account.client("lambda")
    statements = json.loads(client.get_policy(FunctionName=function)["Policy"])["Statement"]
    (found,) = [one for one in statements if one["Principal"] == {"Service": "events.amazonaws.com"}]
    client.remove_permission(FunctionName=function, StatementId=found["Sid"])
    return lambda: client.add_permission(
        FunctionName=function,
        StatementId=found["Sid"],
        Action=found["Action"],
        Principal="events.amazonaws.com",
        SourceArn=operated.account.client("events").describe_rule(Name=operated.stack.physical_id("StackUpdatedRule"))[
            "Arn"
        ],
    )


@pytest.mark.parametrize("broken", [without_the_rule, without_the_permission])
def test_an_update_that_starts_no_recalculation_is_told_although_the_stored_thresholds_are_right(
    operated: Operated, tried: Try, broken: Callable[[Operated], Callable[[], None]]
) -> None:
    mend = broken(operated)
    lines = tried(Trials.tags_alone)
    mend()
    assert lines[RIGHT].ok
    assert not lines[STARTED].ok
