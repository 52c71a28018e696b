"""The custom resource's handler, in this process: whatever happens, CloudFormation gets exactly one answer."""

import json
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from botocore.retries.standard import ExponentialBackoff, RetryContext
from efs_monitor.alarms.decision import decide
from efs_monitor.aws import calls, cloudwatch_metrics, custom_resource
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.errors import AwsRefused, EventRefused
from efs_monitor.usecases import apply_on_deploy

from tests.stage.monitor.conftest import FILE_SYSTEM_ID, STACK_NAME, Context, Desk, WatchedHome
from tests.stage.monitor.faults import DENIED, INTERNAL_ERROR, SILENT, THROTTLED, InjectedFailure, stack_in

IDENTIFIERS = {
    "StackId": f"arn:aws:cloudformation:us-east-1:123456789012:stack/{STACK_NAME}/6f1e0a70",
    "RequestId": "d1c2b3a4-0000-4000-8000-000000000001",
    "LogicalResourceId": "Thresholds",
}
PLACE = (
    f"(FileSystemId {FILE_SYSTEM_ID}, WarningMinutes 180, CriticalMinutes 60, RiseTolerancePercent 10; "
    "Region us-east-1, account 123456789012)"
)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(custom_resource, "sleep", lambda _: None)


def ask(
    home: WatchedHome,
    desk: Desk,
    kind: str = "Create",
    properties: Mapping[str, str] = MappingProxyType({}),
    *,
    milliseconds: int = 28_000,
) -> dict[str, Any]:
    """The one answer to a request with these properties beside the usual ones."""
    event = {
        **IDENTIFIERS,
        "RequestType": kind,
        "ResponseURL": desk.url,
        "ResourceProperties": {
            "FileSystemId": FILE_SYSTEM_ID,
            "WarningMinutes": "180",
            "CriticalMinutes": "60",
            "RiseTolerancePercent": "10",
            "RunbookUrl": "https://wiki.example.com/new",
            "AlarmFingerprint": "x",
            **properties,
        },
    }
    if kind != "Create":
        event["PhysicalResourceId"] = "Thresholds-1"
    home.call("apply_on_deploy", event, Context(milliseconds))
    (answer,) = desk.answers
    assert answer.items() >= IDENTIFIERS.items()
    return answer


def refusal(home: WatchedHome, desk: Desk, **properties: str) -> str:
    answer = ask(home, desk, "Create", properties)
    assert (answer["Status"], answer["Data"]) == ("FAILED", {})
    return str(answer["Reason"])


def test_a_first_deployment_gets_thresholds_from_the_size(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system(2 * TIB)
    home.cloudwatch.delete_alarms(AlarmNames=[alarm["AlarmName"] for alarm in home.alarms().values()])
    answer = ask(home, desk)
    assert answer["Status"] == "SUCCESS"
    assert answer["PhysicalResourceId"] == f"Thresholds-{IDENTIFIERS['RequestId']}"
    assert answer["Data"]["WarningThresholdBytes"] == str(180 * 60 * 200 * MIB)
    assert answer["Data"]["State"] == "armed"
    assert "https://wiki.example.com/new#warning" in answer["Data"]["WarningDescription"]
    # The signature of a real address covers an empty one.
    assert desk.content_types == [""]
    assert home.logged("decided")[0]["cause"] == "Create"


def test_an_update_keeps_its_identity_and_knows_the_live_alarms(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system(2 * TIB)
    answer = ask(home, desk, "Update", {"CriticalMinutes": "30"})
    assert (answer["Status"], answer["PhysicalResourceId"]) == ("SUCCESS", "Thresholds-1")
    assert answer["Data"]["CriticalThresholdBytes"] == str(30 * 60 * 200 * MIB)
    assert home.logged("decided")[0]["critical_bytes_before"] == 60 * 60 * 100 * MIB


def test_a_delete_succeeds_without_the_file_system_or_any_call(home: WatchedHome, desk: Desk) -> None:
    answer = ask(home, desk, "Delete", {"WarningMinutes": "nonsense"})
    assert (answer["Status"], answer["PhysicalResourceId"]) == ("SUCCESS", "Thresholds-1")
    assert home.faults.of_functions() == []


def test_a_large_file_system_first_seen_exhausted_gets_the_regional_cap(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system(16 * TIB)
    for minutes_ago in range(30, 0, -1):
        home.record("BurstCreditBalance", 0, minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 800 * MIB, minutes_ago=minutes_ago)
    home.record("PermittedThroughput", 1024 * MIB, minutes_ago=5 * 24 * 60)
    data = ask(home, desk)["Data"]
    assert data["ReferenceBytesPerSecond"] == str(1024 * MIB)
    assert data["WarningThresholdBytes"] == str(180 * 60 * 1024 * MIB)


def test_a_small_file_system_first_seen_exhausted_gets_what_its_size_earns(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system(100 * GIB)
    home.record("BurstCreditBalance", 0)
    home.record("PermittedThroughput", 5 * MIB)
    assert ask(home, desk)["Data"]["ReferenceBytesPerSecond"] == str(100 * MIB)


def test_an_unknown_file_system_is_named_with_region_and_account(home: WatchedHome, desk: Desk) -> None:
    assert refusal(home, desk) == (
        f"EFS knows no file system {FILE_SYSTEM_ID} here; check FileSystemId, the Region and the account. {PLACE}"
    )


def test_critical_minutes_that_are_not_fewer_by_as_much_as_a_mail_takes_are_named(
    home: WatchedHome, desk: Desk
) -> None:
    home.create_file_system()
    reason = refusal(home, desk, CriticalMinutes="161")
    assert reason == (
        "CriticalMinutes is 161 and WarningMinutes is 180: CriticalMinutes must be at least 20, because a mail may "
        "come that late, and as much below WarningMinutes, which must be at most 360 (a full bucket lasts 367 "
        f"minutes). Change one of the two. {PLACE.replace('CriticalMinutes 60', 'CriticalMinutes 161')}"
    )
    assert home.faults.of_functions() == []


def test_an_alarm_on_what_efs_does_not_publish_is_refused(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system(performance_mode="maxIO")
    assert refusal(home, desk, IoLimitAlarm="on") == (
        f"IoLimitAlarm is on, but {FILE_SYSTEM_ID} is in Max I/O performance mode, of which EFS publishes no "
        f"PercentIOLimit: the alarm could never go off. Deploy with IoLimitAlarm=off. {PLACE}"
    )
    assert home.faults.of_functions() == ["DescribeFileSystems"]


@pytest.mark.parametrize(("performance_mode", "io_limit_alarm"), [("generalPurpose", "on"), ("maxIO", "off")])
def test_that_alarm_or_that_performance_mode_alone_is_taken(
    home: WatchedHome, desk: Desk, performance_mode: str, io_limit_alarm: str
) -> None:
    home.create_file_system(performance_mode=performance_mode)
    assert ask(home, desk, properties={"IoLimitAlarm": io_limit_alarm})["Status"] == "SUCCESS"


def test_minutes_that_are_not_whole_are_named(home: WatchedHome, desk: Desk) -> None:
    assert refusal(home, desk, WarningMinutes="60.5").startswith("WarningMinutes is '60.5', but must be a whole number")


def test_a_denied_call_is_believed_after_some_patience_and_named(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system()
    home.faults.fail("DescribeFileSystems", DENIED)
    assert refusal(home, desk) == (
        f"Not allowed to call elasticfilesystem:DescribeFileSystems on {FILE_SYSTEM_ID}: "
        "no identity-based policy allows the action; allow it in the caller's policy, or find the policy that denies "
        f"it. {PLACE}"
    )
    assert home.faults.of_functions() == ["DescribeFileSystems"] * 4


@pytest.mark.whole
@pytest.mark.parametrize("action", ["DescribeFileSystems", "DescribeAlarms", "GetMetricData"])
def test_a_role_that_is_not_known_everywhere_yet_is_waited_for(home: WatchedHome, desk: Desk, action: str) -> None:
    home.create_file_system()
    home.faults.fail(action, DENIED, times=2)
    assert ask(home, desk)["Status"] == "SUCCESS"


@pytest.mark.parametrize("action", ["DescribeFileSystems", "DescribeAlarms", "GetMetricData"])
def test_a_quota_that_other_stacks_use_up_is_waited_for_through_several_seconds(
    home: WatchedHome, desk: Desk, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """botocore's own pauses are by chance, and may end all four attempts within the second that is used up."""
    paused: list[float] = []
    monkeypatch.setattr(calls, "sleep", paused.append)
    home.create_file_system()
    home.faults.fail(action, THROTTLED, times=7)
    assert ask(home, desk)["Status"] == "SUCCESS"
    assert paused == [2]


class Pauses:
    """What a run would have waited at the most, botocore's pauses and ours."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        monkeypatch.setattr(calls, "sleep", self._note)
        monkeypatch.setattr(cloudwatch_metrics, "sleep", self._note)
        monkeypatch.setattr(ExponentialBackoff, "delay_amount", lambda _, attempt: self._of_botocore(attempt))

    def _note(self, seconds: float) -> None:
        self.seconds += seconds

    def _of_botocore(self, attempt: RetryContext) -> int:
        self._note(2 ** (attempt.attempt_number - 1))
        return 0


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Pauses:
    return Pauses(monkeypatch)


READS = pytest.mark.parametrize("action", ["DescribeFileSystems", "DescribeAlarms", "GetMetricData"])
WORKS_SECONDS = 28 - custom_resource.MILLISECONDS_TO_ANSWER / 1000


@READS
def test_what_is_throttled_for_good_is_named_before_there_is_no_time_for_that(
    home: WatchedHome, desk: Desk, pauses: Pauses, action: str
) -> None:
    home.create_file_system()
    home.faults.fail(action, THROTTLED)
    assert f":{action} on " in refusal(home, desk)
    assert pauses.seconds <= WORKS_SECONDS


@pytest.mark.whole
@pytest.mark.parametrize(
    ("action", "failure"),
    [("DescribeFileSystems", THROTTLED), ("GetMetricData", THROTTLED), ("GetMetricData", SILENT)],
)
def test_a_rollback_keeps_what_there_is_in_seconds_where_something_cannot_be_read(
    home: WatchedHome, desk: Desk, pauses: Pauses, action: str, failure: InjectedFailure
) -> None:
    """Refused, or out of time, the stack would stay in UPDATE_ROLLBACK_FAILED."""
    home.create_file_system()
    home.faults.fail("DescribeStacks", stack_in(STACK_NAME, "UPDATE_ROLLBACK_IN_PROGRESS"))
    home.faults.fail(action, failure)
    answer = ask(home, desk, "Update")
    assert (answer["Status"], answer["Data"]["State"]) == ("SUCCESS", "armed")
    assert home.faults.of_functions().count(action) <= 2
    assert pauses.seconds <= 2


def test_a_rollback_that_is_not_known_as_one_at_first_is_asked_about_once_more(home: WatchedHome, desk: Desk) -> None:
    """The file system is gone, which refuses any other update."""
    home.faults.fail("DescribeStacks", THROTTLED, times=4)
    home.faults.fail("DescribeStacks", stack_in(STACK_NAME, "UPDATE_ROLLBACK_IN_PROGRESS"))
    assert ask(home, desk, "Update")["Status"] == "SUCCESS"


@pytest.mark.parametrize(("times", "status"), [(2, "SUCCESS"), (3, "FAILED")])
def test_an_internal_error_of_a_metric_is_read_again_as_aws_asks(
    home: WatchedHome, desk: Desk, times: int, status: str
) -> None:
    """botocore does not: the call itself succeeded."""
    home.create_file_system()
    home.faults.fail("GetMetricData", INTERNAL_ERROR, times=times)
    assert ask(home, desk)["Status"] == status


@READS
def test_what_fails_for_good_fails_the_deployment_by_name(home: WatchedHome, desk: Desk, action: str) -> None:
    home.create_file_system()
    home.faults.fail(action, THROTTLED)
    assert f":{action} on " in refusal(home, desk)
    assert home.faults.of_functions().count(action) == 8


def test_a_crash_is_answered_too_and_its_trace_is_logged(
    home: WatchedHome, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.create_file_system()
    monkeypatch.setattr(apply_on_deploy, "decide", lambda *_: 1 / 0)
    reason = refusal(home, desk)
    assert reason.startswith("an error of the monitor itself, ZeroDivisionError('division by zero'); its log has")
    assert "Traceback" in home.logged("crashed")[0]["exception"]


def decided_only_once(monkeypatch: pytest.MonkeyPatch, happened: Callable[[], bool]) -> None:
    """Hold the work up until something has happened, however long that takes."""

    def late(*given: Any) -> Any:
        while not happened():
            time.sleep(0.01)
        return decide(*given)

    monkeypatch.setattr(apply_on_deploy, "decide", late)


def test_when_time_runs_out_cloudformation_hears_it_before_and_only_once(
    home: WatchedHome, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.create_file_system()
    decided_only_once(monkeypatch, lambda: bool(desk.answers))
    answer = ask(home, desk, milliseconds=custom_resource.MILLISECONDS_TO_ANSWER + 50)
    assert answer["Status"] == "FAILED"
    assert answer["Reason"].startswith("no answer from AWS within 0 s.")


def test_cloudformation_hears_it_before_it_gives_up_itself_however_long_the_function_might_run(
    home: WatchedHome, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.create_file_system()
    decided_only_once(monkeypatch, lambda: bool(desk.answers))
    answer = ask(home, desk, properties={"ServiceTimeout": "15"}, milliseconds=20_000)
    assert answer["Reason"].startswith("no answer from AWS within 0 s.")


def test_an_answer_that_is_turned_away_is_sent_again(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system()
    desk.refusals.extend([503, 500])
    assert ask(home, desk)["Status"] == "SUCCESS"


@pytest.mark.parametrize("error", [OSError("unreachable"), TypeError("'module' object is not callable")])
def test_an_answer_that_could_not_be_sent_is_sent_again_whatever_the_error(
    home: WatchedHome, desk: Desk, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    home.create_file_system()
    put, failures = custom_resource.put, [error, error]

    def failing_twice(url: str, body: bytes) -> int:
        if failures:
            raise failures.pop()
        return put(url, body)

    monkeypatch.setattr(custom_resource, "put", failing_twice)
    assert ask(home, desk)["Status"] == "SUCCESS"


def test_when_word_of_the_time_out_is_turned_away_the_answer_itself_is_still_sent(
    home: WatchedHome, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.create_file_system()
    desk.refusals.extend([503] * 3)
    decided_only_once(monkeypatch, lambda: not desk.refusals)
    assert ask(home, desk, milliseconds=custom_resource.MILLISECONDS_TO_ANSWER + 50)["Status"] == "SUCCESS"
    # It is logged by the timer, before or after what the rest logs.
    refused, limit = "CloudFormation did not take the answer FAILED: it answered with 503", time.monotonic() + 5
    while not home.logged(refused) and time.monotonic() < limit:
        time.sleep(0.01)
    assert home.logged(refused)


def test_an_answer_that_nobody_takes_fails_the_invocation(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system()
    desk.refusals.extend([503] * 3)
    with pytest.raises(AwsRefused, match="CloudFormation did not take the answer SUCCESS"):
        ask(home, desk)
    assert home.logged()[-1]["refused"] == "AwsRefused"


@pytest.mark.parametrize("event", [None, {}, {**IDENTIFIERS, "RequestType": "Create", "ResponseURL": "file:///etc"}])
def test_what_is_no_request_is_refused_with_a_logged_sentence(home: WatchedHome, desk: Desk, event: object) -> None:
    with pytest.raises(EventRefused):
        home.call("apply_on_deploy", event)
    (logged,) = home.logged()
    assert (logged["level"], logged["refused"]) == ("ERROR", "EventRefused")
    assert (home.faults.of_functions(), desk.answers) == ([], [])


@pytest.mark.parametrize("kind", ["Import", "", "create", "Read"])
def test_a_request_of_another_kind_is_answered_with_the_kinds_that_there_are(
    home: WatchedHome, desk: Desk, kind: str
) -> None:
    """Without an answer the deployment would wait for its time-out, and say nothing of why."""
    home.create_file_system()
    answer = ask(home, desk, kind)
    assert answer["Status"] == "FAILED"
    assert answer["Reason"].startswith(f"RequestType is {kind!r}, not one of Create, Update, Delete. (FileSystemId ")
    (logged,) = home.logged()
    assert (logged["level"], logged["refused"]) == ("ERROR", "EventRefused")
    assert home.faults.of_functions() == []


def test_a_long_reason_is_cut_so_that_cloudformation_takes_it(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system()
    home.faults.fail("DescribeFileSystems", InjectedFailure(status=400, code="BadRequest", message="x" * 9_000))
    assert len(refusal(home, desk)) == custom_resource.LONGEST_REASON_BYTES


def test_a_long_reason_ends_with_a_whole_word(home: WatchedHome, desk: Desk) -> None:
    home.create_file_system()
    home.faults.fail("DescribeFileSystems", InjectedFailure(status=400, code="BadRequest", message="words " * 1_000))
    assert refusal(home, desk).endswith(" words...")


def test_an_answer_that_is_too_long_for_cloudformation_fails_with_a_sentence(
    home: WatchedHome, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No parameter that the template takes makes it so long today: the limit is brought down to one that does."""
    monkeypatch.setattr(custom_resource, "LONGEST_ANSWER_BYTES", 2_000)
    home.create_file_system()
    reason = refusal(home, desk)
    assert reason.startswith("the answer would have ")
    assert "bytes, and CloudFormation takes 4,096: shorten its parameters" in reason


def test_a_long_reason_in_other_letters_is_cut_by_its_bytes(home: WatchedHome, desk: Desk) -> None:
    reason = refusal(home, desk, WarningMinutes="🧨" * 1_000)
    assert len(json.dumps(reason)) <= custom_resource.LONGEST_REASON_BYTES + 2
    assert reason.endswith("🧨...")
