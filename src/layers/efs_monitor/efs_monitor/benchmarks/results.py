"""What an instance says of a run: the lines of the script's standard output, as far as they are whole.

Each line is one JSON object. The agent sends less than 24,000 bytes, a killed script stops in the middle of a line, and
an instance may say anything: what is not whole and plausible is no result, and counts as failed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from efs_monitor.benchmarks.json_lines import json_object, number, text, texts, whole_number
from efs_monitor.benchmarks.workloads import RateKind, Workload

FORMAT_VERSION = 1
# From so many bytes on the agent cuts standard output, and ends it with a mark; the worst profile stays below that.
CUT_OUTPUT_BYTES = 24_000
CUT_MARK = "--output truncated--"
# More than any instance's network carries, and more files than any file system makes, in a second.
GREATEST_RATE = {RateKind.THROUGHPUT: 100 * 1000**3, RateKind.OPERATIONS: 10 * 1000**2}
# No step of a document runs longer than two days (Systems Manager, executionTimeout).
LONGEST_SECONDS = 172_800.0
NO_LINE = "no whole result line arrived"
CUT_OFF = f"its result was cut off: the agent sends less than {CUT_OUTPUT_BYTES:,} bytes of output"


class Status(StrEnum):
    """How a workload ended on an instance."""

    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class Machine:
    """What is known of the instance; words that it did not say are empty. `refused` is why it ran nothing."""

    run_id: str
    instance_id: str
    instance_type: str
    kernel: str
    mount_options: str
    read_ahead_kb: int | None
    agent: str
    user: str
    tools: tuple[tuple[str, str], ...]
    refused: str = ""


@dataclass(frozen=True, kw_only=True)
class Result:
    """One workload on one instance. `started` and `ended` are seconds since 1970 by the instance's clock, 0 where
    unknown; `seconds` is what the rate is worked out from, 0 unless `status` is OK. `reported` is False where nothing
    whole arrived about it.
    `processes` is how many of its tool ran where it started fewer than `threads`, None otherwise.
    """

    workload: Workload
    status: Status
    reason: str = ""
    seconds: float = 0.0
    started: float = 0.0
    ended: float = 0.0
    reported: bool = True
    processes: int | None = None

    @property
    def rate(self) -> float:
        """Bytes or files per second, as the workload counts; 0 unless it is OK, and then never published."""
        return self.workload.amount / self.seconds if self.status is Status.OK else 0.0


@dataclass(frozen=True, kw_only=True)
class Report:
    """One result for each workload of the plan, in its order, and how many lines were no use at all.

    `machine` is None where its line did not arrive. `left` is what the script could not remove when it ended, and why;
    empty where nothing is left.
    """

    machine: Machine | None
    results: tuple[Result, ...]
    unreadable_lines: int = 0
    left: str = ""


def parse(stdout: str, plan: Sequence[Workload]) -> Report:
    """What `stdout` says of `plan`.

    A workload without a whole, plausible line is FAILED; its reason tells what was wrong. Of two lines about the same
    workload or machine the first counts, and so of what is left. Lines that are no JSON object, of an unknown type,
    about a workload that is not in the plan, or a repetition, are counted as unreadable.
    """
    planned = {workload.id: workload for workload in plan}
    results: dict[str, Result] = {}
    machine: Machine | None = None
    unreadable = 0
    left = ""
    for line in stdout.split("\n"):
        if not line.strip():
            continue
        values = json_object(line) or {}
        workload = planned.get(text(values, "id"))
        if values.get("type") == "machine" and machine is None and values.get("version") == FORMAT_VERSION:
            machine = _machine(values)
        elif values.get("type") == "workload" and workload is not None and workload.id not in results:
            results[workload.id] = _result(values, workload)
        elif values.get("type") == "left" and not left:
            left = text(values, "reason") or "no reason given"
        else:
            unreadable += 1
    silent = machine.refused if machine and machine.refused else NO_LINE
    if stdout.endswith(CUT_MARK):
        silent = CUT_OFF
    return Report(
        machine=machine,
        results=tuple(
            results.get(workload.id) or replace(_failed(workload, silent), reported=False) for workload in plan
        ),
        unreadable_lines=unreadable,
        left=left,
    )


def _machine(values: Mapping[str, object]) -> Machine:
    return Machine(
        run_id=text(values, "run"),
        instance_id=text(values, "instance"),
        instance_type=text(values, "instance_type"),
        kernel=text(values, "kernel"),
        mount_options=text(values, "mount_options"),
        read_ahead_kb=whole_number(values, "read_ahead_kb"),
        agent=text(values, "agent"),
        user=text(values, "user"),
        tools=tuple(texts(values, "tools")),
        refused=text(values, "refused"),
    )


def _result(values: Mapping[str, object], workload: Workload) -> Result:
    status = values.get("status")
    started = number(values, "started") or 0.0
    ended = number(values, "ended") or 0.0
    if status == Status.OK:
        if wrong := _implausible(values, workload):
            return _failed(workload, wrong, started)
        seconds = number(values, "seconds") or 0.0
        return Result(
            workload=workload,
            status=Status.OK,
            seconds=seconds,
            started=started,
            ended=ended,
            processes=whole_number(values, "processes"),
        )
    reason = text(values, "reason") or "no reason given"
    if status == Status.SKIPPED:
        return Result(workload=workload, status=Status.SKIPPED, reason=reason, started=started)
    if status == Status.FAILED:
        return _failed(workload, reason, started)
    return _failed(workload, f"its status is {text(values, 'status')!r}")


def _implausible(values: Mapping[str, object], workload: Workload) -> str:
    """Why what is said to be OK is no measurement; empty where it is one."""
    for key, expected in (("files", workload.files), ("bytes", workload.bytes)):
        if whole_number(values, key) != expected:
            return f"it did {key}={text(values, key) or 'nothing'} instead of {expected}"
    seconds, started, ended = (number(values, key) for key in ("seconds", "started", "ended"))
    if seconds is None or seconds > LONGEST_SECONDS or workload.amount / seconds > GREATEST_RATE[workload.rate_kind]:
        return f"it took seconds={text(values, 'seconds') or 'none'}, which can not be"
    if started is None or ended is None or not started <= ended <= started + LONGEST_SECONDS:
        return (
            f"it ran from {text(values, 'started') or 'never'} to {text(values, 'ended') or 'never'}, which can not be"
        )
    return ""


def _failed(workload: Workload, reason: str, started: float = 0.0) -> Result:
    return Result(workload=workload, status=Status.FAILED, reason=reason, started=started)
