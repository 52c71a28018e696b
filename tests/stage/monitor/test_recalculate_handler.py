"""The recalculation's handler, in this process and over real HTTP: what it reads, writes, tells and logs."""

import itertools
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from efs_monitor.alarms.alarm import CREDIT_ALARMS, LEAD_ALARMS, AlarmKind
from efs_monitor.aws import cloudwatch_alarms
from efs_monitor.aws.runtime import now
from efs_monitor.efs.credits import GIB, MIB, TIB, full_bucket_bytes
from efs_monitor.errors import AwsDenied, AwsRefused, AwsThrottled, EventRefused, KeyUnusable, SettingsRefused
from efs_monitor.usecases import alarm_updates

from localaws.file_systems import Size
from stage.home import as_request
from tests.quick import first_of
from tests.stage.monitor.conftest import (
    FILE_SYSTEM_ID,
    HOURLY,
    STACK_NAME,
    STATE_PARAMETER,
    WatchedHome,
    configured,
    stack_updated,
)
from tests.stage.monitor.faults import BROKEN, CONCURRENT, DENIED, GARBAGE, SILENT, THROTTLED, InjectedFailure, stack_in

FULL = full_bucket_bytes(TIB)
READS = ["GetParameter", "DescribeFileSystems", "GetMetricData", "DescribeAlarms"]
WRITES = ["PutMetricAlarm", "PutParameter"]
UNCHANGED = ("AlarmActions", "OKActions", "Period", "EvaluationPeriods", "TreatMissingData", "Statistic", "Dimensions")


def rise_event(state: str = "ALARM", **changes: Any) -> dict[str, Any]:
    name = f"{STACK_NAME}-permitted-throughput-rise"
    return {
        "source": "aws.cloudwatch",
        "alarmArn": f"arn:aws:cloudwatch:us-east-1:123456789012:alarm:{name}",
        "accountId": "123456789012",
        "time": "2030-01-07T01:00:00.000+0000",
        "region": "us-east-1",
        "alarmData": {
            "alarmName": name,
            "state": {"value": state, "reason": "Threshold crossed", "timestamp": "2030-01-07T01:00:00.000+0000"},
            "previousState": {"value": "OK", "reason": "", "timestamp": "2030-01-07T00:00:00.000+0000"},
            "configuration": {"description": "", "metrics": []},
            **changes,
        },
    }


def settled(home: WatchedHome, standard_bytes: int = 100 * GIB) -> None:
    """A file system with credits whose first hourly run is over."""
    home.create_file_system(standard_bytes)
    home.record("BurstCreditBalance", full_bucket_bytes(standard_bytes))
    home.record("PermittedThroughput", min(max(100 * MIB, standard_bytes // TIB * 100 * MIB), 1024 * MIB))
    home.recalculate()
    home.faults.forget()


@pytest.mark.parametrize("standard_bytes", [100 * GIB, 16 * TIB])
def test_a_keep_costs_four_calls_and_writes_nothing(home: WatchedHome, standard_bytes: int) -> None:
    settled(home, standard_bytes)
    assert home.recalculate()["decision"] == "keep"
    assert home.faults.of_functions() == READS
    assert home.recalculate(rise_event("OK"))["cause"] == "permitted-throughput-rise OK"
    assert home.faults.of_functions() == READS * 2


def test_a_decision_is_one_log_line_with_old_thresholds_beside_new(home: WatchedHome) -> None:
    settled(home)
    home.sandbox.file_systems.set_size(FILE_SYSTEM_ID, Size(standard_bytes=2 * TIB))
    home.record("PermittedThroughput", 200 * MIB, minutes_ago=0)
    home.record("BurstCreditBalance", FULL, minutes_ago=0)
    home.sandbox.advance()
    outcome = home.recalculate(rise_event())
    assert outcome["decision"] == "raise"
    line = home.logged("decided")[-1]
    mails = outcome.pop("mails")
    assert outcome.items() <= line.items()
    assert line["cause"] == "permitted-throughput-rise ALARM"
    assert (line["warning_bytes_before"], line["warning_bytes"]) == (180 * 60 * 100 * MIB, 180 * 60 * 200 * MIB)
    assert (line["reference_bytes_per_second"], line["reference_source"]) == (200 * MIB, "observed")
    # The minutes of Draining are the same at any size.
    written = sorted(set(home.alarms()) - {AlarmKind.DRAINING})
    assert line["alarms_written"] == [f"{STACK_NAME}-{end}" for end in written]
    assert mails == [f"INFO: alarm thresholds moved up, {FILE_SYSTEM_ID}"]
    assert line["function_request_id"] == "d1c2b3a4-0000-4000-8000-000000000001"


def test_the_metric_has_one_dimension_and_cloudwatchs_units(
    home: WatchedHome, capsys: pytest.CaptureFixture[str]
) -> None:
    home.create_file_system()
    home.recalculate()
    (blob,) = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    (directive,) = blob["_aws"]["CloudWatchMetrics"]
    assert directive == {
        "Namespace": "EFSMonitor",
        "Dimensions": [["FileSystemId"]],
        "Metrics": [{"Name": "ReferenceThroughput", "Unit": "Bytes/Second"}],
    }
    assert blob["FileSystemId"] == FILE_SYSTEM_ID
    assert blob["ReferenceThroughput"] == [100 * MIB]


def test_a_write_changes_threshold_and_text_and_nothing_else(home: WatchedHome) -> None:
    home.create_file_system(2 * TIB)
    before = home.alarms()
    home.recalculate()
    after = home.alarms()
    for end, alarm in after.items():
        assert alarm["Threshold"] == (1 if end == AlarmKind.DRAINING else 2) * before[end]["Threshold"]
        assert "2 TiB" not in alarm["AlarmDescription"]
        assert alarm["AlarmDescription"] != "older"
        # An alarm on metric math has no period of its own.
        assert [alarm.get(name) for name in UNCHANGED] == [before[end].get(name) for name in UNCHANGED]


def test_running_twice_leaves_the_same_alarms_and_tells_nothing_more(home: WatchedHome) -> None:
    home.create_file_system(2 * TIB)
    home.sandbox.file_systems.set_size(FILE_SYSTEM_ID, Size(standard_bytes=3 * TIB))
    home.recalculate()
    once, told = home.alarms(), home.told()
    home.recalculate()
    assert (home.alarms(), home.told()) == (once, told)
    assert len(home.subjects()) == 1


def test_elastic_suspends_and_bursting_wakes_again(home: WatchedHome) -> None:
    settled(home)
    home.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "elastic")
    assert home.recalculate()["decision"] == "suspend"
    asleep = home.alarms()
    assert [asleep[end]["ActionsEnabled"] for end in CREDIT_ALARMS] == [False] * 4
    assert asleep["permitted-throughput-rise"]["ActionsEnabled"]
    assert home.recalculate()["decision"] == "keep"
    home.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "bursting")
    assert home.recalculate()["decision"] == "resume"
    awake = home.alarms()
    assert all(alarm["ActionsEnabled"] for alarm in awake.values())
    assert not any(alarm["AlarmDescription"].startswith("[suspended]") for alarm in awake.values())
    assert awake["warning"]["StateValue"] == "INSUFFICIENT_DATA"
    assert home.recalculate()["decision"] == "keep"
    assert home.subjects() == [
        f"INFO: alarms suspended, elastic throughput, {FILE_SYSTEM_ID}",
        f"INFO: alarms active again, {FILE_SYSTEM_ID}",
    ]


def test_a_file_system_that_is_gone_is_told_once_without_failing(
    home: WatchedHome, capsys: pytest.CaptureFixture[str]
) -> None:
    settled(home)
    capsys.readouterr()
    home.sandbox.file_systems.delete(FILE_SYSTEM_ID)
    before = home.alarms()
    for _ in range(3):
        assert home.recalculate()["decision"] == "none"
    assert home.subjects() == [f"ACTION: file system not found, {FILE_SYSTEM_ID}"]
    assert home.alarms() == before
    assert capsys.readouterr().out == ""


@pytest.mark.whole
@pytest.mark.parametrize("action", READS)
@pytest.mark.parametrize("failure", [THROTTLED, BROKEN], ids=["throttled", "503"])
def test_a_read_that_fails_twice_is_retried_and_works(home: WatchedHome, action: str, failure: InjectedFailure) -> None:
    home.create_file_system(2 * TIB)
    home.faults.fail(action, failure, times=2)
    assert home.recalculate()["decision"] == "raise"
    assert home.faults.of_functions().count(action) == 3


@pytest.mark.whole
@pytest.mark.parametrize(
    ("action", "failure", "times"),
    [
        *((action, BROKEN, 2) for action in WRITES),
        # A quota that all stacks share.
        *((action, THROTTLED, 7) for action in (*READS, *WRITES)),
    ],
)
def test_what_fails_for_some_time_is_tried_again_and_works(
    home: WatchedHome, action: str, failure: InjectedFailure, times: int
) -> None:
    home.create_file_system(2 * TIB)
    home.faults.fail(action, failure, times=times)
    home.recalculate()
    assert home.alarms()["critical"]["Threshold"] == 60 * 60 * 200 * MIB
    assert home.told()["reference_bytes_per_second"] == 200 * MIB
    assert home.faults.of_functions().count(action) > times


@pytest.mark.whole
def test_a_call_that_is_never_answered_is_given_up_and_retried(home: WatchedHome) -> None:
    home.create_file_system(2 * TIB)
    home.faults.fail("DescribeAlarms", SILENT, times=1)
    assert home.recalculate()["decision"] == "raise"


@pytest.mark.parametrize("action", READS)
def test_a_read_that_fails_for_good_writes_nothing_and_is_named(home: WatchedHome, action: str) -> None:
    home.create_file_system(2 * TIB)
    home.faults.fail(action, THROTTLED)
    before = home.alarms()
    with pytest.raises(AwsThrottled, match=f":{action} on .* failed with ThrottlingException: Rate exceeded"):
        home.recalculate()
    assert (home.alarms(), home.told(), home.subjects()) == (before, {}, [])
    assert home.faults.of_functions().count(action) == 8
    (logged,) = (entry for entry in home.logged() if entry["level"] == "ERROR")
    assert action in logged["message"]
    assert logged["refused"] == "AwsThrottled"


@pytest.mark.parametrize("action", READS)
def test_what_cannot_be_read_is_named_too(home: WatchedHome, action: str) -> None:
    home.create_file_system(2 * TIB)
    home.faults.fail(action, GARBAGE)
    before = home.alarms()
    with pytest.raises(AwsRefused, match=f":{action} on .* answered with something unreadable"):
        home.recalculate()
    assert home.alarms() == before


def test_a_missing_right_is_named_with_its_resource(home: WatchedHome) -> None:
    home.create_file_system()
    home.faults.fail("DescribeFileSystems", DENIED)
    with pytest.raises(AwsDenied) as denied:
        home.recalculate()
    assert str(denied.value) == (
        f"Not allowed to call elasticfilesystem:DescribeFileSystems on {FILE_SYSTEM_ID}: "
        "no identity-based policy allows the action; allow it in the caller's policy, or find the policy that denies it"
    )


@pytest.mark.whole
@pytest.mark.parametrize("written_before", [0, 1, 2])
def test_when_one_of_three_alarms_cannot_be_written_all_are_as_before(home: WatchedHome, written_before: int) -> None:
    home.create_file_system(2 * TIB)
    before = home.alarms()
    doomed = sorted(before)[written_before]
    home.faults.fail("PutMetricAlarm", THROTTLED, about=f"{STACK_NAME}-{doomed}")
    with pytest.raises(AwsRefused, match=f"PutMetricAlarm on {STACK_NAME}-{doomed} failed"):
        home.recalculate()
    assert configured(home.alarms()) == configured(before)
    home.faults.heal()
    assert home.recalculate()["decision"] == "raise"
    assert home.alarms()["warning"]["Threshold"] == 180 * 60 * 200 * MIB


def test_a_suspension_that_breaks_off_leaves_silent_what_it_has_ended_and_the_next_run_silences_the_rest(
    home: WatchedHome,
) -> None:
    """Switched on again, an alarm on a balance that is still low would go off and page once more."""
    home.create_file_system()
    home.record("BurstCreditBalance", GIB)
    home.recalculate()
    for end in ("warning", "critical"):
        home.cloudwatch.set_alarm_state(AlarmName=f"{STACK_NAME}-{end}", StateValue="ALARM", StateReason="of the test")
    home.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "elastic")
    home.faults.fail("PutMetricAlarm", THROTTLED, about=f"{STACK_NAME}-warning")
    with pytest.raises(AwsThrottled):
        home.recalculate()
    assert {end: alarm["ActionsEnabled"] for end, alarm in home.alarms().items()}.items() >= {
        ("critical", False),
        ("warning", True),
    }
    home.faults.heal()
    home.recalculate()
    assert {end for end, alarm in home.alarms().items() if not alarm["ActionsEnabled"]} == set(CREDIT_ALARMS)
    assert [str(one).partition(":")[0] for one in home.subjects()] == ["RECOVERED"]


def test_an_alarm_that_cannot_be_put_back_either_is_logged_and_repaired_by_the_next_run(home: WatchedHome) -> None:
    home.create_file_system(2 * TIB)
    # The first of three is written; then nothing works any more.
    home.faults.fail("PutMetricAlarm", DENIED, skip=1)
    with pytest.raises(AwsRefused):
        home.recalculate()
    messages = [entry["message"] for entry in home.logged() if entry["level"] == "ERROR"]
    assert sum("could not be put back" in message for message in messages) == 2
    home.faults.heal()
    home.recalculate()
    assert home.alarms()["critical"]["Threshold"] == 60 * 60 * 200 * MIB
    assert home.alarms()["warning"]["Threshold"] == 180 * 60 * 200 * MIB


@pytest.mark.whole
@pytest.mark.parametrize(
    ("action", "skip"),
    [("SetAlarmState", 0), ("SetAlarmState", 1), ("PutMetricAlarm", 1), ("PutMetricAlarm", 2), ("PutMetricAlarm", 3)],
)
def test_an_interrupted_wake_is_taken_up_by_the_next_run(home: WatchedHome, action: str, skip: int) -> None:
    settled(home)
    home.record("BurstCreditBalance", 0, minutes_ago=0)
    home.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "elastic")
    home.recalculate()
    go_off_unheard(home)
    home.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "bursting")
    home.faults.fail(action, DENIED, skip=skip, times=1)
    with pytest.raises(AwsDenied):
        home.recalculate()
    assert any(alarm["AlarmDescription"].startswith("[suspended]") for alarm in home.alarms().values())
    assert home.recalculate()["decision"] == "resume"
    assert all(alarm["ActionsEnabled"] for alarm in home.alarms().values())
    # At zero an alarm that wakes goes off, and its own mail tells.
    home.sandbox.advance()
    assert home.alarms()["exhausted"]["StateValue"] == "ALARM"
    assert f"INFO: alarms active again, {FILE_SYSTEM_ID}" not in home.subjects()


def go_off_unheard(home: WatchedHome) -> None:
    """As those of a version before do, or those that an update of the stack was not to set off."""
    for end in CREDIT_ALARMS:
        name = f"{STACK_NAME}-{end}"
        home.cloudwatch.set_alarm_state(AlarmName=name, StateValue="ALARM", StateReason="of the test")


class ProcessGone(BaseException):
    """The function's process is gone: nothing in it can react."""


@pytest.mark.whole
@pytest.mark.parametrize("is_on", [False, True])
@pytest.mark.parametrize("step", first_of([2, 5, 1, 3, 4, 6], 2))
def test_a_run_killed_at_any_step_of_waking_loses_no_transition(
    home: WatchedHome, monkeypatch: pytest.MonkeyPatch, step: int, is_on: bool
) -> None:
    settled(home)
    home.record("BurstCreditBalance", 0, minutes_ago=0)
    home.sandbox.advance()
    assert home.alarms()["warning"]["StateValue"] == home.alarms()["critical"]["StateValue"] == "ALARM"
    home.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "elastic")
    home.recalculate()
    home.sandbox.advance()
    assert home.alarms()["warning"]["StateValue"] == home.alarms()["critical"]["StateValue"] == "OK"
    if is_on:
        go_off_unheard(home)
    home.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "bursting")
    heard = len(home.sandbox.mailbox.publications)

    calls = itertools.count(1)

    def killing(call: Callable[..., None]) -> Callable[..., None]:
        def until_the_step(*arguments: Any) -> None:
            if next(calls) == step:
                raise ProcessGone
            call(*arguments)

        return until_the_step

    with monkeypatch.context() as patched:
        patched.setattr(alarm_updates, "write", killing(cloudwatch_alarms.write))
        patched.setattr(alarm_updates, "forget_state", killing(cloudwatch_alarms.forget_state))
        with pytest.raises(ProcessGone):
            home.recalculate()
    home.sandbox.advance()
    home.recalculate()
    home.sandbox.advance()
    after = {one.topic_name for one in home.sandbox.mailbox.publications[heard:] if "ALARM" in str(one.subject)}
    assert after == {f"{STACK_NAME}-warning", f"{STACK_NAME}-critical"}
    assert all(alarm["ActionsEnabled"] for alarm in home.alarms().values())
    assert not any(alarm["AlarmDescription"].startswith("[suspended]") for alarm in home.alarms().values())


def test_edits_survive_and_are_told_once_and_a_further_one_again(home: WatchedHome) -> None:
    settled(home, 2 * TIB)
    name = f"{STACK_NAME}-critical"
    edited = {**as_request(home.alarms()["critical"]), "OKActions": [], "TreatMissingData": "breaching", "Period": 300}
    home.cloudwatch.put_metric_alarm(**edited)
    home.sandbox.file_systems.delete(FILE_SYSTEM_ID)
    home.create_file_system(4 * TIB)
    home.record("PermittedThroughput", 400 * MIB, minutes_ago=0)
    home.record("BurstCreditBalance", 4 * FULL, minutes_ago=0)
    home.sandbox.advance()
    home.recalculate()
    home.recalculate()
    found = home.alarms()["critical"]
    assert (found["OKActions"], found["TreatMissingData"], found["Period"]) == ([], "breaching", 300)
    assert found["Threshold"] == 60 * 60 * 400 * MIB
    assert "400 MiB/s" in found["AlarmDescription"]
    told = f"ACTION: alarm edited by hand, {FILE_SYSTEM_ID} (critical)"
    assert [subject for subject in home.subjects() if subject and subject.startswith("ACTION")] == [told]
    body = next(one.message for one in home.published("advice") if one.subject == told)
    for named in ("OKActions is not set", "Period is 300, the stack has 60", "TreatMissingData is breaching"):
        assert named in " ".join(body.split())
    home.cloudwatch.disable_alarm_actions(AlarmNames=[name])
    home.recalculate()
    home.recalculate()
    assert not home.alarms()["critical"]["ActionsEnabled"]
    assert [subject for subject in home.subjects() if subject and subject.startswith("ACTION")] == [told, told]


def test_a_deleted_alarm_is_told_once_and_the_others_are_kept_right(home: WatchedHome) -> None:
    settled(home)
    home.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-warning"])
    home.recalculate()
    home.recalculate()
    assert home.subjects() == [f"ACTION: alarm deleted, nobody is warned, {FILE_SYSTEM_ID} (warning)"]
    assert set(home.alarms()) == set(AlarmKind) - {AlarmKind.WARNING}


def test_a_foreign_event_is_refused_and_nothing_is_asked_of_aws(home: WatchedHome) -> None:
    sentence = "The schedule is that of stack 'other', not of home"
    home.create_file_system()
    with pytest.raises(EventRefused, match=sentence):
        home.recalculate({**HOURLY, "stack": "other"})
    assert home.faults.of_functions() == []
    (logged,) = home.logged()
    assert (logged["level"], logged["refused"]) == ("ERROR", "EventRefused")
    assert sentence in logged["message"]


def test_a_missing_variable_is_named_and_nothing_is_asked_of_aws(
    home: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOLD_PARAMETER")
    with pytest.raises(SettingsRefused, match="TOLD_PARAMETER is not set"):
        home.recalculate()
    assert home.faults.of_functions() == []


def test_without_its_memory_it_works_on_and_makes_a_new_one(home: WatchedHome) -> None:
    settled(home)
    home.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-critical"])
    home.recalculate()
    home.sandbox.client("ssm").delete_parameter(Name=STATE_PARAMETER)
    assert home.recalculate()["decision"] == "keep"
    assert home.told()["conditions"] == ["missing:critical"]


def test_a_mail_that_cannot_be_sent_is_not_remembered_as_told(home: WatchedHome) -> None:
    settled(home)
    home.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-warning"])
    home.faults.fail("Publish", DENIED, times=1)
    with pytest.raises(AwsDenied, match="Not allowed to call sns:Publish on arn:aws:sns"):
        home.recalculate()
    home.recalculate()
    assert len(home.subjects()) == 1


def test_what_was_mailed_is_remembered_although_others_write_at_that_moment(home: WatchedHome) -> None:
    settled(home)
    home.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-warning"])
    home.faults.fail("PutParameter", CONCURRENT, times=2)
    home.recalculate()
    home.recalculate()
    assert len(home.subjects()) == 1


@pytest.mark.whole
@pytest.mark.parametrize(
    ("code", "told_as"), [("KMSAccessDenied", AwsDenied), ("KMSDisabled", KeyUnusable), ("KMSThrottling", AwsThrottled)]
)
def test_an_encrypted_topic_whose_key_stands_in_the_way_is_told_as_that(
    home: WatchedHome, code: str, told_as: type[AwsRefused]
) -> None:
    settled(home)
    home.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-warning"])
    home.faults.fail("Publish", InjectedFailure(status=400, code=code))
    with pytest.raises(AwsRefused) as refused:
        home.recalculate()
    assert type(refused.value) is told_as


def in_status(home: WatchedHome, status: str, *, updated_minutes_ago: int | None = None) -> None:
    """CloudFormation says this of the stack."""
    created, updated = (
        f"{now() - timedelta(minutes=age):%Y-%m-%dT%H:%M:%SZ}" for age in (60 * 24 * 7, updated_minutes_ago or 0)
    )
    last_updated = "" if updated_minutes_ago is None else f"<LastUpdatedTime>{updated}</LastUpdatedTime>"
    home.faults.fail("DescribeStacks", stack_in(STACK_NAME, status, created, last_updated))


@pytest.mark.whole
@pytest.mark.parametrize(
    "status", ["CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", "UPDATE_ROLLBACK_IN_PROGRESS", "DELETE_IN_PROGRESS"]
)
def test_while_the_stack_is_deployed_nothing_is_told_written_or_remembered(home: WatchedHome, status: str) -> None:
    home.create_file_system(2 * TIB)
    home.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-warning"])
    before, told = configured(home.alarms()), home.told()
    in_status(home, status)
    outcome = home.recalculate()
    assert (configured(home.alarms()), home.told(), home.subjects()) == (before, told, [])
    assert f"ACTION: alarm deleted, nobody is warned, {FILE_SYSTEM_ID} (warning)" in outcome["withheld"]
    home.faults.heal()
    in_status(home, "UPDATE_COMPLETE")
    assert set(home.recalculate()["mails"]) >= set(outcome["withheld"])


@pytest.mark.parametrize(
    ("status", "minutes", "is_quiet"),
    [
        ("UPDATE_IN_PROGRESS", 29, True),
        ("UPDATE_IN_PROGRESS", 30, False),
        ("UPDATE_ROLLBACK_IN_PROGRESS", 30, False),
        ("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", 30, False),
        ("UPDATE_IN_PROGRESS", None, True),
        # Its alarms are still to come, or to go.
        ("CREATE_IN_PROGRESS", 30, True),
        ("DELETE_IN_PROGRESS", 30, True),
    ],
)
def test_only_the_first_half_hour_of_an_update_is_quiet(
    home: WatchedHome, status: str, minutes: int | None, is_quiet: bool
) -> None:
    home.create_file_system(2 * TIB)
    in_status(home, status, updated_minutes_ago=minutes)
    outcome = home.recalculate()
    assert ("withheld" in outcome) is is_quiet
    assert bool(home.subjects()) is not is_quiet


def update_begins(home: WatchedHome) -> dict[str, Any]:
    """What the run answers that CloudFormation's event starts."""
    event = stack_updated(STACK_NAME)
    event["detail"]["status-details"]["status"] = "UPDATE_IN_PROGRESS"
    outcome: dict[str, Any] = home.call("recalculate_thresholds", event)
    return outcome


def suspended_while_low(home: WatchedHome) -> None:
    """Under provisioned throughput, with half a minute's worth left."""
    settled(home)
    home.record("BurstCreditBalance", 30 * 100 * MIB, minutes_ago=0)
    home.sandbox.advance()
    home.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "provisioned", 200)
    home.recalculate()
    home.sandbox.advance()
    assert {home.alarms()[end]["StateValue"] for end in CREDIT_ALARMS} == {"OK"}


def test_before_an_update_what_is_low_is_on_by_what_cloudformation_has_stored_or_else_by_what_is_right(
    home: WatchedHome,
) -> None:
    suspended_while_low(home)
    outputs = "".join(
        f"<member><OutputKey>{key}</OutputKey><OutputValue>{value}</OutputValue></member>"
        for key, value in (("WarningThresholdBytes", 9 * TIB), ("CriticalThresholdBytes", 1))
    )
    home.faults.fail("DescribeStacks", stack_in(STACK_NAME, "UPDATE_IN_PROGRESS", more=f"<Outputs>{outputs}</Outputs>"))
    heard = len(home.sandbox.mailbox.publications)
    outcome = update_begins(home)
    assert outcome["alarms_written"] == [f"{STACK_NAME}-warning", f"{STACK_NAME}-exhausted"]
    found = home.alarms()
    assert {end: (found[end]["StateValue"], found[end]["Threshold"]) for end in LEAD_ALARMS} == {
        "warning": ("ALARM", 9 * TIB),
        "critical": ("OK", 0),
        "exhausted": ("ALARM", 60 * 100 * MIB),
    }
    assert not any(found[end]["ActionsEnabled"] for end in CREDIT_ALARMS)
    home.sandbox.advance()
    assert len(home.sandbox.mailbox.publications) == heard


def test_what_is_held_waits_for_the_end_of_an_update_however_long_that_takes(home: WatchedHome) -> None:
    suspended_while_low(home)
    in_status(home, "UPDATE_IN_PROGRESS", updated_minutes_ago=1)
    assert update_begins(home)["alarms_written"]
    held = configured(home.alarms())
    home.faults.heal()
    in_status(home, "UPDATE_IN_PROGRESS", updated_minutes_ago=200)
    assert home.recalculate()["withheld"] == []
    assert configured(home.alarms()) == held
    home.call("recalculate_thresholds", stack_updated(STACK_NAME))
    assert {(home.alarms()[end]["StateValue"], home.alarms()[end]["Threshold"]) for end in CREDIT_ALARMS} == {("OK", 0)}


@pytest.mark.whole
@pytest.mark.parametrize("failure", [DENIED, BROKEN, GARBAGE], ids=["denied", "503", "garbage"])
def test_an_update_that_cloudformation_says_nothing_of_is_taken_to_go_on(
    home: WatchedHome, failure: InjectedFailure
) -> None:
    suspended_while_low(home)
    home.faults.fail("DescribeStacks", failure)
    assert update_begins(home)["alarms_written"] == [f"{STACK_NAME}-{end}" for end in LEAD_ALARMS]


def test_what_is_written_before_an_update_waits_for_no_quota(home: WatchedHome) -> None:
    """It would come when CloudFormation has written the alarm, with other settings perhaps."""
    suspended_while_low(home)
    home.faults.fail("PutMetricAlarm", THROTTLED, times=4)
    with pytest.raises(AwsThrottled):
        update_begins(home)
    assert update_begins(home)["alarms_written"] == [f"{STACK_NAME}-{end}" for end in LEAD_ALARMS]


def test_one_that_is_over_by_then_leaves_nothing_on(home: WatchedHome) -> None:
    suspended_while_low(home)
    in_status(home, "UPDATE_COMPLETE")
    assert (update_begins(home)["decision"], update_begins(home)["alarms_written"]) == ("keep", [])


def test_an_update_of_a_stack_whose_alarms_act_begins_without_a_write(home: WatchedHome) -> None:
    settled(home)
    in_status(home, "UPDATE_IN_PROGRESS")
    assert (update_begins(home)["decision"], update_begins(home)["alarms_written"]) == ("none", [])


def test_whether_a_deployment_goes_on_is_waited_for_as_any_quota_that_stacks_share(home: WatchedHome) -> None:
    settled(home)
    home.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-critical"])
    home.faults.fail("DescribeStacks", THROTTLED, times=7)
    in_status(home, "UPDATE_IN_PROGRESS")
    assert home.recalculate()["decision"] == "none"
    assert home.subjects() == []


def test_what_a_deployment_writes_meanwhile_is_not_overwritten_by_a_change_that_is_no_news(home: WatchedHome) -> None:
    settled(home)
    home.cloudwatch.put_metric_alarm(**{**as_request(home.alarms()["warning"]), "AlarmDescription": "older"})
    before = configured(home.alarms())
    in_status(home, "UPDATE_IN_PROGRESS")
    assert home.recalculate()["withheld"] == []
    assert configured(home.alarms()) == before
    # The event of an update's end says so, whatever CloudFormation's other servers know yet.
    outcome = home.call("recalculate_thresholds", stack_updated(STACK_NAME))
    assert outcome["alarms_written"] == [f"{STACK_NAME}-warning"]


@pytest.mark.parametrize("failure", [DENIED, THROTTLED, BROKEN, GARBAGE], ids=["denied", "throttled", "503", "garbage"])
def test_a_stack_that_nobody_can_say_anything_of_is_told_of_all_the_same(
    home: WatchedHome, failure: InjectedFailure
) -> None:
    settled(home)
    home.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-warning"])
    home.faults.fail("DescribeStacks", failure)
    home.recalculate()
    assert home.subjects() == [f"ACTION: alarm deleted, nobody is warned, {FILE_SYSTEM_ID} (warning)"]
    warned = [entry["message"] for entry in home.logged() if entry["level"] == "WARNING"]
    assert "cloudformation:DescribeStacks" in warned[-1]
