"""Whether a benchmark may run now. A benchmark never does harm: where it could, it waits for another day."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from efs_monitor.benchmarks.cost import Cost
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode


class SkipReason(StrEnum):
    """Why a run is skipped, as its log line names it."""

    REPLICATION_DESTINATION = "replication-destination"
    NO_TARGET = "no-target-online"
    STILL_RUNNING = "still-running"
    ALARM_ON = "alarm-on"
    BALANCE_UNKNOWN = "balance-unknown"
    CREDIT_SHARE = "credit-share"
    MONTHLY_BUDGET = "monthly-budget"
    SCHEDULE_BEGINS = "schedule-begins"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What an operator allows: a share of the credit balance, and where bytes are billed GiB in a calendar month."""

    max_credit_share_percent: float
    monthly_gib_budget: float


@dataclass(frozen=True, kw_only=True)
class Preconditions:
    """What is true of a file system and its benchmark hosts when a run is asked for.

    `balance_bytes` is the newest credit balance, None where CloudWatch has none. `alarms_on` names those of the
    credit alarms that are in ALARM. `targets` says in words which instances were meant, `running` names the run
    that has not ended, and is empty where there is none.
    """

    file_system: FileSystem
    balance_bytes: float | None
    alarms_on: tuple[str, ...]
    targets: str
    instances_online: int
    running: str
    billed_this_month_bytes: int


@dataclass(frozen=True, kw_only=True)
class Run:
    """The run is allowed. `overridden` are the sentences of what a person took upon them, empty where nothing was."""

    cost_bytes: int
    overridden: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Skip:
    """The run is refused for this reason; `sentence` has the numbers and what to do."""

    cost_bytes: int
    reason: SkipReason
    sentence: str


def may_run(
    cost: Cost, preconditions: Preconditions, limits: Limits, *, accept_cost_bytes: int | None = None
) -> Run | Skip:
    """Decide. `cost` is that of all instances together.

    A run is skipped when, in this order: only replication may write; no target is online; another run has not ended;
    and where the file system lives on credits, Warning or Critical is on, the balance is unknown, or the run would
    take more than its share of it; in elastic mode, when this month's runs with this one would be billed more than the
    budget. Where throughput is provisioned above what the size earns, neither credits nor bytes are spent.

    Whoever names the cost (`accept_cost_bytes` at least what this run costs) overrides all but the first three.
    """
    cost_bytes = cost.of(preconditions.file_system)
    for reason, sentence in _impossible(preconditions):
        return Skip(cost_bytes=cost_bytes, reason=reason, sentence=sentence)
    objections = list(_objections(cost_bytes, preconditions, limits))
    if objections and (accept_cost_bytes or 0) < cost_bytes:
        reason, sentence = objections[0]
        override = f"to run it by hand all the same, accept its cost: accept_cost_bytes={cost_bytes}"
        return Skip(cost_bytes=cost_bytes, reason=reason, sentence=f"{sentence}; {override}")
    return Run(cost_bytes=cost_bytes, overridden=tuple(sentence for _, sentence in objections))


def _impossible(preconditions: Preconditions) -> Iterator[tuple[SkipReason, str]]:
    if preconditions.file_system.is_replica:
        what = f"{preconditions.file_system.file_system_id} is a replication destination, which is read-only"
        after = "after a failover, when its replication was deleted"
        yield SkipReason.REPLICATION_DESTINATION, f"{what}; measure its source, or run it {after}"
    if preconditions.instances_online < 1:
        what = f"Systems Manager has no Linux instance online among {preconditions.targets}"
        yield SkipReason.NO_TARGET, f"{what}; start one, or see whether its agent and its role are there"
    if preconditions.running:
        yield SkipReason.STILL_RUNNING, f"{preconditions.running} has not ended; two would measure each other"


def _objections(cost_bytes: int, preconditions: Preconditions, limits: Limits) -> Iterator[tuple[SkipReason, str]]:
    file_system = preconditions.file_system
    if file_system.lives_on_credits:
        yield from _credit_objections(cost_bytes, preconditions, limits)
    elif file_system.mode is ThroughputMode.ELASTIC:
        billed_bytes = preconditions.billed_this_month_bytes
        if billed_bytes + cost_bytes > limits.monthly_gib_budget * GIB:
            what = f"The run would be billed up to {_amount(cost_bytes)}, after {_amount(billed_bytes)} this month"
            budget = f"the {limits.monthly_gib_budget:g} GiB of MonthlyGiBBudget"
            yield SkipReason.MONTHLY_BUDGET, f"{what}: together more than {budget}"


def _credit_objections(
    cost_bytes: int, preconditions: Preconditions, limits: Limits
) -> Iterator[tuple[SkipReason, str]]:
    if preconditions.alarms_on:
        alarms = " and ".join(preconditions.alarms_on)
        what = f"The run would take up to {_amount(cost_bytes)} of the credits that are left"
        yield SkipReason.ALARM_ON, f"{what}, while {alarms} is in ALARM"
    balance_bytes = preconditions.balance_bytes
    if balance_bytes is None:
        what = f"CloudWatch has no recent credit balance to hold the run's {_amount(cost_bytes)} against"
        yield SkipReason.BALANCE_UNKNOWN, what
        return
    allowed_bytes = balance_bytes * limits.max_credit_share_percent / 100
    if cost_bytes > allowed_bytes:
        what = f"The run would take up to {_amount(cost_bytes)} of the {_amount(balance_bytes)} of credits"
        share = f"the {limits.max_credit_share_percent:g} % of MaxCreditSharePercent, {_amount(allowed_bytes)}"
        yield SkipReason.CREDIT_SHARE, f"{what}, more than {share}"


def _amount(amount_bytes: float) -> str:
    return f"{amount_bytes / GIB:,.2f} GiB" if amount_bytes >= GIB else f"{amount_bytes / MIB:,.1f} MiB"
