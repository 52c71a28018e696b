"""Fields of an alarm that this monitor never sets: defaults of the service, and such as no model knows yet."""

import copy
import http.client
import json
from typing import Any
from urllib.parse import urlsplit

import boto3
import pytest
from botocore.exceptions import ClientError
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.aws import cloudwatch_alarms, runtime

from localaws.account import REGION
from localaws.cloudwatch import alarm_api
from localaws.sandbox import Sandbox
from stage.home import as_request
from tests.localaws.roles import role
from tests.stage.monitor.conftest import FILE_SYSTEM_ID, STACK_NAME, WatchedHome, close
from tests.stage.monitor.faults import InjectedFailure

# What AWS added to an alarm one after the other.
LATER_FIELDS = (
    "ActionConfiguration",
    "EvaluationCriteria",
    "EvaluationInterval",
    "EvaluationWindow",
    "WarmUpConfiguration",
)
BY_QUERY = {"PromQLCriteria": {"Query": "rate(burst_credits[5m]) < 0", "PendingPeriod": 0, "RecoveryPeriod": 0}}
WITH_TAGS = {"AlarmTagsPropagation": {"Enabled": True}}
WITHOUT_TAGS = {"AlarmTagsPropagation": {"Enabled": False}}


def on_the_wire(sandbox: Sandbox) -> list[dict[str, Any]]:
    """The alarms as DescribeAlarms sends them, before any model of a client has dropped a thing."""
    connection = http.client.HTTPConnection(urlsplit(sandbox.endpoint_url).netloc)
    credential = "Credential=AKIA/20300107/us-east-1/monitoring/aws4_request"
    headers = {
        "X-Amz-Target": "GraniteServiceVersion20100801.DescribeAlarms",
        "Content-Type": "application/x-amz-json-1.0",
        "Authorization": f"AWS4-HMAC-SHA256 {credential}, SignedHeaders=host, Signature=x",
    }
    connection.request("POST", "/", body="{}", headers=headers)
    answer: dict[str, Any] = json.loads(connection.getresponse().read())
    connection.close()
    alarms: list[dict[str, Any]] = answer["MetricAlarms"]
    return alarms


def limited_to(sandbox: Sandbox, actions: list[str], alarm_arn: str) -> Any:
    """CloudWatch for somebody who may do this with one alarm and nothing else."""
    arn = role(sandbox, "limited", [{"Effect": "Allow", "Action": actions, "Resource": alarm_arn}])
    given = sandbox.client("sts").assume_role(RoleArn=arn, RoleSessionName="me")["Credentials"]
    return boto3.client(
        "cloudwatch",
        endpoint_url=sandbox.endpoint_url,
        region_name=REGION,
        aws_access_key_id=given["AccessKeyId"],
        aws_secret_access_key=given["SecretAccessKey"],
    )


def test_cloudwatch_answers_with_defaults_that_nobody_set_and_with_fields_of_tomorrow(home: WatchedHome) -> None:
    alarm, *_ = on_the_wire(home.sandbox)
    assert alarm["EvaluationWindow"] == {"SlidingWindow": {}}
    assert alarm["WarmUpConfiguration"]["WarmUpPeriodDurationInMinutes"] == 0
    assert alarm["ForecastConfiguration"] == {"Enabled": True, "Horizons": ["PT1H"]}


def test_such_fields_are_no_edit_and_do_not_keep_an_alarm_from_being_written(home: WatchedHome) -> None:
    home.create_file_system()
    assert len(home.recalculate()["alarms_written"]) == len(AlarmKind)
    assert home.subjects() == []
    assert home.recalculate()["alarms_written"] == []


EMPTY = {
    "ThresholdMetricId": "",
    "Unit": "",
    "ExtendedStatistic": "",
    "EvaluateLowSampleCountPercentile": "",
    "InsufficientDataActions": [],
}


@pytest.mark.whole
@pytest.mark.parametrize("field", EMPTY)
def test_a_field_that_is_told_as_an_empty_one_is_not_set(
    home: WatchedHome, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    monkeypatch.setitem(alarm_api.UNASKED, field, EMPTY[field])
    assert on_the_wire(home.sandbox)[0][field] == EMPTY[field]
    home.create_file_system()
    assert len(home.recalculate()["alarms_written"]) == len(AlarmKind)
    assert home.subjects() == []
    assert home.recalculate()["alarms_written"] == []


def test_what_a_person_set_in_such_a_field_survives_and_is_not_held_against_them(home: WatchedHome) -> None:
    home.cloudwatch.put_metric_alarm(**as_request(home.alarms()["warning"]) | {"ActionConfiguration": WITH_TAGS})
    home.create_file_system()
    assert f"{STACK_NAME}-warning" in home.recalculate()["alarms_written"]
    assert home.alarms()["warning"]["ActionConfiguration"] == WITH_TAGS
    assert home.subjects() == []


@pytest.mark.parametrize(("known", "told"), [(True, "EVALUATION_ERROR"), (False, "")])
def test_that_an_alarm_is_not_evaluated_is_read_where_the_runtime_knows_the_field(
    home: WatchedHome, monkeypatch: pytest.MonkeyPatch, known: bool, told: str
) -> None:
    home.sandbox.alarms.hinder(f"{STACK_NAME}-warning", "EVALUATION_ERROR", "its expression has no unit")
    if not known:
        monkeypatch.setattr(runtime, "OwnServices", OlderServices)
    clients = runtime.Clients()
    read = cloudwatch_alarms.read(clients.cloudwatch, STACK_NAME)
    close(clients)
    assert {kind: alarm.evaluation_state for kind, alarm in read.items() if alarm.evaluation_state} == (
        {AlarmKind.WARNING: told} if told else {}
    )


class OlderServices(runtime.OwnServices):
    """botocore's data of before CloudWatch had some fields of an alarm, as an older runtime of Lambda brings it."""

    def load_service_model(self, service_name: str, type_name: str, api_version: str | None = None) -> Any:
        model = copy.deepcopy(super().load_service_model(service_name, type_name, api_version))
        if (service_name, type_name) == ("cloudwatch", "service-2"):
            for shape in ("PutMetricAlarmInput", "MetricAlarm"):
                for field in (*LATER_FIELDS, "EvaluationState"):
                    model["shapes"][shape]["members"].pop(field, None)
        return model


def test_what_a_person_set_in_a_field_that_the_runtime_does_not_know_is_lost_and_the_log_says_so_once(
    home: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "OwnServices", OlderServices)
    # Other tests of this process may have told it.
    cloudwatch_alarms._tell_what_is_not_kept.cache_clear()
    home.cloudwatch.put_metric_alarm(**as_request(home.alarms()["warning"]) | {"ActionConfiguration": WITH_TAGS})
    home.create_file_system()
    assert len(home.recalculate()["alarms_written"]) == len(AlarmKind)
    assert home.alarms()["warning"]["ActionConfiguration"] == WITHOUT_TAGS
    (told,) = [line for line in home.logged() if "fields" in line]
    assert told["message"].startswith("what somebody set in these fields of an alarm is not kept")
    assert told["fields"] == ["ActionConfiguration", "EvaluationWindow", "WarmUpConfiguration"]


def test_a_runtime_that_knows_every_such_field_says_nothing_of_them(home: WatchedHome) -> None:
    home.create_file_system()
    home.recalculate()
    assert [line for line in home.logged() if "fields" in line] == []


def test_an_evaluation_interval_that_cloudwatch_tells_is_no_edit_and_is_not_asked_for(
    home: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(alarm_api.UNASKED, "EvaluationInterval", 60)
    home.create_file_system()
    assert len(home.recalculate()["alarms_written"]) == len(AlarmKind)
    assert home.alarms()["warning"]["EvaluationInterval"] == 60
    assert home.subjects() == []


def test_an_alarm_that_somebody_turned_into_one_on_a_query_is_told_and_left_as_it_is(home: WatchedHome) -> None:
    home.create_file_system()
    home.recalculate()
    turned = [_on_a_query(alarm) for alarm in on_the_wire(home.sandbox)]
    home.faults.fail("DescribeAlarms", InjectedFailure(status=200, body=json.dumps({"MetricAlarms": turned})))
    assert home.recalculate()["alarms_written"] == []
    assert home.subjects() == [f"ACTION: alarm edited by hand, {FILE_SYSTEM_ID} (warning)"]
    assert "EvaluationCriteria is {'PromQLCriteria'" in home.sandbox.mailbox.publications[-1].message
    clients = runtime.Clients()
    read = cloudwatch_alarms.read(clients.cloudwatch, STACK_NAME)[AlarmKind.WARNING]
    close(clients)
    assert read.threshold is None
    assert read.settings["EvaluationInterval"] == 30


def test_a_runtime_that_knows_no_queries_tells_of_such_an_alarm_all_the_same(
    home: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "OwnServices", OlderServices)
    home.create_file_system()
    home.recalculate()
    turned = [_on_a_query(alarm) for alarm in on_the_wire(home.sandbox)]
    home.faults.fail("DescribeAlarms", InjectedFailure(status=200, body=json.dumps({"MetricAlarms": turned})))
    assert home.recalculate()["alarms_written"] == []
    assert home.subjects() == [f"ACTION: alarm edited by hand, {FILE_SYSTEM_ID} (warning)"]
    assert "MetricName is not set" in home.sandbox.mailbox.publications[-1].message


def _on_a_query(alarm: dict[str, Any]) -> dict[str, Any]:
    """The Warning alarm as CloudWatch would tell it then; the others as they are."""
    if alarm["AlarmName"] != f"{STACK_NAME}-warning":
        return alarm
    kept = ("AlarmName", "AlarmArn", "AlarmDescription", "ActionsEnabled", "AlarmActions", "OKActions", "StateValue")
    return {field: alarm[field] for field in kept} | {"EvaluationCriteria": BY_QUERY, "EvaluationInterval": 30}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("WarmUpConfiguration", {"WarmUpPeriodDurationInMinutes": 60}),
        ("EvaluationWindow", {"WallClockWindow": {"Timezone": "Europe/Berlin"}}),
    ],
)
def test_whoever_silences_an_alarm_by_such_a_field_is_told_of_as_an_editor(
    home: WatchedHome, field: str, value: dict[str, Any]
) -> None:
    home.create_file_system()
    home.recalculate()
    # Nothing is left to be written: the sandbox would refuse both fields, as it does not do what they ask for.
    edited = [alarm | {field: value} for alarm in on_the_wire(home.sandbox)]
    home.faults.fail("DescribeAlarms", InjectedFailure(status=200, body=json.dumps({"MetricAlarms": edited})))
    assert home.recalculate()["alarms_written"] == []
    told = [f"ACTION: alarm edited by hand, {FILE_SYSTEM_ID} ({alarm})" for alarm in ("warning", "critical")]
    assert home.subjects()[:2] == told
    assert f"{field} " in home.sandbox.mailbox.publications[-1].message


@pytest.mark.parametrize(
    ("configuration", "actions", "refused"),
    [
        (WITH_TAGS, ["cloudwatch:PutMetricAlarm"], "cloudwatch:ListTagsForResource"),
        (WITH_TAGS, ["cloudwatch:ListTagsForResource"], "cloudwatch:PutMetricAlarm"),
        (WITH_TAGS, ["cloudwatch:PutMetricAlarm", "cloudwatch:ListTagsForResource"], None),
        (WITHOUT_TAGS, ["cloudwatch:PutMetricAlarm"], None),
    ],
)
def test_whoever_writes_an_alarm_that_tells_its_tags_must_be_allowed_to_list_them(
    home: WatchedHome, configuration: dict[str, Any], actions: list[str], refused: str | None
) -> None:
    alarm = home.alarms()["warning"]
    wanted = as_request(alarm) | {"ActionConfiguration": configuration}
    client = limited_to(home.sandbox, actions, alarm["AlarmArn"])
    if refused is None:
        client.put_metric_alarm(**wanted)
        assert home.alarms()["warning"]["ActionConfiguration"] == configuration
    else:
        with pytest.raises(ClientError, match=f"not authorized to perform: {refused} on resource: {alarm['AlarmArn']}"):
            client.put_metric_alarm(**wanted)
    client.close()
