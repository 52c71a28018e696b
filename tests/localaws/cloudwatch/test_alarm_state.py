"""Alarms going from state to state, over the API and with time passing."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.cloudwatch.metrics import MetricId
from localaws.sandbox import Sandbox

Put = Callable[..., None]
Pass = Callable[..., None]


def described(sandbox: Sandbox, name: str = "low") -> dict[str, Any]:
    found = sandbox.client("cloudwatch").describe_alarms(AlarmNames=[name])["MetricAlarms"]
    assert len(found) == 1
    alarm: dict[str, Any] = found[0]
    return alarm


def states(sandbox: Sandbox) -> list[str]:
    return [str(transition.new) for transition in sandbox.transitions]


def test_a_new_alarm_has_insufficient_data(sandbox: Sandbox, put_alarm: Put) -> None:
    put_alarm()
    alarm = described(sandbox)
    assert alarm["StateValue"] == "INSUFFICIENT_DATA"
    assert alarm["StateReason"] == "Unchecked: Initial alarm creation"


def test_an_alarm_goes_to_ok_and_to_alarm_with_the_reasons_cloudwatch_gives(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass
) -> None:
    put_alarm()
    pass_minutes(150, 90)
    assert states(sandbox) == ["OK", "ALARM"]
    alarm = described(sandbox)
    assert alarm["StateReason"] == (
        "Threshold Crossed: 1 out of the last 3 datapoints [90.0 (07/01/30 00:01:00)] was less than the threshold "
        "(100.0) (minimum 1 datapoint for OK -> ALARM transition)."
    )
    assert json.loads(alarm["StateReasonData"])["threshold"] == 100.0
    assert alarm["StateTransitionedTimestamp"] == sandbox.clock.now()


def test_leaving_alarm_takes_as_many_good_minutes_as_the_range_has(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass
) -> None:
    put_alarm()
    pass_minutes(90, 150, 150)
    assert states(sandbox) == ["ALARM"]
    pass_minutes(150)
    assert states(sandbox) == ["ALARM", "OK"]


def test_missing_data_that_is_ignored_keeps_the_state(sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass) -> None:
    put_alarm()
    pass_minutes(90, *[None] * 20)
    assert states(sandbox) == ["ALARM"]


def test_missing_data_that_counts_as_missing_ends_in_insufficient_data(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass
) -> None:
    put_alarm(TreatMissingData="missing", EvaluationPeriods=1)
    pass_minutes(150, *[None] * 5)
    assert states(sandbox) == ["OK", "INSUFFICIENT_DATA"]


def test_missing_data_that_counts_as_breaching_alarms(sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass) -> None:
    put_alarm(TreatMissingData="breaching", EvaluationPeriods=1)
    pass_minutes(150, *[None] * 5)
    assert states(sandbox) == ["OK", "ALARM"]


def test_a_point_that_is_not_visible_yet_counts_when_it_is(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, balance: MetricId
) -> None:
    put_alarm(EvaluationPeriods=10)
    pass_minutes(None)
    sandbox.metrics.record(balance, sandbox.clock.now(), 90, late=timedelta(minutes=5))
    pass_minutes(None, None, None, None)
    assert states(sandbox) == []
    pass_minutes(None)
    assert states(sandbox) == ["ALARM"]


def test_a_changed_threshold_is_judged_against_past_points(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass
) -> None:
    put_alarm()
    pass_minutes(150, 150, 150)
    put_alarm(Threshold=200.0)
    assert described(sandbox)["StateValue"] == "OK"
    sandbox.step()
    assert described(sandbox)["StateValue"] == "ALARM"


def test_putting_an_alarm_again_replaces_everything_but_its_state(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass
) -> None:
    put_alarm(AlarmDescription="first", OKActions=["arn:aws:sns:us-east-1:123456789012:none"])
    pass_minutes(150)
    before = described(sandbox)
    put_alarm(Threshold=50.0)
    after = described(sandbox)
    assert after["StateValue"] == before["StateValue"] == "OK"
    assert after["StateReason"] == before["StateReason"]
    assert after["Threshold"] == 50.0
    assert "AlarmDescription" not in after
    assert after["OKActions"] == []


def test_an_alarm_on_another_unit_sees_no_data(sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass) -> None:
    put_alarm(Unit="Count")
    pass_minutes(150, 90, 90)
    assert states(sandbox) == []


def test_an_alarm_on_other_dimensions_sees_no_data(sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass) -> None:
    put_alarm(Dimensions=[])
    pass_minutes(150, 90)
    assert states(sandbox) == []


def test_a_state_set_by_hand_lasts_until_the_next_evaluation(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass
) -> None:
    put_alarm()
    pass_minutes(90)
    sandbox.client("cloudwatch").set_alarm_state(AlarmName="low", StateValue="OK", StateReason="a drill")
    assert described(sandbox)["StateReason"] == "a drill"
    pass_minutes(90)
    assert states(sandbox) == ["ALARM", "OK", "ALARM"]


def test_a_period_of_five_minutes_is_judged_when_it_is_over(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass
) -> None:
    put_alarm(Period=300, EvaluationPeriods=1)
    pass_minutes(150, 150, 150, 90)
    assert states(sandbox) == []
    pass_minutes(150)
    assert states(sandbox) == ["ALARM"]


def test_setting_the_state_of_an_unknown_alarm_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ClientError, match="no alarm named 'none'") as refused:
        sandbox.client("cloudwatch").set_alarm_state(AlarmName="none", StateValue="OK", StateReason="x")
    assert refused.value.response["Error"]["Code"] == "ResourceNotFound"


@pytest.mark.parametrize(("evaluation_state", "stays"), [("EVALUATION_ERROR", True), ("PARTIAL_DATA", False)])
def test_an_alarm_that_is_not_evaluated_says_so_and_stays_as_it_is_until_it_is_again(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, evaluation_state: str, stays: bool
) -> None:
    put_alarm()
    pass_minutes(150)
    assert "EvaluationState" not in described(sandbox)
    sandbox.alarms.hinder("low", evaluation_state, "no permission")
    assert (described(sandbox)["EvaluationState"], described(sandbox)["StateReason"]) == (
        evaluation_state,
        "no permission",
    )
    pass_minutes(90)
    assert described(sandbox)["StateValue"] == ("OK" if stays else "ALARM")
    sandbox.alarms.hinder("low", None, "it may again")
    pass_minutes(90)
    assert described(sandbox)["StateValue"] == "ALARM"
