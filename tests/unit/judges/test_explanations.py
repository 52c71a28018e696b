"""What a judge says is explained or repaired, and an explanation does not outlive what it explains."""

from datetime import date

import pytest

from tools.judges.explanations import Explained, Found, explained, objections, of_template

SINCE = date(2026, 11, 21)
ENTRY = {
    "rule": "W1",
    "templates": ["one.yaml", "two.yaml"],
    "resources": ["Topic", "Queue"],
    "since": SINCE,
    "because": "so it is",
}
TOPIC = Found(rule="W1", resource="Topic", text="a hard-coded ARN")
QUEUE = Found(rule="W1", resource="Queue", text="a hard-coded ARN")


def test_what_is_explained_is_no_objection() -> None:
    assert list(objections([TOPIC, QUEUE, TOPIC], explained([ENTRY]))) == []


def test_a_finding_of_another_rule_or_resource_is_not_explained() -> None:
    others = [Found(rule="W2", resource="Topic", text="one"), Found(rule="W1", resource="Role", text="two")]
    assert list(objections([TOPIC, QUEUE, *others], explained([ENTRY]))) == ["W1 Role: two", "W2 Topic: one"]


def test_an_explanation_of_nothing_is_an_objection() -> None:
    assert list(objections([TOPIC], explained([ENTRY]))) == [
        "W1 Queue is explained, but not found any more: take the explanation out"
    ]


def test_an_explanation_is_asked_of_its_own_templates_and_no_other() -> None:
    explanations = explained([ENTRY])
    assert list(objections([TOPIC, QUEUE], of_template(explanations, "one.yaml"))) == []
    assert len(list(objections([], of_template(explanations, "two.yaml")))) == 2
    assert list(objections([], of_template(explanations, "other.yaml"))) == []
    assert len(list(objections([TOPIC, QUEUE], of_template(explanations, "other.yaml")))) == 2


def test_an_explanation_is_read_as_it_is_written() -> None:
    assert explained([ENTRY]) == [
        Explained(
            rule="W1",
            templates=frozenset({"one.yaml", "two.yaml"}),
            resources=frozenset({"Topic", "Queue"}),
            since=SINCE,
            because="so it is",
        )
    ]


@pytest.mark.parametrize("missing", ENTRY)
def test_an_explanation_that_lacks_anything_is_refused(missing: str) -> None:
    with pytest.raises(ValueError, match="an explanation has rule, templates, resources, since"):
        explained([{name: value for name, value in ENTRY.items() if name != missing}])
