"""`make demo`: Ctrl-C is answered from its first moment on, and what it imports then takes a second or two."""

import sys

from operate.interruption import interruptible
from operate.standard_output import written

GONE = "Interrupted: the local AWS is gone, and everything in it."


def _walk_through() -> int:
    from stage.demo.walkthrough import main

    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(interruptible(lambda: written(_walk_through), GONE))
