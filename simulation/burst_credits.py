"""The arithmetic of Amazon EFS burst credits, from AWS's published rules alone.

It shares no code with the alerting stack on purpose: each side checks the other.
Every rate is in bytes per second and every size in bytes of Standard storage. Sources: the EFS user guide,
"Amazon EFS performance specifications" (rates, bucket) and "CloudWatch metrics for Amazon EFS".
"""

from dataclasses import dataclass

MIB = 2**20
GIB = 2**30
TIB = 2**40

MINUTE_SECONDS = 60

BASELINE_FLOOR_BYTES_PER_SECOND = 1 * MIB
BURST_FLOOR_BYTES_PER_SECOND = 100 * MIB
BASELINE_PER_TIB_BYTES_PER_SECOND = 50 * MIB
BURST_PER_TIB_BYTES_PER_SECOND = 100 * MIB
BUCKET_PER_TIB_BYTES = 2.1 * TIB


def earned_bytes_per_second(metered_bytes: int) -> float:
    """Credits earned: 50 MiB/s for each TiB, *without* the 1 MiB/s floor (derived from AWS's table)."""
    return metered_bytes / TIB * BASELINE_PER_TIB_BYTES_PER_SECOND


def baseline_bytes_per_second(metered_bytes: int, regional_cap_bytes_per_second: float) -> float:
    """Throughput permitted at zero credits: what the size earns, at least 1 MiB/s.

    AWS names the Region's limit for bursting only; that the baseline cannot pass it either is our reading.
    """
    return min(
        regional_cap_bytes_per_second,
        max(BASELINE_FLOOR_BYTES_PER_SECOND, earned_bytes_per_second(metered_bytes)),
    )


def burst_bytes_per_second(metered_bytes: int, regional_cap_bytes_per_second: float) -> float:
    """Throughput permitted while credits last: 100 MiB/s for each TiB, at least 100 MiB/s, within the Region's cap."""
    by_size = metered_bytes / TIB * BURST_PER_TIB_BYTES_PER_SECOND
    return min(regional_cap_bytes_per_second, max(BURST_FLOOR_BYTES_PER_SECOND, by_size))


def bucket_bytes(metered_bytes: int) -> int:
    """The highest balance: 2.1 TiB below 1 TiB stored, 2.1 TiB for each TiB above; whole bytes, as AWS reports it."""
    return round(max(1.0, metered_bytes / TIB) * BUCKET_PER_TIB_BYTES)


@dataclass(frozen=True, slots=True)
class CreditFlow:
    """One minute of a bursting file system.

    `served_bytes` are metered bytes. `earned_bytes` is what reached the balance: nothing once the bucket is full.
    `spent_bytes` is what left it: bytes above the earning rate that the 1 MiB/s floor gives away cost nothing,
    so that closing = opening + earned - spent holds always. `credit_seconds` is how long credits lasted.
    """

    opening_bytes: float
    closing_bytes: float
    average_bytes: float
    earned_bytes: float
    spent_bytes: float
    served_bytes: float
    credit_seconds: float


def flow(
    balance_bytes: float, metered_bytes: int, demanded_bytes: float, regional_cap_bytes_per_second: float
) -> CreditFlow:
    """Serve one minute's demand, in metered bytes and evenly spread.

    While credits last at the burst rate, after that at the baseline. A balance above the bucket, as a file system
    that shrank has it, is first cut down to the bucket.
    """
    demand = demanded_bytes / MINUTE_SECONDS
    earning = earned_bytes_per_second(metered_bytes)
    bucket = bucket_bytes(metered_bytes)
    opening = min(balance_bytes, bucket)

    serving = min(demand, burst_bytes_per_second(metered_bytes, regional_cap_bytes_per_second))
    if serving <= earning:
        # Served from what is being earned: the balance rises until the bucket is full.
        rising = earning - serving
        closing = min(float(bucket), opening + rising * MINUTE_SECONDS)
        rise_seconds = min(MINUTE_SECONDS, (closing - opening) / rising) if rising else MINUTE_SECONDS
        area = (opening + closing) / 2 * rise_seconds + closing * (MINUTE_SECONDS - rise_seconds)
        spent = serving * MINUTE_SECONDS
        earned = closing - opening + spent
        # A balance that leaves zero has credits from the first second on.
        credit_seconds = float(MINUTE_SECONDS if closing else 0)
        return CreditFlow(opening, closing, area / MINUTE_SECONDS, earned, spent, spent, credit_seconds)

    falling = serving - earning
    credit_seconds = min(MINUTE_SECONDS, opening / falling)
    closing = max(0.0, opening - falling * MINUTE_SECONDS)
    dry_seconds = MINUTE_SECONDS - credit_seconds
    dry_serving = min(demand, baseline_bytes_per_second(metered_bytes, regional_cap_bytes_per_second))
    earned = earning * MINUTE_SECONDS
    return CreditFlow(
        opening_bytes=opening,
        closing_bytes=closing,
        average_bytes=(opening + closing) / 2 * credit_seconds / MINUTE_SECONDS,
        earned_bytes=earned,
        spent_bytes=opening - closing + earned,
        served_bytes=serving * credit_seconds + dry_serving * dry_seconds,
        credit_seconds=credit_seconds,
    )
