"""The report of a scenario that was played: what the stack's own alarms, mails, runs and benchmarks were."""

from dataclasses import replace
from math import ceil

from localaws.sns.mailbox import Mail as Received
from operate.benchmark.results_table import HEADINGS, NONE, table_rows
from operate.history.cache import Cache
from operate.history.file_system_history import History, history_of
from operate.history.reading import COARSE_DAYS, read_live
from operate.replay.replayed_account import Recalculation, ReplayedMail
from operate.replay.replayed_metrics import MINUTE
from operate.report.alarm_history import (
    read_alarm_history,
    spans_remembered,
    suspensions_remembered,
    thresholds_remembered,
)
from operate.report.contents import Contents, MeasuredWorkload, advice_on, spells_below
from operate.report.of_stack import settings_of
from stage.runs import STACK_NAME, Played
from stage.scenario_instances.reports import reports
from stage.scenario_tables import MINUTES_PER_DAY

# What SNS adds to a mail.
FOOTER = "--\nIf you wish to stop receiving"


def contents_of_played(result: Played) -> Contents:
    """Everything, read from the local AWS while it still answers; HistoryRefused where it has too few metrics."""
    sandbox, scenario = result.sandbox, result.player.scenario
    now = sandbox.clock.now()
    days = min(ceil(scenario.minutes / MINUTES_PER_DAY) + 1, COARSE_DAYS)
    efs, cloudwatch = sandbox.client("efs"), sandbox.client("cloudwatch")
    recorded = read_live(efs, cloudwatch, scenario.file_system_id, days, now, Cache(folder=None))
    history = history_of(recorded, None, now)
    remembered, _ = read_alarm_history(cloudwatch, STACK_NAME)
    thresholds = thresholds_remembered(remembered, history)
    advice, why_none = advice_on(history)
    benchmarks, note = _benchmarks(result)
    return Contents(
        source=f"What scenarios/{scenario.name}.toml came to, lived through in the local AWS",
        history=history,
        settings=settings_of(thresholds) if thresholds else None,
        thresholds=thresholds,
        alarms=spans_remembered(remembered, history),
        suspended=suspensions_remembered(remembered, history),
        mails=tuple(dict.fromkeys(_as_read(one, history) for one in sandbox.mailbox.mails)),
        decisions=tuple(_of_history(one, result, history) for one in result.observed.decisions),
        spells=spells_below(history, thresholds),
        benchmarks=benchmarks,
        measured_note=note,
        advice=advice,
        remarks=(*history.remarks, *why_none),
    )


def _as_read(mail: Received, history: History) -> ReplayedMail:
    topic = mail.topic_name.removeprefix(f"{STACK_NAME}-")
    minute = (mail.time - history.metrics.start) // MINUTE
    return ReplayedMail(
        minute, topic, mail.subject, mail.body.partition(FOOTER)[0].strip(), by_cloudwatch=topic != "advice"
    )


def _of_history(decision: Recalculation, result: Played, history: History) -> Recalculation:
    """At the history's minute: that of the scenario may have another first one."""
    return replace(decision, minute=(result.player.time_of(decision.minute) - history.metrics.start) // MINUTE)


def _benchmarks(result: Played) -> tuple[tuple[MeasuredWorkload, ...], str]:
    commands = result.sandbox.agents.commands
    measured = [one for one in commands if one.invocations and "Plan" in one.parameters]
    if not measured:
        return (), ""
    newest = measured[-1]
    rows = [(dict(zip(HEADINGS, cells, strict=True)), why) for cells, why in table_rows(reports(newest))]
    found = tuple(
        MeasuredWorkload(
            workload=cells["workload"],
            instance_type=cells["instance type"],
            rate=cells["rate"].replace(NONE, ""),
            published=cells["published"].replace(NONE, ""),
            ratio=cells["ratio"].replace(NONE, ""),
            note=why,
        )
        for cells, why in rows
    )
    number = f"{len(measured)} benchmarks ran" if len(measured) > 1 else "One benchmark ran"
    return found, f"{number} on this machine. The last, {newest.parameters['RunId']}:"
