"""An alarm judged quickly is judged as CloudWatch judges it, by metric math and the whole evaluation range."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.errors import NoDatapoints

from operate.replay.replayed_account import ReplayedAccount
from operate.replay.replayed_metrics import Metrics
from operate.replay.watched_alarm import WatchedAlarm, watched
from simulation.alarm_evaluation import Point, State, evaluate, evaluation_range
from simulation.metric_math.evaluation import Evaluator
from simulation.metric_math.values import Series, Timeline
from tests.quick import first_of
from tests.unit.operate.histories import BURST, FILE_SYSTEM, MINUTE_BYTES, STACK, START

DAY_MINUTES = 1440


def deployed() -> ReplayedAccount:
    """A stack's alarms as they are made for a file system without datapoints yet."""
    account = ReplayedAccount(STACK, Metrics(START), FILE_SYSTEM)
    account.deploy()
    return account


def by_the_book(one: WatchedAlarm, metrics: Metrics, now: int, state: State) -> State:
    """The state by metric math and the whole evaluation range, as the local CloudWatch has it."""
    rule = one.rule()
    periods = evaluation_range(rule)
    values = metrics.values[one.read]
    seen = tuple(values[minute] if 0 <= minute <= metrics.newest else None for minute in range(now - periods, now))
    if "Metrics" in one.definition:
        expressions = {query["Id"]: query["Expression"] for query in one.definition["Metrics"] if "Expression" in query}
        (stat,) = [query["Id"] for query in one.definition["Metrics"] if "MetricStat" in query]
        (returned,) = [
            query["Id"]
            for query in one.definition["Metrics"]
            if query.get("ReturnData", True) and "Expression" in query
        ]
        evaluator = Evaluator(Timeline(0, 60, periods), {stat: Series(seen)}, expressions)
        series = evaluator.result(returned)
        seen = series.points
    start = datetime(2030, 1, 1, tzinfo=UTC)
    points = [Point(start + timedelta(minutes=number), value) for number, value in enumerate(seen)]
    return evaluate(rule, points, state).state


def newest_by(late: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Minute by minute, the newest one whose datapoint has arrived."""
    newest = -1
    for now in range(1, DAY_MINUTES):
        while newest + 1 < now and newest + 1 + late(newest + 1) <= now:
            newest += 1
        yield now, newest


def worth(minute: int) -> float:
    """A fall to zero at minute 700, back above a minute's worth from 760 on, and gone again at minute 1000."""
    if minute < 700:
        return min(90.0, (700 - minute) / 2)
    if minute < 760:
        return 0
    return min(30.0, (minute - 760) / 4) if minute < 940 else max(0.0, (1000 - minute) / 2)


@pytest.mark.whole
@pytest.mark.parametrize("kind", [*AlarmKind])
@pytest.mark.parametrize("late", first_of([40, 3, 1, 5], in_ci=2))
@pytest.mark.parametrize("known_before", [False, True], ids=["as it comes", "all before"])
def test_alarms_are_judged_as_the_model_of_cloudwatch_judges_them(
    kind: AlarmKind, late: int, known_before: bool
) -> None:
    """Over a fall, zero, the way back and a second fall, with gaps; of what has not arrived nothing is known."""
    metrics = Metrics(datetime(2030, 1, 1, tzinfo=UTC))
    one = deployed().alarms[kind]
    gaps = {*range(300, 330), 640, 641, *range(693, 697), 705}
    book, changes = State.INSUFFICIENT_DATA, 0
    rates = [BURST * (1.0 + (minute % 200 > 150)) for minute in range(1, DAY_MINUTES)]
    balances = [None if minute in gaps else worth(minute) * MINUTE_BYTES for minute in range(DAY_MINUTES - 1)]
    whole = balances if one.read[0] == "BurstCreditBalance" else [*rates]
    values = metrics.values[one.read]
    values += whole if known_before else []
    for now, newest in newest_by(lambda minute: late if minute > 60 else 1):
        if not known_before:
            values.append(whole[now - 1])
        metrics.newest = newest
        book = by_the_book(one, metrics, now, book)
        one.state, before = one.judged(metrics, now), one.state
        changes += one.state is not before
        assert one.state is book, now
    assert changes >= 1


def test_an_expression_that_is_not_that_of_draining_is_judged_nowhere() -> None:
    definition = deployed().alarms[AlarmKind.DRAINING].definition
    metrics = [
        one | ({"Expression": "balance / 2"} if one.get("ReturnData") and "Expression" in one else {})
        for one in definition["Metrics"]
    ]
    with pytest.raises(NotImplementedError, match="'balance / 2' is judged nowhere here"):
        watched(definition | {"Metrics": metrics})


def test_a_function_that_fails_is_run_twice_more() -> None:
    account = ReplayedAccount(STACK, Metrics(START), FILE_SYSTEM)
    tries = []

    def failing() -> None:
        tries.append(account.minute)
        raise NoDatapoints("CloudWatch has none")

    account.invoke("Explain", failing)
    for account.minute in range(1, 10):
        account.retry()
    assert tries == [0, 1, 3]
    assert account.failed == [(3, "Explain")]
