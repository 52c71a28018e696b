"""An Amazon EFS file system (General Purpose, Regional), simulated minute by minute: a frozen state and a pure step.

What somebody does to it between two minutes is `dataclasses.replace`: another size, another throughput mode.
"""

from dataclasses import dataclass, replace

from simulation import burst_credits
from simulation.burst_credits import GIB, MIB, MINUTE_SECONDS, CreditFlow
from simulation.file_system_metrics import Datapoint, Gauges, gauge_datapoints, io_datapoints, storage_datapoints

METADATA_OPERATION_BYTES = 4 * 2**10
METERING_INTERVAL_MINUTES = 60
STORAGE_METRIC_INTERVAL_MINUTES = 15


@dataclass(frozen=True, slots=True)
class Bursting:
    """Throughput from size and credits."""


@dataclass(frozen=True, slots=True)
class Provisioned:
    """A paid rate. Where the size earns that much or more by itself, the file system behaves as in bursting mode."""

    bytes_per_second: float


@dataclass(frozen=True, slots=True)
class Elastic:
    """Pay per byte: no credits are earned or spent, and PermittedThroughput is the maximum write throughput."""

    maximum_write_bytes_per_second: float = 1 * GIB


ThroughputMode = Bursting | Provisioned | Elastic


@dataclass(frozen=True, slots=True)
class Load:
    """What clients ask for in one minute. What is not permitted is lost, not queued for the next minute.

    `data_operation_bytes` is the size of one read or write. AWS meters small ones at a minimum size, which it
    publishes for elastic billing only, so operations are taken to be at least that large.
    """

    read_bytes: float = 0
    write_bytes: float = 0
    metadata_operations: float = 0
    client_connections: int = 1
    data_operation_bytes: float = 1 * MIB

    @property
    def metered_bytes(self) -> float:
        """What counts against throughput and credits: reads a third, writes in full, metadata 4 KiB an operation."""
        return self.read_bytes / 3 + self.write_bytes + self.metadata_operations * METADATA_OPERATION_BYTES


@dataclass(frozen=True, slots=True)
class FileSystem:
    """The state between two minutes.

    `standard_bytes` is the true size in Standard storage; rates and bucket follow `metered_standard_bytes`, which
    catches up once an hour, in minute `metering_minute` of the hour. `balance_bytes` are burst credits. AWS does not
    say whether BurstCreditBalance is published in elastic mode: `balance_published_in_elastic`.
    """

    standard_bytes: int
    metered_standard_bytes: int
    balance_bytes: float
    mode: ThroughputMode = Bursting()
    infrequent_access_bytes: int = 0
    regional_cap_bytes_per_second: float = 1 * GIB
    metering_minute: int = 0
    balance_published_in_elastic: bool = False
    minute: int = 0

    def __post_init__(self) -> None:
        if self.standard_bytes < 0 or self.metered_standard_bytes < 0:
            raise ValueError(
                f"sizes must not be negative: {self.standard_bytes} true, {self.metered_standard_bytes} metered"
            )
        if self.balance_bytes < 0:
            raise ValueError(f"balance_bytes must not be negative, got {self.balance_bytes}")
        if not 0 <= self.metering_minute < METERING_INTERVAL_MINUTES:
            raise ValueError(f"metering_minute must be a minute of the hour, 0 to 59, got {self.metering_minute}")

    @property
    def lives_on_credits(self) -> bool:
        """Whether credits decide its throughput: bursting, or provisioned at no more than the size earns."""
        if isinstance(self.mode, Provisioned):
            earned = burst_credits.earned_bytes_per_second(self.metered_standard_bytes)
            return self.mode.bytes_per_second <= earned
        return isinstance(self.mode, Bursting)

    def permitted_bytes_per_second(self, *, has_credits: bool) -> float:
        """PermittedThroughput: bursting, the burst rate while there are credits and the baseline at zero."""
        match self.mode:
            case Elastic(maximum):
                return maximum
            case Provisioned(rate) if not self.lives_on_credits:
                return rate
            case _:
                formula = (
                    burst_credits.burst_bytes_per_second if has_credits else burst_credits.baseline_bytes_per_second
                )
                return formula(self.metered_standard_bytes, self.regional_cap_bytes_per_second)


@dataclass(frozen=True, slots=True)
class SimulatedMinute:
    """What happened in a minute, and the AWS/EFS datapoints it publishes (their timestamp is the minute's start)."""

    minute: int
    credits: CreditFlow
    demanded_bytes: float
    datapoints: tuple[Datapoint, ...]


def created(
    standard_bytes: int,
    mode: ThroughputMode = Bursting(),
    *,
    regional_cap_bytes_per_second: float = 1 * GIB,
    metering_minute: int = 0,
) -> FileSystem:
    """A file system of that size as AWS hands it out: metered, with a full bucket."""
    return FileSystem(
        standard_bytes=standard_bytes,
        metered_standard_bytes=standard_bytes,
        balance_bytes=burst_credits.bucket_bytes(standard_bytes),
        mode=mode,
        regional_cap_bytes_per_second=regional_cap_bytes_per_second,
        metering_minute=metering_minute,
    )


def step(state: FileSystem, load: Load) -> tuple[FileSystem, SimulatedMinute]:
    """Live through one minute under a load."""
    if state.minute % METERING_INTERVAL_MINUTES == state.metering_minute:
        state = replace(state, metered_standard_bytes=state.standard_bytes)
    demanded = load.metered_bytes
    flow = _flow(state, demanded)
    rate = state.permitted_bytes_per_second(has_credits=True)
    dry_rate = state.permitted_bytes_per_second(has_credits=False)
    average_rate = dry_rate + (rate - dry_rate) * flow.credit_seconds / MINUTE_SECONDS
    served_share = flow.served_bytes / demanded if demanded else 0.0
    gauges = Gauges(
        balance=(flow.opening_bytes, flow.average_bytes, flow.closing_bytes),
        permitted=(rate if flow.opening_bytes else dry_rate, average_rate, rate if flow.closing_bytes else dry_rate),
        balance_published=state.balance_published_in_elastic or not isinstance(state.mode, Elastic),
        client_connections=load.client_connections,
    )
    datapoints = gauge_datapoints(gauges) + io_datapoints(
        read_bytes=load.read_bytes * served_share,
        write_bytes=load.write_bytes * served_share,
        metadata_operations=load.metadata_operations * served_share,
        metadata_operation_bytes=METADATA_OPERATION_BYTES,
        data_operation_bytes=load.data_operation_bytes,
    )
    if state.minute % STORAGE_METRIC_INTERVAL_MINUTES == 0:
        datapoints += storage_datapoints(state.standard_bytes, state.infrequent_access_bytes)
    after = replace(state, balance_bytes=flow.closing_bytes, minute=state.minute + 1)
    return after, SimulatedMinute(state.minute, flow, demanded, datapoints)


def _flow(state: FileSystem, demanded_bytes: float) -> CreditFlow:
    size, cap = state.metered_standard_bytes, state.regional_cap_bytes_per_second
    if state.lives_on_credits:
        return burst_credits.flow(state.balance_bytes, size, demanded_bytes, cap)
    served = min(demanded_bytes, state.permitted_bytes_per_second(has_credits=False) * MINUTE_SECONDS)
    if isinstance(state.mode, Elastic):
        held = min(state.balance_bytes, burst_credits.bucket_bytes(size))
        return CreditFlow(held, held, held, 0.0, 0.0, served, MINUTE_SECONDS)
    # AWS does not say what credits do under a provisioned rate above what the size earns. Here they go on being
    # earned, and what the provisioned rate covers, which is everything it lets through, spends none.
    return replace(burst_credits.flow(state.balance_bytes, size, 0.0, cap), served_bytes=served)
