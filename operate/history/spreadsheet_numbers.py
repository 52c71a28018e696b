"""Numbers as the cells of a spreadsheet have them: digits, also in groups of three, or nothing that is a number."""

import re
from dataclasses import dataclass, field

NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?|-[0-9]+(\.[0-9]*)?", re.ASCII)
# 1,616,282,092,831.5 in English, with points and a comma in German, with spaces of three kinds in French, and with
# either apostrophe in Switzerland.
GROUPED = re.compile(
    r"-?[1-9][0-9]{0,2}(?P<separator>[,.'\u2019 \u00a0\u202f])[0-9]{3}(?:(?P=separator)[0-9]{3})*"
    r"(?:(?!(?P=separator))(?P<point>[.,])[0-9]*)?",
    re.ASCII,
)
# With one group, 340.123 and 340,123 are either grouped or have a decimal point: what else the file has tells which.
EITHER = re.compile(r"-?[1-9][0-9]{0,2}(?P<separator>[.,])[0-9]{3}", re.ASCII)
ONE_GROUP = len(",123")


@dataclass
class Numbers:
    """Reads the cells of one file, and remembers by which of comma and point its groups are told apart."""

    separators: set[str] = field(default_factory=set)

    def number(self, cell: str) -> float | None:
        """The number in a cell that is not empty; None for anything else, a formula of a spreadsheet above all.

        Python also reads 1_000 and full-width digits as numbers, which no export writes.
        """
        # Most cells are digits and a point at most: that is told faster than by the pattern.
        plain = cell.isascii() and cell.replace(".", "", 1).isdigit() and cell[0] != "."
        if plain or NUMBER.fullmatch(cell):
            return float(cell)
        grouped = GROUPED.fullmatch(cell)
        if grouped is None or EITHER.fullmatch(cell):
            return None
        separator = grouped["separator"]
        if separator in {",", "."}:
            self.separators.add(separator)
        digits = cell.replace(separator, "")
        return float(digits.replace(",", "."))

    @staticmethod
    def separator_of_either(cell: str) -> str:
        """The sign in a cell that alone does not tell whether it parts groups of digits; empty for any other cell."""
        if cell[-ONE_GROUP:-3] not in {",", "."}:
            return ""
        found = EITHER.fullmatch(cell)
        return found["separator"] if found else ""

    def number_of_either(self, cell: str) -> float | None:
        """The number in such a cell, by all that was read of the file; None where a comma stays either."""
        separator = self.separator_of_either(cell)
        if self.separators == {separator}:
            return float(cell.replace(separator, ""))
        return float(cell) if separator == "." else None
