"""A stack that is updated amid an incident tells of it what one tells that nobody touches, and nothing twice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from efs_monitor.efs.credits import GIB, baseline_bytes_per_second, burst_bytes_per_second

from localaws.clock import MINUTE
from localaws.sandbox import Sandbox
from stage.direct_deployment import DeploymentRefused
from tests.stage.monitor.stack_under_test import StackUnderTest
from tests.stage.monitor.test_order_of_deployment import HOURLY_FUNCTIONS, without_last_resource

MINUTES = 290
# How many minutes at full speed are left, from one time to the next: a fall to zero, less than Critical's again and
# another fall, and at last above Critical.
LEFT = ((0, 75), (10, 75), (85, 0), (135, 0), (165, 8), (190, 0), (215, 0), (260, 64), (MINUTES, 64))
AMID_CRITICAL, AS_THEY_END, AT_ZERO, AT_ZERO_AGAIN = 45, 80, 105, 192
type Update = Callable[[StackUnderTest], object]


def minutes_left(minute: int) -> float:
    """By the two times that it lies between."""
    (start, before), (end, after) = next((one, other) for one, other in pairwise(LEFT) if one[0] <= minute < other[0])
    return before + (after - before) * (minute - start) / (end - start)


@dataclass(frozen=True, kw_only=True)
class IncidentTold:
    """What anybody was told of the incident, as (minute, topic, subject), whether published or received; what a
    function said when it failed, and the minutes of updates.
    """

    published: list[tuple[int, str, str | None]]
    received: set[tuple[int, str, str | None]]
    failed: list[str]
    updating: list[range]


def told_of_the_incident(work_dir: Path, built: Path, updates: Mapping[int, Update]) -> IncidentTold:
    """The incident, of a stack that is updated in these minutes. A resource takes a minute, in which whatever runs
    hourly runs, too.
    """
    with Sandbox(work_dir) as sandbox:
        stack = StackUnderTest(sandbox=sandbox, built=built)
        stack.create_file_system()
        full_speed = burst_bytes_per_second(stack.standard_bytes)
        # A deployment lets the clock run: a time between two full minutes would be another one after it.
        start, updating = sandbox.clock.next_minute(), list[range]()

        def minute() -> int:
            return (sandbox.clock.now() - start) // MINUTE

        def live() -> None:
            left = minutes_left(minute())
            stack.balance_gib = left * 60 * full_speed / GIB
            stack.permitted_bytes_per_second = full_speed if left else baseline_bytes_per_second(stack.standard_bytes)
            stack.live()

        def live_with_hourly_runs() -> None:
            live()
            for function in HOURLY_FUNCTIONS:
                sandbox.quotas.second_passes()
                stack.invoke(function, {"source": "efs-monitor.schedule", "stack": stack.name})

        stack.live()
        live()
        live()
        stack.deploy()
        for began, update in sorted(updates.items()):
            while minute() < began:
                live()
            sandbox.cloudformation.pause = live_with_hourly_runs
            update(stack)
            sandbox.events.wait_for_background()
            updating.append(range(began, minute()))
        while minute() < MINUTES:
            live()

        def line(one: Any) -> tuple[int, str, str | None]:
            return (one.time - start) // MINUTE, one.topic_name, one.subject

        return IncidentTold(
            published=sorted(map(line, sandbox.mailbox.publications), key=lambda one: (one[0], str(one))),
            received=set(map(line, sandbox.mailbox.mails)),
            failed=[one.message for one in sandbox.logs.lines if '"level":"ERROR"' in one.message],
            updating=updating,
        )


def with_larger_functions(template: dict[str, Any]) -> None:
    """Each is updated, Explain among them, and the layer is not."""
    for one in template["Resources"].values():
        if one["Type"] in {"AWS::Serverless::Function", "AWS::Lambda::Function"}:
            one["Properties"]["Description"] = "a release later"


def refused_and_rolled_back(stack: StackUnderTest) -> None:
    with pytest.raises(DeploymentRefused):
        stack.deploy_changed(without_last_resource, WarningMinutes="200", CriticalMinutes="90")


@pytest.mark.days
def test_updates_amid_an_incident_change_nothing_of_what_is_told_of_it(built: Path, tmp_path: Path) -> None:
    """Other lead times while Critical is on, and back as the credits end; another address at zero; and an update that
    is rolled back at the next zero.
    """
    undisturbed = told_of_the_incident(tmp_path / "undisturbed", built, {})
    updated = told_of_the_incident(
        tmp_path / "updated",
        built,
        {
            AMID_CRITICAL: lambda stack: stack.deploy(CriticalMinutes="45", RunbookUrl="https://example.com/runbook"),
            AS_THEY_END: lambda stack: stack.deploy_changed(with_larger_functions, CriticalMinutes="60"),
            AT_ZERO: lambda stack: stack.deploy(AlertEmail="night-shift@example.com"),
            AT_ZERO_AGAIN: refused_and_rolled_back,
        },
    )
    assert updated.published == undisturbed.published
    assert updated.received == undisturbed.received == set(undisturbed.published)
    assert updated.failed == undisturbed.failed == []
    gone = [minute for minute, _, subject in updated.published if str(subject).startswith('ALARM: "home-exhausted"')]
    critical = [minute for minute, _, subject in updated.published if '"home-critical"' in str(subject)]
    amid_critical, as_they_end, at_zero, at_zero_again = updated.updating
    assert critical[1] < amid_critical[0]
    assert amid_critical[-1] < gone[0] < critical[2]
    assert gone[0] in as_they_end
    assert {minutes_left(minute) for minute in at_zero} == {0}
    assert gone[1] < at_zero_again[0]
