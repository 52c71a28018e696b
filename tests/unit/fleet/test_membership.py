"""Which file systems belong to a fleet, and in which words that is told."""

import pytest
from efs_monitor.fleet.membership import TaggedFileSystem, membership_of


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "every file system"),
        ("team", "the tag team"),
        ("team=a", "the tag team=a"),
        ("team=a=b", "the tag team=a=b"),
        ("team=", "the tag team="),
    ],
)
def test_who_belongs_is_told_as_it_was_given(text: str, said: str) -> None:
    assert str(membership_of(text)) == said


def test_a_file_system_of_which_nothing_else_is_said_lives_on_credits_and_has_no_tags() -> None:
    assert TaggedFileSystem(file_system_id="fs-1") == TaggedFileSystem(
        file_system_id="fs-1", tags={}, lives_on_credits=True
    )
