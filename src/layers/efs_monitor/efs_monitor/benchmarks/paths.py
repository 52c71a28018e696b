"""Where benchmarks measure: a path of the file system, and one on a disk of the instances to hold it against."""

from pathlib import PurePosixPath

from efs_monitor.errors import SettingsRefused


def require_paths_apart(path: str, local_path: str) -> None:
    """Refuse a BenchmarkLocalPath that is the BenchmarkPath or lies below it: SettingsRefused names both. There the
    benchmark's script would refuse each run, because a baseline on the file system itself says nothing.
    """
    if path and local_path and PurePosixPath(local_path).is_relative_to(path):
        raise SettingsRefused(
            f"BenchmarkLocalPath is {local_path}, which lies on the file system that BenchmarkPath, {path}, is on: "
            "give a path on a disk of the instances, such as /var/tmp, or none"
        )
