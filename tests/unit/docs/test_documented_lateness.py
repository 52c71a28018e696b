"""How late a warning may come when metrics come late is what the schedule and the rule make of it."""

import math
import re
from datetime import UTC, datetime, timedelta

from efs_monitor.alarms.draining import POINTS_TO_ALARM
from efs_monitor.alarms.late_metrics import LOOKS_BACK, are_late
from efs_monitor.efs.observations import BalancePoint

from operate.template_files import template
from tests.unit.docs.pages import PROJECT, prose

SCHEDULE = template()["Resources"]["LateAlarmsSchedule"]["Properties"]
MINUTE = timedelta(minutes=1)
POINT = BalancePoint(time=datetime(2030, 1, 7, tzinfo=UTC), balance_bytes=1.0)


def most_minutes_to_a_look() -> int:
    """From when an alarm does not see a datapoint that comes any more, to the look that takes it for late.

    Tried with the datapoint and the first look at either end of every minute, and the looks as far apart as they may
    be: the cycle and the whole window.
    """
    (cycle,) = re.findall(r"cron\(0/(\d+) ", SCHEDULE["ScheduleExpression"])
    between = (int(cycle) + SCHEDULE["FlexibleTimeWindow"]["MaximumWindowInMinutes"]) * MINUTE
    # The newest minute that is over began a minute ago, and is the first of those that the alarm looks at.
    unseen = POINT.time + LOOKS_BACK + MINUTE
    edges = [unseen + minutes * MINUTE + timedelta(seconds=s) for minutes in range(40) for s in (0, 59)]
    longest = timedelta()
    for came in edges[:20]:
        for first in (one for one in edges if came <= one <= came + between):
            look = first
            while not are_late([POINT], look):
                look += between
            longest = max(longest, look - came)
    return math.ceil(longest / MINUTE)


def test_the_runbook_and_the_template_say_the_same_and_it_is_so() -> None:
    said = " ".join(prose("docs/runbook.md").split())
    assert f"and up to {most_minutes_to_a_look()} minutes more" in said
    of_a_fall = most_minutes_to_a_look() + POINTS_TO_ALARM
    assert f"is told {of_a_fall} minutes after it began at most" in said
    assert f"at most {of_a_fall} minutes and the lag after it began" in " ".join(prose("docs/design.md").split())
    comment = f"# At most {most_minutes_to_a_look()} minutes after"
    assert comment in (PROJECT / "template.yaml").read_text()
