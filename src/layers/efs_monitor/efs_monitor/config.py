"""What a function is told by its environment; a missing variable becomes one sentence that names it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from efs_monitor.alarms.alarm_definition import Wiring
from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.errors import SettingsRefused
from efs_monitor.stack_functions import StackFunction
from efs_monitor.stack_identity import StackIdentity

# A stack without benchmarks has neither function.
_BENCHMARKS = {
    StackFunction.RUN_BENCHMARK: "RUN_BENCHMARK_FUNCTION",
    StackFunction.COLLECT_BENCHMARK: "COLLECT_BENCHMARK_FUNCTION",
}
REDEPLOY = "deploy the function from template.yaml"


@dataclass(frozen=True, kw_only=True)
class Config:
    """The stack a function belongs to, and whom it tells.

    `runbook_url` is empty where people have no page of their own, `benchmark_profile` where nothing is measured.
    `chat_messages` says whether subscribers by https get the form that a chat shows.
    Without a `dashboard` nobody looks at the metric that is published for it. `state_parameter` is where the
    notification state lies, empty for a function that does not read it.
    """

    stack_name: str
    stack_id: str
    file_system_id: str
    advice_topic_arn: str
    runbook_url: str
    benchmark_profile: str = ""
    chat_messages: bool = False
    dashboard: bool = True
    state_parameter: str = ""


def config_from(environment: Mapping[str, str]) -> Config:
    """Read what every function needs; raises SettingsRefused naming the variable that is missing."""
    return Config(
        stack_name=required(environment, "STACK_NAME"),
        stack_id=_stack_id(environment),
        file_system_id=required(environment, "FILE_SYSTEM_ID"),
        advice_topic_arn=_topic_arn(environment, Topic.ADVICE.variable),
        runbook_url=environment.get("RUNBOOK_URL", ""),
        benchmark_profile=environment.get("BENCHMARK_PROFILE", ""),
        chat_messages=environment.get("CHAT_MESSAGES") == "on",
        dashboard=environment.get("DASHBOARD") != "off",
        state_parameter=environment.get("TOLD_PARAMETER", ""),
    )


def settings_from(
    values: Mapping[str, object],
    names: tuple[str, str, str] = ("WARNING_MINUTES", "CRITICAL_MINUTES", "RISE_TOLERANCE_PERCENT"),
) -> Settings:
    """Lead times and tolerance under these names, which come as text; SettingsRefused names a wrong one."""
    warning, critical, rise = (whole_number(values, name) for name in names)
    return Settings(warning_minutes=warning, critical_minutes=critical, rise_tolerance_percent=rise)


def wiring_from(environment: Mapping[str, str]) -> Wiring:
    """What the stack's alarms watch and whom they tell."""
    return Wiring(
        file_system_id=required(environment, "FILE_SYSTEM_ID"),
        warning_topic_arn=_topic_arn(environment, Topic.WARNING.variable),
        critical_topic_arn=_topic_arn(environment, Topic.CRITICAL.variable),
        explain_arn=required(environment, "EXPLAIN_ARN"),
    )


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


@dataclass(frozen=True, kw_only=True)
class BenchmarkSettings:
    """What an operator chose about benchmarks; `size_mib` 0 means the profile's own sizes.

    Without `instance_ids` every tagged instance measures, without a `local_path` there is no local baseline.
    """

    document_name: str
    parameter_name: str
    path: str
    local_path: str
    profile: str
    size_mib: int
    instance_ids: tuple[str, ...]
    max_credit_share_percent: int
    monthly_gib_budget: int


def benchmark_settings_from(environment: Mapping[str, str]) -> BenchmarkSettings:
    """Read what a run needs besides; SettingsRefused names what is missing or wrong."""
    ids = environment.get("BENCHMARK_INSTANCE_IDS", "")
    return BenchmarkSettings(
        document_name=required(environment, "DOCUMENT_NAME"),
        parameter_name=required(environment, "BENCHMARKS_PARAMETER"),
        path=required(environment, "BENCHMARK_PATH"),
        local_path=environment.get("BENCHMARK_LOCAL_PATH", ""),
        profile=required(environment, "BENCHMARK_PROFILE"),
        size_mib=whole_number(environment, "BENCHMARK_SIZE_MIB"),
        instance_ids=tuple(ids.split(",")) if ids else (),
        max_credit_share_percent=whole_number(environment, "MAX_CREDIT_SHARE_PERCENT"),
        monthly_gib_budget=whole_number(environment, "MONTHLY_GIB_BUDGET"),
    )


@dataclass(frozen=True, kw_only=True)
class CollectionSettings:
    """The names of the document whose runs are collected, and of the parameter that holds the ledger; and what the
    stack's own schedule measures.

    `size_mib` 0 means the profile's own sizes. Without a `local_path` there is no local baseline.
    """

    document_name: str
    parameter_name: str
    profile: str
    size_mib: int
    local_path: str


def collection_settings_from(environment: Mapping[str, str]) -> CollectionSettings:
    """Read what a collection needs besides; SettingsRefused names what is missing or wrong."""
    return CollectionSettings(
        document_name=required(environment, "DOCUMENT_NAME"),
        parameter_name=required(environment, "BENCHMARKS_PARAMETER"),
        profile=required(environment, "BENCHMARK_PROFILE"),
        size_mib=whole_number(environment, "BENCHMARK_SIZE_MIB"),
        local_path=environment.get("BENCHMARK_LOCAL_PATH", ""),
    )


@dataclass(frozen=True, kw_only=True)
class FleetSettings:
    """What an operator chose for a fleet; `monitor_parameters` and `tag` as they were written, `dashboard_name` empty
    where there is none, `stack_id` of the fleet's own stack; `topic_arns` are those that it makes, by the ends of
    their names, and subscribes `alert_email` to unless that is empty.
    """

    name: str
    stack_id: str
    template_url: str
    tag: str
    monitor_parameters: str
    grace_hours: int
    digest_hour: int
    role_arn: str
    notes_parameter: str
    topic_arns: Mapping[str, str]
    alert_email: str
    region: str
    dashboard_name: str


def fleet_settings_from(environment: Mapping[str, str]) -> FleetSettings:
    """Read what a fleet needs; SettingsRefused names what is missing or wrong."""
    name, stack_id = required(environment, "FLEET_NAME"), _stack_id(environment)
    return FleetSettings(
        name=name,
        stack_id=stack_id,
        template_url=required(environment, "TEMPLATE_URL"),
        tag=environment.get("FLEET_TAG", ""),
        monitor_parameters=environment.get("MONITOR_PARAMETERS", ""),
        grace_hours=whole_number(environment, "GRACE_HOURS"),
        digest_hour=whole_number(environment, "DIGEST_HOUR"),
        role_arn=required(environment, "SERVICE_ROLE_ARN"),
        notes_parameter=required(environment, "NOTES_PARAMETER"),
        # Lambda's own variable.
        region=required(environment, "AWS_REGION"),
        dashboard_name=environment.get("DASHBOARD_NAME", ""),
        topic_arns=_fleet_topic_arns(name, stack_id),
        alert_email=environment.get("ALERT_EMAIL", ""),
    )


def topic_arns_from(environment: Mapping[str, str]) -> dict[str, str]:
    """The stack's three topics, by the end of their name."""
    return {topic: _topic_arn(environment, topic.variable) for topic in Topic}


def _fleet_topic_arns(name: str, stack_id: str) -> dict[str, str]:
    """Made of the fleet's name and where its stack is: the environment of its function has no room for them."""
    fleet = replace(StackIdentity.of(stack_id), stack_name=name)
    return {topic: fleet.own_topic_arn(topic) for topic in Topic}


def required(environment: Mapping[str, str], name: str) -> str:
    """The variable's value; SettingsRefused where it is missing or empty."""
    value = environment.get(name, "")
    if not value:
        raise SettingsRefused(f"The environment variable {name} is not set; {REDEPLOY}")
    return value


def _stack_id(environment: Mapping[str, str]) -> str:
    value = required(environment, "STACK_ID")
    if not re.fullmatch(r"arn:[^:]+:cloudformation:[^:]+:[0-9]{12}:stack/[^:]+", value):
        raise SettingsRefused(f"The environment variable STACK_ID is {value!r}, not the id of a stack; {REDEPLOY}")
    return value


def _topic_arn(environment: Mapping[str, str], name: str) -> str:
    value = required(environment, name)
    if not re.fullmatch(r"arn:[^:]+:sns:[^:]+:[0-9]{12}:[^:]+", value):
        raise SettingsRefused(f"The environment variable {name} is {value!r}, not the ARN of a topic; {REDEPLOY}")
    return value


def whole_number(values: Mapping[str, object], name: str) -> int:
    """The number that stands there as text; SettingsRefused names what does not."""
    value = values.get(name)
    if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value):
        return int(value)
    if value in (None, ""):
        raise SettingsRefused(f"{name} is not set, but must be a whole number; {REDEPLOY}")
    raise SettingsRefused(f"{name} is {value!r}, but must be a whole number")
