"""How many threads are enough is told by instance type and file size, where somebody measured or published it."""

import pytest
from efs_monitor.benchmarks.catalogue import CATALOGUE, SWEEP_SIZES
from efs_monitor.benchmarks.published.comparison import FIGURES
from efs_monitor.benchmarks.workloads import Do, RateKind
from efs_monitor.efs.credits import MIB

from operate.advise.benchmark_file import BenchmarkFile, Client
from operate.advise.enough_threads import TASKS, enough_threads
from operate.advise.finding import AdviceFinding


def measured(kind: str = "m7g.large", **rates: float) -> BenchmarkFile:
    client = Client(instance_type=kind, read_ahead_kb=None, mount_options={})
    return BenchmarkFile(
        called="", clients=(client,), rates={(kind, name.replace("_", "-")): rate for name, rate in rates.items()}
    )


def told(found: BenchmarkFile, *limits: float) -> list[AdviceFinding]:
    return list(enough_threads(found, limits))


def test_as_many_are_told_as_have_nine_tenths_of_the_best_rate_beside_what_was_published() -> None:
    mib = {1: 20, 4: 60, 8: 90, 16: 100}
    rates = {("m7g.large", f"files-write-1mb-{threads}"): float(one * MIB) for threads, one in mib.items()}
    (found,) = told(BenchmarkFile(called="", clients=(), rates=rates))
    assert found.title == "Threads: 8 on m7g.large to write files of 1 MB"
    assert found.evidence == (
        "They are the fewest with nine tenths of the best rate. To write files of 1 MB, in MiB/s: 20.0 by 1, 60.0 by "
        "4, 90.0 by 8, 100.0 by 16 as measured; as published on 8 vCPU 16 GB 21.9 by 1, 73.4 by 4, 99.2 by 8."
    )
    assert "xargs -P 8" in found.command
    assert found.source == "this benchmark; published by xyzt-write"


def test_sizes_that_want_as_many_are_one_finding_and_others_are_another() -> None:
    rates = {"files-write-500kb-1": 10.0, "files-write-500kb-8": 60.0, "files-write-1mb-1": 20.0}
    rates |= {"files-write-1mb-8": 90.0, "files-write-100mb-1": 40.0, "files-write-100mb-4": 90.0}
    kind = "m7g.large"
    found = told(BenchmarkFile(called="", clients=(), rates={(kind, name): rate * MIB for name, rate in rates.items()}))
    assert [one.title for one in found] == [
        "Threads: 4 on m7g.large to write files of 100 MB",
        "Threads: 8 on m7g.large to write files of 500 kB; to write files of 1 MB",
    ]
    assert [f"files of {size}, in" in found[1].evidence for size in ("500 kB", "1 MB", "100 MB")] == [True, True, False]


def test_fewer_are_told_where_more_are_slower() -> None:
    """rstudio-fsbench had it so: of two that write 10 kB each is faster than four together."""
    (found,) = told(measured(files_write_10kb_2=1.5 * MIB, files_write_10kb_8=1.0 * MIB))
    assert found.title == "Threads: 2 on m7g.large to write files of 10 kB"
    assert "as published 1.5 by 2, 1.1 by 4, 1.1 by 8" in found.evidence


@pytest.mark.parametrize(("slowest_mib", "is_told"), [(75, False), (74, True)])
def test_nothing_is_told_where_any_number_does(slowest_mib: int, is_told: bool) -> None:
    assert bool(told(measured(files_write_10mb_1=slowest_mib * MIB, files_write_10mb_16=100 * MIB))) is is_told


def test_what_was_published_on_the_very_instance_type_is_told_without_a_measurement() -> None:
    found = told(measured("m5.large"))
    assert [one.title for one in found] == [
        "Threads: 8 on m5.large to read files of 10 kB",
        "Threads: 16 on m5.large to write large files, each MiB made sure of",
    ]
    assert "in MiB/s: 3.6 by 2, 6.6 by 4, 8.3 by 8, 8.4 by 16 as published." in found[0].evidence
    assert (found[0].source, found[1].source) == ("published by rstudio-fsbench", "published by efs-lab")


@pytest.mark.parametrize("kind", ["", "m7g.large"])
def test_nothing_is_told_of_a_type_that_nobody_measured(kind: str) -> None:
    assert told(measured(kind)) == []


def test_one_number_of_threads_is_no_measurement_of_how_many() -> None:
    assert told(measured(files_write_1mb_8=90 * MIB)) == []
    assert told(BenchmarkFile(called="", clients=(), rates={})) == []


def test_what_was_published_counts_as_far_as_this_file_system_permits() -> None:
    """One writer alone had 33 MiB/s on an m5.large, which is all that 40 MiB/s need."""
    titles = [one.title for one in told(measured("m5.large"), 40.0 * MIB, 1.0 * MIB)]
    assert titles == ["Threads: 8 on m5.large to read files of 10 kB"]
    assert told(measured("m5.large"), 1.0 * MIB, 1.0 * MIB) == []


@pytest.mark.parametrize(("permitted_mib", "is_told"), [(150, False), (180, True)])
def test_reads_are_permitted_three_times_as_much(permitted_mib: int, is_told: bool) -> None:
    """Two threads read large files at 387 MiB/s on a t3.large, and eight at 516."""
    evidence = " ".join(one.evidence for one in told(measured("t3.large"), permitted_mib * MIB))
    assert ("To read large files, in MiB/s: 386." in evidence) is is_told


def test_a_file_system_that_permits_less_than_was_published_is_told_so() -> None:
    (one,) = [one for one in told(measured("m5.large"), 60.0 * MIB) if "write large files" in one.title]
    assert one.title.startswith("Threads: 4 on m5.large")
    assert one.evidence.endswith("196.8 by 16 as published; this file system permits 60 MiB/s of it.")


@pytest.mark.parametrize(("permitted_mib", "is_told"), [(24, True), (21, False), (19, False), (17, True)])
def test_nothing_is_told_where_the_credits_were_gone(permitted_mib: float, is_told: bool) -> None:
    """All threads together had what is permitted without credits: that says nothing of threads."""
    drained = measured(dd_write_1m_each=10 * MIB, dd_write_16_writers=20 * MIB)
    assert bool(told(drained, 100.0 * MIB, permitted_mib * MIB)) is is_told


def test_the_highest_rate_that_is_permitted_is_reached_by_as_many_as_are_told() -> None:
    quick = measured(dd_write_1m_each=10 * MIB, dd_write_16_writers=100 * MIB)
    (found,) = told(quick, 100.0 * MIB, 100.0 * MIB)
    assert found.title.startswith("Threads: 16 on m7g.large")


def test_files_that_are_made_are_counted_and_no_throughput_limits_them() -> None:
    (found,) = told(measured(touch_serial=60, touch_parallel_directories=1100), 40.0, 20.0)
    assert found.title == "Threads: 32 on m7g.large to make empty files, each thread in a folder of its own"
    assert "in files/s: 60 by 1, 1,100 by 32 as measured; as published on c5.2xlarge" in found.evidence


def test_each_task_is_one_work_by_more_and_more_threads() -> None:
    for words, names in TASKS.items():
        same = [CATALOGUE[one] for one in names]
        counts = [one.threads for one in same]
        assert counts == sorted(set(counts))
        assert len({(one.do, one.block_bytes, one.sync) for one in same}) == 1
        if words.startswith(("write files", "read files")):
            assert len({one.file_bytes for one in same}) == 1
    assert sum("files of" in one for one in TASKS) == len(SWEEP_SIZES) + 2


def test_every_figure_that_was_published_of_several_threads_is_known_here() -> None:
    known = {name for names in TASKS.values() for name in names}
    missing = {
        name
        for name in FIGURES
        if name not in known and CATALOGUE.get(name) is not None and CATALOGUE[name].do is not Do.COPY
    }
    # A single thread, other blocks, or other directories.
    assert {one for one in missing if CATALOGUE[one].threads > 1} == {"touch-parallel"}
    assert {CATALOGUE[name].rate_kind for name in known} == set(RateKind)
