"""How much of the last 24 hours a figure is of: a file system may be younger, and metrics may have begun later."""

from efs_monitor.incidents.situation import Situation, is_as_good_as_a_day
from efs_monitor.mail.numbers import MINUTES_PER_DAY, duration

WHOLE_DAY = "the last 24 hours"


def known_span(known_minutes: float) -> str:
    """What is known of the last 24 hours: all of them, or "the 10 h 56 min that CloudWatch has of the last 24 hours".

    Never more than there are: the five minutes in which they begin are read whole.
    """
    if is_as_good_as_a_day(round(known_minutes)):
        return WHOLE_DAY
    return f"the {duration(min(known_minutes, MINUTES_PER_DAY))} that CloudWatch has of {WHOLE_DAY}"


def counted_span(situation: Situation) -> str:
    """What something is counted in that was read off the balances of the last 24 hours."""
    known_minutes = situation.known_minutes_of_the_day
    # Where only balances are known, each tells how many they are.
    return known_span(known_minutes) if known_minutes else WHOLE_DAY
