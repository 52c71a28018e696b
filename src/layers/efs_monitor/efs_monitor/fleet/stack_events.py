"""Why a stack failed, in CloudFormation's words, read off the events that it has of a stack."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_cloudformation.type_defs import StackEventTypeDef

# With this event begins whatever somebody asked for. The next says that all macros did what they should.
INITIATED, EXPANDED = "User Initiated", "Transformation succeeded"
# A name that CloudFormation makes up keeps at least so many characters of what its resource is called.
UNCUT = 20
# What stands behind the reason of a creation that is to be rolled back.
ROLLBACK_REQUESTED = ". Rollback requested by user."
# What a reason says of its request, each time something else: without it the same cause reads the same. The last two
# are of custom resources, one that failed and one that never answered.
REQUESTS = re.compile(
    r"[,;] (S3 Extended )?Request ID: [^,;)\s]+|\bRequestToken: [\w-]+, "
    r"| \(RequestId: [\w-]+\)| for requestId \[[\w-]+\]| \(SDK Attempt Count: \d+\)"
)


def first_cause(events: Iterable["StackEventTypeDef"]) -> str:
    """What went wrong first since somebody asked for something last, of a stack's events, the newest first; empty where
    none says it.

    That is the first resource that failed. Where none did, as where a macro failed or what it made is no template, the
    stack's own events alone have the reason, and none of them ends with _FAILED: the last that it says is why it goes
    back.
    """
    of_resource = of_stack = ""
    for event in events:
        said = REQUESTS.sub("", event.get("ResourceStatusReason", ""))
        if event.get("PhysicalResourceId") == event["StackId"]:
            if said == INITIATED:
                break
            if said != EXPANDED:
                of_stack = of_stack or said.removesuffix(ROLLBACK_REQUESTED)
        elif said and event.get("ResourceStatus", "").endswith("_FAILED"):
            name = event["LogicalResourceId"]
            of_resource = f"{name}: {_made_up_names(name).sub('*', said)}"
    return of_resource or of_stack


def _made_up_names(logical_id: str) -> re.Pattern[str]:
    """What CloudFormation calls a resource that has no name: its stack's name and its own, each of which may be cut,
    and 12 or 13 characters that are others at each try.
    """
    return re.compile(rf"[\w-]+-{re.escape(logical_id[:UNCUT])}\w*-[A-Za-z0-9]{{12,13}}\b")
