"""Fields of an alarm that this monitor never sets: defaults of the service, and such as no model knows yet."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

from proofs.home import as_request
from sandbox.sandbox import Sandbox
from tests.sandbox.monitor.conftest import STACK_NAME, Home


def on_the_wire(sandbox: Sandbox) -> dict[str, Any]:
    """The first alarm as DescribeAlarms sends it, before any model of a client has dropped a thing."""
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
    alarm: dict[str, Any] = answer["MetricAlarms"][0]
    return alarm


def test_cloudwatch_answers_with_defaults_that_nobody_set_and_with_fields_of_tomorrow(home: Home) -> None:
    alarm = on_the_wire(home.sandbox)
    assert alarm["EvaluationWindow"] == {"SlidingWindow": {}}
    assert alarm["WarmUpConfiguration"]["WarmUpPeriodDurationInMinutes"] == 0
    assert alarm["ForecastConfiguration"] == {"Enabled": True, "Horizons": ["PT1H"]}


def test_such_fields_are_no_edit_and_do_not_keep_an_alarm_from_being_written(home: Home) -> None:
    home.create_file_system()
    assert len(home.recalculate()["alarms_written"]) == 3
    assert home.subjects() == []
    assert home.recalculate()["alarms_written"] == []


def test_what_a_person_set_in_such_a_field_survives_and_is_not_held_against_them(home: Home) -> None:
    with_tags = {"AlarmTagsPropagation": {"Enabled": True}}
    home.cloudwatch.put_metric_alarm(**as_request(home.alarms()["warning"]) | {"ActionConfiguration": with_tags})
    home.create_file_system()
    assert f"{STACK_NAME}-warning" in home.recalculate()["alarms_written"]
    assert home.alarms()["warning"]["ActionConfiguration"] == with_tags
    assert home.subjects() == []
