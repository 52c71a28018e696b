"""Apply on deploy: give CloudFormation the thresholds and texts of the alarms, the first ones and fresh ones."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from efs_monitor.alarms.alarm import SUSPENDED_MARK, WAKING, AlarmKind
from efs_monitor.alarms.changes import current_thresholds
from efs_monitor.alarms.decision import CurrentThresholds, Decision, Resume, decide, reference_of
from efs_monitor.alarms.thresholds import Settings, Thresholds
from efs_monitor.aws import cloudwatch_alarms, efs, efs_metrics
from efs_monitor.aws.calls import patiently
from efs_monitor.aws.custom_resource import Answer, Request
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.benchmarks.paths import require_paths_apart
from efs_monitor.benchmarks.schedule import require_cron_fields, require_cron_to_come
from efs_monitor.config import Config, settings_from
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.errors import SettingsRefused
from efs_monitor.mail.descriptions import alarm_description
from efs_monitor.mail.stack_context import StackContext, stack_context_of
from efs_monitor.usecases import rollback

# What an alarm says that a rollback leaves asleep, where it has no words of its own.
ROLLED_BACK = f"{SUSPENDED_MARK} An update was rolled back; the next run that finds the file system wakes this alarm."


def apply_on_deploy(clients: Clients, config: Config, request: Request, now: datetime) -> Answer:
    """Decide for a resource that is created or updated; its answer is what the template writes into the alarms.

    By the properties of this very request, not by the environment: a rollback asks for the old ones again. What would
    be refused then leaves the alarms as they are.
    """
    return rollback.answer(
        clients,
        request,
        deploy=lambda clients: _decided(clients, config, request, now),
        keep=lambda: _as_they_are(clients, config.stack_name, request),
    )


def _decided(clients: Clients, config: Config, request: Request, now: datetime) -> Answer:
    properties = request.properties
    stack = replace(stack_context_of(config), runbook_url=str(properties.get("RunbookUrl")))
    settings = _settings(request)
    schedule = str(properties.get("BenchmarkSchedule", ""))
    require_cron_fields(schedule)
    require_paths_apart(str(properties.get("BenchmarkPath", "")), str(properties.get("BenchmarkLocalPath", "")))
    # One that has come for the last time since it was given keeps nobody from changing something else.
    if schedule != request.former_properties.get("BenchmarkSchedule"):
        require_cron_to_come(schedule, now)
    file_system_id = str(properties.get("FileSystemId"))
    # A role made seconds ago may not be known everywhere yet: wait a little before believing a refusal.
    file_system = patiently(lambda: efs.describe(clients.efs, file_system_id))
    if properties.get("IoLimitAlarm") == "on":
        _require_io_limit(file_system)
    read = patiently(lambda: cloudwatch_alarms.read(clients.cloudwatch, stack.stack_name))
    # Alarms of another file system, which the stack watched before, say nothing about this one.
    alarms = {kind: alarm for kind, alarm in read.items() if alarm.watches(file_system_id)}
    observations = patiently(lambda: efs_metrics.observe(clients.cloudwatch, file_system, now))
    decision = decide(file_system, observations, settings, current_thresholds(alarms) if alarms else None)
    logger.info("decided", extra={"cause": request.kind} | decision.as_log())
    return Answer(succeeded=True, data=attributes(decision, stack))


def _settings(request: Request) -> Settings:
    return settings_from(request.properties, ("WarningMinutes", "CriticalMinutes", "RiseTolerancePercent"))


def _as_they_are(clients: Clients, stack_name: str, request: Request) -> dict[str, str]:
    """The attributes of alarms that stay as CloudWatch has them; asleep where they watch another file system, until the
    recalculation that follows an update has worked out what is right.
    """
    file_system_id, settings = str(request.properties.get("FileSystemId")), _settings(request)
    alarms = patiently(lambda: cloudwatch_alarms.read(clients.cloudwatch, stack_name))
    asleep = any(alarm.suspended or not alarm.watches(file_system_id) for alarm in alarms.values())
    described = {kind: alarm.description for kind, alarm in alarms.items() if not asleep or alarm.suspended}
    live = current_thresholds(alarms)
    return _answered(
        live,
        reference_of(live, settings) or 0,
        lambda kind: described.get(kind, "" if kind is AlarmKind.RISE else ROLLED_BACK),
        rollback.NOT_CHECKED,
        asleep=asleep,
    )


def _require_io_limit(file_system: FileSystem) -> None:
    """Refuse the alarm on PercentIOLimit where it would stay without data for ever, as if all were well."""
    if file_system.max_io:
        raise SettingsRefused(
            f"IoLimitAlarm is on, but {file_system.file_system_id} is in Max I/O performance mode, of which EFS "
            "publishes no PercentIOLimit: the alarm could never go off. Deploy with IoLimitAlarm=off."
        )


def attributes(decision: Decision, stack: StackContext) -> dict[str, str]:
    """What Fn::GetAtt can read of the custom resource: every number and text of the alarms, as strings.

    An alarm that must be woken stays asleep here: waking takes steps that CloudFormation cannot make, and the next
    recalculation makes them.
    """
    waking = isinstance(decision, Resume)
    asleep = waking or decision.suspended
    return _answered(
        decision.thresholds,
        decision.reference.bytes_per_second,
        lambda kind: WAKING if waking and kind is not AlarmKind.RISE else alarm_description(kind, decision, stack),
        decision.reason,
        asleep=asleep,
    )


def _answered(
    thresholds: Thresholds | CurrentThresholds,
    reference_bytes_per_second: float,
    describe: Callable[[AlarmKind], str],
    reason: str,
    *,
    asleep: bool,
) -> dict[str, str]:
    """Each attribute by the name that the template reads; 0 for a threshold that an alarm has none of, or that is
    asleep.
    """

    def standing(threshold: float | None) -> str:
        return "0" if asleep else str(round(threshold or 0))

    return {
        "WarningThresholdBytes": standing(thresholds.warning_bytes),
        "CriticalThresholdBytes": standing(thresholds.critical_bytes),
        "ExhaustedThresholdBytes": standing(thresholds.exhausted_bytes),
        "RiseThresholdBytesPerSecond": str(round(thresholds.rise_bytes_per_second or 0)),
        "ReferenceBytesPerSecond": str(round(reference_bytes_per_second)),
        "WarningDescription": describe(AlarmKind.WARNING),
        "CriticalDescription": describe(AlarmKind.CRITICAL),
        "ExhaustedDescription": describe(AlarmKind.EXHAUSTED),
        "DrainingDescription": describe(AlarmKind.DRAINING),
        "RiseDescription": describe(AlarmKind.RISE),
        "ActionsEnabled": "false" if asleep else "true",
        "State": "suspended" if asleep else "armed",
        "Reason": reason,
    }
