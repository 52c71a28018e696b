"""Which of many values `make test` tries; the others wait for `make test WHOLE=1`, as in CI."""

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(values: Iterable[Any], number: int = 1) -> list[Any]:
    """Values to parametrize with, of which only the first are tried in a quick run: they go through every line."""
    tried, others = list(values)[:number], list(values)[number:]
    return [*tried, *map(_for_the_whole_run, others)]


def _for_the_whole_run(value: Any) -> Any:
    if hasattr(value, "marks"):
        return pytest.param(*value.values, marks=[*value.marks, pytest.mark.whole], id=value.id)
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.whole)
