"""Over random histories, nothing in a mail, the dashboard, a report and a backtest disagrees about the same minute."""

from collections.abc import Sequence

import pytest
from efs_monitor.aws.embedded_metrics import REFERENCE_THROUGHPUT
from efs_monitor.efs.credits import GIB, MIB
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from operate.backtest.backtest_result import BacktestResult, backtest
from operate.history.file_system_history import history_of
from operate.history.recorded import BALANCE, METERED, PERMITTED
from operate.report.contents import Contents
from operate.report.of_backtest import contents_of_backtest
from simulation.metric_math import Evaluator, Series, Timeline
from tests.template.dashboards import widget
from tests.unit.operate.agreement import (
    Drawn,
    disagreeing_backtest,
    disagreeing_lines,
    disagreeing_mails,
    figures_told,
)
from tests.unit.operate.exported_lives import Life, lives
from tests.unit.operate.histories import FULL, MINUTE_BYTES, NOW, SETTINGS, falls, history
from tools.graph_metrics import expressions, metrics

TITLES = (
    "Minutes left",
    "Credit balance, and where the alarms stood",
    "Permitted throughput, and the reference",
    "Throughput utilization, and what is left",
)
# So many minutes at a rate, as a part of what is permitted: the balance falls by it, or rises where it is below zero.
stretches = st.lists(
    st.tuples(st.integers(5, 300), st.sampled_from([1.0, 0.97, 0.5, 0.2, -0.05, -0.5, 0.0, None])),
    min_size=3,
    max_size=8,
)


def lived(parts: Sequence[tuple[int, float | None]], share: float) -> list[float | None]:
    """The balance of each minute; None is a gap in what CloudWatch has."""
    balance = share * FULL
    found: list[float | None] = [balance] * 60
    for minutes, rate in parts:
        for _ in range(minutes):
            balance = min(max(balance - (rate or 0.0) * MINUTE_BYTES, 0.0), FULL)
            found.append(None if rate is None else balance)
    # A history ends with something that is known.
    return [*found, balance]


def drawn_by_the_dashboard(found: Contents) -> dict[str, dict[int, float]]:
    """The lines of the dashboard over the history's metrics, and the references that the thresholds stand for."""
    minutes, values = found.history.minutes, found.history.metrics.values
    # It is published at the minute in which thresholds are worked out.
    published: list[float | None] = [None] * minutes
    for one in found.thresholds:
        if one.minute < minutes:
            published[one.minute] = one.exhausted_bytes / 60
    series = {
        "BurstCreditBalance": values[BALANCE],
        "PermittedThroughput": values[PERMITTED],
        "MeteredIOBytes": values[METERED],
        REFERENCE_THROUGHPUT: published,
    }
    lines: dict[str, dict[int, float]] = {}
    for title in TITLES:
        graph = widget(title)["properties"]
        given = {str(one.id): Series(tuple(series[one.name])) for one in metrics(graph)}
        asked = expressions(graph)
        evaluator = Evaluator(Timeline(0, 60, minutes), given, {one.id: one.expression for one in asked})
        for line in asked:
            points = evaluator.result(line.id).points
            lines[line.label] = {minute: point for minute, point in enumerate(points) if point is not None}
    return lines


def passed_through(found: BacktestResult) -> set[tuple[int, str, str]]:
    """The states that an alarm was in and left within a minute, as before it falls silent: no chart has them."""
    changes = found.changes
    return {
        (minute, kind, state)
        for index, (minute, kind, _, state) in enumerate(changes)
        if any(later[:2] == (minute, kind) for later in changes[index + 1 :])
    }


def everything_that_disagrees(found: BacktestResult) -> list[str]:
    drawn = Drawn(contents_of_backtest(found))
    return [
        *disagreeing_mails(drawn, passed_through(found)),
        *disagreeing_lines(drawn, drawn_by_the_dashboard(drawn.contents)),
        *disagreeing_backtest(drawn, found),
    ]


# A shorter history that disagrees is not worth the minutes of finding it.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)


@pytest.mark.more
@settings(max_examples=6, phases=PHASES)
@given(parts=stretches, percent=st.integers(1, 100))
def test_nothing_disagrees_about_the_same_minute(parts: list[tuple[int, float | None]], percent: int) -> None:
    assert everything_that_disagrees(backtest(history(lived(parts, percent / 100)), SETTINGS)) == []


def nothing_disagrees(life: Life, late_minutes: int) -> None:
    """In a life of any mode, whose datapoints come so many minutes after theirs."""
    told = history_of(life.recorded(described=True, read_at=NOW), None, NOW)
    assert everything_that_disagrees(backtest(told, SETTINGS, late_minutes=late_minutes + 1)) == []


lives_of_one_size = lives(growth=[1.0], sizes_gib=[10, 100, 700, 1024, 3072])
delays = st.sampled_from([1, 3, 5])


@pytest.mark.more
@settings(max_examples=8, phases=PHASES)
@given(life=lives_of_one_size, late_minutes=delays)
def test_nothing_disagrees_in_any_mode_however_late_its_metrics_are(life: Life, late_minutes: int) -> None:
    nothing_disagrees(life, late_minutes)


@pytest.mark.long
@settings(max_examples=300, phases=PHASES)
@given(life=lives_of_one_size, late_minutes=delays)
def test_nothing_disagrees_in_many_lives(life: Life, late_minutes: int) -> None:
    nothing_disagrees(life, late_minutes)


@pytest.mark.whole
def test_what_the_newest_datapoints_tell_when_they_come_is_drawn_too() -> None:
    """They come some minutes after the last minute of a history."""
    calm, until_warning = [FULL] * 60, [FULL - number * MINUTE_BYTES for number in range(190)]
    found = backtest(history([*calm, *until_warning]), SETTINGS, late_minutes=6)
    assert max(one[0] for one in found.changes) > found.history.minutes
    assert everything_that_disagrees(found) == []


@pytest.mark.whole
def test_there_is_something_that_could_disagree() -> None:
    found = contents_of_backtest(backtest(history(falls()), SETTINGS))
    lines = drawn_by_the_dashboard(found)
    assert figures_told(Drawn(found)) > 10
    assert {label: len(line) > 300 for label, line in lines.items()} == dict.fromkeys(lines, True)
    assert {"Balance", "Used", "At the permitted rate", "Warning, 180 minutes"} <= lines.keys()


@pytest.mark.whole
def test_a_disagreement_is_noticed() -> None:
    found = backtest(history(falls()), SETTINGS)
    drawn = Drawn(contents_of_backtest(found))
    lines = drawn_by_the_dashboard(drawn.contents)
    drawn.data["balance"] = [one + GIB / MIB for one in drawn.data["balance"]]
    drawn.data["thresholds"] = [[at, one + 1, two + 1, three + 1] for at, one, two, three in drawn.data["thresholds"]]
    drawn.data["mails"] = drawn.data["mails"][1:]
    drawn.data["lanes"] = [one | {"spans": []} for one in drawn.data["lanes"]]
    wrong = " ".join([*disagreeing_mails(drawn), *disagreeing_lines(drawn, lines), *disagreeing_backtest(drawn, found)])
    words = (
        "Balance: 1,049 GiB",
        "Warning is on below",
        "Balance at minute",
        "Warning, 180",
        "messages",
        "has draining",
    )
    assert [one for one in words if one not in wrong] == []
