"""Which topics a stack takes in place of its own, what it asks of their policies, and in which words it refuses."""

import json
import re
from dataclasses import replace

import pytest
from botocore.session import get_session
from efs_monitor.errors import EventRefused, TopicRefused
from efs_monitor.notify.given_topics import (
    GivenTopic,
    Publishing,
    TopicAttributes,
    any_stack_of,
    doubt,
    given_topics,
    judged,
    require_not_made_here,
    statements,
    topics_of_a_fleet,
)
from efs_monitor.stack_identity import StackIdentity

from tests.unit.docs.pages import blocks

STACK = StackIdentity(partition="aws", region="us-east-1", account_id="123456789012", stack_name="home")
HOME = Publishing(stack=STACK)
ROLE = "arn:aws:iam::123456789012:role/home-ReportSilenceRole-1A2B3C"
HERE = GivenTopic(
    parameter="WarningTopicArn",
    arn="arn:aws:sns:us-east-1:123456789012:storage",
    alarms=("warning", "draining"),
    role_arns=(ROLE,),
)
ELSEWHERE = replace(HERE, parameter="CriticalTopicArn", arn="arn:aws:sns:us-east-1:111122223333:pager")
KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
NOBODY = TopicAttributes(policy='{"Statement": []}', key="")


def with_pasted(topic: GivenTopic, *, key: str = "") -> TopicAttributes:
    """A topic whose policy is what was printed to be pasted."""
    return TopicAttributes(policy=f'{{"Statement": [{statements(topic, HOME)}]}}', key=key)


def refusal(topic: GivenTopic, attributes: TopicAttributes, key_arn: str = "") -> str:
    with pytest.raises(TopicRefused) as refused:
        judged({topic: attributes}, key_arn, HOME)
    return str(refused.value)


@pytest.mark.parametrize("topic", [HERE, ELSEWHERE])
def test_what_is_printed_to_be_pasted_lets_the_stack_publish(topic: GivenTopic) -> None:
    assert judged({topic: with_pasted(topic)}, "", HOME) == f"{topic.parameter}: its policy lets this stack publish."


@pytest.mark.parametrize("topic", [HERE, ELSEWHERE])
def test_a_policy_that_keeps_alarms_out_is_refused_with_the_statement_that_it_lacks(topic: GivenTopic) -> None:
    assert refusal(topic, NOBODY) == (
        f"The policy of {topic.arn} ({topic.parameter}) does not let this stack publish: add to the statements of "
        f"each, with its own ARN, {statements(topic, HOME)}"
    )


def test_every_topic_that_keeps_it_out_is_named_at_once() -> None:
    with pytest.raises(
        TopicRefused, match=f"{HERE.arn} .WarningTopicArn., {ELSEWHERE.arn} .CriticalTopicArn. does not"
    ):
        judged({HERE: NOBODY, ELSEWHERE: NOBODY}, "", HOME)


def test_a_topic_of_the_own_account_need_not_name_the_functions_and_another_accounts_must() -> None:
    assert len(json.loads(f"[{statements(HERE, HOME)}]")) == 1
    alarms, functions = json.loads(f"[{statements(ELSEWHERE, HOME)}]")
    only_alarms = TopicAttributes(policy=json.dumps({"Statement": [alarms]}), key="")
    assert "does not let this stack publish" in refusal(ELSEWHERE, only_alarms)
    assert functions["Condition"]["ArnLike"]["aws:PrincipalArn"] == "arn:aws:iam::123456789012:role/home*"


def test_the_end_of_a_long_stack_name_is_not_asked_for_in_the_names_of_roles() -> None:
    long = replace(STACK, stack_name="a" * 128)
    assert f"role/{'a' * 20}*" in statements(ELSEWHERE, Publishing(stack=long))


def test_two_stacks_that_share_a_topic_find_room_in_its_policy_whatever_account_they_are_of() -> None:
    """SNS takes no two statements of one name."""
    stacks = [STACK, replace(STACK, stack_name="work"), replace(STACK, account_id="210987654321")]
    pasted = json.loads(f"[{', '.join(statements(ELSEWHERE, Publishing(stack=stack)) for stack in stacks)}]")
    assert len({one["Sid"] for one in pasted}) == 6
    assert all(re.fullmatch("[A-Za-z0-9]+", one["Sid"]) for one in pasted)


def test_what_one_stack_of_a_fleet_has_pasted_lets_in_the_others_and_no_other_stack() -> None:
    """A policy holds 30 KiB, and a new file system waits for nobody to paste anything."""
    one, other = (replace(STACK, stack_name=f"storage-fs-0123456789abcdef{number}") for number in "01")
    role = "arn:aws:iam::123456789012:role/storage-fs-012345678-ReportSilenceRole-1A2B3C"
    pager = replace(ELSEWHERE, role_arns=(role,))
    assert statements(pager, Publishing(stack=one)) == statements(pager, Publishing(stack=other))
    pasted = TopicAttributes(policy=f'{{"Statement": [{statements(pager, Publishing(stack=one))}]}}', key="")
    assert (
        judged({pager: pasted}, "", Publishing(stack=other)) == "CriticalTopicArn: its policy lets this stack publish."
    )
    for name in ("storage", "storage-2", "other-fs-0123456789abcdef0"):
        with pytest.raises(TopicRefused, match="does not let this stack publish"):
            judged({pager: pasted}, "", Publishing(stack=replace(STACK, stack_name=name)))


def test_a_fleet_finds_the_topics_that_stand_in_place_of_its_own() -> None:
    fleet = replace(STACK, stack_name="storage")
    given = {
        "WarningTopicArn": fleet.own_topic_arn("warning"),
        "CriticalTopicArn": ELSEWHERE.arn,
        "AdviceTopicArn": "",
        "WarningMinutes": "240",
    }
    (found,) = topics_of_a_fleet(given, fleet)
    assert (found.parameter, found.arn, found.alarms) == ("CriticalTopicArn", ELSEWHERE.arn, ("critical", "exhausted"))
    reader = "arn:aws:iam::123456789012:role/StackSet-x-ReconcileFleetRole-1"
    pasted = statements(found, Publishing(stack=any_stack_of(fleet), reader_arn=reader))
    assert json.loads(f"[{pasted}]")[1]["Condition"]["ArnLike"]["aws:PrincipalArn"] == [
        "arn:aws:iam::123456789012:role/storage-fs-*",
        reader,
    ]
    lets_in = TopicAttributes(policy=f'{{"Statement": [{pasted}]}}', key="")
    assert doubt(found, lets_in, any_stack_of(fleet)) == ""
    assert doubt(found, NOBODY, any_stack_of(fleet)) == "its policy keeps the alarms or the functions out"
    assert doubt(found, None, any_stack_of(fleet)).startswith("its policy may not be read from here")


def test_a_statement_that_denies_it_is_refused_as_such() -> None:
    deny = {"Effect": "Deny", "Principal": "*", "Action": "sns:*", "Resource": HERE.arn}
    denied = TopicAttributes(policy=json.dumps({"Statement": [deny]}), key="")
    assert refusal(HERE, denied).endswith("has a statement that denies this stack to publish: change that")


def test_what_may_not_be_read_is_taken_and_said_with_what_it_needs() -> None:
    words = judged({ELSEWHERE: None, HERE: with_pasted(HERE)}, "", HOME)
    assert words == (
        "CriticalTopicArn: its policy may not be read from here, and must let this stack publish; so must its key, if "
        f"it has one. WarningTopicArn: its policy lets this stack publish. Such as: {statements(ELSEWHERE, HOME)}"
    )


def test_what_is_not_clear_is_taken_and_said() -> None:
    statement = json.loads(statements(HERE, HOME))
    statement["Condition"]["StringEquals"]["aws:SourceOrgID"] = "o-1"
    words = judged({HERE: TopicAttributes(policy=json.dumps({"Statement": [statement]}), key="")}, "", HOME)
    assert words.startswith(
        "WarningTopicArn: whether its policy lets this stack publish is not clear from here. Such as: {"
    )


def test_a_topic_for_members_of_an_organisation_alone_keeps_out_cloudwatch_which_is_none() -> None:
    members = {
        "Effect": "Allow",
        "Principal": "*",
        "Action": "sns:Publish",
        "Resource": HERE.arn,
        "Condition": {"StringEquals": {"aws:PrincipalOrgID": "o-1"}},
    }
    shut = TopicAttributes(policy=json.dumps({"Statement": [members]}), key="")
    assert (
        f"does not let this stack publish: add to the statements of each, with its own ARN, {statements(HERE, HOME)}"
        in (refusal(HERE, shut))
    )


@pytest.mark.parametrize("key", ["alias/aws/sns", "arn:aws:kms:us-east-1:123456789012:alias/aws/sns"])
def test_the_key_of_sns_itself_is_refused_because_no_alarm_gets_through(key: str) -> None:
    assert "encrypted with alias/aws/sns: that key lets no alarm in" in refusal(HERE, with_pasted(HERE, key=key), KEY)


@pytest.mark.parametrize("key", [KEY, KEY.rpartition("/")[2]])
def test_the_key_of_a_topic_must_be_the_one_that_functions_may_use(key: str) -> None:
    encrypted = with_pasted(HERE, key=key)
    assert f"is encrypted with the key {key}, and EncryptionKeyArn is empty: give the ARN" in refusal(HERE, encrypted)
    other = KEY.replace("1234abcd-", "9999abcd-")
    assert f"and EncryptionKeyArn is {other}: give the ARN" in refusal(HERE, encrypted, other)
    words = judged({HERE: encrypted}, KEY, HOME)
    assert f"lets this stack publish. It is encrypted with {key}, whose own policy must let" in words


def test_a_key_by_its_alias_cannot_be_compared_and_is_taken() -> None:
    assert "encrypted with alias/storage" in judged({HERE: with_pasted(HERE, key="alias/storage")}, KEY, HOME)


@pytest.mark.parametrize("key", ["alias/storage", KEY])
def test_without_a_key_for_the_functions_no_encrypted_topic_is_taken(key: str) -> None:
    assert refusal(HERE, with_pasted(HERE, key=key)).endswith(
        f"is encrypted with the key {key}, and EncryptionKeyArn is empty: give the ARN of that key, so that the "
        "functions may use it; it must be that of a customer managed key, not of AWS's own (alias/aws/sns)"
    )


@pytest.mark.parametrize("end", ["warning", "critical", "advice"])
def test_a_topic_that_the_stack_makes_is_refused_because_it_would_be_deleted(end: str) -> None:
    own = replace(HERE, arn=f"arn:aws:sns:us-east-1:123456789012:home-{end}")
    with pytest.raises(TopicRefused) as refused:
        require_not_made_here([HERE, own], STACK)
    assert str(refused.value) == (
        f"WarningTopicArn is {own.arn}, a topic that this stack makes itself, and deletes when it is given one: leave "
        "WarningTopicArn empty"
    )


@pytest.mark.parametrize(
    "arn",
    [
        "arn:aws:sns:us-east-1:123456789012:work-warning",
        "arn:aws:sns:us-east-1:123456789012:home-pager",
        "arn:aws:sns:us-east-1:111122223333:home-warning",
    ],
)
def test_a_topic_of_another_stack_or_account_is_taken_whatever_its_name(arn: str) -> None:
    require_not_made_here([replace(HERE, arn=arn)], STACK)


def test_only_topics_that_are_given_are_looked_at_each_with_who_tells_it() -> None:
    properties = {
        "WarningTopicArn": "",
        "CriticalTopicArn": ELSEWHERE.arn,
        "AdviceTopicArn": HERE.arn,
        "ReporterRoleArn": ROLE,
        "AdviceRoleArns": [ROLE, f"{ROLE}-2"],
        "AdviceAlarms": ["percent-io-limit"],
    }
    critical, advice = given_topics(properties)
    assert (critical.parameter, critical.arn, critical.alarms) == (
        "CriticalTopicArn",
        ELSEWHERE.arn,
        ("critical", "exhausted"),
    )
    assert critical.role_arns == (ROLE,)
    assert (advice.alarms, advice.role_arns) == (("percent-io-limit",), (ROLE, f"{ROLE}-2"))


@pytest.mark.parametrize("part", ["arn:", "sns:", "us-east-1:", "123456789012:", "storage"])
def test_what_is_no_topic_is_refused_by_the_name_of_its_parameter(part: str) -> None:
    arn = HERE.arn.replace(part, "")
    with pytest.raises(TopicRefused) as refused:
        given_topics({"AdviceTopicArn": arn})
    assert str(refused.value) == f"AdviceTopicArn is '{arn}': give the ARN of a topic, or nothing"


@pytest.mark.parametrize("part", ["arn:", "iam:", "123456789012:", "role/", "home-ReportSilenceRole-1A2B3C"])
def test_roles_that_are_none_are_refused(part: str) -> None:
    arn = ROLE.replace(part, "")
    with pytest.raises(EventRefused) as refused:
        given_topics({"AdviceTopicArn": HERE.arn, "AdviceRoleArns": [ROLE, arn]})
    assert str(refused.value) == (
        f"Among the roles that publish to AdviceTopicArn is '{arn}', not a role's ARN; deploy the template as it is"
    )


def test_where_a_stack_is_stands_in_its_id() -> None:
    assert StackIdentity.of("arn:aws:cloudformation:us-east-1:123456789012:stack/home/6f1e0a70") == STACK


@pytest.mark.parametrize("part", ["arn:", "cloudformation:", "us-east-1:", "123456789012:", "stack/", "home/", "/6f1e"])
def test_an_id_that_is_not_of_a_stack_is_refused(part: str) -> None:
    stack_id = "arn:aws:cloudformation:us-east-1:123456789012:stack/home/6f1e".replace(part, "")
    with pytest.raises(EventRefused) as refused:
        StackIdentity.of(stack_id)
    assert str(refused.value) == f"The request's StackId is '{stack_id}', not the ARN of a stack"


def test_advice_without_an_alarm_of_its_own_needs_none_to_be_let_in() -> None:
    (advice,) = given_topics({"AdviceTopicArn": HERE.arn, "ReporterRoleArn": ROLE, "AdviceRoleArns": [ROLE]})
    assert judged({advice: NOBODY}, "", HOME) == "AdviceTopicArn: its policy lets this stack publish."


def test_the_page_shows_the_statements_that_a_deployment_prints() -> None:
    shown = json.loads(blocks("docs/integrations.md", "json")[0].text)
    stack = StackIdentity(
        partition="aws", region="eu-central-1", account_id="123456789012", stack_name="efs-monitor-home"
    )
    pager = replace(ELSEWHERE, arn=shown[0]["Resource"])
    assert shown == json.loads(f"[{statements(pager, Publishing(stack=stack))}]")


@pytest.mark.parametrize("partition", get_session().get_available_partitions())
def test_what_is_pasted_names_the_partition_of_the_stack(partition: str) -> None:
    stack = replace(STACK, partition=partition)
    pager = replace(ELSEWHERE, arn=ELSEWHERE.arn.replace("arn:aws:", f"arn:{partition}:"))
    assert set(re.findall(r"arn:([^:]*):", statements(pager, Publishing(stack=stack)))) == {partition}


def test_the_statement_for_functions_names_their_roles_as_cloudformation_makes_them() -> None:
    words = statements(ELSEWHERE, Publishing(stack=replace(STACK, stack_name="efs--home-")))
    assert "role/efs-home-*" in words


FLEET = any_stack_of(replace(STACK, partition="aws-us-gov", stack_name="f" * 16))
OF_A_FLEET = Publishing(
    stack=FLEET,
    who="the stacks of this fleet",
    reader_arn=f"arn:aws-us-gov:iam::123456789012:role/{'r' * 64}",
)


@pytest.mark.parametrize("publishing", [Publishing(stack=replace(STACK, stack_name="s" * 128)), OF_A_FLEET])
def test_with_the_longest_names_the_answer_is_one_that_cloudformation_takes(publishing: Publishing) -> None:
    unclear = '{"Statement": [{"Effect": "Allow", "Principal": "*", "NotAction": "sns:Subscribe"}]}'
    read = {
        replace(ELSEWHERE, parameter=parameter, arn=f"arn:aws:sns:us-east-1:111122223333:{'n' * 255}{number}"): (
            TopicAttributes(policy=unclear, key=f"alias/{'k' * 250}")
        )
        for number, parameter in enumerate(("WarningTopicArn", "CriticalTopicArn", "AdviceTopicArn"))
    }
    words = judged(read, KEY, publishing)
    # What else is in an answer has fewer than 700 bytes.
    assert len(json.dumps(words)) < 4_096 - 700


def test_each_refusal_of_a_key_is_a_whole_sentence() -> None:
    named = f"WarningTopicArn is {HERE.arn}, which is encrypted with "
    assert refusal(HERE, with_pasted(HERE, key="alias/aws/sns")) == (
        f"{named}alias/aws/sns: that key lets no alarm in, and cannot be made to; encrypt the topic with a customer "
        "managed key"
    )
    assert refusal(HERE, with_pasted(HERE, key=KEY)) == (
        f"{named}the key {KEY}, and EncryptionKeyArn is empty: give the ARN of that key, so that the functions may "
        "use it; it must be that of a customer managed key, not of AWS's own (alias/aws/sns)"
    )
    other = KEY.replace("1234abcd", "5678abcd")
    assert refusal(HERE, with_pasted(HERE, key=KEY), other) == (
        f"{named}the key {KEY}, and EncryptionKeyArn is {other}: give the ARN of that key, so that the functions may "
        "use it"
    )


def test_a_policy_that_denies_it_is_refused_in_a_whole_sentence() -> None:
    pasted = with_pasted(HERE)
    denies = json.loads(pasted.policy)["Statement"]
    denies.append({**denies[0], "Effect": "Deny"})
    assert refusal(HERE, replace(pasted, policy=json.dumps({"Statement": denies}))) == (
        f"The policy of {HERE.arn} (WarningTopicArn) has a statement that denies this stack to publish: change that"
    )
