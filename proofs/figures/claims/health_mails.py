"""What the figures of `mail/health_mails.py` must be."""

import re
from collections.abc import Iterator
from datetime import timedelta

from proofs.figures.claims.claim import CLOCK, Comparison, claim
from proofs.figures.known import Known
from proofs.figures.readings import is_clock


@claim(rf"no datapoint since (?P<time>{CLOCK})")
def _silent_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """When the newest minute was over, told to five minutes."""
    over = known.player.time_of(known.newest_visible.minute + 1)
    yield told["time"], over, is_clock(told["time"], over, known.time, timedelta(minutes=4))
