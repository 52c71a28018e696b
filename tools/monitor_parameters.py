"""What MonitorParameters in fleet.yaml may be: parameters of template.yaml with the values that each may have.

So CloudFormation refuses at once what the fleet's function could only refuse later. The function alone knows how long a
value may be, and which values contradict each other.
"""

import json
import re
from collections import defaultdict

from tools import allowed_values

# What stack it watches, no stack is told by its fleet.
NOT_GIVEN = "FileSystemId"
BLANKS = r"[ \t\r\n]*"
# Within an address a semicolon may not stand before a capital letter, with which a name begins: were there two ways to
# read each, a text with many would take a regular expression for ever.
ADDRESS = "[!#-Z^-~]+"
ADDRESS_IN_A_LIST = "[!#-:<-Z^-~]+(;[!#-:<-@^-~][!#-:<-Z^-~]*)*"
LINE = re.compile(r"(\n  MonitorParameters:\n(?:    .*\n)*?    AllowedPattern: )(.*)\n")


def written_into(text: str) -> str:
    """The template of the fleet, with the pattern in its place."""
    return LINE.sub(lambda found: f"{found[1]}{pattern()}\n", text)


def pattern() -> str:
    """`Name=value; Name=value`; names that take the same values stand together."""
    names = defaultdict(list)
    for name, one in json.loads(allowed_values.written()).items():
        if name != NOT_GIVEN:
            names[_values(one["pattern"], one["values"])].append(name)
    one_of = "|".join(f"({'|'.join(alike)})={values}" for values, alike in names.items())
    return f"^{BLANKS}$|^{BLANKS}({one_of})(;{BLANKS}({one_of}))*;?{BLANKS}$"


def _values(written: str, listed: list[str]) -> str:
    """A group that takes what a parameter takes: each alternative of a pattern has anchors of its own."""
    alternatives = listed or written.removeprefix("^").removesuffix("$").split("$|^")
    group = f"({'|'.join(filter(None, alternatives))})" + ("?" if "" in alternatives else "")
    return group.replace(ADDRESS, ADDRESS_IN_A_LIST)
