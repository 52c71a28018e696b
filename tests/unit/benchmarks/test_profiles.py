"""Which workloads run together, and that the one that runs every day stays small."""

from dataclasses import replace

import pytest
from efs_monitor.benchmarks.benchmark_settings import CollectionSettings
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.profiles import PROFILES, scheduled_workloads, workload, workloads_of
from efs_monitor.benchmarks.published import comparison
from efs_monitor.benchmarks.workloads import Do, Family, Target
from efs_monitor.errors import SettingsRefused

GIB = 1024**3
SETTINGS = CollectionSettings(
    document_name="home-benchmark",
    parameter_name="/efs-monitor/home/benchmarks",
    profile="quick",
    size_mib=64,
    local_path="",
)


def published_seconds(workload_id: str) -> float:
    published = comparison(workload(workload_id))
    assert published, workload_id
    planned = next(each for each in workloads_of("quick") if each.id == workload_id)
    seconds = planned.amount / published.rate
    if planned.do is Do.READ:
        prepared = comparison(workload("dd-write-1m-end"))
        assert prepared
        seconds += planned.bytes / prepared.rate
    return seconds


def test_quick_has_eight_workloads() -> None:
    assert len(workloads_of("quick")) == 8


def test_quick_costs_at_most_one_gib_of_credits() -> None:
    assert run_cost(workloads_of("quick"), 1).metered_bytes <= GIB


def test_quick_costs_at_most_one_gib_an_instance_when_several_wait_for_each_other() -> None:
    assert run_cost(workloads_of("quick"), 3).metered_bytes <= 3 * GIB


def test_quick_takes_at_most_two_minutes_at_the_published_rates() -> None:
    assert sum(published_seconds(workload_id) for workload_id in PROFILES["quick"].workload_ids) < 120


def test_the_tutorial_has_its_touches_and_dd_writes_at_their_published_sizes() -> None:
    tutorial = workloads_of("tutorial")
    assert {each.family for each in tutorial} == {Family.TOUCH, Family.DD_WRITE}
    assert all(each == CATALOGUE[each.id] for each in tutorial)
    assert len(tutorial) == 10


def test_every_workload_of_the_catalogue_is_in_a_profile() -> None:
    assert {each for profile in PROFILES.values() for each in profile.workload_ids} == set(CATALOGUE)


def test_a_size_replaces_the_profiles_own() -> None:
    assert {each.bytes for each in workloads_of("quick", size_mib=64)} == {0, 64 * 1024**2}


def test_each_dd_and_touch_is_followed_by_its_local_baseline_of_the_same_shape() -> None:
    with_local_baselines = workloads_of("quick", size_mib=32, local_baselines=True)
    assert [each.id for each in with_local_baselines[:4]] == [
        "touch-serial",
        "touch-serial-local",
        "touch-parallel",
        "touch-parallel-local",
    ]
    on_efs, local = with_local_baselines[::2], with_local_baselines[1::2]
    assert {each.on for each in local} == {Target.LOCAL}
    assert [(each.files, each.file_bytes) for each in local] == [(each.files, each.file_bytes) for each in on_efs]


def test_local_baselines_are_free() -> None:
    without = sum(each.metered_bytes for each in workloads_of("tutorial"))
    assert sum(each.metered_bytes for each in workloads_of("tutorial", local_baselines=True)) == without


def test_copies_have_no_local_baseline() -> None:
    assert workloads_of("copy", local_baselines=True) == workloads_of("copy")


def test_an_unknown_profile_is_refused_with_those_that_exist() -> None:
    with pytest.raises(SettingsRefused) as refused:
        workloads_of("fast")
    assert str(refused.value) == "No profile is called 'fast'; there are quick, tutorial, sweep, copy"


def test_an_unknown_workload_is_refused_with_those_that_exist() -> None:
    with pytest.raises(SettingsRefused) as refused:
        workload("dd-write-3m")
    assert str(refused.value) == f"No workload is called 'dd-write-3m'; there are {', '.join(CATALOGUE)}"


def test_a_local_baseline_is_known_by_its_id() -> None:
    assert workload("dd-read-2-local").on is Target.LOCAL


def test_what_the_schedule_measures_is_what_its_settings_name() -> None:
    assert scheduled_workloads(SETTINGS) == workloads_of("quick", size_mib=64)


def test_a_path_on_the_instances_own_disk_adds_the_local_baselines() -> None:
    with_disk = scheduled_workloads(replace(SETTINGS, local_path="/scratch"))
    assert with_disk == workloads_of("quick", size_mib=64, local_baselines=True) != workloads_of("quick", size_mib=64)
