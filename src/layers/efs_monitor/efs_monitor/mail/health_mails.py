"""The Advice mails about silence: something keeps people from being told, or has them told twice, or does so no
longer.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from efs_monitor.mail.alarm_fault_mails import INDENT, REVERTED_FIRST, deploy_anew
from efs_monitor.mail.chat import ChatStep, chat
from efs_monitor.mail.layout import Message, compose, listed, plain, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.notify.health import Condition, Finding

type Steps = Callable[[Sequence[str], StackContext], list[str]]
type Commands = Callable[[Sequence[str], StackContext], list[str]]


@dataclass(frozen=True, kw_only=True)
class Wording:
    """How one condition is told, and its end. `steps` get the topics, alarms, functions or stacks it is about, and so
    do `commands`, of which `way_out` says in a chat what they are for; `anchor` is the runbook's; `head` says whether
    there is anything to do, and `left_to_do` what is when it is over.
    """

    headline: str
    meaning: str
    steps: Steps
    way_out: str
    commands: Commands
    over: str
    anchor: str
    head: str = "ACTION"
    left_to_do: str = "Nothing is left to do about it."


def silence_found(findings: Sequence[Finding], file_system_id: str, stack: StackContext) -> Message:
    """One mail about all findings of one and the same condition; there is at least one."""
    condition = findings[0].condition
    wording = WORDINGS[condition]
    about = _distinct(finding.about for finding in findings)
    details = [finding.detail for finding in findings if plain(finding.detail).strip()]
    return compose(
        subject=f"{wording.head}: {wording.headline}, {file_system_id}",
        about=", ".join(about),
        paragraphs=[
            wrapped(wording.meaning.format(it=file_system_id)),
            *([listed(*details)] if details else []),
            *wording.steps(about, stack),
            "This mail is not repeated; another one says when it is over.",
            *links(stack, wording.anchor, file_system_id),
        ],
        short=f"{wording.head} {file_system_id}: {wording.headline}{_bracketed(about)}.",
        chat=chat(
            stack,
            file_system_id,
            wording.anchor,
            [wording.meaning.format(it=file_system_id), *details],
            [ChatStep(words=wording.way_out, command=one) for one in wording.commands(about, stack) or [""]],
        ),
    )


def silence_over(condition: Condition, about: Sequence[str], file_system_id: str, stack: StackContext) -> Message:
    """The end of a condition that was told, for each of the topics, alarms, functions or stacks named."""
    wording = WORDINGS[condition]
    about = _distinct(about)
    over = f"{wording.over.capitalize()}: {file_system_id}{_bracketed(about)}. {wording.left_to_do}"
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


def _none(about: Sequence[str], stack: StackContext) -> list[str]:
    del about, stack
    return []


def _indented(commands: Iterable[str]) -> list[str]:
    return [INDENT + command for command in commands]


def _subscribe_commands(topics: Sequence[str], stack: StackContext) -> list[str]:
    return [
        stack.aws_command(
            f"sns subscribe --topic-arn {stack.topic_arn(topic)} --protocol email --notification-endpoint ADDRESS"
        )
        for topic in topics
    ]


def _subscribe(topics: Sequence[str], stack: StackContext) -> list[str]:
    return [
        "Subscribe it anew, with the address in place of ADDRESS:",
        *_indented(_subscribe_commands(topics, stack)),
        wrapped(
            "Then confirm it by command, as docs/integrations.md says under Mail: the unsubscribe link is of no use to "
            "a mail scanner afterwards. Deploying again does not help: CloudFormation does not see that it is gone."
        ),
    ]


def _confirm(topics: Sequence[str], stack: StackContext) -> list[str]:
    return [
        wrapped(
            'Whoever reads that mailbox opens the mail "AWS Notification - Subscription Confirmation" and follows its '
            "link. The link is valid for two days; after that SNS drops the subscription."
        ),
        "If the mail is lost or too old:",
        *_subscribe(topics, stack)[1:],
    ]


def _subscribers_commands(topics: Sequence[str], stack: StackContext) -> list[str]:
    return [
        stack.aws_command(f"sns list-subscriptions-by-topic --topic-arn {stack.topic_arn(topic)}") for topic in topics
    ]


def _look_at_subscribers(topics: Sequence[str], stack: StackContext) -> list[str]:
    return [
        "A mailbox is full or gone, or the address of a pager or chat no longer answers. Who is subscribed:",
        *_indented(_subscribers_commands(topics, stack)),
    ]


def _alarms_commands(alarms: Sequence[str], stack: StackContext) -> list[str]:
    names = " ".join(f"{stack.stack_name}-{alarm}" for alarm in alarms)
    return [stack.aws_command(f"cloudwatch describe-alarms --alarm-names {names}")]


def _give_another_commands(topics: Sequence[str], stack: StackContext) -> list[str]:
    command = stack.tag_command if stack.fleet else stack.update_command
    return [command(TOPIC_PARAMETERS[topic], "ARN") for topic in topics if not stack.makes(topic)]


def _where_to_give_it(stack: StackContext) -> str:
    """What lasts: a fleet undoes what is changed in its stacks by hand."""
    if stack.fleet:
        return (
            f"Or have the fleet {stack.fleet}, which made this stack and undoes what is changed in it by hand, give it "
            "another one, with the ARN of that in place of ARN: for this file system alone by a tag of it, for all of "
            "them in MonitorParameters of the fleet"
        )
    return (
        "Or give the stack another one, with the ARN of that in place of ARN; where a file or a pipeline has the "
        "parameters, change it there, too"
    )


def _give_another(topics: Sequence[str], stack: StackContext) -> list[str]:
    """A topic that was given is its owner's; one of the stack's own CloudFormation does not see missing."""
    paragraphs = []
    if commands := _give_another_commands(topics, stack):
        paragraphs += [
            wrapped(
                "Whoever owns it can make it again under the same name, with its subscribers, and with the statement "
                f"of the stack's output TopicPolicies in its policy. {_where_to_give_it(stack)}:"
            ),
            *_indented(commands),
        ]
    if any(map(stack.makes, topics)):
        made = f"The stack made it, and deploying it once more does not bring it back. {REVERTED_FIRST}"
        paragraphs += [wrapped(made), *deploy_anew(stack)]
    return paragraphs


def _try_the_alarm(alarms: Sequence[str], stack: StackContext) -> list[str]:
    return [
        wrapped(
            "CloudWatch does not try again: that change of the alarm was not told. What the alarm shows now:",
        ),
        *_indented(_alarms_commands(alarms, stack)),
        wrapped(
            "Repair what the error names, a policy or a key as a rule, then try the whole way with the drill of "
            "docs/deployment.md."
        ),
    ]


def _look_for_clients(about: Sequence[str], stack: StackContext) -> list[str]:
    del about, stack
    return [
        wrapped(
            "Look whether clients have it mounted (ClientConnections in its console, link below), and at the AWS "
            "Health Dashboard. If nobody uses it, this is nothing to worry about."
        )
    ]


def _wait_for_them(about: Sequence[str], stack: StackContext) -> list[str]:
    del about, stack
    return [
        wrapped(
            "Nothing needs to be done. Every few minutes the monitor looks at what has come meanwhile, and sets the "
            "alarms that CloudWatch could not: a warning comes as much later as the metrics do, and says how old its "
            "figures are. The AWS Health Dashboard may say why."
        )
    ]


def _log_commands(functions: Sequence[str], stack: StackContext) -> list[str]:
    groups = [re.sub(r"(?<!^)([A-Z])", r"-\1", function).lower() for function in functions]
    return [
        stack.aws_command(
            f"logs filter-log-events --log-group-name /efs-monitor/{stack.stack_name}/{group} "
            "--filter-pattern '?ERROR ?\"timed out\"'"
        )
        for group in groups
    ]


def _look_at_the_log(functions: Sequence[str], stack: StackContext) -> list[str]:
    return [
        "Why, says its log:",
        *_indented(_log_commands(functions, stack)),
        wrapped(
            "As a rule a policy or a boundary is in the way, or somebody edited the function or its role; deploying "
            "the stack again does not undo such an edit."
        ),
    ]


def _schedule_commands(about: Sequence[str], stack: StackContext) -> list[str]:
    del about
    return [
        stack.aws_command(f"scheduler get-schedule --name {stack.made_up_name('HourlySchedule')}"),
        stack.aws_command(
            f"lambda get-function-concurrency --function-name {stack.made_up_name('RecalculateThresholds')}"
        ),
    ]


def _look_at_the_schedule(about: Sequence[str], stack: StackContext) -> list[str]:
    return [
        "Its schedule is switched off or deleted, or the function may not run. Look at both:",
        *_indented(_schedule_commands(about, stack)),
    ]


def _kept_and_others(stacks: Sequence[str], stack: StackContext) -> tuple[str, list[str]]:
    """Each of the stacks sends this mail. Whoever pastes what all of them say must still be left with one."""
    kept, *others = sorted({*stacks, stack.stack_name})
    return kept, others


def _delete_commands(stacks: Sequence[str], stack: StackContext) -> list[str]:
    _, others = _kept_and_others(stacks, stack)
    return [stack.delete_command(other) for other in others]


def _delete_all_but_one(stacks: Sequence[str], stack: StackContext) -> list[str]:
    kept, _ = _kept_and_others(stacks, stack)
    return [
        wrapped(
            "Each of them sends this mail, and all say to keep the same one. First subscribe everybody who needs the "
            f"mails to the topics of {kept}; then, to keep {kept} alone:"
        ),
        *_indented(_delete_commands(stacks, stack)),
        wrapped("Where all are meant, there is nothing to do: the alarms of each work by themselves."),
    ]


TOPIC_PARAMETERS = {"warning": "WarningTopicArn", "critical": "CriticalTopicArn", "advice": "AdviceTopicArn"}
KEEPS_ITS_STATE = "Missing data leaves an alarm as it is, so nobody is warned however low the balance is."

WORDINGS = {
    Condition.UNSUBSCRIBED: Wording(
        headline="mail address not subscribed",
        meaning="The AlertEmail of {it} is not subscribed to all of its topics any more: somebody, or a mail scanner "
        "that follows every link, followed the link to unsubscribe. Messages of these topics do not reach it:",
        steps=_subscribe,
        way_out="Subscribe it anew, with the address in place of ADDRESS",
        commands=_subscribe_commands,
        over="mail address subscribed again",
        anchor="mail-address-not-subscribed",
    ),
    Condition.UNCONFIRMED: Wording(
        headline="subscription not confirmed",
        meaning="These subscribers have not confirmed, so no message about {it} reaches them on these topics:",
        steps=_confirm,
        way_out="Follow the link of the confirmation mail. If that is lost or older than two days",
        commands=_subscribe_commands,
        over="no subscription waits to be confirmed any more",
        anchor="subscription-not-confirmed",
    ),
    Condition.UNDELIVERED: Wording(
        headline="messages not delivered",
        meaning="SNS could not deliver messages about {it} to everybody who is subscribed:",
        steps=_look_at_subscribers,
        way_out="A mailbox is full or gone, or a pager or chat no longer answers. Who is subscribed",
        commands=_subscribers_commands,
        over="messages are delivered again",
        anchor="messages-not-delivered",
    ),
    Condition.TOPIC_GONE: Wording(
        headline="topic deleted, nobody is told on it",
        meaning="The stack of {it} tells a topic that does not exist any more. What goes there reaches nobody:",
        steps=_give_another,
        way_out="Make it again, or give the stack another; the mail has how",
        commands=_give_another_commands,
        over="the topic is there again",
        left_to_do="Where it was made anew, look who is subscribed to it: its subscribers went with the one before.",
        anchor="topic-deleted",
    ),
    Condition.ACTION_FAILED: Wording(
        headline="alarm action failed",
        meaning="An alarm of {it} changed its state, and CloudWatch could not tell:",
        steps=_try_the_alarm,
        way_out="Repair what the error names, then try a drill. What the alarm shows now",
        commands=_alarms_commands,
        over="alarm actions work again",
        anchor="alarm-action-failed",
    ),
    Condition.METRICS_LATE: Wording(
        headline="metrics come late, and so do warnings",
        meaning="CloudWatch gets the BurstCreditBalance of {it} later than its alarms look back:",
        steps=_wait_for_them,
        way_out="Nothing needs to be done",
        commands=_none,
        over="metrics come in time again",
        anchor="metrics-come-late",
        head="INFO",
    ),
    Condition.METRICS_STOPPED: Wording(
        headline="metrics stopped, nobody is warned",
        meaning=f"CloudWatch gets no BurstCreditBalance of {{it}} any more. {KEEPS_ITS_STATE}",
        steps=_look_for_clients,
        way_out="Look whether clients have it mounted, and at the AWS Health Dashboard",
        commands=_none,
        over="metrics are back",
        anchor="metrics-stopped",
    ),
    Condition.METRICS_NEVER_CAME: Wording(
        headline="no metrics yet, is a client mounted?",
        meaning="CloudWatch has not had a single BurstCreditBalance of {it} since the alarms exist. "
        f"{KEEPS_ITS_STATE} AWS does not say whether the metric is there while no client has mounted the file system.",
        steps=_look_for_clients,
        way_out="Look whether clients have it mounted, and at the AWS Health Dashboard",
        commands=_none,
        over="the first metrics are there",
        anchor="metrics-stopped",
    ),
    Condition.FUNCTION_FAILS: Wording(
        headline="a function of the monitor fails",
        meaning="A function of the monitor of {it} fails again and again. The alarms go on working at the "
        "thresholds they have; CloudWatch's own mails arrive.",
        steps=_look_at_the_log,
        way_out="Why, says its log",
        commands=_log_commands,
        over="functions of the monitor work again",
        anchor="a-function-failed",
    ),
    Condition.NOT_RECALCULATED: Wording(
        headline="thresholds are not recalculated",
        meaning="The hourly recalculation for {it} has not run for three hours. The alarms go on working, at "
        "thresholds that do not follow the file system any more.",
        steps=_look_at_the_schedule,
        way_out="Its schedule or the function is switched off or deleted",
        commands=_schedule_commands,
        over="thresholds are recalculated again",
        anchor="not-recalculated",
    ),
    Condition.WATCHED_TWICE: Wording(
        headline="file system watched by another stack too",
        meaning="{it} has more than one stack of this monitor in this account and Region. Every warning comes from "
        "each of them, each is paid for, and benchmarks of both are load for the same file system. The others:",
        steps=_delete_all_but_one,
        way_out="Subscribe everybody to the one that stays. Then",
        commands=_delete_commands,
        over="no longer watched by another stack",
        anchor="watched-by-another-stack",
    ),
}
