"""What is judged around changes only is what CloudWatch would have judged every minute."""

from hypothesis import given
from hypothesis import strategies as st

from operate.backtest.alarm_states import SOME_TIME, points_of, state_changes
from operate.replay.replay import DEPLOYED_AT, LATE_MINUTES
from operate.replay.replayed_metrics import Values
from simulation.alarm_evaluation import (
    AlarmRule,
    ComparisonOperator,
    Point,
    State,
    TreatMissingData,
    evaluate,
    evaluation_range,
)

rules = st.builds(
    AlarmRule,
    comparison_operator=st.sampled_from(ComparisonOperator),
    threshold=st.sampled_from([1.0, 2.0]),
    evaluation_periods=st.just(5),
    datapoints_to_alarm=st.integers(1, 5),
    treat_missing_data=st.sampled_from(TreatMissingData),
)
runs = st.lists(st.tuples(st.integers(1, 40), st.sampled_from([0.0, 1.0, 1.5, 3.0, None])), min_size=1, max_size=8)


def every_minute(rules_since: list[tuple[int, AlarmRule]], values: Values) -> list[tuple[int, State]]:
    found: list[tuple[int, State]] = []
    state = State.INSUFFICIENT_DATA
    for now in range(max(DEPLOYED_AT, rules_since[0][0]), len(values) + 1):
        rule = [one for since, one in rules_since if since <= now][-1]
        seen = [
            Point(SOME_TIME, values[minute] if minute >= 0 and minute <= now - LATE_MINUTES else None)
            for minute in range(now - evaluation_range(rule), now)
        ]
        judged = evaluate(rule, seen, state).state
        if judged is not state:
            state = judged
            found.append((now, state))
    return found


@given(runs, rules, rules, st.integers(31, 120))
def test_an_alarm_changes_when_it_would_have_judged_every_minute(
    lived: list[tuple[int, float | None]], first: AlarmRule, second: AlarmRule, changed: int
) -> None:
    values = [value for minutes, value in lived for _ in range(minutes)]
    both = [(0, first), (changed, second)]
    assert state_changes(both, points_of(values)) == every_minute(both, values)
