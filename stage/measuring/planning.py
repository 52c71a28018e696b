"""How long a fleet plans, of whose file systems all have the stack that they should."""

import time
from datetime import UTC, datetime, timedelta

from efs_monitor.fleet.membership import Membership, TaggedFileSystem
from efs_monitor.fleet.monitor_parameters import parameters_for, with_defaults
from efs_monitor.fleet.monitor_stack import MonitorStack
from efs_monitor.fleet.reconciliation import Fleet, plan
from efs_monitor.fleet.written_notes import as_texts

from stage.measuring.promise import NotMeasured, PromisedValue

NOW = datetime(2030, 1, 7, tzinfo=UTC)
FLEET = Fleet(
    name="fleet", region="us-east-1", template="url", membership=Membership(), parameters={}, grace=timedelta(days=1)
)


def planning(file_systems: int, limit_seconds: float) -> PromisedValue:
    """Everything that a run with nothing to do does outside of its AWS calls."""
    ids = [f"fs-{number:017x}" for number in range(file_systems)]
    found = [TaggedFileSystem(file_system_id=one, tags={"efs-monitor:WarningMinutes": "240"}) for one in ids]
    stacks = [
        MonitorStack(
            name=FLEET.stack_name(one.file_system_id),
            status="CREATE_COMPLETE",
            file_system_id=one.file_system_id,
            fleet=FLEET.name,
            template=FLEET.template,
            parameters=with_defaults(parameters_for(one.file_system_id, {}, one.tags)),
        )
        for one in found
    ]
    began = time.perf_counter()
    made = plan(FLEET, found, stacks, {}, NOW)
    as_texts(made.notes)
    seconds = time.perf_counter() - began
    if made.changes:
        raise NotMeasured(f"all was as it should be, and {made.changes[0]} is planned")
    name = f"a fleet of {file_systems:,} with nothing to do, outside AWS calls"
    return PromisedValue(name=name, value=round(seconds, 3), unit="s", limit=limit_seconds)
