"""Events are checked before anything is done for them."""

import contextlib
import copy
from datetime import UTC, datetime
from typing import Any

import pytest
from efs_monitor.alarms.alarm import ENDED_BY_MODE_MARK, HELD_MARK, AlarmKind
from efs_monitor.errors import EventRefused
from efs_monitor.events import AlarmChange, alarm_change, begins_update, require_schedule, trigger
from hypothesis import given
from hypothesis import strategies as st

ALARM_EVENT: dict[str, Any] = {
    "source": "aws.cloudwatch",
    "alarmArn": "arn:aws:cloudwatch:us-east-1:123456789012:alarm:home-warning",
    "accountId": "123456789012",
    "time": "2030-01-07T02:13:00.000+0000",
    "region": "us-east-1",
    "alarmData": {
        "alarmName": "home-warning",
        "state": {"value": "ALARM", "reason": "Threshold Crossed", "timestamp": "2030-01-07T02:13:00.000+0000"},
        "previousState": {"value": "OK", "reason": "fine", "timestamp": "2030-01-06T02:13:00.000+0000"},
        "configuration": {"metrics": []},
    },
}

UPDATED: dict[str, Any] = {
    "source": "aws.cloudformation",
    "detail-type": "CloudFormation Stack Status Change",
    "detail": {
        "stack-id": "arn:aws:cloudformation:us-east-1:123456789012:stack/home/6f1e0a70-c3a1",
        "status-details": {"status": "UPDATE_COMPLETE", "status-reason": ""},
        "client-request-token": "d7a5e8c0",
    },
}


def updated(**detail: Any) -> dict[str, Any]:
    return {**UPDATED, "detail": {**UPDATED["detail"], **detail}}


def named(name: str) -> dict[str, Any]:
    event = copy.deepcopy(ALARM_EVENT)
    event["alarmData"]["alarmName"] = name
    return event


def test_an_alarm_of_the_stack_is_understood() -> None:
    assert alarm_change(ALARM_EVENT, "home") == AlarmChange(
        kind=AlarmKind.WARNING,
        state="ALARM",
        previous_state="OK",
        reason="Threshold Crossed",
        time=datetime(2030, 1, 7, 2, 13, tzinfo=UTC),
        since=datetime(2030, 1, 6, 2, 13, tzinfo=UTC),
        off_since=datetime(2030, 1, 6, 2, 13, tzinfo=UTC),
    )


@pytest.mark.parametrize("timestamp", [None, 7, "", "yesterday", "0001-01-01T00:00:00.000+0900", "2030-01-06"])
def test_a_change_of_which_nobody_knows_since_when_is_understood_without_it(timestamp: object) -> None:
    event = copy.deepcopy(ALARM_EVENT)
    event["alarmData"]["previousState"]["timestamp"] = timestamp
    assert alarm_change(event, "home").since is None


def test_a_threshold_is_what_cloudwatch_judged_by() -> None:
    event = copy.deepcopy(ALARM_EVENT)
    event["alarmData"]["state"]["reasonData"] = '{"version":"1.0","threshold":1509949440000.0}'
    assert alarm_change(event, "home").threshold_bytes == 1_509_949_440_000


def test_of_one_that_has_gone_off_it_also_tells_by_which_it_was_ok() -> None:
    event = copy.deepcopy(ALARM_EVENT)
    event["alarmData"]["state"]["reasonData"] = '{"version":"1.0","threshold":7.0}'
    event["alarmData"]["previousState"]["reasonData"] = '{"version":"1.0","threshold":5.0}'
    assert (alarm_change(event, "home").threshold_bytes, alarm_change(event, "home").off_above_bytes) == (7, 5)
    event["alarmData"]["previousState"]["value"] = "INSUFFICIENT_DATA"
    assert alarm_change(event, "home").off_above_bytes is None
    event["alarmData"]["previousState"]["value"], event["alarmData"]["state"]["value"] = "ALARM", "OK"
    assert (alarm_change(event, "home").threshold_bytes, alarm_change(event, "home").off_above_bytes) == (5, None)


@pytest.mark.parametrize(
    ("reason", "threshold", "was_off"),
    [("fine", 5, True), ("fine", 0, False), (f"{ENDED_BY_MODE_MARK} x", None, False)],
)
def test_one_that_was_suspended_until_it_went_off_was_not_over(
    reason: str, threshold: float | None, *, was_off: bool
) -> None:
    event = copy.deepcopy(ALARM_EVENT)
    event["alarmData"]["previousState"] |= {
        "value": "OK",
        "reason": reason,
        "reasonData": f'{{"threshold":{threshold}}}',
    }
    changed = alarm_change(event, "home")
    assert (changed.off_since, changed.off_above_bytes) == ((changed.since, 5) if was_off else (None, None))


@pytest.mark.parametrize("threshold", ["Infinity", "-Infinity", "NaN", "1e999", "-1e999", '"inf"', "true", "null"])
def test_one_that_is_no_number_of_bytes_is_unknown(threshold: str) -> None:
    event = copy.deepcopy(ALARM_EVENT)
    event["alarmData"]["state"]["reasonData"] = f'{{"threshold":{threshold}}}'
    assert alarm_change(event, "home").threshold_bytes is None


def test_an_alarm_went_off_when_it_changed_and_one_that_is_over_when_the_state_before_began() -> None:
    event = copy.deepcopy(ALARM_EVENT)
    assert alarm_change(event, "home").went_off == datetime(2030, 1, 7, 2, 13, tzinfo=UTC)
    event["alarmData"]["state"]["value"] = "OK"
    assert alarm_change(event, "home").went_off == datetime(2030, 1, 6, 2, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "begins"),
    [
        ("UPDATE_COMPLETE", False),
        ("UPDATE_FAILED", False),
        ("UPDATE_ROLLBACK_COMPLETE", False),
        ("UPDATE_ROLLBACK_FAILED", False),
        ("UPDATE_IN_PROGRESS", True),
        ("UPDATE_ROLLBACK_IN_PROGRESS", True),
    ],
)
def test_an_update_starts_a_recalculation_as_it_begins_and_as_it_ends(status: str, begins: bool) -> None:
    event = updated(**{"status-details": {"status": status, "status-reason": ""}})
    cause = trigger(event, "home")
    assert (cause, begins_update(cause)) == (f"stack {status}", begins)


def test_the_schedule_and_the_rise_alarm_start_a_recalculation() -> None:
    assert trigger({"source": "efs-monitor.schedule", "stack": "home"}, "home") == "schedule"
    assert trigger(named("home-permitted-throughput-rise"), "home") == "permitted-throughput-rise ALARM"


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"source": "efs-monitor.schedule", "stack": "other"}, "The schedule is that of stack 'other', not of home"),
        (UPDATED | {"detail-type": "CloudFormation Drift Detection Status Change"}, "not 'CloudFormation Stack Status"),
        (UPDATED | {"detail": {}}, "The event of CloudFormation lacks 'stack-id'"),
        (UPDATED | {"detail": None}, "The event is not shaped like CloudFormation's"),
        (UPDATED | {"detail": "text"}, "The event is not shaped like CloudFormation's"),
        (updated(**{"stack-id": "arn:aws:cloudformation:x:1:stack/home-2/6f1e"}), "one of stack 'arn:aws:cloudform"),
        (updated(**{"stack-id": "home"}), "one of stack 'home', not of home"),
        (updated(**{"stack-id": None}), "one of stack None, not of home"),
        (updated(**{"status-details": {"status": "DELETE_COMPLETE"}}), "has the status 'DELETE_COMPLETE', not one"),
        (updated(**{"status-details": {"status": ["UPDATE_COMPLETE"]}}), "has the status"),
        (named("home-critical"), "home-critical does not start a recalculation"),
        (named("other-permitted-throughput-rise"), "is not one of this stack's: home-warning, home-critical"),
        ({"source": "aws.ec2"}, "source is 'aws.ec2', not 'aws.cloudwatch'"),
        ([], "The event is a list"),
        (None, "The event is a NoneType"),
        ({"source": "aws.cloudwatch"}, "lacks 'alarmData'"),
        ({"source": "aws.cloudwatch", "alarmData": "x"}, "not shaped like CloudWatch's"),
        ({"source": "aws.cloudwatch", "alarmData": {"alarmName": "home-warning"}}, "lacks 'state'"),
    ],
)
def test_anything_else_is_refused_and_named(event: object, words: str) -> None:
    with pytest.raises(EventRefused, match=words):
        trigger(event, "home")


def changed(state: str, reason: str, previous: str, previous_reason: str) -> bool:
    event = copy.deepcopy(ALARM_EVENT)
    event["alarmData"]["state"] |= {"value": state, "reason": reason}
    event["alarmData"]["previousState"] |= {"value": previous, "reason": previous_reason}
    return alarm_change(event, "home").drill


def test_what_a_drill_sets_off_belongs_to_it_and_so_does_its_end() -> None:
    assert changed("ALARM", "DRILL: tried by ops", "OK", "fine")
    assert changed("OK", "DRILL: over", "ALARM", "DRILL: tried by ops")
    assert changed("OK", "Threshold Crossed", "ALARM", "DRILL: tried by ops")


def test_a_real_alarm_after_a_drill_is_a_real_one() -> None:
    assert not changed("ALARM", "Threshold Crossed", "OK", "DRILL: over")
    assert not changed("ALARM", "Threshold Crossed: DRILL: no", "OK", "fine")
    assert not changed("OK", "Threshold Crossed", "ALARM", "Threshold Crossed")


def test_credits_that_had_ended_unseen_are_known_by_the_reason_for_which_the_alarm_goes_off_or_did_until_now() -> None:
    def ended_unseen(state: str, reason: str, previous: str, previous_reason: str) -> bool:
        event = copy.deepcopy(ALARM_EVENT)
        event["alarmData"]["state"] |= {"value": state, "reason": reason}
        event["alarmData"]["previousState"] |= {"value": previous, "reason": previous_reason}
        return alarm_change(event, "home").ended_unseen

    late = "LATE METRICS, OVER: nothing was left"
    assert ended_unseen("ALARM", late, "OK", "fine")
    assert ended_unseen("OK", "Threshold Crossed", "ALARM", late)
    assert not ended_unseen("ALARM", "Threshold Crossed", "OK", late)
    assert not ended_unseen("OK", "Threshold Crossed", "ALARM", "Threshold Crossed")


def test_the_end_of_what_was_set_while_it_was_silent_is_one_that_nobody_waits_for() -> None:
    event = copy.deepcopy(ALARM_EVENT)
    assert not alarm_change(event, "home").unheard
    event["alarmData"]["state"] |= {"value": "OK"}
    event["alarmData"]["previousState"] |= {"value": "ALARM", "reason": f"{HELD_MARK} low"}
    assert alarm_change(event, "home").unheard
    event["alarmData"]["state"] |= {"value": "INSUFFICIENT_DATA"}
    assert not alarm_change(event, "home").unheard


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (named("home-warning"), "source is 'aws.cloudwatch', not 'efs-monitor.schedule'"),
        ({"source": "efs-monitor.schedule", "stack": "other"}, "The schedule is that of stack 'other', not of home"),
        ([], "The event is a list, not the JSON object the schedule sends$"),
    ],
)
def test_the_report_of_silence_takes_the_schedule_and_nothing_else(event: object, words: str) -> None:
    require_schedule({"source": "efs-monitor.schedule", "stack": "home"}, "home")
    with pytest.raises(EventRefused, match=words):
        require_schedule(event, "home")


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (
            named("home-critical"),
            (
                "The alarm home-critical does not start a recalculation, only home-permitted-throughput-rise, the "
                "hourly schedule and a stack update do"
            ),
        ),
        (
            named("other-warning"),
            (
                "The alarm 'other-warning' is not one of this stack's: home-warning, home-critical, home-exhausted, "
                "home-draining, home-permitted-throughput-rise"
            ),
        ),
        ([], "The event is a list, not the JSON object an alarm sends"),
        (
            UPDATED | {"detail-type": "Drift"},
            "The event's detail-type is 'Drift', not 'CloudFormation Stack Status Change'",
        ),
        (
            UPDATED | {"detail": "text"},
            "The event is not shaped like CloudFormation's: string indices must be integers, not 'str'",
        ),
        (
            updated(**{"status-details": {"status": "DELETE_COMPLETE"}}),
            (
                "The stack home has the status 'DELETE_COMPLETE', not one of UPDATE_IN_PROGRESS, "
                "UPDATE_ROLLBACK_IN_PROGRESS, UPDATE_COMPLETE, UPDATE_FAILED, UPDATE_ROLLBACK_COMPLETE, "
                "UPDATE_ROLLBACK_FAILED"
            ),
        ),
        (
            {
                "source": "aws.cloudwatch",
                "alarmData": {"alarmName": "home-warning", "state": "x", "previousState": "y"},
            },
            "The alarm event is not shaped like CloudWatch's: string indices must be integers, not 'str'",
        ),
    ],
)
def test_a_refusal_is_one_whole_sentence(event: object, sentence: str) -> None:
    with pytest.raises(EventRefused) as refused:
        trigger(event, "home")
    assert str(refused.value) == sentence


def test_a_refused_state_is_told_with_those_there_are_in_order() -> None:
    event = copy.deepcopy(ALARM_EVENT)
    event["alarmData"]["previousState"]["value"] = "Alarm"
    with pytest.raises(EventRefused) as refused:
        alarm_change(event, "home")
    assert str(refused.value) == (
        "The alarm home-warning has the state 'Alarm', not one of ALARM, INSUFFICIENT_DATA, OK"
    )


@pytest.mark.parametrize("state", ["Alarm", "", None, 3, ["OK"]])
def test_an_unknown_state_is_refused(state: object) -> None:
    event = copy.deepcopy(ALARM_EVENT)
    event["alarmData"]["state"]["value"] = state
    with pytest.raises(EventRefused, match="has the state"):
        alarm_change(event, "home")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("aws.cloudwatch"),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(
            st.sampled_from(["source", "alarmData", "state", "value", "previousState", "alarmName"]),
            children,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values, st.sampled_from(["source", "alarmData"]), st.sampled_from([None, "alarmName", "state"]))
def test_no_mutation_of_an_event_raises_anything_but_the_refusal(value: object, field: str, inner: str | None) -> None:
    event = copy.deepcopy(ALARM_EVENT)
    if inner is None:
        event[field] = value
    else:
        event["alarmData"][inner] = value
    for candidate in (event, value):
        with contextlib.suppress(EventRefused):
            assert alarm_change(candidate, "home").kind in AlarmKind
