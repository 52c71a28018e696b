"""The script and the layer speak of the same: it reads every plan that is sent, and what it prints is understood."""

import pytest
from efs_monitor.benchmarks.plan import encode
from efs_monitor.benchmarks.profiles import PROFILES, workloads_of
from efs_monitor.benchmarks.results import Status, parse

from tests.benchmark_script.instance import BenchmarkInstance


@pytest.mark.whole
@pytest.mark.parametrize("profile", PROFILES)
def test_every_plan_that_can_be_sent_is_read(instance: BenchmarkInstance, profile: str) -> None:
    plan = encode(workloads_of(profile, local_baselines=True))
    path = f"{instance.mount}x"
    assert instance.run(Plan=plan, MountPath=path, LocalPath="/x").refusal.startswith(f"{path} does not exist")


@pytest.mark.whole
def test_what_the_script_prints_of_the_default_run_is_understood_whole(instance: BenchmarkInstance) -> None:
    workloads = workloads_of("quick", size_mib=16)
    ended = instance.run(Plan=encode(workloads))
    report = parse(ended.output, workloads)
    assert report.machine is not None
    assert [(one.workload.id, one.status) for one in report.results] == [(one.id, Status.OK) for one in workloads]
    assert report.unreadable_lines == 0


def test_a_refusal_is_the_reason_of_every_workload(instance: BenchmarkInstance) -> None:
    workloads = workloads_of("quick", size_mib=16)
    ended = instance.run(Plan=encode(workloads), MountPath="/nowhere")
    report = parse(ended.output, workloads)
    assert {one.reason for one in report.results} == {ended.refusal}
    assert {one.status for one in report.results} == {Status.FAILED}
