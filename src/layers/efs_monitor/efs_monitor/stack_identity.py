"""Which stack of CloudFormation something belongs to, as its ARN says, what follows from that and from its name."""

import re
from dataclasses import dataclass

from efs_monitor.errors import EventRefused

LONGEST_STACK_NAME = 128
"""Characters that CloudFormation takes."""

_STACK = r"arn:([^:]+):cloudformation:([^:]+):([^:]+):stack/([^/]+)/.*"


@dataclass(frozen=True, kw_only=True)
class StackIdentity:
    """A stack's partition, Region, account and name."""

    partition: str
    region: str
    account_id: str
    stack_name: str

    @classmethod
    def of(cls, stack_id: str) -> "StackIdentity":
        """Read it off the ARN of the stack; EventRefused for what is none."""
        found = re.fullmatch(_STACK, stack_id)
        if found is None:
            raise EventRefused(f"The request's StackId is {stack_id!r}, not the ARN of a stack")
        partition, region, account_id, stack_name = found.groups()
        return cls(partition=partition, region=region, account_id=account_id, stack_name=stack_name)

    def alarm_arn(self, end: str) -> str:
        """An alarm of the stack, by the end of its name."""
        return f"arn:{self.partition}:cloudwatch:{self.region}:{self.account_id}:alarm:{self.stack_name}-{end}"

    def own_topic_arn(self, end: str) -> str:
        """A topic that the stack makes itself, by the end of its name."""
        return f"arn:{self.partition}:sns:{self.region}:{self.account_id}:{self.stack_name}-{end}"


def smoke_stack_name(stack_name: str) -> str:
    """What the stack is called that `make smoke` makes beside one of this name, and deletes: like it, as far as there
    is room for that.
    """
    suffix = "-smoke"
    return f"{stack_name[: LONGEST_STACK_NAME - len(suffix)]}{suffix}"


def others_that_stay(stack_name: str, others: tuple[str, ...]) -> tuple[str, ...]:
    """Of other stacks for the same file system those that are there to stay, as a stack of this name sees them.

    One that proves another is deleted by whoever made it within the hour, and sees none: nobody is to delete one of the
    two for it.
    """
    names = {stack_name, *others}
    smoke = {smoke_stack_name(name) for name in names} & names
    return () if stack_name in smoke else tuple(name for name in others if name not in smoke)
