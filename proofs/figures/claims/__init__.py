"""Each sentence of a mail that has a figure, and what the figure must be by the simulation's own minutes.

A sentence is found by its words; its figures are compared one by one. What no claim covers, no claim checks, and the
proof says so: a new figure needs its line in the file that is named like that of the mail. Importing the files
registers their claims.
"""

from proofs.figures.claims import (
    always_so,
    back_to_bursting_mails,
    cap_mails,
    coming_day,
    credit_figures,
    descriptions,
    draining_mails,
    exhausted_mails,
    falls_that_ended,
    figureless_mails,
    health_mails,
    hovering_mails,
    incident_so_far,
    low_credits_mails,
    mode_changes,
    newest_benchmark,
    outlook,
    recovered_mails,
    remedies,
    still_gone_mails,
    threshold_mails,
    trend_mails,
)
from proofs.figures.claims.claim import CLAIMS

__all__ = [
    "CLAIMS",
    "always_so",
    "back_to_bursting_mails",
    "cap_mails",
    "coming_day",
    "credit_figures",
    "descriptions",
    "draining_mails",
    "exhausted_mails",
    "falls_that_ended",
    "figureless_mails",
    "health_mails",
    "hovering_mails",
    "incident_so_far",
    "low_credits_mails",
    "mode_changes",
    "newest_benchmark",
    "outlook",
    "recovered_mails",
    "remedies",
    "still_gone_mails",
    "threshold_mails",
    "trend_mails",
]
