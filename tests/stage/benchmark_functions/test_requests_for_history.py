"""What is asked of CloudWatch for the history of benchmarks: never more than it gives in a second."""

from datetime import timedelta

import pytest
from efs_monitor.aws.benchmark_rates import newest_rates, past_rates
from efs_monitor.aws.cloudwatch_metrics import MOST_DATAPOINTS
from efs_monitor.benchmarks.profiles import PROFILES, workloads_of
from efs_monitor.benchmarks.workloads import Workload

from localaws.cloudwatch.metrics import MetricId
from tests.stage.benchmark_functions.conftest import NAMES, Stage

EVERY_RUN = [(profile, local_baselines) for profile in PROFILES for local_baselines in (False, True)]


def publish(stage: Stage, workload: Workload, days_ago: float, rate: float) -> None:
    """A rate as a run of so many days ago published it."""
    identity = MetricId.of("EFSMonitor", workload.rate_kind, FileSystemId=NAMES.file_system_id, Workload=workload.id)
    stage.sandbox.metrics.record(identity, stage.sandbox.clock.now() - timedelta(days=days_ago), rate)


@pytest.mark.whole
@pytest.mark.parametrize(("profile", "local_baselines"), EVERY_RUN)
def test_the_history_of_any_run_is_within_what_cloudwatch_gives_at_once(
    stage: Stage, profile: str, local_baselines: bool
) -> None:
    workloads = workloads_of(profile, local_baselines=local_baselines)
    for number, workload in enumerate(workloads, start=1):
        for days_ago in (13, 7, 1):
            publish(stage, workload, days_ago, number * 100 + days_ago)
    cloudwatch = stage.home.module("collect_benchmark").clients.cloudwatch
    stage.sandbox.quotas.estimates.clear()
    found = past_rates(cloudwatch, NAMES.file_system_id, workloads, stage.sandbox.clock.now())
    assert found == {
        one.id: tuple(number * 100 + days_ago for days_ago in (13, 7, 1))
        for number, one in enumerate(workloads, start=1)
    }
    newest_rates(cloudwatch, NAMES.file_system_id, workloads_of(profile), stage.sandbox.clock.now())
    assert max(stage.sandbox.quotas.estimates) <= MOST_DATAPOINTS
    assert sum(stage.sandbox.quotas.estimates) <= 2 * MOST_DATAPOINTS


def test_the_run_itself_is_not_its_history(stage: Stage) -> None:
    (workload, *_) = workloads_of("quick")
    publish(stage, workload, 1, 100)
    publish(stage, workload, 0, 1)
    cloudwatch = stage.home.module("collect_benchmark").clients.cloudwatch
    found = past_rates(cloudwatch, NAMES.file_system_id, [workload], stage.sandbox.clock.now())
    assert found == {workload.id: (100,)}
