"""The account's alarms: put, read, delete, set, enable; their tags and their history."""

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from localaws.account import ACCOUNT_ID, REGION
from localaws.cloudwatch import history_items
from localaws.cloudwatch.alarm import Alarm, AlarmConfiguration, AlarmState, Transition
from localaws.service_error import ServiceError
from simulation.alarm_evaluation import State
from simulation.alarm_reason import INITIAL_REASON

Deliver = Callable[[Alarm, AlarmState], None]
"""Runs the actions of an alarm that has just left the given state."""


def _deliver_nothing(alarm: Alarm, old: AlarmState) -> None:
    del alarm, old


class AlarmRegistry:
    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._alarms: dict[str, Alarm] = {}
        self._lock = threading.RLock()
        self.history: list[history_items.HistoryItem] = []
        self.transitions: list[Transition] = []
        self.deliver: Deliver = _deliver_nothing

    def put(self, configuration: AlarmConfiguration, tags: dict[str, str]) -> None:
        """Create an alarm, or replace a known one's whole configuration; its state and tags stay."""
        now = self._now()
        with self._lock:
            known = self._alarms.get(configuration.name)
            if known is not None:
                before = history_items.described(known)
                known.configure(configuration, now)
                self.history.append(history_items.updated(before, known, now))
                return
            arn = f"arn:aws:cloudwatch:{REGION}:{ACCOUNT_ID}:alarm:{configuration.name}"
            unchecked = AlarmState(State.INSUFFICIENT_DATA, INITIAL_REASON, None, now, now)
            alarm = Alarm(arn, configuration, now, unchecked, tags)
            self._alarms[configuration.name] = alarm
            self.history.append(history_items.created(alarm, now))

    def all(self) -> list[Alarm]:
        """Every alarm, by name."""
        with self._lock:
            return [self._alarms[name] for name in sorted(self._alarms)]

    def get(self, name: str) -> Alarm | None:
        return self._alarms.get(name)

    def delete(self, names: Iterable[str]) -> None:
        """Unknown names are ignored, as CloudWatch does; the history of an alarm outlives it."""
        with self._lock:
            for name in names:
                alarm = self._alarms.pop(name, None)
                if alarm is not None:
                    self.history.append(history_items.deleted(alarm, self._now()))

    def enable_actions(self, names: Iterable[str], enabled: bool) -> None:
        """Enabling actions on an alarm that is already in ALARM sends nothing."""
        with self._lock:
            for name in names:
                alarm = self._alarms.get(name)
                if alarm is not None and alarm.configuration.actions_enabled is not enabled:
                    self.put(replace(alarm.configuration, actions_enabled=enabled), {})

    def set_state(self, name: str, value: State, reason: str, reason_data: str | None) -> None:
        """Set the state by hand until the next evaluation; raises ServiceError for an unknown alarm."""
        alarm = self._alarms.get(name)
        if alarm is None:
            raise ServiceError("ResourceNotFound", f"There is no alarm named {name!r}.")
        if reason_data is not None:
            try:
                json.loads(reason_data)
            except ValueError as error:
                raise ServiceError("InvalidFormat", f"StateReasonData is not JSON: {error}") from error
        self.change_state(alarm, value, reason, reason_data)

    def hinder(self, name: str, evaluation_state: str | None, reason: str) -> None:
        """Have CloudWatch say that it cannot evaluate an alarm as it should, and why; with None that it can again."""
        with self._lock:
            alarm = self._alarms[name]
            alarm.evaluation_state = evaluation_state
            alarm.state = replace(alarm.state, reason=reason)

    def change_state(self, alarm: Alarm, value: State, reason: str, reason_data: str | None) -> bool:
        """Give the alarm a state; run its actions and return True when that is a different one.

        Actions run outside the lock: a function among them may call CloudWatch again.
        """
        now = self._now()
        with self._lock:
            old = alarm.state
            changed = old.value is not value
            transitioned = now if changed else old.transitioned
            alarm.state = AlarmState(value, reason, reason_data, now, transitioned)
            if changed:
                name = alarm.configuration.name
                self.history.append(history_items.state_updated(alarm, old, now))
                self.transitions.append(Transition(now, name, old.value, value, reason))
        if changed and alarm.configuration.actions_enabled:
            self.deliver(alarm, old)
        return changed

    def tagged(self, arn: str) -> dict[str, str]:
        """The tags of an alarm, to read and to change; raises ServiceError for an unknown ARN."""
        for alarm in self.all():
            if alarm.arn == arn:
                return alarm.tags
        raise ServiceError("ResourceNotFoundException", f"There is no alarm with the ARN {arn!r}.")
