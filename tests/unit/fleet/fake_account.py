"""An account with file systems and stacks, in which CloudFormation does what it is asked for once it is settled."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from efs_monitor.fleet.membership import Membership, TaggedFileSystem
from efs_monitor.fleet.monitor_parameters import with_defaults
from efs_monitor.fleet.monitor_stack import MonitorStack
from efs_monitor.fleet.notes import Note
from efs_monitor.fleet.reconciliation import Create, Delete, Fleet, Plan, Step, Update, plan
from efs_monitor.fleet.written_notes import as_texts, from_texts

NOW = datetime(2030, 1, 7, 12, 0, tzinfo=UTC)
TEMPLATE = "https://bucket.s3.eu-central-1.amazonaws.com/efs-monitor-1/template.yaml"
EVERY_RUN = timedelta(minutes=5)


def fleet(**changed: object) -> Fleet:
    """A fleet of every file system; what is named is other."""
    given = {
        "name": "fleet",
        "region": "eu-central-1",
        "template": TEMPLATE,
        "membership": Membership(),
        "parameters": {"AlertEmail": "storage-team@example.com"},
        "grace": timedelta(hours=24),
    }
    return Fleet(**(given | changed))  # type: ignore[arg-type] # of several types


def file_system(number: int, **tags: str) -> TaggedFileSystem:
    """A file system, with tags whose names have a parameter's for `efs-monitor:` and that."""
    return TaggedFileSystem(
        file_system_id=file_system_id(number),
        tags={f"efs-monitor:{name}" if name[:1].isupper() else name: value for name, value in tags.items()},
    )


def file_system_id(number: int) -> str:
    return f"fs-{number:017x}"


@dataclass
class FakeAccount:
    """`broken`: whose deployments fail; `protected`: whose stacks CloudFormation refuses to delete."""

    fleet: Fleet = field(default_factory=fleet)
    file_systems: list[TaggedFileSystem] = field(default_factory=list)
    stacks: dict[str, MonitorStack] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    protected: set[str] = field(default_factory=set)
    now: datetime = NOW
    made: list[str] = field(default_factory=list)

    def planned(self) -> Plan:
        """What this fleet would do now."""
        return plan(self.fleet, self.file_systems, self.stacks.values(), self.notes, self.now)

    def run(self, calls: int | None = None) -> Plan:
        """One run; killed after so many `calls`, of which the first remembers the notes."""
        made = self.planned()
        self.carry_out(made, calls)
        return made

    def carry_out(self, made: Plan, calls: int | None = None) -> None:
        """Do what was planned, as far as a run comes."""
        if calls == 0:
            return
        self.notes = from_texts(as_texts(made.notes))
        for step in made.changes[: None if calls is None else calls - 1]:
            if isinstance(step, Delete) and step.file_system_id in self.protected:
                self.notes |= {one: made.if_refused[one] for one in {step.file_system_id} & made.if_refused.keys()}
            else:
                self._ask(step)

    def settle(self) -> None:
        """CloudFormation ends everything that it is at."""
        for name, stack in list(self.stacks.items()):
            fails = stack.file_system_id in self.broken
            match stack.status:
                case "CREATE_IN_PROGRESS":
                    self._becomes(stack, "ROLLBACK_COMPLETE" if fails else "CREATE_COMPLETE")
                case "UPDATE_IN_PROGRESS":
                    self._becomes(stack, "UPDATE_COMPLETE")
                case "DELETE_IN_PROGRESS":
                    del self.stacks[name]

    def live(self, runs: int) -> list[Plan]:
        """So many runs, five minutes apart, with all that CloudFormation does in between."""
        plans = []
        for _ in range(runs):
            plans.append(self.run())
            self.settle()
            self.now += EVERY_RUN
        return plans

    def steps(self) -> dict[str, str]:
        """The kind of each step that is planned now, by the file system."""
        return {step.file_system_id: step.kind for step in self.planned().steps}

    def step(self, number: int = 1) -> Step:
        """What is planned for one file system."""
        (found,) = [one for one in self.planned().steps if one.file_system_id == file_system_id(number)]
        return found

    def _ask(self, step: Step) -> None:
        stack = self.stacks.get(step.stack_name)
        match step:
            case Create() if stack is None:
                self.made.append(step.stack_name)
                self.stacks[step.stack_name] = self._as_given(step, "CREATE_IN_PROGRESS")
            # What a broken one had before comes back: here, at once.
            case Update() if stack and not stack.in_progress and step.file_system_id in self.broken:
                self._becomes(stack, "UPDATE_ROLLBACK_COMPLETE")
            case Update() if stack and not stack.in_progress:
                self.stacks[step.stack_name] = self._as_given(step, "UPDATE_IN_PROGRESS")
            case Delete() if stack and not stack.in_progress:
                self._becomes(stack, "DELETE_IN_PROGRESS")
            case _:
                """CloudFormation refuses what somebody else was faster with."""

    def _as_given(self, step: Create | Update, status: str) -> MonitorStack:
        return MonitorStack(
            name=step.stack_name,
            status=status,
            file_system_id=step.file_system_id,
            fleet=self.fleet.name,
            template=self.fleet.template,
            parameters=with_defaults(step.parameters),
        )

    def _becomes(self, stack: MonitorStack, status: str) -> None:
        self.stacks[stack.name] = replace(stack, status=status)


def watched(stacks: Iterable[MonitorStack]) -> set[str]:
    """The file systems that a whole stack watches."""
    return {one.file_system_id for one in stacks if one.status in {"CREATE_COMPLETE", "UPDATE_COMPLETE"}}
