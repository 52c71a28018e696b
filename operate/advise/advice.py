"""The rules: each a pure function of a priced window, that finds one thing with its evidence, money and command."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isinf

from efs_monitor.costs import prices
from efs_monitor.costs.mode_costs import elastic_dollars
from efs_monitor.efs.credits import (
    LOWEST_REGIONAL_CAP_BYTES_PER_SECOND,
    MIB,
    baseline_bytes_per_second,
    burst_bytes_per_second,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.metering import SMALLEST_DATA_OPERATION_KIB
from efs_monitor.incidents.needed_throughput import HELD_DOWN
from efs_monitor.incidents.situation import Work
from efs_monitor.mail.mode_changes import elastic_command, provisioned_command
from efs_monitor.mail.numbers import counted, money, size
from efs_monitor.mail.stack_context import StackContext

from operate.advise.benchmark_file import BenchmarkFile
from operate.advise.clients import client_findings
from operate.advise.finding import WORTH_DOLLARS, WORTH_SHARE, AdviceFinding
from operate.advise.mode_prices import (
    DAY_MINUTES,
    MONTH_MINUTES,
    STEP_SECONDS,
    PricedMode,
    as_it_is,
    bursting,
    elastic,
    known_minutes,
    least_provisioned,
    most_elastic_dollars,
    unexplained,
    works_of,
)
from operate.advise.storage_classes import cold_of, infrequent_access, one_zone
from operate.backtest.spells import spells_of
from operate.history.file_system_history import History
from operate.history.recorded import PERMITTED, HistoryRefused
from operate.replay.replayed_account import ACCOUNT_ID

# The lowest that the EFS user guide has had for General Purpose, in file operations a second; a write counts as five.
GENERAL_PURPOSE_OPERATIONS_PER_SECOND, OPERATIONS_PER_WRITE = 35_000, 5
LOCK = "AWS allows neither another mode nor a decrease within 24 hours of a change of the mode or of its rate."


@dataclass(frozen=True, kw_only=True)
class Advice:
    """The modes as they are priced, how it is now, and what follows. `remarks` say what is not whole."""

    history: History
    remarks: tuple[str, ...]
    now: PricedMode
    modes: tuple[PricedMode, ...]
    slowed_minutes: int
    findings: tuple[AdviceFinding, ...]


def advise(history: History, measured: BenchmarkFile | None = None) -> Advice:
    """Everything about one window, and about what a benchmark `measured` of the clients; HistoryRefused where nobody
    recorded what clients moved.
    """
    if not history.knows_metered:
        why = (one for one in history.remarks if one.startswith("MeteredIOBytes is left out"))
        raise HistoryRefused(
            "; ".join(["MeteredIOBytes is not known: without what clients moved there is nothing to advise", *why])
        )
    works = works_of(history)
    slowed = _slowed_minutes(history)
    file_system = history.described(history.minutes)
    modes, remarks = [bursting(history, slowed)], list(history.remarks)
    if (step := history.metered_step_minutes) > 1:
        remarks.append(
            f"MeteredIOBytes is known in steps of up to {step} minutes only: a minute of them may have moved up to "
            f"{step} times as much as its average, by which modes are judged here, and a mode may have been slower "
            "though it is said to be enough"
        )
    if not any(one.read_bytes or one.written_bytes for one in works) and works:
        remarks.append("What was read and what was written is not known apart: elastic throughput cannot be priced")
    elif not file_system.max_io:
        modes.append(elastic(history, works))
        if isinf(most_elastic_dollars(works)):
            remarks.append(
                "How many operations there were is not known (SampleCount): elastic throughput, which bills small ones "
                "as more than they are, may cost more"
            )
        if (lacking := unexplained(history, works)) is not None:
            remarks.append(
                f"MeteredIOBytes tells of {size(lacking.metered_bytes)}, and what is recorded of reads, writes and "
                f"metadata comes to {size(lacking.recorded_bytes)} as metered: the rest is small operations, was not "
                "recorded, or one of them is in another unit. Elastic throughput may cost much more, and what was left "
                "alone is not known"
            )
    least = least_provisioned(history)
    held_down_bytes = HELD_DOWN * baseline_bytes_per_second(file_system.standard_bytes)
    if least is not None and slowed and (least.mib_per_second or 0) * MIB <= held_down_bytes:
        remarks.append(
            "Clients never moved more than is permitted without credits: what they need cannot be told, and a rate to "
            "provision neither"
        )
    elif least is not None:
        modes.append(least)
    if file_system.archive_bytes:
        remarks.append(
            f"{size(file_system.archive_bytes)} are in Archive, which only elastic throughput has: AWS refuses another "
            "throughput mode, and none is advised"
        )
    now = as_it_is(history, works, slowed)
    known = known_minutes(history)
    if known < DAY_MINUTES:
        remarks.append(
            f"Only {counted(known)} are known: a month is one in which it went on like these, day and night, and no "
            "month may be like them"
        )
    return Advice(
        history=history,
        remarks=tuple(remarks),
        now=now,
        modes=tuple(modes),
        slowed_minutes=slowed,
        findings=(
            *(_if_it_goes_on(one, known) for one in _findings(history, file_system, works, now, tuple(modes))),
            *(client_findings(measured, history, works) if measured is not None else ()),
        ),
    )


def _if_it_goes_on(finding: AdviceFinding, known: int) -> AdviceFinding:
    """The finding, its money with a mark where a month is made of less than a day."""
    if known >= DAY_MINUTES:
        return finding
    return replace(finding, money=f"If it went on like these {counted(known)}: {finding.money}")


def _slowed_minutes(history: History) -> int:
    """In how many minutes clients moved all that is permitted without credits, by the measure of the thresholds."""
    modes = dict(history.file_systems)
    highest, bursts = 0.0, history.file_systems[0][1].lives_on_credits
    for minute, rate in enumerate(history.metrics.values[PERMITTED]):
        bursts = modes[minute].lives_on_credits if minute in modes else bursts
        if bursts and rate is not None:
            highest = max(highest, rate)
    # A lower rate tells of a long time without credits, and of no cap.
    cap = max(highest, LOWEST_REGIONAL_CAP_BYTES_PER_SECOND)
    references = [
        (minute, float(min(burst_bytes_per_second(one.standard_bytes), cap))) for minute, one in history.file_systems
    ]
    found = [one.limited_minutes for one in spells_of(history, references)]
    if None in found:
        raise HistoryRefused(
            "The credits ended, and how much clients were slowed down then is not known (PermittedThroughput, or "
            "StorageBytes to work it out from): without it there is nothing to advise"
        )
    return sum(one or 0 for one in found)


def cheapest(modes: tuple[PricedMode, ...]) -> PricedMode | None:
    """The cheapest mode that would have cut nothing off, nor will in a month of such days; None where each would.

    By what each costs at most: one that is cheaper only if its price is the lowest that it can be may be dearer.
    """
    enough = (one for one in modes if not one.short_minutes and one.credits_last_days is None)
    return min(enough, key=lambda one: (one.most_dollars_a_month, one.dollars_a_month), default=None)


def price(one: PricedMode) -> str:
    """What a mode costs a month, or between which two amounts that lies."""
    least = money(one.dollars_a_month)
    if isinf(one.further_dollars):
        return f"{least} or more"
    return least if one.is_priced_exactly else f"{least} to {money(one.most_dollars_a_month)}"


def _findings(
    history: History, file_system: FileSystem, works: tuple[Work, ...], now: PricedMode, modes: tuple[PricedMode, ...]
) -> Iterator[AdviceFinding]:
    stack = StackContext(
        stack_name="", region=history.region or "REGION", account_id=ACCOUNT_ID, partition="aws", runbook_url=""
    )
    name = file_system.file_system_id or "FILE-SYSTEM"
    # Only elastic throughput has Archive: AWS refuses another mode while there is data in it.
    best, mode = None if file_system.archive_bytes else cheapest(modes), file_system.mode
    if best is not None and (found := another_mode(now, best, name, stack, history.metered_step_minutes)) is not None:
        mode = best.mode
        yield found
    if file_system.max_io and (found := _max_io(works)) is not None:
        yield found
    if now.mode is ThroughputMode.ELASTIC and (found := _small_operations(history, works)) is not None:
        yield found
    if (cold := cold_of(history, works)) is not None:
        if (found := infrequent_access(history, file_system, cold, now, mode, stack)) is not None:
            yield found
        if (found := one_zone(history, file_system, cold, stack)) is not None:
            yield found


def _but_for(best: PricedMode) -> str:
    """The clause on minutes in which the advised mode would have permitted up to 2 % less; empty without any."""
    if not best.barely_short_minutes:
        return ""
    return f", but for less than 2 % of it in {counted(best.barely_short_minutes)}"


def _too_slow(now: PricedMode) -> Iterator[str]:
    """In how many minutes clients were slowed down, and in how many they would have been, had it been the mode then."""
    if now.slowed_minutes:
        yield (
            f"In {counted(now.slowed_minutes)} clients moved all that {_called(now)} permits; what they were refused "
            "is in no metric, so the load may be larger than what is priced here."
        )
    if (faster := now.short_minutes - now.slowed_minutes) > 0:
        yield f"In {counted(faster)}, in another throughput mode, clients moved more than {_called(now)} permits."


def _barely_slower(best: PricedMode) -> str:
    """In how many minutes a mode that is advised to who was slowed down would have permitted a little less."""
    if not best.barely_short_minutes:
        return ""
    minutes = counted(best.barely_short_minutes)
    return f" In {minutes} {_called(best)} would have permitted less than 2 % less than what was moved."


def another_mode(
    now: PricedMode, best: PricedMode, name: str, stack: StackContext, step_minutes: int = 1
) -> AdviceFinding | None:
    """The `best` mode in the place of what is `now`, where that is too slow or the best saves what is worth it.

    What was moved is known in steps of up to so many minutes: in a longer one only what was moved on average.
    """
    saved = now.dollars_a_month - best.most_dollars_a_month
    if now.short_minutes:
        evidence = " ".join(_too_slow(now)) + _barely_slower(best)
        dollars = f"{price(best)} a month instead of {price(now)}"
        if now.slowed_minutes:
            dollars = f"{money(best.dollars_a_month)} a month at least, instead of {price(now)}"
    elif saved >= WORTH_DOLLARS and saved >= WORTH_SHARE * now.dollars_a_month:
        moved = "every minute of what was moved"
        if step_minutes > 1:
            moved = f"what was moved on average of up to {step_minutes} minutes"
        evidence = f"{_called(best)} would have permitted {moved}{_but_for(best)}."
        at_least = "" if best.is_priced_exactly and now.is_priced_exactly else " at least"
        dollars = f"{money(saved)} a month less{at_least}: {price(best)} instead of {price(now)}"
    else:
        return None
    command = {
        ThroughputMode.ELASTIC: elastic_command(name, stack),
        ThroughputMode.PROVISIONED: provisioned_command(name, best.mib_per_second or 1, stack),
        ThroughputMode.BURSTING: stack.aws_command(
            f"efs update-file-system --file-system-id {name} --throughput-mode bursting"
        ),
    }[best.mode]
    return AdviceFinding(
        title=f"Throughput: {_called(best)} instead of {_called(now)}",
        evidence=f"{evidence} {LOCK}",
        money=f"{dollars} ({prices.REGION} list, {prices.AS_OF})",
        command=command,
        source="EFS user guide, throughput modes; EFS pricing",
    )


def _max_io(works: tuple[Work, ...]) -> AdviceFinding | None:
    if isinf(most_elastic_dollars(works)):
        # Not all of them were counted.
        return None
    operations = (one.reads + OPERATIONS_PER_WRITE * one.writes + one.metadata_operations for one in works)
    busiest = max(operations, default=0.0) / STEP_SECONDS
    if not busiest or busiest >= GENERAL_PURPOSE_OPERATIONS_PER_SECOND / 2:
        return None
    return AdviceFinding(
        title="Performance mode: General Purpose would do, and each operation is faster there",
        evidence=f"The busiest five minutes had {busiest:,.0f} operations a second, a write counted as "
        f"{OPERATIONS_PER_WRITE}; General Purpose takes {GENERAL_PURPOSE_OPERATIONS_PER_SECOND:,} and more.",
        money="the same price; elastic throughput becomes possible",
        command="aws efs create-file-system --performance-mode generalPurpose, then copy: the mode cannot be changed",
        source="EFS user guide, performance modes",
    )


def _small_operations(history: History, works: tuple[Work, ...]) -> AdviceFinding | None:
    """What of the elastic bill is the rounding up of small operations."""
    whole = elastic_dollars(works)
    bytes_alone = elastic_dollars(
        Work(
            time=one.time,
            metered_bytes=one.metered_bytes,
            read_bytes=one.read_bytes,
            written_bytes=one.written_bytes,
            metadata_bytes=one.metadata_bytes,
        )
        for one in works
    )
    operations = sum(one.reads + one.writes for one in works)
    more = (whole - bytes_alone) * MONTH_MINUTES / known_minutes(history)
    if not operations or more < WORTH_DOLLARS or whole - bytes_alone < 0.2 * whole:
        return None
    kib = sum(one.read_bytes + one.written_bytes for one in works) / operations / 1024
    return AdviceFinding(
        title="Small operations: larger reads and writes would cost less",
        evidence=f"A read or write has {kib:,.1f} KiB on average, and is billed as at least "
        f"{SMALLEST_DATA_OPERATION_KIB} KiB.",
        money=f"{money(more)} a month at least is the difference ({prices.REGION} list, {prices.AS_OF})",
        command="mount with rsize=1048576,wsize=1048576, and let applications write in larger blocks",
        source='re:Post, "How do I estimate Elastic throughput mode costs for Amazon EFS"',
    )


def _called(one: PricedMode) -> str:
    return f"provisioned {one.mib_per_second:,} MiB/s" if one.mib_per_second is not None else f"{one.mode} throughput"
