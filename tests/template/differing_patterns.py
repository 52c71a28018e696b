"""What in a regular expression is not read alike by Java (CloudFormation), Go (Systems Manager's agent), Python and
JavaScript.
"""

import re
from collections.abc import Iterator

GO_MOST_REPETITIONS = 1_000
ESCAPED_CONTROLS = "tnrf"
# The first alternative that matches is the construct; the last takes any one character.
PART = re.compile(
    r"""
      \\(?P<escaped>.)
    | \[\^?(?P<of_class>\]?(?:\\.|[^\]\\])*)\]
    | (?P<group>\(\?(?:<[=!]|P?<|[=!>]|[a-zA-Z-]+))
    | (?P<anchor>[\^$](?=[*+?]|\{\d))
    | (?P<repetition>(?:[*+?]|\{\d+(?:,\d*)?\})(?P<suffix>[?+])?)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def read_differently(pattern: str) -> list[str]:
    """The constructs in it that engines read differently, or that only some of them read."""
    outside_ascii = [] if pattern.isascii() else ["a character outside ASCII"]
    return outside_ascii + [one for part in PART.finditer(pattern) for one in _differing(part)]


def _differing(part: re.Match[str]) -> Iterator[str]:
    if part["escaped"]:
        yield from _differing_escape(part["escaped"])
    elif part["of_class"]:
        yield from _differing_in_class(part["of_class"])
    elif part["group"]:
        yield f"the group {part['group']}"
    elif part["anchor"]:
        yield "an anchor that is repeated"
    elif part["repetition"]:
        if part["suffix"] == "+":
            yield f"the possessive repetition {part['repetition']}"
        if any(int(number) > GO_MOST_REPETITIONS for number in re.findall(r"\d+", part["repetition"])):
            yield f"more than {GO_MOST_REPETITIONS:,} repetitions"
    elif part["other"] == ".":
        yield "a dot, which stops at other ends of lines"
    elif part["other"] in ("]", "}"):
        yield f"a {part['other']} that ends nothing"


def _differing_escape(escaped: str) -> Iterator[str]:
    if escaped.isdigit():
        yield f"the back reference \\{escaped}"
    elif escaped.isalpha() and escaped not in ESCAPED_CONTROLS:
        yield f"\\{escaped}"


def _differing_in_class(inside: str) -> Iterator[str]:
    if inside.startswith("]"):
        yield "a class that begins with ]"
    for escaped in re.findall(r"\\(.)", inside, re.DOTALL):
        yield from _differing_escape(escaped)
    bare = re.sub(r"\\.", "_", inside, flags=re.DOTALL)
    yield from (f"{operator} in a class" for operator in ("&&", "--", "||", "~~") if operator in bare)
    if "[" in bare:
        yield "an unescaped [ in a class"
