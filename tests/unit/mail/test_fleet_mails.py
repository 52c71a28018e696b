"""What the subject of a fleet's digest says: the worst first, in few words, and nothing of what there is none of."""

from dataclasses import replace

import pytest
from efs_monitor.mail.fleet_mails import FleetDay, fleet_digest
from hypothesis import given
from hypothesis import strategies as st

LONGEST_NAME = "a" * 16
NUMBERS = st.integers(0, 1_500)


def reasons(number: int) -> dict[str, str]:
    return {f"fs-{one:017x}": "why" for one in range(number)}


def a_day(**counts: int) -> FleetDay:
    """A day of a fleet with so many of each."""
    return FleetDay(
        name=LONGEST_NAME,
        membership="every file system",
        watched=counts.get("watched", 40),
        untold=tuple(f"advice: email {one}@example.com has not confirmed" for one in range(counts.get("untold", 0))),
        leaving=reasons(counts.get("leaving", 0)),
        failing=reasons(counts.get("failing", 0)),
        refused=reasons(counts.get("refused", 0)),
        incidents=tuple(reasons(counts.get("incidents", 0))),
        others=reasons(counts.get("others", 0)),
        deleted=tuple(reasons(counts.get("deleted", 0))),
        shut=tuple(reasons(counts.get("shut", 0))),
    )


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({}, "INFO: fleet {}: all is well; 40 watched"),
        ({"watched": 0}, "INFO: fleet {}: 0 watched"),
        ({"incidents": 2}, "INFO: fleet {}: 2 in an incident; 40 watched"),
        ({"deleted": 2}, "INFO: fleet {}: 2 deleted; 40 watched"),
        ({"others": 30, "watched": 10}, "INFO: fleet {}: 30 waiting; 10 watched"),
        ({"failing": 1, "watched": 0}, "ACTION: fleet {}: 1 failed; 0 watched"),
        ({"shut": 1}, "ACTION: fleet {}: 1 topic in doubt; 40 watched"),
        ({"shut": 2}, "ACTION: fleet {}: 2 topics in doubt; 40 watched"),
        ({"untold": 1}, "ACTION: fleet {}: 1 subscription missing; 40 watched"),
        (
            {"incidents": 3, "refused": 22, "failing": 2},
            "ACTION: fleet {}: 2 failed, 22 refused, 3 in an incident; 40 wat",
        ),
        (
            {"untold": 3, "leaving": 38, "failing": 1_200, "refused": 9, "incidents": 5, "others": 2, "deleted": 4},
            "ACTION: fleet {}: 3 subscriptions missing, 38 leaving, 1,200 failed; 40 watched",
        ),
        # With the third it would be a hundred characters.
        (
            {"untold": 1_000, "incidents": 10, "deleted": 1, "watched": 0},
            "ACTION: fleet {}: 1,000 subscriptions missing, 10 in an incident; 0 watched",
        ),
    ],
)
def test_the_worst_comes_first_and_what_there_is_none_of_is_left_out(counts: dict[str, int], said: str) -> None:
    assert fleet_digest(a_day(**counts)).subject.startswith(said.format(LONGEST_NAME))


@given(
    st.fixed_dictionaries(
        dict.fromkeys(("watched", "untold", "leaving", "failing", "refused", "incidents", "others", "deleted"), NUMBERS)
    )
)
def test_however_many_there_are_of_each_the_subject_has_room_for_all_that_it_says(counts: dict[str, int]) -> None:
    subject = fleet_digest(a_day(**counts)).subject
    assert len(subject) <= 99
    assert subject.endswith(f"{counts['watched']:,} watched")
    assert " 0 " not in subject.removesuffix(" 0 watched")


def test_what_an_organisation_denies_to_many_is_one_reason_though_each_stack_began_with_another_resource() -> None:
    said = "User: arn:aws:sts::1:assumed-role/r is not authorized to perform: iam:CreateRole on resource: role/*"
    roles = ("ExplainRole", "ReportSilenceRole", "ApplyOnDeployRole", "ReportSilenceRole")
    failing = {f"fs-{number:017x}": f"{role}: {said}" for number, role in enumerate(roles)}
    words = " ".join(fleet_digest(replace(a_day(), failing=failing)).body.split())
    assert words.count("iam:CreateRole") == 1
    assert f"and 2 more: ApplyOnDeployRole, ExplainRole and ReportSilenceRole: {said}" in words
    alone = {one: why for one, why in failing.items() if "Silence" in why}
    words = " ".join(fleet_digest(replace(a_day(), failing=alone)).body.split())
    assert f"fs-00000000000000001 and fs-00000000000000003: ReportSilenceRole: {said}" in words
