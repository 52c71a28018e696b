"""What was seen in a scenario beside what its file states."""

import re
from collections import Counter
from typing import TYPE_CHECKING

from stage.scenario import Expectations

if TYPE_CHECKING:
    # Whoever only compares lines need not wait until a local AWS is imported.
    from stage.observed import Observed

# A mail of ours as seen, to whichever topic; CloudWatch's own begin with a state. What is in its subject beside
# severity and file system is held by the golden mails, and its figures by the proof of them: a sentence that is worded
# anew touches no scenario.
OURS = re.compile(
    r"( \w+ to [^:]+: )(?!(?:ALARM|OK|INSUFFICIENT_DATA): )((?:DRILL - )?[A-Z ]+?)(?: for [^:]+)?: "
    r".*?\b(fs-[0-9a-f]+)\b.*"
)


def as_stated(line: str) -> str:
    """A line of what was seen as a scenario states it: of a mail of ours its severity and file system only."""
    return OURS.sub(r"\1\2, \3", line)


def differences(expected: Expectations, observed: "Observed") -> tuple[str, ...]:
    """A line for everything that was seen and not stated, or stated and not seen.

    Each line begins with its minute. Within a minute the order says nothing: CloudFormation writes what does
    not depend on each other in parallel, and mails of one moment arrive as they will.
    """
    found = []
    for kind in ("alarms", "transitions", "mails", "benchmarks"):
        stated = Counter[str](getattr(expected, kind))
        seen = Counter(as_stated(line) for line in getattr(observed, kind))
        found += [f"{kind}, stated and not seen: {line}" for line in (stated - seen).elements()]
        found += [f"{kind}, seen and not stated: {line}" for line in (seen - stated).elements()]
    return tuple(found)
