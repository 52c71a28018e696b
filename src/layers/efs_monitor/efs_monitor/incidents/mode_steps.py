"""When another throughput mode was on in the last day: AWS tells nobody, and PermittedThroughput shows it."""

from datetime import datetime
from itertools import groupby, pairwise

from efs_monitor.incidents.situation import Situation

# More than the size gives by so much was permitted by another mode. A size that shrinks lowers it too, which is why a
# mail says only that it seems so.
ANOTHER_MODE = 1.1


def steps_of_another_mode(situation: Situation) -> set[datetime]:
    """The five minutes of the last day in which more was permitted than the size gives, without credits.

    A balance that falls meanwhile says that clients lived on credits: the file system was larger, and has shrunk.
    """
    limit_bytes_per_second = ANOTHER_MODE * situation.reference_bytes_per_second
    balances = {one.time: one.balance_bytes for one in situation.balances_of_the_day}
    found: set[datetime] = set()
    for is_above, run in groupby(situation.permitted_of_the_day, key=lambda step: step[1] > limit_bytes_per_second):
        times = [time for time, _ in run]
        known = [balances[time] for time in times if time in balances]
        if is_above and not any(later < earlier for earlier, later in pairwise(known)):
            found.update(times)
    return found
