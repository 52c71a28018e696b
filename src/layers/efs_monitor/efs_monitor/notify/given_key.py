"""The key that a stack's topics are encrypted with: whether its own policy lets the alarms in.

CloudWatch is a service, for which neither policies of roles nor grants count: without this policy every alarm goes off
and no mail arrives.
"""

import json
from collections.abc import Sequence

from efs_monitor.errors import KeyRefused
from efs_monitor.notify.resource_policy import Says, key_user, says
from efs_monitor.stack_identity import StackIdentity

# What CloudWatch must be allowed, https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html, and of the second
# the one of its actions that SNS asks for.
USE = ("kms:Decrypt", "kms:GenerateDataKey*")
ASKED_FOR = ("kms:Decrypt", "kms:GenerateDataKey")
# In a key's policy the key itself is the only resource.
STATEMENT = json.dumps(
    {
        "Sid": "AlarmsMayPublishToEncryptedTopics",
        "Effect": "Allow",
        "Principal": {"Service": "cloudwatch.amazonaws.com"},
        "Action": USE,
        "Resource": "*",
    }
)


def is_readable(key_arn: str, stack: StackIdentity) -> bool:
    """Whether the policy can be read at all: KMS tells nobody that of another account's key."""
    return key_arn.split(":")[4:5] == [stack.account_id]


def judged_key(key_arn: str, policy: str | None, alarms: Sequence[str], stack: StackIdentity) -> str:
    """What is to be said of a key whose policy was read, or not; KeyRefused where no alarm would get through."""
    if policy is None:
        return (
            "EncryptionKeyArn: its policy may not be read from here, and must let CloudWatch use it. Such as: "
            f"{STATEMENT}"
        )
    answers = {says(policy, action, key_arn, key_user(stack.alarm_arn(end))) for end in alarms for action in ASKED_FOR}
    if Says.DENIES in answers:
        raise KeyRefused(
            f"The policy of {key_arn} (EncryptionKeyArn) has a statement that denies CloudWatch to use it: no alarm "
            "would reach an encrypted topic; change that"
        )
    if Says.NO in answers:
        raise KeyRefused(
            f"The policy of {key_arn} (EncryptionKeyArn) does not let CloudWatch use it with {' and '.join(USE)}: no "
            f"alarm would reach an encrypted topic; add to its statements {STATEMENT}"
        )
    if Says.UNCLEAR in answers:
        return (
            f"EncryptionKeyArn: whether its policy lets CloudWatch use it is not clear from here. Such as: {STATEMENT}"
        )
    return "EncryptionKeyArn: its policy lets CloudWatch use it."
