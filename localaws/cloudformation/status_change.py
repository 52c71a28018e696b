"""What CloudFormation tells EventBridge: each new status of a stack.

https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/event-detail-stack-status-change.html
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from localaws.cloudformation.stack import Stack, StackEvent


def status_change(stack: Stack, event: StackEvent) -> dict[str, Any]:
    """The event of a stack's status, as it arrives at the targets of a rule."""
    return {
        "version": "0",
        "id": str(uuid.uuid4()),
        "detail-type": "CloudFormation Stack Status Change",
        "source": "aws.cloudformation",
        "account": stack.identity.account_id,
        "time": f"{event.timestamp:%Y-%m-%dT%H:%M:%SZ}",
        "region": stack.identity.region,
        "resources": [stack.id],
        "detail": {
            "stack-id": stack.id,
            "status-details": {"status": event.status, "status-reason": event.reason or ""},
            "client-request-token": stack.operation_token,
        },
    }
