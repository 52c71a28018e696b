"""`python -m tools.run MODULE [argument ...]`: as `python -m` runs it, but Ctrl-C, and an output that cannot
be written, are answered with one sentence or none.

From the first import on: what a module imports takes seconds, in which Python would answer with a traceback.
"""

import runpy
import sys

from operate.interruption import interruptible
from operate.standard_output import written


def main(module: str, arguments: list[str]) -> int:
    """Run the module, which may end by an exit of its own."""
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(interruptible(lambda: written(lambda: main(sys.argv[1], sys.argv[2:]))))
