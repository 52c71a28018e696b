"""Does a resource's own policy let an AWS service act on it? Topics, functions and keys are asked this way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any


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
    effects = [one.get("Effect", "Allow") for one in statements if _applies(one, request)]
    return "Allow" in effects and "Deny" not in effects


def _applies(statement: Mapping[str, Any], request: ServiceRequest) -> bool:
    action = request.action.lower()
    return (
        _names_service(statement.get("Principal"), request.service)
        and any(fnmatchcase(action, pattern.lower()) for pattern in _listed(statement.get("Action")))
        and any(fnmatchcase(request.resource, pattern) for pattern in _listed(statement.get("Resource", "*")))
        and all(
            _holds(operator, key, _listed(expected), request.context())
            for operator, wanted in (statement.get("Condition") or {}).items()
            for key, expected in wanted.items()
        )
    )


def _names_service(principal: Any, service: str) -> bool:
    if isinstance(principal, Mapping):
        return "*" in _listed(principal.get("AWS")) or service in _listed(principal.get("Service"))
    return principal in ("*", service)


def _holds(operator: str, key: str, expected: list[str], context: Mapping[str, str]) -> bool:
    actual = context.get(key.lower())
    match operator:
        case "StringEquals":
            return actual in expected
        case "StringLike" | "ArnLike" | "ArnEquals":
            return actual is not None and any(fnmatchcase(actual, pattern) for pattern in expected)
        case "Bool":
            return actual is not None and actual in [one.lower() for one in expected]
    message = f"the sandbox cannot judge the policy condition {operator} {key}"
    raise ValueError(message)


def _listed(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]
