"""What the figures of `mail/mode_changes.py` must be."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from math import inf

from proofs.figures.claims.claim import A_DAY, CLOCK, MODES, RATE, Comparison, claim, rate, same
from proofs.figures.known import MINUTE, Known
from proofs.figures.other_modes import SEEN_WITHIN, changed, locked_since, locks_the_mode
from proofs.figures.past import STEP
from proofs.figures.readings import clock, is_clock
from simulation.file_system import Provisioned


@claim(
    rf"mode (?:seems to have been|was) changed (?:some time between (?P<after>{CLOCK}) and|at about) "
    rf"(?P<changed>{CLOCK}): until (?:then|{CLOCK}) (?:(?P<what>more|another rate) was permitted than the "
    rf"size gives|CloudWatch has no balance of credits)\. (?:If so, )?AWS refuses another (?:change|mode "
    rf"and a decrease) until about (?P<end>{CLOCK})\."
)
def _locked(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lived = [one for one in known.player.lived if known.player.time_of(one.minute) < known.time]
    changes = [(one, later.minute) for one, later in pairwise(lived) if locks_the_mode(one.mode, later.mode)]
    before, minute = changes[-1] if changes else (None, 0)
    changed = known.player.time_of(minute)
    for moment, after in (("changed", timedelta()), ("end", timedelta(days=1))):
        held = before is not None and is_clock(told[moment], changed + after, known.time, STEP)
        if told["after"]:
            # No later than that, and by then CloudWatch had nothing of it.
            held = clock(told["after"], known.time) + after <= changed + after <= clock(told[moment], known.time)
        yield told[moment], changed, held
    if before is not None:
        is_above = before.permitted_bytes_per_second > known.reference_bytes_per_second
        yield told["what"], before.permitted_bytes_per_second, is_above == (told["what"] == "more")
        no_balance = (told["what"] is None) == (before.permitted_bytes_per_second == known.reference_bytes_per_second)
        yield told["what"], before.permitted_bytes_per_second, no_balance


@claim(
    rf"(?:mode|(?P<rate>what is provisioned),) was changed before (?P<seen>{CLOCK}), when this monitor saw it\. "
    rf"AWS refuses another (?:change|mode and a decrease) until 24 hours after that change: "
    rf"until (?P<end>{CLOCK}) at the latest\."
)
def _resumed(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """When the monitor saw that the mode was changed, or the rate: not before the change, and no later than a
    recalculation of every hour sees it.
    """
    seen, began = clock(told["seen"], known.time), (locked_since if told["rate"] else changed)(known)
    yield told["seen"], began, began <= seen + MINUTE and seen <= began + SEEN_WITHIN
    yield told["end"], seen, is_clock(told["end"], seen + timedelta(days=1), known.time, MINUTE)


@claim(rf"has been in (?P<mode>elastic) throughput since (?P<since>{CLOCK}), as far as is known")
@claim(rf"in the time since (?P<since>{CLOCK}) cost at least")
def _in_another_mode(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Since when the file system is known to be in its mode: not before the change, and no later than a recalculation
    of every hour sees it.
    """
    since, began = clock(told["since"], known.time), changed(known)
    yield told["since"], began, began <= since + MINUTE and since <= began + SEEN_WITHIN
    if "mode" in told.groupdict():
        yield same(told["mode"], MODES[type(known.now.mode)])


@claim(rf"has had up to (?P<rate>{RATE}) MiB/s provisioned since (?P<since>{CLOCK}), as far as is known")
def _provisioned_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The highest rate of all that were provisioned since, each time more."""
    yield from _in_another_mode(known, told)
    rates = [
        one.mode.bytes_per_second if isinstance(one.mode, Provisioned) else inf
        for one in known.player.lived
        if clock(told["since"], known.time) + MINUTE <= known.player.time_of(one.minute) < known.time
    ]
    yield rate(told["rate"], max(rates))


@claim(rf"(?:Going|A fixed rate, or going) back to bursting,? is possible from (?P<end>{CLOCK}), as far as is known")
@claim(rf"Not before (?P<end>{CLOCK}), as far as is known: until then AWS refuses it")
def _possible_from(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    end, unlocked = clock(told["end"], known.time), changed(known) + A_DAY
    yield told["end"], unlocked, unlocked <= end + MINUTE and end <= unlocked + SEEN_WITHIN
