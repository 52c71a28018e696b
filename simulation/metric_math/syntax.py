"""The grammar: an expression as a tree.

AWS documents the operators and not which binds tighter. This is the order of arithmetic everywhere: `^`, then the
minus of a negative, `*` and `/`, `+` and `-`, comparisons, AND, OR; `^` from the right, the others from the left.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass

from simulation.metric_math.error import MetricMathError
from simulation.metric_math.tokens import Kind, Token, tokens


@dataclass(frozen=True, slots=True)
class Number:
    value: float


@dataclass(frozen=True, slots=True)
class Name:
    """The Id of a metric or of another expression, or one of FILL's words REPEAT and LINEAR."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """What SEARCH and its like are told; no function that is simulated takes one."""

    text: str


@dataclass(frozen=True, slots=True)
class Negative:
    of: "Node"


@dataclass(frozen=True, slots=True)
class Operation:
    operator: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    arguments: tuple["Node", ...]


type Node = Number | Name | Text | Negative | Operation | Call

_LEVELS = (
    {"OR": "OR", "||": "OR"},
    {"AND": "AND", "&&": "AND"},
    {sign: sign for sign in ("==", "!=", "<=", ">=", "<", ">")},
    {"+": "+", "-": "-"},
    {"*": "*", "/": "/"},
)


@functools.cache
def parse(expression: str) -> Node:
    """The tree of an expression; MetricMathError says what is wrong where."""
    return _Parser(expression).whole()


def names(node: Node) -> Iterator[str]:
    """Every Id the expression names."""
    match node:
        case Name(name):
            yield name
        case Negative(of):
            yield from names(of)
        case Operation(_, left, right):
            yield from names(left)
            yield from names(right)
        case Call(_, inside):
            for item in inside:
                yield from names(item)


class _Parser:
    def __init__(self, expression: str) -> None:
        self._expression = expression
        self._words = list(tokens(expression))
        self._next = 0

    def whole(self) -> Node:
        found = self._level(0)
        if self._word.kind is not Kind.END:
            raise self._unexpected("an operator")
        return found

    @property
    def _word(self) -> Token:
        return self._words[self._next]

    def _taken(self) -> Token:
        self._next += 1
        return self._words[self._next - 1]

    def _is(self, sign: str) -> bool:
        return self._word.kind is Kind.SIGN and self._word.text == sign

    def _level(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._negative()
        left = self._level(level + 1)
        while self._word.kind in {Kind.SIGN, Kind.NAME} and (operator := _LEVELS[level].get(self._word.text)):
            self._taken()
            left = Operation(operator, left, self._level(level + 1))
        return left

    def _negative(self) -> Node:
        if self._is("-"):
            self._taken()
            return Negative(self._negative())
        base = self._operand()
        if self._is("^"):
            self._taken()
            return Operation("^", base, self._negative())
        return base

    def _operand(self) -> Node:
        if self._word.kind in {Kind.END, Kind.SIGN} and not self._is("("):
            raise self._unexpected("a number, an Id or a function")
        word = self._taken()
        match word.kind:
            case Kind.NUMBER:
                return Number(float(word.text))
            case Kind.TEXT:
                return Text(word.text)
            case Kind.NAME if self._is("("):
                self._taken()
                return Call(word.text, self._arguments())
            case Kind.NAME:
                return Name(word.text)
        inside = self._level(0)
        self._close()
        return inside

    def _arguments(self) -> tuple[Node, ...]:
        items: list[Node] = []
        if not self._is(")"):
            items.append(self._level(0))
            while self._is(","):
                self._taken()
                items.append(self._level(0))
        self._close()
        return tuple(items)

    def _close(self) -> None:
        if not self._is(")"):
            raise self._unexpected("')'")
        self._taken()

    def _unexpected(self, wanted: str) -> MetricMathError:
        found = f"{self._word.text!r} stands" if self._word.text else "the end is"
        return MetricMathError(f"{found} at {self._word.position} of {self._expression!r} where {wanted} belongs")
