"""The Draining alarm: minutes of credits left at the pace of the last minutes, by metric math on the balance alone.

Warning and Critical say how much there is, and nothing while they are on. This one says that it falls, at each fall
anew. It needs no reference and no recalculation: its threshold is CriticalMinutes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from efs_monitor.efs.credits import SECONDS_PER_MINUTE
from efs_monitor.efs.observations import MINUTE, BalancePoint

# One-minute points: so many falling fast among so many. Settings and expression were measured against the model of
# EFS, on loads that empty the bucket again and again (docs/design.md).
POINTS_TO_ALARM = 5
POINTS_EVALUATED = 30
# 20 s at 100 MiB/s, the least that any size is permitted: with less there is nothing left to warn of, and a balance
# that hovers at zero is no fall.
NOTHING_LEFT_BYTES = 2_097_152_000
# What a minute counts as in which the balance does not fall: a good point, so that the alarm ends.
NOT_FALLING_MINUTES = 1440
# What was seen last so long ago tells nothing of now. Whoever looks at the last three hours every twelve minutes, in a
# window of five, looks once more before it is out of these.
FORGOTTEN_AFTER = timedelta(hours=2, minutes=40)
# After so many minutes without a fast fall a load has ended, or rests for longer.
REST_MINUTES = 3
# What is known of the pace at which a fall goes on where no datapoints come: a single minute may be a burst.
PACE = timedelta(minutes=10)
# From the newest minute on, back to the one before the first that is evaluated.
RANGE = timedelta(minutes=POINTS_EVALUATED)
# CloudWatch looks at that and a few minutes more, of which AWS says no number. Where a part is missing any good minute
# of it ends the alarm, so whatever else sets it off must wait until the newest is out of its sight.
OUT_OF_SIGHT = RANGE + timedelta(minutes=5)
# Nested: the first point of RATE is missing, and only IF without one gives none; AND would take it for a good one.
MINUTES_LEFT = (
    f"IF(pace < 0, IF(balance > {NOTHING_LEFT_BYTES}, balance / ABS(pace) / 60, {NOT_FALLING_MINUTES}), "
    f"{NOT_FALLING_MINUTES})"
)
# What is judged of a metric: a label is nobody's business, and AWS may add fields.
JUDGED = ("Id", "Expression", "Period", "ReturnData", "AccountId", "MetricStat")
JUDGED_OF_STATISTIC = ("Period", "Stat", "Unit")
JUDGED_OF_METRIC = ("Namespace", "MetricName", "Dimensions")


def metrics(file_system_id: str) -> list[dict[str, Any]]:
    """The alarm's `Metrics`, in PutMetricAlarm's words."""
    return [
        {
            "Id": "left",
            "Label": "Minutes left at the pace of the minute",
            "Expression": MINUTES_LEFT,
            "Period": 60,
            "ReturnData": True,
        },
        {"Id": "pace", "Expression": "RATE(balance)", "Period": 60, "ReturnData": False},
        {
            "Id": "balance",
            "MetricStat": {
                "Metric": {
                    "Namespace": "AWS/EFS",
                    "MetricName": "BurstCreditBalance",
                    "Dimensions": [{"Name": "FileSystemId", "Value": file_system_id}],
                },
                "Period": 60,
                "Stat": "Minimum",
            },
            "ReturnData": False,
        },
    ]


def falls_fast(before: BalancePoint, point: BalancePoint, threshold_minutes: float) -> bool:
    """Whether the minute of a point is a bad one, as the expression and the threshold have it: something is left, and
    at the pace since the point before it lasts less than so many minutes.
    """
    lost_bytes = before.balance_bytes - point.balance_bytes
    if lost_bytes <= 0 or point.balance_bytes <= NOTHING_LEFT_BYTES:
        return False
    minutes = (point.time - before.time).total_seconds() / SECONDS_PER_MINUTE
    return point.balance_bytes * minutes / lost_bytes < threshold_minutes


def went_off(balances: Sequence[BalancePoint], threshold_minutes: float) -> datetime | None:
    """The minute with which the alarm went off, had all these balances come in time; None where the newest half
    hour has too few that fall fast. The balances are those of the last hours, in order.

    Among minutes of which some are missing it may go off; that it is over needs all of them.
    """
    since, breaches = None, False
    for time, breaches, is_known in _evaluations(balances, threshold_minutes):
        if breaches:
            since = since or time
        elif is_known:
            since = None
    return since if breaches else None


def goings_off(balances: Sequence[BalancePoint], threshold_minutes: float) -> list[datetime]:
    """Each minute with which the alarm went off, had all these balances come in time, in order."""
    found: list[datetime] = []
    is_on = False
    for time, breaches, is_known in _evaluations(balances, threshold_minutes):
        if breaches and not is_on:
            found.append(time)
        is_on = breaches or (is_on and not is_known)
    return found


def _evaluations(balances: Sequence[BalancePoint], threshold_minutes: float) -> Iterator[tuple[datetime, bool, bool]]:
    """Each minute, whether enough of the last half hour fall fast, and whether all of these are known."""
    judged_minutes = [
        (point.time, falls_fast(before, point, threshold_minutes))
        for before, point in pairwise(balances)
        if point.time - before.time <= RANGE
    ]
    first = 0
    for index, (time, _) in enumerate(judged_minutes):
        while judged_minutes[first][0] <= time - RANGE:
            first += 1
        evaluated = [is_bad for _, is_bad in judged_minutes[first : index + 1]]
        yield time, sum(evaluated) >= POINTS_TO_ALARM, len(evaluated) == POINTS_EVALUATED


def still_falls(balances: Sequence[BalancePoint], threshold_minutes: float) -> bool:
    """Whether something is left by the newest of the balances, in order, and one of the last minutes fell fast: an
    uneven load rests for a minute or two.
    """
    newest = balances[-REST_MINUTES - 1 :]
    return newest[-1].balance_bytes > NOTHING_LEFT_BYTES and any(
        falls_fast(before, point, threshold_minutes) for before, point in pairwise(newest)
    )


def unseen_pace_bytes_per_minute(
    balances: Sequence[BalancePoint], threshold_minutes: float, now: datetime
) -> float | None:
    """The pace of a fall that goes on unseen, as far as anybody knows, and at which less than so many minutes are left
    at `now`; None where there is none, as long as CloudWatch still looks at it, and when it is forgotten. The balances
    are in order.

    By the balances alone a fall is told by as much later as these are late, and, where they stopped, never.
    """
    newest = balances[-1]
    if not OUT_OF_SIGHT < now - newest.time <= FORGOTTEN_AFTER:
        return None
    unseen_minutes = (now - newest.time) / MINUTE
    lately = [point for point in reversed(balances) if newest.time - point.time <= PACE]
    # A load that has just begun falls faster than it has for ten minutes.
    began = max(lately, key=lambda point: point.balance_bytes)
    known_minutes = (newest.time - began.time) / MINUTE
    # Until there are as many minutes as the alarm asks for nobody knows a pace.
    if known_minutes < POINTS_TO_ALARM or not still_falls(balances, threshold_minutes + unseen_minutes):
        return None
    pace = (began.balance_bytes - newest.balance_bytes) / known_minutes
    return pace if newest.balance_bytes < pace * (threshold_minutes + unseen_minutes) else None


def last_fast_minute(balances: Sequence[BalancePoint], threshold_minutes: float) -> datetime | None:
    """The newest minute of the balances, in order, that fell fast; None where none did."""
    fast = (point.time for before, point in pairwise(balances) if falls_fast(before, point, threshold_minutes))
    return max(fast, default=None)


def is_as_made(settings: Mapping[str, object]) -> bool:
    """Whether an alarm judges what the template has it judge, of whatever file system."""
    metrics_of_it = settings.get("Metrics")
    if not isinstance(metrics_of_it, list) or settings.get("ComparisonOperator") != "LessThanThreshold":
        return False
    counts = (settings.get("DatapointsToAlarm"), settings.get("EvaluationPeriods"))
    return counts == (POINTS_TO_ALARM, POINTS_EVALUATED) and _sources(metrics_of_it) == _sources(metrics(""))


def _sources(found: Iterable[Mapping[str, Any]]) -> dict[str, tuple[object, ...]]:
    """What each of an alarm's metrics is made of, by its Id."""
    return {
        one["Id"]: (one["Expression"],)
        if "Expression" in one
        else (one["MetricStat"]["Stat"], one["MetricStat"]["Metric"].get("MetricName"))
        for one in found
    }


def judged(one: Mapping[str, Any]) -> dict[str, Any]:
    """What an alarm judges by of one of its metrics, whatever order or further fields CloudWatch answers with."""
    found = {name: one[name] for name in JUDGED if name in one}
    # Both have defaults, so that an answer may leave them out: the result, and the period of its metrics.
    found.setdefault("ReturnData", True)
    if "Expression" in found:
        found.setdefault("Period", 60)
    if "MetricStat" in found:
        statistic = found["MetricStat"]
        found["MetricStat"] = {name: statistic[name] for name in JUDGED_OF_STATISTIC if name in statistic} | {
            name: statistic.get("Metric", {}).get(name) for name in JUDGED_OF_METRIC
        }
    return found
