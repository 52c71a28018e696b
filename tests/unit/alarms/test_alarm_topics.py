"""What the topics of a stack are called, and which of them its alarms reach."""

import pytest
from efs_monitor.alarms.alarm_topics import Topic, require_key_within_reach, require_topics_within_reach
from efs_monitor.errors import KeyRefused, TopicRefused

from tests.template.template_documents import with_includes


@pytest.mark.parametrize("topic", Topic)
def test_the_template_calls_each_as_the_functions_do(topic: Topic) -> None:
    written = with_includes()
    assert written["Resources"][topic.resource]["Properties"]["TopicName"] == {
        "Fn::Sub": f"${{AWS::StackName}}-{topic}"
    }
    assert written["Parameters"][topic.parameter]["Default"] == ""
    functions = [one for one in written["Resources"].values() if one["Type"] == "AWS::Serverless::Function"]
    environments = [written["Globals"]["Function"], *(one["Properties"] for one in functions)]
    known = {name for one in environments for name in one.get("Environment", {}).get("Variables", {})}
    assert topic.variable in known


def test_a_topic_of_another_region_is_refused_because_alarms_do_not_reach_it() -> None:
    topics = {
        "CriticalTopicArn": "arn:aws:sns:us-east-1:111122223333:storage",
        "WarningTopicArn": "arn:aws:sns:eu-west-1:123456789012:storage",
    }
    require_topics_within_reach({"CriticalTopicArn": topics["CriticalTopicArn"]}, "us-east-1")
    with pytest.raises(TopicRefused) as refused:
        require_topics_within_reach(topics, "us-east-1")
    assert str(refused.value) == (
        "WarningTopicArn is arn:aws:sns:eu-west-1:123456789012:storage, a topic in eu-west-1, but alarms reach only "
        "topics of their own Region, us-east-1: give one of us-east-1, or none"
    )


def test_a_key_of_another_region_is_refused_because_it_encrypts_no_topic_here() -> None:
    require_key_within_reach("", "us-east-1")
    require_key_within_reach("arn:aws:kms:us-east-1:111122223333:key/1a2b", "us-east-1")
    with pytest.raises(KeyRefused) as refused:
        require_key_within_reach("arn:aws:kms:eu-west-1:123456789012:key/1a2b", "us-east-1")
    assert str(refused.value) == (
        "EncryptionKeyArn is arn:aws:kms:eu-west-1:123456789012:key/1a2b, a key in eu-west-1, but topics are encrypted "
        "with keys of their own Region, us-east-1: give one of us-east-1, or none"
    )
    with pytest.raises(KeyRefused, match="is alias/storage, a key in no Region, but"):
        require_key_within_reach("alias/storage", "us-east-1")
