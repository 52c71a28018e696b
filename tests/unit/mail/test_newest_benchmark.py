"""What a mail says of the newest benchmark."""

from datetime import UTC, datetime

from efs_monitor.benchmarks.history import NewestRate
from efs_monitor.benchmarks.profiles import workload, workloads_of
from efs_monitor.efs.credits import MIB
from efs_monitor.mail.newest_benchmark import MOST_IN_A_MAIL, beside_published

NOW = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)


def newest(workload_id: str, rate: float) -> NewestRate:
    return NewestRate(workload=workload(workload_id), time=NOW, rate=rate)


def test_each_workload_stands_beside_what_was_published_in_the_same_unit() -> None:
    results = [newest("touch-serial", 58.4), newest("dd-write-1m-end", 153.2 * MIB)]
    assert beside_published(results) == (
        "touch-serial 58 files/s (published: 63), dd-write-1m-end 153 MiB/s (published: 191)"
    )


def test_the_default_profile_fits_whole() -> None:
    results = [NewestRate(workload=one, time=NOW, rate=50.0 * MIB) for one in workloads_of("quick")]
    assert len(results) == MOST_IN_A_MAIL
    assert all(one.workload.id in beside_published(results) for one in results)


def test_of_a_long_profile_a_mail_has_the_first_few() -> None:
    results = [NewestRate(workload=one, time=NOW, rate=50.0 * MIB) for one in workloads_of("sweep")]
    assert beside_published(results).count("MiB/s") == MOST_IN_A_MAIL
