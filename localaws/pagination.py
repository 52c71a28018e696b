"""Pages of a list, with the opaque token that asks for the next one."""

from base64 import b64decode, b64encode
from collections.abc import Sequence

from localaws.service_error import ServiceError


def page[Item](items: Sequence[Item], size: int, token: str | None) -> tuple[Sequence[Item], str | None]:
    """The page that `token` asks for and the token of the one after it, None on the last page.

    Raises ServiceError (InvalidNextToken) for a token that was not given out.
    """
    start = _position(token)
    end = start + size
    return items[start:end], b64encode(f"from:{end}".encode()).decode() if end < len(items) else None


def _position(token: str | None) -> int:
    if not token:
        return 0
    try:
        return int(b64decode(token, validate=True).decode().removeprefix("from:"))
    except ValueError as error:
        raise ServiceError("InvalidNextToken", f"The next token {token!r} is not valid.") from error
