"""Schedules that run, and expressions that are refused."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.clock import START
from localaws.sandbox import Sandbox
from localaws.schedule_expression import ExpressionError, parse
from localaws.schedules import Schedules

Deploy = Callable[..., str]


@pytest.fixture
def schedule(sandbox: Sandbox, deploy: Deploy) -> Callable[..., None]:
    arn = deploy("run", "handler = lambda e, c: e")

    def create(expression: str, *, update: bool = False, input_text: str | None = None, **settings: Any) -> None:
        target = {"Arn": arn, "RoleArn": "arn:aws:iam::123456789012:role/functions"}
        if input_text is not None:
            target["Input"] = input_text
        call = sandbox.client("scheduler").update_schedule if update else sandbox.client("scheduler").create_schedule
        call(
            **{
                "Name": "hourly",
                "ScheduleExpression": expression,
                "FlexibleTimeWindow": {"Mode": "OFF"},
                "Target": target,
                **settings,
            }
        )

    return create


def runs(sandbox: Sandbox, minutes: int) -> list[str]:
    """When the function ran during the next minutes."""
    for _ in range(minutes):
        sandbox.advance()
    return [f"{invocation.time:%H:%M}" for invocation in sandbox.functions.invocations]


@pytest.mark.whole
def test_a_rate_starts_at_once_and_goes_on(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    sandbox.clock.move_to(START + timedelta(minutes=10))
    schedule("rate(20 minutes)")
    sandbox.events.wait_for_background()
    assert [f"{one.time:%H:%M}" for one in sandbox.functions.invocations] == ["00:10"]
    assert runs(sandbox, 45) == ["00:10", "00:30", "00:50"]


def test_a_rate_with_a_start_date_waits_for_it(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    schedule("rate(20 minutes)", StartDate=START + timedelta(minutes=5))
    assert runs(sandbox, 30) == ["00:05", "00:25"]


def test_a_flexible_window_delivers_each_start_at_a_moment_of_its_own(
    sandbox: Sandbox, schedule: Callable[..., None]
) -> None:
    schedule(
        "cron(0/30 * * * ? *)",
        FlexibleTimeWindow={"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 15},
        input_text='"<aws.scheduler.scheduled-time>"',
    )
    runs(sandbox, 6 * 60)
    scheduled = [datetime.fromisoformat(json.loads(one.payload)) for one in sandbox.functions.invocations]
    assert scheduled == [START + number * timedelta(minutes=30) for number in range(1, 12)]
    late = [one.time - due for one, due in zip(sandbox.functions.invocations, scheduled, strict=True)]
    assert all(timedelta() <= one <= timedelta(minutes=16) for one in late)
    assert len(set(late)) > 6


@pytest.mark.parametrize(("updated_to", "delivered"), [("cron(5 * * * ? *)", 1), ("cron(0 12 * * ? *)", 0)])
def test_an_update_of_the_expression_forgets_what_waits_in_the_window(
    sandbox: Sandbox, schedule: Callable[..., None], updated_to: str, delivered: int
) -> None:
    window = {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 50}
    schedule("cron(5 * * * ? *)", FlexibleTimeWindow=window)
    assert runs(sandbox, 6) == []
    schedule(updated_to, update=True, FlexibleTimeWindow=window)
    assert len(runs(sandbox, 54)) == delivered


def test_the_seed_chooses_the_moments_in_the_windows(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    window = {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 15}
    names = ("home-HourlySchedule-4T0YIQGGWHKA", "home-HourlySchedule-9XKD2LPQ7RTU", "other-HourlySchedule")
    for name in names:
        schedule("cron(0 * * * ? *)", FlexibleTimeWindow=window, Name=name)
    by_seed = [
        Schedules(sandbox.events, sandbox.sessions, seed).take_due(START + timedelta(hours=6)) for seed in (0, 0, 1)
    ]
    moments = [[(one.schedule.name, one.time) for one in found] for found in by_seed]
    assert moments[0] == moments[1] != moments[2]
    of = {name: [time for named, time in moments[0] if named == name] for name, _ in moments[0]}
    # What CloudFormation draws for a name makes no difference.
    assert (
        of["home-HourlySchedule-4T0YIQGGWHKA"] == of["home-HourlySchedule-9XKD2LPQ7RTU"] != of["other-HourlySchedule"]
    )


def test_a_function_begins_in_the_second_at_which_it_is_started(
    sandbox: Sandbox, deploy: Deploy, schedule: Callable[..., None]
) -> None:
    tells = deploy(
        "tells", "import datetime\n\ndef handler(event, context):\n    return str(datetime.datetime.now())\n"
    )
    window = {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 15}
    role = "arn:aws:iam::123456789012:role/functions"
    schedule("cron(5 * * * ? *)", FlexibleTimeWindow=window, Target={"Arn": tells, "RoleArn": role})
    runs(sandbox, 25)
    (run,) = sandbox.functions.invocations
    began = datetime.fromisoformat(json.loads(run.response)).replace(tzinfo=UTC)
    assert run.time - timedelta(minutes=1) <= began <= run.time
    assert began.second


def test_a_cron_expression_runs_when_its_time_zone_says(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    schedule("cron(5 1 ? * MON *)", ScheduleExpressionTimezone="Europe/Berlin")
    assert runs(sandbox, 15) == ["00:05"]


def test_minutes_that_were_skipped_are_made_up_for(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    schedule("cron(0 * * * ? *)")
    sandbox.clock.move_to(START + timedelta(hours=3))
    sandbox.step()
    assert len(sandbox.functions.invocations) == 3


def test_a_disabled_schedule_does_not_run_nor_make_up_for_it_later(
    sandbox: Sandbox, schedule: Callable[..., None]
) -> None:
    schedule("cron(0/10 * * * ? *)", State="DISABLED")
    assert runs(sandbox, 35) == []
    schedule("cron(0/10 * * * ? *)", update=True, State="ENABLED")
    assert runs(sandbox, 10) == ["00:40"]


def test_placeholders_in_the_input_are_filled_in(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    keys = ("scheduled-time", "schedule-arn", "execution-id", "attempt-number")
    schedule("cron(1 * * * ? *)", input_text=json.dumps({key: f"<aws.scheduler.{key}>" for key in keys}))
    runs(sandbox, 2)
    event = json.loads(sandbox.functions.invocations[0].payload)
    assert len(event.pop("execution-id")) == 36
    assert event == {
        "scheduled-time": "2030-01-07T00:01:00Z",
        "schedule-arn": "arn:aws:scheduler:us-east-1:123456789012:schedule/default/hourly",
        "attempt-number": "1",
    }


def attempts(sandbox: Sandbox) -> list[tuple[str, str, str]]:
    """When the function was told of which start, by which attempt; each has an execution id that no other has."""
    events = [json.loads(invocation.payload) for invocation in sandbox.functions.invocations]
    assert len({event["execution-id"] for event in events}) == len(events)
    times = [f"{invocation.time:%H:%M}" for invocation in sandbox.functions.invocations]
    return [(time, event["scheduled-time"][11:16], event["attempt"]) for time, event in zip(times, events, strict=True)]


ATTEMPT = (
    '{"execution-id": "<aws.scheduler.execution-id>", "scheduled-time": "<aws.scheduler.scheduled-time>", '
    '"attempt": "<aws.scheduler.attempt-number>"}'
)


def test_a_start_may_be_delivered_twice_each_with_an_execution_id_of_its_own(
    sandbox: Sandbox, schedule: Callable[..., None]
) -> None:
    schedule("cron(1 * * * ? *)", input_text=ATTEMPT)
    sandbox.schedules.delivers_twice = True
    runs(sandbox, 3)
    assert attempts(sandbox) == [("00:01", "00:01", "1"), ("00:01", "00:01", "1")]


def test_an_attempt_whose_answer_is_lost_is_followed_by_another_of_the_same_start(
    sandbox: Sandbox, schedule: Callable[..., None]
) -> None:
    schedule("cron(1 * * * ? *)", input_text=ATTEMPT)
    sandbox.schedules.loses_answers = True
    runs(sandbox, 4)
    assert attempts(sandbox) == [("00:01", "00:01", "1"), ("00:02", "00:01", "2")]


def test_a_target_without_input_gets_the_schedulers_event(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    schedule("cron(1 * * * ? *)")
    runs(sandbox, 2)
    event = json.loads(sandbox.functions.invocations[0].payload)
    assert (event["source"], event["detail-type"], event["time"]) == (
        "aws.scheduler",
        "Scheduled Event",
        "2030-01-07T00:01:00Z",
    )


def test_a_function_that_is_gone_does_not_stop_the_others(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    schedule("cron(0/1 * * * ? *)")
    sandbox.client("lambda").delete_function(FunctionName="run")
    assert runs(sandbox, 3) == []


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("at(2030-01-07T01:00:00)", "the sandbox runs rate\\(...\\) and cron\\(...\\) only"),
        ("rate(1 hours)", "'rate\\(1 hour\\)' or 'rate\\(2 hours\\)'"),
        ("cron(0 * * * *)", "it has 5 fields"),
        ("cron(0 0 32W * ? *)", "'32W' is not a number that this field has"),
        ("cron(0 0 ? * 3#1,6#3 *)", "'3#1' is not a number that this field has"),
        ("cron(0 0 ? * 1-7/2 *)", "'1-7/2' has a step, which days of the week have not"),
        ("cron(0 0 1,L * ? *)", "'L' is not a number that this field has"),
        ("cron(60 * * * ? *)", "'60' is not within 0 to 59"),
        ("cron(0 0 1 * MON *)", "exactly one of day of month and day of week"),
    ],
)
def test_an_expression_the_sandbox_does_not_run_is_refused_when_it_is_created(
    sandbox: Sandbox, schedule: Callable[..., None], expression: str, sentence: str
) -> None:
    with pytest.raises(ClientError, match=sentence):
        schedule(expression)


def test_a_target_that_is_no_function_is_refused(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    target = {"Arn": "arn:aws:sqs:us-east-1:123456789012:q", "RoleArn": "arn:aws:iam::123456789012:role/r"}
    with pytest.raises(ClientError, match="the sandbox starts Lambda functions"):
        schedule("rate(1 hour)", Target=target)


@pytest.mark.parametrize(
    ("expression", "due"),
    [
        ("cron(0,30 8-9 * * ? *)", ["08:00", "08:30", "09:00", "09:30"]),
        ("cron(0 0/6 ? JAN MON-FRI 2030)", ["06:00", "12:00", "18:00"]),
        ("cron(15 12 7 1 ? 2030-2031)", ["12:15"]),
        ("cron(0 0 ? * 1 *)", []),
        ("rate(8 hours)", ["08:00", "16:00"]),
        ("rate(1 day)", []),
    ],
)
def test_expressions_are_due_on_a_monday_in_january(expression: str, due: list[str]) -> None:
    evening = datetime(2030, 1, 7, 23, 59, tzinfo=UTC)
    assert [f"{one:%H:%M}" for one in parse(expression).due_between(START, evening, start=START)] == due


@pytest.mark.parametrize(
    ("days", "due"),
    [
        ("L * ?", ["31 Aug", "30 Sep", "31 Oct"]),
        # The 31st of August 2030 is a Saturday, the 1st of September a Sunday.
        ("LW * ?", ["30 Aug", "30 Sep", "31 Oct"]),
        ("1W * ?", ["01 Aug", "02 Sep", "01 Oct"]),
        ("31W * ?", ["30 Aug", "31 Oct"]),
        ("15W AUG ?", ["15 Aug"]),
        ("? * 6#3", ["16 Aug", "20 Sep", "18 Oct"]),
        ("? * SAT#5", ["31 Aug"]),
        ("? * FRIL", ["30 Aug", "27 Sep", "25 Oct"]),
        ("? AUG L", ["03 Aug", "10 Aug", "17 Aug", "24 Aug", "31 Aug"]),
    ],
)
def test_last_days_nearest_weekdays_and_the_third_friday_are_due(days: str, due: list[str]) -> None:
    first, last = datetime(2030, 8, 1, tzinfo=UTC), datetime(2030, 10, 31, tzinfo=UTC)
    schedule = parse(f"cron(0 0 {days} *)")
    found = [
        midnight
        for day in range((last - first).days + 1)
        if schedule.due_between((midnight := first + timedelta(days=day)) - timedelta(minutes=1), midnight, start=first)
    ]
    assert [f"{one:%d %b}" for one in found] == due


def test_a_wrong_time_zone_is_named() -> None:
    with pytest.raises(ExpressionError, match="Mars/Olympus"):
        parse("cron(0 * * * ? *)", "Mars/Olympus")


def test_what_cannot_be_started_goes_to_the_dead_letter_queue(sandbox: Sandbox, schedule: Callable[..., None]) -> None:
    sqs = sandbox.client("sqs")
    url = sqs.create_queue(QueueName="not-started")["QueueUrl"]
    nobody = {
        "Arn": "arn:aws:lambda:us-east-1:123456789012:function:gone",
        "RoleArn": "arn:aws:iam::123456789012:role/functions",
        "DeadLetterConfig": {"Arn": "arn:aws:sqs:us-east-1:123456789012:not-started"},
        "Input": '{"time": "<aws.scheduler.scheduled-time>"}',
    }
    schedule("cron(5 0 * * ? *)", Target=nobody)
    assert runs(sandbox, 10) == []
    (message,) = sqs.receive_message(QueueUrl=url)["Messages"]
    assert json.loads(message["Body"]) == {"time": "2030-01-07T00:05:00Z"}
