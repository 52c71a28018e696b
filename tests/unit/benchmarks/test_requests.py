"""What asks for a benchmark, or tells that one has ended, and what is refused before anything is done."""

import contextlib
import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from efs_monitor.benchmarks.requests import finished, run_request
from efs_monitor.errors import EventRefused
from hypothesis import example, given
from hypothesis import strategies as st

NOW = datetime(2026, 11, 17, 3, 0, 5, tzinfo=UTC)
SCHEDULE = "arn:aws:scheduler:us-east-1:123456789012:schedule/default/home-BenchmarkTimer-4T0YIQGGWHKA"
TIMER = {"source": "efs-monitor.benchmark", "stack": "home", "schedule": SCHEDULE, "time": "2026-11-17T03:00:00Z"}
BY_HAND = {"source": "efs-monitor.benchmark-by-hand", "stack": "home"}
ENDED: dict[str, Any] = {
    "source": "aws.ssm",
    "detail-type": "EC2 Command Invocation Status-change Notification",
    "time": "2026-11-17T03:01:12Z",
    "detail": {
        "command-id": "e8d3c0e4",
        "document-name": "home-benchmark",
        "instance-id": "i-0123456789abcdef0",
        "status": "Success",
    },
}


def refusal(event: object) -> str:
    with pytest.raises(EventRefused) as refused:
        run_request(event, "home", "request", NOW)
    return str(refused.value)


def end_refusal(event: object) -> str:
    with pytest.raises(EventRefused) as refused:
        finished(event, "home", "home-benchmark")
    return str(refused.value)


def test_a_run_of_the_timer_carries_its_scheduled_time_and_what_started_it() -> None:
    request = run_request(TIMER, "home", "request", NOW)
    assert re.fullmatch("run-20261117t030000z-[0-9a-f]{8}", request.run_id)
    assert not request.by_hand
    assert (request.profile, request.size_mib, request.instance_ids, request.accept_cost_bytes) == (None, None, (), 0)


def test_a_schedule_that_is_delivered_twice_asks_for_the_same_run() -> None:
    later = NOW.replace(minute=9)
    assert run_request(TIMER, "home", "one", NOW) == run_request(TIMER, "home", "another", later)


def test_an_attempt_that_comes_after_an_update_finds_the_run_of_the_one_before_it() -> None:
    assert run_request(TIMER, "home", "request", NOW).run_id == "run-20261117t030000z-fd0cb7f6"


def test_a_rate_is_told_from_others_by_its_schedule_and_its_expression() -> None:
    def rate(**changed: str) -> str:
        return run_request(TIMER | {"expression": "rate(1 day)"} | changed, "home", "request", NOW).rate

    assert re.fullmatch("[0-9a-f]{8}", rate())
    assert rate() == rate(time="2026-11-18T03:00:00Z") == "3c97ec16"
    assert len({rate(), rate(expression="rate(2 days)"), rate(schedule=f"{SCHEDULE}2")}) == 3
    assert rate(expression="cron(0 3 * * ? *)") == ""
    assert run_request(TIMER, "home", "request", NOW).rate == ""


@pytest.mark.parametrize(
    ("event", "by_cron"),
    [
        (TIMER | {"expression": "cron(0 3 * * ? *)"}, True),
        (TIMER | {"expression": "rate(1 day)"}, False),
        (BY_HAND, False),
    ],
)
def test_a_start_by_cron_is_one_of_the_timer_that_has_no_rate(event: dict[str, str], by_cron: bool) -> None:
    assert run_request(event, "home", "request", NOW).by_cron is by_cron


def test_two_starts_of_the_timer_are_two_runs() -> None:
    another = run_request(TIMER | {"time": "2026-11-18T03:00:00Z"}, "home", "request", NOW)
    assert another.idempotency_key != run_request(TIMER, "home", "request", NOW).idempotency_key


def test_two_stacks_that_start_in_the_same_minute_are_two_runs() -> None:
    another = run_request(TIMER | {"schedule": SCHEDULE.replace("home", "archive")}, "home", "request", NOW)
    assert another.idempotency_key != run_request(TIMER, "home", "request", NOW).idempotency_key


def test_a_second_attempt_by_hand_is_known_by_its_origin() -> None:
    first, second = (run_request(BY_HAND, "home", "request", time) for time in (NOW, NOW.replace(minute=1)))
    assert first.run_id != second.run_id
    assert (
        first.idempotency_key == second.idempotency_key != run_request(BY_HAND, "home", "another", NOW).idempotency_key
    )


def test_a_person_may_choose_what_where_how_much_and_at_which_cost() -> None:
    given = {"profile": "tutorial", "size_mib": 64, "instance_ids": ["i-01234567"], "accept_cost_bytes": 7}
    request = run_request(BY_HAND | given, "home", "request", NOW)
    assert request.by_hand
    assert (request.profile, request.size_mib, request.instance_ids, request.accept_cost_bytes) == (
        "tutorial",
        64,
        ("i-01234567",),
        7,
    )


def test_nothing_is_an_amount_too() -> None:
    request = run_request(BY_HAND | {"size_mib": 0, "accept_cost_bytes": 0}, "home", "request", NOW)
    assert (request.size_mib, request.accept_cost_bytes) == (0, 0)


def test_whoever_chooses_nothing_takes_no_cost_upon_them() -> None:
    request = run_request(BY_HAND, "home", "request", NOW)
    assert (request.profile, request.size_mib, request.instance_ids, request.accept_cost_bytes) == (None, None, (), 0)


def test_several_misspelt_wishes_are_named_in_order() -> None:
    assert refusal(BY_HAND | {"size": 1, "cost": 2, "instances": 3}).startswith("The event has cost, instances, size; ")


def test_a_time_without_a_zone_is_that_of_utc() -> None:
    told = finished(ENDED | {"time": "2026-11-17T03:01:12"}, "home", "home-benchmark")
    assert told is not None
    assert told.time == datetime(2026, 11, 17, 3, 1, 12, tzinfo=UTC)
    east = finished(ENDED | {"time": "2026-11-17T05:01:12+02:00"}, "home", "home-benchmark")
    assert east == told


def test_the_end_of_another_kind_is_told_in_one_whole_sentence() -> None:
    assert end_refusal(ENDED | {"detail-type": "x"}) == (
        "The event's detail-type is 'x', not 'EC2 Command Invocation Status-change Notification'"
    )


def test_an_instance_named_twice_measures_once() -> None:
    request = run_request(BY_HAND | {"instance_ids": ["i-01234567", "i-01234567"]}, "home", "request", NOW)
    assert request.instance_ids == ("i-01234567",)


def test_a_misspelt_wish_is_refused_with_those_there_are() -> None:
    assert refusal(BY_HAND | {"accept_cost": 7}) == (
        "The event has accept_cost; there are source, stack, profile, size_mib, instance_ids, accept_cost_bytes"
    )


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ([], "The event is a list, not the JSON object that asks for a benchmark"),
        ({}, "The event's source is None, neither 'efs-monitor.benchmark' nor"),
        (TIMER | {"stack": "archive"}, "The benchmark is one of stack 'archive', not of home"),
        (TIMER | {"schedule": ""}, "The event's schedule is '', not a text"),
        (TIMER | {"time": "now"}, "The event's time is 'now', not one such as 2026-11-17T03:00:00Z"),
        (TIMER | {"time": "9999-12-31T23:59:59-14:00"}, "'9999-12-31T23:59:59-14:00', not one such as 2026-11-17T03"),
        (BY_HAND | {"profile": 7}, "The event's profile is 7, not a text"),
        (BY_HAND | {"size_mib": True}, "The event's size_mib is True, not a whole number"),
        (BY_HAND | {"size_mib": "12"}, "The event's size_mib is '12', not a whole number"),
        (BY_HAND | {"size_mib": 1.5}, "The event's size_mib is 1.5, not a whole number"),
        (BY_HAND | {"accept_cost_bytes": -1}, "The event's accept_cost_bytes is -1, not a whole number"),
        (BY_HAND | {"instance_ids": "i-1; reboot"}, "The event's instance_ids have 'i-1; reboot', not ids such as"),
        (BY_HAND | {"instance_ids": [7]}, "The event's instance_ids have 7, not ids such as i-0123456789abcdef0"),
    ],
)
def test_what_is_malformed_is_named(event: object, sentence: str) -> None:
    assert sentence in refusal(event)


def test_the_end_on_an_instance_names_command_instance_and_time() -> None:
    told = finished(ENDED, "home", "home-benchmark")
    assert told is not None
    assert (told.command_id, told.instance_id) == ("e8d3c0e4", "i-0123456789abcdef0")
    assert told.time == datetime(2026, 11, 17, 3, 1, 12, tzinfo=UTC)


def test_the_sweep_is_about_no_command() -> None:
    assert finished({"source": "efs-monitor.schedule", "stack": "home"}, "home", "home-benchmark") is None


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ([], "The event is a list, not the JSON object the schedule sends"),
        ({"source": "efs-monitor.schedule", "stack": "x"}, "The schedule is that of stack 'x', not of home"),
        (
            ENDED | {"detail-type": "EC2 Command Status-change Notification"},
            "The event's detail-type is 'EC2 Command S",
        ),
        (ENDED | {"detail": "x"}, "The event's detail is 'x', not that of a command"),
        (ENDED | {"detail": {"document-name": "AWS-Run"}}, "The command is one of 'AWS-Run', not of home-benchmark"),
        (ENDED | {"detail": ENDED["detail"] | {"command-id": 7}}, "The event's command-id is 7, not a text"),
    ],
)
def test_an_end_of_something_else_is_refused(event: object, sentence: str) -> None:
    assert sentence in end_refusal(event)


# Also halves of UTF-16, which JSON can write and UTF-8 cannot, and times that are none in UTC.
TEXTS = st.text(st.characters(exclude_categories=())) | st.datetimes(
    timezones=st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
).map(datetime.isoformat)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
KEYS = ("source", "stack", "schedule", "expression", "time", "profile", "size_mib", "instance_ids", "accept_cost_bytes")


@given(st.sampled_from((TIMER, BY_HAND)), st.sampled_from(KEYS), ANYTHING)
@example(TIMER, "time", "0001-01-01T00:00:00+14:00")
@example(TIMER, "time", "9999-12-31T23:59:59-14:00")
@example(TIMER, "schedule", "\ud800")
@example(TIMER, "expression", "rate(\ud800)")
def test_whatever_an_event_holds_it_is_understood_or_refused(event: dict[str, Any], key: str, value: object) -> None:
    with contextlib.suppress(EventRefused):
        asked = run_request(event | {key: value}, "home", "request", NOW)
        assert re.fullmatch("[a-z0-9-]{8,64}", asked.run_id)


@given(st.sampled_from(("time", "detail-type", "detail", "source")), ANYTHING)
@example("time", "0001-01-01T00:00:00+14:00")
@example("time", "9999-12-31T23:59:59-14:00")
def test_so_it_is_with_what_tells_of_an_end(key: str, value: object) -> None:
    with contextlib.suppress(EventRefused):
        told = finished(ENDED | {key: value}, "home", "home-benchmark")
        assert told is not None
        assert told.time.utcoffset() == timedelta(0)
