"""The texts of ours that CloudWatch's own mail carries: each alarm's description, and the reason of a late one.

Rates are coarse on purpose: the size is metered anew about every hour, and an alarm must not be rewritten each
time. For the same reason nothing here tells how a decision came about, only what is true after it.
"""

from datetime import datetime

from efs_monitor.alarms.alarm import ENDED_UNSEEN_MARK, SUSPENDED_MARK, UNSEEN_FALL_MARK, AlarmKind
from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.alarms.decision import Decision
from efs_monitor.alarms.draining import POINTS_EVALUATED, POINTS_TO_ALARM
from efs_monitor.alarms.late_metrics import LateState, are_late, is_forgotten
from efs_monitor.efs.credits import LOWEST_REGIONAL_CAP_BYTES_PER_SECOND, SECONDS_PER_MINUTE, is_no_faster
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.incidents.needed_throughput import elastic_is_faster
from efs_monitor.mail.layout import plain, shortened
from efs_monitor.mail.mode_changes import elastic_command
from efs_monitor.mail.numbers import clock, coarse_rate, counted, rate, size, up_to
from efs_monitor.mail.stack_context import StackContext

# PutMetricAlarm's limit.
DESCRIPTION_CHARACTERS = 1024


def alarm_description(kind: AlarmKind, decision: Decision, stack: StackContext) -> str:
    """The description of the stack's alarm of this kind once `decision` is in force; at most 1,024 characters.

    Paragraphs, and commands indented by four: plain text in a mail, Markdown in the console. The rise alarm is
    not suspended with the others, so its description does not change with the throughput mode.
    """
    if kind is AlarmKind.RISE:
        paragraphs = _rise(decision)
    elif decision.suspended:
        paragraphs = _suspended(decision.file_system, stack)
    elif kind is AlarmKind.EXHAUSTED:
        paragraphs = _exhausted(decision, stack)
    elif kind is AlarmKind.DRAINING:
        paragraphs = _draining(decision)
    else:
        paragraphs = _credits(kind, decision, stack)
    return shortened("\n\n".join(paragraphs), DESCRIPTION_CHARACTERS)


def late_reason(late: LateState, file_system_id: str, now: datetime) -> str:
    """The reason with which an alarm is set late, for CloudWatch's own mail: which balance, and why not before."""
    balance = f"{size(late.decisive.balance_bytes)} at {clock(late.decisive.time, now)}"
    age = counted(round((now - late.newest.time).total_seconds() / SECONDS_PER_MINUTE))
    minutes = counted(round(late.alarm.threshold or 0))
    if late.unseen_bytes_per_second is not None:
        return (
            f"{UNSEEN_FALL_MARK} The newest datapoint of {file_system_id} is {age} old: the balance was {balance}, and "
            f"fell by {rate(late.unseen_bytes_per_second)}. If that went on, it lasts less than {minutes} from now. "
            f"Without datapoints CloudWatch leaves an alarm as it is, so the monitor has set this one. If the load has "
            f"ended, nothing is wrong."
        )
    if late.state == "OK" and is_forgotten(late.newest, late.alarm, now):
        return (
            f"{UNSEEN_FALL_MARK} The newest datapoint of {file_system_id} is {age} old. Whether its balance, "
            f"{balance}, still falls nobody knows any more, so the monitor has ended this alarm."
        )
    if late.kind is AlarmKind.DRAINING:
        fast = f"{POINTS_TO_ALARM} or more" if late.state == "ALARM" else f"fewer than {POINTS_TO_ALARM}"
        return (
            f"LATE METRICS: In {fast} of {counted(POINTS_EVALUATED)} the balance fell so fast that it lasts less than "
            f"{minutes}; it was {balance}. The newest datapoint of {file_system_id} is {age} old. CloudWatch may see "
            f"too few of these minutes, so the monitor has set this alarm."
        )
    if not are_late([late.newest], now):
        return (
            f"{ENDED_UNSEEN_MARK} The balance of {file_system_id} was {balance}, below the threshold, and is above it "
            f"now. CloudWatch looks back {counted(EVALUATION_MINUTES)}, and that datapoint came later. So the monitor "
            f"has set this alarm, and CloudWatch ends it within the minute."
        )
    judged = (
        f"The balance was {balance}, below the threshold."
        if late.state == "ALARM"
        else f"For {counted(EVALUATION_MINUTES)} the balance was not below the threshold, at last {balance}."
    )
    return (
        f"LATE METRICS: {judged} The newest datapoint of {file_system_id} is {age} old. CloudWatch "
        f"looks back {EVALUATION_MINUTES}, so the monitor has set this alarm."
    )


def why_credits_mean_nothing(file_system: FileSystem) -> str:
    """Why the alarms on credits are suspended, as the second half of a sentence about the file system."""
    if file_system.mode is ThroughputMode.ELASTIC:
        return "is in elastic throughput mode, where burst credits are neither earned nor spent"
    return (
        f"has {coarse_rate(file_system.provisioned_bytes_per_second)} provisioned, more than its size earns, so "
        f"burst credits mean nothing there"
    )


def _credits(kind: AlarmKind, decision: Decision, stack: StackContext) -> list[str]:
    file_system_id = decision.file_system.file_system_id
    minutes = decision.settings.lead_minutes(kind)
    permitted = _with_credits(decision)
    at = "" if decision.reference.may_be_capped else "the permitted "
    return [
        (
            f"ALARM while fewer than {counted(minutes)} of burst credits are left on {file_system_id} at {at}"
            f"{permitted}, OK while there are more. An OK right after deployment (from INSUFFICIENT_DATA) only means "
            f'"armed".'
        ),
        *(
            [_nothing_slows(permitted)]
            if decision.credits_change_nothing
            else [
                f"When they end, everything on it {_slows(decision)}: every read, write and listing of every client.",
                *_way_out(kind, decision, stack),
            ]
        ),
    ]


def _exhausted(decision: Decision, stack: StackContext) -> list[str]:
    file_system_id = decision.file_system.file_system_id
    permitted = _with_credits(decision)
    if decision.credits_change_nothing:
        return [
            (
                f"ALARM while {file_system_id} has under a minute of burst credits, OK while it has more. "
                f'An OK right after deployment (from INSUFFICIENT_DATA) only means "armed".'
            ),
            _nothing_slows(permitted),
        ]
    baseline = _without_credits(decision)
    is_faster = not is_no_faster(decision.reference.bytes_per_second, decision.baseline_bytes_per_second)
    return [
        (
            f"ALARM while {file_system_id} has under a minute of burst credits, OK while it has more. Without "
            f"any it is limited to {baseline}{f', not {permitted}' if is_faster else ''}. An OK "
            f'right after deployment (from INSUFFICIENT_DATA) only means "armed".'
        ),
        *_way_out(AlarmKind.EXHAUSTED, decision, stack),
    ]


def _draining(decision: Decision) -> list[str]:
    """Short: CloudFormation takes all descriptions in one answer of the custom resource. A fall may have no Advice mail
    of its own (notify/same_story.py), so that the newest is of an earlier one.
    """
    return [
        (
            f"ALARM while the burst credits of {decision.file_system.file_system_id} end in fewer than "
            f"{counted(decision.settings.critical_minutes)} at their present pace; OK also once they are "
            f"gone. Steps: the newest Advice mail, maybe of an earlier fall."
        )
    ]


def _way_out(kind: AlarmKind, decision: Decision, stack: StackContext) -> list[str]:
    first_remedy = [
        (
            "In ALARM read the Advice mail first, for prices and what may be cheaper. What works at once, unless the "
            "mode was changed in the last 24 hours, and locks it for 24 hours:"
        ),
        f"    {elastic_command(decision.file_system.file_system_id, stack)}",
    ]
    if decision.file_system.max_io:
        first_remedy = [
            (
                "In ALARM read the Advice mail first, for prices, and provision throughput: Max I/O performance mode "
                "rules out elastic throughput."
            )
        ]
    elif not elastic_is_faster(decision.file_system, decision.baseline_bytes_per_second):
        first_remedy = [
            (
                "In ALARM read the Advice mail first. Only less load helps: One Zone limits elastic and provisioned "
                "throughput, and neither is faster than what is there without credits."
            )
        ]
    return [*first_remedy, *filter(None, [_runbook("Runbook: ", kind, stack)])]


def _runbook(before: str, anchor: str, stack: StackContext) -> str:
    runbook = stack.runbook(anchor)
    return f"{before}{plain(runbook)}" if runbook else ""


def _slows(decision: Decision) -> str:
    """What the end of the credits does; two rates only where they are two."""
    with_credits, without = decision.reference.bytes_per_second, decision.baseline_bytes_per_second
    if is_no_faster(with_credits, without):
        return f"is limited to {_without_credits(decision)}"
    return f"slows from {_with_credits(decision)} to {_without_credits(decision)}"


def _with_credits(decision: Decision) -> str:
    reference = decision.reference
    return up_to(coarse_rate(reference.bytes_per_second), may_be_less=reference.may_be_capped)


def _without_credits(decision: Decision) -> str:
    """A Region's cap holds there, too."""
    baseline = decision.baseline_bytes_per_second
    may_be_less = decision.reference.may_be_capped and baseline > LOWEST_REGIONAL_CAP_BYTES_PER_SECOND
    return up_to(coarse_rate(baseline), may_be_less=may_be_less)


def _nothing_slows(permitted: str) -> str:
    return (
        f"Nothing slows when they end: its size earns about as much as its Region's limit of {permitted}, or more. "
        f"No action is needed."
    )


def _suspended(file_system: FileSystem, stack: StackContext) -> list[str]:
    return [
        (
            f"{SUSPENDED_MARK} This alarm tells nobody, and stays OK at a threshold of 0: {file_system.file_system_id} "
            f"{why_credits_mean_nothing(file_system)}."
        ),
        (
            "It resumes by itself, with thresholds worked out afresh, within about an hour of the file system living "
            "on burst credits again."
        ),
        *filter(None, [_runbook("More: ", "suspended", stack)]),
    ]


def _rise(decision: Decision) -> list[str]:
    return [
        (
            f"For the monitor itself, in every state; no action is needed. It recalculates the thresholds as soon "
            f"as {decision.file_system.file_system_id} may be driven more than "
            f"{decision.settings.rise_tolerance_percent} % faster than they are made for."
        ),
        f"Reference: {_with_credits(decision)} while credits last.",
    ]
