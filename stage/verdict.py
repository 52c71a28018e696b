"""What was seen in a scenario beside what its file states."""

import re
from collections import Counter

from stage.scenario import Expectations
from stage.story import Story

# An Advice mail in a story. What is in its subject beside severity and file system is held by the golden mails, and its
# figures by the proof of them: a sentence that is worded anew touches no scenario.
ADVICE = re.compile(r"( advice to [^:]+: )((?:DRILL - )?[A-Z ]+?)(?: for [^:]+)?: .*?\b(fs-[0-9a-f]+)\b.*")


def as_stated(line: str) -> str:
    """A line of a story as a scenario states it: of an Advice mail its severity and file system only."""
    return ADVICE.sub(r"\1\2, \3", line)


def differences(expected: Expectations, story: Story) -> tuple[str, ...]:
    """A line for everything that was seen and not stated, or stated and not seen.

    Each line of a story begins with its minute. Within a minute the order says nothing: CloudFormation writes what does
    not depend on each other in parallel, and mails of one moment arrive as they will.
    """
    found = []
    for kind in ("alarms", "transitions", "mails", "benchmarks"):
        stated = Counter[str](getattr(expected, kind))
        seen = Counter(as_stated(line) for line in getattr(story, kind))
        found += [f"{kind}, stated and not seen: {line}" for line in (stated - seen).elements()]
        found += [f"{kind}, seen and not stated: {line}" for line in (seen - stated).elements()]
    return tuple(found)
