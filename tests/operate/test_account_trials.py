"""What smoke tries on an account of its own stack: each line fails where what it speaks of is broken."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from efs_monitor.alarms.alarm import SUSPENDED_MARK, AlarmKind

from operate.checklist import Checklist, Line
from operate.described_stack import Account, find_stack
from operate.drill import Waiting
from operate.smoke import account_trials
from operate.smoke.account_trials import Trials, is_right_again
from operate.smoke.template_trials import DOCUMENT
from stage.direct_deployment import DeploymentRefused, deploy
from stage.player import Player
from stage.runs import minute_passes
from stage.sam_deployment import Deployer
from tests.operate.conftest import HEALTHY, STACK_NAME, Operated
from tests.quick import first_of
from tests.unit.alarms.test_alarm import as_deployed

FLEXIBLE_MINUTES = 16
RIGHT = "thresholds are right after an update of tags alone"
STARTED = "the end of an update of tags alone starts a recalculation"
REMEMBERED = "an update of tags alone leaves what the stack remembers"
HEARD = "the beginning of an update is heard, for alarms that are suspended"
INCLUDED = "CloudFormation has put in what the template includes"
RUNTIMES = "Lambda has a version of the runtime for every function"
OLD_SCRIPT = "a deployment that changes the document and fails leaves the old script"
FIRST_START = "the first start of a rate measures nothing"


@pytest.fixture(scope="module")
def parameters() -> dict[str, str]:
    """Benchmarks as they are by default: the schedule is a rate, which begins at once."""
    return {"FileSystemId": HEALTHY.file_system_id, "BenchmarkPath": "/mnt/efs"}


@pytest.fixture(scope="module")
def operated(
    player: Player, account: Account, parameters: dict[str, str], tmp_path_factory: pytest.TempPathFactory, built: Path
) -> Operated:
    put(account, built / "template.yaml", parameters)
    minute_passes(player)
    return Operated(player, account, Deployer(player.sandbox.endpoint_url, tmp_path_factory.mktemp("deployed"), str))


def put(account: Account, template: Path, parameters: dict[str, str], tags: dict[str, str] | None = None) -> None:
    clients = account.client("s3"), account.client("cloudformation")
    deploy(*clients, STACK_NAME, parameters, template, tags=tags)


type Try = Callable[[Callable[[Trials], None]], dict[str, Line]]


@pytest.fixture
def tried(operated: Operated, parameters: dict[str, str], built: Path, request: pytest.FixtureRequest) -> Try:
    """Runs one trial; the lines that it adds, by what they are about."""

    def deployed(*options: str) -> bool:
        """As smoke has `sam deploy` do: with other tags, or from another template."""
        match options:
            case ["--template-file", template]:
                tags, path = None, Path(template)
            case _:
                tags, path = {"test": request.node.name.replace("[", "-").strip("]")}, built / "template.yaml"
        try:
            put(operated.account, path, parameters, tags=tags)
        except DeploymentRefused:
            return False
        operated.minute_passes()
        return True

    def run(trial: Callable[[Trials], None]) -> dict[str, Line]:
        checklist = Checklist(show=lambda line: None)
        stack, events = find_stack(operated.account, STACK_NAME), operated.player.sandbox.events
        waiting = Waiting(attempts=3, pause=events.wait_for_background)
        template = built / "template.yaml"
        trial(Trials(stack=stack, deploy=deployed, checklist=checklist, waiting=waiting, template=template))
        return {line.what: line for line in checklist.lines}

    return run


@pytest.mark.more
def test_included_files_that_are_in_their_places_are_named(tried: Try) -> None:
    line = tried(Trials.included_files)[INCLUDED]
    assert (line.ok, line.seen) == (True, "into Thresholds, FileSystemDashboard, BenchmarkDocument")


@pytest.mark.whole
def test_an_included_file_that_is_not_what_was_deployed_is_told(tried: Try, tmp_path: Path) -> None:
    (tmp_path / "thresholds.yaml").write_text("AlarmFingerprint: another\n")
    written = "{Fn::Transform: {Name: AWS::Include, Parameters: {Location: thresholds.yaml}}}"
    template = tmp_path / "template.yaml"
    template.write_text(f"Resources: {{Thresholds: {{Properties: {written}}}}}\n")

    line = tried(lambda trials: replace(trials, template=template).included_files())[INCLUDED]

    assert (line.ok, line.seen) == (False, "not into Thresholds")


def test_the_version_that_every_function_runs_on_is_named(tried: Try) -> None:
    line = tried(Trials.runtime_versions)[RUNTIMES]
    assert line.ok
    assert re.fullmatch("arn:aws:lambda:us-east-1::runtime:[0-9a-f]{64}", line.seen)


def test_a_function_that_has_no_version_of_its_runtime_is_told(operated: Operated, tried: Try) -> None:
    missing, explain = operated.player.sandbox.runtime_versions.missing, operated.stack.physical_id("Explain")
    missing[explain] = "there is no such version"
    line = tried(Trials.runtime_versions)[RUNTIMES]
    del missing[explain]
    assert (line.ok, line.seen) == (False, "Explain: there is no such version")


def test_functions_of_which_lambda_names_no_version_show_nothing(tried: Try, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a Region whose Lambda does not tell."""

    def untold(trials: Trials) -> None:
        client = trials.stack.account.client("lambda")
        monkeypatch.setattr(client, "get_function_configuration", lambda **_: {})
        trials.runtime_versions()

    line = tried(untold)[RUNTIMES]
    assert (line.ok, line.seen.startswith("it names none, and no error, for ")) == (None, True)


@pytest.mark.whole
@pytest.mark.parametrize("old_content_is_refused", first_of([True, False], in_ci=1))
def test_a_deployment_that_is_rolled_back_leaves_the_old_script(
    operated: Operated, tried: Try, old_content_is_refused: bool
) -> None:
    operated.player.sandbox.documents.old_content_is_refused = old_content_is_refused
    name = operated.stack.physical_id(DOCUMENT)
    line = tried(Trials.document_rollback)[OLD_SCRIPT]
    told = f"UPDATE_ROLLBACK_COMPLETE, {name} with its old content, and {name}-trial is gone"
    assert (line.ok, line.seen) == (True, told)
    assert operated.stack.physical_id(DOCUMENT) == name


@pytest.fixture
def tried_and(tried: Try) -> Callable[[Callable[[], None]], Line]:
    """The line of the trial, after whose deployment something else happens."""

    def run(happens: Callable[[], None]) -> Line:
        def followed(trials: Trials) -> None:
            def deployed(*options: str) -> bool:
                outcome = trials.deploy(*options)
                happens()
                return outcome

            replace(trials, deploy=deployed).document_rollback()

        return tried(followed)[OLD_SCRIPT]

    return run


@pytest.mark.whole
@pytest.mark.parametrize("function", ["RunBenchmark", "CollectBenchmark"])
def test_a_function_that_still_has_the_name_of_another_document_is_told(
    operated: Operated, tried_and: Callable[[Callable[[], None]], Line], function: str
) -> None:
    client, name = operated.account.client("lambda"), operated.stack.physical_id(function)
    before = client.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    document = before["DOCUMENT_NAME"]

    def left_behind() -> None:
        variables = {**before, "DOCUMENT_NAME": f"{document}-trial"}
        client.update_function_configuration(FunctionName=name, Environment={"Variables": variables})

    line = tried_and(left_behind)
    client.update_function_configuration(FunctionName=name, Environment={"Variables": before})
    assert (line.ok, line.seen) == (
        False,
        f"UPDATE_ROLLBACK_COMPLETE, {function} is {document}-trial, not {document}",
    )


@pytest.mark.more
def test_the_document_of_a_failed_update_that_stays_is_told(
    operated: Operated, tried_and: Callable[[Callable[[], None]], Line]
) -> None:
    ssm, name = operated.account.client("ssm"), operated.stack.physical_id(DOCUMENT)
    content = ssm.get_document(Name=name)["Content"]

    def stays() -> None:
        ssm.create_document(Name=f"{name}-trial", Content=content, DocumentType="Command", DocumentFormat="JSON")

    line = tried_and(stays)
    ssm.delete_document(Name=f"{name}-trial")
    assert (line.ok, line.seen) == (
        False,
        f"UPDATE_ROLLBACK_COMPLETE, {name}-trial of the failed update is STILL THERE",
    )


@pytest.mark.more
def test_an_old_document_that_is_gone_is_told(
    operated: Operated, tried_and: Callable[[Callable[[], None]], Line]
) -> None:
    ssm, name = operated.account.client("ssm"), operated.stack.physical_id(DOCUMENT)
    content = ssm.get_document(Name=name)["Content"]
    line = tried_and(lambda: ssm.delete_document(Name=name))
    ssm.create_document(Name=name, Content=content, DocumentType="Command", DocumentFormat="JSON")
    assert (line.ok, line.seen) == (False, f"UPDATE_ROLLBACK_COMPLETE, {name} is GONE")


@pytest.mark.more
def test_an_update_that_fails_before_there_is_another_document_shows_nothing_of_its_rollback(
    tried: Try, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_trials, "others", lambda *_: [])
    line = tried(Trials.document_rollback)[OLD_SCRIPT]
    assert (line.ok, line.seen) == (None, "UPDATE_ROLLBACK_COMPLETE, before there was another document")


def test_a_deployment_that_did_not_fail_shows_nothing_of_a_rollback(tried: Try) -> None:
    line = tried(lambda trials: replace(trials, deploy=lambda *_: True).document_rollback())[OLD_SCRIPT]
    assert not line.ok


@pytest.mark.more
def test_another_script_after_the_rollback_is_told(
    operated: Operated, tried_and: Callable[[Callable[[], None]], Line]
) -> None:
    ssm, name = operated.account.client("ssm"), operated.stack.physical_id(DOCUMENT)
    content = json.loads(ssm.get_document(Name=name, DocumentVersion="$LATEST")["Content"])

    def write(description: str) -> None:
        changed = json.dumps({**content, "description": description})
        ssm.update_document(Name=name, Content=changed, DocumentVersion="$LATEST", DocumentFormat="JSON")

    line = tried_and(lambda: write("another"))
    assert (line.ok, line.seen) == (False, f"UPDATE_ROLLBACK_COMPLETE, {name} has ANOTHER content")


def first_start(operated: Operated, minutes: int) -> Callable[[Trials], None]:
    """The trial, with the patience for so many minutes of the sandbox."""
    waiting = Waiting(attempts=minutes, pause=operated.minute_passes)
    return lambda trials: replace(trials, waiting_for_start=waiting).first_start()


@pytest.fixture
def run_benchmark_logs(operated: Operated) -> Callable[..., None]:
    """Logs a line as RunBenchmark does, in place of all that it has logged."""
    logs, group = operated.account.client("logs"), operated.stack.physical_id("RunBenchmarkLogs")

    def put_lines(*lines: dict[str, str]) -> None:
        for stream in logs.describe_log_streams(logGroupName=group)["logStreams"]:
            logs.delete_log_stream(logGroupName=group, logStreamName=stream["logStreamName"])
        logs.create_log_stream(logGroupName=group, logStreamName="another")
        time = int(operated.player.sandbox.clock.now().timestamp() * 1000)
        texts = [json.dumps({"function_request_id": "another", **line}) for line in lines]
        events = [{"timestamp": time, "message": text} for text in texts]
        if events:
            logs.put_log_events(logGroupName=group, logStreamName="another", logEvents=events)

    return put_lines


def test_the_first_start_of_a_rate_is_waited_for_and_measures_nothing(operated: Operated, tried: Try) -> None:
    line = tried(first_start(operated, FLEXIBLE_MINUTES))[FIRST_START]
    assert (line.ok, "RunBenchmark ran 1 times" in line.seen) == (True, True), line.seen
    assert line.seen.endswith("; 0 benchmarks were sent"), line.seen


def test_a_start_that_nobody_saw_is_not_told_as_one_that_measured_nothing(
    operated: Operated, tried: Try, run_benchmark_logs: Callable[..., None]
) -> None:
    run_benchmark_logs()
    line = tried(first_start(operated, 0))[FIRST_START]
    assert (line.ok, line.seen) == (None, "no start was seen in 16 min")


def test_a_first_start_that_ended_with_an_error_is_told(
    operated: Operated, tried: Try, run_benchmark_logs: Callable[..., None]
) -> None:
    run_benchmark_logs({"level": "ERROR", "message": "no access"})
    line = tried(first_start(operated, 0))[FIRST_START]
    assert (line.ok, line.seen) == (False, "RunBenchmark ran, and has not logged in 16 min how it ended")


def test_a_benchmark_that_was_sent_is_told(
    operated: Operated, tried: Try, run_benchmark_logs: Callable[..., None]
) -> None:
    run_benchmark_logs({"level": "INFO", "message": "sent"})
    line = tried(first_start(operated, 0))[FIRST_START]
    assert (line.ok, line.seen.endswith("; 1 benchmarks were sent")) == (False, True), line.seen


@pytest.mark.parametrize("schedule", ["rate(1 day)", "cron(0 3 * * ? *)"])
def test_a_first_start_is_looked_for_last_and_only_where_the_timer_has_a_rate(
    operated: Operated, schedule: str
) -> None:
    """What is tried before it passes the time; a cron starts when somebody chose."""
    stack = replace(operated.stack, parameters={**operated.stack.parameters, "BenchmarkSchedule": schedule})
    trials = Trials(stack=stack, deploy=lambda *_: True, checklist=Checklist()).that_make_sense()
    names = [one.__name__ for one in trials]
    assert names[-1] == ("first_start" if schedule.startswith("rate") else "document_rollback")
    assert names.count("first_start") == schedule.startswith("rate")


def test_an_update_of_tags_alone_is_followed_by_a_recalculation(tried: Try) -> None:
    lines = tried(Trials.tags_alone)
    assert lines[RIGHT].ok
    assert (lines[STARTED].ok, lines[STARTED].seen) == (True, "stack UPDATE_COMPLETE")
    assert lines[HEARD].ok
    # The clock of this deployment stands still, and a function's own does not.
    assert re.fullmatch(r"made ready for the update \d+ s (before|AFTER) Warning was written", lines[HEARD].seen)


@pytest.mark.whole
@pytest.mark.parametrize(("state", "factor"), [("OK", 0.5), ("ALARM", 2)])
def test_a_wrong_threshold_neither_sets_an_alarm_off_nor_ends_one(
    operated: Operated, tried: Try, state: str, factor: float
) -> None:
    """CloudWatch may judge by it for the minutes that an update takes."""

    def threshold() -> float:
        name = f"{STACK_NAME}-warning"
        found = operated.account.client("cloudwatch").describe_alarms(AlarmNames=[name])["MetricAlarms"]
        return float(found[0]["Threshold"])

    right, written = threshold(), list[float]()
    operated.set_alarm("warning", state)

    def watched(trials: Trials) -> None:
        def deployed(*options: str) -> bool:
            written.append(threshold())
            return trials.deploy(*options)

        replace(trials, deploy=deployed).tags_alone()

    lines = tried(watched)
    operated.set_alarm("warning", "OK")
    assert (written, lines[RIGHT].ok) == ([factor * right], True)


@pytest.mark.more
def test_a_memory_that_an_update_of_tags_empties_is_told(operated: Operated, tried: Try) -> None:
    """As an older handler of CloudFormation did: it wrote the template's value with every update."""
    ssm, name = operated.account.client("ssm"), f"/efs-monitor/{STACK_NAME}/told"

    def emptying(trials: Trials) -> None:
        def deployed(*options: str) -> bool:
            ssm.put_parameter(Name=name, Value="{}", Overwrite=True)
            return trials.deploy(*options)

        replace(trials, deploy=deployed).tags_alone()

    left = tried(Trials.tags_alone)[REMEMBERED]
    assert (left.ok, left.seen) == (True, f"/efs-monitor/{STACK_NAME}/benchmarks, {name}")
    lost = tried(emptying)[REMEMBERED]
    assert (lost.ok, lost.seen) == (False, f"{name} was emptied")


def test_a_suspended_alarm_is_right_again_at_zero_alone() -> None:
    armed = as_deployed(AlarmKind.WARNING)
    asleep = armed._replace(description=f"{SUSPENDED_MARK} elastic", threshold=0.0)
    assert [is_right_again(one, asleep) for one in (0.0, 1.0, None)] == [True, False, False]
    right = armed.threshold or 0.0
    assert [is_right_again(one, armed) for one in (right, 2 * right, 0.0, None)] == [True, False, False, False]
    assert not is_right_again(0.0, armed._replace(threshold=None))


@pytest.mark.whole
def test_a_rule_that_was_disabled_by_hand_is_on_again_with_an_update_of_tags(operated: Operated, tried: Try) -> None:
    """CloudFormation writes it, too, and it is on at the end of the same update."""
    rule, client = operated.stack.physical_id("StackUpdatedRule"), operated.account.client("events")
    client.disable_rule(Name=rule)
    lines = tried(Trials.tags_alone)
    assert (client.describe_rule(Name=rule)["State"], lines[STARTED].ok) == ("ENABLED", True)


def that_never_starts(operated: Operated) -> Callable[[], None]:
    function, client = operated.stack.physical_id("RecalculateThresholds"), operated.account.client("lambda")
    client.put_function_concurrency(FunctionName=function, ReservedConcurrentExecutions=0)
    return lambda: client.delete_function_concurrency(FunctionName=function)


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


@pytest.mark.whole
@pytest.mark.parametrize("broken", [without_the_permission, that_never_starts])
def test_an_update_that_starts_no_recalculation_is_told_although_the_stored_thresholds_are_right(
    operated: Operated, tried: Try, broken: Callable[[Operated], Callable[[], None]]
) -> None:
    mend = broken(operated)
    lines = tried(Trials.tags_alone)
    mend()
    assert lines[RIGHT].ok
    assert not lines[STARTED].ok
    assert (lines[HEARD].ok, lines[HEARD].seen) == (False, "nothing was made ready for the update")
