"""What AWS refuses for 24 hours after a change of the throughput mode, as sentences."""

from collections.abc import Sequence
from datetime import datetime

from efs_monitor.efs.credits import is_no_faster
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.incidents.mode_lock import LOCK, LockingChange, last_change, locks_remedies, refuses_changes
from efs_monitor.incidents.mode_steps import is_neither
from efs_monitor.incidents.recurring_load import worst_recurring_load
from efs_monitor.incidents.situation import STEP, Situation
from efs_monitor.incidents.unlimited_load import unlimited_load
from efs_monitor.mail.layout import wrapped
from efs_monitor.mail.numbers import clock, some_time

# AWS's own words, in which it refuses a change too early.
REFUSAL = "You have reached the maximum number of throughput mode changes or provisioned throughput value decreases."
WHERE_LOCKED = wrapped(
    f'Locked: should AWS answer "{REFUSAL} Wait until ...", the mode was changed less than 24 hours ago: until the '
    f"time that it names only less load helps, or more of what is provisioned already."
)
# Where only metrics speak for a change the others stay: what AWS refuses does no harm, and it may not be so.
LOCKED_ORDER = "That is why less load comes first; a command that is refused changes nothing."


def locked(situation: Situation) -> str:
    """From when on another throughput mode is possible again, as far as it shows; empty where it does not."""
    change = last_change(situation)
    if change is None:
        return ""
    refused, allowed = "another change", ""
    if situation.file_system.mode is ThroughputMode.PROVISIONED:
        refused, allowed = "another mode and a decrease", " An increase is possible."
    if change.shown is None:
        what = "The throughput mode, or what is provisioned," if allowed else "The throughput mode"
        return f"{_seen(change, situation.time, what, refused)}{allowed}"
    end = clock(change.latest + LOCK, situation.time)
    told = f"{_when(change, situation)} {_what_shows_it(change.shown, situation)}"
    if change.is_certain:
        return f"The throughput mode was changed {told}. AWS refuses {refused} until about {end}.{allowed}"
    if_so = f"If so, AWS refuses {refused} until about {end}.{allowed}"
    return f"The throughput mode seems to have been changed {told}. {if_so}"


def _seen(
    change: LockingChange, time: datetime, what: str = "The throughput mode", refused: str = "another change"
) -> str:
    end = clock(change.latest + LOCK, time)
    return (
        f"{what} was changed before {clock(change.latest, time)}, when this monitor saw it. AWS refuses {refused} "
        f"until 24 hours after that change: until {end} at the latest."
    )


def _when(change: LockingChange, situation: Situation) -> str:
    since = clock(change.earliest, situation.time)
    if change.latest > change.earliest:
        return f"{some_time(since, clock(change.latest, situation.time))}: until {since}"
    return f"at about {since}: until then"


def _what_shows_it(shown: datetime, situation: Situation) -> str:
    """What was so until the change that metrics show, as a clause."""
    before = dict(situation.permitted_of_the_day)[shown - STEP]
    if is_neither(before, situation):
        return "another rate was permitted than the size gives"
    if is_no_faster(before, situation.reference_bytes_per_second):
        return "CloudWatch has no balance of credits"
    return "more was permitted than the size gives"


def why_locked(situation: Situation) -> str:
    """What AWS refuses and until when, and what follows for the remedies: which are left out where that is certain, or
    why less load comes first where it may be so. Empty where nothing speaks for it.
    """
    until = locked(situation)
    if refuses_changes(situation):
        return f"{until} {_left_out(situation)}".rstrip()
    return f"{until} {LOCKED_ORDER}" if locks_remedies(situation) else until


def why_locked_as_seen(change: LockingChange, time: datetime) -> str:
    """What AWS refuses by what the monitor saw alone, for a mail without figures: it is on bursting since."""
    follows = _are_left_out(["elastic", "provisioned"]) if change.is_refused_at(time) else LOCKED_ORDER
    return f"{_seen(change, time)} {follows}"


def _left_out(situation: Situation) -> str:
    """Which changes of the mode a mail leaves out because AWS refuses them; empty where it has none anyway."""
    changes = [] if situation.file_system.max_io else ["elastic"]
    if situation.file_system.mode is not ThroughputMode.PROVISIONED:
        changes.append("provisioned")
    return _are_left_out(changes) if changes else ""


def _are_left_out(changes: Sequence[str]) -> str:
    are = "are" if len(changes) > 1 else "is"
    return f"{' and '.join(changes).capitalize()} throughput {are} left out, and possible again from then on."


def only_less_load(situation: Situation) -> str:
    """The sentence that no mode can come in time for a load that comes again; empty where one can, or nobody knows."""
    change = last_change(situation)
    ends = [
        one.time for one in (worst_recurring_load(situation), unlimited_load(situation)) if one is not None and one.gone
    ]
    if change is None or not ends or min(ends) >= change.earliest + LOCK:
        return ""
    if situation.file_system.mode is ThroughputMode.PROVISIONED:
        return ""
    return (
        "If that load comes, the credits end before that: only less load helps until then. Find it, and move it or "
        "slow it down."
    )
