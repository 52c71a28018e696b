"""The words of an expression."""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from simulation.metric_math.error import MetricMathError


class Kind(Enum):
    """What a word is."""

    NUMBER = auto()
    NAME = auto()
    TEXT = auto()
    SIGN = auto()
    END = auto()


class Token(NamedTuple):
    """A word and where it stands; the text of a TEXT is without its quotes."""

    kind: Kind
    text: str
    position: int


# No exponent in numbers: AWS documents 2, -5 and 50.25, and says nothing of 1e6.
_WORD = re.compile(
    r"""(?P<space>\s+)
      | (?P<number>\d+(?:\.\d+)?|\.\d+)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | "(?P<double>[^"]*)" | '(?P<single>[^']*)'
      | (?P<sign>==|!=|<=|>=|&&|\|\||[-+*/^<>(),])""",
    re.VERBOSE,
)
_KINDS = {"number": Kind.NUMBER, "name": Kind.NAME, "double": Kind.TEXT, "single": Kind.TEXT, "sign": Kind.SIGN}


def tokens(expression: str) -> Iterator[Token]:
    """The words one by one, END last; MetricMathError names a character that begins none."""
    position = 0
    while position < len(expression):
        match = _WORD.match(expression, position)
        if match is None:
            raise MetricMathError(f"{expression[position]!r} at {position} means nothing in {expression!r}")
        group = match.lastgroup or ""
        if group != "space":
            yield Token(_KINDS[group], match[group], position)
        position = match.end()
    yield Token(Kind.END, "", position)
