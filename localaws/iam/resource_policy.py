"""Does a resource's own policy let an AWS service act on it? Topics, functions, keys and roles are asked this way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from localaws.iam.policy import Ask, Verdict, judged, listed


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
    return judged(named, ask) is Verdict.ALLOWED


def _names_service(principal: Any, service: str) -> bool:
    if isinstance(principal, Mapping):
        return "*" in listed(principal.get("AWS")) or service in listed(principal.get("Service"))
    return principal in ("*", service)
