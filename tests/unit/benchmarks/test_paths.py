"""A baseline is measured on a disk of the instance, and never on the file system that is held against it."""

import pytest
from efs_monitor.benchmarks.paths import require_paths_apart
from efs_monitor.errors import SettingsRefused


@pytest.mark.parametrize(
    ("path", "local_path"),
    [("/mnt/efs", "/var/tmp"), ("/mnt/efs", "/mnt/efs2"), ("/mnt/efs/data", "/mnt"), ("/mnt/efs", ""), ("", "")],
)
def test_a_path_beside_it_or_none_is_taken(path: str, local_path: str) -> None:
    require_paths_apart(path, local_path)


@pytest.mark.parametrize("local_path", ["/mnt/efs", "/mnt/efs/local"])
def test_the_path_of_the_file_system_itself_and_what_is_below_it_are_refused(local_path: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        require_paths_apart("/mnt/efs", local_path)
    assert str(refused.value) == (
        f"BenchmarkLocalPath is {local_path}, which lies on the file system that BenchmarkPath, /mnt/efs, is on: give "
        "a path on a disk of the instances, such as /var/tmp, or none"
    )
