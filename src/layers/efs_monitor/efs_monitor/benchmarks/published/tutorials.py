"""What the AWS tutorials published for their own commands: their tables, row by row.

Sources: aws-samples/amazon-efs-tutorial 1.1.4 (c5.2xlarge, bursting, about 200 MB/s permitted), efs-bcbn 1.0.0, which
has most of the same figures (c4.2xlarge), and efs-lab (provisioned 200).
"""

from efs_monitor.benchmarks.published.figure import MB, MIB, Published

TUTORIAL = "efs-tutorial-1.1.4"
BCBN = "efs-bcbn-1.0.0"
LAB = "efs-lab"

TOUCHED = 1024
TWO_GIB = 2 * 1024**3
TEN_THOUSAND_MIB = 10_000 * MIB
TWENTY_GIB = 20 * 1024**3
COPIED = 5000 * MIB

BURSTING = "bursting"
PROVISIONED = "provisioned-200"
# The local baseline of the same instance's own disk has no throughput mode.
DISK = ""

FAST = "permitted throughput above 200 MB/s"
# Worked out from bytes and seconds: 205.9, 56.4 and 205.7 MB/s.
CONTRADICTS = "the stated rate disagrees with its own duration, which counts"
SMALLER = "the table says 10 GB; its command writes 2 GiB, which counts"
NETWORK = "the instance's network, 120 MB/s for a while and then 7, not the file system"
SPREAD = "32 directories of 32 files"


def _row(  # noqa: PLR0917 - the columns of a table
    source: str,
    step: str,
    workload_id: str,
    instance_type: str,
    mode: str,
    amount: int,
    seconds: float,
    stated_rate: float,
    note: str = "",
) -> Published:
    return Published(
        source=source,
        step=step,
        workload_id=workload_id,
        instance_type=instance_type,
        storage="efs" if mode else "ebs-gp2",
        mode=mode,
        amount=amount,
        seconds=seconds,
        stated_rate=stated_rate,
        note=note,
    )


TUTORIALS = (
    _row(TUTORIAL, "1.3", "touch-serial", "c5.2xlarge", BURSTING, TOUCHED, 16.219, 63),
    _row(TUTORIAL, "1.4", "touch-parallel", "c5.2xlarge", BURSTING, TOUCHED, 8.061, 127),
    _row(TUTORIAL, "1.5", "touch-parallel-directories", "c5.2xlarge", BURSTING, TOUCHED, 0.901, 1136, SPREAD),
    _row(TUTORIAL, "2.3a", "dd-write-large", "t2.micro", BURSTING, TWENTY_GIB, 720.0, 30 * MB, NETWORK),
    _row(TUTORIAL, "2.3b", "dd-write-large", "m4.large", BURSTING, TWENTY_GIB, 384.0, 56 * MB),
    _row(TUTORIAL, "2.3c", "dd-write-large", "c5.2xlarge", BURSTING, TWENTY_GIB, 143.0, 150 * MB, FAST),
    _row(TUTORIAL, "3.2", "dd-write-1m-end-local", "c5.2xlarge", DISK, TWO_GIB, 17.0, 126 * MB),
    _row(TUTORIAL, "3.3", "dd-write-1m-end", "c5.2xlarge", BURSTING, TWO_GIB, 10.7, 201 * MB, FAST),
    _row(TUTORIAL, "3.4", "dd-write-16m-end-local", "c5.2xlarge", DISK, TWO_GIB, 17.0, 126 * MB),
    _row(TUTORIAL, "3.5", "dd-write-16m-end", "c5.2xlarge", BURSTING, TWO_GIB, 10.6, 202 * MB, FAST),
    _row(TUTORIAL, "3.6", "dd-write-1m-each-local", "c5.2xlarge", DISK, TWO_GIB, 17.3, 124 * MB),
    _row(TUTORIAL, "3.7", "dd-write-1m-each", "c5.2xlarge", BURSTING, TWO_GIB, 85.5, 25 * MB, FAST),
    _row(TUTORIAL, "3.8", "dd-write-16m-each-local", "c5.2xlarge", DISK, TWO_GIB, 16.3, 132 * MB),
    _row(TUTORIAL, "3.9", "dd-write-16m-each", "c5.2xlarge", BURSTING, TWO_GIB, 23.0, 93 * MB, FAST),
    _row(TUTORIAL, "4.2", "dd-write-4-writers-local", "c5.2xlarge", DISK, TWO_GIB, 16.6, 131 * MB),
    _row(TUTORIAL, "4.3", "dd-write-4-writers", "c5.2xlarge", BURSTING, TWO_GIB, 21.7, 99 * MB, FAST),
    _row(TUTORIAL, "4.4", "dd-write-16-writers-local", "c5.2xlarge", DISK, TWO_GIB, 16.4, 131 * MB),
    _row(TUTORIAL, "4.5", "dd-write-16-writers", "c5.2xlarge", BURSTING, TWO_GIB, 7.9, 271 * MB, FAST),
    _row(TUTORIAL, "5.4", "copy-rsync", "c5.2xlarge", BURSTING, COPIED, 435.0, 11.7 * MB, FAST),
    _row(TUTORIAL, "5.5", "copy-cp", "c5.2xlarge", BURSTING, COPIED, 329.0, 15.6 * MB, FAST),
    _row(TUTORIAL, "5.7", "copy-fpsync", "c5.2xlarge", BURSTING, COPIED, 210.0, 24.4 * MB, FAST),
    _row(TUTORIAL, "5.8", "copy-cp-parallel", "c5.2xlarge", BURSTING, COPIED, 73.0, 70.1 * MB, FAST),
    _row(TUTORIAL, "5.9", "copy-fpart-cpio-parallel", "c5.2xlarge", BURSTING, COPIED, 42.0, 122 * MB, FAST),
    _row(BCBN, "1.2a", "dd-write-large", "t2.micro", BURSTING, TWENTY_GIB, 720.0, 30 * MB),
    _row(BCBN, "1.2b", "dd-write-large", "m4.large", BURSTING, TWENTY_GIB, 384.0, 56 * MB),
    _row(BCBN, "1.2c", "dd-write-large", "c4.2xlarge", BURSTING, TWENTY_GIB, 143.0, 150 * MB),
    _row(BCBN, "4.8", "copy-mcp", "c4.2xlarge", BURSTING, COPIED, 87.0, 58.9 * MB),
    _row(BCBN, "4.10", "copy-fpart-cpio-parallel", "c4.2xlarge", BURSTING, COPIED, 55.0, 93 * MB),
    _row(BCBN, "2.2", "dd-write-1m-end-local", "c4.2xlarge", DISK, TWO_GIB, 17.0, 126 * MB),
    _row(BCBN, "2.3", "dd-write-1m-end", "c4.2xlarge", BURSTING, TWO_GIB, 10.7, 201 * MB),
    _row(BCBN, "2.4", "dd-write-16m-end-local", "c4.2xlarge", DISK, TWO_GIB, 17.0, 126 * MB),
    _row(BCBN, "2.5", "dd-write-16m-end", "c4.2xlarge", BURSTING, TWO_GIB, 10.6, 202 * MB),
    _row(BCBN, "2.6", "dd-write-1m-each-local", "c4.2xlarge", DISK, TWO_GIB, 17.3, 124 * MB),
    _row(BCBN, "2.7", "dd-write-1m-each", "c4.2xlarge", BURSTING, TWO_GIB, 85.5, 25 * MB),
    _row(BCBN, "2.8", "dd-write-16m-each-local", "c4.2xlarge", DISK, TWO_GIB, 16.3, 132 * MB),
    _row(BCBN, "2.9", "dd-write-16m-each", "c4.2xlarge", BURSTING, TWO_GIB, 23.0, 93 * MB),
    _row(BCBN, "3.2", "dd-write-4-writers-local", "c4.2xlarge", DISK, TWO_GIB, 16.6, 131 * MB),
    _row(BCBN, "3.3", "dd-write-4-writers", "c4.2xlarge", BURSTING, TWO_GIB, 21.7, 99 * MB),
    _row(BCBN, "3.4", "dd-write-16-writers-local", "c4.2xlarge", DISK, TWO_GIB, 16.4, 131 * MB),
    _row(BCBN, "3.5", "dd-write-16-writers", "c4.2xlarge", BURSTING, TWO_GIB, 7.9, 271 * MB),
    _row(BCBN, "4.4", "copy-rsync", "c4.2xlarge", BURSTING, COPIED, 435.0, 11.7 * MB),
    _row(BCBN, "4.5", "copy-cp", "c4.2xlarge", BURSTING, COPIED, 329.0, 15.6 * MB),
    _row(BCBN, "4.7", "copy-fpsync", "c4.2xlarge", BURSTING, COPIED, 210.0, 24.4 * MB),
    _row(BCBN, "4.9", "copy-cp-parallel", "c4.2xlarge", BURSTING, COPIED, 73.0, 70.1 * MB),
    _row(LAB, "1a", "touch-serial", "m5.xlarge", PROVISIONED, TOUCHED, 8.794, 116.44),
    _row(LAB, "1b", "touch-parallel", "m5.xlarge", PROVISIONED, TOUCHED, 4.51, 227.05),
    _row(LAB, "1c", "touch-parallel-directories", "m5.xlarge", PROVISIONED, TOUCHED, 0.907, 1129.00, SPREAD),
    _row(LAB, "2a", "dd-write-large", "t3.micro", PROVISIONED, TEN_THOUSAND_MIB, 50.936, 402.073 * MB, CONTRADICTS),
    _row(LAB, "2b", "dd-write-large", "m4.large", PROVISIONED, TEN_THOUSAND_MIB, 185.795, 110.229 * MB, CONTRADICTS),
    _row(LAB, "2c", "dd-write-large", "m5.large", PROVISIONED, TEN_THOUSAND_MIB, 50.988, 401.663 * MB, CONTRADICTS),
    _row(LAB, "3a", "dd-write-1m-end", "m5.large", PROVISIONED, TWO_GIB, 10.842, 188.8 * MIB, SMALLER),
    _row(LAB, "3b", "dd-write-16m-end", "m5.large", PROVISIONED, TWO_GIB, 10.875, 188 * MIB, SMALLER),
    _row(LAB, "3c", "dd-write-1m-each", "m5.large", PROVISIONED, TWO_GIB, 61.325, 33.3 * MIB, SMALLER),
    _row(LAB, "3d", "dd-write-16m-each", "m5.large", PROVISIONED, TWO_GIB, 24.692, 82.9 * MIB, SMALLER),
    _row(LAB, "4a", "dd-write-4-writers", "m5.large", PROVISIONED, TWO_GIB, 16.929, 120 * MIB),
    _row(LAB, "4b", "dd-write-16-writers", "m5.large", PROVISIONED, TWO_GIB, 10.406, 196 * MIB),
    _row(LAB, "5a", "copy-rsync", "m5.large", PROVISIONED, COPIED, 247.142, 20 * MIB),
    _row(LAB, "5b", "copy-cp", "m5.large", PROVISIONED, COPIED, 173.746, 29 * MIB),
    _row(LAB, "5c", "copy-fpsync", "m5.large", PROVISIONED, COPIED, 114.255, 44.81 * MIB),
    _row(LAB, "5d", "copy-cp-parallel", "m5.large", PROVISIONED, COPIED, 44.928, 113.96 * MIB),
    _row(LAB, "5e", "copy-fpart-cpio-parallel", "m5.large", PROVISIONED, COPIED, 41.296, 123.98 * MIB),
)
