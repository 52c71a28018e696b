"""The grammar: an expression as a tree of Python's `ast`.

AWS documents the operators and not which binds tighter. They are taken to bind as in arithmetic everywhere, and so in
Python: `^`, then the minus of a negative, `*` and `/`, `+` and `-`, comparisons, AND, OR; `^` from the right, the
others from the left. So what CloudWatch writes in its own way is put into Python's words, and Python reads the rest.
"""

import ast
import functools
import keyword
import re
from collections.abc import Iterator

from simulation.metric_math.error import MetricMathError

# No exponent in numbers: AWS documents 2, -5 and 50.25, and says nothing of 1e6.
_WORD = re.compile(
    r"""(?P<space>\s+)
      | (?P<number>\d+(?:\.\d+)?|\.\d+)
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
      | "(?P<double>[^"]*)" | '(?P<single>[^']*)'
      | (?P<sign>==|!=|<=|>=|&&|\|\||[-+*/^<>(),])""",
    re.VERBOSE,
)
_IN_PYTHON = {"^": "**", "&&": "and", "||": "or", "AND": "and", "OR": "or"}
# What an expression may consist of; Python would take a tuple as well, and a plus before a number.
_NODES = (ast.BinOp, ast.BoolOp, ast.Call, ast.Compare, ast.Constant, ast.Load, ast.Name, ast.UnaryOp)
_OPERATORS = (ast.Add, ast.And, ast.Div, ast.Mult, ast.Or, ast.Pow, ast.Sub, ast.USub, ast.cmpop)


@functools.cache
def parse(expression: str) -> ast.expr:
    """The tree of an expression; MetricMathError says what is wrong."""
    try:
        tree = ast.parse(" ".join(_python(expression)), mode="eval").body
    except SyntaxError as error:
        raise MetricMathError(f"{expression!r} cannot be read: {error.msg}") from error
    for node in ast.walk(tree):
        if not isinstance(node, (*_NODES, *_OPERATORS)):
            raise MetricMathError(f"{expression!r} cannot be read: metric math has no {type(node).__name__}")
    return tree


@functools.cache
def names(expression: str) -> tuple[str, ...]:
    """Every Id the expression names, and FILL's words REPEAT and LINEAR; MetricMathError says what is wrong with it."""
    return tuple(_names(parse(expression)))


def _names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(name):
            yield name
        case ast.Call(args=arguments):
            for argument in arguments:
                yield from _names(argument)
        case _:
            for part in ast.iter_child_nodes(node):
                yield from _names(part)


def _python(expression: str) -> Iterator[str]:
    """The words in Python; MetricMathError names what begins none, and what would be a word of Python only."""
    position = 0
    while position < len(expression):
        match = _WORD.match(expression, position)
        if match is None or keyword.iskeyword(match[0]):
            wrong = match[0] if match else expression[position]
            raise MetricMathError(f"{wrong!r} at {position} means nothing in {expression!r}")
        match match.lastgroup:
            case "number":
                # As Python writes it, which knows no 007.
                yield repr(float(match[0]))
            case "double" | "single" as quoted:
                yield repr(match[quoted])
            case "name" | "sign":
                yield _IN_PYTHON.get(match[0], match[0])
        position = match.end()
