"""What AWS refuses for 24 hours after a change of the throughput mode, as sentences."""

from efs_monitor.efs.credits import is_no_faster
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.incidents.mode_lock import LOCK, SEEN_WITHIN, changed_by, locks_remedies, resumed_lately, seems_changed
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
# The others stay: what AWS refuses does no harm, and it may not be so.
LOCKED_ORDER = "That is why less load comes first; a command that is refused changes nothing."


def locked(situation: Situation) -> str:
    """From when on another throughput mode is possible again, as far as it shows; empty where it does not."""
    changed, resumed = seems_changed(situation), resumed_lately(situation)
    refused, allowed = "another change", ""
    if situation.file_system.mode is ThroughputMode.PROVISIONED:
        refused, allowed = "another mode and a decrease", " An increase is possible."
    if resumed is not None:
        return (
            f"The throughput mode was changed before {clock(resumed, situation.time)}, when this monitor saw it and "
            f"resumed the alarms. AWS refuses {refused} until 24 hours after that change: until "
            f"{clock(resumed + LOCK, situation.time)} at the latest.{allowed}"
        )
    if changed is None:
        return ""
    before = dict(situation.permitted_of_the_day)[changed - STEP]
    if is_neither(before, situation):
        until_then = "another rate was permitted than the size gives"
    elif is_no_faster(before, situation.reference_bytes_per_second):
        until_then = "CloudWatch has no balance of credits"
    else:
        until_then = "more was permitted than the size gives"
    latest = changed_by(situation, changed)
    if latest > changed:
        since, until = clock(changed, situation.time), clock(latest, situation.time)
        when = f"{some_time(since, until)}: until {since}"
    else:
        when = f"at about {clock(changed, situation.time)}: until then"
    return (
        f"The throughput mode seems to have been changed {when} {until_then}. If so, AWS refuses {refused} until about "
        f"{clock(latest + LOCK, situation.time)}.{allowed}"
    )


def why_locked(situation: Situation) -> str:
    """Why less load comes first where the mode may be locked; empty where nothing speaks for that."""
    until = locked(situation)
    return f"{until} {LOCKED_ORDER}" if locks_remedies(situation) else until


def only_less_load(situation: Situation) -> str:
    """The sentence that no mode can come in time for a load that comes again; empty where one can, or nobody knows."""
    changed, resumed = seems_changed(situation), resumed_lately(situation)
    if resumed is not None:
        changed = resumed - SEEN_WITHIN
    ends = [
        one.time for one in (worst_recurring_load(situation), unlimited_load(situation)) if one is not None and one.gone
    ]
    if changed is None or not ends or min(ends) >= changed + LOCK:
        return ""
    if situation.file_system.mode is ThroughputMode.PROVISIONED:
        return ""
    return "The credits end before that: only less load helps until then. Find that load, and move it or slow it down."
