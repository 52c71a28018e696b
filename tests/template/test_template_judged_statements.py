"""What the judge of privileges is given: every statement of the template, with ARNs that IAM can read."""

from tools.judges.given import statements, transformed


def test_every_statement_of_the_template_is_handed_to_the_judge_with_what_is_optional() -> None:
    found = list(statements(transformed()))
    places = {one["where"] for one in found}
    # What needs a key, a role's trust, and a topic's own policy.
    assert {"ReportSilenceRole UseTopicKey", "ExplainRole"} <= places
    assert any(place.startswith("WarningTopicPolicy") for place in places)
    resources = [one["statement"].get("Resource", "*") for one in found]
    listed = [item for one in resources for item in (one if isinstance(one, list) else [one])]
    assert all(item == "*" or item.startswith("arn:aws:") for item in listed)
