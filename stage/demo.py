"""`make demo`: Ctrl-C is answered from its first moment on, and what it imports then takes a second or two."""

import sys

from operate.interruption import interruptible

GONE = "Interrupted: the local AWS is gone, and everything in it."


def _demonstration() -> int:
    from stage.demonstration import main

    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(interruptible(_demonstration, GONE))
