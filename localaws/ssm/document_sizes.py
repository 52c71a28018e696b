"""How large a document of Systems Manager may be, alone and with what it is sent with."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moto.ssm.models import SimpleSystemManagerBackend

from localaws.service_error import ServiceError

MOST_BYTES = 64 * 1_024


def size_bytes(content: str, parameters: Mapping[str, Sequence[str]]) -> int:
    """What counts: "The content of the document must not exceed 64KB. This quota also includes the content specified
    for input parameters at runtime" (CreateDocument). Those are counted as the JSON of a request has them, with their
    names, which AWS does not say: rather refused here than there.
    """
    return len(content.encode()) + (len(json.dumps(parameters).encode()) if parameters else 0)


def check(content: str, parameters: Mapping[str, Sequence[str]]) -> None:
    """Raise ServiceError for what is too large."""
    if size_bytes(content, parameters) > MOST_BYTES:
        raise ServiceError("MaxDocumentSizeExceeded", "The size limit of a document is 64 KB.")


def checked_with[Answer](theirs: Callable[..., Answer]) -> Callable[..., Answer]:
    """`SimpleSystemManagerBackend.create_document` and `update_document`."""

    def checked(backend: SimpleSystemManagerBackend, content: str, **request: Any) -> Answer:
        check(content, {})
        return theirs(backend, content=content, **request)

    return checked
