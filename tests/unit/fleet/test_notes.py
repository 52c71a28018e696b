"""What a fleet remembers."""

from datetime import timedelta

from efs_monitor.fleet.notes import CAUSE_CHARACTERS, MARKS, Note, alike, cause, mark, of_one, pause_after
from efs_monitor.mail.layout import shortened

from tests.unit.fleet.account import NOW, file_system_id


def test_pauses_double_from_a_quarter_of_an_hour_to_a_day() -> None:
    assert [pause_after(tries) / timedelta(hours=1) for tries in range(1, 10)] == [0.25, 0.5, 1, 2, 4, 8, 16, 24, 24]
    assert pause_after(10**6) == timedelta(days=1)


def test_a_note_of_which_nothing_is_said_says_nothing() -> None:
    assert Note() == Note(
        gone=None,
        tries=0,
        tried=None,
        wanted="",
        why="",
        told="",
        looked=False,
        unchanged=False,
        announced=False,
    )


def test_a_mark_is_of_three_characters_and_another_for_another_reason() -> None:
    assert (mark("no role"), mark("no room")) == ("040", "6VQ")
    assert all(len(mark(str(number))) == 3 and set(mark(str(number))) <= set(MARKS) for number in range(1000))
    # As many as one draws from 46,656 that way.
    assert len({mark(str(number)) for number in range(1000)}) > 980


TRIED = Note().after_a_try("1a2b3c4d", NOW)


def test_a_reason_is_told_once_however_often_the_same_is_tried_in_vain() -> None:
    failed = TRIED.failed_because("no role")
    assert (failed.is_told, failed.looked) == (False, True)
    told = failed.once_told("no role")
    assert (told.is_told, told.why) == (True, "")
    again = told.after_a_try("1a2b3c4d", NOW)
    assert (again.is_told, again.looked) == (True, False)
    assert again.failed_because("no role").is_told
    assert again.failed_because("no role").once_told("tried 2 times") == again.failed_because("no role")


def test_another_reason_is_told_anew_and_so_is_whatever_keeps_something_else_from_being() -> None:
    told = TRIED.failed_because("no role").once_told("no role").after_a_try("1a2b3c4d", NOW)
    other = told.failed_because("no room")
    assert (other.is_told, other.why) == (False, "no room")
    assert not other.once_told("no room").after_a_try("1a2b3c4d", NOW).failed_because("no role").is_told
    changed = told.after_a_try("5e6f7a8b", NOW)
    assert not changed.is_told
    assert not changed.failed_because("no role").is_told


def denied(resource: str, name: str) -> str:
    """What an organisation's policy lets CloudFormation say of whatever it makes first."""
    return (
        f'{resource}: Resource handler returned message: "User: arn:aws:sts::123456789012:assumed-role/efs-fleet-'
        "ServiceRole-1A2B3C4D5E6FG/AWSCloudFormation is not authorized to perform: lambda:CreateFunction on resource: "
        f"arn:aws:lambda:us-east-1:123456789012:function:efs-fleet-{file_system_id(1)}-{name} with an explicit deny in "
        'a service control policy (Service: Lambda, Status Code: 403)"'
    )


def test_a_denial_is_told_once_whichever_resource_meets_it_first_at_the_next_try() -> None:
    first, then = denied("Explain", "explain"), denied("RecalculateThresholds", "recalculate-thresholds")
    assert cause(first) == cause(then)
    told = TRIED.failed_because(first).once_told(first).after_a_try("1a2b3c4d", NOW)
    assert told.failed_because(then).is_told
    # Its own ARN is of no use, and leaves who denied it no room.
    assert shortened(cause(first), CAUSE_CHARACTERS).startswith(
        'Resource handler returned message: "The service role is not authorized to perform: lambda:CreateFunction'
    )
    assert "in a service control policy" in shortened(cause(first), CAUSE_CHARACTERS)


def test_a_layer_that_is_denied_is_one_reason_whatever_its_version_is() -> None:
    said = (
        "not authorized to perform: lambda:GetLayerVersion on resource: arn:aws:lambda:x:1:layer:f-fs-1a-monitor:{} as"
    )
    assert cause(said.format(7)) == cause(said.format(12))


def test_what_names_a_resource_of_the_stack_and_is_no_denial_is_told_of_each() -> None:
    taken = "{}: efs-fleet-fs-0123456789abcdef0-{} already exists"
    assert cause(taken.format("WarningTopic", "warning")) != cause(taken.format("CriticalTopic", "critical"))
    assert cause("WarningTopic: no such key") == cause("CriticalTopic: no such key") == "no such key"
    assert cause("ROLLBACK_COMPLETE of something: no such key").startswith("ROLLBACK_COMPLETE")


def test_what_two_file_systems_are_told_of_the_same_cause_is_one_reason() -> None:
    one, other = (f"CreateStack on fleet-{file_system_id(number)} failed" for number in (1, 2))
    assert alike(file_system_id(1), one) == alike(file_system_id(2), other) == "CreateStack on fleet-fs-* failed"
    assert of_one(file_system_id(2), alike(file_system_id(1), one)) == other
