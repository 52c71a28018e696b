"""What an operator chose about mails that repeat and about silence, read from a function's environment."""

from collections.abc import Mapping
from dataclasses import dataclass

from efs_monitor.config import required, whole_number
from efs_monitor.stack_functions import StackFunction

_BENCHMARKS = {
    StackFunction.RUN_BENCHMARK: "RUN_BENCHMARK_FUNCTION",
    StackFunction.COLLECT_BENCHMARK: "COLLECT_BENCHMARK_FUNCTION",
}


@dataclass(frozen=True, kw_only=True)
class RepeatHours:
    """How many hours apart the mails about a lasting Warning or Critical are; 0 is never."""

    warning: int
    critical: int


@dataclass(frozen=True, kw_only=True)
class HealthSettings:
    """What an operator chose about silence, and the functions that are watched; 0 hours or dollars switch a report
    off.

    `own_topics` are those that the stack makes, and subscribes `alert_email` to. `benchmarks_parameter` holds the
    ledger of benchmarks, and `benchmark_path` is where instances have the file system; where there are no benchmarks
    both are empty.
    """

    alert_email: str
    own_topics: frozenset[str]
    silent_metrics_hours: int
    repeat_hours: RepeatHours
    function_names: Mapping[str, str]
    elastic_daily_dollars: int = 0
    benchmarks_parameter: str = ""
    benchmark_path: str = ""


def watch_from(environment: Mapping[str, str]) -> HealthSettings:
    """Read what the report of silence needs besides; `function_names` are by logical id."""
    return HealthSettings(
        alert_email=environment.get("ALERT_EMAIL", ""),
        own_topics=frozenset(environment.get("OWN_TOPICS", "").split()),
        silent_metrics_hours=whole_number(environment, "SILENT_METRICS_HOURS"),
        repeat_hours=RepeatHours(
            warning=whole_number(environment, "REPEAT_WARNING_HOURS"),
            critical=whole_number(environment, "REPEAT_CRITICAL_HOURS"),
        ),
        function_names={
            StackFunction.RECALCULATE_THRESHOLDS: required(environment, "RECALCULATE_FUNCTION"),
            StackFunction.EXPLAIN: required(environment, "EXPLAIN_FUNCTION"),
            StackFunction.SET_LATE_ALARMS: required(environment, "SET_LATE_ALARMS_FUNCTION"),
            # Lambda's own variable: a function cannot refer to itself in the template.
            StackFunction.REPORT_SILENCE: required(environment, "AWS_LAMBDA_FUNCTION_NAME"),
            **{name: environment[variable] for name, variable in _BENCHMARKS.items() if environment.get(variable)},
        },
        elastic_daily_dollars=whole_number(environment, "ELASTIC_DAILY_USD"),
        benchmarks_parameter=environment.get("BENCHMARKS_PARAMETER", ""),
        benchmark_path=environment.get("BENCHMARK_PATH", ""),
    )
