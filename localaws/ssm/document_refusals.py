"""What Systems Manager refuses of a document: what is too large, alone or with its parameters, or makes no sense."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moto.ssm.models import SimpleSystemManagerBackend

from localaws import reserved_names
from localaws.service_error import ServiceError
from localaws.ssm import document

COMMAND = "Command"
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
    """`SimpleSystemManagerBackend.create_document` and `update_document`.

    What AWS calls each fault is not known here, but that it takes no document which names a parameter that there is
    not, or a default that its own pattern refuses. YAML and what is no Command document are left to moto.
    """

    def checked(backend: SimpleSystemManagerBackend, content: str, **request: Any) -> Answer:
        check(content, {})
        if request.get("document_format", "JSON") == "JSON" and request.get("document_type", COMMAND) == COMMAND:
            _require_sense(content)
        return theirs(backend, content=content, **request)

    return checked


def named_with[Answer](theirs: Callable[..., Answer]) -> Callable[..., Answer]:
    """`SimpleSystemManagerBackend.create_document`, of a name that AWS does not keep to itself.

    https://github.com/aws-quickstart/quickstart-microsoft-activedirectory/issues/97, where the sentence is cut off: it
    is moto's of any other name that is none.
    """

    def named(backend: SimpleSystemManagerBackend, name: str, **request: Any) -> Answer:
        if reserved_names.reserved_beginning(name, reserved_names.DOCUMENTS):
            raise ServiceError("ValidationException", f"Invalid document name {name}")
        return theirs(backend, name=name, **request)

    return named


def _require_sense(content: str) -> None:
    """Raise ServiceError for what is no Command document; what is no JSON moto refuses."""
    try:
        parsed = json.loads(content)
    except ValueError:
        return
    try:
        document.read(parsed)
    except document.InvalidContent as refused:
        raise ServiceError("InvalidDocumentContent", f"{refused}.") from refused
