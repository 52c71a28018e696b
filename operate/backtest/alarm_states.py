"""When an alarm would have changed its state over a whole history, by the simulation of CloudWatch.

As long as all points that CloudWatch looks at are alike, a state stays. So only the minutes around a change are judged.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

from operate.replay.replay import DEPLOYED_AT, LATE_MINUTES
from operate.replay.replayed_metrics import Values
from simulation.alarm_evaluation import AlarmRule, Point, State, evaluate, evaluation_range

SOME_TIME = datetime(2030, 1, 1, tzinfo=UTC)


def points_of(values: Values) -> list[Point]:
    """A metric's values as CloudWatch's points, one a minute: made once where many alarms are on one metric."""
    return [Point(SOME_TIME, value) for value in values]


def state_changes(rules: Sequence[tuple[int, AlarmRule]], points: Sequence[Point]) -> list[tuple[int, State]]:
    """Each change with its minute, of an alarm that has a rule from a minute on; the first state is a change, too.

    The alarm is made when the first rule begins, and not before the stack would be deployed. Each of the `points`, one
    a minute, is seen some minutes later.
    """
    found: list[tuple[int, State]] = []
    state = State.INSUFFICIENT_DATA
    ends = [min(minute, len(points) + 1) for minute, _ in rules[1:]] + [len(points) + 1]
    for (since, rule), end in zip(rules, ends, strict=True):
        begin = max(since, DEPLOYED_AT)
        for minute in _minutes_to_judge(rule, points, begin, end):
            seen = points[max(minute - evaluation_range(rule), 0) : minute - LATE_MINUTES + 1]
            # What has not arrived yet is missing, and counts to the range as much as what will never come.
            unseen = [Point(SOME_TIME, None)] * (evaluation_range(rule) - len(seen))
            judged = evaluate(rule, [*seen, *unseen], state).state
            if judged is not state:
                state = judged
                found.append((minute, state))
    return found


def _minutes_to_judge(rule: AlarmRule, points: Sequence[Point], begin: int, end: int) -> list[int]:
    """The minutes in which an alarm may change: not all points it looks at are alike, or it has only begun."""
    span = evaluation_range(rule) + LATE_MINUTES + 1
    offset = max(begin - span, 0)
    breaches = [None if point.value is None else rule.breaches(point.value) for point in points[offset:end]]
    changes = [begin, *(offset + index for index, (a, b) in enumerate(pairwise(breaches), 1) if a is not b)]
    minutes: list[int] = []
    for change in changes:
        first = max(change, begin, minutes[-1] + 1 if minutes else 0)
        minutes += range(first, min(change + span + 1, end))
    return minutes
