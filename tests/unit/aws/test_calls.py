"""How a failed AWS call is named."""

import math

import botocore.session
import pytest
from botocore.exceptions import ClientError
from botocore.parsers import ResponseParserError
from efs_monitor.aws.calls import DENIED_CODES, KEY_CODES, THROTTLED_CODES, named, number
from efs_monitor.errors import AwsDenied, AwsRefused, AwsThrottled, KeyUnusable


def published(code: str) -> None:
    """SNS answers Publish with this error."""
    with named("sns:Publish", "topic"):
        raise ClientError({"Error": {"Code": code, "Message": "words of AWS"}}, "Publish")


# Clients show the code of an error or the name of its shape, by the protocol that they speak.
@pytest.mark.parametrize("code", ["KMSAccessDenied", "KMSAccessDeniedException", "AuthorizationError", "AccessDenied"])
def test_a_right_that_is_missing_is_told_as_one_be_it_to_the_key_of_a_topic(code: str) -> None:
    with pytest.raises(AwsDenied) as denied:
        published(code)
    assert str(denied.value) == (
        "Not allowed to call sns:Publish on topic: words of AWS; allow it in the caller's policy, or find the policy "
        "that denies it"
    )


@pytest.mark.parametrize("code", ["KMSDisabled", "KMSDisabledException", "KMSInvalidState", "KMSNotFoundException"])
def test_a_key_that_is_of_no_use_is_told_as_that(code: str) -> None:
    with pytest.raises(KeyUnusable, match=f"^sns:Publish on topic failed for its encryption key with {code}: words"):
        published(code)


@pytest.mark.parametrize("code", ["KMSThrottling", "KMSThrottlingException"])
def test_a_key_that_is_asked_for_too_often_is_throttling(code: str) -> None:
    with pytest.raises(AwsThrottled, match=f"^sns:Publish on topic failed with {code}: words of AWS$"):
        published(code)


@pytest.mark.parametrize(
    "code",
    [
        "RequestLimitExceeded",
        "Throttled",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TooManyUpdates",
    ],
)
def test_a_service_that_is_asked_too_often_is_throttling_whatever_its_word_for_it(code: str) -> None:
    with pytest.raises(AwsThrottled, match=f"^sns:Publish on topic failed with {code}: words of AWS$"):
        published(code)


def test_what_is_neither_a_right_nor_throttling_is_no_more_than_refused() -> None:
    with pytest.raises(AwsRefused, match=r"^sns:Publish on topic failed with InternalError: words of AWS$") as refused:
        published("InternalError")
    assert type(refused.value) is AwsRefused


def test_every_error_of_a_key_that_publishing_may_meet_is_known() -> None:
    publish = botocore.session.get_session().get_service_model("sns").operation_model("Publish")
    codes = {shape.metadata.get("error", {}).get("code", shape.name) for shape in publish.error_shapes}
    assert {code for code in codes if code.startswith("KMS")} - DENIED_CODES - THROTTLED_CODES == KEY_CODES


@pytest.mark.parametrize("error", [ResponseParserError("unclosed token"), KeyError("Values"), AttributeError("find")])
def test_an_answer_that_cannot_be_read_is_refused_by_name(error: Exception) -> None:
    with (
        pytest.raises(AwsRefused, match="sns:Publish on topic answered with something unreadable"),
        named("sns:Publish", "topic"),
    ):
        raise error


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "a few", None, [1]])
def test_what_is_no_number_is_refused_as_one(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        number(value)


@pytest.mark.parametrize("value", [0, -1, 1.5, 10**15])
def test_a_number_is_taken_as_it_is(value: float) -> None:
    assert number(value) == value
