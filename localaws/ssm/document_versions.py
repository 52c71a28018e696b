"""UpdateDocument with content that an older version of the document already has: AWS does not say what it answers.

Both answers are known: as moto gives it, DuplicateDocumentContent as for the newest version's own content; or a new
version is made of it.
"""

from collections.abc import Callable
from typing import Any

from moto.ssm.exceptions import DuplicateDocumentContent
from moto.ssm.models import SimpleSystemManagerBackend


class Documents:
    """Which of the answers Systems Manager gives."""

    def __init__(self) -> None:
        self.old_content_is_refused = True


def updated_with(documents: Documents, theirs: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """`SimpleSystemManagerBackend.update_document`."""

    def update_document(backend: SimpleSystemManagerBackend, content: str, **request: Any) -> dict[str, Any]:
        try:
            return theirs(backend, content=content, **request)
        except DuplicateDocumentContent:
            stored = backend._documents[request["name"]]
            if documents.old_content_is_refused or stored.get_latest_version().content == content:
                raise
            # No version has it with a space behind it, which is the same JSON.
            answer = theirs(backend, content=f"{content} ", **request)
            stored.get_latest_version().content = content
            return answer

    return update_document
