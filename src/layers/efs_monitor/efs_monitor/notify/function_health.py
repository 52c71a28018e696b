"""Whether the monitor's own functions run: one that fails again and again, one that its schedule does not start."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.notify.health_finding import Condition, Finding, Verdict, all_but, times_of
from efs_monitor.notify.health_observations import HealthObservations, Runs
from efs_monitor.stack_functions import StackFunction

# What nobody does, or notices, while its schedule does not start a function.
UNDONE = {
    StackFunction.SET_LATE_ALARMS: "while metrics come late, nobody sets the alarms that CloudWatch leaves as they are",
    StackFunction.COLLECT_BENCHMARK: "a benchmark whose event is lost is not collected",
}
# Lambda tries an event three times: after fewer failures it was seen to by one of the retries.
FAILURES_WORTH_TELLING = 3
# Long enough for three hourly runs, and for the retries of one that failed. No schedule that is judged starts its
# function less often than once an hour.
RUNS_SEEN = timedelta(hours=3)
# A function starts within seconds, and its metrics come some minutes later.
RUNS_SHOW_WITHIN = timedelta(minutes=20)
# How many runs of the report show that schedules have had the time to start what they start.
RUNS_THAT_SHOW_TIME_PASSED = 2
# In how many of the last hours a function is started again and again, and not by a benchmark's event or by hand.
HOURS_THAT_SHOW_A_SCHEDULE = 3


def about_functions(seen: HealthObservations, now: datetime) -> Verdict:
    """The monitor's own functions: one that fails again and again, and one that its schedule does not start at all."""
    functions, idle = seen.functions, not_started(seen, now)
    found = [
        Finding(
            condition=Condition.FUNCTION_FAILS,
            about=name,
            detail=f"{name}: {one.errors:.0f} of {times_of(one.invocations, 'run', 'runs')} failed in the last hours",
        )
        for name, one in functions.items()
        if one.errors >= FAILURES_WORTH_TELLING
    ]
    if (called := _explain_called_in_vain(seen, now)) is not None:
        found.append(
            Finding(
                condition=Condition.FUNCTION_FAILS,
                about=StackFunction.EXPLAIN,
                detail=f"Explain: called by an alarm at {called:%H:%M} UTC, and not run since: throttled, as it seems",
            )
        )
    if StackFunction.RECALCULATE_THRESHOLDS in idle:
        found.append(Finding(condition=Condition.NOT_RECALCULATED))
    found += [
        Finding(condition=Condition.NOT_STARTED, about=name, detail=f"{name}: {what}")
        for name, what in UNDONE.items()
        if name in idle
    ]
    still_failing = {
        f"{Condition.FUNCTION_FAILS}:{name}"
        for name, one in functions.items()
        # Not run, or failed now and then: neither shows that it works.
        if one.invocations == 0 or one.errors > 0
    }
    not_run = (
        {Condition.NOT_RECALCULATED} if functions[StackFunction.RECALCULATE_THRESHOLDS].invocations == 0 else set()
    )
    not_started_for_long = {
        f"{Condition.NOT_STARTED}:{name}" for name, one in functions.items() if one.hours < HOURS_THAT_SHOW_A_SCHEDULE
    }
    judged = {f"{one}:{name}" for one in (Condition.FUNCTION_FAILS, Condition.NOT_STARTED) for name in functions}
    return Verdict(
        found=tuple(found),
        undecided=(still_failing | not_run | not_started_for_long).__contains__,
        forgotten=all_but(judged, Condition.FUNCTION_FAILS, Condition.NOT_STARTED),
    )


def not_started(seen: HealthObservations, now: datetime) -> frozenset[str]:
    """The functions that have a schedule which did not start them once in the last hours.

    That the report itself ran meanwhile, and that no deployment made them only now, shows that there was time for it.
    """
    was_deployed = seen.deployed is not None and now - seen.deployed < RUNS_SEEN
    if was_deployed or seen.functions[StackFunction.REPORT_SILENCE].invocations < RUNS_THAT_SHOW_TIME_PASSED:
        return frozenset()
    return frozenset(name for name in (StackFunction.RECALCULATE_THRESHOLDS, *UNDONE) if is_idle(seen.functions, name))


def is_idle(functions: Mapping[str, Runs], name: str) -> bool:
    """Whether the stack has this function, and it was not invoked in the last hours."""
    return name in functions and functions[name].invocations == 0


def makes_up_for_late_metrics(seen: HealthObservations, now: datetime) -> bool:
    """Whether alarms are set by what came late: the function for it is started, and not each of its runs failed."""
    runs = seen.functions[StackFunction.SET_LATE_ALARMS]
    is_started = StackFunction.SET_LATE_ALARMS not in not_started(seen, now)
    return is_started and (runs.invocations == 0 or runs.errors < runs.invocations)


def _explain_called_in_vain(seen: HealthObservations, now: datetime) -> datetime | None:
    """When an alarm last called the function that writes its mail, where that has not run in the last hours; None where
    it has, or nobody called it. Lambda keeps the call of a function that is throttled for six hours, and counts no run
    and no error.
    """
    since = (now - RUNS_SEEN).replace(minute=0, second=0, microsecond=0)
    calls = [
        one.time
        for one in seen.actions
        if ":function:" in one.target_arn and one.alarm != AlarmKind.RISE and not one.error
    ]
    called = max((one for one in calls if since <= one <= now - RUNS_SHOW_WITHIN), default=None)
    return called if is_idle(seen.functions, StackFunction.EXPLAIN) else None
