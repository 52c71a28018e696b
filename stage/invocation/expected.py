"""What each function does with each event under `events/`: a result, or the sentence it refuses the event with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ThresholdRepaired:
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
class AnsweredCloudFormation:
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
class NothingCollected:
    """There is no benchmark to collect, and nothing is written."""


@dataclass(frozen=True)
class NothingReconciled:
    """Its one file system has a stack that was deployed by hand: nothing is changed, and the daily mail says so."""


@dataclass(frozen=True)
class ExpectedRefusal:
    """An error with this sentence in it, and nothing written."""

    sentence: str


Expected = (
    ThresholdRepaired
    | Mailed
    | NothingToSay
    | AnsweredCloudFormation
    | Reported
    | InTime
    | Skipped
    | NothingCollected
    | NothingReconciled
    | ExpectedRefusal
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
UPDATES = ("stack-updated", "stack-update-begins", "refused/update-of-another-stack")


def of_no_benchmark(instead: str) -> dict[str, Expected]:
    """What functions that know nothing of benchmarks say to their events."""
    return {
        **dict.fromkeys(TIMERS, ExpectedRefusal(f"The event's source is 'efs-monitor.benchmark', not {instead}")),
        "benchmark-by-hand": ExpectedRefusal(f"The event's source is 'efs-monitor.benchmark-by-hand', not {instead}"),
        **dict.fromkeys(COMMANDS, ExpectedRefusal(f"The event's source is 'aws.ssm', not {instead}")),
    }


NEITHER_ALARM_NOR_SCHEDULE = {
    **of_no_benchmark("'aws.cloudwatch'"),
    **dict.fromkeys(
        (*DEPLOYMENTS, "refused/deploy-without-response-url"), ExpectedRefusal("source is None, not 'aws.cloud")
    ),
    "refused/alarm-of-another-stack": ExpectedRefusal("'efs-monitor-archive-warning' is not one of this stack's"),
    "refused/alarm-without-data": ExpectedRefusal("The alarm event lacks 'alarmData'"),
    "refused/ec2-event": ExpectedRefusal("The event's source is 'aws.ec2', not 'aws.cloudwatch'"),
    "refused/list": ExpectedRefusal("The event is a list, not the JSON object an alarm sends"),
    **dict.fromkeys(UPDATES, ExpectedRefusal("The event's source is 'aws.cloudformation', not 'aws.cloudwatch'")),
}
OF_NO_DEPLOYMENT = (
    *(*ALARMS, *RISES, "hourly-schedule", "fleet-schedule", "refused/schedule-of-another-stack"),
    *("refused/alarm-of-another-stack", "refused/alarm-without-data", "refused/ec2-event"),
    *(*TIMERS, *COMMANDS, *UPDATES, "benchmark-by-hand"),
)
SCHEDULE = ExpectedRefusal("The event's source is 'efs-monitor.schedule', not 'aws.cloudwatch'")
SCHEDULE_OF_A_FLEET = ExpectedRefusal("The schedule is that of stack 'efs-fleet', not of efs-monitor-home")

OF_A_SCHEDULE_ALONE: dict[str, Expected] = {
    **dict.fromkeys(
        (*ALARMS, *RISES, "refused/alarm-of-another-stack", "refused/alarm-without-data"),
        ExpectedRefusal("The event's source is 'aws.cloudwatch', not 'efs-monitor.schedule'"),
    ),
    **dict.fromkeys(
        (*DEPLOYMENTS, "refused/deploy-without-response-url"),
        ExpectedRefusal("The event's source is None, not 'efs-monitor.schedule'"),
    ),
    "refused/ec2-event": ExpectedRefusal("The event's source is 'aws.ec2', not 'efs-monitor.schedule'"),
    "refused/schedule-of-another-stack": ExpectedRefusal(
        "that of stack 'efs-monitor-archive', not of efs-monitor-home"
    ),
    "fleet-schedule": SCHEDULE_OF_A_FLEET,
    "refused/list": ExpectedRefusal("The event is a list, not the JSON object the schedule sends"),
    **of_no_benchmark("'efs-monitor.schedule'"),
    **dict.fromkeys(UPDATES, ExpectedRefusal("The event's source is 'aws.cloudformation', not 'efs-monitor.schedule'")),
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
        **dict.fromkeys(RISES, ExpectedRefusal("there is nothing to explain about it")),
        **dict.fromkeys(("hourly-schedule", "fleet-schedule", "refused/schedule-of-another-stack"), SCHEDULE),
        **NEITHER_ALARM_NOR_SCHEDULE,
    },
    "RecalculateThresholds": {
        "rise-alarm": ThresholdRepaired("permitted-throughput-rise ALARM"),
        "rise-ok": ThresholdRepaired("permitted-throughput-rise OK"),
        "hourly-schedule": ThresholdRepaired("schedule"),
        "fleet-schedule": SCHEDULE_OF_A_FLEET,
        **dict.fromkeys(
            ALARMS, ExpectedRefusal("does not start a recalculation, only efs-monitor-home-permitted-throughput")
        ),
        "refused/schedule-of-another-stack": ExpectedRefusal(
            "that of stack 'efs-monitor-archive', not of efs-monitor-home"
        ),
        **NEITHER_ALARM_NOR_SCHEDULE,
        "stack-updated": ThresholdRepaired("stack UPDATE_COMPLETE"),
        # No update goes on: it comes late, and is one more of the end.
        "stack-update-begins": ThresholdRepaired("stack UPDATE_IN_PROGRESS"),
        "refused/update-of-another-stack": ExpectedRefusal("stack/efs-monitor-archive/6f1e0a70"),
    },
    "ApplyOnDeploy": {
        "deploy-create": AnsweredCloudFormation("1132462080000"),
        "deploy-update": AnsweredCloudFormation("1509949440000"),
        "deploy-delete": AnsweredCloudFormation(),
        "topics-create": AnsweredCloudFormation(policies="CriticalTopicArn: its policy lets this stack publish."),
        "fleet-create": AnsweredCloudFormation(failure="WarningMinutes is not set, but must be a whole number"),
        **dict.fromkeys(
            OF_NO_DEPLOYMENT, ExpectedRefusal("The request's ResponseURL is None, but CloudFormation always")
        ),
        "refused/deploy-without-response-url": ExpectedRefusal("The request's ResponseURL is None"),
        "refused/list": ExpectedRefusal("The event is a list, not the JSON object CloudFormation sends"),
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
        "refused/benchmark-of-another-stack": ExpectedRefusal(
            "one of stack 'efs-monitor-archive', not of efs-monitor-home"
        ),
        **dict.fromkeys(
            (*ALARMS, *RISES, "refused/alarm-of-another-stack", "refused/alarm-without-data"),
            ExpectedRefusal("The event's source is 'aws.cloudwatch', neither 'efs-monitor.benchmark' nor"),
        ),
        **dict.fromkeys(
            (*DEPLOYMENTS, "refused/deploy-without-response-url"),
            ExpectedRefusal("The event's source is None, neither"),
        ),
        **dict.fromkeys(
            ("hourly-schedule", "fleet-schedule", "refused/schedule-of-another-stack"),
            ExpectedRefusal("The event's source is 'efs-monitor.schedule', neither"),
        ),
        **dict.fromkeys(COMMANDS, ExpectedRefusal("The event's source is 'aws.ssm', neither")),
        **dict.fromkeys(UPDATES, ExpectedRefusal("The event's source is 'aws.cloudformation', neither")),
        "refused/ec2-event": ExpectedRefusal("The event's source is 'aws.ec2', neither"),
        "refused/list": ExpectedRefusal("The event is a list, not the JSON object that asks for a benchmark"),
    },
    "CollectBenchmark": {
        "hourly-schedule": NothingCollected(),
        "fleet-schedule": SCHEDULE_OF_A_FLEET,
        # Of a command that nobody knows any more.
        "benchmark-finished": NothingCollected(),
        "refused/command-of-another-document": ExpectedRefusal("one of 'AWS-RunShellScript', not of efs-monitor-"),
        **dict.fromkeys(
            (*ALARMS, *RISES, *DEPLOYMENTS, *TIMERS, "benchmark-by-hand", "refused/alarm-of-another-stack"),
            ExpectedRefusal("The event's detail-type is None, not 'EC2 Command Invocation Status-change Notification'"),
        ),
        **dict.fromkeys(
            ("refused/alarm-without-data", "refused/deploy-without-response-url"),
            ExpectedRefusal("The event's detail-type is None, not 'EC2 Command Invocation"),
        ),
        "refused/ec2-event": ExpectedRefusal(
            "detail-type is 'EC2 Instance State-change Notification', not 'EC2 Command"
        ),
        **dict.fromkeys(
            UPDATES, ExpectedRefusal("detail-type is 'CloudFormation Stack Status Change', not 'EC2 Command")
        ),
        "refused/schedule-of-another-stack": ExpectedRefusal(
            "that of stack 'efs-monitor-archive', not of efs-monitor-home"
        ),
        "refused/list": ExpectedRefusal("The event is a list, not the JSON object the schedule sends"),
    },
    "ReconcileFleet": {
        **OF_A_SCHEDULE_ALONE,
        "fleet-schedule": NothingReconciled(),
        "fleet-create": AnsweredCloudFormation(),
        "hourly-schedule": ExpectedRefusal("that of stack 'efs-monitor-home', not of efs-fleet"),
        "refused/schedule-of-another-stack": ExpectedRefusal("that of stack 'efs-monitor-archive', not of efs-fleet"),
    },
}
