"""How much one call asks of CloudWatch: it counts a datapoint a period of each metric, whether there are any or not."""

from datetime import timedelta
from pathlib import Path

import efs_monitor
from efs_monitor.aws.cloudwatch_metrics import MOST_DATAPOINTS, MOST_METRICS, Wanted, batches
from hypothesis import given
from hypothesis import strategies as st

SOURCES = Path(efs_monitor.__file__).parents[3]


def wanted(period_seconds: int) -> Wanted:
    return Wanted(
        namespace="AWS/EFS",
        metric="BurstCreditBalance",
        dimension=("FileSystemId", "fs-1"),
        statistic="Minimum",
        period_seconds=period_seconds,
    )


@given(st.lists(st.sampled_from((60, 300, 3600)), max_size=600), st.integers(1, 15 * 24 * 60))
def test_no_call_asks_for_more_than_its_share_and_none_is_forgotten(periods: list[int], minutes: int) -> None:
    asked = [wanted(period) for period in periods]
    made = list(batches(asked, timedelta(minutes=minutes)))
    assert [one for batch in made for one in batch] == asked
    for batch in made:
        assert sum(minutes * 60 / one.period_seconds for one in batch) <= MOST_DATAPOINTS
        assert 1 <= len(batch) <= MOST_METRICS


def test_what_fits_into_one_call_is_one_call() -> None:
    assert [len(batch) for batch in batches([wanted(60)] * 6, timedelta(hours=1))] == [6]
    assert [len(batch) for batch in batches([wanted(300)] * 37, timedelta(days=14))] == [24, 13]


def test_no_function_asks_for_metrics_in_any_other_way() -> None:
    """A second place that calls CloudWatch for datapoints would know nothing of the share."""
    asking = {
        path.name
        for path in SOURCES.rglob("*.py")
        if "get_metric_data" in path.read_text() or "get_metric_statistics" in path.read_text()
    }
    assert asking == {"cloudwatch_metrics.py"}
