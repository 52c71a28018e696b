"""What a function is told by its environment; a missing variable becomes one sentence that names it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from efs_monitor.alarms import Wiring
from efs_monitor.errors import SettingsRefused
from efs_monitor.repeats import RepeatHours
from efs_monitor.thresholds import Settings


@dataclass(frozen=True, kw_only=True)
class Config:
    """The stack a function belongs to, and whom it tells."""

    stack_name: str
    file_system_id: str
    advice_topic_arn: str
    runbook_url: str


def config_from(environment: Mapping[str, str]) -> Config:
    """Read what every function needs; raises SettingsRefused naming the variable that is missing."""
    return Config(
        stack_name=required(environment, "STACK_NAME"),
        file_system_id=required(environment, "FILE_SYSTEM_ID"),
        advice_topic_arn=_topic_arn(environment, "ADVICE_TOPIC_ARN"),
        runbook_url=required(environment, "RUNBOOK_URL"),
    )


def settings_from(
    values: Mapping[str, object],
    names: tuple[str, str, str] = ("WARNING_MINUTES", "CRITICAL_MINUTES", "RISE_TOLERANCE_PERCENT"),
) -> Settings:
    """Lead times and tolerance under these names, which come as text; SettingsRefused names a wrong one."""
    warning, critical, rise = (_whole_number(values, name) for name in names)
    return Settings(warning_minutes=warning, critical_minutes=critical, rise_tolerance_percent=rise)


def wiring_from(environment: Mapping[str, str]) -> Wiring:
    """What the stack's alarms watch and whom they tell."""
    return Wiring(
        file_system_id=required(environment, "FILE_SYSTEM_ID"),
        warning_topic_arn=_topic_arn(environment, "WARNING_TOPIC_ARN"),
        critical_topic_arn=_topic_arn(environment, "CRITICAL_TOPIC_ARN"),
        explain_arn=required(environment, "EXPLAIN_ARN"),
    )


@dataclass(frozen=True, kw_only=True)
class Watch:
    """What an operator chose about silence, and the functions that are watched; 0 hours switch a report off."""

    alert_email: str
    silent_metrics_hours: int
    repeat_hours: RepeatHours
    function_names: Mapping[str, str]
    reporter: str


def watch_from(environment: Mapping[str, str]) -> Watch:
    """Read what the report of silence needs besides; `function_names` are by logical id."""
    return Watch(
        alert_email=environment.get("ALERT_EMAIL", ""),
        silent_metrics_hours=_whole_number(environment, "SILENT_METRICS_HOURS"),
        repeat_hours=RepeatHours(
            warning=_whole_number(environment, "REPEAT_WARNING_HOURS"),
            critical=_whole_number(environment, "REPEAT_CRITICAL_HOURS"),
        ),
        function_names={
            "RecalculateThresholds": required(environment, "RECALCULATE_FUNCTION"),
            "Explain": required(environment, "EXPLAIN_FUNCTION"),
            # Lambda's own variable: a function cannot refer to itself in the template.
            "ReportSilence": required(environment, "AWS_LAMBDA_FUNCTION_NAME"),
        },
        reporter="ReportSilence",
    )


def topic_arns_from(environment: Mapping[str, str]) -> dict[str, str]:
    """The stack's three topics, by the end of their name."""
    return {name: _topic_arn(environment, f"{name.upper()}_TOPIC_ARN") for name in ("advice", "warning", "critical")}


def required(environment: Mapping[str, str], name: str) -> str:
    """The variable's value; SettingsRefused where it is missing or empty."""
    value = environment.get(name, "")
    if not value:
        raise SettingsRefused(f"The environment variable {name} is not set; deploy the function from template.yaml")
    return value


def _topic_arn(environment: Mapping[str, str], name: str) -> str:
    value = required(environment, name)
    if not re.fullmatch(r"arn:[^:]+:sns:[^:]+:[0-9]{12}:[^:]+", value):
        raise SettingsRefused(f"The environment variable {name} is {value!r}, not the ARN of a topic")
    return value


def _whole_number(values: Mapping[str, object], name: str) -> int:
    value = values.get(name)
    if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value):
        return int(value)
    raise SettingsRefused(f"{name} is {value!r}, but must be a whole number")
