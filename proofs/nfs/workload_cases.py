"""Every workload of every profile, on an open root and on closed ones."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from efs_monitor.benchmarks.profiles import PROFILES, workloads_of
from efs_monitor.benchmarks.workloads import Do, Workload

from proofs.nfs.script_runs import LOCAL_FOLDER
from proofs.nfs.shapes import KIB, catalogued, is_local, small
from proofs.nfs.trials import CaseFinding, MountedFileSystem, NfsCase, dishonest, run, unmeasured

WORKLOADS = "Every workload of every profile, alone"
PROFILE = "Each profile in one run, with its local baselines"
ROOTS = "Mount roots that others made: setgid, sticky, closed to everybody else, another's"
# Mode and owner of the file system's root; the script's user may enter only some of them by name.
MODES = (
    *(("2775", "0:0"), ("2775", "0:1000"), ("2775", "1000:1000"), ("3777", "0:0"), ("1777", "0:0"), ("777", "0:0")),
    *(("750", "0:0"), ("700", "0:0"), ("2750", "0:1000"), ("750", "1000:1000")),
)
COPIES = ("copy-cp", "copy-rsync", "copy-fpsync", "copy-cp-parallel", "copy-fpart-cpio-parallel")


def cases() -> Iterator[NfsCase]:
    """The cases of this file's rows of the table."""
    for name in PROFILES:
        for workload in workloads_of(name):
            yield NfsCase(row=WORKLOADS, name=f"{name}: {workload.id}", trial=partial(measured, (small(workload),)))
    for name in PROFILES:
        plan = tuple(small(one) for one in workloads_of(name, local_baselines=True))
        yield NfsCase(row=PROFILE, name=name, trial=partial(measured, plan))
    for mode, owner in MODES:
        yield NfsCase(row=ROOTS, name=f"{mode} {owner}", trial=partial(on_root, mode, owner))


def measured(workloads: Sequence[Workload], mounted: MountedFileSystem) -> CaseFinding:
    """Everything is measured, and what NFS sent is at least what was said to have been written and read."""
    before = mounted.one.bytes_moved()
    ended = run(mounted, workloads, local_path=LOCAL_FOLDER if any(map(is_local, workloads)) else "")
    after = mounted.one.bytes_moved()
    on_efs = [one.workload for one in ended.report.results if one.status == "ok" and not is_local(one.workload)]
    wanted = (
        sum(one.bytes for one in on_efs),
        sum(one.bytes for one in on_efs if one.do is Do.READ),
    )
    broken = [*unmeasured(ended), *dishonest(ended, mounted.left())]
    for did, was, least in zip(("wrote", "read"), zip(before, after, strict=True), wanted, strict=True):
        if was[1] - was[0] < least:
            broken.append(f"It says that it {did} {least} bytes, and NFS carried {was[1] - was[0]}")
    skipped = [one for one in ended.report.results if one.status == "skipped"]
    told = "; ".join(one.reason for one in skipped) or ("measured" if not broken else ended.told)
    return CaseFinding(told=told, broken=tuple(broken))


def on_root(mode: str, owner: str, mounted: MountedFileSystem) -> CaseFinding:
    """Touch, write, read and every copy on a root of this mode, which stays as it is."""
    mounted.file_system.permit(mode, owner)
    few = [replace(catalogued(one), files=8, threads=4, file_bytes=16 * KIB) for one in COPIES]
    plan = [
        replace(catalogued("touch-parallel"), files=8, threads=4),
        catalogued("dd-write-16-writers"),
        catalogued("dd-read-2"),
        *few,
    ]
    finding = measured(plan, mounted)
    now = mounted.machine.shell('stat -c "%a %u:%g" "$path"', path=mounted.file_system.path).strip()
    mounted.file_system.permit("755")
    if now != f"{mode} {owner}":
        finding = replace(finding, broken=(*finding.broken, f"The root was {mode} {owner} and is {now}"))
    return finding
