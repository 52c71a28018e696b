"""A request of CloudFormation to its custom resource, checked before anything is done for it."""

import contextlib

import pytest
from efs_monitor.aws.custom_resource import Request
from efs_monitor.errors import EventRefused
from hypothesis import given
from hypothesis import strategies as st

CREATE = {
    "RequestType": "Create",
    "ResponseURL": "https://cloudformation-custom-resource-response-useast1.s3.amazonaws.com/answer?Signature=x",
    "StackId": "arn:aws:cloudformation:us-east-1:123456789012:stack/home/6f1e0a70-0000-11f0-8a1b-0e2f8d1c1a3b",
    "RequestId": "d1c2b3a4-0000-4000-8000-000000000001",
    "ResourceType": "Custom::EfsBurstCreditThresholds",
    "LogicalResourceId": "Thresholds",
    "ServiceToken": "arn:aws:lambda:us-east-1:123456789012:function:home-ApplyOnDeploy",
    "ResourceProperties": {"FileSystemId": "fs-0123456789abcdef0", "WarningMinutes": "180"},
}


def test_a_create_is_read_and_given_an_identity_of_its_own() -> None:
    request = Request.of(CREATE)
    assert (request.kind, request.response_url) == ("Create", CREATE["ResponseURL"])
    assert (request.stack_id, request.request_id) == (CREATE["StackId"], CREATE["RequestId"])
    assert request.logical_resource_id == "Thresholds"
    assert request.physical_resource_id == "Thresholds-d1c2b3a4-0000-4000-8000-000000000001"
    assert request.properties == CREATE["ResourceProperties"]


@pytest.mark.parametrize(
    ("given", "waits"),
    [("60", 60), (60, 60), (None, 3600), ("", 3600), ("1e3", 3600), ("٣", 3600), ("9" * 5_000, 3600)],
)
def test_cloudformation_waits_as_long_as_the_resource_says_or_else_an_hour(given: object, waits: int) -> None:
    assert Request.of({**CREATE, "ResourceProperties": {"ServiceTimeout": given}}).wait_seconds == waits


@pytest.mark.parametrize("kind", ["Update", "Delete"])
def test_later_requests_keep_the_identity(kind: str) -> None:
    request = Request.of({**CREATE, "RequestType": kind, "PhysicalResourceId": "Thresholds-1"})
    assert (request.kind, request.physical_resource_id) == (kind, "Thresholds-1")


@pytest.mark.parametrize("name", ["ResponseURL", "StackId", "RequestId", "LogicalResourceId"])
@pytest.mark.parametrize("value", [None, "", 7, ["x"]])
def test_what_cloudformation_always_gives_is_named_when_it_is_missing(name: str, value: object) -> None:
    with pytest.raises(EventRefused) as refused:
        Request.of({**CREATE, name: value})
    assert str(refused.value) == f"The request's {name} is {value!r}, but CloudFormation always gives one"


@pytest.mark.parametrize("kind", ["Import", "", None, 7, ["Create"]])
def test_a_request_of_an_unknown_kind_is_read_so_that_it_can_be_answered(kind: object) -> None:
    request = Request.of({**CREATE, "RequestType": kind})
    assert (request.kind, request.response_url) == (str(kind), CREATE["ResponseURL"])


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.com/x",
        "https://",
        "answer",
        "http://[::1/x",
        "http://:80/x",
        "https://example.com:99999/x",
        "https://example.com:x/x",
        # Libraries read different hosts from these.
        "https://one.example\\@two.example/x",
        "https://exämple.com/x",
        "https://example.com/a b",
        "https://example.com/\ud800",
        "https://example.com/x\r\nHost: other",
    ],
)
def test_only_a_web_address_is_answered(url: str) -> None:
    with pytest.raises(EventRefused, match="not an address to answer to"):
        Request.of({**CREATE, "ResponseURL": url})


@pytest.mark.parametrize("event", [None, [], "Create", 7])
def test_what_is_no_object_is_refused_by_its_type(event: object) -> None:
    with pytest.raises(EventRefused, match=f"The event is a {type(event).__name__}, not the JSON object"):
        Request.of(event)


@pytest.mark.parametrize("properties", [None, [], "text"])
def test_without_properties_a_delete_is_still_answered(properties: object) -> None:
    assert Request.of({**CREATE, "RequestType": "Delete", "ResourceProperties": properties}).properties == {}
    left_out = {name: value for name, value in CREATE.items() if name != "ResourceProperties"}
    assert Request.of({**left_out, "RequestType": "Delete"}).properties == {}


@given(
    st.dictionaries(
        st.sampled_from([*CREATE, "PhysicalResourceId"]),
        st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.lists(st.text(max_size=3), max_size=2),
    )
)
def test_whatever_is_sent_is_read_or_refused_and_never_crashes(changes: dict[str, object]) -> None:
    with contextlib.suppress(EventRefused):
        assert isinstance(Request.of({**CREATE, **changes}), Request)
