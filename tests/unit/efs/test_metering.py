"""What a workload spends: never less than what EFS meters."""

from dataclasses import replace

import pytest
from efs_monitor.benchmarks.profiles import workload
from efs_monitor.benchmarks.workloads import Do, Target, Workload
from efs_monitor.efs.metering import Moved, moved_by
from hypothesis import given

from tests.unit.benchmarks.plans import MIB, workloads

KIB = 1024


def counted_one_by_one(workload: Workload) -> tuple[int, int, int]:
    """Bytes written, bytes read and metadata operations, as an NFS client that does this workload asks for them."""
    written = read = operations = 0
    if workload.on is Target.LOCAL:
        return 0, 0, 0
    for _ in range(workload.directories):
        operations += 2  # MKDIR, RMDIR
    for _ in range(workload.files):
        operations += 5  # OPEN, SETATTR, CLOSE, LOOKUP, REMOVE
        left = workload.file_bytes
        while left > 0:
            piece = min(left, MIB, workload.block_bytes or MIB)
            written += max(piece, 4 * KIB)
            operations += 1  # COMMIT
            left -= piece
        if workload.do is Do.READ:
            operations += 2  # OPEN, CLOSE
            left = workload.file_bytes
            while left > 0:
                piece = min(left, MIB, workload.block_bytes or MIB)
                read += max(piece, 4 * KIB)
                left -= piece
            read += 4 * KIB  # the end of the file
    return written, read, operations


@given(workloads())
def test_the_bound_is_never_below_what_is_counted_one_by_one(workload: Workload) -> None:
    smaller = replace(workload, files=min(workload.files, 5), file_bytes=min(workload.file_bytes, 3 * MIB + 17))
    written, read, operations = counted_one_by_one(smaller)
    assert smaller.written_bytes >= written
    assert smaller.read_bytes >= read
    assert smaller.metered_bytes >= written + read / 3 + operations * 4 * KIB
    assert smaller.billed_bytes >= written + read + operations * 4 * KIB


def test_writes_count_in_full_reads_a_third_and_metadata_four_kib_each() -> None:
    moved = Moved(written_bytes=1000, read_bytes=301, metadata_operations=2)
    assert moved.metered_bytes == 1000 + 101 + 8 * KIB
    assert moved.billed_bytes == 1000 + 301 + 8 * KIB


def test_a_read_has_to_write_its_files_first() -> None:
    read = workload("dd-read-4")
    assert read.written_bytes == read.bytes == 2048 * MIB
    assert read.read_bytes == read.bytes + 4 * 32 * KIB


def test_the_bound_of_a_large_write_is_within_one_percent_of_its_bytes() -> None:
    large = workload("dd-write-large")
    assert large.bytes < large.metered_bytes < large.bytes * 1.01


def test_each_mib_written_may_be_a_commit_and_so_may_the_rest() -> None:
    operations = [moved_by(files=1, file_bytes=size).metadata_operations for size in (1, MIB, MIB + 1, 2 * MIB)]
    assert operations == [operations[0], operations[0], operations[0] + 1, operations[0] + 1]


def test_blocks_above_what_a_client_writes_at_once_are_written_in_pieces() -> None:
    large = moved_by(files=1, file_bytes=16 * MIB, block_bytes=16 * MIB)
    assert large == moved_by(files=1, file_bytes=16 * MIB, block_bytes=MIB) == moved_by(files=1, file_bytes=16 * MIB)


def test_copying_and_reading_each_take_operations_of_their_own() -> None:
    made, copied, read = (
        moved_by(files=9, file_bytes=MIB, copied=copied, read_back=read_back).metadata_operations
        for copied, read_back in ((False, False), (True, False), (False, True))
    )
    # For each file: the target looked for, mode and times set, renamed; or opened, looked at and closed once more, as
    # three of those that were copied are, too.
    assert (copied - made, read - made) == (9 * 6 + 3 * 4, 9 * 4)
    both = moved_by(files=9, file_bytes=MIB, copied=True, read_back=True).metadata_operations
    assert both == made + 9 * (6 + 4)


@pytest.mark.parametrize(("files", "compared"), [(1, 1), (2, 2), (3, 3), (5000, 3)])
def test_of_a_copy_three_files_are_read_at_most(files: int, compared: int) -> None:
    assert moved_by(files=files, file_bytes=MIB, copied=True).read_bytes == compared * (MIB + 32 * KIB)


def test_a_piece_counts_32_kib_and_each_kib_beyond_that_was_begun() -> None:
    sizes = (0, 1, 32 * KIB, 32 * KIB + 1, 33 * KIB, 33 * KIB + 1)
    written = [moved_by(files=1, file_bytes=size).written_bytes // KIB for size in sizes]
    assert written == [0, 32, 32, 33, 33, 34]


def test_a_touch_costs_its_operations_only() -> None:
    touch = workload("touch-serial")
    assert touch.written_bytes == touch.read_bytes == 0
    assert 1024 * 5 * 4 * KIB < touch.metered_bytes < 64 * MIB


def test_a_local_baseline_costs_the_file_system_nothing() -> None:
    assert workload("dd-write-1m-end-local").moved == Moved()


def test_two_workloads_move_together_what_each_moves() -> None:
    one = Moved(written_bytes=1, read_bytes=20, metadata_operations=300)
    other = Moved(written_bytes=5, read_bytes=50, metadata_operations=500)
    assert one + other == Moved(written_bytes=6, read_bytes=70, metadata_operations=800)
