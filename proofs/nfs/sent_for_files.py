"""What NFS sends for each file, by the script and by the tutorials' own commands typed in."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.workloads import Do, Workload

from proofs.nfs.script_runs import LOCAL_FOLDER
from proofs.nfs.shapes import KIB, MIB
from proofs.nfs.trials import CaseFinding, MountedFileSystem, NfsCase, dishonest, run, unmeasured

WIRE = "What NFS sends for each file, beside the tutorials' commands by hand"
COUNTED = ("WRITE", "COMMIT", "SETATTR", "READ")
FEW, MANY = 8, 24
HEARTBEAT_SECONDS = 10
SHARE = 0.03
"""By how much the script may differ, of what the command by hand sends."""
# The tutorials' commands, for `files` files of `bytes` bytes; `to` is a directory on the file system, `from` one of
# the local disk.
MAKE = 'mkdir -p "$from" && for ((n = 1; n <= files; ++n)); do head -c "$bytes" /dev/zero >"$from/f$n"; done\n'
WRITTEN = (
    "for ((n = 1; n <= files; ++n)); do"
    ' dd if=/dev/zero of="$to/$n" bs=1M count="$bytes" iflag=count_bytes conv=fsync; done\n'
)
BY_HAND = {
    "touch-serial": 'for ((n = 1; n <= files; ++n)); do touch "$to/$n"; done',
    "dd-write-1m-end": WRITTEN,
    "files-write-100kb-1": WRITTEN,
    "dd-write-1m-each": WRITTEN.replace("conv=fsync", "oflag=sync"),
    "files-read-100kb-1": WRITTEN
    + 'for ((n = 1; n <= files; ++n)); do dd if="$to/$n" of=/dev/null bs=1M iflag=direct; done',
    "copy-cp": MAKE + 'cp -r "$from/." "$to"',
    "copy-rsync": MAKE + 'rsync -r "$from/" "$to"',
    "copy-fpsync": MAKE + 'fpsync -n 4 -t "$from.fpsync" "$from/" "$to/"',
    "copy-cp-parallel": MAKE + 'cd "$from" && find . -type f | parallel --will-cite -j 4 cp {} "$to"',
    "copy-fpart-cpio-parallel": MAKE
    + 'cd "$from" && fpart -n 1 -o "$from.parts" . && parallel --will-cite -j 4 --pipepart --round-robin --delay .1'
    ' --block 1M -a "$from".parts.[01] "cpio -dpmL $to"',
}


@dataclass(frozen=True, kw_only=True)
class SentOperations:
    """How often each operation was sent for one file."""

    by_script: dict[str, float]
    by_hand: dict[str, float]
    # A file's share of the touches by which the run says that it lives.
    heartbeats: float

    @property
    def counts(self) -> tuple[str, ...]:
        """The operations for each file, by the script and by hand, in the words of the page's table."""
        return tuple(f"{self.by_script[name]:.3g} / {self.by_hand[name]:.3g}" for name in COUNTED)

    def broken(self) -> Iterator[str]:
        """A sentence for each operation that differs by more than the share."""
        for name in COUNTED:
            script, hand = self.by_script[name], self.by_hand[name]
            others = self.heartbeats if name == "SETATTR" else 0.0
            if abs(script - hand) > SHARE * max(hand, 1) + others:
                yield f"The script sends {script:g} {name} a file, the command by hand {hand:g}"


def cases() -> Iterator[NfsCase]:
    """The cases of this file's row of the table."""
    for workload_id in BY_HAND:
        yield NfsCase(row=WIRE, name=workload_id, trial=partial(compared, workload_id))


def compared(workload_id: str, mounted: MountedFileSystem) -> CaseFinding:
    """What more files send more, so that all that is sent once for a run is left out."""
    broken: list[str] = []
    sent: dict[int, dict[str, int]] = {}
    typed: dict[int, dict[str, int]] = {}
    heartbeats = 0.0
    for files in (FEW, MANY):
        before = mounted.one.operations()
        begun = time.monotonic()
        ended = run(mounted, (_shaped(workload_id, files),))
        broken += [*unmeasured(ended), *dishonest(ended)]
        sent[files] = _difference(before, mounted.one.operations())
        heartbeats = (time.monotonic() - begun) // HEARTBEAT_SECONDS + 1
        typed[files] = _by_hand(workload_id, files, mounted)
    if broken:
        return CaseFinding(told="not measured", broken=tuple(broken))
    found = SentOperations(
        by_script=_for_each_file(sent), by_hand=_for_each_file(typed), heartbeats=heartbeats / (MANY - FEW)
    )
    broken = list(found.broken())
    told = "what the command by hand sends" if not broken else ", ".join(found.counts)
    return CaseFinding(told=told, broken=tuple(broken), counts=(f"`{workload_id}`", *found.counts))


def _shaped(workload_id: str, files: int) -> Workload:
    workload = CATALOGUE[workload_id]
    if workload.do is Do.TOUCH:
        return replace(workload, files=files)
    file_bytes = 2 * MIB if workload_id.startswith("dd-") else 100 * KIB
    return replace(workload, files=files, threads=min(workload.threads, 4), file_bytes=file_bytes)


def _by_hand(workload_id: str, files: int, mounted: MountedFileSystem) -> dict[str, int]:
    given = {
        "to": f"{mounted.one.mount_path}/theirs",
        "from": f"{LOCAL_FOLDER}/theirs-{mounted.one.number}",
        "files": str(files),
        "bytes": str(_shaped(workload_id, files).file_bytes),
    }
    before = mounted.one.operations()
    mounted.machine.shell('mkdir "$to"\n' + BY_HAND[workload_id] + "\n", **given)
    after = mounted.one.operations()
    mounted.machine.shell('rm -rf "$to" "$from"*', **given)
    return _difference(before, after)


def _difference(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    return {name: after[name] - before[name] for name in COUNTED}


def _for_each_file(sent: dict[int, dict[str, int]]) -> dict[str, float]:
    return {name: (sent[MANY][name] - sent[FEW][name]) / (MANY - FEW) for name in COUNTED}
