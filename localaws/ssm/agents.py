"""Every command that was sent, and the agents that carry them out, each at its own time and really at the same time."""

import math
import threading
from collections.abc import Callable
from datetime import datetime

from localaws.event_bus import EventBus
from localaws.ssm import command_events
from localaws.ssm.command import CANCELLED, DELIVERY_TIMED_OUT, TERMINATED, UNDELIVERABLE, Command, CommandInvocation
from localaws.ssm.execution import Execution
from localaws.ssm.instances import instances
from localaws.ssm.power import power_off


class Agents:
    """`loses_events` makes EventBridge miss what it is told: its events of commands are best effort."""

    def __init__(self, bus: EventBus, now: Callable[[], datetime], *, is_simulated: bool) -> None:
        self._bus = bus
        self.now = now
        self._is_simulated = is_simulated
        self._lock = threading.RLock()
        self.commands: list[Command] = []
        self.loses_events = False
        self._is_closed = False

    def send(self, command: Command) -> None:
        """Take a command; what can begin begins at once."""
        with self._lock:
            self.commands.append(command)
            self._deliver(command)
        self._announce()

    def cancel(self, command: Command, instance_ids: list[str]) -> None:
        """Stop it on those instances, on all where none is named; what is over stays as it is."""
        with self._lock:
            for invocation in command.invocations:
                if instance_ids and invocation.instance_id not in instance_ids:
                    continue
                if invocation.waits:
                    invocation.give_up(CANCELLED, self.now())
                elif invocation.execution is not None:
                    invocation.execution.cancel()

    def terminate(self, instance_id: str) -> None:
        """The instance is gone, with everything that runs on it."""
        with self._lock:
            instance = instances().pop(instance_id)
            for invocation in self._running():
                if invocation.instance_id == instance_id:
                    invocation.fall_silent()
            power_off(instance.host)

    def reboot(self, instance_id: str) -> None:
        """The instance starts again, in the middle of whatever runs on it."""
        self.lose_workers(instance_id)
        power_off(instances()[instance_id].host)

    def lose_workers(self, instance_id: str) -> None:
        """The agent's processes that hold the scripts' outputs are gone; the scripts go on."""
        for invocation in self._running():
            if invocation.instance_id == instance_id and invocation.execution is not None:
                invocation.execution.lose()
                invocation.execution.result()

    def catch_up(self, now: datetime) -> None:
        """Everything that is due by now: deliveries, time-outs, and events about them and about what has ended."""
        self.wait_until(now)
        with self._lock:
            for command in self.commands:
                self._deliver(command)
        self._announce()

    def wait_until(self, moment: datetime) -> None:
        """Let scripts run on until they have had as much real time as passes for them by then, or have ended."""
        for invocation in self._running():
            if invocation.started is not None and invocation.execution is not None:
                due_seconds = (moment - invocation.started).total_seconds()
                invocation.execution.wait(due_seconds - invocation.execution.elapsed_seconds)

    def have_run_since(self, moment: datetime) -> bool:
        """Whether a script was under way at that moment or later."""
        with self._lock:
            invocations = [
                invocation
                for command in self.commands
                for invocation in command.invocations
                if invocation.execution is not None
            ]
        return any(invocation.ended is None or invocation.ended >= moment for invocation in invocations)

    def close(self) -> None:
        """Kill whatever still runs, and wait for it; nobody is told any more."""
        self._is_closed = True
        for invocation in self._running():
            if invocation.execution is not None:
                invocation.execution.cancel()
                invocation.execution.result()

    def _running(self) -> list[CommandInvocation]:
        with self._lock:
            invocations = [invocation for command in self.commands for invocation in command.invocations]
        return [
            invocation
            for invocation in invocations
            if invocation.execution is not None and invocation.execution.ended is None
        ]

    def _deliver(self, command: Command) -> None:
        now = self.now()
        for invocation in command.invocations:
            if not invocation.waits:
                continue
            instance = instances().get(invocation.instance_id)
            if self._has_too_many_errors(command, now):
                invocation.give_up(TERMINATED, now)
            elif instance is None:
                invocation.give_up(UNDELIVERABLE, now)
            elif now >= invocation.expires:
                invocation.give_up(DELIVERY_TIMED_OUT, invocation.expires)
            elif instance.is_online and self._has_room(command, now):
                execution = Execution(command.document, command.parameters, instance.host, command.id)
                invocation.begin(execution, now)
                self._watch(invocation)

    def _has_room(self, command: Command, now: datetime) -> bool:
        going = sum(
            invocation.execution is not None and not invocation.standing(now).is_final
            for invocation in command.invocations
        )
        return going < max(1, _share(command.maximum_concurrency, len(command.invocations)))

    def _has_too_many_errors(self, command: Command, now: datetime) -> bool:
        failed = sum(invocation.standing(now).is_error for invocation in command.invocations)
        return failed > _share(command.maximum_errors, len(command.invocations))

    def _watch(self, invocation: CommandInvocation) -> None:
        """In real time nobody makes steps in between: the end of a script is itself the moment to tell of it."""
        if self._is_simulated or invocation.execution is None:
            return

        def tell(execution: Execution) -> None:
            execution.result()
            self.catch_up(self.now())

        threading.Thread(target=tell, args=(invocation.execution,), daemon=True).start()

    def _announce(self) -> None:
        """Each invocation's beginning and end, and each command's, in the order of their time, once each."""
        now = self.now()
        with self._lock:
            due = sorted(
                (event for command in self.commands for event in command_events.due(command, now)),
                key=lambda event: event["time"],
            )
        if not self.loses_events and not self._is_closed:
            for event in due:
                self._bus.put(event)


def _share(text: str, whole: int) -> int:
    """`3`, or `50%` of the instances, rounded up as Systems Manager does."""
    return math.ceil(int(text[:-1]) / 100 * whole) if text.endswith("%") else int(text)
