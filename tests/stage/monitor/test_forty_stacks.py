"""Forty stacks in one account and Region, in one hour or updated at once: they share what CloudWatch lets an account
call in a second.
"""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace

import botocore.endpoint
import pytest
import time_machine
from efs_monitor.errors import AwsRefused

from localaws.account import ACCOUNT_ID, REGION
from localaws.clock import START
from localaws.functions.event_queue import RETRY_AFTER
from localaws.sandbox import Sandbox
from localaws.schedules import Attempt
from stage import home
from stage.home import Names, close
from tests.localaws.roles import unlimited_role
from tests.stage.monitor.conftest import stack_updated
from tests.template.template_documents import with_includes

STACKS = 40
# Which function each schedule starts.
STARTS = {
    "HourlySchedule": "recalculate_thresholds",
    "SilenceSchedule": "report_silence",
    "LateAlarmsSchedule": "set_late_alarms",
}
A_WINDOW = timedelta(minutes=15)
WAITING = timedelta(minutes=1)
LIFE_MINUTES = 80
FUNCTION = f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:any"


@pytest.fixture
def homes(sandbox: Sandbox) -> Iterator[dict[str, home.Home]]:
    """The stacks by name, just deployed; their functions' code is loaded once for all."""
    modules = {name: home.load(name) for name in STARTS.values()}
    made = {}
    for number in range(STACKS):
        names = Names(f"stack-{number}", f"fs-{number:017x}")
        made[names.stack_name] = one = home.Home(sandbox=sandbox, names=names, modules=modules)
        one.create_topics_and_memory()
        one.create_file_system()
        one.create_alarms()
        for minute in range(-1, LIFE_MINUTES):
            one.record("BurstCreditBalance", 1e12, minutes_ago=-minute)
    yield made
    for module in modules.values():
        close(module.clients)


@pytest.fixture
def due(sandbox: Sandbox, homes: dict[str, home.Home]) -> list[Attempt]:
    """Everything that the schedules of the template start in the stacks' first hour, in order of time."""
    resources, role = with_includes()["Resources"], unlimited_role(sandbox)
    for stack_name in homes:
        for name, function in STARTS.items():
            sandbox.client("scheduler").create_schedule(
                Name=f"{stack_name}-{name}-4T0YIQGGWHKA",
                ScheduleExpression=resources[name]["Properties"]["ScheduleExpression"],
                FlexibleTimeWindow=resources[name]["Properties"]["FlexibleTimeWindow"],
                Target={"Arn": FUNCTION, "RoleArn": role, "Input": json.dumps([stack_name, function])},
            )
    return sandbox.schedules.take_due(START + timedelta(minutes=LIFE_MINUTES))


@pytest.mark.whole
def test_none_reports_anything_and_none_is_late(
    sandbox: Sandbox, homes: dict[str, home.Home], due: list[Attempt], monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.quotas.counts_everybody = True
    done = []
    for attempt in due:
        stack_name, function = json.loads(attempt.schedule.target["Input"])
        # Each run has a clock of its own, as if all ran at the same time; it moves on while the run waits.
        with (
            time_machine.travel(attempt.time, tick=False) as clock,
            home.environment(homes[stack_name].names.environment(sandbox.endpoint_url)),
        ):
            monkeypatch.setattr(botocore.endpoint, "time", SimpleNamespace(sleep=clock.shift))
            homes[stack_name].call(function, homes[stack_name].names.hourly)
            assert sandbox.clock.now() - attempt.scheduled < A_WINDOW + WAITING
        done.append((stack_name, function))
    expected = {(stack_name, function) for stack_name in homes for function in STARTS.values()}
    assert set(done) == expected
    # Once in the hour and twenty minutes, but for what is started every twelfth minute.
    assert {count for (_, function), count in Counter(done).items() if function != "set_late_alarms"} == {1}
    assert sandbox.mailbox.publications == []


@pytest.mark.days
def test_all_may_end_an_update_in_the_same_second(
    sandbox: Sandbox, homes: dict[str, home.Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.quotas.counts_everybody = True
    due = dict.fromkeys(homes, START)
    for pause in (timedelta(0), *RETRY_AFTER):
        for stack_name, moment in list(due.items()):
            one, module = homes[stack_name], homes[stack_name].module("recalculate_thresholds")
            with (
                time_machine.travel(moment + pause, tick=False) as clock,
                home.environment(one.names.environment(sandbox.endpoint_url)),
            ):
                monkeypatch.setattr(botocore.endpoint, "time", SimpleNamespace(sleep=clock.shift))
                # Each stack has a function of its own, and botocore counts what a client has left to spend on retries.
                for service in ("cloudwatch", "ssm"):
                    if opened := vars(module.clients).pop(service, None):
                        opened.close()
                try:
                    one.call("recalculate_thresholds", stack_updated(stack_name))
                    del due[stack_name]
                except AwsRefused:
                    # Lambda tries again.
                    due[stack_name] = sandbox.clock.now()
    assert due == {}
    sandbox.quotas.counts_everybody = False
    assert all(alarm["AlarmDescription"] != "older" for one in homes.values() for alarm in one.alarms().values())
    assert sandbox.mailbox.publications == []
