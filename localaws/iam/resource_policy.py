"""Does a resource's own policy let an AWS service act on it? Topics, functions, keys and roles are asked this way.

And what does it say to the session of a role.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from localaws.iam.policy import Ask, PolicyVerdict, judged, listed


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """A call an AWS service makes on somebody's behalf: CloudWatch for an alarm, for instance."""

    service: str
    action: str
    resource: str
    source_arn: str
    source_account: str

    def context(self) -> dict[str, str]:
        """The condition keys of the request, lower case: policies may write them as they like."""
        return {
            "aws:sourcearn": self.source_arn,
            "aws:sourceaccount": self.source_account,
            # SNS's own older key, which its default topic policy uses.
            "aws:sourceowner": self.source_account,
            "aws:securetransport": "true",
        }


def allows(statements: Iterable[Mapping[str, Any]], request: ServiceRequest) -> bool:
    """True when a statement allows the request and none denies it.

    Raises ValueError for a condition operator it cannot judge, rather than guessing.
    """
    named = [one for one in statements if _names_service(one.get("Principal"), request.service)]
    ask = Ask(action=request.action, resource=request.resource, context=request.context())
    return judged(named, ask) is PolicyVerdict.ALLOWED


def judged_for_session(
    statements: Iterable[Mapping[str, Any]], ask: Ask, role_arn: str, session_arn: str
) -> PolicyVerdict:
    """What a resource's policy says to somebody who signs with a role's session; `ask` has the condition keys."""
    account_id = role_arn.split(":")[4]
    partition = role_arn.split(":")[1]
    names = {"*", account_id, f"arn:{partition}:iam::{account_id}:root", role_arn, session_arn}
    return judged([one for one in statements if names & _accounts(one.get("Principal"))], ask)


def _accounts(principal: Any) -> set[str]:
    """Whom a statement names of accounts, roles and users."""
    return set(listed(principal.get("AWS"))) if isinstance(principal, Mapping) else set(listed(principal))


def _names_service(principal: Any, service: str) -> bool:
    if isinstance(principal, Mapping):
        return "*" in listed(principal.get("AWS")) or service in listed(principal.get("Service"))
    return principal in ("*", service)
