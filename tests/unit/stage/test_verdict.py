"""A story held against what its scenario states."""

from dataclasses import replace

from stage.scenario import Expectations
from stage.story import Story
from stage.verdict import differences

STORY = Story(
    alarms=("0d 00:00 critical 351.6 GiB armed", "0d 00:00 warning 1054.7 GiB armed"),
    transitions=("0d 00:01 warning INSUFFICIENT_DATA -> OK",),
    mails=("1d 01:41 advice to team@example.com: WARNING",),
    decisions=(),
    benchmarks=(),
)
STATED = Expectations(alarms=tuple(reversed(STORY.alarms)), transitions=STORY.transitions, mails=STORY.mails)


def test_within_a_minute_the_order_says_nothing() -> None:
    assert differences(STATED, STORY) == ()


def test_what_was_seen_and_not_stated_is_named() -> None:
    twice = replace(STORY, mails=STORY.mails * 2)
    assert differences(STATED, twice) == (f"mails, seen and not stated: {STORY.mails[0]}",)


def test_what_was_stated_and_not_seen_is_named_with_its_minute() -> None:
    later = replace(STORY, transitions=("0d 00:02 warning INSUFFICIENT_DATA -> OK",))
    assert differences(STATED, later) == (
        "transitions, stated and not seen: 0d 00:01 warning INSUFFICIENT_DATA -> OK",
        "transitions, seen and not stated: 0d 00:02 warning INSUFFICIENT_DATA -> OK",
    )
