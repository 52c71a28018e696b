"""The report of silence, in this process and over real HTTP: what it sees, tells, remembers and leaves alone."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from efs_monitor.efs.credits import GIB, MIB, full_bucket_bytes
from efs_monitor.errors import AwsRefused, EventRefused
from efs_monitor.notify.state import NotificationState

from localaws.cloudwatch.metrics import MetricId
from localaws.file_systems import Size
from stage.home import as_request
from tests.quick import first_of
from tests.stage.monitor.conftest import FILE_SYSTEM_ID, HOURLY, STACK_NAME, STATE_PARAMETER, WatchedHome, topic_arn
from tests.stage.monitor.faults import DENIED, THROTTLED, InjectedFailure

EMAIL = "storage-team@example.com"
GONE = InjectedFailure(status=404, code="NotFound", message="Topic does not exist")
NOT_TO_BE_LISTED = InjectedFailure(status=403, code="AuthorizationError", message="not authorized to perform this")
READS = [
    # What was told, and what benchmarks left.
    *["GetParameter"] * 2,
    "DescribeFileSystems",
    "DescribeAlarms",
    "GetMetricData",
    *["ListSubscriptionsByTopic"] * 3,
    *["DescribeAlarmHistory"] * 5,
    "DescribeAlarmsForMetric",
]
FUNCTIONS = {
    "RECALCULATE_FUNCTION": "home-Recalculate",
    "EXPLAIN_FUNCTION": "home-Explain",
    "SET_LATE_ALARMS_FUNCTION": "home-SetLateAlarms",
}


@pytest.fixture(autouse=True)
def environment(home: WatchedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {"ALERT_EMAIL": EMAIL, "SILENT_METRICS_HOURS": "3"}
    repeats = {"REPEAT_WARNING_HOURS": "24", "REPEAT_CRITICAL_HOURS": "4", "ELASTIC_DAILY_USD": "0"}
    for name, value in {**chosen, **repeats, **FUNCTIONS, "AWS_LAMBDA_FUNCTION_NAME": "home-ReportSilence"}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def calm(home: WatchedHome) -> WatchedHome:
    """Everybody subscribed, metrics fresh, functions running, no alarm on."""
    home.create_file_system()
    for topic in ("warning", "critical", "advice"):
        home.sandbox.client("sns").subscribe(TopicArn=topic_arn(topic), Protocol="email", Endpoint=EMAIL)
    live(home)
    functions_ran(home)
    report(home)
    assert home.subjects() == []
    home.faults.forget()
    return home


def report(home: WatchedHome, event: object = HOURLY) -> Any:
    return home.call("report_silence", event)


def live(home: WatchedHome, *, balance_gib: float = 1500, minutes: int = 60, falling_gib: float = 0) -> None:
    """Metrics of the last minutes, down to a balance by so much a minute."""
    for minutes_ago in range(minutes, 0, -1):
        balance = balance_gib + falling_gib * (minutes_ago - 1)
        home.record("BurstCreditBalance", balance * GIB, minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 100 * MIB, minutes_ago=minutes_ago)


def ran(home: WatchedHome, function: str, times: int, *, failed: int = 0) -> None:
    for name, value in (("Invocations", times), ("Errors", failed)):
        metric = MetricId.of("AWS/Lambda", name, FunctionName=function)
        home.sandbox.metrics.record(metric, home.sandbox.clock.now() - timedelta(minutes=1), value)


def functions_ran(home: WatchedHome, *names: str) -> None:
    for name in names or ("Recalculate", "SetLateAlarms", "CollectBenchmark", "ReportSilence"):
        ran(home, f"home-{name}", 3)


def hours_pass(home: WatchedHome, hours: float) -> None:
    """Time passes without any evaluation; the functions run on."""
    clock = home.sandbox.clock
    clock.move_to(clock.now() + timedelta(hours=hours))
    functions_ran(home)


def set_alarm(home: WatchedHome, end: str, state: str, reason: str = "test") -> None:
    home.cloudwatch.set_alarm_state(AlarmName=f"{STACK_NAME}-{end}", StateValue=state, StateReason=reason)


def turn_on(home: WatchedHome, end: str, reason: str = "test") -> None:
    """Set an alarm off as if all of its actions had worked."""
    home.sandbox.alarms.deliver = lambda *_: None
    set_alarm(home, end, "ALARM", reason)


def test_a_calm_hour_costs_fourteen_calls_and_writes_nothing(calm: WatchedHome) -> None:
    outcome = report(calm)
    assert outcome == {"conditions": [], "told_on": "advice", "mails": []}
    assert sorted(calm.faults.of_functions()) == sorted(READS)
    assert calm.logged("reported")[-1].items() >= outcome.items()


def test_alarms_that_are_on_or_have_just_gone_off_are_asked_what_became_of_their_actions(calm: WatchedHome) -> None:
    def asked_about() -> int:
        calm.faults.forget()
        report(calm)
        return calm.faults.of_functions().count("DescribeAlarmHistory")

    for end in ("warning", "critical", "exhausted", "draining", "permitted-throughput-rise"):
        set_alarm(calm, end, "OK")
    hours_pass(calm, 25)
    turn_on(calm, "critical")
    assert asked_about() == 1
    # A mute rule runs the actions when it ends, however long that is after the change.
    hours_pass(calm, 25)
    assert asked_about() == 1
    set_alarm(calm, "critical", "OK")
    assert asked_about() == 1
    hours_pass(calm, 25)
    assert asked_about() == 0


def test_a_lost_subscription_is_told_once_and_its_return_once(calm: WatchedHome) -> None:
    sns = calm.sandbox.client("sns")
    (lost,) = sns.list_subscriptions_by_topic(TopicArn=topic_arn("critical"))["Subscriptions"]
    sns.unsubscribe(SubscriptionArn=lost["SubscriptionArn"])
    assert report(calm)["conditions"] == report(calm)["conditions"] == ["unsubscribed:critical"]
    sns.subscribe(TopicArn=topic_arn("critical"), Protocol="email", Endpoint=EMAIL)
    report(calm)
    assert calm.subjects() == [
        f"ACTION: mail address not subscribed, {FILE_SYSTEM_ID} (critical)",
        f"INFO: mail address subscribed again, {FILE_SYSTEM_ID} (critical)",
    ]


def test_another_stack_for_the_same_file_system_is_told_once_and_its_end_once(calm: WatchedHome) -> None:
    alarm = next(one for name, one in calm.alarms().items() if name == "warning")
    settings = {name: alarm[name] for name in ("Namespace", "MetricName", "Dimensions", "Statistic", "Period")}
    settings |= {name: alarm[name] for name in ("EvaluationPeriods", "Threshold", "ComparisonOperator")}
    calm.cloudwatch.put_metric_alarm(
        AlarmName="second-home-warning",
        AlarmActions=[alarm["AlarmActions"][0].replace("home-warning", "second-home-warning")],
        **settings,
    )
    # Somebody's own alarm on the same metric is no stack of ours.
    calm.cloudwatch.put_metric_alarm(AlarmName="own-warning", AlarmActions=alarm["AlarmActions"], **settings)
    assert report(calm)["conditions"] == report(calm)["conditions"] == ["watched-twice:second-home"]
    calm.cloudwatch.delete_alarms(AlarmNames=["second-home-warning"])
    report(calm)
    report(calm)
    assert calm.subjects() == [
        f"ACTION: file system watched by another stack too, {FILE_SYSTEM_ID} (second-home)",
        f"INFO: a stack that watched it too is gone, {FILE_SYSTEM_ID} (second-home)",
    ]


@pytest.mark.parametrize("smoke_of", ["home", "second"])
def test_a_smoke_stack_beside_the_stack_that_it_proves_is_told_by_neither(calm: WatchedHome, smoke_of: str) -> None:
    """`make smoke` deletes it itself; a mail would ask people to delete it, and tell its end."""
    names = {smoke_of, f"{smoke_of}-smoke"} - {"home"}
    for name in names:
        add_warning_alarm(calm, name)
    told = [f"watched-twice:{name}" for name in sorted(names) if not name.endswith("-smoke")]
    assert report(calm)["conditions"] == told


def test_a_smoke_stack_without_the_stack_that_it_proves_is_a_stack_like_any_other(calm: WatchedHome) -> None:
    add_warning_alarm(calm, "gone-smoke")
    assert report(calm)["conditions"] == ["watched-twice:gone-smoke"]


def add_warning_alarm(home: WatchedHome, stack_name: str) -> None:
    """The Warning alarm of another stack, on the same balance."""
    alarm = next(one for name, one in home.alarms().items() if name == "warning")
    settings = {name: alarm[name] for name in ("Namespace", "MetricName", "Dimensions", "Statistic", "Period")}
    settings |= {name: alarm[name] for name in ("EvaluationPeriods", "Threshold", "ComparisonOperator")}
    topic_arn = alarm["AlarmActions"][0].replace("home-warning", f"{stack_name}-warning")
    home.cloudwatch.put_metric_alarm(AlarmName=f"{stack_name}-warning", AlarmActions=[topic_arn], **settings)


def test_a_subscription_that_waits_to_be_confirmed_is_told_with_the_address(calm: WatchedHome) -> None:
    calm.sandbox.client("sns").subscribe(
        TopicArn=topic_arn("critical"), Protocol="email", Endpoint="night-shift@example.com"
    )
    calm.sandbox.subscribers.unconfirmed.add("night-shift@example.com")
    report(calm)
    assert "critical: email night-shift@example.com" in calm.sandbox.mailbox.publications[-1].message
    calm.sandbox.subscribers.unconfirmed.clear()
    report(calm)
    assert calm.subjects()[1] == f"INFO: no subscription waits to be confirmed any more, {FILE_SYSTEM_ID} (critical)"


def test_while_nobody_has_confirmed_nothing_is_told_and_then_everything(calm: WatchedHome) -> None:
    calm.sandbox.subscribers.unconfirmed.add(EMAIL)
    hours_pass(calm, 5)
    before = calm.told()
    assert report(calm)["told_on"] == "nobody is subscribed"
    assert (calm.subjects(), calm.told()) == ([], before)
    calm.sandbox.subscribers.unconfirmed.clear()
    report(calm)
    assert calm.subjects() == [f"ACTION: metrics stopped, nobody is warned, {FILE_SYSTEM_ID}"]


def test_a_mailbox_that_bounces_is_told_and_is_over_when_messages_arrive_again(calm: WatchedHome) -> None:
    sns = calm.sandbox.client("sns")
    calm.sandbox.subscribers.bouncing.add(EMAIL)
    sns.publish(TopicArn=topic_arn("critical"), Message="bounces")
    calm.sandbox.subscribers.bouncing.clear()
    report(calm)
    hours_pass(calm, 26)
    live(calm)
    report(calm)
    assert calm.subjects() == [f"ACTION: messages not delivered, {FILE_SYSTEM_ID} (critical)"]
    sns.publish(TopicArn=topic_arn("critical"), Message="arrives")
    report(calm)
    assert calm.subjects()[1:] == [f"INFO: messages are delivered again, {FILE_SYSTEM_ID} (critical)"]


@pytest.mark.whole
@pytest.mark.parametrize("own_topics", ["warning advice", "warning critical advice"])
def test_a_topic_that_is_gone_is_told_once_and_its_return_once(
    calm: WatchedHome, monkeypatch: pytest.MonkeyPatch, own_topics: str
) -> None:
    monkeypatch.setenv("OWN_TOPICS", own_topics)
    calm.faults.fail("ListSubscriptionsByTopic", GONE, about="home-critical")
    first, second = (report(calm)["conditions"] for _ in range(2))
    assert [one.partition(":")[0] for one in first] == ["topic-gone"]
    assert second == first
    assert f"there is no topic {topic_arn('critical')} any more" in " ".join(
        calm.sandbox.mailbox.publications[-1].message.split()
    )
    calm.faults.heal()
    report(calm)
    assert calm.subjects() == [
        f"ACTION: topic deleted, nobody is told on it, {FILE_SYSTEM_ID} (critical)",
        f"INFO: the topic is there again, {FILE_SYSTEM_ID} (critical)",
    ]


def test_that_the_topic_of_advice_is_gone_is_told_on_another(
    calm: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OWN_TOPICS", "warning critical")
    calm.faults.fail("ListSubscriptionsByTopic", GONE, about="home-advice")
    assert report(calm)["told_on"] == "warning"
    assert calm.sandbox.mailbox.publications[-1].topic_name == "home-warning"


def test_a_given_topic_of_the_own_account_that_may_not_be_listed_keeps_nothing_from_being_told(
    calm: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OWN_TOPICS", "warning critical")
    calm.faults.fail("ListSubscriptionsByTopic", NOT_TO_BE_LISTED, about="home-advice")
    hours_pass(calm, 5)
    outcome = report(calm)
    assert (outcome["conditions"], outcome["told_on"]) == (["metrics-stopped"], "advice")


def test_an_own_topic_that_may_not_be_listed_is_an_error(calm: WatchedHome) -> None:
    calm.faults.fail("ListSubscriptionsByTopic", NOT_TO_BE_LISTED, about="home-advice")
    with pytest.raises(AwsRefused, match="Not allowed to call sns:ListSubscriptionsByTopic"):
        report(calm)


def test_one_topic_given_for_everything_is_listed_once(calm: WatchedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_TOPICS", "")
    for severity in ("WARNING", "CRITICAL"):
        monkeypatch.setenv(f"{severity}_TOPIC_ARN", topic_arn("advice"))
    assert report(calm)["conditions"] == []
    assert calm.faults.of_functions().count("ListSubscriptionsByTopic") == 1


def test_deliveries_of_a_given_topic_are_not_counted_because_others_publish_there(
    calm: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OWN_TOPICS", "warning advice")
    calm.sandbox.subscribers.bouncing.add(EMAIL)
    calm.sandbox.client("sns").publish(TopicArn=topic_arn("critical"), Message="somebody else's")
    assert report(calm)["conditions"] == []


def test_an_alarm_action_that_failed_is_told_with_cloudwatchs_error(calm: WatchedHome) -> None:
    deny = {"Version": "2012-10-17", "Statement": []}
    calm.sandbox.client("sns").set_topic_attributes(
        TopicArn=topic_arn("critical"), AttributeName="Policy", AttributeValue=json.dumps(deny)
    )
    set_alarm(calm, "critical", "OK")
    assert [key.partition(":")[0] for key in report(calm)["conditions"]] == ["action-failed"] * 2
    message = calm.sandbox.mailbox.publications[-1].message
    assert "not authorized to perform: SNS:Publish" in " ".join(message.split())
    assert "function:home-Explain does not exist" in " ".join(message.split())
    assert calm.subjects() == [f"ACTION: alarm action failed, {FILE_SYSTEM_ID} (critical)"]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("state", "headline"),
    [
        ("EVALUATION_ERROR", "an alarm cannot be evaluated"),
        ("EVALUATION_FAILURE", "CloudWatch does not evaluate an alarm"),
    ],
)
def test_an_alarm_that_cloudwatch_does_not_evaluate_is_told_once_and_its_end_once(
    calm: WatchedHome, state: str, headline: str
) -> None:
    calm.sandbox.alarms.hinder(f"{STACK_NAME}-critical", state, "its expression has no unit")
    expected = [f"{state.lower().replace('_', '-')}:critical"]
    assert report(calm)["conditions"] == report(calm)["conditions"] == expected
    message = " ".join(calm.sandbox.mailbox.publications[-1].message.split())
    assert "its expression has no unit" in message
    calm.sandbox.alarms.hinder(f"{STACK_NAME}-critical", None, "evaluated")
    report(calm)
    assert calm.subjects() == [
        f"ACTION: {headline}, {FILE_SYSTEM_ID} (critical)",
        f"INFO: alarms are evaluated again, {FILE_SYSTEM_ID} (critical)",
    ]


@pytest.mark.whole
@pytest.mark.parametrize("data", ["{cut off", "[]", ""])
def test_an_entry_of_an_alarms_history_that_nobody_can_read_is_logged_and_left_out(
    calm: WatchedHome, data: str
) -> None:
    set_alarm(calm, "critical", "OK")
    conditions = report(calm)["conditions"]
    history = calm.sandbox.alarms.history
    history.append(replace(history[-1], data=data))
    assert report(calm)["conditions"] == conditions
    (entry,) = calm.logged("left out an entry of an alarm's history that is no JSON object")
    assert (entry["alarm"], entry["level"]) == (f"{STACK_NAME}-critical", "WARNING")


def nobody_subscribed_to_critical(home: WatchedHome) -> None:
    sns = home.sandbox.client("sns")
    for found in sns.list_subscriptions_by_topic(TopicArn=topic_arn("critical"))["Subscriptions"]:
        sns.unsubscribe(SubscriptionArn=found["SubscriptionArn"])


def a_message_bounced(home: WatchedHome) -> None:
    home.sandbox.subscribers.bouncing.add(EMAIL)
    home.sandbox.client("sns").publish(TopicArn=topic_arn("critical"), Message="bounces")
    home.sandbox.subscribers.bouncing.clear()


def the_topic_is_gone(home: WatchedHome) -> None:
    home.faults.fail("ListSubscriptionsByTopic", GONE, about="home-critical")


def somebody_has_not_confirmed(home: WatchedHome) -> None:
    home.sandbox.client("sns").subscribe(TopicArn=topic_arn("critical"), Protocol="email", Endpoint="night@example.com")
    home.sandbox.subscribers.unconfirmed.add("night@example.com")


@pytest.mark.whole
@pytest.mark.parametrize(
    "fault",
    [nobody_subscribed_to_critical, a_message_bounced, the_topic_is_gone, somebody_has_not_confirmed],
    ids=lambda fault: fault.__name__,
)
def test_of_a_topic_in_whose_place_another_was_given_nobody_is_told_that_it_was_repaired(
    calm: WatchedHome, monkeypatch: pytest.MonkeyPatch, fault: Callable[[WatchedHome], None]
) -> None:
    fault(calm)
    assert len(report(calm)["conditions"]) == 1
    given_arn = calm.sandbox.client("sns").create_topic(Name="storage-critical")["TopicArn"]
    calm.sandbox.client("sns").subscribe(TopicArn=given_arn, Protocol="email", Endpoint=EMAIL)
    monkeypatch.setenv("OWN_TOPICS", "warning advice")
    monkeypatch.setenv("CRITICAL_TOPIC_ARN", given_arn)
    assert report(calm) == {"conditions": [], "told_on": "advice", "mails": []}
    assert calm.told()["silence"]["conditions"] == []


def test_without_an_address_to_mail_to_nobody_is_told_that_it_is_subscribed_again(
    calm: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody_subscribed_to_critical(calm)
    assert report(calm)["conditions"] == ["unsubscribed:critical"]
    monkeypatch.setenv("ALERT_EMAIL", "")
    assert report(calm)["mails"] == []
    # Once there is an address again, it is missed again.
    monkeypatch.setenv("ALERT_EMAIL", EMAIL)
    assert report(calm)["mails"] == [f"ACTION: mail address not subscribed, {FILE_SYSTEM_ID} (critical)"]


def test_a_failed_action_is_over_with_its_target_and_a_later_failure_of_it_is_told(calm: WatchedHome) -> None:
    def told_by(*target_arns: str) -> None:
        alarm = as_request(calm.alarms()["critical"])
        calm.cloudwatch.put_metric_alarm(**alarm | {"AlarmActions": [*target_arns], "OKActions": [*target_arns]})

    first, second = (f"arn:aws:sns:us-east-1:123456789012:{name}" for name in ("there-is-none", "there-is-none-either"))
    told_by(first)
    set_alarm(calm, "critical", "OK")
    assert report(calm)["mails"] == [f"ACTION: alarm action failed, {FILE_SYSTEM_ID} (critical)"]
    told_by(second)
    assert report(calm) == {"conditions": [], "told_on": "advice", "mails": []}
    told_by(first)
    set_alarm(calm, "critical", "ALARM")
    assert report(calm)["mails"] == [f"ACTION: alarm action failed, {FILE_SYSTEM_ID} (critical)"]


def test_metrics_that_stop_are_told_and_their_return(calm: WatchedHome) -> None:
    hours_pass(calm, 2.5)
    assert report(calm)["conditions"] == ["metrics-late"]
    hours_pass(calm, 1)
    assert report(calm)["conditions"] == ["metrics-stopped"]
    live(calm)
    report(calm)
    assert calm.subjects() == [
        f"INFO: metrics come late, and so do warnings, {FILE_SYSTEM_ID}",
        f"ACTION: metrics stopped, nobody is warned, {FILE_SYSTEM_ID}",
        f"INFO: metrics are back, {FILE_SYSTEM_ID}",
    ]
    assert "of burst credits were left, and not falling." in " ".join(calm.published("advice")[-1].message.split())


@pytest.mark.parametrize("resumed_hours_ago", [None, 3])
def test_metrics_that_come_late_amid_a_fall_offer_no_mode_within_the_lock_that_was_told_before(
    calm: WatchedHome, resumed_hours_ago: int | None
) -> None:
    if resumed_hours_ago is not None:
        resumed = calm.sandbox.clock.now() - timedelta(hours=resumed_hours_ago)
        told = NotificationState(resumed=resumed).to_json(FILE_SYSTEM_ID)
        ssm = calm.sandbox.client("ssm")
        ssm.put_parameter(Name=STATE_PARAMETER, Value=told, Overwrite=True)
    live(calm, balance_gib=200, minutes=60, falling_gib=3)
    hours_pass(calm, 0.6)
    report(calm)
    (message,) = calm.published("advice")
    assert "metrics come late, and so do warnings; credits gone at" in str(message.subject)
    assert ("--throughput-mode elastic" in message.message) is (resumed_hours_ago is None)


def test_late_metrics_are_told_with_the_pace_of_their_newest_minutes(calm: WatchedHome) -> None:
    """3 GiB a minute; by the five minutes of the clock in which it began and ended it would seem slower."""
    live(calm, balance_gib=200, minutes=4, falling_gib=3)
    hours_pass(calm, 0.6)
    report(calm)
    (message,) = calm.published("advice")
    assert "and fell by 51 MiB/s" in " ".join(message.message.split())


@pytest.mark.whole
@pytest.mark.parametrize(
    ("hours_late", "metrics_told", "credits_told"),
    [
        (
            0.6,
            "INFO: metrics come late, and so do warnings",
            "STILL CRITICAL for 5 h 36 min: credits gone at 06:05 UTC",
        ),
        (
            1.4,
            "ACTION: metrics come late, and so do warnings; credits may be gone",
            "STILL CRITICAL for 6 h 24 min: burst credits run low, no figures",
        ),
    ],
)
def test_beside_a_mail_with_figures_of_the_fall_that_about_late_metrics_has_no_remedies_of_its_own(
    calm: WatchedHome, hours_late: float, metrics_told: str, credits_told: str
) -> None:
    set_alarm(calm, "critical", "ALARM")
    hours_pass(calm, 5)
    live(calm, balance_gib=200, minutes=60, falling_gib=3)
    hours_pass(calm, hours_late)
    *_, about_metrics, about_credits = report(calm)["mails"]
    assert about_metrics == f"{metrics_told}, {FILE_SYSTEM_ID}"
    assert about_credits.startswith(credits_told)
    *_, metrics, _ = calm.published("advice")
    assert ("update-file-system" in metrics.message) is metrics_told.startswith("ACTION")


def test_metrics_that_never_came_are_worded_differently(calm: WatchedHome) -> None:
    calm.sandbox.metrics._minutes_of.clear()
    hours_pass(calm, 3)
    report(calm)
    assert calm.subjects() == [f"ACTION: no metrics yet, is a client mounted?, {FILE_SYSTEM_ID}"]


@pytest.mark.parametrize("how", ["elastic", "gone"])
def test_no_metrics_are_missed_where_there_may_be_none(calm: WatchedHome, how: str) -> None:
    if how == "gone":
        calm.sandbox.file_systems.delete(FILE_SYSTEM_ID)
    else:
        calm.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "elastic")
    hours_pass(calm, 12)
    assert report(calm)["conditions"] == []


def test_zero_hours_switch_the_report_of_metrics_off(calm: WatchedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SILENT_METRICS_HOURS", "0")
    hours_pass(calm, 12)
    assert report(calm)["conditions"] == []


def test_a_function_that_fails_is_told_with_how_often(calm: WatchedHome) -> None:
    ran(calm, "home-Explain", 3, failed=3)
    report(calm)
    assert calm.subjects() == [f"ACTION: a function of the monitor fails, {FILE_SYSTEM_ID} (Explain)"]


def test_a_recalculation_that_does_not_run_is_told(calm: WatchedHome) -> None:
    calm.sandbox.clock.move_to(calm.sandbox.clock.now() + timedelta(hours=5))
    live(calm)
    functions_ran(calm, "SetLateAlarms", "CollectBenchmark", "ReportSilence")
    report(calm)
    assert calm.subjects() == [f"ACTION: thresholds are not recalculated, {FILE_SYSTEM_ID}"]


@pytest.mark.parametrize(("minutes_late", "told"), [(1, []), (50, ["ACTION: metrics come late, nobody is warned"])])
def test_that_late_metrics_would_set_no_alarm_is_told_and_nobody_is_told_that_they_do(
    calm: WatchedHome, minutes_late: int, told: list[str]
) -> None:
    calm.sandbox.clock.move_to(calm.sandbox.clock.now() + timedelta(hours=5))
    functions_ran(calm, "Recalculate", "CollectBenchmark", "ReportSilence")
    for minutes_ago in range(75, minutes_late - 1, -1):
        calm.record("BurstCreditBalance", 1500 * GIB, minutes_ago=minutes_ago)
    report(calm)
    assert calm.subjects() == [
        *(f"{one}, {FILE_SYSTEM_ID}" for one in told),
        f"ACTION: a function of the monitor is not started, {FILE_SYSTEM_ID} (SetLateAlarms)",
    ]


@pytest.mark.parametrize(("hours", "conditions"), [(2, []), (3, ["not-started:SetLateAlarms"])])
@pytest.mark.parametrize("how", ["CreationTime", "LastUpdatedTime"])
def test_what_a_deployment_has_just_made_need_not_have_been_started(
    calm: WatchedHome, how: str, hours: int, conditions: list[str]
) -> None:
    calm.sandbox.clock.move_to(calm.sandbox.clock.now() + timedelta(hours=5))
    functions_ran(calm, "Recalculate", "CollectBenchmark", "ReportSilence")
    live(calm)
    now = calm.sandbox.clock.now()
    times = {"CreationTime": now - timedelta(days=7)} | {how: now - timedelta(hours=hours)}
    stack = "".join(f"<{name}>{time:%Y-%m-%dT%H:%M:%SZ}</{name}>" for name, time in times.items())
    calm.faults.fail(
        "DescribeStacks",
        InjectedFailure(
            status=200,
            body="<DescribeStacksResponse><DescribeStacksResult><Stacks><member>"
            f"<StackName>{STACK_NAME}</StackName><StackStatus>UPDATE_COMPLETE</StackStatus>{stack}"
            "</member></Stacks></DescribeStacksResult></DescribeStacksResponse>",
        ),
    )
    assert report(calm)["conditions"] == conditions


def test_critical_is_repeated_with_the_same_body_as_its_first_mail(calm: WatchedHome) -> None:
    turn_on(calm, "critical")
    assert report(calm)["mails"] == []
    hours_pass(calm, 4)
    live(calm, balance_gib=250, falling_gib=1)
    (subject,) = report(calm)["mails"]
    assert subject == f"STILL CRITICAL for 4 h: credits gone at 08:09 UTC, in 4 h 8 min, {FILE_SYSTEM_ID}"
    assert "WHAT TO DO" in calm.sandbox.mailbox.publications[-1].message
    assert datetime.fromisoformat(calm.told()["silence"]["mailed"]["critical"]) == calm.sandbox.clock.now()
    assert report(calm)["mails"] == []


def test_while_the_balance_comes_back_critical_is_a_few_lines_once_a_day(calm: WatchedHome) -> None:
    turn_on(calm, "critical")
    hours_pass(calm, 4)
    live(calm, balance_gib=250, falling_gib=-1)
    assert report(calm)["mails"] == []
    hours_pass(calm, 20)
    live(calm, balance_gib=250, falling_gib=-1)
    (subject,) = report(calm)["mails"]
    assert subject == f"STILL CRITICAL for 24 h: 42 min of credits left at full speed, {FILE_SYSTEM_ID}"
    assert "WHAT TO DO" not in calm.sandbox.mailbox.publications[-1].message
    assert set(calm.told()["silence"]["mailed"]) == {"recovering"}
    # The next fall is told with what to do, however lately a line was.
    hours_pass(calm, 1)
    live(calm, balance_gib=200, falling_gib=1)
    falling = f"STILL CRITICAL for 25 h: credits gone at 04:19 UTC, in 3 h 18 min, {FILE_SYSTEM_ID}"
    assert report(calm)["mails"] == [falling]
    assert "WHAT TO DO" in calm.sandbox.mailbox.publications[-1].message


def test_credits_that_may_have_been_gone_while_metrics_were_missing_are_told_of_once_they_come_again(
    calm: WatchedHome,
) -> None:
    """They would have ended half an hour after they were last seen to fall, and were seen again an hour after that."""
    turn_on(calm, "critical")
    hours_pass(calm, 3)
    for minutes_ago in (*range(120, 99, -1), *range(10, 2, -1)):
        left_gib = 150 + 5 * (minutes_ago - 100) if minutes_ago >= 100 else 15 - 0.2 * minutes_ago
        calm.record("BurstCreditBalance", left_gib * GIB, minutes_ago=minutes_ago)
        calm.record("PermittedThroughput", 100 * MIB, minutes_ago=minutes_ago)
    *_, subject = report(calm)["mails"]
    assert subject == f"STILL CRITICAL for 3 h: 2 min of credits left at full speed, {FILE_SYSTEM_ID}"
    body = " ".join(calm.sandbox.mailbox.publications[-1].message.split())
    assert "credits may have been gone in that time, from about 01:50 UTC on if they went on falling as before." in body
    assert not any("CRITICAL" in one for one in report(calm)["mails"])


@pytest.mark.whole
@pytest.mark.parametrize(("balance_gib", "mails"), [(2021, 0), (1600, 1)])
def test_a_bucket_that_is_94_percent_full_and_does_not_fall_is_not_told_of_again(
    calm: WatchedHome, balance_gib: float, mails: int
) -> None:
    """As with WarningMinutes 360, of 366 that a full bucket of 2,150 GiB lasts."""
    turn_on(calm, "warning")
    for _ in range(2):
        hours_pass(calm, 24)
        live(calm, balance_gib=balance_gib, falling_gib=0)
        assert len(report(calm)["mails"]) == mails


@pytest.mark.whole
@pytest.mark.parametrize("minutes_late", [1, 14, 20])
def test_a_fall_that_has_just_begun_is_left_to_its_own_alarm_however_late_metrics_come(
    calm: WatchedHome, minutes_late: int
) -> None:
    """Draining is set for it within minutes by the look at late metrics."""
    turn_on(calm, "critical")
    hours_pass(calm, 6)
    begins_to_fall(calm, 250, 3, minutes_late=minutes_late)
    assert report(calm)["mails"] == []


@pytest.mark.whole
@pytest.mark.parametrize("how", ["delete_alarms", "disable_alarm_actions"])
def test_a_fall_that_has_just_begun_is_told_where_its_alarm_is_gone_or_does_not_act(
    calm: WatchedHome, how: str
) -> None:
    getattr(calm.cloudwatch, how)(AlarmNames=[f"{STACK_NAME}-draining"])
    turn_on(calm, "critical")
    # What is wrong with the alarm is told by then.
    report(calm)
    hours_pass(calm, 6)
    begins_to_fall(calm, 250, 3, minutes_late=1)
    (subject,) = report(calm)["mails"]
    assert subject.startswith("STILL CRITICAL")


@pytest.mark.parametrize(("end", "told"), [("warning", 0), ("exhausted", 1)])
def test_with_less_than_its_alarm_looks_at_the_report_tells_of_it(calm: WatchedHome, end: str, told: int) -> None:
    """A minute's worth is 5.9 GiB: of what lies below it Draining says nothing, and Exhausted is on."""
    turn_on(calm, "critical")
    turn_on(calm, end)
    hours_pass(calm, 6)
    begins_to_fall(calm, 5, 0.3, minutes_late=1)
    assert len(report(calm)["mails"]) == told


def falls_in_pulses(home: WatchedHome, left_gib: float) -> None:
    """For an hour and a quarter four minutes of each half hour take 22 GiB, one fewer than set off Draining; in the
    rests, and before it, a little comes back.
    """
    balance_gib = left_gib
    for minutes_ago in range(1, 151):
        home.record("BurstCreditBalance", balance_gib * GIB, minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 100 * MIB, minutes_ago=minutes_ago)
        balance_gib += 5.5 if minutes_ago <= 75 and minutes_ago % 30 in range(10, 14) else -0.3


@pytest.mark.whole
def test_a_load_that_rests_for_most_of_the_time_is_told_once_before_the_next_repeat_is_due(calm: WatchedHome) -> None:
    turn_on(calm, "critical")
    report(calm)
    hours_pass(calm, 3)
    falls_in_pulses(calm, 25)
    (subject,) = report(calm)["mails"]
    assert subject.startswith("STILL CRITICAL for 3 h: credits gone at")
    assert report(calm)["mails"] == []


@pytest.mark.whole
@pytest.mark.parametrize(("fell_before", "is_told"), [(False, True), (True, False)])
def test_the_first_fall_after_a_warning_that_had_none_to_tell_of_is_told_once(
    calm: WatchedHome, fell_before: bool, is_told: bool
) -> None:
    """It falls by a GiB a minute for three quarters of an hour, after a slow rise: the rest lasts for half a day.
    Warning went on three hours before.
    """
    turn_on(calm, "warning")
    report(calm)
    hours_pass(calm, 3)
    for minutes_ago in range(1, 301):
        balance_gib = 700 + min(45, minutes_ago) - 0.3 * max(0, min(180, minutes_ago) - 45)
        balance_gib += max(0, minutes_ago - 180) * fell_before
        calm.record("BurstCreditBalance", balance_gib * GIB, minutes_ago=minutes_ago)
        calm.record("PermittedThroughput", 100 * MIB, minutes_ago=minutes_ago)
    subjects = report(calm)["mails"]
    assert [one.partition(" at ")[0] for one in subjects] == ["STILL WARNING for 3 h: credits gone"] * is_told
    assert report(calm)["mails"] == []


def hourly_batches(home: WatchedHome, *, gone_hours_ago: float | None = None) -> None:
    """Ten minutes of each hour, for twelve hours, take 20 GiB, which come back in the rest; the newest ones, too. At
    most 200 GiB are left, or nothing for ten minutes once.
    """
    for minutes_ago in range(12 * 60, 0, -1):
        since = (minutes_ago - 1) % 60
        balance_gib = 180 + 2 * since if since < 10 else 200 - (since - 10) * 0.4 + 20 * (since > 55)
        if gone_hours_ago is not None and 0 <= minutes_ago - gone_hours_ago * 60 < 10:
            balance_gib = 0
        home.record("BurstCreditBalance", min(balance_gib, 200) * GIB, minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 100 * MIB, minutes_ago=minutes_ago)


def goes_off_like_the_others(home: WatchedHome) -> None:
    """Draining, after Critical and its only mail hours before."""
    turn_on(home, "critical")
    report(home)
    hours_pass(home, 5)
    turn_on(home, "draining")
    home.faults.forget()


def test_a_draining_whose_mail_was_left_out_keeps_nobody_from_the_repeat_of_critical(calm: WatchedHome) -> None:
    goes_off_like_the_others(calm)
    hourly_batches(calm)
    (subject,) = report(calm)["mails"]
    assert subject.startswith("STILL CRITICAL for 5 h: ")
    assert report(calm)["mails"] == []


@pytest.mark.whole
@pytest.mark.parametrize(("gone_hours_ago", "reads_more"), [(7, False), (None, True)])
def test_where_credits_were_gone_before_no_more_is_read_to_know_that_a_change_has_its_mail(
    calm: WatchedHome, gone_hours_ago: float | None, reads_more: bool
) -> None:
    turn_on(calm, "critical")
    report(calm)
    hours_pass(calm, 5)
    for state in ("ALARM", "OK"):
        set_alarm(calm, "exhausted", state)
    calm.faults.forget()
    hourly_batches(calm, gone_hours_ago=gone_hours_ago)
    report(calm)
    read = calm.faults.of_functions().count("GetMetricData") > READS.count("GetMetricData")
    assert read is reads_more


def test_a_threshold_of_zero_that_somebody_set_by_hand_breaks_no_report(calm: WatchedHome) -> None:
    turn_on(calm, "critical")
    exhausted = as_request(calm.alarms()["exhausted"])
    calm.cloudwatch.put_metric_alarm(**exhausted | {"Threshold": 0.0})
    report(calm)
    hours_pass(calm, 3)
    falls_in_pulses(calm, 25)
    assert report(calm)["mails"] == []


@pytest.mark.whole
def test_what_helps_is_told_once_when_aws_takes_another_mode_again(calm: WatchedHome) -> None:
    """It was changed 23 hours before Critical."""
    told = NotificationState(resumed=calm.sandbox.clock.now() - timedelta(hours=23)).to_json(FILE_SYSTEM_ID)
    calm.sandbox.client("ssm").put_parameter(Name=STATE_PARAMETER, Value=told, Overwrite=True)
    turn_on(calm, "critical")
    hours_pass(calm, 0.5)
    live(calm, balance_gib=100, falling_gib=0.5)
    assert report(calm)["mails"] == []
    hours_pass(calm, 1)
    live(calm, balance_gib=60, falling_gib=0.5)
    (subject,) = report(calm)["mails"]
    assert subject.startswith("STILL CRITICAL for 1 h 30 min")
    assert "--throughput-mode elastic" in calm.published("advice")[-1].message
    assert report(calm)["mails"] == []


def begins_to_fall(home: WatchedHome, top_gib: float, pace_gib: float, *, minutes_late: int) -> None:
    """It came back until eight minutes before the newest datapoint, and falls by so much a minute since then."""
    for minutes_ago in range(75, minutes_late - 1, -1):
        fallen_for_minutes = minutes_late + 8 - minutes_ago
        lost_gib = pace_gib * max(fallen_for_minutes, -fallen_for_minutes / 3)
        home.record("BurstCreditBalance", max(0, top_gib - lost_gib) * GIB, minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 100 * MIB, minutes_ago=minutes_ago)


def test_a_repeat_without_figures_is_sent_all_the_same(calm: WatchedHome) -> None:
    turn_on(calm, "warning")
    hours_pass(calm, 24)
    subjects = report(calm)["mails"]
    assert subjects[-1] == f"STILL WARNING for 24 h: burst credits run low, no figures, {FILE_SYSTEM_ID}"
    assert "had 1,500 GiB of burst credits left." in " ".join(calm.published("advice")[-1].message.split())


def test_a_repeat_without_figures_has_no_command_that_aws_refuses(calm: WatchedHome) -> None:
    told = NotificationState(resumed=calm.sandbox.clock.now() + timedelta(hours=20)).to_json(FILE_SYSTEM_ID)
    calm.sandbox.client("ssm").put_parameter(Name=STATE_PARAMETER, Value=told, Overwrite=True)
    turn_on(calm, "warning")
    hours_pass(calm, 24)
    assert "no figures" in report(calm)["mails"][-1]
    body = calm.sandbox.mailbox.publications[-1].message
    assert "nfsiostat" in body
    assert "update-file-system" not in body


def test_an_alarm_of_a_drill_is_not_repeated(calm: WatchedHome) -> None:
    turn_on(calm, "critical", "DRILL: tried")
    hours_pass(calm, 5)
    live(calm)
    assert report(calm)["mails"] == []


def falling_for_a_week(home: WatchedHome) -> None:
    for hours_ago in range(7 * 24, 0, -1):
        home.record("BurstCreditBalance", (1250 + 3 * hours_ago) * GIB, minutes_ago=60 * hours_ago)
    live(home, balance_gib=1250)


def test_a_trend_that_reaches_warning_within_a_week_is_told_once_a_day(calm: WatchedHome) -> None:
    falling_for_a_week(calm)
    (subject,) = report(calm)["mails"]
    assert subject == f"INFO: Warning expected on Wed 9 Jan, {FILE_SYSTEM_ID}"
    assert report(calm)["mails"] == []
    hours_pass(calm, 24)
    live(calm, balance_gib=1200)
    assert len(report(calm)["mails"]) == 1


def test_a_bucket_that_was_cut_by_a_shrink_is_no_trend(calm: WatchedHome) -> None:
    full_gib = full_bucket_bytes(0) / GIB
    for hours_ago in range(7 * 24, 0, -1):
        fits_gib = full_gib if hours_ago <= 72 else 4 * full_gib
        calm.record("BurstCreditBalance", fits_gib * GIB, minutes_ago=60 * hours_ago)
    live(calm, balance_gib=full_gib)
    assert report(calm)["mails"] == []


def test_no_trend_is_told_while_an_alarm_is_on(calm: WatchedHome) -> None:
    falling_for_a_week(calm)
    turn_on(calm, "warning")
    assert report(calm)["mails"] == []


def worked(home: WatchedHome, *, minutes: int, mib_per_second: float = 0, permitted_mib: float = 1024) -> None:
    """Clients write at this rate for the last minutes, in elastic throughput."""
    for minutes_ago in range(minutes, 0, -1):
        home.record("PermittedThroughput", permitted_mib * MIB, minutes_ago=minutes_ago)
        if mib_per_second:
            for metric in ("MeteredIOBytes", "DataWriteIOBytes"):
                home.record(metric, mib_per_second * MIB * 60, minutes_ago=minutes_ago)


@pytest.fixture
def elastic(calm: WatchedHome) -> WatchedHome:
    """Left at 1,500 GiB for elastic throughput, which the run of that hour has seen."""
    calm.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "elastic")
    assert report(calm)["mails"] == []
    return calm


def a_day_passes(home: WatchedHome, *, mib_per_second: float = 0) -> None:
    """In elastic throughput, where no balance is published; nobody is told that there is none."""
    hours_pass(home, 24)
    worked(home, minutes=1440, mib_per_second=mib_per_second)


def ways_back(home: WatchedHome) -> list[str]:
    return [one for one in report(home)["mails"] if "bursting" in one or "unlocked" in one]


@pytest.mark.whole
def test_the_way_back_is_told_once_when_the_lock_ends_and_each_week_while_credits_would_do(
    elastic: WatchedHome,
) -> None:
    hours_pass(elastic, 23.5)
    worked(elastic, minutes=1410, mib_per_second=4)
    assert ways_back(elastic) == []
    hours_pass(elastic, 0.5)
    worked(elastic, minutes=30, mib_per_second=4)
    # 338 GiB written; 100 GiB stored earn 422 in a day.
    assert ways_back(elastic) == [f"INFO: bursting would be enough again, elastic cost $20, {FILE_SYSTEM_ID}"]
    body = elastic.sandbox.mailbox.publications[-1].message
    assert "--throughput-mode bursting" in body
    assert ways_back(elastic) == []
    hours_pass(elastic, 5 * 24)
    a_day_passes(elastic, mib_per_second=4)
    assert ways_back(elastic) == []
    a_day_passes(elastic, mib_per_second=4)
    assert len(ways_back(elastic)) == 1
    hours_pass(elastic, 8 * 24)
    hours_pass(elastic, 23.5)
    worked(elastic, minutes=1410, mib_per_second=4)
    hours_pass(elastic, 0.5)
    # Faster than credits permit, and too little for a fixed rate to be cheaper.
    worked(elastic, minutes=30, mib_per_second=200)
    assert ways_back(elastic) == []


def test_each_week_in_which_a_fixed_rate_would_be_far_cheaper_the_way_back_is_told_again(elastic: WatchedHome) -> None:
    a_day_passes(elastic, mib_per_second=60)
    assert len(ways_back(elastic)) == 1
    hours_pass(elastic, 6 * 24)
    a_day_passes(elastic, mib_per_second=60)
    assert ways_back(elastic) == [
        f"INFO: bursting would not be enough yet, elastic cost $303 in 7 days, {FILE_SYSTEM_ID}"
    ]
    assert "--provisioned-throughput-in-mibps 60" in elastic.sandbox.mailbox.publications[-1].message


def test_a_day_that_would_not_have_lasted_is_told_with_its_end(elastic: WatchedHome) -> None:
    a_day_passes(elastic, mib_per_second=60)
    assert ways_back(elastic) == [f"INFO: bursting would not be enough yet, elastic cost $302, {FILE_SYSTEM_ID}"]


@pytest.mark.whole
def test_no_way_back_is_told_while_data_is_in_archive_which_only_elastic_throughput_has(elastic: WatchedHome) -> None:
    elastic.sandbox.file_systems.set_size(FILE_SYSTEM_ID, Size(100 * GIB, archive_bytes=GIB))
    a_day_passes(elastic, mib_per_second=60)
    assert ways_back(elastic) == []
    elastic.sandbox.file_systems.set_size(FILE_SYSTEM_ID, Size(100 * GIB))
    assert len(ways_back(elastic)) == 1


def test_no_way_back_is_told_to_who_has_gone_it(elastic: WatchedHome) -> None:
    hours_pass(elastic, 23)
    elastic.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "bursting")
    live(elastic)
    report(elastic)
    hours_pass(elastic, 2)
    elastic.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "elastic")
    a_day_passes(elastic)
    assert ways_back(elastic) == []
    a_day_passes(elastic)
    assert ways_back(elastic) == [f"INFO: the mode is unlocked after an idle day, elastic cost $0, {FILE_SYSTEM_ID}"]
    hours_pass(elastic, 6 * 24)
    a_day_passes(elastic)
    assert ways_back(elastic) == []


@pytest.mark.whole
def test_a_lost_memory_is_made_good_by_what_was_permitted_and_a_second_change_begins_the_lock_anew(
    elastic: WatchedHome,
) -> None:
    hours_pass(elastic, 20)
    worked(elastic, minutes=1200)
    elastic.sandbox.client("ssm").put_parameter(Name=STATE_PARAMETER, Value="{}", Type="String", Overwrite=True)
    report(elastic)
    hours_pass(elastic, 5)
    assert len(ways_back(elastic)) == 1
    elastic.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "provisioned", 80)
    a_day_passes(elastic)
    assert ways_back(elastic) == []
    hours_pass(elastic, 24)
    worked(elastic, minutes=1440, permitted_mib=80)
    assert ways_back(elastic) == [
        f"INFO: the mode is unlocked after an idle day, provisioned cost $15, {FILE_SYSTEM_ID}"
    ]
    # A rate that nobody uses costs as much: so it is told again each week.
    hours_pass(elastic, 6 * 24)
    hours_pass(elastic, 24)
    worked(elastic, minutes=1440, permitted_mib=80)
    assert len(ways_back(elastic)) == 1


def test_without_metrics_the_way_back_is_told_without_a_verdict(elastic: WatchedHome) -> None:
    hours_pass(elastic, 24)
    assert ways_back(elastic) == [f"INFO: the throughput mode is unlocked, {FILE_SYSTEM_ID}"]
    assert ways_back(elastic) == []


@pytest.mark.whole
def test_a_day_of_elastic_throughput_that_is_dearer_than_chosen_is_told_once_a_day(
    elastic: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ELASTIC_DAILY_USD", "20")
    hours_pass(elastic, 2)
    worked(elastic, minutes=120, mib_per_second=40)
    assert report(elastic)["mails"] == []
    hours_pass(elastic, 1)
    worked(elastic, minutes=60, mib_per_second=40)
    assert report(elastic)["mails"] == [f"INFO: elastic throughput cost $24 in 3 h, {FILE_SYSTEM_ID}"]
    hours_pass(elastic, 20)
    worked(elastic, minutes=1200, mib_per_second=4)
    dear = [one for one in report(elastic)["mails"] if "elastic throughput cost" in one]
    assert dear == []
    hours_pass(elastic, 4)
    worked(elastic, minutes=240, mib_per_second=40)
    # The mail about the way back has what it cost, and what would be cheaper.
    told = report(elastic)["mails"]
    assert [("elastic cost" in one, "elastic throughput cost" in one) for one in told] == [(True, False)]
    hours_pass(elastic, 24)
    worked(elastic, minutes=1440, mib_per_second=40)
    dear = [one for one in report(elastic)["mails"] if "elastic throughput cost" in one]
    assert len(dear) == 1


def test_a_dear_day_of_elastic_throughput_does_not_wait_for_a_mail_about_the_provisioned_one_before(
    elastic: WatchedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ELASTIC_DAILY_USD", "20")
    elastic.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "provisioned", 80)
    report(elastic)
    hours_pass(elastic, 24)
    worked(elastic, minutes=1440, permitted_mib=80)
    assert len(ways_back(elastic)) == 1
    elastic.sandbox.file_systems.set_mode(FILE_SYSTEM_ID, "elastic")
    report(elastic)
    hours_pass(elastic, 3)
    worked(elastic, minutes=180, mib_per_second=40)
    assert report(elastic)["mails"] == [f"INFO: elastic throughput cost $24 in 3 h, {FILE_SYSTEM_ID}"]


@pytest.mark.whole
@pytest.mark.parametrize("action", first_of(sorted(set(READS)), 4))
def test_a_read_that_fails_for_good_is_named_and_nothing_is_told_or_remembered(calm: WatchedHome, action: str) -> None:
    hours_pass(calm, 5)
    before = calm.told()
    calm.faults.fail(action, THROTTLED)
    with pytest.raises(AwsRefused, match=f":{action} on .* failed with ThrottlingException"):
        report(calm)
    assert (calm.subjects(), calm.told()) == ([], before)
    calm.faults.heal()
    assert report(calm)["conditions"] == ["metrics-stopped"]


@pytest.mark.whole
@pytest.mark.parametrize(
    "action", ["DescribeAlarmHistory", "DescribeFileSystems", "DescribeStacks", "GetParameter", "PutParameter"]
)
def test_a_quota_that_all_stacks_share_is_waited_for(calm: WatchedHome, action: str) -> None:
    hours_pass(calm, 5)
    calm.faults.fail(action, THROTTLED, times=7)
    assert report(calm)["conditions"] == ["metrics-stopped"]
    assert len(calm.subjects()) == 1
    assert calm.faults.of_functions().count(action) >= 8


def test_a_mail_that_cannot_be_sent_is_not_remembered_as_told(calm: WatchedHome) -> None:
    hours_pass(calm, 5)
    calm.faults.fail("Publish", DENIED, times=1)
    with pytest.raises(AwsRefused, match="Not allowed to call sns:Publish"):
        report(calm)
    report(calm)
    assert len(calm.subjects()) == 1


def test_neither_function_forgets_what_the_other_told(calm: WatchedHome) -> None:
    hours_pass(calm, 5)
    calm.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-warning"])
    report(calm)
    calm.recalculate()
    told = calm.told()
    assert told["silence"]["conditions"] == ["metrics-stopped"]
    assert told["conditions"] == ["missing:warning"]
    report(calm)
    calm.recalculate()
    assert calm.told() == told


def test_a_foreign_event_is_refused_and_nothing_is_asked_of_aws(home: WatchedHome) -> None:
    with pytest.raises(EventRefused, match="The schedule is that of stack 'other', not of home"):
        report(home, {**HOURLY, "stack": "other"})
    assert home.faults.of_functions() == []
