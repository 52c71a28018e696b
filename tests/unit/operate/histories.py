"""Short lives of file systems, made by hand, for what replays and judges them."""

from collections.abc import Sequence
from datetime import UTC, datetime

from efs_monitor.alarms.thresholds import Settings
from efs_monitor.efs.credits import GIB, MIB, full_bucket_bytes
from efs_monitor.efs.file_system import FileSystem, ThroughputMode

from operate.history.file_system_history import History, history_of
from operate.history.recorded import BALANCE, METERED, PERMITTED, STANDARD_SIZE, Recorded, RecordedPoint
from operate.replay.replayed_account import ReplayedStack

START = datetime(2030, 1, 7, tzinfo=UTC)
NOW = datetime(2030, 3, 1, tzinfo=UTC)
# Asked of a datetime for each of a hundred thousand datapoints, it would take much of the unit tests' time.
START_SECONDS = START.timestamp()
SETTINGS = Settings(warning_minutes=180, critical_minutes=60, rise_tolerance_percent=10)
STACK = ReplayedStack(name="home", region="us-east-1", settings=SETTINGS, runbook_url="https://wiki.example.com/efs")
BURST, BASELINE = 100 * MIB, 5 * MIB
# What lasts a minute at the permitted rate.
MINUTE_BYTES = 60 * BURST
SIZE = 100 * GIB
FULL = float(full_bucket_bytes(SIZE))
FILE_SYSTEM = FileSystem(
    file_system_id="fs-0123456789abcdef0", name="", mode=ThroughputMode.BURSTING, standard_bytes=SIZE
)


def seconds(minute: int) -> float:
    """When a minute begins, since 1970."""
    return START_SECONDS + 60 * minute


def points(values: Sequence[float | None], period_minutes: int = 1) -> list[RecordedPoint]:
    """A datapoint for each value that there is."""
    return [
        RecordedPoint(seconds(number * period_minutes), value, 60 * period_minutes)
        for number, value in enumerate(values)
        if value is not None
    ]


def recorded(balances: Sequence[float | None], **changes: object) -> Recorded:
    """What CloudWatch would have of such balances, at 100 GiB in bursting mode."""
    permitted = [None if one is None else float(BURST if one > 0 else BASELINE) for one in balances]
    metered = [None if one is None else float(BASELINE * 60) if one <= 0 else None for one in balances]
    found = Recorded(
        file_system_id=FILE_SYSTEM.file_system_id,
        region="us-east-1",
        points={
            BALANCE: points(balances),
            PERMITTED: points(permitted),
            METERED: points(metered),
            STANDARD_SIZE: points([float(SIZE)], 15),
        },
        described=FILE_SYSTEM,
    )
    for name, value in changes.items():
        setattr(found, name, value)
    return found


def history(balances: Sequence[float | None], **changes: object) -> History:
    """A history of these balances, a minute each."""
    return history_of(recorded(balances, **changes), None, NOW)


def falls(*, calm: int = 300, dry: int = 60, after: int = 300) -> list[float | None]:
    """A full bucket for `calm` minutes, a fall at 100 MiB/s to zero, nothing for `dry` minutes, and the way back."""
    down = [max(FULL - number * MINUTE_BYTES, 0.0) for number in range(368)]
    back = [number * MINUTE_BYTES / 10 for number in range(1, after + 1)]
    return [*[FULL] * calm, *down, *[0.0] * dry, *back]
