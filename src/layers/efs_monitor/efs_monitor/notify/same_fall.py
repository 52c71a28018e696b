"""Whether the very fall that goes on was told before, and what was told of it stands.

Draining goes off again and again in one fall, because a load that pauses for minutes sets it off with each of its
pulses, and an end of the credits that stays the same is no news every five minutes.

No memory is asked: the balances of the last hours say when the alarm went off first, and what its mail could say.
"""

from datetime import datetime, timedelta

from efs_monitor.alarms.draining import goings_off
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.falls import fall_under_way
from efs_monitor.incidents.pace_of_a_fall import at_the_pace_of_the_fall
from efs_monitor.incidents.situation import Situation, seen_at
from efs_monitor.notify.same_story import pulses_end_soon

# A time of night by which somebody plans; and for how long it is in mind.
MUCH_EARLIER = timedelta(minutes=15)
TOLD_OF_THE_FALL = timedelta(hours=2)
# A load whose end comes nearer and nearer is told so often.
NEWS_EVERY = timedelta(minutes=30)


def said_the_end(seen: Situation, situation: Situation) -> bool:
    """Whether a mail of a moment that was `seen` could say when the credits are gone, and that is still so.

    It could not where they rose by the datapoints of then, or there was but one; and of a load that had just begun its
    pace was mostly that of the calm before. It is not where they are gone much earlier, or that time has passed and
    they fall: whoever waited for it believes that all is over. That they may be gone by now is still so while it is all
    that there is to say.
    """
    if seen.minutes_left_at_net is None:
        return False
    if situation.minutes_left_at_net is None or seen.minutes_left_at_net == situation.minutes_left_at_net == 0:
        return True
    told = seen.time + timedelta(minutes=seen.minutes_left_at_net)
    end = situation.time + timedelta(minutes=situation.minutes_left_at_net)
    return told > situation.time and told - end <= MUCH_EARLIER


def fall_was_told(
    situation: Situation, threshold_minutes: float, was_on_until: datetime | None, watched_since: datetime
) -> bool:
    """Whether the alarm, which has just gone off, `was_on_until` a moment of the fall that goes on, and its mail about
    the beginning stands. Where it does not, that is news once in half an hour, and more often only where the credits
    end much earlier than when it was on last.

    It went off first when the balances say so: not of what came before it was there. Of pulses that together end the
    credits, the first mail that could say so is the one of the beginning.
    """
    fall, in_pulses = fall_under_way(situation), pulses_end_soon(situation)

    def as_told(one: Situation) -> Situation:
        return one if in_pulses else at_the_pace_of_the_fall(one, threshold_minutes)

    now = as_told(situation)
    ends = now.minutes_left_at_net is not None
    # What comes and goes without an end is no fall of half hours.
    if was_on_until is None or (fall is None and ends and not in_pulses):
        return False
    since = watched_since if fall is None or in_pulses else max(fall.began, watched_since)
    known = (*situation.earlier_balances, *situation.balances)
    earlier = (one for one in goings_off(known, threshold_minutes) if since <= one < was_on_until)
    # What their mails could say, had the datapoints come as late as now.
    seen = (seen_at(situation, one + (situation.time - situation.balances[-1].time)) for one in earlier)
    first = next((one for one in seen if one is not None and (not in_pulses or pulses_end_soon(one))), None)
    if first is None:
        return False
    if said_the_end(as_told(first), now):
        return True
    into_it = timedelta(minutes=situation.time.minute % (NEWS_EVERY // MINUTE), seconds=situation.time.second)
    if was_on_until < situation.time - into_it:
        return False
    at_last = seen_at(situation, was_on_until)
    return not ends or (at_last is not None and said_the_end(as_told(at_last), now))
