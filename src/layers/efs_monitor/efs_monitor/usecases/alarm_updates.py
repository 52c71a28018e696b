"""Writes a set of alarm updates so that it holds as a whole: all of them, or none."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import ENDED_BY_MODE_MARK, HELD_MARK, WAKING
from efs_monitor.alarms.changes import AlarmUpdate
from efs_monitor.aws.cloudwatch_alarms import forget_state, set_state, state_of, write
from efs_monitor.aws.runtime import logger
from efs_monitor.errors import AwsRefused

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

HELD = f"{HELD_MARK} the balance is or was low, and nobody is to be told of that."
ENDED_BY_MODE = (
    f"{ENDED_BY_MODE_MARK} burst credits mean nothing in the present one, and the alarm is suspended. "
    "The mail about that on the Advice topic says more."
)
# A threshold of bytes or of minutes at which no alarm can be on.
BELOW_WHICH_NOTHING_IS = 0.0


def apply(cloudwatch: "CloudWatchClient", changes: Iterable[AlarmUpdate]) -> None:
    """Write every alarm; when one fails for good, put back those already written and raise AwsRefused.

    What falls silent stays so, and the next run silences the rest: switched on again, an alarm that was just ended
    would go off once more.
    """
    begun: list[AlarmUpdate] = []
    for change in changes:
        begun.append(change)
        try:
            _write(cloudwatch, change)
        except AwsRefused:
            _put_back(cloudwatch, [one for one in begun if not one.after.suspended])
            raise


def _write(cloudwatch: "CloudWatchClient", change: AlarmUpdate) -> None:
    """Write one alarm. Waking one takes three steps, and until the last it still counts as suspended.

    Enabling the actions of an alarm that is already in ALARM sends nothing, so its state is forgotten after
    they are enabled: a transition in between cannot get lost, and an interrupted run is taken up by the next. One that
    is not in ALARM by then goes off by itself, and forgetting that it is OK would only send that it is.

    One that falls silent while it is on is ended before, for its actions tell whoever has it open: with a threshold
    that nothing is below, so that CloudWatch, which judges it within seconds, does not set it off again if it is not
    silent by then. It is ended after that where nobody was told that it is on. One that is held is silent first,
    whatever CloudFormation has made of it meanwhile, and is in ALARM for that reason.
    """
    name, written = change.after.name, change.before
    if change.is_ended and not change.is_unheard:
        written = change.before._replace(threshold=BELOW_WHICH_NOTHING_IS)
        write(cloudwatch, written)
        set_state(cloudwatch, name, "OK", ENDED_BY_MODE)
    if change.is_held:
        silent = change.after.description if change.after.suspended else WAKING
        written = change.after._replace(description=silent, actions_enabled=False)
        write(cloudwatch, written)
        if change.before.state == "ALARM" and not change.is_ended:
            # The reason of a state that is set once more need not be the new one: AWS does not say.
            set_state(cloudwatch, name, "OK", HELD)
        set_state(cloudwatch, name, "ALARM", HELD)
    elif change.wake:
        written = change.after._replace(description=WAKING)
        write(cloudwatch, written)
        if change.is_unheard and state_of(cloudwatch, name) == "ALARM":
            forget_state(cloudwatch, change.after, "Burst credits matter again; the alarm judges them afresh.")
    if change.after != written:
        write(cloudwatch, change.after)
    if change.is_ended and change.is_unheard:
        set_state(cloudwatch, name, "OK", ENDED_BY_MODE)


def _put_back(cloudwatch: "CloudWatchClient", begun: list[AlarmUpdate]) -> None:
    for change in reversed(begun):
        try:
            write(cloudwatch, change.before)
        except AwsRefused as error:
            # The failure that led here is raised by the caller; the next run repairs what stays half done.
            logger.error(f"{change.before.name} could not be put back: {error}")
