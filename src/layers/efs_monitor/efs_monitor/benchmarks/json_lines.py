"""JSON that came from an instance: taken line by line, and never trusted."""

import json
import math
from collections.abc import Mapping, Sequence

# What the script says at most of anything.
LONGEST_TEXT_CHARACTERS = 800


def json_object(line: str) -> Mapping[str, object] | None:
    """The object that a line holds; None where it holds anything else: half a line, a list, a word."""
    try:
        value = json.loads(line)
    except (RecursionError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def text(values: Mapping[str, object], key: str) -> str:
    """A short text on one line, fit for a log and a mail; empty where there is none."""
    value = values.get(key)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    printable = "".join(character if character.isprintable() else " " for character in str(value))
    return " ".join(printable.split())[:LONGEST_TEXT_CHARACTERS]


def whole_number(values: Mapping[str, object], key: str) -> int | None:
    """A whole number from 0; None for everything else, `true` among it."""
    value = values.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def number(values: Mapping[str, object], key: str) -> float | None:
    """A finite number above 0; None for everything else."""
    value = values.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        as_float = float(value)
    except OverflowError:
        return None
    return as_float if math.isfinite(as_float) and as_float > 0 else None


def texts(values: Mapping[str, object], key: str) -> Sequence[tuple[str, str]]:
    """The texts of an object within the object, in its order; none where there is no such object."""
    inner = values.get(key)
    if not isinstance(inner, dict):
        return ()
    return tuple((name[:LONGEST_TEXT_CHARACTERS], text(inner, name)) for name in inner)
