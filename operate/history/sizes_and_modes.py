"""Which size and throughput mode a file system had when. CloudWatch keeps no record of modes, and may lack sizes."""

from collections.abc import Iterator
from dataclasses import replace

from efs_monitor.efs.credits import (
    BASELINE_BYTES_PER_SECOND_PER_TIB,
    BURST_BYTES_PER_SECOND_PER_TIB,
    GIB,
    LOWEST_BASELINE_BYTES_PER_SECOND,
    LOWEST_BURST_BYTES_PER_SECOND,
    MIB,
    TIB,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.mail.numbers import size

from operate.history.doubted_modes import why_it_was_bursting
from operate.history.modes import ModeSpan, is_about, other_modes, provisioned_since
from operate.history.recorded import BALANCE, PERMITTED, STANDARD_SIZE, HistoryRefused, Recorded, RecordedPoint, moment
from operate.replay.replayed_metrics import Values

# As long as the value of a tag.
LONGEST_NAME = 256
# A size that falls by so much at once is told: thresholds may fall with it.
SHRUNK = 0.9


def file_systems_of(
    recorded: Recorded,
    sizes: list[RecordedPoint],
    values: dict[tuple[str, str], Values],
    start: int,
    remarks: list[str],
) -> tuple[tuple[int, FileSystem], ...]:
    """The file system from each minute on at which its size or mode became another; the first is from minute 0."""
    now = recorded.described
    if now is None:
        now = FileSystem(
            file_system_id=recorded.file_system_id,
            name="",
            mode=recorded.mode or ThroughputMode.BURSTING,
            standard_bytes=round(sizes[-1].value) if sizes else size_by_rates(values[PERMITTED]),
            provisioned_bytes_per_second=_permitted_now(recorded, values[PERMITTED], remarks),
        )
        if recorded.mode is None:
            remarks.append(
                "The throughput mode is not known: it is taken to be bursting where the metrics show no other"
            )
        if not sizes:
            remarks.append(
                f"The size is not known (StorageBytes): by the throughput that it was permitted it is taken to be "
                f"{now.standard_bytes / GIB:,.0f} GiB"
                if now.standard_bytes
                else "The size is not known (StorageBytes): it is taken to be below 1 TiB, and mails would name other "
                "rates without credits"
            )
    elif not sizes:
        remarks.append(
            f"The size in the past is not known (StorageBytes): it is taken to have been "
            f"{now.standard_bytes / GIB:,.0f} GiB throughout"
        )
    elif not SHRUNK / 2 < now.standard_bytes / sizes[-1].value < 2 / SHRUNK:
        remarks.append(
            f"EFS tells {size(now.standard_bytes)} in Standard now, and the newest StorageBytes "
            f"{size(sizes[-1].value)}: one of them is not so, and prices and credits go by the second"
        )
    now = replace(now, name=_plain(now.name))
    by_size = _by_size(now, sizes, start, remarks)
    return _by_mode(recorded, by_size, values, start, remarks)


def _plain(name: str) -> str:
    """A name as it can be shown anywhere: a tag has no signs that command a terminal or turn a line round."""
    return "".join(one if one.isprintable() else "?" for one in name[:LONGEST_NAME])


def _permitted_now(recorded: Recorded, permitted: Values, remarks: list[str]) -> int:
    """What is provisioned where a file tells that something is, and not how much: what is permitted now. Else 0."""
    if recorded.mode is not ThroughputMode.PROVISIONED:
        return 0
    rate = next((one for one in reversed(permitted) if one is not None), None)
    if rate is None:
        raise HistoryRefused(
            "The file tells provisioned mode, and no metric tells the rate (PermittedThroughput): export it too, or "
            "give ProvisionedThroughputInMibps in JSON"
        )
    remarks.append(
        f"The file tells provisioned mode and not the rate: it is taken to be the {rate / MIB:,.0f} MiB/s that are "
        "permitted now"
    )
    return round(rate)


def _by_size(
    now: FileSystem, sizes: list[RecordedPoint], start: int, remarks: list[str]
) -> list[tuple[int, FileSystem]]:
    found: list[tuple[int, FileSystem]] = []
    for point in sizes:
        minute = max(0, int(point.seconds - start) // 60)
        one = replace(now, standard_bytes=round(point.value))
        if found and found[-1][1] == one:
            continue
        if found and one.standard_bytes < SHRUNK * found[-1][1].standard_bytes:
            remarks.append(
                f"At {moment(start + minute * 60):%Y-%m-%d %H:%M} UTC it shrank from "
                f"{found[-1][1].standard_bytes / GIB:,.1f} to {one.standard_bytes / GIB:,.1f} GiB; "
                "the thresholds follow"
            )
        if found and found[-1][0] == minute:
            found.pop()
        found.append((minute, one))
    if not found:
        return [(0, now)]
    return [(0, found[0][1]), *found[1:]]


def _by_mode(
    recorded: Recorded,
    by_size: list[tuple[int, FileSystem]],
    values: dict[tuple[str, str], Values],
    start: int,
    remarks: list[str],
) -> tuple[tuple[int, FileSystem], ...]:
    """The sizes, each with the throughput mode of its time."""
    changes: list[tuple[int, ThroughputMode, int]]
    if recorded.modes is not None:
        changes = [
            (
                max(0, int(one.time.timestamp() - start) // 60),
                ThroughputMode(one.mode),
                one.provisioned_bytes_per_second,
            )
            for one in sorted(recorded.modes, key=lambda one: one.time)
        ]
    else:
        found = other_modes(values[BALANCE], values[PERMITTED], by_size)
        latest = by_size[-1][1]
        changes = [(0, ThroughputMode.BURSTING, 0)]
        for span in found:
            changes += [(span.begin, span.mode, span.bytes_per_second), (span.end, ThroughputMode.BURSTING, 0)]
        told = [one for one in found[-1:] if one.end == len(values[BALANCE]) and _is_told_now(recorded, one, latest)]
        remarks += [_told(span, recorded, start) for span in told]
        remarks += _guessed(found[: len(found) - len(told)], recorded, values, by_size, start)
        if found and found[-1].end == len(values[BALANCE]):
            changes.pop()
        elif (
            latest.mode is ThroughputMode.PROVISIONED
            and (since := provisioned_since(values[PERMITTED], latest.provisioned_bytes_per_second)) is not None
        ):
            since = max(since, found[-1].end if found else 0)
            changes.append((since, latest.mode, latest.provisioned_bytes_per_second))
            remarks.append(
                f"Taken for provisioned mode since {moment(start + since * 60):%Y-%m-%d %H:%M} UTC, because "
                f"{_teller(recorded)} that it is so now: bursting shows the same rate, and CloudWatch keeps no "
                "record of the mode"
            )
    if not changes or changes[0][0] > 0:
        changes = [(0, ThroughputMode.BURSTING, 0), *changes]
    if is_told(recorded):
        _end_as_told(changes, by_size[-1][1], len(values[BALANCE]), _teller(recorded), remarks)
    return _merged(by_size, changes)


def _told(span: ModeSpan, recorded: Recorded, start: int) -> str:
    """What is said of a mode that the metrics show, and somebody tells of now."""
    return (
        f"Taken for {span.mode} mode since {_time(span.begin, start)} UTC, where burst credits mean nothing: "
        f"{_teller(recorded)} that it is so now, and the metrics since then are not those of bursting"
    )


def _guessed(
    spans: list[ModeSpan],
    recorded: Recorded,
    values: dict[tuple[str, str], Values],
    by_size: list[tuple[int, FileSystem]],
    start: int,
) -> Iterator[str]:
    """What is said of modes that only the metrics show; those of CloudWatch itself are in its own units."""
    is_exported, knows_sizes = recorded.read_at is None, bool(recorded.points.get(STANDARD_SIZE))
    names = "PermittedThroughput or StorageBytes" if knows_sizes else "PermittedThroughput"
    doubt = why_it_was_bursting(spans, values[BALANCE], values[PERMITTED], by_size) if is_exported else ""
    doubted = [one for one in spans if doubt and one.mode is ThroughputMode.PROVISIONED]
    for span in spans:
        if span in doubted:
            continue
        unless = ""
        if is_exported and span.mode is ThroughputMode.PROVISIONED:
            rate = f"{span.bytes_per_second / MIB:,.0f} MiB/s"
            unless = f". If {names} is in another unit ({rate} are permitted then), it was bursting"
        yield (
            f"Taken for {span.mode} mode from {_time(span.begin, start)} to {_time(span.end, start)} UTC, where burst "
            "credits mean nothing: the metrics then are not those of bursting, and CloudWatch keeps no record of the "
            f"mode{unless}"
        )
    if doubted:
        times = "" if len(doubted) == 1 else f" {len(doubted)} times"
        wrong = f"{names} is in another unit" if knows_sizes else f"{names} is in another unit, or the size another one"
        yield (
            f"Taken for provisioned mode{times} from {_time(doubted[0].begin, start)} to "
            f"{_time(doubted[-1].end, start)} UTC, but {doubt}: {wrong}, and what is said of that time is not so"
        )


def _time(minute: int, start: int) -> str:
    return f"{moment(start + minute * 60):%Y-%m-%d %H:%M}"


def _is_told_now(recorded: Recorded, span: ModeSpan, told: FileSystem) -> bool:
    """Whether the mode that the metrics show is the one that somebody tells, at the same rate where one is
    provisioned.
    """
    is_it = span.mode is told.mode and is_about(span.bytes_per_second, told.provisioned_bytes_per_second)
    return is_told(recorded) and is_it


def _teller(recorded: Recorded) -> str:
    return "EFS tells" if recorded.described is not None else "the file tells"


def _end_as_told(
    changes: list[tuple[int, ThroughputMode, int]], told: FileSystem, end: int, teller: str, remarks: list[str]
) -> None:
    """Let what is told of now count for now, whatever the metrics show until then: they tell of no mode for certain.

    A rate that is the same but for a rounding is that of the metrics.
    """
    since, mode, rate = changes[-1]
    if mode is told.mode and is_about(rate, told.provisioned_bytes_per_second):
        changes[-1] = (since, mode, told.provisioned_bytes_per_second)
        return
    changes.append((end, told.mode, told.provisioned_bytes_per_second))
    remarks.append(
        f"{teller[0].upper()}{teller[1:]} {_called(told.mode, told.provisioned_bytes_per_second)} now, and what was "
        f"before it is {_called(mode, rate)}: taken for a change of the last minutes"
    )


def _called(mode: ThroughputMode, bytes_per_second: int) -> str:
    return f"{mode} mode" + (f" at {bytes_per_second / MIB:,.0f} MiB/s" if bytes_per_second else "")


def _merged(
    by_size: list[tuple[int, FileSystem]], changes: list[tuple[int, ThroughputMode, int]]
) -> tuple[tuple[int, FileSystem], ...]:
    events = sorted(
        [(minute, 0, one) for minute, one in by_size] + [(minute, 1, (mode, rate)) for minute, mode, rate in changes],
        key=lambda event: event[:2],
    )
    size, mode, rate = by_size[0][1], ThroughputMode.BURSTING, 0
    found: list[tuple[int, FileSystem]] = []
    for minute, _, event in events:
        if isinstance(event, FileSystem):
            size = event
        else:
            mode, rate = event
        one = replace(size, mode=mode, provisioned_bytes_per_second=rate)
        if found and found[-1][0] == minute:
            found.pop()
        if not found or found[-1][1] != one:
            found.append((minute, one))
    return tuple(found)


def size_by_rates(permitted: Values) -> int:
    """The size that shows such rates: 100 MiB/s for each TiB with credits, and 50 without. 0 where up to 1 TiB nobody
    can tell.
    """
    rates = [one for one in permitted if one is not None]
    highest, lowest = max(rates, default=0.0), min(rates, default=0.0)
    if highest > LOWEST_BURST_BYTES_PER_SECOND:
        return round(highest / BURST_BYTES_PER_SECOND_PER_TIB * TIB)
    if LOWEST_BASELINE_BYTES_PER_SECOND < lowest < LOWEST_BURST_BYTES_PER_SECOND:
        return round(lowest / BASELINE_BYTES_PER_SECOND_PER_TIB * TIB)
    return 0


def is_told(recorded: Recorded) -> bool:
    """Whether somebody says which throughput mode it is in now: no metric does."""
    return recorded.described is not None or recorded.mode is not None
