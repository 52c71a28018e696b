"""How a service refuses: a code of its API model and a sentence."""

from moto.core.exceptions import ServiceException


class ServiceError(ServiceException):  # type: ignore[misc] # moto has no types
    """Ours, because moto looks an exception of its own up in the service of the package it comes from."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
