"""A workload with less data than its source, or more: its shape stays."""

from dataclasses import replace

from efs_monitor.benchmarks.workloads import Do, Family, Workload
from efs_monitor.efs.credits import MIB
from efs_monitor.errors import SettingsRefused

# One block for each of 16 writers, or one of 16 MiB: with less, workloads would not have the size that was asked for.
SMALLEST_SIZE_MIB = 16
# The largest that anyone published: 20 GiB in one sequential write.
GREATEST_SIZE_MIB = 20 * 1024
OWN_SIZE = 0
# What the script makes at most in one workload.
MOST_FILES = 100_000


def scaled(workload: Workload, size_mib: int) -> Workload:
    """`workload` so that all its files together hold `size_mib` MiB, 16 to 20,480; 0 leaves it as it is.

    Threads, blocks and sync always stay, and of the files:

    - dd-write and dd-read keep their number: each gets an equal share, in whole blocks, rounded down. No file gets less
      than a block, so that 16 writers, or one of 16 MiB blocks, never move less than 16 MiB.
    - files and copy keep their size, which is what they are about: there are as many as fit into `size_mib`, at most
      100,000, and at least one a thread, even where those hold more (16 files of 100 MB).
    - touch moves no data and stays as it is.

    Raises SettingsRefused for another size.
    """
    check_size(size_mib)
    if size_mib == OWN_SIZE or workload.do is Do.TOUCH:
        return workload
    size_bytes = size_mib * MIB
    if workload.family in (Family.FILES, Family.COPY):
        return replace(workload, files=max(workload.threads, min(MOST_FILES, size_bytes // workload.file_bytes)))
    block_bytes = workload.block_bytes or MIB
    share_bytes = size_bytes // workload.files
    return replace(workload, file_bytes=max(1, share_bytes // block_bytes) * block_bytes)


def check_size(size_mib: int) -> None:
    """Raise SettingsRefused, naming the bounds, for a size that no benchmark can have."""
    if size_mib != OWN_SIZE and not SMALLEST_SIZE_MIB <= size_mib <= GREATEST_SIZE_MIB:
        raise SettingsRefused(
            f"A benchmark of {size_mib} MiB a workload is not possible; give {SMALLEST_SIZE_MIB} to"
            f" {GREATEST_SIZE_MIB:,} MiB, or {OWN_SIZE} for the profile's own size"
        )
