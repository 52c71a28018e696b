"""What SNS takes for a topic: policies, by whom and what they name and how much they hold, and a short display name.

https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-language-api-permissions-reference.html
https://github.com/hashicorp/terraform-provider-aws/issues/26041 and, for a service that SNS does not know,
https://github.com/aws/serverless-application-model/issues/1591; for two statements of one name
https://github.com/serverless-operations/serverless-step-functions/issues/801. What SNS says of one that is too large is
not known. Of an action that is none on a topic, or a wildcard, https://github.com/hashicorp/terraform/issues/12740 and
https://github.com/cdklabs/cdk-nag/issues/676. Of a display name
https://github.com/aws-solutions/cognito-user-profiles-export-reference-architecture/issues/7.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from moto.sns.exceptions import SNSInvalidParameter
from moto.sns.models import SNSBackend, Topic

from localaws.iam.principals import unknown_principals

LARGEST_BYTES = 30 * 1024
MOST_STATEMENTS = 100
LONGEST_DISPLAY_NAME = 100
ACTIONS = frozenset(
    {
        *("sns:addpermission", "sns:deletetopic", "sns:getdataprotectionpolicy", "sns:gettopicattributes"),
        *("sns:listsubscriptionsbytopic", "sns:listtagsforresource", "sns:publish", "sns:putdataprotectionpolicy"),
        *("sns:removepermission", "sns:settopicattributes", "sns:subscribe"),
        # In policies of before, which AddPermission still writes.
        "sns:receive",
    }
)
"""What the policy of a topic may allow or deny, in small letters: the first page above lists them."""
UNKNOWN = {"AWS": "PrincipalNotFound", "SERVICE": "null"}


def set_with(theirs: Callable[..., None]) -> Callable[..., None]:
    """`SNSBackend.set_topic_attribute`, which looks at policies and display names."""

    def set_attribute(backend: SNSBackend, topic_arn: str, attribute_name: str, attribute_value: str) -> None:
        if attribute_name == "policy":
            _check(attribute_value)
        elif attribute_name == "display_name" and len(attribute_value) > LONGEST_DISPLAY_NAME:
            raise SNSInvalidParameter("Invalid parameter: DisplayName")
        theirs(backend, topic_arn, attribute_name, attribute_value)

    return set_attribute


def created_with(theirs: Callable[..., Topic]) -> Callable[..., Topic]:
    """`SNSBackend.create_topic`, which looks at policies and display names."""

    def create(backend: SNSBackend, name: str, attributes: Mapping[str, str] | None = None, tags: Any = None) -> Topic:
        if policy := (attributes or {}).get("Policy"):
            _check(policy)
        if len((attributes or {}).get("DisplayName", "")) > LONGEST_DISPLAY_NAME:
            raise SNSInvalidParameter("Invalid parameter: Attributes Reason: DisplayName")
        return theirs(backend, name, attributes, tags)

    return create


def _check(text: str) -> None:
    if len(text.encode()) > LARGEST_BYTES:
        raise _refused(f"it has {len(text.encode())} bytes, and at most {LARGEST_BYTES} bytes are allowed")
    statements = json.loads(text).get("Statement", [])
    statements = statements if isinstance(statements, list) else [statements]
    if len(statements) > MOST_STATEMENTS:
        raise _refused(f"it has {len(statements)} statements, and at most {MOST_STATEMENTS} are allowed")
    names = Counter(statement["Sid"] for statement in statements if statement.get("Sid"))
    if any(number > 1 for number in names.values()):
        raise SNSInvalidParameter("Invalid parameter: Every policy statement must have a unique ID")
    for statement in statements:
        for kind, _ in unknown_principals(statement.get("Principal")):
            raise _refused(UNKNOWN[kind])
        actions = statement.get("Action", [])
        if not ACTIONS.issuperset(one.lower() for one in ([actions] if isinstance(actions, str) else actions)):
            raise SNSInvalidParameter("Invalid parameter: Policy statement action out of service scope!")


def _refused(reason: str) -> SNSInvalidParameter:
    return SNSInvalidParameter(f"Invalid parameter: Policy Error: {reason}")
