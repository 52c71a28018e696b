"""Somebody who may write at the root leads a run's directory elsewhere, in the middle of every workload with files."""

from collections.abc import Iterator
from functools import partial

from proofs.nfs.measuring import COPIES
from proofs.nfs.shapes import lasting
from proofs.nfs.trials import Case, Finding, Place, dishonest, under_way

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
LANDED = 'find "$mount/theirs/" "$mount/theirs-renamed/" -mindepth 1 -type f -printf "%P\n"'
UNDO = 'cd "$mount" && rm -rf .efs-monitor-benchmark theirs theirs-renamed'


def cases() -> Iterator[Case]:
    """The cases of this file's row of the table."""
    for workload_id in (*COPIES, "dd-write-4-writers", "touch-serial"):
        yield Case(row=LED_ELSEWHERE, name=workload_id, trial=partial(led_elsewhere, workload_id))


def led_elsewhere(workload_id: str, place: Place) -> Finding:
    """Nothing lands in what is theirs, and nothing stays in what was ours."""
    place.file_system.permit("777")
    place.one.delay(DELAY_MILLISECONDS)
    run = under_way(place, (lasting(workload_id, 15.0, DELAY_MILLISECONDS),))
    place.machine.shell(LEAD, mount=place.other.mount_path)
    ended = run.ended()
    landed = place.machine.shell(LANDED, mount=place.file_system.path).splitlines()
    place.machine.shell(UNDO, mount=place.file_system.path)
    place.file_system.permit("755")
    (result,) = ended.report.results
    broken = dishonest(ended)
    if landed:
        broken.append(f"{len(landed)} files are elsewhere, with status {result.status}: {', '.join(landed[:4])}")
    return Finding(told=f"{result.status} {result.reason}".strip(), broken=tuple(broken))
