"""A progress bar for something that takes at most so long, as far as anybody knows."""

import sys

WIDTH = 40


def draw(seconds: float, most_seconds: float, what: str) -> None:
    """Draw it over the last one where somebody looks on; elsewhere it would only fill a log."""
    if sys.stderr.isatty():
        filled = min(WIDTH, round(seconds / most_seconds * WIDTH))
        print(f"\r\033[K[{'#' * filled:.<{WIDTH}}] {seconds:.0f} s, {what}", end="", file=sys.stderr, flush=True)


def end() -> None:
    """Leave the bar's line."""
    if sys.stderr.isatty():
        print(file=sys.stderr)
