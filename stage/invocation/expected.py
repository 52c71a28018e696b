"""What each function does with each event under `events/`: a result, or the sentence it refuses the event with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Recalculated:
    """The stale Warning threshold is repaired; `cause` is what the answer names."""

    cause: str


@dataclass(frozen=True)
class Mailed:
    """One Advice mail of this severity, about the file system of the events; the golden mails hold its words."""

    severity: str


@dataclass(frozen=True)
class NothingToSay:
    """An alarm that was armed: no mail."""


@dataclass(frozen=True)
class Answered:
    """CloudFormation is told SUCCESS, with this Warning threshold, or with these words about the given topics; or
    FAILED, with this sentence in the reason.
    """

    warning_threshold_bytes: str | None = None
    policies: str | None = None
    failure: str = ""


@dataclass(frozen=True)
class Reported:
    """Nothing is wrong that would have to be told; nothing but the memory may change."""


@dataclass(frozen=True)
class InTime:
    """The newest balance is there, and so new that CloudWatch judges it by itself: no alarm is set."""


@dataclass(frozen=True)
class Skipped:
    """No benchmark is sent, for this reason: there is no instance here. One metric says so."""

    reason: str


@dataclass(frozen=True)
class Collected:
    """There is no benchmark to collect, and nothing is written."""


@dataclass(frozen=True)
class Reconciled:
    """Its one file system has a stack that was deployed by hand: nothing is changed, and the daily mail says so."""


@dataclass(frozen=True)
class Refusal:
    """An error with this sentence in it, and nothing written."""

    sentence: str


Expected = (
    Recalculated | Mailed | NothingToSay | Answered | Reported | InTime | Skipped | Collected | Reconciled | Refusal
)

ALARMS = (
    "warning-alarm",
    "warning-ok",
    "warning-armed",
    "critical-alarm",
    "critical-ok",
    "exhausted-alarm",
    "exhausted-ok",
    "draining-alarm",
)
RISES = ("rise-alarm", "rise-ok")
DEPLOYMENTS = ("deploy-create", "deploy-update", "deploy-delete", "topics-create", "fleet-create")
TIMERS = ("benchmark-schedule", "refused/benchmark-of-another-stack")
COMMANDS = ("benchmark-finished", "refused/command-of-another-document")
UPDATES = ("stack-updated", "refused/update-of-another-stack")


def of_no_benchmark(instead: str) -> dict[str, Expected]:
    """What functions that know nothing of benchmarks say to their events."""
    return {
        **dict.fromkeys(TIMERS, Refusal(f"The event's source is 'efs-monitor.benchmark', not {instead}")),
        "benchmark-by-hand": Refusal(f"The event's source is 'efs-monitor.benchmark-by-hand', not {instead}"),
        **dict.fromkeys(COMMANDS, Refusal(f"The event's source is 'aws.ssm', not {instead}")),
    }


NEITHER_ALARM_NOR_SCHEDULE = {
    **of_no_benchmark("'aws.cloudwatch'"),
    **dict.fromkeys((*DEPLOYMENTS, "refused/deploy-without-response-url"), Refusal("source is None, not 'aws.cloud")),
    "refused/alarm-of-another-stack": Refusal("'efs-monitor-archive-warning' is not one of this stack's"),
    "refused/alarm-without-data": Refusal("The alarm event lacks 'alarmData'"),
    "refused/ec2-event": Refusal("The event's source is 'aws.ec2', not 'aws.cloudwatch'"),
    "refused/list": Refusal("The event is a list, not the JSON object an alarm sends"),
    **dict.fromkeys(UPDATES, Refusal("The event's source is 'aws.cloudformation', not 'aws.cloudwatch'")),
}
OF_NO_DEPLOYMENT = (
    *(*ALARMS, *RISES, "hourly-schedule", "fleet-schedule", "refused/schedule-of-another-stack"),
    *("refused/alarm-of-another-stack", "refused/alarm-without-data", "refused/ec2-event"),
    *(*TIMERS, *COMMANDS, *UPDATES, "benchmark-by-hand"),
)
SCHEDULE = Refusal("The event's source is 'efs-monitor.schedule', not 'aws.cloudwatch'")
SCHEDULE_OF_A_FLEET = Refusal("The schedule is that of stack 'efs-fleet', not of efs-monitor-home")

OF_A_SCHEDULE_ALONE: dict[str, Expected] = {
    **dict.fromkeys(
        (*ALARMS, *RISES, "refused/alarm-of-another-stack", "refused/alarm-without-data"),
        Refusal("The event's source is 'aws.cloudwatch', not 'efs-monitor.schedule'"),
    ),
    **dict.fromkeys(
        (*DEPLOYMENTS, "refused/deploy-without-response-url"),
        Refusal("The event's source is None, not 'efs-monitor.schedule'"),
    ),
    "refused/ec2-event": Refusal("The event's source is 'aws.ec2', not 'efs-monitor.schedule'"),
    "refused/schedule-of-another-stack": Refusal("that of stack 'efs-monitor-archive', not of efs-monitor-home"),
    "fleet-schedule": SCHEDULE_OF_A_FLEET,
    "refused/list": Refusal("The event is a list, not the JSON object the schedule sends"),
    **of_no_benchmark("'efs-monitor.schedule'"),
    **dict.fromkeys(UPDATES, Refusal("The event's source is 'aws.cloudformation', not 'efs-monitor.schedule'")),
}

EXPECTED: dict[str, dict[str, Expected]] = {
    "Explain": {
        "warning-alarm": Mailed("WARNING"),
        "warning-ok": Mailed("RECOVERED"),
        "warning-armed": NothingToSay(),
        "critical-alarm": Mailed("CRITICAL"),
        "critical-ok": Mailed("RECOVERED"),
        "exhausted-alarm": Mailed("NEARLY GONE"),
        "draining-alarm": Mailed("DRAINING"),
        "exhausted-ok": Mailed("LIMIT LIFTED"),
        **dict.fromkeys(RISES, Refusal("there is nothing to explain about it")),
        **dict.fromkeys(("hourly-schedule", "fleet-schedule", "refused/schedule-of-another-stack"), SCHEDULE),
        **NEITHER_ALARM_NOR_SCHEDULE,
    },
    "RecalculateThresholds": {
        "rise-alarm": Recalculated("permitted-throughput-rise ALARM"),
        "rise-ok": Recalculated("permitted-throughput-rise OK"),
        "hourly-schedule": Recalculated("schedule"),
        "fleet-schedule": SCHEDULE_OF_A_FLEET,
        **dict.fromkeys(ALARMS, Refusal("does not start a recalculation, only efs-monitor-home-permitted-throughput")),
        "refused/schedule-of-another-stack": Refusal("that of stack 'efs-monitor-archive', not of efs-monitor-home"),
        **NEITHER_ALARM_NOR_SCHEDULE,
        "stack-updated": Recalculated("stack UPDATE_COMPLETE"),
        "refused/update-of-another-stack": Refusal("stack/efs-monitor-archive/6f1e0a70"),
    },
    "ApplyOnDeploy": {
        "deploy-create": Answered("1132462080000"),
        "deploy-update": Answered("1509949440000"),
        "deploy-delete": Answered(),
        "topics-create": Answered(policies="CriticalTopicArn: its policy lets this stack publish."),
        "fleet-create": Answered(failure="WarningMinutes is not set, but must be a whole number"),
        **dict.fromkeys(OF_NO_DEPLOYMENT, Refusal("The request's RequestType is None, but CloudFormation always")),
        "refused/deploy-without-response-url": Refusal("The request's ResponseURL is None"),
        "refused/list": Refusal("The event is a list, not the JSON object CloudFormation sends"),
    },
    "ReportSilence": {
        "hourly-schedule": Reported(),
        **OF_A_SCHEDULE_ALONE,
    },
    "SetLateAlarms": {
        "hourly-schedule": InTime(),
        **OF_A_SCHEDULE_ALONE,
    },
    "RunBenchmark": {
        "benchmark-schedule": Skipped("no-target-online"),
        "benchmark-by-hand": Skipped("no-target-online"),
        "refused/benchmark-of-another-stack": Refusal("one of stack 'efs-monitor-archive', not of efs-monitor-home"),
        **dict.fromkeys(
            (*ALARMS, *RISES, "refused/alarm-of-another-stack", "refused/alarm-without-data"),
            Refusal("The event's source is 'aws.cloudwatch', neither 'efs-monitor.benchmark' nor"),
        ),
        **dict.fromkeys(
            (*DEPLOYMENTS, "refused/deploy-without-response-url"), Refusal("The event's source is None, neither")
        ),
        **dict.fromkeys(
            ("hourly-schedule", "fleet-schedule", "refused/schedule-of-another-stack"),
            Refusal("The event's source is 'efs-monitor.schedule', neither"),
        ),
        **dict.fromkeys(COMMANDS, Refusal("The event's source is 'aws.ssm', neither")),
        **dict.fromkeys(UPDATES, Refusal("The event's source is 'aws.cloudformation', neither")),
        "refused/ec2-event": Refusal("The event's source is 'aws.ec2', neither"),
        "refused/list": Refusal("The event is a list, not the JSON object that asks for a benchmark"),
    },
    "CollectBenchmark": {
        "hourly-schedule": Collected(),
        "fleet-schedule": SCHEDULE_OF_A_FLEET,
        # Of a command that nobody knows any more.
        "benchmark-finished": Collected(),
        "refused/command-of-another-document": Refusal("one of 'AWS-RunShellScript', not of efs-monitor-"),
        **dict.fromkeys(
            (*ALARMS, *RISES, *DEPLOYMENTS, *TIMERS, "benchmark-by-hand", "refused/alarm-of-another-stack"),
            Refusal("The event's detail-type is None, not 'EC2 Command Invocation Status-change Notification'"),
        ),
        **dict.fromkeys(
            ("refused/alarm-without-data", "refused/deploy-without-response-url"),
            Refusal("The event's detail-type is None, not 'EC2 Command Invocation"),
        ),
        "refused/ec2-event": Refusal("detail-type is 'EC2 Instance State-change Notification', not 'EC2 Command"),
        **dict.fromkeys(UPDATES, Refusal("detail-type is 'CloudFormation Stack Status Change', not 'EC2 Command")),
        "refused/schedule-of-another-stack": Refusal("that of stack 'efs-monitor-archive', not of efs-monitor-home"),
        "refused/list": Refusal("The event is a list, not the JSON object the schedule sends"),
    },
    "ReconcileFleet": {
        **OF_A_SCHEDULE_ALONE,
        "fleet-schedule": Reconciled(),
        "fleet-create": Answered(),
        "hourly-schedule": Refusal("that of stack 'efs-monitor-home', not of efs-fleet"),
        "refused/schedule-of-another-stack": Refusal("that of stack 'efs-monitor-archive', not of efs-fleet"),
    },
}
