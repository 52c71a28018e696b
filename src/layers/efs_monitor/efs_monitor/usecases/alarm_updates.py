"""Writes a set of alarm updates so that it holds as a whole: all of them, or none."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import WAKING
from efs_monitor.alarms.changes import Update
from efs_monitor.aws.cloudwatch_alarms import forget_state, write
from efs_monitor.aws.runtime import logger
from efs_monitor.errors import AwsRefused

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient


def apply(cloudwatch: "CloudWatchClient", changes: Iterable[Update]) -> None:
    """Write every alarm; when one fails for good, put back those already written and raise AwsRefused."""
    begun: list[Update] = []
    for change in changes:
        begun.append(change)
        try:
            _write(cloudwatch, change)
        except AwsRefused:
            _put_back(cloudwatch, begun)
            raise


def _write(cloudwatch: "CloudWatchClient", change: Update) -> None:
    """Write one alarm. Waking one takes three steps, and until the last it still counts as suspended.

    Enabling the actions of an alarm that is already in ALARM sends nothing, so its state is forgotten after
    they are enabled: a transition in between cannot get lost, and an interrupted run is taken up by the next.
    """
    if change.wake:
        write(cloudwatch, replace(change.after, description=WAKING))
        forget_state(cloudwatch, change.after, "Burst credits matter again; the alarm judges them afresh.")
    write(cloudwatch, change.after)


def _put_back(cloudwatch: "CloudWatchClient", begun: list[Update]) -> None:
    for change in reversed(begun):
        try:
            write(cloudwatch, change.before)
        except AwsRefused as error:
            # The failure that led here is raised by the caller; the next run repairs what stays half done.
            logger.error(f"{change.before.name} could not be put back: {error}")
