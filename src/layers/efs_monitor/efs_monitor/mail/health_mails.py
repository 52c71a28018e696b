"""The Advice mails about silence: something keeps people from being told, or has them told twice, or does so no
longer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from efs_monitor.mail.chat import ChatStep, chat
from efs_monitor.mail.earlier_mails import STILL_TO_BE_DONE
from efs_monitor.mail.health_remedies import (
    CONFIRM,
    DELETE_ALL_BUT_ONE,
    GIVE_ANOTHER,
    LET_IT_BE_REMOVED,
    LOOK_AT_SUBSCRIBERS,
    LOOK_AT_THE_ALARM,
    LOOK_AT_THE_LOG,
    LOOK_AT_THE_SCHEDULE,
    LOOK_FOR_CLIENTS,
    LOOK_MEANWHILE,
    LOOK_YOURSELF,
    SUBSCRIBE,
    TRY_THE_ALARM,
    WAIT_FOR_THEM,
    Remedy,
)
from efs_monitor.mail.layout import Message, compose, listed, plain, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.notify.health_finding import OF_METRICS, Condition, Finding

if TYPE_CHECKING:
    from efs_monitor.incidents.seen_again import SeenAgain


@dataclass(frozen=True, kw_only=True)
class Wording:
    """How one condition is told, and its end. `anchor` is the runbook's; `head` says whether there is anything to do,
    and `left_to_do` what is when it is over, of which a mail is promised for the time when it `ends`.
    """

    headline: str
    meaning: str
    remedy: Remedy
    over: str
    anchor: str
    head: str = "ACTION"
    left_to_do: str = f"Nothing is left to do about it; {STILL_TO_BE_DONE}."
    ends: str = "it is over"


def silence_found(findings: Sequence[Finding], file_system_id: str, stack: StackContext) -> Message:
    """One mail about all findings of one and the same condition; there is at least one."""
    condition = findings[0].condition
    wording = WORDINGS[condition]
    about = _distinct(finding.about for finding in findings)
    details = [finding.detail for finding in findings if plain(finding.detail).strip()]
    if (seen := findings[0].last_seen) is not None:
        from efs_monitor.mail.last_seen_mails import MetricsMail, metrics_gone_amid  # noqa: PLC0415 - a cold start in a calm hour does not pay for what helps at zero

        mail = MetricsMail(
            headline=wording.headline,
            meaning=wording.meaning.format(it=file_system_id),
            details=details,
            rest=[] if condition is Condition.METRICS_STOPPED else wording.remedy.steps(about, stack),
            ends=wording.ends,
            anchor=wording.anchor,
        )
        return metrics_gone_amid(seen, mail, file_system_id, stack)
    return compose(
        subject=f"{wording.head}: {wording.headline}, {file_system_id}",
        about=", ".join(about),
        paragraphs=[
            wrapped(wording.meaning.format(it=file_system_id)),
            *([listed(*details)] if details else []),
            *wording.remedy.steps(about, stack),
            f"This mail is not repeated; another one says when {wording.ends}.",
            *links(stack, wording.anchor, file_system_id),
        ],
        short=f"{wording.head} {file_system_id}: {wording.headline}{_bracketed(about)}.",
        chat=chat(
            stack,
            file_system_id,
            wording.anchor,
            [wording.meaning.format(it=file_system_id), *details],
            [
                ChatStep(words=wording.remedy.way_out, command=one)
                for one in wording.remedy.commands(about, stack) or [""]
            ],
        ),
    )


def silence_over(
    condition: Condition,
    about: Sequence[str],
    file_system_id: str,
    stack: StackContext,
    balance: "SeenAgain | None" = None,
) -> Message:
    """The end of a condition that was told, for each of the topics, alarms, functions or stacks named; of metrics that
    are there again, with what they say of the `balance`.
    """
    wording = WORDINGS[condition]
    about = _distinct(about)
    left_to_do = wording.left_to_do
    if condition in OF_METRICS and balance is not None:
        from efs_monitor.mail.last_seen_mails import left_to_do_about_credits  # noqa: PLC0415 - a cold start in a calm hour does not pay for what helps at zero

        left_to_do = f"Nothing is left to do about the metrics. {left_to_do_about_credits(balance)}"
    over = f"{wording.over.capitalize()}: {file_system_id}{_bracketed(about)}. {left_to_do}"
    before = f'You were told "{wording.headline}" before.'
    return compose(
        subject=f"INFO: {wording.over}, {file_system_id}",
        about=", ".join(about),
        paragraphs=[
            wrapped(over),
            before,
            *links(stack, wording.anchor, file_system_id),
        ],
        short=f"INFO {file_system_id}: {wording.over}{_bracketed(about)}.",
        chat=chat(stack, file_system_id, wording.anchor, [over, before]),
    )


def _distinct(about: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(about) if name]


def _bracketed(about: Sequence[str]) -> str:
    return f" ({', '.join(about)})" if about else ""


KEEPS_ITS_STATE = "Missing data leaves an alarm as it is, so nobody is warned however low the balance is."
MAY_NOT_NOTICE = "Whatever state it shows, it may not notice what it is there for"

WORDINGS = {
    Condition.UNSUBSCRIBED: Wording(
        headline="mail address not subscribed",
        meaning="The AlertEmail of {it} is not subscribed to all of its topics any more: somebody, or a mail scanner "
        "that follows every link, followed the link to unsubscribe; or it was not confirmed within two days, after "
        "which SNS drops it. Messages of these topics do not reach it:",
        remedy=SUBSCRIBE,
        over="mail address subscribed again",
        anchor="mail-address-not-subscribed",
    ),
    Condition.UNCONFIRMED: Wording(
        headline="subscription not confirmed",
        meaning="These subscribers have not confirmed, so no message about {it} reaches them on these topics:",
        remedy=CONFIRM,
        over="no subscription waits to be confirmed any more",
        left_to_do="Look whether they confirmed: SNS drops who has not within two days, and then they must be "
        "subscribed anew.",
        anchor="subscription-not-confirmed",
    ),
    Condition.UNDELIVERED: Wording(
        headline="messages not delivered",
        meaning="SNS could not deliver messages about {it} to everybody who is subscribed:",
        remedy=LOOK_AT_SUBSCRIBERS,
        over="messages are delivered again",
        anchor="messages-not-delivered",
    ),
    Condition.TOPIC_GONE: Wording(
        headline="topic deleted, nobody is told on it",
        meaning="The stack of {it} tells a topic that does not exist any more. What goes there reaches nobody:",
        remedy=GIVE_ANOTHER,
        over="the topic is there again",
        # Where another topic is given in its place, nobody is mailed: of that one nothing is wrong.
        ends="the topic is there again",
        left_to_do="Where it was made anew, look who is subscribed to it: its subscribers went with the one before.",
        anchor="topic-deleted",
    ),
    Condition.ACTION_FAILED: Wording(
        headline="alarm action failed",
        meaning="An alarm of {it} changed its state, and CloudWatch could not tell:",
        remedy=TRY_THE_ALARM,
        over="alarm actions work again",
        anchor="alarm-action-failed",
    ),
    Condition.EVALUATION_ERROR: Wording(
        headline="an alarm cannot be evaluated",
        meaning="CloudWatch cannot evaluate an alarm of {it}, because of how the alarm is set up (EVALUATION_ERROR). "
        f"{MAY_NOT_NOTICE}:",
        remedy=LOOK_AT_THE_ALARM,
        over="alarms are evaluated again",
        anchor="alarm-not-evaluated",
    ),
    Condition.EVALUATION_FAILURE: Wording(
        headline="CloudWatch does not evaluate an alarm",
        meaning="CloudWatch has trouble of its own with an alarm of {it} (EVALUATION_FAILURE), which passes. "
        f"{MAY_NOT_NOTICE}:",
        remedy=LOOK_MEANWHILE,
        over="alarms are evaluated again",
        anchor="alarm-not-evaluated",
    ),
    Condition.METRICS_LATE: Wording(
        headline="metrics come late, and so do warnings",
        meaning="CloudWatch gets the BurstCreditBalance of {it} later than its alarms look back:",
        remedy=WAIT_FOR_THEM,
        over="metrics come in time again",
        anchor="metrics-come-late",
        head="INFO",
    ),
    Condition.METRICS_UNSEEN: Wording(
        headline="metrics come late, nobody is warned",
        meaning="CloudWatch gets the BurstCreditBalance of {it} later than its alarms look back, and the monitor's "
        "function that would set them meanwhile, SetLateAlarms, does not work:",
        remedy=LOOK_YOURSELF,
        over="metrics come in time again",
        anchor="metrics-come-late",
    ),
    Condition.METRICS_STOPPED: Wording(
        headline="metrics stopped, nobody is warned",
        meaning=f"CloudWatch gets no BurstCreditBalance of {{it}} any more. {KEEPS_ITS_STATE}",
        remedy=LOOK_FOR_CLIENTS,
        over="metrics are back",
        anchor="metrics-stopped",
    ),
    Condition.METRICS_NEVER_CAME: Wording(
        headline="no metrics yet, is a client mounted?",
        meaning="CloudWatch has not had a single BurstCreditBalance of {it} since the alarms exist. "
        f"{KEEPS_ITS_STATE} AWS does not say whether the metric is there while no client has mounted the file system.",
        remedy=LOOK_FOR_CLIENTS,
        over="the first metrics are there",
        anchor="metrics-stopped",
    ),
    Condition.FUNCTION_FAILS: Wording(
        headline="a function of the monitor fails",
        meaning="A function of the monitor of {it} fails again and again. The alarms go on working at the "
        "thresholds they have; CloudWatch's own mails arrive.",
        remedy=LOOK_AT_THE_LOG,
        over="functions of the monitor work again",
        anchor="a-function-failed",
    ),
    Condition.NOT_RECALCULATED: Wording(
        headline="thresholds are not recalculated",
        meaning="The hourly recalculation for {it} has not run for three hours. The alarms go on working, at "
        "thresholds that do not follow the file system any more.",
        remedy=LOOK_AT_THE_SCHEDULE,
        over="thresholds are recalculated again",
        anchor="not-recalculated",
    ),
    Condition.NOT_STARTED: Wording(
        headline="a function of the monitor is not started",
        meaning="The schedule of a function of the monitor of {it} has not started it for three hours. The alarms go "
        "on working. What is not done meanwhile:",
        remedy=LOOK_AT_THE_SCHEDULE,
        over="functions of the monitor are started again",
        anchor="not-started",
    ),
    Condition.WATCHED_TWICE: Wording(
        headline="file system watched by another stack too",
        meaning="{it} has more than one stack of this monitor in this account and Region. Every warning comes from "
        "each of them, each is paid for, and benchmarks of both are load for the same file system. The others:",
        remedy=DELETE_ALL_BUT_ONE,
        over="a stack that watched it too is gone",
        left_to_do="Any other that an earlier mail named watches it still, until a mail like this one names that.",
        anchor="watched-by-another-stack",
    ),
    Condition.LEFT_BEHIND: Wording(
        headline="a benchmark left files behind",
        meaning="A benchmark of {it} could not remove all that it had made. What lies on the file system is stored, "
        "and paid for, as long as it is there:",
        remedy=LET_IT_BE_REMOVED,
        over="benchmarks leave nothing behind any more",
        left_to_do="The newest run removed what it could find. Only an empty directory that somebody had moved away "
        "stays until somebody removes it.",
        anchor="benchmark-files-left-behind",
    ),
}
