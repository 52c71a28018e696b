"""Why a stack failed, read off its events as AWS was recorded with them."""

from typing import TYPE_CHECKING

import pytest
from efs_monitor.fleet.stack_events import first_cause

if TYPE_CHECKING:
    from mypy_boto3_cloudformation.type_defs import StackEventTypeDef

STACK_ID = "arn:aws:cloudformation:us-east-1:123456789012:stack/home/1"
BEGAN = "User Initiated"
MACRO = "Transform AWS::Serverless-2016-10-31 failed with: Invalid Serverless Application Specification document."
BROKEN = "Transform AWS::Include failed with: The specified S3 object's content should be valid Yaml/JSON"
CREATION = "The following resource(s) failed to create: [Alarm]. "


def event(status: str, said: str = "", resource: str = "") -> "StackEventTypeDef":
    """An event of a resource; without one, of the stack itself."""
    found = {
        "StackId": STACK_ID,
        "StackName": "home",
        "LogicalResourceId": resource or "home",
        "PhysicalResourceId": f"home-{resource}" if resource else STACK_ID,
        "ResourceType": "AWS::CloudWatch::Alarm" if resource else "AWS::CloudFormation::Stack",
        "ResourceStatus": status,
    }
    return found | ({"ResourceStatusReason": said} if said else {})  # type: ignore[return-value] # the status is a variable


def cause(*oldest_first: "StackEventTypeDef") -> str:
    return first_cause(oldest_first[::-1])


@pytest.mark.parametrize(
    ("events", "said"),
    [
        # An include, in somebody's console.
        ([("CREATE_IN_PROGRESS", BROKEN), ("ROLLBACK_IN_PROGRESS", f"{BROKEN}. Rollback requested by user.")], BROKEN),
        # SAM, in an update that a deployer of its own asked for.
        ([("UPDATE_IN_PROGRESS", MACRO)], MACRO),
        # The one event that LocalStack's snapshots have of each of these four.
        *(
            ([("ROLLBACK_IN_PROGRESS", f"{said}. Rollback requested by user.")], said)
            for said in (
                "Transform 111111111111::Unsuccessful failed with: failed because it is a test",
                "Transform 111111111111::Unsuccessful failed without an error message.",
                "Template format error: unsupported structure.",
                "Received malformed response from transform 111111111111::Unsuccessful",
            )
        ),
        # Where it is not to go back, as somebody's Ansible shows.
        ([("CREATE_IN_PROGRESS", MACRO), ("CREATE_FAILED", MACRO)], MACRO),
        # What nobody has recorded: an update that says it only where it goes back.
        ([("UPDATE_ROLLBACK_IN_PROGRESS", MACRO)], MACRO),
    ],
)
def test_a_macro_that_failed_is_told_whichever_event_of_the_stack_itself_has_it(
    events: list[tuple[str, str]], said: str
) -> None:
    kind = "UPDATE" if events[0][0].startswith("UPDATE") else "CREATE"
    after = event("UPDATE_ROLLBACK_COMPLETE" if kind == "UPDATE" else "ROLLBACK_COMPLETE")
    assert cause(event(f"{kind}_IN_PROGRESS", BEGAN), *(event(*one) for one in events), after) == said


def test_a_resource_that_failed_is_told_and_not_that_the_stack_goes_back() -> None:
    assert (
        cause(
            event("CREATE_IN_PROGRESS", BEGAN),
            event("CREATE_IN_PROGRESS", resource="Alarm"),
            event("CREATE_FAILED", "no such metric", resource="Alarm"),
            event("CREATE_FAILED", "Resource creation cancelled", resource="Other"),
            event("ROLLBACK_IN_PROGRESS", f"{CREATION}Rollback requested by user."),
            event("DELETE_FAILED", "not now", resource="Other"),
            event("ROLLBACK_FAILED", "The following resource(s) failed to delete: [Other]. "),
        )
        == "Alarm: no such metric"
    )


def test_that_every_macro_did_what_it_should_is_no_cause() -> None:
    taken = "Validation failure detected. See the operation's FAILED event for details"
    begins = (event("CREATE_IN_PROGRESS", BEGAN), event("CREATE_IN_PROGRESS", "Transformation succeeded"))
    assert cause(*begins, event("ROLLBACK_IN_PROGRESS", f"{taken}. Rollback requested by user.")) == taken
    assert cause(*begins, event("CREATE_FAILED", "gone", resource="Alarm")) == "Alarm: gone"
    assert cause(*begins, event("ROLLBACK_COMPLETE")) == ""


def test_of_what_the_stack_says_the_newest_counts_since_it_begins_with_how_it_goes_on() -> None:
    whatever = event("CREATE_IN_PROGRESS", "Something that AWS may say one day")
    back = event("ROLLBACK_IN_PROGRESS", f"{BROKEN}. Rollback requested by user.")
    assert cause(event("CREATE_IN_PROGRESS", BEGAN), whatever, back, event("ROLLBACK_COMPLETE")) == BROKEN


def test_where_no_resource_says_why_the_stack_does() -> None:
    events = [
        event("CREATE_FAILED", resource="Alarm"),
        event("ROLLBACK_IN_PROGRESS", f"{CREATION}Rollback requested by user."),
    ]
    assert cause(event("CREATE_IN_PROGRESS", BEGAN), *events) == CREATION.rstrip(". ")
    assert cause(event("CREATE_IN_PROGRESS", BEGAN), event("ROLLBACK_COMPLETE")) == ""


def test_what_failed_before_somebody_asked_for_something_else_is_no_cause() -> None:
    before = [event("UPDATE_IN_PROGRESS", BEGAN), event("UPDATE_IN_PROGRESS", MACRO)]
    assert cause(*before, event("UPDATE_IN_PROGRESS", BEGAN), event("UPDATE_ROLLBACK_COMPLETE")) == ""
    assert cause(*before, event("UPDATE_IN_PROGRESS", BEGAN), event("UPDATE_IN_PROGRESS", BROKEN)) == BROKEN


def test_a_resource_that_is_a_stack_is_not_the_stack_itself() -> None:
    """A nested one begins, and goes back, amid what was asked for."""
    nested = event("CREATE_IN_PROGRESS", BEGAN, resource="Nested")
    nested["ResourceType"] = "AWS::CloudFormation::Stack"
    failed = event("CREATE_FAILED", "no such metric", resource="Alarm")
    assert cause(event("CREATE_IN_PROGRESS", BEGAN), failed, nested) == "Alarm: no such metric"


@pytest.mark.parametrize(
    ("said", "without"),
    [
        ("taken (Status Code: 409, Request ID: 1a-2b)", "taken (Status Code: 409)"),
        (
            '"denied (Service: Ec2, Status Code: 400, Request ID: 1a-2b) (SDK Attempt Count: 2)"',
            '"denied (Service: Ec2, Status Code: 400)"',
        ),
        ('"taken" (RequestToken: 3c-4d, HandlerErrorCode: AlreadyExists)', '"taken" (HandlerErrorCode: AlreadyExists)'),
        # As an older SDK of AWS writes it, of S3.
        (
            "denied (Code: x; Request ID: 1A2B; S3 Extended Request ID: a/b+c=; Proxy: null)",
            "denied (Code: x; Proxy: null)",
        ),
        # Of custom resources, whose own functions refuse most of what a monitor stack may be given.
        ("Message returned: No such topic. (RequestId: 8717-b834)", "Message returned: No such topic."),
        (
            "Custom Resource. Please check your logs for requestId [b2e2-e6e2]. (ServiceTimeout is 60 seconds)",
            "Custom Resource. Please check your logs. (ServiceTimeout is 60 seconds)",
        ),
    ],
)
def test_the_same_cause_reads_the_same_at_each_try(said: str, without: str) -> None:
    assert cause(event("CREATE_FAILED", said, resource="Alarm")) == f"Alarm: {without}"
    assert cause(event("ROLLBACK_IN_PROGRESS", f"{said}. Rollback requested by user.")) == without


def test_what_several_stacks_are_refused_alike_reads_the_same_whatever_their_resources_are_called() -> None:
    """IAM names the role that CloudFormation would make: after the stack, and with other characters at each try."""
    refused = '"not authorized: iam:CreateRole on arn:aws:iam::123456789012:role/{} with an explicit deny"'
    names = [
        "efs-fleet-fs-0123456789ab-RecalculateThresholdsRole-Nq3kTz91LmPw",
        "efs-fleet-fs-0123456789ab-RecalculateThresholdsRole-7HxPq0aYbC2d",
        "efs-fleet-fs-0fedcba98765-RecalculateThresholdsRol-1A2B3C4D5E6FG",
        # The least of it that is kept, as of a fleet with a long name.
        "efs-fleet-of-all-fs-0fedcba98765-RecalculateThreshold-1A2B3C4D5E6FG",
    ]
    causes = {
        cause(event("CREATE_FAILED", refused.format(name), resource="RecalculateThresholdsRole")) for name in names
    }
    assert causes == {f"RecalculateThresholdsRole: {refused.format('*')}"}
    told = 'The name efs-fleet-fs-0123456789abcdef0-warning is taken by "somebody-else-RecalculateThresholds"'
    assert cause(event("CREATE_FAILED", told, resource="WarningAlarm")) == f"WarningAlarm: {told}"
