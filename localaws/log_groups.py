"""A log group whose name AWS keeps to itself is made for nobody."""

from collections.abc import Callable
from typing import Any

from moto.logs.models import LogGroup, LogsBackend

from localaws.reserved_names import LOG_GROUPS, reserved_beginning
from localaws.service_error import ServiceError


def created_with(theirs: Callable[..., LogGroup]) -> Callable[..., LogGroup]:
    """`LogsBackend.create_log_group`; it refuses in words of the sandbox: those of the service are not public."""

    def create(backend: LogsBackend, log_group_name: str, *request: Any, **further: Any) -> LogGroup:
        if beginning := reserved_beginning(log_group_name, LOG_GROUPS):
            sentence = f"The log group {log_group_name} begins with {beginning}, which is reserved by AWS"
            raise ServiceError("InvalidParameterException", sentence)
        return theirs(backend, log_group_name, *request, **further)

    return create
