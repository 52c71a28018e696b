"""A progress bar where somebody looks on; elsewhere it would only fill a log."""

import sys

WIDTH = 40


def draw(share: float, words: str) -> None:
    """Draw the bar, filled to this share, over the last one, and the words behind it."""
    if sys.stderr.isatty():
        filled = min(WIDTH, round(share * WIDTH))
        print(f"\r\033[K[{'#' * filled:.<{WIDTH}}] {words}", end="", file=sys.stderr, flush=True)


def end() -> None:
    """Leave the bar's line."""
    if sys.stderr.isatty():
        print(file=sys.stderr)
