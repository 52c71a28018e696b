"""Two deployed stacks for one file system: each says so once, and the one that stays says when it is over."""

from dataclasses import replace

import pytest

from tests.stage.monitor.stack_under_test import StackUnderTest

HEADLINE = "ACTION: file system watched by another stack too, fs-0123456789abcdef0"


@pytest.mark.more
def test_each_of_two_stacks_for_one_file_system_says_so_once_and_that_it_is_over(stack: StackUnderTest) -> None:
    stack.create_file_system()
    second = replace(stack, name="second")
    both = (stack, second)
    for one in both:
        one.deploy(AlertEmail="team@example.com")
    for one in (*both, *both):
        report(one)
    told = [[subject for subject in one.subjects("advice") if "another stack" in str(subject)] for one in both]
    assert told == [[f"{HEADLINE} (second)"], [f"{HEADLINE} (home)"]]
    second.delete()
    report(stack)
    report(stack)
    over = "INFO: a stack that watched it too is gone, fs-0123456789abcdef0 (second)"
    assert [subject for subject in stack.subjects("advice") if "watched" in str(subject)][1:] == [over]


def report(stack: StackUnderTest) -> None:
    """The hourly report, now."""
    answer = stack.invoke("ReportSilence", {"source": "efs-monitor.schedule", "stack": stack.name})
    assert "errorType" not in answer, answer
