"""A report of a stack that is deployed: what its own alarms went through, read and nothing written.

GetMetricData and DescribeFileSystems tell the metrics, the thresholds and the benchmarks; DescribeAlarmHistory, where
it is permitted, the states of the alarms and what CloudWatch sent. What the readable mails said is kept nowhere.
"""

import re
from datetime import datetime
from typing import TYPE_CHECKING

from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws.benchmark_rates import newest_rates
from efs_monitor.aws.cloudwatch_metrics import Wanted, read
from efs_monitor.aws.embedded_metrics import NAMESPACE, REFERENCE_THROUGHPUT
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.past_rates import NewestRate
from efs_monitor.benchmarks.published import comparison
from efs_monitor.errors import AwsDenied, AwsRefused, SettingsRefused

from operate.benchmark.results_table import rate_words
from operate.history.file_system_history import History
from operate.replay.replayed_metrics import MINUTE
from operate.report.alarm_history import (
    NEEDED,
    messages_remembered,
    read_alarm_history,
    spans_remembered,
    suspensions_remembered,
    thresholds_remembered,
)
from operate.report.contents import Contents, MeasuredWorkload, ThresholdStep, advice_on, spells_below, thresholds_of
from operate.template_defaults import RISE_TOLERANCE_PERCENT
from operate.terminal import one_line

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

HOUR_SECONDS = 3600
# As CloudFormation lets one be called.
STACK_NAME = re.compile(r"[a-zA-Z][-a-zA-Z0-9]{0,127}")
NO_TEXTS = "What the readable mails said and what recalculations decided is in no metric and no alarm's history"


def nothing_remembered(stack_name: str) -> str:
    """What is to be said where no alarm of that stack has a past: nobody may have deployed one of this name."""
    return f"CloudWatch remembers nothing of alarms called {stack_name}-…: see whether that is the stack's name"


def contents_of_stack(
    cloudwatch: "CloudWatchClient", stack_name: str, history: History, settings: Settings, now: datetime
) -> Contents:
    """Everything that can be read. `settings` are what the thresholds are worked out with where the alarms' history
    does not tell them.
    """
    remarks: list[str] = []
    try:
        remembered, unreadable = read_alarm_history(cloudwatch, stack_name)
    except AwsDenied:
        remembered = ()
        remarks.append(f"The states of the alarms and CloudWatch's messages are missing: {NEEDED} is not permitted")
    except AwsRefused as refused:
        remembered = ()
        remarks.append(f"The states of the alarms and CloudWatch's messages are missing: {one_line(refused)}")
    else:
        if unreadable == 1:
            remarks.append("1 entry of the alarms' history is left out: it is no JSON object")
        elif unreadable:
            remarks.append(f"{unreadable} entries of the alarms' history are left out: they are no JSON objects")
        elif not remembered:
            remarks.append(nothing_remembered(stack_name))
    alarms = spans_remembered(remembered, history)
    thresholds = thresholds_remembered(remembered, history)
    if thresholds:
        known = settings_of(thresholds)
    else:
        thresholds, known = _by_reference(cloudwatch, history, settings, remarks), settings
    advice, why_none = advice_on(history)
    benchmarks, note = _benchmarks(cloudwatch, history.file_system_id, now, remarks)
    return Contents(
        source=f"What the stack {stack_name} went through, as CloudWatch remembers it",
        history=history,
        settings=known,
        thresholds=thresholds,
        alarms=alarms,
        suspended=suspensions_remembered(remembered, history),
        mails=messages_remembered(remembered, alarms, history, stack_name),
        decisions=(),
        spells=spells_below(history, thresholds),
        benchmarks=benchmarks,
        measured_note=note,
        advice=advice,
        remarks=(*history.remarks, *remarks, NO_TEXTS, *why_none),
    )


def settings_of(thresholds: tuple[ThresholdStep, ...]) -> Settings | None:
    """The lead times that the newest thresholds stand for: Exhausted is always one minute. None where somebody has
    changed them by hand.
    """
    newest = thresholds[-1]
    try:
        return Settings(
            warning_minutes=round(newest.warning_bytes / newest.exhausted_bytes),
            critical_minutes=round(newest.critical_bytes / newest.exhausted_bytes),
            rise_tolerance_percent=RISE_TOLERANCE_PERCENT,
        )
    except (SettingsRefused, ZeroDivisionError):
        return None


def measured_of(newest: NewestRate) -> MeasuredWorkload:
    """What the newest run of a workload reached, as CloudWatch has it."""
    published = comparison(newest.workload)
    return MeasuredWorkload(
        workload=newest.workload.id,
        measured_at=f"{newest.time:%a %d %b %H:%M}",
        rate=rate_words(newest.workload, newest.rate),
        published=rate_words(newest.workload, published.rate) if published else "",
        ratio=f"{newest.rate / published.rate:.2f}" if published else "",
    )


def _by_reference(
    cloudwatch: "CloudWatchClient", history: History, settings: Settings, remarks: list[str]
) -> tuple[ThresholdStep, ...]:
    """The thresholds as the dashboard draws them: by the reference that was published, at the given lead times."""
    wanted = Wanted(
        namespace=NAMESPACE,
        metric=REFERENCE_THROUGHPUT,
        dimension=("FileSystemId", history.file_system_id),
        statistic="Maximum",
        period_seconds=HOUR_SECONDS,
    )
    try:
        (series,) = read(
            cloudwatch, [wanted], history.metrics.start, history.time(history.minutes), REFERENCE_THROUGHPUT
        )
    except AwsRefused as refused:
        remarks.append(f"The thresholds are missing: {one_line(refused)}")
        return ()
    if not series:
        remarks.append(f"The thresholds are missing: there is no {REFERENCE_THROUGHPUT} of the monitor in this time")
        return ()
    remarks.append(
        f"The thresholds are worked out from {REFERENCE_THROUGHPUT} with WarningMinutes {settings.warning_minutes} and "
        f"CriticalMinutes {settings.critical_minutes}: say --warning and --critical where the stack has others"
    )
    steps: list[tuple[int, float]] = []
    for time, reference in sorted(series.items()):
        if not steps or steps[-1][1] != reference:
            steps.append(((time - history.metrics.start) // MINUTE, reference))
    return thresholds_of(steps, settings)


def _benchmarks(
    cloudwatch: "CloudWatchClient", file_system_id: str, now: datetime, remarks: list[str]
) -> tuple[tuple[MeasuredWorkload, ...], str]:
    try:
        found = newest_rates(cloudwatch, file_system_id, list(CATALOGUE.values()), now)
    except AwsRefused as refused:
        remarks.append(f"What benchmarks measured is missing: {one_line(refused)}")
        return (), ""
    if not found:
        return (), "None was measured in the last two weeks."
    return tuple(map(measured_of, found)), "The newest run of the last two weeks."
