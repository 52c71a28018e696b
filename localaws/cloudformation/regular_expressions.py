"""What java.util.regex, by which CloudFormation matches, does not compile: a template with one is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# The first alternative that matches is the construct; the last takes any one character.
TOKEN = re.compile(
    r"""
      \\(?P<escaped>.)
    | (?P<opening>\((?:\?(?::|<[=!]|P?<|[=!>]|[a-zA-Z-]+))?)
    | (?P<repetition>(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?)
    | (?P<other>[^\\])
    """,
    re.VERBOSE | re.DOTALL,
)


def refused_by_java(pattern: str) -> list[str]:
    """Why java.util.regex does not compile the pattern, in its words; empty where nothing is known against it."""
    reading = _Reading()
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
    return reading.refused


@dataclass
class _Reading:
    refused: list[str] = field(default_factory=list)
    depth: int = 0
    # What a repetition may follow: a character, a class, a group or an anchor.
    has_operand: bool = False


def _judge(token: re.Match[str], reading: _Reading) -> None:
    text, start = token[0], token.start()
    if token["opening"]:
        reading.depth += 1
    elif token["repetition"]:
        if not reading.has_operand:
            reading.refused.append(f"Dangling meta character '{text[0]}' near index {start}")
    elif text == ")":
        reading.depth -= 1
        if reading.depth < 0:
            reading.refused.append("Unmatched closing ')'")
    elif text == "{":
        reading.refused.append(f"Illegal repetition near index {start + 1}")
    reading.has_operand = not token["opening"] and not token["repetition"] and text != "|"


def _read_class(pattern: str, position: int, reading: _Reading) -> int:
    """Reads a class from behind its bracket; the position behind its end."""
    reading.has_operand = True
    position += pattern.startswith("^", position)
    position += pattern.startswith("]", position)
    # Java begins another class within the class at each bracket.
    depth = 1
    while position < len(pattern):
        if pattern[position] == "\\":
            position += 1
        elif pattern[position] == "[":
            depth += 1
        elif pattern[position] == "]":
            depth -= 1
            if not depth:
                return position + 1
        position += 1
    reading.refused.append(f"Unclosed character class near index {len(pattern) - 1}")
    return position
