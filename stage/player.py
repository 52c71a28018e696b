"""Plays a scenario in a sandbox: the simulated file system lives, its metrics arrive, operators deploy."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from moto.core.exceptions import JsonRESTError
from moto.efs.models import efs_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.cloudwatch.metrics import MetricId, Sample
from localaws.file_systems import Size
from localaws.sandbox import Sandbox
from simulation import file_system as model
from simulation.burst_credits import MIB, MINUTE_SECONDS, CreditFlow, bucket_bytes
from simulation.file_system_metrics import Datapoint
from stage.manual_changes import ManualChanges
from stage.scenario import MAX_IO, Scenario
from stage.scenario_instances.machines import Machines
from stage.scenario_tables import Change, Deployment

log = logging.getLogger(__name__)

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True)
class Lived:
    """One minute of the file system as it really was, whatever CloudWatch knows of it.

    `moved` is what clients got of what they asked for. CloudWatch tells of it from `visible_at` on; None is never.
    """

    minute: int
    mode: model.ThroughputMode
    metered_standard_bytes: int
    balance_bytes: float
    bucket_bytes: float
    permitted_bytes_per_second: float
    metered_bytes: float
    credits: CreditFlow
    moved: model.Load
    visible_at: datetime | None


class Player:
    """The file system of a scenario inside a sandbox, from its first minute on.

    Either it is played, or it begins at a `start` in the past and catches up with the sandbox's own clock.
    """

    def __init__(
        self, sandbox: Sandbox, scenario: Scenario, start: datetime | None = None, machines: Machines | None = None
    ) -> None:
        self.sandbox = sandbox
        self.scenario = scenario
        self.machines = machines or Machines((), scenario.file_system_id)
        if start is None:
            # Time stands still between steps, also while somebody deploys: every run is then the same.
            start = sandbox.clock.next_minute()
            sandbox.clock.move_to(start)
        self.start = start
        self.lived: list[Lived] = []
        self._state = _first_state(scenario)
        self._late_minutes = scenario.metrics_late_minutes
        self._silent_until = 0
        self._manual_changes = ManualChanges(sandbox)
        self._growing: Change | None = None
        self._grown_from_bytes = 0
        self._changes = sorted(scenario.changes, key=lambda change: change.minute)
        self._minutes_over = 0
        sandbox.file_systems.create(
            scenario.file_system_id,
            self._size(),
            throughput_mode=scenario.mode,
            provisioned_mebibytes_per_second=scenario.provisioned_mebibytes_per_second,
            performance_mode=scenario.performance_mode,
            availability_zone=scenario.availability_zone,
            name=scenario.file_system_name,
        )
        self.machines.register()

    def play(self, deploy: Callable[[Deployment], None]) -> Iterator[int]:
        """Live through the scenario minute by minute, yielding each minute that is over."""
        deployments = sorted(self.scenario.deployments, key=lambda deployment: deployment.minute)
        for minute in range(self.scenario.minutes):
            while deployments and deployments[0].minute <= minute:
                deploy(deployments.pop(0))
            self._pass(minute)
            self.sandbox.clock.move_to(self.time_of(minute + 1))
            self.sandbox.step()
            yield minute

    def catch_up(self) -> None:
        """Live through the minutes that are over by the sandbox's clock; deploying is up to somebody else."""
        for minute in range(self._minutes_over, self.minute_at(self.sandbox.clock.now())):
            self._pass(minute)

    def time_of(self, minute: int) -> datetime:
        """When a minute of the scenario begins."""
        return self.start + minute * MINUTE

    def minute_at(self, time: datetime) -> int:
        """The scenario's minute at a time."""
        return (time - self.start) // MINUTE

    def _pass(self, minute: int) -> None:
        while self._changes and self._changes[0].minute <= minute:
            self._apply(self._changes.pop(0))
        self._live(minute)
        self._minutes_over = minute + 1

    def _size(self) -> Size:
        """What is metered of it by storage class."""
        return Size(
            standard_bytes=round(self._state.metered_standard_bytes),
            infrequent_access_bytes=self._state.infrequent_access_bytes,
        )

    def _apply(self, change: Change) -> None:
        if change.size_bytes is not None:
            self._growing, self._grown_from_bytes = change, self._state.standard_bytes
        if change.mode is not None:
            self._change_mode(change.mode, change.provisioned_mebibytes_per_second, despite=change.despite_mode_lock)
        if change.metrics_stop_for_minutes:
            self._silent_until = change.minute + change.metrics_stop_for_minutes
        if change.metrics_late_minutes is not None:
            self._late_minutes = change.metrics_late_minutes
        if change.delete:
            self.sandbox.file_systems.delete(self.scenario.file_system_id)
        if change.command_events_are_lost is not None:
            self.sandbox.agents.loses_events = change.command_events_are_lost
        if change.schedules_are_delivered_twice is not None:
            self.sandbox.schedules.delivers_twice = change.schedules_are_delivered_twice
        if change.answers_to_schedules_are_lost is not None:
            self.sandbox.schedules.loses_answers = change.answers_to_schedules_are_lost
        for named, act in (
            (change.delete_alarm, self._manual_changes.delete_alarm),
            (change.restore_alarm, self._manual_changes.restore_alarm),
            (change.unsubscribe, self._manual_changes.unsubscribe),
            (change.subscribe, self._manual_changes.subscribe),
            (change.unmount, self.machines.unmount),
            (change.mount, self.machines.mount),
            (change.disconnect, self._manual_changes.disconnect),
            (change.connect, self._manual_changes.connect),
            (change.terminate, self.sandbox.agents.terminate),
        ):
            if named is not None:
                act(named)

    def _change_mode(self, mode: str, provisioned_mebibytes_per_second: float | None, *, despite: bool) -> None:
        file_systems = self.sandbox.file_systems
        change = file_systems.set_mode if despite else file_systems.change_mode
        try:
            change(self.scenario.file_system_id, mode, provisioned_mebibytes_per_second)
        except JsonRESTError as refused:
            # An operator has changed the mode since: whoever acts here is told the same as they would be.
            log.warning("the scenario's change to %s throughput was refused: %s", mode, refused)

    def _live(self, minute: int) -> None:
        # Asked, not remembered: an operator may delete it too.
        if self.scenario.file_system_id not in efs_backends[ACCOUNT_ID][REGION].file_systems_by_id:
            return
        state = replace(self._state, standard_bytes=self._size_at(minute), mode=self._mode())
        load = self._load_at(minute)
        self._state, lived = model.step(state, load)
        permitted = 0.0
        for datapoint in lived.datapoints:
            # How near it is to the limit on operations EFS publishes of General Purpose alone.
            if datapoint.name == "PercentIOLimit" and self.scenario.performance_mode == MAX_IO:
                continue
            if datapoint.name == "PermittedThroughput":
                permitted = datapoint.minimum
            self._publish(minute, datapoint)
        if not self.lived or permitted != self.lived[-1].permitted_bytes_per_second:
            self.machines.permit(permitted)
        self.sandbox.file_systems.set_size(self.scenario.file_system_id, self._size())
        served_share = lived.credits.served_bytes / lived.demanded_bytes if lived.demanded_bytes else 0.0
        self.lived.append(
            Lived(
                minute=minute,
                mode=self._state.mode,
                metered_standard_bytes=self._state.metered_standard_bytes,
                balance_bytes=self._state.balance_bytes,
                bucket_bytes=bucket_bytes(self._state.metered_standard_bytes),
                permitted_bytes_per_second=permitted,
                metered_bytes=lived.credits.served_bytes,
                credits=lived.credits,
                moved=replace(
                    load,
                    read_bytes=load.read_bytes * served_share,
                    write_bytes=load.write_bytes * served_share,
                    metadata_operations=load.metadata_operations * served_share,
                ),
                visible_at=self._visible_at(minute),
            )
        )

    def _visible_at(self, minute: int) -> datetime | None:
        """When CloudWatch knows of a minute; None where its metrics are lost."""
        return None if minute < self._silent_until else self.time_of(minute + 1 + self._late_minutes)

    def _publish(self, minute: int, datapoint: Datapoint) -> None:
        dimensions = {"FileSystemId": self.scenario.file_system_id}
        if datapoint.storage_class is not None:
            dimensions["StorageClass"] = datapoint.storage_class
        visible_at = self._visible_at(minute)
        if visible_at is None:
            return
        self.sandbox.metrics.record_sample(
            MetricId.of("AWS/EFS", datapoint.name, **dimensions),
            self.time_of(minute),
            Sample(
                minimum=datapoint.minimum,
                maximum=datapoint.maximum,
                sum=datapoint.sum,
                sample_count=datapoint.sample_count,
                unit=datapoint.unit,
                visible_at=visible_at.timestamp(),
            ),
        )

    def _mode(self) -> model.ThroughputMode:
        """The mode as EFS has it now, so that an operator's own UpdateFileSystem counts too."""
        described = efs_backends[ACCOUNT_ID][REGION].file_systems_by_id[self.scenario.file_system_id]
        return _mode(described.throughput_mode, described.provisioned_throughput_in_mibps, self.scenario)

    def _size_at(self, minute: int) -> int:
        if self._growing is None or self._growing.size_bytes is None:
            return self._state.standard_bytes
        since = minute - self._growing.minute
        share = min(1.0, since / self._growing.over_minutes) if self._growing.over_minutes else 1.0
        return round(self._grown_from_bytes + share * (self._growing.size_bytes - self._grown_from_bytes))

    def _load_at(self, minute: int) -> model.Load:
        loads = [load for load in self.scenario.loads if load.holds_at(minute)]
        benchmark = self.machines.load_between(self.sandbox.agents, self.time_of(minute), self.time_of(minute + 1))
        return model.Load(
            read_bytes=sum(load.read_bytes_per_second for load in loads) * MINUTE_SECONDS + benchmark.read_bytes,
            write_bytes=sum(load.write_bytes_per_second for load in loads) * MINUTE_SECONDS + benchmark.written_bytes,
            metadata_operations=sum(load.metadata_operations_per_second for load in loads) * MINUTE_SECONDS
            + benchmark.metadata_operations,
        )


def _first_state(scenario: Scenario) -> model.FileSystem:
    state = model.created(
        scenario.size_bytes,
        _mode(scenario.mode, scenario.provisioned_mebibytes_per_second, scenario),
        regional_cap_bytes_per_second=scenario.regional_cap_bytes_per_second,
    )
    return replace(
        state,
        balance_bytes=scenario.balance_share * bucket_bytes(scenario.size_bytes),
        infrequent_access_bytes=scenario.infrequent_access_bytes,
    )


def _mode(name: str, provisioned_mebibytes_per_second: float | None, scenario: Scenario) -> model.ThroughputMode:
    if name == "elastic":
        return model.Elastic(maximum_write_bytes_per_second=scenario.elastic_bytes_per_second)
    if name == "provisioned":
        return model.Provisioned(bytes_per_second=(provisioned_mebibytes_per_second or 0) * MIB)
    return model.Bursting()
