"""Pages of a list, with the opaque token that asks for the next one."""

from collections.abc import Sequence

from localaws.ssm.error import SsmError


def page[Item](items: Sequence[Item], size: int, token: str | None) -> tuple[Sequence[Item], str | None]:
    """The page that `token` asks for and the token of the one after it, None on the last page.

    Raises SsmError (InvalidNextToken) for a token that was not given out.
    """
    if token is not None and not token.isdecimal():
        raise SsmError("InvalidNextToken", f"The next token {token!r} is not valid.")
    start = int(token or 0)
    end = start + size
    return items[start:end], str(end) if end < len(items) else None
