"""Runs a benchmark of a deployed stack now, and prints what it found.

The stack's own function decides whether a run would do harm, and starts it; this command only asks it to, and reads the
results from Systems Manager. The metrics follow a moment later, as those of a scheduled run do.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from efs_monitor.aws.systems_manager import invocation_from
from efs_monitor.benchmarks.plan import decode
from efs_monitor.benchmarks.results import Report, Status, parse
from efs_monitor.benchmarks.sent_commands import RUNNING, SKIPPED, Invocation, ran_nothing, succeeded, why_failed
from efs_monitor.efs.credits import GIB

from operate.benchmark.on_demand_request import Wish, ask
from operate.benchmark.results_table import as_json, machines_as_json, table
from operate.described_stack import DescribedStack
from operate.environment import Refused
from operate.interruption import Interrupted
from operate.progress import progress_bar
from operate.terminal import wrapped

PAUSE_SECONDS = 2
# Output may show a little later than the status.
OUTPUT_ATTEMPTS = 15


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A run that is under way: its command, when its script gives up and when it is killed (`allowed`), and the longest
    that it all can take.
    """

    run_id: str
    command_id: str
    plan: str
    expected_seconds: float
    most_seconds: float
    allowed: timedelta
    instances: int


@dataclass(frozen=True, kw_only=True)
class Clock:
    """Time as it passes for whoever waits."""

    now: Callable[[], float] = time.monotonic
    pause: Callable[[], None] = lambda: time.sleep(PAUSE_SECONDS)


def benchmark(
    stack: DescribedStack,
    wish: Wish,
    *,
    show: Callable[[str], None] = print,
    clock: Clock | None = None,
    write: Callable[[object], None] = lambda _: None,
) -> bool:
    """Run one and show its results; whether everything was measured. Refused where it was skipped, with what to do.
    `write` gets the results as plain values.
    """
    clock = clock or Clock()
    sent = _sent(stack, ask(stack, wish), show, clock)
    try:
        invocations = _awaited(stack, sent, clock)
    except KeyboardInterrupt as interrupt:
        raise Interrupted(
            f"Interrupted. {sent.run_id} goes on by itself and its metrics will come; to end it: aws ssm "
            f"cancel-command --command-id {sent.command_id} --region {stack.account.region}"
        ) from interrupt
    plan = decode(sent.plan)
    reports = [parse(one.output, plan) for one in invocations]
    for line in table(reports):
        show(line)
    failures = [
        sentence
        for invocation, report in zip(invocations, reports, strict=True)
        for sentence in _failures(invocation, report, sent.allowed)
    ]
    for sentence in failures:
        show(wrapped(sentence))
    is_whole = all(succeeded(one) for one in invocations) and all(_is_whole(report) for report in reports)
    write(
        {
            "ok": is_whole,
            "run_id": sent.run_id,
            "file_system_id": stack.parameters.get("FileSystemId", ""),
            "failures": failures,
            "machines": machines_as_json(reports),
            "results": as_json(reports),
        }
    )
    return is_whole


def _sent(stack: DescribedStack, told: dict[str, Any], show: Callable[[str], None], clock: Clock) -> Sent:
    command = _listed(stack, told["command_id"], clock)
    parameters = {name: values[0] for name, values in command["Parameters"].items()}
    show(
        wrapped(
            f"{told['run_id']}: {len(told['workloads'])} workloads on {', '.join(told['instances'])}, for at most "
            f"{told['cost_bytes'] / GIB:.2f} GiB of credits, or billed"
        )
    )
    delivery_seconds = (command["ExpiresAfter"] - command["RequestedDateTime"]).total_seconds()
    return Sent(
        run_id=told["run_id"],
        command_id=told["command_id"],
        plan=parameters["Plan"],
        expected_seconds=float(parameters["DeadlineSeconds"]),
        most_seconds=delivery_seconds + float(parameters["ExecutionTimeout"]),
        allowed=timedelta(seconds=float(parameters["ExecutionTimeout"])),
        instances=len(told["instances"]),
    )


def _listed(stack: DescribedStack, command_id: str, clock: Clock) -> dict[str, Any]:
    """The command; Refused where Systems Manager does not list it, which may take it some moments."""
    for _ in range(OUTPUT_ATTEMPTS):
        commands: list[dict[str, Any]] = stack.account.client("ssm").list_commands(CommandId=command_id)["Commands"]
        if commands:
            return commands[0]
        clock.pause()
    raise Refused(
        f"The benchmark was sent as the command {command_id}, which Systems Manager does not list "
        "yet: look for it under Run Command"
    )


def _awaited(stack: DescribedStack, sent: Sent, clock: Clock) -> Sequence[Invocation]:
    """What became of it on each instance; Refused where it takes longer than it can."""
    began = clock.now()
    with progress_bar("waiting for the instances") as told:
        while True:
            listed = _invocations(stack, sent)
            still = [one["InstanceId"] for one in listed if one["Status"] in RUNNING]
            if len(listed) >= sent.instances and not still:
                break
            seconds = clock.now() - began
            if seconds > sent.most_seconds:
                raise Refused(
                    f"{sent.run_id} has not ended after {seconds:.0f} s on {', '.join(still) or 'any instance'}: see "
                    f"the command {sent.command_id} in Systems Manager"
                )
            done = f"{len(listed) - len(still)} of {sent.instances} instances are done"
            told(seconds, sent.expected_seconds, f"{seconds:.0f} s, {done}")
            clock.pause()
    return [_read(stack, sent, one["InstanceId"], clock) for one in listed]


def _invocations(stack: DescribedStack, sent: Sent) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = stack.account.client("ssm").list_command_invocations(CommandId=sent.command_id)[
        "CommandInvocations"
    ]
    return found


def _read(stack: DescribedStack, sent: Sent, instance_id: str, clock: Clock) -> Invocation:
    """What an instance told at last: Systems Manager may know of it, and of its output, some moments later."""
    ssm = stack.account.client("ssm")
    for _ in range(OUTPUT_ATTEMPTS):
        with suppress(ssm.exceptions.InvocationDoesNotExist):
            told = ssm.get_command_invocation(CommandId=sent.command_id, InstanceId=instance_id)
            if told["StandardOutputContent"] or not told["ExecutionStartDateTime"]:
                return invocation_from(told)
        clock.pause()
    return invocation_from(ssm.get_command_invocation(CommandId=sent.command_id, InstanceId=instance_id))


def _failures(invocation: Invocation, report: Report, allowed: timedelta) -> Sequence[str]:
    """Sentences about what no line of the table says."""
    found = []
    if report.machine is not None and report.machine.refused:
        found.append(f"{invocation.instance_id} refused to run anything: {report.machine.refused}")
    elif ran_nothing(invocation):
        found.append(f"{invocation.instance_id}: {SKIPPED}")
    elif not succeeded(invocation):
        found.append(f"{invocation.instance_id}: {why_failed(invocation, allowed)}")
    if report.unreadable_lines:
        found.append(f"{invocation.instance_id}: {report.unreadable_lines} lines of its output could not be read")
    return found


def _is_whole(report: Report) -> bool:
    return all(result.status is not Status.FAILED for result in report.results)
