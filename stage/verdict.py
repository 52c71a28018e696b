"""What was seen in a scenario beside what its file states."""

from collections import Counter

from stage.scenario import Expectations
from stage.story import Story


def differences(expected: Expectations, story: Story) -> tuple[str, ...]:
    """A line for everything that was seen and not stated, or stated and not seen.

    Each line of a story begins with its minute. Within a minute the order says nothing: CloudFormation writes what does
    not depend on each other in parallel, and mails of one moment arrive as they will.
    """
    found = []
    for kind in ("alarms", "transitions", "mails", "benchmarks"):
        stated, seen = Counter[str](getattr(expected, kind)), Counter[str](getattr(story, kind))
        found += [f"{kind}, stated and not seen: {line}" for line in (stated - seen).elements()]
        found += [f"{kind}, seen and not stated: {line}" for line in (seen - stated).elements()]
    return tuple(found)
