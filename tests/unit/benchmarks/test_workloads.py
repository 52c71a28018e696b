"""A workload with less data, or more, keeps its shape."""

from dataclasses import replace

import pytest
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.workloads import (
    GREATEST_SIZE_MIB,
    MOST_FILES,
    SMALLEST_SIZE_MIB,
    Do,
    Family,
    Workload,
    check_size,
    scaled,
)
from efs_monitor.errors import SettingsRefused
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.benchmarks.plans import MIB

of_the_catalogue = st.sampled_from(list(CATALOGUE.values()))
possible_sizes = st.integers(SMALLEST_SIZE_MIB, GREATEST_SIZE_MIB)


@given(of_the_catalogue, possible_sizes)
def test_nothing_changes_but_how_many_files_there_are_or_how_large(workload: Workload, size_mib: int) -> None:
    other = scaled(workload, size_mib)
    assert replace(other, files=workload.files, file_bytes=workload.file_bytes) == workload
    assert other.files == workload.files or other.file_bytes == workload.file_bytes


@given(of_the_catalogue, possible_sizes)
def test_it_is_never_larger_than_asked_unless_a_block_or_file_each_is(workload: Workload, size_mib: int) -> None:
    other = scaled(workload, size_mib)
    least_bytes = workload.threads * (
        workload.file_bytes if workload.family in (Family.FILES, Family.COPY) else workload.block_bytes or 0
    )
    assert other.bytes <= max(size_mib * MIB, least_bytes)


@given(of_the_catalogue, possible_sizes)
def test_it_is_as_large_as_asked_but_for_a_block_or_a_file_each(workload: Workload, size_mib: int) -> None:
    other = scaled(workload, size_mib)
    if workload.do is Do.TOUCH or other.files == MOST_FILES:
        return
    by_count = workload.family in (Family.FILES, Family.COPY)
    lost_at_most = workload.file_bytes if by_count else workload.files * (workload.block_bytes or 1)
    assert other.bytes > size_mib * MIB - lost_at_most


@given(of_the_catalogue, possible_sizes, possible_sizes)
def test_a_smaller_size_never_costs_more(workload: Workload, one_mib: int, other_mib: int) -> None:
    smaller, larger = sorted((one_mib, other_mib))
    assert scaled(workload, smaller).metered_bytes <= scaled(workload, larger).metered_bytes


@given(of_the_catalogue, possible_sizes)
def test_every_block_is_whole_and_every_thread_has_a_file(workload: Workload, size_mib: int) -> None:
    other = scaled(workload, size_mib)
    assert other.files >= min(other.threads, workload.files)
    if workload.family in (Family.DD_WRITE, Family.DD_READ):
        assert other.file_bytes % (other.block_bytes or 1) == 0


def test_128_mib_are_shared_by_16_writers() -> None:
    assert scaled(CATALOGUE["dd-write-16-writers"], 128).file_bytes == 8 * MIB


def test_no_writer_gets_less_than_a_block() -> None:
    assert scaled(CATALOGUE["dd-write-16-writers"], 16).file_bytes == MIB
    assert scaled(CATALOGUE["dd-write-16m-each"], 16).file_bytes == 16 * MIB


def test_there_are_never_more_files_than_the_script_makes() -> None:
    assert scaled(CATALOGUE["files-write-10kb-2"], GREATEST_SIZE_MIB).files == 100_000


def test_a_sweep_has_fewer_files_of_the_same_size() -> None:
    assert scaled(CATALOGUE["files-write-1mb-4"], 16).files == 16
    assert scaled(CATALOGUE["files-write-100mb-16"], 16).files == 16


def test_a_touch_has_no_size() -> None:
    assert scaled(CATALOGUE["touch-serial"], 16) == CATALOGUE["touch-serial"]


def test_size_0_is_the_own_size() -> None:
    assert scaled(CATALOGUE["dd-write-large"], 0) == CATALOGUE["dd-write-large"]


@pytest.mark.parametrize("size_mib", [-1, SMALLEST_SIZE_MIB - 1, GREATEST_SIZE_MIB + 1])
def test_an_impossible_size_is_refused_with_the_bounds(size_mib: int) -> None:
    with pytest.raises(SettingsRefused, match=rf"A benchmark of {size_mib} MiB .* give 16 to 20,480 MiB, or 0"):
        scaled(CATALOGUE["touch-serial"], size_mib)


def test_an_impossible_size_is_refused_in_one_whole_sentence() -> None:
    with pytest.raises(SettingsRefused) as refused:
        check_size(-1)
    assert str(refused.value) == (
        f"A benchmark of -1 MiB a workload is not possible; give {SMALLEST_SIZE_MIB} to {GREATEST_SIZE_MIB:,} MiB, or 0"
        " for the profile's own size"
    )
