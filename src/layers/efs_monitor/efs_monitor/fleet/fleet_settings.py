"""What an operator chose for a fleet, read from its function's environment."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.config import required, stack_id_from, whole_number
from efs_monitor.stack_identity import StackIdentity


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
    name, stack_id = required(environment, "FLEET_NAME"), stack_id_from(environment)
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


def _fleet_topic_arns(name: str, stack_id: str) -> dict[str, str]:
    """Made of the fleet's name and where its stack is: the environment of its function has no room for them."""
    fleet = replace(StackIdentity.of(stack_id), stack_name=name)
    return {topic: fleet.own_topic_arn(topic) for topic in Topic}
