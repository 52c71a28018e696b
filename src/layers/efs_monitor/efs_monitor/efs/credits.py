"""How Amazon EFS earns and spends burst credits: the formulas of its user guide, in bytes and seconds.

Source of every figure: EFS user guide, "Throughput modes" and "Understanding Amazon EFS burst credits".
"""

from fractions import Fraction
from functools import cache

MIB = 1024**2
GIB = 1024**3
TIB = 1024**4

BASELINE_BYTES_PER_SECOND_PER_TIB = 50 * MIB
BURST_BYTES_PER_SECOND_PER_TIB = 100 * MIB
LOWEST_BASELINE_BYTES_PER_SECOND = 1 * MIB
LOWEST_BURST_BYTES_PER_SECOND = 100 * MIB
# Regions cap what bursting may drive; the lowest cap AWS publishes anywhere is 1 GiB/s (EFS quotas). The cap
# of a Region changes, so it is read off the metric; this figure only says where one may exist at all.
LOWEST_REGIONAL_CAP_BYTES_PER_SECOND = 1 * GIB
# The highest, of reads in the largest Regions.
HIGHEST_REGIONAL_CAP_BYTES_PER_SECOND = 5 * GIB
# A full bucket holds 2.1 TiB for each TiB stored, and never less than that of 1 TiB.
BUCKET_BYTES_PER_STORED_BYTE = Fraction(21, 10)

SECONDS_PER_MINUTE = 60
# A rate is the same up to here: PermittedThroughput is a floating-point datapoint, and the metered size moves a little.
SAME_RATE = 1.01


def earned_bytes_per_second(standard_bytes: int) -> int:
    """The rate at which `standard_bytes` in Standard storage earn credits, without the 1 MiB/s floor."""
    return standard_bytes * BASELINE_BYTES_PER_SECOND_PER_TIB // TIB


def bytes_that_earn(bytes_per_second: float) -> int:
    """How much in Standard storage earns credits at this rate."""
    return round(bytes_per_second * TIB / BASELINE_BYTES_PER_SECOND_PER_TIB)


def baseline_bytes_per_second(standard_bytes: int) -> int:
    """The throughput that is left when the credits are gone: 50 MiB/s per TiB, at least 1 MiB/s."""
    return max(LOWEST_BASELINE_BYTES_PER_SECOND, earned_bytes_per_second(standard_bytes))


def burst_bytes_per_second(standard_bytes: int) -> int:
    """The throughput permitted while credits last, before any regional cap: 100 MiB/s per TiB, at least 100."""
    return max(LOWEST_BURST_BYTES_PER_SECOND, standard_bytes * BURST_BYTES_PER_SECOND_PER_TIB // TIB)


def is_no_faster(with_credits_bytes_per_second: float, without_bytes_per_second: float) -> bool:
    """Whether credits let a file system be driven no faster, or by less than a hundredth: a Region's cap is below what
    its size earns.
    """
    return with_credits_bytes_per_second <= without_bytes_per_second * SAME_RATE


# Asked of one size for each five minutes of a day, again and again; exact fractions take their time.
@cache
def full_bucket_bytes(standard_bytes: int) -> int:
    """The most credits a file system can hold; 2,308,974,418,330 bytes up to 1 TiB stored."""
    return round(max(standard_bytes, TIB) * BUCKET_BYTES_PER_STORED_BYTE)


def threshold_bytes(lead_minutes: int, reference_bytes_per_second: int) -> int:
    """The balance that lasts `lead_minutes` when driven at the reference throughput without a pause.

    What the file system earns meanwhile is left out on purpose: the real time to zero is then never shorter
    than promised (189 minutes for 180 at 100 GiB, 360 at 1 TiB).
    """
    return lead_minutes * SECONDS_PER_MINUTE * reference_bytes_per_second


def minutes_left(balance_bytes: float, bytes_per_second: float) -> float:
    """Minutes until `balance_bytes` are spent at a steady `bytes_per_second`, which must be above zero."""
    if bytes_per_second <= 0:
        message = f"minutes left need a rate above zero, not {bytes_per_second}"
        raise ValueError(message)
    return balance_bytes / bytes_per_second / SECONDS_PER_MINUTE


def is_nothing(balance_bytes: float, minute_bytes: float) -> bool:
    """Whether it would not last a second: a balance that is spent to the last credit is not always zero to the byte."""
    return balance_bytes < minute_bytes / SECONDS_PER_MINUTE
