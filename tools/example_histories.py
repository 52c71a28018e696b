"""`make examples`: the histories that `efs-monitor backtest --from` can be tried with, lived through by the model.

A file system a kind, fourteen days at one minute, from a fixed seed: written again, they hold the same.
"""

import gzip
import io
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from operate.terminal import wrapped
from simulation.burst_credits import GIB, MIB, bucket_bytes
from simulation.file_system import FileSystem, Load, created, step

FOLDER = Path(__file__).parents[1] / "operate" / "example_histories"
# A Monday, so that "every night" can be told from "every weekday".
START = datetime(2030, 1, 7, tzinfo=UTC)
DAYS, DAY_MINUTES, HOUR_MINUTES = 14, 1440, 60
METRICS = (
    "BurstCreditBalance",
    "BurstCreditBalance Average",
    "PermittedThroughput",
    "MeteredIOBytes",
    "DataReadIOBytes",
    "DataWriteIOBytes",
    "StorageBytes",
)

type Load_of = Callable[[int, random.Random], Load]


def hungry(minute: int, draw: random.Random) -> Load:
    """A batch every night that asks for more than there is, and a second one on the second Wednesday afternoon."""
    day, of_day = divmod(minute, DAY_MINUTES)
    if 60 <= of_day < 300 or (day == 9 and 780 <= of_day < 1000):
        return Load(write_bytes=85 * MIB * 60, read_bytes=30 * MIB * 60)
    return Load(write_bytes=draw.uniform(0.2, 2) * MIB * 60, read_bytes=draw.uniform(0, 3) * MIB * 60)


def calm(minute: int, draw: random.Random) -> Load:
    """Office hours, and a backup on Sundays that the credits last for easily."""
    day, of_day = divmod(minute, DAY_MINUTES)
    if day % 7 == 6 and 120 <= of_day < 180:
        return Load(read_bytes=90 * MIB * 60, write_bytes=2 * MIB * 60)
    busy = day % 7 < 5 and 480 <= of_day < 1080
    most = 12 if busy else 1
    return Load(write_bytes=draw.uniform(0, most) * MIB * 60, read_bytes=draw.uniform(0, 2 * most) * MIB * 60)


def growing(minute: int, draw: random.Random) -> Load:
    """Each day the work of the day before and 4 % more: it goes well until the second week."""
    day, of_day = divmod(minute, DAY_MINUTES)
    if 540 <= of_day < 720:
        return Load(write_bytes=60 * MIB * 60 * 1.04**day, read_bytes=20 * MIB * 60)
    return Load(write_bytes=draw.uniform(0, 2) * MIB * 60, read_bytes=draw.uniform(0, 2) * MIB * 60)


def lived(load: Load_of, start: FileSystem, growth_a_day: float, seed: int) -> Iterator[str]:
    """The lines of an export, as the model lives."""
    draw, state = random.Random(seed), start  # noqa: S311 - a load, no secret
    yield "# FileSystemId: fs-0123456789abcdef0"
    yield "# Region: eu-west-1"
    yield "# ThroughputMode: bursting"
    yield ",".join(("time", *METRICS))
    for minute in range(DAYS * DAY_MINUTES):
        if minute % HOUR_MINUTES == 0:
            state = replace(state, standard_bytes=round(start.standard_bytes * (1 + growth_a_day) ** (minute / 1440)))
        state, seen = step(state, load(minute, draw))
        sets = {(one.name, one.storage_class): one for one in seen.datapoints}
        cells = []
        for name in METRICS:
            metric, _, statistic = name.partition(" ")
            one = sets.get((metric, "Standard" if metric == "StorageBytes" else None))
            if one is None:
                cells.append("")
            elif statistic == "Average" or metric == "StorageBytes":
                cells.append(f"{one.average:.0f}")
            else:
                cells.append(f"{one.sum if metric.endswith('IOBytes') else one.minimum:.0f}")
        yield f"{START + timedelta(minutes=minute):%Y-%m-%dT%H:%MZ},{','.join(cells)}"


EXAMPLES: dict[str, Callable[[], Iterator[str]]] = {
    "hungry": lambda: lived(hungry, replace(created(200 * GIB), balance_bytes=bucket_bytes(200 * GIB) * 0.7), 0.0, 1),
    "calm": lambda: lived(calm, created(600 * GIB), 0.001, 2),
    "growing": lambda: lived(growing, created(150 * GIB), 0.01, 3),
}


def packed(lines: Iterator[str]) -> bytes:
    """The bytes of a file, without the time at which it was written."""
    written = io.BytesIO()
    with gzip.GzipFile(fileobj=written, mode="wb", mtime=0, filename="") as file:
        file.write(("\n".join(lines) + "\n").encode())
    return written.getvalue()


def main() -> int:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for name, lines in EXAMPLES.items():
        path = FOLDER / f"{name}.csv.gz"
        path.write_bytes(packed(lines()))
        print(wrapped(f"{path.relative_to(FOLDER.parents[1])}: {path.stat().st_size / 1024:,.0f} KiB"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
