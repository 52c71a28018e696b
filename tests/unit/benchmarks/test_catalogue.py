"""The catalogue has every family, in the shapes of those who published their results."""

import pytest
from efs_monitor.benchmarks.catalogue import CATALOGUE, local_baseline
from efs_monitor.benchmarks.workloads import Do, Family, RateKind, Sync, Target, Tool

from tests.unit.benchmarks.plans import MIB

GIB = 1024 * MIB


def test_every_family_is_there() -> None:
    assert {workload.family for workload in CATALOGUE.values()} == set(Family)


@pytest.mark.parametrize(
    ("workload_id", "threads", "directories"),
    [("touch-serial", 1, 1), ("touch-parallel", 128, 1), ("touch-parallel-directories", 32, 32)],
)
def test_a_touch_makes_1024_files(workload_id: str, threads: int, directories: int) -> None:
    touch = CATALOGUE[workload_id]
    assert (touch.files, touch.threads, touch.directories) == (1024, threads, directories)
    assert touch.rate_kind is RateKind.OPERATIONS
    assert touch.rate_kind.unit == "Count/Second"


@pytest.mark.parametrize(
    ("workload_id", "block_mib", "sync", "writers", "total_gib"),
    [
        ("dd-write-1m-end", 1, Sync.END, 1, 2),
        ("dd-write-16m-end", 16, Sync.END, 1, 2),
        ("dd-write-1m-each", 1, Sync.EACH, 1, 2),
        ("dd-write-16m-each", 16, Sync.EACH, 1, 2),
        ("dd-write-4-writers", 1, Sync.EACH, 4, 2),
        ("dd-write-16-writers", 1, Sync.EACH, 16, 2),
        ("dd-write-large", 1, Sync.END, 1, 20),
    ],
)
def test_a_dd_write_is_as_published(workload_id: str, block_mib: int, sync: Sync, writers: int, total_gib: int) -> None:
    write = CATALOGUE[workload_id]
    assert (write.block_bytes, write.sync, write.threads, write.files) == (block_mib * MIB, sync, writers, writers)
    assert write.bytes == total_gib * GIB
    assert write.rate_kind.unit == "Bytes/Second"


def test_two_to_sixteen_readers_read_a_file_each() -> None:
    readers = [each for each in CATALOGUE.values() if each.family is Family.DD_READ]
    assert [each.threads for each in readers] == [each.files for each in readers] == [2, 4, 8, 16]


def test_the_sweep_goes_from_100_kb_to_100_mb_at_every_number_of_threads() -> None:
    sweep = [each for each in CATALOGUE.values() if each.family is Family.FILES and each.file_bytes > 10_000]
    writes = {(each.file_bytes, each.threads) for each in sweep if each.do is Do.WRITE}
    assert writes == {(size * 1000, threads) for size in (100, 500, 1000, 10_000, 100_000) for threads in (1, 4, 8, 16)}
    assert all(each.files >= each.threads for each in sweep)


def test_a_thousand_small_files_are_written_and_read() -> None:
    for workload_id in ("files-write-100kb-1", "files-read-100kb-1"):
        assert (CATALOGUE[workload_id].files, CATALOGUE[workload_id].file_bytes) == (1000, 100_000)


def test_a_thousand_files_are_written_and_read_2_to_16_ways() -> None:
    ways = {(each.do, each.threads) for each in CATALOGUE.values() if (each.files, each.file_bytes) == (1000, 10_000)}
    assert ways == {(do, threads) for do in (Do.WRITE, Do.READ) for threads in (2, 4, 8, 16)}


def test_every_tool_copies_the_tutorials_5000_files() -> None:
    copies = [each for each in CATALOGUE.values() if each.family is Family.COPY]
    assert {each.tool for each in copies} == set(Tool)
    assert {(each.files, each.file_bytes) for each in copies} == {(5000, MIB)}


def test_each_dd_and_touch_and_nothing_else_has_a_local_baseline() -> None:
    for workload in CATALOGUE.values():
        local = local_baseline(workload)
        assert (local is not None) == (workload.family in (Family.TOUCH, Family.DD_WRITE, Family.DD_READ))
        if local:
            assert local.id == f"{workload.id}-local"
            assert local.on is Target.LOCAL
