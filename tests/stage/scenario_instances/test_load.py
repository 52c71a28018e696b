"""What a benchmark in a plain directory counts for on the simulated file system."""

import json

from efs_monitor.benchmarks.plan import decode

from stage.mount.metered import Metered
from stage.scenario_instances.load import load_of

PLAN = (
    "id=touch-serial,on=efs,do=touch,threads=1,files=8,directories=1;"
    "id=dd-write-1m-end,on=efs,do=write,threads=1,block=1048576,sync=end,files=1,bytes=4194304;"
    "id=dd-write-1m-end-local,on=local,do=write,threads=1,block=1048576,sync=end,files=1,bytes=4194304;"
    "id=dd-read-4,on=efs,do=read,threads=4,block=1048576,files=4,bytes=1048576"
)


def line(workload_id: str, status: str = "ok") -> str:
    return json.dumps({"type": "workload", "id": workload_id, "status": status}) + "\n"


def test_each_workload_that_ended_well_counts_what_it_moves() -> None:
    load = load_of(PLAN, line("dd-write-1m-end") + line("dd-read-4"))
    assert load.written_bytes == 8 * 2**20
    assert load.read_bytes >= 4 * 2**20


def test_a_touch_costs_operations_only() -> None:
    load = load_of(PLAN, line("touch-serial"))
    assert (load.written_bytes, load.read_bytes) == (0, 0)
    assert load.metadata_operations == decode(PLAN)[0].moved.metadata_operations > 0


def test_what_failed_ran_on_the_own_disk_or_is_still_being_written_counts_nothing() -> None:
    printed = line("touch-serial", "failed") + line("dd-write-1m-end-local") + line("dd-read-4")[:-10]
    assert load_of(PLAN, printed) == Metered()


def test_another_document_loads_nothing() -> None:
    assert load_of("", line("touch-serial")) == Metered()
