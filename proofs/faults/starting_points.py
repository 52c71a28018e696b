"""What a function may find when it starts: between them, every call of every function is made."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.efs.credits import GIB, MIB, TIB, burst_bytes_per_second, full_bucket_bytes
from efs_monitor.notify.given_key import STATEMENT
from moto.sns.models import sns_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.clock import MINUTE
from localaws.cloudwatch.metrics import MetricId
from localaws.file_systems import Size
from stage.benchmark_hosts import BenchmarkHosts, output_of
from stage.home import Home, as_request

GIBIBYTES_100, TEBIBYTES_2, TEBIBYTES_16 = 100 * GIB, 2 * TIB, 16 * TIB
FULL_BYTES = full_bucket_bytes(TIB)
# Between the two thresholds of 100 GiB (352 and 1,055 GiB).
LOW_BYTES = 700 * GIB
OTHER_ACCOUNT_ID = "111122223333"


@dataclass(frozen=True)
class StartingPoint:
    """A function, what it finds, and the event that starts it; `event` is given the address to answer to.

    `instead` is the first word of a mail that may come where what makes it needless cannot be read.
    """

    function: str
    name: str
    prepare: Callable[[Home], object]
    event: Callable[[Home, str], Any] = lambda home, _: home.names.hourly
    instead: str = ""

    @property
    def is_hourly(self) -> bool:
        """Whether a schedule starts the function again, come what may."""
        return self.function in HOURLY

    def meanwhile(self, home: Home) -> None:
        """What happens before the next run: while alarms may be half written, the credits end."""
        if self.function == "recalculate_thresholds":
            live(home, 0, 2)
        else:
            home.sandbox.advance()

    def __str__(self) -> str:
        return f"{self.function}: {self.name}"


def live(home: Home, balance_bytes: float, minutes: int = 1, permitted: float = 100 * MIB) -> None:
    """Let minutes pass in which the balance is this."""
    for _ in range(minutes):
        home.record("BurstCreditBalance", balance_bytes, minutes_ago=0)
        home.record("PermittedThroughput", permitted, minutes_ago=0)
        home.sandbox.advance()


def settled(home: Home, standard_bytes: int = GIBIBYTES_100, balance_bytes: float = FULL_BYTES) -> None:
    """Everything is right, and the first hourly run is over."""
    home.create_file_system(standard_bytes)
    home.create_alarms(standard_bytes)
    live(home, balance_bytes, 2, min(burst_bytes_per_second(standard_bytes), GIB))
    home.call("recalculate_thresholds", home.names.hourly)


def grow(home: Home, standard_bytes: int) -> None:
    """The size is metered anew."""
    home.sandbox.file_systems.set_size(home.names.file_system_id, Size(standard_bytes=standard_bytes))
    live(home, full_bucket_bytes(standard_bytes), 1, burst_bytes_per_second(standard_bytes))


def set_mode(home: Home, mode: str) -> None:
    """Somebody changes the throughput mode."""
    home.sandbox.file_systems.set_mode(home.names.file_system_id, mode)


def edit(home: Home, kind: AlarmKind, **changes: object) -> None:
    """Somebody edits an alarm in the console."""
    home.cloudwatch.put_metric_alarm(**{**as_request(home.alarms()[str(kind)]), **changes})


# recalculate_thresholds


def _first_run(home: Home) -> None:
    home.create_file_system()
    home.create_alarms()
    live(home, FULL_BYTES, 2)


def _raised(home: Home) -> None:
    settled(home)
    grow(home, TEBIBYTES_2)


def _raised_past_the_balance(home: Home) -> None:
    settled(home)
    grow(home, TEBIBYTES_2)
    live(home, 1500 * GIB, 1, 200 * MIB)


def _lowered(home: Home) -> None:
    settled(home, TEBIBYTES_2)
    grow(home, GIBIBYTES_100)


def _suspended(home: Home) -> None:
    settled(home)
    set_mode(home, "elastic")


def _suspended_low(home: Home) -> None:
    settled(home)
    live(home, 0, 2)
    set_mode(home, "elastic")


def _suspended_and_published(home: Home) -> None:
    """A balance that is low goes on being published, as under provisioned throughput."""
    settled(home)
    live(home, LOW_BYTES, 2)
    home.sandbox.file_systems.set_mode(home.names.file_system_id, "provisioned", 200)
    home.call("recalculate_thresholds", home.names.hourly)
    live(home, LOW_BYTES, 2)


def _resumed_low(home: Home) -> None:
    settled(home)
    live(home, 0, 2)
    set_mode(home, "elastic")
    home.call("recalculate_thresholds", home.names.hourly)
    set_mode(home, "bursting")
    live(home, 0)


def _resumed(home: Home) -> None:
    _suspended(home)
    home.call("recalculate_thresholds", home.names.hourly)
    set_mode(home, "bursting")
    live(home, FULL_BYTES)


def _gone(home: Home) -> None:
    settled(home)
    home.sandbox.file_systems.delete(home.names.file_system_id)


def _back(home: Home) -> None:
    _gone(home)
    home.call("recalculate_thresholds", home.names.hourly)
    home.create_file_system()


def _edited(home: Home) -> None:
    settled(home)
    edit(home, AlarmKind.CRITICAL, OKActions=[], TreatMissingData="breaching", EvaluationPeriods=20)
    edit(home, AlarmKind.WARNING, DatapointsToAlarm=2)
    grow(home, TEBIBYTES_2)


def _newer_edited(home: Home) -> None:
    settled(home)
    edit(home, AlarmKind.EXHAUSTED, OKActions=[], Threshold=1.0)
    edit(home, AlarmKind.DRAINING, DatapointsToAlarm=2, Threshold=7.0)


def _deleted(home: Home) -> None:
    settled(home)
    home.cloudwatch.delete_alarms(AlarmNames=[alarm_name(home.names.stack_name, AlarmKind.WARNING)])


def _newer_deleted(home: Home) -> None:
    settled(home)
    newer = (AlarmKind.EXHAUSTED, AlarmKind.DRAINING)
    home.cloudwatch.delete_alarms(AlarmNames=[alarm_name(home.names.stack_name, kind) for kind in newer])


def _forgotten(home: Home) -> None:
    settled(home)
    home.sandbox.client("ssm").delete_parameter(Name=home.names.state_parameter)


def _capped(home: Home) -> None:
    home.create_file_system(TEBIBYTES_16)
    home.create_alarms(TEBIBYTES_16)
    home.record("PermittedThroughput", GIB, minutes_ago=3 * 24 * 60)
    live(home, full_bucket_bytes(TEBIBYTES_16), 3, GIB)


# explain


def change(kind: AlarmKind, state: str = "ALARM", previous: str = "OK") -> Callable[[Home, str], Any]:
    """The event of an alarm's change."""

    def event(home: Home, _: str) -> Any:
        name = alarm_name(home.names.stack_name, kind)
        return {
            "source": "aws.cloudwatch",
            "alarmArn": f"arn:aws:cloudwatch:{REGION}:{ACCOUNT_ID}:alarm:{name}",
            "accountId": ACCOUNT_ID,
            "time": "2030-01-07T01:00:00.000+0000",
            "region": REGION,
            "alarmData": {
                "alarmName": name,
                "state": {"value": state, "reason": "Threshold Crossed", "timestamp": "2030-01-07T01:00:00.000+0000"},
                "previousState": {"value": previous, "reason": "", "timestamp": "2030-01-07T00:00:00.000+0000"},
                "configuration": {"description": "", "metrics": []},
            },
        }

    return event


def _low(home: Home) -> None:
    settled(home)
    for metric in ("DataReadIOBytes", "DataWriteIOBytes", "MetadataIOBytes", "MeteredIOBytes"):
        home.record(metric, GIB)
    live(home, LOW_BYTES, 2)


def _critically_low(home: Home) -> None:
    _low(home)
    live(home, 300 * GIB, 2)


def _critical_went_off(home: Home) -> None:
    _critically_low(home)


def _unmeasured(home: Home) -> None:
    home.create_file_system()
    home.create_alarms()


# apply_on_deploy


def update_begins(home: Home, _: str) -> Any:
    """CloudFormation's event of the beginning of an update."""
    return {
        "source": "aws.cloudformation",
        "detail-type": "CloudFormation Stack Status Change",
        "detail": {
            "stack-id": f"arn:aws:cloudformation:{REGION}:{ACCOUNT_ID}:stack/{home.names.stack_name}/of-the-proofs",
            "status-details": {"status": "UPDATE_IN_PROGRESS", "status-reason": "User Initiated"},
        },
    }


def request(kind: str, **properties: str) -> Callable[[Home, str], Any]:
    """A request of CloudFormation for the thresholds."""

    def event(home: Home, desk_url: str) -> Any:
        asked = {
            "FileSystemId": home.names.file_system_id,
            "WarningMinutes": "180",
            "CriticalMinutes": "60",
            "RiseTolerancePercent": "10",
            "RunbookUrl": "https://wiki.example.com/new",
            "AlarmFingerprint": "x",
            **properties,
        }
        return _request(home, desk_url, kind, "Thresholds", asked)

    return event


def topics_request(kind: str, account_id: str = ACCOUNT_ID) -> Callable[[Home, str], Any]:
    """A request of CloudFormation to look at the topics that the stack is given, all three of one account."""

    def event(home: Home, desk_url: str) -> Any:
        role_arn = f"arn:aws:iam::{ACCOUNT_ID}:role/{home.names.stack_name}-"
        asked = {
            **{topic.parameter: given_topic_arn(topic, account_id) for topic in Topic},
            "EncryptionKeyArn": "",
            "ReporterRoleArn": f"{role_arn}ReportSilenceRole",
            "AdviceRoleArns": [
                f"{role_arn}{name}Role" for name in ("RecalculateThresholds", "ReportSilence", "Explain")
            ],
            "AdviceAlarms": ["throughput-utilization"],
        }
        return _request(home, desk_url, kind, "Topics", asked)

    return event


def key_request(home: Home, desk_url: str) -> Any:
    """A request of CloudFormation to look at the key of the topics that the stack makes."""
    (key,) = home.sandbox.client("kms").list_keys()["Keys"]
    return _request(home, desk_url, "Create", "Topics", {"EncryptionKeyArn": key["KeyArn"]})


def _request(home: Home, desk_url: str, kind: str, resource: str, properties: Mapping[str, object]) -> Any:
    physical = {} if kind == "Create" else {"PhysicalResourceId": f"{resource}-1"}
    return {
        "RequestType": kind,
        "ResponseURL": desk_url,
        "StackId": f"arn:aws:cloudformation:{REGION}:{ACCOUNT_ID}:stack/{home.names.stack_name}/6f1e0a70",
        "RequestId": "d1c2b3a4-0000-4000-8000-000000000001",
        "LogicalResourceId": resource,
        "ResourceType": f"Custom::EfsBurstCredit{resource}",
        "ResourceProperties": properties,
        **physical,
    }


def given_topic_arn(end: str, account_id: str = ACCOUNT_ID) -> str:
    """A topic that was there before the stack."""
    return f"arn:aws:sns:{REGION}:{account_id}:storage-{end}"


def _topics_of_this_account(home: Home) -> None:
    del home
    for end in Topic:
        sns_backends[ACCOUNT_ID][REGION].create_topic(f"storage-{end}")


def _topics_of_another_account(home: Home) -> None:
    """Topics of another account, whose policies let everybody publish."""
    del home
    backend = sns_backends[OTHER_ACCOUNT_ID][REGION]
    for end in Topic:
        topic = backend.create_topic(f"storage-{end}")
        everybody = {"Effect": "Allow", "Principal": "*", "Action": "sns:Publish", "Resource": topic.arn}
        topic.policy = json.dumps({"Statement": [everybody]})


def _topics_that_let_nobody_in(home: Home) -> None:
    _topics_of_this_account(home)
    topic = sns_backends[ACCOUNT_ID][REGION].topics[given_topic_arn("critical")]
    topic.policy = json.dumps({"Statement": []})


def _key_that_lets_alarms_in(home: Home) -> None:
    home.sandbox.client("kms").create_key(Policy=json.dumps({"Statement": [json.loads(STATEMENT)]}))


def _key_that_lets_nobody_in(home: Home) -> None:
    home.sandbox.client("kms").create_key(Policy=json.dumps({"Statement": []}))


def _one_topic_missing(home: Home) -> None:
    _topics_of_this_account(home)
    home.sandbox.client("sns").delete_topic(TopicArn=given_topic_arn("advice"))


def _before_the_stack(home: Home) -> None:
    home.create_file_system(TEBIBYTES_2)
    live(home, full_bucket_bytes(TEBIBYTES_2), 2, 200 * MIB)


def _elastic_before_the_stack(home: Home) -> None:
    home.create_file_system(mode="elastic")


# report_silence


def _calm(home: Home) -> None:
    settled(home)
    # The functions that the alarms tell do not exist here, and arming the alarms has failed to tell them.
    home.sandbox.alarms.history.clear()
    _runs(home)


def _runs(home: Home, errors: int = 0) -> None:
    """The functions' own metrics: three runs of each."""
    for name in ("RecalculateThresholds", "SetLateAlarms", "CollectBenchmark", "ReportSilence"):
        _count("AWS/Lambda", "Invocations", ("FunctionName", f"{home.names.stack_name}-{name}"), home, 3)
    if errors:
        _count("AWS/Lambda", "Errors", ("FunctionName", f"{home.names.stack_name}-RecalculateThresholds"), home, errors)


def _count(namespace: str, metric: str, dimension: tuple[str, str], home: Home, value: float) -> None:
    identity = MetricId(namespace, metric, frozenset({dimension}))
    home.sandbox.metrics.record(identity, home.sandbox.clock.now() - MINUTE, value)


def _lasting(home: Home) -> None:
    settled(home)
    live(home, 0, 2)
    for _ in range(4 * 60):
        live(home, 0)
    _runs(home)


def _unconfirmed(home: Home) -> None:
    _calm(home)
    home.sandbox.subscribers.unconfirmed.add("second@example.com")
    home.subscribe("warning", "second@example.com")
    home.subscribe("advice", "second@example.com")


def _nobody_on_advice(home: Home) -> None:
    _calm(home)
    sns = home.sandbox.client("sns")
    topic_arn = home.names.topic_arn("advice")
    for found in sns.list_subscriptions_by_topic(TopicArn=topic_arn)["Subscriptions"]:
        sns.unsubscribe(SubscriptionArn=found["SubscriptionArn"])


def _much_is_wrong(home: Home) -> None:
    """Failed actions (the functions the alarms tell do not exist here), failed deliveries, a failing function."""
    settled(home)
    live(home, LOW_BYTES, 2)
    _count("AWS/SNS", "NumberOfMessagesPublished", ("TopicName", f"{home.names.stack_name}-warning"), home, 2)
    _count("AWS/SNS", "NumberOfNotificationsFailed", ("TopicName", f"{home.names.stack_name}-warning"), home, 1)
    _runs(home, errors=3)


def _over(home: Home) -> None:
    """What was told of is over: the second subscriber has confirmed."""
    _unconfirmed(home)
    home.call("report_silence", home.names.hourly)
    home.sandbox.subscribers.unconfirmed.clear()


def _metrics_stopped(home: Home) -> None:
    settled(home)
    for _ in range(4 * 60):
        home.sandbox.advance()
    _runs(home)


def _heading_down(home: Home) -> None:
    """A week in which each day's lowest balance is lower than that of the day before."""
    settled(home)
    for day in range(7):
        home.record("BurstCreditBalance", 1100 * GIB + day * 120 * GIB, minutes_ago=day * 24 * 60 + 90)
    live(home, 1200 * GIB, 1)
    _runs(home)


# set_late_alarms


def _late(home: Home, balance_bytes: float, before_bytes: float) -> None:
    """An hour in which no datapoint comes, then those of its first quarter: CloudWatch no longer looks at them."""
    settled(home, balance_bytes=before_bytes)
    live(home, before_bytes, 15)
    for _ in range(60):
        home.sandbox.advance()
    for minutes_ago in range(60, 45, -1):
        home.record("BurstCreditBalance", balance_bytes, minutes_ago=minutes_ago)


def _late_and_low(home: Home) -> None:
    _late(home, LOW_BYTES, FULL_BYTES)


def _late_and_empty(home: Home) -> None:
    _late(home, 0, FULL_BYTES)


def _late_and_over(home: Home) -> None:
    _late(home, FULL_BYTES, LOW_BYTES)


def _late_and_full_again(home: Home) -> None:
    _late(home, FULL_BYTES, 0)


def _late_and_suspended(home: Home) -> None:
    _late(home, 0, FULL_BYTES)
    set_mode(home, "elastic")
    home.call("recalculate_thresholds", home.names.hourly)


# run_benchmark, collect_benchmark

HOSTS = ("i-0123456789abcdef0", "i-0123456789abcdef1")
WORKLOADS = workloads_of("quick")


def _hosts(home: Home, mode: str = "bursting") -> BenchmarkHosts:
    """Two instances that measure, and full credits."""
    home.create_file_system(mode=mode)
    home.create_alarms()
    hosts = BenchmarkHosts(home=home, folder=home.folder)
    hosts.create()
    for instance_id in HOSTS:
        hosts.add(instance_id)
    hosts.measures(WORKLOADS)
    live(home, FULL_BYTES, 2)
    return hosts


def _measuring(home: Home, mode: str = "bursting") -> BenchmarkHosts:
    """A benchmark was sent; nobody is told of its end."""
    hosts = _hosts(home, mode)
    home.call("run_benchmark", home.names.daily)
    return hosts


def _elastic_with_ledger_lost(home: Home) -> None:
    hosts = _measuring(home, "elastic")
    live(home, FULL_BYTES)
    home.sandbox.client("ssm").put_parameter(
        Name=home.names.benchmarks_parameter, Value='{"month": 7}', Type="String", Overwrite=True
    )
    hosts.measures(WORKLOADS, slower=2)


def _low_credits(home: Home) -> None:
    _hosts(home)
    live(home, LOW_BYTES, 2)


def _nobody_online(home: Home) -> None:
    hosts = _hosts(home)
    for instance_id in HOSTS:
        hosts.lose(instance_id)


def _sent_before(home: Home) -> None:
    """By the same event, and the function was gone before it could enter what it had done."""
    _measuring(home)
    home.sandbox.client("ssm").put_parameter(
        Name=home.names.benchmarks_parameter, Value="{}", Type="String", Overwrite=True
    )
    live(home, FULL_BYTES)


def _ended(home: Home) -> None:
    _measuring(home)
    live(home, FULL_BYTES)


def _one_failed(home: Home) -> None:
    """One instance says half of what it did, the other is refused."""
    hosts = _hosts(home)
    hosts.says(HOSTS[0], output_of(HOSTS[0], WORKLOADS)[:900], errors="dd: No space left on device", status=1)
    hosts.says(HOSTS[1], "", errors="/mnt/efs is not mounted", status=2)
    home.call("run_benchmark", home.names.daily)
    live(home, FULL_BYTES)


def _several_ended(home: Home) -> None:
    """Two runs of which nobody was told."""
    hosts = _hosts(home)
    for number in range(2):
        hosts.measures(WORKLOADS, slower=1 + number)
        home.call("run_benchmark", home.names.daily_after(days=1 + number))
        live(home, FULL_BYTES)


def another_start(home: Home, _: str) -> Any:
    """The timer, a day later."""
    return home.names.daily_after(days=1)


def told_of_the_end(home: Home, _: str) -> Any:
    """Systems Manager's event about the first instance of the newest command."""
    (command, *_) = home.sandbox.client("ssm").list_commands()["Commands"]
    return {
        "source": "aws.ssm",
        "detail-type": "EC2 Command Invocation Status-change Notification",
        "time": home.sandbox.clock.now().isoformat(),
        "detail": {
            "command-id": command["CommandId"],
            "document-name": home.names.document_name,
            "instance-id": HOSTS[0],
            "status": "Success",
        },
    }


HOURLY: Mapping[str, Mapping[str, Callable[[Home], object]]] = {
    "recalculate_thresholds": {
        "first run": _first_run,
        "nothing to do": settled,
        "raise": _raised,
        "raise past the balance": _raised_past_the_balance,
        "lower": _lowered,
        "suspend": _suspended,
        "suspend while low": _suspended_low,
        "resume while low": _resumed_low,
        "resume": _resumed,
        "file system gone": _gone,
        "file system back": _back,
        "alarms edited, raise": _edited,
        "Exhausted and Draining edited": _newer_edited,
        "alarm deleted": _deleted,
        "Exhausted and Draining deleted": _newer_deleted,
        "memory gone": _forgotten,
        "fifteen days to read": _capped,
    },
    "report_silence": {
        "calm": _calm,
        "file system gone": _gone,
        "Critical lasts": _lasting,
        "subscriber unconfirmed": _unconfirmed,
        "nobody on Advice": _nobody_on_advice,
        "much is wrong": _much_is_wrong,
        "over again": _over,
        "metrics stopped": _metrics_stopped,
        "heading down": _heading_down,
    },
    "set_late_alarms": {
        "in time": settled,
        "no datapoint yet": _unmeasured,
        "late and low": _late_and_low,
        "late and empty": _late_and_empty,
        "late and over": _late_and_over,
        "late and full again": _late_and_full_again,
        "late and suspended": _late_and_suspended,
    },
    "collect_benchmark": {
        "nothing to collect": _hosts,
        "events lost": _ended,
        "several lost": _several_ended,
        "one failed": _one_failed,
    },
}

STARTING_POINTS = (
    *(StartingPoint(function, name, prepare) for function, named in HOURLY.items() for name, prepare in named.items()),
    StartingPoint("recalculate_thresholds", "raise by the Rise alarm", _raised, change(AlarmKind.RISE)),
    StartingPoint(
        "recalculate_thresholds", "an update begins while suspended", _suspended_and_published, update_begins
    ),
    StartingPoint("run_benchmark", "sent", _hosts, lambda home, _: home.names.daily),
    StartingPoint("run_benchmark", "billed", lambda home: _hosts(home, "elastic"), lambda home, _: home.names.daily),
    StartingPoint("run_benchmark", "billed, ledger lost", _elastic_with_ledger_lost, another_start),
    StartingPoint("run_benchmark", "delivered again", _sent_before, lambda home, _: home.names.daily),
    StartingPoint("run_benchmark", "low credits", _low_credits, lambda home, _: home.names.daily),
    StartingPoint("run_benchmark", "nobody online", _nobody_online, lambda home, _: home.names.daily),
    StartingPoint("collect_benchmark", "told of the end", _ended, told_of_the_end),
    StartingPoint("explain", "Warning goes off", _low, change(AlarmKind.WARNING)),
    StartingPoint("explain", "Critical goes off", _critically_low, change(AlarmKind.CRITICAL)),
    StartingPoint("explain", "Exhausted goes off", _low, change(AlarmKind.EXHAUSTED)),
    StartingPoint("explain", "limit lifted", settled, change(AlarmKind.EXHAUSTED, "OK", "ALARM")),
    StartingPoint("explain", "Draining goes off", settled, change(AlarmKind.DRAINING)),
    StartingPoint(
        "explain",
        "Draining goes off, and Critical has",
        _critical_went_off,
        change(AlarmKind.DRAINING),
        instead="DRAINING",
    ),
    StartingPoint("explain", "a fall is over", settled, change(AlarmKind.DRAINING, "OK", "ALARM")),
    StartingPoint("explain", "recovered", settled, change(AlarmKind.WARNING, "OK", "ALARM")),
    StartingPoint("explain", "armed", settled, change(AlarmKind.WARNING, "OK", "INSUFFICIENT_DATA")),
    StartingPoint("explain", "no datapoint yet", _unmeasured, change(AlarmKind.WARNING)),
    StartingPoint("apply_on_deploy", "first deployment", _before_the_stack, request("Create")),
    StartingPoint("apply_on_deploy", "first deployment, elastic", _elastic_before_the_stack, request("Create")),
    StartingPoint("apply_on_deploy", "update", _raised, request("Update", CriticalMinutes="90")),
    StartingPoint("apply_on_deploy", "update while asleep", _resumed_low, request("Update", CriticalMinutes="90")),
    StartingPoint("apply_on_deploy", "file system gone", _gone, request("Update")),
    StartingPoint("apply_on_deploy", "fifteen days to read", _capped, request("Update")),
    StartingPoint("apply_on_deploy", "delete", _gone, request("Delete")),
    StartingPoint("apply_on_deploy", "topics given", _topics_of_this_account, topics_request("Create")),
    StartingPoint(
        "apply_on_deploy",
        "topics of another account",
        _topics_of_another_account,
        topics_request("Update", OTHER_ACCOUNT_ID),
    ),
    StartingPoint(
        "apply_on_deploy", "given topic that lets nobody in", _topics_that_let_nobody_in, topics_request("Create")
    ),
    StartingPoint("apply_on_deploy", "given topic missing", _one_topic_missing, topics_request("Create")),
    StartingPoint("apply_on_deploy", "key of the topics", _key_that_lets_alarms_in, key_request),
    StartingPoint("apply_on_deploy", "key that lets no alarm in", _key_that_lets_nobody_in, key_request),
)
