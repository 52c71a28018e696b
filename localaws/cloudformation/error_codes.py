"""CloudFormation's own error codes, so that clients recognise what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moto.core.exceptions import ServiceException

if TYPE_CHECKING:
    from collections.abc import Collection


class RequestRefused(ServiceException):  # type: ignore[misc] # moto carries no types
    """A request that AWS would refuse too: nothing was changed."""

    code: str
    message: str


def validation_error(message: str) -> RequestRefused:
    return RequestRefused("ValidationError", message)


def no_such_stack(name: str) -> RequestRefused:
    """DescribeStacks words it differently from every other action, and sam reads the words."""
    return validation_error(f"Stack [{name}] does not exist")


class ResourceFailure(Exception):
    """One resource could not be created, updated or deleted; the text becomes its ResourceStatusReason."""


class NameConflict(ResourceFailure):
    """Names of the template that are taken, found before any resource was made."""


def failure_reason(verb: str, failed: Collection[str], failure: ResourceFailure | None = None) -> str:
    """The reason of a stack whose operation failed, as AWS words it."""
    if isinstance(failure, NameConflict):
        return f"{failure} "
    if not failed:
        return f"Output resolution failed: {failure}. "
    return f"The following resource(s) failed to {verb}: [{', '.join(failed)}]. "
