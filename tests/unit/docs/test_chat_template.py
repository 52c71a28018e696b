"""The template of a chat's channel that the page gives is one that CloudFormation takes."""

import pytest
import yaml

from tests.unit.docs.pages import blocks

SHOWN = [block.text for block in blocks("docs/integrations.md", "yaml") if "AWS::Chatbot" in block.text]


@pytest.mark.more
def test_the_template_of_a_channel_has_what_its_type_needs() -> None:
    # Not at the top: it takes a second of each process that collects the tests, and four to lint the first template.
    from cfnlint.api import lint  # type: ignore[import-untyped] # cfn-lint has no py.typed

    (text,) = SHOWN
    assert [match.message for match in lint(text, regions=["us-east-1"])] == []
    without = text.replace("      SlackChannelId: C0123456789\n", "")
    assert [match.message for match in lint(without, regions=["us-east-1"])] == [
        "'SlackChannelId' is a required property"
    ]


def test_it_shows_all_three_topics() -> None:
    (text,) = SHOWN
    topics = yaml.safe_load(text)["Resources"]["Channel"]["Properties"]["SnsTopicArns"]
    assert [topic.rpartition("-")[2] for topic in topics] == ["warning", "critical", "advice"]
