"""Months of metrics of a load that is drawn from a seed, as CloudWatch would have them of the mode that there was."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count, islice

from efs_monitor.efs.file_system import FileSystem, ThroughputMode

from operate.history.file_system_history import History, history_of
from operate.history.recorded import BALANCE, METERED, PERMITTED, STANDARD_SIZE, Recorded, RecordedPoint
from simulation.burst_credits import GIB, MIB, bucket_bytes, burst_bytes_per_second, earned_bytes_per_second, flow

START = datetime(2030, 1, 7, tzinfo=UTC)
DAY_MINUTES = 1440
MONTH_DAYS = 30
SIZES_GIB = (20, 100, 256, 700, 1024, 3072, 12_000)
CAP_BYTES_PER_SECOND = 3 * GIB
ELASTIC_BYTES_PER_SECOND = 1 * GIB
METADATA_OPERATION_BYTES = 4 * 1024
STORAGE_EVERY_MINUTES = 15
OPERATION_KIB = (4, 16, 32, 128, 1024)


@dataclass(frozen=True, kw_only=True)
class Month:
    """What clients moved in each minute, in the mode that the file system had, and what CloudWatch has of it.

    `operation_bytes` are the sizes of reads and writes that mix, each with its share of what is moved.
    """

    seed: int
    mode: ThroughputMode
    size_bytes: int
    provisioned_mib_per_second: int
    read_bytes: Sequence[float]
    written_bytes: Sequence[float]
    metadata_operations: Sequence[float]
    operation_bytes: Sequence[tuple[int, float]]
    balances: Sequence[float | None]
    permitted: Sequence[float]

    @property
    def metered_bytes(self) -> list[float]:
        """What counts against throughput in each minute."""
        return [
            read / 3 + written + operations * METADATA_OPERATION_BYTES
            for read, written, operations in zip(
                self.read_bytes, self.written_bytes, self.metadata_operations, strict=True
            )
        ]

    @property
    def operations_a_byte(self) -> float:
        """How many operations there are to each byte, which is all that CloudWatch has of their sizes."""
        return sum(share / size for size, share in self.operation_bytes)

    def history(self) -> History:
        """The month as a command of efs-monitor reads it."""
        metadata = [operations * METADATA_OPERATION_BYTES for operations in self.metadata_operations]
        series: dict[tuple[str, str], Sequence[float | None]] = {
            BALANCE: self.balances,
            PERMITTED: self.permitted,
            METERED: self.metered_bytes,
            ("DataReadIOBytes", "Sum"): self.read_bytes,
            ("DataWriteIOBytes", "Sum"): self.written_bytes,
            ("MetadataIOBytes", "Sum"): metadata,
            ("DataReadIOBytes", "SampleCount"): [one * self.operations_a_byte for one in self.read_bytes],
            ("DataWriteIOBytes", "SampleCount"): [one * self.operations_a_byte for one in self.written_bytes],
            ("MetadataIOBytes", "SampleCount"): self.metadata_operations,
        }
        points = {key: _points(values) for key, values in series.items()}
        points[STANDARD_SIZE] = _points([float(self.size_bytes)] * (len(self.permitted) // 15), STORAGE_EVERY_MINUTES)
        described = FileSystem(
            file_system_id="fs-0123456789abcdef0",
            name="",
            mode=self.mode,
            standard_bytes=self.size_bytes,
            provisioned_bytes_per_second=self.provisioned_mib_per_second * MIB,
        )
        recorded = Recorded(file_system_id="fs-0123456789abcdef0", region="us-east-1", points=points)
        recorded.described = described
        now = START + timedelta(minutes=len(self.permitted))
        return history_of(recorded, None, now, needs_balance=False)


def hungry(number: int, *, days: int) -> Iterator[Month]:
    """So many windows of bursting in which the credits end at least once, each of the next seed that has one."""
    windows = (month(seed, ThroughputMode.BURSTING, days=days) for seed in count())
    yield from islice((one for one in windows if 0.0 in one.balances), number)


def month(seed: int, mode: ThroughputMode | None = None, *, days: int = MONTH_DAYS) -> Month:
    """A month in the mode, or in one that is drawn."""
    draw = random.Random(f"month of metrics {seed}")  # noqa: S311 - no secret, a month that can be drawn again
    size = draw.choice(SIZES_GIB) * GIB
    mode = mode or draw.choice([ThroughputMode.BURSTING, ThroughputMode.ELASTIC, ThroughputMode.PROVISIONED])
    earned_mib = earned_bytes_per_second(size) / MIB
    # What does not exceed the rate that is earned is no load for which anybody would have provisioned.
    provisioned_mib = round(max(earned_mib + 1, 1) * draw.uniform(1, 6)) if mode is ThroughputMode.PROVISIONED else 0
    asked = _asked(draw, size, days * DAY_MINUTES)
    read_share, metadata_share = draw.uniform(0, 0.9), draw.choice((0, 0, 0.05, 0.4))
    served, balances, permitted = _served(asked, size, mode, provisioned_mib * MIB, draw.uniform(0.1, 1))
    data = [one * (1 - metadata_share) for one in served]
    return Month(
        seed=seed,
        mode=mode,
        size_bytes=size,
        provisioned_mib_per_second=provisioned_mib,
        # A read is metered at a third.
        read_bytes=[one * read_share * 3 for one in data],
        written_bytes=[one * (1 - read_share) for one in data],
        metadata_operations=[one * metadata_share / METADATA_OPERATION_BYTES for one in served],
        operation_bytes=_sizes(draw),
        balances=balances,
        permitted=permitted,
    )


def _sizes(draw: random.Random) -> list[tuple[int, float]]:
    """One size, or two of which each moves something."""
    sizes, share = [draw.choice(OPERATION_KIB) * 1024 for _ in range(2)], draw.choice((0, 0.05, 0.3, 0.7))
    return [(sizes[0], 1 - share), (sizes[1], share)]


def _asked(draw: random.Random, size_bytes: int, minutes: int) -> list[float]:
    """Metered bytes a minute: something all day, and batches that come every day, every week, or when they like."""
    earned = max(earned_bytes_per_second(size_bytes), 0.5 * MIB) * 60
    background = draw.choice((0, 0.02, 0.2, 0.7)) * earned
    asked = [background * draw.uniform(0.8, 1.2) for _ in range(minutes)]
    for _ in range(draw.randint(0, 3)):
        every = draw.choice((1, 1, 7)) * DAY_MINUTES
        length, rate = draw.choice((5, 30, 120, 400)), draw.choice((0.8, 1.5, 4, 20)) * earned
        for start in range(draw.randrange(DAY_MINUTES), minutes, every):
            for minute in range(start, min(minutes, start + length)):
                asked[minute] += rate * draw.uniform(0.9, 1.1)
    return asked


def _served(
    asked: Sequence[float], size_bytes: int, mode: ThroughputMode, provisioned: float, opening_share: float
) -> tuple[list[float], list[float | None], list[float]]:
    """What was served, the lowest balance and the permitted rate of each minute."""
    balance = bucket_bytes(size_bytes) * opening_share
    served: list[float] = []
    balances: list[float | None] = []
    permitted: list[float] = []
    earned = earned_bytes_per_second(size_bytes)
    for demand in asked:
        if mode is ThroughputMode.ELASTIC:
            served.append(min(demand, ELASTIC_BYTES_PER_SECOND * 60))
            balances.append(None)
            permitted.append(float(ELASTIC_BYTES_PER_SECOND))
            continue
        if mode is ThroughputMode.PROVISIONED:
            balance = min(bucket_bytes(size_bytes), balance + earned * 60)
            served.append(min(demand, provisioned * 60))
            balances.append(balance)
            permitted.append(provisioned)
            continue
        went = flow(balance, size_bytes, demand, CAP_BYTES_PER_SECOND)
        balance = went.closing_bytes
        served.append(went.served_bytes)
        balances.append(min(went.opening_bytes, went.closing_bytes))
        rate = burst_bytes_per_second(size_bytes, CAP_BYTES_PER_SECOND)
        permitted.append(rate if went.closing_bytes else max(earned, float(MIB)))
    return served, balances, permitted


def _points(values: Sequence[float | None], minutes: int = 1) -> list[RecordedPoint]:
    begin = START.timestamp()
    return [
        RecordedPoint(begin + 60 * minutes * number, value, 60 * minutes)
        for number, value in enumerate(values)
        if value is not None
    ]
