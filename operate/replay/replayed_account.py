"""The account a history is replayed in: what the monitor's own use cases see of AWS, and what they do there, in memory.

The use cases are those that are deployed; only their clients and their clock are replaced.
"""

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

from botocore.session import get_session
from efs_monitor.alarms.alarm import LASTING_ALARMS, SUSPENDED_MARK, AlarmKind, alarm_name, is_ended_unseen, is_held
from efs_monitor.alarms.alarm_definition import Wiring, definition
from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.alarms.decision import CurrentThresholds
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws.custom_resource import Request
from efs_monitor.aws.runtime import Clients
from efs_monitor.config import Config
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.errors import MonitorError
from efs_monitor.events import AlarmChange
from efs_monitor.incidents.recovering_balance import LATELY, RECURS_IN
from efs_monitor.incidents.situation import RECENT
from efs_monitor.notify.health_settings import HealthSettings, RepeatHours
from efs_monitor.stack_functions import StackFunction
from efs_monitor.usecases.apply_on_deploy import apply_on_deploy
from efs_monitor.usecases.explain import explain
from efs_monitor.usecases.recalculate import MonitoredStack, recalculate, tell
from efs_monitor.usecases.report_silence import ReportingStack, report_silence
from efs_monitor.usecases.set_late_alarms import set_late_alarms

from operate.replay.replayed_metrics import MINUTE, Metrics
from operate.replay.watched_alarm import WatchedAlarm, watched
from operate.template_defaults import REPEAT_HOURS, SILENT_METRICS_HOURS
from simulation.alarm_evaluation import State

HOUR = timedelta(hours=1)
HOUR_MINUTES, DAY_MINUTES = 60, 1440
RETRIES_AFTER_MINUTES = (1, 2)
# A week of balances is read for its trend, of which only the lowest of each day counts. Whether the balance recovers is
# asked of the last hours, and whether it did half an hour ago, also of metrics that are an hour late.
TREND_MINUTES = 6 * DAY_MINUTES
RECENT_MINUTES = (RECURS_IN + LATELY + RECENT) // MINUTE
# AWS's own example of an account id; a mail names it in links.
ACCOUNT_ID = "123456789012"


@dataclass(frozen=True, slots=True)
class ReplayedMail:
    """What a topic's subscribers got, and when: `topic` is the end of its name. `minute` since the history began.

    CloudWatch's own have the alarm's name as the subject and its new state as the body.
    """

    minute: int
    topic: str
    subject: str
    body: str
    by_cloudwatch: bool


@dataclass(frozen=True, kw_only=True)
class Recalculation:
    """A recalculation: when and why it ran, what it decided and why, and the alarms that it wrote, without the stack's
    name before them.
    """

    minute: int
    kind: str
    cause: str
    reason: str
    alarms_written: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ReplayedStack:
    """The stack that would have been deployed: its name and Region, and what its operator chose."""

    name: str
    region: str
    settings: Settings
    runbook_url: str
    alert_email: str = "team@example.com"
    silent_metrics_hours: int = SILENT_METRICS_HOURS
    repeat_hours: RepeatHours = REPEAT_HOURS

    def topic_arn(self, topic: str) -> str:
        """A topic of the stack by the end of its name."""
        return f"arn:aws:sns:{self.region}:{ACCOUNT_ID}:{self.name}-{topic}"

    def function_arn(self, function: str) -> str:
        """A function of the stack by its logical id."""
        return f"arn:aws:lambda:{self.region}:{ACCOUNT_ID}:function:{self.name}-{function}"


@functools.cache
def _service_model() -> Any:
    return get_session().get_service_model("cloudwatch")


class _Pages:
    """A paginator whose answer is one page."""

    def __init__(self, ask: Any) -> None:
        self._ask = ask

    def paginate(self, **request: Any) -> list[Any]:
        return [self._ask(**request)]


@dataclass
class ReplayedAccount:
    """One file system, its metrics, the stack's alarms, its memory, and everybody who was told something."""

    stack: ReplayedStack
    metrics: Metrics
    file_system: FileSystem
    minute: int = 0
    alarms: dict[AlarmKind, WatchedAlarm] = field(default_factory=dict)
    mails: list[ReplayedMail] = field(default_factory=list)
    changes: list[tuple[int, str, str, str]] = field(default_factory=list)
    decisions: list[Recalculation] = field(default_factory=list)
    memory: list[str] = field(default_factory=lambda: ["{}"])
    retries: list[tuple[int, str, Callable[[], object], tuple[int, ...]]] = field(default_factory=list)
    failed: list[tuple[int, str]] = field(default_factory=list)
    rewritten: bool = False
    metrics_are_late: bool = False

    def __post_init__(self) -> None:
        stack, file_system_id = self.stack, self.file_system.file_system_id
        arns: dict[str, str] = {topic: stack.topic_arn(topic) for topic in Topic}
        functions = (
            StackFunction.RECALCULATE_THRESHOLDS,
            StackFunction.EXPLAIN,
            StackFunction.SET_LATE_ALARMS,
            StackFunction.REPORT_SILENCE,
        )
        stack_id = f"arn:aws:cloudformation:{stack.region}:{ACCOUNT_ID}:stack/{stack.name}/replayed"
        parameter = f"/efs-monitor/{stack.name}/told"
        self._config = Config(
            stack_name=stack.name,
            stack_id=stack_id,
            file_system_id=file_system_id,
            advice_topic_arn=arns[Topic.ADVICE],
            runbook_url=stack.runbook_url,
            state_parameter=parameter,
        )
        self._wiring = Wiring(
            file_system_id=file_system_id,
            warning_topic_arn=arns[Topic.WARNING],
            critical_topic_arn=arns[Topic.CRITICAL],
            explain_arn=stack.function_arn(StackFunction.EXPLAIN),
        )
        self._monitored = MonitoredStack(
            config=self._config,
            settings=stack.settings,
            wiring=self._wiring,
            state_parameter=parameter,
        )
        self._reporting = ReportingStack(
            config=self._config,
            settings=stack.settings,
            watch=HealthSettings(
                alert_email=stack.alert_email,
                own_topics=frozenset(Topic),
                silent_metrics_hours=stack.silent_metrics_hours,
                repeat_hours=stack.repeat_hours,
                function_names={name: f"{stack.name}-{name}" for name in functions},
            ),
            topic_arns=arns,
            state_parameter=parameter,
        )

    @property
    def now(self) -> datetime:
        """The minute's first moment."""
        return self.metrics.time(self.minute)

    @property
    def is_low(self) -> bool:
        """Whether Warning or Critical is on."""
        return any(self.alarms[kind].state is State.ALARM for kind in LASTING_ALARMS if kind in self.alarms)

    @functools.cached_property
    def standing(self) -> CurrentThresholds:
        """The thresholds that the alarms stand at, and whether these are suspended."""

        def threshold(kind: AlarmKind) -> float:
            return float(self.alarms[kind].definition["Threshold"])

        description = str(self.alarms[AlarmKind.WARNING].definition["AlarmDescription"])
        return CurrentThresholds(
            warning_bytes=threshold(AlarmKind.WARNING),
            critical_bytes=threshold(AlarmKind.CRITICAL),
            exhausted_bytes=threshold(AlarmKind.EXHAUSTED),
            rise_bytes_per_second=threshold(AlarmKind.RISE),
            suspended=description.startswith(SUSPENDED_MARK),
        )

    # The clients that a function has.

    @property
    def clients(self) -> Clients:
        """The clients that the use cases are given, which ask this account."""
        return cast("Clients", self)

    @property
    def efs(self) -> Any:
        """Amazon EFS."""
        return SimpleNamespace(describe_file_systems=self._describe_file_systems)

    @functools.cached_property
    def cloudwatch(self) -> Any:
        """Amazon CloudWatch."""
        asks = {
            "get_metric_data": self._get_metric_data,
            "describe_alarms": self._describe_alarms,
            "describe_alarm_history": lambda **_: {"AlarmHistoryItems": []},
        }
        return SimpleNamespace(
            meta=SimpleNamespace(service_model=_service_model()),
            get_paginator=lambda name: _Pages(asks[name]),
            describe_alarms_for_metric=lambda **_: {"MetricAlarms": []},
            describe_alarms=self._describe_alarms,
            put_metric_alarm=self._put_metric_alarm,
            set_alarm_state=self._set_alarm_state,
        )

    @property
    def cloudformation(self) -> Any:
        """AWS CloudFormation: no deployment is under way."""
        return SimpleNamespace(describe_stacks=lambda **_: {"Stacks": [{"StackStatus": "UPDATE_COMPLETE"}]})

    @property
    def sns(self) -> Any:
        """Amazon SNS: somebody is subscribed to each topic."""
        subscription = {
            "Protocol": "email",
            "Endpoint": self.stack.alert_email,
            "SubscriptionArn": "arn:aws:sns:of:somebody",
        }
        return SimpleNamespace(
            get_paginator=lambda _: _Pages(lambda **_: {"Subscriptions": [subscription]}), publish=self._publish
        )

    @property
    def ssm(self) -> Any:
        """AWS Systems Manager: the one memory, with its versions."""
        return SimpleNamespace(get_parameter=self._get_parameter, put_parameter=self._put_parameter)

    # What happens in the account.

    def deploy(self) -> None:
        """The alarms as CloudFormation creates them, with what the custom resource answers."""
        settings = self.stack.settings
        request = Request(
            kind="Create",
            response_url="https://nowhere.invalid/",
            stack_id=self._config.stack_id,
            request_id="replayed",
            logical_resource_id="Thresholds",
            resource_type="Custom::EfsBurstCreditThresholds",
            physical_resource_id="Thresholds",
            properties={
                "FileSystemId": self.file_system.file_system_id,
                "WarningMinutes": str(settings.warning_minutes),
                "CriticalMinutes": str(settings.critical_minutes),
                "RiseTolerancePercent": str(settings.rise_tolerance_percent),
                "RunbookUrl": self.stack.runbook_url,
            },
        )
        data = apply_on_deploy(self.clients, self._config, request, self.now).data
        recalculate_arn = self.stack.function_arn(StackFunction.RECALCULATE_THRESHOLDS)
        thresholds: dict[AlarmKind, str | int] = {
            AlarmKind.WARNING: data["WarningThresholdBytes"],
            AlarmKind.CRITICAL: data["CriticalThresholdBytes"],
            AlarmKind.EXHAUSTED: data["ExhaustedThresholdBytes"],
            AlarmKind.DRAINING: settings.critical_minutes,
            AlarmKind.RISE: data["RiseThresholdBytesPerSecond"],
        }
        for kind, threshold in thresholds.items():
            settings_of_alarm = definition(kind, self._wiring)
            acts = True
            if kind is AlarmKind.RISE:
                settings_of_alarm |= {"AlarmActions": [recalculate_arn], "OKActions": [recalculate_arn]}
            else:
                acts = data["ActionsEnabled"] == "true"
            self.alarms[kind] = watched(
                settings_of_alarm
                | {
                    "AlarmName": alarm_name(self.stack.name, kind),
                    "Threshold": float(threshold),
                    "AlarmDescription": data[f"{kind.name.capitalize()}Description"],
                    "ActionsEnabled": acts,
                }
            )
            self.alarms[kind].transitioned = self.alarms[kind].configured = self.now

    def evaluate(self) -> None:
        """CloudWatch judges every alarm: once a minute, and anew what was `rewritten`."""
        self.rewritten = False
        runs: list[tuple[str, Callable[[], object]]] = []
        for kind, one in self.alarms.items():
            state = one.judged(self.metrics, self.minute)
            if state is not one.state:
                runs += self._change(kind, str(state), "Threshold Crossed")
        # A function that an alarm starts finds every alarm in the state of this minute.
        for function, run in runs:
            self.invoke(function, run)

    def recalculate(self, cause: str = "schedule", began: datetime | None = None) -> None:
        """What RecalculateThresholds does at a run that `began` some seconds off the minute, or at its first moment."""
        done = recalculate(self.clients, self._monitored, cause, began or self.now)
        self._decided(cause, done.outcome)
        tell(self.clients, self._monitored, done)

    def _decided(self, cause: str, outcome: Mapping[str, object]) -> None:
        written = outcome.get("alarms_written")
        names = written if isinstance(written, list) else []
        decision = Recalculation(
            minute=self.minute,
            kind=str(outcome.get("decision")),
            cause=cause,
            reason=str(outcome.get("reason", "")),
            alarms_written=tuple(str(name).removeprefix(f"{self.stack.name}-") for name in names),
        )
        self.decisions.append(decision)

    def set_late_alarms(self, began: datetime | None = None) -> None:
        """What SetLateAlarms does at a run that `began` some seconds off the minute, or at its first moment."""
        set_late_alarms(self.clients, self._config, began or self.now, self.stack.silent_metrics_hours)

    def report_silence(self, began: datetime | None = None) -> None:
        """What ReportSilence does at a run that `began` some seconds off the minute, or at its first moment."""
        report_silence(self.clients, self._reporting, began or self.now)

    def retry(self) -> None:
        """What failed some minutes ago is run again."""
        if not self.retries:
            return
        due = [one for one in self.retries if one[0] <= self.minute]
        self.retries = [one for one in self.retries if one[0] > self.minute]
        for _, function, run, pauses in due:
            self.invoke(function, run, pauses)

    def invoke(self, function: str, run: Callable[[], object], pauses: tuple[int, ...] = RETRIES_AFTER_MINUTES) -> None:
        """Run as Lambda runs what nobody waits for: again after each of the pauses, and then no more."""
        try:
            run()
        except MonitorError:
            if pauses:
                self.retries.append((self.minute + pauses[0], function, run, pauses[1:]))
            else:
                self.failed.append((self.minute, function))

    def _change(self, kind: AlarmKind, state: str, reason: str) -> list[tuple[str, Callable[[], object]]]:
        """The alarm in its new state, told by CloudWatch; the answer is what it starts."""
        one = self.alarms[kind]
        change = AlarmChange(
            kind=kind,
            state=state,
            previous_state=str(one.state),
            reason=reason,
            ended_unseen=is_ended_unseen(reason) or is_ended_unseen(one.reason),
            unheard=state == "OK" and is_held(one.reason),
            since=one.transitioned,
        )
        one.state, one.reason, one.transitioned = State(state), reason, self.now
        self.changes.append((self.minute, str(kind), change.previous_state, state))
        runs: list[tuple[str, Callable[[], object]]] = []
        if one.definition.get("ActionsEnabled", True) is not True:
            return runs
        for target in one.definition.get({"ALARM": "AlarmActions", "OK": "OKActions"}.get(state, ""), []):
            _, _, service, *_, name = target.split(":")
            end = name.removeprefix(f"{self.stack.name}-")
            if service == "sns":
                self.mails.append(ReplayedMail(self.minute, end, str(kind), state, by_cloudwatch=True))
            elif end == StackFunction.EXPLAIN:
                runs.append((end, functools.partial(self._explain, change)))
            else:
                runs.append((end, functools.partial(self.recalculate, f"{kind} {state}")))
        return runs

    def _explain(self, change: AlarmChange) -> None:
        explain(self.clients, self._config, self.stack.settings, change, self.now)

    # What the functions ask.

    def _describe_file_systems(self, **_: Any) -> Any:
        one = self.file_system
        described: dict[str, Any] = {
            "FileSystemId": one.file_system_id,
            "Name": one.name,
            "LifeCycleState": "available",
            "PerformanceMode": "maxIO" if one.max_io else "generalPurpose",
            "ThroughputMode": str(one.mode),
            "SizeInBytes": {"Value": one.standard_bytes, "ValueInStandard": one.standard_bytes, "ValueInIA": 0},
        }
        if one.one_zone:
            described["AvailabilityZoneName"] = f"{self.stack.region}a"
        if one.mode is ThroughputMode.PROVISIONED:
            described["ProvisionedThroughputInMibps"] = one.provisioned_bytes_per_second / MIB
        return {"FileSystems": [described]}

    def _get_metric_data(self, MetricDataQueries: Any, StartTime: datetime, EndTime: datetime, **_: Any) -> Any:
        found = []
        metrics = self.metrics
        for query in MetricDataQueries:
            stat = query["MetricStat"]
            if stat["Metric"]["Namespace"] == "AWS/EFS":
                metric, statistic, period = stat["Metric"]["MetricName"], stat["Stat"], stat["Period"] // 60
                first, end = metrics.index(StartTime), -((metrics.start - EndTime) // MINUTE)
                older: list[tuple[int, float]] = []
                if end - first > TREND_MINUTES and metric == "BurstCreditBalance" and period < HOUR_MINUTES:
                    recent = end // HOUR_MINUTES * HOUR_MINUTES - RECENT_MINUTES
                    if not self.is_low:
                        older = self._lowest_of_hours(first, recent)
                    first = recent
                indexes, values = metrics.read(metric, statistic, period, first, end)
                times = [*(metrics.time(index) for index, _ in older), *metrics.times(indexes)]
                values = [*(one for _, one in older), *values]
            else:
                # Every function has just run, and none failed.
                times = [(EndTime - HOUR).replace(minute=0, second=0, microsecond=0)]
                values = [float(stat["Metric"]["MetricName"] == "Invocations")]
            found.append({"Id": query["Id"], "Timestamps": times, "Values": values})
        return {"MetricDataResults": found}

    def _lowest_of_hours(self, first: int, end: int) -> list[tuple[int, float]]:
        """The lowest balance of each hour, instead of the twelve steps that it has.

        Days are counted back from now. An hour in which one ends is given in its steps, so that each day has its own.
        """
        found: list[tuple[int, float]] = []
        balances = ("BurstCreditBalance", "Minimum")
        of_the_hour = first // HOUR_MINUTES * HOUR_MINUTES
        for index, lowest in zip(*self.metrics.read(*balances, HOUR_MINUTES, of_the_hour, end), strict=True):
            if (self.minute - index) % DAY_MINUTES < HOUR_MINUTES:
                found += zip(*self.metrics.read(*balances, 5, index, index + HOUR_MINUTES), strict=True)
            else:
                found.append((index, lowest))
        return found

    def _describe_alarms(self, AlarmNames: Any = None, **_: Any) -> Any:
        return {
            "MetricAlarms": [
                {
                    **one.definition,
                    "StateValue": str(one.state),
                    "StateReason": one.reason,
                    "StateTransitionedTimestamp": one.transitioned,
                    "AlarmConfigurationUpdatedTimestamp": one.configured,
                }
                for one in self.alarms.values()
                if AlarmNames is None or one.name in AlarmNames
            ]
        }

    def _put_metric_alarm(self, **request: Any) -> None:
        one = self.alarms[self._kind(request["AlarmName"])]
        one.definition, one.judged_rule, one.configured = request, None, self.now
        self.rewritten = True
        # Asked for every minute, and written a few times a day.
        self.__dict__.pop("standing", None)

    def _set_alarm_state(self, AlarmName: str, StateValue: str, StateReason: str, **_: Any) -> None:
        kind = self._kind(AlarmName)
        if str(self.alarms[kind].state) != StateValue:
            for function, run in self._change(kind, StateValue, StateReason):
                self.invoke(function, run)

    def _kind(self, name: str) -> AlarmKind:
        return AlarmKind(name.removeprefix(f"{self.stack.name}-"))

    def _publish(self, TopicArn: str, Subject: str, Message: str, **_: Any) -> None:
        topic = TopicArn.rpartition(":")[2].removeprefix(f"{self.stack.name}-")
        self.mails.append(ReplayedMail(self.minute, topic, Subject, json.loads(Message)["email"], by_cloudwatch=False))

    def _get_parameter(self, Name: str) -> Any:
        _, _, version = Name.partition(":")
        number = int(version) if version else len(self.memory)
        return {"Parameter": {"Value": self.memory[number - 1], "Version": number}}

    def _put_parameter(self, Value: str, **_: Any) -> Any:
        self.memory.append(Value)
        return {"Version": len(self.memory)}
