"""How a failed AWS call is named."""

import math

import pytest
from botocore.parsers import ResponseParserError
from efs_monitor.aws.calls import named, number
from efs_monitor.errors import AwsRefused


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
