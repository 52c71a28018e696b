"""What the figures of `mail/trend_mails.py` must be."""

import re
from collections.abc import Iterator

from proofs.figures.claims.claim import Comparison, claim
from proofs.figures.known import Known


@claim(r"are down to (?P<lead>\d+) minutes on \w+ (?P<day>\d+) (?P<month>\w+)")
@claim(r"Warning expected on \w+ (?P<day>\d+) (?P<month>\w{3})")
def _expected(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The day for which the mail expects Warning is the day on which that alarm really went off next."""
    really = min(
        one.time
        for one in known.player.sandbox.transitions
        if one.alarm.endswith("-warning") and one.new == "ALARM" and one.time >= known.time
    )
    yield (
        f"{told['day']} {told['month'][:3]}",
        really,
        (int(told["day"]), told["month"][:3]) == (really.day, f"{really:%b}"),
    )
