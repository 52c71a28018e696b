"""Workloads of the catalogue at sizes that a machine without hardware of its own goes through in seconds."""

from dataclasses import replace

from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.workloads import Do, Target, Workload

KIB = 1024
MIB = 1024 * KIB


def small(workload: Workload) -> Workload:
    """A workload with its command, threads, block and sync and with less to do, which NFS does in the same way."""
    if workload.do is Do.TOUCH:
        return replace(workload, files=max(8, workload.threads))
    if workload.do is Do.COPY:
        return replace(workload, files=workload.threads + 8, file_bytes=64 * KIB)
    if workload.files <= 16:
        block_bytes = workload.block_bytes or MIB
        return replace(
            workload, file_bytes=max(1, min(workload.bytes, 16 * MIB) // workload.files // block_bytes) * block_bytes
        )
    return replace(workload, files=max(16, workload.threads))


def lasting(workload_id: str, seconds: float, delay_milliseconds: float) -> Workload:
    """A workload that takes about so long where each packet of its client is late by so much."""
    workload = CATALOGUE[workload_id]
    steps = max(1, round(seconds * 1000 / delay_milliseconds))
    if workload.do is Do.TOUCH:
        return replace(workload, files=max(2, steps // 3))
    if workload.do is Do.COPY:
        return replace(workload, files=max(2, steps // 4), file_bytes=16 * KIB)
    return replace(workload, block_bytes=64 * KIB, file_bytes=max(1, steps // 2) * 64 * KIB)


def catalogued(workload_id: str) -> Workload:
    """A workload of the catalogue, made small."""
    return small(CATALOGUE[workload_id])


def is_local(workload: Workload) -> bool:
    """Whether it is a local baseline on the host's own disk."""
    return workload.on is Target.LOCAL
