"""The tables about money, as numbers."""

import re
from decimal import Decimal
from math import prod


def number(text: str) -> Decimal:
    """`$1,480`, or `**4**`."""
    return Decimal(text.replace(",", "").strip("$* "))


def price(text: str) -> Decimal:
    """`$0.10 each` or `$0.20 per 1,000,000`, as dollars for one."""
    match = re.fullmatch(r"\$([\d.]+) (?:each|per ([\d,]+))", text)
    assert match, text
    return Decimal(match[1]) / number(match[2] or "1")


def worked_out(what: str) -> Decimal:
    """The amount from its own words: terms behind the colon are added, numbers in a term multiplied."""
    terms = what.partition(": ")[2].split(", ")
    return Decimal(sum(prod(map(Decimal, re.findall(r"\d+(?:\.\d+)?", term))) for term in terms))


def item(items: list[list[str]], start: str) -> list[str]:
    """The one line that begins so."""
    (found,) = [line for line in items if line[0].startswith(start)]
    return found
