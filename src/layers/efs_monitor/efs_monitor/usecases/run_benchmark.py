"""Puts together what a benchmark would meet: the file system's credits, its alarms, the instances, and other runs."""

from dataclasses import dataclass
from datetime import datetime

from efs_monitor.alarms.alarm import CREDIT_ALARMS
from efs_monitor.aws import cloudwatch_alarms as alarms
from efs_monitor.aws import instances, metrics
from efs_monitor.aws.runtime import Clients
from efs_monitor.aws.systems_manager import MOST_INSTANCES
from efs_monitor.benchmarks.commands import Command
from efs_monitor.benchmarks.ledger import Ledger, month_of
from efs_monitor.benchmarks.refusals import Circumstances
from efs_monitor.config import BenchmarkSettings, Config
from efs_monitor.efs.file_system import FileSystem


@dataclass(frozen=True)
class Around:
    """What is known already; `wanted` are the instances a person named, empty for all that may measure."""

    file_system: FileSystem
    sent: tuple[Command, ...]
    books: Ledger
    wanted: tuple[str, ...]


def look_around(
    clients: Clients, config: Config, settings: BenchmarkSettings, around: Around, now: datetime
) -> tuple[Circumstances, tuple[str, ...]]:
    """The circumstances at `now`, and the ids of the instances that would measure."""
    file_system = around.file_system
    found = alarms.read(clients.cloudwatch, config.stack_name)
    balances = metrics.observe(clients.cloudwatch, file_system, now).minutes
    online = instances.online(clients.ssm, config.file_system_id, settings.instance_ids)
    chosen = tuple(one for one in online if not around.wanted or one in around.wanted)[:MOST_INSTANCES]
    running = [one.run_id for one in around.sent if one.running(now)]
    circumstances = Circumstances(
        file_system=file_system,
        balance_bytes=balances[-1].balance_bytes if balances else None,
        alarms_on=tuple(found[kind].name for kind in CREDIT_ALARMS if kind in found and found[kind].state == "ALARM"),
        targets=_targets(config, settings, around.wanted),
        instances_online=len(chosen),
        running=f"The run {running[0]}" if running else "",
        billed_this_month_bytes=around.books.billed_in(month_of(now)),
    )
    return circumstances, chosen


def _targets(config: Config, settings: BenchmarkSettings, wanted: tuple[str, ...]) -> str:
    tagged = f"the instances tagged {instances.TAG} = {config.file_system_id}"
    allowed = ", ".join(settings.instance_ids) or tagged
    return f"{', '.join(wanted)} of {allowed}" if wanted else allowed
