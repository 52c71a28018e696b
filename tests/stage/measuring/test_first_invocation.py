"""What `make bench` measures of first invocations; how long they take, it says itself."""

from stage.invocation.built import function_ids
from stage.measuring.first_invocation import TYPICAL


def test_the_first_invocation_of_every_function_is_measured() -> None:
    assert set(TYPICAL) == set(function_ids())
