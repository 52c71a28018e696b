"""The file system that the EFS tutorial measured (amazon-efs-tutorial 1.1.4, c5.2xlarge), and the disk beside it.

Every latency follows from published durations (steps in brackets), the bandwidths of a long stream from the sizes that
are measured here: all of it scaled to at most 128 MiB a workload, where one commit weighs far more than in 2 GiB.
"""

from stage.mount.profile import MIB, EfsProfile

FILES = 1024
SYNCED_1M_SECONDS = 85.5 / 2048
"""One block of 1 MiB under O_SYNC [3.7]."""
SYNCED_16M_SECONDS = 23 / 128
"""One block of 16 MiB under O_SYNC [3.9]."""
COPIED_SECONDS = 329 / 5000
"""One file of 1 MiB by cp [5.5]."""

# 128 at a time in one directory, which lets one create after the other [1.4]; and what a serial touch [1.3] has more.
CREATE_SECONDS = 8.061 / FILES
SETATTR_SECONDS = 16.219 / FILES - CREATE_SECONDS

STREAM_BYTES_PER_SECOND = 265e6
SHORT_BYTES = 96 * MIB
# What a byte under O_SYNC takes in all, wire and commit, is what 15 MiB more take longer.
SYNCED_BYTE_SECONDS = (SYNCED_16M_SECONDS - SYNCED_1M_SECONDS) / (15 * MIB)
COMMIT_BYTES_PER_SECOND = 1 / (SYNCED_BYTE_SECONDS - 1 / STREAM_BYTES_PER_SECOND)
COMMIT_SECONDS = SYNCED_1M_SECONDS - MIB * SYNCED_BYTE_SECONDS

TUTORIAL = EfsProfile(
    create_seconds=CREATE_SECONDS,
    setattr_seconds=SETATTR_SECONDS,
    # rsync renames and changes modes where cp does not [5.4, 5.5].
    metadata_seconds=0.008,
    commit_seconds=COMMIT_SECONDS,
    commit_bytes_per_second=COMMIT_BYTES_PER_SECOND,
    # What cp takes longer than to create, to write and to commit.
    close_seconds=COPIED_SECONDS - CREATE_SECONDS - SYNCED_1M_SECONDS,
    stream_bytes_per_second=STREAM_BYTES_PER_SECOND,
    # 20 GiB came at 150 MB/s, 2 GiB by the same command at 201 [2.3, 3.3]: a long stream slows down. Here 128 MiB are
    # the long one, and SHORT_BYTES the short one.
    write_behind_bytes=SHORT_BYTES,
    sustained_bytes_per_second=106e6,
    # 32 at a time over 32 directories: two operations a file [1.5].
    metadata_operations_per_second=2 * FILES / 0.901,
    # 16 writers, each fast enough for 25 MB/s [4.5].
    shared_bytes_per_second=310e6,
)

EBS_GP2 = EfsProfile(commit_seconds=0.0005, shared_bytes_per_second=132e6)
"""A bandwidth and next to no latency: 124 to 132 MB/s whatever is asked [3.2 to 4.4]."""

NAMED = {"plain": EfsProfile(), "tutorial": TUTORIAL, "ebs-gp2": EBS_GP2}
