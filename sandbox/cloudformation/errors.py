"""CloudFormation's own error codes, so that clients recognise what went wrong."""

from moto.core.exceptions import ServiceException


class Refused(ServiceException):  # type: ignore[misc] # moto carries no types
    """A request that AWS would refuse too: nothing was changed."""

    code: str
    message: str


def validation_error(message: str) -> Refused:
    return Refused("ValidationError", message)


def no_such_stack(name: str) -> Refused:
    """DescribeStacks words it differently from every other action, and sam reads the words."""
    return validation_error(f"Stack [{name}] does not exist")


class NothingChanged(Exception):
    """The new template and parameters describe the stack as it is."""


class ResourceFailure(Exception):
    """One resource could not be created, updated or deleted; the text becomes its ResourceStatusReason."""
