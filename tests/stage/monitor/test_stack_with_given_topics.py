"""Topics that exist, of this account and of another, encrypted or not: everything the stack says gets there, or the
deployment says what is in the way.
"""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from moto.kms.models import Key, kms_backends
from moto.sns.models import Topic, sns_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.sandbox import Sandbox
from stage.direct_deployment import DeploymentRefused
from stage.sam_deployment import Deployer
from tests.stage.monitor.stack_under_test import StackUnderTest
from tests.stage.monitor.test_alert_path import ARMED, HERE, LOW, explained, spend_and_recover
from tests.stage.monitor.test_bad_deployments import left_in

OTHER_ACCOUNT_ID = "111122223333"
ADDRESS = "ops@example.com"
PARAMETERS = {"warning": "WarningTopicArn", "critical": "CriticalTopicArn", "advice": "AdviceTopicArn"}
USE_OF_KEY = ["kms:Decrypt", "kms:GenerateDataKey*"]
# All that stands in the policy of a key to which nobody gave one.
ROOT = {
    "Effect": "Allow",
    "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT_ID}:root"},
    "Action": "kms:*",
    "Resource": "*",
}


@dataclass(frozen=True, kw_only=True)
class Shared:
    """Topics that were there before the stack, one for each severity, with a subscriber of theirs."""

    topics: dict[str, Topic]
    key_arn: str = ""

    @property
    def parameters(self) -> dict[str, str]:
        """What the stack is given."""
        return {
            **{PARAMETERS[severity]: topic.arn for severity, topic in self.topics.items()},
            "AlertEmail": "",
            "EncryptionKeyArn": self.key_arn,
        }

    def paste(self, outputs: dict[str, str]) -> None:
        """Put what the stack says is needed among the statements of every topic, each with its own ARN."""
        needed = outputs["TopicPolicies"].partition("Such as: ")[2].partition(" EncryptionKeyArn: ")[0]
        named = json.loads(f"[{needed}]")[0]["Resource"]
        for topic in self.topics.values():
            topic.policy = f'{{"Statement": [{needed.replace(named, topic.arn)}]}}'


def shared(account_id: str = ACCOUNT_ID, *, encrypted: bool = False) -> Shared:
    """Topics with the policy that SNS gives every topic, which lets in the whole account and nobody else."""
    backend = sns_backends[account_id][REGION]
    key = key_of(account_id) if encrypted else None
    topics = {}
    for severity in PARAMETERS:
        attributes = {"KmsMasterKeyId": key.id} if key else {}
        topics[severity] = backend.create_topic(f"storage-{severity}", attributes=attributes)
        backend.subscribe(topics[severity].arn, ADDRESS, "email")
    return Shared(topics=topics, key_arn=key.arn if key else "")


def key_of(account_id: str) -> Key:
    """A key that lets in CloudWatch, and whom the stack's account lets in."""
    statements = [
        {"Effect": "Allow", "Principal": principal, "Action": USE_OF_KEY, "Resource": "*"}
        for principal in ({"Service": "cloudwatch.amazonaws.com"}, {"AWS": f"arn:aws:iam::{ACCOUNT_ID}:root"})
    ]
    return kms_backends[account_id][REGION].create_key(
        policy=json.dumps({"Statement": statements}),
        key_usage="ENCRYPT_DECRYPT",
        key_spec="SYMMETRIC_DEFAULT",
        description="",
        tags=[],
        multi_region=False,
    )


def mailed(sandbox: Sandbox, topics: Shared, severity: str) -> list[str]:
    """The subjects of the mails that a topic's own subscriber got."""
    arn = topics.topics[severity].arn
    return [mail.subject for mail in sandbox.mailbox.mails if mail.topic_arn == arn and mail.to == ADDRESS]


def tells_everything(stack: StackUnderTest, topics: Shared) -> None:
    """The whole way from full to zero and back arrives, in CloudWatch's words and in readable ones."""
    stack.live(2)
    spend_and_recover(stack)
    told = [f'{state}: "home-warning" {HERE}' for state in ("OK", "ALARM", "OK")]
    assert [one for one in mailed(stack.sandbox, topics, "warning") if "draining" not in one] == told
    assert mailed(stack.sandbox, topics, "critical") == [
        f'{state}: "home-{end}" {HERE}' for state in ("OK", "ALARM", "OK") for end in ("critical", "exhausted")
    ]
    words = [subject.split(":", maxsplit=1)[0] for subject in mailed(stack.sandbox, topics, "advice")]
    # That Critical is over has no readable mail here: the end of the limit says as much.
    wanted = ["WARNING", "CRITICAL", "GONE", "LIMIT LIFTED", "RECOVERED"]
    assert [word for word in words if word in set(wanted)] == wanted


def refusal(stack: StackUnderTest, topics: Shared, **parameters: str) -> str:
    stack.create_file_system()
    before = left_in(stack.sandbox)
    with pytest.raises(DeploymentRefused) as refused:
        stack.deploy(**(topics.parameters | parameters))
    stack.delete()
    assert left_in(stack.sandbox) == before
    return refused.value.reason


def test_encrypted_topics_of_the_own_account_get_everything_and_stay_when_the_stack_goes(stack: StackUnderTest) -> None:
    topics = shared(encrypted=True)
    before = stack.sandbox.client("sns").list_topics()["Topics"]
    stack.create_file_system()
    outputs = stack.deploy(**topics.parameters)
    assert outputs["AdviceTopicArn"] == topics.topics["advice"].arn
    assert outputs["TopicPolicies"].count("its policy lets this stack publish") == 3
    # The key lets the account use it, and nobody read what it lets.
    assert "EncryptionKeyArn: its policy may not be read from here, and must let" in outputs["TopicPolicies"]
    assert stack.sandbox.client("sns").list_topics()["Topics"] == before
    tells_everything(stack, topics)
    stack.delete()
    assert stack.sandbox.client("sns").list_topics()["Topics"] == before
    assert all("__default_policy_ID" in json.dumps(topic.policy) for topic in topics.topics.values())


@pytest.mark.whole
def test_encrypted_topics_of_another_account_get_everything_once_their_policies_have_what_the_stack_prints(
    stack: StackUnderTest,
) -> None:
    topics = shared(OTHER_ACCOUNT_ID, encrypted=True)
    stack.create_file_system()
    outputs = stack.deploy(**topics.parameters)
    # What it may not read it says, and what is needed.
    assert outputs["TopicPolicies"].count("its policy may not be read from here") == 4
    topics.paste(outputs)
    tells_everything(stack, topics)
    outputs = stack.deploy(**topics.parameters, UtilizationAlarm="on")
    assert outputs["TopicPolicies"].count("its policy lets this stack publish") == 3


@pytest.mark.whole
def test_one_topic_may_be_given_and_the_others_made(stack: StackUnderTest) -> None:
    topics = shared()
    stack.create_file_system()
    stack.deploy(CriticalTopicArn=topics.topics["critical"].arn)
    stack.live(2)
    spend_and_recover(stack)
    assert len(mailed(stack.sandbox, topics, "critical")) == 6
    assert len(stack.subjects("warning")) >= 3
    assert explained(stack)[:2] == ["WARNING", "CRITICAL"]


@pytest.mark.whole
def test_a_stack_takes_a_topic_and_gives_it_back(stack: StackUnderTest) -> None:
    topics = shared()
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.deploy(WarningTopicArn=topics.topics["warning"].arn)
    stack.balance_gib = LOW
    stack.live(3)
    assert mailed(stack.sandbox, topics, "warning")[-1] == f'ALARM: "home-warning" {HERE}'
    assert "TopicPolicies" not in stack.deploy(WarningTopicArn="")
    stack.balance_gib = ARMED
    stack.live(20)
    assert stack.subjects("warning")[-1] == f'OK: "home-warning" {HERE}'


@pytest.mark.whole
def test_a_topic_that_the_stack_made_is_refused_and_stays(stack: StackUnderTest) -> None:
    stack.create_file_system()
    made = stack.deploy()["CriticalTopicArn"]
    with pytest.raises(DeploymentRefused, match=f"CriticalTopicArn is {made}, .* leave CriticalTopicArn empty"):
        stack.deploy(CriticalTopicArn=made)
    assert made in {one["TopicArn"] for one in stack.sandbox.client("sns").list_topics()["Topics"]}


@pytest.mark.whole
def test_an_update_that_fails_cannot_go_back_to_a_topic_that_is_gone(stack: StackUnderTest) -> None:
    """Lambda may take no destination that is not there, whoever asks; docs/integrations.md says what to do."""
    topics = shared()
    stack.create_file_system()
    stack.deploy(AdviceTopicArn=topics.topics["advice"].arn)
    stack.sandbox.client("sns").delete_topic(TopicArn=topics.topics["advice"].arn)

    def failing_at_last(template: dict[str, Any]) -> None:
        template["Resources"]["Last"] = {
            "Type": "AWS::SNS::Topic",
            "DependsOn": ["WarningAlarm", "FileSystemDashboard"],
            "Properties": {"TopicName": "no name at all"},
        }

    with pytest.raises(DeploymentRefused):
        stack.deploy_changed(failing_at_last, AdviceTopicArn="")
    assert stack.status() == "UPDATE_ROLLBACK_FAILED"


@pytest.mark.whole
@pytest.mark.parametrize("severity", PARAMETERS)
def test_a_policy_that_keeps_the_stack_out_is_refused_and_nothing_is_left(stack: StackUnderTest, severity: str) -> None:
    topics = shared()
    topic = topics.topics[severity]
    deny = {"Effect": "Deny", "Principal": "*", "Action": "sns:Publish", "Resource": topic.arn}
    topic.policy = json.dumps({"Statement": [*json.loads(topic.policy)["Statement"], deny]})
    reason = refusal(stack, topics)
    assert f"The policy of {topic.arn} ({PARAMETERS[severity]}) has a statement that denies this stack" in reason


def test_a_policy_without_cloudwatch_is_refused_with_the_statement_to_paste(stack: StackUnderTest) -> None:
    topics = shared()
    topics.topics["critical"].policy = json.dumps({"Statement": []})
    reason = refusal(stack, topics)
    assert '{"Sid": "EfsMonitorAlarms123456789012Home", "Effect": "Allow", "Principal": {"Service": "cloud' in reason
    assert f"Region us-east-1, account {ACCOUNT_ID})" in reason


@pytest.mark.whole
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"WarningTopicArn": f"arn:aws:sns:eu-west-1:{ACCOUNT_ID}:storage"}, "a topic in eu-west-1, but alarms reach"),
        (
            {"AdviceTopicArn": f"arn:aws:sns:us-east-1:{ACCOUNT_ID}:nowhere"},
            "nowhere, and there is no such topic",
        ),
        ({"CriticalTopicArn": f"arn:aws:sns:us-east-1:{ACCOUNT_ID}:a.fifo"}, "CriticalTopicArn must be the ARN of a"),
    ],
)
def test_a_topic_that_no_alarm_could_reach_is_refused(
    stack: StackUnderTest, change: dict[str, str], sentence: str
) -> None:
    assert sentence in refusal(stack, shared(), **change)


@pytest.mark.whole
def test_a_key_of_another_region_is_refused_also_where_a_copy_of_it_is_here(stack: StackUnderTest) -> None:
    stack.create_file_system()
    here = str(key_of(ACCOUNT_ID).arn)
    with pytest.raises(DeploymentRefused) as refused:
        stack.deploy(EncryptionKeyArn=here.replace("us-east-1", "eu-west-1"))
    assert (
        "a key in eu-west-1, but topics are encrypted with keys of their own Region, us-east-1" in refused.value.reason
    )


def test_a_key_that_the_functions_may_not_use_is_refused(stack: StackUnderTest) -> None:
    topics = shared(encrypted=True)
    assert "and EncryptionKeyArn is empty: give the ARN of that key" in refusal(stack, topics, EncryptionKeyArn="")


def test_a_key_that_lets_no_alarm_in_is_refused_with_the_statement_to_paste_whoever_made_the_topics(
    stack: StackUnderTest,
) -> None:
    topics = shared(encrypted=True)
    key_id, kms = topics.key_arn.rpartition("/")[2], stack.sandbox.client("kms")
    kms.put_key_policy(KeyId=key_id, PolicyName="default", Policy=json.dumps({"Statement": [ROOT]}))
    given = refusal(stack, topics)
    with pytest.raises(DeploymentRefused) as refused:
        stack.deploy(EncryptionKeyArn=topics.key_arn)
    made = refused.value.reason
    for reason in (given, made):
        assert f"The policy of {topics.key_arn} (EncryptionKeyArn) does not let CloudWatch use it" in reason
    pasted = json.loads(made.partition("add to its statements ")[2].partition(". (")[0])
    kms.put_key_policy(KeyId=key_id, PolicyName="default", Policy=json.dumps({"Statement": [ROOT, pasted]}))
    stack.delete()
    outputs = stack.deploy(EncryptionKeyArn=topics.key_arn)
    assert outputs["TopicPolicies"] == "EncryptionKeyArn: its policy lets CloudWatch use it."
    stack.live(2)
    stack.balance_gib = LOW
    stack.live(3)
    assert stack.subjects("warning")[-1] == f'ALARM: "home-warning" {HERE}'


@pytest.mark.whole
def test_a_topic_that_shuts_the_stack_out_later_is_told_as_a_failed_action(stack: StackUnderTest) -> None:
    topics = shared()
    stack.create_file_system()
    stack.deploy(**topics.parameters)
    stack.live(2)
    topics.topics["critical"].policy = json.dumps({"Statement": []})
    stack.balance_gib = 0
    stack.live(80)
    told: list[Any] = [one for one in mailed(stack.sandbox, topics, "advice") if "alarm action failed" in one]
    assert len(told) == 1


def test_a_topic_that_is_deleted_later_is_told_and_the_rest_goes_on(stack: StackUnderTest) -> None:
    topics = shared()
    stack.create_file_system()
    stack.deploy(**topics.parameters)
    stack.live(2)
    stack.sandbox.client("sns").delete_topic(TopicArn=topics.topics["critical"].arn)
    stack.live(80)
    told = [one for one in mailed(stack.sandbox, topics, "advice") if "topic deleted" in one]
    assert told == [f"ACTION: topic deleted, nobody is told on it, {stack.file_system_id} (critical)"]
    answers = [entry for entry in stack.logged("report-silence") if entry["message"] == "reported"]
    (condition,) = answers[-1]["conditions"]
    assert condition.startswith("topic-gone:critical:")


def test_a_topic_that_was_deleted_keeps_no_failed_update_from_being_rolled_back(stack: StackUnderTest) -> None:
    topics = shared()
    stack.create_file_system()
    stack.deploy(**topics.parameters)
    stack.live(2)
    stack.sandbox.client("sns").delete_topic(TopicArn=topics.topics["critical"].arn)
    nowhere = topics.topics["critical"].arn.rpartition(":")[0] + ":nowhere"
    with pytest.raises(DeploymentRefused, match="and there is no such topic: make it first"):
        stack.deploy(**topics.parameters | {"CriticalTopicArn": nowhere})
    assert stack.status() == "UPDATE_ROLLBACK_COMPLETE"


@pytest.mark.more
def test_the_command_of_that_mail_gives_the_stack_another_topic_and_keeps_every_other_parameter(
    stack: StackUnderTest, tmp_path: Path
) -> None:
    topics = shared()
    stack.create_file_system()
    stack.deploy(**topics.parameters, WarningMinutes="200")
    stack.live(2)
    stack.sandbox.client("sns").delete_topic(TopicArn=topics.topics["critical"].arn)
    stack.live(80)
    (mail,) = [one for one in stack.sandbox.mailbox.mails if one.subject.startswith("ACTION: topic deleted")]
    (command,) = [line for line in mail.body.splitlines() if "update-stack" in line]
    another = topics.topics["warning"].arn
    environment = {"PATH": os.environ["PATH"], **Deployer(stack.sandbox.endpoint_url, tmp_path, str).environment()}
    script = command.replace("ParameterValue=ARN", f"ParameterValue={another}")
    subprocess.run(["bash", "-e", "-c", script], env=environment, check=True, stdout=subprocess.DEVNULL)
    alarms = stack.alarms()
    assert another in alarms["critical"]["AlarmActions"]
    assert alarms["warning"]["AlarmActions"][0] == another
    assert alarms["warning"]["Threshold"] == 200 * 60 * 100 * 1024**2


@pytest.mark.whole
def test_a_topic_of_the_own_account_whose_subscribers_may_not_be_listed_ends_no_report(stack: StackUnderTest) -> None:
    topics = shared()
    topic = topics.topics["advice"]
    deny = {"Effect": "Deny", "Principal": "*", "Action": "sns:ListSubscriptionsByTopic", "Resource": topic.arn}
    topic.policy = json.dumps({"Statement": [*json.loads(topic.policy)["Statement"], deny]})
    stack.create_file_system()
    stack.deploy(**topics.parameters)
    stack.live(80)
    answers = [entry for entry in stack.logged("report-silence") if entry["message"] == "reported"]
    assert [(entry["conditions"], entry["told_on"]) for entry in answers] == [([], "advice")] * len(answers) != []


def test_the_silence_of_another_accounts_topics_is_not_guessed_at(stack: StackUnderTest) -> None:
    topics = shared(OTHER_ACCOUNT_ID)
    stack.create_file_system()
    outputs = stack.deploy(**topics.parameters)
    topics.paste(outputs)
    # Their subscribers and policies may not be read, and they may publish all the same.
    for topic in topics.topics.values():
        document = json.loads(topic.policy)
        document["Statement"][1]["Action"] = "sns:Publish"
        topic.policy = json.dumps(document)
    stack.live(80)
    answers = [entry for entry in stack.logged("report-silence") if entry["message"] == "reported"]
    assert [entry["conditions"] for entry in answers] == [[]] * len(answers) != []
    assert {entry["told_on"] for entry in answers} == {"advice"}


@pytest.mark.whole
def test_who_has_not_confirmed_a_topic_of_a_fleet_none_of_its_stacks_says(stack: StackUnderTest) -> None:
    stack.name = f"efs-fleet-{stack.file_system_id}"
    sns = stack.sandbox.client("sns")
    given = {parameter: sns.create_topic(Name=f"efs-fleet-{end}")["TopicArn"] for end, parameter in PARAMETERS.items()}
    # One that some file system has by a tag is not the fleet's.
    given["CriticalTopicArn"] = sns.create_topic(Name="pager")["TopicArn"]
    for topic_arn in given.values():
        for address in (ADDRESS, "night-shift@example.com"):
            sns.subscribe(TopicArn=topic_arn, Protocol="email", Endpoint=address)
    stack.sandbox.subscribers.unconfirmed.add("night-shift@example.com")
    stack.create_file_system()
    stack.deploy(**given, AlertEmail="")
    stack.live(80)
    told = [mail.subject for mail in stack.sandbox.mailbox.mails if "not confirmed" in (mail.subject or "")]
    assert set(told) == {f"ACTION: subscription not confirmed, {stack.file_system_id} (critical)"}


def test_without_an_address_and_a_topic_the_outputs_say_that_nobody_is_told(stack: StackUnderTest) -> None:
    stack.create_file_system()
    assert stack.deploy(AlertEmail="")["NextStep"].startswith("NOBODY IS TOLD ANYTHING")
