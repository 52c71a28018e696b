"""Puts together what a file system is going through, from EFS and CloudWatch."""

from datetime import datetime

from efs_monitor.aws import efs, metrics
from efs_monitor.aws.runtime import Clients
from efs_monitor.credits import baseline_bytes_per_second
from efs_monitor.errors import NoDatapoints
from efs_monitor.reference import reference_throughput
from efs_monitor.situation import Situation


def read_situation(clients: Clients, file_system_id: str, now: datetime) -> Situation:
    """The situation at `now`; NoDatapoints where CloudWatch has none of the last hour."""
    file_system = efs.describe(clients.efs, file_system_id)
    observations = metrics.observe(clients.cloudwatch, file_system, now)
    balances, permitted, activity = metrics.last_hour(clients.cloudwatch, file_system_id, now)
    if not balances or permitted is None:
        raise NoDatapoints(f"CloudWatch has no datapoint of {file_system_id} in the last hour")
    return Situation(
        file_system=file_system,
        balances=balances,
        permitted_bytes_per_second=permitted,
        reference_bytes_per_second=reference_throughput(file_system, observations).bytes_per_second,
        baseline_bytes_per_second=baseline_bytes_per_second(file_system.standard_bytes),
        activity=activity,
    )
