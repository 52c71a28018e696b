"""A file system's past minute by minute, made from whatever was recorded; what is not whole is said in a remark."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, pairwise

from efs_monitor.efs.credits import (
    SECONDS_PER_MINUTE,
    TIB,
    baseline_bytes_per_second,
    burst_bytes_per_second,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.mail.numbers import counted, size

from operate.history.contradictions import contradictions
from operate.history.counters import faults_of, without
from operate.history.jumps import jumps_of
from operate.history.plausible import (
    OutOfTime,
    counted_points,
    drop_impossible_rates,
    drop_impossible_sizes,
    plausible,
)
from operate.history.recorded import (
    AVERAGE_BALANCE,
    BALANCE,
    COUNTERS,
    GAUGES,
    METERED,
    PERMITTED,
    STANDARD_SIZE,
    HistoryRefused,
    Recorded,
    RecordedPoint,
    moment,
)
from operate.history.sizes_and_modes import SHRUNK, file_systems_of, is_told, size_by_rates
from operate.replay.replayed_metrics import MINUTE, Metrics, Values

# CloudWatch keeps five-minute steps so long, and coarser ones are none that alarms could be judged by.
LONGEST_DAYS = 63
HOUR_MINUTES, DAY_MINUTES = 60, 1440
# Metrics that are later have stopped.
STOPPED = timedelta(hours=3)
# With less there is nothing to deploy with, and nothing to be judged by.
FEWEST_MINUTES = 60
# A gap that is no gap: metrics that come in pieces, and a minute that was lost.
SHORTEST_GAP_MINUTES = 15
# So many lost minutes of a hundred are said even where no gap is long.
LOST_SHARE = 0.01
# The metrics that are held against each other; steps of hours tell too little.
JUDGED = (BALANCE, PERMITTED, METERED)


@dataclass(frozen=True, kw_only=True)
class History:
    """Every minute of a file system's past that is known.

    `file_systems` is the file system from a minute on, the first from minute 0. Minutes before `coarse_until` are known
    in steps of five only: gauges are then repeated, counters spread evenly. MeteredIOBytes is known in steps of up to
    `metered_step_minutes`: of each minute of a longer one only the average is. `remarks` are sentences about what is
    not whole. `begins` is the first minute with a datapoint. Where the average balance of a minute is not known
    (`knows_average`), the lowest stands in its place; where nobody recorded what clients moved (`knows_metered`), an
    idle minute cannot be told from a busy one. Where not all of reads, writes and metadata was recorded, bytes and
    operations (`knows_operations`), none of one kind may be a lack of its metric. Where EFS did not tell how the file
    system is set up (`is_described`), what is not in the metrics is taken for the usual. `unpriced` are minutes of
    which what was moved is not known, because it cannot have been what was recorded.
    """

    file_system_id: str
    region: str
    metrics: Metrics
    file_systems: tuple[tuple[int, FileSystem], ...]
    begins: int
    coarse_until: int = 0
    remarks: tuple[str, ...] = ()
    knows_average: bool = False
    knows_metered: bool = True
    knows_operations: bool = True
    metered_step_minutes: int = 1
    is_described: bool = False
    unpriced: frozenset[int] = frozenset()

    @property
    def minutes(self) -> int:
        """How many there are."""
        return len(self.metrics.values[BALANCE])

    def time(self, minute: int) -> datetime:
        """When a minute begins."""
        return self.metrics.start + minute * MINUTE

    def iso_time(self, minute: int) -> str:
        """When a minute begins, as programs read it: ISO 8601, in UTC."""
        return f"{self.time(minute):%Y-%m-%dT%H:%MZ}"

    def described(self, minute: int) -> FileSystem:
        """The file system at a minute."""
        found = self.file_systems[0][1]
        for since, one in self.file_systems:
            if since > minute:
                break
            found = one
        return found


def history_of(recorded: Recorded, days: int | None, now: datetime, *, needs_balance: bool = True) -> History:
    """The last `days` of what was recorded, all of it where that is None; HistoryRefused without a usable balance.

    A file system that is told to be in elastic mode has none: whoever prices its load does not need it.
    """
    remarks = list(recorded.remarks)
    points = _cleaned(recorded, now, remarks, needs_balance=needs_balance)
    start, end, begins = _span(points, days, recorded.read_at, remarks)
    minutes = round((end - start) / 60)
    known = minutes - begins
    if known < FEWEST_MINUTES:
        are = "is" if known == 1 else "are"
        raise HistoryRefused(
            f"Only {counted(known)} of the metrics {are} known: at least {FEWEST_MINUTES} are needed, so read or "
            "export more of them, or ask again when there are"
        )
    values = _filled(points, recorded, start, minutes, remarks)
    _remark_gaps(values, begins, start, remarks)
    coarse_until = _coarse_until(points, start, remarks)
    file_systems = file_systems_of(recorded, points.get(STANDARD_SIZE, []), values, start, remarks)
    knows_size = recorded.described is not None or bool(points.get(STANDARD_SIZE))
    if not points.get(PERMITTED):
        _work_out_permitted(values, file_systems, remarks, knows_size=knows_size)
    _remark_lost_balances(values, file_systems, begins, start, remarks)
    modes_are_told = recorded.modes is not None
    unpriced = _judged(
        values, points, file_systems, start, remarks, modes_are_told=modes_are_told, knows_size=knows_size
    )
    metrics = Metrics(moment(start))
    metrics.values |= values
    return History(
        file_system_id=recorded.file_system_id,
        region=recorded.region,
        metrics=metrics,
        file_systems=file_systems,
        begins=begins,
        coarse_until=coarse_until,
        remarks=tuple(remarks),
        knows_average=bool(points.get(AVERAGE_BALANCE)),
        knows_metered=METERED in points,
        metered_step_minutes=max(
            (one.period_seconds for one in points.get(METERED, []) if one.seconds >= start), default=60
        )
        // 60,
        knows_operations=all(key in points for key in COUNTERS),
        is_described=recorded.described is not None,
        unpriced=unpriced,
    )


def _cleaned(
    recorded: Recorded, now: datetime, remarks: list[str], *, needs_balance: bool
) -> dict[tuple[str, str], list[RecordedPoint]]:
    """The points without what no metric can have.

    HistoryRefused where all of them are still to come, or no balance is left, and one is needed.
    """
    out_of_time = OutOfTime(now=now)
    out_of_time.refuse_if_all_is_to_come(recorded.points, recorded.source)
    points = {key: plausible(key, found, out_of_time, remarks) for key, found in recorded.points.items()}
    remarks += out_of_time.remarks
    drop_impossible_sizes(points, remarks)
    balances = points.get(BALANCE, [])
    if not balances and (needs_balance or not _is_elastic(recorded) or not points.get(PERMITTED)):
        raise _without_balance(recorded, remarks, needs_balance=needs_balance)
    drop_impossible_rates(balances, points, remarks)
    return points


def _without_balance(recorded: Recorded, remarks: list[str], *, needs_balance: bool) -> HistoryRefused:
    needed = "without it nothing can be said"
    if recorded.read_at is None and BALANCE not in recorded.points:
        needed += ", so export it, too"
    why = [needed, *remarks]
    if recorded.read_at is not None and not any(recorded.points.values()):
        why.append("look whether any client has it mounted, and whether this is its Region")
    if not needs_balance and recorded.read_at is None and not is_told(recorded):
        why[0] += (
            ", unless it is of a file system that is in elastic mode and has none: then say so in the file (# "
            "ThroughputMode: elastic, or FileSystems in JSON)"
        )
    if _is_elastic(recorded):
        why = [
            "EFS has none in elastic mode, and only efs-monitor advise does without"
            if needs_balance
            else "EFS has none in elastic mode, and without PermittedThroughput either nobody can tell which "
            "minutes are known. Export PermittedThroughput, too"
        ]
    return HistoryRefused(
        f"There is no BurstCreditBalance of {recorded.file_system_id or 'the file system'} in {recorded.source}: "
        + "; ".join(why)
    )


def _filled(
    points: dict[tuple[str, str], list[RecordedPoint]], recorded: Recorded, start: int, minutes: int, remarks: list[str]
) -> dict[tuple[str, str], Values]:
    """Each metric minute by minute, without balances that cannot have been."""
    values = {key: _by_minute(points.get(key, []), start, minutes, key in COUNTERS) for key in (*GAUGES, *COUNTERS)}
    if not points.get(AVERAGE_BALANCE):
        values[AVERAGE_BALANCE] = values[BALANCE]
    _leave_out_jumps(values, points, recorded, start, remarks)
    values["PermittedThroughput", "Maximum"] = _highest_permitted(values[BALANCE], values[PERMITTED])
    if METERED not in points:
        remarks.append(
            "MeteredIOBytes is not known: how much clients were slowed down cannot be told, only that the credits "
            "were gone"
        )
    return values


def _judged(
    values: dict[tuple[str, str], Values],
    points: dict[tuple[str, str], list[RecordedPoint]],
    file_systems: tuple[tuple[int, FileSystem], ...],
    start: int,
    remarks: list[str],
    *,
    modes_are_told: bool,
    knows_size: bool,
) -> frozenset[int]:
    """Hold the metrics against each other, and remark where they contradict; the minutes that have no price then."""
    step_minutes = max(point.period_seconds for key in JUDGED for point in points.get(key, [])) // 60
    if step_minutes > HOUR_MINUTES:
        return frozenset()
    unpriced = _leave_out_counters(values, points, start, remarks)
    remarks += contradictions(
        values,
        file_systems,
        step_minutes=step_minutes,
        modes_are_told=modes_are_told,
        knows_size=knows_size,
        knows_sizes=bool(points.get(STANDARD_SIZE)),
        knows_metered=METERED in points,
    )
    return unpriced


def _is_elastic(recorded: Recorded) -> bool:
    told = recorded.described.mode if recorded.described is not None else recorded.mode
    return told is ThroughputMode.ELASTIC


def _work_out_permitted(
    values: dict[tuple[str, str], Values],
    file_systems: tuple[tuple[int, FileSystem], ...],
    remarks: list[str],
    *,
    knows_size: bool,
) -> None:
    """What was permitted where no metric tells it: by the size, in the minutes that have a balance."""
    if not knows_size:
        remarks.append(
            "PermittedThroughput is not known, and no size to work it out from: how much clients were slowed down "
            "cannot be told"
        )
        return
    remarks.append("PermittedThroughput is not known: it is worked out from the size, as if the Region had no cap")
    changes = dict(file_systems)
    now = file_systems[0][1]
    rates: Values = []
    for minute, balance in enumerate(values[BALANCE]):
        now = changes.get(minute, now)
        if balance is None:
            rates.append(None)
        elif not now.lives_on_credits:
            rates.append(float(now.provisioned_bytes_per_second) or None)
        else:
            with_credits = burst_bytes_per_second(now.standard_bytes)
            # A balance that hovers above zero, spent as it is earned, is none left.
            is_gone = balance < with_credits * SECONDS_PER_MINUTE
            rates.append(float(baseline_bytes_per_second(now.standard_bytes) if is_gone else with_credits))
    values[PERMITTED] = values["PermittedThroughput", "Maximum"] = rates


def _leave_out_jumps(
    values: dict[tuple[str, str], Values],
    points: dict[tuple[str, str], list[RecordedPoint]],
    recorded: Recorded,
    start: int,
    remarks: list[str],
) -> None:
    """Leave out each balance that cannot have been, and say so; where nobody can tell which one is wrong, say it."""
    step_minutes = max((point.period_seconds for point in points.get(BALANCE, [])), default=60) // 60
    if step_minutes > HOUR_MINUTES or not points.get(BALANCE):
        return
    rates = [one for one in values[PERMITTED] if one is not None]
    sizes = points.get(STANDARD_SIZE, [])
    described = recorded.described.standard_bytes if recorded.described is not None else 0
    largest = max([described, *(round(one.value) for one in sizes)]) or size_by_rates(values[PERMITTED]) or TIB
    resized = (
        later.seconds for one, later in pairwise(sizes) if not SHRUNK <= later.value / max(one.value, 1.0) <= 1 / SHRUNK
    )
    changed = [*resized, *(one.time.timestamp() for one in recorded.modes or ())]
    found = jumps_of(
        values[BALANCE],
        permitted=max([burst_bytes_per_second(largest), *rates]),
        earned=baseline_bytes_per_second(largest),
        step_minutes=step_minutes,
        changed=[int(seconds - start) // 60 for seconds in changed],
    )
    if found.impossible:
        first, balance = found.impossible[0]
        remarks.append(
            f"{counted_points(len(found.impossible))} of BurstCreditBalance left out, the first of "
            f"{moment(start + first * 60):%Y-%m-%d %H:%M} UTC with {balance:,.0f}: from those before and after it no "
            "rate that was permitted or earned leads there"
        )
        for minute, _ in found.impossible:
            values[BALANCE][minute] = None
            if AVERAGE_BALANCE in values:
                values[AVERAGE_BALANCE][minute] = None
    if found.unexplained:
        (_, before), (minute, after) = found.unexplained[0]
        when = f"{moment(start + minute * 60):%Y-%m-%d %H:%M} UTC"
        remarks.append(
            f"BurstCreditBalance jumps{_times(len(found.unexplained))} as no rate that was permitted or earned "
            f"explains, first at {when} from {size(before)} to {size(after)}: unless its mode or size was changed "
            "then, one of the two is not so, and neither is what follows from it"
        )


def _leave_out_counters(
    values: dict[tuple[str, str], Values],
    points: dict[tuple[str, str], list[RecordedPoint]],
    start: int,
    remarks: list[str],
) -> frozenset[int]:
    """Forget what cannot have been moved, and say so; the minutes of which nothing is known then."""
    known = [key for key in COUNTERS if points.get(key)]
    longest = max((point.period_seconds for key in (*known, PERMITTED) for point in points.get(key, [])), default=60)
    found = faults_of(values, longest // 60, known)
    if found.steps and not found.everywhere:
        without(values, found.minutes, COUNTERS)
        remarks.append(
            f"{counted(len(found.minutes))} left out of what was moved and of prices, the first at "
            f"{moment(start + found.steps[0] * 60):%Y-%m-%d %H:%M} UTC: DataReadIOBytes, DataWriteIOBytes and "
            "MeteredIOBytes contradict each other there, or what was permitted"
        )
        return frozenset(found.minutes)
    if found.leaves_most_unexplained or found.are_of_different_units:
        without(values, range(len(values[METERED])), [key for key in COUNTERS if key != METERED])
        remarks.append(
            f"DataWriteIOBytes and a third of DataReadIOBytes come to {size(found.data_bytes)}, and MeteredIOBytes to "
            f"{size(found.metered_bytes)}: one of them is in another unit. What was read and written is left out; if "
            "it is MeteredIOBytes, how much clients were slowed down is not so either, nor are rates to provision and "
            "their prices"
        )
    return frozenset()


def _times(number: int) -> str:
    return "" if number == 1 else f" {number:,} times"


def _highest_permitted(balances: Values, permitted: Values) -> Values:
    """The highest rate of each minute, of which the lowest is read.

    They differ where credits end or come back, and then the highest is that of the minute beside it.
    """
    highest = list(permitted)
    for minute, rate in enumerate(permitted):
        if balances[minute] != 0 or rate is None:
            continue
        beside = (one for one in (minute - 1, minute + 1) if 0 <= one < len(permitted) and balances[one])
        highest[minute] = max(rate, *(permitted[one] or 0.0 for one in beside), 0.0)
    return highest


def _span(
    points: dict[tuple[str, str], list[RecordedPoint]], days: int | None, read_at: datetime | None, remarks: list[str]
) -> tuple[int, int, int]:
    """From when to when, in seconds since 1970, from a full hour on; and the first minute that has a datapoint.

    The end is that of the newest gauge: in elastic mode there may be no balance.
    """
    gauges = [found for key in GAUGES if (found := points.get(key))]
    newest = max(found[-1] for found in gauges)
    end = int(newest.seconds // 60 * 60) + newest.period_seconds
    wanted = LONGEST_DAYS if days is None else days
    earliest = end - wanted * DAY_MINUTES * 60
    first = min(point.seconds for found in gauges for point in found if point.seconds >= earliest)
    ended = 0.0 if read_at is None else read_at.timestamp() - end
    if ended > STOPPED.total_seconds():
        remarks.append(
            f"The metrics end at {moment(end):%Y-%m-%d %H:%M} UTC, {ended / 86_400:.1f} days before now: what came "
            "later, if anything did, is not known"
        )
        # What was asked for are the last days until now.
        earliest += int(ended)
    if days is not None and first - earliest > HOUR_MINUTES * 60:
        known = (end - first) / 86_400
        remarks.append(f"The metrics begin at {moment(first):%Y-%m-%d %H:%M} UTC: {known:.1f} of {days} days are known")
    dropped = sum(1 for found in gauges for point in found if point.seconds < earliest)
    if days is None and dropped:
        remarks.append(f"{counted_points(dropped)} older than {LONGEST_DAYS} days before the newest left out")
    start = int(first // 3600 * 3600)
    return start, end, int(first - start) // 60


def _by_minute(found: list[RecordedPoint], start: int, minutes: int, counted: bool) -> Values:
    values: Values = [None] * minutes
    for point in found:
        index = int(point.seconds - start) // 60
        length = max(1, point.period_seconds // 60)
        value = point.value / length if counted else point.value
        if length == 1 and 0 <= index < minutes:
            values[index] = value
            continue
        for minute in range(max(index, 0), min(index + length, minutes)):
            values[minute] = value
    return values


def _coarse_until(points: dict[tuple[str, str], list[RecordedPoint]], start: int, remarks: list[str]) -> int:
    coarse = [
        point
        for point in points.get(BALANCE) or points[PERMITTED]
        if point.period_seconds > 60 and point.seconds >= start
    ]
    if not coarse:
        return 0
    until = int(coarse[-1].seconds + coarse[-1].period_seconds - start) // 60
    remarks.append(
        f"Until {moment(start + until * 60):%Y-%m-%d %H:%M} UTC there are only steps of "
        f"{max(point.period_seconds for point in coarse) // 60} minutes: times are that much less exact, and the "
        "Draining alarm, which is about the pace of single minutes, is not judged by them"
    )
    return until


def _remark_gaps(values: dict[tuple[str, str], Values], begins: int, start: int, remarks: list[str]) -> None:
    """Where nothing at all is known; a balance that is missing alone may be that of another throughput mode."""
    missing = [
        balance is None and rate is None for balance, rate in zip(values[BALANCE], values[PERMITTED], strict=True)
    ]
    long, lost = _gaps(missing, begins)
    if lost:
        remarks.append(f"Here and there {lost:,} minutes are missing: what clients did in them is not counted")
    if long:
        remarks.append(f"Nothing is known of {_told_gaps(long, start)}: trouble in them is not counted")


def _remark_lost_balances(
    values: dict[tuple[str, str], Values],
    file_systems: tuple[tuple[int, FileSystem], ...],
    begins: int,
    start: int,
    remarks: list[str],
) -> None:
    """Where only the balance is not known of a file system that has one."""
    changes = dict(file_systems)
    bursts = file_systems[0][1].lives_on_credits
    missing = []
    for minute, (balance, rate) in enumerate(zip(values[BALANCE], values[PERMITTED], strict=True)):
        bursts = changes[minute].lives_on_credits if minute in changes else bursts
        missing.append(bursts and balance is None and rate is not None)
    long, lost = _gaps(missing, begins)
    if lost:
        remarks.append(f"Here and there {lost:,} balances are missing: trouble in those minutes is not counted")
    if long:
        remarks.append(f"BurstCreditBalance is missing for {_told_gaps(long, start)}: trouble in them is not counted")


def _gaps(missing: list[bool], begins: int) -> tuple[list[tuple[int, int]], int]:
    """Each run of minutes that is a gap, and how many are lost besides; 0 where those are too few to be told."""
    runs: list[tuple[int, int]] = []
    minute = begins
    for is_missing, run in groupby(missing[begins:]):
        length = sum(1 for _ in run)
        if is_missing:
            runs.append((minute, minute + length))
        minute += length
    long = [(begin, end) for begin, end in runs if end - begin >= SHORTEST_GAP_MINUTES]
    lost = sum(end - begin for begin, end in runs) - sum(end - begin for begin, end in long)
    return long, lost if lost >= max(SHORTEST_GAP_MINUTES, LOST_SHARE * (len(missing) - begins)) else 0


def _told_gaps(long: list[tuple[int, int]], start: int) -> str:
    longest = max(long, key=lambda gap: gap[1] - gap[0])
    begin, end = (moment(start + minute * 60) for minute in longest)
    minutes = sum(end - begin for begin, end in long)
    return (
        f"{minutes:,} minutes in {len(long)} {'gap' if len(long) == 1 else 'gaps'}, the longest from "
        f"{begin:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} UTC"
    )
