"""Whether each environment of samconfig.toml can be deployed, and gives parameters that there are; for `make lint`.

`sam deploy` leaves a mistyped parameter out without a word, and the stack has the default.
"""

import sys

from operate.environment import CONFIGURATION, Refused, environment, names
from operate.terminal import wrapped


def main() -> int:
    """0 when all of them can, else 1 and a sentence about each that cannot."""
    refused = list[str]()
    try:
        for name in names():
            try:
                environment(name)
            except Refused as reason:
                refused.append(str(reason))
    except Refused as reason:
        refused.append(str(reason))
    for sentence in refused:
        print(wrapped(sentence))
    if not refused:
        print(f"Each environment of {CONFIGURATION} can be deployed.")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
