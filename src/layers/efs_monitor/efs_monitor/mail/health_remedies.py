"""What to do about silence: steps for a mail, and the same in few words for a chat."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.mail.alarm_fault_mails import REVERTED_FIRST, deploy_anew
from efs_monitor.mail.earlier_mails import STILL_TO_BE_DONE
from efs_monitor.mail.layout import INDENT, wrapped
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.stack_functions import StackFunction

type Lines = Callable[[Sequence[str], StackContext], list[str]]

# What starts each of the functions that run by the clock.
SCHEDULES = {
    StackFunction.RECALCULATE_THRESHOLDS: "HourlySchedule",
    StackFunction.SET_LATE_ALARMS: "LateAlarmsSchedule",
    StackFunction.COLLECT_BENCHMARK: "BenchmarkSweep",
}


@dataclass(frozen=True, kw_only=True)
class Remedy:
    """`steps` are the paragraphs of a mail and `commands` the commands among them; both get the topics, alarms,
    functions or stacks that a condition is about. In a chat `way_out` says what the commands are for.
    """

    steps: Lines
    way_out: str
    commands: Lines


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


SUBSCRIBE = Remedy(
    steps=_subscribe,
    way_out="Subscribe it anew, with the address in place of ADDRESS",
    commands=_subscribe_commands,
)


def _confirm(topics: Sequence[str], stack: StackContext) -> list[str]:
    return [
        wrapped(
            'Whoever reads that mailbox opens the mail "AWS Notification - Subscription Confirmation" and follows its '
            "link. The link is valid for two days; after that SNS drops the subscription. An address that was mistyped "
            "and is corrected goes in the same way: nobody need confirm that."
        ),
        "If the mail is lost or too old:",
        *_subscribe(topics, stack)[1:],
    ]


CONFIRM = Remedy(
    steps=_confirm,
    way_out="Follow the link of the confirmation mail. If that is lost or older than two days",
    commands=_subscribe_commands,
)


def _subscribers_commands(topics: Sequence[str], stack: StackContext) -> list[str]:
    return [
        stack.aws_command(f"sns list-subscriptions-by-topic --topic-arn {stack.topic_arn(topic)}") for topic in topics
    ]


def _look_at_subscribers(topics: Sequence[str], stack: StackContext) -> list[str]:
    return [
        "A mailbox is full or gone, or the address of a pager or chat no longer answers. Who is subscribed:",
        *_indented(_subscribers_commands(topics, stack)),
    ]


LOOK_AT_SUBSCRIBERS = Remedy(
    steps=_look_at_subscribers,
    way_out="A mailbox is full or gone, or a pager or chat no longer answers. Who is subscribed",
    commands=_subscribers_commands,
)


def _alarms_commands(alarms: Sequence[str], stack: StackContext) -> list[str]:
    names = " ".join(f"{stack.stack_name}-{alarm}" for alarm in alarms)
    return [stack.aws_command(f"cloudwatch describe-alarms --alarm-names {names}")]


def _give_another_commands(topics: Sequence[str], stack: StackContext) -> list[str]:
    command = stack.tag_command if stack.fleet else stack.update_command
    return [command(Topic(topic).parameter, "ARN") for topic in topics if not stack.makes(topic)]


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


GIVE_ANOTHER = Remedy(
    steps=_give_another,
    way_out="Make it again, or give the stack another; the mail has how",
    commands=_give_another_commands,
)


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


TRY_THE_ALARM = Remedy(
    steps=_try_the_alarm,
    way_out="Repair what the error names, then try a drill. What the alarm shows now",
    commands=_alarms_commands,
)


def _look_at_the_alarm(alarms: Sequence[str], stack: StackContext) -> list[str]:
    return [
        wrapped("The reason above is CloudWatch's own. As a rule somebody edited the alarm; what it is now:"),
        *_indented(_alarms_commands(alarms, stack)),
        wrapped(
            "Undo the edit, and look after the load by hand until it is evaluated again: the balance is drawn below."
        ),
    ]


LOOK_AT_THE_ALARM = Remedy(
    steps=_look_at_the_alarm,
    way_out="Look after the load by hand, and undo what somebody edited. What the alarm is now",
    commands=_alarms_commands,
)


def _look_meanwhile(alarms: Sequence[str], stack: StackContext) -> list[str]:
    return [
        wrapped(
            "There is nothing to repair in the stack. AWS recommends to look after it by hand until it is over: the "
            "balance is drawn below. The AWS Health Dashboard may say more. What the alarm shows now:"
        ),
        *_indented(_alarms_commands(alarms, stack)),
    ]


LOOK_MEANWHILE = Remedy(
    steps=_look_meanwhile,
    way_out="Look after the load by hand until it is over. What the alarm shows now",
    commands=_alarms_commands,
)


def _look_for_clients(about: Sequence[str], stack: StackContext) -> list[str]:
    del about, stack
    return [
        wrapped(
            "Look whether clients have it mounted (ClientConnections in its console, link below), and at the AWS "
            f"Health Dashboard. If nobody uses it, nothing needs to be done about the metrics; {STILL_TO_BE_DONE}."
        )
    ]


LOOK_FOR_CLIENTS = Remedy(
    steps=_look_for_clients,
    way_out="Look whether clients have it mounted, and at the AWS Health Dashboard",
    commands=_none,
)


def _wait_for_them(about: Sequence[str], stack: StackContext) -> list[str]:
    del about, stack
    return [
        wrapped(
            f"Nothing needs to be done about the metrics; {STILL_TO_BE_DONE}. Every few minutes the monitor looks at "
            "what has come meanwhile, and sets the alarms that CloudWatch could not: Warning, Critical and GONE come "
            "as much later as the metrics do, and say how old their figures are; DRAINING takes a fall that nobody "
            "sees to go on, and waits for none. The AWS Health Dashboard may say why."
        )
    ]


WAIT_FOR_THEM = Remedy(
    steps=_wait_for_them,
    way_out="Nothing needs to be done about the metrics, but what a mail about the credits asked for",
    commands=_none,
)


def _log_commands(functions: Sequence[str], stack: StackContext) -> list[str]:
    groups = [re.sub(r"(?<!^)([A-Z])", r"-\1", function).lower() for function in functions]
    return [
        stack.aws_command(
            f"logs filter-log-events --log-group-name /efs-monitor/{stack.stack_name}/{group} "
            '--filter-pattern \'?ERROR ?"timed out" ?"Runtime exited"\''
        )
        for group in groups
    ]


def _look_at_the_log(functions: Sequence[str], stack: StackContext) -> list[str]:
    return [
        "Why, says its log:",
        *_indented(_log_commands(functions, stack)),
        wrapped(
            "As a rule a policy or a boundary is in the way, or somebody edited the function or its role; deploying "
            "the stack again does not undo such an edit. Where the log has nothing of it, the function is throttled: "
            "its concurrency is set to 0, or that of the account is used up."
        ),
    ]


LOOK_AT_THE_LOG = Remedy(
    steps=_look_at_the_log,
    way_out="Why, says its log",
    commands=_log_commands,
)


def _schedule_commands(functions: Sequence[str], stack: StackContext) -> list[str]:
    """Commands that show each schedule and how many runs it may have at once; the recalculation where none is named."""
    commands = []
    for function in [one for one in SCHEDULES if one in functions] or [StackFunction.RECALCULATE_THRESHOLDS]:
        schedule = stack.made_up_name(SCHEDULES[function])
        commands += [
            stack.aws_command(f"scheduler get-schedule --name {schedule}"),
            stack.aws_command(f"lambda get-function-concurrency --function-name {stack.made_up_name(function)}"),
        ]
    return commands


def _look_at_the_schedule(functions: Sequence[str], stack: StackContext) -> list[str]:
    return [
        "Its schedule is switched off or deleted, or the function may not run. Look at both:",
        *_indented(_schedule_commands(functions, stack)),
        wrapped("Where both are as they should be, a policy keeps the schedule's role from starting the function."),
    ]


LOOK_AT_THE_SCHEDULE = Remedy(
    steps=_look_at_the_schedule,
    way_out="Its schedule or the function is switched off or deleted",
    commands=_schedule_commands,
)


def _late_alarms_commands(about: Sequence[str], stack: StackContext) -> list[str]:
    del about
    return [
        *_schedule_commands([StackFunction.SET_LATE_ALARMS], stack),
        *_log_commands([StackFunction.SET_LATE_ALARMS], stack),
    ]


def _look_yourself(about: Sequence[str], stack: StackContext) -> list[str]:
    return [
        wrapped(
            "Look after the load by hand until metrics come in time: the balance is drawn below, as far as it is "
            "known. Why SetLateAlarms does not work, say its schedule, its concurrency and its log:"
        ),
        *_indented(_late_alarms_commands(about, stack)),
    ]


LOOK_YOURSELF = Remedy(
    steps=_look_yourself,
    way_out="Look after the load by hand. Why SetLateAlarms does not work",
    commands=_late_alarms_commands,
)


def _kept_and_others(stacks: Sequence[str], stack: StackContext) -> tuple[str, list[str]]:
    """The stack that is kept, the first by name, and the others: so that the mail of every stack names the same one."""
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


DELETE_ALL_BUT_ONE = Remedy(
    steps=_delete_all_but_one,
    way_out="Subscribe everybody to the one that stays. Then",
    commands=_delete_commands,
)


def _look_commands(instances: Sequence[str], stack: StackContext) -> list[str]:
    del instances
    return [f"sudo ls -lA {stack.benchmark_path}/.efs-monitor-benchmark"]


def _let_it_be_removed(instances: Sequence[str], stack: StackContext) -> list[str]:
    return [
        wrapped(
            "As a rule there is nothing to remove by hand: the instance tries again every half minute for a day, and "
            "so does each later run. Repair the reason, such as a mount that is read-only or full. What is still there "
            "now, said on the instance:"
        ),
        *_indented(_look_commands(instances, stack)),
        wrapped(
            "Where there is no such directory any more, it is done; the next run that leaves nothing ends this. Where "
            "the instance is gone for good, another that has the file system mounted shows the same."
        ),
    ]


LET_IT_BE_REMOVED = Remedy(
    steps=_let_it_be_removed,
    way_out="Repair the reason; the instance tries again by itself for a day. What is still there, on the instance",
    commands=_look_commands,
)
