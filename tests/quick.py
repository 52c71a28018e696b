"""Which of many values are tried when: by `make test`, by `make test WHOLE=1`, as in CI, and by `make prove`."""

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(values: Iterable[Any], number: int = 1, *, in_ci: int | None = None) -> list[Any]:
    """Values to parametrize with. A quick run tries the first so many, which go through every line, and CI so many
    where it is said, all of them else; `make prove PROOF=more` tries the others.
    """
    every = list(values)
    until = len(every) if in_ci is None else in_ci
    return [
        *every[:number],
        *(_marked(one, pytest.mark.whole) for one in every[number:until]),
        *(_marked(one, pytest.mark.more) for one in every[until:]),
    ]


def _marked(value: Any, mark: pytest.MarkDecorator) -> Any:
    if hasattr(value, "marks"):
        return pytest.param(*value.values, marks=[*value.marks, mark], id=value.id)
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=mark)
