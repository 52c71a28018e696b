"""Days of metrics that were read before, kept on disk: an interrupted reading goes on, and tomorrow's is a short one.

Only whole days are kept whose datapoints have all come. What lies there is nobody's secret and nothing that could not
be read again; a file that is damaged is as good as none.
"""

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import isfinite
from pathlib import Path
from tempfile import NamedTemporaryFile

from efs_monitor.aws.cloudwatch_metrics import Series, Wanted
from platformdirs import user_cache_path

DAY = timedelta(days=1)
# Metrics that are later than this have stopped; what comes later still is read no more.
ALL_THERE_AFTER = timedelta(hours=3)
# CloudWatch keeps nothing older that would be asked for.
KEPT_DAYS = 70
PRIVATE = 0o700


@dataclass(frozen=True, kw_only=True)
class Cache:
    """The days of each series of one file system; `folder` None keeps and knows nothing."""

    folder: Path | None

    @classmethod
    def of(cls, region: str, file_system_id: str) -> "Cache":
        """Where the platform keeps what can be read again: below XDG_CACHE_HOME or ~/.cache on Linux."""
        return cls(folder=user_cache_path("efs-monitor") / region / file_system_id)

    def days(self, wanted: Wanted) -> dict[datetime, Series]:
        """Each whole day that is known of the series, by its midnight."""
        if self.folder is None:
            return {}
        try:
            stored = json.loads(self._file(self.folder, wanted).read_text(encoding="utf-8"))
            return {
                datetime.fromisoformat(day).replace(tzinfo=UTC): {
                    datetime.fromtimestamp(seconds, UTC): _value(value) for seconds, value in points
                }
                for day, points in stored.items()
            }
        except (OSError, ValueError, TypeError, AttributeError, OverflowError, RecursionError):
            return {}

    def keep(self, wanted: Wanted, start: datetime, series: Series, now: datetime) -> None:
        """The whole days of a series that was read from `start`, a midnight, until `now`. A disk that takes nothing is
        no reason to stop.
        """
        if self.folder is None:
            return
        known = {day: points for day, points in self.days(wanted).items() if now - day < KEPT_DAYS * DAY}
        read: dict[datetime, Series] = {}
        for time, value in series.items():
            # botocore's own time zone is asked again at each comparison, which takes longer than all else.
            when = time.astimezone(UTC)
            read.setdefault(when.replace(hour=0, minute=0, second=0, microsecond=0), {})[when] = value
        day = start
        while day + DAY + ALL_THERE_AFTER <= now:
            known[day] = read.get(day, {})
            day += DAY
        with contextlib.suppress(OSError):
            self._write(self.folder, wanted, known)

    def _write(self, folder: Path, wanted: Wanted, known: Mapping[datetime, Series]) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        text = json.dumps(
            {
                f"{day:%Y-%m-%d}": [[round(time.timestamp()), value] for time, value in sorted(series.items())]
                for day, series in sorted(known.items())
            }
        )
        # As a whole or not at all: somebody else may be reading it.
        with NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
            try:
                file.write(text)
                file.flush()
                os.replace(file.name, self._file(folder, wanted))
            except OSError:
                os.unlink(file.name)
                raise

    def _file(self, folder: Path, wanted: Wanted) -> Path:
        return folder / f"{wanted.metric}.{wanted.statistic}.{wanted.period_seconds}.json"


def _value(value: object) -> float:
    if not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"{value!r} is no datapoint")
    return float(value)
