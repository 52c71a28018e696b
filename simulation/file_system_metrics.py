"""The datapoints that namespace AWS/EFS publishes for a minute, as values.

Names, units and statistics: EFS user guide, "CloudWatch metrics for Amazon EFS". AWS lists Minimum, Maximum and
Average only for the gauges and Sum only for ClientConnections; which statistic somebody asks for is not checked here.
"""

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

# The General Purpose limit that PercentIOLimit is a share of. AWS has raised it more than once and does not say how it
# weighs operations today: these are the figures of an older user guide, good enough for a gauge no rule depends on.
FILE_OPERATIONS_PER_SECOND_LIMIT = 35_000
FILE_OPERATIONS_PER_WRITE = 5

# AWS does not say how many readings stand behind a gauge's minute: one a second.
GAUGE_READINGS = 60


class Datapoint(NamedTuple):
    """One statistic set of one minute. `storage_class` is the second dimension, of StorageBytes only."""

    name: str
    unit: str
    minimum: float
    maximum: float
    sum: float
    sample_count: float
    storage_class: str | None = None

    @property
    def average(self) -> float:
        return self.sum / self.sample_count


@dataclass(frozen=True, slots=True)
class Gauges:
    """What is read, not counted: (at the minute's start, average, at its end). Both move one way within a minute."""

    balance: tuple[float, float, float]
    permitted: tuple[float, float, float]
    balance_published: bool
    client_connections: int


def gauge_datapoints(gauges: Gauges) -> tuple[Datapoint, ...]:
    """BurstCreditBalance (whole bytes), PermittedThroughput and ClientConnections."""
    permitted = _gauge("PermittedThroughput", "Bytes/Second", gauges.permitted)
    connections = gauges.client_connections
    clients = Datapoint("ClientConnections", "Count", connections, connections, connections, 1)
    if not gauges.balance_published:
        return permitted, clients
    opening, average, closing = gauges.balance
    balance = _gauge("BurstCreditBalance", "Bytes", (round(opening), round(average), round(closing)))
    return balance, permitted, clients


def io_datapoints(
    *,
    read_bytes: float,
    write_bytes: float,
    metadata_operations: float,
    metadata_operation_bytes: int,
    data_operation_bytes: float,
) -> tuple[Datapoint, ...]:
    """The byte counters (sum of bytes, one sample an operation) and PercentIOLimit.

    MeteredIOBytes counts reads at one third; TotalIOBytes and the counters by type count bytes as they are.
    A type without an operation publishes nothing: CloudWatch has no statistic set of zero samples.
    """
    reads, read_size = _operations(read_bytes, data_operation_bytes)
    writes, write_size = _operations(write_bytes, data_operation_bytes)
    lookups, lookup_size = _operations(metadata_operations * metadata_operation_bytes, metadata_operation_bytes)
    # Metadata is taken as reads of metadata: the load does not tell look-ups from creates.
    units_per_second = (reads + writes * FILE_OPERATIONS_PER_WRITE + lookups) / 60
    percent = min(100.0, units_per_second / FILE_OPERATIONS_PER_SECOND_LIMIT * 100)
    counters = (
        _counter("MeteredIOBytes", (reads, read_size / 3), (writes, write_size), (lookups, lookup_size)),
        _counter("TotalIOBytes", (reads, read_size), (writes, write_size), (lookups, lookup_size)),
        _counter("DataReadIOBytes", (reads, read_size)),
        _counter("DataWriteIOBytes", (writes, write_size)),
        _counter("MetadataIOBytes", (lookups, lookup_size)),
    )
    limit = _gauge("PercentIOLimit", "Percent", (percent, percent, percent))
    return (limit, *(counter for counter in counters if counter))


def storage_datapoints(standard_bytes: int, infrequent_access_bytes: int) -> tuple[Datapoint, ...]:
    """StorageBytes by StorageClass, which AWS publishes every 15 minutes."""
    classes = {
        "Total": standard_bytes + infrequent_access_bytes,
        "Standard": standard_bytes,
        "IA": infrequent_access_bytes,
    }
    return tuple(Datapoint("StorageBytes", "Bytes", size, size, size, 1, name) for name, size in classes.items())


def _gauge(name: str, unit: str, readings: tuple[float, float, float]) -> Datapoint:
    opening, average, closing = readings
    return Datapoint(name, unit, min(opening, closing), max(opening, closing), average * GAUGE_READINGS, GAUGE_READINGS)


def _operations(total_bytes: float, operation_bytes: float) -> tuple[int, float]:
    """How many operations those bytes are, and the even size of each: the last one is not left smaller."""
    count = ceil(total_bytes / operation_bytes)
    return count, total_bytes / count if count else 0.0


def _counter(name: str, *kinds: tuple[int, float]) -> Datapoint | None:
    done = [(count, size) for count, size in kinds if count]
    if not done:
        return None
    sizes = [size for _, size in done]
    total = sum([count * size for count, size in done])
    return Datapoint(name, "Bytes", min(sizes), max(sizes), total, sum([count for count, _ in done]))
