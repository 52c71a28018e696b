"""Somebody who may write at the root leads a run's directory elsewhere, or gives it another name, in the middle."""

import time
from collections.abc import Iterator
from functools import partial

from proofs.nfs.shapes import lasting
from proofs.nfs.trials import CaseFinding, MountedFileSystem, NfsCase, dishonest, left_after, under_way
from proofs.nfs.workload_cases import COPIES

RENAMED = "The run's directory is renamed, here or on another client, and the run goes on or is killed"
# Hidden, as one above, with the end of a line, as what was removed is called, and in another directory.
NAMES = (".x", "..x", "x\n", ".efs-monitor-benchmark (deleted)", "theirs/x")
RENAME = 'cd "$mount" && mkdir -p theirs && mv -T .efs-monitor-benchmark "$name"'
BY = ("the same", "another")
FOUND_WITHIN_SECONDS = 60
# What another client moved into another directory cannot be found by its name; all that may be left of it.
EMPTY = ["theirs/x"]
STAYS = 'find "$mount/theirs" -mindepth 1 -printf "theirs/%P\n"; rm -rf "$mount/theirs"'
LED_ELSEWHERE = "Another user renames the run's directory and puts a link in its place, in the middle"
DELAY_MILLISECONDS = 20
# As user 1000, on the other client. What the directory has in it is read from the list of processes, which names it.
LEAD = """
cd "$mount"
as() { setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }
umask 0
as mkdir theirs
for name in $(cd .efs-monitor-benchmark && find data.* -type d); do as mkdir "theirs/$name"; done
as mv .efs-monitor-benchmark theirs-renamed
as ln -s theirs .efs-monitor-benchmark
"""
# What was renamed may be gone by then, as it should be.
LANDED = """
for at in "$mount/theirs" "$mount/theirs-renamed"; do
    [ ! -d "$at" ] || find "$at/" -mindepth 1 -type f -printf "%P\\n"
done
"""
UNDO = 'cd "$mount" && rm -rf .efs-monitor-benchmark theirs theirs-renamed'


def cases() -> Iterator[NfsCase]:
    """The cases of this file's row of the table."""
    for workload_id in (*COPIES, "dd-write-4-writers", "touch-serial"):
        yield NfsCase(row=LED_ELSEWHERE, name=workload_id, trial=partial(led_elsewhere, workload_id))
    for name in NAMES:
        for by in BY:
            for is_killed in (True, False):
                how = f"{name!r} on {by} client, {'killed' if is_killed else 'goes on'}"
                yield NfsCase(row=RENAMED, name=how, trial=partial(renamed, name, by, is_killed))


def led_elsewhere(workload_id: str, mounted: MountedFileSystem) -> CaseFinding:
    """Nothing lands in what is theirs, and nothing stays in what was ours."""
    mounted.file_system.permit("777")
    mounted.one.delay(DELAY_MILLISECONDS)
    run = under_way(mounted, (lasting(workload_id, 15.0, DELAY_MILLISECONDS),))
    mounted.machine.shell(LEAD, mount=mounted.other.mount_path)
    ended = run.ended()
    landed = mounted.machine.shell(LANDED, mount=mounted.file_system.path).splitlines()
    mounted.machine.shell(UNDO, mount=mounted.file_system.path)
    mounted.file_system.permit("755")
    (result,) = ended.report.results
    broken = dishonest(ended)
    if landed:
        broken.append(f"{len(landed)} files are elsewhere, with status {result.status}: {', '.join(landed[:4])}")
    return CaseFinding(told=f"{result.status} {result.reason}".strip(), broken=tuple(broken))


def renamed(name: str, by: str, is_killed: bool, mounted: MountedFileSystem) -> CaseFinding:
    """A file that was renamed is removed wherever it is; where it cannot be found it is empty, and that is told."""
    mounted.one.delay(DELAY_MILLISECONDS)
    run = under_way(mounted, (lasting("dd-write-1m-each", 10.0, DELAY_MILLISECONDS),))
    client = mounted.one if by == BY[0] else mounted.other
    mounted.machine.shell(RENAME, mount=client.mount_path, name=name)
    if is_killed:
        run.kill_group()
    ended = run.ended()
    broken = [] if is_killed else dishonest(ended)
    is_lost = name.startswith("theirs/") and by == BY[1]
    if not is_lost:
        left = left_after(mounted, FOUND_WITHIN_SECONDS)
        if left:
            broken.append(f"{len(left)} things are left: {', '.join(left[:4])}")
    elif not is_killed and "somebody moved it elsewhere, where it is empty" not in ended.report.left:
        broken.append(f"It says of what it cannot find: {ended.report.left!r}")
    if is_lost and is_killed:
        # The process that goes on looking has removed all else by then.
        time.sleep(20)
    stays = mounted.machine.shell(STAYS, mount=mounted.file_system.path).splitlines()
    if stays not in ([], EMPTY if is_lost else []):
        broken.append(f"There is still {stays[:4]}")
    return CaseFinding(
        told="all of it was removed" if not stays else "what was in it was removed", broken=tuple(broken)
    )
