"""Regular expressions that every engine reads alike: Java (CloudFormation), Go (the SSM agent), Python and JavaScript.

CloudFormation matches by Java and the sandbox by Python: only what both read alike can be judged here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

GO_MOST_REPETITIONS = 1_000
ESCAPED_CONTROLS = "tnrf"
# The first alternative that matches is the construct; the last takes any one character.
TOKEN = re.compile(
    r"""
      \\(?P<escaped>.)
    | (?P<opening>\((?:\?(?::|<[=!]|P?<|[=!>]|[a-zA-Z-]+))?)
    | (?P<repetition>(?:[*+?]|\{\d+(?:,\d*)?\})(?P<suffix>[?+])?)
    | (?P<other>[^\\])
    """,
    re.VERBOSE | re.DOTALL,
)


def refused_by_java(pattern: str) -> list[str]:
    """Why java.util.regex does not compile the pattern, in its words; empty where nothing is known against it."""
    return _read(pattern).refused


def read_differently(pattern: str) -> list[str]:
    """The constructs in it that engines read differently, or that only some of them read."""
    return _read(pattern).differing


@dataclass
class _Reading:
    refused: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)
    depth: int = 0
    # What a repetition may follow: a character, a class or a group.
    has_operand: bool = False


def _read(pattern: str) -> _Reading:
    reading = _Reading()
    if not pattern.isascii():
        reading.differing.append("a character outside ASCII")
    position = 0
    while position < len(pattern):
        if pattern[position] == "[":
            position = _read_class(pattern, position + 1, reading)
            continue
        token = TOKEN.match(pattern, position)
        if token is None:
            reading.refused.append(f"Unexpected internal error near index {len(pattern)}")
            break
        _judge(token, reading)
        position = token.end()
    if reading.depth > 0:
        reading.refused.append(f"Unclosed group near index {len(pattern)}")
    return reading


def _judge(token: re.Match[str], reading: _Reading) -> None:
    text, start = token[0], token.start()
    if token["escaped"]:
        _judge_escape(token["escaped"], reading)
    elif token["opening"]:
        reading.depth += 1
        if text not in ("(", "(?:"):
            reading.differing.append(f"the group {text}")
    elif token["repetition"]:
        _judge_repetition(token, reading)
    elif text == ")":
        reading.depth -= 1
        if reading.depth < 0:
            reading.refused.append("Unmatched closing ')'")
    elif text == "{":
        reading.refused.append(f"Illegal repetition near index {start + 1}")
    elif text == ".":
        reading.differing.append("a dot, which stops at other ends of lines")
    elif text in "]}":
        reading.differing.append(f"a {text} that ends nothing")
    reading.has_operand = not token["opening"] and not token["repetition"] and text not in "|^$"


def _judge_repetition(token: re.Match[str], reading: _Reading) -> None:
    text, start = token[0], token.start()
    if not reading.has_operand:
        if start and token.string[start - 1] in "^$":
            reading.differing.append("an anchor that is repeated")
        else:
            reading.refused.append(f"Dangling meta character '{text[0]}' near index {start}")
    if token["suffix"] == "+":
        reading.differing.append(f"the possessive repetition {text}")
    if any(int(number) > GO_MOST_REPETITIONS for number in re.findall(r"\d+", text)):
        reading.differing.append(f"more than {GO_MOST_REPETITIONS:,} repetitions")


def _judge_escape(escaped: str, reading: _Reading) -> None:
    if escaped.isdigit():
        reading.differing.append(f"the back reference \\{escaped}")
    elif escaped.isalpha() and escaped not in ESCAPED_CONTROLS:
        reading.differing.append(f"\\{escaped}")


def _read_class(pattern: str, position: int, reading: _Reading) -> int:
    """Reads a class from behind its bracket; the position behind its end."""
    reading.has_operand = True
    if pattern.startswith("^", position):
        position += 1
    if pattern.startswith("]", position):
        reading.differing.append("a class that begins with ]")
        position += 1
    # Java begins another class within the class at each bracket.
    depth = 1
    while position < len(pattern):
        here = pattern[position : position + 2]
        if here[0] == "\\" and len(here) > 1:
            _judge_escape(here[1], reading)
            position += 1
        elif here in ("&&", "--", "||", "~~"):
            reading.differing.append(f"{here} in a class")
            position += 1
        elif here[0] == "[":
            reading.differing.append("an unescaped [ in a class")
            depth += 1
        elif here[0] == "]":
            depth -= 1
            if not depth:
                return position + 1
        position += 1
    reading.refused.append(f"Unclosed character class near index {len(pattern) - 1}")
    return position
