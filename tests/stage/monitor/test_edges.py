"""The edges over real HTTP: what AWS answers, in whatever order and shape, becomes the project's own values."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.aws import cloudwatch_alarms, efs, efs_metrics, parameter_store
from efs_monitor.aws.efs_metrics import LastHour
from efs_monitor.aws.runtime import Clients, now
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Observations
from efs_monitor.errors import AwsRefused, AwsThrottled, FileSystemNotFound
from efs_monitor.notify.state import HealthNotifications, NotificationState, Part
from efs_monitor.usecases.read_situation import read_situation
from efs_monitor.usecases.stored_state import read_state, save_state

from localaws.cloudwatch import metric_api
from localaws.file_systems import Size
from stage.home import as_request
from tests.stage.monitor.conftest import FILE_SYSTEM_ID, STACK_NAME, STATE_PARAMETER, WatchedHome, close, configured
from tests.stage.monitor.faults import CONCURRENT, InjectedFailure


@pytest.fixture
def clients(home: WatchedHome) -> Any:
    made = Clients()
    yield made
    close(made)


def file_system(standard_bytes: int = 100 * GIB) -> FileSystem:
    return FileSystem(
        file_system_id=FILE_SYSTEM_ID, name="", mode=ThroughputMode.BURSTING, standard_bytes=standard_bytes
    )


def answering(**body: Any) -> InjectedFailure:
    return InjectedFailure(status=200, body=json.dumps(body))


def test_a_file_system_is_what_efs_describes(home: WatchedHome, clients: Clients) -> None:
    home.sandbox.file_systems.create(
        FILE_SYSTEM_ID,
        Size(standard_bytes=7 * GIB, infrequent_access_bytes=90 * GIB),
        throughput_mode="provisioned",
        provisioned_mebibytes_per_second=12.5,
        name="home",
    )
    assert efs.describe(clients.efs, FILE_SYSTEM_ID) == FileSystem(
        file_system_id=FILE_SYSTEM_ID,
        name="home",
        mode=ThroughputMode.PROVISIONED,
        standard_bytes=7 * GIB,
        colder_bytes=90 * GIB,
        provisioned_bytes_per_second=round(12.5 * MIB),
    )


def test_one_that_lies_in_one_zone_is_known_by_its_zone(home: WatchedHome, clients: Clients) -> None:
    described = {"LifeCycleState": "available", "ThroughputMode": "bursting", "SizeInBytes": {"Value": 9}}
    home.faults.fail(
        "DescribeFileSystems", answering(FileSystems=[{**described, "AvailabilityZoneName": "us-east-1a"}])
    )
    assert efs.describe(clients.efs, FILE_SYSTEM_ID).one_zone


def test_without_storage_classes_the_whole_size_counts(home: WatchedHome, clients: Clients) -> None:
    described = {"LifeCycleState": "available", "ThroughputMode": "bursting", "SizeInBytes": {"Value": 9}}
    home.faults.fail("DescribeFileSystems", answering(FileSystems=[described]))
    assert efs.describe(clients.efs, FILE_SYSTEM_ID).standard_bytes == 9


@pytest.mark.parametrize("state", ["deleting", "deleted"])
def test_a_file_system_on_its_way_out_is_gone(home: WatchedHome, clients: Clients, state: str) -> None:
    home.faults.fail("DescribeFileSystems", answering(FileSystems=[{"LifeCycleState": state}]))
    with pytest.raises(FileSystemNotFound, match=f"{FILE_SYSTEM_ID} is {state}"):
        efs.describe(clients.efs, FILE_SYSTEM_ID)


@pytest.mark.parametrize(
    "described",
    [
        {"LifeCycleState": "available", "ThroughputMode": "turbo", "SizeInBytes": {"Value": 9}},
        {"LifeCycleState": "available", "ThroughputMode": "bursting", "SizeInBytes": {}},
        {"LifeCycleState": "available", "ThroughputMode": "bursting"},
        {},
    ],
)
def test_a_file_system_described_in_no_known_way_is_refused_by_name(
    home: WatchedHome, clients: Clients, described: dict[str, Any]
) -> None:
    home.faults.fail("DescribeFileSystems", answering(FileSystems=[described]))
    with pytest.raises(AwsRefused, match=f"DescribeFileSystems on {FILE_SYSTEM_ID} answered with something unreadable"):
        efs.describe(clients.efs, FILE_SYSTEM_ID)


def test_no_file_system_in_the_answer_is_refused_by_name(home: WatchedHome, clients: Clients) -> None:
    home.faults.fail("DescribeFileSystems", answering(FileSystems=[]))
    with pytest.raises(AwsRefused, match="answered with something unreadable"):
        efs.describe(clients.efs, FILE_SYSTEM_ID)


def test_what_is_no_json_at_all_is_refused_by_name(home: WatchedHome, clients: Clients) -> None:
    home.faults.fail("DescribeFileSystems", InjectedFailure(status=200, body="<html>"))
    with pytest.raises(AwsRefused, match="answered with something unreadable"):
        efs.describe(clients.efs, FILE_SYSTEM_ID)


def test_minutes_are_paired_by_time_oldest_first_and_lonely_ones_left_out(home: WatchedHome, clients: Clients) -> None:
    for minutes_ago, balance in ((3, 30.0), (1, 10.0), (2, 20.0), (5, 50.0)):
        home.record("BurstCreditBalance", balance, minutes_ago=minutes_ago)
    for minutes_ago in (1, 2, 3, 4):
        home.record("PermittedThroughput", 100.0 + minutes_ago, minutes_ago=minutes_ago)
    seen = efs_metrics.observe(clients.cloudwatch, file_system(), now())
    assert [(minute.balance_bytes, minute.permitted_bytes_per_second) for minute in seen.minutes] == [
        (30.0, 103.0),
        (20.0, 102.0),
        (10.0, 101.0),
    ]
    assert seen.highest_permitted_bytes_per_second is None


def test_an_answer_in_any_order_over_several_pages_is_put_together(
    home: WatchedHome, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minutes_ago in range(1, 21):
        home.record("BurstCreditBalance", float(minutes_ago), minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 1000.0 + minutes_ago, minutes_ago=minutes_ago)
    whole = efs_metrics.observe(clients.cloudwatch, file_system(), now())
    home.faults.forget()
    monkeypatch.setattr(metric_api, "MAXIMUM_DATAPOINTS", 7)
    paged = efs_metrics.observe(clients.cloudwatch, file_system(), now())
    assert home.faults.of_functions() == ["GetMetricData"] * 6
    assert len(paged.minutes) == 20
    assert paged == whole
    assert [minute.balance_bytes for minute in paged.minutes] == sorted(range(1, 21), reverse=True)


def test_older_than_half_an_hour_is_not_recent(home: WatchedHome, clients: Clients) -> None:
    for minutes_ago in (29, 40):
        home.record("BurstCreditBalance", float(minutes_ago), minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 1.0, minutes_ago=minutes_ago)
    seen = efs_metrics.observe(clients.cloudwatch, file_system(), now())
    assert [minute.balance_bytes for minute in seen.minutes] == [29.0]


def test_a_large_file_system_is_read_over_fifteen_days_in_one_call(home: WatchedHome, clients: Clients) -> None:
    home.record("PermittedThroughput", 3 * GIB, minutes_ago=14 * 24 * 60)
    home.record("PermittedThroughput", 5 * GIB, minutes_ago=16 * 24 * 60)
    for minutes_ago in (9, 8, 7, 6):
        home.record("BurstCreditBalance", 100.0 + minutes_ago, minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 1.0 * GIB, minutes_ago=minutes_ago)
    seen = efs_metrics.observe(clients.cloudwatch, file_system(16 * TIB), now())
    assert home.faults.of_functions() == ["GetMetricData"]
    assert seen.highest_permitted_bytes_per_second == 3 * GIB
    assert seen.minutes[-1].balance_bytes == 106.0
    assert {minute.permitted_bytes_per_second for minute in seen.minutes} == {1.0 * GIB}


@pytest.mark.parametrize("standard_bytes", [100 * GIB, 16 * TIB])
def test_without_metrics_there_is_nothing_to_see(home: WatchedHome, clients: Clients, standard_bytes: int) -> None:
    assert efs_metrics.observe(clients.cloudwatch, file_system(standard_bytes), now()) == Observations()
    assert efs_metrics.last_hour(clients.cloudwatch, FILE_SYSTEM_ID, now()) == LastHour()


@pytest.mark.parametrize(
    "result",
    [
        {"Id": "m0", "Timestamps": [1893974400], "Values": []},
        {"Id": "m9", "Timestamps": [], "Values": []},
        {"Timestamps": [], "Values": []},
        {"Id": "m0"},
    ],
)
def test_metric_data_of_no_known_shape_is_refused_by_name(home: WatchedHome, clients: Clients, result: Any) -> None:
    home.faults.fail("GetMetricData", answering(MetricDataResults=[result]))
    with pytest.raises(AwsRefused, match=f"GetMetricData on {FILE_SYSTEM_ID} answered with something unreadable"):
        efs_metrics.observe(clients.cloudwatch, file_system(), now())


def test_the_last_hour_counts_only_minutes_that_cloudwatch_knows(home: WatchedHome, clients: Clients) -> None:
    for minutes_ago in (50, 30, 10):
        home.record("BurstCreditBalance", float(minutes_ago), minutes_ago=minutes_ago)
    home.record("PermittedThroughput", 7.0, minutes_ago=30)
    home.record("PermittedThroughput", 8.0, minutes_ago=10)
    for metric, value in (
        ("DataReadIOBytes", 1),
        ("DataWriteIOBytes", 2),
        ("MetadataIOBytes", 3),
        ("MeteredIOBytes", 4),
    ):
        home.record(metric, value, minutes_ago=10)
        home.record(metric, value, minutes_ago=20)
        home.record(metric, 99, minutes_ago=70)
    hour = efs_metrics.last_hour(clients.cloudwatch, FILE_SYSTEM_ID, now())
    balances, activity = hour.balances, hour.activity
    assert [point.balance_bytes for point in balances] == [50.0, 30.0, 10.0]
    assert balances[1].time - balances[0].time == timedelta(minutes=20)
    assert hour.permitted_bytes_per_second == 8.0
    assert activity is not None
    assert (activity.read_bytes, activity.written_bytes, activity.metadata_bytes) == (2, 4, 6)
    assert (activity.metered_bytes, activity.observed_minutes) == (8, 4)


def test_the_last_hour_is_the_whole_one_before_the_newest_datapoint(home: WatchedHome, clients: Clients) -> None:
    """Sixty minutes of work, and the balances at both ends of them, if they are no later than an hour and a quarter."""
    for minutes_ago in range(100, 8, -1):
        home.record("BurstCreditBalance", float(minutes_ago), minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 100.0, minutes_ago=minutes_ago)
        home.record("MeteredIOBytes", 60 * MIB, minutes_ago=minutes_ago)
    for later in (timedelta(), timedelta(minutes=63)):
        hour = efs_metrics.last_hour(clients.cloudwatch, FILE_SYSTEM_ID, now() + later)
        balances, activity = hour.balances, hour.activity
        assert (balances[0].balance_bytes, balances[-1].balance_bytes) == (69.0, 9.0)
        assert balances[-1].time - balances[0].time == timedelta(hours=1)
        assert activity is not None
        assert (activity.observed_minutes, activity.metered_bytes) == (60, 3600 * MIB)
    over = now() + timedelta(minutes=68)
    assert efs_metrics.last_hour(clients.cloudwatch, FILE_SYSTEM_ID, over) == LastHour()


def test_the_balances_of_the_seven_hours_before_are_read_too(home: WatchedHome, clients: Clients) -> None:
    """Loads of every hour or two show in no less."""
    for minutes_ago in range(9, 600, 30):
        home.record("BurstCreditBalance", float(minutes_ago), minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 100.0, minutes_ago=minutes_ago)
    hour = efs_metrics.last_hour(clients.cloudwatch, FILE_SYSTEM_ID, now())
    assert [one.balance_bytes for one in hour.balances] == [69, 39, 9]
    assert [one.balance_bytes for one in hour.earlier_balances] == [float(age) for age in range(489, 70, -30)]


def test_a_situation_has_the_minute_since_which_the_size_is_that_of_now(home: WatchedHome, clients: Clients) -> None:
    """It was driven at 300 MiB/s until ten minutes ago, and may be at 100 now."""
    home.sandbox.file_systems.create(FILE_SYSTEM_ID, Size(standard_bytes=800 * GIB))
    for minutes_ago in range(50, 2, -1):
        home.record("BurstCreditBalance", float(GIB * (500 + minutes_ago)), minutes_ago=minutes_ago)
        home.record("PermittedThroughput", (300.0 if minutes_ago > 10 else 100.0) * MIB, minutes_ago=minutes_ago)
    situation = read_situation(clients, FILE_SYSTEM_ID, now(), "")
    assert situation.one_size_since == situation.balances[-8].time
    assert situation.pace_minutes == 7


def test_after_a_return_from_elastic_the_hour_is_divided_by_all_its_minutes(
    home: WatchedHome, clients: Clients
) -> None:
    """There is no balance in elastic mode, but clients go on working."""
    for minutes_ago in range(50, 0, -1):
        home.record("PermittedThroughput", 100.0, minutes_ago=minutes_ago)
        home.record("MeteredIOBytes", 60 * MIB, minutes_ago=minutes_ago)
        if minutes_ago <= 10:
            home.record("BurstCreditBalance", 7.0, minutes_ago=minutes_ago)
    hour = efs_metrics.last_hour(clients.cloudwatch, FILE_SYSTEM_ID, now())
    balances, activity = hour.balances, hour.activity
    assert len(balances) == 10
    assert activity is not None
    assert activity.observed_minutes == 50
    assert activity.metered_bytes_per_second == 1 * MIB


def test_alarms_are_read_by_name_and_only_those_of_the_stack(home: WatchedHome, clients: Clients) -> None:
    request = as_request(home.alarms()["warning"])
    for name in (f"{STACK_NAME}2-warning", f"{STACK_NAME}-warning-2"):
        home.cloudwatch.put_metric_alarm(**request | {"AlarmName": name})
    found = cloudwatch_alarms.read(clients.cloudwatch, STACK_NAME)
    assert {kind: alarm.name for kind, alarm in found.items()} == {kind: f"{STACK_NAME}-{kind}" for kind in AlarmKind}


def test_an_alarm_written_as_it_was_read_is_the_same(home: WatchedHome, clients: Clients) -> None:
    before = home.alarms()
    for alarm in cloudwatch_alarms.read(clients.cloudwatch, STACK_NAME).values():
        cloudwatch_alarms.write(clients.cloudwatch, alarm)
    assert configured(home.alarms()) == configured(before)


def test_an_alarm_without_its_threshold_is_refused_by_name(home: WatchedHome, clients: Clients) -> None:
    home.faults.fail("DescribeAlarms", answering(MetricAlarms=[{"AlarmName": f"{STACK_NAME}-warning"}]))
    with pytest.raises(AwsRefused, match=rf"DescribeAlarms on {STACK_NAME}-\* answered with something unreadable"):
        cloudwatch_alarms.read(clients.cloudwatch, STACK_NAME)


def test_an_alarm_turned_into_anomaly_detection_has_no_threshold(home: WatchedHome, clients: Clients) -> None:
    edited = {
        "AlarmName": f"{STACK_NAME}-warning",
        "StateValue": "OK",
        "EvaluationPeriods": 2,
        "ComparisonOperator": "LessThanLowerThreshold",
        "ThresholdMetricId": "band",
    }
    home.faults.fail("DescribeAlarms", answering(MetricAlarms=[edited]))
    found = cloudwatch_alarms.read(clients.cloudwatch, STACK_NAME)[AlarmKind.WARNING]
    assert found.threshold is None
    assert found.settings["ThresholdMetricId"] == "band"


def test_a_forgotten_state_runs_no_action(home: WatchedHome, clients: Clients) -> None:
    found = cloudwatch_alarms.read(clients.cloudwatch, STACK_NAME)[AlarmKind.WARNING]
    home.cloudwatch.set_alarm_state(AlarmName=found.name, StateValue="ALARM", StateReason="test")
    told = len(home.sandbox.mailbox.publications)
    cloudwatch_alarms.forget_state(clients.cloudwatch, found, "judged afresh")
    assert home.alarms()["warning"]["StateValue"] == "INSUFFICIENT_DATA"
    assert len(home.sandbox.mailbox.publications) == told


def test_what_is_remembered_is_recalled_for_its_own_file_system(home: WatchedHome, clients: Clients) -> None:
    told = NotificationState(reference_bytes_per_second=7, suspended=True, conditions=frozenset({"a", "b"}))
    save_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID, told, Part.THRESHOLDS)
    assert read_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID) == told
    assert read_state(clients.ssm, STATE_PARAMETER, "fs-01234567") == NotificationState()


@pytest.mark.parametrize("first", Part)
def test_two_functions_that_remember_at_the_same_time_keep_each_others_part(
    home: WatchedHome, clients: Clients, first: Part
) -> None:
    read = read_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID)
    of = {
        Part.THRESHOLDS: replace(read, reference_bytes_per_second=7, conditions=frozenset({"a"})),
        Part.HEALTH: replace(read, health=HealthNotifications(conditions=frozenset({"unconfirmed"}))),
    }
    (second,) = (part for part in Part if part is not first)
    for part in (first, second):
        save_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID, of[part], part)
    found = read_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID)
    assert found == replace(of[Part.THRESHOLDS], health=of[Part.HEALTH].health)


def test_a_memory_that_is_gone_or_unreadable_is_an_empty_one(home: WatchedHome, clients: Clients) -> None:
    assert read_state(clients.ssm, "/efs-monitor/other/told", FILE_SYSTEM_ID) == NotificationState()
    home.sandbox.client("ssm").put_parameter(Name=STATE_PARAMETER, Value="not json", Overwrite=True)
    assert read_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID) == NotificationState()


NOT_FOUND = InjectedFailure(status=400, code="ParameterVersionNotFound")


@pytest.mark.parametrize("first", Part)
def test_what_another_wrote_meanwhile_and_cannot_be_read_now_empties_nobodys_part(
    home: WatchedHome, clients: Clients, first: Part
) -> None:
    long_ago = NotificationState(
        reference_bytes_per_second=7,
        conditions=frozenset({"a"}),
        health=HealthNotifications(conditions=frozenset({"unconfirmed"})),
    )
    for part in Part:
        read = read_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID)
        save_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID, read.with_part_of(long_ago, part), part)
    read = read_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID)
    assert read == long_ago
    (second,) = (part for part in Part if part is not first)
    save_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID, read, first)
    home.faults.fail("GetParameter", NOT_FOUND, about=f"{STATE_PARAMETER}:")
    assert save_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID, read, second) == long_ago
    assert read_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID) == long_ago


def test_what_a_third_wrote_by_then_is_taken_over_where_the_version_before_cannot_be_read(
    home: WatchedHome, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the write that finds another's and the reading of what that was, one more comes."""
    read = read_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID)
    ours = replace(read, reference_bytes_per_second=7)
    theirs = replace(read, health=HealthNotifications(conditions=frozenset({"unconfirmed"})))
    as_it_is, written = parameter_store.write, list[int]()

    def write(ssm: Any, name: str, text: str) -> int:
        if not written:
            as_it_is(ssm, name, "{}")
        written.append(as_it_is(ssm, name, text))
        if len(written) == 1:
            as_it_is(ssm, name, theirs.to_json(FILE_SYSTEM_ID))
        return written[-1]

    monkeypatch.setattr(parameter_store, "write", write)
    home.faults.fail("GetParameter", NOT_FOUND, about=f"{STATE_PARAMETER}:")
    saved = save_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID, ours, Part.THRESHOLDS)
    assert saved == read_state(clients.ssm, STATE_PARAMETER, FILE_SYSTEM_ID) == replace(ours, health=theirs.health)
    assert len(written) == 2


def test_a_write_into_another_is_tried_again_after_pauses_that_grow(
    home: WatchedHome, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused: list[float] = []
    monkeypatch.setattr(parameter_store, "sleep", paused.append)
    home.faults.fail("PutParameter", CONCURRENT, times=4)
    assert parameter_store.write(clients.ssm, STATE_PARAMETER, "{}") == 2
    assert paused == sorted(paused)
    assert len(set(paused)) == 4
    assert 0 < sum(paused) <= 3


def test_a_write_that_finds_another_at_work_each_time_is_told_as_throttled(home: WatchedHome, clients: Clients) -> None:
    home.faults.fail("PutParameter", CONCURRENT)
    with pytest.raises(AwsThrottled, match=f"^ssm:PutParameter on {STATE_PARAMETER} failed with TooManyUpdates: There"):
        parameter_store.write(clients.ssm, STATE_PARAMETER, "{}")
    assert home.faults.of_functions() == ["PutParameter"] * 5


def test_an_unreachable_address_is_named(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://localhost:1")
    unreachable = Clients()
    with pytest.raises(AwsRefused, match=f"DescribeFileSystems on {FILE_SYSTEM_ID} failed: Could not connect"):
        efs.describe(unreachable.efs, FILE_SYSTEM_ID)
    close(unreachable)
