"""What a mail says of the newest benchmark: nothing, but of a workload that became slow."""

from datetime import UTC, datetime

from efs_monitor.benchmarks.past_rates import NewestRate
from efs_monitor.benchmarks.profiles import workload, workloads_of
from efs_monitor.efs.credits import MIB
from efs_monitor.mail.newest_benchmark import MOST_IN_A_MAIL, slower_than_usual

NOW = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)


def newest(workload_id: str, rate: float, *past: float) -> NewestRate:
    return NewestRate(workload=workload(workload_id), time=NOW, rate=rate, past=past)


def test_a_workload_that_became_slow_stands_beside_what_it_usually_reaches_in_the_same_unit() -> None:
    results = [
        newest("touch-serial", 28.4, *[63.4] * 5),
        newest("dd-write-1m-end", 53.2 * MIB, *[191.4 * MIB] * 5),
        newest("touch-parallel", 127, *[127] * 5),
    ]
    assert slower_than_usual(results) == (
        "dd-write-1m-end 53 MiB/s (usually 191), touch-serial 28 files/s (usually 63)"
    )


def test_what_is_as_fast_as_usual_or_has_no_past_is_not_worth_a_line() -> None:
    assert slower_than_usual([newest("touch-serial", 60, *[63] * 5), newest("touch-parallel", 1)]) == ""
    assert slower_than_usual([newest("touch-serial", 1, *[63] * 4)]) == ""


def test_of_a_long_profile_a_mail_has_the_first_few() -> None:
    results = [
        NewestRate(workload=one, time=NOW, rate=5.0 * MIB, past=(50.0 * MIB,) * 5) for one in workloads_of("sweep")
    ]
    assert slower_than_usual(results).count("MiB/s") == MOST_IN_A_MAIL
