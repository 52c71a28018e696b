"""What a function is told by its environment; a missing variable becomes one sentence that names it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from efs_monitor.alarms.alarm_definition import Wiring
from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.errors import SettingsRefused

# A stack without benchmarks has neither function.
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
        stack_id=stack_id_from(environment),
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


def topic_arns_from(environment: Mapping[str, str]) -> dict[str, str]:
    """The stack's three topics, by the end of their name."""
    return {topic: _topic_arn(environment, topic.variable) for topic in Topic}


def required(environment: Mapping[str, str], name: str) -> str:
    """The variable's value; SettingsRefused where it is missing or empty."""
    value = environment.get(name, "")
    if not value:
        raise SettingsRefused(f"The environment variable {name} is not set; {REDEPLOY}")
    return value


def stack_id_from(environment: Mapping[str, str]) -> str:
    """The id of the function's own stack; SettingsRefused where it is none."""
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
