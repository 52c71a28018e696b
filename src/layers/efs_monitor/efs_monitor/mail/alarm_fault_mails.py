"""The Advice mails about the monitor's own surroundings: the file system is gone, an alarm was edited or deleted."""

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.alarm import alarm_name as name_of
from efs_monitor.mail.chat import chat
from efs_monitor.mail.earlier_mails import STILL_TO_BE_DONE
from efs_monitor.mail.layout import INDENT, Message, compose, listed, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.stack_context import StackContext

# Drift-aware change sets: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/drift-aware-change-sets.html
REVERTED_FIRST = (
    'A change set that reverts drift does, and deletes nothing: docs/runbook.md has it under "Alarm missing". Where it '
    "is refused, or the AWS command line is too old to know --deployment-mode, delete the stack and deploy it again, "
    "but not while one of its alarms is on: until all have confirmed anew, nobody is warned of anything."
)
NOTHING_ABOUT_IT = f"Nothing is to be done about the alarm; {STILL_TO_BE_DONE}."


def alarm_edited(alarm_name: str, edits: tuple[str, ...], file_system_id: str, stack: StackContext) -> Message:
    """Somebody changed an alarm by hand; `edits` are sentences, one a change, as `alarms.edits` gives them."""
    which = _which(alarm_name, stack)
    return compose(
        subject=f"ACTION: alarm edited by hand, {file_system_id}",
        about=which,
        paragraphs=[
            wrapped(
                f"Somebody edited the {which} alarm of {file_system_id} by hand, or deleted it and made it anew. It "
                "differs from its stack:"
            ),
            listed(*edits),
            wrapped(
                "If that is meant, do nothing: the monitor changes only an alarm's threshold and description, the "
                "edit stays, and this mail is not repeated."
            ),
            "If it is not, undo it in the console (link below). Actions that were switched off come back with:",
            INDENT + stack.aws_command(f"cloudwatch enable-alarm-actions --alarm-names {alarm_name}"),
            *links(stack, "alarm-edited", file_system_id, alarm_name),
        ],
        short=f"ACTION {file_system_id}: the {which} alarm was edited by hand.",
        chat=chat(
            stack,
            file_system_id,
            "alarm-edited",
            [
                f"Somebody edited the {which} alarm of {file_system_id} by hand. The mail says in what it differs.",
                "If that is meant, do nothing. If it is not, undo it in the console.",
            ],
            alarm_name=alarm_name,
        ),
    )


def alarm_missing(alarm_name: str, file_system_id: str, stack: StackContext) -> Message:
    """Somebody deleted an alarm; what that costs depends on which."""
    which = _which(alarm_name, stack)
    rise = alarm_name == name_of(stack.stack_name, AlarmKind.RISE)
    effect = (
        "Until it is back, thresholds follow a faster file system up to an hour late."
        if rise
        else "Until it is back, nobody is told when burst credits fall again while Critical is on."
        if alarm_name == name_of(stack.stack_name, AlarmKind.DRAINING)
        else "Until it is back, nobody is told when burst credits fall below its threshold."
    )
    return compose(
        subject=f"ACTION: alarm deleted{'' if rise else ', nobody is warned'}, {file_system_id}",
        about=which,
        paragraphs=[
            wrapped(f"The {which} alarm of {file_system_id} was deleted by hand. {effect}"),
            wrapped(
                "Deploying the stack once more does not bring it back: CloudFormation does not notice what was "
                f"deleted behind its back. {REVERTED_FIRST}"
            ),
            *deploy_anew(stack),
            *links(stack, "alarm-missing", file_system_id),
        ],
        short=f"ACTION {file_system_id}: the {which} alarm was deleted by hand. The mail has how it comes back.",
        chat=chat(
            stack,
            file_system_id,
            "alarm-missing",
            [
                f"The {which} alarm of {file_system_id} was deleted by hand. {effect}",
                "Deploying the stack once more does not bring it back. The mail has what does.",
            ],
        ),
    )


def alarm_restored(alarm_name: str, file_system_id: str, stack: StackContext) -> Message:
    """An alarm that was deleted exists again."""
    which = _which(alarm_name, stack)
    return compose(
        subject=f"INFO: alarm restored, {file_system_id}",
        about=which,
        paragraphs=[
            wrapped(
                f"The {which} alarm of {file_system_id} exists again, and the monitor keeps its threshold right. "
                f"{NOTHING_ABOUT_IT}"
            ),
            *links(stack, "alarm-missing", file_system_id, alarm_name),
        ],
        short=f"INFO {file_system_id}: the {which} alarm exists again.",
        chat=chat(
            stack,
            file_system_id,
            "alarm-missing",
            [f"The {which} alarm of {file_system_id} exists again. {NOTHING_ABOUT_IT}"],
            alarm_name=alarm_name,
        ),
    )


def edit_undone(alarm_name: str, file_system_id: str, stack: StackContext) -> Message:
    """An alarm that was edited by hand is as its stack has it again."""
    which = _which(alarm_name, stack)
    is_undone = f"The {which} alarm of {file_system_id} is as its stack has it again. {NOTHING_ABOUT_IT}"
    return compose(
        subject=f"INFO: alarm edit undone, {file_system_id}",
        about=which,
        paragraphs=[
            wrapped(is_undone),
            *links(stack, "alarm-edited", file_system_id, alarm_name),
        ],
        short=f"INFO {file_system_id}: the {which} alarm is as its stack has it again.",
        chat=chat(
            stack,
            file_system_id,
            "alarm-edited",
            [is_undone],
            alarm_name=alarm_name,
        ),
    )


def deploy_anew(stack: StackContext) -> list[str]:
    """How what was deleted by hand comes back, however the stack was deployed."""
    parameters = f"cloudformation describe-stacks --stack-name {stack.stack_name} --query 'Stacks[].Parameters[]'"
    return [
        "What it was deployed with, to be kept; then its end:",
        INDENT + stack.aws_command(parameters),
        INDENT + stack.delete_command(),
        wrapped(
            "Once it is gone, deploy it as it was deployed before, with these parameters (docs/deployment.md). Topics "
            "that it makes are new then: everybody must confirm the subscription once more. The file system is not "
            "touched."
        ),
    ]


def _which(alarm_name: str, stack: StackContext) -> str:
    """The alarm's own part of its name: the rest is the stack's, which the mail names anyway."""
    return alarm_name.removeprefix(f"{stack.stack_name}-")
