"""That the size earns far less than it did in the last day, as a sentence: a clean-up makes the same load take more of
the credits, and whoever reads that they fall looks for a load that has begun.
"""

from efs_monitor.incidents.changed_earning import changed_earning
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.numbers import rate

# What was earned before is known to a tenth; and what is a little less makes no incident.
FAR_LESS = 1.5


def earns_far_less(situation: Situation) -> str:
    """The sentence, with what was earned at the most; empty where the size earned about as much all day."""
    changed = changed_earning(situation)
    most = max(changed.then_bytes_per_second, default=0.0)
    if not changed.earns_less or most < FAR_LESS * changed.now_bytes_per_second:
        return ""
    return (
        f"The size earned up to about {rate(most)} in the last 24 hours, and earns "
        f"{rate(changed.now_bytes_per_second)} now: of the same load so much more is taken from the credits."
    )
