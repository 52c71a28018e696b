"""What the stack's schedule measures is what its settings name."""

import pytest
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.benchmarks.scheduled import scheduled_workloads_from
from efs_monitor.errors import SettingsRefused

SETTINGS = {"BENCHMARK_PROFILE": "quick", "BENCHMARK_SIZE_MIB": "64"}


def test_profile_and_size_are_those_of_the_settings() -> None:
    assert scheduled_workloads_from(SETTINGS) == workloads_of("quick", size_mib=64)
    assert scheduled_workloads_from(SETTINGS | {"BENCHMARK_LOCAL_PATH": ""}) == workloads_of("quick", size_mib=64)


def test_a_path_on_the_instances_own_disk_adds_the_yardsticks() -> None:
    with_disk = scheduled_workloads_from(SETTINGS | {"BENCHMARK_LOCAL_PATH": "/scratch"})
    assert with_disk == workloads_of("quick", size_mib=64, yardsticks=True) != workloads_of("quick", size_mib=64)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_missing_setting_is_named(name: str) -> None:
    with pytest.raises(SettingsRefused, match=name):
        scheduled_workloads_from({key: value for key, value in SETTINGS.items() if key != name})
