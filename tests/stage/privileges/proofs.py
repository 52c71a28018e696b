"""What each statement of each role is for: a small scene, and whether its effect was seen.

Each proof sets its scene by itself, drives the function by its own event, and answers whether what the statement is
there for happened. A statement of a role that is new here needs a line in PROOFS.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cache

from efs_monitor.alarms.alarm import CREDIT_ALARMS

from localaws.clock import MINUTE
from tests.stage.privileges.home import Home
from tests.stage.privileges.needs import Need, function_of, schedule_of, target_of

# A policy needs a statement.
NOTHING_OF_USE = {"Effect": "Allow", "Action": "sts:GetCallerIdentity", "Resource": "*"}

type Proof = Callable[[Home], bool]


def thresholds_are_repaired(home: Home) -> bool:
    """Somebody halves every threshold and has messages carry the alarm's tags; the hourly run puts them right."""
    home.reset()
    with_tags = {"AlarmTagsPropagation": {"Enabled": True}}
    for end, alarm in home.alarms.items():
        home.edit(end, Threshold=alarm["Threshold"] / 2, ActionConfiguration=with_tags)
    home.hourly("RecalculateThresholds")
    return all(alarm["Threshold"] == home.alarms[end]["Threshold"] for end, alarm in home.stack.alarms().items())


def credit_alarms_come_back(home: Home) -> bool:
    """Elastic throughput for an hour in an incident: all alarms on credits were ended and suspended, and act again."""
    home.reset()
    for end in CREDIT_ALARMS:
        name = home.alarms[end]["AlarmName"]
        home.sandbox.client("cloudwatch").set_alarm_state(AlarmName=name, StateValue="ALARM", StateReason="an incident")
    acting, states = [], []
    for mode in ("elastic", "bursting"):
        home.sandbox.file_systems.set_mode(home.stack.file_system_id, mode)
        home.hourly("RecalculateThresholds")
        acting.append([home.stack.alarms()[end]["ActionsEnabled"] for end in CREDIT_ALARMS])
        states.append([home.stack.alarms()[end]["StateValue"] for end in CREDIT_ALARMS])
    marked = [home.stack.alarms()[end]["AlarmDescription"].startswith("[") for end in CREDIT_ALARMS]
    return acting == [[False] * 4, [True] * 4] and states[0] == ["OK"] * 4 and not any(marked)


def what_was_told_is_remembered(home: Home) -> bool:
    """The hourly run notes which edit people know of."""
    home.reset()
    home.edit("warning", EvaluationPeriods=30)
    home.hourly("RecalculateThresholds")
    return home.remembered() != "{}"


def an_edited_alarm_is_told(home: Home) -> bool:
    """Somebody makes Warning slower; the hourly run tells."""
    home.reset()
    home.edit("warning", EvaluationPeriods=30)
    before = len(home.mailed())
    home.hourly("RecalculateThresholds")
    return len(home.mailed()) == before + 1


def nothing_is_told_amid_a_deployment(function: str) -> Proof:
    """An alarm was edited and nobody is subscribed to Warning, while CloudFormation is at work; nothing is told yet."""

    def proof(home: Home) -> bool:
        home.reset()
        home.edit("warning", EvaluationPeriods=30)
        home.unsubscribe("warning")
        before = len(home.mailed())
        with home.in_deployment():
            home.hourly(function)
        return len(home.mailed()) == before

    proof.__doc__ = nothing_is_told_amid_a_deployment.__doc__
    return proof


def an_alarm_is_explained(home: Home) -> bool:
    """Critical goes off; the readable mail has figures of the balance."""
    home.reset()
    before = len(home.mailed())
    home.stack.invoke("Explain", home.sample("critical-alarm"))
    return any("FIGURES of " in mail.message for mail in home.mailed()[before:])


def a_fall_that_critical_told_of_is_not_told_twice(home: Home) -> bool:
    """Critical has just gone off, and Draining after it: Explain sees the one and says nothing of the other."""
    # Of a day in which other scenes had no credits left, no fall would be told anew.
    home.let_pass_unmeasured(timedelta(days=1))
    home.reset()
    # Of a balance that did not fall Critical could not have told when it ends.
    home.has_fallen()
    # Not on since some earlier scene.
    home.calm()
    home.sandbox.quotas.second_passes()
    home.sandbox.client("cloudwatch").set_alarm_state(
        AlarmName=f"{home.stack.name}-critical", StateValue="ALARM", StateReason="of the test"
    )
    before = len(home.mailed())
    home.stack.invoke("Explain", home.sample("draining-alarm"))
    # Critical itself is explained meanwhile.
    told = any((mail.subject or "").startswith("DRAINING") for mail in home.mailed()[before:])
    home.calm()
    return not told


def a_deployment_is_answered(home: Home) -> bool:
    """CloudFormation asks for the thresholds and gets them."""
    home.reset()
    event = home.sample("deploy-create") | {"ResponseURL": f"http://localhost:{home.desk.port}/answer"}
    home.stack.invoke("ApplyOnDeploy", event)
    return bool(home.desk.answers[-1]["Status"] == "SUCCESS")


def a_given_topic_is_looked_at(home: Home) -> bool:
    """CloudFormation asks about a topic that was given, and hears what its policy says."""
    home.reset()
    sample = home.sample("deploy-create")
    roles = {"ReporterRoleArn": "arn:aws:iam::123456789012:role/home-ReportSilenceRole"}
    event = sample | {
        "ResponseURL": f"http://localhost:{home.desk.port}/answer",
        "ResourceType": "Custom::EfsBurstCreditTopics",
        "ResourceProperties": {"CriticalTopicArn": home.given_topic_arn, "EncryptionKeyArn": home.key_arn, **roles},
    }
    home.stack.invoke("ApplyOnDeploy", event)
    return "its policy lets this stack publish" in home.desk.answers[-1].get("Data", {}).get("Policies", "")


def a_key_is_looked_at(home: Home) -> bool:
    """CloudFormation asks about the key of the stack's topics, and hears what its policy says."""
    home.reset()
    event = home.sample("deploy-create") | {
        "ResponseURL": f"http://localhost:{home.desk.port}/answer",
        "ResourceType": "Custom::EfsBurstCreditTopics",
        "ResourceProperties": {"EncryptionKeyArn": home.key_arn},
    }
    home.stack.invoke("ApplyOnDeploy", event)
    return "its policy lets CloudWatch use it" in home.desk.answers[-1].get("Data", {}).get("Policies", "")


def a_lost_subscription_is_told(home: Home) -> bool:
    """Nobody is subscribed to Warning any more, and one of the given topic's subscribers has not confirmed; the report
    of silence tells of both, and remembers that it did.
    """
    home.reset()
    home.unsubscribe("warning")
    late = "night-shift@example.com"
    home.sandbox.client("sns").subscribe(TopicArn=home.given_topic_arn, Protocol="email", Endpoint=late)
    home.sandbox.subscribers.unconfirmed.add(late)
    before = len(home.mailed())
    home.hourly("ReportSilence")
    home.sandbox.subscribers.unconfirmed.clear()
    told = [mail.subject or "" for mail in home.mailed()[before:]]
    expected = ("mail address not subscribed", "subscription not confirmed")
    return all(any(one in subject for subject in told) for one in expected) and home.remembered() != "{}"


def a_deserted_advice_topic_is_told_elsewhere(home: Home) -> bool:
    """Nobody is subscribed to Advice: Warning hears of it, and Critical where Warning is deserted too."""
    home.reset()
    heard = []
    for deserted, told in (("advice", "warning"), ("warning", "critical")):
        home.unsubscribe(deserted)
        home.remember("{}")
        before = len(home.mailed(told))
        home.hourly("ReportSilence")
        heard.append(len(home.mailed(told)) > before)
    return all(heard)


def a_late_alarm_is_set(home: Home) -> bool:
    """The balance is zero, of twenty minutes ago, and no alarm is on; the look at late metrics sets them."""
    home.reset(balance_gib=0)
    home.let_pass_unmeasured(20 * MINUTE)
    home.calm()
    home.hourly("SetLateAlarms")
    return all(home.stack.alarms()[end]["StateValue"] == "ALARM" for end in ("warning", "critical", "exhausted"))


def a_benchmark_is_sent(home: Home) -> bool:
    """The timer's event: an instance is found and measures, and the ledger says so."""
    home.let_minute_pass()
    home.reset()
    home.calm()
    before = len(home.hosts.commands())
    answer = home.benchmark()
    if len(home.hosts.commands()) == before:
        return False
    return str(answer.get("run_id", "")).rpartition("-")[2] in home.hosts.ledger()["billed_runs"]


def a_benchmark_is_collected(home: Home) -> bool:
    """An instance has measured, and the event about it was lost; the sweep publishes and enters it."""
    home.let_minute_pass()
    home.reset()
    home.calm()
    with home.losing_events():
        sent = home.benchmark()
        home.let_minute_pass()
    # It may just be due by its own schedule, too.
    home.hourly("CollectBenchmark")
    command = str(sent["command_id"]).replace("-", "")[:12]
    return any(command in entry for entry in home.hosts.ledger()["collected"])


def a_failure_for_good_is_told(function: str) -> Proof:
    """A function's event is given up; Lambda tells Advice, in the function's name."""

    def proof(home: Home) -> bool:
        home.reset()
        before = len(home.stack.failures_told())
        home.give_up(function)
        return len(home.stack.failures_told()) > before

    proof.__doc__ = a_failure_for_good_is_told.__doc__
    return proof


def what_cannot_be_started_is_kept(home: Home) -> bool:
    """The timer may not start its function any more: its event is in the queue."""
    home.reset()
    allowed = [one for one in home.statements("BenchmarkTimerRole") if one["Sid"] != "StartBenchmark"]
    before = home.queued("BenchmarkTimerQueue")
    with home.with_statements("BenchmarkTimerRole", allowed or [NOTHING_OF_USE]):
        home.let_start("BenchmarkTimer")
    return home.queued("BenchmarkTimerQueue") > before


PROOFS: Mapping[str, Mapping[str, Proof]] = {
    "ApplyOnDeployRole": {
        "ReadFileSystem": a_deployment_is_answered,
        "ReadMetrics": a_deployment_is_answered,
        "ReadAlarms": a_deployment_is_answered,
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
        "ReadSubscriptions": a_lost_subscription_is_told,
        "RememberWhatWasTold": a_lost_subscription_is_told,
        "SeeWhetherDeploymentGoesOn": nothing_is_told_amid_a_deployment("ReportSilence"),
        "PublishAdvice": a_lost_subscription_is_told,
        "PublishLastResort": a_deserted_advice_topic_is_told_elsewhere,
        "UseTopicKey": a_lost_subscription_is_told,
    },
    "SetLateAlarmsRole": dict.fromkeys(("ReadMetrics", "ReadAlarms", "SetAlarms"), a_late_alarm_is_set),
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
        "PublishAdvice": an_alarm_is_explained,
        "UseTopicKey": an_alarm_is_explained,
    },
}


def proof_of(need: Need) -> Proof | None:
    """The scene that shows what a need is for; None where nobody has written one."""
    if need.action.startswith("logs:"):
        return log_lines_of(function_of(need.role))
    if need.action == "lambda:InvokeFunction":
        return start_by(schedule_of(need.role))
    return PROOFS.get(need.role, {}).get(need.statement)


@cache
def log_lines_of(function: str) -> Proof:
    """A cold start, and an event it refuses: it logs that much."""

    def proof(home: Home) -> bool:
        home.end_workers()
        before = len(home.sandbox.logs.lines)
        home.stack.invoke(function, {})
        return len(home.sandbox.logs.lines) > before

    return proof


@cache
def start_by(schedule: str) -> Proof:
    """The schedule is due, and its function runs."""

    def proof(home: Home) -> bool:
        home.reset()
        before = home.runs(target_of(schedule))
        home.let_start(schedule)
        return home.runs(target_of(schedule)) > before

    return proof
