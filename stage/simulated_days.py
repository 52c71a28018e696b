"""How far a scenario is. It counts, rather than measures time: the sandbox moves the clock."""

import sys
from collections.abc import Iterable, Iterator

from operate.progress import progress_bar
from stage.scenario_tables import MINUTES_PER_DAY


def counted(minutes: Iterable[int], total: int) -> Iterator[int]:
    """Yield the minutes, drawing a bar of simulated hours on a terminal, and a line a simulated day elsewhere."""
    with progress_bar("day 0, hour  0") as told:
        for minute in minutes:
            yield minute
            day, of_day = divmod(minute + 1, MINUTES_PER_DAY)
            if of_day % 60 == 0:
                told(minute + 1, total, f"day {day}, hour {of_day // 60:2}")
            if of_day == 0 and not sys.stderr.isatty():
                print(f"day {day} is over", file=sys.stderr, flush=True)
