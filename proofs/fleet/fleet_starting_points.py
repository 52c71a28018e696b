"""What the fleet's function may find when it starts: between them, every call that it knows is made."""

from collections.abc import Callable
from dataclasses import dataclass

from proofs.fleet.fleet_account import FleetAccount, file_system_id

TAKEN = "/efs-monitor/efs-fleet-fs-taken"
"""A parameter of somebody else, which keeps a stack that wants its name from coming into being."""


@dataclass(frozen=True)
class FleetStartingPoint:
    """File systems, and stacks that earlier runs made for them."""

    name: str
    prepare: Callable[[FleetAccount], object]

    def __str__(self) -> str:
        return f"reconcile_fleet: {self.name}"


def _new(fleet: FleetAccount) -> None:
    """Two without a stack, and one whose tag no parameter allows."""
    fleet.file_system(1)
    fleet.file_system(2, WarningMinutes="240")
    fleet.file_system(3, WarningMinutes="9")


def _changed_and_gone(fleet: FleetAccount) -> None:
    """Another parameter for one, another that changes nothing in its stack for the second, the third is gone."""
    for number in (1, 2, 3):
        fleet.file_system(number)
    fleet.run_here()
    fleet.settle()
    fleet.file_system(1, WarningMinutes="240")
    fleet.file_system(2, RepeatWarningHours="12")
    fleet.sandbox.client("efs").delete_file_system(FileSystemId=file_system_id(3))


def _failed(fleet: FleetAccount) -> None:
    """A stack that never came into being, of which nobody has asked why; what kept it from that is over."""
    fleet.file_system(1, BenchmarkPath=TAKEN)
    fleet.run_here()
    fleet.settle()
    fleet.file_system(1, BenchmarkPath="")


def _settled(fleet: FleetAccount) -> None:
    """All is as it should be, and the daily mail is due."""
    fleet.file_system(1)
    fleet.run_here()
    fleet.settle()
    fleet.run_here()


STARTING_POINTS = (
    FleetStartingPoint("new file systems", _new),
    FleetStartingPoint("changed, and gone", _changed_and_gone),
    FleetStartingPoint("failed before", _failed),
    FleetStartingPoint("nothing to do", _settled),
)
