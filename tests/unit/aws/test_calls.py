"""How a failed AWS call is named."""

import math
from datetime import UTC, datetime, timedelta, timezone

import botocore.session
import pytest
from botocore.exceptions import ClientError
from botocore.parsers import ResponseParserError
from efs_monitor.aws.calls import DENIED_CODES, KEY_CODES, THROTTLED_CODES, moments, named, number, numbers
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


@pytest.mark.parametrize("values", [[1.0, math.nan], [math.inf, -math.inf], [1, math.inf], [1.0, "2"], [1.0, None]])
def test_a_series_with_anything_but_amounts_is_refused_as_each_of_them_is(values: list[object]) -> None:
    with pytest.raises((TypeError, ValueError), match=r"is no (number|amount)"):
        numbers(values)


def test_a_series_has_each_of_its_numbers() -> None:
    assert numbers([1e308, 1e308]) == [1e308, 1e308]
    assert numbers([1, 2.5]) == [1, 2.5]
    assert numbers([]) == []


def test_a_series_has_each_of_its_times_in_utc() -> None:
    there = datetime(2030, 1, 7, 4, tzinfo=timezone(timedelta(hours=2)))
    here = datetime(2030, 1, 7, 2, tzinfo=UTC)
    assert [one.tzinfo for one in moments([there, here])] == [UTC, UTC]
    assert moments([there, here]) == [here, here]
    assert moments([here]) == [here]
    with pytest.raises(TypeError, match="is no time"):
        moments([here, "2030-01-07"])
