"""How a command ended on an instance, in words."""

import pytest
from efs_monitor.benchmarks.commands import Invocation
from efs_monitor.benchmarks.statuses import succeeded, why_failed


def ended(status: str, detail: str) -> Invocation:
    return Invocation(instance_id="i-01234567", status=status, detail=detail)


@pytest.mark.parametrize(
    ("status", "detail", "well"),
    [
        ("Success", "Success", True),
        ("Success", "", True),
        ("Failed", "Success", True),
        ("Success", "Failed", False),
        ("Failed", "", False),
        ("", "", False),
    ],
)
def test_the_finer_word_counts_and_the_status_where_there_is_none(status: str, detail: str, well: bool) -> None:
    assert succeeded(ended(status, detail)) is well


@pytest.mark.parametrize(
    ("status", "detail", "sentence"),
    [
        ("Failed", "Failed", "the script failed"),
        ("TimedOut", "Delivery Timed Out", "the command was not delivered in time: the instance, or its agent, was"),
        ("TimedOut", "ExecutionTimedOut", "the script ran longer than Systems Manager allowed and was killed"),
        ("TimedOut", "", "Systems Manager ran out of time"),
        ("Cancelled", "New Word", "the command was cancelled"),
        ("Failed", "Access Denied", "the instance may not run the command: see the role of its instance profile"),
        ("Odd", "Newer", "it ended with the status 'Newer'"),
        ("Odd", "", "it ended with the status 'Odd'"),
        ("", "", "it ended with the status 'unknown'"),
        ("InProgress", "Slow", "it had not ended, its status was Slow"),
        ("InProgress", "", "it had not ended, its status was InProgress"),
    ],
)
def test_why_it_did_not_end_well_is_said_as_exactly_as_it_is_known(status: str, detail: str, sentence: str) -> None:
    assert why_failed(ended(status, detail)).startswith(sentence)
