"""What the judge of privileges is given: every statement of both templates, with ARNs that IAM can read."""

import pytest

from operate.template_files import FLEET_TEMPLATE, as_written
from tools.judges.given import Document, statements, transformed


# What needs a key, and a role's trust.
@pytest.mark.parametrize(
    ("document", "some"),
    [
        (transformed(), {"ReportSilenceRole UseTopicKey", "ExplainRole"}),
        (
            as_written(FLEET_TEMPLATE),
            {"ReconcileFleetRole UseTopicKey", "ReconcileFleetRole DrawDashboard", "ServiceRole"},
        ),
    ],
    ids=["template.yaml", "fleet.yaml"],
)
def test_every_statement_is_handed_to_the_judge_with_what_is_optional(document: Document, some: set[str]) -> None:
    found = list(statements(document))
    places = {one["where"] for one in found}
    assert some <= places
    # A topic's own policy.
    assert any(place.startswith("WarningTopicPolicy") for place in places)
    resources = [one["statement"].get("Resource", "*") for one in found]
    listed = [item for one in resources for item in (one if isinstance(one, list) else [one])]
    assert all(item == "*" or item.startswith("arn:aws:") for item in listed)
