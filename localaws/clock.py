"""The time everything in the sandbox lives by.

The whole process is patched: moto's backends, our own services and every server thread read the same simulated time.
`time.monotonic` and `time.perf_counter` stay real, so time-outs and measurements keep working.
"""

import os
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self

import time_machine

MINUTE = timedelta(minutes=1)

START = datetime(2030, 1, 7, tzinfo=UTC)
"""A Monday in the future: `sam deploy` ignores stack events that are older than the real now."""


class SimulatedClock:
    """A clock that starts at `start` and runs on in real seconds until somebody moves it.

    `start=None` is real-time mode: nothing is patched, and the clock can only be read.
    """

    def __init__(self, start: datetime | None = START) -> None:
        if start is not None and start.tzinfo is not UTC:
            message = f"the simulated clock starts at a datetime in UTC, not at {start!r}"
            raise ValueError(message)
        self.is_simulated = start is not None
        self._travel = time_machine.travel(start, tick=True) if start is not None else None
        self._position: time_machine.Traveller | None = None

    def __enter__(self) -> Self:
        if self._travel is not None:
            self._position = self._travel.start()
            try:
                self._begin_to_tick()
            except BaseException:
                # Ctrl-C, mostly: nobody leaves what was never entered.
                self._end(self._travel)
                raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._travel is not None and self._position is not None:
            self._end(self._travel)

    def _end(self, travel: time_machine.travel) -> None:
        self._position = None
        # The zone that the start set may be gone where that was broken off, and to take it away is then an error, after
        # which the whole process would keep the simulated time.
        os.environ.setdefault("TZ", "UTC")
        travel.stop()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def next_minute(self) -> datetime:
        """The first full minute after now."""
        return self.now().replace(second=0, microsecond=0) + MINUTE

    def move_to(self, moment: datetime) -> None:
        """Stand still at `moment`, so that what happens there is the same in every run.

        Raises ValueError for a moment in the past: metrics, alarms and stack events are ordered by time.
        """
        position = self._travelling("moved")
        if moment < self.now():
            message = f"the clock shows {self.now()}; it cannot be moved back to {moment}"
            raise ValueError(message)
        position.move_to(moment, tick=False)

    def let_run(self) -> None:
        """Run on in real seconds from here: deployments order their events by time."""
        self._travelling("started").move_to(self.now(), tick=True)
        self._begin_to_tick()

    def _begin_to_tick(self) -> None:
        # time_machine counts real seconds from the first time it is asked.
        self.now()

    def _travelling(self, verb: str) -> time_machine.Traveller:
        if self._position is None:
            message = f"this clock cannot be {verb}: it is in real-time mode or was not entered"
            raise RuntimeError(message)
        return self._position
