"""A month, minute by minute: the model, its metrics, CloudWatch's alarms, and the product's own functions.

`LivedMonth` is what is judged afterwards: what was so, and what somebody was told.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil

from efs_monitor.efs.file_system import FileSystem as Described
from efs_monitor.efs.file_system import ThroughputMode

from operate.replay.replay import DEPLOYED_AT, live_minute, quietly
from operate.replay.replayed_account import ReplayedAccount, ReplayedMail, ReplayedStack
from operate.replay.replayed_metrics import Metrics, Values
from operate.template_defaults import SETTINGS
from proofs.incidents.months_of_load import DAY_MINUTES, HOUR_MINUTES, MONTH_DAYS, DrivingClients, MonthPlan
from simulation.burst_credits import (
    MINUTE_SECONDS,
    baseline_bytes_per_second,
    bucket_bytes,
    burst_bytes_per_second,
    flow,
)
from simulation.file_system import Bursting, Elastic, FileSystem, Provisioned
from simulation.file_system import ThroughputMode as Mode
from stage.home import RUNBOOK_URL

START = datetime(2030, 1, 1, tzinfo=UTC)
# Clients read and write in pieces of so many bytes.
OPERATION_BYTES = 2**20
STACK = ReplayedStack(name="home", region="us-east-1", settings=SETTINGS, runbook_url=RUNBOOK_URL)
FILE_SYSTEM_ID = "fs-0123456789abcdef0"


@dataclass(slots=True)
class LivedMonth:
    """A month. For each minute: the balance at its end, the lowest of it as published, what bursting permits, whether
    credits mattered, since when a batch has been asking for the same, and the minute by which its datapoints are there.
    And the `mails`, the `changes` of alarms (minute, alarm, from, to), and the functions that `failed` for good, of the
    whole month.
    """

    plan: MonthPlan
    lowest: Values
    mails: list[ReplayedMail]
    changes: list[tuple[int, str, str, str]]
    failed: list[tuple[int, str]] = field(default_factory=list)
    closing: list[float] = field(default_factory=list)
    burst: list[float] = field(default_factory=list)
    matters: list[bool] = field(default_factory=list)
    steady_since: list[int | None] = field(default_factory=list)
    arrives: list[int] = field(default_factory=list)


def lived(plan: MonthPlan) -> LivedMonth:
    """Live through the month of a plan."""
    with quietly():
        life = _Life(plan)
        for minute in range(plan.days * DAY_MINUTES):
            life.live(minute)
            life.watch(minute + 1)
        return life.lived


class _Life:
    """The file system of a plan as it is now, and the account it lies in."""

    def __init__(self, plan: MonthPlan) -> None:
        self._plan, self._clients = plan, DrivingClients(plan)
        self._metrics = Metrics(START)
        self._size = plan.size_bytes
        self._mode: Mode = Bursting()
        self._account = ReplayedAccount(STACK, self._metrics, self._described())
        lowest = self._metrics.values["BurstCreditBalance", "Minimum"]
        self.lived = LivedMonth(plan, lowest, self._account.mails, self._account.changes, self._account.failed)
        self._true_bytes = float(plan.size_bytes)
        self._growth_an_hour = (1 + plan.growth_a_month) ** (1 / (MONTH_DAYS * DAY_MINUTES / HOUR_MINUTES))
        self._balance = bucket_bytes(plan.size_bytes) * plan.opening_share
        self._meter()

    def _meter(self) -> None:
        """What follows from size and mode."""
        self._size = round(self._true_bytes)
        cap = self._plan.cap_bytes_per_second
        self._burst = burst_bytes_per_second(self._size, cap)
        self._baseline = baseline_bytes_per_second(self._size, cap)
        self._state = FileSystem(self._size, self._size, 0.0, self._mode, regional_cap_bytes_per_second=cap)
        self._account.file_system = self._described()
        self._matters = self._state.lives_on_credits

    def _described(self) -> Described:
        """The file system as DescribeFileSystems tells it."""
        kind = {Elastic: ThroughputMode.ELASTIC, Provisioned: ThroughputMode.PROVISIONED}
        rate = self._mode.bytes_per_second if isinstance(self._mode, Provisioned) else 0
        return Described(
            file_system_id=FILE_SYSTEM_ID,
            name="",
            mode=kind.get(type(self._mode), ThroughputMode.BURSTING),
            standard_bytes=self._size,
            provisioned_bytes_per_second=round(rate),
        )

    def live(self, minute: int) -> None:
        """What clients do in a minute, what it costs, and what EFS publishes of it."""
        plan = self._plan
        self._true_bytes *= plan.grows.get(minute, 1.0)
        if minute in plan.modes:
            self._mode = plan.modes[minute]
        if minute % HOUR_MINUTES == 0:
            self._true_bytes *= self._growth_an_hour
        if minute % HOUR_MINUTES == 0 or minute in plan.modes:
            self._meter()
        asked = self._clients.demand(minute, self._balance, self._size, credits_matter=self._matters) * MINUTE_SECONDS
        if self._matters:
            served, lowest, rates = self._served_on_credits(asked)
        else:
            served, lowest, rates = self._served_elsewhere(asked)
        values = self._metrics.values
        values["BurstCreditBalance", "Minimum"].append(None if lowest is None else float(round(lowest)))
        values["PermittedThroughput", "Minimum"].append(min(rates))
        values["PermittedThroughput", "Maximum"].append(max(rates))
        values["MeteredIOBytes", "Sum"].append(served or None)
        values["DataWriteIOBytes", "Sum"].append(served * plan.written_share or None)
        values["DataReadIOBytes", "Sum"].append(served * (1 - plan.written_share) * 3 or None)
        values["MetadataIOBytes", "Sum"].append(None)
        for metric in ("DataWriteIOBytes", "DataReadIOBytes"):
            moved = values[metric, "Sum"][-1]
            values[metric, "SampleCount"].append(None if moved is None else ceil(moved / OPERATION_BYTES))
        values["MetadataIOBytes", "SampleCount"].append(None)
        self._note(minute)

    def _served_on_credits(self, asked: float) -> tuple[float, float | None, tuple[float, float]]:
        went = flow(self._balance, self._size, asked, self._plan.cap_bytes_per_second)
        self._balance = went.closing_bytes
        rates = (
            self._burst if went.opening_bytes else self._baseline,
            self._burst if self._balance else self._baseline,
        )
        return went.served_bytes, min(went.opening_bytes, self._balance), rates

    def _served_elsewhere(self, asked: float) -> tuple[float, float | None, tuple[float, float]]:
        """What another mode than bursting serves, as the model has it: in elastic mode the balance is held and not
        published; under a provisioned rate it goes on being earned.
        """
        rate = self._state.permitted_bytes_per_second(has_credits=True)
        lowest = None
        if not isinstance(self._mode, Elastic):
            lowest = self._balance
            self._balance = flow(self._balance, self._size, 0.0, self._plan.cap_bytes_per_second).closing_bytes
        return min(asked, rate * MINUTE_SECONDS), lowest, (rate, rate)

    def _note(self, minute: int) -> None:
        found, plan = self.lived, self._plan
        found.closing.append(self._balance)
        found.burst.append(self._burst)
        found.matters.append(self._matters)
        found.steady_since.append(self._clients.steady_since)
        later = next((one.minutes for one in plan.late_times if one.start <= minute < one.end), 0)
        before = found.arrives[-1] if found.arrives else 0
        found.arrives.append(max(before, minute + plan.late_minutes + later))

    def watch(self, now: int) -> None:
        """CloudWatch and the schedules at the beginning of a minute, with the datapoints that have arrived."""
        account, arrives, metrics = self._account, self.lived.arrives, self._metrics
        account.minute = now
        while metrics.newest + 1 < now and arrives[metrics.newest + 1] <= now:
            metrics.newest += 1
        if now < DEPLOYED_AT:
            return
        if now == DEPLOYED_AT:
            account.deploy()
        live_minute(account)
