"""Run a benchmark: read what it would meet, decide, send the document or say why not, enter what is billed."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from efs_monitor.alarms.alarm import CREDIT_ALARMS
from efs_monitor.aws import cloudwatch_alarms, efs, efs_metrics, systems_manager
from efs_monitor.aws.embedded_metrics import publish_skip
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.benchmarks import sending
from efs_monitor.benchmarks.benchmark_settings import BenchmarkSettings
from efs_monitor.benchmarks.cost import run_cost, search_start, with_missing_runs
from efs_monitor.benchmarks.ledger import Ledger, month_of
from efs_monitor.benchmarks.refusals import Preconditions, Skip, may_run
from efs_monitor.benchmarks.requests import RunRequest
from efs_monitor.benchmarks.sent_commands import Command
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.config import Config
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.usecases.stored_ledger import StoredLedger


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What became of a request: a word for the log, what whoever asked is told, and what the log has besides."""

    headline: str
    answer: dict[str, object]
    only_logged: dict[str, object] = field(default_factory=dict)


def run_benchmark(
    clients: Clients, config: Config, settings: BenchmarkSettings, request: RunRequest, clock: Callable[[], datetime]
) -> Answered:
    """Send the run that is asked for, once, unless it would do harm; enter in the ledger what it is billed.

    `clock` is asked again for when the lease begins: in an account that is throttled the calls before it may take
    longer than a lease lasts.
    """
    now = clock()
    workloads = sending.wanted_workloads(request, settings)
    file_system = efs.describe(clients.efs, config.file_system_id)
    stored = StoredLedger(clients.ssm, settings.parameter_name, config.file_system_id)
    ledger = stored.read()
    if ledger.first_start is not None and request.by_cron:
        # Once the schedule is that rate again, it fires at once again.
        ledger = stored.save(replace(ledger, first_start=None), ledger)
    first_start = ledger.first_start_for(request.rate, request.idempotency_key)
    if first_start is not None:
        stored.save(replace(ledger, first_start=first_start), ledger)
        return Answered(headline="skipped", answer=sending.first_start_described())
    since = search_start(ledger, file_system, now)
    sent = systems_manager.sent_since(clients.ssm, settings.document_name, since)
    # The scheduler may deliver a start twice, and whoever calls may try again after this function has sent its run.
    sent_before = next((one for one in sent if one.idempotency_key == request.idempotency_key), None)
    if sent_before is None and ledger.has_sent(request.idempotency_key):
        return Answered(headline="sent before", answer=sending.sent_by_another_document(request))
    run = sent_before
    if run is None:
        ledger_now = with_missing_runs(ledger, sent, file_system, now)
        inputs = _read_preconditions(
            clients, config, settings, request, file_system, sent=sent, ledger=ledger_now, now=now
        )
        skip = _refusal(inputs, workloads, settings, request)
        if skip is not None:
            publish_skip(config.file_system_id, now)
            return Answered(headline="skipped", answer=sending.skip_described(skip))
        ledger = stored.take_lease(request.idempotency_key, ledger, clock())
        run = _send(clients, config, settings, request, workloads, inputs.instance_ids)
    entered = with_missing_runs(ledger, (*sent, run), file_system, now)
    if entered != ledger:
        stored.save(entered, ledger)
    return Answered(
        headline="sent before" if sent_before else "sent",
        answer=sending.described(run, file_system),
        only_logged={"by_hand": request.by_hand},
    )


@dataclass(frozen=True, kw_only=True)
class _RunInputs:
    """What a run would meet, and the ids of the instances that would measure."""

    preconditions: Preconditions
    instance_ids: tuple[str, ...]


def _read_preconditions(
    clients: Clients,
    config: Config,
    settings: BenchmarkSettings,
    request: RunRequest,
    file_system: FileSystem,
    *,
    sent: tuple[Command, ...],
    ledger: Ledger,
    now: datetime,
) -> _RunInputs:
    """The file system's credits, its alarms, the instances that answer, and the runs that have not ended."""
    wanted = request.instance_ids
    alarms = cloudwatch_alarms.read(clients.cloudwatch, config.stack_name)
    minutes = efs_metrics.observe(clients.cloudwatch, file_system, now).minutes
    online = systems_manager.online(clients.ssm, config.file_system_id, settings.instance_ids)
    chosen = tuple(one for one in online if not wanted or one in wanted)[: systems_manager.MOST_INSTANCES]
    running = [one.run_id for one in sent if one.running(now)]
    on = tuple(alarms[kind].name for kind in CREDIT_ALARMS if kind in alarms and alarms[kind].state == "ALARM")
    preconditions = Preconditions(
        file_system=file_system,
        balance_bytes=minutes[-1].balance_bytes if minutes else None,
        alarms_on=on,
        targets=_targets(config, settings, wanted),
        instances_online=len(chosen),
        running=f"The run {running[0]}" if running else "",
        billed_this_month_bytes=ledger.billed_in(month_of(now)),
    )
    return _RunInputs(preconditions=preconditions, instance_ids=chosen)


def _targets(config: Config, settings: BenchmarkSettings, wanted: tuple[str, ...]) -> str:
    """Which instances are meant, in words."""
    tagged = f"the instances tagged {systems_manager.TAG} = {config.file_system_id}"
    allowed = ", ".join(settings.instance_ids) or tagged
    return f"{', '.join(wanted)} of {allowed}" if wanted else allowed


def _refusal(
    inputs: _RunInputs, workloads: tuple[Workload, ...], settings: BenchmarkSettings, request: RunRequest
) -> Skip | None:
    """Why the run may not be sent; None where it may, with what a person overrode in the log."""
    cost = run_cost(workloads, max(1, len(inputs.instance_ids)))
    limits = sending.limits_of(settings)
    verdict = may_run(cost, inputs.preconditions, limits, accept_cost_bytes=request.accept_cost_bytes)
    if isinstance(verdict, Skip):
        return verdict
    if verdict.overridden:
        logger.warning("overridden", extra={"sentences": list(verdict.overridden)})
    return None


def _send(
    clients: Clients,
    config: Config,
    settings: BenchmarkSettings,
    request: RunRequest,
    workloads: tuple[Workload, ...],
    instance_ids: tuple[str, ...],
) -> Command:
    parameters = sending.parameters(request.run_id, config.file_system_id, settings, workloads, len(instance_ids))
    comment = sending.comment(parameters)
    return systems_manager.send(clients.ssm_once, settings.document_name, instance_ids, parameters, comment)
