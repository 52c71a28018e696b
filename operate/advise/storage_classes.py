"""The rules about where the bytes lie: Infrequent Access, or one Availability Zone, for what clients leave alone.

In bursting mode only bytes in Standard earn credits. So what Infrequent Access saves is held against what it takes from
the baseline and the bucket, and it is advised only where this load would not have felt it.
"""

from dataclasses import dataclass

from efs_monitor.costs import prices
from efs_monitor.efs.credits import (
    GIB,
    HIGHEST_REGIONAL_CAP_BYTES_PER_SECOND,
    TIB,
    baseline_bytes_per_second,
    full_bucket_bytes,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.incidents.situation import Work
from efs_monitor.mail.numbers import money, percent, rate, size
from efs_monitor.mail.stack_context import StackContext

from operate.advise.finding import WORTH_DOLLARS, WORTH_SHARE, AdviceFinding
from operate.advise.mode_prices import (
    DAY_MINUTES,
    MONTH_DAYS,
    MONTH_MINUTES,
    SHORT,
    PricedMode,
    known_minutes,
    unexplained,
)
from operate.history.file_system_history import LOST_SHARE, History
from operate.history.recorded import BALANCE, METERED
from simulation.burst_credits import bucket_bytes, flow

# What nobody touched for less than two weeks is not cold, and metrics of fewer days show nothing of it.
FEWEST_DAYS = 14
MOST_OF_IT = 0.5
# AWS's own choice where a file system is created in the console.
POLICY = "TransitionToIA=AFTER_30_DAYS"
# Another file system, and a copy of everything: that is not done for a few dollars.
ONE_ZONE_WORTH_DOLLARS = 100.0
# What a One Zone file system takes of writes, as metered (https://docs.aws.amazon.com/efs/latest/ug/performance.html).
ONE_ZONE_BYTES_PER_SECOND = GIB
IA_STORAGE = {
    ThroughputMode.BURSTING: prices.INFREQUENT_ACCESS_STORAGE,
    ThroughputMode.ELASTIC: prices.INFREQUENT_ACCESS_STORAGE_ELASTIC,
}


@dataclass(frozen=True, kw_only=True)
class Cold:
    """What of Standard is known to have been neither read nor written in so many days, and what was read a month."""

    standard_bytes: int
    untouched_bytes: float
    read_bytes_a_month: float
    days: int

    @property
    def share(self) -> float:
        """How much of Standard that is."""
        return self.untouched_bytes / self.standard_bytes

    @property
    def words(self) -> str:
        """What shows it, as a sentence."""
        return (
            f"Of {size(self.standard_bytes)} in Standard at least {size(self.untouched_bytes)} ({percent(self.share)}) "
            f"were neither read nor written in {self.days} days: no more was moved."
        )


def cold_of(history: History, works: tuple[Work, ...]) -> Cold | None:
    """The bytes that were left alone for certain: all of them, less each byte that was read or written.

    None where most were not, and where it cannot be told: EFS did not describe the file system, the metrics are of less
    than two weeks or have gaps, or do not tell what was read from what was written, or not all of it.
    """
    known = known_minutes(history)
    days = round((history.minutes - history.begins) / DAY_MINUTES)
    standard_bytes = history.described(history.minutes).standard_bytes
    read_bytes = sum(one.read_bytes for one in works)
    moved_bytes = read_bytes + sum(one.written_bytes for one in works)
    tells_apart = moved_bytes > 0 or not any(history.metrics.values[METERED])
    is_known = tells_apart and unexplained(history, works) is None
    is_whole = days >= FEWEST_DAYS and known >= (1 - LOST_SHARE) * (history.minutes - history.begins)
    if not history.is_described or not is_known or not is_whole:
        return None
    untouched_bytes = standard_bytes - moved_bytes
    if untouched_bytes <= MOST_OF_IT * standard_bytes:
        return None
    return Cold(
        standard_bytes=standard_bytes,
        untouched_bytes=untouched_bytes,
        read_bytes_a_month=read_bytes * MONTH_MINUTES / known,
        days=days,
    )


def infrequent_access(
    history: History, file_system: FileSystem, cold: Cold, now: PricedMode, mode: ThroughputMode, stack: StackContext
) -> AdviceFinding | None:
    """The lifecycle policy, where in the `mode` that is there or advised it saves what is worth it and nobody feels it.

    None for provisioned throughput: what leaves Standard earns nothing, so more of the rate is billed than is saved.
    None where something lies in other classes than Standard: then a policy is at work.
    """
    if mode not in IA_STORAGE or file_system.colder_bytes or now.short_minutes:
        return None
    storage = prices.ONE_ZONE_INFREQUENT_ACCESS_STORAGE if file_system.one_zone else IA_STORAGE[mode]
    standard = prices.ONE_ZONE_STANDARD_STORAGE if file_system.one_zone else prices.STANDARD_STORAGE
    bursts = mode is ThroughputMode.BURSTING
    if bursts and _is_felt(history, file_system):
        return None
    standard_dollars = cold.standard_bytes / GIB * standard.dollars
    retrieval_dollars = cold.read_bytes_a_month / GIB * prices.INFREQUENT_ACCESS_MOVED.dollars
    saved = cold.untouched_bytes / GIB * (standard.dollars - storage.dollars) - retrieval_dollars
    if saved < WORTH_DOLLARS or saved <= WORTH_SHARE * standard_dollars:
        return None
    moving_dollars = cold.untouched_bytes / GIB * prices.INFREQUENT_ACCESS_MOVED.dollars
    return AdviceFinding(
        title="Storage: Infrequent Access for files that nobody touches",
        evidence=f"{cold.words} A file of which a part was touched stays, and the first byte of one in Infrequent "
        f"Access takes tens of milliseconds.{_credits_before_and_after(cold) if bursts else ''} A GB costs "
        f"${storage.listed} a month there, ${standard.listed} in Standard.",
        money=f"up to {money(saved)} a month less, of {money(standard_dollars)}: as if all that is read were read "
        f"there, for ${prices.INFREQUENT_ACCESS_MOVED.listed} a GB; {money(moving_dollars)} once to move it "
        f"({prices.REGION} list, {prices.AS_OF})",
        command=stack.aws_command(
            f"efs put-lifecycle-configuration --file-system-id {file_system.file_system_id} "
            f"--lifecycle-policies {POLICY}"
        ),
        source="EFS user guide, storage lifecycle, throughput modes; EFS pricing",
    )


def one_zone(history: History, file_system: FileSystem, cold: Cold, stack: StackContext) -> AdviceFinding | None:
    """A file system in one Availability Zone, as an option: only where much is saved, and the load fits."""
    busiest_bytes = max((one for one in history.metrics.values[METERED] if one is not None), default=0.0) / 60
    needed_bytes = max(busiest_bytes, file_system.provisioned_bytes_per_second)
    saved = cold.standard_bytes / GIB * (prices.STANDARD_STORAGE.dollars - prices.ONE_ZONE_STANDARD_STORAGE.dollars)
    if file_system.one_zone or needed_bytes > ONE_ZONE_BYTES_PER_SECOND or saved < ONE_ZONE_WORTH_DOLLARS:
        return None
    return AdviceFinding(
        title="Storage: One Zone, where the loss of one Availability Zone may cost the data",
        evidence=f"{cold.words} A GB costs ${prices.ONE_ZONE_STANDARD_STORAGE.listed} a month there, "
        f"${prices.STANDARD_STORAGE.listed} in a Regional file system, and earns the same credits.",
        money=f"{money(saved)} a month less where all of it stays in Standard ({prices.REGION} list, {prices.AS_OF})",
        command=stack.aws_command("efs create-file-system --availability-zone-name ZONE")
        + ", then copy: it cannot be changed",
        source="EFS user guide, file system types; EFS pricing",
    )


def _is_felt(history: History, file_system: FileSystem) -> bool:
    """Whether clients would have been slowed down, or will be in a month of such days, had nothing stayed in Standard.

    How much stays depends on which files were touched, which no metric tells. So this is the worst: nothing is earned.
    """
    values = history.metrics.values
    balance = next((one for one in values[BALANCE] if one is not None), float(bucket_bytes(file_system.standard_bytes)))
    moved_bytes = 0.0
    for moved in values[METERED]:
        went = flow(balance, 0, moved or 0.0, HIGHEST_REGIONAL_CAP_BYTES_PER_SECOND)
        if went.served_bytes < (moved or 0.0) * SHORT:
            return True
        balance = went.closing_bytes
        moved_bytes += moved or 0.0
    return moved_bytes / known_minutes(history) * MONTH_DAYS * DAY_MINUTES > bucket_bytes(0)


def _credits_before_and_after(cold: Cold) -> str:
    left_bytes = round(cold.standard_bytes - cold.untouched_bytes)
    before, after = (rate(baseline_bytes_per_second(one)) for one in (cold.standard_bytes, left_bytes))
    full_before, full_after = (f"{full_bucket_bytes(one) / TIB:,.1f} TiB" for one in (cold.standard_bytes, left_bytes))
    bucket = f"stays at {full_before}" if full_before == full_after else f"falls from {full_before} to {full_after}"
    return (
        f" Only Standard earns credits: the baseline falls from {before} to {after} or less, and a full bucket "
        f"{bucket}. Even with nothing left in Standard no minute of this load would have been slowed down, and a full "
        "bucket lasts a month of it."
    )
