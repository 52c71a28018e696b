"""What a run came to, from its plan and from what became of it on each instance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from efs_monitor.benchmarks.cost import Cost, run_cost
from efs_monitor.benchmarks.deadline import execution_timeout_seconds
from efs_monitor.benchmarks.overlap import Lap, Overlap, overlap
from efs_monitor.benchmarks.results import Machine, Report, Result, Status, parse
from efs_monitor.benchmarks.sent_commands import SKIPPED, Invocation, ran_nothing, succeeded, why_failed
from efs_monitor.benchmarks.workloads import Target, Workload

# No run lasts longer; an instance that says so has a clock that jumped.
LONGEST_RUN_SECONDS = timedelta(days=2).total_seconds()
LONGEST_SAYING_CHARACTERS = 300
LEFT_BEHIND = "what it left behind is not removed yet, and counts as stored"


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Something that failed, with its reason in words: a workload on an instance; with an empty `workload_id` the
    instance, and all of which it said nothing; with an empty `instance_id` as well, the run.
    """

    instance_id: str
    workload_id: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class InstanceOutcome:
    """What one instance did, one result for each workload of the plan; `cost` is the most that it can have taken.

    `machine` is None where it said nothing of itself; `left` is what it could not remove, and why.
    """

    instance_id: str
    machine: Machine | None
    results: tuple[Result, ...]
    failures: tuple[Failure, ...]
    unreadable_lines: int
    left: str
    cost: Cost

    @property
    def got_through(self) -> bool:
        """Whether it took part in the run to the end, so that it has seen what lies there."""
        return self.machine is not None and not self.machine.refused and all(result.reported for result in self.results)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One workload, from every instance that measured it; `time` is the run's own, the same for all of them."""

    workload: Workload
    time: datetime
    rates: tuple[float, ...]
    fleet: Overlap | None

    @property
    def typical_rate(self) -> float:
        """The median of the instances."""
        return median(self.rates)


@dataclass(frozen=True, kw_only=True)
class RunOutcome:
    """A run that has ended. `time` is when the first instance began, or when it was sent where none ever did."""

    run_id: str
    time: datetime
    instances: tuple[InstanceOutcome, ...]
    measured: tuple[Measured, ...]
    failures: tuple[Failure, ...]
    cost: Cost

    @property
    def success(self) -> bool:
        """Whether all that was planned was done everywhere, and something was measured.

        A workload that is skipped because its tool is missing is no failure; a run of nothing else measured nothing.
        """
        return not self.failures


def run_outcome(run_id: str, sent: datetime, plan: Sequence[Workload], invocations: Sequence[Invocation]) -> RunOutcome:
    """What the run came to. The same invocations, in any order, give the same outcome.

    A rate's time is the run's plus how long after the first workload of its instance that one began, the least of all
    instances: clocks are not compared for it, and all rates of a workload share one time. A workload that did not end
    well has no rate at all, never one of zero.
    """
    instances = tuple(
        _instance(each, plan, len(invocations)) for each in sorted(invocations, key=lambda one: one.instance_id)
    )
    time = min((each.started for each in invocations if each.started is not None), default=sent)
    measured = tuple(found for workload in plan if (found := _measured(workload, time, instances)))
    failures = [failure for instance in instances for failure in instance.failures]
    if not instances:
        failures.append(_of_the_run("Systems Manager has no instance for the command: none had the tag, or it is gone"))
    elif not measured and not failures:
        failures.append(_of_the_run("nothing was measured: every workload was skipped"))
    return RunOutcome(
        run_id=run_id,
        time=time,
        instances=instances,
        measured=measured,
        failures=tuple(failures),
        cost=Cost(
            metered_bytes=sum(instance.cost.metered_bytes for instance in instances),
            billed_bytes=sum(instance.cost.billed_bytes for instance in instances),
        ),
    )


def _instance(invocation: Invocation, plan: Sequence[Workload], together: int) -> InstanceOutcome:
    report = parse(invocation.output, plan)
    allowed = timedelta(seconds=execution_timeout_seconds(plan))
    return InstanceOutcome(
        instance_id=invocation.instance_id,
        machine=report.machine,
        results=report.results,
        failures=tuple(_failures(invocation, report, allowed)),
        unreadable_lines=report.unreadable_lines,
        left=report.left,
        cost=_cost(invocation, report, together),
    )


def _failures(invocation: Invocation, report: Report, allowed: timedelta) -> Iterator[Failure]:
    """Each workload that says why it failed, then what could not be removed, then once, for all of which nothing was
    said, what befell the instance.
    """
    if ran_nothing(invocation):
        yield Failure(instance_id=invocation.instance_id, workload_id="", reason=SKIPPED)
        return
    for result in report.results:
        if result.status is Status.FAILED and (result.reported or succeeded(invocation)):
            yield Failure(instance_id=invocation.instance_id, workload_id=result.workload.id, reason=result.reason)
    if report.left:
        yield Failure(instance_id=invocation.instance_id, workload_id="", reason=f"{LEFT_BEHIND}: {report.left}")
    said_why = bool(report.left) or any(result.status is Status.FAILED and result.reported for result in report.results)
    silent = any(not result.reported for result in report.results)
    if not succeeded(invocation) and (silent or not said_why):
        yield Failure(instance_id=invocation.instance_id, workload_id="", reason=_why(invocation, report, allowed))


def _why(invocation: Invocation, report: Report, allowed: timedelta) -> str:
    if report.machine and report.machine.refused:
        return report.machine.refused
    why, said = why_failed(invocation, allowed), " ".join(invocation.error_output.split())[-LONGEST_SAYING_CHARACTERS:]
    return f"{why}: {said}" if said else why


def _of_the_run(reason: str) -> Failure:
    return Failure(instance_id="", workload_id="", reason=reason)


def _cost(invocation: Invocation, report: Report, together: int) -> Cost:
    """What it can have taken at most: where nothing is known of a workload, it may have run."""
    # Of an instance that vanished in the middle Systems Manager says no more than that it is at it.
    under_way = invocation.status in {"InProgress", "Cancelling"}
    if invocation.started is None and report.machine is None and not under_way:
        return Cost(metered_bytes=0, billed_bytes=0)
    if report.machine and report.machine.refused:
        return run_cost((), instances=1)
    ran = [result.workload for result in report.results if result.status is not Status.SKIPPED]
    of_all = run_cost(ran, together)
    return Cost(metered_bytes=of_all.metered_bytes // together, billed_bytes=of_all.billed_bytes // together)


def _measured(workload: Workload, time: datetime, instances: Sequence[InstanceOutcome]) -> Measured | None:
    laps = []
    rates = []
    offsets = []
    for instance in instances:
        begins = [result.started for result in instance.results if result.started]
        for result in instance.results:
            if result.workload == workload and result.status is Status.OK:
                offsets.append(min(result.started - min(begins), LONGEST_RUN_SECONDS))
                laps.append(_lap(instance.instance_id, result))
                rates.append(result.rate)
    if not laps:
        return None
    return Measured(
        workload=workload,
        time=time + timedelta(seconds=min(offsets)),
        rates=tuple(rates),
        # Each instance has a disk of its own: nothing is shared there.
        fleet=overlap(laps) if workload.on is Target.EFS else None,
    )


def _lap(instance_id: str, result: Result) -> Lap:
    amount = result.workload.amount
    return Lap(instance_id=instance_id, started=result.started, ended=result.ended, amount=amount)
