"""Limits that a proof holds what it measured against, as a table of a page: said as they come, and written."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from operate.terminal import wrapped


@dataclass(frozen=True, kw_only=True)
class LimitRow:
    """A line of the table: what must be so, the limit, and what was measured."""

    what: str
    limit: str
    measured: str
    held: bool


def table(rows: Iterable[LimitRow]) -> Iterator[str]:
    """The lines of the table, with its head."""
    yield "| | limit | measured | |"
    yield "|---|---|---|---|"
    for row in rows:
        yield f"| {row.what} | {row.limit} | {row.measured} | {'held' if row.held else '**not held**'} |"


def say(rows: Iterable[LimitRow]) -> None:
    """Print each row: whether it held, what it is, and what was measured."""
    for row in rows:
        said = f"{row.what}: {row.measured} (limit {row.limit})"
        print(wrapped(said, first=f"{'held' if row.held else 'FAILED':<7} ", then=" " * 8), flush=True)
