"""Which reasons of several stacks, and of several tries, are one."""

from efs_monitor.fleet.reasons import CAUSE_CHARACTERS, REASON_CHARACTERS, alike, cause, of_one, resource
from efs_monitor.mail.layout import shortened

from operate.template_files import template
from tests.unit.fleet.fake_account import file_system_id


def denied(resource: str, name: str) -> str:
    """What an organisation's policy lets CloudFormation say of whatever it makes first."""
    return (
        f'{resource}: Resource handler returned message: "User: arn:aws:sts::123456789012:assumed-role/efs-fleet-'
        "ServiceRole-1A2B3C4D5E6FG/AWSCloudFormation is not authorized to perform: lambda:CreateFunction on resource: "
        f"arn:aws:lambda:us-east-1:123456789012:function:efs-fleet-{file_system_id(1)}-{name} with an explicit deny in "
        'a service control policy (Service: Lambda, Status Code: 403)"'
    )


DENIED = denied("Explain", "explain"), denied("RecalculateThresholds", "recalculate-thresholds")


def test_a_denial_is_one_cause_whichever_resource_meets_it_first_and_says_who_denied_it() -> None:
    first, then = DENIED
    assert cause(first) == cause(then) == cause(cause(first))
    # Its own ARN is of no use, and leaves who denied it no room.
    assert shortened(cause(first), CAUSE_CHARACTERS).startswith(
        'Resource handler returned message: "The service role is not authorized to perform: lambda:CreateFunction'
    )
    assert "in a service control policy" in shortened(cause(first), CAUSE_CHARACTERS)


def test_every_cause_is_cut_alike_whichever_resource_of_the_monitor_stands_before_it() -> None:
    longest = max((f"{name}: " for name in template()["Resources"]), key=len)
    assert resource(f"{longest}why") == longest
    assert len(longest) <= REASON_CHARACTERS - CAUSE_CHARACTERS


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


def test_what_no_resource_said_begins_with_the_name_of_none() -> None:
    assert (resource("WarningTopic: no such key"), resource("no such key")) == ("WarningTopic: ", "")


def test_what_two_file_systems_are_told_of_the_same_cause_is_one_reason() -> None:
    one, other = (f"CreateStack on fleet-{file_system_id(number)} failed" for number in (1, 2))
    assert alike(file_system_id(1), one) == alike(file_system_id(2), other) == "CreateStack on fleet-fs-* failed"
    assert of_one(file_system_id(2), alike(file_system_id(1), one)) == other
