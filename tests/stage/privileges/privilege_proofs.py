"""What each statement of each role is for: a small scene, and whether its effect was seen.

Each proof sets its scene by itself, drives the function by its own event, and answers whether what the statement is
there for happened. A statement of a role that is new here needs a line in PROOFS.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache

from efs_monitor.alarms.alarm import CREDIT_ALARMS
from efs_monitor.notify.state import NotificationState

from localaws.clock import MINUTE
from tests.stage.privileges.needs import NeededAction, function_of, schedule_of, target_of
from tests.stage.privileges.whole_stack import WholeStack

# A policy needs a statement.
NOTHING_OF_USE = {"Effect": "Allow", "Action": "sts:GetCallerIdentity", "Resource": "*"}

type Proof = Callable[[WholeStack], bool]


def thresholds_are_repaired(whole: WholeStack) -> bool:
    """Somebody halves every threshold and has messages carry the alarm's tags; the hourly run puts them right."""
    whole.reset()
    with_tags = {"AlarmTagsPropagation": {"Enabled": True}}
    for end, alarm in whole.alarms.items():
        whole.edit(end, Threshold=alarm["Threshold"] / 2, ActionConfiguration=with_tags)
    whole.hourly("RecalculateThresholds")
    return all(alarm["Threshold"] == whole.alarms[end]["Threshold"] for end, alarm in whole.stack.alarms().items())


def credit_alarms_come_back(whole: WholeStack) -> bool:
    """Elastic throughput for an hour in an incident: all alarms on credits were ended and suspended, and act again."""
    whole.reset()
    for end in CREDIT_ALARMS:
        name = whole.alarms[end]["AlarmName"]
        whole.sandbox.client("cloudwatch").set_alarm_state(
            AlarmName=name, StateValue="ALARM", StateReason="an incident"
        )
    acting, states = [], []
    for mode in ("elastic", "bursting"):
        whole.sandbox.file_systems.set_mode(whole.stack.file_system_id, mode)
        whole.hourly("RecalculateThresholds")
        acting.append([whole.stack.alarms()[end]["ActionsEnabled"] for end in CREDIT_ALARMS])
        states.append([whole.stack.alarms()[end]["StateValue"] for end in CREDIT_ALARMS])
    marked = [whole.stack.alarms()[end]["AlarmDescription"].startswith("[") for end in CREDIT_ALARMS]
    return acting == [[False] * 4, [True] * 4] and states[0] == ["OK"] * 4 and not any(marked)


def what_was_told_is_remembered(whole: WholeStack) -> bool:
    """The hourly run notes which edit people know of."""
    whole.reset()
    whole.edit("warning", EvaluationPeriods=30)
    whole.hourly("RecalculateThresholds")
    return whole.remembered() != "{}"


def an_edited_alarm_is_told(whole: WholeStack) -> bool:
    """Somebody makes Warning slower; the hourly run tells."""
    whole.reset()
    whole.edit("warning", EvaluationPeriods=30)
    before = len(whole.mailed())
    whole.hourly("RecalculateThresholds")
    return len(whole.mailed()) == before + 1


def nothing_is_told_amid_a_deployment(function: str) -> Proof:
    """An alarm was edited and nobody is subscribed to Warning, while CloudFormation is at work; nothing is told yet."""

    def proof(whole: WholeStack) -> bool:
        whole.reset()
        whole.edit("warning", EvaluationPeriods=30)
        whole.unsubscribe("warning")
        before = len(whole.mailed())
        with whole.in_deployment():
            whole.hourly(function)
        return len(whole.mailed()) == before

    proof.__doc__ = nothing_is_told_amid_a_deployment.__doc__
    return proof


def an_alarm_is_explained(whole: WholeStack) -> bool:
    """Critical goes off; the readable mail has figures of the balance."""
    whole.reset()
    before = len(whole.mailed())
    whole.stack.invoke("Explain", whole.sample("critical-alarm"))
    return any("FIGURES of " in mail.message for mail in whole.mailed()[before:])


def a_mode_that_was_changed_is_said_to_be_locked(whole: WholeStack) -> bool:
    """The recalculation saw a change of the throughput mode; the mail about Critical says until when AWS locks it."""
    whole.reset(balance_gib=100)
    whole.has_fallen(balance_gib=100)
    resumed = whole.sandbox.clock.now() - timedelta(hours=1)
    told = NotificationState(reference_bytes_per_second=1, resumed=resumed)
    whole.remember(told.to_json(whole.stack.file_system_id))
    before = len(whole.mailed())
    whole.stack.invoke("Explain", whole.sample("critical-alarm"))
    bodies = [" ".join(mail.message.split()) for mail in whole.mailed()[before:]]
    return any("mode was changed before" in body for body in bodies)


def a_fall_that_critical_told_of_is_not_told_twice(whole: WholeStack) -> bool:
    """Critical has just gone off, and Draining after it: Explain sees the one and says nothing of the other."""
    # Of a day in which other scenes had no credits left, no fall would be told anew.
    whole.let_pass_unmeasured(timedelta(days=1))
    whole.reset(balance_gib=300)
    # Of a balance that did not fall Critical could not have told when it ends, and of one that is not low no remedies.
    whole.has_fallen(balance_gib=300)
    # Not on since some earlier scene.
    whole.calm()
    whole.sandbox.quotas.second_passes()
    whole.sandbox.client("cloudwatch").set_alarm_state(
        AlarmName=f"{whole.stack.name}-critical", StateValue="ALARM", StateReason="of the test"
    )
    before = len(whole.mailed())
    whole.stack.invoke("Explain", whole.sample("draining-alarm"))
    # Critical itself is explained meanwhile.
    told = any((mail.subject or "").startswith("DRAINING") for mail in whole.mailed()[before:])
    whole.calm()
    return not told


def a_deployment_is_answered(whole: WholeStack) -> bool:
    """CloudFormation asks for the thresholds and gets them."""
    whole.reset()
    event = whole.sample("deploy-create") | {"ResponseURL": f"http://localhost:{whole.desk.port}/answer"}
    whole.stack.invoke("ApplyOnDeploy", event)
    return bool(whole.desk.answers[-1]["Status"] == "SUCCESS")


def a_rollback_is_not_refused(whole: WholeStack) -> bool:
    """CloudFormation goes back to a file system that is gone by now; refused, the stack would be stuck."""
    whole.reset()
    event = whole.sample("deploy-update") | {"ResponseURL": f"http://localhost:{whole.desk.port}/answer"}
    gone = event["ResourceProperties"] | {"FileSystemId": "fs-00000000000000bad"}
    with whole.in_deployment("UPDATE_ROLLBACK_IN_PROGRESS") as stack_id:
        whole.stack.invoke("ApplyOnDeploy", event | {"StackId": stack_id, "ResourceProperties": gone})
    return bool(whole.desk.answers[-1]["Status"] == "SUCCESS")


def a_given_topic_is_looked_at(whole: WholeStack) -> bool:
    """CloudFormation asks about a topic that was given, and hears what its policy says."""
    whole.reset()
    sample = whole.sample("deploy-create")
    roles = {"ReporterRoleArn": "arn:aws:iam::123456789012:role/home-ReportSilenceRole"}
    event = sample | {
        "ResponseURL": f"http://localhost:{whole.desk.port}/answer",
        "ResourceType": "Custom::EfsBurstCreditTopics",
        "ResourceProperties": {"CriticalTopicArn": whole.given_topic_arn, "EncryptionKeyArn": whole.key_arn, **roles},
    }
    whole.stack.invoke("ApplyOnDeploy", event)
    return "its policy lets this stack publish" in whole.desk.answers[-1].get("Data", {}).get("Policies", "")


def a_key_is_looked_at(whole: WholeStack) -> bool:
    """CloudFormation asks about the key of the stack's topics, and hears what its policy says."""
    whole.reset()
    event = whole.sample("deploy-create") | {
        "ResponseURL": f"http://localhost:{whole.desk.port}/answer",
        "ResourceType": "Custom::EfsBurstCreditTopics",
        "ResourceProperties": {"EncryptionKeyArn": whole.key_arn},
    }
    whole.stack.invoke("ApplyOnDeploy", event)
    return "its policy lets CloudWatch use it" in whole.desk.answers[-1].get("Data", {}).get("Policies", "")


def a_lost_subscription_is_told(whole: WholeStack) -> bool:
    """Nobody is subscribed to Warning any more, and one of the given topic's subscribers has not confirmed; the report
    of silence tells of both, and remembers that it did.
    """
    whole.reset()
    whole.unsubscribe("warning")
    late = "night-shift@example.com"
    whole.sandbox.client("sns").subscribe(TopicArn=whole.given_topic_arn, Protocol="email", Endpoint=late)
    whole.sandbox.subscribers.unconfirmed.add(late)
    before = len(whole.mailed())
    whole.hourly("ReportSilence")
    whole.sandbox.subscribers.unconfirmed.clear()
    told = [mail.subject or "" for mail in whole.mailed()[before:]]
    expected = ("mail address not subscribed", "subscription not confirmed")
    return all(any(one in subject for subject in told) for one in expected) and whole.remembered() != "{}"


def a_deserted_advice_topic_is_told_elsewhere(whole: WholeStack) -> bool:
    """Nobody is subscribed to Advice: Warning hears of it, and Critical where Warning is deserted too."""
    whole.reset()
    heard = []
    for deserted, told in (("advice", "warning"), ("warning", "critical")):
        whole.unsubscribe(deserted)
        whole.remember("{}")
        before = len(whole.mailed(told))
        whole.hourly("ReportSilence")
        heard.append(len(whole.mailed(told)) > before)
    return all(heard)


def a_late_alarm_is_set(whole: WholeStack) -> bool:
    """The balance is zero, of twenty minutes ago, and no alarm is on; the look at late metrics sets them. When it falls
    later, and is as late, the look sets Draining.
    """
    whole.reset(balance_gib=0)
    whole.let_pass_unmeasured(20 * MINUTE)
    whole.calm()
    whole.hourly("SetLateAlarms")
    found = [whole.stack.alarms()[end]["StateValue"] for end in ("warning", "critical", "exhausted")]
    whole.let_pass_unmeasured(timedelta(hours=6))
    whole.reset(balance_gib=100)
    whole.has_fallen(balance_gib=100)
    whole.let_pass_unmeasured(20 * MINUTE)
    whole.calm()
    whole.hourly("SetLateAlarms")
    found.append(whole.stack.alarms()["draining"]["StateValue"])
    whole.calm()
    return found == ["ALARM"] * 4


def an_unseen_fall_is_told_where_credits_matter(whole: WholeStack) -> bool:
    """It fell by 5 GiB a minute to 500 GiB, fifty minutes ago: Draining is set, but not in elastic throughput mode."""
    whole.reset()
    whole.has_fallen()
    whole.let_pass_unmeasured(50 * MINUTE)
    whole.calm()
    found = []
    for mode in ("elastic", "bursting"):
        whole.sandbox.file_systems.set_mode(whole.stack.file_system_id, mode)
        whole.hourly("SetLateAlarms")
        found.append(whole.stack.alarms()["draining"]["StateValue"])
    whole.calm()
    return found == ["OK", "ALARM"]


def a_benchmark_is_sent(whole: WholeStack) -> bool:
    """The timer's event: an instance is found and measures, and the ledger says so."""
    whole.let_minute_pass()
    whole.reset()
    whole.calm()
    before = len(whole.hosts.commands())
    answer = whole.benchmark()
    if len(whole.hosts.commands()) == before:
        return False
    return str(answer.get("run_id", "")).rpartition("-")[2] in whole.hosts.ledger()["billed_runs"]


def a_benchmark_is_collected(whole: WholeStack) -> bool:
    """An instance has measured, and the event about it was lost; the sweep publishes and enters it."""
    whole.let_minute_pass()
    whole.reset()
    whole.calm()
    with whole.losing_events():
        sent = whole.benchmark()
        whole.let_minute_pass()
    # It may just be due by its own schedule, too.
    whole.hourly("CollectBenchmark")
    command = str(sent["command_id"]).replace("-", "")[:12]
    return any(command in entry for entry in whole.hosts.ledger()["collected"])


def a_failure_for_good_is_told(function: str) -> Proof:
    """A function's event is given up; Lambda tells Advice, in the function's name."""

    def proof(whole: WholeStack) -> bool:
        whole.reset()
        before = len(whole.stack.failures_told())
        whole.give_up(function)
        return len(whole.stack.failures_told()) > before

    proof.__doc__ = a_failure_for_good_is_told.__doc__
    return proof


def what_cannot_be_started_is_kept(whole: WholeStack) -> bool:
    """The timer may not start its function any more: its event is in the queue."""
    whole.reset()
    allowed = [one for one in whole.statements("BenchmarkTimerRole") if one["Sid"] != "StartBenchmark"]
    before = whole.queued("BenchmarkTimerQueue")
    with whole.with_statements("BenchmarkTimerRole", allowed or [NOTHING_OF_USE]):
        whole.let_start("BenchmarkTimer")
    return whole.queued("BenchmarkTimerQueue") > before


PROOFS: Mapping[str, Mapping[str, Proof]] = {
    "ApplyOnDeployRole": {
        "ReadFileSystem": a_deployment_is_answered,
        "ReadMetrics": a_deployment_is_answered,
        "ReadAlarms": a_deployment_is_answered,
        "SeeWhetherItIsRolledBack": a_rollback_is_not_refused,
        "ReadGivenTopics": a_given_topic_is_looked_at,
        "ReadKeyPolicy": a_key_is_looked_at,
    },
    "RecalculateThresholdsRole": {
        "ReadFileSystem": thresholds_are_repaired,
        "ReadMetrics": thresholds_are_repaired,
        "ReadAlarms": thresholds_are_repaired,
        "WriteCreditAlarmsAndRise": thresholds_are_repaired,
        "EndAndWakeCreditAlarms": credit_alarms_come_back,
        "RememberWhatWasTold": what_was_told_is_remembered,
        "SeeWhetherDeploymentGoesOn": nothing_is_told_amid_a_deployment("RecalculateThresholds"),
        "PublishAdvice": an_edited_alarm_is_told,
        "UseTopicKey": an_edited_alarm_is_told,
    },
    "ReportSilenceRole": {
        "ReadFileSystem": a_lost_subscription_is_told,
        "ReadMetrics": a_lost_subscription_is_told,
        "ReadAlarms": a_lost_subscription_is_told,
        "FindOtherStacks": a_lost_subscription_is_told,
        "ReadWhatBecameOfActions": a_lost_subscription_is_told,
        "ReadWhatBenchmarksLeft": a_lost_subscription_is_told,
        "ReadSubscriptions": a_lost_subscription_is_told,
        "RememberWhatWasTold": a_lost_subscription_is_told,
        "SeeWhetherDeploymentGoesOn": nothing_is_told_amid_a_deployment("ReportSilence"),
        "PublishAdvice": a_lost_subscription_is_told,
        "PublishLastResort": a_deserted_advice_topic_is_told_elsewhere,
        "UseTopicKey": a_lost_subscription_is_told,
    },
    "SetLateAlarmsRole": {
        **dict.fromkeys(("ReadMetrics", "ReadAlarms", "SetAlarms"), a_late_alarm_is_set),
        "ReadFileSystem": an_unseen_fall_is_told_where_credits_matter,
    },
    "RunBenchmarkRole": {
        **dict.fromkeys(
            ("ReadFileSystem", "ReadMetrics", "ReadAlarms", "FindInstances", "SeeWhatRuns"), a_benchmark_is_sent
        ),
        **dict.fromkeys(("SendOnlyTheBenchmark", "SendToTaggedInstances", "KeepTheBudget"), a_benchmark_is_sent),
        **dict.fromkeys(("PublishAdvice", "UseTopicKey"), a_failure_for_good_is_told("RunBenchmark")),
    },
    "BenchmarkTimerRole": {"KeepWhatWasNotStarted": what_cannot_be_started_is_kept},
    "CollectBenchmarkRole": {
        **dict.fromkeys(("ReadMetrics", "ReadResults", "RememberWhatIsCollected"), a_benchmark_is_collected),
        **dict.fromkeys(("PublishAdvice", "UseTopicKey"), a_failure_for_good_is_told("CollectBenchmark")),
    },
    "ExplainRole": {
        "ReadFileSystem": an_alarm_is_explained,
        "ReadMetrics": an_alarm_is_explained,
        "ReadAlarms": a_fall_that_critical_told_of_is_not_told_twice,
        "ReadTold": a_mode_that_was_changed_is_said_to_be_locked,
        "PublishAdvice": an_alarm_is_explained,
        "UseTopicKey": an_alarm_is_explained,
    },
}


def proof_of(need: NeededAction) -> Proof | None:
    """The scene that shows what a need is for; None where nobody has written one."""
    if need.action.startswith("logs:"):
        return log_lines_of(function_of(need.role))
    if need.action == "lambda:InvokeFunction":
        return start_by(schedule_of(need.role))
    return PROOFS.get(need.role, {}).get(need.statement)


@cache
def log_lines_of(function: str) -> Proof:
    """A cold start, and an event it refuses: it logs that much."""

    def proof(whole: WholeStack) -> bool:
        whole.end_workers()
        before = len(whole.sandbox.logs.lines)
        whole.stack.invoke(function, {})
        return len(whole.sandbox.logs.lines) > before

    return proof


@cache
def start_by(schedule: str) -> Proof:
    """The schedule is due, and its function runs."""

    def proof(whole: WholeStack) -> bool:
        whole.reset()
        before = whole.runs(target_of(schedule))
        whole.let_start(schedule)
        return whole.runs(target_of(schedule)) > before

    return proof
