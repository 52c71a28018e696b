"""What instances reported of a benchmark, as the project's own code reads it."""

from collections.abc import Sequence

from efs_monitor.benchmarks.plan import decode
from efs_monitor.benchmarks.results import Report, parse

from localaws.ssm.command import Command


def reports(command: Command) -> Sequence[Report]:
    """One for each instance on which the script has ended."""
    plan = decode(command.parameters["Plan"])
    ended = (invocation.execution.ended for invocation in command.invocations if invocation.execution is not None)
    return [parse(invocation.stdout, plan) for invocation in ended if invocation is not None]
