"""`python -m tools.sam_build`: `sam build` for `make build` and whatever needs what it leaves.

By itself it answers Ctrl-C with a traceback or a word, prints lines of 178 columns, and leaves empty folders behind.
"""

import sys

from operate.sam_command import run_command

if __name__ == "__main__":
    sys.exit(0 if run_command(["sam", "build"]) else 1)
