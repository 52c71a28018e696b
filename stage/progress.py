"""A progress bar over simulated minutes. It counts, rather than measures time: the sandbox moves the clock."""

import sys
from collections.abc import Iterable, Iterator

from stage.scenario_tables import MINUTES_PER_DAY

WIDTH = 40


def bar(minutes: Iterable[int], total: int) -> Iterator[int]:
    """Yield the minutes, drawing a bar on a terminal and a line a simulated day elsewhere."""
    drawn = -1
    for minute in minutes:
        yield minute
        filled = (minute + 1) * WIDTH // total
        if sys.stderr.isatty() and filled != drawn:
            day, hour = divmod(minute + 1, MINUTES_PER_DAY)
            text = f"\r[{'#' * filled:.<{WIDTH}}] day {day}, hour {hour // 60:2}"
            print(text, end="\n" if minute + 1 == total else "", file=sys.stderr, flush=True)
        elif not sys.stderr.isatty() and (minute + 1) % MINUTES_PER_DAY == 0:
            print(f"day {(minute + 1) // MINUTES_PER_DAY} is over", file=sys.stderr, flush=True)
        drawn = filled
