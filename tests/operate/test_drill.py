"""A drill against a real deployment of the stack, over HTTP: what it sends, sees, refuses and leaves behind."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from botocore.exceptions import ClientError
from efs_monitor.alarms.alarm import AlarmKind

from operate import drill as drill_module
from operate.checklist import Checklist
from operate.described_stack import Account, find_stack
from operate.drill import Waiting, drill
from operate.environment import Refused
from operate.interruption import Interrupted
from operate.smoke.inspection import inspect
from stage.sam_deployment import CommandFailed
from tests.localaws.sns.receivers import receiving
from tests.operate.conftest import EMAIL, HEALTHY, STACK_NAME, Operated
from tests.printed import too_wide

GIVEN = "WarningTopic is one that was given"


@pytest.fixture(autouse=True)
def later(operated: Operated) -> None:
    """Time stands still in a sandbox: without this, every drill of this file would be at the same moment."""
    operated.minute_passes()


def silent() -> Checklist:
    return Checklist(show=lambda line: None)


def quick(operated: Operated) -> Waiting:
    """Pauses end when what runs in the background is done."""
    return Waiting(attempts=5, pause=operated.player.sandbox.events.wait_for_background)


def states(operated: Operated) -> dict[str, str]:
    found = operated.account.client("cloudwatch").describe_alarms(AlarmNamePrefix=STACK_NAME)["MetricAlarms"]
    return {alarm["AlarmName"].removeprefix(f"{STACK_NAME}-"): alarm["StateValue"] for alarm in found}


@pytest.mark.whole
def test_every_message_of_all_alarms_is_seen_and_marked_as_a_drill(operated: Operated) -> None:
    before, checklist = len(operated.subjects()), silent()
    drill(operated.stack, checklist, waiting=quick(operated))
    assert checklist.ok, [line for line in checklist.lines if not line.ok]
    sent = operated.subjects()[before:]
    topics = [line.partition(": ")[0] for line in sent]
    assert topics == [
        *("warning", "advice", *("critical", "advice") * 2, "warning", "advice"),
        *("warning", *("critical", "advice") * 2, "warning", "advice"),
    ]
    readable = [line for line in sent if line.startswith("advice")]
    assert [line.split(",")[0].split(":")[1].strip() for line in readable] == [
        "DRILL - WARNING",
        "DRILL - CRITICAL",
        "DRILL - NEARLY GONE",
        "DRILL - DRAINING",
        "DRILL - LIMIT LIFTED",
        "DRILL - RECOVERED",
        "DRILL - RECOVERED",
    ]
    mails = operated.player.sandbox.mailbox.mails[before:]
    assert all("DRILL:" in mail.body or mail.body.startswith("THIS IS A DRILL") for mail in mails)
    assert states(operated) == dict.fromkeys(AlarmKind, "OK")


@pytest.mark.more
def test_a_drill_is_one_thread_of_a_chat(operated: Operated) -> None:
    parameters, endpoint = {"FileSystemId": HEALTHY.file_system_id, "AlertEmail": EMAIL}, "https://chat.example.com/sns"
    operated.deployer.deploy(STACK_NAME, {**parameters, "ChatMessages": "on"})
    sns, advice = operated.account.client("sns"), operated.stack.physical_id("AdviceTopic")
    with receiving() as chat:
        operated.player.sandbox.subscribers.listening[endpoint] = chat.address
        found = sns.subscribe(TopicArn=advice, Protocol="https", Endpoint=endpoint, ReturnSubscriptionArn=True)
        checklist = silent()
        try:
            drill(operated.stack, checklist, waiting=quick(operated))
        finally:
            sns.unsubscribe(SubscriptionArn=found["SubscriptionArn"])
            operated.deployer.deploy(STACK_NAME, {**parameters, "ChatMessages": "off"})
    assert checklist.ok, [line for line in checklist.lines if not line.ok]
    assert len(chat.notifications) == 7
    assert all(one["content"]["title"].startswith("DRILL - ") for one in chat.notifications)
    (thread,) = {one["metadata"]["threadId"] for one in chat.notifications}
    assert thread.startswith(f"drill-{HEALTHY.file_system_id}-2030")


@pytest.mark.whole
def test_a_drill_changes_nothing_of_the_alarms_but_their_state(operated: Operated) -> None:
    volatile = ("State", "AlarmConfigurationUpdatedTimestamp")

    def settings() -> list[dict[str, object]]:
        found = operated.account.client("cloudwatch").describe_alarms(AlarmNamePrefix=STACK_NAME)["MetricAlarms"]
        return [{key: value for key, value in one.items() if not key.startswith(volatile)} for one in found]

    before = settings()
    drill(operated.stack, silent(), waiting=quick(operated))
    assert settings() == before


@pytest.mark.more
def test_an_entry_of_an_alarms_history_that_nobody_can_read_ends_no_drill(operated: Operated) -> None:
    history, checklist = operated.player.sandbox.alarms.history, silent()
    action = next(entry for entry in reversed(history) if entry.kind == "Action")
    history.append(replace(action, data="{cut off"))
    drill(operated.stack, checklist, waiting=quick(operated))
    assert checklist.ok, [line for line in checklist.lines if not line.ok]


@pytest.mark.more
def test_a_drill_does_not_read_an_alarms_past_again_at_each_look(operated: Operated) -> None:
    """An account may ask for an alarm's history a few times a second, and a busy one has thousands of entries."""
    history, account = operated.player.sandbox.alarms.history, Account(operated.account.region)
    past = [replace(entry, time=entry.time - timedelta(days=1)) for entry in history if entry.kind == "Action"]
    history[:0] = past * (200 // len(past) + 1)
    answered: list[int] = []
    account.client("cloudwatch").meta.events.register(
        "after-call.cloudwatch.DescribeAlarmHistory",
        lambda parsed, **_: answered.append(len(parsed["AlarmHistoryItems"])),
    )
    checklist = silent()
    with account:
        drill(find_stack(account, STACK_NAME), checklist, waiting=quick(operated))
    assert checklist.ok, [line for line in checklist.lines if not line.ok]
    assert 0 < max(answered) < 10


@pytest.mark.whole
def test_an_alarm_that_cloudwatch_ends_in_the_middle_of_a_drill_is_no_failure(
    operated: Operated, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its next evaluation sees a healthy balance, and the end it tells of belongs to the drill."""
    theirs = drill_module._Alarm.end

    def evaluated_first(alarm: drill_module._Alarm, checklist: Checklist) -> None:
        operated.minute_passes()
        theirs(alarm, checklist)

    monkeypatch.setattr(drill_module._Alarm, "end", evaluated_first)
    before, checklist = len(operated.subjects()), silent()
    drill(operated.stack, checklist, waiting=quick(operated))
    assert checklist.ok, [line for line in checklist.lines if not line.ok]
    advice = [line for line in operated.subjects()[before:] if line.startswith("advice")]
    assert len(advice) == 7
    assert all("DRILL - " in line for line in advice)


def test_a_message_that_never_comes_is_a_sentence_and_the_alarm_is_ended(operated: Operated) -> None:
    function = operated.stack.physical_id("Explain")
    client = operated.account.client("lambda")
    client.put_function_concurrency(FunctionName=function, ReservedConcurrentExecutions=0)
    try:
        checklist = silent()
        drill(operated.stack, checklist, waiting=quick(operated))
    finally:
        client.delete_function_concurrency(FunctionName=function)
    missed = [line for line in checklist.lines if not line.ok]
    assert [line.what.partition(", ")[2] for line in missed] == ["readable mail"] * 7
    assert "has no line about it in time; docs/runbook.md" in missed[0].seen
    assert states(operated)["critical"] == "OK"


def waited(operated: Operated) -> tuple[Waiting, list[None]]:
    """As long as a person's drill waits, counting the pauses of two seconds each."""
    pauses: list[None] = []

    def pause() -> None:
        pauses.append(None)
        operated.player.sandbox.events.wait_for_background()

    return Waiting(pause=pause), pauses


@pytest.mark.whole
def test_a_topic_that_does_not_let_the_alarms_in_is_told_within_seconds(operated: Operated) -> None:
    """The alarm's history has the error at once, and CloudWatch tries no action a second time."""
    sns, arn = operated.account.client("sns"), operated.stack.physical_id("CriticalTopic")
    policy = sns.get_topic_attributes(TopicArn=arn)["Attributes"]["Policy"]
    nobody = policy.replace("cloudwatch.amazonaws.com", "events.amazonaws.com")
    sns.set_topic_attributes(TopicArn=arn, AttributeName="Policy", AttributeValue=nobody)
    waiting, pauses = waited(operated)
    checklist = silent()
    try:
        drill(operated.stack, checklist, waiting=waiting)
    finally:
        sns.set_topic_attributes(TopicArn=arn, AttributeName="Policy", AttributeValue=policy)
    missed = [line for line in checklist.lines if not line.ok]
    assert [line.what for line in missed] == [
        f"{STACK_NAME}-{change}, to {arn}"
        for change in ("critical ALARM", "exhausted ALARM", "exhausted OK", "critical OK")
    ]
    assert all("not authorized to perform: SNS:Publish" in line.seen for line in missed)
    assert len(pauses) < 20


@pytest.mark.more
def test_the_error_of_a_topic_that_was_given_is_told_with_its_own_name(operated: Operated) -> None:
    sns = operated.account.client("sns")
    arn = sns.create_topic(Name="storage-pager")["TopicArn"]
    parameters = {"FileSystemId": HEALTHY.file_system_id, "AlertEmail": EMAIL}
    operated.deployer.deploy(STACK_NAME, {**parameters, "CriticalTopicArn": arn})
    sns.set_topic_attributes(TopicArn=arn, AttributeName="Policy", AttributeValue=json.dumps({"Statement": []}))
    waiting, _ = waited(operated)
    checklist = silent()
    try:
        drill(operated.stack, checklist, waiting=waiting)
    finally:
        operated.deployer.deploy(STACK_NAME, {**parameters, "CriticalTopicArn": ""})
    missed = [line for line in checklist.lines if not line.ok]
    assert {line.what.partition(", to ")[2] for line in missed} == {arn}
    assert all(f"not authorized to perform: SNS:Publish on resource: {arn}" in line.seen for line in missed)


@pytest.mark.whole
def test_a_stack_with_a_topic_that_was_given_is_as_its_template_says(operated: Operated) -> None:
    """What smoke holds against the template."""
    arn = operated.account.client("sns").create_topic(Name="storage-warning")["TopicArn"]
    parameters = {"FileSystemId": HEALTHY.file_system_id, "AlertEmail": EMAIL}
    operated.deployer.deploy(STACK_NAME, {**parameters, "WarningTopicArn": arn})
    checklist = silent()
    try:
        inspect(operated.stack, checklist)
    finally:
        operated.deployer.deploy(STACK_NAME, {**parameters, "WarningTopicArn": ""})
    assert [line for line in checklist.lines if not line.ok] == []
    assert (f"{STACK_NAME}-warning is as the code expects it") in [line.what for line in checklist.lines]
    assert [line.seen for line in checklist.lines if line.what == GIVEN] == [f"{arn}, exists"]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("code", "ok", "seen"), [("NotFound", False, "NOT THERE"), ("AuthorizationError", None, "AuthorizationError")]
)
def test_a_topic_that_was_given_is_looked_for_and_one_that_nobody_here_may_look_at_is_no_failure(
    operated: Operated, monkeypatch: pytest.MonkeyPatch, code: str, *, ok: bool | None, seen: str
) -> None:
    sns, arn = operated.account.client("sns"), "arn:aws:sns:us-east-1:210987654321:storage-warning"
    theirs = sns.get_topic_attributes

    def attributes(**request: str) -> object:
        if request["TopicArn"] == arn:
            raise ClientError({"Error": {"Code": code}}, "GetTopicAttributes")
        return theirs(**request)

    monkeypatch.setattr(sns, "get_topic_attributes", attributes)
    checklist = silent()
    inspect(replace(operated.stack, parameters={**operated.stack.parameters, "WarningTopicArn": arn}), checklist)
    lines = [(line.ok, line.seen) for line in checklist.lines if line.what == GIVEN]
    assert lines == [(ok, f"{arn}, {seen}")]


@pytest.mark.more
def test_a_key_that_nobody_may_use_is_told_within_seconds(operated: Operated) -> None:
    """Explain cannot publish with it either: what it logged is the reason why no readable mail comes."""
    sns, kms = operated.account.client("sns"), operated.account.client("kms")
    key = kms.create_key(Policy=json.dumps({"Statement": []}))["KeyMetadata"]["Arn"]
    topics = [operated.stack.physical_id(f"{name}Topic") for name in ("Warning", "Critical", "Advice")]
    for arn in topics:
        sns.set_topic_attributes(TopicArn=arn, AttributeName="KmsMasterKeyId", AttributeValue=key)
    waiting, pauses = waited(operated)
    checklist = silent()
    try:
        drill(operated.stack, checklist, waiting=waiting)
    finally:
        for arn in topics:
            sns.set_topic_attributes(TopicArn=arn, AttributeName="KmsMasterKeyId", AttributeValue="")
    # Lambda tries those failed invocations again for three minutes.
    for _ in range(4):
        operated.minute_passes()
    missed = {line.what.partition(", ")[2]: line.seen for line in checklist.lines if not line.ok}
    assert missed.keys() == {*(f"to {arn}" for arn in topics[:2]), "readable mail"}
    assert all(key in missed[f"to {arn}"] for arn in topics[:2])
    assert missed["readable mail"].startswith("Explain failed: Not allowed to call sns:Publish on ")
    assert len(pauses) < 20


def test_a_drill_that_breaks_off_leaves_no_alarm_on(operated: Operated) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    # A mail that comes at once would leave nothing to wait for.
    function, client = operated.stack.physical_id("Explain"), operated.account.client("lambda")
    client.put_function_concurrency(FunctionName=function, ReservedConcurrentExecutions=0)
    try:
        with pytest.raises(Interrupted, match="no alarm of the drill stays on"):
            drill(operated.stack, silent(), waiting=Waiting(attempts=1, pause=interrupted))
    finally:
        client.delete_function_concurrency(FunctionName=function)
    operated.player.sandbox.events.wait_for_background()
    assert states(operated)["warning"] == "OK"


@pytest.mark.whole
def test_a_drill_is_refused_while_an_alarm_is_really_on(operated: Operated) -> None:
    operated.set_alarm("critical", "ALARM", "Threshold Crossed")
    with pytest.raises(
        Refused, match=r"critical is really on; drill again once it is over, or .* \(--force, with make FORCE=1\)"
    ):
        drill(operated.stack, silent(), waiting=quick(operated))
    checklist = silent()
    drill(operated.stack, checklist, force=True, waiting=quick(operated))
    assert checklist.ok


def test_a_drill_is_refused_while_the_alarms_are_suspended(operated: Operated) -> None:
    cloudwatch, name = operated.account.client("cloudwatch"), f"{STACK_NAME}-warning"
    cloudwatch.disable_alarm_actions(AlarmNames=[name])
    try:
        with pytest.raises(Refused, match="actions of the alarm efs-monitor-example-warning are switched off"):
            drill(operated.stack, silent(), waiting=quick(operated))
    finally:
        cloudwatch.enable_alarm_actions(AlarmNames=[name])


def test_a_drill_needs_a_stack(operated: Operated) -> None:
    with pytest.raises(Refused, match="There is no stack efs-monitor-other in us-east-1"):
        find_stack(operated.account, "efs-monitor-other")


@pytest.mark.more
def test_the_command_says_why_it_does_not_begin(operated: Operated) -> None:
    """As a person runs it, against the example environment; that one is in another Region than the sandbox's."""
    make = ["make", "--no-print-directory", "drill"]
    with pytest.raises(CommandFailed, match=r"There is no stack efs-monitor-example in eu-central-1"):
        operated.deployer.output([*make, "ENV=example"])
    with pytest.raises(CommandFailed, match=r"samconfig\.toml has no environment 'nowhere' to deploy, only example"):
        operated.deployer.output([*make, "ENV=nowhere"])
    with pytest.raises(CommandFailed, match=r"There is no stack efs-monitor-nobody in us-east-1"):
        operated.deployer.output([*make, "STACK=efs-monitor-nobody"])


@pytest.mark.typed
def test_the_command_drills_a_stack_by_its_own_name(operated: Operated) -> None:
    printed = operated.deployer.output(["make", "--no-print-directory", "drill", f"STACK={STACK_NAME}"])
    assert too_wide(printed) == []
    assert "All 26 checks hold." in printed


@pytest.mark.whole
def test_the_mails_of_a_drill_reach_the_address(operated: Operated) -> None:
    drill(operated.stack, silent(), waiting=quick(operated))
    assert {mail.to for mail in operated.player.sandbox.mailbox.mails} == {EMAIL}
